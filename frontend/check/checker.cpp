// SPDX-License-Identifier: Apache-2.0
// The walk over a translation unit. Everything is checked in one pass in source order, as C's scopes ask; recursion
// and unused functions are looked at afterwards.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

Checker::Checker(const CompileOptions& options, TypeTable& types, Arena& arena, Diagnostics& diags)
    : options_(options), types_(types), arena_(arena), diags_(diags) {
    features_.standard = static_cast<uint8_t>(options.standard);
    features_.fp16 = options.fp16;
    features_.fp64 = options.fp64;
    features_.int64_atomics = options.int64_atomics;
    features_.generic_space = has_generic_space();
}

void Checker::translation_unit(TranslationUnit& unit) {
    for (Decl* decl : unit.decls) {
        if (diags_.stopped()) return;
        declaration(decl);
        file_decls_.push_back(decl);
    }
    link_objects();
    refuse_recursion();
    warn_unused_functions();
}

void check_translation_unit(TranslationUnit& unit, const CompileOptions& options, TypeTable& types,
                            Arena& arena, Diagnostics& diags) {
    Checker(options, types, arena, diags).translation_unit(unit);
}

}  // namespace caldera::frontend
