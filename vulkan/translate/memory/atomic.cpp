// SPDX-License-Identifier: Apache-2.0
// Atomic operations, through the same pointers made at the access. lower_memory_model lowers their scopes and
// semantics.
#include "spirv/grammar.h"
#include "vulkan/translate/memory/rewrite.h"

namespace caldera::vulkan::memory {

/// A pointer to the integer at the place: the unit of a region, an element of a block, or a physical pointer.
Id Emitter::atomic_pointer(Place& place, uint32_t bits) {
    if (place.space == Space::Global) return global_pointer(place, type_uint(bits), 0);
    const Region& region = *place.region;
    if (region.block) return global_pointer(place, type_uint(bits), 0);
    if (region.scalar_bytes * 8 != bits || region.components != 1) return {};
    return unit_slot(place, 0);
}

Emitter::Word Emitter::atomic_word(Place& place) {
    const bool is_array = place.region && !place.region->block;
    return is_array ? word_at(place, 0) : global_word(place, 0);
}

void FunctionRewriter::atomic(const Instruction& inst) {
    const AccessInfo access = source_.accesses(inst)[0];
    Place place = emitter_.place(inst.id(0), access.align_bytes, access_mask({}, inst.id(0)));
    const auto bits = static_cast<uint32_t>(source_.layout()[access.type].size_bytes * 8);
    const Id integer = builder_.type_int(bits);
    const bool local = place.space == Space::Local;
    if (bits == 64 && !(local ? profile_.shared_int64_atomics : profile_.buffer_int64_atomics) &&
        place.space != Space::Private)
        return decline(inst, local ? "the device has no 64-bit atomics in local memory"
                                   : "the device has no 64-bit atomics in global memory");
    if (emitter_.is_unresolved(place)) return generic_atomic(inst, place, access.type);
    const bool points_nowhere = place.space != Space::Global && !place.region;
    if (points_nowhere) {
        if (inst.result) replace(inst.result, builder_.undef(inst.type));
        return;
    }
    if (place.space == Space::Private) return private_atomic(inst, place, access.type);

    Instruction copy = inst;
    for (Operand& operand : copy.operands)
        if (operand.is_id) operand = emitter_.memory_value(operand.id());
    if (const Id value = shared_atomic(copy, place, integer)) replace(inst.result, from_atomic(inst, value));
}

/// The first operand that is a value, behind the pointer, the scope and the semantics.
static size_t first_value(const Instruction& inst) {
    const bool compares =
        inst.op == spv::Op::OpAtomicCompareExchange || inst.op == spv::Op::OpAtomicCompareExchangeWeak;
    return compares ? 4 : 3;
}

/// The instruction's result, computed from the integer that was in memory.
Id FunctionRewriter::from_atomic(const Instruction& inst, Id bits) {
    if (inst.op == spv::Op::OpAtomicFlagTestAndSet) {
        const Id zero = builder_.constant_int(builder_.type_of(bits), 0);
        return emitter_.op(spv::Op::OpINotEqual, inst.type, {bits, zero});
    }
    if (is_pointer(inst.result))
        return emitter_.from_memory(bits, emitter_.points_to().space_of(inst.result));
    return emitter_.bitcast(inst.type, bits);
}

/// Handles global or local memory. The values of `inst`, but not its pointer, have the form that memory has.
/// Returns the old integer.
Id FunctionRewriter::shared_atomic(const Instruction& inst, Place& place, Id integer) {
    if (builder_.width(integer) < 32) return narrow_atomic(inst, place, integer);
    const Id scope = inst.id(1), semantics = inst.id(2);
    auto value = [&](size_t index) { return Operand(emitter_.bitcast(integer, inst.id(index))); };
    switch (inst.op) {
        case spv::Op::OpAtomicFAddEXT:
        case spv::Op::OpAtomicFMinEXT:
        case spv::Op::OpAtomicFMaxEXT: return float_atomic(inst, place, integer);
        default: break;
    }
    const Id pointer = emitter_.atomic_pointer(place, builder_.width(integer));
    if (!pointer) {
        decline(inst, "atomic operations of different widths on the same local memory are not supported");
        return {};
    }
    switch (inst.op) {
        case spv::Op::OpAtomicStore:
            builder_.append_void(inst.op, {pointer, scope, semantics, value(3)});
            return {};
        case spv::Op::OpAtomicFlagClear:
            builder_.append_void(spv::Op::OpAtomicStore,
                                 {pointer, scope, semantics, builder_.constant_int(integer, 0)});
            return {};
        case spv::Op::OpAtomicFlagTestAndSet:
            return emitter_.op(spv::Op::OpAtomicExchange, integer,
                               {pointer, scope, semantics, builder_.constant_int(integer, 1)});
        case spv::Op::OpAtomicLoad:
        case spv::Op::OpAtomicIIncrement:
        case spv::Op::OpAtomicIDecrement: return emitter_.op(inst.op, integer, {pointer, scope, semantics});
        case spv::Op::OpAtomicCompareExchange:
        case spv::Op::OpAtomicCompareExchangeWeak:
            return emitter_.op(spv::Op::OpAtomicCompareExchange, integer,
                               {pointer, scope, semantics, inst.operands[3], value(4), value(5)});
        default: return emitter_.op(inst.op, integer, {pointer, scope, semantics, value(3)});
    }
}

/// changed_value(), for functions that are made later.
Helpers::Change FunctionRewriter::change() {
    return [this](const Instruction& inst, Id old, Id type) { return changed_value(inst, old, type); };
}

/// Vulkan has no atomic operations on less than 32 bits, but other work-items may change the rest of a word.
Id FunctionRewriter::narrow_atomic(const Instruction& inst, Place& place, Id integer) {
    const bool is_float = inst.op == spv::Op::OpAtomicFAddEXT || inst.op == spv::Op::OpAtomicFMinEXT ||
                          inst.op == spv::Op::OpAtomicFMaxEXT;
    const Id type = is_float ? builder_.type_float(builder_.width(integer)) : integer;
    std::vector<Id> values;
    for (size_t i = first_value(inst); i < inst.operands.size(); ++i)
        values.push_back(emitter_.bitcast(type, inst.id(i)));
    const Id old = helpers_.narrow_atomic(place, inst, values, type, change());
    return inst.result ? old : Id{};
}

Id FunctionRewriter::float_atomic(const Instruction& inst, Place& place, Id integer) {
    const uint32_t bits = builder_.width(integer);
    const Id type = builder_.type_float(bits), data = inst.id(3);
    const bool native = inst.op == spv::Op::OpAtomicFAddEXT && bits == 32 && place.space == Space::Global &&
                        profile_.buffer_float32_atomic_add;
    if (native) {
        const Id old =
            emitter_.op(inst.op, type, {emitter_.float_pointer(place, type), inst.id(1), inst.id(2), data});
        return emitter_.bitcast(integer, old);
    }
    if (!emitter_.atomic_pointer(place, bits)) {
        decline(inst, "atomic operations of different widths on the same local memory are not supported");
        return {};
    }
    return helpers_.float_atomic(place, inst, change());
}

// ---- Private memory: nobody else sees it ----

Id FunctionRewriter::changed_value(const Instruction& inst, Id old, Id type) {
    auto binary = [&](spv::Op op) { return emitter_.op(op, type, {old, inst.id(3)}); };
    auto choose = [&](spv::Op test) {
        const Id better = emitter_.op(test, builder_.type_bool(), {inst.id(3), old});
        return emitter_.op(spv::Op::OpSelect, type, {better, inst.id(3), old});
    };
    // A number takes the place of a NaN (cl_ext_float_atomics).
    auto choose_number = [&](spv::Op test) {
        const Id boolean = builder_.type_bool();
        const Id is_better = emitter_.op(test, boolean, {inst.id(3), old});
        const Id is_nan = emitter_.op(spv::Op::OpFUnordNotEqual, boolean, {old, old});
        const Id takes_place = emitter_.op(spv::Op::OpLogicalOr, boolean, {is_better, is_nan});
        return emitter_.op(spv::Op::OpSelect, type, {takes_place, inst.id(3), old});
    };
    auto one = [&] { return builder_.constant_int(type, 1); };
    switch (inst.op) {
        case spv::Op::OpAtomicIAdd: return binary(spv::Op::OpIAdd);
        case spv::Op::OpAtomicISub: return binary(spv::Op::OpISub);
        case spv::Op::OpAtomicAnd: return binary(spv::Op::OpBitwiseAnd);
        case spv::Op::OpAtomicOr: return binary(spv::Op::OpBitwiseOr);
        case spv::Op::OpAtomicXor: return binary(spv::Op::OpBitwiseXor);
        case spv::Op::OpAtomicFAddEXT: return binary(spv::Op::OpFAdd);
        case spv::Op::OpAtomicSMin: return choose(spv::Op::OpSLessThan);
        case spv::Op::OpAtomicUMin: return choose(spv::Op::OpULessThan);
        case spv::Op::OpAtomicSMax: return choose(spv::Op::OpSGreaterThan);
        case spv::Op::OpAtomicUMax: return choose(spv::Op::OpUGreaterThan);
        case spv::Op::OpAtomicFMinEXT: return choose_number(spv::Op::OpFOrdLessThan);
        case spv::Op::OpAtomicFMaxEXT: return choose_number(spv::Op::OpFOrdGreaterThan);
        case spv::Op::OpAtomicIIncrement: return emitter_.op(spv::Op::OpIAdd, type, {old, one()});
        case spv::Op::OpAtomicIDecrement: return emitter_.op(spv::Op::OpISub, type, {old, one()});
        case spv::Op::OpAtomicExchange:
        case spv::Op::OpAtomicStore: return inst.id(3);
        case spv::Op::OpAtomicFlagTestAndSet: return one();
        case spv::Op::OpAtomicFlagClear: return builder_.constant_int(type, 0);
        case spv::Op::OpAtomicCompareExchange:
        case spv::Op::OpAtomicCompareExchangeWeak: {
            const Id equal = emitter_.op(spv::Op::OpIEqual, builder_.type_bool(), {old, inst.id(5)});
            return emitter_.op(spv::Op::OpSelect, type, {equal, inst.id(4), old});
        }
        default: return {};
    }
}

void FunctionRewriter::private_atomic(const Instruction& inst, Place& place, Id type) {
    Instruction copy = inst;
    for (Operand& operand : copy.operands)
        if (operand.is_id) operand = emitter_.memory_value(operand.id());
    const Id value_type = emitter_.value_type(type);
    const Id old = emitter_.load(place, type);
    if (const Id value = changed_value(copy, old, value_type)) emitter_.store(place, type, value);
    if (inst.result) replace(inst.result, from_atomic(inst, old));
}

void FunctionRewriter::generic_atomic(const Instruction& inst, Place& place, Id type) {
    Instruction copy = inst;
    for (Operand& operand : copy.operands)
        if (operand.is_id) operand = emitter_.memory_value(operand.id());
    std::vector<Id> values;
    for (size_t i = first_value(copy); i < copy.operands.size(); ++i) values.push_back(copy.id(i));
    const Id result = helpers_.atomic(place, copy, values, emitter_.value_type(type),
                                      [this](const Instruction& each, Place& p, Id value_type) {
                                          return generic_case(each, p, value_type);
                                      });
    if (inst.result) replace(inst.result, from_atomic(inst, result));
}

/// Handles one space of a generic atomic operation, in the helper. Returns the old integer.
Id FunctionRewriter::generic_case(const Instruction& inst, Place& place, Id value_type) {
    const Id integer = builder_.type_int(builder_.width(value_type));
    if (place.space != Space::Private) {
        const Id old = shared_atomic(inst, place, integer);
        return old ? old : builder_.constant_int(integer, 0);
    }
    const Id old = emitter_.load(place, value_type);
    if (const Id value = changed_value(inst, old, value_type)) emitter_.store(place, value_type, value);
    return emitter_.bitcast(integer, old);
}

}  // namespace caldera::vulkan::memory
