// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/split_aggregates.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using Path = std::vector<uint32_t>;  // struct members and array elements, outermost first

constexpr uint64_t kMaxSplitArray = 64;     // elements of an array that is split
constexpr uint32_t kMaxVariableParts = 64;  // variables that one becomes; also the parts of a copied object
constexpr uint32_t kMaxTotalParts = 256;    // past these, what is left of a variable is split no further
constexpr uint32_t kMaxSplitDepth = 32;
constexpr uint32_t kUndefinedComponent = 0xffffffff;  // of OpVectorShuffle

/// A pointer into a variable whose place is known.
struct Ref {
    uint32_t variable = 0;
    Path path = {};
    Id type = {};       ///< of the object at `path`
    Id view = {};       ///< the pointee that the pointer claims; another than `type` after a bitcast
    Id component = {};  ///< index of the element of a vector at `path` that is meant, constant or not
};
/// A load or store resolved to an object.
struct Target {
    Path path = {};
    Id type = {};
    Id component = {};
};
struct Variable {
    Instruction inst = {};
    Id type = {};
    std::set<Path> stops = {};  ///< objects that must stay whole
    bool roamed = false;        ///< a pointer to some part is not a Ref everywhere
    bool punned = false;        ///< some access is of another type than what lies there
    bool split = false;
    bool rewritten = false;  ///< some access is not a plain one of the whole variable
};
/// A variable that replaces the object at a path.
struct Part {
    Id id = {};
    Id type = {};
};

class Splitter {
 public:
    Splitter(Builder& builder, const OpenclLayout& layout, Function& function)
        : builder_(builder), layout_(layout), function_(function) {}

    bool run() {
        collect();
        if (variables_.empty()) return false;
        const Cfg cfg = build_cfg(function_);
        for (uint32_t b : cfg.order)
            for (const Instruction& inst : function_.blocks[b].body) analyse(inst);
        for (uint32_t b : cfg.order) {
            for (const Instruction& inst : function_.blocks[b].body)
                if (inst.op == spv::Op::OpPhi) other_use(inst);
            other_use(function_.blocks[b].terminator);
        }
        if (casts_unknown_ || computes_with_addresses())
            for (Variable& variable : variables_)
                if (variable.roamed) variable.stops.insert(Path{});
        if (!make_parts()) return false;
        for (uint32_t b : cfg.order) rewrite(function_.blocks[b], b == 0);
        return true;
    }

 private:
    // ---- Analysis ----

    void collect();
    bool may_be_private(Id value) const;
    bool computes_with_addresses() const;
    void analyse(const Instruction& inst);
    void derive(const Instruction& inst, size_t element, size_t first_index);
    void recast(const Instruction& inst);
    void copy(const Instruction& inst);
    void other_use(const Instruction& inst);
    void keep_whole(Id pointer);
    void keep_bytes(Id pointer, uint64_t bytes);
    uint64_t size_of(Id type) const;
    void keep_whole(const Ref& object);
    bool step(Ref& ref, Id index) const;
    bool advance(Ref& ref, Id element) const;
    bool may_leave(const Ref& ref, Id element) const;
    bool descend(Ref& ref, Id wanted) const;
    std::optional<Target> target(Id pointer, Id type) const;
    std::optional<Target> sized_target(Id pointer, uint64_t bytes) const;
    std::optional<Id> copied_type(const Instruction& inst) const;
    bool same_bits(Id a, Id b) const;
    bool is_padded(Id object, Id type) const;
    bool is_padding_undefined(Id vector) const;
    uint64_t part_count(Id type, uint32_t depth = 0) const;
    const Ref* ref(Id id) const {
        auto found = refs_.find(id.value);
        return found == refs_.end() ? nullptr : &found->second;
    }

    // ---- Rewriting ----

    bool is_misplaced(const Variable& variable, const Path& path) const;
    void keep_alignments(Variable& variable) const;
    bool make_parts();
    void add_parts(Variable& variable, std::map<Path, Part>& parts, Path& path, Id type);
    void rewrite(Block& block, bool entry);
    bool rewrite(const Instruction& inst);
    void initialise(const Variable& variable, Path& path, Id type, Id value);
    Operands chain_to(const Ref& ref) const;
    void emit_pointer(const Instruction& inst, const Ref& ref);
    void rewrite_copy(const Instruction& inst);
    Operands piece(const Part& part, std::span<const uint32_t> inside, Id type);
    Id load(uint32_t variable, Path& path, Id type, const Instruction& from);
    void store(uint32_t variable, Path& path, Id type, Id value, const Instruction& from);
    Id load_as(Id pointer, const Target& target, Id type, const Instruction& from);
    void store_as(Id pointer, const Target& target, Id type, Id value, const Instruction& from);
    Id outside_pointer(Id pointer, Id type);
    bool is_split(Id pointer) const {
        const Ref* r = ref(pointer);
        return r != nullptr && variables_[r->variable].split;
    }
    const Part* part_at(uint32_t variable, const Path& path) const {
        auto found = parts_[variable].find(path);
        return found == parts_[variable].end() ? nullptr : &found->second;
    }
    Id member_type(Id type, uint32_t index) const {
        return builder_.op_of_type(type) == spv::Op::OpTypeStruct ? builder_.member(type, index)
                                                                  : builder_.element(type);
    }
    uint32_t member_count(Id type) const {
        if (builder_.op_of_type(type) == spv::Op::OpTypeStruct) return builder_.member_count(type);
        return static_cast<uint32_t>(builder_.array_length(type));
    }
    /// The type of the array or struct that directly contains the object; the path is not empty.
    Id type_around(const Ref& r) const {
        Id type = variables_[r.variable].type;
        for (size_t i = 0; i + 1 < r.path.size(); ++i) type = member_type(type, r.path[i]);
        return type;
    }
    /// The offset of a member or an element in bytes.
    uint64_t offset_in(Id type, uint32_t index) const {
        if (builder_.op_of_type(type) == spv::Op::OpTypeStruct) return layout_.member_offset(type, index);
        return index * layout_.of(builder_.element(type)).size_bytes;
    }
    bool is_aggregate(Id type) const {
        const spv::Op op = builder_.op_of_type(type);
        return op == spv::Op::OpTypeStruct || op == spv::Op::OpTypeArray;
    }
    /// An array whose length is an ordinary constant, or a struct.
    bool is_countable(Id type) const {
        if (builder_.op_of_type(type) == spv::Op::OpTypeStruct) return true;
        if (builder_.op_of_type(type) != spv::Op::OpTypeArray) return false;
        return builder_.constant_value(builder_.find_global(type)->id(1)).has_value();
    }

    Builder& builder_;
    const OpenclLayout& layout_;
    Function& function_;
    std::vector<Variable> variables_ = {};
    IdMap<Ref> refs_ = {};
    /// An access chain that is followed up to an object, and its first operand after that.
    struct Tail {
        Ref object = {};
        size_t next = 0;
    };
    IdMap<Tail> tails_ = {};
    IdSet undefined_padding_ = {};  // vectors of 4 whose last component is undefined
    /// A pointer that is not a Ref is cast to a pointer to a struct or an array, which may contain the
    /// pointee.
    bool casts_unknown_ = false;
    IdSet needed_ = {};  // pointers that must exist after the rewrite
    std::vector<std::map<Path, Part>> parts_ = {};
    std::vector<Instruction> new_variables_ = {};
};

// ---- Analysis ----

void Splitter::collect() {
    if (function_.blocks.empty()) return;
    for (const Instruction& inst : function_.blocks[0].body) {
        if (inst.op != spv::Op::OpVariable ||
            inst.word(0) != static_cast<uint32_t>(spv::StorageClass::Function))
            continue;
        const Id type = builder_.pointee(inst.type);
        refs_[inst.result.value] = {
            .variable = static_cast<uint32_t>(variables_.size()), .type = type, .view = type};
        variables_.push_back({.inst = inst, .type = type});
    }
}

bool Splitter::may_be_private(Id value) const {
    const Id type = builder_.type_of(value);
    if (!type || !builder_.is_pointer(type)) return false;
    const spv::StorageClass storage = builder_.storage(type);
    return storage == spv::StorageClass::Function || storage == spv::StorageClass::Generic;
}

/// Whether differences, order or bits of addresses are used, which tell where in an object its parts lie.
bool Splitter::computes_with_addresses() const {
    IdSet addresses;
    bool computes = false;
    for_each_instruction(function_, [&](const Instruction& inst) {
        const bool cast = inst.op == spv::Op::OpConvertPtrToU ||
                          (inst.op == spv::Op::OpBitcast && !builder_.is_pointer(inst.type));
        if (cast && may_be_private(inst.id(0))) addresses.insert(inst.result);
        computes |= inst.op == spv::Op::OpPtrDiff && may_be_private(inst.id(0));
    });
    if (addresses.empty()) return computes;
    for_each_instruction(function_, [&](const Instruction& inst) {
        if (inst.op == spv::Op::OpIEqual || inst.op == spv::Op::OpINotEqual) return;
        for (const Operand& operand : inst.operands)
            computes |= operand.is_id && addresses.contains(operand.id());
    });
    return computes;
}

void Splitter::analyse(const Instruction& inst) {
    using enum spv::Op;
    switch (inst.op) {
        case OpVariable:
        case OpPhi: return;
        case OpAccessChain:
        case OpInBoundsAccessChain: derive(inst, 0, 1); break;
        case OpPtrAccessChain:
        case OpInBoundsPtrAccessChain: derive(inst, 1, 2); break;
        case OpBitcast:
        case OpPtrCastToGeneric:
        case OpGenericCastToPtr: recast(inst); break;
        case OpLoad:
            if (!ref(inst.id(0))) break;
            if (access_at(inst, 1).is_volatile || !target(inst.id(0), inst.type))
                keep_bytes(inst.id(0), size_of(inst.type));
            break;
        case OpStore: {
            if (ref(inst.id(1))) keep_whole(inst.id(1));
            if (!ref(inst.id(0))) break;
            const Id type = builder_.type_of(inst.id(1));
            const std::optional<Target> object = target(inst.id(0), type);
            const bool fits = object && (!is_padded(object->type, type) || is_padding_undefined(inst.id(1)));
            if (access_at(inst, 2).is_volatile || !fits) keep_bytes(inst.id(0), size_of(type));
            break;
        }
        case OpVectorShuffle:
            if (inst.operands.size() == 6 && inst.word(5) == kUndefinedComponent)
                undefined_padding_.insert(inst.result);
            break;
        case OpCopyMemory:
        case OpCopyMemorySized: copy(inst); break;
        default: other_use(inst);
    }
}

/// Keeps the object that a pointer may traverse in one piece: the array around an element, else the pointee.
void Splitter::keep_whole(Id pointer) {
    needed_.insert(pointer.value);
    keep_whole(refs_.at(pointer.value));
}

/// LLVM writes neighbouring parts together, through a pointer to the first one. Keeps all the bytes that are
/// accessed in one piece.
void Splitter::keep_bytes(Id pointer, uint64_t bytes) {
    const Ref& r = refs_.at(pointer.value);
    uint64_t room = size_of(r.component ? builder_.element(r.type) : r.type);
    if (!r.path.empty() && !r.component) {
        const Id around = type_around(r);
        if (builder_.op_of_type(around) == spv::Op::OpTypeArray) room *= member_count(around) - r.path.back();
    }
    if (room < bytes) variables_[r.variable].stops.insert(Path{});
    variables_[r.variable].punned = true;
    keep_whole(pointer);
}

uint64_t Splitter::size_of(Id type) const {
    const auto layout = layout_.find(type);
    return layout ? layout->size_bytes : 0;
}

void Splitter::keep_whole(const Ref& r) {
    variables_[r.variable].roamed = true;
    Path path = r.path;
    Id type = variables_[r.variable].type;
    size_t whole = path.size();
    for (size_t i = 0; i < path.size(); ++i) {
        if (builder_.op_of_type(type) == spv::Op::OpTypeArray) {
            whole = i;  // elements of the same array, and of an array of arrays
            break;
        }
        type = member_type(type, path[i]);
    }
    path.resize(whole);
    variables_[r.variable].stops.insert(path);
}

void Splitter::other_use(const Instruction& inst) {
    for (const Operand& operand : inst.operands)
        if (operand.is_id && ref(operand.id())) keep_whole(operand.id());
}

bool Splitter::step(Ref& r, Id index) const {
    if (r.component) return false;
    if (builder_.is_vector(r.type)) {
        r.component = index;
        return true;
    }
    const std::optional<uint64_t> value = builder_.constant_value(index);
    if (!value || !is_countable(r.type) || *value >= member_count(r.type)) return false;
    r.path.push_back(static_cast<uint32_t>(*value));
    r.type = member_type(r.type, r.path.back());
    return true;
}

/// The Element operand of OpPtrAccessChain: steps along the array that the object is an element of.
bool Splitter::advance(Ref& r, Id element) const {
    std::optional<uint64_t> value = builder_.constant_value(element);
    if (!value) return false;
    if (*value == 0) return true;
    if (r.path.empty() || r.component) return false;
    const Id type = type_around(r);
    if (builder_.op_of_type(type) != spv::Op::OpTypeArray) return false;
    uint64_t distance = *value;
    if (builder_.width(builder_.type_of(element)) == 32)
        distance = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(distance)));
    const uint64_t index = r.path.back() + distance;  // wraps as a negative distance wants it
    if (index >= member_count(type)) return false;
    r.path.back() = static_cast<uint32_t>(index);
    return true;
}

/// Whether a step that advance() declines may lead out of the array around the object, or out of the object
/// where there is none: LLVM makes a pointer to the first member, or to the first byte of it, of one to all,
/// and goes on from there.
bool Splitter::may_leave(const Ref& r, Id element) const {
    if (r.component) return true;
    if (r.path.empty()) return false;
    const Id around = type_around(r);
    if (builder_.op_of_type(around) != spv::Op::OpTypeArray || builder_.constant_value(element)) return true;
    const bool is_first =
        std::all_of(r.path.begin(), r.path.end(), [](uint32_t index) { return index == 0; });
    return is_first && builder_.is_int(r.type) && builder_.width(r.type) == 8;
}

/// Goes to first members until the object has the type that the pointer claims.
bool Splitter::descend(Ref& r, Id wanted) const {
    Ref at = r;
    for (uint32_t depth = 0; at.type != wanted; ++depth) {
        if (depth > kMaxSplitDepth || at.component || !is_countable(at.type) || member_count(at.type) == 0)
            return false;
        at.path.push_back(0);
        at.type = member_type(at.type, 0);
    }
    r = at;
    return true;
}

void Splitter::derive(const Instruction& inst, size_t element, size_t first_index) {
    for (size_t i = 1; i < inst.operands.size(); ++i)
        if (ref(inst.id(i))) keep_whole(inst.id(i));
    const Ref* base = ref(inst.id(0));
    if (base == nullptr) return;
    Ref r = *base;
    bool known = r.component || r.view == r.type || descend(r, r.view);
    if (known && element != 0 && !advance(r, inst.id(element))) {
        if (may_leave(r, inst.id(element))) variables_[r.variable].stops.insert(Path{});
        known = false;
    }
    if (!known) return keep_whole(inst.id(0));
    const bool plain_pointer = builder_.storage(inst.type) == spv::StorageClass::Function;
    for (size_t i = first_index; i < inst.operands.size(); ++i) {
        if (step(r, inst.id(i))) continue;
        if (r.component || !plain_pointer) return keep_whole(inst.id(0));
        keep_whole(r);  // indexed at run time from here on
        tails_[inst.result.value] = {std::move(r), i};
        return;
    }
    r.view = r.component ? builder_.element(r.type) : r.type;
    if (builder_.pointee(inst.type) != r.view) return keep_whole(inst.id(0));
    refs_[inst.result.value] = std::move(r);
}

void Splitter::recast(const Instruction& inst) {
    const Ref* from = ref(inst.id(0));
    if (from == nullptr) {
        casts_unknown_ |= may_be_private(inst.id(0)) && builder_.is_pointer(inst.type) &&
                          is_aggregate(builder_.pointee(inst.type));
        return;
    }
    if (!builder_.is_pointer(inst.type)) return keep_whole(inst.id(0));
    const spv::StorageClass storage = builder_.storage(inst.type);
    if (from->component || (storage != spv::StorageClass::Function && storage != spv::StorageClass::Generic))
        return keep_whole(inst.id(0));
    Ref r = *from;
    r.view = builder_.pointee(inst.type);
    refs_[inst.result.value] = std::move(r);
}

bool Splitter::same_bits(Id a, Id b) const {
    auto numeric = [&](Id type) {
        const Id element = builder_.is_vector(type) ? builder_.element(type) : type;
        return builder_.is_int(element) || builder_.is_float(element);
    };
    if (!numeric(a) || !numeric(b) || builder_.count(a) == 3 || builder_.count(b) == 3) return false;
    return builder_.width(a) * builder_.count(a) == builder_.width(b) * builder_.count(b);
}

std::optional<Target> Splitter::target(Id pointer, Id type) const {
    Ref r = *ref(pointer);
    if (r.component) {
        if (type != builder_.element(r.type)) return std::nullopt;
        return Target{r.path, r.type, r.component};
    }
    if (descend(r, type)) return Target{r.path, r.type, {}};
    for (uint32_t depth = 0; depth < kMaxSplitDepth && is_countable(r.type) && member_count(r.type) != 0;
         ++depth) {
        r.path.push_back(0);
        r.type = member_type(r.type, 0);
    }
    if (same_bits(r.type, type) || is_padded(r.type, type)) return Target{r.path, r.type, {}};
    return std::nullopt;
}

/// Clang loads and stores vectors of 3 as vectors of 4.
bool Splitter::is_padded(Id object, Id type) const {
    return builder_.is_vector(object) && builder_.is_vector(type) && builder_.count(object) == 3 &&
           builder_.count(type) == 4 && builder_.element(object) == builder_.element(type);
}

bool Splitter::is_padding_undefined(Id vector) const {
    if (undefined_padding_.contains(vector)) return true;
    const Instruction* constant = builder_.find_global(vector);
    if (constant != nullptr && constant->op == spv::Op::OpConstantComposite)
        constant = builder_.find_global(constant->id(3));
    return constant != nullptr && constant->op == spv::Op::OpUndef;
}

/// The object of that many bytes which starts where the pointer points.
std::optional<Target> Splitter::sized_target(Id pointer, uint64_t bytes) const {
    Ref r = *ref(pointer);
    if (r.component) return std::nullopt;
    while (!r.path.empty() && r.path.back() == 0 && size_of(r.type) < bytes) {  // the first of what is meant
        r.path.pop_back();
        r.type = variables_[r.variable].type;
        for (const uint32_t index : r.path) r.type = member_type(r.type, index);
    }
    for (uint32_t depth = 0; depth < kMaxSplitDepth; ++depth) {
        if (layout_.of(r.type).size_bytes == bytes) return Target{r.path, r.type, {}};
        if (!is_countable(r.type) || member_count(r.type) == 0) break;
        r.path.push_back(0);
        r.type = member_type(r.type, 0);
    }
    return std::nullopt;
}

uint64_t Splitter::part_count(Id type, uint32_t depth) const {
    if (!is_aggregate(type)) return 1;
    if (depth > kMaxSplitDepth || !is_countable(type)) return kMaxVariableParts + 1;
    if (builder_.op_of_type(type) == spv::Op::OpTypeArray) {
        const uint64_t length = builder_.array_length(type);
        if (length > kMaxSplitArray) return kMaxVariableParts + 1;
        return length * part_count(builder_.element(type), depth + 1);
    }
    uint64_t parts = 0;
    for (uint32_t i = 0; i < builder_.member_count(type) && parts <= kMaxVariableParts; ++i)
        parts += part_count(builder_.member(type, i), depth + 1);
    return parts;
}

/// The type by which a copy can be done as one load and one store.
std::optional<Id> Splitter::copied_type(const Instruction& inst) const {
    if (access_at(inst, inst.op == spv::Op::OpCopyMemory ? 2 : 3).is_volatile) return std::nullopt;
    std::optional<Id> type;
    for (size_t i = 0; i < 2; ++i) {
        if (!ref(inst.id(i))) continue;
        std::optional<Target> object;
        if (inst.op == spv::Op::OpCopyMemory) {
            const Id pointee = builder_.pointee(builder_.type_of(inst.id(i)));
            object = target(inst.id(i), pointee);
            if (object && is_padded(object->type, pointee)) return std::nullopt;
        } else if (auto bytes = builder_.constant_value(inst.id(2))) {
            object = sized_target(inst.id(i), *bytes);
        }
        if (!object || object->component || (type && *type != object->type)) return std::nullopt;
        type = object->type;
    }
    if (!type || part_count(*type) > kMaxVariableParts) return std::nullopt;
    return type;
}

void Splitter::copy(const Instruction& inst) {
    if (!ref(inst.id(0)) && !ref(inst.id(1))) return;
    if (copied_type(inst)) {
        for (size_t i = 0; i < 2; ++i)
            if (const Ref* r = ref(inst.id(i))) variables_[r->variable].rewritten = true;
        return;
    }
    const uint64_t bytes = inst.op == spv::Op::OpCopyMemorySized
                               ? builder_.constant_value(inst.id(2)).value_or(~uint64_t{0})
                               : size_of(builder_.pointee(builder_.type_of(inst.id(0))));
    for (size_t i = 0; i < 2; ++i)
        if (ref(inst.id(i))) keep_bytes(inst.id(i), bytes);
}

// ---- Rewriting ----

void Splitter::add_parts(Variable& variable, std::map<Path, Part>& parts, Path& path, Id type) {
    if (!is_aggregate(type) || !is_countable(type) || variable.stops.contains(path) ||
        parts.size() >= kMaxTotalParts || path.size() >= kMaxSplitDepth ||
        (builder_.op_of_type(type) == spv::Op::OpTypeArray && part_count(type) > kMaxVariableParts)) {
        Id id = variable.inst.result;
        if (!path.empty()) {
            const Id pointer = builder_.type_pointer(spv::StorageClass::Function, type);
            new_variables_.push_back({.op = spv::Op::OpVariable,
                                      .type = pointer,
                                      .result = builder_.fresh(),
                                      .operands = {spv::StorageClass::Function},
                                      .line = variable.inst.line});
            id = new_variables_.back().result;
        }
        parts[path] = {id, type};
        return;
    }
    for (uint32_t i = 0; i < member_count(type); ++i) {
        path.push_back(i);
        add_parts(variable, parts, path, member_type(type, i));
        path.pop_back();
    }
}

/// Whether accesses to the object may rely on an alignment that it has inside the variable but would not have
/// in its own one. For example, the member at 34 of a packed struct is aligned to 4 if the struct begins at
/// 90.
bool Splitter::is_misplaced(const Variable& variable, const Path& path) const {
    Id type = variable.type;
    uint64_t offset = 0;
    for (const uint32_t index : path) {
        offset += offset_in(type, index);
        type = member_type(type, index);
    }
    constexpr uint64_t kMaxAligned = 8;  // memory is made of words of 8 bytes at most
    return offset % kMaxAligned != 0 && (variable.punned || layout_.has_packed(type));
}

void Splitter::keep_alignments(Variable& variable) const {
    for (Path path : std::set<Path>(variable.stops)) {
        while (!path.empty() && is_misplaced(variable, path)) path.pop_back();
        variable.stops.insert(std::move(path));
    }
}

/// Decides which variables are split. Returns whether there is anything to rewrite.
bool Splitter::make_parts() {
    bool any = false;
    parts_.resize(variables_.size());
    std::vector<bool> derived(variables_.size(), false);
    for (const auto& [id, r] : refs_)
        if (Id{id} != variables_[r.variable].inst.result) derived[r.variable] = true;
    for (uint32_t i = 0; i < variables_.size(); ++i) {
        Variable& variable = variables_[i];
        keep_alignments(variable);
        const bool plain = !derived[i] && !variable.rewritten && !is_aggregate(variable.type);
        if (plain || variable.stops.contains(Path{})) continue;
        if (is_aggregate(variable.type)) {
            const bool large_array = builder_.op_of_type(variable.type) == spv::Op::OpTypeArray &&
                                     part_count(variable.type) > kMaxVariableParts;
            if (large_array || !is_countable(variable.type) || member_count(variable.type) == 0 ||
                member_count(variable.type) > 4 * kMaxVariableParts)
                continue;
        }
        variable.split = any = true;
        Path path;
        add_parts(variable, parts_[i], path, variable.type);
    }
    return any;
}

void Splitter::rewrite(Block& block, bool entry) {
    std::vector<Instruction> out, body = std::move(block.body);
    const SinkScope sink(builder_, &out);
    size_t first = 0;
    if (entry) {
        for (; first < body.size() && body[first].op == spv::Op::OpVariable; ++first) {
            const Ref* r = ref(body[first].result);
            if (r == nullptr || !variables_[r->variable].split || part_at(r->variable, {}))
                out.push_back(std::move(body[first]));
        }
        out.insert(out.end(), std::make_move_iterator(new_variables_.begin()),
                   std::make_move_iterator(new_variables_.end()));
        for (const Variable& variable : variables_) {
            if (!variable.split || variable.inst.operands.size() < 2 ||
                part_at(static_cast<uint32_t>(&variable - variables_.data()), {}))
                continue;
            Path path;
            initialise(variable, path, variable.type, variable.inst.id(1));
        }
    }
    for (; first < body.size(); ++first) {
        builder_.set_line(body[first].line);
        if (!rewrite(body[first])) out.push_back(std::move(body[first]));
    }
    builder_.set_line({});
    block.body = std::move(out);
}

/// Stores an initialiser's parts. Constants are taken apart here, anything else by OpCompositeExtract.
void Splitter::initialise(const Variable& variable, Path& path, Id type, Id value) {
    const auto index = static_cast<uint32_t>(&variable - variables_.data());
    if (const Part* part = part_at(index, path)) {
        builder_.append_void(spv::Op::OpStore, {part->id, value});
        return;
    }
    for (uint32_t i = 0; i < member_count(type); ++i) {
        const Id inner = member_type(type, i);
        const Instruction* constant = builder_.find_global(value);
        Id part;
        if (constant != nullptr && constant->op == spv::Op::OpConstantComposite)
            part = constant->id(i);
        else if (constant != nullptr && constant->op == spv::Op::OpConstantNull)
            part = builder_.constant_null(inner);
        else if (constant != nullptr && constant->op == spv::Op::OpUndef)
            part = builder_.undef(inner);
        else
            part = builder_.append(spv::Op::OpCompositeExtract, inner, {value, i});
        path.push_back(i);
        initialise(variable, path, inner, part);
        path.pop_back();
    }
}

/// Appends the replacement of the instruction. False if the instruction stays as it is.
bool Splitter::rewrite(const Instruction& inst) {
    using enum spv::Op;
    const Ref* own = inst.result ? ref(inst.result) : nullptr;
    if (own != nullptr && inst.op != OpVariable) {
        if (!variables_[own->variable].split) return false;
        if (needed_.contains(inst.result.value)) emit_pointer(inst, *own);
        return true;
    }
    if (auto tail = tails_.find(inst.result.value); inst.result && tail != tails_.end()) {
        const auto& [object, next] = tail->second;
        if (!variables_[object.variable].split) return false;
        Operands chain = chain_to(object);
        chain.insert(chain.end(), inst.operands.begin() + static_cast<std::ptrdiff_t>(next),
                     inst.operands.end());
        builder_.append({.op = OpInBoundsAccessChain,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = std::move(chain)});
        return true;
    }
    switch (inst.op) {
        case OpLoad: {
            if (!is_split(inst.id(0)) || needed_.contains(inst.word(0))) return false;
            const Id value = load_as(inst.id(0), *target(inst.id(0), inst.type), inst.type, inst);
            builder_.append(
                {.op = OpCopyObject, .type = inst.type, .result = inst.result, .operands = {value}});
            return true;
        }
        case OpStore: {
            if (!is_split(inst.id(0)) || needed_.contains(inst.word(0))) return false;
            const Id type = builder_.type_of(inst.id(1));
            store_as(inst.id(0), *target(inst.id(0), type), type, inst.id(1), inst);
            return true;
        }
        case OpCopyMemory:
        case OpCopyMemorySized:
            if (!is_split(inst.id(0)) && !is_split(inst.id(1))) return false;
            if (!copied_type(inst)) return false;
            rewrite_copy(inst);
            return true;
        default: return false;
    }
}

/// The variable that now holds the object, and the indices from there to it.
Operands Splitter::chain_to(const Ref& r) const {
    Path prefix = r.path;
    while (!part_at(r.variable, prefix)) {
        check(!prefix.empty(), "a pointer into a split object is still wanted");
        prefix.pop_back();
    }
    const Part part = *part_at(r.variable, prefix);
    Operands chain = {part.id};
    for (size_t i = prefix.size(); i < r.path.size(); ++i) chain.push_back(builder_.constant_u32(r.path[i]));
    if (r.component) chain.push_back(r.component);
    return chain;
}

/// Emits a pointer that other instructions still need.
void Splitter::emit_pointer(const Instruction& inst, const Ref& r) {
    Operands chain = chain_to(r);
    const Id type = r.component ? builder_.element(r.type) : r.type;
    const Id pointer_type = builder_.type_pointer(spv::StorageClass::Function, type);
    Id pointer = chain[0].id();
    if (chain.size() > 1) {
        if (pointer_type == inst.type) {
            builder_.append({.op = spv::Op::OpInBoundsAccessChain,
                             .type = inst.type,
                             .result = inst.result,
                             .operands = std::move(chain)});
            return;
        }
        pointer = builder_.append(spv::Op::OpInBoundsAccessChain, pointer_type, std::move(chain));
    }
    const bool generic = builder_.storage(inst.type) == spv::StorageClass::Generic;
    const Id cast_type = builder_.type_pointer(spv::StorageClass::Function, builder_.pointee(inst.type));
    if (generic && cast_type != pointer_type)
        pointer = builder_.append(spv::Op::OpBitcast, cast_type, {pointer});
    spv::Op op = spv::Op::OpBitcast;
    if (generic)
        op = spv::Op::OpPtrCastToGeneric;
    else if (cast_type == pointer_type)
        op = spv::Op::OpCopyObject;
    builder_.append({.op = op, .type = inst.type, .result = inst.result, .operands = {pointer}});
}

/// A pointer to a member of a part, and memory operands: in a packed struct, the alignment is lower than that
/// of the type.
Operands Splitter::piece(const Part& part, std::span<const uint32_t> inside, Id type) {
    if (inside.empty()) return {part.id};
    Operands chain = {part.id};
    uint64_t alignment = layout_.of(part.type).alignment_bytes;
    Id around = part.type;
    for (uint32_t index : inside) {
        chain.push_back(builder_.constant_u32(index));
        alignment |= offset_in(around, index);
        around = member_type(around, index);
    }
    alignment = std::min<uint64_t>(alignment & (~alignment + 1), 128);
    const Id pointer = builder_.append(spv::Op::OpInBoundsAccessChain,
                                       builder_.type_pointer(spv::StorageClass::Function, type), chain);
    return {pointer, spv::MemoryAccessMask::Aligned, static_cast<uint32_t>(alignment)};
}

Id Splitter::load(uint32_t variable, Path& path, Id type, const Instruction& from) {
    Path prefix = path;
    for (;; prefix.pop_back()) {
        if (const Part* part = part_at(variable, prefix)) {
            return builder_.append(spv::Op::OpLoad, type,
                                   piece(*part, std::span(path).subspan(prefix.size()), type));
        }
        if (prefix.empty()) break;
    }
    Operands members;
    for (uint32_t i = 0; i < member_count(type); ++i) {
        path.push_back(i);
        members.push_back(load(variable, path, member_type(type, i), from));
        path.pop_back();
    }
    return builder_.append(spv::Op::OpCompositeConstruct, type, std::move(members));
}

void Splitter::store(uint32_t variable, Path& path, Id type, Id value, const Instruction& from) {
    Path prefix = path;
    for (;; prefix.pop_back()) {
        if (const Part* part = part_at(variable, prefix)) {
            Operands operands = piece(*part, std::span(path).subspan(prefix.size()), type);
            operands.insert(operands.begin() + 1, value);
            builder_.append_void(spv::Op::OpStore, std::move(operands));
            return;
        }
        if (prefix.empty()) break;
    }
    for (uint32_t i = 0; i < member_count(type); ++i) {
        const Id inner = member_type(type, i);
        const Id part = builder_.append(spv::Op::OpCompositeExtract, inner, {value, i});
        path.push_back(i);
        store(variable, path, inner, part, from);
        path.pop_back();
    }
}

Id Splitter::load_as(Id pointer, const Target& object, Id type, const Instruction& from) {
    Path path = object.path;
    const Id value = load(ref(pointer)->variable, path, object.type, from);
    if (object.component) {
        if (auto index = builder_.constant_value(object.component);
            index && *index < builder_.count(object.type))
            return builder_.append(spv::Op::OpCompositeExtract, type, {value, static_cast<uint32_t>(*index)});
        return builder_.append(spv::Op::OpVectorExtractDynamic, type, {value, object.component});
    }
    if (is_padded(object.type, type))
        return builder_.append(spv::Op::OpVectorShuffle, type,
                               {value, value, 0u, 1u, 2u, kUndefinedComponent});
    return object.type == type ? value : builder_.append(spv::Op::OpBitcast, type, {value});
}

void Splitter::store_as(Id pointer, const Target& object, Id type, Id value, const Instruction& from) {
    const uint32_t variable = ref(pointer)->variable;
    Path path = object.path;
    if (object.component) {
        const Id old = load(variable, path, object.type, from);
        if (auto index = builder_.constant_value(object.component);
            index && *index < builder_.count(object.type))
            value = builder_.append(spv::Op::OpCompositeInsert, object.type,
                                    {value, old, static_cast<uint32_t>(*index)});
        else
            value =
                builder_.append(spv::Op::OpVectorInsertDynamic, object.type, {old, value, object.component});
    } else if (is_padded(object.type, type)) {
        value = builder_.append(spv::Op::OpVectorShuffle, object.type, {value, value, 0u, 1u, 2u});
    } else if (object.type != type) {
        value = builder_.append(spv::Op::OpBitcast, object.type, {value});
    }
    store(variable, path, object.type, value, from);
}

/// A pointer of the other side of a copy, made to point to `type`.
Id Splitter::outside_pointer(Id pointer, Id type) {
    const Id pointer_type = builder_.type_of(pointer);
    if (builder_.pointee(pointer_type) == type) return pointer;
    return builder_.append(spv::Op::OpBitcast, builder_.type_pointer(builder_.storage(pointer_type), type),
                           {pointer});
}

void Splitter::rewrite_copy(const Instruction& inst) {
    const Id type = *copied_type(inst);
    const AccessOperands first = access_at(inst, inst.op == spv::Op::OpCopyMemory ? 2 : 3);
    const AccessOperands second = access_at(inst, first.last);  // SPIR-V 1.4: the source's own
    Id value;
    auto object = [&](Id pointer) {
        return inst.op == spv::Op::OpCopyMemory
                   ? *target(pointer, type)
                   : *sized_target(pointer, *builder_.constant_value(inst.id(2)));
    };
    if (is_split(inst.id(1))) {
        value = load_as(inst.id(1), object(inst.id(1)), type, inst);
    } else {
        Operands operands = {outside_pointer(inst.id(1), type)};
        for (const Operand& o : operands_of(inst, second.last > second.first ? second : first))
            operands.push_back(o);
        value = builder_.append(spv::Op::OpLoad, type, std::move(operands));
    }
    if (is_split(inst.id(0))) {
        store_as(inst.id(0), object(inst.id(0)), type, value, inst);
    } else {
        Operands operands = {outside_pointer(inst.id(0), type), value};
        for (const Operand& o : operands_of(inst, first)) operands.push_back(o);
        builder_.append_void(spv::Op::OpStore, std::move(operands));
    }
}

}  // namespace

bool split_aggregates(spirv::Builder& builder, const OpenclLayout& layout, spirv::Function& function) {
    return Splitter(builder, layout, function).run();
}

}  // namespace caldera::vulkan
