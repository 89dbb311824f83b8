// SPDX-License-Identifier: Apache-2.0
// Caches the results of resolve(): kernels call few built-ins with few types, but often.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/builtin/builtin.h"

namespace caldera::frontend::builtin {

/// resolve() for one translation unit.
class ResolutionCache {
 public:
    ResolutionCache(const Features& features, TypeTable& types, Arena& arena)
        : features_(features), types_(types), arena_(arena) {}

    std::variant<const Resolution*, Mismatch> resolve(std::string_view name, std::span<const QualType> args,
                                                      std::span<const bool> null_constants);

 private:
    struct Call {
        std::span<const QualType> args = {};
        std::span<const bool> null_constants = {};
        const Resolution* resolution = nullptr;
    };
    const Features& features_;
    TypeTable& types_;
    Arena& arena_;
    std::unordered_map<std::string_view, std::vector<Call>> calls_ = {};  // those that resolved, by name
};

}  // namespace caldera::frontend::builtin
