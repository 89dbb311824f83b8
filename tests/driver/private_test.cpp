// SPDX-License-Identifier: Apache-2.0
// Large private arrays, in variables or (CALDERA_MAX_PRIVATE) in a buffer.
#include <string_view>

#include "tests/driver/programs.h"

using namespace caldera::driver_test;

namespace {

/// Each work-item keeps numbers of its own in 20,000 bytes.
constexpr const char* kSource = R"(
    kernel void k(global uint *out, uint salt) {
        uint a[5000];
        const uint id = get_global_linear_id() + salt;
        for (uint i = 0; i < 40; i++) a[(i * 125 + id) % 5000] = i * id;
        uint sum = 0;
        for (uint i = 40; i-- > 0;) sum = sum * 3 + a[(i * 125 + id) % 5000];
        out[get_global_linear_id()] = sum;
    })";

std::vector<cl_uint> expected(size_t count, cl_uint salt) {
    std::vector<cl_uint> out(count);
    for (size_t id = 0; id < count; ++id)
        for (cl_uint i = 40; i-- > 0;) out[id] = out[id] * 3 + i * (static_cast<cl_uint>(id) + salt);
    return out;
}

bool is_in_buffer() { return std::getenv("CALDERA_MAX_PRIVATE") != nullptr; }

}  // namespace

TEST_CASE("ranges whose private memory is larger than the buffer") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(kSource, "k", "-cl-std=CL2.0");
    if (is_in_buffer()) {
        cl_ulong bytes = 0;
        CHECK(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                                       nullptr) == CL_SUCCESS);
        CHECK(bytes >= 20000);
    }
    cl_mem out = f.make_buffer(4 * 3000);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    CHECK(set(kernel, 1, cl_uint{7}) == CL_SUCCESS);
    const size_t ranges[][2][3] = {{{3000, 1, 1}, {0, 0, 0}},
                                   {{2777, 1, 1}, {16, 1, 1}},
                                   {{20, 15, 10}, {4, 3, 2}},
                                   {{51, 7, 3}, {4, 4, 2}}};
    for (const auto& [global, local] : ranges) {
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 3, nullptr, global, local[0] ? local : nullptr, 0,
                                     nullptr, nullptr) == CL_SUCCESS);
        const size_t count = global[0] * global[1] * global[2];
        CHECK(f.read<cl_uint>(out, count) == expected(count, 7));
    }
}

TEST_CASE("commands that may run side by side have private memory of their own") {
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue queues[] = {f.queue, f.make_queue(0)};
    cl_program program = f.build(kSource, "-cl-std=CL2.0");
    constexpr size_t kCount = 200;
    cl_mem outs[12];
    for (cl_uint i = 0; i < 12; ++i) {
        cl_kernel kernel = f.make_kernel(program, "k");
        outs[i] = f.make_buffer(4 * kCount);
        CHECK(set(kernel, 0, outs[i]) == CL_SUCCESS);
        CHECK(set(kernel, 1, i * 100) == CL_SUCCESS);
        const size_t count = kCount - i;  // of other sizes, so that the buffer grows
        CHECK(clEnqueueNDRangeKernel(queues[i % 2], kernel, 1, nullptr, &count, nullptr, 0, nullptr,
                                     nullptr) == CL_SUCCESS);
    }
    for (cl_command_queue queue : queues) CHECK(clFinish(queue) == CL_SUCCESS);
    for (cl_uint i = 0; i < 12; ++i)
        CHECK(f.read<cl_uint>(outs[i], kCount - i) == expected(kCount - i, i * 100));
}

TEST_CASE("blocks that a kernel enqueues have private memory, too") {
    if (!has_device_enqueue()) return;
    Fixture f;
    cl_command_queue on_device = nullptr;
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_int code = 1;
    on_device = clCreateCommandQueueWithProperties(f.context, device(), list, &code);
    REQUIRE(code == CL_SUCCESS);
    f.queues.push_back(on_device);
    cl_kernel kernel = f.make_kernel(R"(
        uint work(uint id) {
            uint a[5000];
            for (uint i = 0; i < 40; i++) a[(i * 125 + id) % 5000] = i * id;
            uint sum = 0;
            for (uint i = 40; i-- > 0;) sum = sum * 3 + a[(i * 125 + id) % 5000];
            return sum;
        }
        kernel void k(global uint *out) {
            const uint own = get_global_id(0);
            out[own] = work(own);
            for (uint b = 1; b < 4; b++)
                if (own == b)
                    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100),
                                   ^{ out[100 * b + get_global_id(0)] = work(100 * b + get_global_id(0)); });
        })",
                                     "k", "-cl-std=CL2.0");
    cl_mem out = f.make_buffer(4 * 400);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 100) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(out, 400) == expected(400, 0));
}
