// SPDX-License-Identifier: Apache-2.0
// OpenCL's image formats as numbers: which channel orders and types go together, and what a texel's bytes
// are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vulkan/interface.h"

namespace caldera::runtime {

/// cl_channel_order and cl_channel_type (OpenCL API 5.3.1.1).
enum : uint32_t {
    kOrderR = 0x10b0,
    kOrderA = 0x10b1,
    kOrderRG = 0x10b2,
    kOrderRA = 0x10b3,
    kOrderRGB = 0x10b4,
    kOrderRGBA = 0x10b5,
    kOrderBGRA = 0x10b6,
    kOrderARGB = 0x10b7,
    kOrderIntensity = 0x10b8,
    kOrderLuminance = 0x10b9,
    kOrderRx = 0x10ba,
    kOrderRGx = 0x10bb,
    kOrderRGBx = 0x10bc,
    kOrderDepth = 0x10bd,
    kOrderDepthStencil = 0x10be,
    kOrderSRGB = 0x10bf,
    kOrderSRGBx = 0x10c0,
    kOrderSRGBA = 0x10c1,
    kOrderSBGRA = 0x10c2,
    kOrderABGR = 0x10c3,
    kSnormInt8 = 0x10d0,
    kSnormInt16 = 0x10d1,
    kUnormInt8 = 0x10d2,
    kUnormInt16 = 0x10d3,
    kUnormShort565 = 0x10d4,
    kUnormShort555 = 0x10d5,
    kUnormInt101010 = 0x10d6,
    kSignedInt8 = 0x10d7,
    kSignedInt16 = 0x10d8,
    kSignedInt32 = 0x10d9,
    kUnsignedInt8 = 0x10da,
    kUnsignedInt16 = 0x10db,
    kUnsignedInt32 = 0x10dc,
    kHalfFloat = 0x10dd,
    kFloat = 0x10de,
    kUnormInt24 = 0x10df,
    kUnormInt101010_2 = 0x10e0,
    kUnormInt2_101010 = 0x10e5,  // cl_ext_image_unorm_int_2_101010
};

/// An order, its name without CL_, and its channels, letters of "rgba" in the order of memory, or "x" for one
/// that is not read.
struct ChannelOrder {
    uint32_t order = 0;
    std::string_view name = {};
    const char* letters = "";
    bool is_supported = true;
};
/// All orders that OpenCL names.
std::span<const ChannelOrder> channel_orders();

enum class ChannelBits : uint8_t { Unsigned, Signed, Float };
/// A type, its name without CL_, and the number in memory that a channel is, or a texel of a packed type.
struct ChannelType {
    uint32_t type = 0;
    std::string_view name = {};
    uint32_t bytes = 0;  ///< 0: not supported
    ChannelBits bits = ChannelBits::Unsigned;
    uint8_t texel_numbers = 0;  ///< what kernels see: one of vulkan::TexelNumbers
    bool is_packed = false;
};
/// All types that OpenCL names.
std::span<const ChannelType> channel_types();
/// Null for a number that is no type.
const ChannelType* find_channel_type(uint32_t channel_data_type);

/// Null for a number that is no order.
const ChannelOrder* find_channel_order(uint32_t channel_order);
/// The letters of an order; null for one that is not supported.
const char* channels_of(uint32_t channel_order);
/// The bytes of a channel, or of the whole texel for a packed type; 0 for a type that is not supported.
uint32_t channel_bytes(uint32_t channel_data_type);
/// Whether a texel of the type is one number with all channels in its bits.
bool is_packed(uint32_t channel_data_type);
/// Whether both are supported and go together (OpenCL API 5.3.1.1, tables of channel orders and types).
bool goes_together(uint32_t channel_order, uint32_t channel_data_type);
/// The bytes of a texel as kernels decode it, also of orders that are not supported; 0 for an unknown type.
uint32_t decoded_bytes(uint32_t channel_order, uint32_t channel_data_type);
/// The bytes of a texel; 0 where order and type do not go together.
uint32_t texel_bytes(uint32_t channel_order, uint32_t channel_data_type);
/// Whether only 2D images and arrays of them have the order: depth images.
bool has_planes_only(uint32_t channel_order);
/// Whether images of the shape may have the order.
bool fits(uint32_t channel_order, vulkan::ImageShape shape);

struct ImageSizes {
    uint32_t width = 1, height = 1, depth = 1, layers = 1;
};
/// An image without an address, whose rows and slices have no gaps between them. Sizes whose bytes 64 bits do
/// not count are the caller's to decline.
vulkan::ImageDescriptor packed_image(uint32_t channel_order, uint32_t channel_data_type,
                                     const ImageSizes& sizes);
/// Whether kernels can find the rows: they compute their places from 32 bits of the pitch
/// (builtins/image/image.h).
bool are_rows_found(uint64_t row_pitch_bytes, uint64_t rows);

}  // namespace caldera::runtime
