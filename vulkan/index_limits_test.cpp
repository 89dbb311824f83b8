// SPDX-License-Identifier: Apache-2.0
// Which accesses to local memory are found to be inside their array, and need no check.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "frontend/options.h"
#include "tests/support/why.h"
#include "vulkan/translate/translate.h"

using namespace caldera;

namespace {

/// How many accesses of the body to `tile` are checked. The body has ids of work-items below 16 and 8, or
/// any.
size_t checked_in(const std::string& body, bool requires_size = true) {
    const std::string source = std::string("kernel ") +
                               (requires_size ? "__attribute__((reqd_work_group_size(16, 8, 1))) " : "") +
                               "void k(uint n, int m, local uint *out) {\n"
                               "    local uint tile[128];\n"
                               "    size_t x = get_local_id(0), y = get_local_id(1);\n" +
                               body + "\n}\n";
    frontend::CompileOptions compile;
    REQUIRE(frontend::parse_build_options("-cl-std=CL3.0", compile));
    const frontend::CompileResult compiled = frontend::compile(source, "a.cl", compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions options{.trusted_input = true, .verify_between_passes = true};
    options.checks = vulkan::MemoryChecks::Bounds;
    const Result<vulkan::Translation> made = vulkan::translate(compiled.words, options, builtin_library());
    REQUIRE_MESSAGE(made, why(made));
    return static_cast<size_t>(std::ranges::count_if(
        made->interface.check_sites,
        [](const vulkan::CheckSite& site) { return site.object.find("tile") != std::string::npos; }));
}

}  // namespace

TEST_CASE("index limits: accesses that stay inside their array need no check") {
    for (const char* body : {
             "tile[y * 16 + x] = 1;",
             "tile[(y << 4) | x] = 1;",
             "tile[x ^ 1] = tile[127 - 0];",
             "tile[get_local_linear_id()] = 1;",
             "tile[n % 128] = tile[n & 127] + tile[n >> 25];",
             "tile[min(n, 127u)] = tile[clamp(m, 0, 127)];",
             "for (int i = 0; i < 128; ++i) tile[i] = i;",
             "for (uint i = 0; i < 128; i += 16) tile[i + x / 16] = i;",
             "for (int i = 0; i < 16; ++i) tile[i * 8 + (int)y] = i;",
             "for (int i = 127; i >= 0; --i) tile[i] = i;",
             "for (uint i = 128; i > 0; --i) tile[i - 1] = i;",
             "for (uint i = 128; i-- > 0;) tile[i] = i;",
             "for (uint i = 0, end = min(n, 128u); i < end; ++i) tile[i] = i;",
             "for (int s = 64; s > 0; s >>= 1) if (x < s) tile[x] += tile[x + s];",
             "for (uint s = 64; s != 0; s /= 2) tile[x + s] = 1;",
             "for (uint s = 1; s < 16; s *= 2) if (x >= s) tile[x] += tile[x - s];",
             "if (n < 128) tile[n] = 1;",
             "if (n <= 100) tile[n + 27] = 1;",
             "if (n >= 128) return; tile[n] = 1;",
             "if (m >= 0 && m < 128) tile[m] = 1;",
             "if (m < 0 || m > 127) return; tile[m] = 1;",
             "if (m > -1 && 127 >= m) tile[m] = 1;",
             "if (n == 5) tile[n] = 1;",
             "if (n > 3 && n < 131) tile[n - 3] = 1;",
         }) {
        INFO(std::string(body));
        CHECK(checked_in(body) == 0);
    }
}

TEST_CASE("index limits: accesses that may leave their array are checked") {
    for (const char* body : {
             "tile[y * 16 + x + 1] = 1;",
             "tile[(y << 5) | x] = 1;",
             "tile[x - 1] = 1;",
             "tile[get_global_id(0)] = 1;",
             "tile[get_local_id(n)] = 1;",
             "tile[n % 129] = 1;",
             "tile[n >> 24] = 1;",
             "tile[min(m, 127)] = 1;",
             "tile[max(n, 1u)] = 1;",
             "for (int i = 0; i <= 128; ++i) tile[i] = i;",
             "for (int i = -1; i < 128; ++i) tile[i] = i;",
             "for (int i = 0; i < 128; ++i) tile[i + 1] = i;",
             "for (int i = 0; i < m; ++i) tile[i] = i;",
             "for (int i = m; i < 128; ++i) tile[i] = i;",
             "for (int i = 127; i >= -1; --i) tile[i] = i;",
             "for (int i = 128; i >= 0; --i) tile[i] = i;",
             "for (uint i = 127; i < 500; --i) tile[i] = i;",
             "for (uint i = 0; i < 128; ++i) { if (n) i += 5; tile[i] = 1; }",
             "for (uint i = 0, end = n; i < end; ++i) tile[i] = i;",
             "for (int s = m; s > 0; s >>= 1) tile[s] = 1;",
             "for (int s = 64; s > 0; s >>= 1) tile[x + s * 2] = 1;",
             "for (uint s = 1; s < 16; s *= 2) tile[x - s] = 1;",
             "if (n < 129) tile[n] = 1;",
             "if (n < 128) n += 1; tile[n] = 1;",
             "if (n < 128) out[0] = 1; tile[n] = 1;",
             "if (n < 128) { n = out[0]; tile[n] = 1; }",
             "if (m < 128) tile[m] = 1;",
             "if (m >= 0 || m < 128) tile[m] = 1;",
             "if (!(m >= 0 && m < 128)) tile[m] = 1;",
             "if (n != 5) tile[n] = 1;",
             "if (n > 1 && n < 131) tile[n - 3] = 1;",
             "uint i; if (n) i = 3; tile[i] = 1;",
         }) {
        INFO(std::string(body));
        CHECK(checked_in(body) != 0);
    }
    CHECK(checked_in("tile[x] = 1;", false) != 0);
    CHECK(checked_in("tile[get_local_linear_id()] = 1;", false) != 0);
}
