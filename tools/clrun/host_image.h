// SPDX-License-Identifier: Apache-2.0
// Images for kernels that are run from the command line: parses the descriptor from text.
#pragma once

#include <string_view>

#include "spirv/support/result.h"
#include "tools/clrun/host_array.h"
#include "vulkan/interface.h"

namespace caldera::tools {

/// Parses SHAPE:ORDER:TYPE:SIZE, as in "2d_array:RGBA:UNORM_INT8:16x8x3". The shape is OpenCL C's type name
/// without "image" and "_t". Order and data type are the API's names. The size is width, height, depth or
/// layers, as many as the shape has. The descriptor has no address yet.
Result<vulkan::ImageDescriptor> parse_image(std::string_view text);

/// Sets pitches that are larger by so many bytes than a row and a slice.
void set_pitches(vulkan::ImageDescriptor& image, uint64_t more_per_row, uint64_t more_per_slice);
/// From the first byte of the first texel to where another slice would begin.
uint64_t size_bytes(const vulkan::ImageDescriptor& image);

/// The type of a channel, or of a texel of a packed format.
Element element_of(const vulkan::ImageDescriptor& image);

}  // namespace caldera::tools
