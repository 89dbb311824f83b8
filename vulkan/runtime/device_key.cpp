// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device_key.h"

#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace caldera::runtime {
namespace {

/// The features of the first processor. Several machines may share a folder, and CPU drivers have the same
/// name and UUID on all of them.
std::string processor_features() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags") || line.starts_with("Features")) return line;
    return {};
}

}  // namespace

void add_device(ArchiveWriter& key, const Device& device) {
    const VkPhysicalDeviceProperties& properties = device.properties();
    const VkPhysicalDeviceIDProperties& ids = device.ids();
    key(properties.vendorID, properties.deviceID, properties.driverVersion,
        std::string_view(properties.deviceName), std::to_array(properties.pipelineCacheUUID),
        std::to_array(ids.deviceUUID), std::to_array(ids.driverUUID));
    if (device.is_cpu()) key(processor_features());
}

}  // namespace caldera::runtime
