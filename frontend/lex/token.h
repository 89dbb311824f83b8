// SPDX-License-Identifier: Apache-2.0
// Tokens: rows of tokens.def.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/lex/name_table.h"
#include "frontend/source.h"

namespace caldera::frontend {

enum class Standard : uint8_t;  // compile.h

/// After preprocessing only keywords, punctuators, Identifier, Int/Float (as Number), Char, String, Pragma
/// and End remain; Hash, Newline and the rest live inside preprocess/.
enum class Token : uint8_t {
    End,
    Identifier,
    Number,
    Char,
    String,
    HeaderName,
    Newline,
    Unknown,
    Pragma,  ///< a #pragma or _Pragma that the parser must see (OPENCL EXTENSION, FP_CONTRACT, unroll): text
             ///< is its tokens' spelling
#define PUNCT(id, spelling) id,
#define KEYWORD(id, spelling, standards) id,
#include "frontend/lex/tokens.def"
#undef PUNCT
#undef KEYWORD
};

/// A token and where it stands. `text` is its spelling with line splices removed; it lives as long as the
/// SourceManager or the preprocessor's arena.
struct Tok {
    Token kind = Token::End;
    bool at_line_start = false;
    bool space_before = false;
    bool no_expand = false;  ///< painted blue: a macro name met inside its own expansion (C99 6.10.3.4p2)
    NameId name = 0;         ///< of an identifier, and of a keyword that it became
    SourceRange range = {};
    std::string_view text = {};
};

/// The keyword that `text` is under a -cl-std, else Identifier.
Token keyword(std::string_view text, Standard standard);
std::vector<std::string_view> keywords(Standard standard);  ///< all spellings
std::string_view spelling(Token token);  ///< of a punctuator or keyword; "identifier" and kin for the rest

}  // namespace caldera::frontend
