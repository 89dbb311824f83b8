// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/test_image.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "tools/clrun/host_image.h"

namespace caldera {
namespace {

constexpr uint32_t kHalfFloat = 0x10dd, kFloat = 0x10de;  // CL_HALF_FLOAT, CL_FLOAT

std::vector<std::byte> contents(const vulkan::ImageDescriptor& image, uint64_t size_bytes) {
    std::vector<std::byte> bytes(size_bytes);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 151 + i / 7 * 29 + 3);
    if (image.channel_data_type == kFloat)
        for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
            const float value = static_cast<float>(i / 4) / 4;
            std::memcpy(bytes.data() + i, &value, 4);
        }
    if (image.channel_data_type == kHalfFloat)
        for (size_t i = 0; i + 2 <= bytes.size(); i += 2) {
            const auto bits = static_cast<uint16_t>(0x3c00 + i / 2 % 0x3000);
            std::memcpy(bytes.data() + i, &bits, 2);
        }
    return bytes;
}

/// The descriptors of levels, whose addresses are distances from the first one.
std::vector<vulkan::ImageDescriptor> levels_of(vulkan::ImageDescriptor image, uint32_t levels) {
    std::vector<vulkan::ImageDescriptor> all;
    image.num_mip_levels = levels;
    for (uint32_t level = 0; level < levels; ++level) {
        tools::set_pitches(image, 3 * image.element_bytes, 5 * image.element_bytes);
        all.push_back(image);
        image.data_address += tools::size_bytes(image);
        for (uint32_t* size : {&image.width, &image.height, &image.depth}) *size = std::max(*size / 2, 1u);
    }
    return all;
}

}  // namespace

Result<TestImage> TestImage::create(runtime::Device& device, runtime::Queue& queue,
                                    vulkan::ImageDescriptor image, uint32_t levels) {
    std::vector<vulkan::ImageDescriptor> descriptors = levels_of(image, levels);
    const vulkan::ImageDescriptor& last = descriptors.back();
    const std::vector<std::byte> bytes = contents(image, last.data_address + tools::size_bytes(last));
    TestImage made;
    made.format_number_ = vulkan::image_format_number(image.channel_order, image.channel_data_type);
    Result<runtime::Buffer> texels = runtime::Buffer::create(device, bytes.size());
    if (!texels) return texels.error();
    made.texels_ = texels.take();
    for (vulkan::ImageDescriptor& level : descriptors) level.data_address += made.texels_.address();
    const std::span<const std::byte> described = std::as_bytes(std::span(descriptors));
    Result<runtime::Buffer> descriptor = runtime::Buffer::create(device, described.size());
    if (!descriptor) return descriptor.error();
    made.descriptor_ = descriptor.take();
    made.image_ = descriptors[0];
    if (Result<Done> done = queue.upload(made.texels_, 0, bytes); !done) return done.error();
    if (Result<Done> done = queue.upload(made.descriptor_, 0, described); !done) return done.error();
    return made;
}

}  // namespace caldera
