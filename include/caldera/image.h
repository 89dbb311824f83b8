// SPDX-License-Identifier: Apache-2.0
/// @file
/// Image and Sampler: what kernels read and write with read_image and write_image.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "caldera/api.h"
#include "caldera/buffer.h"
#include "caldera/device.h"
#include "caldera/reflection.h"
#include "caldera/result.h"

namespace caldera {

/// The channels of a texel, with the API's numbers (cl_channel_order, OpenCL API 5.3.1.1).
enum class ChannelOrder : uint32_t {
    R = 0x10b0,          ///< red
    A = 0x10b1,          ///< alpha
    RG = 0x10b2,         ///< red, green
    RA = 0x10b3,         ///< red, alpha
    RGB = 0x10b4,        ///< red, green, blue, in a packed type
    RGBA = 0x10b5,       ///< red, green, blue, alpha
    BGRA = 0x10b6,       ///< blue, green, red, alpha, in 8 bits each
    ARGB = 0x10b7,       ///< alpha, red, green, blue, in 8 bits each
    Intensity = 0x10b8,  ///< one value for red, green, blue and alpha
    Luminance = 0x10b9,  ///< one value for red, green and blue
    Depth = 0x10bd,      ///< a depth
    SRGBA = 0x10c1,      ///< red, green, blue in sRGB, and alpha, in 8 bits each
    ABGR = 0x10c3,       ///< alpha, blue, green, red, in 8 bits each or in a packed type
};

/// The data type of a channel, with the API's numbers (cl_channel_type, OpenCL API 5.3.1.1).
enum class ChannelType : uint32_t {
    SnormInt8 = 0x10d0,         ///< from -1 to 1, in 8 bits
    SnormInt16 = 0x10d1,        ///< from -1 to 1, in 16 bits
    UnormInt8 = 0x10d2,         ///< from 0 to 1, in 8 bits
    UnormInt16 = 0x10d3,        ///< from 0 to 1, in 16 bits
    UnormShort565 = 0x10d4,     ///< RGB in 16 bits
    UnormShort555 = 0x10d5,     ///< RGB in 16 bits
    UnormInt101010 = 0x10d6,    ///< RGB in 32 bits
    SignedInt8 = 0x10d7,        ///< char
    SignedInt16 = 0x10d8,       ///< short
    SignedInt32 = 0x10d9,       ///< int
    UnsignedInt8 = 0x10da,      ///< uchar
    UnsignedInt16 = 0x10db,     ///< ushort
    UnsignedInt32 = 0x10dc,     ///< uint
    HalfFloat = 0x10dd,         ///< half
    Float = 0x10de,             ///< float
    UnormInt101010_2 = 0x10e0,  ///< RGBA in 32 bits
    UnormInt2_101010 = 0x10e5,  ///< ABGR in 32 bits, alpha in the highest two
};

/// The shape, format and size of an image. Sizes that the shape does not have are 1.
struct ImageOptions {
    ImageShape shape = ImageShape::Image2D;     ///< which sizes it has
    ChannelOrder order = ChannelOrder::RGBA;    ///< the channels of a texel
    ChannelType type = ChannelType::UnormInt8;  ///< what each channel is
    uint32_t width = 1;                         ///< in texels
    uint32_t height = 1;                        ///< in texels
    uint32_t depth = 1;                         ///< in texels
    uint32_t layers = 1;                        ///< the number of layers of an array
};

/// A view of an image of the application for Image::adopt(). Caldera makes no view: levels, layers, aspect
/// and swizzles are the application's choice.
struct AdoptedImage {
    VkImage_T* image = nullptr;  ///< with memory bound to it, of any allocator
    /// Of it. With several levels, for kernels that read levels, and for others that sample with normalised
    /// coordinates; one level for those that write. Of several samples if `shape` says so.
    VkImageView_T* view = nullptr;
    /// The VkImageLayout that the image is in when kernels access it: VK_IMAGE_LAYOUT_GENERAL serves all,
    /// VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL and the other read-only layouts those that read it.
    uint32_t layout = 1;
    /// The view's VkFormat. A view of a format with depth and stencil has one of them: the depth is a float,
    /// the stencil an unsigned integer. Caldera cannot see which, and lets kernels read either.
    uint32_t format = 0;
    /// The VkImageUsageFlags of the view, which are those of the image unless the view restricts them.
    /// VK_IMAGE_USAGE_SAMPLED_BIT serves read_only arguments, VK_IMAGE_USAGE_STORAGE_BIT all others.
    uint32_t usage = 0;
    ImageShape shape = ImageShape::Image2D;  ///< the view's type
    /// What get_image_channel_order() returns; by default the order of the format's channels. It changes no
    /// texel: where the view swizzles, the application states the order that kernels see.
    std::optional<ChannelOrder> order = {};
};

/// A texel buffer of the application for Image::adopt(), an image1d_buffer_t for kernels.
struct AdoptedTexelBuffer {
    VkBufferView_T* view = nullptr;  ///< of a buffer with memory bound to it
    uint32_t format = 0;             ///< the view's VkFormat
    /// The VkBufferUsageFlags of the buffer. VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT serves read_only
    /// arguments, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT all others.
    uint32_t usage = 0;
};

/// An image: plain memory and its description, or an image of the application. The former is for programs of
/// Images::Memory, the latter for those of Images::Hardware. A handle, as Buffer is. Thread-safe, but for the
/// texels. A default-constructed one is no image and good for assignment only.
class CALDERA_API Image {
 public:
    /// No image.
    Image() = default;
    /// An image of the application, which made it with the same VkDevice. Image, view and memory stay the
    /// application's, and outlive this object and what uses it. Caldera records no barrier for it and leaves
    /// the layout as it is: image_access() tells what an application orders. With VK_SHARING_MODE_EXCLUSIVE
    /// the family of Caldera's queues, or of the command buffer, owns it while kernels use it.
    ///
    /// Fails where a handle is null, where kernels cannot access an image in this layout, and where the usage
    /// or the device serves no kernel with this format. Kernel::set() fails where the kernel wants another
    /// shape, usage, layout or kind of number, and where it filters linearly what has no such filter, above
    /// all integers. Where image and sampler are both arguments, a dispatch may fail instead.
    static Result<Image> adopt(const Device& device, const AdoptedImage& image);
    /// The same for a texel buffer.
    static Result<Image> adopt(const Device& device, const AdoptedTexelBuffer& texels);
    /// Makes an image whose texels are not defined. Rows, and slices or layers, follow each other without
    /// gaps. Fails where a size is 0 or one that the shape does not have is not 1, where order, type and
    /// shape do not go together, where one of several rows has 2^32 bytes, and where no memory is left.
    static Result<Image> create(const Device& device, const ImageOptions& options);

    /// Whether this is an image.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The options that the image was created with. Those of an adopted image have its shape, and its format
    /// where OpenCL has it; the sizes are 1.
    const ImageOptions& options() const;
    /// The texels: fill and read them with Queue::upload() and Queue::download(). None of an adopted image,
    /// for which the application records copies; the sizes below are 0 then.
    const Buffer& texels() const;
    uint32_t texel_bytes() const;        ///< the size of one texel
    uint64_t row_pitch_bytes() const;    ///< from one row to the next
    uint64_t slice_pitch_bytes() const;  ///< from one slice or layer to the next

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

/// A sampler's answer to coordinates out of range (OpenCL API 5.7, cl_addressing_mode).
enum class AddressingMode : uint8_t {
    None,            ///< they are undefined
    ClampToEdge,     ///< the nearest texel of the edge
    Clamp,           ///< the border colour
    Repeat,          ///< the image repeats; needs normalised coordinates
    MirroredRepeat,  ///< the image repeats, mirrored each time; needs normalised coordinates
};

/// A sampler argument (OpenCL API 5.7). Plain data.
struct Sampler {
    bool normalized = false;  ///< coordinates go from 0 to 1; else they count texels
    AddressingMode addressing = AddressingMode::ClampToEdge;  ///< for coordinates out of range
    bool linear = false;                                      ///< linear filtering; else the nearest texel
    /// Mixes two levels of an adopted image linearly; else the nearest level. This needs `normalized`.
    bool linear_levels = false;
};

}  // namespace caldera
