// SPDX-License-Identifier: Apache-2.0
// The door of lint/: warnings about what compiles but looks like a mistake. They need the checked tree, and most need
// a whole function; what one look at a node shows is warned about in check/.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"

namespace caldera::frontend {

/// Looks at a checked external declaration. Where control goes is followed only while there are no errors, as clang does.
void lint(const Decl& decl, const CompileOptions& options, Arena& arena, Diagnostics& diags);

}  // namespace caldera::frontend
