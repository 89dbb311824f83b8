// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_input.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace caldera::fuzz {
namespace {

using frontend::CompileOptions;

/// The options of the line, those for the test runner or for translation apart.
void read_options(const std::string& line, CompileOptions& options) {
    std::istringstream words(line);
    std::string front_end;
    for (std::string word; words >> word;) {
        spirv::Target target;
        if (word.starts_with("--target=") && spirv::parse_target(word.substr(9), target)) {
            if (!spirv::is_vulkan(target)) options.target = target;
        } else {
            front_end += word + " ";
        }
    }
    CompileOptions parsed = options;
    if (frontend::parse_build_options(front_end, parsed)) options = std::move(parsed);
}

}  // namespace

Input read_input(const uint8_t* data, size_t size) {
    Input input;
    input.source.assign(reinterpret_cast<const char*>(data), size);
    constexpr std::string_view kMarker = "// OPTIONS:";
    if (input.source.starts_with(kMarker))
        read_options(input.source.substr(kMarker.size(), input.source.find('\n') - kMarker.size()),
                     input.options);
    // Thousands of diagnostics are no finding, only slow to render.
    if (input.options.warnings.error_limit == 0) input.options.warnings.error_limit = 20;
    input.options.read_file = [source = input.source](const std::string& path) -> std::optional<std::string> {
        if (path.ends_with("once.h")) return "#pragma once\n" + source;
        if (path.ends_with("self.h")) return source;
        if (path.ends_with("macros.h")) return "#define F(x, ...) x __VA_ARGS__\n#define G(x) #x x##1\n";
        if (path.ends_with("open.h")) return "#if 1\nint f(int x) {";
        return std::nullopt;
    };
    return input;
}

void finding(const std::string& what) {
    std::fprintf(stderr, "finding: %s\n", what.c_str());
    std::abort();
}

void check_log(const Input& input, const frontend::CompileResult& result) {
    constexpr std::string_view kBug = "internal compiler error";
    const bool quoted =
        input.source.find(kBug) != std::string::npos;  // libFuzzer tries what it sees compared
    if (!quoted && result.log.find(kBug) != std::string::npos) finding(result.log);
}

}  // namespace caldera::fuzz
