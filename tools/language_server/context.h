// SPDX-License-Identifier: Apache-2.0
// What stands around the cursor, from the text alone: it may be half written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lex/token.h"

namespace caldera::language_server {

/// A token of a text, with its bytes.
struct Word {
    frontend::Token kind = frontend::Token::End;  ///< keywords are identifiers
    size_t begin = 0, end = 0;
    bool starts_line = false;
};

/// The tokens of a file without macros and includes; directives' tokens are among them. `comments` gets the
/// comments outside of directives, if it is not null.
std::vector<Word> tokens_of(std::string_view text, std::vector<Word>* comments = nullptr);

/// The call whose arguments the cursor is in.
struct CallContext {
    std::string_view name = {};
    size_t name_begin = 0;
    size_t argument = 0;  ///< from 0
};
std::optional<CallContext> call_at(std::string_view text, size_t offset);

/// Whether the cursor is in the scope of a name that is declared inside a function. `words`: tokens_of() the
/// text; `declared`: where the declaration begins.
bool is_in_scope(std::string_view text, const std::vector<Word>& words, size_t declared, size_t cursor);

/// What a completion at the cursor completes.
struct CompletionContext {
    size_t begin = 0;  ///< of the word that is being written; the cursor if there is none
    enum class Kind : uint8_t { Name, Member, Macro, Directive, None } kind = Kind::Name;
    size_t op = 0;  ///< Member: where the `.` or the `->` begins
};
CompletionContext completion_at(std::string_view text, size_t offset);

}  // namespace caldera::language_server
