// SPDX-License-Identifier: Apache-2.0
// The walk over a translation unit. Everything is checked in one pass in source order, as C's scopes ask; recursion
// and unused functions are looked at afterwards.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

Checker::Checker(const CompileOptions& options, TypeTable& types, Arena& arena, Diagnostics& diags)
    : options_(options), features_(options.features()), types_(types), arena_(arena), diags_(diags) {}

void Checker::translation_unit(TranslationUnit& unit) {
    for (Decl* decl : unit.decls) {
        if (diags_.stopped()) return;
        declaration(decl);
        file_decls_.push_back(decl);
    }
    link_objects();
    refuse_recursion();
    warn_unused_at_file_scope();
}

void check_translation_unit(TranslationUnit& unit, const CompileOptions& options, TypeTable& types,
                            Arena& arena, Diagnostics& diags) {
    Checker(options, types, arena, diags).translation_unit(unit);
}

}  // namespace caldera::frontend
