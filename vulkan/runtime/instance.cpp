// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/instance.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "spirv/support/shared_library.h"
#include "spirv/support/threads.h"
#include "vulkan/runtime/handle.h"

namespace caldera::runtime {
namespace {

std::mutex mutex;
std::weak_ptr<const Instance> of_process;
pid_t owner = 0;  // the process that created it
std::atomic<int> instances = 0;

/// On Windows, the first call of Vulkan loads its loader, and ends the process where there is none.
bool has_loader() {
#if defined(_WIN32)
    return load_library("vulkan-1.dll") != nullptr;
#else
    return true;
#endif
}

/// NVIDIA's driver cannot be loaded again after some twenty times: each time takes a part of the memory that
/// the C library keeps for thread-local variables. It is not kept from the first time on, because a child of
/// fork cannot use what its parent has loaded. driver_quirks.def: keeps_one_instance.
constexpr int kMaxLoads = 10;

/// Call this after an instance was created.
void count_loads() {
    static constinit std::atomic<int> loads = 0;
    if (instances != 1 || ++loads < kMaxLoads) return;
    keep_library("libGLX_nvidia.so.0");
    keep_library("libEGL_nvidia.so.0");  // where there is no X
}

std::vector<VkExtensionProperties> offered_extensions() {
    uint32_t count = 0;
    if (vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr) != VK_SUCCESS) return {};
    std::vector<VkExtensionProperties> offered(count);
    if (vkEnumerateInstanceExtensionProperties(nullptr, &count, offered.data()) < 0) return {};
    offered.resize(count);
    return offered;
}

}  // namespace

InstanceWishes instance_wishes(std::span<const VkExtensionProperties> offered, bool validation) {
    InstanceWishes wishes;
    if (validation) wishes.extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    const char* const portability = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    const auto is_portability = [&](const VkExtensionProperties& extension) {
        return !std::strcmp(extension.extensionName, portability);
    };
    if (std::ranges::none_of(offered, is_portability)) return wishes;
    wishes.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    wishes.extensions.push_back(portability);
    return wishes;
}

int Instance::count() { return instances; }

Instance::Instance() { ++instances; }

Instance::~Instance() {
    if (instance_) vkDestroyInstance(instance_, nullptr);
    --instances;
}

Result<std::shared_ptr<const Instance>> Instance::create(bool validation) {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pEngineName = "caldera",
                                        .apiVersion = VK_API_VERSION_1_3};
    const char* layer = "VK_LAYER_KHRONOS_validation";
    const WhileStartingThreads starting;
    if (!has_loader()) return Error{.message = "there is no vulkan-1.dll"};
    const InstanceWishes wishes = instance_wishes(offered_extensions(), validation);
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .flags = wishes.flags,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = validation ? 1u : 0u,
                                    .ppEnabledLayerNames = &layer,
                                    .enabledExtensionCount = static_cast<uint32_t>(wishes.extensions.size()),
                                    .ppEnabledExtensionNames = wishes.extensions.data()};
    const std::shared_ptr<Instance> instance(new Instance);
    VkInstance created = VK_NULL_HANDLE;
    const VkResult result = vkCreateInstance(&info, nullptr, &created);
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        return Error{.message = "the Vulkan loader does not find " + std::string(layer) +
                                " (Debian's package is vulkan-validationlayers)",
                     .code = result};
    if (result != VK_SUCCESS) return vulkan_error("vkCreateInstance", result);
    instance->instance_ = created;
    count_loads();
    return std::shared_ptr<const Instance>(instance);
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

std::vector<VkPhysicalDevice> physical_devices(VkInstance instance) {
    const WhileStartingThreads starting;
    uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS) return {};
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(instance, &count, devices.data());
    devices.resize(count);
    return devices;
}

}  // namespace caldera::runtime
