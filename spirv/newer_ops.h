// SPDX-License-Identifier: Apache-2.0
// Instructions and capabilities of extensions that SPIRV-Headers may be too old for. Those of larger
// extensions are in untyped_pointers.h, cooperative_matrix.h and encoded_floats.h.
#pragma once

#include <spirv/unified1/spirv.hpp11>

namespace caldera::spirv {

constexpr auto kFma = static_cast<spv::Op>(4427);            ///< SPV_KHR_fma: a, b, c
constexpr auto kPoison = static_cast<spv::Op>(5158);         ///< SPV_KHR_poison_freeze
constexpr auto kFreeze = static_cast<spv::Op>(5159);         ///< the same: value
constexpr auto kFloatToBfloat = static_cast<spv::Op>(6116);  ///< SPV_INTEL_bfloat16_conversion: value
constexpr auto kBfloatToFloat = static_cast<spv::Op>(6117);  ///< the same

constexpr auto kArithmeticFence = static_cast<spv::Op>(6145);  ///< SPV_EXT_arithmetic_fence: value
constexpr auto kBitwiseFunction =
    static_cast<spv::Op>(6242);  ///< SPV_INTEL_ternary_bitwise_function: a, b, c, table
constexpr auto kBlockPrefetch =
    static_cast<spv::Op>(6221);  ///< SPV_INTEL_subgroup_buffer_prefetch: pointer, bytes
constexpr auto kRoundToTf32 = static_cast<spv::Op>(6426);  ///< SPV_INTEL_tensor_float32_conversion: value

constexpr auto kFmaCapability = static_cast<spv::Capability>(6030);
constexpr auto kPoisonFreezeCapability = static_cast<spv::Capability>(5156);
constexpr auto kBfloat16ConversionCapability = static_cast<spv::Capability>(6115);
constexpr auto kArithmeticFenceCapability = static_cast<spv::Capability>(6144);
constexpr auto kBlockPrefetchCapability = static_cast<spv::Capability>(6220);
constexpr auto kBitwiseFunctionCapability = static_cast<spv::Capability>(6241);
constexpr auto kTf32RoundingCapability = static_cast<spv::Capability>(6425);
constexpr auto kInt4TypeCapability = static_cast<spv::Capability>(5112);
constexpr auto kFpMaxErrorCapability = static_cast<spv::Capability>(6169);
constexpr auto kInt16ExchangeCapability = static_cast<spv::Capability>(6260);  ///< SPV_INTEL_16bit_atomics
constexpr auto kInt16AtomicsCapability = static_cast<spv::Capability>(6261);   ///< the same
constexpr auto kBfloat16MovesCapability = static_cast<spv::Capability>(6262);  ///< the same
constexpr auto kHostAccessCapability = static_cast<spv::Capability>(6187);
constexpr auto kFpgaVariablesCapability = static_cast<spv::Capability>(6189);
constexpr auto kCacheControlsCapability = static_cast<spv::Capability>(6441);
constexpr auto kRegisterLimitsCapability = static_cast<spv::Capability>(6460);

}  // namespace caldera::spirv
