// SPDX-License-Identifier: Apache-2.0
// What stands around the cursor, from the text alone: it may be half written.
#pragma once

#include <cstddef>
#include <map>
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

/// Which declarations inside of a function the cursor sees.
class Scopes {
 public:
    Scopes(std::string_view text, size_t cursor);
    /// Whether the cursor is in the scope of a declaration that begins there, before the cursor.
    bool has(size_t declared);

 private:
    bool is(size_t word, std::string_view text) const;
    /// What the directive makes of a state: each branch of a conditional begins with that before its #if.
    template <class State>
    void branch(size_t directive, State& state, std::vector<State>& before) const;
    void find_brackets();
    bool is_open_from(size_t word) const;

    std::string_view text_;
    std::vector<Word> words_;              // up to the cursor
    std::vector<size_t> brackets_ = {};    // of each word: the innermost one around it, by the word behind it
    std::map<size_t, bool> is_open_ = {};  // by bracket: whether what is declared in it is visible
};

/// What a completion at the cursor completes.
struct CompletionContext {
    size_t begin = 0;  ///< of the word that is being written; the cursor if there is none
    enum class Kind : uint8_t { Name, Member, Label, Tag, Macro, Directive, None } kind = Kind::Name;
    size_t op = 0;  ///< Member: where the `.` or the `->` begins; Tag: where the keyword before it does
};
CompletionContext completion_at(std::string_view text, size_t offset);

}  // namespace caldera::language_server
