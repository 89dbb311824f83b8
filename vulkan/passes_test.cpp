// SPDX-License-Identifier: Apache-2.0
// Passes that are not required can be left out, whatever the kernel does: each alone, and each with each
// other. Doubles can be emulated, whatever the kernel does with them. Formats of images can be known.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "frontend/options.h"
#include "spirv/spirv.h"
#include "tests/support/why.h"
#include "vulkan/translate/known_formats.h"
#include "vulkan/translate/translate.h"

using namespace caldera;

namespace {

/// Structs, arrays and pointers in private variables, copies from buffers that are known and that are not,
/// loops of constant and other counts, calls with pointers, and a switch with stores.
constexpr const char* kSource = R"(
typedef struct { int a; char odd[5]; float3 v; } Mixed;
typedef struct { float values[40]; } Large;
void add_to(int *sum, int value) { *sum += value; }
kernel void copies(global int *in, global int *out, local int *near, Mixed given, Large large) {
    int mine[12], *at = mine + in[0];
    Mixed here = given, there[2] = {here, given};
    global int *from = in[1] ? in : out;
    __builtin_memcpy(mine, from, sizeof mine);
    __builtin_memcpy(near + in[2], at, in[3]);
    there[in[4] & 1].v.y += large.values[in[5]];
    out[0] = near[1] + there[1].odd[in[6]] + (int)there[0].v.y;
}
kernel void loops(global int *in, global int *out, global double *d, int count) {
    int sum = 0, table[4] = {1, 2, 3, 5};
    for (int i = 0; i < 4; i++) add_to(&sum, table[i] * in[i]);
    for (int i = 0; i < count; i++) {
        int *which = i & 1 ? &sum : table;
        *which += in[i];
        d[i] = rint(d[i]) + 0.0;
    }
    switch (in[2]) {
        case 0: out[1] = sum; break;
        case 1: out[1] = table[in[3]]; break;
        default: out[1] = 3;
    }
    vstore4(vload4(0, in) + 1, 1, out);
}
)";

void check_without(const std::vector<uint32_t>& words, const std::vector<std::string>& passes,
                   vulkan::Abi abi) {
    std::string left_out;
    for (const std::string& pass : passes) left_out += pass + " ";
    INFO(left_out);
    const vulkan::TranslateOptions options{
        .abi = abi, .trusted_input = true, .verify_between_passes = true, .disabled_passes = passes};
    const Result<vulkan::Translation> made = vulkan::translate(words, options, builtin_library());
    REQUIRE_MESSAGE(made, why(made));
    const Result<Done> valid = spirv::validate(made->words, options.target);
    CHECK_MESSAGE(valid, why(valid));
}

}  // namespace

TEST_CASE("passes that are not required can be left out, each with each other") {
    const frontend::CompileResult compiled = frontend::compile(kSource, "a.cl", {});
    REQUIRE_MESSAGE(compiled, compiled.log);
    std::vector<std::string> optional;
    for (const vulkan::PassInfo& pass : vulkan::pass_list())
        if (pass.need != vulkan::PassNeed::Required) optional.emplace_back(pass.name);
    for (const vulkan::Abi abi : {vulkan::Abi::Addresses, vulkan::Abi::Descriptors}) {
        for (size_t i = 0; i < optional.size(); ++i)
            for (size_t j = i; j < optional.size(); ++j)  // i with itself: alone
                check_without(compiled.words, {optional[i], optional[j]}, abi);
        check_without(compiled.words, optional, abi);
    }
}

TEST_CASE("emulated doubles: the module needs none, and is valid") {
    constexpr const char* kDoubles = R"(
double twice(double x) { return 2 * x; }
constant double table[] = {0.1, 0.2, 0.3};
kernel void arithmetic(global double *d, global float *f, global long *l, double by, double3 v, local double *near) {
    int i = get_global_id(0);
    near[i] = twice(d[i]) / by - fma(v.x, v.y, table[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    d[i] = sqrt(near[i ^ 1]) + (double)f[i] + l[i] + i + (uint)i;
    f[i] = d[i] < by ? (float)dot(v, v) : convert_float_rtp(by);
    l[i] = convert_long_sat_rte(exp(by)) + convert_char_sat(by) + isnan(by) + isfinite(d[i]);
}
kernel void vectors(global double16 *d, global double4 *v, global double *out) {
    double16 x = d[0] * d[1] - d[2], y = -fabs(x) + floor(x) - ceil(d[3]) + rint(x) + round(x) + trunc(x);
    double parts[8], whole;
    vstore8(y.lo, 0, parts);
    out[0] = parts[(int)out[1]] + pow(x.s0, y.s7) + modf(x.s1, &whole) + whole;
    v[0] = smoothstep(v[1], v[2], v[3]) + step(v[4], v[5]) + clamp(v[6], 0.0, 1.0) + mix(v[7], v[8], 0.5);
    v[9] = fmin(v[0], v[1]) + fmax(v[2], v[3]) + cross(v[4], v[5]) + normalize(v[6]) + length(v[7]);
    d[4] = x < y ? x : y;
}
kernel void groups(global double *d) {
    double x = d[get_global_id(0)];
    d[0] = work_group_reduce_add(x) + work_group_scan_inclusive_max(x) + work_group_broadcast(x, 1);
}
)";
    frontend::CompileOptions compile;
    REQUIRE(frontend::parse_build_options("-cl-std=CL2.0", compile));
    const frontend::CompileResult compiled = frontend::compile(kDoubles, "a.cl", compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    for (const vulkan::Abi abi : {vulkan::Abi::Addresses, vulkan::Abi::Descriptors})
        for (const bool has_int64 : {true, false})
            for (const bool has_sub_groups : {true, false}) {
                CAPTURE(has_int64);
                CAPTURE(has_sub_groups);
                vulkan::TranslateOptions options{
                    .abi = abi, .trusted_input = true, .verify_between_passes = true};
                emulate_doubles(options.profile);
                options.profile.int64 = has_int64;
                options.profile.subgroups = has_sub_groups;
                const Result<vulkan::Translation> made =
                    vulkan::translate(compiled.words, options, builtin_library());
                REQUIRE_MESSAGE(made, why(made));
                const Result<Done> valid = spirv::validate(made->words, options.target);
                CHECK_MESSAGE(valid, why(valid));
                const auto text = spirv::disassemble(made->words);
                REQUIRE(text);
                CHECK(text->find("Float64") == std::string::npos);
                CHECK((text->find("Int64") != std::string::npos) == has_int64);
            }
}

TEST_CASE("known formats: functions that images are passed to do not ask for them, in each form") {
    constexpr const char* kReads = R"(
uint4 sum_of(read_only image2d_t image, int2 at) {
    uint4 sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum = sum * 3 + read_imageui(image, at + (int2)(x, y));
    return sum;
}
uint4 both(read_only image2d_t a, read_only image2d_t b, int2 at) { return sum_of(a, at) * 2 + sum_of(b, at); }
kernel void k(global uint4 *out, read_only image2d_t a, read_only image2d_t b, int2 at) {
    out[0] = both(a, b, at);
    out[1] = both(b, a, at) + sum_of(b, at);
    out[2] = both(a, a, at);
    for (int i = 3; i < 20; ++i)
        out[i] = read_imageui(a, at) + read_imageui(a, at + 1) * read_imageui(a, at + 2) + read_imageui(a, at + 3) +
                 read_imageui(b, at) + read_imageui(b, at + 1) * read_imageui(b, at + 2) + read_imageui(b, at + 3);
}
)";
    frontend::CompileOptions compile;
    REQUIRE(frontend::parse_build_options("-cl-std=CL2.0", compile));
    const frontend::CompileResult compiled = frontend::compile(kReads, "a.cl", compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    for (const vulkan::Abi abi : {vulkan::Abi::Addresses, vulkan::Abi::Descriptors})
        for (const bool has_int64 : {true, false}) {
            if (abi == vulkan::Abi::Addresses && !has_int64) continue;
            CAPTURE(abi == vulkan::Abi::Addresses);
            CAPTURE(has_int64);
            vulkan::TranslateOptions options{.abi = abi, .argument_table = true, .trusted_input = true};
            options.profile.int64 = has_int64;
            const Result<vulkan::Translation> made =
                vulkan::translate(compiled.words, options, builtin_library());
            REQUIRE_MESSAGE(made, why(made));
            std::vector<vulkan::SpecConstant> formats;
            for (const vulkan::KernelArgument& argument : made->interface.kernels.at(0).arguments)
                if (argument.kind == vulkan::ArgumentKind::Image)
                    formats.emplace_back(argument.spec_id,
                                         vulkan::image_format_number(0x10b5, 0x10da));  // RGBA, UNSIGNED_INT8
            REQUIRE(formats.size() == 2);
            const auto switches = [](const std::vector<uint32_t>& words) {
                const auto text = spirv::disassemble(words);
                REQUIRE(text);
                size_t count = 0;
                for (size_t at = 0; (at = text->find("OpSwitch", at)) != std::string::npos; ++at) ++count;
                return count;
            };
            CHECK(switches(made->words) > 0);
            const std::vector<uint32_t> known = vulkan::with_known_formats(made->words, formats);
            REQUIRE(!known.empty());
            const Result<Done> valid = spirv::validate(known, options.target);
            CHECK_MESSAGE(valid, why(valid));
            CHECK(switches(known) == 0);
        }
}
