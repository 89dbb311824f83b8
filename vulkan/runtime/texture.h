// SPDX-License-Identifier: Apache-2.0
// Texture: an image of Vulkan's in the order of texels that suits the device.
#pragma once

#include "vulkan/runtime/device.h"
#include "vulkan/runtime/handle.h"
#include "vulkan/runtime/memory.h"
#include "vulkan/runtime/texture_format.h"

namespace caldera::runtime {

/// The shape of a texture. Sizes that the shape does not have are 1.
struct TextureShape {
    VkImageViewType view = VK_IMAGE_VIEW_TYPE_2D;  ///< 1D, 2D, 3D, 1D_ARRAY or 2D_ARRAY
    VkExtent3D extent = {1, 1, 1};                 ///< of the first level
    uint32_t layers = 1;
    uint32_t levels = 1;
};

/// Whether these limits of a format allow an image of that shape.
bool fits(const VkImageFormatProperties& most, const TextureShape& shape);
/// How an image with optimal tiling is made.
VkImageCreateInfo image_info(VkFormat format, const TextureShape& shape, VkImageUsageFlags usage);

/// Where the texels of a level are in a buffer.
struct TexelRows {
    uint64_t offset_bytes = 0;  ///< of the first texel
    uint32_t row_texels = 0, slice_rows = 0;
};

/// A copy of a level of all layers, between a texture and a buffer whose bytes begin at an offset.
VkBufferImageCopy whole_level(const TextureShape& shape, uint32_t level, uint64_t buffer_offset,
                              const TexelRows& rows);

/// What kernels do with a texture.
enum class TextureUse : uint8_t {
    Sampled,
    Written,  ///< and sampled
};

/// An image that kernels sample and copies read and write. Its layout is VK_IMAGE_LAYOUT_GENERAL from the
/// first copy to it on. Movable.
class Texture {
 public:
    Texture() = default;
    /// Whether kernels can read the format, with linear filtering where OpenCL has it, in this shape, and can
    /// write it without naming it, if they are to.
    static bool is_supported(const Device& device, const TextureFormat& format, const TextureShape& shape,
                             TextureUse use = TextureUse::Sampled);
    static Result<Texture> create(Device& device, const TextureFormat& format, const TextureShape& shape,
                                  TextureUse use = TextureUse::Sampled);

    VkImage vk() const { return image_.get(); }
    VkImageView view() const { return view_.get(); }
    const TextureShape& shape() const { return shape_; }
    TextureUse use() const { return use_; }

 private:
    Allocation memory_ = {};  // outlives the VkImage
    ImageHandle image_ = {};
    ImageViewHandle view_ = {};
    TextureShape shape_ = {};
    TextureUse use_ = TextureUse::Sampled;
};

}  // namespace caldera::runtime
