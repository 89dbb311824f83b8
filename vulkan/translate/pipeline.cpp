// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pipeline.h"

#include <algorithm>

#include "spirv/spirv.h"
#include "spirv/support/check.h"

namespace caldera::vulkan {

std::span<const PassRow> all_passes() {
    static constexpr PassRow kPasses[] = {
#define PASS(name) {#name, name},
#include "vulkan/translate/passes.def"
#undef PASS
    };
    return kPasses;
}

namespace {

Error in_pass(Error error, std::string_view pass) {
    error.message += " [" + std::string(pass) + "]";
    return error;
}

}  // namespace

Result<Done> run_passes(spirv::Module& module, PassContext& context) {
    const std::string& stop_after = context.options.stop_after;
    if (!stop_after.empty() &&
        std::ranges::find(all_passes(), stop_after, &PassRow::name) == all_passes().end())
        return Error{.message = "there is no pass '" + stop_after + "'"};

    for (const PassRow& pass : all_passes()) {
        try {
            if (Result<Done> done = pass.run(module, context); !done) return in_pass(done.error(), pass.name);
        } catch (const InternalError& bug) {
            throw InternalError(std::string(bug.what()) + " [" + std::string(pass.name) + "]");
        }
        if (context.stopwatch) context.stopwatch->lap(pass.name);
        if (context.options.verify_between_passes)
            if (Result<Done> sound = spirv::verify(module); !sound)
                return in_pass({.message = "internal error: " + sound.error().message}, pass.name);
        if (context.stopwatch && context.options.verify_between_passes) context.stopwatch->lap("verify");
        if (pass.name == stop_after) break;
    }
    return Done{};
}

}  // namespace caldera::vulkan
