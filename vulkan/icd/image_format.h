// SPDX-License-Identifier: Apache-2.0
// Formats of images (OpenCL API 5.3.1.1): which there are, how large a texel is, and a colour as one.
#pragma once

#include <vector>

#include "vulkan/icd/object.h"

namespace caldera::icd {

/// Whether the specification has the order and the type, and lets them go together.
bool is_valid(const cl_image_format& format);
/// Whether a 2D image may be seen as another of this format (OpenCL API 5.3.1.2).
bool may_be_seen_as(const cl_image_format& format, const cl_image_format& wanted);
/// The bytes of a texel; 0 for a format that is not valid, or that no device has.
size_t texel_bytes(const cl_image_format& format);
/// All that kernels can read; and, unless only to read, write.
std::vector<cl_image_format> supported_formats(bool also_written);

/// A texel of the colour of clEnqueueFillImage: four floats, or four integers for integer types, by the conversion rules of
/// OpenCL C 3.0 8.3.
std::vector<std::byte> encode(const cl_image_format& format, const void* color);

}  // namespace caldera::icd
