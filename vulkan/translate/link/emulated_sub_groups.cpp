// SPDX-License-Identifier: Apache-2.0
// Sub-groups of a size that the device does not have: consecutive work-items, in the order of the linear id.
// They exchange values through local memory between barriers of the work-group, so all its work-items have to
// reach an operation (check_supported). The non-uniform operations are those of whole sub-groups then.
#include <bit>

#include "spirv/op_class.h"
#include "vulkan/translate/link/group_functions.h"
#include "vulkan/translate/support/built_in.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::BuiltIn;
using spv::Op;

void GroupFunctions::widen_scopes(Instruction& inst) {
    if (size_ == 0) return;
    const auto widen = [&](size_t operand) {
        if (!is_work_group(inst.id(operand)))
            inst.operands[operand] = number(static_cast<uint32_t>(spv::Scope::Workgroup));
    };
    if (inst.op == Op::OpControlBarrier || inst.op == Op::OpMemoryBarrier) widen(0);
    if (inst.op == Op::OpControlBarrier || spirv::is_atomic(inst.op)) widen(1);
}

std::optional<Id> GroupFunctions::emit_emulated(const Instruction& inst) {
    const Id truth = builder_.type_bool();
    switch (inst.op) {
        case Op::OpLoad: return load_emulated(inst);
        case Op::OpGroupNonUniformAll:
        case Op::OpGroupNonUniformAny:
            return combine({.row = *find_row(inst.op == Op::OpGroupNonUniformAll ? Op::OpGroupLogicalAndKHR
                                                                                 : Op::OpGroupLogicalOrKHR),
                            .operation = spv::GroupOperation::Reduce},
                           inst.id(1));
        case Op::OpGroupNonUniformElect: return builder_.append(Op::OpIEqual, truth, {local_id(), number(0)});
        case Op::OpGroupNonUniformBallot: return ballot_emulated(inst.id(1));
        case Op::OpGroupNonUniformInverseBallot: return bit_of(inst.id(1), local_id());
        case Op::OpGroupNonUniformBallotBitExtract: return bit_of(inst.id(1), inst.id(2));
        case Op::OpGroupNonUniformBallotBitCount: return count_emulated(inst);
        case Op::OpGroupNonUniformBallotFindLSB:
        case Op::OpGroupNonUniformBallotFindMSB: {
            spirv::Operands words;
            for (const uint32_t word : {0u, 1u})
                words.push_back(
                    builder_.append(Op::OpCompositeExtract, builder_.type_int(32), {inst.id(1), word}));
            const bool lowest = inst.op == Op::OpGroupNonUniformBallotFindLSB;
            return in_emulated(lowest ? "lowest_bit" : "highest_bit", std::move(words));
        }
        default: return std::nullopt;
    }
}

std::optional<Id> GroupFunctions::load_emulated(const Instruction& load) {
    if (!built_ins_) built_ins_ = built_ins_of(builder_.module());
    const auto built_in = built_ins_->find(load.id(0));
    if (built_in == built_ins_->end()) return std::nullopt;
    const Id after = integer(Op::OpIAdd, local_id(), number(1)), u32 = builder_.type_int(32);
    const auto flip = [&](Id bits, Id among) {
        return builder_.append(Op::OpBitwiseXor, builder_.type_of(bits), {bits, among});
    };
    const auto size_shift = static_cast<uint32_t>(std::countr_zero(size_));
    switch (built_in->second) {
        case BuiltIn::SubgroupMaxSize: return convert(max_size(), load.type);
        case BuiltIn::SubgroupSize: return convert(in_emulated("size", {max_size()}), load.type);
        case BuiltIn::NumSubgroups: return convert(in_emulated("count", {max_size()}), load.type);
        case BuiltIn::NumEnqueuedSubgroups:
            return convert(in_emulated("enqueued_count", {max_size()}), load.type);
        case BuiltIn::SubgroupId:
            return convert(builder_.append(Op::OpShiftRightLogical, u32, {linear_id(), number(size_shift)}),
                           load.type);
        case BuiltIn::SubgroupLocalInvocationId: return convert(local_id(), load.type);
        case BuiltIn::SubgroupLtMask: return bits_below(local_id());
        case BuiltIn::SubgroupLeMask: return bits_below(after);
        case BuiltIn::SubgroupEqMask: return flip(bits_below(after), bits_below(local_id()));
        case BuiltIn::SubgroupGeMask: return flip(bits_below(local_id()), bits_below(max_size()));
        case BuiltIn::SubgroupGtMask: return flip(bits_below(after), bits_below(max_size()));
        default: return std::nullopt;
    }
}

/// The linear id of the sub-group's first work-item.
Id GroupFunctions::first_linear_id() { return integer(Op::OpBitwiseAnd, linear_id(), number(~(size_ - 1))); }

Id GroupFunctions::combine_emulated(const Request& request, Id value) {
    const Id type = builder_.type_of(value);
    Id first = first_linear_id(), end = integer(Op::OpIAdd, first, number(size_));
    switch (request.operation) {
        case spv::GroupOperation::InclusiveScan: end = integer(Op::OpIAdd, linear_id(), number(1)); break;
        case spv::GroupOperation::ExclusiveScan: end = linear_id(); break;
        case spv::GroupOperation::ClusteredReduce: {
            const Id inside = integer(Op::OpISub, request.cluster, number(1));
            const Id mask = builder_.append(Op::OpNot, builder_.type_int(32), {inside});
            first = integer(Op::OpBitwiseAnd, linear_id(), mask);
            end = integer(Op::OpIAdd, first, request.cluster);
            break;
        }
        default: break;
    }
    const std::string name = "emulated_sub_group_" + std::string(request.row.name);
    return call(mangle(name, request.row.kind, builder_.width(type), "jj"), type, {value, first, end});
}

/// Takes 32 bits. Ids beyond the sub-group, for which the result is undefined, wrap around in it.
Id GroupFunctions::move_emulated(Op op, Id value, Id lane) {
    const Id u32 = builder_.type_int(32);
    Id from = lane ? convert(lane, u32) : number(0);
    if (op == Op::OpGroupNonUniformShuffleXor) from = integer(Op::OpBitwiseXor, local_id(), from);
    if (op == Op::OpGroupNonUniformShuffleUp) from = integer(Op::OpISub, local_id(), from);
    if (op == Op::OpGroupNonUniformShuffleDown) from = integer(Op::OpIAdd, local_id(), from);
    from = integer(Op::OpBitwiseAnd, from, number(size_ - 1));
    const Id bits = in_emulated("move", {convert(value, u32), integer(Op::OpIAdd, first_linear_id(), from)});
    return convert(bits, builder_.type_of(value));
}

Id GroupFunctions::all_equal_emulated(Id value) {
    const Id first = move(Op::OpGroupNonUniformBroadcastFirst, value, {});
    const bool is_float = builder_.is_float(builder_.type_of(value));
    const Id same =
        builder_.append(is_float ? Op::OpFOrdEqual : Op::OpIEqual, builder_.type_bool(), {value, first});
    return combine({.row = *find_row(Op::OpGroupLogicalAndKHR), .operation = spv::GroupOperation::Reduce},
                   same);
}

// ---- Ballots: four words, of which emulated sub-groups use two ----

Id GroupFunctions::ballot_emulated(Id truth) {
    const Id u32 = builder_.type_int(32), lane = local_id();
    const Id shift = integer(Op::OpBitwiseAnd, lane, number(31));
    const Id bit = builder_.append(Op::OpShiftLeftLogical, u32, {number(1), shift});
    const Id mine = builder_.append(Op::OpSelect, u32, {truth, bit, number(0)});
    spirv::Operands words;
    for (uint32_t word = 0; word < 4; ++word) {
        if (word * 32 >= size_) {
            words.push_back(number(0));
            continue;
        }
        const Id here =
            builder_.append(Op::OpIEqual, builder_.type_bool(),
                            {builder_.append(Op::OpShiftRightLogical, u32, {lane, number(5)}), number(word)});
        words.push_back(
            combine({.row = *find_row(Op::OpGroupBitwiseOrKHR), .operation = spv::GroupOperation::Reduce},
                    builder_.append(Op::OpSelect, u32, {here, mine, number(0)})));
    }
    return builder_.append(Op::OpCompositeConstruct, builder_.type_vector(u32, 4), std::move(words));
}

/// A ballot with the bits of the work-items whose ids in the sub-group are below `lane`.
Id GroupFunctions::bits_below(Id lane) {
    spirv::Operands words;
    for (const uint32_t word : {0u, 1u})
        words.push_back(in_emulated("bits_below", {lane, number(word * 32)}));
    for (int rest = 0; rest < 2; ++rest) words.push_back(number(0));
    return builder_.append(Op::OpCompositeConstruct, builder_.type_vector(builder_.type_int(32), 4),
                           std::move(words));
}

Id GroupFunctions::bit_of(Id ballot, Id lane) {
    const Id u32 = builder_.type_int(32);
    const Id at = integer(Op::OpBitwiseAnd, convert(lane, u32), number(size_ - 1));
    const Id word = builder_.append(Op::OpVectorExtractDynamic, u32,
                                    {ballot, builder_.append(Op::OpShiftRightLogical, u32, {at, number(5)})});
    const Id shifted =
        builder_.append(Op::OpShiftRightLogical, u32, {word, integer(Op::OpBitwiseAnd, at, number(31))});
    return builder_.append(Op::OpINotEqual, builder_.type_bool(),
                           {integer(Op::OpBitwiseAnd, shifted, number(1)), number(0)});
}

Id GroupFunctions::count_emulated(const Instruction& inst) {
    const Id u32 = builder_.type_int(32), ballot = inst.id(2);
    const auto operation = static_cast<spv::GroupOperation>(inst.word(1));
    const Id end = operation == spv::GroupOperation::InclusiveScan
                       ? integer(Op::OpIAdd, local_id(), number(1))
                   : operation == spv::GroupOperation::ExclusiveScan ? local_id()
                                                                     : max_size();
    Id count = number(0);
    for (const uint32_t word : {0u, 1u}) {
        const Id bits = builder_.append(Op::OpCompositeExtract, u32, {ballot, word});
        const Id counted =
            integer(Op::OpBitwiseAnd, bits, in_emulated("bits_below", {end, number(word * 32)}));
        count = integer(Op::OpIAdd, count, builder_.append(Op::OpBitCount, u32, {counted}));
    }
    return convert(count, inst.type);
}

}  // namespace caldera::vulkan
