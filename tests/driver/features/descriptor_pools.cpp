// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/features/descriptor_pools.h"

#include <algorithm>

#include "tests/driver/vulkan_layer.h"

namespace caldera::features {
namespace {

using Counts = std::map<VkDescriptorType, uint32_t>;

struct Functions {
    PFN_vkCreateDescriptorPool create_pool = nullptr;
    PFN_vkDestroyDescriptorPool destroy_pool = nullptr;
    PFN_vkResetDescriptorPool reset_pool = nullptr;
    PFN_vkCreateDescriptorSetLayout create_layout = nullptr;
    PFN_vkDestroyDescriptorSetLayout destroy_layout = nullptr;
    PFN_vkAllocateDescriptorSets allocate = nullptr;
};
struct Pool {
    Counts all = {}, free = {};
    uint32_t most_sets = 0, free_sets = 0;
};
struct State {
    ByHandle<Functions> next = {};
    std::mutex mutex = {};  // guards what follows
    std::map<VkDescriptorPool, Pool> pools = {};
    std::map<VkDescriptorSetLayout, Counts> layouts = {};
};
State& state() {
    static State* const state = new State;  // outlives what is destroyed at exit
    return *state;
}

VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device, const VkDescriptorPoolCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkDescriptorPool* made) {
    const VkResult result = state().next.of(device).create_pool(device, info, callbacks, made);
    if (result != VK_SUCCESS) return result;
    Pool pool{.most_sets = info->maxSets, .free_sets = info->maxSets};
    for (const VkDescriptorPoolSize& size : std::span(info->pPoolSizes, info->poolSizeCount))
        pool.all[size.type] += size.descriptorCount;
    pool.free = pool.all;
    const std::lock_guard lock(state().mutex);
    state().pools[*made] = std::move(pool);
    return result;
}
VKAPI_ATTR void VKAPI_CALL destroy_pool(VkDevice device, VkDescriptorPool pool,
                                        const VkAllocationCallbacks* callbacks) {
    {
        const std::lock_guard lock(state().mutex);
        state().pools.erase(pool);
    }
    state().next.of(device).destroy_pool(device, pool, callbacks);
}
VKAPI_ATTR VkResult VKAPI_CALL reset_pool(VkDevice device, VkDescriptorPool pool,
                                          VkDescriptorPoolResetFlags flags) {
    {
        const std::lock_guard lock(state().mutex);
        Pool& reset = state().pools.at(pool);
        reset.free = reset.all;
        reset.free_sets = reset.most_sets;
    }
    return state().next.of(device).reset_pool(device, pool, flags);
}
VKAPI_ATTR VkResult VKAPI_CALL create_layout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks,
                                             VkDescriptorSetLayout* made) {
    const VkResult result = state().next.of(device).create_layout(device, info, callbacks, made);
    if (result != VK_SUCCESS) return result;
    Counts counts;
    for (const VkDescriptorSetLayoutBinding& binding : std::span(info->pBindings, info->bindingCount))
        counts[binding.descriptorType] += binding.descriptorCount;
    const std::lock_guard lock(state().mutex);
    state().layouts[*made] = std::move(counts);
    return result;
}
VKAPI_ATTR void VKAPI_CALL destroy_layout(VkDevice device, VkDescriptorSetLayout layout,
                                          const VkAllocationCallbacks* callbacks) {
    {
        const std::lock_guard lock(state().mutex);
        state().layouts.erase(layout);
    }
    state().next.of(device).destroy_layout(device, layout, callbacks);
}

/// Whether the pool had enough for the sets, which it then gives.
bool take(const VkDescriptorSetAllocateInfo& info) {
    const std::lock_guard lock(state().mutex);
    Pool& pool = state().pools.at(info.descriptorPool);
    if (info.descriptorSetCount > pool.free_sets) return false;
    Counts left = pool.free;
    for (VkDescriptorSetLayout layout : std::span(info.pSetLayouts, info.descriptorSetCount))
        for (const auto& [type, count] : state().layouts.at(layout)) {
            if (count > left[type]) return false;
            left[type] -= count;
        }
    pool.free = std::move(left);
    pool.free_sets -= info.descriptorSetCount;
    return true;
}
VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkDescriptorSetAllocateInfo* info,
                                        VkDescriptorSet* sets) {
    if (!take(*info)) return VK_ERROR_OUT_OF_POOL_MEMORY;
    return state().next.of(device).allocate(device, info, sets);
}

}  // namespace

void count_descriptors(VkDevice device, PFN_vkGetDeviceProcAddr get) {
    Functions next;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(get(device, name));
    };
    find(next.create_pool, "vkCreateDescriptorPool");
    find(next.destroy_pool, "vkDestroyDescriptorPool");
    find(next.reset_pool, "vkResetDescriptorPool");
    find(next.create_layout, "vkCreateDescriptorSetLayout");
    find(next.destroy_layout, "vkDestroyDescriptorSetLayout");
    find(next.allocate, "vkAllocateDescriptorSets");
    state().next.put(device, next);
}

PFN_vkVoidFunction counting_function(std::string_view name) {
    static const LayerFunction kFunctions[] = {{"vkCreateDescriptorPool", create_pool},
                                               {"vkDestroyDescriptorPool", destroy_pool},
                                               {"vkResetDescriptorPool", reset_pool},
                                               {"vkCreateDescriptorSetLayout", create_layout},
                                               {"vkDestroyDescriptorSetLayout", destroy_layout},
                                               {"vkAllocateDescriptorSets", allocate}};
    return find_function(kFunctions, name);
}

}  // namespace caldera::features
