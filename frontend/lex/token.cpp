// SPDX-License-Identifier: Apache-2.0
#include "frontend/lex/token.h"

#include <array>

namespace caldera::frontend {
namespace {

struct Keyword {
    std::string_view spelling = {};
    Token token = Token::Identifier;
    uint8_t since = 0;
};

constexpr Keyword kKeywords[] = {
#define PUNCT(id, spelling)
#define KEYWORD(id, spelling, since) {spelling, Token::id, since},
#define ALIAS(id, spelling, since) {spelling, Token::id, since},
#include "frontend/lex/tokens.def"
#undef PUNCT
#undef KEYWORD
};

// Every identifier of a program is looked up here, so: an open-addressing hash table made by the compiler.
constexpr size_t kSlots = 512;
static_assert(std::size(kKeywords) * 3 < kSlots);

constexpr uint32_t hash(std::string_view text) {
    uint32_t h = static_cast<uint32_t>(text.size());
    for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h ^ h >> 15;
}

constexpr size_t longest() {
    size_t length = 0;
    for (const Keyword& k : kKeywords) length = k.spelling.size() > length ? k.spelling.size() : length;
    return length;
}

constexpr auto kTable = [] {
    std::array<int16_t, kSlots> table{};
    for (int16_t& slot : table) slot = -1;
    for (size_t i = 0; i < std::size(kKeywords); ++i) {
        size_t at = hash(kKeywords[i].spelling) % kSlots;
        while (table[at] >= 0) at = (at + 1) % kSlots;
        table[at] = static_cast<int16_t>(i);
    }
    return table;
}();

}  // namespace

Token keyword(std::string_view text, Standard standard) {
    if (text.size() > longest()) return Token::Identifier;
    for (size_t at = hash(text) % kSlots; kTable[at] >= 0; at = (at + 1) % kSlots) {
        const Keyword& k = kKeywords[static_cast<size_t>(kTable[at])];
        if (k.spelling == text)
            return k.since <= static_cast<uint8_t>(standard) ? k.token : Token::Identifier;
    }
    return Token::Identifier;
}

std::string_view spelling(Token token) {
    switch (token) {
        case Token::End: return "end of file";
        case Token::Identifier: return "identifier";
        case Token::Number: return "numeric constant";
        case Token::Char: return "character constant";
        case Token::String: return "string literal";
        case Token::HeaderName: return "header name";
        case Token::Newline: return "newline";
        case Token::Unknown: return "unknown";
        case Token::Pragma:
            return "pragma";
// clang-format off
#define PUNCT(id, text) case Token::id: return text;
#define KEYWORD(id, text, since) case Token::id: return text;
#include "frontend/lex/tokens.def"
#undef PUNCT
#undef KEYWORD
            // clang-format on
    }
    return "unknown";
}

}  // namespace caldera::frontend
