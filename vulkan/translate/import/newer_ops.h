// SPDX-License-Identifier: Apache-2.0
// Instructions of newer extensions in older words.
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Rewrites what the validator need not know, and what no other pass has to:
/// - OpFmaKHR is OpenCL's fma;
/// - OpPoisonKHR is OpUndef, and OpFreezeKHR the value itself, or zero where that is undefined: all uses see
///   the same;
/// - conversions from and to bfloat16 (SPV_INTEL_bfloat16_conversion), which are integers of 16 bits here,
///   are arithmetic on the bits. They round to the nearest, and a NaN stays one;
/// - OpRoundFToTF32INTEL is such arithmetic too, and OpBitwiseFunctionINTEL is of ands and exclusive ors;
/// - OpArithmeticFenceEXT is the value itself, whose computation nothing may be combined with;
/// - calls of imported functions by the names of such instructions and of OpReadClockKHR, as compilers leave
///   them without the extension, are those instructions;
/// - OpSubgroupBlockPrefetchINTEL is nothing.
/// Drops the capabilities and extensions. Before: verify() has passed. Returns whether anything changed, or
/// declines conversions between other types.
Result<bool> replace_newer_ops(spirv::Module& module);

}  // namespace caldera::vulkan
