// SPDX-License-Identifier: Apache-2.0
// The two long steps of a build, each with a cache on disk before it. Without one (null) they are done as ever.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "frontend/compile.h"
#include "vulkan/runtime/disk_cache.h"
#include "vulkan/translate/translate.h"

namespace caldera {

/// frontend::compile(), or what it gave before for the same source, name and options, if each file that it then looked for and
/// read, or did not find, is as it was. What does not compile is not kept.
frontend::CompileResult compile_or_load(const runtime::DiskCache* cache, std::string_view source,
                                        const std::string& file_name,
                                        const frontend::CompileOptions& options);

/// vulkan::translate() with our built-in functions, or what it gave before for the same words and options, the device's profile
/// among them. Times are not kept.
Result<vulkan::Translation> translate_or_load(const runtime::DiskCache* cache,
                                              std::span<const uint32_t> opencl_words,
                                              const vulkan::TranslateOptions& options);

}  // namespace caldera
