// SPDX-License-Identifier: Apache-2.0
// The two slow steps of a build, compiling and translating, each with a lookup in the cache on disk. A null
// cache turns the lookup off.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "frontend/compile.h"
#include "vulkan/runtime/disk_cache.h"
#include "vulkan/translate/translate.h"

namespace caldera {

/// Returns what frontend::compile() returns, from the cache if it has a result for the same source, name and
/// options. A result is used only if every file that the compiler then read, or failed to find, is unchanged.
/// Failed compilations are not cached.
frontend::CompileResult compile_or_load(const runtime::DiskCache* cache, std::string_view source,
                                        const std::string& file_name,
                                        const frontend::CompileOptions& options);

/// Returns what vulkan::translate() returns with Caldera's built-in functions, from the cache if it has a
/// result for the same words and options. The options include the device's profile. Times are not cached.
Result<vulkan::Translation> translate_or_load(const runtime::DiskCache* cache,
                                              std::span<const uint32_t> opencl_words,
                                              const vulkan::TranslateOptions& options);

}  // namespace caldera
