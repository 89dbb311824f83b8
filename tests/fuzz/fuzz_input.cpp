// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_input.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

#include "frontend/options.h"

namespace caldera::fuzz {
namespace {

/// One option, and the word after it when it takes that: how many words.
size_t read_option(std::span<const std::string> words, size_t at, Input& input) {
    constexpr std::string_view kTarget = "--target=";
    const std::string& word = words[at];
    if (word == "-c") return input.link = true, 1;
    if (word == "--create-library") return input.create_library = true, 1;
    if (word == "--allow-partial-linkage") return input.allow_partial_linkage = true, 1;
    if (word == "--emit=ast") return input.print_tree = true, 1;
    if (word == "-fcolor-diagnostics") return input.colour = true, 1;
    if (word.starts_with(kTarget)) {
        spirv::Target target;
        if (spirv::parse_target(word.substr(kTarget.size()), target) && !spirv::is_vulkan(target))
            input.options.target = target;
        return 1;
    }
    const Result<size_t> taken = frontend::take_option(words, at, input.options);
    return taken && *taken > 0 ? *taken : 1;
}

void read_options(const std::string& line, Input& input) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    for (size_t at = 0; at < words.size();) at += read_option(words, at, input);
}

std::optional<std::string> read_file(const std::string& path, const std::string& source) {
    if (path.ends_with("once.h")) return "#pragma once\n" + source;
    if (path.ends_with("self.h")) return source;
    if (path.ends_with("macros.h")) return "#define F(x, ...) x __VA_ARGS__\n#define G(x) #x x##1\n";
    if (path.ends_with("open.h")) return "#if 1\nint f(int x) {";
    return std::nullopt;
}

}  // namespace

Input read_input(const uint8_t* data, size_t size) {
    Input input;
    input.sources.emplace_back();
    std::istringstream lines({reinterpret_cast<const char*>(data), size});
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view kOptions = "// OPTIONS:";
        if (line.starts_with("// NEXT FILE"))
            input.sources.emplace_back();
        else if (line.starts_with(kOptions))
            read_options(line.substr(kOptions.size()), input);
        input.sources.back() += line;
        if (!lines.eof()) input.sources.back() += '\n';
    }
    if (input.sources.size() > 4) input.sources.resize(4);
    input.link |= input.sources.size() > 1;
    input.options.export_functions |= input.link;
    input.options.export_variables |= input.link;
    // Thousands of diagnostics are no finding, only slow to render.
    if (input.options.warnings.error_limit == 0) input.options.warnings.error_limit = 20;
    input.options.read_file = [source = input.sources[0]](const std::string& path) {
        return read_file(path, source);
    };
    return input;
}

void finding(const std::string& what) {
    std::fprintf(stderr, "finding: %s\n", what.c_str());
    std::abort();
}

void check_result(const std::string& source, const frontend::CompileResult& result) {
    constexpr std::string_view kBug = "internal compiler error";
    const bool quoted = source.find(kBug) != std::string::npos;  // libFuzzer tries what it sees compared
    if (!quoted && result.log.find(kBug) != std::string::npos) finding(result.log);
    if (result.errors > 0 && result.log.find("error: ") == std::string::npos)
        finding("errors without a word:\n" + result.log);
}

}  // namespace caldera::fuzz
