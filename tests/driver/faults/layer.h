// SPDX-License-Identifier: Apache-2.0
// What the layer of layer.cpp offers to a test in the same process, which finds it by name: the loader has
// loaded it.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

namespace caldera::faults {

/// The call of this name after `skip` others, and `times - 1` calls after that, return `result`.
/// VK_ERROR_DEVICE_LOST loses the device of that call: from then on all calls say so that may.
struct Fault {
    const char* function = nullptr;
    uint32_t skip = 0, times = 1;
    VkResult result = VK_SUCCESS;
};

/// Exported as "caldera_fault_layer".
struct Layer {
    void (*set)(const Fault& fault) = nullptr;  ///< instead of the last one; counts from now on
    void (*clear)() = nullptr;
    uint32_t (*calls)(const char* function) =
        nullptr;  ///< so far; 0 as well for what the layer does not know
    /// Vulkan objects that are alive.
    int64_t (*objects)() = nullptr;
    /// The function is called before each call that the layer knows, in the thread that makes it, so that a
    /// test can hold this thread up. Null: no more.
    void (*hold)(void (*function)(const char* call, void* user_data), void* user_data) = nullptr;
};

}  // namespace caldera::faults
