// SPDX-License-Identifier: Apache-2.0
// Launches of kernels (OpenCL API 5.10), and what kernels do then.
#include <array>
#include <cstring>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

TEST_CASE("5.10 a required work-group size is taken without a local size, and need not divide") {
    Fixture f;
    constexpr const char* kSource = R"(
        kernel __attribute__((reqd_work_group_size(2, 3, 4))) void k(global uint *sizes, global uint *count) {
            atomic_inc(count);
            if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0)
                for (uint d = 0; d < 3; ++d) sizes[d] = get_local_size(d);
            if (get_global_id(0) + 1 == get_global_size(0) && get_global_id(1) + 1 == get_global_size(1) &&
                get_global_id(2) + 1 == get_global_size(2))
                for (uint d = 0; d < 3; ++d) sizes[3 + d] = get_local_size(d);
        })";
    const std::array<size_t, 3> dividing = {4, 6, 8}, other = {5, 7, 9}, local = {2, 3, 4}, wrong = {2, 3, 2};
    std::vector<cl_uint> zeros(6);
    cl_mem sizes = f.make_buffer(24, zeros.data()), count = f.make_buffer(4, zeros.data());
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL1.2"}) {
        cl_kernel kernel = f.make_kernel(kSource, "k", options);
        CHECK(set(kernel, 0, sizes) == CL_SUCCESS);
        CHECK(set(kernel, 1, count) == CL_SUCCESS);
        const auto launch = [&](const std::array<size_t, 3>& global, const size_t* wanted) {
            CHECK(clEnqueueWriteBuffer(f.queue, count, CL_TRUE, 0, 4, zeros.data(), 0, nullptr, nullptr) ==
                  CL_SUCCESS);
            return clEnqueueNDRangeKernel(f.queue, kernel, 3, nullptr, global.data(), wanted, 0, nullptr,
                                          nullptr);
        };
        CHECK(launch(dividing, nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(sizes, 6) == std::vector<cl_uint>{2, 3, 4, 2, 3, 4});
        CHECK(f.read<cl_uint>(count, 1)[0] == 4 * 6 * 8);
        CHECK(launch(dividing, wrong.data()) == CL_INVALID_WORK_GROUP_SIZE);
        const bool is_uniform = options == std::string("-cl-std=CL1.2");
        for (const size_t* wanted : {static_cast<const size_t*>(nullptr), local.data()}) {
            CHECK(launch(other, wanted) == (is_uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS));
            if (is_uniform) continue;
            CHECK(f.read<cl_uint>(sizes, 6) == std::vector<cl_uint>{2, 3, 4, 1, 1, 1});
            CHECK(f.read<cl_uint>(count, 1)[0] == 5 * 7 * 9);
        }
    }
}

TEST_CASE("what group functions keep for each work-item counts for the work-groups that there are") {
    Fixture f;
    const auto most = info<cl_ulong>(clGetDeviceInfo, f.the_device, CL_DEVICE_LOCAL_MEM_SIZE);
    const std::string options = "-cl-std=CL3.0 -DWORDS=" + std::to_string((most - 2048) / 4);
    cl_kernel kernel = f.make_kernel(R"(
        kernel void k(global int *p) {
            local int own[WORDS];
            own[WORDS - 1 - get_local_id(0)] = p[get_global_id(0)];
            barrier(CLK_LOCAL_MEM_FENCE);
            p[get_global_id(0)] = work_group_scan_inclusive_add(own[WORDS - get_local_size(0) + get_local_id(0)]);
        })",
                                     "k", options.c_str());
    CHECK(info<cl_ulong>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_LOCAL_MEM_SIZE) <= most);
    const auto largest =
        info<size_t>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_WORK_GROUP_SIZE);
    CHECK(largest >= 128);
    for (const size_t local : {size_t{128}, largest}) {
        std::vector<cl_int> values(largest, 1);
        cl_mem buffer = f.make_buffer(4 * largest, values.data());
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &largest, &local, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        values = f.read<cl_int>(buffer, largest);
        CHECK(values[0] == 1);
        CHECK(values[local - 1] == static_cast<cl_int>(local));
    }
}

TEST_CASE("5.10 launches: ranges, offsets, empty ones, and errors") {
    Fixture f;
    const char* source =
        "kernel void k(global uint *a) { a[get_global_id(1) * 10 + get_global_id(0)] = 1 + "
        "get_local_size(0); }";
    cl_kernel kernel = f.make_kernel(source, "k");
    cl_kernel ragged = f.make_kernel(source, "k", "-cl-std=CL2.0");
    std::vector<cl_uint> zeros(100);
    cl_mem buffer = f.make_buffer(400, zeros.data());
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(set(ragged, 0, buffer) == CL_SUCCESS);
    using Sizes = std::array<size_t, 3>;
    const auto launch = [&](cl_kernel which, cl_uint dim, Sizes offset, Sizes global, const Sizes* local) {
        return clEnqueueNDRangeKernel(f.queue, which, dim, offset.data(), global.data(),
                                      local ? local->data() : nullptr, 0, nullptr, nullptr);
    };
    const Sizes zero = {}, two = {2, 2, 1}, three = {3, 1, 1}, one = {1, 1, 1}, large = {SIZE_MAX, 1, 1};
    CHECK(launch(kernel, 2, {2, 3, 0}, {4, 6, 1}, &two) == CL_SUCCESS);
    std::vector<cl_uint> expected(100);
    for (size_t y = 3; y < 9; ++y)
        for (size_t x = 2; x < 6; ++x) expected[y * 10 + x] = 3;
    CHECK(f.read<cl_uint>(buffer, 100) == expected);
    CHECK(launch(kernel, 1, zero, zero, nullptr) == CL_SUCCESS);
    CHECK(launch(kernel, 2, zero, {4, 0, 1}, &two) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(buffer, 100) == expected);
    CHECK(launch(kernel, 1, zero, {10, 1, 1}, &three) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(ragged, 1, zero, {10, 1, 1}, &three) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(buffer, 10) == std::vector<cl_uint>{4, 4, 4, 4, 4, 4, 4, 4, 4, 2});
    CHECK(launch(kernel, 0, zero, one, nullptr) == CL_INVALID_WORK_DIMENSION);
    CHECK(launch(kernel, 4, zero, one, nullptr) == CL_INVALID_WORK_DIMENSION);
    CHECK(launch(kernel, 1, large, {2, 1, 1}, nullptr) == CL_INVALID_GLOBAL_OFFSET);
    CHECK(launch(kernel, 1, zero, one, &zero) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(kernel, 1, zero, large, &large) == CL_INVALID_WORK_ITEM_SIZE);
    const Sizes most = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    CHECK(launch(kernel, 3, zero, most, &one) == CL_OUT_OF_RESOURCES);
    // A prime without a local size of the program's: one size for all groups.
    CHECK(launch(kernel, 1, zero, {97, 1, 1}, nullptr) == CL_SUCCESS);
    const std::vector<cl_uint> prime = f.read<cl_uint>(buffer, 97);
    CHECK(prime == std::vector<cl_uint>(97, prime[0]));
    CHECK(clEnqueueTask(f.queue, kernel, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(buffer, 1)[0] == 2);
    Fixture other;
    const size_t items = 1;
    CHECK(clEnqueueNDRangeKernel(other.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_CONTEXT);
    CHECK(clEnqueueNativeKernel(f.queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_OPERATION);
}

TEST_CASE("5.8 each work-item of a range runs once, whatever its sizes, and none beside it") {
    Fixture f;
    const std::string source =
        "kernel void count(global uint *to, uint width, uint height) {\n"
        "    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - "
        "get_global_offset(1);\n"
        "    atomic_inc(&to[(get_global_id(2) * height + y) * width + x]);\n"
        "    if (get_global_size(0) != width) to[0] += 100;\n"
        "}\n"
        "kernel void grouped(global uint *to, uint width, uint height) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    count(to, width, height);\n"
        "}";
    struct Case {
        cl_uint dimensions;
        std::array<size_t, 3> global, local, offset;
    };
    const Case cases[] = {
        {1, {1, 1, 1}, {}, {}},           {1, {37, 1, 1}, {}, {5, 0, 0}},
        {1, {10007, 1, 1}, {}, {}},       {1, {65537, 1, 1}, {}, {}},
        {2, {37, 101, 1}, {}, {}},        {2, {129, 3, 1}, {}, {2, 3, 0}},
        {3, {7, 11, 13}, {}, {}},         {3, {1, 257, 2}, {}, {}},
        {1, {1000, 1, 1}, {7, 1, 1}, {}}, {2, {33, 17, 1}, {8, 4, 1}, {1, 2, 0}},
        {3, {5, 7, 3}, {2, 3, 2}, {}},    {2, {64, 16, 1}, {}, {}},
    };
    for (const char* options : {"", "-cl-std=CL3.0"}) {
        cl_program program = f.build(source, options);
        for (const char* name : {"count", "grouped"}) {
            cl_kernel kernel = f.make_kernel(program, name);
            for (const Case& it : cases) {
                const bool chooses = it.local[0] == 0;
                if (!chooses && *options == 0) continue;  // groups are of one size there
                const size_t items = it.global[0] * it.global[1] * it.global[2];
                std::vector<cl_uint> expected(items, 1);
                expected.resize(items + 4096);
                std::vector<cl_uint> zeros(expected.size());
                cl_mem buffer = f.make_buffer(zeros.size() * sizeof(cl_uint), zeros.data());
                CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
                CHECK(set(kernel, 1, static_cast<cl_uint>(it.global[0])) == CL_SUCCESS);
                CHECK(set(kernel, 2, static_cast<cl_uint>(it.global[1])) == CL_SUCCESS);
                CHECK(clEnqueueNDRangeKernel(f.queue, kernel, it.dimensions, it.offset.data(),
                                             it.global.data(), chooses ? nullptr : it.local.data(), 0,
                                             nullptr, nullptr) == CL_SUCCESS);
                CAPTURE(name);
                CAPTURE(items);
                CHECK((f.read<cl_uint>(buffer, expected.size()) == expected));
            }
        }
    }
}

TEST_CASE("5.10 a suggested work-group needs a range, by an extension's function") {
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void k() {}", "k");
    const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
    REQUIRE((suggest != nullptr));
    CHECK(clGetExtensionFunctionAddressForPlatform(platform(), "clNoSuchFunction") == nullptr);
    // OpenCL 3.1's name
    CHECK(clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSuggestedLocalWorkSize") ==
          reinterpret_cast<void*>(suggest));
    const size_t range[] = {1000, 3}, empty[] = {1000, 0};
    size_t local[2] = {};
    CHECK(suggest(f.queue, kernel, 2, nullptr, range, local) == CL_SUCCESS);
    CHECK(range[0] % local[0] == 0);  // a program may launch with it
    CHECK(range[1] % local[1] == 0);
    CHECK(local[0] > 0);
    CHECK(local[1] > 0);
    CHECK(suggest(f.queue, kernel, 2, nullptr, empty, local) == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(suggest(f.queue, kernel, 2, nullptr, nullptr, local) == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(suggest(f.queue, kernel, 0, nullptr, range, local) == CL_INVALID_WORK_DIMENSION);
    CHECK(suggest(f.queue, kernel, 2, nullptr, range, nullptr) == CL_INVALID_VALUE);
    CHECK(suggest(f.queue, nullptr, 2, nullptr, range, local) == CL_INVALID_KERNEL);
    CHECK(suggest(nullptr, kernel, 2, nullptr, range, local) == CL_INVALID_COMMAND_QUEUE);
    cl_kernel unset = f.make_kernel("kernel void unset(global int *a) { a[0] = 1; }", "unset");
    CHECK(suggest(f.queue, unset, 2, nullptr, range, local) == CL_INVALID_KERNEL_ARGS);
    if (!has_device_enqueue()) return;
    // Only a queue of the host's commands will do.
    cl_command_queue on_device = f.make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CHECK(suggest(on_device, kernel, 2, nullptr, range, local) == CL_INVALID_COMMAND_QUEUE);
    CHECK(clEnqueueNativeKernel(on_device, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("5.4 pipes of no size") {
    Fixture f;
    const auto largest = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    if (largest == 0) return;
    const auto fails = [&](cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                           const cl_pipe_properties* list = nullptr) {
        cl_int code = 1;
        CHECK(clCreatePipe(f.context, flags, packet_bytes, packets, list, &code) == nullptr);
        return code;
    };
    const cl_pipe_properties list[] = {0};
    CHECK(fails(0, 0, 16) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(0, 4, 0) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(0, largest + 1, 16) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(CL_MEM_READ_ONLY, 4, 16) == CL_INVALID_VALUE);
    CHECK(fails(0, 4, 16, list) == CL_INVALID_VALUE);
}

TEST_CASE("program-scope variables, printf and pipes work through the API") {
    Fixture f;
    cl_program program = f.build(R"(
        global int counter = 40;
        kernel void next(global int *a) { counter += 1; *a = counter; }
        kernel void put(write_only pipe int p) { int x = 100 + get_global_id(0); write_pipe(p, &x); }
        kernel void get(read_only pipe int p, global int *sum) { int x = 0; read_pipe(p, &x); atomic_add(sum, x); })",
                                 "-cl-std=CL2.0");
    cl_mem value = f.make_buffer(4);
    cl_kernel next = f.make_kernel(program, "next");
    CHECK(set(next, 0, value) == CL_SUCCESS);
    CHECK(run(f.queue, next, 1) == CL_SUCCESS);
    CHECK(run(f.queue, next, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(value, 1)[0] == 42);
    cl_int code = 1;
    constexpr cl_mem_flags kDefault = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    for (const cl_mem_flags flags :
         {cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}, kDefault}) {
        f.buffers.push_back(clCreatePipe(f.context, flags, 4, 16, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(info<cl_mem_flags>(clGetMemObjectInfo, f.buffers.back(), CL_MEM_FLAGS) == flags);
    }
    cl_mem pipe = clCreatePipe(f.context, 0, 4, 16, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_mem_flags>(clGetMemObjectInfo, pipe, CL_MEM_FLAGS) == kDefault);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS) == 16);
    cl_kernel put = f.make_kernel(program, "put"), get = f.make_kernel(program, "get");
    const cl_int zero = 0;
    CHECK(clEnqueueWriteBuffer(f.queue, value, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(set(put, 0, pipe) == CL_SUCCESS);
    CHECK(set(get, 0, pipe) == CL_SUCCESS);
    CHECK(set(get, 1, value) == CL_SUCCESS);
    CHECK(set(put, 0, value) == CL_INVALID_MEM_OBJECT);
    CHECK(run(f.queue, put, 8) == CL_SUCCESS);
    CHECK(run(f.queue, get, 8) == CL_SUCCESS);
    CHECK(f.read<cl_int>(value, 1)[0] == 828);
    CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
}

TEST_CASE("kernels enqueue kernels on a device queue") {
    if (!has_device_enqueue()) return;
    Fixture f;
    cl_program program = f.build(R"(
        kernel void tree(global int *count, int depth) {
            atomic_add(count, 1);
            if (depth > 0)
                for (int i = 0; i < 3; ++i)
                    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
                        atomic_add(count, 10);
                    });
        }
        kernel void given(queue_t queue, global int *count) {
            enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ atomic_add(count, 100); });
        })",
                                 "-cl-std=CL2.0");
    CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 2);
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int code = 1;
    cl_command_queue on_device = clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code) == on_device);
    CHECK(clReleaseCommandQueue(on_device) == CL_SUCCESS);
    CHECK(info<cl_command_queue>(clGetCommandQueueInfo, f.queue, CL_QUEUE_DEVICE_DEFAULT) == on_device);
    CHECK(info<cl_uint>(clGetCommandQueueInfo, on_device, CL_QUEUE_SIZE) > 0);
    CHECK(clFinish(on_device) == CL_INVALID_COMMAND_QUEUE);
    cl_int zero = 0;
    cl_mem count = f.make_buffer(4, &zero);
    cl_kernel tree = f.make_kernel(program, "tree"), given = f.make_kernel(program, "given");
    CHECK(set(tree, 0, count) == CL_SUCCESS);
    CHECK(set(tree, 1, 2) == CL_SUCCESS);
    CHECK(run(f.queue, tree, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(count, 1)[0] == 31);
    CHECK(set(given, 0, f.queue) == CL_INVALID_DEVICE_QUEUE);
    CHECK(set(given, 0, cl_command_queue{}) == CL_INVALID_DEVICE_QUEUE);
    CHECK(set(given, 0, on_device) == CL_SUCCESS);
    CHECK(set(given, 1, count) == CL_SUCCESS);
    CHECK(run(f.queue, given, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(count, 1)[0] == 431);
    CHECK(clReleaseCommandQueue(on_device) == CL_SUCCESS);
}
