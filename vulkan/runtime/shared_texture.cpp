// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/shared_texture.h"

#include "vulkan/runtime/imported_memory.h"

namespace caldera::runtime {

Result<SharedTexture> SharedTexture::import(Device& device, const SharedFormat& format,
                                            const TextureShape& shape,
                                            VkExternalMemoryHandleTypeFlagBits type, int descriptor) {
    SharedTexture out;
    out.shape_ = shape;
    const VkExternalMemoryImageCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = static_cast<VkFlags>(type)};
    VkImageCreateInfo info = image_info(format.format, shape, format.usage);
    info.pNext = &external;
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
