// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/shared_texture.h"

#include "vulkan/runtime/imported_memory.h"

namespace caldera::runtime {

bool fits(const SharedFormat& format, const TextureShape& shape) {
    const VkImageFormatProperties& most = format.most;
    return shape.extent.width <= most.maxExtent.width && shape.extent.height <= most.maxExtent.height &&
           shape.extent.depth <= most.maxExtent.depth && shape.layers <= most.maxArrayLayers &&
           shape.levels <= most.maxMipLevels;
}

Result<SharedTexture> SharedTexture::import(Device& device, const SharedFormat& format,
                                            const TextureShape& shape,
                                            VkExternalMemoryHandleTypeFlagBits type, int descriptor) {
    SharedTexture out;
    out.shape_ = shape;
    const VkExternalMemoryImageCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = static_cast<VkFlags>(type)};
    const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                 .pNext = &external,
                                 .imageType = image_type(shape.view),
                                 .format = format.format,
                                 .extent = shape.extent,
                                 .mipLevels = shape.levels,
                                 .arrayLayers = shape.layers,
                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                 .tiling = VK_IMAGE_TILING_OPTIMAL,
                                 .usage = format.usage,
                                 .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    if (const VkResult result = out.image_.make(device.vk(), vkCreateImage, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateImage", result);
    Result<MemoryHandle> memory = import_memory(device, out.vk(), format.is_dedicated, type, descriptor);
    if (!memory) return memory.error();
    out.memory_ = memory.take();
    if (const VkResult result = vkBindImageMemory(device.vk(), out.vk(), out.memory_.get(), 0);
        result != VK_SUCCESS)
        return vulkan_error("vkBindImageMemory", result);
    device.note_shared_image();
    return out;
}

}  // namespace caldera::runtime
