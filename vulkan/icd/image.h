// SPDX-License-Identifier: Apache-2.0
// Image: the description that turns a storage into an image (OpenCL API 5.3). Texels are plain memory
// (vulkan/interface.h, ImageDescriptor).
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/icd/box.h"
#include "vulkan/icd/image_format.h"
#include "vulkan/icd/image_texture.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/program.h"
#include "vulkan/texture_probe.h"

struct _cl_context;

namespace caldera::icd {

class Storage;
struct ExternalMemory;
struct SharedPlace;

/// A level of an image (cl_khr_mipmap_image).
struct ImageLevel {
    Size3 extent = {1, 1, 1};  ///< in texels, rows, slices
    Box layout = {};           ///< in the storage
};

/// A region of texels of one level.
struct ImageRegion {
    Size3 size = {};  ///< in bytes, rows and slices
    Box place = {};   ///< in the storage
    Box host = {};    ///< in the program's memory, if the image was made with it
};

/// The layers of a 1D array count as rows, those of a 2D array as slices. Dimensions that an image does not
/// have are 1.
class Image {
 public:
    cl_image_format format = {};
    cl_image_desc desc = {};      ///< as the program passed it, with the pitches that queries return
    bool may_be_written = false;  ///< by kernels
    TexelGroup group = {};
    Size3 extent = {1, 1, 1};  ///< of the first level: in texels, rows, slices
    Box layout = {};           ///< of the first level, in the storage; the others follow without gaps
    Box host_layout = {};      ///< in the program's memory

    bool has(size_t dimension) const { return dimensions_ > dimension; }
    void set_dimensions(size_t count) { dimensions_ = count; }
    /// The size of the first level in bytes, rows and slices.
    Size3 region_bytes() const { return {group.bytes_of(extent[0]), extent[1], extent[2]}; }

    /// The region with the layers of a 1D array as slices, as pitches count them, and a box with such pitches
    /// as the image's.
    Size3 slices_of(const Size3& region) const {
        return is_row_of_layers() ? Size3{region[0], 1, region[1]} : region;
    }
    Box rows_in(const Box& box) const {
        return is_row_of_layers() ? Box{box.offset, box.slice_pitch, box.slice_pitch} : box;
    }
    /// The reverse, as clEnqueueMapImage returns it. A row of a 1D array has the pitch that the program gave,
    /// unless the layers are closer together than that, in memory of the driver.
    Box pitches_of(const Box& rows) const {
        return is_row_of_layers()
                   ? Box{rows.offset, std::min(desc.image_row_pitch, rows.row_pitch), rows.row_pitch}
                   : rows;
    }

    bool has_levels() const { return desc.num_mip_levels > 1; }
    size_t levels() const { return has_levels() ? desc.num_mip_levels : 1; }
    /// Each size is half that of the level before, rounded down, and at least 1.
    ImageLevel level(size_t number) const;
    /// The size of all levels. Without gaps between rows, if there is one.
    size_t size_bytes() const;
    /// The format number for pipelines.
    uint32_t format_number() const {
        return vulkan::image_format_number(format.image_channel_order, format.image_channel_data_type);
    }

    /// A region of texels, as commands name it: with levels, the origin has the level's number behind the
    /// coordinates. Throws CL_INVALID_MIP_LEVEL, or CL_INVALID_VALUE if the region is not inside the level.
    ImageRegion region(const size_t* origin, const size_t* region) const;

    /// Whether these bytes are an image alone.
    bool can_have_textures() const {
        return !desc.mem_object && desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    }
    /// The image as kernels take it, on the device of a place.
    runtime::ImageArgument argument(const ::_cl_context& context, Storage& storage, size_t place);

    /// The texture that others share on the device, and where its texels belong in the bytes of the image.
    /// Throws CL_IMAGE_FORMAT_NOT_SUPPORTED or CL_INVALID_IMAGE_SIZE where the device imports none.
    SharedPlace shared_texture(runtime::Device& device, const ExternalMemory& external) const;

    /// What the texture of a 3D image is on a device. With levels, there are no slices.
    VolumeForm volume_form(runtime::Device& device) const;

    /// The image as a texture with the newest texels, on the device of a place, for a kernel that samples
    /// this shape. What is recorded in the queue next may use it. None where the image is better off in
    /// memory, or can only be there, where others know its bytes. `is_new_launch`: the
    /// launch has not been asked about before.
    std::optional<TextureInUse> sampled(const ::_cl_context& context, Storage& storage, size_t place,
                                        vulkan::ImageShape shape, runtime::Queue& queue, bool is_new_launch);

    /// The same for a kernel that writes texels. Whoever launches it calls leave_in_texture() next.
    std::optional<TextureInUse> writable(const ::_cl_context& context, Storage& storage, size_t place,
                                         vulkan::ImageShape shape, runtime::Queue& queue);
    /// Whether a kernel had better write to the texture: the newest texels are only there, or it was sampled
    /// since they were written.
    bool is_better_written_there(Storage& storage, size_t place);
    /// The kernel that writes to the texture is recorded next.
    void leave_in_texture(Storage& storage, size_t place);

 private:
    vulkan::ImageShape texture_shape() const;
    /// None where others know the image's bytes, and if it has another shape.
    std::optional<TexelsInMemory> texels(Storage& storage, size_t place, vulkan::ImageShape shape) const;
    /// The same with what a texture of it is.
    std::optional<TexelsInMemory> texels(const ::_cl_context& context, Storage& storage, size_t place,
                                         vulkan::ImageShape shape) const;
    bool is_row_of_layers() const { return desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
    ImageTexture& texture(const ::_cl_context& context, size_t place);
    bool halves(size_t dimension) const;                                ///< from level to level; layers stay
    vulkan::ImageDescriptor descriptor(const ImageLevel& level) const;  ///< without the address of the texels
    runtime::TexelRows rows(const ImageLevel& level) const;             ///< where they are in the storage
    uint64_t descriptor_address(const ::_cl_context& context, uint64_t data_address, size_t place);

    size_t dimensions_ = 1;
    std::mutex mutex_ = {};
    std::vector<runtime::Buffer> descriptors_ = {};  // by place
    std::vector<ImageTexture> textures_ = {};        // by place
};

}  // namespace caldera::icd
