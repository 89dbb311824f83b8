// SPDX-License-Identifier: Apache-2.0
// Specialisation constants become constants.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::spirv {

/// Bytes of a scalar by SpecId.
using SpecValues = std::map<uint32_t, std::vector<std::byte>>;

/// Makes each specialisation constant a constant: of the value given for its SpecId, or of its default. What is computed of
/// them stays OpSpecConstantOp and OpSpecConstantComposite. A value of the wrong size is an error.
Result<Done> specialize(Module& module, const SpecValues& values);
Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, const SpecValues& values);

/// The bytes of a value as it is written ("7", "-1", "0x10", "2.5", "true") for the specialisation constant with the id; an error when
/// the module has none or its type cannot have the value.
Result<std::vector<std::byte>> parse_spec_value(const Module& module, uint32_t spec_id,
                                                std::string_view text);

/// The size in bytes of the specialisation constant with the id; 0 when the module has none.
size_t spec_constant_bytes(std::span<const uint32_t> words, uint32_t spec_id);

}  // namespace caldera::spirv
