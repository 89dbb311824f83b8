// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pipeline.h"

#include <algorithm>

#include "spirv/spirv.h"
#include "spirv/support/check.h"

namespace caldera::vulkan {

std::span<const PassRow> all_passes() {
    static constexpr PassRow kPasses[] = {
#define PASS(name, need, summary) {#name, PassNeed::need, name},
#include "spirv/support/try.h"
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

Result<Done> check_names(const TranslateOptions& options) {
    const auto find = [](const std::string& name) {
        return std::ranges::find(all_passes(), name, &PassRow::name);
    };
    const auto no_pass = [](const std::string& name) {
        return Error{.message = "unknown pass '" + name + "'"};
    };
    if (!options.stop_after.empty() && find(options.stop_after) == all_passes().end())
        return no_pass(options.stop_after);
    for (const std::string& name : options.disabled_passes) {
        const auto pass = find(name);
        if (pass == all_passes().end()) return no_pass(name);
        if (pass->need == PassNeed::Required)
            return Error{.message = "pass '" + name + "' cannot be left out"};
    }
    return Done{};
}

/// Calls options.after_pass, if it is set, with the module after each pass.
class Observer {
 public:
    explicit Observer(const PassContext& context) : context_(context) {}

    void tell(const spirv::Module& module, uint32_t number, std::string_view pass) {
        if (!context_.options.after_pass) return;
        std::vector<uint32_t> words = spirv::write(module);
        const bool changed = words != last_;
        last_ = std::move(words);
        context_.options.after_pass({.number = number, .pass = pass, .changed = changed, .words = last_});
        if (context_.stopwatch) context_.stopwatch->lap("observe");
    }

 private:
    const PassContext& context_;
    std::vector<uint32_t> last_ = {};
};

Result<Done> run_pass(const PassRow& pass, spirv::Module& module, PassContext& context) {
    try {
        if (Result<Done> done = pass.run(module, context); !done) return in_pass(done.error(), pass.name);
    } catch (const std::logic_error& bug) {
        throw InternalError(std::string(bug.what()) + " [" + std::string(pass.name) + "]");
    }
    if (context.stopwatch) context.stopwatch->lap(pass.name);
    if (!context.options.verify_between_passes) return Done{};
    if (Result<Done> sound = spirv::verify(module); !sound)
        return in_pass({.message = "internal error: " + sound.error().message}, pass.name);
    if (context.stopwatch) context.stopwatch->lap("verify");
    return Done{};
}

}  // namespace

Result<Done> run_passes(spirv::Module& module, PassContext& context) {
    TRY(check_names(context.options));
    Observer observer(context);
    observer.tell(module, 0, "read");
    uint32_t number = 0;
    for (const PassRow& pass : all_passes()) {
        ++number;
        if (std::ranges::count(context.options.disabled_passes, pass.name) == 0) {
            TRY(run_pass(pass, module, context));
            observer.tell(module, number, pass.name);
        }
        if (pass.name == context.options.stop_after) break;
    }
    return Done{};
}

}  // namespace caldera::vulkan
