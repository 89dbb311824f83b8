// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>

#include "frontend/preprocess/preprocess_fixture.h"

using namespace caldera::frontend;

static std::string text_of(std::string_view source, const FileMap& files = {}, CompileOptions options = {}) {
    Preprocessed result = preprocess_text(source, options, files);
    CHECK_MESSAGE(result.errors == 0, result.log);
    return result.text;
}
static bool holds(const std::string& condition) {
    return text_of("#if " + condition + "\nyes\n#else\nno\n#endif") == "yes";
}
static std::string fault(std::string_view source) { return first_message(preprocess_text(source)); }

TEST_CASE("conditional groups (C99 6.10.1)") {
    CHECK(text_of("#if 1\na\n#elif 1/0\nb\n#else\nc\n#endif\nd") == "a\nd");
    CHECK(text_of("#if 0\na\n#elif 2\nb\n#elif 3\nc\n#else\nd\n#endif") == "b");
    CHECK(text_of("#define A\n#if 0\na\n#elifdef A\nb\n#elifdef A\nc\n#else\nd\n#endif") == "b");
    CHECK(text_of("#define A\n#if 0\na\n#elifndef A\nb\n#elifndef B\nc\n#else\nd\n#endif") == "c");
    CHECK(text_of("#if 1\na\n#elifdef 1/0\nb\n#else\nc\n#endif") == "a");
    CHECK(text_of("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif") == "c");
    CHECK(text_of("#ifdef X\na\n#endif\n#ifndef X\nb\n#endif\n#define X\n#ifdef X\nc\n#endif") == "b\nc");
    CHECK(text_of("#if 0\n#foo 'x /* \n */ \" @\n#endif\nx") == "x");
    CHECK(text_of("#if 1\n#else junk ' \n#endif\nx") == "x");
}

TEST_CASE("expressions of #if are 64-bit") {
    CHECK(holds("0x7fffffffffffffff + 1u == 0x8000000000000000"));
    CHECK(holds("-1 > 0u"));
    CHECK(holds("-1 < 0"));
    CHECK(holds("0xffffffff + 1 == 4294967296"));  // no 32-bit type here
    CHECK(holds("-9223372036854775807 - 1 < 0"));
    CHECK(holds("1 ? 2 : (3, 4)"));
    CHECK(holds("(1 ? -1 : 0u) > 0"));
    CHECK(holds("7 / -2 == -3 && 7 % -2 == 1 && -7 >> 1 == -4"));
    CHECK(holds("1 || 1 / 0"));
    CHECK(holds("!(0 && 1 % 0)"));
    CHECK(holds("'a' == 97 && '\\377' < 0"));
    CHECK(holds("1 + 2 * 3 == 7 && (1 | 6 ^ 2 & 3) == 5 && 1 << 3 >> 1 == 4"));
    CHECK(holds("undefined_name == 0 && true && !false"));
    CHECK(holds("defined __LINE__ && !defined(nothing) && defined(__OPENCL_VERSION__)"));
    CHECK(text_of("#define HAS defined(x)\n#define AND &&\n#define x\n#if HAS AND 1\nyes\n#endif") == "yes");
}

TEST_CASE("faults of #if, in clang's words and places") {
    CHECK(fault("#if 1 +\n#endif") == "1:8: error: expected value in expression");
    CHECK(fault("#if (1\n#endif") == "1:7: error: expected ')' in preprocessor expression");
    CHECK(fault("#if 1 2\n#endif") ==
          "1:7: error: token is not a valid binary operator in a preprocessor subexpression");
    CHECK(fault("#if\n#endif") == "1:4: error: expected value in expression");
    CHECK(fault("#if 1/0\n#endif") == "1:6: error: division by zero in preprocessor expression");
    CHECK(fault("#if foo(\n#endif") == "1:5: error: function-like macro 'foo' is not defined");
    CHECK(fault("#if \"a\"\n#endif") == "1:5: error: invalid token at start of a preprocessor expression");
    CHECK(fault("#if 1.0\n#endif") == "1:5: error: floating point literal in preprocessor expression");
    CHECK(fault("#if defined\n#endif") == "1:12: error: macro name missing");
    CHECK(fault("#if 1\n") == "1:2: error: unterminated conditional directive");
    CHECK(fault("#if 0\n") == "1:2: error: unterminated conditional directive");
    CHECK(fault("#else\n") == "1:2: error: #else without #if");
    CHECK(fault("#elif 1\n") == "1:2: error: #elif without #if");
    CHECK(fault("#endif\n") == "1:2: error: #endif without #if");
    CHECK(fault("#if 1\n#else\n#else\n#endif") == "3:2: error: #else after #else");
    CHECK(fault("#if " + std::string(100000, '(') + "1" + std::string(100000, ')') + "\n#endif") ==
          "1:1005: fatal error: expression nesting level exceeded maximum of 1000");
    CHECK(fault("#if " + std::string(100000, '!') + "1\n#endif").find("nesting level") != std::string::npos);
}

TEST_CASE("faults of #define and #undef") {
    CHECK(fault("#define\n") == "1:8: error: macro name missing");
    CHECK(fault("#define 3\n") == "1:9: error: macro name must be an identifier");
    CHECK(fault("#define defined\n") == "1:9: error: 'defined' cannot be used as a macro name");
    CHECK(fault("#define f(a,a) a\n") == "1:13: error: duplicate macro parameter name 'a'");
    CHECK(fault("#define f(a\n") == "1:12: error: expected comma in macro parameter list");
    CHECK(fault("#define f(a,) a\n") == "1:13: error: expected identifier in macro parameter list");
    CHECK(fault("#define f(...,a)\n") == "1:14: error: missing ')' in macro parameter list");
    CHECK(fault("#define g(a) #b\n") == "1:15: error: '#' is not followed by a macro parameter");
    CHECK(fault("#define h ## a\n") == "1:11: error: '##' cannot appear at start of macro expansion");
    CHECK(fault("#define h a ##\n") == "1:13: error: '##' cannot appear at end of macro expansion");
    CHECK(fault("#define x 1\n#define x 2\n") == "2:9: warning: 'x' macro redefined [-Wmacro-redefined]");
    CHECK(fault("#define x(a) a + 1\n#define x(a)  a   +  1\n").empty());
    CHECK(fault("#undef __FILE__\n") == "1:8: warning: undefining builtin macro [-Wbuiltin-macro-redefined]");
    CHECK(fault("#undef x y\n") == "1:10: warning: extra tokens at end of #undef directive [-Wextra-tokens]");
    CHECK(fault("#nonsense\n") == "1:2: error: invalid preprocessing directive");
}

TEST_CASE("#error, #warning, #line, null directive, linemarkers") {
    CHECK(fault("#error this is  \"bad'\n") == "1:2: error: this is  \"bad'");
    CHECK(fault("#warning oh well\n") == "1:2: warning: oh well [-W#warnings]");
    CHECK(fault("#line a\n") == "1:7: error: #line directive requires a positive integer argument");
    CHECK(text_of("#\n# /* nothing */\nx") == "x");
    CHECK(text_of("# 12 \"a.h\" 1 3\n__LINE__ __FILE__") == "12 \"a.h\"");
    CHECK(text_of("#define N 5\n#line N\n__LINE__") == "5");
    CHECK(preprocess_text("#line 10 \"gen.y\"\n#error x\n").log.starts_with("gen.y:10:2: error: x\n"));
}

TEST_CASE("-iquote, -isystem, -idirafter, -imacros, -MG, -undef") {
    const FileMap files = {{"q/a.h", "quoted"},
                           {"i/a.h", "plain"},
                           {"s/a.h", "system"},
                           {"s/b.h", "system"},
                           {"l/b.h", "last"},
                           {"l/c.h", "last"},
                           {"m.h", "#define M 7\ndropped"}};
    CompileOptions options;
    options.quote_dirs = {"q"};
    options.include_dirs = {"i"};
    options.system_dirs = {"s"};
    options.last_dirs = {"l"};
    options.macro_files = {"m.h"};
    CHECK(
        preprocess_text("#include \"a.h\"\n#include <a.h>\n#include <b.h>\n#include <c.h>\nM", options, files)
            .text == "quoted\nplain\nsystem\nlast\n7");
    options.missing_headers_are_made = true;
    const Preprocessed made = preprocess_text("#include \"made.h\"\nrest", options, files);
    CHECK(made.text == "rest");
    CHECK(made.dependencies == std::vector<std::string>{"k.cl", "m.h", "made.h"});
    options.no_target_macros = true;
    CHECK(preprocess_text("__SPIR64__ __OPENCL_VERSION__", options, files).text == "__SPIR64__ 200");
}

TEST_CASE("#include: search order, macros, once, next, has_include") {
    FileMap files{{"a.h", "a #include_level __INCLUDE_LEVEL__\n"},
                  {"inc/a.h", "inc_a\n"},
                  {"inc/b.h", "#include \"a.h\"\n"},
                  {"inc2/b.h", "inc2_b\n"},
                  {"once.h", "#pragma once\nonce\n"},
                  {"inc/n.h", "n1\n#include_next <n.h>\n"},
                  {"inc2/n.h", "n2\n"}};
    CompileOptions options;
    options.include_dirs = {"inc", "inc2"};
    CHECK(text_of("#include \"a.h\"", files) == "a #include_level 1");
    CHECK(text_of("#include <a.h>", files, options) == "inc_a");
    CHECK(text_of("#include <b.h>", files, options) == "inc_a");  // beside b.h
    CHECK(text_of("#include <n.h>", files, options) == "n1\nn2");
    CHECK(text_of("#include \"once.h\"\n#include \"once.h\"\nx", files) == "once\nx");
    CHECK(text_of("#include \"once.h\"\n#include \"./once.h\"\n#include \"inc/../once.h\"\nx",
                  {{"once.h", files.at("once.h")},
                   {"./once.h", files.at("once.h")},
                   {"inc/../once.h", files.at("once.h")}}) == "once\nx");
    CHECK(text_of("#include \"once.h\"\n#include \"inc/../once.h\"\nx",
                  {{"once.h", files.at("once.h")}, {"inc/../once.h", "beside a link\n"}}) ==
          "once\nbeside a link\nx");
    CHECK(text_of("#define H \"once.h\"\n#include H\n#define A(x) <x.h>\n#include A(a)\n", files, options) ==
          "once\ninc_a");
    CHECK(text_of("#if __has_include(\"a.h\") && !__has_include(<zz.h>)\nyes\n#endif", files) == "yes");
    CHECK(preprocess_text("#include \"a.h\"\n#include \"a.h\"\n", {}, files).dependencies ==
          std::vector<std::string>{"k.cl", "a.h"});
}

TEST_CASE("a file that its guard makes empty is not read again; one that has more is") {
    auto times_read = [](const std::string& header, const std::string& source) {
        int reads = 0;
        CompileOptions options;
        options.read_file = [&](const std::string&) -> std::optional<std::string> {
            ++reads;
            return header;
        };
        CHECK(preprocess_with(options, source).errors == 0);
        return reads;
    };
    const std::string twice = "#include \"a.h\"\n#include \"a.h\"\n";
    CHECK(times_read("// x\n#ifndef G /* y */\n#define G\n#if 1\n#else\n#endif\nx\n#endif // z\n", twice) ==
          1);
    CHECK(times_read("#ifndef G\n#define G\nx\n#endif\n", "#include \"a.h\"\n#undef G\n#include \"a.h\"\n") ==
          2);
    for (const char* header :
         {"x\n#ifndef G\n#define G\n#endif\n", "#ifndef G\n#define G\n#endif\nx\n", "#ifndef G\n#endif\n",
          "#ifndef G\n#define G\n#else\nx\n#endif\n", "#ifndef G\n#define G\n#endif\n#ifndef H\n#endif\n",
          "#ifdef G\n#else\n#define G\n#endif\n", "#define H\n#ifndef G\n#define G\n#endif\n",
          "#ifndef G\n#define G\n#endif\n#undef H\n", "#pragma unroll\n#ifndef G\n#define G\n#endif\n"})
        CHECK(times_read(header, twice) == 2);
}

TEST_CASE("an exception of read_file is a fault of the directive") {
    const auto fault_of = [](const std::string& source, auto thrown) {
        int calls = 0;
        CompileOptions options;
        options.include_dirs = {"one", "two"};
        options.read_file = [&](const std::string&) -> std::optional<std::string> {
            ++calls;
            throw thrown;
        };
        const Preprocessed result = preprocess_with(options, source);
        CHECK(calls == 1);
        CHECK(result.errors == 1);
        return result.log.substr(0, result.log.find('\n'));
    };
    const std::runtime_error gone("the archive is gone");
    CHECK(fault_of("int x;\n#include \"a.h\"\n#include \"b.h\"\n", gone) ==
          "k.cl:2:10: fatal error: cannot read 'a.h': the archive is gone");
    CHECK(fault_of("#if __has_include(<a.h>)\n#endif\n", gone) ==
          "k.cl:1:19: fatal error: cannot read 'one/a.h': the archive is gone");
    CHECK(fault_of("#include \"a.h\"\n", 3) == "k.cl:1:10: fatal error: cannot read 'a.h'");
}

TEST_CASE("faults of #include") {
    CHECK(fault("#include \"no.h\"\nint x;") == "1:10: fatal error: 'no.h' file not found");
    CHECK(fault("#include\n") == "1:9: error: expected \"FILENAME\" or <FILENAME>");
    CHECK(fault("#include foo\n") == "1:10: error: expected \"FILENAME\" or <FILENAME>");
    CHECK(fault("#include <abc\n") == "1:14: error: expected '>'");
    Preprocessed cycle =
        preprocess_text("#include \"x.h\"", {}, {{"x.h", "#include \"x.h\"\n#include \"x.h\"\n"}});
    CHECK(cycle.errors == 1);
    CHECK(cycle.log.find("error: #include nested too deeply") != std::string::npos);
    Preprocessed open_if = preprocess_text("#include \"x.h\"\n#endif", {}, {{"x.h", "#if 1\n"}});
    CHECK(open_if.errors == 2);
    CHECK(
        open_if.log.starts_with("In file included from k.cl:1:\n./x.h:1:2: error: unterminated conditional"));
}

TEST_CASE("-D, -U, -include") {
    CompileOptions options;
    options.macros = {{.name = "A", .text = "1"},
                      {.name = "F(x)", .text = "x+x"},
                      {.name = "A", .undefine = true},
                      {.name = "__ENDIAN_LITTLE__", .undefine = true}};
    options.includes = {"p.h"};
    Preprocessed result = preprocess_text("A F(3) P __ENDIAN_LITTLE__", options, {{"p.h", "#define P 7\n"}});
    CHECK(result.text == "A 3+3 7 __ENDIAN_LITTLE__");
}

TEST_CASE("-dM: the macros that are defined at the end") {
    const std::string text = preprocess_text(
                                 "#define ONE 1\n#define F(a, b...)  a + b # a\n#define G(...) __VA_ARGS__\n"
                                 "#define NOTHING\n#define GONE\n#undef GONE\n#undef __OPENCL_VERSION__\n"
                                 "#undef CL_VERSION_1_0\n#define CL_VERSION_1_0 7")
                                 .definitions;
    for (const char* line :
         {"#define ONE 1\n", "#define F(a,b...) a + b #a\n", "#define G(...) __VA_ARGS__\n",
          "#define NOTHING \n", "#define CL_VERSION_1_0 7\n", "#define CL_VERSION_1_1 110\n"})
        CHECK_MESSAGE(text.find(line) != std::string::npos, line);
    for (const char* name : {"GONE", "__OPENCL_VERSION__", "CL_VERSION_1_0 100", "__LINE__"})
        CHECK_MESSAGE(text.find(name) == std::string::npos, name);
}

TEST_CASE("1.10-1 to 1.10-6 pragmas") {
    auto pragma = [](const char* source) { return text_of(source); };
    CHECK(pragma("#define cl_khr_fp64 no\n#pragma OPENCL EXTENSION cl_khr_fp64:enable\n") ==
          "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");  // 1.10-3: no expansion
    CHECK(pragma("#pragma OPENCL FP_CONTRACT OFF\nx") == "#pragma OPENCL FP_CONTRACT OFF\nx");
    CHECK(pragma("#define N 4\n#pragma unroll N\nfor") == "#pragma unroll 4\nfor");
    CHECK(pragma("#define P(x) _Pragma(#x) go\nP(unroll 2)") == "#pragma unroll 2\ngo");
    CHECK(pragma("#define N 4\n#define P(x) _Pragma(#x) go\nP(unroll N * 2)") == "#pragma unroll 4 * 2\ngo");
    CHECK(pragma("#define F(x) x\n_Pragma(\"pack(push, F(2))\") go") == "#pragma pack ( push , 2 )\ngo");
    CHECK(pragma("#define F(x) x\n#pragma unroll F\n(2)") == "#pragma unroll F\n(2)");
    CHECK(pragma("#define unroll no\n#define U(x) _Pragma(\"unroll U(x)\")\nU(2) go") ==
          "#pragma unroll U ( x )\ngo");
    CHECK(pragma("#define FP_CONTRACT no\n_Pragma(\"STDC FP_CONTRACT ON\") x") ==
          "#pragma STDC FP_CONTRACT ON\nx");
    CHECK(pragma("_Pragma(\"STDC FP_CONTRACT ON\") x") == "#pragma STDC FP_CONTRACT ON\nx");
    CHECK(fault("#pragma nobody knows\n").empty());  // 1.10-2
    CHECK(first_message(preprocess_text("#pragma nobody knows\n", {.warnings = {.groups = {"all"}}})) ==
          "1:9: warning: unknown pragma ignored [-Wunknown-pragmas]");
    CHECK(fault("#pragma message(\"hi\")\n") == "1:9: warning: hi [-W#pragma-messages]");
    CHECK(fault("#define T(x) #x\n#define S(x) T(x)\n#define N 4\n#pragma message \"N is\\t\" S(N)\n") ==
          "4:9: warning: N is\t4 [-W#pragma-messages]");
    CHECK(fault("#define N \"no\"\n#pragma GCC error (N)\n") == "2:13: error: no");
    CHECK(fault("#define N \"no\"\n_Pragma(\"clang warning N\")\n") ==
          "2:1: warning: no [-W#pragma-messages]");
    const std::string malformed = "error: pragma message requires parenthesized string";
    CHECK(fault("#pragma message\n") == "1:9: " + malformed);
    CHECK(fault("#pragma message()\n") == "1:9: " + malformed);
    CHECK(fault("#pragma message text\n") == "1:17: " + malformed);
    CHECK(fault("#pragma message(\"text\"\n") == "1:9: " + malformed);
    CHECK(fault("#pragma message(\"text\") more\n") == "1:25: " + malformed);
    CHECK(fault("#pragma message \"text\")\n") == "1:23: " + malformed);
    CHECK(fault("#pragma GCC error\n") == "1:13: error: pragma error requires parenthesized string");
}

TEST_CASE("1.10-7 to 1.10-20 predefined macros") {
    auto value = [](const char* name, CompileOptions options = {}) { return text_of(name, {}, options); };
    CHECK(value("__FILE__") == "\"k.cl\"");
    CHECK(value("\n__LINE__") == "2");
    CHECK(value("__OPENCL_VERSION__") == "200");
    CHECK(value("CL_VERSION_1_0 CL_VERSION_1_1 CL_VERSION_1_2 CL_VERSION_2_0") == "100 110 120 200");
    CHECK(value("__OPENCL_C_VERSION__") == "120");
    CHECK(value("__OPENCL_C_VERSION__", {.standard = Standard::CL20}) == "200");
    CHECK(value("__OPENCL_C_VERSION__", {.standard = Standard::CL10}) == "100");
    CHECK(value("__ENDIAN_LITTLE__ __IMAGE_SUPPORT__") == "1 1");
    CHECK(value("__IMAGE_SUPPORT__", {.standard = Standard::CL30, .extensions = {}}) == "__IMAGE_SUPPORT__");
    CHECK(value("__FAST_RELAXED_MATH__") == "__FAST_RELAXED_MATH__");
    CHECK(value("__FAST_RELAXED_MATH__", {.fast_relaxed_math = true}) == "1");
    CHECK(value("kernel_exec(64, float4) void f();") ==
          "__kernel __attribute__((work_group_size_hint(64, 1, 1))) __attribute__((vec_type_hint(float4))) "
          "void f();");
    CHECK(value("NULL") == "((void*)0)");
    CHECK(value("INT_MIN CHAR_MAX FLT_MAX") == "(-2147483647 - 1) 127 0x1.fffffep127f");
    CHECK(value("M_PI cl_khr_fp64", {.extensions = {}}) == "M_PI cl_khr_fp64");
    CHECK(value("cl_khr_fp16 HALF_MAX") == "1 0x1.ffcp15h");
    CHECK(
        holds("LONG_MAX == 9223372036854775807 && ULONG_MAX > 0 && CHAR_BIT == 8 && UINT_MAX == 4294967295"));
}

TEST_CASE("bad input is an error, never a crash") {
    std::string bytes;
    uint32_t seed = 1;
    for (int i = 0; i < 20000; ++i) bytes += static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
    CHECK(preprocess_text(bytes).errors > 0);
    CHECK(preprocess_text(std::string("int\0\0x;", 7)).text == "int x;");
    CHECK(fault("a /* never ends") == "1:3: error: unterminated /* comment");
    CHECK(fault("\"never ends\nx") ==
          "1:1: warning: missing terminating '\"' character [-Winvalid-pp-token]");
    CHECK(preprocess_text("").text.empty());
    CHECK(preprocess_text("#").text.empty());
    CHECK(preprocess_text("\\\n\\").errors == 0);
    for (const char* cut : {"#include",
                            "#if (",
                            "#define f(",
                            "#define f(a",
                            "#pragma",
                            "_Pragma(",
                            "#line",
                            "#elif",
                            "#if defined(",
                            "#if __has_include(",
                            "#if 0\n#else",
                            "#define f(x) x\nf(",
                            "'",
                            "\"",
                            "'\\",
                            "#include <",
                            "#if __has_include(<",
                            "?\?/",
                            "_Pragma(\"",
                            "%:",
                            "L'",
                            ".",
                            "0x",
                            "1e+"})
        CHECK_NOTHROW(preprocess_text(cut));
}

TEST_CASE("comments stay with -C, outside directives, macros and skipped groups") {
    CompileOptions options;
    options.keep_comments = true;
    const FileMap files = {{"a.h", "/* first */\nint x; // in a.h\n/* last */\n"}};
    CHECK(preprocess_text(R"(/* head */
#define M(x) /* in macro */ x /* end */ + 1 // tail
#if 0 /* condition */
/* skipped */
#endif
int a; // after a
int /* between */ b = M(/* arg */ 3 /* arg2 */);
/* two
   lines */ int c;
#include "a.h" // of a directive
// behind it
int d; /* e */ /* f */ int g;
// the end
)",
                          options, files)
              .text == R"(/* head */
int a; // after a
int /* between */ b = 3 + 1;
/* two
lines */ int c;
/* first */
int x; // in a.h
/* last */
// behind it
int d; /* e */ /* f */ int g;
// the end)");
}
