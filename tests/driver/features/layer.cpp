// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that takes features and limits away from a device, so that drivers which have all of them
// serve as old ones. CALDERA_TEST_WITHOUT lists features by Vulkan's names, with commas between them, and
// CALDERA_TEST_LIMITS limits as NAME=VALUE. A name that the layer does not know fails vkCreateInstance.
// CALDERA_TEST_VERSION=1.1 makes it a device of Vulkan 1.1, without the functions of 1.2.
// CALDERA_TEST_EXTENSIONS lists all extensions of the device. With CALDERA_TEST_PORTABILITY=1 it has
// VK_KHR_portability_subset too, and is made for those only who enable that. CALDERA_TEST_SUBGROUPS=0 takes
// all operations of sub-groups away, and with CALDERA_TEST_PCI=1 it has an address on a bus
// (VK_EXT_pci_bus_info). With CALDERA_TEST_DEVICE=N, all this is for the device of that index alone. With
// CALDERA_TEST_POOLS=1, descriptor pools of any device have what they were made with and no more.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "tests/driver/features/descriptor_pools.h"
#include "tests/driver/vulkan_layer.h"

namespace caldera::features {
namespace {

struct Instance {
    VkInstance handle = VK_NULL_HANDLE;
    PFN_vkGetInstanceProcAddr get = nullptr;
    PFN_vkGetPhysicalDeviceFeatures features = nullptr;
    PFN_vkGetPhysicalDeviceFeatures2 features_2 = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties_2 = nullptr;
    PFN_vkEnumerateDeviceExtensionProperties extensions = nullptr;
    PFN_vkEnumeratePhysicalDevices devices = nullptr;
};

/// A VkBool32 of a structure of features.
struct Feature {
    std::string_view name;
    VkStructureType type;
    size_t at;
};
constexpr VkStructureType kCore = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                          k11 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                          k12 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
constexpr Feature kFeatures[] = {
    {"shaderFloat64", kCore, offsetof(VkPhysicalDeviceFeatures2, features.shaderFloat64)},
    {"shaderInt64", kCore, offsetof(VkPhysicalDeviceFeatures2, features.shaderInt64)},
    {"shaderInt16", kCore, offsetof(VkPhysicalDeviceFeatures2, features.shaderInt16)},
    {"sparseBinding", kCore, offsetof(VkPhysicalDeviceFeatures2, features.sparseBinding)},
    {"storageBuffer16BitAccess", k11, offsetof(VkPhysicalDeviceVulkan11Features, storageBuffer16BitAccess)},
    {"uniformAndStorageBuffer16BitAccess", k11,
     offsetof(VkPhysicalDeviceVulkan11Features, uniformAndStorageBuffer16BitAccess)},
    {"storagePushConstant16", k11, offsetof(VkPhysicalDeviceVulkan11Features, storagePushConstant16)},
    {"storageBuffer8BitAccess", k12, offsetof(VkPhysicalDeviceVulkan12Features, storageBuffer8BitAccess)},
    {"uniformAndStorageBuffer8BitAccess", k12,
     offsetof(VkPhysicalDeviceVulkan12Features, uniformAndStorageBuffer8BitAccess)},
    {"storagePushConstant8", k12, offsetof(VkPhysicalDeviceVulkan12Features, storagePushConstant8)},
    {"shaderBufferInt64Atomics", k12, offsetof(VkPhysicalDeviceVulkan12Features, shaderBufferInt64Atomics)},
    {"shaderSharedInt64Atomics", k12, offsetof(VkPhysicalDeviceVulkan12Features, shaderSharedInt64Atomics)},
    {"shaderFloat16", k12, offsetof(VkPhysicalDeviceVulkan12Features, shaderFloat16)},
    {"shaderInt8", k12, offsetof(VkPhysicalDeviceVulkan12Features, shaderInt8)},
    {"shaderSubgroupExtendedTypes", k12,
     offsetof(VkPhysicalDeviceVulkan12Features, shaderSubgroupExtendedTypes)},
    {"bufferDeviceAddress", k12, offsetof(VkPhysicalDeviceVulkan12Features, bufferDeviceAddress)},
    {"timelineSemaphore", k12, offsetof(VkPhysicalDeviceVulkan12Features, timelineSemaphore)},
    {"hostQueryReset", k12, offsetof(VkPhysicalDeviceVulkan12Features, hostQueryReset)},
    {"vulkanMemoryModel", k12, offsetof(VkPhysicalDeviceVulkan12Features, vulkanMemoryModel)}};
constexpr std::string_view kPortability = "VK_KHR_portability_subset",
                           kPci = VK_EXT_PCI_BUS_INFO_EXTENSION_NAME;
/// Functions of Vulkan 1.2 that are others by name in Vulkan 1.1.
constexpr std::string_view kFunctionsOf12[] = {"vkGetBufferDeviceAddress", "vkGetSemaphoreCounterValue",
                                               "vkResetQueryPool", "vkSignalSemaphore", "vkWaitSemaphores"};

/// A limit of 32 or 64 bits.
struct Limit {
    std::string_view name;
    size_t at, size;
};
constexpr Limit kLimits[] = {
    {"maxStorageBufferRange", offsetof(VkPhysicalDeviceLimits, maxStorageBufferRange), 4},
    {"maxPushConstantsSize", offsetof(VkPhysicalDeviceLimits, maxPushConstantsSize), 4},
    {"maxPerStageDescriptorStorageBuffers",
     offsetof(VkPhysicalDeviceLimits, maxPerStageDescriptorStorageBuffers), 4},
    {"minStorageBufferOffsetAlignment", offsetof(VkPhysicalDeviceLimits, minStorageBufferOffsetAlignment), 8},
    {"maxComputeSharedMemorySize", offsetof(VkPhysicalDeviceLimits, maxComputeSharedMemorySize), 4},
    {"maxComputeWorkGroupInvocations", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupInvocations), 4},
    {"maxComputeWorkGroupSize[0]", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupSize[0]), 4},
    {"maxComputeWorkGroupSize[1]", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupSize[1]), 4},
    {"maxComputeWorkGroupSize[2]", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupSize[2]), 4}};

struct ChangedLimit {
    const Limit* limit = nullptr;
    uint64_t value = 0;
};
struct Changes {
    std::vector<const Feature*> features = {};
    std::vector<ChangedLimit> limits = {};
    bool is_1_1 = false, is_portability = false, has_sub_groups = true, has_pci = false,
         counts_descriptors = false;
    std::optional<std::vector<std::string_view>> extensions = {};  ///< all of the device
    std::optional<size_t> only = {};  ///< the index of the device that is changed; all are without it
};

struct State {
    LayerChain<Instance> chain = {};
    std::optional<Changes> changes = {};
};

// ---- What the environment wants ----

template <class Visit>
bool for_each_word(const char* variable, Visit&& visit) {
    const char* const text = std::getenv(variable);
    std::string_view rest = text ? text : "";
    while (!rest.empty()) {
        const size_t comma = std::min(rest.find(','), rest.size());
        if (!visit(rest.substr(0, comma))) return false;
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return true;
}
std::optional<Changes> read_changes() {
    Changes changes;
    const bool known = for_each_word("CALDERA_TEST_WITHOUT",
                                     [&](std::string_view word) {
                                         const auto* row = std::ranges::find(kFeatures, word, &Feature::name);
                                         if (row == std::end(kFeatures)) return false;
                                         changes.features.push_back(row);
                                         return true;
                                     }) &&
                       for_each_word("CALDERA_TEST_LIMITS", [&](std::string_view word) {
                           const size_t equal = std::min(word.find('='), word.size() - 1);
                           const auto* row = std::ranges::find(kLimits, word.substr(0, equal), &Limit::name);
                           uint64_t value = 0;
                           const char* const end = word.data() + word.size();
                           const auto [stop, error] = std::from_chars(word.data() + equal + 1, end, value);
                           if (row == std::end(kLimits) || error != std::errc{} || stop != end) return false;
                           changes.limits.push_back({row, value});
                           return true;
                       });
    const char* const version = std::getenv("CALDERA_TEST_VERSION");
    changes.is_1_1 = version != nullptr;
    changes.is_portability = std::getenv("CALDERA_TEST_PORTABILITY") != nullptr;
    changes.has_sub_groups = std::getenv("CALDERA_TEST_SUBGROUPS") == nullptr;
    changes.has_pci = std::getenv("CALDERA_TEST_PCI") != nullptr;
    changes.counts_descriptors = std::getenv("CALDERA_TEST_POOLS") != nullptr;
    if (std::getenv("CALDERA_TEST_EXTENSIONS")) changes.extensions.emplace();
    for_each_word("CALDERA_TEST_EXTENSIONS", [&](std::string_view word) {
        changes.extensions->push_back(word);
        return true;
    });
    if (const char* const index = std::getenv("CALDERA_TEST_DEVICE")) changes.only = std::atoi(index);
    const bool knows_version = !version || std::string_view(version) == "1.1";
    return known && knows_version ? std::optional(changes) : std::nullopt;
}
State& state() {
    static State* const state = new State{.changes = read_changes()};  // outlives what is destroyed at exit
    return *state;
}

/// Whether the device is one that the environment wants changed.
bool is_changed(VkPhysicalDevice physical) {
    if (!state().changes->only) return true;
    const Instance& instance = state().chain.instance_of(physical);
    uint32_t count = 0;
    if (instance.devices(instance.handle, &count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkPhysicalDevice> all(count);
    if (instance.devices(instance.handle, &count, all.data()) != VK_SUCCESS) return false;
    return *state().changes->only < all.size() && all[*state().changes->only] == physical;
}

// ---- What the device has ----

void take_features(VkStructureType type, void* structure) {
    for (const Feature* feature : state().changes->features)
        if (feature->type == type)
            std::memset(static_cast<std::byte*>(structure) + feature->at, 0, sizeof(VkBool32));
}
VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures* features) {
    VkPhysicalDeviceFeatures2 whole{.sType = kCore};
    state().chain.instance_of(physical).features(physical, &whole.features);
    if (is_changed(physical)) take_features(kCore, &whole);
    *features = whole.features;
}
VKAPI_ATTR void VKAPI_CALL get_features_2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* features) {
    state().chain.instance_of(physical).features_2(physical, features);
    if (!is_changed(physical)) return;
    for (auto* next = reinterpret_cast<VkBaseOutStructure*>(features); next; next = next->pNext)
        take_features(next->sType, next);
}

void change(VkPhysicalDeviceProperties& properties) {
    for (const ChangedLimit& changed : state().changes->limits)
        std::memcpy(reinterpret_cast<std::byte*>(&properties.limits) + changed.limit->at, &changed.value,
                    changed.limit->size);
    if (state().changes->is_1_1) properties.apiVersion = VK_MAKE_API_VERSION(0, 1, 1, 0);
}
void change(VkBaseOutStructure& structure) {
    const auto basic = static_cast<VkSubgroupFeatureFlags>(VK_SUBGROUP_FEATURE_BASIC_BIT);
    if (!state().changes->has_sub_groups) {
        if (structure.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
            reinterpret_cast<VkPhysicalDeviceSubgroupProperties&>(structure).supportedOperations = basic;
        if (structure.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            reinterpret_cast<VkPhysicalDeviceVulkan11Properties&>(structure).subgroupSupportedOperations =
                basic;
    }
    if (structure.sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT) return;
    auto& pci = reinterpret_cast<VkPhysicalDevicePCIBusInfoPropertiesEXT&>(structure);
    pci.pciDomain = 0x10000, pci.pciBus = 0x65, pci.pciDevice = 3, pci.pciFunction = 1;
}
VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* properties) {
    state().chain.instance_of(physical).properties(physical, properties);
    if (is_changed(physical)) change(*properties);
}
VKAPI_ATTR void VKAPI_CALL get_properties_2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceProperties2* properties) {
    state().chain.instance_of(physical).properties_2(physical, properties);
    if (!is_changed(physical)) return;
    change(properties->properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext)
        change(*next);
}

VKAPI_ATTR VkResult VKAPI_CALL get_extensions(VkPhysicalDevice physical, const char* layer, uint32_t* count,
                                              VkExtensionProperties* list) {
    const auto& next = state().chain.instance_of(physical).extensions;
    if (layer || !is_changed(physical)) return next(physical, layer, count, list);
    uint32_t had = 0;
    if (const VkResult result = next(physical, nullptr, &had, nullptr); result != VK_SUCCESS) return result;
    std::vector<VkExtensionProperties> extensions(had);
    if (const VkResult result = next(physical, nullptr, &had, extensions.data()); result != VK_SUCCESS)
        return result;
    const Changes& changes = *state().changes;
    std::erase_if(extensions, [&](const VkExtensionProperties& each) {
        const std::string_view name = each.extensionName;
        return name == kPortability || name == kPci ||
               (changes.extensions &&
                std::ranges::find(*changes.extensions, name) == changes.extensions->end());
    });
    const auto add = [&](std::string_view name) {
        VkExtensionProperties& added = extensions.emplace_back(VkExtensionProperties{.specVersion = 1});
        name.copy(added.extensionName, name.size());
    };
    if (changes.is_portability) add(kPortability);
    if (changes.has_pci) add(kPci);
    const auto all = static_cast<uint32_t>(extensions.size());
    if (list) std::copy_n(extensions.begin(), std::min(*count, all), list);
    const bool is_all = !list || *count >= all;
    *count = list ? std::min(*count, all) : all;
    return is_all ? VK_SUCCESS : VK_INCOMPLETE;
}

// ---- The layer ----

LayerChain<Instance>& chain() { return state().chain; }
void find_next(Instance& made) {
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(made.get(made.handle, name));
    };
    find(made.features, "vkGetPhysicalDeviceFeatures");
    find(made.features_2, "vkGetPhysicalDeviceFeatures2");
    find(made.properties, "vkGetPhysicalDeviceProperties");
    find(made.properties_2, "vkGetPhysicalDeviceProperties2");
    find(made.extensions, "vkEnumerateDeviceExtensionProperties");
    find(made.devices, "vkEnumeratePhysicalDevices");
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkInstance* instance) {
    if (!state().changes) return VK_ERROR_INITIALIZATION_FAILED;
    return chain().create_instance(info, callbacks, instance, find_next);
}
VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device) {
    std::vector<const char*> extensions(info->ppEnabledExtensionNames,
                                        info->ppEnabledExtensionNames + info->enabledExtensionCount);
    const bool enables =
        std::erase_if(extensions, [](const char* name) { return name == kPortability; }) != 0;
    if (enables != (state().changes->is_portability && is_changed(physical)))
        return VK_ERROR_INITIALIZATION_FAILED;
    VkDeviceCreateInfo changed = *info;
    changed.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    changed.ppEnabledExtensionNames = extensions.data();
    const VkResult result = chain().create_device(physical, &changed, callbacks, device);
    if (result == VK_SUCCESS && state().changes->counts_descriptors)
        count_descriptors(*device, chain().functions_of(*device));
    return result;
}

PFN_vkVoidFunction get_device_proc(VkDevice device, const char* name);

PFN_vkVoidFunction own(std::string_view name) {
    static const LayerFunction kFunctions[] = {{"vkGetDeviceProcAddr", get_device_proc},
                                               {"vkCreateInstance", create_instance},
                                               {"vkCreateDevice", create_device},
                                               {"vkEnumerateDeviceExtensionProperties", get_extensions},
                                               {"vkGetPhysicalDeviceFeatures", get_features},
                                               {"vkGetPhysicalDeviceFeatures2", get_features_2},
                                               {"vkGetPhysicalDeviceFeatures2KHR", get_features_2},
                                               {"vkGetPhysicalDeviceProperties", get_properties},
                                               {"vkGetPhysicalDeviceProperties2", get_properties_2},
                                               {"vkGetPhysicalDeviceProperties2KHR", get_properties_2}};
    return find_function(kFunctions, name);
}
using Functions = LayerFunctions<chain, find_next, own>;

bool is_missing(std::string_view name) {
    return state().changes->is_1_1 && std::ranges::find(kFunctionsOf12, name) != std::end(kFunctionsOf12);
}
PFN_vkVoidFunction get_device_proc(VkDevice device, const char* name) {
    if (is_missing(name)) return nullptr;
    if (state().changes->counts_descriptors)
        if (const PFN_vkVoidFunction function = counting_function(name)) return function;
    return Functions::get_device_proc(device, name);
}

}  // namespace

extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    return negotiate_layer(version, Functions::get_instance_proc, get_device_proc);
}

}  // namespace caldera::features
