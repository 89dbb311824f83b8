// SPDX-License-Identifier: Apache-2.0
// SPV_KHR_float_controls2: a module says for each floating-point instruction what compilers may do with it.
// This file has its enumerants, which SPIRV-Headers have from 1.3.275 on, and conversions for SPIRV-Tools
// that do not know the extension.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::spirv {

constexpr auto kFloatControls2 = static_cast<spv::Capability>(6029);
constexpr auto kFPFastMathDefault = static_cast<spv::ExecutionMode>(6028);
constexpr std::string_view kFloatControls2Extension = "SPV_KHR_float_controls2";

/// Bits of FPFastMathMode (SPIR-V 3.15). AllowContract and AllowReassoc are also in
/// SPV_INTEL_fp_fast_math_mode.
namespace fast_math {
constexpr uint32_t kNotNaN = 0x1, kNotInf = 0x2, kNSZ = 0x4, kAllowRecip = 0x8, kFast = 0x10;
constexpr uint32_t kAllowContract = 0x10000, kAllowReassoc = 0x20000;
constexpr uint32_t kAllowTransform = 0x40000;  ///< only together with the two above
}  // namespace fast_math

/// Whether the module uses anything of the extension that older SPIRV-Tools reject.
bool has_float_controls2(std::span<const uint32_t> words);
/// Removes everything that the extension adds, including fast-math modes, which shaders may have only with
/// it.
std::vector<uint32_t> without_float_controls2(std::span<const uint32_t> words);

/// Encodes the extension in words that older SPIRV-Tools accept and that no Vulkan module uses otherwise:
/// AllowTransform becomes Fast, and FPFastMathDefault becomes LocalSizeHintId.
std::vector<uint32_t> stand_in_for_float_controls2(std::span<const uint32_t> words);
/// Reverts this encoding, in a module and in its disassembly.
std::vector<uint32_t> restore_float_controls2(std::span<const uint32_t> stand_in);
std::string restore_float_controls2(std::string_view disassembly, std::span<const uint32_t> original);

}  // namespace caldera::spirv
