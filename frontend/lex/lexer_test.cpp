// SPDX-License-Identifier: Apache-2.0
#include "frontend/lex/lexer.h"

#include <doctest/doctest.h>

#include "frontend/compile.h"
#include "frontend/source.h"

using namespace caldera::frontend;

namespace {

struct Lexed {
    SourceManager sources;
    NameTable names;
    Arena arena;
    Diagnostics diags;
    std::vector<Tok> tokens;
    SourceLoc begin;

    explicit Lexed(std::string text) {
        begin = sources.add_file("k.cl", std::move(text));
        Lexer lexer(sources.file_text(begin), begin, names, arena, diags);
        for (Tok tok = lexer.next(); tok.kind != Token::End; tok = lexer.next()) tokens.push_back(tok);
    }
    std::string texts() const {
        std::string all;
        for (const Tok& tok : tokens) all += (all.empty() ? "" : "|") + std::string(tok.text);
        return all;
    }
    std::string log() const { return render(diags, sources, false); }
};

}  // namespace

TEST_CASE("C99 6.4.6 punctuators: the longest one, digraphs too") {
    CHECK(Lexed("a+++++b<<=>>=->...&&&|||^=%=!==").texts() ==
          "a|++|++|+|b|<<=|>>=|->|...|&&|&||||||^=|%=|!=|=");
    Lexed digraphs("<: :> <% %> %: %:%: %:%");
    std::vector<Token> kinds;
    for (const Tok& tok : digraphs.tokens) kinds.push_back(tok.kind);
    CHECK(kinds == std::vector{Token::LeftBracket, Token::RightBracket, Token::LeftBrace, Token::RightBrace,
                               Token::Hash, Token::HashHash, Token::Hash, Token::Percent});
}

TEST_CASE("C99 6.4.8 preprocessing numbers") {
    CHECK(Lexed("0x1.8p-3f .5e+10 1..2 3e-x 0xe+1 1u+2").texts() ==
          "0x1.8p-3f|.5e+10|1..2|3e-x|0xe+1|1u|+|2");
}

TEST_CASE("C99 5.1.1.2: splices and trigraphs go first, places stay") {
    Lexed lexed("in\\\nt \\ \nx?\?/\ny ?\?= ?\?' ?\?x \"a\\\r\nb\" // c\\\nd\nz");
    CHECK(lexed.texts() == "int|xy|#|^|?|?|x|\"ab\"|z");
    CHECK(lexed.tokens[0].range.begin.offset - lexed.begin.offset == 0);
    CHECK(lexed.tokens[0].range.end.offset - lexed.begin.offset == 5);
    CHECK(lexed.sources.presumed(lexed.tokens.back().range.begin).line == 7);
}

TEST_CASE("-Wtrigraphs: of tokens and blanks, and not of comments") {
    const auto warned = [](const char* text) {
        const std::string log = Lexed(text).log();
        std::string places;
        for (size_t at = log.find("k.cl:"); at != std::string::npos; at = log.find("k.cl:", at + 1))
            if (log.substr(at, log.find('\n', at) - at).ends_with("[-Wtrigraphs]"))
                places += log.substr(at + 5, log.find(": ", at) - at - 5) + " ";
        return places;
    };
    CHECK(warned("a?\?(3?\?) \"?\?/n\" ?\?/\n b") == "1:2 1:6 1:11 1:17 ");
    CHECK(warned("// ?\?= x ?\?/\n y\na /* ?\?= */ b /* ?\?/\n */ ?\?= // ?\?/\n\n?\?/\n// c") == "4:5 6:1 ");
    CHECK(warned("// c ?\?/\n") == "");
    CHECK(warned("/* c ?\?= */ ?\?/\n") == "1:13 ");
}

TEST_CASE("C99 6.4.3 universal character names and UTF-8 spell the same identifier") {
    Lexed lexed("\\u00e9t\\u00E9 \xC3\xA9t\xC3\xA9");
    REQUIRE(lexed.tokens.size() == 2);
    CHECK(lexed.tokens[0].text == lexed.tokens[1].text);
    CHECK(lexed.tokens[0].kind == Token::Identifier);
}

TEST_CASE("comments, blanks and flags") {
    Lexed lexed("a/**/b // x\n  c/* \n */d");
    CHECK(lexed.texts() == "a|b|c|d");
    CHECK(lexed.tokens[1].space_before);
    CHECK(lexed.tokens[2].at_line_start);
    CHECK(Lexed("/* open").log() == "k.cl:1:1: error: unterminated /* comment\n/* open\n^~\n");
}

TEST_CASE("strange bytes") {
    CHECK(Lexed(std::string("a\0b", 3)).log().starts_with("k.cl:1:2: warning: null character ignored"));
    CHECK(Lexed("a \xFF\xFE b").log() ==
          "k.cl:1:3: error: source file is not valid UTF-8\na <FF><FE> b\n  ^~~~~~~~\n");
    CHECK(Lexed("a \xC2\xA0 b").log().find("treating Unicode character as whitespace") != std::string::npos);
    CHECK(Lexed("\xE2\x86\x90").log().starts_with("k.cl:1:1: error: unexpected character <U+2190>"));
    CHECK(Lexed("\xEF\xBB\xBFint").texts() == "int");
    for (const std::string_view text :
         {std::string_view("\xFF\xFEi\0n\0t\0", 8), std::string_view("\xFE\xFF\0i\0n\0t", 8)})
        CHECK(Lexed(std::string(text))
                  .log()
                  .starts_with("k.cl:1:1: error: source file is UTF-16 text, which must be UTF-8\n"));
    CHECK(Lexed("@ ` \\").tokens[0].kind == Token::Unknown);
    CHECK(Lexed("''").log().starts_with("k.cl:1:1: warning: empty character constant [-Winvalid-pp-token]"));
}

TEST_CASE("keywords by standard") {
    CHECK(keyword("__global", Standard::CL10) == Token::KwGlobal);
    CHECK(keyword("kernel", Standard::CL12) == Token::KwKernel);
    CHECK(keyword("pipe", Standard::CL12) == Token::Identifier);
    CHECK(keyword("pipe", Standard::CL20) == Token::KwPipe);
    CHECK(keyword("float4", Standard::CL20) == Token::Identifier);
    CHECK(spelling(Token::KwWhile) == "while");
    CHECK(spelling(Token::GreaterGreaterEqual) == ">>=");
}
