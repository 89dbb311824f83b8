// SPDX-License-Identifier: Apache-2.0
// cl_khr_initialize_memory: local and private memory of kernels begins as zeros, as the context asks.
#include <algorithm>
#include <array>

#include "tests/driver/fixture.h"
#include "vulkan/icd/newer_names.h"

using namespace caldera::driver_test;

namespace {

constexpr cl_context_properties kLocal = CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR,
                                kPrivate = CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;

struct InitializedFixture : Objects {
    explicit InitializedFixture(cl_context_properties memory)
        : properties({CL_CONTEXT_MEMORY_INITIALIZE_KHR, memory, 0}) {
        cl_int code = 1;
        context = clCreateContext(properties.data(), 1, &the_device, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        make_queue(the_device, 0);
    }
    cl_kernel built(const char* text, const char* name) {
        cl_program program = source(text);
        REQUIRE(clBuildProgram(program, 1, &the_device, "", nullptr, nullptr) == CL_SUCCESS);
        return make_kernel(program, name);
    }

    cl_device_id the_device = device();
    const std::array<cl_context_properties, 3> properties;
};

/// Each counts what is not zero, and then leaves other values for those that come after.
constexpr const char* kKernels = R"(
    kernel void test_local(global int *out, local short *given, int count, local float4 *more) {
        local int own[300];
        local uchar bytes[7];
        local struct { char c; float2 *p; float f[5]; } s;
        int bad = s.c != 0 || s.p != 0;
        for (int i = 0; i < 300; ++i) bad += own[i] != 0;
        for (int i = 0; i < 7; ++i) bad += bytes[i] != 0;
        for (int i = 0; i < 5; ++i) bad += s.f[i] != 0;
        for (int i = 0; i < count; ++i) bad += given[i] != 0;
        bad += any(more[2] != 0);
        out[get_global_id(0)] = bad;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int from = get_local_id(0), step = get_local_size(0);
        for (int i = from; i < 300; i += step) own[i] = -1;
        for (int i = from; i < 7; i += step) bytes[i] = 255;
        for (int i = from; i < 5; i += step) s.f[i] = 1;
        for (int i = from; i < count; i += step) given[i] = -1;
        more[2] = 1;
        s.c = 1;
        s.p = (private float2 *)1;
    }
    struct Parts { char c; int numbers[33]; float4 f; };
    __attribute__((noinline)) int used(int n) {
        int numbers[40];
        struct Parts parts;
        int last;
        int bad = (last != 0) + (parts.c != 0) + any(parts.f != 0);
        for (int i = 0; i < 40; ++i) bad += numbers[(i * n) % 40] != 0;
        for (int i = 0; i < 33; ++i) bad += parts.numbers[(i * n) % 33] != 0;
        for (int i = 0; i < 40; ++i) numbers[(i * n) % 40] = i + 1;
        for (int i = 0; i < 33; ++i) parts.numbers[(i * n) % 33] = numbers[i] + n;
        parts.c = 1;
        parts.f = n;
        last = parts.numbers[n % 33];
        return bad * 1000 + (last == 0);
    }
    kernel void test_private(global int *out, int n) {
        uchar large[5000];
        int bad = 0;
        for (int i = 0; i < 5000; i += 7) bad += large[(i * n) % 5000] != 0;
        for (int i = 0; i < 5000; ++i) large[i] = n + i;
        for (int turn = 0; turn < 3; ++turn) bad += used(n + turn);
        out[get_global_id(0)] = bad + (large[n] != n + n);
    })";

/// What the kernel counted in any work-item.
int most(InitializedFixture& f, cl_mem out, size_t count) {
    std::vector<cl_int> found(count);
    REQUIRE(clEnqueueReadBuffer(f.queues[0], out, CL_TRUE, 0, count * sizeof(cl_int), found.data(), 0,
                                nullptr, nullptr) == CL_SUCCESS);
    return *std::ranges::max_element(found);
}

}  // namespace

TEST_CASE("cl_khr_initialize_memory: local memory of each work-group begins as zeros") {
    InitializedFixture f(kLocal);
    cl_kernel kernel = f.built(kKernels, "test_local");
    constexpr size_t kItems = 64 * 7;
    cl_mem out = f.make_buffer(kItems * sizeof(cl_int));
    for (const size_t group : {size_t{1}, size_t{7}, size_t{64}})
        for (const cl_int count : {1, 500}) {
            CAPTURE(group);
            CAPTURE(count);
            REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(kernel, 1, static_cast<size_t>(count) * 2, nullptr) == CL_SUCCESS);
            REQUIRE(set(kernel, 2, count) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(kernel, 3, 48, nullptr) == CL_SUCCESS);
            for (int turn = 0; turn < 2; ++turn) {
                REQUIRE(clEnqueueNDRangeKernel(f.queues[0], kernel, 1, nullptr, &kItems, &group, 0, nullptr,
                                               nullptr) == CL_SUCCESS);
                CHECK(most(f, out, kItems) == 0);
            }
        }
}

TEST_CASE("cl_khr_initialize_memory: private memory begins as zeros at each call of a function") {
    InitializedFixture f(kPrivate | kLocal);
    cl_kernel kernel = f.built(kKernels, "test_private");
    constexpr size_t kItems = 100;
    cl_mem out = f.make_buffer(kItems * sizeof(cl_int));
    const cl_int n = 3;
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, n) == CL_SUCCESS);
    for (int turn = 0; turn < 2; ++turn) {
        REQUIRE(run(f.queues[0], kernel, kItems) == CL_SUCCESS);
        CHECK(most(f, out, kItems) == 0);
    }
}

TEST_CASE("cl_khr_initialize_memory: the context's property") {
    InitializedFixture f(kPrivate);
    std::array<cl_context_properties, 3> told = {};
    CHECK(clGetContextInfo(f.context, CL_CONTEXT_PROPERTIES, sizeof told, told.data(), nullptr) ==
          CL_SUCCESS);
    CHECK(told == f.properties);
    const auto code_of = [&](std::vector<cl_context_properties> properties) {
        cl_int code = 1;
        cl_context made = clCreateContext(properties.data(), 1, &f.the_device, nullptr, nullptr, &code);
        if (made) CHECK(clReleaseContext(made) == CL_SUCCESS);
        return code;
    };
    constexpr cl_context_properties kName = CL_CONTEXT_MEMORY_INITIALIZE_KHR;
    CHECK(code_of({kName, 0, 0}) == CL_SUCCESS);
    CHECK(code_of({kName, kLocal | kPrivate, 0}) == CL_SUCCESS);
    CHECK(code_of({kName, 4, 0}) == CL_INVALID_PROPERTY);
    CHECK(code_of({kName, kLocal, kName, kLocal, 0}) == CL_INVALID_PROPERTY);
}
