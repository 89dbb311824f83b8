// SPDX-License-Identifier: Apache-2.0
// What no Vulkan query tells: found out by running shaders when the device is opened (driver_quirks.def:
// probes).
#pragma once

#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Whether GLSL.std.450's Fma rounds once, for float and, if the device has it, for double.
Result<bool> fma_is_fused(Device& device);

/// Whether Fma of half rounds once; false if the device has no half.
Result<bool> half_fma_is_fused(Device& device);

/// Whether denormal floats are kept (DeviceProfile::keeps_float_denormals). Devices that promise it are not
/// probed.
Result<bool> float_denormals_are_kept(Device& device);

/// Whether denormal doubles are kept; false if the device has no double.
Result<bool> double_denormals_are_kept(Device& device);

/// Whether GLSL.std.450's Exp2 and Sqrt of a float are exact enough for DeviceProfile::exact_exp2_sqrt.
/// Devices whose fma is not fused, such as CPUs, are not probed. Neither are devices without doubles, which
/// the probe needs.
Result<bool> exp2_and_sqrt_are_exact(Device& device, bool fused_fma);

/// Whether PackHalf2x16 rounds as DeviceProfile::exact_half_packing says.
Result<bool> half_packing_is_exact(Device& device);

/// Whether one-dimensional work-groups are divided into sub-groups in the order of their work-items, with the
/// partial one last.
Result<bool> subgroups_are_linear(Device& device);

/// All of the above, and find_shared_memory(), of a device that is being opened.
/// What an earlier process found is on disk, where the device has a cache there: the shaders and
/// the first memory take some milliseconds, tens of them on SwiftShader.
Result<Findings> find_out(Device& device);

}  // namespace caldera::runtime
