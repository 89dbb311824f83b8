// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/queue_family.h"

#include <algorithm>
#include <vector>

#include "vulkan/runtime/buffer_parts.h"
#include "vulkan/runtime/device_properties.h"

namespace caldera::runtime {
namespace {

std::optional<QueueFamily> find(const std::vector<VkQueueFamilyProperties>& families, VkQueueFlags wanted,
                                VkQueueFlags unwanted = 0) {
    const auto family = std::ranges::find_if(families, [&](const VkQueueFamilyProperties& each) {
        return (each.queueFlags & wanted) == wanted && !(each.queueFlags & unwanted);
    });
    if (family == families.end()) return std::nullopt;
    return QueueFamily{static_cast<uint32_t>(family - families.begin()), *family};
}

}  // namespace

std::vector<VkQueueFamilyProperties> all_queue_families(VkPhysicalDevice physical) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    families.resize(count);
    return families;
}

std::optional<QueueFamilies> queue_families(VkPhysicalDevice physical) {
    const std::vector<VkQueueFamilyProperties> families = all_queue_families(physical);
    // Prefers a compute-only family. From its graphics family, an H200 starts work-groups at a lower rate (a
    // kernel that increments bytes took 1.15 times as long), and kernels would also wait for drawing to the
    // screen.
    std::optional<QueueFamily> compute = find(families, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    if (!compute) compute = find(families, VK_QUEUE_COMPUTE_BIT);
    if (!compute) return std::nullopt;
    QueueFamilies found{
        .compute = *compute,
        .copies = find(families, VK_QUEUE_TRANSFER_BIT,
                       VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_VIDEO_DECODE_BIT_KHR)};
    for (const std::optional<QueueFamily>& family :
         {found.copies, compute, find(families, VK_QUEUE_SPARSE_BINDING_BIT)})
        if (!found.sparse && family && family->properties.queueFlags & VK_QUEUE_SPARSE_BINDING_BIT)
            found.sparse = family;
    return found;
}

std::vector<uint32_t> QueueFamilies::users() const {
    std::vector<uint32_t> users = recording;
    users.push_back(compute.index);
    if (copies) users.push_back(copies->index);
    std::ranges::sort(users);
    const auto again = std::ranges::unique(users);
    users.erase(again.begin(), again.end());
    return users;
}

SizeLimits size_limits(VkPhysicalDevice physical, uint32_t api_version, bool has_addresses, bool has_sparse) {
    const VkPhysicalDeviceLimits limits = properties_of(physical).limits;
    uint64_t buffer = max_buffer_bytes(physical, api_version);
    if (!has_addresses) buffer = std::min(buffer, largest_split_buffer(limits));
    const auto most = properties_of<VkPhysicalDeviceMaintenance3Properties>(
        physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
    const uint64_t allocation = std::min<uint64_t>(most.maxMemoryAllocationSize, buffer);
    if (!has_sparse) return {allocation, allocation};
    const uint64_t sparse = std::min<uint64_t>(buffer, limits.sparseAddressSpaceSize);
    return {allocation, std::max(allocation, sparse)};
}

}  // namespace caldera::runtime
