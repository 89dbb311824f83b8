// SPDX-License-Identifier: Apache-2.0
// Phases 1 to 3 of C99 5.1.1.2: one file's text to preprocessing tokens.
//
// Trigraphs and line splices are rare, so CleanText removes them before the lexer runs. A single search finds
// out whether there are any; if not, the text is not copied.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/arena.h"
#include "frontend/diag.h"
#include "frontend/lex/name_table.h"
#include "frontend/lex/token.h"

namespace caldera::frontend {

/// A file after phases 1 and 2, with a mapping of each byte to its original place. A zero byte follows the
/// text.
class CleanText {
 public:
    /// `text` starts at `start` and is followed by a zero byte.
    CleanText(std::string_view text, SourceLoc start, Arena& arena);

    std::string_view text() const { return text_; }
    SourceLoc loc(size_t offset) const {
        if (offset - stretch_begin_ >= stretch_length_) find_stretch(offset);
        return {start_.offset + static_cast<uint32_t>(offset) + added_};
    }
    /// The location after the last byte of a token that ends at `offset`.
    SourceLoc end_loc(size_t offset) const {
        return offset == 0 ? start_ : SourceLoc{loc(offset - 1).offset + 1};
    }
    SourceRange range(size_t begin, size_t end) const {
        const SourceLoc first = loc(begin);
        const size_t length = end - begin;  // most tokens end in the stretch in which they begin
        if (length - 1 < stretch_begin_ + stretch_length_ - begin)
            return {first, {first.offset + static_cast<uint32_t>(length)}};
        return {first, end_loc(end)};
    }
    /// Three bytes that became one, or a line splice.
    struct Trigraph {
        size_t offset = 0;  ///< of the byte in the clean text; of a splice, the byte that follows it
        SourceLoc at = {};
        char meaning = 0;
    };
    const std::vector<Trigraph>& trigraphs() const { return trigraphs_; }
    /// A line splice that was left out.
    struct Splice {
        size_t before = 0;  ///< the offset of the byte that follows it in the clean text
        SourceLoc at = {};  ///< its backslash, or the last byte of its trigraph
    };
    /// The next splice behind the byte at `begin`, up to the byte before `end`.
    std::optional<Splice> splice_between(size_t begin, size_t end) const;

 private:
    struct Shift {
        uint32_t clean;  // from this offset of the clean text on,
        uint32_t added;  // so many bytes were left out before
    };
    void find_stretch(size_t offset) const;

    std::string_view text_, original_;
    SourceLoc start_;
    std::vector<Shift> shifts_ = {};
    std::vector<Trigraph> trigraphs_ = {};
    // The most recently used range between two shifts: tokens are requested in order.
    mutable size_t stretch_begin_ = 0, stretch_length_ = 0;
    mutable uint32_t added_ = 0;
};

/// A comment as written, with its place. A line comment does not include its newline.
struct Comment {
    SourceLoc at = {};
    std::string_view text = {};
};

class Lexer {
 public:
    /// `text` is the file that starts at `start`, followed by a zero byte; it, `names` and `arena` outlive
    /// the tokens.
    Lexer(std::string_view text, SourceLoc start, NameTable& names, Arena& arena, Diagnostics& diags);

    /// The next token. Newline appears only while a directive is being read, and ends it; so does the end of
    /// the file. Tokens of more than one spelling (digraphs) keep theirs in `text`.
    Tok next() {
        Tok tok;
        next(tok);
        return tok;
    }
    /// The same, but stores the token directly in its destination, because a token passes through many
    /// functions.
    void next(Tok& tok);
    /// After `#include`: a HeaderName, or nullopt if the line continues with something else.
    std::optional<Tok> header_name();
    /// Whether '(' is the next token, on whatever line; within a directive, on this one.
    bool left_paren_follows() const;

    void begin_directive() { in_directive_ = true; }
    bool in_directive() const { return in_directive_; }
    /// Skips up to and including the newline that ends the directive.
    void skip_directive();
    /// In a skipped group: returns the `#` of the next directive, or End.
    Tok skip_to_directive();
    /// The rest of the directive's line, including comments: for #error and #warning.
    std::string_view rest_of_line();
    /// In a skipped group, nothing is reported.
    void set_quiet(bool quiet) {
        pass_trigraphs(pos_);
        quiet_ = quiet;
    }
    /// From now on, appends each skipped comment to `comments`, except those in directives and skipped
    /// groups.
    void keep_comments(std::vector<Comment>* comments) { comments_ = comments; }

    SourceLoc here() const { return source_.loc(pos_); }

 private:
    bool skip_blank();
    void skip_line();
    bool skip_newline();
    void skip_block_comment();
    void skip_line_comment();
    void warn_multi_line(size_t begin);
    /// Warns of the trigraphs before `end` that no call has passed yet.
    void pass_trigraphs(size_t end) {
        if (next_trigraph_ < source_.trigraphs().size()) pass_next_trigraphs(end, quiet_);
    }
    /// Passes them without a warning: they are in a comment.
    void drop_trigraphs(size_t end) {
        if (next_trigraph_ < source_.trigraphs().size()) pass_next_trigraphs(end, true);
    }
    void pass_next_trigraphs(size_t end, bool quiet);
    void keep_comment(size_t begin);
    bool skip_strange_byte();
    void identifier(Tok& tok, size_t begin);
    void number(size_t begin);
    bool quoted(Tok& tok, size_t begin, char quote);
    Token punctuator();
    size_t universal_character(size_t at, uint32_t& value) const;
    void finish(Tok& tok, Token kind, size_t begin);
    /// The byte `ahead` of the position. No byte before it may be the zero byte that ends the text.
    char peek(size_t ahead = 0) const { return text_.data()[pos_ + ahead]; }
    bool at_end() const { return pos_ >= text_.size(); }
    SourceRange range(size_t begin, size_t end) const { return source_.range(begin, end); }

    CleanText source_;
    std::string_view text_;
    NameTable& names_;
    Arena& arena_;
    Diagnostics& diags_;
    size_t pos_ = 0;
    size_t next_trigraph_ = 0;
    bool line_start_ = true;
    bool in_directive_ = false;
    bool quiet_ = false;
    std::vector<Comment>* comments_ = nullptr;
};

/// Whether a code point may occur in an identifier (C11 D.1, which clang also uses for C99), and at its start
/// (D.2).
bool is_identifier_code_point(uint32_t c);
bool is_identifier_start(uint32_t c);

}  // namespace caldera::frontend
