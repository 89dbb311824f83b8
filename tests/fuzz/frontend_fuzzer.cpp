// SPDX-License-Identifier: Apache-2.0
// The whole front end on any bytes: what it accepts must be valid SPIR-V for its environment, also when
// linked; what it refuses must have an error.
#include "spirv/link.h"
#include "tests/fuzz/fuzz_input.h"

namespace caldera::fuzz {
namespace {

void check_valid(const std::vector<uint32_t>& words, spirv::Target target, const std::string& what) {
    if (Result<Done> valid = spirv::validate(words, target); !valid)
        finding("invalid " + what + ": " + valid.error().message);
}

/// The module, empty when the source has errors.
std::vector<uint32_t> compile(const std::string& source, const Input& input) {
    frontend::CompileResult result = frontend::compile(source, "fuzz.cl", input.options, input.colour);
    check_result(source, result);
    if (result.words.empty() == (result.errors == 0)) finding("words and errors disagree:\n" + result.log);
    if (!result.words.empty()) check_valid(result.words, input.options.target, "module");
    return std::move(result.words);
}

void check_linked(const std::vector<std::vector<uint32_t>>& modules, const Input& input) {
    std::vector<spirv::LinkInput> units;
    for (const std::vector<uint32_t>& module : modules) units.push_back({.name = "a.spv", .words = module});
    const Result<std::vector<uint32_t>> linked = spirv::link(
        units, {.create_library = input.create_library, .allow_partial = input.allow_partial_linkage});
    if (linked)
        check_valid(*linked, input.options.target, "linked module");
    else if (linked.error().message.empty())
        finding("the linker refuses and does not say why");
}

}  // namespace
}  // namespace caldera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace caldera;
    const fuzz::Input input = fuzz::read_input(data, size);
    std::vector<std::vector<uint32_t>> modules;
    for (const std::string& source : input.sources) {
        std::vector<uint32_t> words = fuzz::compile(source, input);
        // Same source, same options, same bytes; one input in eight is enough.
        if (size % 8 == 0 && fuzz::compile(source, input) != words)
            fuzz::finding("another module the second time");
        if (!words.empty()) modules.push_back(std::move(words));
        std::string text;
        if (input.print_tree)
            fuzz::check_result(source,
                               frontend::dump_ast(source, "fuzz.cl", input.options, text, input.colour));
    }
    if (input.link && modules.size() == input.sources.size()) fuzz::check_linked(modules, input);
    return 0;
}
