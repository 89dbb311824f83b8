// SPDX-License-Identifier: Apache-2.0
// The library of built-in functions, in the form that the translator takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
/// A built-in function that a module of another compiler calls by its mangled name, with the values of
/// integer arguments that are constant.
struct BuiltinRequest {
    std::string name = {};
    std::vector<std::optional<uint64_t>> constants = {};
    bool operator==(const BuiltinRequest&) const = default;
    auto operator<=>(const BuiltinRequest&) const = default;
};
/// A module that defines what was requested. names[i] is the exported function's name for request i, which
/// takes the same arguments; it is empty if there is no such function.
struct BuiltinDefinitions {
    std::vector<uint32_t> words = {};
    std::vector<std::string> names = {};
};
struct BuiltinLibrary {
    std::span<const BuiltinModule> modules = {};
    std::span<const BuiltinSymbol> symbols = {};
    /// Defines functions that become instructions when our own front end compiles their calls, and so are not
    /// among the symbols. Null: no such function can be called.
    BuiltinDefinitions (*define)(std::span<const BuiltinRequest> requests) = nullptr;
};

}  // namespace caldera::vulkan
