// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/rewrite.h"

#include <algorithm>
#include <bit>

#include "spirv/cooperative_matrix.h"
#include "spirv/debug_info.h"
#include "spirv/grammar.h"
#include "spirv/op_class.h"
#include "spirv/support/check.h"
#include "vulkan/translate/support/memory_access.h"
#include "vulkan/translate/support/memory_semantics.h"
#include "vulkan/translate/support/pointer_extent.h"

namespace caldera::vulkan::memory {

// ---- A function ----

Result<Done> FunctionRewriter::run(spirv::Function& function, uint32_t index) {
    function_ = index;
    rewrite_params(function);
    find_shown_addresses(function, index);
    std::vector<Instruction> prologue;
    emitter_.start_function(&prologue);
    for (spirv::Block& block : function.blocks) {
        std::vector<Instruction> body;
        body.reserve(block.body.size());
        emitter_.set_sink(&body);
        for (Instruction& inst : block.body) {
            builder_.set_line(inst.line);
            fix_semantics(builder_, inst);
            rewrite(inst);
        }
        builder_.set_line(block.terminator.line);
        rewrite_terminator(block.terminator);
        old_bodies_.push_back(std::move(block.body));
        block.body = std::move(body);
    }
    if (!error_.empty()) return Error{error_};
    if (function.blocks.empty()) return Done{};

    std::vector<Instruction> entry;
    emitter_.set_sink(&entry);
    for (const Region* region : emitter_.regions().of_function(index))
        if (region->variable)
            keep({.op = spv::Op::OpVariable,
                  .type = builder_.type_pointer(spv::StorageClass::Function, region->array_type),
                  .result = region->variable,
                  .operands = {spv::StorageClass::Function}});
    std::ranges::move(prologue, std::back_inserter(entry));
    function.insert_at_entry(std::move(entry));  // behind variables that stay, of opaque types
    emitter_.set_sink(nullptr);
    replaced_.apply(function);
    return Done{};
}

void FunctionRewriter::rewrite_params(spirv::Function& function) {
    std::vector<Instruction> params;
    std::vector<Id> types;
    for (const Instruction& param : function.params) {
        if (emitter_.regions().object(param.result)) continue;       // an argument in local memory
        if (emitter_.windows().is_argument(param.result)) continue;  // a buffer
        params.push_back(param);
        types.push_back(param.type);
    }
    // The source's definitions are in the old parameters.
    old_bodies_.push_back(std::move(function.params));
    function.params = std::move(params);
    function.def.operands[1] = builder_.type_function(function.def.type, types);
}

/// An instruction that stays; constants that are gone are put in its operands' places.
void FunctionRewriter::keep(Instruction inst) {
    for (Operand& operand : inst.operands)
        if (operand.is_id) operand = emitter_.value(operand.id());
    builder_.append(std::move(inst));
}

/// Variables of matrices have no alignment.
void FunctionRewriter::keep_access(Instruction inst, size_t mask_at) {
    if (source_.layout().has_matrix(source_.pointee(inst.id(0)))) inst.operands.resize(mask_at);
    keep(std::move(inst));
}

void FunctionRewriter::decline(const Instruction& inst, const std::string& why) {
    if (!error_.empty()) return;
    error_ = std::string(spirv::op_name(inst.op)) + ": " + why;
    const std::string place = spirv::place_text(builder_.module(), inst.line);
    if (!place.empty()) error_ = place + ": " + error_;
}

void FunctionRewriter::rewrite(const Instruction& inst) {
    switch (inst.op) {
        case spv::Op::OpVariable: return variable(inst);
        case spv::Op::OpLoad: return load(inst);
        case spv::Op::OpStore: return store(inst);
        case spv::Op::OpCopyMemory: return copy_memory(inst);
        case spv::Op::OpCopyMemorySized: return copy_memory_sized(inst);
        case spv::Op::OpAccessChain:
        case spv::Op::OpInBoundsAccessChain:
        case spv::Op::OpPtrAccessChain:
        case spv::Op::OpInBoundsPtrAccessChain: return access_chain(inst);
        case spv::Op::OpBitcast: return bitcast(inst);
        case spv::Op::OpConvertPtrToU: return pointer_to_integer(inst);
        case spv::Op::OpConvertUToPtr: return integer_to_pointer(inst);
        case spv::Op::OpPtrCastToGeneric:
        case spv::Op::OpGenericCastToPtr:
        case spv::Op::OpGenericCastToPtrExplicit: return cast_space(inst);
        case spv::Op::OpGenericPtrMemSemantics: return memory_semantics(inst);
        case kPointerExtent:
            if (!builder_.is_vector(inst.type)) break;  // SPIR-V's own
            return replace(inst.result, pointer_extent(inst.id(0)));
        case spv::Op::OpPtrEqual:
        case spv::Op::OpPtrNotEqual: return compare(inst);
        case spv::Op::OpPtrDiff: return difference(inst);
        case spv::Op::OpPhi:
        case spv::Op::OpSelect: return merge_values(inst);
        case spv::Op::OpFunctionCall: return call(inst);
        case spv::Op::OpCompositeExtract: return extract(inst);
        case spv::Op::OpCompositeConstruct:
        case spv::Op::OpCompositeInsert: return construct(inst);
        case spv::Op::OpCopyObject:
            if (is_pointer(inst.result)) return replace(inst.result, same_pointer(inst));
            return keep(inst);
        case spv::Op::OpUndef:
        case spv::Op::OpConstantNull: return keep(inst);
        case spv::Op::OpLifetimeStart:
        case spv::Op::OpLifetimeStop: return;
        case spv::Op::OpExtInst:
            if (!extended(inst)) keep(inst);
            return;
        default: break;
    }
    if (inst.op == spirv::kDebugDeclare) return declare(inst);
    if (inst.op == spirv::kMatrixLoad || inst.op == spirv::kMatrixStore) return matrix_access(inst);
    if (!source_.accesses(inst).empty()) return atomic(inst);
    for (const Operand& operand : inst.operands)
        if (operand.is_id && source_.type_of(operand.id()) && source_.carries_pointer(operand.id()))
            return decline(inst, "pointer operands are not supported here");
    keep(inst);
}

void FunctionRewriter::rewrite_terminator(Instruction& inst) {
    for (Operand& operand : inst.operands)
        if (operand.is_id)
            operand = is_pointer(operand.id()) ? emitter_.pointer_value(operand.id())
                                               : emitter_.value(operand.id());
}

// ---- Memory ----

uint32_t FunctionRewriter::access_mask(const MemoryOperands& operands, Id pointer) const {
    const auto kept =
        static_cast<uint32_t>(spv::MemoryAccessMask::Volatile | spv::MemoryAccessMask::Nontemporal);
    const bool is_volatile = source_.is_volatile(pointer);
    return (operands.mask & kept) |
           (is_volatile ? static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) : 0);
}

void FunctionRewriter::variable(const Instruction& inst) {
    if (!is_pointer(inst.result)) return keep(inst);
    if (inst.operands.size() < 2) return;
    const Id type = source_.pointee(inst.result), value = inst.id(1);
    Place place = emitter_.place(inst.result, source_.layout()[type].align_bytes, 0);
    emitter_.store(place, type, emitter_.memory_value(value));
}

/// A variable of the source that shares its memory with others has no place that the instruction could name.
void FunctionRewriter::declare(const Instruction& inst) {
    Instruction copy = inst;
    if (is_pointer(inst.id(1)) && source_.def(inst.id(1))) {
        const Id variable = emitter_.regions().own_variable(inst.id(1));
        if (!variable) return;
        copy.operands[1] = spirv::Operand::weak(variable);
    }
    builder_.append(std::move(copy));
}

void FunctionRewriter::load(const Instruction& inst) {
    const Accesses accesses = source_.accesses(inst);
    if (accesses.empty()) return keep_access(inst, 1);
    const Id type = accesses[0].type;
    Place place = emitter_.place(inst.id(0), accesses[0].align_bytes,
                                 access_mask(memory_operands(inst, 1), inst.id(0)));
    const Id value = emitter_.load(place, type);
    replace(inst.result, is_pointer(inst.result)
                             ? emitter_.from_memory(value, emitter_.points_to().space_of(inst.result))
                             : value);
}

void FunctionRewriter::store(const Instruction& inst) {
    const Accesses accesses = source_.accesses(inst);
    if (accesses.empty()) return keep_access(inst, 2);
    Place place = emitter_.place(inst.id(0), accesses[0].align_bytes,
                                 access_mask(memory_operands(inst, 2), inst.id(0)));
    emitter_.store(place, accesses[0].type, emitter_.memory_value(inst.id(1)));
}

/// The target and the source of a copy.
std::pair<Place, Place> FunctionRewriter::copied_places(const Instruction& copy, const Accesses& accesses) {
    const CopyOperands operands = copy_operands(copy);
    const auto place = [&](size_t i, const AccessOperands& own) {
        const uint32_t mask = access_mask(memory_operands(copy, own.first), copy.id(i));
        return emitter_.place(copy.id(i), accesses[i].align_bytes, mask);
    };
    Place to = place(0, operands.to);
    return {std::move(to), place(1, operands.from)};
}

void FunctionRewriter::copy_memory(const Instruction& inst) {
    const Accesses accesses = source_.accesses(inst);
    if (accesses.size() < 2) return decline(inst, "only memory can be copied");
    auto [to, from] = copied_places(inst, accesses);
    if (accesses[0].type)
        emitter_.store(to, accesses[0].type, emitter_.load(from, accesses[1].type));
    else
        emitter_.copy(to, from, accesses[0].raw_bytes, is_behind(inst.id(0), inst.id(1)));
}

/// Whether `pointer` is behind `other` in memory, for a copy from `other`; none where they cannot overlap.
/// Nothing writes constant memory. Pointers of different classes lead to different objects.
Id FunctionRewriter::is_behind(Id pointer, Id other) {
    const PointsTo& points_to = emitter_.points_to();
    const Space space = points_to.space_of(pointer), other_space = points_to.space_of(other);
    const auto may_be_global = [](Space s) { return s == Space::Global || s == Space::Generic; };
    const bool both_global = may_be_global(space) && may_be_global(other_space);
    if (source_.storage(other) == spv::StorageClass::UniformConstant) return {};
    if (!both_global && points_to.class_of(pointer) != points_to.class_of(other)) return {};
    const auto [a, b] = both_global || space == other_space
                            ? comparable_values(pointer, other, space)
                            : std::pair(emitter_.memory_value(pointer), emitter_.memory_value(other));
    return emitter_.op(spv::Op::OpUGreaterThan, builder_.type_bool(), {a, b});
}

/// The source promises that its places do not overlap, or are the same, as C's memcpy and assignment do. But
/// LLVM's back end makes such a copy also of memmove(). It makes loops of copies whose size is not constant.
void FunctionRewriter::copy_memory_sized(const Instruction& inst) {
    const Accesses accesses = source_.accesses(inst);
    if (accesses.size() < 2) return decline(inst, "only memory can be copied");
    auto [to, from] = copied_places(inst, accesses);
    if (!source_.constant(inst.id(2))) return emitter_.copy(to, from, emitter_.value(inst.id(2)));
    const Id backwards = builder_.module().is_from_llvm() ? is_behind(inst.id(0), inst.id(1)) : Id{};
    emitter_.copy(to, from, accesses[0].raw_bytes, backwards);
}

// ---- Pointer arithmetic ----

void FunctionRewriter::access_chain(const Instruction& inst) {
    if (!is_pointer(inst.result)) return keep(inst);  // a built-in variable's component
    const Id folded = emitter_.pointer_value(inst.result);
    if (folded != inst.result) return replace(inst.result, folded);  // a constant offset in a region
    const Address step = chain_step(inst, source_);
    const Space space = emitter_.points_to().space_of(inst.result);
    replace(inst.result, emitter_.address_value(step, emitter_.pointer_value(step.root, space), space));
}

/// NULL has no space of its own: it is in that of the pointer which is made of it.
Id FunctionRewriter::same_pointer(const Instruction& inst) {
    return emitter_.pointer_value(inst.id(0), emitter_.points_to().space_of(inst.result));
}

void FunctionRewriter::bitcast(const Instruction& inst) {
    const bool from = is_pointer(inst.id(0)), to = is_pointer(inst.result);
    if (from && to) return replace(inst.result, same_pointer(inst));
    if (from) return pointer_to_integer(inst);
    if (to) return integer_to_pointer(inst);
    keep(inst);
}

/// Whether two pointers may point into one buffer by different windows.
bool FunctionRewriter::may_share_buffer(Id a, Id b) const {
    const Windows& windows = emitter_.windows();
    if (!argument_table_ || !windows.enabled() || source_.is_null(a) || source_.is_null(b)) return false;
    const uint32_t of_a = windows.of(a), of_b = windows.of(b);
    return of_a == kNoWindow || of_b == kNoWindow || of_a != of_b;
}

/// Fills `shown_`. An integer is not shown that is only compared with, or subtracted from, the integer of a
/// pointer into the same window, or compared with NULL.
void FunctionRewriter::find_shown_addresses(const spirv::Function& function, uint32_t index) {
    shown_.clear();
    constexpr size_t kDataAndOne = 2;
    if (!argument_table_ || !emitter_.windows().enabled() ||
        emitter_.windows().of_function(index).size() <= kDataAndOne)
        return;
    spirv::IdMap<Id> pointers;  // by their integers
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            const bool converts = inst.op == spv::Op::OpConvertPtrToU || inst.op == spv::Op::OpBitcast;
            if (!converts || !is_pointer(inst.id(0)) || is_pointer(inst.result)) continue;
            if (emitter_.windows().is_image(inst.id(0))) continue;
            const Space space = emitter_.points_to().space_of(inst.id(0));
            if (space == Space::Global || space == Space::Generic) pointers[inst.result] = inst.id(0);
        }
    if (pointers.empty()) return;
    auto is_zero = [&](Id id) { return source_.constant(id) == 0 || source_.is_null(id); };
    auto visit = [&](const Instruction& inst) {
        const bool relates = inst.op == spv::Op::OpISub || spirv::is_integer_comparison(inst.op);
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id || !pointers.contains(inst.id(i))) continue;
            if (relates) {
                const Id other = inst.id(1 - i);
                if (inst.op != spv::Op::OpISub && is_zero(other)) continue;
                const auto found = pointers.find(other);
                if (found != pointers.end() && !may_share_buffer(pointers[inst.id(i)], found->second))
                    continue;
            }
            shown_.insert(inst.id(i));
        }
    };
    for (const spirv::Block& block : function.blocks) {
        for (const Instruction& inst : block.body) visit(inst);
        visit(block.terminator);
    }
}

void FunctionRewriter::pointer_to_integer(const Instruction& inst) {
    Id value = emitter_.memory_value(inst.id(0));
    if (shown_.contains(inst.result)) value = helpers_.address(value);
    if (builder_.is_vector(inst.type)) {  // OpBitcast to uint2
        value = emitter_.bitcast(inst.type, value);
    } else if (const uint32_t width = builder_.width(inst.type); width != 64) {
        value = emitter_.op(spv::Op::OpUConvert, inst.type, {value});
    }
    replace(inst.result, value);
}

void FunctionRewriter::integer_to_pointer(const Instruction& inst) {
    const Space space = emitter_.points_to().space_of(inst.result);
    replace(inst.result, emitter_.pointer_of_integer(inst.id(0), space));
}

Id FunctionRewriter::as_space(Id pointer, Space from, Space to, uint32_t pointer_class) {
    if (from == to) return pointer;
    if (to == Space::Generic) return emitter_.to_memory(pointer, from, pointer_class);
    if (from == Space::Generic) return emitter_.from_memory(pointer, to);
    return builder_.constant_int(emitter_.pointer_type(to), 0);  // spaces that never meet
}

/// A tagged generic pointer's space: 1 local, 2 private, 0 and 3 global.
Id FunctionRewriter::tag_of(Id pointer) {
    return emitter_.op(spv::Op::OpShiftRightLogical, builder_.type_int(64),
                       {pointer, builder_.constant_u32(62)});
}
Id FunctionRewriter::is_tag(Id tag, uint64_t wanted) {
    return emitter_.op(spv::Op::OpIEqual, builder_.type_bool(), {tag, builder_.constant_u64(wanted)});
}

void FunctionRewriter::cast_space(const Instruction& inst) {
    const PointsTo& points_to = emitter_.points_to();
    const Id source = inst.id(0);
    const Space from = points_to.space_of(source), to = points_to.space_of(inst.result);
    const uint32_t pointer_class = points_to.class_of(source);
    if (source_.is_null(source)) return replace(inst.result, emitter_.pointer_value(source, to));
    const Id pointer = emitter_.pointer_value(source);
    const Id value = as_space(pointer, from, to, pointer_class);
    if (inst.op != spv::Op::OpGenericCastToPtrExplicit || from != Space::Generic)
        return replace(inst.result, value);
    // to_global(), to_local(), to_private(): NULL when the pointer is of another space (OpenCL C 2.0 6.13.9).
    const Id tag = tag_of(pointer);
    const Id matches = to == Space::Local     ? is_tag(tag, 1)
                       : to == Space::Private ? is_tag(tag, 2)
                                              : emitter_.op(spv::Op::OpLogicalOr, builder_.type_bool(),
                                                            {is_tag(tag, 0), is_tag(tag, 3)});
    const Id type = emitter_.pointer_type(to);
    replace(inst.result,
            emitter_.op(spv::Op::OpSelect, type, {matches, value, builder_.constant_int(type, 0)}));
}

/// get_fence(): the memory that a barrier must order for the pointer's sake.
void FunctionRewriter::memory_semantics(const Instruction& inst) {
    auto bits = [&](spv::MemorySemanticsMask mask) {
        return builder_.constant_int(inst.type, static_cast<uint32_t>(mask));
    };
    const Id global = bits(spv::MemorySemanticsMask::CrossWorkgroupMemory),
             local = bits(spv::MemorySemanticsMask::WorkgroupMemory),
             none = bits(spv::MemorySemanticsMask::MaskNone);
    switch (emitter_.points_to().space_of(inst.id(0))) {
        case Space::Global: return replace(inst.result, global);
        case Space::Local: return replace(inst.result, local);
        case Space::Private: return replace(inst.result, none);
        case Space::Generic: break;
    }
    const Id tag = tag_of(emitter_.pointer_value(inst.id(0)));
    const Id not_local = emitter_.op(spv::Op::OpSelect, inst.type, {is_tag(tag, 2), none, global});
    replace(inst.result, emitter_.op(spv::Op::OpSelect, inst.type, {is_tag(tag, 1), local, not_local}));
}

/// The integers of two pointers that are compared or subtracted.
std::pair<Id, Id> FunctionRewriter::comparable_values(Id a, Id b, Space space) {
    const Id value = emitter_.pointer_value(a, space), other = emitter_.pointer_value(b, space);
    const bool is_wide = space == Space::Global || space == Space::Generic;
    if (!is_wide || !may_share_buffer(a, b)) return {value, other};
    return {helpers_.address(value), helpers_.address(other)};
}

void FunctionRewriter::compare(const Instruction& inst) {
    const Id typed = source_.is_null(inst.id(0)) ? inst.id(1) : inst.id(0);
    const Space space = emitter_.points_to().space_of(typed);
    const spv::Op op = inst.op == spv::Op::OpPtrEqual ? spv::Op::OpIEqual : spv::Op::OpINotEqual;
    const auto [a, b] = comparable_values(inst.id(0), inst.id(1), space);
    replace(inst.result, emitter_.op(op, inst.type, {a, b}));
}

void FunctionRewriter::difference(const Instruction& inst) {
    const Space space = emitter_.points_to().space_of(inst.id(0));
    const Id type = emitter_.pointer_type(space);
    const auto [a, b] = comparable_values(inst.id(0), inst.id(1), space);
    Id bytes = emitter_.op(spv::Op::OpISub, type, {a, b});
    if (type != inst.type) bytes = emitter_.op(spv::Op::OpSConvert, inst.type, {bytes});
    const uint64_t size = std::max<uint64_t>(source_.layout()[source_.pointee(inst.id(0))].size_bytes, 1);
    if (size == 1) return replace(inst.result, bytes);
    // The difference is a multiple of the size (C99 6.5.6p9).
    if (std::has_single_bit(size)) {
        const Id shift = builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(size)));
        return replace(inst.result, emitter_.op(spv::Op::OpShiftRightArithmetic, inst.type, {bytes, shift}));
    }
    replace(inst.result,
            emitter_.op(spv::Op::OpSDiv, inst.type, {bytes, builder_.constant_int(inst.type, size)}));
}

// ---- Values that are or hold pointers ----

void FunctionRewriter::merge_values(const Instruction& inst) {
    Instruction copy = inst;
    if (source_.carries_pointer(inst.result)) {
        const Space space = emitter_.points_to().space_of(inst.result);
        const bool phi = inst.op == spv::Op::OpPhi;
        for (size_t i = phi ? 0 : 1; i < inst.operands.size(); i += phi ? 2 : 1)
            copy.operands[i] = is_pointer(inst.result) ? emitter_.pointer_value(inst.id(i), space)
                                                       : emitter_.value(inst.id(i));
    }
    keep(std::move(copy));
}

void FunctionRewriter::call(const Instruction& inst) {
    Instruction copy = inst;
    for (size_t i = 1; i < inst.operands.size(); ++i) {
        if (!source_.carries_pointer(inst.id(i))) continue;
        if (!is_pointer(inst.id(i)))
            copy.operands[i] = emitter_.value(inst.id(i));
        else
            copy.operands[i] = emitter_.pointer_value(
                inst.id(i), emitter_.points_to().space_of(source_.param(inst.id(0), i - 1)));
    }
    keep(std::move(copy));
}

void FunctionRewriter::extract(const Instruction& inst) {
    Instruction copy = inst;
    copy.operands[0] = emitter_.value(inst.id(0));
    const Space space = emitter_.points_to().space_of(inst.result);
    if (!is_pointer(inst.result) || space == Space::Global || space == Space::Generic)
        return keep(std::move(copy));
    const Id bits = emitter_.op(inst.op, builder_.type_int(64), copy.operands);
    replace(inst.result, emitter_.from_memory(bits, space));
}

void FunctionRewriter::construct(const Instruction& inst) {
    Instruction copy = inst;
    if (source_.carries_pointer(inst.result))
        for (Operand& operand : copy.operands)
            if (operand.is_id) operand = emitter_.memory_value(operand.id());
    keep(std::move(copy));
}

}  // namespace caldera::vulkan::memory
