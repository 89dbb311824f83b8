// SPDX-License-Identifier: Apache-2.0
// Macros as data (C99 6.10.3).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/compile_options.h"
#include "frontend/lex/token.h"

namespace caldera::frontend::pp {

/// Macros whose text is computed when they are used.
enum class Dynamic : uint8_t {
    None,
    Line,
    File,
    FileName,
    BaseFile,
    IncludeLevel,
    Counter,
    HasInclude,
    HasIncludeNext,
    HasBuiltin,  ///< this and the next: of KnownNames
    HasAttribute,
    HasFeature,
    HasExtension,
    HasNothing,  ///< of what C++ or a vendor has
};

/// One piece of a replacement list. Optional is `__VA_OPT__(…)`, whose contents are the pieces that follow
/// it.
struct Piece {
    enum class Kind : uint8_t { Token, Param, Stringify, Paste, Optional } kind = Kind::Token;
    Tok tok = {};
    uint32_t param = 0;         ///< Param, Stringify: which; Optional: how many pieces it holds
    bool is_in_quotes = false;  ///< `#__VA_OPT__(…)`
};

struct Macro {
    std::string_view name = {};
    NameId id = 0;
    SourceRange name_range = {};
    bool function_like = false;
    bool variadic = false;  ///< the last parameter takes the rest: __VA_ARGS__, or a name of its own (GNU)
    bool named_variadic = false;
    bool predefined = false;
    Dynamic dynamic = Dynamic::None;
    std::vector<std::string_view> params = {};
    std::vector<Piece> body = {};
    SourceLoc body_begin = {};  ///< the replacement list's place in its file,
    uint32_t body_length = 0;   ///< from its first token to its last
    bool is_used = false;
    uint32_t disabled = 0;  ///< how many expansions of it are being rescanned
};

/// Finds the row of predefined.def whose condition holds under `options`; null if there is none. No macro is
/// defined in advance.
struct Predefined {
    std::string_view name = {};
    std::string_view params = {};  ///< "(X, typen)" for a function-like macro
    std::string_view text = {};
    Dynamic dynamic = Dynamic::None;
};
const Predefined* find_predefined(std::string_view name, const CompileOptions& options);
std::vector<const Predefined*> all_predefined(const CompileOptions& options);

/// Whether a redefinition is benign (C99 6.10.3p2).
bool same_definition(const Macro& a, const Macro& b);

}  // namespace caldera::frontend::pp
