// SPDX-License-Identifier: Apache-2.0
// For the tests of check/: text in, the dump of the checked tree or the diagnostics out.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "frontend/ast/dump.h"
#include "frontend/check/checker.h"
#include "frontend/lint/lint.h"
#include "frontend/parse/parser.h"

namespace caldera::frontend::testing {

/// "line:column: error: text" for each diagnostic, "line:column: note: text" for its notes.
inline std::string log_of(const Diagnostics& diags, const SourceManager& sources) {
    std::string log;
    std::vector<const Diagnostic*> in_order;  // of their places, as compile() has them
    for (const Diagnostic& d : diags.all()) in_order.push_back(&d);
    auto place = [&](const Diagnostic* d) {
        PresumedLoc at = sources.presumed(d->range.begin);
        return std::pair(at.line, at.column);
    };
    std::stable_sort(in_order.begin(), in_order.end(), [&](auto* a, auto* b) { return place(a) < place(b); });
    auto add = [&](SourceRange range, std::string_view severity, const std::string& text) {
        PresumedLoc place = sources.presumed(range.begin);
        log += std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
        log += std::string(severity) + ": " + text + "\n";
    };
    for (const Diagnostic* d : in_order) {
        add(d->range, d->severity == Severity::Warning ? "warning" : "error", d->text);
        for (const Note& note : d->notes) add(note.range, "note", note.text);
    }
    return log;
}

struct Checked {
    std::string tree = {};
    std::string log = {};
};

/// Calls `use` with a checked unit while what it points into lives, and returns what `use` returns.
template <class Use>
auto with_checked(std::string_view source, CompileOptions options, const Use& use) {
    SourceManager sources;
    Arena arena;
    options.warnings.error_limit = 0;
    Diagnostics diags(options.warnings);
    TypeTable types(arena);
    Preprocessor tokens(sources, options, arena, diags);
    tokens.enter_main_file(source, "test.cl");
    TranslationUnit* unit = parse(tokens, options, types, arena, diags);
    check_translation_unit(*unit, options, types, arena, diags);
    return use(*unit, sources, arena, diags);
}

inline Checked check_text(std::string_view source, const CompileOptions& options) {
    return with_checked(
        source, options,
        [&](const TranslationUnit& unit, const SourceManager& sources, Arena& arena, Diagnostics& diags) {
            for (const Decl* decl : unit.decls) lint(*decl, options, arena, diags);
            return Checked{dump(unit), log_of(diags, sources)};
        });
}

inline CompileOptions options_for(Standard standard) {
    CompileOptions options;
    options.standard = standard;
    return options;
}

/// The diagnostics of a source, after a newline; just the newline when there are none.
inline std::string faults(std::string_view source, Standard standard = Standard::CL12) {
    return "\n" + check_text(source, options_for(standard)).log;
}

/// The faults of statements in a kernel that has a variable of each common type.
inline std::string stmt_faults(std::string_view statements, Standard standard = Standard::CL12) {
    std::string source =
        "kernel void k(global float *p, constant int *c, local int *l, int n, float f) { bool b = n; char ch "
        "= 1; "
        "uint u = n; long lg = n; double d = f; float4 v = f; int4 i = n; uint4 ui = u; char4 c4 = ch; long4 "
        "l4 = "
        "lg; float2 f2 = f; struct S { int a; float b; } s = {1, 2}; int *q = &n;\n";
    return "\n" + check_text(source + std::string(statements) + "\n}", options_for(standard)).log;
}

/// Whether a source has neither errors nor warnings.
inline bool accepts(std::string_view source, Standard standard = Standard::CL12) {
    return faults(source, standard) == "\n";
}

/// The checked tree of an expression statement in the same kernel: what is below its Expr.
inline std::string expr(std::string_view expression, Standard standard = Standard::CL12) {
    std::string source =
        "void f(global float *p, constant int *c, local int *l, int n, float f, bool b, char ch, uchar uc, "
        "uint u, "
        "long lg, double d, float4 v, int4 i, uint4 ui, char4 c4, long4 l4, float2 f2, float3 f3, short8 "
        "s8)\n{";
    Checked checked = check_text(source + std::string(expression) + "; }", options_for(standard));
    if (checked.log.find("error") != std::string::npos) return checked.log;
    std::string out = "\n";
    size_t at = checked.tree.find("    Expr\n");
    if (at == std::string::npos) return checked.tree;
    at += 9;
    while (at < checked.tree.size()) {
        size_t end = checked.tree.find('\n', at);
        if (end == std::string::npos) end = checked.tree.size();
        out += checked.tree.substr(at + 6, end - at - 6) + "\n";
        at = end + 1;
    }
    return out;
}

}  // namespace caldera::frontend::testing
