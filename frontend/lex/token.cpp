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

constexpr auto kSpellings = [] {
    std::array<std::string_view, 256> table{};
    auto row = [&](Token token, std::string_view text) { table[static_cast<size_t>(token)] = text; };
    row(Token::End, "end of file");
    row(Token::Identifier, "identifier");
    row(Token::Number, "numeric constant");
    row(Token::Char, "character constant");
    row(Token::String, "string literal");
    row(Token::HeaderName, "header name");
    row(Token::Newline, "newline");
    row(Token::Unknown, "unknown");
    row(Token::Pragma, "pragma");
#define PUNCT(id, text) row(Token::id, text);
#define KEYWORD(id, text, since) row(Token::id, text);
#include "frontend/lex/tokens.def"
#undef PUNCT
#undef KEYWORD
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

std::vector<std::string_view> keywords(Standard standard) {
    std::vector<std::string_view> words;
    for (const Keyword& k : kKeywords)
        if (k.since <= static_cast<uint8_t>(standard)) words.push_back(k.spelling);
    return words;
}

std::string_view spelling(Token token) { return kSpellings[static_cast<size_t>(token)]; }

}  // namespace caldera::frontend
