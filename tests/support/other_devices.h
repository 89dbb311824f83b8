// SPDX-License-Identifier: Apache-2.0
// Devices as poor as others, for tests on a better one.
#pragma once

#include <algorithm>

#include "vulkan/device_profile.h"

namespace caldera {

/// The profile without integers, halves and storage of other widths than 32 bits.
inline vulkan::DeviceProfile only_32_bits(vulkan::DeviceProfile profile) {
    profile.int8 = profile.int16 = profile.int64 = profile.float16 = false;
    profile.storage_8bit = profile.storage_16bit = false;
    return profile;
}

/// The profile without doubles, which are computed as integers.
inline vulkan::DeviceProfile with_emulated_doubles(vulkan::DeviceProfile profile) {
    emulate_doubles(profile);
    return profile;
}

/// The profile with what is known of NVIDIA's compiler, which gets idioms wrong and does not see others, and
/// of Mesa's compilers that crash or are slow.
inline vulkan::DeviceProfile with_wrong_idioms(vulkan::DeviceProfile profile) {
    profile.quirks.wrong_idioms = profile.quirks.misses_long_rotations = profile.quirks.leaves_counted_loops =
        profile.quirks.reorders_volatile = profile.quirks.wrong_around_calls =
            profile.quirks.drops_half_rounding = profile.quirks.drops_zeros_in_dots =
                profile.quirks.mixes_up_group_loops = profile.quirks.wrong_long_equality = true;
    profile.quirks.panics_at_wide_phis = profile.quirks.panics_at_nan_tests =
        profile.quirks.panics_at_logical_groups = profile.quirks.crashes_at_four_shorts =
            profile.quirks.crashes_at_local_vectors = true;
    profile.quirks.misses_rotations = profile.quirks.slow_long_offsets = true;
    profile.max_buffer_bytes = std::min(profile.max_buffer_bytes, uint64_t{1} << 32);
    return profile;
}

/// The profile of a device whose compiler inlines every call, and gets no large kernels therefore.
inline vulkan::DeviceProfile with_merged_calls(vulkan::DeviceProfile profile) {
    profile.quirks.inlines_every_call = true;
    profile.large_kernel = 0;
    return profile;
}

/// The profile without sub-groups, and with accesses as Adreno's compiler likes them.
inline vulkan::DeviceProfile without_sub_groups(vulkan::DeviceProfile profile) {
    profile.subgroups = false;
    profile.quirks.slow_without_chains = true;
    profile.max_buffer_bytes = std::min(profile.max_buffer_bytes, uint64_t{1} << 32);
    return profile;
}

}  // namespace caldera
