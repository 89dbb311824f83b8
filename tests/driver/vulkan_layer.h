// SPDX-License-Identifier: Apache-2.0
// What Vulkan layers have in common (the loader's "Architecture of the Vulkan Loader Interfaces", "Layer
// Details").
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

namespace caldera {

/// A device or instance and all its dispatchable objects (queues, command buffers) begin with the same
/// pointer, which the loader puts there.
inline const void* layer_key(const void* dispatchable) {
    return *static_cast<const void* const*>(dispatchable);
}

/// A layer's data for each device or instance, found by any of its dispatchable handles. Thread-safe; a value
/// keeps its address until it is taken out.
template <class T>
class ByHandle {
 public:
    void put(const void* dispatchable, T value) {
        const std::lock_guard lock(mutex_);
        values_[layer_key(dispatchable)] = std::move(value);
    }
    T& of(const void* dispatchable) {
        const std::lock_guard lock(mutex_);
        return values_.at(layer_key(dispatchable));
    }
    template <class Visit>
    void for_each(Visit&& visit) {
        const std::lock_guard lock(mutex_);
        for (auto& [key, value] : values_) visit(value);
    }
    T take(const void* dispatchable) {
        const std::lock_guard lock(mutex_);
        return std::move(values_.extract(layer_key(dispatchable)).mapped());
    }

 private:
    std::mutex mutex_ = {};
    std::map<const void*, T> values_ = {};
};

/// For vkNegotiateLoaderLayerInterfaceVersion.
inline VkResult negotiate_layer(VkNegotiateLayerInterface* version,
                                PFN_vkGetInstanceProcAddr get_instance_proc,
                                PFN_vkGetDeviceProcAddr get_device_proc) {
    version->loaderLayerInterfaceVersion = 2;
    version->pfnGetInstanceProcAddr = get_instance_proc;
    version->pfnGetDeviceProcAddr = get_device_proc;
    version->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}

/// The part of a chain where the loader says who comes next.
template <class Info>
Info* layer_link(const void* chain, VkStructureType type) {
    auto* info = const_cast<Info*>(static_cast<const Info*>(chain));
    while (info && !(info->sType == type && info->function == VK_LAYER_LINK_INFO))
        info = const_cast<Info*>(static_cast<const Info*>(info->pNext));
    return info;
}

/// Has the next layer, or the driver, make an instance. `get`: how its functions are found.
inline VkResult create_next_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* callbacks,
                                     VkInstance* instance, PFN_vkGetInstanceProcAddr& get) {
    auto* link =
        layer_link<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"))(info, callbacks,
                                                                                    instance);
}

/// The same for a device.
inline VkResult create_next_device(VkInstance instance, VkPhysicalDevice physical,
                                   const VkDeviceCreateInfo* info, const VkAllocationCallbacks* callbacks,
                                   VkDevice* device, PFN_vkGetDeviceProcAddr& get) {
    auto* link =
        layer_link<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    const PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return reinterpret_cast<PFN_vkCreateDevice>(get_instance(instance, "vkCreateDevice"))(physical, info,
                                                                                          callbacks, device);
}

/// What passes instances and devices on, for a layer that changes what they say. Thread-safe.
template <class Instance>
class LayerChain {
 public:
    /// The instance of any of its dispatchable handles. An Instance has the members `handle` and `get`.
    Instance& instance_of(const void* dispatchable) { return instances_.of(dispatchable).instance; }
    PFN_vkGetDeviceProcAddr functions_of(VkDevice device) { return devices_.of(device).get; }

    /// `find(instance)` finds the functions of the next layer.
    template <class Find>
    VkResult create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* callbacks,
                             VkInstance* instance, Find&& find) {
        MadeInstance made;
        const VkResult result = create_next_instance(info, callbacks, instance, made.instance.get);
        if (result != VK_SUCCESS) return result;
        made.instance.handle = *instance;
        made.destroy =
            reinterpret_cast<PFN_vkDestroyInstance>(made.instance.get(*instance, "vkDestroyInstance"));
        find(made.instance);
        instances_.put(*instance, made);
        return result;
    }
    void destroy_instance(VkInstance instance, const VkAllocationCallbacks* callbacks) {
        if (instance) instances_.take(instance).destroy(instance, callbacks);
    }
    VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                           const VkAllocationCallbacks* callbacks, VkDevice* device) {
        MadeDevice made;
        const VkResult result =
            create_next_device(instance_of(physical).handle, physical, info, callbacks, device, made.get);
        if (result != VK_SUCCESS) return result;
        made.destroy = reinterpret_cast<PFN_vkDestroyDevice>(made.get(*device, "vkDestroyDevice"));
        devices_.put(*device, made);
        return result;
    }
    void destroy_device(VkDevice device, const VkAllocationCallbacks* callbacks) {
        if (device) devices_.take(device).destroy(device, callbacks);
    }

 private:
    /// What comes next is asked for when an object is made. Once an instance is made, the loader (1.3.239)
    /// finds the functions of its first layer for the last one, so that it would destroy the instance twice.
    struct MadeInstance {
        Instance instance = {};
        PFN_vkDestroyInstance destroy = nullptr;
    };
    struct MadeDevice {
        PFN_vkGetDeviceProcAddr get = nullptr;
        PFN_vkDestroyDevice destroy = nullptr;
    };
    ByHandle<MadeInstance> instances_ = {};
    ByHandle<MadeDevice> devices_ = {};
};

/// A function of a layer, and the name by which it is asked for.
struct LayerFunction {
    template <class Function>
    LayerFunction(std::string_view its_name, Function* pointer)
        : name(its_name), function(reinterpret_cast<PFN_vkVoidFunction>(pointer)) {}
    std::string_view name;
    PFN_vkVoidFunction function;
};
/// Null for a function that the layer does not have.
inline PFN_vkVoidFunction find_function(std::span<const LayerFunction> functions, std::string_view name) {
    const auto found = std::ranges::find(functions, name, &LayerFunction::name);
    return found == functions.end() ? nullptr : found->function;
}

/// The functions that every layer has. `chain()` is its LayerChain, `find_next` is for
/// LayerChain::create_instance(), and `own(name)` is what the layer puts in a function's place, or null.
template <auto chain, auto find_next, auto own>
struct LayerFunctions {
    static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                                          const VkAllocationCallbacks* callbacks,
                                                          VkInstance* instance) {
        return chain().create_instance(info, callbacks, instance, find_next);
    }
    static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                                       const VkAllocationCallbacks* callbacks) {
        chain().destroy_instance(instance, callbacks);
    }
    static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                        const VkDeviceCreateInfo* info,
                                                        const VkAllocationCallbacks* callbacks,
                                                        VkDevice* device) {
        return chain().create_device(physical, info, callbacks, device);
    }
    static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device,
                                                     const VkAllocationCallbacks* callbacks) {
        chain().destroy_device(device, callbacks);
    }
    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name) {
        if (const PFN_vkVoidFunction function = of_layer(name)) return function;
        return chain().functions_of(device)(device, name);
    }
    static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name) {
        if (const PFN_vkVoidFunction function = of_layer(name)) return function;
        return instance ? chain().instance_of(instance).get(instance, name) : nullptr;
    }

 private:
    static PFN_vkVoidFunction of_layer(std::string_view name) {
        static const LayerFunction kFunctions[] = {{"vkGetInstanceProcAddr", get_instance_proc},
                                                   {"vkGetDeviceProcAddr", get_device_proc},
                                                   {"vkCreateInstance", create_instance},
                                                   {"vkDestroyInstance", destroy_instance},
                                                   {"vkCreateDevice", create_device},
                                                   {"vkDestroyDevice", destroy_device}};
        const PFN_vkVoidFunction function = own(name);
        return function ? function : find_function(kFunctions, name);
    }
};

}  // namespace caldera
