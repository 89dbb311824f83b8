// SPDX-License-Identifier: Apache-2.0
// What no Vulkan query tells: found out by running shaders when the device is opened (driver_quirks.def: probes).
#pragma once

#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Whether GLSL.std.450 Fma rounds once, for float and, where the device has it, double.
Result<bool> fma_is_fused(Device& device);

/// Whether that of half does; false where the device has no half.
Result<bool> half_fma_is_fused(Device& device);

/// Whether denormal floats are kept, as DeviceProfile::keeps_float_denormals says. Devices that promise it are not asked.
Result<bool> float_denormals_are_kept(Device& device);

/// Whether those of double are; false where the device has no double.
Result<bool> double_denormals_are_kept(Device& device);

/// Whether GLSL.std.450 Exp2 and Sqrt of a float are as exact as DeviceProfile::exact_exp2_sqrt says. Devices that do not fuse
/// (processors among them) are not asked, nor those without doubles, which tell.
Result<bool> exp2_and_sqrt_are_exact(Device& device, bool fused_fma);

/// Whether work-groups of one dimension are cut into sub-groups in the order of their work-items, the last one uneven.
Result<bool> subgroups_are_linear(Device& device);

/// All of the above, and find_shared_memory(), of a device that is being opened.
/// What an earlier process found is on disk, where the device has a cache there: the shaders and
/// the first memory take some milliseconds, tens of them on SwiftShader.
Result<Findings> find_out(Device& device);

}  // namespace caldera::runtime
