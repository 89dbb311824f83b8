// SPDX-License-Identifier: Apache-2.0
#include "frontend/session.h"

#include <optional>
#include <vector>

#include "frontend/check/checker.h"
#include "frontend/lint/lint.h"
#include "frontend/options.h"
#include "frontend/parse/parser.h"
#include "frontend/parse/reach.h"
#include "spirv/support/float_environment.h"

namespace caldera::frontend {

Session::Session(const CompileOptions& given)
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

void Session::enter(std::string_view source, const std::string& file_name) {
    for (const std::string& group : diags.unknown_groups()) {
        std::string_view name = group, prefix = "-W";
        if (name.starts_with("no-")) prefix = "-Wno-", name.remove_prefix(3);
        std::string_view near = nearest_warning(name);
        std::string hint =
            near.empty() ? "" : "; did you mean '" + std::string(prefix) + std::string(near) + "'?";
        diags.warning(Warning::UnknownWarningOption, {}, "unknown warning option '-W", group, "'", hint);
    }
    for (const std::string& option : options.unused)
        diags.warning(Warning::UnusedArgument, {}, "argument unused during compilation: '", option, "'");
    for (const std::string& name : options.misspelt_extensions)
        diags.warning(Warning::UnusedArgument, {}, "unknown extension or feature '", name,
                      "' in '-cl-ext='; did you mean '", nearest_extension(name), "'?");
    for (const std::string& fault : contradictions(options.features())) diags.error({}, fault);
    tokens.enter_main_file(source, file_name);
}

TranslationUnit* Session::parse_and_check(bool keep_all, NameIndex* mentions) {
    if (mentions) tokens.note_macros(mentions->macros);
    TokenStore store(tokens);
    std::optional<Reach> reach;
    if (!keep_all && !options.export_functions && !options.export_variables) reach.emplace(store);
    UnitParser parser(store, options, types, tree, diags);
    UnitChecker checker(options, types, tree, diags);
    if (mentions) checker.note_names(*mentions);
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

}  // namespace caldera::frontend
