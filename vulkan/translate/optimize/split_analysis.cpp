// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/split_analysis.h"

#include <algorithm>
#include <array>

#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/integers.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

Id opencl_std_of(const Module& module) {
    for (const Instruction& inst : module.ext_inst_imports)
        if (string_at(inst, 0) == "OpenCL.std") return inst.result;
    return {};
}

/// Whether one is the other, or a part of it.
bool overlaps(const SplitAnalysis::Path& a, const SplitAnalysis::Path& b) {
    const size_t common = std::min(a.size(), b.size());
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
}

}  // namespace

SplitAnalysis::SplitAnalysis(const Builder& builder, const OpenclLayout& layout, const Function& function,
                             const IdMap<Leaving>& leaving)
    : builder_(builder),
      layout_(layout),
      types_(builder, layout),
      function_(function),
      accesses_(builder, layout, opencl_std_of(builder.module())),
      callees_(leaving) {
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

void SplitAnalysis::run(const Cfg& cfg) {
    for (uint32_t b : cfg.order)
        for (const Instruction& inst : function_.blocks[b].body) analyse(inst);
    for (uint32_t b : cfg.order) {
        for (const Instruction& inst : function_.blocks[b].body)
            if (inst.op == spv::Op::OpPhi) other_use(inst);
        other_use(function_.blocks[b].terminator);
    }
    leaving_.anywhere |= computes_with_addresses() || computes_with_memory();
    follow_casts();
    for (Variable& variable : variables_)
        if (is_left(variable)) variable.stops.insert(Path{});
    for (const auto& [id, r] : refs_)
        if (Id{id} != variables_[r.variable].inst.result) variables_[r.variable].rewritten = true;
    for (Variable& variable : variables_) keep_alignments(variable);
}

bool SplitAnalysis::may_be_private(Id value) const {
    const Id type = builder_.type_of(value);
    return type && builder_.is_pointer(type) && is_private(type);
}

bool SplitAnalysis::is_private(Id pointer_type) const {
    const spv::StorageClass storage = builder_.storage(pointer_type);
    return storage == spv::StorageClass::Function || storage == spv::StorageClass::Generic;
}

/// Whether differences, order or bits of addresses are used, which tell where in an object its parts lie. A
/// number that becomes a pointer may be such a sum that has gone through memory.
bool SplitAnalysis::computes_with_addresses() const {
    IdSet addresses;
    bool computes = false;
    for_each_instruction(function_, [&](const Instruction& inst) {
        const bool cast = inst.op == spv::Op::OpConvertPtrToU ||
                          (inst.op == spv::Op::OpBitcast && !builder_.is_pointer(inst.type));
        if (cast && may_be_private(inst.id(0))) addresses.insert(inst.result);
        computes |= inst.op == spv::Op::OpPtrDiff && may_be_private(inst.id(0));
        const bool from_number =
            inst.op == spv::Op::OpConvertUToPtr ||
            (inst.op == spv::Op::OpBitcast && !builder_.is_pointer(builder_.type_of(inst.id(0))));
        computes |= from_number && may_be_private(inst.result) && builder_.find_global(inst.id(0)) == nullptr;
    });
    if (addresses.empty()) return computes;
    for_each_instruction(function_, [&](const Instruction& inst) {
        if (inst.op == spv::Op::OpIEqual || inst.op == spv::Op::OpINotEqual) return;
        for (const Operand& operand : inst.operands)
            computes |= operand.is_id && addresses.contains(operand.id());
    });
    return computes;
}

/// Whether a pointer to one of its parts may lead to the others.
bool SplitAnalysis::is_left(const Variable& variable) const {
    if (!variable.roamed || leaving_.anywhere) return variable.roamed;
    // `float *p = &point.x; p[i]` goes through the members of a struct. C leaves it undefined, but compilers
    // that keep structs in memory let it work, and programs rely on it.
    for (const Id type : variable.roamed_members)
        if (leaving_.stepped.contains(type)) return true;
    for (const auto& [type, room] : variable.rooms)
        if (leaving_.accessed_from(type) > room) return true;
    if (!variable.bytes_roamed && !casts_to_bytes_) return false;
    uint64_t accessed = 1;  // from a byte on
    for (const auto& [type, bytes] : leaving_.accessed)
        if (is_byte(type)) accessed = bytes;
    return leaving_.back || std::ranges::any_of(variable.stops, [&](const Path& path) {
               Id type = variable.type;
               for (const uint32_t index : path) type = types_.member_type(type, index);
               return leaving_.on_bytes > 0 && types_.size_of(type) < accessed + leaving_.on_bytes;
           });
}

void SplitAnalysis::analyse(const Instruction& inst) {
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
            see_as(*ref(inst.id(0)), inst.type);
            if (access_at(inst, 1).is_volatile || !target(inst.id(0), inst.type))
                keep_bytes(inst.id(0), types_.size_of(inst.type));
            break;
        case OpStore: {
            if (ref(inst.id(1))) keep_whole(inst.id(1));
            if (!ref(inst.id(0))) break;
            const Id type = builder_.type_of(inst.id(1));
            see_as(*ref(inst.id(0)), type);
            const std::optional<Target> object = target(inst.id(0), type);
            const bool fits =
                object && (!types_.is_padded(object->type, type) || is_padding_undefined(inst.id(1)));
            if (access_at(inst, 2).is_volatile || !fits) keep_bytes(inst.id(0), types_.size_of(type));
            break;
        }
        case OpVectorShuffle:
            if (inst.operands.size() == 6 && inst.word(5) == spirv::kUndefinedComponent)
                undefined_padding_.insert(inst.result);
            break;
        case OpCopyMemory:
        case OpCopyMemorySized: copy(inst); break;
        case OpFunctionCall: {
            const auto callee = callees_.find(inst.id(0));
            if (callee != callees_.end() && std::ranges::any_of(inst.operands, [&](const Operand& operand) {
                    return operand.is_id && may_be_private(operand.id());
                }))
                leaving_.join(callee->second);
            other_use(inst);
            break;
        }
        case OpExtInst:
            reach(inst);
            other_use(inst);
            break;
        default: other_use(inst);
    }
}

/// Keeps the object that a pointer may traverse in one piece: the array around an element, else the pointee.
void SplitAnalysis::keep_whole(Id pointer) {
    needed_.insert(pointer.value);
    const Ref& r = refs_.at(pointer.value);
    if (!r.path.empty() && !array_around(r)) variables_[r.variable].roamed_members.insert(r.view);
    if (!has_room(r, 0, types_.size_of(r.view))) variables_[r.variable].stops.insert(Path{});
    if (!is_byte(r.view)) see_as(r, r.view);
    roam(r, r.view);
    keep_whole(r);
}

/// A pointer into the object, to such a pointee, is no Ref from here on.
void SplitAnalysis::roam(const Ref& r, Id pointee) {
    Variable& variable = variables_[r.variable];
    variable.bytes_roamed |= is_byte(pointee);
    const Place in = place(r);
    const uint64_t room = in.size - std::min(in.at, in.size);
    const auto [known, is_new] = variable.rooms.emplace(pointee, room);
    if (!is_new) known->second = std::min(known->second, room);
}

/// LLVM writes neighbouring parts together, through a pointer to the first one. Keeps all the bytes that are
/// accessed in one piece.
void SplitAnalysis::keep_bytes(Id pointer, uint64_t bytes) {
    const Ref& r = refs_.at(pointer.value);
    if (!has_room(r, 0, bytes)) variables_[r.variable].stops.insert(Path{});
    variables_[r.variable].punned = true;
    keep_whole(pointer);
}

void SplitAnalysis::keep_whole(const Ref& r) {
    variables_[r.variable].roamed = true;
    Path path = r.path;
    path.resize(array_around(r).value_or(path.size()));
    variables_[r.variable].stops.insert(path);
}

/// The length of the path to the outermost array that the object is an element of, or lies in one.
std::optional<size_t> SplitAnalysis::array_around(const Ref& r) const {
    Id type = variables_[r.variable].type;
    for (size_t i = 0; i < r.path.size(); ++i) {
        if (builder_.op_of_type(type) == spv::Op::OpTypeArray) return i;
        type = types_.member_type(type, r.path[i]);
    }
    return {};
}

/// The array around the object stays in one piece, else the object does.
SplitAnalysis::Place SplitAnalysis::place(const Ref& r) const {
    const std::optional<size_t> array = array_around(r);
    Place in = {.size = types_.size_of(r.type)};
    if (array) {
        Id type = variables_[r.variable].type;
        for (size_t i = 0; i < r.path.size(); ++i) {
            if (*array == i) in = {.size = types_.size_of(type)};
            in.at += types_.offset_in(type, r.path[i]);
            type = types_.member_type(type, r.path[i]);
        }
    }
    if (r.component)
        in.at += types_.size_of(builder_.element(r.type)) * builder_.constant_value(r.component).value_or(0);
    return in;
}

/// Whether so many bytes, which begin `from` bytes behind the object, stay in one piece with it.
bool SplitAnalysis::has_room(const Ref& r, int64_t from, uint64_t bytes) const {
    const Place in = place(r);
    const uint64_t distance =
        from < 0 ? uint64_t{0} - static_cast<uint64_t>(from) : static_cast<uint64_t>(from);
    if (from < 0 && distance > in.at) return false;
    const uint64_t at = from < 0 ? in.at - distance : in.at + distance;
    return distance <= in.size && at <= in.size && bytes <= in.size - at;
}

/// Vloadn and its like access more than the pointee, and some of it at an index.
void SplitAnalysis::reach(const Instruction& inst) {
    for (const Access& access : accesses_.of(inst)) {
        const Id pointer = inst.id(access.operand);
        if (!may_be_private(pointer)) continue;
        const std::optional<int64_t> index =
            access.index ? signed_constant(builder_, access.index) : std::optional<int64_t>(0);
        constexpr int64_t kFar = int64_t{1} << 40;  // past every object
        const int64_t from =
            std::clamp(index.value_or(0), -kFar, kFar) * static_cast<int64_t>(access.stride_bytes);
        if (const Ref* r = ref(pointer)) {
            const bool stays =
                index ? has_room(*r, from, access.bytes) : array_around(*r) && has_room(*r, 0, access.bytes);
            if (!stays) variables_[r->variable].stops.insert(Path{});
            continue;
        }
        const Id pointee = builder_.pointee(builder_.type_of(pointer));
        if (from < 0 || !index) leaving_.stepped.insert(pointee);
        const uint64_t bytes = access.bytes + static_cast<uint64_t>(std::max<int64_t>(from, 0));
        if (bytes > types_.size_of(pointee)) leaving_.access(pointee, bytes);
    }
}

void SplitAnalysis::other_use(const Instruction& inst) {
    for (const Operand& operand : inst.operands)
        if (operand.is_id && ref(operand.id())) keep_whole(operand.id());
}

bool SplitAnalysis::step(Ref& r, Id index) const {
    if (r.component) return false;
    if (builder_.is_vector(r.type)) {
        r.component = index;
        return true;
    }
    const std::optional<uint64_t> value = builder_.constant_value(index);
    if (!value || !types_.is_countable(r.type) || *value >= types_.member_count(r.type)) return false;
    r.path.push_back(static_cast<uint32_t>(*value));
    r.type = types_.member_type(r.type, r.path.back());
    return true;
}

/// The Element operand of OpPtrAccessChain: steps along the array that the object is an element of.
bool SplitAnalysis::advance(Ref& r, Id element) const {
    const std::optional<int64_t> distance = signed_constant(builder_, element);
    if (!distance) return false;
    if (*distance == 0) return true;
    if (r.path.empty() || r.component) return false;
    const Id type = type_around(r);
    if (builder_.op_of_type(type) != spv::Op::OpTypeArray) return false;
    const uint64_t index = r.path.back() + static_cast<uint64_t>(*distance);  // wraps below 0
    if (index >= types_.member_count(type)) return false;
    r.path.back() = static_cast<uint32_t>(index);
    return true;
}

/// Whether a step that advance() declines may lead out of the array around the object, or out of the object
/// where there is none: LLVM makes a pointer to the first member, or to the first byte of it, of one to all,
/// and goes on from there.
bool SplitAnalysis::may_leave(const Ref& r, Id element) const {
    if (r.component) return true;
    if (r.path.empty()) return false;
    const Id around = type_around(r);
    if (builder_.op_of_type(around) != spv::Op::OpTypeArray || builder_.constant_value(element)) return true;
    const bool is_first =
        std::all_of(r.path.begin(), r.path.end(), [](uint32_t index) { return index == 0; });
    return is_first && is_byte(r.type);
}

/// The same for a step of a pointer to another type than the object's, such as a byte of it. At run time it
/// stays in the array around the object, if there is one.
bool SplitAnalysis::may_leave_as(const Ref& r, Id element) const {
    if (r.path.empty()) return false;
    const std::optional<int64_t> distance = signed_constant(builder_, element);
    if (!distance) return !array_around(r);
    const auto bytes = static_cast<int64_t>(types_.size_of(r.view));
    constexpr int64_t kFar = int64_t{1} << 31;  // past every object
    return !has_room(r, std::clamp(*distance, -kFar, kFar) * bytes, static_cast<uint64_t>(bytes));
}

/// Goes to first members until the object has the type that the pointer claims.
bool SplitAnalysis::descend(Ref& r, Id wanted) const {
    Ref at = r;
    for (uint32_t depth = 0; at.type != wanted; ++depth) {
        if (depth > ObjectTypes::kMaxDepth || at.component || !types_.is_countable(at.type) ||
            types_.member_count(at.type) == 0)
            return false;
        at.path.push_back(0);
        at.type = types_.member_type(at.type, 0);
    }
    r = at;
    return true;
}

void SplitAnalysis::derive(const Instruction& inst, size_t element, size_t first_index) {
    for (size_t i = 1; i < inst.operands.size(); ++i)
        if (ref(inst.id(i))) keep_whole(inst.id(i));
    const Ref* base = ref(inst.id(0));
    if (base == nullptr) {
        if (element != 0) move(inst);
        return;
    }
    Ref r = *base;
    bool known = r.component || r.view == r.type || descend(r, r.view);
    if (!known && element != 0 && may_leave_as(r, inst.id(element)))
        variables_[r.variable].stops.insert(Path{});
    if (known && element != 0 && !advance(r, inst.id(element))) {
        if (may_leave(r, inst.id(element))) variables_[r.variable].stops.insert(Path{});
        known = false;
    }
    if (!known) {
        roam(*base, builder_.pointee(inst.type));
        return keep_whole(inst.id(0));
    }
    const bool plain_pointer = builder_.storage(inst.type) == spv::StorageClass::Function;
    for (size_t i = first_index; i < inst.operands.size(); ++i) {
        if (step(r, inst.id(i))) continue;
        if (r.component || !plain_pointer) return keep_whole(inst.id(0));
        roam(r, builder_.pointee(inst.type));
        keep_whole(r);  // indexed at run time from here on
        tails_[inst.result.value] = {std::move(r), i};
        return;
    }
    r.view = r.component ? builder_.element(r.type) : r.type;
    if (builder_.pointee(inst.type) != r.view) return keep_whole(inst.id(0));
    refs_[inst.result.value] = std::move(r);
}

/// A pointer that is no Ref moves through an array, or what is used as one. LLVM's pointers have no pointees:
/// instead of a cast to a struct, its code may just count bytes.
void SplitAnalysis::move(const Instruction& chain) {
    if (!may_be_private(chain.id(0))) return;
    const Id pointee = builder_.pointee(builder_.type_of(chain.id(0)));
    const std::optional<int64_t> distance = signed_constant(builder_, chain.id(1));
    if (!distance || (*distance != 0 && !is_byte(pointee))) leaving_.stepped.insert(pointee);
    if (!distance || !is_byte(pointee)) return;
    leaving_.back |= *distance < 0;
    if (*distance > 0) leaving_.on_bytes = std::max(leaving_.on_bytes, static_cast<uint64_t>(*distance));
}

/// Whether the type is one of private pointers, maybe only of those to structs or arrays, or contains one.
bool SplitAnalysis::holds_pointer(Id type, bool to_aggregate, uint32_t depth) const {
    if (builder_.is_pointer(type))
        return is_private(type) && (!to_aggregate || types_.is_aggregate(builder_.pointee(type)));
    if (depth > ObjectTypes::kMaxDepth) return true;
    const spv::Op op = builder_.op_of_type(type);
    if (op == spv::Op::OpTypeArray) return holds_pointer(builder_.element(type), to_aggregate, depth + 1);
    if (op != spv::Op::OpTypeStruct) return false;
    for (uint32_t i = 0; i < builder_.member_count(type); ++i)
        if (holds_pointer(builder_.member(type, i), to_aggregate, depth + 1)) return true;
    return false;
}

bool SplitAnalysis::holds_pointer(Id type) {
    const auto [found, is_new] = holders_.emplace(type, false);
    if (is_new) found->second = holds_pointer(type, false);
    return found->second;
}

/// Whether the type is the other one, or its first members lead there.
bool SplitAnalysis::begins_with(Id type, Id first) const {
    for (uint32_t depth = 0; type != first; ++depth) {
        if (depth > ObjectTypes::kMaxDepth || !types_.is_countable(type) || types_.member_count(type) == 0)
            return false;
        type = types_.member_type(type, 0);
    }
    return true;
}

/// The first object of the type that is no aggregate.
Id SplitAnalysis::first_part(Id type) const {
    for (uint32_t depth = 0;
         depth < ObjectTypes::kMaxDepth && types_.is_countable(type) && types_.member_count(type) != 0;
         ++depth)
        type = types_.member_type(type, 0);
    return type;
}

/// Notes that the object is accessed as one of the type. Pointers to other objects may be numbers in it.
void SplitAnalysis::see_as(const Ref& r, Id type) {
    const Id object = r.component ? builder_.element(r.type) : r.type;
    if (begins_with(object, type)) return;
    if (builder_.is_pointer(first_part(object)) && builder_.is_pointer(type))
        return reinterpret(object, type);
    if (holds_pointer(type) == holds_pointer(object)) return;
    if (holds_pointer(object)) {
        leaving_.anywhere = true;
        return;
    }
    Hidden& hidden = hidden_[r.variable];
    hidden.paths.insert(r.path);
    hidden.types.insert(type);
}

/// Memory of one type is used as memory of another, through a pointer whose object is not known.
void SplitAnalysis::reinterpret(Id from, Id to) {
    if (from == to) return;
    const Id first = first_part(from), second = first_part(to);
    if (builder_.is_pointer(first) && builder_.is_pointer(second)) {
        if (first != second && (is_private(first) || is_private(second)))
            leaving_.casts.emplace(builder_.pointee(first), builder_.pointee(second));
    } else if (!is_byte(from) && !is_byte(to) && !begins_with(from, to)) {
        leaving_.anywhere |= holds_pointer(from) != holds_pointer(to);
    }
}

/// Whether pointers that are hidden in a variable are numbers there, too, or pointers of another type.
bool SplitAnalysis::computes_with_memory() {
    if (hidden_.empty()) return false;
    if (std::ranges::any_of(hidden_, [](const auto& hidden) { return hidden.second.types.size() > 1; }))
        return true;
    const auto is_number = [&](Id pointer, Id type) {
        const Ref* r = ref(pointer);
        const auto hidden = r == nullptr ? hidden_.end() : hidden_.find(r->variable);
        if (hidden == hidden_.end() || holds_pointer(type)) return false;
        Ref at = *r;
        descend(at, type);
        return std::ranges::any_of(hidden->second.paths,
                                   [&](const Path& path) { return overlaps(path, at.path); });
    };
    bool computes = false;
    for_each_instruction(function_, [&](const Instruction& inst) {
        if (inst.op == spv::Op::OpLoad) computes |= is_number(inst.id(0), inst.type);
        if (inst.op == spv::Op::OpStore) computes |= is_number(inst.id(0), builder_.type_of(inst.id(1)));
        if (const Ref* r = inst.result && is_needed(inst.result) ? ref(inst.result) : nullptr)
            computes |= is_number(inst.result, r->view);
    });
    return computes;
}

/// A pointer that is cast does what the new one does.
void SplitAnalysis::follow_casts() {
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [from, to] : leaving_.casts) {
            const uint64_t bytes = std::max(types_.size_of(to), leaving_.accessed_from(to));
            if (bytes > std::max(types_.size_of(from), leaving_.accessed_from(from))) {
                leaving_.access(from, bytes);
                changed = true;
            }
            if (leaving_.stepped.contains(to)) changed |= leaving_.stepped.insert(from).second;
        }
    }
}

void SplitAnalysis::recast(const Instruction& inst) {
    const Ref* from = ref(inst.id(0));
    if (builder_.is_pointer(inst.type)) {
        const Id pointee = builder_.pointee(inst.type);
        const bool is_unknown = from == nullptr && may_be_private(inst.id(0));
        leaving_.anywhere |= is_unknown && types_.is_aggregate(pointee);
        casts_to_bytes_ |= is_unknown && is_byte(pointee);
        if (is_unknown) {
            const Id old = builder_.pointee(builder_.type_of(inst.id(0)));
            if (old != pointee) leaving_.casts.emplace(old, pointee);
            reinterpret(old, pointee);
        }
        if (inst.op == spv::Op::OpBitcast)  // a pointer in memory is read as one to another type
            leaving_.anywhere |= holds_pointer(pointee, true);
    }
    if (from == nullptr) return;
    if (!builder_.is_pointer(inst.type)) return keep_whole(inst.id(0));
    const spv::StorageClass storage = builder_.storage(inst.type);
    if (from->component || (storage != spv::StorageClass::Function && storage != spv::StorageClass::Generic))
        return keep_whole(inst.id(0));
    Ref r = *from;
    r.view = builder_.pointee(inst.type);
    refs_[inst.result.value] = std::move(r);
}

std::optional<SplitAnalysis::Target> SplitAnalysis::target(Id pointer, Id type) const {
    Ref r = *ref(pointer);
    if (r.component) {
        if (type != builder_.element(r.type)) return std::nullopt;
        return Target{r.path, r.type, r.component};
    }
    if (descend(r, type)) return Target{r.path, r.type, {}};
    for (uint32_t depth = 0;
         depth < ObjectTypes::kMaxDepth && types_.is_countable(r.type) && types_.member_count(r.type) != 0;
         ++depth) {
        r.path.push_back(0);
        r.type = types_.member_type(r.type, 0);
    }
    if (types_.same_bits(r.type, type) || types_.is_padded(r.type, type)) return Target{r.path, r.type, {}};
    return std::nullopt;
}

bool SplitAnalysis::is_padding_undefined(Id vector) const {
    if (undefined_padding_.contains(vector)) return true;
    const Instruction* constant = builder_.find_global(vector);
    if (constant != nullptr && constant->op == spv::Op::OpConstantComposite)
        constant = builder_.find_global(constant->id(3));
    return constant != nullptr && constant->op == spv::Op::OpUndef;
}

std::optional<SplitAnalysis::Target> SplitAnalysis::sized_target(Id pointer, uint64_t bytes) const {
    Ref r = *ref(pointer);
    if (r.component) return std::nullopt;
    while (!r.path.empty() && r.path.back() == 0 &&
           types_.size_of(r.type) < bytes) {  // the first of what is meant
        r.path.pop_back();
        r.type = variables_[r.variable].type;
        for (const uint32_t index : r.path) r.type = types_.member_type(r.type, index);
    }
    for (uint32_t depth = 0; depth < ObjectTypes::kMaxDepth; ++depth) {
        if (layout_.of(r.type).size_bytes == bytes) return Target{r.path, r.type, {}};
        if (!types_.is_countable(r.type) || types_.member_count(r.type) == 0) break;
        r.path.push_back(0);
        r.type = types_.member_type(r.type, 0);
    }
    return std::nullopt;
}

std::optional<Id> SplitAnalysis::copied_type(const Instruction& inst) const {
    if (copy_operands(inst).is_volatile()) return std::nullopt;
    std::optional<Id> type;
    for (size_t i = 0; i < 2; ++i) {
        if (!ref(inst.id(i))) continue;
        std::optional<Target> object;
        if (inst.op == spv::Op::OpCopyMemory) {
            const Id pointee = builder_.pointee(builder_.type_of(inst.id(i)));
            object = target(inst.id(i), pointee);
            if (object && types_.is_padded(object->type, pointee)) return std::nullopt;
        } else if (auto bytes = builder_.constant_value(inst.id(2))) {
            object = sized_target(inst.id(i), *bytes);
        }
        if (!object || object->component || (type && *type != object->type)) return std::nullopt;
        type = object->type;
    }
    if (!type || types_.part_count(*type) > ObjectTypes::kMaxParts) return std::nullopt;
    return type;
}

void SplitAnalysis::copy(const Instruction& inst) {
    copy_outside(inst);
    if (!ref(inst.id(0)) && !ref(inst.id(1))) return;
    if (copied_type(inst)) {
        for (size_t i = 0; i < 2; ++i)
            if (const Ref* r = ref(inst.id(i))) variables_[r->variable].rewritten = true;
        return;
    }
    const uint64_t bytes = inst.op == spv::Op::OpCopyMemorySized
                               ? builder_.constant_value(inst.id(2)).value_or(~uint64_t{0})
                               : types_.size_of(builder_.pointee(builder_.type_of(inst.id(0))));
    for (size_t i = 0; i < 2; ++i)
        if (ref(inst.id(i))) keep_bytes(inst.id(i), bytes);
}

/// What the copy does through pointers that are no Refs, and whether it makes numbers of pointers.
void SplitAnalysis::copy_outside(const Instruction& inst) {
    std::array<Id, 2> types;
    for (size_t i = 0; i < 2; ++i) {
        const Ref* r = ref(inst.id(i));
        const Id pointee = builder_.pointee(builder_.type_of(inst.id(i)));
        types[i] = r == nullptr ? pointee : r->type;
        if (r != nullptr || !may_be_private(inst.id(i)) || inst.op == spv::Op::OpCopyMemory) continue;
        const uint64_t bytes = builder_.constant_value(inst.id(2)).value_or(~uint64_t{0});
        if (bytes > types_.size_of(pointee)) leaving_.access(pointee, bytes);
    }
    reinterpret(types[0], types[1]);
}

/// Whether accesses to the object may rely on an alignment that it has inside the variable but would not have
/// in its own one. For example, the member at 34 of a packed struct is aligned to 4 if the struct begins at
/// 90.
bool SplitAnalysis::is_misplaced(const Variable& variable, const Path& path) const {
    Id type = variable.type;
    uint64_t offset = 0;
    for (const uint32_t index : path) {
        offset += types_.offset_in(type, index);
        type = types_.member_type(type, index);
    }
    constexpr uint64_t kMaxAligned = 8;  // memory is made of words of 8 bytes at most
    return offset % kMaxAligned != 0 && (variable.punned || layout_.has_packed(type));
}

void SplitAnalysis::keep_alignments(Variable& variable) const {
    for (Path path : std::set<Path>(variable.stops)) {
        while (!path.empty() && is_misplaced(variable, path)) path.pop_back();
        variable.stops.insert(std::move(path));
    }
}

}  // namespace caldera::vulkan
