// SPDX-License-Identifier: Apache-2.0
// Runs the ordered list of passes (passes.def).
#pragma once

#include <span>
#include <string_view>

#include "vulkan/translate/pass.h"
#include "vulkan/translate/pass_list.h"

namespace caldera::vulkan {

struct PassRow {
    std::string_view name = {};
    PassNeed need = PassNeed::Required;
    Result<Done> (*run)(spirv::Module& module, PassContext& context) = nullptr;
};
std::span<const PassRow> all_passes();

/// Runs the passes in order, without options.disabled_passes. If options.stop_after names a pass, that is the
/// last one. An unknown name in either is an error, and so is a required pass in the former. Errors name the
/// pass that failed.
Result<Done> run_passes(spirv::Module& module, PassContext& context);

}  // namespace caldera::vulkan
