// SPDX-License-Identifier: Apache-2.0
// Image formats (OpenCL API 5.3.1.1): which ones are supported, the size of a texel, and the encoding of a
// colour.
#pragma once

#include <vector>

#include "vulkan/icd/object.h"
#include "vulkan/interface.h"

namespace caldera::icd {

/// Whether texels share bytes (cl_ext_image_raw10_raw12). Kernels only read such images.
bool is_raw(const cl_image_format& format);
/// Whether the specification allows this combination of order and type.
bool is_valid(const cl_image_format& format);
/// Whether a 2D image may be created from another one with this format (OpenCL API 5.3.1.2).
bool may_be_seen_as(const cl_image_format& format, const cl_image_format& wanted);
/// The shape that kernels see.
vulkan::ImageShape shape_of(cl_mem_object_type type);
/// Whether images of this type may have the format, if any may: depth images have two dimensions.
bool fits(const cl_image_format& format, cl_mem_object_type type);
/// The least texels of a row that have bytes of their own: one, or several that share bytes.
struct TexelGroup {
    size_t texels = 1;
    size_t bytes = 0;  ///< 0 for a format that is invalid or that no device supports

    bool is_shared() const { return texels > 1; }
    bool divides(size_t count) const { return count % texels == 0; }
    /// The bytes of so many texels, which are whole groups.
    size_t bytes_of(size_t count) const { return count / texels * bytes; }
    /// CL_IMAGE_ELEMENT_SIZE: the bytes in which a texel has room.
    size_t element_bytes() const { return (bytes + texels - 1) / texels; }
    /// A group of one texel is read at once, so it is aligned to its size.
    size_t alignment() const { return is_shared() ? 1 : bytes; }
};
TexelGroup texel_group(const cl_image_format& format);
/// All formats that kernels can read or, with `also_written`, also write.
std::vector<cl_image_format> supported_formats(bool also_written);

/// The size of the colour that clEnqueueFillImage takes: four floats or integers, or the one float of a
/// depth.
size_t color_bytes(const cl_image_format& format);
/// Encodes such a colour as a group of texels. It is floats, or integers for integer types; the conversion
/// rules are those of OpenCL C 3.0 8.3.
std::vector<std::byte> encode(const cl_image_format& format, const void* color);

}  // namespace caldera::icd
