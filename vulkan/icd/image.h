// SPDX-License-Identifier: Apache-2.0
// Image: the description that turns a storage into an image (OpenCL API 5.3). Texels are plain memory
// (vulkan/interface.h, ImageDescriptor).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/icd/box.h"
#include "vulkan/icd/image_texture.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/program.h"

struct _cl_context;

namespace caldera::icd {

class Storage;

/// The layers of a 1D array count as rows, those of a 2D array as slices. Dimensions that an image does not
/// have are 1.
class Image {
 public:
    cl_image_format format = {};
    cl_image_desc desc = {};  ///< as the program passed it, with the pitches that queries return
    size_t element_bytes = 0;
    Size3 extent = {1, 1, 1};  ///< in texels, rows, slices
    Box layout = {};           ///< in the storage
    Box host_layout = {};      ///< in the program's memory

    bool has(size_t dimension) const { return dimensions_ > dimension; }
    void set_dimensions(size_t count) { dimensions_ = count; }
    /// The size of the whole image in bytes, rows and slices.
    Size3 region_bytes() const { return {extent[0] * element_bytes, extent[1], extent[2]}; }
    /// The format number for pipelines.
    uint32_t format_number() const {
        return vulkan::image_format_number(format.image_channel_order, format.image_channel_data_type);
    }

    /// The place of a region of texels. Throws CL_INVALID_VALUE if it is not inside the image.
    Box box(const Box& whole, const size_t* origin) const;
    Size3 checked_region(const size_t* origin, const size_t* region) const;

    /// The image as kernels take it, on the device of a place.
    runtime::ImageArgument argument(const ::_cl_context& context, Storage& storage, size_t place);

    /// The image as a texture with the newest texels, on the device of a place, for a kernel that samples
    /// this shape. What is recorded in the queue next may use it. None where the image is better off in
    /// memory, or can only be there.
    std::optional<runtime::VulkanImage> sampled(const ::_cl_context& context, Storage& storage, size_t place,
                                                vulkan::ImageShape shape, runtime::Queue& queue);

 private:
    vulkan::ImageShape texture_shape() const;
    vulkan::ImageDescriptor descriptor() const;  ///< without the address of the texels
    uint64_t descriptor_address(const ::_cl_context& context, uint64_t data_address, size_t place);

    size_t dimensions_ = 1;
    std::mutex mutex_ = {};
    std::vector<runtime::Buffer> descriptors_ = {};  // by place
    std::vector<ImageTexture> textures_ = {};        // by place
};

}  // namespace caldera::icd
