// SPDX-License-Identifier: Apache-2.0
// From VkPhysicalDeviceFloatControlsProperties to the float behaviour of a DeviceProfile.
#pragma once

#include <cstdint>

#include "vulkan/device_profile.h"

namespace caldera::vulkan {

/// Which widths of a device support one behaviour.
struct OfferedByWidth {
    bool float16 = false, float32 = false, float64 = false;
};
/// Which widths may have different behaviour in one module (VkShaderFloatControlsIndependence).
enum class WidthIndependence : uint8_t { Float32Only, All, None };

/// Sets one behaviour of the three widths to what the device supports, as far as the widths may differ.
inline void offer(DeviceProfile& profile, bool FloatControls::*behaviour, OfferedByWidth has,
                  WidthIndependence independence) {
    const bool all_agree = has.float16 == has.float32 && has.float32 == has.float64;
    if (independence == WidthIndependence::None && !all_agree) return;
    const bool separate = independence == WidthIndependence::All || has.float16 == has.float64;
    profile.float16_controls.*behaviour = has.float16 && separate;
    profile.float32_controls.*behaviour = has.float32;
    profile.float64_controls.*behaviour = has.float64 && separate;
}

}  // namespace caldera::vulkan
