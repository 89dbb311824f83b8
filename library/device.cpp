// SPDX-License-Identifier: Apache-2.0
#include "caldera/device.h"

#include "caldera/version.h"
#include "library/objects.h"
#include "library/options.h"
#include "vulkan/runtime/fault_reporter.h"
#include "vulkan/runtime/let_finish.h"
#include "vulkan/runtime/open_device.h"

namespace caldera {

const char* version() noexcept { return CALDERA_VERSION; }

Result<std::vector<DeviceInfo>> list_devices() {
    Result<std::vector<runtime::DeviceInfo>> found = runtime::list_devices();
    if (!found) return found.error();
    std::vector<DeviceInfo> devices;
    for (runtime::DeviceInfo& info : *found)
        devices.push_back({.name = std::move(info.name),
                           .driver = std::move(info.driver),
                           .api_version = info.api_version,
                           .usable = info.usable,
                           .lacks = std::move(info.lacks),
                           .memory_bytes = info.memory_bytes,
                           .max_buffer_bytes = info.max_buffer_bytes,
                           .unified_memory = info.unified_memory});
    return devices;
}

Result<std::optional<vulkan::MemoryChecks>> detail::reported_kinds(const CheckOptions& options) {
    if (options.loop_turns == ~0u)
        return Error{.message = "checks.loop_turns: a loop turns at most 4294967294 times"};
    if (!options.kinds) return std::optional<vulkan::MemoryChecks>();
    const Result<vulkan::MemoryChecks> checks = runtime::parse_checks(*options.kinds);
    if (!checks) return Error{.message = "checks.kinds: " + checks.error().message};
    return std::optional(*checks);
}

Result<Device> Device::open(const DeviceOptions& options) {
    const auto checks = detail::reported_kinds(options.checks);
    if (!checks) return checks.error();
    Result<std::unique_ptr<runtime::Device>> device =
        runtime::open_device({.select = options.select,
                              .validation = options.validation,
                              .on_validation = options.on_validation,
                              .disk_cache = options.disk_cache,
                              .checks = *checks,
                              .robust = options.checks.robust,
                              .loop_turns = options.checks.loop_turns,
                              .on_fault = options.checks.on_fault});
    if (!device) return device.error();
    Device opened = detail::Access::make<Device>(device.take());
    runtime::let_finish_at_exit({opened.impl_, opened.impl_->device.get()});
    return opened;
}

const std::string& Device::name() const { return impl_->device->name(); }
DeviceProfile Device::profile() const { return detail::handle_of(impl_->device->profile()); }
uint64_t Device::max_buffer_bytes() const { return impl_->device->max_buffer_bytes(); }
bool Device::has_timestamps() const { return impl_->device->timestamp_bits() != 0; }
bool Device::is_lost() const { return impl_->device->is_lost(); }
uint32_t Device::validation_messages() const { return impl_->device->validation_messages(); }
VkDevice_T* Device::vk() const { return impl_->device->vk(); }

}  // namespace caldera
