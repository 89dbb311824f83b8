// SPDX-License-Identifier: Apache-2.0
// Public options as those of the rooms.
#pragma once

#include "caldera/checks.h"
#include "caldera/compile.h"
#include "caldera/program.h"
#include "caldera/translate.h"
#include "frontend/compile.h"
#include "spirv/spirv.h"
#include "vulkan/build_program.h"
#include "vulkan/translate/translate.h"

namespace caldera::detail {

/// The error is the sentence about the option.
Result<frontend::CompileOptions> frontend_options(const CompileOptions& options);

constexpr spirv::Target spirv_target(Target target) {
    switch (target) {
        case Target::Vulkan11: return spirv::Target::Vulkan11;
        case Target::Vulkan12: return spirv::Target::Vulkan12;
        case Target::Vulkan13: break;
    }
    return spirv::Target::Vulkan13;
}

/// None: as the environment says. The error is the sentence about the option.
Result<std::optional<vulkan::MemoryChecks>> reported_kinds(const CheckOptions& options);

/// The rooms' options; the error is the sentence about one of them.
Result<BuildOptions> build_options(const ProgramOptions& options, const vulkan::DeviceProfile& device);

/// What a compiler that stopped before it began gives.
CompileResult failed(const Error& error);
CompileResult public_result(frontend::CompileResult result);

}  // namespace caldera::detail
