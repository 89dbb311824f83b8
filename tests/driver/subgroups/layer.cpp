// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes a driver look as if pipelines could choose among several sizes of sub-groups. It
// notes what they ask for, and the driver, which has one size, is not told. With CALDERA_TEST_VULKAN12, the
// device has Vulkan 1.2 and VK_EXT_subgroup_size_control. CALDERA_TEST_SUBGROUP_SIZES=4,64 are the smallest
// and the largest size.
#include "tests/driver/subgroups/layer.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include "tests/driver/vulkan_layer.h"

namespace caldera::subgroups {
namespace {

struct Instance {
    VkInstance handle = VK_NULL_HANDLE;
    PFN_vkGetInstanceProcAddr get = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties_2 = nullptr;
};
struct State {
    LayerChain<Instance> chain = {};
    std::mutex mutex = {};
    Asked last = {};
};
State& state() {
    static State* const state = new State;  // outlives what other libraries destroy at exit
    return *state;
}

// ---- What the device is ----

void change(VkPhysicalDeviceProperties& properties) {
    static const bool is_old = std::getenv("CALDERA_TEST_VULKAN12") != nullptr;
    if (is_old) properties.apiVersion = VK_API_VERSION_1_2;
}
/// Without a choice, the size is between the smallest and the largest one.
template <class Properties>
void change_size(VkBaseOutStructure* next) {
    uint32_t& size = reinterpret_cast<Properties*>(next)->subgroupSize;
    size = std::clamp(size, sizes().smallest, sizes().largest);
}
template <class Properties>
void change_sizes(VkBaseOutStructure* next) {
    auto& found = *reinterpret_cast<Properties*>(next);
    found.minSubgroupSize = sizes().smallest;
    found.maxSubgroupSize = sizes().largest;
    found.maxComputeWorkgroupSubgroups = kMostOfRequiredSize;
    found.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* properties) {
    state().chain.instance_of(physical).properties(physical, properties);
    change(*properties);
}
VKAPI_ATTR void VKAPI_CALL get_properties_2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceProperties2* properties) {
    state().chain.instance_of(physical).properties_2(physical, properties);
    change(properties->properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES)
            change_sizes<VkPhysicalDeviceSubgroupSizeControlProperties>(next);
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES)
            change_sizes<VkPhysicalDeviceVulkan13Properties>(next);
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
            change_size<VkPhysicalDeviceSubgroupProperties>(next);
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            change_size<VkPhysicalDeviceVulkan11Properties>(next);
    }
}

// ---- Pipelines ----

/// Takes out what asks for a size.
Asked take(VkPipelineShaderStageCreateInfo& stage) {
    constexpr VkPipelineShaderStageCreateFlags kFull =
        VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    Asked asked{.full = (stage.flags & kFull) != 0};
    stage.flags &= ~kFull;
    const auto* next = static_cast<const VkBaseInStructure*>(stage.pNext);
    if (next && next->sType == VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO) {
        asked.size = reinterpret_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(next)
                         ->requiredSubgroupSize;
        stage.pNext = next->pNext;
    }
    return asked;
}
VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                const VkComputePipelineCreateInfo* infos,
                                                const VkAllocationCallbacks* callbacks,
                                                VkPipeline* pipelines) {
    std::vector<VkComputePipelineCreateInfo> changed(infos, infos + count);
    for (VkComputePipelineCreateInfo& info : changed) {
        const std::lock_guard lock(state().mutex);
        state().last = take(info.stage);
    }
    const auto next = reinterpret_cast<PFN_vkCreateComputePipelines>(
        state().chain.functions_of(device)(device, "vkCreateComputePipelines"));
    return next(device, cache, count, changed.data(), callbacks, pipelines);
}

// ---- The layer ----

LayerChain<Instance>& chain() { return state().chain; }
void find_next(Instance& made) {
    made.properties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(
        made.get(made.handle, "vkGetPhysicalDeviceProperties"));
    made.properties_2 = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        made.get(made.handle, "vkGetPhysicalDeviceProperties2"));
}
PFN_vkVoidFunction own(std::string_view name) {
    static const LayerFunction kFunctions[] = {{"vkGetPhysicalDeviceProperties", get_properties},
                                               {"vkGetPhysicalDeviceProperties2", get_properties_2},
                                               {"vkCreateComputePipelines", create_pipelines}};
    return find_function(kFunctions, name);
}
using Functions = LayerFunctions<chain, find_next, own>;

}  // namespace

extern "C" {

VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    return negotiate_layer(version, Functions::get_instance_proc, Functions::get_device_proc);
}

VK_LAYER_EXPORT extern const Layer caldera_subgroups_layer;
const Layer caldera_subgroups_layer = {.last = [] {
    const std::lock_guard lock(state().mutex);
    return state().last;
}};

}  // extern "C"

}  // namespace caldera::subgroups
