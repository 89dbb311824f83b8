// SPDX-License-Identifier: Apache-2.0
// The door of preprocess/: text in, preprocessed tokens out (C99 translation phases 1 to 6, clause 6.10).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/arena.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/lex/lexer.h"
#include "frontend/lex/token.h"
#include "frontend/mention.h"

namespace caldera::frontend {

/// What later stages know, for __has_builtin, __has_attribute and __has_feature. Names are without `__`
/// around them.
struct KnownNames {
    std::function<bool(std::string_view)> builtin = {}, attribute = {}, feature = {};
};

/// Lexes, includes and expands on demand. String literals are not concatenated; keywords are recognised.
class Preprocessor {
 public:
    Preprocessor(SourceManager& sources, const CompileOptions& options, Arena& arena, Diagnostics& diags);
    ~Preprocessor();

    void enter_main_file(std::string_view source, const std::string& file_name);
    void know(KnownNames names);
    /// From now on, appends each mention of a macro.
    void note_macros(std::vector<MacroMention>& mentions);
    void next(Tok& tok);  ///< End for ever after the last token
    Tok next() {
        Tok tok;
        next(tok);
        return tok;
    }
    const std::vector<std::string>& dependencies() const;  ///< files read, the main one first
    /// For -E: every #pragma becomes a Pragma token, not only those that the parser must see.
    void keep_all_pragmas();
    /// For -E -dD: every #define and #undef becomes a Pragma token whose text is the directive.
    void keep_definitions();
    const std::vector<std::string>& included() const;  ///< -H: see CompileResult::included
    /// The macros that are defined so far, sorted by name, as #define lines.
    std::string definitions();
    /// With CompileOptions::keep_comments: the comments before the last token that next() returned, each only
    /// once.
    std::vector<Comment> take_comments();
    /// The first byte of each file entered so far, in order.
    const std::vector<SourceLoc>& entered_files() const;
    /// Calls `visit` with each macro that is defined so far, predefined ones that were not used excluded: the
    /// range of its name, and its #define line.
    void for_each_macro(const std::function<void(SourceRange, std::string_view)>& visit) const;
    const SourceManager& sources() const { return sources_; }
    NameTable& names();

 private:
    const SourceManager& sources_;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace caldera::frontend
