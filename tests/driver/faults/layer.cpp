// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer whose calls fail or wait when a test wants them to (layer.h), and which counts objects.
#include "tests/driver/faults/layer.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "tests/driver/vulkan_layer.h"

namespace caldera::faults {
namespace {

enum class Function {
#define MAKES(name) name,
#define CALL(name) name,
#define LOSES(name) name,
#define COUNTS(name) name,
#define DESTROYS(name) name,
#include "tests/driver/faults/functions.def"
    vkCreateDevice,
    kCount
};
constexpr const char* kNames[] = {
#define MAKES(name) #name,
#define CALL(name) #name,
#define LOSES(name) #name,
#define COUNTS(name) #name,
#define DESTROYS(name) #name,
#include "tests/driver/faults/functions.def"
    "vkCreateDevice"};

struct Next {
    PFN_vkVoidFunction functions[static_cast<size_t>(Function::kCount)] = {};
    PFN_vkGetDeviceProcAddr get_device_proc = nullptr;
    PFN_vkGetInstanceProcAddr get_instance_proc = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    bool is_lost = false;
};

struct State {
    ByHandle<Next> next = {};
    std::mutex mutex = {};  // protects the rest, and is_lost
    Fault fault = {};
    std::string function = {};
    void (*holds)(const char*, void*) = nullptr;
    void* user_data = nullptr;
    uint32_t counts[static_cast<size_t>(Function::kCount)] = {};
    std::atomic<int64_t> objects = 0;
};
State& state() {
    static State* const state = new State;  // outlives what other libraries destroy at exit
    return *state;
}

template <class F>
F next(const void* handle, Function function) {
    return reinterpret_cast<F>(state().next.of(handle).functions[static_cast<size_t>(function)]);
}

/// Lets the test hold the thread up.
void hold(Function function) {
    State& s = state();
    std::unique_lock lock(s.mutex);
    auto* const holds = s.holds;
    void* const user_data = s.user_data;
    lock.unlock();
    if (holds) holds(kNames[static_cast<size_t>(function)], user_data);
}

/// Counts the call. What it is to return instead of being made.
VkResult injected(const void* handle, Function function, bool loses) {
    hold(function);
    State& s = state();
    const std::lock_guard lock(s.mutex);
    ++s.counts[static_cast<size_t>(function)];
    bool& is_lost = s.next.of(handle).is_lost;
    if (is_lost && loses) return VK_ERROR_DEVICE_LOST;
    if (s.function != kNames[static_cast<size_t>(function)]) return VK_SUCCESS;
    if (s.fault.skip != 0) {
        --s.fault.skip;
        return VK_SUCCESS;
    }
    if (s.fault.times == 0) return VK_SUCCESS;
    --s.fault.times;
    if (s.fault.result == VK_ERROR_DEVICE_LOST) is_lost = true;
    return s.fault.result;
}

/// Waits for the real device. After a simulated loss, the program may destroy objects that the real device,
/// which is not lost, still uses.
void settle(const void* handle) {
    const Next& known = state().next.of(handle);
    reinterpret_cast<PFN_vkDeviceWaitIdle>(known.get_device_proc(known.device, "vkDeviceWaitIdle"))(
        known.device);
}

enum class Kind { Makes, Call, Loses };
template <Function function, Kind kind, class F>
struct Wrapped;
template <Function function, Kind kind, class Handle, class... Args>
struct Wrapped<function, kind, VkResult(VKAPI_PTR*)(Handle, Args...)> {
    static VKAPI_ATTR VkResult VKAPI_CALL call(Handle handle, Args... args) {
        const VkResult instead = injected(handle, function, kind == Kind::Loses);
        if (instead == VK_ERROR_DEVICE_LOST) settle(handle);
        if (instead != VK_SUCCESS) return instead;
        const VkResult result =
            next<VkResult(VKAPI_PTR*)(Handle, Args...)>(handle, function)(handle, args...);
        if (kind == Kind::Makes && result == VK_SUCCESS) ++state().objects;
        return result;
    }
};
template <Function function, class F>
struct Counted;
template <Function function, class... Args>
struct Counted<function, void(VKAPI_PTR*)(VkCommandBuffer, Args...)> {
    static VKAPI_ATTR void VKAPI_CALL call(VkCommandBuffer commands, Args... args) {
        (void)injected(commands, function, false);
        next<void(VKAPI_PTR*)(VkCommandBuffer, Args...)>(commands, function)(commands, args...);
    }
};
template <Function function, class F>
struct Destroys;
template <Function function, class Object>
struct Destroys<function, void(VKAPI_PTR*)(VkDevice, Object, const VkAllocationCallbacks*)> {
    static VKAPI_ATTR void VKAPI_CALL call(VkDevice device, Object object,
                                           const VkAllocationCallbacks* callbacks) {
        if (object != VK_NULL_HANDLE) {
            --state().objects;
            const std::lock_guard lock(state().mutex);
            ++state().counts[static_cast<size_t>(function)];
        }
        next<void(VKAPI_PTR*)(VkDevice, Object, const VkAllocationCallbacks*)>(device, function)(
            device, object, callbacks);
    }
};

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkInstance* instance) {
    PFN_vkGetInstanceProcAddr get = nullptr;
    const VkResult result = create_next_instance(info, callbacks, instance, get);
    if (result != VK_SUCCESS) return result;
    state().next.put(*instance, {.get_instance_proc = get, .instance = *instance});
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device) {
    if (const VkResult instead = injected(physical, Function::vkCreateDevice, false); instead != VK_SUCCESS)
        return instead;
    PFN_vkGetDeviceProcAddr get = nullptr;
    const VkResult result =
        create_next_device(state().next.of(physical).instance, physical, info, callbacks, device, get);
    if (result != VK_SUCCESS) return result;
    Next known{.get_device_proc = get, .device = *device};
    for (size_t i = 0; i < static_cast<size_t>(Function::vkCreateDevice); ++i)
        known.functions[i] = get(*device, kNames[i]);
    state().next.put(*device, known);
    return result;
}

PFN_vkVoidFunction wrapped(std::string_view name) {
#define MAKES(f)    \
    if (name == #f) \
        return reinterpret_cast<PFN_vkVoidFunction>(Wrapped<Function::f, Kind::Makes, PFN_##f>::call);
#define CALL(f)     \
    if (name == #f) \
        return reinterpret_cast<PFN_vkVoidFunction>(Wrapped<Function::f, Kind::Call, PFN_##f>::call);
#define LOSES(f)    \
    if (name == #f) \
        return reinterpret_cast<PFN_vkVoidFunction>(Wrapped<Function::f, Kind::Loses, PFN_##f>::call);
#define COUNTS(f) \
    if (name == #f) return reinterpret_cast<PFN_vkVoidFunction>(Counted<Function::f, PFN_##f>::call);
#define DESTROYS(f) \
    if (name == #f) return reinterpret_cast<PFN_vkVoidFunction>(Destroys<Function::f, PFN_##f>::call);
#include "tests/driver/faults/functions.def"
    return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
    if (const PFN_vkVoidFunction function = wrapped(name)) return function;
    return state().next.of(device).get_device_proc(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetInstanceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(get_instance_proc);
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
    if (std::strcmp(name, "vkCreateInstance") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (std::strcmp(name, "vkCreateDevice") == 0) return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    if (const PFN_vkVoidFunction function = wrapped(name)) return function;
    if (!instance) return nullptr;
    return state().next.of(instance).get_instance_proc(instance, name);
}

}  // namespace

extern "C" {

VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    return negotiate_layer(version, get_instance_proc, get_device_proc);
}

VK_LAYER_EXPORT extern const Layer caldera_fault_layer;
const Layer caldera_fault_layer = {
    .set =
        [](const Fault& fault) {
            const std::lock_guard lock(state().mutex);
            state().fault = fault;
            state().function = fault.function;
        },
    .clear =
        [] {
            const std::lock_guard lock(state().mutex);
            state().function.clear();
        },
    .calls = [](const char* function) -> uint32_t {
        const std::lock_guard lock(state().mutex);
        for (size_t i = 0; i < static_cast<size_t>(Function::kCount); ++i)
            if (std::strcmp(kNames[i], function) == 0) return state().counts[i];
        return 0;
    },
    .objects = [] { return state().objects.load(); },
    .hold =
        [](void (*function)(const char*, void*), void* user_data) {
            const std::lock_guard lock(state().mutex);
            state().holds = function;
            state().user_data = user_data;
        },
};

}  // extern "C"

}  // namespace caldera::faults
