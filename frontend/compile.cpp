// SPDX-License-Identifier: Apache-2.0
// The stages in order: preprocess and parse, check, emit, write.
#include "frontend/compile.h"

#include <new>
#include <vector>

#include "frontend/ast/dump.h"
#include "frontend/emit/emitter.h"
#include "frontend/preprocess/print.h"
#include "frontend/session.h"
#include "spirv/limits.h"
#include "spirv/support/check.h"
#include "spirv/support/float_environment.h"

namespace caldera::frontend {
namespace {

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
        session.enter(source, file_name);
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
        if (printed.definitions) s.tokens.keep_definitions();
        text = print_tokens(s.tokens, s.sources, printed.markers);
        if (printed.only_macros) text = s.tokens.definitions();
    });
}

CompileResult dump_ast(std::string_view source, const std::string& file_name, const CompileOptions& options,
                       std::string& text, bool colour) {
    return run(source, file_name, options, colour,
               [&](Session& s, CompileResult&) { text = dump(*s.parse_and_check(true)); });
}

}  // namespace caldera::frontend
