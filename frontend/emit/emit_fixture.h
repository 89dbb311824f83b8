// SPDX-License-Identifier: Apache-2.0
// For the tests: source text to validated assembly.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "frontend/compile.h"
#include "spirv/spirv.h"

namespace caldera::frontend {

inline CompileOptions standard(Standard which) {
    CompileOptions options;
    options.standard = which;
    options.target = which >= Standard::CL20 ? spirv::Target::OpenCL20 : spirv::Target::OpenCL12;
    return options;
}

/// Compiles, checks the module structurally and with spirv-val, and disassembles it.
inline std::string assembly(std::string_view source,
                            const CompileOptions& options = standard(Standard::CL12)) {
    const CompileResult result = compile(source, "test.cl", options);
    INFO(std::string(source));
    INFO(result.log);
    REQUIRE(result.errors == 0);
    const auto text = spirv::disassemble(result.words);
    REQUIRE(text);
    INFO(*text);
    auto module = spirv::read(result.words);
    REQUIRE(module);
    const auto structure = spirv::verify(*module);
    if (!structure) FAIL(structure.error().message);
    const auto valid = spirv::validate(result.words, options.target);
    if (!valid) FAIL(valid.error().message);
    return *text;
}

/// The log of a source that the emitter declines.
inline std::string declined(std::string_view source,
                            const CompileOptions& options = standard(Standard::CL12)) {
    const CompileResult result = compile(source, "test.cl", options);
    CHECK(result.errors != 0);
    CHECK(result.words.empty());
    return result.log;
}

/// Each text stands in the assembly, in this order.
inline void check_lines(const std::string& text, const std::vector<std::string_view>& lines) {
    INFO(text);
    size_t at = 0;
    for (const std::string_view line : lines) {
        INFO("looking for: " << std::string(line));
        const size_t found = text.find(line, at);
        REQUIRE(found != std::string::npos);
        at = found + line.size();
    }
}
inline void check_absent(const std::string& text, std::string_view line) {
    INFO(text);
    CHECK(text.find(line) == std::string::npos);
}
inline size_t count_of(const std::string& text, std::string_view line) {
    size_t count = 0;
    for (size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) ++count;
    return count;
}

}  // namespace caldera::frontend
