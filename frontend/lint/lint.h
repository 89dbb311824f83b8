// SPDX-License-Identifier: Apache-2.0
// The door of lint/: warnings about code that is valid but looks like a mistake. They need the checked tree,
// and most need a whole function. check/ gives warnings that need to see only one node.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"

namespace caldera::frontend {

/// Checks an external declaration. Control flow is analysed only while there are no errors, as in clang.
void lint(const Decl& decl, const CompileOptions& options, Arena& arena, Diagnostics& diags);

}  // namespace caldera::frontend
