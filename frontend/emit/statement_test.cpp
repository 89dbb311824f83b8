// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/emit_fixture.h"

using namespace caldera::frontend;

TEST_CASE("selections and loops carry their merges") {
    const std::string text = assembly(R"(kernel void k(global int *p, int n) {
        if (n) p[0] = 1; else p[0] = 2;
        while (n > 0) { if (p[n] == 3) break; if (p[n] == 4) { --n; continue; } --n; }
        do { p[n++] = 3; } while (n < 5 && p[n]);
        for (int i = 0; i < n; ++i) for (;;) { if (p[i]) break; p[i] = 1; } })");
    CHECK(count_of(text, "OpLoopMerge") == 4);
    CHECK(count_of(text, "OpSelectionMerge") == 5);
}

TEST_CASE("code that nothing reaches is dropped") {
    const std::string text = assembly(R"(int f(int n) { return n; n = 3; while (n) --n; }
        int g(int n) { for (;;) { if (n) return 1; else return 2; n = 77; } }
        int h(int n) { if (n) return 1; else return 2; }
        kernel void k(global int *p) { p[0] = f(p[1]) + g(p[2]) + h(p[3]); return; p[4] = 99; })");
    check_absent(text, "%uint_99");
    check_absent(text, "%uint_77");
}

TEST_CASE("a condition that is constant leaves one branch") {
    const std::string text =
        assembly("kernel void k(global int *p) { if (sizeof(int) == 4) p[0] = 1; else p[0] = 222; }");
    check_absent(text, "OpBranchConditional");
    check_absent(text, "%uint_222");
}

TEST_CASE("switch: fallthrough, default anywhere, ranges, no braces") {
    const std::string text = assembly(R"(kernel void k(global int *p, int n, ulong m) {
        switch (n) { case 1: p[0] = 1; case 2: p[1] = 2; break; default: p[2] = 3; break; case -3: case 4: p[3] = 4; }
        switch (m) { case 0x100000000ul: p[0] = 5; break; case 7: return; }
        switch (n) { case 10 ... 20: p[4] = 1; break; case 100 ... 100000: p[5] = 2; }
        switch (n) case 3: p[6] = 1;
        switch (n) { default: p[7] = 1; }
        for (int i = 0; i < 4; ++i) switch (i) { case 0: continue; case 1: break; default: p[8] = i; }
        switch (n) { } })");
    check_lines(text, {"OpSelectionMerge", "OpSwitch", "4294967293", "OpSwitch", "4294967296",
                       "OpULessThanEqual", "OpSwitch", "OpSwitch", "OpSwitch", "OpSwitch"});
}

TEST_CASE("goto leaves the structure to the translator") {
    const std::string text = assembly(R"(kernel void k(global int *p, int n) {
        goto middle;
        first: p[0] = n; if (n-- > 0) goto first; return;
        middle: for (int i = 0; i < n; ++i) { if (p[i]) goto done; p[i] = n && p[n]; }
        goto first;
        done: p[3] = 1; goto first; })");
    check_absent(text, "OpLoopMerge");
    check_absent(text, "OpSelectionMerge");
    assembly(R"(kernel void k(global int *p, int n) {
        switch (n & 3) { case 0: do { *p++ = 1; case 3: *p++ = 2; case 2: *p++ = 3; case 1: *p++ = 4; } while (--n > 0); } })");
    assembly("kernel void k(global int *p) { unused: p[0] = 1; }");
}

TEST_CASE("unroll hints") {
    const std::string text = assembly(R"(kernel void k(global int *p) {
        __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < 8; ++i) p[i] = i;
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < 8; ++i) p[i] = i; })",
                                      standard(Standard::CL20));
    check_lines(text, {"OpLoopMerge", "Unroll", "OpLoopMerge", "DontUnroll"});
}

TEST_CASE("a long else-if chain does not use the stack up") {
    std::string source = "kernel void k(global int *p, int n) { if (n == 0) p[0] = 1;";
    for (int i = 1; i < 10000; ++i) source += " else if (n == " + std::to_string(i) + ") p[0] = 2;";
    const CompileResult result = compile(source + " }", "test.cl", standard(Standard::CL12));
    CHECK(result.log == "");
    CHECK(!result.words.empty());
}

TEST_CASE("return inside loops, and values that are not returned") {
    assembly(
        R"(int find(global int *p, int n) { for (int i = 0; i < n; ++i) { switch (p[i]) { case 3: return i; } } return -1; }
        float nothing(int n) { while (n) --n; }
        void early(global int *p) { if (p[0]) return; p[0] = 1; }
        kernel void k(global int *p) { p[0] = find(p, 9); nothing(3); early(p); })");
}

TEST_CASE("variables without an initialiser begin again at each turn of a loop") {
    const std::string text = assembly(R"(kernel void k(global int *p) {
        int once;
        once = 1;
        for (int i = 0; i < 8; ++i) { int again, set = i; again = set; p[i] = again + once; } })");
    const size_t found = text.find("OpLifetimeStart %again 0");
    CHECK(found != std::string::npos);
    CHECK(text.find("OpLifetimeStart", found + 1) == std::string::npos);
}
