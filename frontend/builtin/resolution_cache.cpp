// SPDX-License-Identifier: Apache-2.0
#include "frontend/builtin/resolution_cache.h"

#include <algorithm>

namespace caldera::frontend::builtin {

namespace {
constexpr size_t kMaxKept = 32;  // of a name; vload4 and its like have more, but no kernel uses them all
}

std::variant<const Resolution*, Mismatch> ResolutionCache::resolve(std::string_view name,
                                                                   std::span<const QualType> args,
                                                                   std::span<const bool> null_constants) {
    std::vector<Call>& calls = calls_[name];
    for (const Call& call : calls)
        if (std::ranges::equal(call.args, args) && std::ranges::equal(call.null_constants, null_constants))
            return call.resolution;
    auto resolved = builtin::resolve(name, args, null_constants, features_, types_, arena_);
    if (const auto* found = std::get_if<const Resolution*>(&resolved); found && calls.size() < kMaxKept)
        calls.push_back({arena_.copy(std::vector<QualType>(args.begin(), args.end())),
                         arena_.copy(null_constants), *found});
    return resolved;
}

}  // namespace caldera::frontend::builtin
