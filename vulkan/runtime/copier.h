// SPDX-License-Identifier: Apache-2.0
// Copier: copies and fills device memory with kernels. On an H200 this is several times as fast as
// vkCmdCopyBuffer. Vulkan has no command that repeats a pattern longer than a word, and none that copies
// rows: each would be a region of its own, for which drivers need more memory than a short row has.
#pragma once

#include <memory>
#include <span>

#include "vulkan/runtime/copy_region.h"
#include "vulkan/runtime/ndrange.h"
#include "vulkan/runtime/program.h"

namespace caldera::runtime {

class Copier {
 public:
    static Result<Copier> create(Device& device);

    /// Whether to copy this region with a kernel.
    static bool copies(const Device& device, const Buffer& from, const Buffer& to, const CopyRegion& region);
    /// The same for many short rows, which may be in the host's memory.
    static bool copies_rows(const Device& device, const Buffer& from, const Buffer& to,
                            const CopyRegion& region);
    /// Whether to fill with this pattern with a kernel.
    static bool fills(const Device& device, const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                      std::span<const std::byte> pattern);

    struct Launch {
        Kernel kernel;
        NDRange range = {};
    };
    /// copy() and fill() take at most so many bytes at once, and copy_rows() regions that span less.
    static constexpr uint64_t kMaxBytes = 1ull << 32;
    Result<Launch> copy(uint64_t from_address, uint64_t to_address, uint64_t size_bytes) const;
    /// The offsets of the region are addresses.
    Result<Launch> copy_rows(const CopyRegion& region) const;
    Result<Launch> fill(uint64_t to_address, uint64_t size_bytes, std::span<const std::byte> pattern) const;

 private:
    /// For words of 4 and of 16 bytes.
    struct Programs {
        std::unique_ptr<Program> words = {}, quads = {};
    };
    Programs copy_ = {}, fill_ = {};
    std::unique_ptr<Program> byte_rows_ = {};  // only where kernels can access bytes
    std::unique_ptr<Program> word_rows_ = {};
};

}  // namespace caldera::runtime
