// SPDX-License-Identifier: Apache-2.0
// Instance: loads Vulkan's drivers.
#pragma once

#include <vulkan/vulkan.h>

#include <memory>
#include <span>
#include <vector>

#include "spirv/support/result.h"

namespace caldera::runtime {

/// What an instance is made with.
struct InstanceWishes {
    VkInstanceCreateFlags flags = 0;
    std::vector<const char*> extensions = {};
};
/// `offered`: the extensions of the loader, without those of layers. Where it offers
/// VK_KHR_portability_enumeration, the instance also lists devices which miss parts of Vulkan, as MoltenVK's
/// do: other loaders list them without being asked.
InstanceWishes instance_wishes(std::span<const VkExtensionProperties> offered, bool validation);

/// The devices of any instance, in the loader's order; empty on errors.
std::vector<VkPhysicalDevice> physical_devices(VkInstance instance);

/// Owns a VkInstance. Who has the process's keeps Vulkan's drivers loaded: that takes 20 to 100 ms each time,
/// and after some twenty times NVIDIA's (580.159) cannot be loaded again. driver_quirks.def:
/// keeps_one_instance.
class Instance {
 public:
    /// The process's one, made where nobody has it. A child of fork makes another: NVIDIA's driver ends a
    /// child that uses its parent's. driver_quirks.def: makes_an_instance_after_fork. Thread-safe.
    static Result<std::shared_ptr<const Instance>> shared();
    /// A separate instance, with VK_LAYER_KHRONOS_validation and VK_EXT_debug_utils.
    static Result<std::shared_ptr<const Instance>> with_validation();
    /// How many exist in this process, those included that threads are making or destroying.
    static int count();
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance vk() const { return instance_; }
    /// In the loader's order; empty on errors.
    std::vector<VkPhysicalDevice> devices() const { return physical_devices(instance_); }

 private:
    Instance();
    static Result<std::shared_ptr<const Instance>> create(bool validation);

    VkInstance instance_ = VK_NULL_HANDLE;
};

}  // namespace caldera::runtime
