// SPDX-License-Identifier: Apache-2.0
// Extensions of SPIR-V that say something to a compiler and change no result.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Removes them, with their capabilities and decorations, so that the validator need not know them:
/// - SPV_EXT_optnone and SPV_INTEL_optnone: functions that are not to be optimised;
/// - SPV_INTEL_fp_max_error: how far results may be off, which is never more than OpenCL allows here;
/// - SPV_INTEL_cache_controls: what caches are to keep;
/// - SPV_INTEL_global_variable_host_access: which variables the host reads and writes;
/// - SPV_INTEL_global_variable_fpga_decorations: how an FPGA is to keep a variable;
/// - SPV_INTEL_maximum_registers: how many a kernel may use;
/// - SPV_INTEL_int4 and SPV_INTEL_arbitrary_precision_integers, also by the name with ALTERA: integers of any
///   width, which odd_integers.h knows without;
/// - Uniform and UniformId, which llvm-spirv writes in versions that do not have them;
/// - BufferLocationINTEL, which LLVM's back end writes without its capability;
/// - SPV_KHR_non_semantic_info: instructions without a meaning, debug information for shaders too. Compilers
///   write some before what they are about, which validators decline.
/// Returns whether anything changed.
bool drop_extension_hints(spirv::Module& module);

}  // namespace caldera::vulkan
