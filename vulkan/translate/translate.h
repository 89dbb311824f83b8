// SPDX-License-Identifier: Apache-2.0
// The door of translate/: OpenCL SPIR-V in, Vulkan SPIR-V and its interface out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/support/result.h"
#include "spirv/support/stopwatch.h"
#include "vulkan/interface.h"
#include "vulkan/translate/library.h"
#include "vulkan/translate/options.h"
#include "vulkan/translate/pass_list.h"

namespace caldera::vulkan {

struct Translation {
    std::vector<uint32_t> words = {};
    ProgramInterface interface = {};
    std::vector<StageTime> times = {};  ///< reading, each pass, writing
};

/// Error::code where memory was short: VK_ERROR_OUT_OF_HOST_MEMORY.
constexpr int32_t kOutOfHostMemory = -1;

/// Translates a whole module. Never throws: a bug of ours becomes an error that says so. What is declined is
/// declined in check_supported, before any lowering, by kernel, place and missing feature. The thread's floating-point environment
/// changes nothing.
Result<Translation> translate(std::span<const uint32_t> opencl_words, const TranslateOptions& options,
                              const BuiltinLibrary& library);

}  // namespace caldera::vulkan
