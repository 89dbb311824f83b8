// SPDX-License-Identifier: Apache-2.0
// The tree as text, for --emit=ast and the tests.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace caldera::frontend {

/// Indented text of a parsed or a checked tree, a line per node: kind, name, 'type' (as written before
/// check/, resolved after), and what else the node says. The same tree gives the same text. Two shapes that
/// can be very long are flat: a chain of binary operators is one Binary with a line per operator, and `else
/// if` is an ElseIf beside its If.
std::string dump(const TranslationUnit& unit);
std::string dump(const Expr& expr);
std::string dump(const Stmt& stmt);
std::string dump(const Decl& decl);

/// The type that specifiers and a declarator spell, on one line: `const global float *[3]`. Array sizes other
/// than literals are written `…`.
std::string written_type(const Specifiers& specifiers, const Declarator& declarator);

}  // namespace caldera::frontend
