// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/instance.h"

#include <unistd.h>

#include <mutex>

#include "spirv/support/threads.h"
#include "vulkan/runtime/handle.h"

namespace caldera::runtime {
namespace {

std::mutex mutex;
std::weak_ptr<const Instance> of_process;
pid_t owner = 0;  // the process that created it

}  // namespace

Result<std::shared_ptr<const Instance>> Instance::create(bool validation) {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pEngineName = "caldera",
                                        .apiVersion = VK_API_VERSION_1_3};
    const char* layer = "VK_LAYER_KHRONOS_validation";
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = validation ? 1u : 0u,
                                    .ppEnabledLayerNames = &layer,
                                    .enabledExtensionCount = validation ? 1u : 0u,
                                    .ppEnabledExtensionNames = &extension};
    VkInstance instance = VK_NULL_HANDLE;
    const WhileStartingThreads starting;
    if (const VkResult result = vkCreateInstance(&info, nullptr, &instance); result != VK_SUCCESS)
        return vulkan_error("vkCreateInstance", result);
    return std::shared_ptr<const Instance>(new Instance(instance));
}

Result<std::shared_ptr<const Instance>> Instance::shared() {
    const std::lock_guard lock(mutex);
    if (owner == getpid())
        if (auto instance = of_process.lock()) return instance;
    Result<std::shared_ptr<const Instance>> created = create(false);
    if (!created) return created;
    of_process = *created;
    owner = getpid();
    return created;
}

Result<std::shared_ptr<const Instance>> Instance::with_validation() { return create(true); }

std::vector<VkPhysicalDevice> Instance::devices() const {
    const WhileStartingThreads starting;
    uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(instance_, &count, nullptr) != VK_SUCCESS) return {};
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(instance_, &count, devices.data());
    devices.resize(count);
    return devices;
}

}  // namespace caldera::runtime
