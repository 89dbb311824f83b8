// SPDX-License-Identifier: Apache-2.0
/// @file
/// Image and Sampler: what kernels read and write with read_image and write_image.
#pragma once

#include <cstdint>
#include <memory>

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
    ABGR = 0x10c3,       ///< alpha, blue, green, red, in 8 bits each
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

/// An image: plain memory and its description. A handle, as Buffer is. Thread-safe, but for the texels. A
/// default-constructed one is no image and good for assignment only.
class CALDERA_API Image {
 public:
    /// No image.
    Image() = default;
    /// Makes an image whose texels are not defined. Rows, and slices or layers, follow each other without
    /// gaps. Fails where a size is 0 or one that the shape does not have is not 1, where the type packs other
    /// channels than the order has, or where the device has no memory left.
    static Result<Image> create(const Device& device, const ImageOptions& options);

    /// Whether this is an image.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The options that the image was created with.
    const ImageOptions& options() const;
    /// The texels: fill and read them with Queue::upload() and Queue::download().
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
};

}  // namespace caldera
