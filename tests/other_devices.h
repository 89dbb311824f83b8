// SPDX-License-Identifier: Apache-2.0
// A device as poor as SwiftShader, for tests on a better one.
#pragma once

#include "vulkan/device_profile.h"

namespace caldera {

/// The profile without integers, halves and storage of other widths than 32 bits.
inline vulkan::DeviceProfile only_32_bits(vulkan::DeviceProfile profile) {
    profile.int8 = profile.int16 = profile.int64 = profile.float16 = false;
    profile.storage_8bit = profile.storage_16bit = false;
    return profile;
}

}  // namespace caldera
