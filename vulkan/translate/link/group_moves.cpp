// SPDX-License-Identifier: Apache-2.0
// Group functions that move values from one work-item of a group to others.
#include "vulkan/translate/link/group_functions.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// Converts to a wider or narrower type of the same kind. Between integers and floats, it converts the bits.
/// A Boolean is the number 0 or 1.
Id GroupFunctions::convert(Id value, Id type) {
    const Id from = builder_.type_of(value);
    if (from == type) return value;
    if (builder_.is_bool(from))
        return builder_.append(Op::OpSelect, type,
                               {value, builder_.constant_int(type, 1), builder_.constant_int(type, 0)});
    if (builder_.is_bool(type))
        return builder_.append(Op::OpINotEqual, type, {value, builder_.constant_int(from, 0)});
    if (builder_.width(from) == builder_.width(type)) return builder_.append(Op::OpBitcast, type, {value});
    return builder_.append(builder_.is_float(type) ? Op::OpFConvert : Op::OpUConvert, type, {value});
}

uint32_t GroupFunctions::width_of(Id type) const { return builder_.is_bool(type) ? 1 : builder_.width(type); }

/// The number of a lane, or a distance, which may have any width.
Id GroupFunctions::lane(const Instruction& inst, size_t operand) {
    return convert(inst.id(operand), builder_.type_int(32));
}

Id GroupFunctions::broadcast(const Instruction& inst) {
    const Id value = inst.id(1), ids = inst.id(2), u32 = builder_.type_int(32);
    if (!builder_.is_vector(builder_.type_of(ids))) {
        const Id lane = convert(ids, u32);
        if (is_work_group(inst.id(0))) return broadcast_in_work_group(value, lane);
        return move(Op::OpGroupNonUniformBroadcast, value, lane);
    }
    spirv::Operands coordinates;
    for (uint32_t d = 0; d < 3; ++d) {
        const bool given = d < builder_.count(builder_.type_of(ids));
        coordinates.push_back(
            given ? convert(builder_.append(Op::OpCompositeExtract, builder_.element(builder_.type_of(ids)),
                                            {ids, d}),
                            u32)
                  : number(0));
    }
    return broadcast_in_work_group(value, call("group_linear_id", u32, std::move(coordinates)));
}

Id GroupFunctions::broadcast_in_work_group(Id value, Id linear_id) {
    const Id type = builder_.type_of(value);
    if (builder_.is_vector(type))
        return by_component(value, [&](Id part) { return broadcast_in_work_group(part, linear_id); });
    const uint32_t width = width_of(type);
    if (width < 32) {
        const Id wide = builder_.is_float(type) ? builder_.type_float(32) : builder_.type_int(32);
        return convert(broadcast_in_work_group(convert(value, wide), linear_id), type);
    }
    const Id bits = builder_.type_int(width);
    return convert(
        call(mangle("by_local_memory_broadcast", 'u', width, "j"), bits, {convert(value, bits), linear_id}),
        type);
}

Id GroupFunctions::all_equal(Id value) {
    const Id type = builder_.type_of(value), truth = builder_.type_bool(), u32 = builder_.type_int(32);
    if (builder_.is_vector(type)) {
        Id all = builder_.constant_bool(true);
        for (uint32_t c = 0; c < builder_.count(type); ++c) {
            const Id part = builder_.append(Op::OpCompositeExtract, builder_.element(type), {value, c});
            all = builder_.append(Op::OpLogicalAnd, truth, {all, all_equal(part)});
        }
        return all;
    }
    if (builder_.is_bool(type)) return all_equal(convert(value, u32));
    if (size_ != 0) return all_equal_emulated(value);
    const uint32_t width = builder_.width(type);
    if (width < 32) return all_equal(convert(value, builder_.is_float(type) ? builder_.type_float(32) : u32));
    if (width == 64 && builder_.is_float(type) && profile_.emulated_float64) return all_equal_doubles(value);
    if (width == 32 || builder_.is_float(type))
        return builder_.append(Op::OpGroupNonUniformAllEqual, truth, {sub_group(), value});
    const Id words = builder_.append(Op::OpBitcast, builder_.type_vector(u32, 2), {value});
    const Id low = builder_.append(Op::OpCompositeExtract, u32, {words, 0u});
    const Id high = builder_.append(Op::OpCompositeExtract, u32, {words, 1u});
    return builder_.append(Op::OpLogicalAnd, truth, {all_equal(low), all_equal(high)});
}

/// By their bits: the sum makes zeros positive. NaN equals nothing.
Id GroupFunctions::all_equal_doubles(Id value) {
    const Id type = builder_.type_of(value), truth = builder_.type_bool();
    const Id sum = builder_.append(Op::OpFAdd, type, {value, builder_.constant_f64(0)});
    const Id is_number = builder_.append(Op::OpFOrdEqual, truth, {sum, sum});
    const Id bits = builder_.append(Op::OpBitcast, builder_.type_int(64), {sum});
    const Id are_numbers = builder_.append(Op::OpGroupNonUniformAll, truth, {sub_group(), is_number});
    return builder_.append(Op::OpLogicalAnd, truth, {all_equal(bits), are_numbers});
}

/// The value of the work-item that `op` and `lane` choose (no lane for OpGroupNonUniformBroadcastFirst).
Id GroupFunctions::move(Op op, Id value, Id lane) {
    const Id type = builder_.type_of(value), u32 = builder_.type_int(32);
    if (builder_.is_vector(type)) return by_component(value, [&](Id part) { return move(op, part, lane); });
    const uint32_t width = width_of(type);
    const bool as_it_is =
        size_ == 0 && profile_.subgroup_extended_types && (width == 16 ? profile_.float16 : profile_.int64);
    if (width < 32 && !(builder_.is_float(type) && as_it_is))
        return convert(
            move(op, convert(value, builder_.is_float(type) ? builder_.type_float(32) : u32), lane), type);
    const bool is_long = width == 64 && (builder_.is_int(type) || profile_.emulated_float64 || size_ != 0);
    if (is_long && !as_it_is) {
        const Id words = builder_.append(Op::OpBitcast, builder_.type_vector(u32, 2), {value});
        return builder_.append(Op::OpBitcast, type, {move(op, words, lane)});
    }
    if (size_ != 0) return move_emulated(op, value, lane);
    // Before SPIR-V 1.5, a broadcast needs a constant lane.
    if (op == Op::OpGroupNonUniformBroadcast && !builder_.constant_value(lane))
        op = Op::OpGroupNonUniformShuffle;
    spirv::Operands operands = {sub_group(), value};
    if (lane) operands.push_back(lane);
    return builder_.append(op, type, std::move(operands));
}

Id GroupFunctions::shuffle_relative(Op op, Id value, Id delta) {
    if (profile_.subgroup_shuffle_relative || size_ != 0) return move(op, value, delta);
    const Op step = op == Op::OpGroupNonUniformShuffleUp ? Op::OpISub : Op::OpIAdd;
    return move(Op::OpGroupNonUniformShuffle, value, integer(step, local_id(), delta));
}

/// Rotates within the cluster, whose size is a power of two, or within the whole sub-group
/// (SPV_KHR_subgroup_rotate).
Id GroupFunctions::rotate(Id value, Id delta, Id cluster) {
    const Id inside = integer(Op::OpISub, cluster ? cluster : max_size(), number(1));
    const Id outside = builder_.append(Op::OpNot, builder_.type_int(32), {inside});
    const Id lane =
        integer(Op::OpBitwiseOr, integer(Op::OpBitwiseAnd, integer(Op::OpIAdd, local_id(), delta), inside),
                integer(Op::OpBitwiseAnd, local_id(), outside));
    return move(Op::OpGroupNonUniformShuffle, value, lane);
}

/// Down takes the first value from `delta` lanes higher, and continues in the second value. Up takes the
/// second value from `delta` lanes lower, and continues at the end of the first (cl_intel_subgroups).
Id GroupFunctions::shuffle_two(const Instruction& inst) {
    const bool down = inst.op == Op::OpSubgroupShuffleDownINTEL;
    const Id near = down ? inst.id(0) : inst.id(1), far = down ? inst.id(1) : inst.id(0);
    const Id target = integer(down ? Op::OpIAdd : Op::OpISub, local_id(), lane(inst, 2));
    const Id lane = integer(Op::OpBitwiseAnd, target, integer(Op::OpISub, max_size(), number(1)));
    const Id is_near = builder_.append(Op::OpULessThan, builder_.type_bool(), {target, max_size()});
    const Id values[] = {move(Op::OpGroupNonUniformShuffle, near, lane),
                         move(Op::OpGroupNonUniformShuffle, far, lane)};
    const uint32_t count = builder_.count(inst.type);
    if (count == 1) return builder_.append(Op::OpSelect, inst.type, {is_near, values[0], values[1]});
    spirv::Operands truths;
    for (uint32_t c = 0; c < count; ++c) truths.push_back(is_near);
    const Id chosen = builder_.append(Op::OpCompositeConstruct,
                                      builder_.type_vector(builder_.type_bool(), count), std::move(truths));
    return builder_.append(Op::OpSelect, inst.type, {chosen, values[0], values[1]});
}

}  // namespace caldera::vulkan
