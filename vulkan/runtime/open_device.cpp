// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/open_device.h"

#include "spirv/support/threads.h"
#include "vulkan/runtime/probe.h"
#include "vulkan/runtime/shared_memory.h"

namespace caldera::runtime {

/// Drivers start most of their threads when a device is made, and others when it first compiles and runs
/// something, which it does here.
Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options) {
    const WhileStartingThreads starting;
    Result<std::unique_ptr<Device>> device = Device::create(options);
    if (!device) return device.error();
    const Result<Findings> found = find_out(**device);
    if (!found) return found.error();
    (*device)->note(*found);
    (*device)->note_host_memory(find_host_memory(**device));
    return device;
}

Result<std::unique_ptr<Device>> adopt_device(const AdoptedDevice& given) {
    const WhileStartingThreads starting;
    Result<std::unique_ptr<Device>> device = Device::adopt(given);
    if (!device) return device.error();
    const Result<Findings> found = find_out(**device);
    if (!found) return found.error();
    (*device)->note(*found);
    return device;
}

}  // namespace caldera::runtime
