// SPDX-License-Identifier: Apache-2.0
// What functions do with parameters that point to private memory, and which arguments they get.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

/// A parameter that points to Function storage.
struct PointerParameter {
    uint32_t index = 0;  ///< index of the function's parameter
    spirv::Id pointee = {};
    uint64_t extent = 1;   ///< number of elements of `pointee` that may be accessed, starting where it points
    uint64_t least = 1;    ///< those of them that are accessed at constant offsets
    bool open = false;     ///< they are as many as the argument's array has, since an index is not constant
    bool inside = true;    ///< each access is to a part of one of these, of the part's type
    bool written = false;  ///< by the function, or by a function that it calls
    bool captured = false;  ///< the pointer is stored, compared or mixed with others
    /// Each call passes `extent` elements of a variable to which nothing else points, and which the function
    /// does not write through another parameter.
    bool separate = true;
};

/// Whether any function takes a pointer of one of these classes.
bool takes_pointers(const spirv::Module& module, std::initializer_list<spv::StorageClass> classes);

class PointerParameters {
 public:
    /// `callees_first` is the result of CallGraph::order(). The analysis first goes from callees to callers,
    /// to find what functions do, then from callers to callees, to find what they are passed.
    PointerParameters(const spirv::Module& module, const spirv::Builder& builder, const CallGraph& graph,
                      std::span<const uint32_t> callees_first);

    std::span<const PointerParameter> of(uint32_t function) const { return parameters_[function]; }
    /// How many elements of its extent a call passes for the parameter of(callee)[index], if it is separate.
    uint64_t passed(spirv::Id call, uint32_t callee, size_t index) const;

 private:
    /// Where a pointer points, as steps from its root: elements of the root's pointee, then members and
    /// elements.
    struct Place {
        static constexpr uint32_t kMaxDepth = 6;
        uint32_t root = 0;
        bool exact = true;   ///< it is just there; false: somewhere in the root's element path[0]
        bool open = false;   ///< not exact: somewhere in the array that starts at the root
        bool inside = true;  ///< false: somewhere after the root
        uint32_t depth = 1;
        std::array<uint32_t, kMaxDepth> path = {};
        spirv::Id type = {};      ///< type of the object there
        uint64_t siblings = ~0u;  ///< number of elements of the array that contains it; 0 if none
    };
    /// A parameter or variable of the function that is being analysed.
    struct Root {
        PointerParameter* parameter = nullptr;  ///< null for a variable
        bool captured = false;
    };
    /// An argument for a PointerParameter; nullopt if nothing is known about it.
    using Argument = std::optional<Place>;
    struct Call {
        spirv::Id id = {};
        uint32_t callee = 0;
        std::vector<Argument> arguments = {};
    };
    /// Keeps what one function does with its pointers, until its callers have been analysed.
    struct Findings {
        std::vector<Root> roots = {};
        std::vector<Call> calls = {};
    };

    void find_parameters(uint32_t f);
    void visit(const spirv::Instruction& inst);
    void derive(const spirv::Instruction& inst, size_t element, size_t first_index);
    void advance(Place& place, spirv::Id element) const;
    void step(Place& place, spirv::Id index) const;
    void access(spirv::Id pointer, bool writes, bool is_plain);
    void call(const spirv::Instruction& inst);
    void capture(spirv::Id pointer);
    void hand_down(const Findings& findings);
    void hand_down(const Findings& findings, const Call& call);
    static uint64_t room(const Place& place, const Root& root);
    static bool fits(const Place& place, const Root& root, uint64_t extent);
    static bool overlap(const Place& a, uint64_t extent_a, const Place& b, uint64_t extent_b);

    const spirv::Module& module_;
    const spirv::Builder& builder_;
    const CallGraph& graph_;
    std::vector<std::vector<PointerParameter>> parameters_;  // by function
    spirv::IdMap<std::vector<uint64_t>> passed_ = {};        // by call, where the callee has open parameters
    // State for the function that is being analysed:
    Findings now_ = {};
    spirv::IdMap<Place> places_ = {};
};

}  // namespace caldera::vulkan
