// SPDX-License-Identifier: Apache-2.0
// Classes of instructions, as the sections of SPIR-V 3.52 have them, and the relations between comparisons.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/cooperative_matrix.h"

namespace caldera::spirv {

/// 3.52.18 "Atomic Instructions": the first operand is the pointer, of those with a result too.
constexpr bool is_atomic(spv::Op op) {
    using enum spv::Op;
    return (op >= OpAtomicLoad && op <= OpAtomicXor) || op == OpAtomicFlagTestAndSet ||
           op == OpAtomicFlagClear || op == OpAtomicFAddEXT || op == OpAtomicFMinEXT || op == OpAtomicFMaxEXT;
}

/// 3.52.24 "Non-Uniform Instructions": they read values of other work-items, and touch no memory.
constexpr bool is_sub_group_operation(spv::Op op) {
    using enum spv::Op;
    return (op >= OpGroupNonUniformElect && op <= OpGroupNonUniformQuadSwap) ||
           op == OpGroupNonUniformRotateKHR || op == OpGroupNonUniformPartitionNV;
}

/// Whether work-items of a group or sub-group come to the instruction together: those that exchange values,
/// copy or compute as one. OpControlBarrier is another such instruction.
constexpr bool is_group_operation(spv::Op op) {
    using enum spv::Op;
    return is_sub_group_operation(op) || (op >= OpGroupAsyncCopy && op <= OpGroupSMax) ||
           (op >= OpGroupReserveReadPipePackets && op <= OpGroupCommitWritePipe) ||
           (op >= OpSubgroupBallotKHR && op <= OpSubgroupReadInvocationKHR) ||
           (op >= OpSubgroupShuffleINTEL && op <= OpSubgroupImageMediaBlockWriteINTEL) ||
           (op >= OpGroupIMulKHR && op <= OpGroupLogicalXorKHR) || (op >= kMatrixLoad && op <= kMatrixLength);
}

/// Operations of two operands whose result stays the same if these change places.
constexpr bool is_commutative(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpIAdd:
        case OpIMul:
        case OpFAdd:
        case OpFMul:
        case OpBitwiseAnd:
        case OpBitwiseOr:
        case OpBitwiseXor:
        case OpLogicalAnd:
        case OpLogicalOr:
        case OpLogicalEqual:
        case OpLogicalNotEqual:
        case OpIEqual:
        case OpINotEqual: return true;
        default: return false;
    }
}

/// 3.52.15 "Relational and Logical Instructions": the comparisons of two integers, and those of two integers
/// or floats.
constexpr bool is_integer_comparison(spv::Op op) {
    return op >= spv::Op::OpIEqual && op <= spv::Op::OpSLessThanEqual;
}
constexpr bool is_comparison(spv::Op op) {
    return op >= spv::Op::OpIEqual && op <= spv::Op::OpFUnordGreaterThanEqual;
}

/// 3.52.13 "Arithmetic Instructions" and 3.52.15: those that compute with floats, and compare two.
constexpr bool is_float_operation(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpFNegate:
        case OpFAdd:
        case OpFSub:
        case OpFMul:
        case OpFDiv:
        case OpFRem:
        case OpFMod:
        case OpVectorTimesScalar:
        case OpDot: return true;
        default: return op >= OpFOrdEqual && op <= OpFUnordGreaterThanEqual;
    }
}
/// 3.52.11 "Conversion Instructions": those from or to floats.
constexpr bool is_float_conversion(spv::Op op) {
    using enum spv::Op;
    return op == OpFConvert || op == OpConvertFToS || op == OpConvertFToU || op == OpConvertSToF ||
           op == OpConvertUToF;
}

/// 3.52.8 "Memory Instructions": the chains of typed pointers, with an element of the pointer or without.
constexpr bool is_access_chain(spv::Op op) {
    using enum spv::Op;
    return op == OpAccessChain || op == OpInBoundsAccessChain || op == OpPtrAccessChain ||
           op == OpInBoundsPtrAccessChain;
}

/// A component of OpVectorShuffle's result that is undefined.
constexpr uint32_t kUndefinedComponent = 0xffffffff;

/// Whether the result may be the same pointer as the operand, perhaps in another storage class.
constexpr bool casts_pointer(spv::Op op) {
    using enum spv::Op;
    return op == OpBitcast || op == OpCopyObject || op == OpPtrCastToGeneric || op == OpGenericCastToPtr;
}

/// Whether the result may be a pointer into the memory of the first operand: chains, casts within a storage
/// class and copies.
constexpr bool computes_pointer(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpBitcast:
        case OpCopyObject: return true;
        default: return is_access_chain(op);
    }
}

/// The comparison of two integers that gives the same with its operands exchanged; `op` itself where it is
/// none, or symmetric.
constexpr spv::Op mirrored(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpULessThan: return OpUGreaterThan;
        case OpULessThanEqual: return OpUGreaterThanEqual;
        case OpUGreaterThan: return OpULessThan;
        case OpUGreaterThanEqual: return OpULessThanEqual;
        case OpSLessThan: return OpSGreaterThan;
        case OpSLessThanEqual: return OpSGreaterThanEqual;
        case OpSGreaterThan: return OpSLessThan;
        case OpSGreaterThanEqual: return OpSLessThanEqual;
        default: return op;
    }
}
/// The comparison of two integers that is true where `op` is false; OpNop where `op` is none.
constexpr spv::Op negated(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpIEqual: return OpINotEqual;
        case OpINotEqual: return OpIEqual;
        case OpULessThan: return OpUGreaterThanEqual;
        case OpULessThanEqual: return OpUGreaterThan;
        case OpUGreaterThan: return OpULessThanEqual;
        case OpUGreaterThanEqual: return OpULessThan;
        case OpSLessThan: return OpSGreaterThanEqual;
        case OpSLessThanEqual: return OpSGreaterThan;
        case OpSGreaterThan: return OpSLessThanEqual;
        case OpSGreaterThanEqual: return OpSLessThan;
        default: return OpNop;
    }
}
/// The same comparison of integers without a sign; `op` itself where it has none.
constexpr spv::Op as_unsigned(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpSLessThan: return OpULessThan;
        case OpSLessThanEqual: return OpULessThanEqual;
        case OpSGreaterThan: return OpUGreaterThan;
        case OpSGreaterThanEqual: return OpUGreaterThanEqual;
        default: return op;
    }
}

}  // namespace caldera::spirv
