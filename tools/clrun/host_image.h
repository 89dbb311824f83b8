// SPDX-License-Identifier: Apache-2.0
// Images for kernels that are called from the command line: the descriptor from a text.
#pragma once

#include <string_view>

#include "spirv/support/result.h"
#include "tools/clrun/host_array.h"
#include "vulkan/interface.h"

namespace caldera::tools {

/// SHAPE:ORDER:TYPE:SIZE, as "2d_array:RGBA:UNORM_INT8:16x8x3": a shape as OpenCL C names its type, without "image" and "_t", a
/// channel order and data type as the API names them, and width, height, depth or layers as far as the shape has them. The
/// descriptor lacks the address.
Result<vulkan::ImageDescriptor> parse_image(std::string_view text);

/// Pitches with so many bytes more than a row and a slice have.
void set_pitches(vulkan::ImageDescriptor& image, uint64_t more_per_row, uint64_t more_per_slice);
/// From the first texel's first byte to where another slice would begin.
uint64_t size_bytes(const vulkan::ImageDescriptor& image);

/// What a channel is, or a texel of a packed format.
Element element_of(const vulkan::ImageDescriptor& image);

}  // namespace caldera::tools
