// SPDX-License-Identifier: Apache-2.0
#include "frontend/analyze.h"

#include <new>

#include "frontend/session.h"
#include "spirv/support/check.h"
#include "spirv/support/float_environment.h"

namespace caldera::frontend {
namespace {

CompileOptions for_editors(CompileOptions options) {
    options.reads_on_without_header = true;
    options.warnings.error_limit = 0;
    options.warnings.fatal_errors = false;
    return options;
}

constexpr TranslationUnit kEmpty = {};

}  // namespace

Analysis::Analysis(std::string_view source, const std::string& file_name, const CompileOptions& options)
    : session_(std::make_unique<Session>(for_editors(options))), unit_(&kEmpty) {
    const DefaultFloatEnvironment floats;
    Diagnostics& diags = session_->diags;
    try {
        session_->enter(source, file_name);
        unit_ = session_->parse_and_check(true, &mentions_);
    } catch (const InternalError& bug) {
        diags.fatal({}, "internal compiler error: ", bug.what(), "; please report it with the source");
    } catch (const std::bad_alloc&) { diags.fatal({}, "out of memory"); }
    diags.sort_by_place(session_->sources);
}
Analysis::~Analysis() = default;

const SourceManager& Analysis::sources() const { return session_->sources; }
const std::deque<Diagnostic>& Analysis::diagnostics() const { return session_->diags.all(); }
const std::vector<SourceLoc>& Analysis::files() const { return session_->tokens.entered_files(); }
const CompileOptions& Analysis::options() const { return session_->options; }

std::vector<Analysis::Macro> Analysis::macros() const {
    std::vector<Macro> macros;
    session_->tokens.for_each_macro([&](SourceRange name, std::string_view definition) {
        macros.push_back({.name = name, .definition = std::string(definition)});
    });
    return macros;
}

}  // namespace caldera::frontend
