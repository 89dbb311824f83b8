// SPDX-License-Identifier: Apache-2.0
// A context of CUDA's that does nothing: while a process has one, NVIDIA's driver keeps the device's clock up
// (driver_quirks.def: loses_clocks).
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>

#include "spirv/support/result.h"

namespace caldera::runtime {

/// Owns a separate context, which is never current to a thread of the program. It does not use the device's
/// primary context, which the program's own CUDA code uses: a program that resets that one (cudaDeviceReset)
/// would destroy Caldera's reference, and Caldera would then release the program's next one.
///
/// No call reaches CUDA while the process exits, or in a child of fork. Movable.
class CudaContext {
 public:
    CudaContext() = default;
    /// Creates a context on the device with this UUID (VkPhysicalDeviceIDProperties::deviceUUID). Loads
    /// libcuda, which stays loaded because it has threads. This may take a second, and a process that exits
    /// meanwhile waits for it.
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
