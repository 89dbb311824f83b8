// SPDX-License-Identifier: Apache-2.0
// The ordered list of passes, as passes.def has it.
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

/// Runs the passes in order, without options.disabled_passes, up to and with options.stop_after when that names one. An unknown
/// name in either is an error, and so is a required pass in the former. An error names the pass that gave it.
Result<Done> run_passes(spirv::Module& module, PassContext& context);

}  // namespace caldera::vulkan
