// SPDX-License-Identifier: Apache-2.0
// Copier: copies within a card's memory by a kernel. An H200 does so at several times the rate of vkCmdCopyBuffer.
#pragma once

#include <memory>

#include "vulkan/runtime/program.h"

namespace caldera::runtime {

class Copier {
 public:
    static Result<Copier> create(Device& device);

    /// Whether a kernel is to copy such a stretch, which begins at these addresses.
    static bool suits(const Device& device, const Buffer& from, const Buffer& to, const VkBufferCopy& region);

    struct Launch {
        Kernel kernel;
        NDRange range = {};
    };
    /// What copies a stretch that suits, of at most kMostBytes.
    static constexpr uint64_t kMostBytes = 1ull << 32;
    Result<Launch> launch(uint64_t from_address, uint64_t to_address, uint64_t size_bytes) const;

 private:
    std::unique_ptr<Program> words_ = {}, quads_ = {};  // of 4 bytes, of 16
};

}  // namespace caldera::runtime
