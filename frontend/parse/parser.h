// SPDX-License-Identifier: Apache-2.0
// The door of parse/: tokens in, a tree with names only out.
#pragma once

#include <memory>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/preprocess/token_store.h"

namespace caldera::frontend {

class Parser;

/// Parses a translation unit (C99 6.9 with OpenCL C's and GNU's additions), one external declaration at a
/// time. Always returns a tree; faults are reported and become Error nodes.
class UnitParser {
 public:
    UnitParser(TokenStore& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
               Diagnostics& diags);
    ~UnitParser();

    /// Appends the declarations of the next external declaration to `decls`; returns false at the end of the
    /// unit.
    bool next(std::vector<Decl*>& decls);

 private:
    std::unique_ptr<Parser> parser_;
};

/// Parses the whole unit at once.
TranslationUnit* parse(Preprocessor& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
                       Diagnostics& diags);

}  // namespace caldera::frontend
