// SPDX-License-Identifier: Apache-2.0
// TransferRecorder: records copies and fills on the device into command buffers.
#pragma once

#include <memory>
#include <span>

#include "vulkan/runtime/copier.h"
#include "vulkan/runtime/copy_region.h"
#include "vulkan/runtime/launch_recorder.h"

namespace caldera::runtime {

class TransferRecorder {
 public:
    /// The copier is created for the first copy with a kernel.
    TransferRecorder(Device& device, CommandMemory& memory, LaunchBuffers& buffers,
                     std::unique_ptr<Copier>& copier)
        : device_(device), memory_(memory), buffers_(buffers), copier_(copier) {}

    /// Regions count from the beginnings of the buffers.
    Result<Done> copy(VkCommandBuffer commands, const Buffer& from, const Buffer& to,
                      std::span<const CopyRegion> regions);
    /// Repeats a pattern; `size_bytes` is a multiple of its size.
    Result<Done> fill(VkCommandBuffer commands, const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                      std::span<const std::byte> pattern);
    /// Copies regions of bytes that the commands keep.
    Result<Done> write(VkCommandBuffer commands, const Buffer& to, std::span<const std::byte> bytes,
                       std::span<const CopyRegion> regions);

 private:
    template <class Make>
    Result<Done> record_made(VkCommandBuffer commands, Make&& make);
    Result<Done> copy_by_kernel(VkCommandBuffer commands, const CopyRegion& region);

    Device& device_;
    CommandMemory& memory_;
    LaunchBuffers& buffers_;
    std::unique_ptr<Copier>& copier_;
};

}  // namespace caldera::runtime
