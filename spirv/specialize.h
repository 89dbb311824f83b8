// SPDX-License-Identifier: Apache-2.0
// Turns specialisation constants into constants.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::spirv {

/// The bytes of a scalar, by SpecId.
using SpecValues = std::map<uint32_t, std::vector<std::byte>>;

/// Turns each specialisation constant into a constant: the value for its SpecId, or its default. Values
/// computed from them stay OpSpecConstantOp and OpSpecConstantComposite. A value of the wrong size is an
/// error.
Result<Done> specialize(Module& module, const SpecValues& values);
Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, const SpecValues& values);

/// Parses a value ("7", "-1", "0x10", "2.5", "true") for the specialisation constant with this id. It is an
/// error if the module has no such constant, or if its type cannot have the value.
Result<std::vector<std::byte>> parse_spec_value(const Module& module, uint32_t spec_id,
                                                std::string_view text);

/// The size in bytes of the specialisation constant with this id; 0 if there is none.
size_t spec_constant_bytes(std::span<const uint32_t> words, uint32_t spec_id);

}  // namespace caldera::spirv
