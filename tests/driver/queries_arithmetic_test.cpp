// SPDX-License-Identifier: Apache-2.0
// What a device says of floats (queries.h): each bit of CL_DEVICE_*_FP_CONFIG by arithmetic that it decides.
#include <cmath>
#include <random>

#include "tests/driver/queries.h"

namespace caldera::driver_test {
namespace {

struct Type {
    cl_device_info query = 0;
    std::string name = {}, integer = {};  ///< of OpenCL C
    int precision = 0;                    ///< bits of the significand
    int least_exponent = 0;               ///< of the least normal number
};

/// The kernel computes the expression from a seed that is 0 without the compiler knowing it. T, P, E and I
/// stand for the type's name, its precision, its least exponent and the integer type of its size.
struct Check {
    cl_device_fp_config bit = 0;
    const char* expression = nullptr;
};
constexpr Check kChecks[] = {
    {CL_FP_DENORM, "(ldexp(one, E) * (T)0.5) * (T)2 == ldexp(one, E)"},
    {CL_FP_INF_NAN,
     "isinf(ldexp(one, 2 - E) * (T)4) && isnan(zero / zero) && !(zero / zero == zero / zero) && one / "
     "(one / zero) == zero"},
    {CL_FP_ROUND_TO_NEAREST,
     "one + ulp / 2 == one && one + ulp * (T)1.5 == one + 2 * ulp && convert_T(big + 3) == convert_T(big) + "
     "4"},
    // Conversions have the modes that the device rounds in (OpenCL C 6.4.3.2): `big` has a step of 2.
    {CL_FP_ROUND_TO_ZERO,
     "convert_T_rtz(big + 3) == convert_T(big) + 2 && convert_T_rtz(-big - 3) == -convert_T(big) "
     "- 2"},
    {CL_FP_ROUND_TO_INF,
     "convert_T_rtp(big + 1) == convert_T(big) + 2 && convert_T_rtn(big + 3) == convert_T(big) + "
     "2 && convert_T_rtn(-big - 1) == -convert_T(big) - 2"},
    // (1 + u)^2 - (1 + 2u) is u^2, which a product that is rounded loses.
    {CL_FP_FMA, "fma((one + ulp) * 32, (one + ulp) * 32, (one + 2 * ulp) * -1024) == ulp * ulp * 1024"},
};

void float_config(Fixture& f, const Type& type) {
    INFO(type.name);
    const auto bits = answer<cl_device_fp_config>(f, type.query);
    if (bits == 0) {
        CHECK(!has_extension(f, type.name == "half" ? "cl_khr_fp16" : "cl_khr_fp64"));
        return;
    }
    CHECK(((bits & CL_FP_SOFT_FLOAT) != 0) == (type.name == "double" && emulates_doubles()));
    std::string text =
        "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n#ifdef "
        "cl_khr_fp16\n#pragma "
        "OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n#pragma OPENCL FP_CONTRACT OFF\n#define CAT(a, b, c) "
        "a##b##c\n#define CONVERT(t, mode) CAT(convert_, t, mode)\n#define convert_T CONVERT(T, )\n#define "
        "convert_T_rtz CONVERT(T, _rtz)\n#define convert_T_rtp CONVERT(T, _rtp)\n#define convert_T_rtn "
        "CONVERT(T, "
        "_rtn)\nkernel void test(global int *out) {\n    T zero = (T)*out, one = zero + (T)1, ulp = "
        "ldexp(one, 1 - "
        "P);\n    I big = ((I)1 << P) + (I)*out;\n";
    for (size_t i = 0; i < std::size(kChecks); ++i)
        if (bits & kChecks[i].bit)
            text += "    out[" + std::to_string(i + 1) + "] = " + kChecks[i].expression + ";\n";
    Test test(f, text + "}",
              ("-cl-std=CL3.0 -DT=" + type.name + " -DI=" + type.integer +
               " -DP=" + std::to_string(type.precision) + " -DE=" + std::to_string(type.least_exponent))
                  .c_str());
    const std::vector<cl_int> found = test.run();
    for (size_t i = 0; i < std::size(kChecks); ++i) {
        INFO(std::string(kChecks[i].expression));
        CHECK(found[i + 1] == (bits & kChecks[i].bit ? 1 : 0));
    }
}

/// As the host rounds them.
void divide_and_sqrt(Fixture& f) {
    if (!(answer<cl_device_fp_config>(f, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
        return;
    constexpr size_t kCount = 4096;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> numbers(1, 2);
    std::vector<float> x(kCount), y(kCount);
    for (float& each : x) each = std::ldexp(numbers(random), static_cast<int>(random() % 40) - 20);
    for (float& each : y) each = std::ldexp(numbers(random), static_cast<int>(random() % 40) - 20);
    Test test(f,
              "kernel void test(global int *out, global float *x, global float *y) { int i = "
              "get_global_id(0); float a "
              "= x[i]; x[i] = a / y[i]; y[i] = sqrt(a); }",
              "-cl-fp32-correctly-rounded-divide-sqrt");
    cl_mem first = f.make_buffer(kCount * 4, x.data()), second = f.make_buffer(kCount * 4, y.data());
    test.with(first, second).run({64, 1, 1}, kCount / 64);
    const std::vector<float> quotients = f.read<float>(first, kCount), roots = f.read<float>(second, kCount);
    size_t wrong = 0;
    for (size_t i = 0; i < kCount; ++i) wrong += quotients[i] != x[i] / y[i] || roots[i] != std::sqrt(x[i]);
    CHECK(wrong == 0);
}

const Query kRows[] = {
    QUERY(CL_DEVICE_SINGLE_FP_CONFIG,
          [](Fixture& f) {
              float_config(f, {CL_DEVICE_SINGLE_FP_CONFIG, "float", "int", 24, -126});
              divide_and_sqrt(f);
          }),
    QUERY(CL_DEVICE_DOUBLE_FP_CONFIG,
          [](Fixture& f) {
              float_config(f, {CL_DEVICE_DOUBLE_FP_CONFIG, "double", "long", 53, -1022});
          }),
    QUERY(CL_DEVICE_HALF_FP_CONFIG,
          [](Fixture& f) {
              float_config(f, {CL_DEVICE_HALF_FP_CONFIG, "half", "int", 11, -14});
          }),
};

}  // namespace

std::span<const Query> arithmetic_queries() { return kRows; }

}  // namespace caldera::driver_test
