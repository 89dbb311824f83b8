// SPDX-License-Identifier: Apache-2.0
// ImageTexture: a copy of an image's texels in the device's own order, for kernels that sample it.
#pragma once

#include <cstdint>
#include <optional>

#include "vulkan/interface.h"
#include "vulkan/runtime/program.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/texture.h"

namespace caldera::icd {

/// An image in memory.
struct TexelsInMemory {
    vulkan::ImageDescriptor descriptor = {};
    const runtime::Buffer* buffer = nullptr;  ///< with the newest bytes
    uint64_t offset_bytes = 0;                ///< of the first texel
    vulkan::ImageShape shape = {};
    uint64_t writes = 0;  ///< Storage::writes(): another number means other texels
};

/// The texture of one image on one device. Its bytes in memory are the image, and commands write to them
/// alone. A launch copies them first if they have changed. Not thread-safe.
class ImageTexture {
 public:
    /// The texture with the newest texels, for what is recorded in the queue next. None if the device has no
    /// such texture, or if a copy is not worth it: where each launch reads other texels.
    std::optional<runtime::VulkanImage> newest(runtime::Device& device, const TexelsInMemory& image,
                                               runtime::Queue& queue);

 private:
    bool make(runtime::Device& device, const TexelsInMemory& image);
    bool is_worth_a_copy(uint64_t writes);

    enum class State : uint8_t { Unknown, Impossible, Made } state_ = State::Unknown;
    runtime::Texture texture_ = {};
    runtime::QueuePoint copied_ = {};             // behind the copy of the texels
    std::optional<uint64_t> copied_writes_ = {};  // TexelsInMemory::writes when they were copied
    std::optional<uint64_t> seen_writes_ = {};    // ... at the latest launch
    uint32_t launches_ = 0;                       // that read these texels
};

}  // namespace caldera::icd
