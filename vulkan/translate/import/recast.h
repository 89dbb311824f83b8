// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// The components of OpBitcast (SPIR-V 3.52.11): the same bits in components of another type, the lowest ones
/// first. Appends the instructions. None unless both types are integers or floats of whole bytes, up to 64
/// bits, and the bits make whole components.
std::optional<std::vector<spirv::Id>> recast(spirv::Builder& builder, std::span<const spirv::Id> parts,
                                             spirv::Id from, spirv::Id to);

/// Whether it does not matter to the instruction what a pointer points to.
bool is_about_addresses(spv::Op op);

}  // namespace caldera::vulkan
