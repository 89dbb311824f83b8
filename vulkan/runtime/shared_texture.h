// SPDX-License-Identifier: Apache-2.0
// SharedTexture: an image that another program or API made with Vulkan, in the order of texels that suits the
// device.
#pragma once

#include "vulkan/runtime/shared_format.h"
#include "vulkan/runtime/texture.h"

namespace caldera::runtime {

class Buffer;

/// Its layout is VK_IMAGE_LAYOUT_GENERAL whenever others have it, and while the device's queue does. Movable.
class SharedTexture {
 public:
    SharedTexture() = default;
    /// On the memory of a file descriptor, which stays the caller's.
    static Result<SharedTexture> import(Device& device, const SharedFormat& format, const TextureShape& shape,
                                        VkExternalMemoryHandleTypeFlagBits type, int descriptor);

    VkImage vk() const { return image_.get(); }
    const TextureShape& shape() const { return shape_; }

 private:
    MemoryHandle memory_ = {};  // outlives the VkImage
    ImageHandle image_ = {};
    TextureShape shape_ = {};
};

/// A texture that changes its owner, and the bytes of its texels.
struct SharedTexels {
    const SharedTexture* texture = nullptr;
    const Buffer* bytes = nullptr;  ///< null: they are not copied
    TexelRows rows = {};
};

}  // namespace caldera::runtime
