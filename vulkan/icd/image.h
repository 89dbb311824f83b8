// SPDX-License-Identifier: Apache-2.0
// Image: what makes an image of a storage (OpenCL API 5.3). Its texels are plain memory (vulkan/interface.h, ImageDescriptor).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/icd/box.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"

struct _cl_context;

namespace caldera::icd {

class Storage;

/// The layers of a 1D array are its rows, those of a 2D array its slices; 1 for what an image does not have.
class Image {
 public:
    cl_image_format format = {};
    cl_image_desc desc = {};  ///< as the program gave it, pitches filled in as it may ask for them
    size_t element_bytes = 0;
    Size3 extent = {1, 1, 1};  ///< in texels, rows, slices
    Box layout = {};           ///< in the storage
    Box host_layout = {};      ///< in the memory that the program gave

    bool has(size_t dimension) const { return dimensions_ > dimension; }
    void set_dimensions(size_t count) { dimensions_ = count; }
    /// All of it: bytes, rows, slices.
    Size3 region_bytes() const { return {extent[0] * element_bytes, extent[1], extent[2]}; }
    /// For kernels' pipelines.
    uint32_t format_number() const {
        return vulkan::image_format_number(format.image_channel_order, format.image_channel_data_type);
    }

    /// Where a region of texels lies. Throws CL_INVALID_VALUE for what is not in the image.
    Box box(const Box& whole, const size_t* origin) const;
    Size3 checked_region(const size_t* origin, const size_t* region) const;

    /// The address of the descriptor on the device of a place.
    uint64_t descriptor_address(const ::_cl_context& context, Storage& storage, size_t place);

 private:
    size_t dimensions_ = 1;
    std::mutex mutex_ = {};
    std::vector<runtime::Buffer> descriptors_ = {};  // by place
};

}  // namespace caldera::icd
