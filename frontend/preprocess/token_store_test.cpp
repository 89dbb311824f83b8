// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/token_store.h"

#include <doctest/doctest.h>

#include <string>

using namespace caldera::frontend;

TEST_CASE("tokens come out as they went in") {
    std::string source =
        "#define PASTE(a, b) a##b\n#define STRING(x) #x\n#pragma OPENCL EXTENSION all : disable\n"
        "int PASTE(x, 1) <: 3 :> = \"s\\\n\" STRING(a b) __LINE__ 0x1p3f 'c' sp\\\nlice __kernel kernel;\n";
    for (int i = 0; i < 3000; ++i) source += "x += y; ";
    SourceManager sources, stored_sources;
    CompileOptions options;
    Arena arena;
    Diagnostics diags;
    Preprocessor tokens(sources, options, arena, diags), again(stored_sources, options, arena, diags);
    tokens.enter_main_file(source, "k.cl");
    again.enter_main_file(source, "k.cl");
    TokenStore store(again);
    CHECK(store.size() > 12000);
    for (size_t i = 0; i < store.size() + 2; ++i) {
        CAPTURE(i);
        Token kind = i < store.size() ? store.kind(i) : Token::End;
        NameId name = i < store.size() ? store.name(i) : 0;
        Tok expected = tokens.next(), tok = store.next();
        CHECK(tok.kind == expected.kind);
        CHECK(kind == expected.kind);
        CHECK(tok.text == expected.text);
        CHECK(tok.range == expected.range);
        CHECK(tok.name == expected.name);
        CHECK(name == expected.name);
        CHECK(tok.at_line_start == expected.at_line_start);
        CHECK(tok.space_before == expected.space_before);
        CHECK(tok.no_expand == expected.no_expand);
    }
}
