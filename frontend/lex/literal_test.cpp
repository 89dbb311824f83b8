// SPDX-License-Identifier: Apache-2.0
#include "frontend/lex/literal.h"

#include <doctest/doctest.h>

#include <cmath>

#include "frontend/lex/lexer.h"
#include "frontend/source.h"

using namespace caldera::frontend;

namespace {

struct Parsed {
    NumberLiteral number;
    CharLiteral character;
    StringValue string;
    std::string log;
};

Parsed parse(std::string_view text, CompileOptions options = {}) {
    SourceManager sources;
    Arena arena;
    NameTable names;
    Diagnostics diags;
    SourceLoc begin = sources.add_file("k.cl", std::string(text));
    Lexer lexer(sources.file_text(begin), begin, names, arena, diags);
    std::vector<Tok> tokens;
    for (Tok tok = lexer.next(); tok.kind != Token::End; tok = lexer.next()) tokens.push_back(tok);
    Parsed result;
    if (tokens.at(0).kind == Token::Number)
        result.number = parse_number(tokens[0], options, ExtSet::all(), diags);
    if (tokens.at(0).kind == Token::Char) result.character = parse_char(tokens[0], diags);
    if (tokens.at(0).kind == Token::String) result.string = parse_string(tokens, diags);
    result.log = render(diags, sources, false);
    result.log = result.log.substr(0, result.log.find('\n'));
    return result;
}

void is_integer(std::string_view text, TypeKind type, uint64_t bits) {
    Parsed p = parse(text);
    CAPTURE(text);
    CHECK(p.log == "");
    CHECK(p.number.type == type);
    CHECK(p.number.bits == bits);
}

double value(std::string_view text, TypeKind type, CompileOptions options = {}) {
    Parsed p = parse(text, options);
    CAPTURE(text);
    CHECK(p.log == "");
    CHECK(p.number.type == type);
    return p.number.number;
}

}  // namespace

TEST_CASE("C99 6.4.4.1p5: the type of an integer constant") {
    is_integer("0", TypeKind::Int, 0);
    is_integer("2147483647", TypeKind::Int, 2147483647);
    is_integer("2147483648", TypeKind::Long, 2147483648);
    is_integer("0x7fffffff", TypeKind::Int, 0x7fffffff);
    is_integer("0x80000000", TypeKind::UInt, 0x80000000);
    is_integer("037777777777", TypeKind::UInt, 0xffffffff);
    is_integer("0x100000000", TypeKind::Long, 0x100000000);
    is_integer("0xffffffffffffffff", TypeKind::ULong, ~uint64_t{0});
    is_integer("1u", TypeKind::UInt, 1);
    is_integer("4294967296U", TypeKind::ULong, 4294967296);
    is_integer("1L", TypeKind::Long, 1);
    is_integer("1uL", TypeKind::ULong, 1);
    is_integer("1LLU", TypeKind::ULong, 1);
    is_integer("0xFFFFFFFFFFFFFFFFL", TypeKind::ULong, ~uint64_t{0});
    is_integer("0b1011", TypeKind::Int, 11);
    is_integer("9223372036854775808", TypeKind::ULong, uint64_t{1} << 63);
    CHECK(parse("9223372036854775808").number.implicitly_unsigned);
    for (const char* other : {"9223372036854775807", "9223372036854775808u", "0x8000000000000000"})
        CHECK(!parse(other).number.implicitly_unsigned);
}

TEST_CASE("faults of integer constants, in clang's words and places") {
    CHECK(parse("09").log == "k.cl:1:2: error: invalid digit '9' in octal constant");
    CHECK(parse("12abc").log == "k.cl:1:3: error: invalid digit 'a' in decimal constant");
    CHECK(parse("0x").log == "k.cl:1:2: error: invalid suffix 'x' on integer constant");
    CHECK(parse("1lul").log == "k.cl:1:2: error: invalid suffix 'lul' on integer constant");
    CHECK(parse("1lL").log == "k.cl:1:2: error: invalid suffix 'lL' on integer constant");
    CHECK(parse("0b12").log == "k.cl:1:4: error: invalid digit '2' in binary constant");
    CHECK(parse("99999999999999999999999").log ==
          "k.cl:1:1: error: integer literal is too large to be represented in any integer type");
}

TEST_CASE("C99 6.4.4.2: floating constants") {
    CHECK(value("1.5", TypeKind::Double) == 1.5);
    CHECK(value("0.1", TypeKind::Double) == 0.1);
    CHECK(value("0.1f", TypeKind::Float) == double{0.1f});
    CHECK(value(".5F", TypeKind::Float) == 0.5);
    CHECK(value("1e3", TypeKind::Double) == 1000);
    CHECK(value("5.", TypeKind::Double) == 5);
    CHECK(value("0x1.8p1", TypeKind::Double) == 3);
    CHECK(value("0x1.fffffep127f", TypeKind::Float) == 0x1.fffffep127);
    CHECK(value("0x.8p0f", TypeKind::Float) == 0.5);
    CHECK(value("1e-45f", TypeKind::Float) == 0x1p-149);
    CHECK(value("4.9406564584124654e-324", TypeKind::Double) == 0x1p-1074);
    CHECK(value("1.0h", TypeKind::Half) == 1);
    CHECK(value("0.1h", TypeKind::Half) == 0x1.998p-4);
    CHECK(value("1.5", TypeKind::Float, {.single_precision_constant = true}) == 1.5);
    // decimal to float in one rounding: halfway between two floats, and just above
    CHECK(value("1.00000005960464477539062500f", TypeKind::Float) == 1.0);
    CHECK(value("1.00000005960464477539062500000000000001f", TypeKind::Float) == 0x1.000002p0);
    // and to half: the nearest double of these is halfway between two halves
    CHECK(value("1.00048828125h", TypeKind::Half) == 1);
    CHECK(value("1.00048828125000000000000000001h", TypeKind::Half) == 0x1.004p0);
    CHECK(value("1.00146484375h", TypeKind::Half) == 0x1.008p0);
    CHECK(value("1.0014648437499999999999999999h", TypeKind::Half) == 0x1.004p0);
    CHECK(value("0x1.00200000000000000001p0h", TypeKind::Half) == 0x1.004p0);
    CHECK(value("0x8.01p-3h", TypeKind::Half) == 1);
    CHECK(value("0x20.0400000000000000008p-5h", TypeKind::Half) == 0x1.004p0);
    CHECK(value("0x.00000040080000000000000000001p26h", TypeKind::Half) == 0x1.004p0);
    CHECK(parse("2.98023223876953125e-8h").number.number == 0);
    CHECK(value("2.9802322387695312500000000000001e-8h", TypeKind::Half) == 0x1p-24);
    CHECK(parse("0x.7fffffffffffffffffffffp-24h").number.number == 0);
    CHECK(value("0x1.7fffffffffffffffffffffp-24h", TypeKind::Half) == 0x1p-24);
    CHECK(value("65519.99999999999999999999h", TypeKind::Half) == 65504);
    CHECK(value("655199999999999999999999.99e-19h", TypeKind::Half) == 65504);
    CHECK(value("2049.0000000000000000001h", TypeKind::Half) == 2050);
    CHECK(value("2051.h", TypeKind::Half) == 2052);
    CHECK(value("2050.9999999999999999999h", TypeKind::Half) == 2050);
    CHECK(value("0e99999", TypeKind::Double) == 0);
    CHECK(value("08.5", TypeKind::Double) == 8.5);
}

TEST_CASE("faults of floating constants") {
    CHECK(parse("1.0fx").log == "k.cl:1:4: error: invalid suffix 'fx' on floating constant");
    CHECK(parse("1.0l").log == "k.cl:1:4: error: invalid suffix 'l' on floating constant");
    CHECK(parse("1e").log == "k.cl:1:2: error: exponent has no digits");
    CHECK(parse("0x1.8").log == "k.cl:1:6: error: hexadecimal floating constant requires an exponent");
    CHECK(parse("0x.p1").log == "k.cl:1:4: error: hexadecimal floating constant requires a significand");
    CHECK(parse("0xp1").log == "k.cl:1:2: error: invalid suffix 'xp1' on integer constant");
    CHECK(parse("0xP-2f").log == "k.cl:1:2: error: invalid suffix 'xP-2f' on integer constant");
    CHECK(parse("0xp").log == "k.cl:1:2: error: invalid suffix 'xp' on integer constant");
    CHECK(parse("1e50f").log ==
          "k.cl:1:1: warning: magnitude of floating-point constant too large for type "
          "'float'; maximum is 3.40282347E+38 [-Wliteral-range]");
    CHECK(parse("1e-60f").log.find("too small for type 'float'; minimum is 1.40129846E-45") !=
          std::string::npos);
    CHECK(std::isinf(parse("1e99999999999999999999").number.number));
    CHECK(parse("1e-99999999999999999999").number.number == 0);
    CHECK(parse("1.0h", {.extensions = {}}).log ==
          "k.cl:1:1: error: half precision constant requires cl_khr_fp16");
    Parsed single = parse("1.5", {.extensions = {}});
    CHECK(single.log.find("requires cl_khr_fp64, casting to single precision") != std::string::npos);
    CHECK(single.number.type == TypeKind::Float);
}

TEST_CASE("C99 6.4.4.4: character constants") {
    CHECK(parse("'a'").character.value == 97);
    CHECK(parse("'\\n'").character.value == 10);
    CHECK(parse("'\\0'").character.value == 0);
    CHECK(parse("'\\377'").character.value == -1);
    CHECK(parse("'\\x80'").character.value == -128);
    CHECK(parse("'\"'").character.value == 34);
    CHECK(parse("'ab'").character.value == 0x6162);
    CHECK(parse("L'\xC3\xA9'").character.value == 0xE9);
    CHECK(parse("'ab'").log == "k.cl:1:1: warning: multi-character character constant [-Wmultichar]");
    CHECK(parse("'abcd'").log == "");  // -Wfour-char-constants is off
    CHECK(parse("'\\q'").log ==
          "k.cl:1:2: warning: unknown escape sequence '\\q' [-Wunknown-escape-sequence]");
    CHECK(parse("'\\400'").log == "k.cl:1:2: error: octal escape sequence out of range");
    CHECK(parse("'\\x'").log == "k.cl:1:2: error: \\x used with no following hex digits");
    CHECK(parse("'\\x100'").log == "k.cl:1:2: error: hex escape sequence out of range");
    CHECK(parse("'\xC3\xA9'").log ==
          "k.cl:1:2: error: character too large for enclosing character literal type");
}

TEST_CASE("C99 6.4.5: string literals") {
    CHECK(parse("\"a\\tb\" \"c\\x41\" \"\\1012\"").string.bytes == "a\tbcAA2");
    CHECK(parse("\"\\u00e9\\U0001F600\"").string.bytes == "\xC3\xA9\xF0\x9F\x98\x80");
    CHECK(parse("\"\"").string.bytes.empty());
    CHECK(parse("\"a\\0b\"").string.bytes == std::string("a\0b", 3));
    CHECK(parse("L\"a\"").log == "k.cl:1:1: error: wide string literals are not supported in OpenCL C");
    CHECK(parse("\"\\u12\"").log == "k.cl:1:2: error: incomplete universal character name");
}

TEST_CASE("rounding to half and float") {
    CHECK(round_to(TypeKind::Half, 65504) == 65504);
    CHECK(round_to(TypeKind::Half, 65519.99) == 65504);
    CHECK(std::isinf(round_to(TypeKind::Half, 65520)));
    CHECK(round_to(TypeKind::Half, 0x1p-25) == 0);
    CHECK(round_to(TypeKind::Half, 0x1.8p-25) == 0x1p-24);
    CHECK(round_to(TypeKind::Half, 2049) == 2048);
    CHECK(round_to(TypeKind::Float, 16777217) == 16777216);
}
