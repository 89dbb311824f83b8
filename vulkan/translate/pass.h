// SPDX-License-Identifier: Apache-2.0
// What a pass is: a function that rewrites the module in place.
#pragma once

#include <string_view>
#include <vector>

#include "spirv/module.h"
#include "spirv/support/result.h"
#include "spirv/support/stopwatch.h"
#include "vulkan/interface.h"
#include "vulkan/translate/library.h"
#include "vulkan/translate/options.h"
#include "vulkan/translate/pass_variables.h"

namespace caldera::vulkan {

/// What a pass may read besides the module, and the interface and the variables that it may add to.
struct PassContext {
    const TranslateOptions& options;
    const BuiltinLibrary& library;
    ProgramInterface& interface;
    Stopwatch* stopwatch = nullptr;  ///< gets a lap for each pass
    PassVariables variables = {};
    std::vector<std::string_view> checked_features = {};  ///< Translation's
};

// One declaration per row of passes.def; each pass's header-file comment is in <name>.cpp, in the room of its
// stage.
#define PASS(name, need, summary) Result<Done> name(spirv::Module& module, PassContext& context);
#include "vulkan/translate/passes.def"
#undef PASS

}  // namespace caldera::vulkan
