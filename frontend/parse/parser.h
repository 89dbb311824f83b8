// SPDX-License-Identifier: Apache-2.0
// The door of parse/: tokens in, a tree with names only out.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/compile.h"
#include "frontend/diag.h"
#include "frontend/preprocess/preprocessor.h"

namespace caldera::frontend {

/// Parses a translation unit (C99 6.9 with OpenCL C's and GNU's additions). Always returns a tree; faults are
/// reported and become Error nodes.
TranslationUnit* parse(Preprocessor& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
                       Diagnostics& diags);

}  // namespace caldera::frontend
