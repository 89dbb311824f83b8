// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/compiled.h"

#include "builtins/builtin_library.h"
#include "spirv/link.h"
#include "vulkan/translate/translate.h"
#include "vulkan/translate_options.h"

namespace caldera::runner {

fs::path assembly_of(const Test& test) { return fs::path(test.path).replace_extension(".spvasm"); }

namespace {

/// Links `opencl` with them.
Verdict link_assembly(const Test& test, std::vector<uint32_t>& opencl) {
    const fs::path assembly = assembly_of(test);
    Result<std::vector<uint32_t>> words = spirv::assemble(read_file(assembly), test.compile.target);
    if (!words) return assembly.string() + ":" + words.error().message;
    const spirv::LinkInput inputs[] = {{.name = test.path.string(), .words = opencl},
                                       {.name = assembly.string(), .words = *words}};
    Result<std::vector<uint32_t>> linked = vulkan::link_foreign(inputs, {});
    if (!linked) return linked.error().message;
    opencl = linked.take();
    return {};
}

}  // namespace

Compiled compile(const Test& test, const fs::path& root) {
    Compiled out;
    const std::string name = fs::relative(test.path, root).generic_string();
    if (test.is_assembly()) {
        Result<std::vector<uint32_t>> words = spirv::assemble(test.source, test.compile.target);
        if (!words) return {.log = name + ":" + words.error().message + "\n"};
        out.opencl = words.take();
    } else {
        const bool has_assembly = fs::exists(assembly_of(test));
        frontend::CompileOptions options = test.compile;
        options.export_variables |= has_assembly;
        frontend::CompileResult result = frontend::compile(test.source, name, options);
        out.log = result.log;
        if (!result) return out;
        out.opencl = std::move(result.words);
        // With signs of integer images, the module is for the translator alone.
        if (Result<Done> valid = spirv::validate(out.opencl, test.compile.target);
            !valid && !test.compile.image_signs)
            out.invalid = "the OpenCL module is invalid: " + valid.error().message;
        if (has_assembly)
            if (Verdict bad = link_assembly(test, out.opencl); !bad.empty()) return {.log = bad + "\n"};
    }
    out.words = out.opencl;
    if (!spirv::is_vulkan(test.target)) return out;
    vulkan::TranslateOptions options = translate_options(test.compile);
    options.target = test.target;
    options.abi = test.abi;
    options.value_arguments = test.value_arguments;
    options.images = test.images;
    options.trusted_input = test.compile.image_signs && !test.is_assembly();
    options.simple_ndrange = options.clspv_reflection = test.abi == vulkan::Abi::Descriptors;
    options.constants_in_module = test.abi == vulkan::Abi::Descriptors && !test.constants_in_buffer;
    options.verify_between_passes = true;
    Result<vulkan::Translation> translation = vulkan::translate(out.opencl, options, builtin_library());
    if (!translation) {
        out.log += name + ": error: " + translation.error().message + "\n";
        out.words.clear();
        return out;
    }
    out.words = std::move(translation->words);
    if (Result<Done> valid = spirv::validate(out.words, test.target); !valid && out.invalid.empty())
        out.invalid = "the Vulkan module is invalid: " + valid.error().message;
    return out;
}

}  // namespace caldera::runner
