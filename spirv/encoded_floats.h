// SPDX-License-Identifier: Apache-2.0
// Floats whose OpTypeFloat names an encoding: bfloat16, the upper half of a float (SPV_KHR_bfloat16), and the
// 8 bits of E4M3 and E5M2 (SPV_EXT_float8). This file has their enumerants, which SPIRV-Headers have from
// 1.4.313 and 1.4.321 on, and conversions for SPIRV-Tools that do not know the extensions.
#pragma once

#include <cstdint>
#include <optional>
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

constexpr auto kFloat8Type = static_cast<spv::Capability>(4212);
constexpr auto kFloat8Matrix = static_cast<spv::Capability>(4213);
constexpr std::string_view kFloat8Extension = "SPV_EXT_float8";
/// SaturatedToLargestFloat8NormalConversionEXT: a conversion gives the largest number where its source is
/// larger or infinite.
constexpr auto kSaturatedToFloat8 = static_cast<spv::Decoration>(4216);

/// What follows the width of an OpTypeFloat.
enum class FloatEncoding : uint32_t {
    BFloat16 = 0,
    E4M3 = 4214,  ///< 4 bits of exponent, 3 of fraction, no infinity, one NaN of each sign
    E5M2 = 4215   ///< the upper half of binary16
};
/// The encoding that a type's definition has, if this file knows it.
std::optional<FloatEncoding> encoding_of(const Instruction& type);
/// Whether a type's definition is that of an encoded float.
inline bool is_encoded_float(const Instruction& type) { return encoding_of(type).has_value(); }
/// How messages call it: "bfloat16", "float8 E4M3".
std::string_view name_of(FloatEncoding encoding);
/// The capabilities for the type, and for matrices of it; the extension that has them.
spv::Capability type_capability(FloatEncoding encoding);
spv::Capability matrix_capability(FloatEncoding encoding);
std::string_view extension_of(FloatEncoding encoding);

/// Whether the module uses anything of the extensions.
bool has_encoded_floats(std::span<const uint32_t> words);
/// The module without the extensions, for a validator that does not know them: encoded floats are integers,
/// and what computes with them is OpUndef. So the validator judges the rest, and its messages about integers
/// may be about encoded floats. The number of instructions stays.
std::vector<uint32_t> without_encoded_floats(std::span<const uint32_t> words);
/// The same in words that older SPIRV-Tools take for types of their own: signed integers, which OpenCL's
/// modules do not have. Capabilities and the decoration become others.
std::vector<uint32_t> stand_in_for_encoded_floats(std::span<const uint32_t> words);
/// Reverts this encoding in a module that SPIRV-Tools have made, and declares the capabilities.
std::vector<uint32_t> restore_encoded_floats(std::span<const uint32_t> words,
                                             const std::set<spv::Capability>& capabilities);
/// The capabilities of the extensions that the module declares.
std::set<spv::Capability> encoded_float_capabilities(std::span<const uint32_t> words);
/// Reverts the encoding in the disassembly of a module.
std::string restore_encoded_floats(std::string_view disassembly, std::span<const uint32_t> original);
/// Encodes assembly, whose capabilities stay.
std::string stand_in_for_encoded_floats(std::string_view assembly);

}  // namespace caldera::spirv
