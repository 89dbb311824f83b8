// SPDX-License-Identifier: Apache-2.0
// From the options of a build to those of the translator.
#pragma once

#include "frontend/options.h"
#include "vulkan/translate/options.h"

namespace caldera {

/// What the build options ask of the translator, with all that they imply. What they do not say has its
/// default: the target, the device, the ABI.
inline vulkan::TranslateOptions translate_options(const frontend::CompileOptions& options) {
    const frontend::CompileOptions compile = frontend::with_implied(options);
    return {.optimization_level = compile.opt_disable ? 0 : compile.optimization,
            .fast_math = compile.unsafe_math,
            .contraction = compile.fp_contract != frontend::FpContract::Off,
            .correctly_rounded_divide_sqrt = compile.correctly_rounded_divide_sqrt,
            .denorms_are_zero = compile.denorms_are_zero,
            .detailed_enqueue_errors = compile.debug_info,
            .debug_info = compile.debug_detail != frontend::DebugDetail::None,
            .uniform_work_group_size = compile.uniform_work_group_size};
}

}  // namespace caldera
