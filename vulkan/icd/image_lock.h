// SPDX-License-Identifier: Apache-2.0
// ImageLock, MemoryClaim: what holds off others that would record a command on the same image.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "vulkan/icd/memory.h"

namespace caldera::icd {

/// Held by who records a command that uses images, from the choice between memory and texture until it is
/// known what the command wrote: what other queues record next must find that. Images that have no textures
/// do not count.
class ImageLock {
 public:
    /// Some may be null, and some the same.
    explicit ImageLock(std::span<Storage* const> storages);
    explicit ImageLock(std::initializer_list<Storage*> storages)
        : ImageLock(std::span(storages.begin(), storages.size())) {}

 private:
    std::vector<std::unique_lock<std::mutex>> locks_ = {};
};

/// For a command that writes to the memory of images and has ended when it is recorded. Others do not wait
/// for that, as they would for a lock, because the device may need their commands first.
class MemoryClaim {
 public:
    /// The newest texels are brought to the memory of these images of a place, of which the command uses such
    /// bytes.
    MemoryClaim(std::vector<std::shared_ptr<Storage>> storages, size_t place, runtime::Queue& queue,
                const UsedBytes& used = {});
    MemoryClaim(const MemoryClaim&) = delete;
    MemoryClaim& operator=(const MemoryClaim&) = delete;
    ~MemoryClaim();

 private:
    void end();
    const std::vector<std::shared_ptr<Storage>> storages_;
    size_t claimed_ = 0;  // of them
};

}  // namespace caldera::icd
