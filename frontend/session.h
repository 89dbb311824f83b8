// SPDX-License-Identifier: Apache-2.0
// The state that the stages of one translation unit share, for the doors of the front end.
#pragma once

#include <string>
#include <string_view>

#include "frontend/arena.h"
#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/mention.h"
#include "frontend/preprocess/preprocessor.h"
#include "frontend/types/type.h"

namespace caldera::frontend {

struct Session {
    explicit Session(const CompileOptions& given);

    /// Reports the faults of the options, and opens the main file.
    void enter(std::string_view source, const std::string& file_name);

    /// Parses and checks one declaration at a time. With `keep_all`, no body is dropped. Fills `mentions` if
    /// there are any to fill.
    TranslationUnit* parse_and_check(bool keep_all, NameIndex* mentions = nullptr);

    CompileOptions options;
    SourceManager sources = {};
    Arena texts = {}, tree = {};  ///< of tokens, types and built-ins; of nodes
    TypeTable types{texts};
    Diagnostics diags;
    Preprocessor tokens;
};

}  // namespace caldera::frontend
