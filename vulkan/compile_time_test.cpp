// SPDX-License-Identifier: Apache-2.0
// A kernel that has four times as much of one thing takes about four times as long to compile: nothing takes
// the square. tests/evaluation/bench/compile/linearity.py measures more shapes.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "frontend/options.h"
#include "tests/support/why.h"
#include "vulkan/translate/translate.h"

using namespace caldera;

namespace {

/// `make` of each number below `count`.
std::string lines(size_t count, const std::function<std::string(const std::string&)>& make) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += make(std::to_string(i)) + "\n";
    return text;
}

double seconds(const std::string& source) {
    const std::clock_t start = std::clock();
    frontend::CompileOptions compile;
    REQUIRE(frontend::parse_build_options("-w", compile));
    const frontend::CompileResult compiled = frontend::compile(source, "a.cl", compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    const Result<vulkan::Translation> made =
        vulkan::translate(compiled.words, {.trusted_input = true}, builtin_library());
    REQUIRE_MESSAGE(made, why(made));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Whether the time grows like the size. A busy machine may need a second look.
bool is_linear(size_t count, const std::function<std::string(size_t)>& make) {
    constexpr double kSquare = 9;  // beyond four, and below sixteen
    double few = 1e9, many = 1e9;
    for (int attempt = 0; attempt < 3; ++attempt) {
        few = std::min(few, seconds(make(count)));
        many = std::min(many, seconds(make(4 * count)));
        if (many < kSquare * few) return true;
    }
    MESSAGE(few, " s became ", many, " s");
    return false;
}

}  // namespace

TEST_CASE("compile time: calls of printf, each with a format of its own") {
    CHECK(is_linear(1000, [](size_t count) {
        return "kernel void k(global int *a) {" +
               lines(count,
                     [](const std::string& i) {
                         return "printf(\"line " + i + " is %d\\n\", a[" + i + "]);";
                     }) +
               "}";
    }));
}

TEST_CASE("compile time: loops in one another, by goto") {
    CHECK(is_linear(1500, [](size_t count) {
        return "kernel void k(global int *a, int n) {" +
               lines(count, [](const std::string& i) { return "l" + i + ": a[" + i + "] = n;"; }) +
               lines(count, [](const std::string& i) { return "if (a[" + i + "] > n) goto l" + i + ";"; }) +
               "}";
    }));
}

TEST_CASE("compile time: else if") {
    CHECK(is_linear(1000, [](size_t count) {
        return "kernel void k(global int *a, int x) { int y = 0, z = 1; if (x < 0) y = 2;" +
               lines(count,
                     [](const std::string& i) {
                         return "else if (x == " + i + ") { y = x + a[" + i + "]; z = " + i + "; }";
                     }) +
               "a[0] = y + z; }";
    }));
}

TEST_CASE("compile time: values that go from variable to variable in a loop") {
    CHECK(is_linear(1000, [](size_t count) {
        const std::string last = std::to_string(count);
        return "kernel void k(global int *a) { int v" + last + " = 0;" +
               lines(count, [](const std::string& i) { return "int v" + i + " = " + i + ";"; }) +
               "for (int i = 0; i < 100000; i++) {" +
               lines(count,
                     [](const std::string& i) {
                         return "v" + i + " = v" + std::to_string(std::stoi(i) + 1) + ";";
                     }) +
               "v" + last + " = a[i]; }" +
               lines(count, [](const std::string& i) { return "a[" + i + "] = v" + i + ";"; }) + "}";
    }));
}

TEST_CASE("compile time: terms of && and ||") {
    for (const std::string op : {"&&", "||"})
        CHECK(is_linear(1000, [&](size_t count) {
            return "kernel void k(global int *a) { a[0] = 1" +
                   lines(count, [&](const std::string& i) { return op + " a[" + i + "]"; }) + "; }";
        }));
}

TEST_CASE("compile time: overloads of one function") {
    CHECK(is_linear(4000, [](size_t count) {
        return lines(count,
                     [](const std::string& i) {
                         return "struct S" + i +
                                " { int x; };\nint __attribute__((overloadable)) f(struct S" + i +
                                " s) { return s.x; }";
                     }) +
               "kernel void k(global int *a) { struct S1 s = {2}; a[0] = f(s); }";
    }));
}
