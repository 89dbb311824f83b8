// SPDX-License-Identifier: Apache-2.0
// For the tests of parse/: text in, the dumped tree or the errors out.
#pragma once

#include <string>

#include "frontend/ast/dump.h"
#include "frontend/parse/parser.h"

namespace caldera::frontend::testing {

struct Parsed {
    std::string tree = {};
    std::string log =
        {};  ///< "line:column: error: text" for each diagnostic and "line:column: note: text" for its notes
    uint32_t errors = 0;
};

inline Parsed parse_text(std::string_view source, Standard standard = Standard::CL12) {
    SourceManager sources;
    CompileOptions options;
    options.standard = standard;
    Arena arena;
    Diagnostics diags;
    TypeTable types(arena);
    Preprocessor tokens(sources, options, arena, diags);
    tokens.enter_main_file(source, "test.cl");
    TranslationUnit* unit = parse(tokens, options, types, arena, diags);
    Parsed parsed{.tree = dump(*unit), .errors = diags.error_count()};
    auto add = [&](SourceRange range, std::string_view severity, const std::string& text) {
        PresumedLoc place = sources.presumed(range.begin);
        parsed.log += std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
        parsed.log += std::string(severity) + ": " + text + "\n";
    };
    for (const Diagnostic& d : diags.all()) {
        add(d.range,
            d.severity == Severity::Warning ? "warning"
            : d.severity == Severity::Fatal ? "fatal"
                                            : "error",
            d.text);
        for (const Note& note : d.notes) add(note.range, "note", note.text);
    }
    return parsed;
}

/// The tree of a source without faults; else its log, so that a failing test shows why.
inline std::string tree(std::string_view source, Standard standard = Standard::CL12) {
    Parsed parsed = parse_text(source, standard);
    return parsed.log.empty() ? "\n" + parsed.tree : parsed.log;
}

/// The diagnostics of a source.
inline std::string log(std::string_view source, Standard standard = Standard::CL12) {
    return "\n" + parse_text(source, standard).log;
}

/// The tree of an expression: what a function that holds only it has below its ExprStmt.
inline std::string expr(std::string_view source, Standard standard = Standard::CL12) {
    Parsed parsed = parse_text("void f(void) { " + std::string(source) + "; }", standard);
    if (!parsed.log.empty()) return parsed.log;
    std::string out = "\n";
    size_t line = 0;
    for (size_t at = 0; at < parsed.tree.size();) {
        size_t end = parsed.tree.find('\n', at);
        if (line++ >= 3) out += parsed.tree.substr(at + 6, end + 1 - at - 6);
        at = end + 1;
    }
    return out;
}

}  // namespace caldera::frontend::testing
