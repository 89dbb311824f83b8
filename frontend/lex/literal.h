// SPDX-License-Identifier: Apache-2.0
// The values of constants and string literals (C99 6.4.4, 6.4.5; OpenCL C 6.1.3, 6.1.9). After an error, the
// result is some value of the type that the constant seemed to have.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/lex/token.h"
#include "frontend/types/type.h"

namespace caldera::frontend {

/// An integer constant (type Int, UInt, Long or ULong: `bits` is its value) or a floating constant (type
/// Half, Float or Double: `number` is its value, rounded to the type).
struct NumberLiteral {
    TypeKind type = TypeKind::Int;
    uint64_t bits = 0;
    double number = 0;
    bool valid = true;                 ///< false: an error was reported
    bool implicitly_unsigned = false;  ///< a decimal constant without a suffix `u` that no signed type holds
    bool is_floating() const { return type >= TypeKind::Half && type <= TypeKind::Double; }
};

/// Parses a Token::Number. An unsuffixed floating constant is double, or float with single_precision_constant
/// or without a usable fp64; `h` needs a usable fp16. `enabled` is what pragmas have enabled. Integers get
/// the first type of C99 6.4.4.1p5 that can hold them; `ll` is treated as `l`.
NumberLiteral parse_number(const Tok& token, const CompileOptions& options, const ExtSet& enabled,
                           Diagnostics& diags);

/// Warns of a constant that is implicitly unsigned, where it stays so: after a minus it may be signed.
void warn_implicitly_unsigned(SourceRange range, Diagnostics& diags);

/// The value of a Token::Char: an int (C99 6.4.4.4p10). A multi-character constant has the value that clang
/// and gcc give it.
struct CharLiteral {
    int32_t value = 0;
    bool valid = true;
};
CharLiteral parse_char(const Tok& token, Diagnostics& diags);

/// The bytes of adjacent Token::String's, joined (C99 5.1.1.2 phase 6), without the terminating zero.
struct StringValue {
    std::string bytes = {};
    bool valid = true;
};
StringValue parse_string(std::span<const Tok> tokens, Diagnostics& diags);

/// The source range of the bytes from `begin` to `end` of such a value, within the token that contains the
/// first of them.
SourceRange string_range(std::span<const Tok> tokens, size_t begin, size_t end);

/// `value` as the nearest double that `half` or `float` can hold (round to nearest even), an infinity beyond
/// them.
double round_to(TypeKind type, double value);

}  // namespace caldera::frontend
