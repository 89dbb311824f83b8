// SPDX-License-Identifier: Apache-2.0
// CALDERA_DUMP: what each stage of a build made, for who wants to look.
#pragma once

#include <span>

#include "vulkan/icd/program.h"

namespace caldera::icd {

/// Where the environment's CALDERA_DUMP names a folder: writes a folder PROCESS-NUMBER into it with source.cl, options.txt,
/// opencl.spv, vulkan.spv, interface.json and log.txt, as far as there are such. What is there already stays. Thread-safe.
void dump(const Program& program, const Program::Build& build, std::span<const uint32_t> vulkan_words);

}  // namespace caldera::icd
