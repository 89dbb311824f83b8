// SPDX-License-Identifier: Apache-2.0
#include "caldera/compile.h"

#include "frontend/options.h"
#include "library/objects.h"
#include "library/options.h"
#include "spirv/link.h"
#include "spirv/support/float_environment.h"
#include "vulkan/device_extensions.h"
#include "vulkan/translate/translate.h"

namespace caldera {

namespace detail {

Result<frontend::CompileOptions> frontend_options(const CompileOptions& options) {
    frontend::CompileOptions out;
    if (Result<Done> parsed = frontend::parse_build_options(options.options, out); !parsed)
        return parsed.error();
    for (const Macro& macro : options.macros) out.macros.push_back({.name = macro.name, .text = macro.text});
    out.include_dirs.insert(out.include_dirs.end(), options.include_dirs.begin(), options.include_dirs.end());
    out.read_file = options.read_file;
    if (options.profile) out.extensions = out.extensions & offline_extensions(plain(*options.profile));
    if (options.makes_object) out.export_functions = out.export_variables = true;
    return out;
}

CompileResult failed(const Error& error) {
    return {.log = "error: " + error.message + "\n", .diagnostics = {{.text = error.message}}};
}

CompileResult public_result(frontend::CompileResult result) {
    return {.words = std::move(result.words),
            .log = std::move(result.log),
            .diagnostics = std::move(result.diagnostics),
            .dependencies = std::move(result.dependencies),
            .out_of_memory = result.out_of_memory};
}

}  // namespace detail

CompileResult compile(std::string_view source, const std::string& file_name, const CompileOptions& options) {
    const Result<frontend::CompileOptions> frontend_options = detail::frontend_options(options);
    if (!frontend_options) return detail::failed(frontend_options.error());
    CompileResult result =
        detail::public_result(frontend::compile(source, file_name, *frontend_options, options.colour));
    if (!result && options.profile)
        result.log += explain_extensions(detail::plain(*options.profile), result.diagnostics);
    return result;
}

Result<std::vector<uint32_t>> link(std::span<const LinkInput> inputs, bool keep_exports) {
    const DefaultFloatEnvironment floats;
    std::vector<spirv::LinkInput> modules;
    for (const LinkInput& input : inputs) modules.push_back({.name = input.name, .words = input.words});
    return vulkan::link_foreign(modules, {.create_library = keep_exports});
}

}  // namespace caldera
