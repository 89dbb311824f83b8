// SPDX-License-Identifier: Apache-2.0
// The program's threads and locales change nothing that we make of a source.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "tests/support/other_environments.h"
#include "vulkan/build_cache.h"
#include "vulkan/translate/reflect/reflect.h"
#include "vulkan/translate/translate.h"

using namespace caldera;
using namespace caldera::testing;

namespace {

/// Literals, conversions and arithmetic that the front end computes, and some that only the translator does;
/// warnings with numbers.
constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
constant float floats[] = {0.1f, 1.0f / 3.0f, 1e-40f, 16777217.0f, -0.1f - 0.2f, 1.0f / 0.0f, 0.0f / 0.0f, 1e38f * 10.0f};
constant double doubles[] = {0.1, 1.0 / 3.0, 4.9e-324, 1e23, 1e300 * 1e300};
constant half halves[] = {0.1h, 1e-7h, 65519.0h, (half)0.3f};
float third(float x) { return x / 3.0f; }
kernel void k(global float *o, global double *d, global half *h, float4 v) {
    o[0] = floats[0] + (float)16777219 + (float)9007199254740993L + 0x1.0000011p0f + third(0.7f) + third(-0.2f);
    o[1] = 1e-30f * 1e-10f + rint(2.5f) + native_sin(0.5f) + v.y;
    d[0] = doubles[1] + (double)9007199254740993L + 0.1 + 0.2;
    h[0] = halves[2];
    int i = 123456.75f;
    float rounded = 16777217;
    if (o[2] == 0.1 || o[3] == 0.5) o[4] = i + rounded;
    printf("%f\n", o[1]);
}
)";

struct Made {
    std::vector<uint32_t> opencl = {}, vulkan = {};
    std::string log = {}, json = {}, c = {}, cpp = {};
    bool operator==(const Made&) const = default;
};

Made make() {
    frontend::CompileOptions options;
    REQUIRE(
        frontend::parse_build_options("-cl-std=CL2.0 -Wall -Wconversion -Wfloat-equal -Dxx=1 -g", options));
    frontend::CompileResult compiled = frontend::compile(kSource, "a.cl", options);
    vulkan::Kernel large{.name = "large", .block_bytes = 12345, .required_local_size = {1024, 1, 1}};
    vulkan::TranslateOptions translate{.trusted_input = true};
    Result<vulkan::Translation> translated = vulkan::translate(compiled.words, translate, builtin_library());
    Made made{.opencl = std::move(compiled.words), .log = std::move(compiled.log)};
    if (!translated) {
        made.log += translated.error().message;
        return made;
    }
    made.vulkan = translated->words;
    translated->interface.kernels.push_back(large);
    made.json = vulkan::to_json(translated->interface);
    made.c = vulkan::to_c_header(translated->interface, made.vulkan, "a");
    made.cpp = vulkan::to_cpp_header(translated->interface, made.vulkan, "a");
    return made;
}

void check_same(const Made& made, const Made& expected) {
    CHECK(made.opencl == expected.opencl);
    CHECK(made.vulkan == expected.vulkan);
    CHECK(made.log == expected.log);
    CHECK(made.json == expected.json);
    CHECK(made.c == expected.c);
    CHECK(made.cpp == expected.cpp);
}

}  // namespace

TEST_CASE("modules do not depend on the thread's floating-point environment, and leave it alone") {
    const Made expected = make();
    REQUIRE(!expected.vulkan.empty());
    for (const FloatEnvironment& other : other_float_environments()) {
        CAPTURE(other.name);
        Made made;
        bool is_same = false;
        {
            const InFloatEnvironment within(other);
            const FloatStatus before;
            made = make();
            is_same = FloatStatus() == before;
        }
        check_same(made, expected);
        CHECK(is_same);
    }
}

TEST_CASE("a function that reads files has its own environment") {
    frontend::CompileOptions options;
    int direction = -1, afterwards = -1;
    options.read_file = [&](const std::string&) {
        direction = std::fegetround();
        return std::optional<std::string>("constant float third = 1.0f / 3.0f;");
    };
    const auto compile = [&] {
        return frontend::compile("#include \"a.h\"\nkernel void k(global float *o) { o[0] = third; }", "a.cl",
                                 options)
            .words;
    };
    const std::vector<uint32_t> expected = compile();
    std::fesetround(FE_UPWARD);
    const std::vector<uint32_t> words = compile();
    afterwards = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(direction == FE_UPWARD);
    CHECK(afterwards == FE_UPWARD);
    CHECK(words == expected);
}

TEST_CASE("what one program keeps on disk is what another would make") {
    std::string folder = (std::filesystem::temp_directory_path() / "environment_test_XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()));
    const runtime::DiskCache cache{folder};
    int number = 0;
    for (const FloatEnvironment& other : other_float_environments()) {
        CAPTURE(other.name);
        const std::string source =
            kSource + std::string("constant int number = ") + std::to_string(number++) + ";";
        {
            const InFloatEnvironment within(other);
            (void)compile_or_load(&cache, source, "a.cl", {});
        }
        CHECK(compile_or_load(&cache, source, "a.cl", {}).words ==
              frontend::compile(source, "a.cl", {}).words);
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("texts do not depend on the global locale of C++") {
    const Made expected = make();
    REQUIRE(expected.json.find("12345") != std::string::npos);
    Made made;
    {
        const InGroupingLocale grouping;
        made = make();
    }
    check_same(made, expected);
}

TEST_CASE("texts do not depend on the locale of C") {
    const Made expected = make();
    REQUIRE(expected.log.find("123456.8 to 123456") != std::string::npos);
    for (const char* name : {"de_DE.UTF-8", "tr_TR.UTF-8"}) {
        const InLocale locale(name);
        if (!locale.is_there()) {
            MESSAGE("skipped: the system has no locale " << std::string(name));
            continue;
        }
        CAPTURE(name);
        check_same(make(), expected);
    }
}
