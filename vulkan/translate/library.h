// SPDX-License-Identifier: Apache-2.0
// The library of built-in functions, in the form that the translator takes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace caldera::vulkan {

/// One compiled file of builtins/: OpenCL SPIR-V whose exported functions the translator links on demand.
struct BuiltinModule {
    std::string_view name = {};  ///< "math/exp.cl"
    std::span<const uint32_t> words = {};
};
/// Says which module defines an exported function; sorted by name.
struct BuiltinSymbol {
    std::string_view name = {};  ///< Itanium-mangled, "_Z3expf"
    uint32_t module = 0;         ///< index into modules
};
struct BuiltinLibrary {
    std::span<const BuiltinModule> modules = {};
    std::span<const BuiltinSymbol> symbols = {};
};

}  // namespace caldera::vulkan
