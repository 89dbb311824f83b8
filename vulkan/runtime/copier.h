// SPDX-License-Identifier: Apache-2.0
// Copier: copies and fills within a card's memory by kernels. An H200 does so at several times the rate of vkCmdCopyBuffer, and
// Vulkan has no command that repeats more than a word.
#pragma once

#include <memory>
#include <span>

#include "vulkan/runtime/ndrange.h"
#include "vulkan/runtime/program.h"

namespace caldera::runtime {

class Copier {
 public:
    static Result<Copier> create(Device& device);

    /// Whether a kernel is to copy such a stretch, which begins at these addresses.
    static bool copies(const Device& device, const Buffer& from, const Buffer& to,
                       const VkBufferCopy& region);
    /// Whether a kernel is to repeat such a pattern there.
    static bool fills(const Device& device, const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                      std::span<const std::byte> pattern);

    struct Launch {
        Kernel kernel;
        NDRange range = {};
    };
    /// What copies or fills a stretch that a kernel is for, of at most kMaxBytes.
    static constexpr uint64_t kMaxBytes = 1ull << 32;
    Result<Launch> copy(uint64_t from_address, uint64_t to_address, uint64_t size_bytes) const;
    Result<Launch> fill(uint64_t to_address, uint64_t size_bytes, std::span<const std::byte> pattern) const;

 private:
    /// By words of 4 bytes, and of 16.
    struct Programs {
        std::unique_ptr<Program> words = {}, quads = {};
    };
    Programs copy_ = {}, fill_ = {};
};

}  // namespace caldera::runtime
