// SPDX-License-Identifier: Apache-2.0
// For the unit tests of passes: text in, text out.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "spirv/spirv.h"
#include "tests/support/why.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {

using Pass = Result<Done> (*)(spirv::Module&, PassContext&);

/// The result of the passes. `error` is that of the first pass that failed. The module passes verify() after
/// each pass.
struct PassRun {
    ProgramInterface interface = {};
    std::string text = {};
    std::vector<uint32_t> words = {};
    std::string error = {};
};

/// A module from text.
struct ReadModule {
    std::vector<uint32_t> words = {};
    spirv::Module module = {};
};
inline ReadModule read_text(std::string_view assembly, spirv::Target target) {
    const auto words = spirv::assemble(assembly, target);
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    return {*words, module.take()};
}

inline PassRun run_passes(std::string_view assembly, std::initializer_list<Pass> passes,
                          const TranslateOptions& options = {}, const BuiltinLibrary& library = {},
                          spirv::Target words_of = spirv::Target::OpenCL20) {
    PassRun run;
    const auto words = spirv::assemble(assembly, words_of);
    if (!words) return run.error = "assemble: " + words.error().message, run;
    auto module = spirv::read(*words);
    if (!module) return run.error = "read: " + module.error().message, run;
    PassContext context{options, library, run.interface};
    for (Pass pass : passes) {
        if (auto done = pass(*module, context); !done) return run.error = done.error().message, run;
        if (auto done = spirv::verify(*module); !done)
            return run.error = "verify: " + done.error().message, run;
    }
    run.words = spirv::write(*module);
    const auto text = spirv::disassemble(run.words);
    if (!text) return run.error = "disassemble: " + text.error().message, run;
    run.text = *text;
    return run;
}

/// The same. If nothing else failed, `error` is spirv-val's for the result.
inline PassRun validated(PassRun run, spirv::Target target) {
    if (!run.error.empty()) return run;
    if (const auto valid = spirv::validate(run.words, target); !valid)
        run.error = "validate: " + valid.error().message + "\n" + run.text;
    return run;
}

/// The text after a change to a module, which must verify before and afterwards; "unchanged" if `mend` says
/// that it changed nothing.
inline std::string text_after(std::string_view assembly, spirv::Target target, bool (*mend)(spirv::Module&)) {
    const auto words = spirv::assemble(assembly, target);
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    REQUIRE(spirv::verify(*module));
    const bool changed = mend(*module);
    const auto sound = spirv::verify(*module);
    REQUIRE_MESSAGE(sound, why(sound));
    const auto text = spirv::disassemble(spirv::write(*module));
    REQUIRE(text);
    return changed ? *text : "unchanged";
}

/// Runs the pass, which must succeed, on a kernel and returns the text. `head` ends with the label of the
/// kernel's only block, and `body` is the code in this block.
inline std::string run_in_kernel(std::string_view head, std::string_view body, Pass pass,
                                 const TranslateOptions& options) {
    const PassRun run =
        run_passes(std::string(head) + std::string(body) + "OpReturn\nOpFunctionEnd\n", {pass}, options);
    REQUIRE(run.error == "");
    return run.text;
}

inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

inline size_t count(const std::string& text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// Replaces lower_memory_model in tests of other passes.
inline Result<Done> use_physical_addressing(spirv::Module& module, PassContext&) {
    module.memory_model.operands = {spv::AddressingModel::PhysicalStorageBuffer64, spv::MemoryModel::GLSL450};
    return Done{};
}

}  // namespace caldera::vulkan
