// SPDX-License-Identifier: Apache-2.0
#include "builtins/define_builtins.h"

#include "frontend/builtin_wrappers.h"

namespace caldera {

vulkan::BuiltinDefinitions define_builtins(std::span<const vulkan::BuiltinRequest> requests) {
    std::vector<frontend::BuiltinUse> uses;
    for (const vulkan::BuiltinRequest& request : requests)
        uses.push_back({.mangled = request.name, .constants = request.constants});
    frontend::BuiltinWrappers made = frontend::wrap_builtins(uses);
    return {.words = std::move(made.words), .names = std::move(made.names)};
}

}  // namespace caldera
