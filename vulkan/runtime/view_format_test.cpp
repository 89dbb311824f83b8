// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/view_format.h"

#include <doctest/doctest.h>

#include "vulkan/interface.h"
#include "vulkan/runtime/image_format.h"

namespace caldera::runtime {
namespace {

TEST_CASE("view_format: views show kernels their format's order, type and numbers") {
    struct Row {
        VkFormat format = VK_FORMAT_UNDEFINED;
        uint32_t order = 0, type = 0;
        uint8_t numbers = 0;
    };
    using enum vulkan::TexelNumbers;
    const Row rows[] = {{VK_FORMAT_R8G8B8A8_UNORM, kOrderRGBA, kUnormInt8, kFloatTexels},
                        {VK_FORMAT_A8B8G8R8_UNORM_PACK32, kOrderRGBA, kUnormInt8, kFloatTexels},
                        {VK_FORMAT_A8B8G8R8_SNORM_PACK32, kOrderRGBA, kSnormInt8, kFloatTexels},
                        {VK_FORMAT_A8B8G8R8_UINT_PACK32, kOrderRGBA, kUnsignedInt8, kUnsignedTexels},
                        {VK_FORMAT_A8B8G8R8_SRGB_PACK32, kOrderSRGBA, kUnormInt8, kFloatTexels},
                        {VK_FORMAT_R8G8B8A8_SRGB, kOrderSRGBA, kUnormInt8, kFloatTexels},
                        {VK_FORMAT_R8G8B8_SRGB, kOrderSRGB, kUnormInt8, kFloatTexels},
                        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, kOrderABGR, kUnormInt2_101010, kFloatTexels},
                        {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 0, 0, kFloatTexels},
                        {VK_FORMAT_R32_SINT, kOrderR, kSignedInt32, kSignedTexels},
                        {VK_FORMAT_S8_UINT, 0, 0, kUnsignedTexels},
                        {VK_FORMAT_D24_UNORM_S8_UINT, 0, 0, kFloatTexels | kUnsignedTexels},
                        {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 0, 0, kFloatTexels},
                        {VK_FORMAT_R64_UINT, 0, 0, 0},
                        {VK_FORMAT_R64G64_SINT, 0, 0, 0},
                        {VK_FORMAT_R64G64B64A64_SFLOAT, 0, 0, 0}};
    for (const Row& row : rows) {
        CAPTURE(row.format);
        const ViewFormat shown = view_format(row.format);
        CHECK(shown.channel_order == row.order);
        CHECK(shown.channel_data_type == row.type);
        CHECK(shown.texel_numbers == row.numbers);
    }
    for (const uint8_t numbers : {kFloatTexels, kSignedTexels, kUnsignedTexels})
        for (const bool has_open_signs : {false, true})
            CHECK_FALSE(gives_numbers(0, numbers, has_open_signs));
    const uint8_t both = kFloatTexels | kUnsignedTexels;
    CHECK(gives_numbers(both, kFloatTexels, false));
    CHECK(gives_numbers(both, kUnsignedTexels, false));
    CHECK_FALSE(gives_numbers(both, kSignedTexels, true));
    CHECK(gives_numbers(kSignedTexels, kUnsignedTexels, true));
    CHECK_FALSE(gives_numbers(kSignedTexels, kUnsignedTexels, false));
    CHECK_FALSE(gives_numbers(kUnsignedTexels, kSignedTexels, true));
}

}  // namespace
}  // namespace caldera::runtime
