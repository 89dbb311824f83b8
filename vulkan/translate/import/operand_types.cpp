// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/operand_types.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

namespace {

/// The kinds of an instruction's result and of its first operands: `_` no result, `-` any operand, `=` of the
/// type of the result, `i` a 32-bit integer, `j` an integer, `c` an integer or up to three, `b` a Boolean,
/// `I`, `F` and `B` integers, floats or Booleans, scalar or vector, `N` the first two of these, `V` all
/// three, `p` a pointer, `e` an event, `P` a pipe, `R` a reservation. `d` and `s` are pointers to numbers of
/// one type, one of them in global and one in local memory.
struct Row {
    Op first = {}, last = {};
    std::string_view kinds = {};
};
constexpr Row kRows[] = {
    {Op::OpGenericPtrMemSemantics, Op::OpGenericPtrMemSemantics, "ip"},
    {Op::OpGroupAsyncCopy, Op::OpGroupAsyncCopy, "e-dsjje"},
    {Op::OpGroupWaitEvents, Op::OpGroupWaitEvents, "_-jp"},
    {Op::OpGroupAll, Op::OpGroupAny, "b-b"},
    {Op::OpGroupBroadcast, Op::OpGroupBroadcast, "V-=c"},
    {Op::OpGroupIAdd, Op::OpGroupIAdd, "I--="},
    {Op::OpGroupFAdd, Op::OpGroupFMin, "F--="},
    {Op::OpGroupUMin, Op::OpGroupSMin, "I--="},
    {Op::OpGroupFMax, Op::OpGroupFMax, "F--="},
    {Op::OpGroupUMax, Op::OpGroupSMax, "I--="},
    {Op::OpReadPipe, Op::OpWritePipe, "iPp"},
    {Op::OpReservedReadPipe, Op::OpReservedWritePipe, "iPRip"},
    {Op::OpReserveReadPipePackets, Op::OpReserveWritePipePackets, "RPi"},
    {Op::OpCommitReadPipe, Op::OpCommitWritePipe, "_PR"},
    {Op::OpIsValidReserveId, Op::OpIsValidReserveId, "bR"},
    {Op::OpGetNumPipePackets, Op::OpGetMaxPipePackets, "iP"},
    {Op::OpGroupReserveReadPipePackets, Op::OpGroupReserveWritePipePackets, "R-Pi"},
    {Op::OpGroupCommitReadPipe, Op::OpGroupCommitWritePipe, "_-PR"},
    {Op::OpGroupNonUniformAllEqual, Op::OpGroupNonUniformAllEqual, "b-V"},
    {Op::OpGroupNonUniformBroadcast, Op::OpGroupNonUniformBroadcast, "V-=j"},
    {Op::OpGroupNonUniformBroadcastFirst, Op::OpGroupNonUniformBroadcastFirst, "V-="},
    {Op::OpGroupNonUniformShuffle, Op::OpGroupNonUniformShuffleDown, "V-=j"},
    {Op::OpGroupNonUniformIAdd, Op::OpGroupNonUniformIAdd, "I--="},
    {Op::OpGroupNonUniformFAdd, Op::OpGroupNonUniformFAdd, "F--="},
    {Op::OpGroupNonUniformIMul, Op::OpGroupNonUniformIMul, "I--="},
    {Op::OpGroupNonUniformFMul, Op::OpGroupNonUniformFMul, "F--="},
    {Op::OpGroupNonUniformSMin, Op::OpGroupNonUniformUMin, "I--="},
    {Op::OpGroupNonUniformFMin, Op::OpGroupNonUniformFMin, "F--="},
    {Op::OpGroupNonUniformSMax, Op::OpGroupNonUniformUMax, "I--="},
    {Op::OpGroupNonUniformFMax, Op::OpGroupNonUniformFMax, "F--="},
    {Op::OpGroupNonUniformBitwiseAnd, Op::OpGroupNonUniformBitwiseXor, "I--="},
    {Op::OpGroupNonUniformLogicalAnd, Op::OpGroupNonUniformLogicalXor, "B--="},
    {Op::OpSDot, Op::OpSUDot, "jII"},
    {Op::OpSDotAccSat, Op::OpSUDotAccSat, "jII="},
    {Op::OpSubgroupShuffleINTEL, Op::OpSubgroupShuffleINTEL, "N=j"},
    {Op::OpSubgroupShuffleDownINTEL, Op::OpSubgroupShuffleUpINTEL, "N==j"},
    {Op::OpSubgroupShuffleXorINTEL, Op::OpSubgroupShuffleXorINTEL, "N=j"},
    {Op::OpSubgroupBlockReadINTEL, Op::OpSubgroupBlockReadINTEL, "Np"},
    {Op::OpSubgroupBlockWriteINTEL, Op::OpSubgroupBlockWriteINTEL, "_pN"},
    {Op::OpGroupIMulKHR, Op::OpGroupIMulKHR, "I--="},
    {Op::OpGroupFMulKHR, Op::OpGroupFMulKHR, "F--="},
    {Op::OpGroupBitwiseAndKHR, Op::OpGroupBitwiseXorKHR, "I--="},
    {Op::OpGroupLogicalAndKHR, Op::OpGroupLogicalXorKHR, "B--="},
};

class OperandTypes {
 public:
    OperandTypes(const Builder& builder, const Instruction& inst) : builder_(builder), inst_(inst) {}

    bool are(std::string_view kinds) const {
        if (kinds[0] != '_' && !is(kinds[0], inst_.type)) return false;
        if (inst_.operands.size() + 1 < kinds.size()) return false;
        for (size_t i = 1; i < kinds.size(); ++i)
            if (kinds[i] != '-' && !(inst_.operands[i - 1].is_id && is(kinds[i], operand(i - 1))))
                return false;
        return true;
    }

 private:
    Id operand(size_t at) const { return builder_.type_of(inst_.id(at)); }

    bool is(char kind, Id type) const {
        const Id part = builder_.is_vector(type) ? builder_.element(type) : type;
        switch (kind) {
            case '=': return type == inst_.type;
            case 'i': return builder_.is_int(type) && builder_.width(type) == 32;
            case 'j': return builder_.is_int(type);
            case 'c': return builder_.is_int(part) && builder_.count(type) <= 3;
            case 'b': return builder_.is_bool(type);
            case 'I': return builder_.is_int(part);
            case 'F': return builder_.is_float(part);
            case 'B': return builder_.is_bool(part);
            case 'N': return is('I', type) || is('F', type);
            case 'V': return is('N', type) || is('B', type);
            case 'p': return builder_.is_pointer(type);
            case 'e': return builder_.op_of_type(type) == Op::OpTypeEvent;
            case 'P': return builder_.op_of_type(type) == Op::OpTypePipe;
            case 'R': return builder_.op_of_type(type) == Op::OpTypeReserveId;
            default: return is_copied(type, operand(kind == 'd' ? 2 : 1));
        }
    }

    /// One end of an asynchronous copy.
    bool is_copied(Id type, Id other) const {
        return builder_.is_pointer(type) && builder_.is_pointer(other) &&
               builder_.pointee(type) == builder_.pointee(other) && is('N', builder_.pointee(type)) &&
               (is_between(type, other) || is_between(other, type));
    }
    bool is_between(Id local, Id global) const {
        return builder_.storage(local) == StorageClass::Workgroup &&
               builder_.storage(global) == StorageClass::CrossWorkgroup;
    }

    const Builder& builder_;
    const Instruction& inst_;
};

/// A reduction of clusters names their size.
bool has_cluster(const Instruction& inst) {
    if (inst.op < Op::OpGroupNonUniformIAdd || inst.op > Op::OpGroupNonUniformLogicalXor) return true;
    return inst.word(1) != static_cast<uint32_t>(spv::GroupOperation::ClusteredReduce) ||
           inst.operands.size() > 3;
}

}  // namespace

bool has_operand_types(const Builder& builder, const Instruction& inst) {
    const auto row = std::ranges::find_if(
        kRows, [&](const Row& each) { return inst.op >= each.first && inst.op <= each.last; });
    return row == std::end(kRows) || (OperandTypes(builder, inst).are(row->kinds) && has_cluster(inst));
}

}  // namespace caldera::vulkan
