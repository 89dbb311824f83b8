// SPDX-License-Identifier: Apache-2.0
// SPV_KHR_bfloat16: floats whose 16 bits are the upper half of a float. This file has its enumerants, which
// SPIRV-Headers have from 1.4.313 on, and conversions for SPIRV-Tools that do not know the extension.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module.h"

namespace caldera::spirv {

constexpr auto kBfloat16Type = static_cast<spv::Capability>(5116);
constexpr auto kBfloat16Dot = static_cast<spv::Capability>(5117);
constexpr auto kBfloat16Matrix = static_cast<spv::Capability>(5118);
/// SPV_EXT_bfloat16_arithmetic, and SPV_INTEL_bfloat16_arithmetic before it.
constexpr auto kBfloat16Arithmetic = static_cast<spv::Capability>(6226);
constexpr std::string_view kBfloat16Extension = "SPV_KHR_bfloat16";

/// BFloat16KHR, which follows the width of an OpTypeFloat.
constexpr uint32_t kBfloat16Encoding = 0;
/// Whether a type's definition is that of bfloat16.
inline bool is_encoded_float(const Instruction& type) {
    return type.op == spv::Op::OpTypeFloat && type.operands.size() > 1 && type.word(1) == kBfloat16Encoding;
}

/// Whether the module uses anything of the extension.
bool has_encoded_floats(std::span<const uint32_t> words);
/// The module without the extension, for a validator that does not know it: bfloat16 is an integer, and what
/// computes with it is OpUndef. So the validator judges the rest, and its messages about 16-bit integers may
/// be about bfloat16. The number of instructions stays.
std::vector<uint32_t> without_encoded_floats(std::span<const uint32_t> words);
/// The same in words that older SPIRV-Tools take for something of its own: signed integers of 16 bits, which
/// OpenCL's modules do not have. Capabilities become others.
std::vector<uint32_t> stand_in_for_encoded_floats(std::span<const uint32_t> words);
/// Reverts this encoding in a module that SPIRV-Tools have made, and declares the capabilities.
std::vector<uint32_t> restore_encoded_floats(std::span<const uint32_t> words,
                                             const std::set<spv::Capability>& capabilities);
/// The capabilities of the extension that the module declares.
std::set<spv::Capability> encoded_float_capabilities(std::span<const uint32_t> words);
/// Reverts the encoding in the disassembly of a module.
std::string restore_encoded_floats(std::string_view disassembly, std::span<const uint32_t> original);
/// Encodes assembly, whose capabilities stay.
std::string stand_in_for_encoded_floats(std::string_view assembly);

}  // namespace caldera::spirv
