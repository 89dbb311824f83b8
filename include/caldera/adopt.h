// SPDX-License-Identifier: Apache-2.0
/// @file
/// What an application with its own Vulkan gives to Device::adopt(), and what it enables for kernels when it
/// makes its device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caldera/api.h"
#include "caldera/checks.h"
#include "caldera/device.h"
#include "caldera/profile.h"
#include "caldera/program.h"
#include "caldera/reflection.h"
#include "caldera/result.h"

// Of <vulkan/vulkan.h>; see device.h.
struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkPhysicalDeviceFeatures2;
struct VkQueue_T;

namespace caldera {

/// A physical device, as an instance of the application sees it.
struct PhysicalDevice {
    VkInstance_T* instance = nullptr;               ///< the application's
    VkPhysicalDevice_T* physical_device = nullptr;  ///< one of the instance's
    /// What the application gave as VkApplicationInfo::apiVersion; at least Vulkan 1.1. Caldera uses no
    /// newer version, even if the device has it.
    uint32_t api_version = 0;
};

/// Features and extensions that an application enables when it makes its device (VkDeviceCreateInfo). A
/// handle: copies are the same object. Not thread-safe. A default-constructed one is none and good for
/// assignment only.
class CALDERA_API RequiredFeatures {
 public:
    /// None.
    RequiredFeatures() = default;
    /// Whether this is one.
    explicit operator bool() const { return impl_ != nullptr; }
    /// Vulkan's names of the features: members of VkPhysicalDeviceFeatures and of the structures that extend
    /// it, for example "shaderInt64" and "bufferDeviceAddress".
    std::vector<std::string> names() const;
    /// For VkDeviceCreateInfo::ppEnabledExtensionNames. The strings are static. Extensions that the
    /// instance's version of Vulkan contains are left out.
    const std::vector<const char*>& extensions() const;
    /// Adds a feature by its name, for example "timelineSemaphore" for Queue::signal(). Fails where Caldera
    /// does not know the name, or the physical device does not have the feature.
    Result<Done> add(std::string_view name);
    /// Adds what a translated module needs.
    Result<Done> add(const ProgramInterface& interface);

    /// Sets the features in the application's chain, which begins with a VkPhysicalDeviceFeatures2. A
    /// structure of the chain that has a feature is used. For the others, structures are linked to its end:
    /// they live as long as this object, and hold no feature of the application's. Null is an error.
    Result<Done> enable_in(VkPhysicalDeviceFeatures2* chain);
    /// A chain of these features alone, for VkDeviceCreateInfo::pNext. It lives as long as this object, and
    /// is what AdoptOptions::features wants.
    VkPhysicalDeviceFeatures2* chain();

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

/// What modules of OpenCL SPIR-V (of compile() or of another compiler) use on a physical device if all of its
/// features are enabled, and no more: what Program::build() makes of them with these options then needs no
/// other feature. Many modules do with less, but slower. Fails where a module cannot run on the device, or
/// the handles are null or do not belong together.
CALDERA_API Result<RequiredFeatures> required_features(
    const PhysicalDevice& physical, std::span<const std::span<const uint32_t>> opencl_modules,
    const ProgramOptions& options = {});
/// All that Caldera and kernels can use on a physical device: kernels that are not known yet then find what
/// they need. It has the features for queues too: timelineSemaphore, and pipelineCreationCacheControl.
CALDERA_API Result<RequiredFeatures> all_features(const PhysicalDevice& physical);
/// The features and limits of a physical device, all enabled, for compile() and translate() before there is a
/// device. What only shaders find out has its usual value.
CALDERA_API Result<DeviceProfile> physical_device_profile(const PhysicalDevice& physical);

/// A queue of the application's device.
struct AdoptedQueue {
    VkQueue_T* queue = nullptr;  ///< vkGetDeviceQueue's
    uint32_t family = 0;         ///< the index of its queue family
};

/// What Device::adopt() works on. All handles stay the application's, and outlive the Device and all objects
/// made from it.
struct AdoptOptions {
    PhysicalDevice physical = {};  ///< the device's
    VkDevice_T* device = nullptr;  ///< the device
    /// The queues that Caldera may submit to: at least one of a family that computes. All that compute are of
    /// one family. Others, all of one family, serve for copies of Caldera's own buffers.
    std::vector<AdoptedQueue> queues = {};
    /// The families of command buffers that Recording::record() is given, unless it is the family of the
    /// queues that compute. Each of them computes. Buffers of Caldera's are shared with them.
    std::vector<uint32_t> recording_families = {};
    /// Guard the queues where the application submits to them too: Caldera calls `lock` before and `unlock`
    /// after each vkQueueSubmit, vkQueueBindSparse and vkQueueWaitIdle, from any thread, for one queue at a
    /// time. Both or neither are set. They must not throw, and a thread that holds the lock must not call
    /// Caldera.
    std::function<void(VkQueue_T*)> lock = {};
    std::function<void(VkQueue_T*)> unlock = {};  ///< see `lock`
    std::vector<std::string> extensions = {};     ///< all extensions that the device was made with
    /// The features that the device was made with, as vkCreateDevice got them: the chain is read during the
    /// call. Null: none. Caldera uses no other feature. A feature that is stated, but was not enabled, leads
    /// to invalid calls.
    const VkPhysicalDeviceFeatures2* features = nullptr;
    /// The application's vkGetInstanceProcAddr, or null. Caldera calls the Vulkan loader that it is linked
    /// with. Device::adopt() fails where the application's is another one, rather than mix them.
    void (*(*get_instance_proc_addr)(VkInstance_T*, const char*))() = nullptr;
    /// As DeviceOptions::disk_cache. What Caldera finds out about the device is then found once only.
    bool disk_cache = false;
    /// As DeviceOptions::checks. The device needs bufferDeviceAddress for that.
    CheckOptions checks = {};
};

}  // namespace caldera
