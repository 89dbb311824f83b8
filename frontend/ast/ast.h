// SPDX-License-Identifier: Apache-2.0
// The tree. parse/ builds it with names only; check/ resolves names, sets every `type`, makes every
// conversion a CastExpr and every built-in call a resolved row. emit/ reads the checked form and decides
// nothing about types.
//
// A field comment that begins with "checked:" is set by check/.
//
// How deep a tree can be. parse/ refuses nesting beyond its limits (256 brackets, 1024 levels in all), so a
// stage may recurse; but two shapes are unbounded, because programs that write programs make them, and must
// be walked by a loop: the `lhs` spine of BinaryExprs (`a + b + c + …`, comma lists too) and the `otherwise`
// chain of IfStmts (`else if`).
#pragma once

#include <span>

#include "frontend/ast/decl.h"
#include "frontend/ast/expr.h"
#include "frontend/ast/stmt.h"

namespace caldera::frontend {

/// checked: `decls` in source order, local declarations excluded.
struct TranslationUnit {
    std::span<Decl*> decls = {};
};

}  // namespace caldera::frontend
