// SPDX-License-Identifier: Apache-2.0
// Checks of arithmetic and of loops: planted faults are reported at their line, and what looks like them is
// not.
#include <span>

#include "vulkan/kernel_checks_fixture.h"

using namespace caldera;

namespace {

constexpr Planted kUndefined[] = {
    {"out[g] = n / in[g];", 3, "division of int without a defined result"},
    {"out[g] = n / in[g];", 3, "64 is divided by zero"},
    {"out[g] = n % in[g];", 3, "remainder of int"},
    {"out[g] = (uint)n / (uint)in[g];", 3, "division of uint"},
    {"out[g] = ((uint)n - 65u) % (uint)in[g];", 3, "4294967295 is divided by zero"},
    {"out[g] = (int)((long)n / (long)in[g]);", 3, "division of long"},
    {"in[g] = INT_MIN + in[g];\nout[g] = in[g] / (n - 65);", 4, "-2147483648 is divided by -1"},
    {"long x = LONG_MIN + in[g];\nout[g] = (int)(x % (n - 65));", 4, "-9223372036854775808 is divided by -1"},
    {"char4 c = (char4)(-128 + in[g]), d = (char4)(n - 65);\nout[g] = (c / d).x;", 4, "division of char4"},
    {"int4 v = (int4)(1, 2, 3, 4) / (int4)(1, 2, in[g], 4);\nout[g] = v.z;", 3, "3 is divided by zero"},
    {"ushort2 v = (ushort2)(9) % (ushort2)(in[g] + 1, in[g]);\nout[g] = v.y;", 3, "remainder of ushort2"},
    {"out[g] = n;\nout[g] /= in[g];", 4, "division of int"},
    {"out[g] = n;\nout[g] %= in[g];", 4, "remainder of int"},
    {"if (n / in[0] > 1) out[g] = 1;", 3, "work-item (0,0,0)"},
    {"if (g == 40) out[g] = n / (g - 40);", 3, "work-item (40,0,0)"},
    {"float f = 3e9f + in[g];\nout[g] = (int)f;", 4, "conversion of float to int without a defined result"},
    {"float f = 3e9f + in[g];\nout[g] = (int)f;", 4, "the value is 3e+09"},
    {"float f = in[g] - 1.0f;\nout[g] = (uint)f;", 4, "conversion of float to uint"},
    {"float f = 300 + in[g];\nout[g] = convert_uchar(f);", 4, "conversion of float to uchar"},
    {"float f = NAN + in[g];\nout[g] = (int)f;", 4, "nan"},
    {"float f = INFINITY + in[g];\nout[g] = convert_int_rte(f);", 4, "the value is inf"},
    {"float f = 127.5f + in[g];\nout[g] = convert_char_rte(f);", 4, "the value is 127.5"},
    {"float f = 127.25f + in[g];\nout[g] = convert_char_rtp(f);", 4, "the value is 127.25"},
    {"float f = in[g] - 128.25f;\nout[g] = convert_char_rtn(f);", 4, "the value is -128.25"},
    {"float4 f = (float4)(0, 1, 1e10f, in[g]);\nout[g] = convert_int4(f).z;", 4, "float4 to int4"},
    {"float f = 1e20f + in[g];\nout[g] = (int)(long)f;", 4, "conversion of float to long"},
    {"float f = NAN + in[g];\nout[g] = isnan(f) ? (int)f : 0;", 4, "nan"},
    {"float f = 3e9f + in[g];\nout[g] = isnan(f) ? 0 : (int)f;", 4, "the value is 3e+09"},
    {"float f = 3e9f + in[g];\nout[g] = f > 3 && (int)f > 0;", 4, "the value is 3e+09"},
    {"float4 f = (float4)(0, NAN, 3e9f + in[g], 4);\nout[g] = (isnan(f) ? (int4)(0) : convert_int4(f)).z;", 4,
     "the value is 3e+09"},
    {"out[g] = quotient(n, in[g]);", 1, "function 'quotient' of kernel 'test'"},
};

/// For devices with doubles.
constexpr Planted kUndefinedOfDoubles[] = {
    {"double d = 3e9 + in[g];\nout[g] = (int)d;", 4, "conversion of double to int without a defined result"},
    {"double d = 3e9 + in[g];\nout[g] = (int)d;", 4, "the value is 3e+09"},
    {"double d = 2147483648.0 + in[g];\nout[g] = (int)d;", 4, "the value is 2.147"},
    {"double d = in[g] - 2147483649.0;\nout[g] = (int)d;", 4, "the value is -2.147"},
    {"double d = 1e19 + in[g];\nout[g] = (int)(long)d;", 4, "conversion of double to long"},
    {"double d = NAN + in[g];\nout[g] = convert_int_rte(d);", 4, "nan"},
    {"double2 d = (double2)(1, 256.0 + in[g]);\nout[g] = convert_uchar2(d).y;", 4, "double2 to uchar2"},
};
constexpr const char* kDefinedOfDoubles[] = {
    "double d = 2147483647.5 + in[g];\nout[g] = (int)d;",
    "double d = in[g] - 2147483648.5;\nout[g] = (int)d;",
    "double d = 3e9 + in[g];\nout[g] = convert_int_sat(d) + (int)((long)d >> 8);",
};

constexpr const char* kDefined[] = {
    "out[g] = n / (in[g] + 1);",
    "out[g] = n / 7 + n % 7 - (uint)n / 3u;",
    "out[g] = (INT_MIN + in[g]) / (in[g] + 1) + (INT_MIN + 1 + in[g]) / (n - 65);",
    "out[g] = in[g] ? n / in[g] : 0;",
    "if (in[g] != 0) out[g] = n % in[g];",
    "out[g] = 1 << (n + in[g]) | n >> (n - 66);",
    "int4 v = (int4)(1) << (int4)(n + in[g]);\nout[g] = v.x;",
    "out[g] = (int)(1ul << (n + in[g]));",
    "char c = -128 + in[g], d = n - 65;\nout[g] = c / d;",
    "float f = 2147483520.0f + in[g];\nout[g] = (int)f;",
    "float f = in[g] - 2147483648.0f;\nout[g] = (int)f;",
    "float f = in[g] - 0.5f;\nout[g] = (uint)f + convert_uint_rte(f) + convert_uint_rtp(f);",
    "float f = in[g] - 128.5f;\nout[g] = convert_char(f) + convert_char_rte(f) + convert_char_rtp(f);",
    "float f = 127.25f + in[g];\nout[g] = convert_char_rte(f) + convert_char_rtn(f) + convert_char(f);",
    "float f = 255.75f + in[g];\nout[g] = convert_uchar_rtn(f) + convert_uchar_rtz(f);",
    "float f = 1e9f + in[g];\nout[g] = convert_char_sat(f) + convert_int_sat(f * 9) + convert_uint_sat(-f);",
    "float f = NAN + in[g];\nout[g] = convert_int_sat(f);",
    "float f = NAN + in[g];\nout[g] = isnan(f) ? 0 : (int)f;",
    "float f = 3e9f + in[g];\nout[g] = f > 1e9f ? 7 : (int)f;",
    "float f = 3e9f + in[g];\nout[g] = isnan(f) ? 0 : f > 1e9f ? 7 : (int)f;",
    "float f = 3e9f + in[g];\nout[g] = f < 3 && (int)f > 0;",
    "float f = NAN + in[g];\nout[g] = f != f || (int)f == 3;",
    "float4 f = (float4)(0, NAN, 5, in[g]);\nout[g] = (isnan(f) ? (int4)(0) : convert_int4(f)).z;",
    "float f = 18446742974197923840.0f + in[g];\nout[g] = (int)((ulong)f >> 40);",
};

constexpr Planted kEndless[] = {
    {"while (n) out[g] = 1;", 3, "loop that turns too often"},
    {"while (n) out[g] = 1;", 3, "it turned more than 1000 times, and was ended"},
    {"out[g] = 1;\nwhile (1) ;", 4, "kernel 'test'"},
    {"for (;;) {\nif (in[g] == 1) break;\nout[g] += 1;\n}", 3, "work-item (0,0,0)"},
    {"for (uint i = n; i >= 0; --i) out[g] = i;", 3, "more than 1000 times"},
    {"for (int i = 0; i < 10; ++i)\nfor (int j = 0; j < 10; i += 0) out[g] = j;", 4, "more than 1000 times"},
    {"for (int i = 0; i != 2001; i += 2) out[g] = i;", 3, "more than 1000 times"},
    {"float x = 0;\nwhile (x != 1.0f) x += 0.3f;\nout[g] = (int)x;", 4, "more than 1000 times"},
    {"int i = 0;\nwhile (i < 10) {\nif (in[g] == 0) continue;\n++i;\n}", 4, "more than 1000 times"},
    {"int i = 0;\ndo i += in[g]; while (i < 1);\nout[g] = i;", 4, "more than 1000 times"},
    {"for (int i = 0; i < 1001; ++i) out[g] = i;", 3, "more than 1000 times"},
    {"int i = 0;\ndo out[g] = i; while (++i < 1001);", 4, "more than 1000 times"},
    {"int i = 0;\nagain: if (++i != in[g]) goto again;\nout[g] = i;", 4, "more than 1000 times"},
    {"if (g == 5)\nwhile (in[g] == 0) out[g] = 1;", 4, "work-item (5,0,0)"},
    {"while (n) {\nif (in[g] == 1) return;\nbarrier(CLK_LOCAL_MEM_FENCE);\n}", 3, "more than 1000 times"},
    {"out[g] = turn(n);", 1, "function 'turn' of kernel 'test'"},
};

constexpr const char* kEnding[] = {
    "for (int k = 0; k < 3; ++k)\nfor (int i = 0; i < 1000; ++i) out[g] += i;",
    "for (int k = 0; k < 3; ++k) {\nint i = 0;\ndo out[g] += i; while (++i < 1000);\n}",
    "for (int k = 0; k < 3; ++k)\nfor (int i = 0;; ++i) {\nif (i >= 1000) break;\nout[g] += i;\n}",
    "for (int i = 0; i < 1000; ++i) out[g] = i;",
    "for (int i = 0; i < 90; ++i)\nfor (int j = 0; j < 90; ++j) out[g] += j;",
    "int i = 0;\ndo out[g] = i; while (++i < 1000);",
    "int i = 0;\nwhile (1) {\nif (i == n) break;\n++i;\n}\nout[g] = i;",
    "int i = 0;\nagain: if (++i < 1000) goto again;\nout[g] = i;",
    "for (int i = 0; i < 1000; ++i) barrier(CLK_LOCAL_MEM_FENCE);",
    "for (int i = 0; i < n; ++i) if (i == in[g] + 5) return;",
};

}  // namespace

TEST_CASE("arithmetic without a defined result is reported at its line") {
    Checked checked(vulkan::MemoryChecks::Arithmetic);
    if (!checked.has_addresses()) return;
    for (const Planted& fault : kUndefined) checked.find(fault);
    for (const char* body : kDefined) checked.find_nothing(body);
    if (!checked.has_doubles()) return;
    for (const Planted& fault : kUndefinedOfDoubles) checked.find(fault);
    for (const char* body : kDefinedOfDoubles) checked.find_nothing(body);
}

TEST_CASE("loops that turn too often are reported at their line, and end") {
    setenv("CALDERA_CHECK_LOOPS", "1000", 1);
    Checked checked(vulkan::MemoryChecks::Loops);
    unsetenv("CALDERA_CHECK_LOOPS");
    if (!checked.has_addresses()) return;
    for (const Planted& fault : kEndless) checked.find(fault);
    for (const char* body : kEnding) checked.find_nothing(body);
}

TEST_CASE("loops that turn too often do not multiply the turns of loops around them") {
    setenv("CALDERA_CHECK_LOOPS", "1000", 1);
    Checked checked(vulkan::MemoryChecks::Loops);
    unsetenv("CALDERA_CHECK_LOOPS");
    if (!checked.has_addresses()) return;
    const std::string text = checked.report_of("while (n)\nwhile (n)\nwhile (n) out[g] = 1;");
    for (const char* line : {"faults.cl:3:", "faults.cl:4:", "faults.cl:5:"})
        CHECK_MESSAGE(text.find(line) != std::string::npos, text);
}

TEST_CASE("loops of robust kernels that turn too often end without a report, and others are as they were") {
    setenv("CALDERA_CHECK_LOOPS", "1000", 1);
    const auto file = std::filesystem::temp_directory_path() /
                      ("caldera_silent_loops." + std::to_string(std::random_device()()));
    std::filesystem::remove(file);
    setenv("CALDERA_CHECK_FILE", file.string().c_str(), 1);
    const auto opened = runtime::open_device({.robust = true});
    const auto unbound = runtime::open_device({.robust = true, .loop_turns = 100000});
    unsetenv("CALDERA_CHECK_LOOPS");
    unsetenv("CALDERA_CHECK_FILE");
    REQUIRE_MESSAGE(opened, why(opened));
    REQUIRE_MESSAGE(unbound, why(unbound));
    if (!(*opened)->has_addresses()) return;
    CHECK(has((*opened)->checks(), vulkan::MemoryChecks::EndLoops));
    CHECK(!reports((*opened)->checks()));
    CHECK((*opened)->loop_turns() == 1000);
    CHECK((*unbound)->loop_turns() == 100000);
    const auto queue = runtime::Queue::create(**opened).take();
    const auto run = [&](const std::string& body) {
        const BuildResult built =
            build_program(**opened, "kernel void test(global int *out, int n) {" + body + "}", "test.cl", {});
        REQUIRE_MESSAGE(built, built.log);
        CHECK(built.program->interface().check_sites.empty());
        runtime::Kernel kernel = runtime::Kernel::create(*built.program, "test").take();
        const runtime::Buffer out = runtime::Buffer::create(**opened, 4).take();
        REQUIRE(kernel.set(0, out));
        REQUIRE(kernel.set(1, int32_t{1}));
        REQUIRE(queue->dispatch(kernel, {.global = {1, 1, 1}, .local = {1, 1, 1}}));
        int32_t word = 0;
        REQUIRE(queue->download(out, 0, std::as_writable_bytes(std::span(&word, 1))));
        return word;
    };
    // they may turn once more than asked for
    const int32_t sum = run("int s = 0; while (n) s += n; out[0] = s;");
    CHECK((sum == 1000 || sum == 1001));
    const int32_t behind = run("out[0] = 0; while (n) out[0] += 1; out[0] += 7;");
    CHECK((behind == 1007 || behind == 1008));
    CHECK(run("int s = 0; for (int i = 0; i < n * 1000; ++i) s += i; out[0] = s;") == 499500);
    CHECK(
        run("int s = 0; for (int k = 0; k < 3; ++k) for (int i = 0; i < n * 900; ++i) s += 1; out[0] = s;") ==
        2700);
    CHECK(std::filesystem::file_size(file) == 0);  // it was made when the devices were opened
    std::filesystem::remove(file);
}

TEST_CASE("arithmetic and loops are checked beside memory") {
    setenv("CALDERA_CHECK_LOOPS", "1000", 1);
    using enum vulkan::MemoryChecks;
    Checked checked(Bounds | Races | Uninitialised | Barriers | Arithmetic | Loops);
    unsetenv("CALDERA_CHECK_LOOPS");
    if (!checked.has_addresses()) return;
    const std::string text =
        checked.report_of("out[g] = n / in[g];\nwhile (in[g] == 0) out[g] = 1;\nif (l == 0) out[n] = 1;");
    CHECK_MESSAGE(text.find("faults.cl:3:") != std::string::npos, text);
    CHECK_MESSAGE(text.find("faults.cl:4:") != std::string::npos, text);
    CHECK_MESSAGE(text.find("faults.cl:5:") != std::string::npos, text);
}
