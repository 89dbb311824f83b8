// SPDX-License-Identifier: Apache-2.0
// Images for kernels that are run from the command line: the descriptor and the contents from text.
#pragma once

#include <string_view>

#include "spirv/support/result.h"
#include "tools/clrun/host_array.h"
#include "vulkan/interface.h"

namespace caldera::tools {

/// Parses SHAPE:ORDER:TYPE:SIZE, as in "2d_array:RGBA:UNORM_INT8:16x8x3". The shape is OpenCL C's type name
/// without "image" and "_t". Order and data type are the API's names. The size is width, height, depth or
/// layers, as many as the shape has. The descriptor has no address yet.
/// Declines what clCreateImage declines, unless `formats` has all that kernels decode.
enum class ImageFormats : uint8_t { OfDevices, OfKernels };
Result<vulkan::ImageDescriptor> parse_image(std::string_view text,
                                            ImageFormats formats = ImageFormats::OfDevices);

/// Refuses an image for an argument that takes another shape. `text` is parse_image()'s.
Result<Done> check_shape(std::string_view text, const vulkan::KernelArgument& argument);

/// The image's texels, as many as it has: ":1,2,3", ":=7", ":range", ":random" or "@FILE", as parse_array()
/// has them. Zeros without text.
Result<HostArray> contents_of(const vulkan::ImageDescriptor& image, std::string_view text);

/// Sets pitches that are larger by so many bytes than a row and a slice.
void set_pitches(vulkan::ImageDescriptor& image, uint64_t more_per_row, uint64_t more_per_slice);
/// From the first byte of the first texel to where another slice would begin.
uint64_t size_bytes(const vulkan::ImageDescriptor& image);

/// The type of a channel, or of a texel of a packed format.
Element element_of(const vulkan::ImageDescriptor& image);

}  // namespace caldera::tools
