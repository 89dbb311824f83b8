// SPDX-License-Identifier: Apache-2.0
// The stages in order: preprocess and parse, check, emit, write.
#include "frontend/compile.h"

#include <new>
#include <optional>
#include <vector>

#include "frontend/arena.h"
#include "frontend/ast/dump.h"
#include "frontend/check/checker.h"
#include "frontend/emit/emitter.h"
#include "frontend/lint/lint.h"
#include "frontend/options.h"
#include "frontend/parse/parser.h"
#include "frontend/parse/reach.h"
#include "frontend/preprocess/preprocessor.h"
#include "frontend/preprocess/print.h"
#include "spirv/limits.h"
#include "spirv/support/check.h"
#include "spirv/support/float_environment.h"

namespace caldera::frontend {
namespace {

/// State that the stages of one translation unit share.
struct Session {
    explicit Session(const CompileOptions& given)
        : options(with_implied(given)), diags(options.warnings), tokens(sources, options, texts, diags) {
        diags.place_warnings_in(sources);
        tokens.know({.builtin = [this](auto name) { return knows_gnu_builtin(name, options.features()); },
                     .attribute = knows_attribute,
                     .feature = [this](auto name) { return knows_feature(name, options.features()); }});
        if (options.read_file)  // it is the caller's
            options.read_file = [read_file = given.read_file](const std::string& path) {
                const CallersFloatEnvironment callers;
                return read_file(path);
            };
    }

    /// Parses and checks one declaration at a time. With `keep_all`, no body is dropped.
    TranslationUnit* parse_and_check(bool keep_all) {
        TokenStore store(tokens);
        std::optional<Reach> reach;
        if (!keep_all && !options.export_functions && !options.export_variables) reach.emplace(store);
        UnitParser parser(store, options, types, tree, diags);
        UnitChecker checker(options, types, tree, diags);
        std::vector<Decl*> decls;
        for (;;) {
            const Arena::Mark before = tree.bodies_so_far();
            const size_t first = decls.size();
            if (!parser.next(decls)) break;
            for (size_t i = first; i < decls.size() && !diags.stopped(); ++i) {
                checker.declaration(*decls[i]);
                if (!diags.stopped()) lint(*decls[i], options, tree, diags);
            }
            auto* function = decls.size() == first + 1 ? dyn<FunctionDecl>(decls[first]) : nullptr;
            if (!reach || !function || !function->body || function->body_outlives) continue;
            if (reach->reaches(tokens.names().intern(function->name))) continue;
            function->body = nullptr;
            function->body_is_dropped = true;
            tree.drop_bodies_since(before);
        }
        checker.finish();
        return tree.make<TranslationUnit>(tree.copy(decls));
    }

    CompileOptions options;
    SourceManager sources = {};
    Arena texts = {}, tree = {};  // of tokens, types and built-ins; of nodes
    TypeTable types{texts};
    Diagnostics diags;
    Preprocessor tokens;
};

/// Runs `stages` on a source and renders their diagnostics. A violated invariant of Caldera's own becomes an
/// error.
template <class Stages>
CompileResult run(std::string_view source, const std::string& file_name, const CompileOptions& options,
                  bool colour, Stages stages) {
    CompileResult result;
    const DefaultFloatEnvironment floats;
    Session session(options);
    Diagnostics& diags = session.diags;
    try {
        for (const std::string& group : diags.unknown_groups()) {
            std::string_view name = group, prefix = "-W";
            if (name.starts_with("no-")) prefix = "-Wno-", name.remove_prefix(3);
            std::string_view near = nearest_warning(name);
            std::string hint =
                near.empty() ? "" : "; did you mean '" + std::string(prefix) + std::string(near) + "'?";
            diags.warning(Warning::UnknownWarningOption, {}, "unknown warning option '-W", group, "'", hint);
        }
        for (const std::string& fault : contradictions(session.options.features())) diags.error({}, fault);
        session.tokens.enter_main_file(source, file_name);
        if (!diags.has_errors()) stages(session, result);
    } catch (const InternalError& bug) {
        result.words.clear();
        diags.fatal({}, "internal compiler error: ", bug.what(), "; please report it with the source");
    } catch (const std::bad_alloc&) {
        result.words.clear();
        result.out_of_memory = true;
        diags.fatal({}, "out of memory");
    }
    result.dependencies = session.tokens.dependencies();
    result.included = session.tokens.included();
    result.errors = diags.error_count();
    result.warnings = diags.warning_count();
    if (diags.all().empty()) return result;
    diags.sort_by_place(session.sources);
    result.log = render(diags, session.sources, colour);
    result.diagnostics = as_data(diags, session.sources);
    if (options.findings) result.findings = as_findings(diags, session.sources);
    return result;
}

}  // namespace

CompileResult compile(std::string_view source, const std::string& file_name, const CompileOptions& options,
                      bool colour) {
    return run(source, file_name, options, colour, [](Session& s, CompileResult& result) {
        TranslationUnit* unit = s.parse_and_check(false);
        if (s.diags.has_errors()) return;
        spirv::Module module = emit(*unit, s.options, s.types, s.tree, s.sources, s.diags);
        if (s.diags.has_errors()) return;
        if (Result<Done> fits = spirv::check_limits(module); !fits)
            s.diags.fatal({}, "the program is too large: ", fits.error().message);
        else
            result.words = spirv::write(module);
    });
}

CompileResult preprocess(std::string_view source, const std::string& file_name, const CompileOptions& options,
                         std::string& text, bool colour, Printed printed) {
    return run(source, file_name, options, colour, [&](Session& s, CompileResult&) {
        s.tokens.keep_all_pragmas();
        if (printed == Printed::Definitions) s.tokens.keep_definitions();
        text = print_tokens(s.tokens, s.sources, printed != Printed::Plain);
        if (printed == Printed::Macros) text = s.tokens.definitions();
    });
}

CompileResult dump_ast(std::string_view source, const std::string& file_name, const CompileOptions& options,
                       std::string& text, bool colour) {
    return run(source, file_name, options, colour,
               [&](Session& s, CompileResult&) { text = dump(*s.parse_and_check(true)); });
}

}  // namespace caldera::frontend
