// SPDX-License-Identifier: Apache-2.0
// ExternalSemaphore: a binary semaphore that other APIs and processes signal and wait for.
#pragma once

#include <memory>

#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

class Device;
using SemaphoreHandleType = VkExternalSemaphoreHandleTypeFlagBits;

/// Must not die while a queue still uses it. Whoever waits for it must know that a signal was submitted.
class ExternalSemaphore {
 public:
    /// One that can be exported.
    static Result<std::shared_ptr<ExternalSemaphore>> create(const Device& device, SemaphoreHandleType type);
    /// One with the payload of a descriptor, which stays the caller's.
    static Result<std::shared_ptr<ExternalSemaphore>> import(const Device& device, SemaphoreHandleType type,
                                                             int descriptor);
    /// A descriptor that is the caller's; -1 is that of a sync file that was signalled.
    Result<int> export_descriptor() const;

    SemaphoreHandleType type() const { return type_; }
    /// Descriptors are of the semaphore itself, and not of what it waits for now.
    bool is_by_reference() const { return type_ == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT; }
    VkSemaphore vk() const { return semaphore_.get(); }

    ExternalSemaphore(const Device& device, SemaphoreHandleType type, SemaphoreHandle semaphore)
        : device_(device), type_(type), semaphore_(std::move(semaphore)) {}

 private:
    const Device& device_;
    const SemaphoreHandleType type_;
    const SemaphoreHandle semaphore_;
};

}  // namespace caldera::runtime
