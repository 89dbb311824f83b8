// SPDX-License-Identifier: Apache-2.0
// The door of translate/: OpenCL SPIR-V in, Vulkan SPIR-V and its interface out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/link.h"
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
    /// Vulkan's names of features without which check_supported would have declined the kernels. The module
    /// need not use them all: values may have been folded away.
    std::vector<std::string_view> checked_features = {};
    std::vector<StageTime> times = {};  ///< reading, each pass, writing
};

/// Error::code if the host was out of memory: VK_ERROR_OUT_OF_HOST_MEMORY.
constexpr int32_t kOutOfHostMemory = -1;

/// Translates a whole module. Never throws: a bug of Caldera becomes an error that says so. check_supported
/// declines unsupported kernels before any lowering; the message names the kernel, the source location and
/// the missing feature. The result does not depend on the thread's floating-point environment.
Result<Translation> translate(std::span<const uint32_t> opencl_words, const TranslateOptions& options,
                              const BuiltinLibrary& library);

/// What translate() would say of a module of any compiler before it looks at what the module does.
Result<Done> check_module(std::span<const uint32_t> opencl_words);

/// The words of a module of any compiler as spirv::read() takes them: in this machine's order of bytes, and
/// without merge instructions at wrong places, which llvm-spirv makes of hints to unroll loops, and words
/// that LLVM's back end writes behind OpConstantNull.
std::vector<uint32_t> readable(std::span<const uint32_t> words);

/// spirv::link() for modules of any compiler. It repairs what other tool chains are known to write, as
/// translate() does, before the linker validates the modules.
Result<std::vector<uint32_t>> link_foreign(std::span<const spirv::LinkInput> inputs,
                                           const spirv::LinkOptions& options);

}  // namespace caldera::vulkan
