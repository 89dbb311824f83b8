// SPDX-License-Identifier: Apache-2.0
// For tests: text in, preprocessed text and diagnostics out.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "frontend/preprocess/preprocessor.h"
#include "frontend/preprocess/print.h"

namespace caldera::frontend {

struct Preprocessed {
    std::string text =
        {};  ///< tokens with single spaces where there is one, a newline at each line that has any
    std::string log = {};
    uint32_t errors = 0, warnings = 0;
    std::vector<std::string> dependencies = {};
    std::string definitions = {};  ///< of macros, at the end
};

using FileMap = std::map<std::string, std::string>;

/// With the files that options.read_file has.
inline Preprocessed preprocess_with(const CompileOptions& options, std::string_view source) {
    SourceManager sources;
    Arena arena;
    Diagnostics diags(options.warnings);
    Preprocessor tokens(sources, options, arena, diags);
    tokens.enter_main_file(source, "k.cl");
    std::string printed = print_tokens(tokens, sources, false);
    Preprocessed result;
    for (size_t at = 0; at < printed.size();) {  // blank lines and indentation say nothing here
        size_t end = std::min(printed.find('\n', at), printed.size());
        size_t first = printed.find_first_not_of(' ', at);
        if (first < end)
            result.text += (result.text.empty() ? "" : "\n") + printed.substr(first, end - first);
        at = end + 1;
    }
    result.log = render(diags, sources, false);
    result.errors = diags.error_count();
    result.warnings = diags.warning_count();
    result.dependencies = tokens.dependencies();
    result.definitions = tokens.definitions();
    return result;
}

inline Preprocessed preprocess_text(std::string_view source, CompileOptions options = {},
                                    const FileMap& files = {}) {
    options.read_file = [&files](const std::string& path) -> std::optional<std::string> {
        auto found = files.find(path);
        return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    return preprocess_with(options, source);
}

/// The first line of the log without "k.cl:".
inline std::string first_message(const Preprocessed& result) {
    std::string line = result.log.substr(0, result.log.find('\n'));
    return line.starts_with("k.cl:") ? line.substr(5) : line;
}

}  // namespace caldera::frontend
