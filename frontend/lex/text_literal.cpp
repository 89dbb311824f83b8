// SPDX-License-Identifier: Apache-2.0
// Character constants and string literals: their escapes (C99 6.4.4.4) and their bytes.
#include "frontend/lex/lexer.h"
#include "frontend/lex/literal.h"
#include "frontend/utf8.h"

namespace caldera::frontend {
namespace {

/// One character of a literal. A code point may be several bytes of a string; a byte (from \x or octal) is
/// one.
struct LiteralChar {
    uint32_t value = 0;
    bool is_code_point = false;
    size_t begin = 0, end = 0;  // in the token's text
};

/// Walks the characters between the quotes of one token.
class CharReader {
 public:
    CharReader(const Tok& token, Diagnostics& diags) : token_(token), text_(token.text), diags_(diags) {
        if (text_.starts_with('L')) {
            is_wide = true;
            ++at_;
        }
        ++at_;
    }

    bool done() const { return at_ + 1 >= text_.size(); }
    LiteralChar next();
    SourceRange range(size_t begin, size_t end) const {
        uint32_t base = token_.range.begin.offset;
        return {{base + static_cast<uint32_t>(begin)}, {base + static_cast<uint32_t>(end)}};
    }

    bool is_wide = false;
    bool valid = true;

 private:
    void escape(LiteralChar& c);
    void hex_escape(LiteralChar& c);
    void octal_escape(LiteralChar& c);
    void universal(LiteralChar& c, size_t digits);
    template <class... Parts>
    void error(size_t begin, const Parts&... parts) {
        diags_.error(range(begin, at_), parts...);
        valid = false;
    }

    const Tok& token_;
    std::string_view text_;
    Diagnostics& diags_;
    size_t at_ = 0;
};

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    auto lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

LiteralChar CharReader::next() {
    LiteralChar c{.begin = at_};
    if (text_[at_] == '\\') {
        escape(c);
    } else {
        CodePoint point = decode_utf8(text_, at_);
        c.is_code_point = point.length != 0;
        c.value = c.is_code_point ? point.value : static_cast<unsigned char>(text_[at_]);
        at_ += c.is_code_point ? point.length : 1;
    }
    c.end = at_;
    return c;
}

void CharReader::escape(LiteralChar& c) {
    at_ += 2;
    char kind = text_[at_ - 1];
    switch (kind) {
        case 'a': c.value = 7; return;
        case 'b': c.value = 8; return;
        case 'e':
        case 'E': c.value = 27; return;  // as clang and gcc have it
        case 'f': c.value = 12; return;
        case 'n': c.value = 10; return;
        case 'r': c.value = 13; return;
        case 't': c.value = 9; return;
        case 'v': c.value = 11; return;
        case '\\':
        case '\'':
        case '"':
        case '?': c.value = static_cast<uint32_t>(kind); return;
        case 'x': return hex_escape(c);
        case 'u': return universal(c, 4);
        case 'U': return universal(c, 8);
        default: break;
    }
    if (kind >= '0' && kind <= '7') return octal_escape(c);
    c.value = static_cast<unsigned char>(kind);
    diags_.warning(Warning::UnknownEscape, range(c.begin, at_), "unknown escape sequence '\\",
                   std::string(1, kind), "'");
}

void CharReader::hex_escape(LiteralChar& c) {
    size_t first = at_;
    bool overflow = false;
    for (; at_ + 1 < text_.size() && digit_value(text_[at_]) < 16; ++at_) {
        c.value = c.value << 4 | static_cast<uint32_t>(digit_value(text_[at_]));
        overflow |= c.value > (is_wide ? 0x0FFFFFFFu : 0xFFu);
    }
    if (at_ == first)
        error(c.begin, "\\x used with no following hex digits");
    else if (overflow && !is_wide)
        error(c.begin, "hex escape sequence out of range");
}

void CharReader::octal_escape(LiteralChar& c) {
    --at_;
    for (size_t n = 0; n < 3 && digit_value(text_[at_]) < 8; ++n)
        c.value = c.value * 8 + static_cast<uint32_t>(digit_value(text_[at_++]));
    if (c.value > 0xFF && !is_wide) error(c.begin, "octal escape sequence out of range");
}

void CharReader::universal(LiteralChar& c, size_t digits) {
    c.is_code_point = true;
    size_t n = 0;
    for (; n < digits && at_ + 1 < text_.size() && digit_value(text_[at_]) < 16; ++n, ++at_)
        c.value = c.value << 4 | static_cast<uint32_t>(digit_value(text_[at_]));
    // C99 6.4.3p2
    bool allowed = c.value >= 0xA0 || c.value == '$' || c.value == '@' || c.value == '`';
    if (n == 0)
        error(c.begin, "\\", std::string(1, text_[c.begin + 1]), " used with no following hex digits");
    else if (n < digits)
        error(c.begin, "incomplete universal character name");
    else if (!allowed || (c.value >= 0xD800 && c.value < 0xE000) || c.value > 0x10FFFF)
        error(c.begin, "invalid universal character");
}

}  // namespace

CharLiteral parse_char(const Tok& token, Diagnostics& diags) {
    CharReader reader(token, diags);
    uint32_t value = 0;
    size_t count = 0;
    for (; !reader.done(); ++count) {
        LiteralChar c = reader.next();
        if (!reader.valid) return {.value = 0, .valid = false};
        if (c.is_code_point && c.value > 0x7F && !reader.is_wide) {
            diags.error(reader.range(c.begin, c.end),
                        "character too large for enclosing character literal type");
            return {.value = 0, .valid = false};
        }
        value = reader.is_wide ? c.value : value << 8 | (c.value & 0xFF);
    }
    if (count > 1) {
        Warning group = count == 4 && !reader.is_wide ? Warning::FourChar : Warning::MultiChar;
        diags.warning(group, token.range,
                      reader.is_wide ? "extraneous characters in character constant ignored"
                                     : "multi-character character constant");
        if (count > 4 && !reader.is_wide)
            diags.warning(Warning::MultiChar, token.range, "character constant too long for its type");
    }
    if (count == 1 && !reader.is_wide) return {.value = static_cast<int8_t>(value)};
    return {.value = static_cast<int32_t>(value)};
}

namespace {

void append(std::string& bytes, const LiteralChar& c) {
    if (c.is_code_point)
        append_utf8(bytes, c.value);
    else
        bytes += static_cast<char>(c.value);
}

}  // namespace

StringValue parse_string(std::span<const Tok> tokens, Diagnostics& diags) {
    StringValue result;
    for (const Tok& token : tokens) {
        CharReader reader(token, diags);
        if (reader.is_wide) {
            diags.error(token.range, "wide string literals are not supported in OpenCL C");
            result.valid = false;
            continue;
        }
        while (!reader.done()) append(result.bytes, reader.next());
        result.valid &= reader.valid;
    }
    return result;
}

SourceRange string_range(std::span<const Tok> tokens, size_t begin, size_t end) {
    Diagnostics already_reported;
    std::string bytes;
    for (const Tok& token : tokens) {
        CharReader reader(token, already_reported);
        SourceRange range;
        while (!reader.done() && bytes.size() < end) {
            const bool before = bytes.size() < begin;
            const LiteralChar c = reader.next();
            append(bytes, c);
            if (before && bytes.size() <= begin) continue;
            const SourceRange here = reader.range(c.begin, c.end);
            if (!range) range.begin = here.begin;
            range.end = here.end;
        }
        if (range) return range;
    }
    return tokens.empty() ? SourceRange() : SourceRange{tokens.back().range.end, tokens.back().range.end};
}

}  // namespace caldera::frontend
