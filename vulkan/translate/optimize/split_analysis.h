// SPDX-License-Identifier: Apache-2.0
// SplitAnalysis: finds where pointers into private variables point, and which objects must stay whole, for
// split_aggregates.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "vulkan/translate/optimize/object_types.h"
#include "vulkan/translate/support/accesses.h"

namespace caldera::vulkan {

/// How a function may make of a pointer that it gets, or loads, one to the object around its pointee.
struct Leaving {
    bool anywhere = false;  ///< it is cast to a pointer to a struct or an array, or its address is a number
    bool back = false;      ///< a pointer to bytes moves back by a constant distance
    uint64_t on_bytes = 0;  ///< it moves on by so many
    std::set<spirv::Id> stepped = {};  ///< pointers to these types move to a neighbour of their pointee
    /// Bytes that are accessed from there through pointers to these types, where more than the pointee's.
    std::map<spirv::Id, uint64_t> accessed = {};
    std::set<std::pair<spirv::Id, spirv::Id>> casts = {};  ///< from a pointee to another one
    bool any() const {
        return anywhere || back || on_bytes != 0 || !stepped.empty() || !accessed.empty() || !casts.empty();
    }
    void access(spirv::Id pointee, uint64_t bytes) {
        uint64_t& most = accessed[pointee];
        most = std::max(most, bytes);
    }
    uint64_t accessed_from(spirv::Id pointee) const {
        const auto found = accessed.find(pointee);
        return found == accessed.end() ? 0 : found->second;
    }
    void join(const Leaving& other) {
        anywhere |= other.anywhere;
        back |= other.back;
        on_bytes = std::max(on_bytes, other.on_bytes);
        stepped.insert(other.stepped.begin(), other.stepped.end());
        for (const auto& [pointee, bytes] : other.accessed) access(pointee, bytes);
        casts.insert(other.casts.begin(), other.casts.end());
    }
};

class SplitAnalysis {
 public:
    using Path = std::vector<uint32_t>;  ///< struct members and array elements, outermost first

    /// A pointer into a variable whose place is known.
    struct Ref {
        uint32_t variable = 0;
        Path path = {};
        spirv::Id type = {};  ///< of the object at `path`
        spirv::Id view = {};  ///< the pointee that the pointer claims; another than `type` after a bitcast
        /// The index of the element of a vector at `path` that is meant, constant or not.
        spirv::Id component = {};
    };
    /// A load or store resolved to an object.
    struct Target {
        Path path = {};
        spirv::Id type = {};
        spirv::Id component = {};
    };
    struct Variable {
        spirv::Instruction inst = {};
        spirv::Id type = {};
        std::set<Path> stops = {};  ///< objects that must stay whole
        bool roamed = false;        ///< a pointer to some part is not a Ref everywhere
        bool bytes_roamed = false;  ///< one to bytes of it
        std::set<spirv::Id> roamed_members =
            {};  ///< the pointees of such pointers to members that are in no array
        std::map<spirv::Id, uint64_t> rooms =
            {};               ///< by pointee, the fewest bytes that stay in one piece from such a pointer on
        bool punned = false;  ///< some access is of another type than what lies there
        bool rewritten = false;  ///< other pointers lead into it, or a copy becomes a load and a store
    };
    /// An access chain that is followed up to an object, and its first operand after that.
    struct Tail {
        Ref object = {};
        size_t next = 0;
    };

    /// Finds the variables of the function. run() finds the rest. `leaving` has the functions that do so.
    SplitAnalysis(const spirv::Builder& builder, const OpenclLayout& layout, const spirv::Function& function,
                  const spirv::IdMap<Leaving>& leaving);
    void run(const spirv::Cfg& cfg);
    const Leaving& leaving() const { return leaving_; }

    const std::vector<Variable>& variables() const { return variables_; }
    const ObjectTypes& types() const { return types_; }
    const Ref* ref(spirv::Id id) const {
        auto found = refs_.find(id.value);
        return found == refs_.end() ? nullptr : &found->second;
    }
    const Tail* tail(spirv::Id id) const {
        auto found = tails_.find(id.value);
        return found == tails_.end() ? nullptr : &found->second;
    }
    /// Whether the pointer must exist after the rewrite.
    bool is_needed(spirv::Id pointer) const { return needed_.contains(pointer.value); }
    /// The object that an access of the type through the pointer means.
    std::optional<Target> target(spirv::Id pointer, spirv::Id type) const;
    /// The object of that many bytes which starts where the pointer points.
    std::optional<Target> sized_target(spirv::Id pointer, uint64_t bytes) const;
    /// The type by which a copy can be done as one load and one store.
    std::optional<spirv::Id> copied_type(const spirv::Instruction& inst) const;

 private:
    /// Where an object is in what stays in one piece around it.
    struct Place {
        uint64_t at = 0, size = 0;
    };

    bool may_be_private(spirv::Id value) const;
    bool is_private(spirv::Id pointer_type) const;
    bool computes_with_addresses() const;
    bool computes_with_memory();
    bool holds_pointer(spirv::Id type, bool to_aggregate, uint32_t depth = 0) const;
    bool holds_pointer(spirv::Id type);
    bool begins_with(spirv::Id type, spirv::Id first) const;
    spirv::Id first_part(spirv::Id type) const;
    void see_as(const Ref& object, spirv::Id type);
    void reinterpret(spirv::Id from, spirv::Id to);
    void follow_casts();
    bool is_byte(spirv::Id type) const { return builder_.is_int(type) && builder_.width(type) == 8; }
    void move(const spirv::Instruction& chain);
    bool is_left(const Variable& variable) const;
    void analyse(const spirv::Instruction& inst);
    void derive(const spirv::Instruction& inst, size_t element, size_t first_index);
    void recast(const spirv::Instruction& inst);
    void copy(const spirv::Instruction& inst);
    void copy_outside(const spirv::Instruction& inst);
    void reach(const spirv::Instruction& inst);
    void other_use(const spirv::Instruction& inst);
    void keep_whole(spirv::Id pointer);
    void keep_bytes(spirv::Id pointer, uint64_t bytes);
    void keep_whole(const Ref& object);
    void roam(const Ref& object, spirv::Id pointee);
    std::optional<size_t> array_around(const Ref& object) const;
    Place place(const Ref& object) const;
    bool has_room(const Ref& object, int64_t from, uint64_t bytes) const;
    bool step(Ref& ref, spirv::Id index) const;
    bool advance(Ref& ref, spirv::Id element) const;
    bool may_leave(const Ref& ref, spirv::Id element) const;
    bool may_leave_as(const Ref& ref, spirv::Id element) const;
    bool descend(Ref& ref, spirv::Id wanted) const;
    bool is_padding_undefined(spirv::Id vector) const;
    bool is_misplaced(const Variable& variable, const Path& path) const;
    void keep_alignments(Variable& variable) const;
    /// The type of the array or struct that directly contains the object; the path is not empty.
    spirv::Id type_around(const Ref& r) const {
        spirv::Id type = variables_[r.variable].type;
        for (size_t i = 0; i + 1 < r.path.size(); ++i) type = types_.member_type(type, r.path[i]);
        return type;
    }

    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
    ObjectTypes types_;
    const spirv::Function& function_;
    AccessFinder accesses_;
    std::vector<Variable> variables_ = {};
    spirv::IdMap<Ref> refs_ = {};
    spirv::IdMap<Tail> tails_ = {};
    spirv::IdSet undefined_padding_ = {};  // vectors of 4 whose last component is undefined
    const spirv::IdMap<Leaving>& callees_;
    Leaving leaving_ = {};         // of pointers that are not Refs
    bool casts_to_bytes_ = false;  // one of them
    /// The pointers that are accessed in a variable where its type has none, as in a union.
    struct Hidden {
        std::set<Path> paths = {};
        std::set<spirv::Id> types = {};
    };
    std::map<uint32_t, Hidden> hidden_ = {};  // by variable
    std::map<spirv::Id, bool> holders_ = {};  // types, and whether they contain private pointers
    spirv::IdSet needed_ = {};
};

}  // namespace caldera::vulkan
