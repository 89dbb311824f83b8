// SPDX-License-Identifier: Apache-2.0
// Doubles on devices without shaderFloat64 (features/layer.cpp), or whose doubles lose denormals: emulated if
// CALDERA_EMULATE_DOUBLES asks for it. Otherwise kernels are declined, and the query says what is lost.
#include <cmath>
#include <random>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

bool has_doubles() {
    return text(clGetDeviceInfo, device(), CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") != std::string::npos;
}
bool asks_for_emulation() {
    const char* const value = std::getenv("CALDERA_EMULATE_DOUBLES");
    return value && std::string_view(value) == "1";
}
bool were_taken_away() {
    const char* const without = std::getenv("CALDERA_TEST_WITHOUT");
    return without && std::string_view(without).find("shaderFloat64") != std::string_view::npos;
}

constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
kernel void k(global double *x, global double *y, global double *z, double scale) {
    size_t i = get_global_id(0);
    double a = x[i] * scale, b = y[i];
    x[i] = a + b;
    y[i] = a / b;
    z[i] = sqrt(fabs(a)) - (float)b + (long)b;
})";

}  // namespace

TEST_CASE("a device without doubles has them where it is told to emulate them, and says so") {
    const auto config = info<cl_device_fp_config>(clGetDeviceInfo, device(), CL_DEVICE_DOUBLE_FP_CONFIG);
    CHECK(has_doubles() == (config != 0));
    if (were_taken_away()) CHECK(has_doubles() == emulates_doubles());
    if (emulates_doubles()) CHECK((config & CL_FP_SOFT_FLOAT) != 0);
    if (!asks_for_emulation()) CHECK((config & CL_FP_SOFT_FLOAT) == 0);
    if (asks_for_emulation()) CHECK((config & CL_FP_DENORM) != 0);
    const auto width = info<cl_uint>(clGetDeviceInfo, device(), CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
    CHECK((width != 0) == has_doubles());
}

TEST_CASE("doubles are the host's, to the last bit") {
    if (!has_doubles()) return;
    Fixture f;
    constexpr size_t kCount = 256;
    std::mt19937_64 random(1);
    std::vector<double> x(kCount), y(kCount), z(kCount);
    for (std::vector<double>* numbers : {&x, &y})
        for (double& each : *numbers)
            each = std::ldexp(static_cast<double>(static_cast<cl_long>(random())),
                              static_cast<int>(random() % 40) - 80);
    cl_mem buffers[3] = {f.make_buffer(kCount * 8, x.data()), f.make_buffer(kCount * 8, y.data()),
                         f.make_buffer(kCount * 8, z.data())};
    const cl_kernel kernel = f.make_kernel(kSource, "k");
    for (cl_uint i = 0; i < 3; ++i) REQUIRE(set(kernel, i, buffers[i]) == CL_SUCCESS);
    REQUIRE(set(kernel, 3, 0.1) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
    for (size_t i = 0; i < kCount; ++i) {
        const double a = x[i] * 0.1, b = y[i];
        x[i] = a + b;
        y[i] = a / b;
        z[i] = std::sqrt(std::fabs(a)) - static_cast<double>(static_cast<float>(b)) +
               static_cast<double>(static_cast<cl_long>(b));
    }
    CHECK(f.read<double>(buffers[0], kCount) == x);
    CHECK(f.read<double>(buffers[1], kCount) == y);
    CHECK(f.read<double>(buffers[2], kCount) == z);
}

TEST_CASE("without doubles, a kernel that uses them is declined") {
    if (has_doubles()) return;
    Fixture f;
    const cl_program program = f.source(kSource);
    CHECK(clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    const std::string log = text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG);
    CHECK(log.find("use of type 'double' requires cl_khr_fp64") != std::string::npos);
}

TEST_CASE("denormal doubles are kept where the query says so") {
    const auto config = info<cl_device_fp_config>(clGetDeviceInfo, device(), CL_DEVICE_DOUBLE_FP_CONFIG);
    if (!(config & CL_FP_DENORM)) return;
    Fixture f;
    const cl_kernel kernel = f.make_kernel(R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global double *x, global double *y, double factor) {
    size_t i = get_global_id(0);
    y[i] = (x[i] + y[i]) * factor;
    x[i] = x[i] > 0 ? x[i] / 3 : 7;
})",
                                           "k");
    constexpr size_t kCount = 64;
    std::vector<double> x(kCount), y(kCount);
    for (size_t i = 0; i < kCount; ++i) {
        x[i] = std::ldexp(1.0 + static_cast<double>(i), -1074 + static_cast<int>(i % 50));
        y[i] = std::ldexp(3.0, -1074);
    }
    const std::vector<double> x_before = x, y_before = y;
    cl_mem buffers[2] = {f.make_buffer(kCount * 8, x.data()), f.make_buffer(kCount * 8, y.data())};
    for (cl_uint i = 0; i < 2; ++i) REQUIRE(set(kernel, i, buffers[i]) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, 0.75) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
    x = f.read<double>(buffers[0], kCount);
    y = f.read<double>(buffers[1], kCount);
    for (size_t i = 0; i < kCount; ++i) {
        CAPTURE(i);
        CHECK(x[i] == x_before[i] / 3);
        CHECK(y[i] == (x_before[i] + y_before[i]) * 0.75);
    }
}
