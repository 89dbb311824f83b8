// SPDX-License-Identifier: Apache-2.0
// A context of CUDA's that does nothing: while a process has one, NVIDIA's driver keeps the device's clock up (driver_quirks.def: loses_clocks).
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>

#include "spirv/support/result.h"

namespace caldera::runtime {

/// Owns a context of its own, which is never current to a thread of the program's. Not the device's primary one, which the program's
/// CUDA has: a program that resets that (cudaDeviceReset) would take ours away, and what we release then would be the program's next.
///
/// No call reaches CUDA once the process ends or in a child of fork. Movable.
class CudaContext {
 public:
    CudaContext() = default;
    /// On the device of this UUID (VkPhysicalDeviceIDProperties::deviceUUID). Loads libcuda, which stays loaded: it has threads. May take a
    /// second. A process that ends meanwhile waits for that.
    static Result<CudaContext> create(const std::array<uint8_t, VK_UUID_SIZE>& uuid);
    ~CudaContext();
    CudaContext(CudaContext&& other) noexcept { swap(other); }
    CudaContext& operator=(CudaContext&& other) noexcept {
        swap(other);
        return *this;
    }
    explicit operator bool() const { return context_ != nullptr; }

 private:
    void swap(CudaContext& other) noexcept {
        std::swap(context_, other.context_);
        std::swap(destroy_, other.destroy_);
    }

    void* context_ = nullptr;
    int (*destroy_)(void*) = nullptr;
};

}  // namespace caldera::runtime
