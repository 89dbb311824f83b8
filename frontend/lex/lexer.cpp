// SPDX-License-Identifier: Apache-2.0
#include "frontend/lex/lexer.h"

#include <algorithm>
#include <array>
#include <string>

#include "frontend/utf8.h"

namespace caldera::frontend {
namespace {

enum CharClass : uint8_t {
    Blank = 1,
    Start = 2,
    Digit = 4,
    HexDigit = 8,
    Gap = 16,    // may begin what skip_blank() skips
    Event = 32,  // means something to skip_line()
};

constexpr auto kClass = [] {
    std::array<uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[c] |= Start;
    for (int c = 'A'; c <= 'Z'; ++c) table[c] |= Start;
    table['_'] |= Start;
    table['$'] |= Start;  // as clang and gcc do
    for (int c = '0'; c <= '9'; ++c) table[c] |= Digit | HexDigit;
    for (int c = 'a'; c <= 'f'; ++c) table[c] |= HexDigit;
    for (int c = 'A'; c <= 'F'; ++c) table[c] |= HexDigit;
    for (char c : {' ', '\t', '\f', '\v'}) table[static_cast<size_t>(c)] |= Blank | Gap;
    for (char c : {'\n', '\r', '/', '\0'}) table[static_cast<size_t>(c)] |= Gap | Event;
    for (char c : {'"', '\''}) table[static_cast<size_t>(c)] |= Event;
    for (int c = 0x80; c <= 0xFF; ++c) table[c] |= Gap;
    return table;
}();

bool is(char c, int classes) { return kClass[static_cast<unsigned char>(c)] & classes; }
bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_newline(char c) { return c == '\n' || c == '\r'; }

bool is_unicode_blank(uint32_t c) {
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

uint32_t hex_value(char c) { return static_cast<uint32_t>(is(c, Digit) ? c - '0' : (c | 0x20) - 'a' + 10); }

}  // namespace

bool is_identifier_code_point(uint32_t c) {
    struct Interval {
        uint32_t first, last;
    };
    static constexpr Interval kAllowed[] = {
        {0xA8, 0xA8},       {0xAA, 0xAA},       {0xAD, 0xAD},       {0xAF, 0xAF},       {0xB2, 0xB5},
        {0xB7, 0xBA},       {0xBC, 0xBE},       {0xC0, 0xD6},       {0xD8, 0xF6},       {0xF8, 0xFF},
        {0x100, 0x167F},    {0x1681, 0x180D},   {0x180F, 0x1FFF},   {0x200B, 0x200D},   {0x202A, 0x202E},
        {0x203F, 0x2040},   {0x2054, 0x2054},   {0x2060, 0x206F},   {0x2070, 0x218F},   {0x2460, 0x24FF},
        {0x2776, 0x2793},   {0x2C00, 0x2DFF},   {0x2E80, 0x2FFF},   {0x3004, 0x3007},   {0x3021, 0x302F},
        {0x3031, 0x303F},   {0x3040, 0xD7FF},   {0xF900, 0xFD3D},   {0xFD40, 0xFDCF},   {0xFDF0, 0xFE44},
        {0xFE47, 0xFFFD},   {0x10000, 0x1FFFD}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD}, {0x40000, 0x4FFFD},
        {0x50000, 0x5FFFD}, {0x60000, 0x6FFFD}, {0x70000, 0x7FFFD}, {0x80000, 0x8FFFD}, {0x90000, 0x9FFFD},
        {0xA0000, 0xAFFFD}, {0xB0000, 0xBFFFD}, {0xC0000, 0xCFFFD}, {0xD0000, 0xDFFFD}, {0xE0000, 0xEFFFD}};
    for (const Interval& i : kAllowed)
        if (c >= i.first && c <= i.last) return true;
    return false;
}

bool is_identifier_start(uint32_t c) {
    bool combining = (c >= 0x300 && c <= 0x36F) || (c >= 0x1DC0 && c <= 0x1DFF) ||
                     (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE20 && c <= 0xFE2F);
    return is_identifier_code_point(c) && !combining;
}

Lexer::Lexer(std::string_view text, SourceLoc start, NameTable& names, Arena& arena, Diagnostics& diags)
    : source_(text, start, arena), text_(source_.text()), names_(names), arena_(arena), diags_(diags) {
    if (text_.starts_with("\xEF\xBB\xBF")) pos_ = 3;  // a byte order mark
}

// ---- Blanks, newlines, comments ----

/// Skips blanks and comments up to the next token, a directive's newline or the end. Returns whether there
/// were any.
bool Lexer::skip_blank() {
    size_t begin = pos_;
    for (;;) {
        char c = peek();
        if (!is(c, Gap)) {
            break;
        } else if (is(c, Blank)) {
            ++pos_;
        } else if (is_newline(c)) {
            if (in_directive_) break;
            skip_newline();
        } else if (c == '/' && peek(1) == '*') {
            skip_block_comment();
        } else if (c == '/' && peek(1) == '/') {
            skip_line_comment();
        } else if ((c == '\0' && !at_end()) || is_high(c)) {
            if (!skip_strange_byte()) break;
        } else {
            break;
        }
    }
    return pos_ != begin;
}

bool Lexer::skip_newline() {
    if (!is_newline(peek())) return false;
    pos_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
    line_start_ = true;
    return true;
}

void Lexer::skip_block_comment() {
    size_t begin = pos_;
    pass_trigraphs(begin + 1);
    size_t end = text_.find("*/", pos_ + 2);
    if (end == std::string_view::npos) {
        if (!quiet_) diags_.error(range(begin, begin + 2), "unterminated /* comment");
        pos_ = text_.size();
        drop_trigraphs(pos_ + 1);
        return;
    }
    if (diags_.enabled(Warning::Comment) && !quiet_) {
        for (size_t at = text_.find("/*", pos_ + 2); at < end; at = text_.find("/*", at + 2))
            diags_.warning(Warning::Comment, range(at, at + 2), "'/*' within block comment");
    }
    pos_ = end + 2;
    drop_trigraphs(pos_);
    if (comments_) keep_comment(begin);
}

void Lexer::skip_line_comment() {
    size_t begin = pos_;
    pass_trigraphs(begin + 1);
    pos_ = text_.find_first_of("\n\r", pos_);
    if (pos_ == std::string_view::npos) pos_ = text_.size();
    drop_trigraphs(pos_ + 1);  // also a splice before the newline
    if (diags_.enabled(Warning::Comment) && !quiet_) warn_multi_line(begin);
    if (comments_) keep_comment(begin);
}

/// A splice carries a line comment on to the next line, which may have been meant as code. It was not where
/// that line begins a comment of its own.
void Lexer::warn_multi_line(size_t begin) {
    for (auto splice = source_.splice_between(begin, pos_ + 1); splice;
         splice = source_.splice_between(splice->before, pos_ + 1)) {
        const size_t next = text_.find_first_not_of(" \t", splice->before);
        if (next != std::string_view::npos && text_.substr(next).starts_with("//")) continue;
        diags_.warning(Warning::Comment, {splice->at, {splice->at.offset + 1}}, "multi-line // comment");
    }
}

void Lexer::pass_next_trigraphs(size_t end, bool quiet) {
    const std::vector<CleanText::Trigraph>& all = source_.trigraphs();
    for (; next_trigraph_ < all.size() && all[next_trigraph_].offset < end; ++next_trigraph_) {
        const auto& [offset, at, meaning] = all[next_trigraph_];
        if (!quiet)
            diags_.warning(Warning::Trigraphs, {at, {at.offset + 3}}, "trigraph converted to '",
                           std::string(1, meaning), "' character");
    }
}

void Lexer::keep_comment(size_t begin) {
    if (!in_directive_ && !quiet_)
        comments_->push_back({source_.loc(begin), text_.substr(begin, pos_ - begin)});
}

/// A zero byte, invalid UTF-8, or a code point that no token contains. It is reported and skipped like a
/// blank.
bool Lexer::skip_strange_byte() {
    size_t begin = pos_;
    if (peek() == '\0') {
        while (!at_end() && peek() == '\0') ++pos_;
        if (!quiet_)
            diags_.warning(Warning::NullCharacter, range(begin, begin + 1), "null character ignored");
        return true;
    }
    if (begin == 0 && (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))) {
        pos_ = text_.size();  // nothing behind the byte order mark is what it seems
        if (!quiet_) diags_.error(range(0, 2), "source file is UTF-16 text, which must be UTF-8");
        return true;
    }
    CodePoint c = decode_utf8(text_, pos_);
    if (c.length != 0 && is_identifier_start(c.value)) return false;
    if (c.length == 0) {
        while (is_high(peek()) && decode_utf8(text_, pos_).length == 0) ++pos_;
        if (!quiet_) diags_.error(range(begin, pos_), "source file is not valid UTF-8");
        return true;
    }
    pos_ += c.length;
    if (quiet_) return true;
    if (is_unicode_blank(c.value))
        diags_.warning(Warning::UnicodeWhitespace, range(begin, pos_),
                       "treating Unicode character as whitespace");
    else
        diags_.error(range(begin, pos_), "unexpected character ", code_point_name(c.value));
    return true;
}

// ---- Tokens ----

void Lexer::finish(Tok& tok, Token kind, size_t begin) {
    pass_trigraphs(pos_);
    tok.kind = kind;
    tok.range = range(begin, pos_);
    if (tok.text.empty()) tok.text = {text_.data() + begin, pos_ - begin};
    if (kind == Token::Identifier) tok.name = names_.intern(tok.text);
}

void Lexer::next(Tok& tok) {
    tok = {};
    tok.space_before = skip_blank();
    tok.at_line_start = line_start_;
    size_t begin = pos_;
    char c = peek();
    if (in_directive_ && (at_end() || is_newline(c))) {
        pass_trigraphs(begin + 1);
        tok.range = {source_.loc(begin), source_.loc(begin)};
        tok.kind = Token::Newline;
        in_directive_ = false;
        if (!skip_newline()) line_start_ = true;
        return;
    }
    line_start_ = false;
    if (at_end()) {
        pass_trigraphs(begin + 1);
        tok.range = {source_.loc(begin), source_.loc(begin)};
        return;
    }
    if (c == 'L' && (peek(1) == '\'' || peek(1) == '"')) {
        ++pos_;
        quoted(tok, begin, peek());
        return;
    }
    if (is(c, Start)) {
        identifier(tok, begin);
        return finish(tok, Token::Identifier, begin);
    }
    if (is(c, Digit) || (c == '.' && is(peek(1), Digit))) {
        number(begin);
        return finish(tok, Token::Number, begin);
    }
    if (c == '"' || c == '\'') {
        quoted(tok, begin, c);
        return;
    }
    uint32_t value = 0;
    if (is_high(c) || (c == '\\' && universal_character(pos_, value) != 0 && is_identifier_start(value))) {
        identifier(tok, begin);
        return finish(tok, Token::Identifier, begin);
    }
    Token kind = punctuator();
    return finish(tok, kind, begin);
}

/// The length of \uXXXX or \UXXXXXXXX at `at` (C99 6.4.3), and its value; 0 if there is none.
size_t Lexer::universal_character(size_t at, uint32_t& value) const {
    if (at + 1 >= text_.size() || text_[at] != '\\' || (text_[at + 1] != 'u' && text_[at + 1] != 'U'))
        return 0;
    size_t digits = text_[at + 1] == 'u' ? 4 : 8;
    if (at + 2 + digits > text_.size()) return 0;
    value = 0;
    for (size_t i = 0; i < digits; ++i) {
        char c = text_[at + 2 + i];
        if (!is(c, HexDigit)) return 0;
        value = value << 4 | hex_value(c);
    }
    return value <= 0x10FFFF ? digits + 2 : 0;
}

/// An identifier (C99 6.4.2). One with universal character names gets their UTF-8 as its text, so that both
/// spellings of a name are one name.
void Lexer::identifier(Tok& tok, size_t begin) {
    while (is(peek(), Start | Digit)) ++pos_;
    if (!is_high(peek()) && peek() != '\\') return;
    std::string spelled;
    size_t copied = begin;
    for (;;) {
        while (is(peek(), Start | Digit)) ++pos_;
        uint32_t value = 0;
        if (is_high(peek())) {
            CodePoint c = decode_utf8(text_, pos_);
            if (c.length == 0 || !is_identifier_code_point(c.value)) break;
            pos_ += c.length;
        } else if (size_t length = universal_character(pos_, value);
                   length != 0 && is_identifier_code_point(value)) {
            spelled += text_.substr(copied, pos_ - copied);
            append_utf8(spelled, value);
            copied = pos_ += length;
        } else {
            break;
        }
    }
    if (copied == begin) return;
    spelled += text_.substr(copied, pos_ - copied);
    tok.text = arena_.copy(std::string_view(spelled));
}

/// A preprocessing number (C99 6.4.8).
void Lexer::number(size_t) {
    for (;;) {
        char c = peek();
        uint32_t value = 0;
        if (is(c, Start | Digit) || c == '.') {
            ++pos_;
        } else if ((c == '+' || c == '-') && pos_ > 0) {
            char before = static_cast<char>(text_[pos_ - 1] | 0x20);
            if (before != 'e' && before != 'p') return;
            ++pos_;
        } else if (size_t length = universal_character(pos_, value); length != 0) {
            pos_ += length;
        } else {
            return;
        }
    }
}

/// Lexes a character constant or a string literal from its quote on (C99 6.4.4.4, 6.4.5). If it is not
/// terminated on its line, it becomes an Unknown token. Here this is a warning, and an error when a later
/// stage sees the token, as in gcc and clang.
bool Lexer::quoted(Tok& tok, size_t begin, char quote) {
    size_t open = pos_++;
    while (!at_end() && peek() != quote && !is_newline(peek())) {
        if (peek() == '\\' && pos_ + 1 < text_.size() && !is_newline(peek(1))) ++pos_;
        ++pos_;
    }
    bool closed = !at_end() && peek() == quote;
    bool empty = closed && quote == '\'' && pos_ == open + 1;
    if (closed) ++pos_;
    bool good = closed && !empty;
    if (!good && !quiet_) {
        if (empty)
            diags_.warning(Warning::InvalidPpToken, range(begin, begin + 1), "empty character constant");
        else
            diags_.warning(Warning::InvalidPpToken, range(begin, begin + 1), "missing terminating ",
                           quote == '"' ? "'\"'" : "'", " character");
    }
    finish(tok, !good ? Token::Unknown : quote == '"' ? Token::String : Token::Char, begin);
    return good;
}

/// The longest punctuator at the position (C99 6.4.6); Unknown if the byte begins none.
Token Lexer::punctuator() {
    char c = text_[pos_++];
    auto follows = [&](char expected) {
        if (peek() != expected) return false;
        ++pos_;
        return true;
    };
    switch (c) {
        case '[': return Token::LeftBracket;
        case ']': return Token::RightBracket;
        case '(': return Token::LeftParen;
        case ')': return Token::RightParen;
        case '{': return Token::LeftBrace;
        case '}': return Token::RightBrace;
        case '~': return Token::Tilde;
        case '?': return Token::Question;
        case ';': return Token::Semicolon;
        case ',': return Token::Comma;
        case '.':
            if (peek() != '.' || peek(1) != '.') return Token::Dot;
            pos_ += 2;
            return Token::Ellipsis;
        case '-':
            return follows('>')   ? Token::Arrow
                   : follows('-') ? Token::MinusMinus
                   : follows('=') ? Token::MinusEqual
                                  : Token::Minus;
        case '+': return follows('+') ? Token::PlusPlus : follows('=') ? Token::PlusEqual : Token::Plus;
        case '&': return follows('&') ? Token::AmpAmp : follows('=') ? Token::AmpEqual : Token::Amp;
        case '|': return follows('|') ? Token::PipePipe : follows('=') ? Token::PipeEqual : Token::Pipe;
        case '*': return follows('=') ? Token::StarEqual : Token::Star;
        case '/': return follows('=') ? Token::SlashEqual : Token::Slash;
        case '^': return follows('=') ? Token::CaretEqual : Token::Caret;
        case '!': return follows('=') ? Token::BangEqual : Token::Bang;
        case '=': return follows('=') ? Token::EqualEqual : Token::Equal;
        case ':': return follows('>') ? Token::RightBracket : Token::Colon;
        case '#': return follows('#') ? Token::HashHash : Token::Hash;
        case '<':
            if (follows('<')) return follows('=') ? Token::LessLessEqual : Token::LessLess;
            return follows('=')   ? Token::LessEqual
                   : follows(':') ? Token::LeftBracket
                   : follows('%') ? Token::LeftBrace
                                  : Token::Less;
        case '>':
            if (follows('>')) return follows('=') ? Token::GreaterGreaterEqual : Token::GreaterGreater;
            return follows('=') ? Token::GreaterEqual : Token::Greater;
        case '%':
            if (follows('=')) return Token::PercentEqual;
            if (follows('>')) return Token::RightBrace;
            if (!follows(':')) return Token::Percent;
            if (peek() == '%' && peek(1) == ':') {
                pos_ += 2;
                return Token::HashHash;
            }
            return Token::Hash;
        default: return Token::Unknown;
    }
}

// ---- What the preprocessor asks besides ----

std::optional<Tok> Lexer::header_name() {
    Tok tok;
    tok.space_before = skip_blank();
    char open = peek();
    if (open != '<' && open != '"') return std::nullopt;
    size_t begin = pos_;
    size_t end = text_.find_first_of(open == '<' ? ">\n\r" : "\"\n\r", pos_ + 1);
    bool closed = end != std::string_view::npos && !is_newline(text_[end]);
    if (!closed && open == '"') return std::nullopt;  // next() reports the quote
    if (!closed) {
        size_t line_end = end == std::string_view::npos ? text_.size() : end;
        diags_.error(range(line_end, line_end), "expected '>'")
            .note(range(begin, begin + 1), "to match this '<'");
        pos_ = line_end;
        finish(tok, Token::Unknown, begin);
        return tok;
    }
    pos_ = end + 1;
    finish(tok, Token::HeaderName, begin);
    return tok;
}

bool Lexer::left_paren_follows() const {
    size_t at = pos_;
    while (at < text_.size()) {
        char c = text_[at];
        if (is(c, Blank) || (is_newline(c) && !in_directive_)) {
            ++at;
        } else if (c == '/' && at + 1 < text_.size() && text_[at + 1] == '*') {
            at = text_.find("*/", at + 2);
            if (at == std::string_view::npos) return false;
            at += 2;
        } else if (c == '/' && at + 1 < text_.size() && text_[at + 1] == '/') {
            at = text_.find_first_of("\n\r", at);
            if (at == std::string_view::npos) return false;
        } else {
            return c == '(';
        }
    }
    return false;
}

void Lexer::skip_directive() {
    if (!in_directive_) return;
    bool quiet = std::exchange(quiet_, true);
    skip_line();
    drop_trigraphs(pos_ + 1);
    in_directive_ = false;
    if (!skip_newline()) line_start_ = true;
    quiet_ = quiet;
}

/// Skips to the newline that ends the line, or to the end. Recognises comments and literals, and nothing
/// else.
void Lexer::skip_line() {
    for (;;) {
        while (!is(peek(), Event)) ++pos_;
        char c = peek();
        if (is_newline(c) || at_end()) return;
        if (c == '"' || c == '\'') {
            Tok literal;
            quoted(literal, pos_, c);
        } else if (c == '/' && peek(1) == '*') {
            skip_block_comment();
        } else if (c == '/' && peek(1) == '/') {
            skip_line_comment();
        } else {
            ++pos_;
        }
    }
}

Tok Lexer::skip_to_directive() {
    for (;;) {
        skip_blank();
        if (at_end()) return next();
        if (line_start_ && (peek() == '#' || (peek() == '%' && peek(1) == ':')))
            if (Tok hash = next(); hash.kind == Token::Hash) return hash;
        line_start_ = false;
        skip_line();
    }
}

std::string_view Lexer::rest_of_line() {
    while (is(peek(), Blank)) ++pos_;
    size_t begin = pos_;
    pos_ = std::min(text_.find_first_of("\n\r", pos_), text_.size());
    pass_trigraphs(pos_ + 1);
    return text_.substr(begin, pos_ - begin);
}

}  // namespace caldera::frontend
