// SPDX-License-Identifier: Apache-2.0
// What is known of drivers that Vulkan has no words for. tests/driver_faults shows some of it without our compiler.
#pragma once

#include <cstdint>

#include "vulkan/device_profile.h"

namespace caldera::vulkan {

enum class Driver : uint8_t { Other, Llvmpipe, SwiftShader, Nvidia };

/// What it makes while another thread submits may run another pipeline's code later, or never end (NVIDIA 580.159, H200 and H100;
/// tests/driver_faults/pipeline_race.cpp). No harm is done to what is made while nobody does.
inline bool mixes_up_pipelines(Driver driver) { return driver == Driver::Nvidia; }

/// Lowers the clock of a device that nothing but Vulkan uses, and that is busy for less than a third of the time: after 3 s kernels take
/// five times as long, at 345 instead of 1,980 MHz (NVIDIA 580.159, H100).
inline bool loses_clocks(Driver driver) { return driver == Driver::Nvidia; }

/// Puts into a profile, complete but for that, what the driver's compiler gets wrong or makes slow. `version` is Vulkan's driverVersion:
/// Mesa's has the major one from bit 22 on.
inline void know_driver(DeviceProfile& profile, Driver driver, uint32_t version = ~0u) {
    profile.loop_results_need_phis = driver == Driver::Llvmpipe || driver == Driver::SwiftShader;
    profile.fences_are_barriers = driver == Driver::Llvmpipe;
    profile.folds_functions_wrong = driver == Driver::SwiftShader;
    profile.prefers_fma = driver != Driver::Llvmpipe && driver != Driver::SwiftShader;
    profile.wrong_log2_of_denormals = driver != Driver::Nvidia;
    profile.coarse_exp2 = driver == Driver::Llvmpipe;
    profile.drops_zero_operands = driver == Driver::Llvmpipe;
    profile.drops_signs_of_zeros = driver == Driver::Llvmpipe;
    profile.rounds_doubles_as_floats = driver == Driver::Llvmpipe;
    profile.takes_atomics_for_doubles = driver == Driver::Llvmpipe;
    profile.ends_long_loops = driver == Driver::Llvmpipe;
    profile.runs_padding = driver == Driver::Llvmpipe;
    profile.loads_for_nobody =
        driver == Driver::Llvmpipe && version >> 22 > 22;  // 26.2.6 does, 22.3.6 does not
    profile.slow_with_accesses = driver == Driver::Llvmpipe;
    profile.unsigned_to_float_rounds_twice = driver == Driver::SwiftShader;
    profile.wrong_idioms = driver == Driver::Nvidia;
    profile.misses_long_rotations = driver == Driver::Nvidia;
    profile.leaves_counted_loops = driver == Driver::Nvidia;
    profile.reorders_volatile = driver == Driver::Nvidia;
    profile.wrong_around_calls = driver == Driver::Nvidia;
    profile.wrong_long_comparisons = driver == Driver::Llvmpipe || driver == Driver::Other;
    profile.linear_subgroups |= driver != Driver::Other;
    if (driver != Driver::Nvidia) return;
    // It always rounds so, and where it is told to, an n-body kernel took 1.3 times as long on an H200.
    for (FloatControls* controls :
         {&profile.float16_controls, &profile.float32_controls, &profile.float64_controls})
        controls->round_to_nearest_even = false;
}

}  // namespace caldera::vulkan
