// SPDX-License-Identifier: Apache-2.0
// Definitions of built-in functions for modules of other compilers, which call them by their mangled names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// A built-in function by the name that clang gives it: "_Z9mem_fencej".
struct BuiltinUse {
    std::string_view mangled = {};
    /// The call's constant arguments, for parameters that are integers: sizes, fences, orders and scopes have
    /// to be constant. The list may be shorter than that of the parameters.
    std::vector<std::optional<uint64_t>> constants = {};
};

/// `words` is OpenCL SPIR-V that exports a function of the same parameters for each use. names[i] is the
/// export's name for uses[i]. It is empty if there is no such built-in function in any version of OpenCL C
/// with any extension, or if our own modules call it by this name as well.
struct BuiltinWrappers {
    std::vector<uint32_t> words = {};
    std::vector<std::string> names = {};
};

BuiltinWrappers wrap_builtins(std::span<const BuiltinUse> uses);

}  // namespace caldera::frontend
