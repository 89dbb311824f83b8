// SPDX-License-Identifier: Apache-2.0
// ImageTexture: a copy of an image's texels in the device's own order, for kernels that sample or write it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "vulkan/icd/image_uses.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/program.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/texture.h"

namespace caldera::icd {

/// An image in memory.
struct TexelsInMemory {
    vulkan::ImageDescriptor descriptor = {};
    const runtime::Buffer* buffer = nullptr;      ///< with the newest bytes
    std::vector<runtime::TexelRows> levels = {};  ///< where they are
    vulkan::ImageShape shape = {};
    bool has_slices = false;      ///< the texture of this 3D image is an array of slices
    uint64_t writes = 0;          ///< Storage::writes(): another number means other texels
    bool may_be_written = false;  ///< kernels may write to the texture
    ImageUses* uses = nullptr;    ///< of the image on the device
};

/// What the texture of such an image is.
runtime::TextureShape texture_shape(const TexelsInMemory& image);

/// A texture for what is recorded next. Whoever records that keeps the texture until it has run: a launch in
/// another queue may give the image another texture.
struct TextureInUse {
    runtime::VulkanImage image = {};
    std::shared_ptr<const runtime::Texture> texture = {};
};

/// The texture of one image on one device. Its bytes in memory are the image. A launch copies them first if
/// they have changed. Kernels write to the texture instead of them where they sampled what was written
/// before: the texels then come back when a command wants the bytes (Storage::newest_on). Not thread-safe.
class ImageTexture {
 public:
    /// The texture with the newest texels, for what is recorded in the queue next. None if the device has no
    /// such texture, or no memory for it now, or if a copy is not worth it: where each launch reads other
    /// texels. A launch may be asked about again, and counts once.
    std::optional<TextureInUse> newest(runtime::Device& device, const TexelsInMemory& image,
                                       runtime::Queue& queue, bool is_new_launch);
    /// The same for a kernel that writes texels. None if the device cannot write to such a texture, or
    /// has no memory for it now.
    std::optional<TextureInUse> writable(runtime::Device& device, const TexelsInMemory& image,
                                         runtime::Queue& queue);
    /// Whether a kernel has sampled the texture since the write with this number.
    bool was_sampled(uint64_t writes) const { return sampled_writes_ == writes; }
    /// The kernel is recorded next, and its write has this number. Returns what has the newest texels then.
    std::shared_ptr<const runtime::Texture> note_write(uint64_t writes);

 private:
    enum class Attempt : uint8_t { Made, NoMemory, Unsupported };
    Attempt make(runtime::Device& device, const TexelsInMemory& image, runtime::TextureUse use);
    bool becomes_writable(runtime::Device& device, const TexelsInMemory& image);
    bool is_worth_a_copy(uint64_t writes);
    bool can_copy(const TexelsInMemory& image, runtime::Queue& queue) const;
    void update(const TexelsInMemory& image, runtime::Queue& queue, ImageUse use);
    TextureInUse argument(const TexelsInMemory& image) const;

    enum class State : uint8_t { Unknown, Impossible, Made } state_ = State::Unknown;
    std::shared_ptr<runtime::Texture> texture_ = {};
    std::optional<uint64_t> copied_writes_ = {};   // TexelsInMemory::writes when they were copied
    std::optional<uint64_t> seen_writes_ = {};     // ... at the latest launch
    std::optional<uint64_t> sampled_writes_ = {};  // ... at the latest launch that sampled the texture
    uint32_t launches_ = 0;                        // that read these texels
    bool is_worth_it_ = false;                     // what was decided for the latest launch
    bool is_never_written_ = false;                // the device cannot write to such a texture
};

}  // namespace caldera::icd
