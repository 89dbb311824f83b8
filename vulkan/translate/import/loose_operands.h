// SPDX-License-Identifier: Apache-2.0
// Repairs operands whose types do not fit, in modules of LLVM's SPIR-V back end.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// LLVM's pointers have no pointees, and its back end is careless about other types too. Where an operand of
/// the wrong type has one meaning, it gets the right type:
/// - OpAny and OpAll of integers ask for the most significant bits, as OpenCL C's any() and all() do, and may
/// have one
///   component;
/// - a pointer gets the pointee that the instruction wants: of vloadn, vload_half, frexp, printf and their
///   kin, of comparisons of pointers, and of casts to and from generic ones, and where it is passed, stored
///   or chosen: llvm-spirv mixes pointers with and without a type;
/// - a list of events that is a pointer to an array is one to its first event;
/// - an ND range by value, which SPIR-V allows, is stored in a variable, whose address clang passes;
/// - a query of the size of a level of an image that has no levels, because it has samples or is a buffer, is
/// one of
///   its size;
/// - a conversion between equal types is none;
/// - an operand of more bits than the result of an addition or a bitwise operation loses its upper bits, and
/// a small
///   constant gets as many bits as the other operand of the instruction;
/// - OpAtomicCompareExchangeWeak, which ends with SPIR-V 1.3, is OpAtomicCompareExchange, and that of floats
/// is one of
///   their bits;
/// - a scalar that ldexp, fmax, clamp, mix and their kin take for a vector is repeated for each component;
/// - gradients in three dimensions lose their fourth component;
/// - the order of an atomic load is where LLVM's back end writes it, in place of the scope;
/// - an index into a struct that is OpConstantNull is OpConstant, and a zero in a constant has its member's
/// type;
/// - an access chain whose result is an integer, which LLVM's back end writes for the sizes of local memory
/// of an enqueued block, is the address of an element of an array of integers, or after one;
/// - a number of bytes that LLVM's back end writes as an index into a variable is one, in constants;
/// - __to_global(), __to_local() and __to_private(), which clang calls for to_global() and so on, are
/// instructions. Others stay as they are, for the validator to decline. The module must have passed verify().
/// Returns whether anything changed.
bool mend_loose_operands(spirv::Module& module);

}  // namespace caldera::vulkan
