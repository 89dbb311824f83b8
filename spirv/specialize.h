// SPDX-License-Identifier: Apache-2.0
// Specialisation constants become constants.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "spirv/support/result.h"

namespace caldera::spirv {

/// The module with each specialisation constant that has a SpecId made a constant: of the value given for its id, as the bytes of
/// a scalar, or of its default. What is computed of them stays OpSpecConstantOp. A value of the wrong size is an error.
Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words,
                                         const std::map<uint32_t, std::vector<std::byte>>& values);

/// The size in bytes of the specialisation constant with the id; 0 when the module has none.
size_t spec_constant_bytes(std::span<const uint32_t> words, uint32_t spec_id);

}  // namespace caldera::spirv
