// SPDX-License-Identifier: Apache-2.0
#include "vulkan/promised_profile.h"

namespace caldera::vulkan {

DeviceProfile promised_profile(spirv::Target target) {
    DeviceProfile profile;
    profile.name = spirv::name(target);
    profile.api_version_minor =
        1 + static_cast<uint32_t>(target) - static_cast<uint32_t>(spirv::Target::Vulkan11);
    if (target == spirv::Target::Vulkan11)  // there it is an extension
        for (auto* controls :
             {&profile.float16_controls, &profile.float32_controls, &profile.float64_controls})
            controls->preserve_special = false;
    if (target == spirv::Target::Vulkan13)  // there shaderIntegerDotProduct is no option
        for (auto* products :
             {&profile.dot_4x8_packed, &profile.dot_8, &profile.dot_16, &profile.dot_32, &profile.dot_64})
            *products = kAllDotProducts;
    return profile;
}

spirv::Target newest_target(const DeviceProfile& profile) {
    if (profile.api_version_major > 1 || profile.api_version_minor >= 3) return spirv::Target::Vulkan13;
    return profile.api_version_minor == 2 ? spirv::Target::Vulkan12 : spirv::Target::Vulkan11;
}

}  // namespace caldera::vulkan
