// SPDX-License-Identifier: Apache-2.0
#include "caldera/profile.h"

#include "library/objects.h"
#include "library/options.h"
#include "vulkan/device_profile_json.h"
#include "vulkan/promised_profile.h"

namespace caldera {

namespace detail {

DeviceProfile handle_of(vulkan::DeviceProfile profile) {
    return Access::make<DeviceProfile>(std::move(profile));
}

}  // namespace detail

DeviceProfile::DeviceProfile() : DeviceProfile(Target::Vulkan12) {}

DeviceProfile::DeviceProfile(Target target)
    : impl_(std::make_shared<const Impl>(Impl{vulkan::promised_profile(detail::spirv_target(target))})) {}

Result<DeviceProfile> DeviceProfile::from_json(std::string_view json) {
    Result<vulkan::DeviceProfile> profile = vulkan::profile_from_json(json);
    if (!profile) return profile.error();
    return detail::handle_of(profile.take());
}

Result<DeviceProfile> DeviceProfile::load(const std::string& path) {
    Result<vulkan::DeviceProfile> profile = vulkan::load_profile(path);
    if (!profile) return profile.error();
    return detail::handle_of(profile.take());
}

const std::string& DeviceProfile::name() const { return impl_->profile.name; }

Target DeviceProfile::newest_target() const {
    switch (vulkan::newest_target(impl_->profile)) {
        case spirv::Target::Vulkan11: return Target::Vulkan11;
        case spirv::Target::Vulkan12: return Target::Vulkan12;
        default: return Target::Vulkan13;
    }
}

uint64_t DeviceProfile::max_local_bytes() const { return impl_->profile.max_local_bytes; }
uint32_t DeviceProfile::max_group_size() const { return impl_->profile.max_local_invocations; }
bool DeviceProfile::has_double() const { return impl_->profile.float64; }
bool DeviceProfile::has_half() const { return impl_->profile.float16; }
bool DeviceProfile::has_int64() const { return impl_->profile.int64; }

void DeviceProfile::set_max_local_bytes(uint64_t bytes) {
    vulkan::DeviceProfile profile = impl_->profile;
    profile.max_local_bytes = bytes;
    *this = detail::handle_of(std::move(profile));
}

void DeviceProfile::set_max_group_size(uint32_t work_items) {
    vulkan::DeviceProfile profile = impl_->profile;
    profile.max_local_invocations = work_items;
    profile.max_local_size = {work_items, work_items, work_items};
    *this = detail::handle_of(std::move(profile));
}

void DeviceProfile::set_fused_fma(bool is_fused) {
    vulkan::DeviceProfile profile = impl_->profile;
    profile.fused_fma = profile.fused_half_fma = is_fused;
    *this = detail::handle_of(std::move(profile));
}

void DeviceProfile::emulate_doubles() {
    vulkan::DeviceProfile profile = impl_->profile;
    vulkan::emulate_doubles(profile);
    *this = detail::handle_of(std::move(profile));
}

}  // namespace caldera
