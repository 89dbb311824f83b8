// SPDX-License-Identifier: Apache-2.0
// The walk over a translation unit. Everything is checked in one pass in source order, as C's scopes ask;
// recursion and unused functions are looked at afterwards.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

Checker::Checker(const CompileOptions& options, TypeTable& types, Arena& arena, Diagnostics& diags)
    : options_(options), features_(options.features()), types_(types), arena_(arena), diags_(diags) {}

void Checker::external_declaration(Decl& decl) {
    if (diags_.stopped()) return;
    declaration(&decl);
    file_decls_.push_back(&decl);
}

void Checker::finish() {
    if (diags_.stopped()) return;
    complete_tentative();
    link_objects();
    refuse_recursion();
    warn_unused_at_file_scope();
    warn_undefined_functions();
}

UnitChecker::UnitChecker(const CompileOptions& options, TypeTable& types, Arena& arena, Diagnostics& diags)
    : checker_(std::make_unique<Checker>(options, types, arena, diags)) {}
UnitChecker::~UnitChecker() = default;
void UnitChecker::note_names(NameIndex& mentions) { checker_->note_names(mentions); }
void UnitChecker::declaration(Decl& decl) { checker_->external_declaration(decl); }
void UnitChecker::finish() { checker_->finish(); }

void check_translation_unit(TranslationUnit& unit, const CompileOptions& options, TypeTable& types,
                            Arena& arena, Diagnostics& diags) {
    UnitChecker checker(options, types, arena, diags);
    for (Decl* decl : unit.decls) checker.declaration(*decl);
    checker.finish();
}

}  // namespace caldera::frontend
