// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "frontend/preprocess/preprocess_fixture.h"

using namespace caldera::frontend;

/// The log of a source whose tokens nobody keeps.
static std::string log_of(std::string_view source) {
    SourceManager sources;
    Arena arena;
    CompileOptions options;
    Diagnostics diags;
    Preprocessor tokens(sources, options, arena, diags);
    tokens.enter_main_file(source, "k.cl");
    while (tokens.next().kind != Token::End) {}
    return render(diags, sources, false);
}

static std::string expand(std::string_view source) {
    Preprocessed result = preprocess_text(source);
    CHECK_MESSAGE(result.errors == 0, result.log);
    return result.text;
}

TEST_CASE("C99 6.10.3.5 example 3: rescanning, nested calls, painted names") {
    CHECK(expand(R"(
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
)") == R"(f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };)");
}

TEST_CASE("C99 6.10.3.5 example 4: # and ##") {
    CHECK(expand(R"(
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
)") == R"(printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
"vers2.h"
"hello";
"hello" ", world")");
}

TEST_CASE("C99 6.10.3.3 and 6.10.3.5 examples 5 and 7: placemarkers, variadic macros") {
    CHECK(expand(R"(
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);
)") == R"(char p[] = "x ## y";)");
    CHECK(expand(R"(
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
)") == "int j[] = { 123, 45, 67, 89, 10, 11, 12, };");
    CHECK(expand(R"(
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
)") == R"(fprintf(stderr, "Flag");
fprintf(stderr, "X = %d\n", x);
puts("The first, second, and third items.");
((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));)");
}

TEST_CASE("C23 6.10.4.1: __VA_OPT__") {
    CHECK(expand(R"(
#define F(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)
#define E
F(1); F(1,); F(1, 2); F(1, E); F(1, E 2, 3);
)") == "f(1 ); f(1 ); f(1 , 2); f(1 ); f(1 , 2, 3);");
    CHECK(expand(R"(
#define J(x, ...) x##__VA_OPT__(a b)
#define K(x, ...) __VA_OPT__(a b ## x)c
#define R(x, ...) __VA_OPT__(x)##x
#define W(...) a##__VA_OPT__()##b
#define S(x...) __VA_OPT__(b) x
J(1, 2); J(1); K(1, 2); K(1); R(2, 3); R(2); W(); W(1); S(1); S();
)") == "1a b; 1; a b1 c; c; 22; 2; ab; ab; b 1; ;");
    CHECK(expand(R"(
#define U(x, ...) __VA_OPT__((x, (__VA_ARGS__))) # x
#define V(x, ...) #__VA_ARGS__ __VA_OPT__(#x)
#define Q(x, ...) #__VA_OPT__(x "a" __VA_ARGS__)
#define C(x, ...) x __VA_OPT__(, ## __VA_ARGS__)
U(1, 2); U(1); V(1, 2); V(1); Q(1, 2); Q(1); C(1, 2); C(1);
)") == R"((1, (2)) "1"; "1"; "2" "1"; "" ; "1 \"a\" 2"; ""; 1 , 2; 1 ;)");
}

TEST_CASE("GNU: comma before __VA_ARGS__, named variadic parameters") {
    CHECK(expand(R"(
#define A(x, ...) x , ## __VA_ARGS__
#define B(...) b , ## __VA_ARGS__
#define C(x, rest...) x , ## rest
A(1); A(1,); A(1,2,3); B(); C(1); C(1,2)
)") == "1; 1 ,; 1 ,2,3; b ,; 1; 1 ,2");
}

TEST_CASE("a macro's name without '(' stays; '(' may stand on a later line or come later") {
    CHECK(expand("#define f(x) <x>\nf + f\n(1) f") == "f + <1> f");
    CHECK(expand("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)") == "2*9*g");
    CHECK(expand("#define EMPTY\n#define id(x) x\nid EMPTY (1) -EMPTY- +id()+") == "id (1) - - + +");
    CHECK(expand("#define foo foo+foo\nfoo") == "foo+foo");
    CHECK(expand("#define a b\n#define b a\na b") == "a b");
}

TEST_CASE("what tokens of an expansion must not join") {
    CHECK(expand("#define m -\n#define p +\nm-1 -m p+ +p x+p") == "- -1 - - + + + + x+ +");
    CHECK(expand("#define i(x) x\ni(a)b i(1)2 i(<)< i(=)= i(1).x") == "a b 1 2 < < = = 1 .x");
}

TEST_CASE("white space before an operand that becomes nothing goes to the next token") {
    const std::string quote = "#define STR(...) #__VA_ARGS__\n#define XSTR(...) STR(__VA_ARGS__)\n";
    auto quoted = [&](const std::string& macro, const std::string& use) {
        return expand(quote + "#define " + macro + "\nXSTR(" + use + ")");
    };
    CHECK(quoted("P(x,y) x y-b", "P(a,) [P(,)]") == "\"a -b [-b]\"");
    CHECK(quoted("Q(x,y) x y##y-b", "Q(a,)") == "\"a -b\"");
    CHECK(quoted("A(x,y) x y##x", "A(1,)") == "\"1 1\"");
    CHECK(quoted("J(x,y,z) a x##y##z-b", "J(,,) J(1,,) J(,1,) J(,,1)") == "\"a -b a 1-b a 1-b a 1-b\"");
    CHECK(quoted("K(x,y) a x ##y b", "K(,2) K(,)") == "\"a 2 b a b\"");
    CHECK(quoted("B(x,...) x __VA_OPT__()b", "B(1) B(1,2)") == "\"1 b 1 b\"");
    CHECK(quoted("V(x) - x#x", "V()") == "\"- \\\"\\\"\"");
    CHECK(quoted("G(x) a x", "G()-G()G()-") == "\"a -a a -\"");
    CHECK(quoted("S(x) x x", "a-S()-S(S())-b") == "\"a- - -b\"");
    CHECK(quoted("N(x,...) #__VA_OPT__(a x)-b", "N(,1)") == "\"\\\"a\\\"-b\"");
    CHECK(expand("#define G(x) a x\n#if 1\nG()\nG()-b\n#endif") == "a\na -b");
}

TEST_CASE("operands at the ends of __VA_OPT__ that become nothing are placemarkers") {
    CHECK(expand("#define W(x,...) b##__VA_OPT__(x a)\nW(,1) W(2,1) W()") == "b a b2 a b");
    CHECK(expand("#define X(x,...) b##__VA_OPT__(a x)##c\nX(,1) X(2,1) X()") == "ba c ba 2c bc");
    CHECK(expand("#define Y(x,...) b##__VA_OPT__(x)##c\nY(,1) Y(2,1) Y()") == "bc b2c bc");
}

TEST_CASE("a macro of the command line ends with its line") {
    CompileOptions options;
    options.macros = {{.name = "A", .text = "3\\"},
                      {.name = "B", .text = "\\ \t"},
                      {.name = "C", .text = "5\nx"},
                      {.name = "D", .text = "6"}};
    const Preprocessed result = preprocess_text("A B C D", options);
    CHECK(result.text == "3\\ \\ 5 6");
    CHECK(result.log == "warning: macro 'C' contains embedded newline; text after the newline is ignored\n");
}

TEST_CASE("faults of macro uses are errors with places") {
    auto fault = [](const char* source) { return first_message(preprocess_text(source)); };
    CHECK(fault("#define f(a) a\nf(1") == "2:1: error: unterminated function-like macro invocation");
    CHECK(fault("#define f(a,b) a\nf(1)") ==
          "2:4: error: too few arguments provided to function-like macro invocation");
    CHECK(fault("#define f(a) a\nf(1,2)") ==
          "2:5: error: too many arguments provided to function-like macro invocation");
    CHECK(fault("#define c(a,b) a##b\nc(+,x)") ==
          "2:1: error: pasting formed '+x', an invalid preprocessing token");
    CHECK(fault("#define c(a,b) a##b\nc(/,/)") ==
          "2:1: error: pasting formed '//', an invalid preprocessing token");
}

TEST_CASE("__LINE__ in a use over several lines is its last line; __COUNTER__ counts") {
    CHECK(expand("#define L(a) __LINE__\nL(1\n)\n__LINE__ __COUNTER__ __COUNTER__") == "3\n4 0 1");
    CHECK(expand("#line 77 \"x\\\\y.cl\"\n__LINE__ __FILE__") == "77 \"x\\\\y.cl\"");
}

TEST_CASE("macro bombs end in an error") {
    std::string source = "#define A0 x x\n", function = "#define A0(x) x x\n",
                paste =
                    "#define J(a,b) a##b\n"
                    "#define K(a,b) J(a,b)\n#define A0 xx\n";
    for (int i = 0; i < 40; ++i) {
        std::string a = "A" + std::to_string(i), b = "A" + std::to_string(i + 1);
        source += "#define " + b + " " + a + " " + a + "\n";
        function += "#define " + b + "(x) " + a + "(" + a + "(x))\n";
        paste += "#define " + b + " K(" + a + "," + a + ")\n";
    }
    for (const std::string& bomb : {source + "A40", function + "A40(y)", paste + "A40"})
        CHECK(log_of(bomb).find("macro expansion produces too many tokens") != std::string::npos);
    std::string deep = "#define F(x) (x)\n";
    for (int i = 0; i < 20000; ++i) deep += "F(";
    deep += "1" + std::string(20000, ')');
    CHECK(log_of(deep).find("fatal error") != std::string::npos);
}

TEST_CASE("a long chain of macros is no deep recursion") {
    std::string source;
    for (int i = 0; i < 20000; ++i)
        source += "#define C" + std::to_string(i) + " C" + std::to_string(i + 1) + "\n";
    CHECK(expand(source + "C0") == "C20000");
}

TEST_CASE("long programs may expand in proportion") {
    std::string source = "#define D0(x) x\n";
    for (int i = 1; i < 12; ++i)
        source += "#define D" + std::to_string(i) + "(x) D" + std::to_string(i - 1) + "((x) + 1)\n";
    for (int i = 0; i < 5000; ++i) source += "a[n] = D11(n);\n";
    CHECK(preprocess_text(source).errors == 0);
}
