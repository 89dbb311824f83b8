// SPDX-License-Identifier: Apache-2.0
// Links several modules with SPIRV-Tools' linker, and reports errors that name symbols and files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spirv/support/result.h"

namespace caldera::spirv {

struct LinkInput {
    std::string name = {};  ///< for messages
    std::span<const uint32_t> words = {};
};

struct LinkOptions {
    bool create_library = false;  ///< exported symbols stay exported
    bool allow_partial = false;   ///< undefined symbols stay imported
};

/// Resolves imports by exports of the same name (SPIR-V 2.16.1, LinkageAttributes), or by kernels, which
/// functions of other modules may call (OpenCL C 3.0 6.11.1). Types may differ where those of C's
/// declarations may: bind_imports.h. Functions with mangled names ("_Z...") may stay undefined, because they
/// are OpenCL C's built-in functions. The error has a line for each symbol that is undefined, defined twice,
/// or imported with a different type than exported.
Result<std::vector<uint32_t>> link(std::span<const LinkInput> inputs, const LinkOptions& options);

}  // namespace caldera::spirv
