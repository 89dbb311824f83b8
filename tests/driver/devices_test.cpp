// SPDX-License-Identifier: Apache-2.0
// Contexts of several devices (OpenCL API 4.4, 5.2, 5.8, 5.13): every queue sees what commands that it waits
// for have done to a memory object on another device. With one device on the platform there is nothing to
// see.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

#include "tests/driver/command_buffers.h"
#include "tests/driver/devices.h"
#include "tests/driver/fixture.h"
#include "tests/driver/semaphores.h"
#include "tests/driver/times.h"
#include "tests/driver/usm.h"
#include "vulkan/icd/extension_names.h"

using namespace caldera::driver_test;

namespace {

std::vector<cl_int> counted(size_t count, cl_int from = 0) {
    std::vector<cl_int> out(count);
    std::iota(out.begin(), out.end(), from);
    return out;
}

constexpr const char* kAdd = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";
constexpr size_t kCount = 1000, kSize = kCount * sizeof(cl_int);

}  // namespace

TEST_CASE("4.4 a context has its devices, and programs and kernels say what they are on each") {
    Devices d;
    if (!d.are_several()) return;
    CHECK(info<cl_uint>(clGetContextInfo, d.context, CL_CONTEXT_NUM_DEVICES) == d.devices.size());
    std::vector<cl_device_id> listed(d.devices.size());
    CHECK(clGetContextInfo(d.context, CL_CONTEXT_DEVICES, listed.size() * sizeof(cl_device_id), listed.data(),
                           nullptr) == CL_SUCCESS);
    CHECK(listed == d.devices);
    cl_kernel kernel = d.make_kernel(kAdd, "add");
    cl_program program = d.programs.back();
    CHECK(info<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES) == d.devices.size());
    std::vector<size_t> sizes(d.devices.size());
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizes.size() * sizeof(size_t), sizes.data(),
                           nullptr) == CL_SUCCESS);
    std::vector<std::vector<unsigned char>> binaries;
    std::vector<unsigned char*> pointers;
    for (const size_t size : sizes) {
        CHECK(size != 0);
        pointers.push_back(binaries.emplace_back(size).data());
    }
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, pointers.size() * sizeof(pointers[0]),
                           pointers.data(), nullptr) == CL_SUCCESS);
    for (cl_device_id device : d.devices) {
        CHECK(info<cl_build_status>(clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_STATUS) ==
              CL_BUILD_SUCCESS);
        CHECK(info<size_t>(clGetKernelWorkGroupInfo, kernel, device, CL_KERNEL_WORK_GROUP_SIZE) <=
              info<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
    }
    // With several devices the program must say which it means.
    size_t size = 0;
    CHECK(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr) ==
          CL_INVALID_DEVICE);

    // The binaries make a program for all of them again.
    std::vector<cl_int> codes(d.devices.size(), 1);
    cl_int code = 1;
    std::vector<const unsigned char*> inputs(pointers.begin(), pointers.end());
    d.programs.push_back(clCreateProgramWithBinary(d.context, static_cast<cl_uint>(d.devices.size()),
                                                   d.devices.data(), sizes.data(), inputs.data(),
                                                   codes.data(), &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(codes == std::vector<cl_int>(d.devices.size(), CL_SUCCESS));
    REQUIRE(clBuildProgram(d.programs.back(), 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel again = d.make_kernel(d.programs.back(), "add");
    std::vector<cl_int> zeros(kCount);
    cl_mem buffer = d.make_buffer(kSize, zeros.data());
    CHECK(set(again, 0, buffer) == CL_SUCCESS);
    CHECK(set(again, 1, 1) == CL_SUCCESS);
    cl_event last = nullptr;
    for (size_t place = 0; place < d.devices.size(); ++place) last = d.run_after(place, again, kCount, last);
    CHECK(d.read_after(0, buffer, kCount, last) ==
          std::vector<cl_int>(kCount, static_cast<cl_int>(d.devices.size())));
}

TEST_CASE("5.2 devices that only read a buffer have its bytes at the same time") {
    Devices d;
    if (!d.are_several()) return;
    constexpr size_t kInts = 8 << 20, kBytes = kInts * sizeof(cl_int);
    constexpr const char* kSum = R"(
        kernel void sum(constant int *few, global const int *all, global int *to, int turns) {
            int x = few[0] + few[1];
            for (int i = 0; i < turns; i++) x += all[(i * 61) & 1023] & 0;
            to[get_global_id(0)] = x + all[get_global_id(0)];
        })";
    std::vector<cl_int> in = counted(kInts);
    // What `const` says of a pointer, a cast may take away. A buffer that kernels only read says it.
    cl_mem large = d.make_buffer(kBytes, in.data(), CL_MEM_READ_ONLY), few = d.make_buffer(kBytes, in.data());
    cl_mem out[] = {d.make_buffer(kSize), d.make_buffer(kSize)};
    cl_kernel kernel = d.make_kernel(kSum, "sum");
    CHECK(set(kernel, 0, few) == CL_SUCCESS);
    CHECK(set(kernel, 1, large) == CL_SUCCESS);
    const auto run_on = [&](size_t place, cl_int turns) {
        CHECK(set(kernel, 2, out[place]) == CL_SUCCESS);
        CHECK(set(kernel, 3, turns) == CL_SUCCESS);
        return run(d.queues[place], kernel, kCount);
    };
    const auto use = [&] {
        for (size_t place = 0; place < 2; ++place) {
            CHECK(run_on(place, 1) == CL_SUCCESS);
            cl_int read = 0;
            CHECK(clEnqueueReadBuffer(d.queues[place], large, CL_TRUE, kBytes - 4, 4, &read, 0, nullptr,
                                      nullptr) == CL_SUCCESS);
            CHECK(read == in.back());
        }
    };
    use();
    const auto moved = [&] {  // to both devices, there and back
        for (int i = 0; i < 2; ++i) {
            ++in[0];
            CHECK(clEnqueueWriteBuffer(d.queues[0], few, CL_TRUE, 0, 4, &in[0], 0, nullptr, nullptr) ==
                  CL_SUCCESS);
            CHECK(clEnqueueWriteBuffer(d.queues[0], large, CL_TRUE, 0, 4, &in[0], 0, nullptr, nullptr) ==
                  CL_SUCCESS);
            use();
        }
    };
    check_in_some_try([&] {
        const double with_moves = seconds_of(moved);
        const double without = seconds_of([&] {
            for (int i = 0; i < 40; ++i) use();
        });
        return without < 5 * with_moves + 0.1;
    });
    // A device writes while another one still reads what was there before.
    std::vector<cl_int> seen[2] = {std::vector<cl_int>(kCount), std::vector<cl_int>(kCount)};
    const cl_int before = in[0];
    CHECK(run_on(1, 50'000) == CL_SUCCESS);
    CHECK(clFlush(d.queues[1]) == CL_SUCCESS);
    const std::vector<cl_int> other(kCount, 5);
    CHECK(clEnqueueWriteBuffer(d.queues[0], large, CL_TRUE, 0, kSize, other.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(d.queues[1], out[1], CL_FALSE, 0, kSize, seen[0].data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(run_on(1, 1) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(d.queues[1], out[1], CL_TRUE, 0, kSize, seen[1].data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    for (size_t i = 0; i < kCount; ++i) {
        CHECK(seen[0][i] == before + in[1] + in[i]);
        CHECK(seen[1][i] == before + in[1] + 5);
    }
}

TEST_CASE("5.8 a program that was built for one device runs there only") {
    Devices d;
    if (!d.are_several()) return;
    cl_program program = d.source(kAdd);
    REQUIRE(clBuildProgram(program, 1, &d.devices[1], "", nullptr, nullptr) == CL_SUCCESS);
    CHECK(info<cl_build_status>(clGetProgramBuildInfo, program, d.devices[0], CL_PROGRAM_BUILD_STATUS) ==
          CL_BUILD_NONE);
    cl_kernel kernel = d.make_kernel(program, "add");
    std::vector<cl_int> in = counted(kCount);
    cl_mem buffer = d.make_buffer(kSize, in.data());
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(set(kernel, 1, 5) == CL_SUCCESS);
    CHECK(run(d.queues[0], kernel, kCount) == CL_INVALID_PROGRAM_EXECUTABLE);
    const cl_event added = d.run_after(1, kernel, kCount, nullptr);
    CHECK(d.read_after(0, buffer, kCount, added) == counted(kCount, 5));
}

TEST_CASE("5.2 buffers go from device to device, in chains of events without waits") {
    for (const cl_command_queue_properties order : {0, int{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
        Devices d(order);
        if (!d.are_several()) return;
        cl_kernel kernel = d.make_kernel(kAdd, "add");
        std::vector<cl_int> in = counted(kCount);
        cl_mem buffer = d.make_buffer(kSize, in.data());
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        cl_event gate = d.keep(clCreateUserEvent(d.context, nullptr)), last = gate;
        cl_int sum = 0;
        for (cl_int i = 1; i <= 100; ++i) {
            CHECK(set(kernel, 1, i) == CL_SUCCESS);
            last = d.run_after(static_cast<size_t>(i * i) % d.devices.size(), kernel, kCount, last);
            sum += i;
        }
        CHECK(status(last) > CL_COMPLETE);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        for (size_t place = 0; place < d.devices.size(); ++place)
            CHECK(d.read_after(place, buffer, kCount, last) == counted(kCount, sum));
    }
}

TEST_CASE("5.2 writes, fills, copies and parts, each on another device") {
    Devices d;
    if (!d.are_several()) return;
    std::vector<cl_int> expected(kCount, 7);
    cl_mem a = d.make_buffer(kSize), b = d.make_buffer(kSize);
    const cl_buffer_region region = {1024, 512};
    cl_int code = 1;
    cl_mem part = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    REQUIRE(code == CL_SUCCESS);
    d.buffers.insert(d.buffers.begin(), part);
    size_t turn = 0;
    cl_event last = nullptr;
    const auto next = [&](auto enqueue) {
        cl_event event = nullptr;
        CHECK(enqueue(d.queues[turn++ % d.queues.size()], last ? 1 : 0, last ? &last : nullptr, &event) ==
              CL_SUCCESS);
        last = d.keep(event);
    };
    const cl_int seven = 7;
    const std::vector<cl_int> some = counted(10, 100);
    next([&](auto queue, auto... after) {
        return clEnqueueFillBuffer(queue, a, &seven, sizeof seven, 0, kSize, after...);
    });
    next([&](auto queue, auto... after) {
        return clEnqueueWriteBuffer(queue, part, CL_FALSE, 40, 40, some.data(), after...);
    });
    next([&](auto queue, auto... after) { return clEnqueueCopyBuffer(queue, a, b, 0, 0, kSize, after...); });
    next([&](auto queue, auto... after) {
        return clEnqueueFillBuffer(queue, a, &seven, sizeof seven, 0, kSize, after...);
    });
    next([&](auto queue, auto... after) {
        return clEnqueueCopyBuffer(queue, b, part, 1024, 0, 256, after...);
    });
    next([&](auto queue, auto... after) { return clEnqueueMigrateMemObjects(queue, 1, &part, 0, after...); });
    next([&](auto queue, auto... after) { return clEnqueueMarkerWithWaitList(queue, after...); });
    std::ranges::copy(some, expected.begin() + 266);
    for (size_t place = 0; place < d.devices.size(); ++place) {
        CHECK(d.read_after(place, a, kCount, last) == expected);
        CHECK(d.read_after(place, b, kCount, last) == expected);
    }
}

TEST_CASE("5.8.5 a program is linked for the devices that have objects") {
    Devices d;
    if (!d.are_several()) return;
    cl_program object = d.source(kAdd);
    REQUIRE(clCompileProgram(object, 1, &d.devices[0], "", 0, nullptr, nullptr, nullptr, nullptr) ==
            CL_SUCCESS);
    cl_int code = 1;
    d.programs.push_back(clLinkProgram(d.context, 0, nullptr, nullptr, 1, &object, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetProgramInfo, d.programs.back(), CL_PROGRAM_NUM_DEVICES) == 1);
    d.make_kernel(d.programs.back(), "add");
    CHECK(clLinkProgram(d.context, 1, &d.devices[1], nullptr, 1, &object, nullptr, nullptr, &code) ==
          nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    cl_program both = d.source("kernel void other() {}");
    REQUIRE(clCompileProgram(both, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    const cl_program mixed[] = {object, both};  // one of them has an object for the second device
    CHECK(clLinkProgram(d.context, 0, nullptr, nullptr, 2, mixed, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
}

TEST_CASE("5.9.1 a kernel whose parameters differ between devices is none") {
    Devices d;
    if (!d.are_several()) return;
    cl_program program = d.source(
        "kernel void same(global int *p) { *p = 1; }\n"
        "#ifdef LONG\nkernel void k(long n, global long *p) { *p = n; }\n"
        "#else\nkernel void k(int n, global long *p) { *p = n; }\n#endif");
    REQUIRE(clBuildProgram(program, 1, &d.devices[0], "-DLONG", nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clBuildProgram(program, 1, &d.devices[1], "", nullptr, nullptr) == CL_SUCCESS);
    cl_int code = 1;
    CHECK(clCreateKernel(program, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_KERNEL_DEFINITION);
    d.make_kernel(program, "same");
    cl_uint count = 0;
    CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
    CHECK(count == 1);
}

TEST_CASE("5.9.1 a kernel that some device's build lacks is none") {
    Devices d;
    if (!d.are_several()) return;
    cl_program program = d.source(
        "#ifdef FIRST\nkernel void first(global int *p) { *p = 1; }\n#endif\n"
        "#ifdef BOTH\nkernel void both(global int *p) { *p = 2; }\n#endif\n"
        "#ifdef SECOND\nkernel void second(global int *p) { *p = 3; }\n#endif");
    const auto build = [&](const char* first, const char* second) {
        REQUIRE(clBuildProgram(program, 1, &d.devices[0], first, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clBuildProgram(program, 1, &d.devices[1], second, nullptr, nullptr) == CL_SUCCESS);
    };
    const auto making = [&](const char* name) {
        cl_int code = 1;
        cl_kernel kernel = clCreateKernel(program, name, &code);
        CHECK((kernel != nullptr) == (code == CL_SUCCESS));
        if (kernel) CHECK(clReleaseKernel(kernel) == CL_SUCCESS);
        return code;
    };
    const auto all_names = [&] {
        cl_kernel kernels[3] = {};
        cl_uint count = 0;
        CHECK(clCreateKernelsInProgram(program, 3, kernels, &count) == CL_SUCCESS);
        std::string names;
        for (cl_uint i = 0; i < count; ++i) {
            names += (i ? ";" : "") + text(clGetKernelInfo, kernels[i], CL_KERNEL_FUNCTION_NAME);
            CHECK(clReleaseKernel(kernels[i]) == CL_SUCCESS);
        }
        CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == count);
        CHECK(text(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES) == names);
        return names;
    };
    build("-DFIRST -DBOTH", "-DSECOND -DBOTH");
    CHECK(making("both") == CL_SUCCESS);
    CHECK(making("first") == CL_INVALID_KERNEL_DEFINITION);
    CHECK(making("second") == CL_INVALID_KERNEL_DEFINITION);
    CHECK(making("third") == CL_INVALID_KERNEL_NAME);
    CHECK(all_names() == "both");
    build("-DFIRST", "");  // the second device has an executable without kernels
    CHECK(making("first") == CL_INVALID_KERNEL_DEFINITION);
    CHECK(making("both") == CL_INVALID_KERNEL_NAME);
    CHECK(all_names().empty());
    build("-DFIRST", "-DFIRST");
    CHECK(making("first") == CL_SUCCESS);
    CHECK(all_names() == "first");
}

TEST_CASE("5.8 a kernel enqueues others on the device for whose build it does so") {
    Devices d;
    if (!d.are_several() || !d.all_have<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)) return;
    cl_program program = d.source(R"(
        kernel void k(global int *a) {
            *a = 1;
        #ifdef ENQUEUES
            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ *a += 10; });
        #endif
        })");
    REQUIRE(clBuildProgram(program, 1, &d.devices[0], "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clBuildProgram(program, 1, &d.devices[1], "-cl-std=CL3.0 -DENQUEUES", nullptr, nullptr) ==
            CL_SUCCESS);
    cl_kernel kernel = d.make_kernel(program, "k");
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int code = 1;
    cl_command_queue on_device = clCreateCommandQueueWithProperties(d.context, d.devices[1], list, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_mem out = d.make_buffer(4);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    for (const size_t place : {size_t{1}, size_t{0}}) {
        const cl_event ran = d.run_after(place, kernel, 1, nullptr);
        CHECK(d.read_after(place, out, 1, ran) == std::vector<cl_int>{place == 1 ? 11 : 1});
    }
    CHECK(clReleaseCommandQueue(on_device) == CL_SUCCESS);
}

TEST_CASE("5.9.2 a kernel enqueues in the given queue of its device, and not in another device's") {
    Devices d;
    if (!d.are_several() || !d.all_have<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)) return;
    cl_program program = d.source(R"(
        kernel void k(queue_t queue, global int *a) {
            *a = 1;
            enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ atomic_add(a, 10); });
        })");
    REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel kernel = d.make_kernel(program, "k");
    cl_mem out = d.make_buffer(4);
    CHECK(set(kernel, 1, out) == CL_SUCCESS);
    for (const cl_command_queue_properties default_too : {0, int{CL_QUEUE_ON_DEVICE_DEFAULT}}) {
        std::vector<cl_command_queue> on_device;
        for (cl_device_id device : d.devices)
            on_device.push_back(d.make_queue(
                device, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | default_too));
        cl_int code = 1;
        cl_kernel copy = clCloneKernel(kernel, &code);
        d.kernels.push_back(copy);
        // Each device in turn, so that the one before has been the kernel's.
        for (const size_t given : {0, 1, 0})
            for (cl_kernel launched : {kernel, copy}) {
                CHECK(set(launched, 0, on_device[given]) == CL_SUCCESS);
                CHECK(run(d.queues[1 - given], launched, 1) == CL_INVALID_KERNEL_ARGS);
                const cl_event ran = d.run_after(given, launched, 1, nullptr);
                CHECK(d.read_after(given, out, 1, ran) == std::vector<cl_int>{41});
            }
    }
}

TEST_CASE("5.4 a region that is mapped in one device's queue is unmapped in another's") {
    for (const bool uses_host : {false, true}) {
        Devices d;
        if (!d.are_several()) return;
        cl_kernel kernel = d.make_kernel(kAdd, "add");
        std::vector<cl_int> host = counted(kCount), expected = counted(kCount, 10);
        cl_mem buffer = d.make_buffer(kSize, host.data(), uses_host ? CL_MEM_USE_HOST_PTR : 0);
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        CHECK(set(kernel, 1, 10) == CL_SUCCESS);
        cl_event last = d.run_after(0, kernel, kCount, nullptr);
        for (size_t turn = 0; turn < 2 * d.queues.size(); ++turn) {
            const size_t here = turn % d.queues.size(), there = (turn + 1) % d.queues.size();
            cl_int code = 1;
            auto* at = static_cast<cl_int*>(clEnqueueMapBuffer(d.queues[here], buffer, CL_TRUE,
                                                               CL_MAP_READ | CL_MAP_WRITE, 400, 400, 1, &last,
                                                               nullptr, &code));
            REQUIRE(code == CL_SUCCESS);
            CHECK(std::vector<cl_int>(at, at + 100) ==
                  std::vector<cl_int>(expected.begin() + 100, expected.begin() + 200));
            at[50] = expected[150] = -static_cast<cl_int>(turn);
            cl_event unmapped = nullptr;
            CHECK(clEnqueueUnmapMemObject(d.queues[there], buffer, at, 0, nullptr, &unmapped) == CL_SUCCESS);
            last = d.run_after(here, kernel, kCount, d.keep(unmapped));
            for (cl_int& value : expected) value += 10;
        }
        CHECK(d.read_after(1, buffer, kCount, last) == expected);
    }
}

TEST_CASE("5.3 images go from device to device, whose kernels see them as they see their own") {
    Devices d;
    if (!d.are_several()) return;
    cl_kernel kernel = d.make_kernel(R"(
        kernel void step(read_only image2d_t from, write_only image2d_t to, sampler_t nearest) {
            const int2 at = (int2)(get_global_id(0) % 8, get_global_id(0) / 8);
            write_imagei(to, at, read_imagei(from, nearest, at) + (int4)(1, 10, 100, 1000));
        })",
                                     "step");
    cl_int code = 1;
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    std::vector<cl_int> in = counted(256);
    cl_mem images[2] = {};
    for (cl_mem& image : images) {
        image = clCreateImage(d.context, CL_MEM_COPY_HOST_PTR, &format, &desc, in.data(), &code);
        REQUIRE(code == CL_SUCCESS);
        d.buffers.push_back(image);
    }
    cl_sampler sampler = clCreateSampler(d.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(set(kernel, 2, sampler) == CL_SUCCESS);
    cl_event last = nullptr;
    constexpr size_t kSteps = 6;
    for (size_t i = 0; i < kSteps; ++i) {
        CHECK(set(kernel, 0, images[i % 2]) == CL_SUCCESS);
        CHECK(set(kernel, 1, images[(i + 1) % 2]) == CL_SUCCESS);
        last = d.run_after(i % d.devices.size(), kernel, 64, last);
    }
    std::vector<cl_int> out(256), expected = in;
    for (size_t i = 0; i < expected.size(); ++i)
        expected[i] += static_cast<cl_int>(kSteps) * std::array{1, 10, 100, 1000}[i % 4];
    const std::array<size_t, 3> origin = {}, region = {8, 8, 1};
    CHECK(clEnqueueReadImage(d.queues[0], images[kSteps % 2], CL_TRUE, origin.data(), region.data(), 0, 0,
                             out.data(), 1, &last, nullptr) == CL_SUCCESS);
    CHECK(out == expected);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

TEST_CASE("5.8 each device has program-scope variables of its own") {
    Devices d;
    if (!d.are_several()) return;
    cl_program program =
        d.source("global int calls = 0; kernel void count(global int *out) { *out = ++calls; }");
    REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel kernel = d.make_kernel(program, "count");
    cl_mem out = d.make_buffer(4);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    for (cl_int call = 1; call <= 2; ++call)
        for (size_t place = 0; place < d.devices.size(); ++place) {
            const cl_event counted_one = d.run_after(place, kernel, 1, nullptr);
            CHECK(d.read_after(place, out, 1, counted_one) == std::vector<cl_int>{call});
        }
}

TEST_CASE("5.4 a pipe goes from device to device with its packets") {
    Devices d;
    if (!d.are_several() || !d.all_have<cl_bool>(CL_DEVICE_PIPE_SUPPORT)) return;
    cl_program program = d.source(R"(
        kernel void put(write_only pipe int2 p, int from) {
            int2 x = from + (int)get_global_id(0);
            write_pipe(p, &x);
        }
        kernel void get(read_only pipe int2 p, global int *sum, global int *failed) {
            int2 x = 0;
            if (read_pipe(p, &x) != 0) atomic_inc(failed);
            atomic_add(sum, x.x + x.y);
        })");
    REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel put = d.make_kernel(program, "put"), get = d.make_kernel(program, "get");
    cl_int code = 1;
    cl_mem narrow = clCreatePipe(d.context, 0, 4, 16, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    d.buffers.push_back(narrow);
    CHECK(set(put, 0, narrow) == CL_INVALID_ARG_VALUE);
    cl_mem pipe = clCreatePipe(d.context, 0, 8, 16, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    d.buffers.push_back(pipe);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS) == 16);
    std::vector<cl_int> zeros(2);
    cl_mem sum = d.make_buffer(4, zeros.data()), failed = d.make_buffer(4, zeros.data());
    CHECK(set(put, 0, pipe) == CL_SUCCESS);
    CHECK(set(get, 0, pipe) == CL_SUCCESS);
    CHECK(set(get, 1, sum) == CL_SUCCESS);
    CHECK(set(get, 2, failed) == CL_SUCCESS);
    cl_event last = nullptr;
    cl_int expected = 0;
    // Rounds of 12 packets reach the end of the ring. The first round reads on the device that wrote.
    for (size_t round = 0; round < 6; ++round) {
        const size_t writer = round % d.devices.size(), reader = (round + (round != 0)) % d.devices.size();
        CHECK(set(put, 1, static_cast<cl_int>(100 * round)) == CL_SUCCESS);
        last = d.run_after(writer, put, 12, last);
        last = d.run_after(reader, get, 5, last);
        if (round == 3) {
            cl_event moved = nullptr;
            CHECK(clEnqueueMigrateMemObjects(d.queues[writer], 1, &pipe, 0, 1, &last, &moved) == CL_SUCCESS);
            last = d.keep(moved);
        }
        last = d.run_after(reader, get, 7, last);
        for (cl_int i = 0; i < 12; ++i) expected += 2 * (static_cast<cl_int>(100 * round) + i);
    }
    CHECK(d.read_after(0, sum, 1, last) == std::vector{expected});
    CHECK(d.read_after(0, failed, 1, last) == std::vector{0});
    // It is empty now.
    last = d.run_after(0, get, 3, last);
    CHECK(d.read_after(1, failed, 1, last) == std::vector{3});
}

TEST_CASE("5.13 what fails on one device fails what waits for it on another") {
    Devices d;
    if (!d.are_several()) return;
    cl_kernel kernel = d.make_kernel(kAdd, "add");
    cl_mem buffer = d.make_buffer(kSize);
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(set(kernel, 1, 1) == CL_SUCCESS);
    cl_event gate = d.keep(clCreateUserEvent(d.context, nullptr));
    const cl_event first = d.run_after(0, kernel, kCount, gate);
    const cl_event second = d.run_after(1, kernel, kCount, first);
    CHECK(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &second) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(status(first) < 0);
    CHECK(status(second) < 0);
}

TEST_CASE("5.13 threads, a device each, at one time, and buffers that all read") {
    Devices d;
    if (!d.are_several()) return;
    cl_kernel first = d.make_kernel(
        "kernel void sum(global const int *a, global int *b) {"
        "    b[get_global_id(0)] += a[get_global_id(0)]; }",
        "sum");
    std::vector<cl_int> in = counted(kCount), zeros(kCount);
    cl_mem shared = d.make_buffer(kSize, in.data(), CL_MEM_READ_ONLY);
    std::vector<cl_mem> own;
    std::vector<cl_kernel> kernels;
    for (size_t place = 0; place < d.devices.size(); ++place) {
        own.push_back(d.make_buffer(kSize, zeros.data()));
        cl_int code = 1;
        kernels.push_back(place == 0 ? first : clCloneKernel(first, &code));
        if (place != 0) d.kernels.push_back(kernels.back());
        CHECK(set(kernels[place], 0, shared) == CL_SUCCESS);
        CHECK(set(kernels[place], 1, own[place]) == CL_SUCCESS);
    }
    std::vector<std::thread> threads;
    for (size_t place = 0; place < d.devices.size(); ++place)
        threads.emplace_back([&, place] {
            for (int i = 0; i < 20; ++i) {
                run(d.queues[place], kernels[place], kCount);
                if (i % 4 == 0) clFinish(d.queues[place]);
            }
            clFinish(d.queues[place]);
        });
    for (std::thread& thread : threads) thread.join();
    std::vector<cl_int> expected;
    for (const cl_int value : in) expected.push_back(20 * value);
    for (size_t place = 0; place < d.devices.size(); ++place)
        CHECK(d.read_after(place, own[place], kCount, nullptr) == expected);
}

TEST_CASE("5.2.1 parts of one buffer, each used on another device at one time") {
    Devices d;
    if (!d.are_several()) return;
    std::vector<cl_int> zeros(kCount);
    cl_kernel first = d.make_kernel(kAdd, "add");
    cl_mem whole = d.make_buffer(kSize, zeros.data());
    std::vector<cl_kernel> kernels;
    constexpr size_t kPart = 256;
    for (size_t place = 0; place < 2; ++place) {
        cl_int code = 1;
        const cl_buffer_region region = {place * kPart * sizeof(cl_int), kPart * sizeof(cl_int)};
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        REQUIRE(code == CL_SUCCESS);
        d.buffers.insert(d.buffers.begin(), part);
        kernels.push_back(place == 0 ? first : clCloneKernel(first, &code));
        if (place != 0) d.kernels.push_back(kernels.back());
        CHECK(set(kernels[place], 0, part) == CL_SUCCESS);
        CHECK(set(kernels[place], 1, static_cast<cl_int>(place + 1)) == CL_SUCCESS);
    }
    std::vector<std::thread> threads;
    for (size_t place = 0; place < 2; ++place)
        threads.emplace_back([&, place] {
            for (int i = 0; i < 50; ++i) run(d.queues[place], kernels[place], kPart);
            clFinish(d.queues[place]);
        });
    for (std::thread& thread : threads) thread.join();
    std::vector<cl_int> expected(2 * kPart, 50);
    std::fill(expected.begin() + kPart, expected.end(), 100);
    CHECK(d.read_after(0, whole, 2 * kPart, nullptr) == expected);
}

TEST_CASE("5.6 shared memory of several devices, which all are the processor") {
    Devices d;
    if (!d.are_several()) return;
    const bool all_fine = std::ranges::all_of(d.devices, [](cl_device_id device) {
        return (info<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) &
                CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    });
    if (!all_fine) return;
    cl_kernel kernel = d.make_kernel(kAdd, "add");
    auto* shared = static_cast<cl_int*>(clSVMAlloc(d.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 2 * kSize, 0));
    REQUIRE(shared != nullptr);
    const std::vector<cl_int> in = counted(kCount);
    CHECK(set(kernel, 1, 3) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, shared) == CL_SUCCESS);
    cl_event last = nullptr;
    for (size_t place = 0; place < d.devices.size(); ++place) {
        std::ranges::copy(in, shared);
        last = d.run_after(place, kernel, kCount, last);
        cl_event copied = nullptr;
        CHECK(clEnqueueSVMMemcpy(d.queues[place], CL_FALSE, shared + kCount, shared, kSize, 1, &last,
                                 &copied) == CL_SUCCESS);
        d.keep(copied);
        CHECK(clWaitForEvents(1, &copied) == CL_SUCCESS);
        CHECK(std::vector<cl_int>(shared + kCount, shared + 2 * kCount) == counted(kCount, 3));
        const cl_int nine = 9;
        CHECK(clEnqueueSVMMemFill(d.queues[place], shared, &nine, sizeof nine, kSize, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clEnqueueSVMMap(d.queues[place], CL_TRUE, CL_MAP_READ, shared, kSize, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(std::vector<cl_int>(shared, shared + kCount) == std::vector<cl_int>(kCount, 9));
        CHECK(clEnqueueSVMUnmap(d.queues[place], shared, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(d.queues[place]) == CL_SUCCESS);
    }
    clSVMFree(d.context, shared);
}

TEST_CASE("5.2.1 a buffer on shared memory is that memory on each device") {
    Devices d;
    if (!d.are_several()) return;
    const auto is_fine = [](cl_device_id device) {
        return (info<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) &
                CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    };
    if (!std::ranges::all_of(d.devices, is_fine)) return;
    cl_kernel by_buffer = d.make_kernel(kAdd, "add"), by_pointer = d.make_kernel(d.programs.back(), "add");
    auto* shared = static_cast<cl_int*>(clSVMAlloc(d.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 2 * kSize, 0));
    REQUIRE(shared != nullptr);
    cl_int* const begin = shared + 128;
    std::vector<cl_int> expected = counted(kCount), out(kCount);
    std::ranges::copy(expected, begin);
    cl_mem buffer = d.make_buffer(kSize, begin, CL_MEM_USE_HOST_PTR);
    CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
    const auto are_right = [&] { return std::equal(expected.begin(), expected.end(), begin); };
    CHECK(set(by_buffer, 0, buffer) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(by_pointer, 0, begin) == CL_SUCCESS);
    CHECK(set(by_buffer, 1, 10) == CL_SUCCESS);
    CHECK(set(by_pointer, 1, 300) == CL_SUCCESS);
    for (size_t turn = 0; turn < 2 * d.devices.size(); ++turn) {
        cl_command_queue queue = d.queues[turn % d.devices.size()];
        cl_command_queue other = d.queues[(turn + 1) % d.devices.size()];
        begin[7] = expected[7] = -static_cast<cl_int>(turn);  // the host writes by the pointer
        CHECK(run(queue, by_buffer, kCount) == CL_SUCCESS);
        CHECK(run(queue, by_pointer, kCount) == CL_SUCCESS);
        CHECK(clFinish(queue) == CL_SUCCESS);
        for (cl_int& value : expected) value += 310;
        CHECK(are_right());
        // Commands on the buffer, in the queue of either device.
        const cl_int five = 5;
        CHECK(clEnqueueFillBuffer(queue, buffer, &five, 4, 40, 80, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 400, 4, &five, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(queue) == CL_SUCCESS);
        std::fill_n(expected.begin() + 10, 20, 5);
        expected[100] = 5;
        CHECK(are_right());
        CHECK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, kSize, out.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(out == expected);
        cl_int code = 1;
        auto* mapped = static_cast<cl_int*>(clEnqueueMapBuffer(
            other, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 80, 0, nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(mapped == begin + 2);
        mapped[1] = expected[3] = 77;
        CHECK(clEnqueueUnmapMemObject(other, buffer, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(other) == CL_SUCCESS);
        // The program's memory in a command may be that of another device.
        cl_mem plain = d.make_buffer(kSize);
        CHECK(clEnqueueWriteBuffer(other, plain, CL_TRUE, 0, kSize, begin, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(queue, plain, CL_TRUE, 0, 400, begin + kCount / 2, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        std::copy_n(expected.begin(), 100, expected.begin() + kCount / 2);
        CHECK(are_right());
    }
    CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    std::erase(d.buffers, buffer);
    clSVMFree(d.context, shared);
}

TEST_CASE(
    "5.2.1 a device without pointers uses a buffer on another's shared memory, and copies no more of it") {
    Devices d;
    if (!d.are_several()) return;
    constexpr size_t kInts = 16 << 20, kBytes = kInts * sizeof(cl_int);
    auto* shared = static_cast<cl_int*>(clSVMAlloc(d.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, kBytes, 0));
    if (!shared) return;
    std::vector<cl_int> expected = counted(kInts);
    const double copying = seconds_of([&] { std::ranges::copy(expected, shared); });
    cl_mem buffer = d.make_buffer(kBytes, shared, CL_MEM_USE_HOST_PTR);
    cl_kernel kernel = d.make_kernel(kAdd, "add");
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(set(kernel, 1, 1) == CL_SUCCESS);
    // The host, and each device in turn, change what the others then see.
    cl_int turn = 0;
    for (; turn < 8; ++turn) {
        cl_command_queue queue = d.queues[static_cast<size_t>(turn) % 2];
        const size_t last = kInts - 1 - static_cast<size_t>(turn) * 5000;
        shared[last] = expected[last] = -turn;
        CHECK(run(queue, kernel, kCount) == CL_SUCCESS);
        const cl_int five = 5;
        CHECK(clEnqueueFillBuffer(queue, buffer, &five, 4, kBytes / 2, 4 * (turn + 1), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clFinish(queue) == CL_SUCCESS);
        for (size_t i = 0; i < kCount; ++i) ++expected[i];
        expected[kInts / 2 + static_cast<size_t>(turn)] = 5;
        CHECK(std::equal(expected.begin(), expected.end(), shared));
    }
    constexpr int kLaunches = 1000;
    const bool has_own_copy = std::getenv("CALDERA_TEST_EXTENSIONS") != nullptr;
    for (cl_command_queue queue : d.queues) {
        if (has_own_copy) break;
        check_in_some_try([&] {
            const double launching = seconds_of([&] {
                size_t failed = 0;
                for (int i = 0; i < kLaunches; ++i) failed += run(queue, kernel, kCount) != CL_SUCCESS;
                CHECK(clFinish(queue) == CL_SUCCESS);
                CHECK(failed == 0);
            });
            for (size_t i = 0; i < kCount; ++i) expected[i] += kLaunches;
            CHECK(std::equal(expected.begin(), expected.end(), shared));
            return launching < kLaunches / 2 * copying;
        });
    }
    CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    std::erase(d.buffers, buffer);
    clSVMFree(d.context, shared);
}

namespace {

/// Shared memory of the first device that has any, and a buffer on it that each device uses.
struct SharedBytes {
    SharedBytes(Devices& of, size_t size) : d(of), size_bytes(size) {
        while (owner < d.devices.size() && svm() == 0) ++owner;
        if (owner == d.devices.size()) return;
        pointer = static_cast<unsigned char*>(clSVMAlloc(d.context, CL_MEM_READ_WRITE, size, 4096));
        if (pointer) buffer = d.make_buffer(size, pointer, CL_MEM_USE_HOST_PTR);
    }
    ~SharedBytes() {
        if (!pointer) return;
        for (cl_command_queue queue : d.queues) CHECK(clFinish(queue) == CL_SUCCESS);
        clSVMFree(d.context, pointer);
    }
    /// What the owner has.
    cl_device_svm_capabilities svm() const {
        return info<cl_device_svm_capabilities>(clGetDeviceInfo, d.devices[owner],
                                                CL_DEVICE_SVM_CAPABILITIES);
    }
    /// Calls work() while the host has mapped a part.
    template <class F>
    void map(cl_map_flags flags, size_t offset, size_t size, std::vector<cl_event> after, const F& work) {
        cl_command_queue queue = d.queues[owner];
        REQUIRE(clEnqueueSVMMap(queue, CL_TRUE, flags, pointer + offset, size,
                                static_cast<cl_uint>(after.size()), after.empty() ? nullptr : after.data(),
                                nullptr) == CL_SUCCESS);
        work();
        REQUIRE(clEnqueueSVMUnmap(queue, pointer + offset, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(queue) == CL_SUCCESS);
    }
    cl_mem part(size_t offset, size_t size) {
        cl_int code = 1;
        const cl_buffer_region region = {offset, size};
        cl_mem made = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        REQUIRE(code == CL_SUCCESS);
        d.buffers.insert(d.buffers.begin(), made);
        return made;
    }

    Devices& d;
    size_t size_bytes, owner = 0;
    unsigned char* pointer = nullptr;
    cl_mem buffer = nullptr;
};

}  // namespace

TEST_CASE("5.2.1 commands of another device move those bytes of shared memory that they use") {
    Devices d;
    if (!d.are_several()) return;
    constexpr size_t kBytes = 64 << 20, kPart = 4096, kMiddle = kBytes / 2;
    SharedBytes shared(d, kBytes);
    if (!shared.pointer) return;
    std::vector<unsigned char> expected(kBytes);
    for (size_t i = 0; i < kBytes; ++i) expected[i] = static_cast<unsigned char>(i * 7 + (i >> 12));
    double copying = 0;
    shared.map(CL_MAP_WRITE, 0, kBytes, {},
               [&] { copying = seconds_of([&] { std::ranges::copy(expected, shared.pointer); }); });
    cl_kernel add = d.make_kernel(kAdd, "add");
    cl_mem part = shared.part(kMiddle, kPart);
    REQUIRE(set(add, 0, part) == CL_SUCCESS);
    REQUIRE(set(add, 1, 1) == CL_SUCCESS);
    constexpr int kTurns = 200;
    cl_int additions = 0;
    const auto change = [&](size_t place) {
        cl_command_queue queue = d.queues[place];
        size_t failed = 0;
        for (int turn = 0; turn < kTurns; ++turn) {
            const auto at = static_cast<size_t>(turn) * 40009 + place;
            const auto value = static_cast<unsigned char>(turn + 100);
            std::array<unsigned char, 3> word = {value, 1, 2}, read = {};
            failed += clEnqueueFillBuffer(queue, shared.buffer, &value, 1, at, 5, 0, nullptr, nullptr) != 0;
            failed += clEnqueueWriteBuffer(queue, shared.buffer, CL_FALSE, at + 7, 3, word.data(), 0, nullptr,
                                           nullptr) != 0;
            failed += run(queue, add, kPart / sizeof(cl_int)) != 0;
            failed += clEnqueueReadBuffer(queue, shared.buffer, CL_TRUE, at + 3, 3, read.data(), 0, nullptr,
                                          nullptr) != 0;
            std::fill_n(expected.begin() + static_cast<ptrdiff_t>(at), 5, value);
            std::ranges::copy(word, expected.begin() + static_cast<ptrdiff_t>(at) + 7);
            failed +=
                !std::equal(read.begin(), read.end(), expected.begin() + static_cast<ptrdiff_t>(at) + 3);
        }
        CHECK(clFinish(queue) == CL_SUCCESS);
        CHECK(failed == 0);
        additions += kTurns;
    };
    // Four commands a turn, none of which copies all bytes.
    for (size_t place = 0; place < d.devices.size(); ++place)
        check_in_some_try([&] { return seconds_of([&] { change(place); }) < kTurns * copying; });
    for (size_t i = 0; i < kPart; i += sizeof(cl_int)) {
        cl_int value = 0;
        std::memcpy(&value, &expected[kMiddle + i], sizeof value);
        value += additions;
        std::memcpy(&expected[kMiddle + i], &value, sizeof value);
    }
    shared.map(CL_MAP_READ, 0, kBytes, {},
               [&] { CHECK(std::memcmp(expected.data(), shared.pointer, kBytes) == 0); });
}

TEST_CASE("5.2.1 a device keeps shared memory of another one until that or the host needs it") {
    Devices d;
    if (!d.are_several()) return;
    constexpr size_t kInts = 16 << 20, kBytes = kInts * sizeof(cl_int);
    SharedBytes shared(d, kBytes);
    // Where the host has the bytes themselves, it may look at them after each command.
    if (!shared.pointer || shared.svm() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) return;
    std::vector<cl_int> expected = counted(kInts);
    double copying = 0;
    shared.map(CL_MAP_WRITE, 0, kBytes, {},
               [&] { copying = seconds_of([&] { std::memcpy(shared.pointer, expected.data(), kBytes); }); });
    cl_kernel add = d.make_kernel(kAdd, "add");
    REQUIRE(set(add, 0, shared.buffer) == CL_SUCCESS);
    REQUIRE(set(add, 1, 1) == CL_SUCCESS);
    constexpr int kLaunches = 300;
    const size_t other = shared.owner == 0 ? 1 : 0;
    check_in_some_try([&] {
        const double launching = seconds_of([&] {
            size_t failed = 0;
            for (int i = 0; i < kLaunches; ++i) failed += run(d.queues[other], add, kCount) != CL_SUCCESS;
            CHECK(clFinish(d.queues[other]) == CL_SUCCESS);
            CHECK(failed == 0);
        });
        for (size_t i = 0; i < kCount; ++i) expected[i] += kLaunches;
        return launching < kLaunches * copying;
    });
    shared.map(CL_MAP_READ, 0, kBytes, {},
               [&] { CHECK(std::memcmp(expected.data(), shared.pointer, kBytes) == 0); });
}

TEST_CASE("5.2.1 shared memory under random commands of several devices, which events order") {
    Devices d;
    if (!d.are_several()) return;
    constexpr size_t kBytes = 64 * 1024 + 52, kUnit = 1024;
    SharedBytes shared(d, kBytes);
    if (!shared.pointer) return;
    const char* const source =
        "kernel void mix(global uchar *to, constant uchar *from, uchar n) {"
        "  size_t i = get_global_id(0); to[i] = to[i] * 3 + from[i] + n; }";
    cl_kernel mix = d.make_kernel(source, "mix");
    std::vector<cl_mem> parts;
    for (size_t at = 0; at + 2 * kUnit <= kBytes; at += 2 * kUnit)
        parts.push_back(shared.part(at, 2 * kUnit - 5));
    std::vector<unsigned char> expected(kBytes, 9);
    shared.map(CL_MAP_WRITE, 0, kBytes, {}, [&] { std::ranges::copy(expected, shared.pointer); });
    uint32_t state = 12345;
    const auto random = [&](size_t below) {
        state = state * 1664525 + 1013904223;
        return static_cast<size_t>(state >> 8) % below;
    };
    std::vector<cl_event> last;
    for (int step = 0; step < 400; ++step) {
        CAPTURE(step);
        cl_command_queue queue = d.queues[random(d.queues.size())];
        const size_t at = random(kBytes - 600), size = 1 + random(599);
        const auto value = static_cast<unsigned char>(random(256));
        unsigned char* const model = expected.data() + at;
        const auto waits = static_cast<cl_uint>(last.size());
        const cl_event* const before = last.empty() ? nullptr : last.data();
        cl_event event = nullptr;
        std::vector<unsigned char> bytes(size);
        switch (random(7)) {
            case 0:
                REQUIRE(clEnqueueFillBuffer(queue, shared.buffer, &value, 1, at, size, waits, before,
                                            &event) == CL_SUCCESS);
                std::fill_n(model, size, value);
                break;
            case 1:
                for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random(256));
                REQUIRE(clEnqueueWriteBuffer(queue, shared.buffer, CL_TRUE, at, size, bytes.data(), waits,
                                             before, &event) == CL_SUCCESS);
                std::ranges::copy(bytes, model);
                break;
            case 2:
                REQUIRE(clEnqueueReadBuffer(queue, shared.buffer, CL_TRUE, at, size, bytes.data(), waits,
                                            before, &event) == CL_SUCCESS);
                CHECK(std::equal(bytes.begin(), bytes.end(), model));
                break;
            case 3: {  // rows with gaps
                const size_t origin[] = {at, 0, 0}, zero[] = {0, 0, 0}, region[] = {3, 9, 1};
                std::array<unsigned char, 27> rows = {};
                rows.fill(value);
                REQUIRE(clEnqueueWriteBufferRect(queue, shared.buffer, CL_TRUE, origin, zero, region, 61, 0,
                                                 3, 0, rows.data(), waits, before, &event) == CL_SUCCESS);
                for (size_t y = 0; y < 9; ++y) std::fill_n(model + y * 61, 3, value);
                break;
            }
            case 4: {
                const size_t to = at < kBytes / 2 ? at + kBytes / 2 - 600 : at - kBytes / 2;
                const size_t most = std::min(size, to > at ? to - at : at - to);
                if (most == 0) continue;
                REQUIRE(clEnqueueCopyBuffer(queue, shared.buffer, shared.buffer, at, to, most, waits, before,
                                            &event) == CL_SUCCESS);
                std::copy_n(model, most, expected.data() + to);
                break;
            }
            case 5: {
                const size_t to = random(parts.size()),
                             from = (to + 1 + random(parts.size() - 1)) % parts.size();
                REQUIRE(set(mix, 0, parts[to]) == CL_SUCCESS);
                REQUIRE(set(mix, 1, parts[from]) == CL_SUCCESS);
                REQUIRE(set(mix, 2, value) == CL_SUCCESS);
                const size_t items = 2 * kUnit - 5;
                REQUIRE(clEnqueueNDRangeKernel(queue, mix, 1, nullptr, &items, nullptr, waits, before,
                                               &event) == CL_SUCCESS);
                for (size_t i = 0; i < items; ++i) {
                    unsigned char& byte = expected[to * 2 * kUnit + i];
                    byte = static_cast<unsigned char>(byte * 3 + expected[from * 2 * kUnit + i] + value);
                }
                break;
            }
            case 6:
                shared.map(CL_MAP_READ | CL_MAP_WRITE, at, size, last, [&] {
                    CHECK(std::equal(model, model + size, shared.pointer + at));
                    std::fill_n(shared.pointer + at, size, value);
                    std::fill_n(model, size, value);
                });
                last.clear();
                continue;
        }
        last = {d.keep(event)};
    }
    shared.map(CL_MAP_READ, 0, kBytes, last,
               [&] { CHECK(std::memcmp(expected.data(), shared.pointer, kBytes) == 0); });
}

TEST_CASE("5.2.1 parts of shared memory, each used on another device at one time") {
    Devices d;
    if (!d.are_several()) return;
    constexpr size_t kPart = 1024, kInts = kPart / sizeof(cl_int);
    SharedBytes shared(d, d.devices.size() * kPart);
    if (!shared.pointer) return;
    shared.map(CL_MAP_WRITE, 0, shared.size_bytes, {},
               [&] { std::fill_n(shared.pointer, shared.size_bytes, static_cast<unsigned char>(0)); });
    cl_kernel first = d.make_kernel(kAdd, "add");
    std::vector<cl_kernel> kernels;
    for (size_t place = 0; place < d.devices.size(); ++place) {
        cl_int code = CL_SUCCESS;
        kernels.push_back(place == 0 ? first : clCloneKernel(first, &code));
        REQUIRE(code == CL_SUCCESS);
        if (place != 0) d.kernels.push_back(kernels.back());
        CHECK(set(kernels[place], 0, shared.part(place * kPart, kPart)) == CL_SUCCESS);
        CHECK(set(kernels[place], 1, static_cast<cl_int>(place + 1)) == CL_SUCCESS);
    }
    std::vector<std::thread> threads;
    for (size_t place = 0; place < d.devices.size(); ++place)
        threads.emplace_back([&, place] {
            for (int i = 0; i < 50; ++i) run(d.queues[place], kernels[place], kInts);
            clFinish(d.queues[place]);
        });
    for (std::thread& thread : threads) thread.join();
    shared.map(CL_MAP_READ, 0, shared.size_bytes, {}, [&] {
        for (size_t place = 0; place < d.devices.size(); ++place) {
            std::vector<cl_int> part(kInts);
            std::memcpy(part.data(), shared.pointer + place * kPart, kPart);
            CHECK(part == std::vector<cl_int>(kInts, 50 * (static_cast<cl_int>(place) + 1)));
        }
    });
}

TEST_CASE(
    "5.2.1 commands of one replay find what those before them wrote to another device's shared memory") {
    Devices d;
    if (!d.are_several()) return;
    SharedBytes shared(d, 3 * kSize);
    if (!shared.pointer) return;
    std::vector<cl_int> expected = counted(3 * kCount);
    shared.map(CL_MAP_WRITE, 0, 3 * kSize, {},
               [&] { std::memcpy(shared.pointer, expected.data(), 3 * kSize); });
    cl_kernel add = d.make_kernel(kAdd, "add");
    REQUIRE(set(add, 0, shared.buffer) == CL_SUCCESS);
    REQUIRE(set(add, 1, 5) == CL_SUCCESS);
    cl_mem plain = d.make_buffer(kSize);
    for (cl_command_queue queue : d.queues) {
        const OwnCommandBuffer commands(queue);
        commands.run(add, kCount / 2);
        commands.copy(shared.buffer, plain, kSize);
        commands.run(add, kCount);
        commands.copy(plain, shared.buffer, kSize / 4);
        commands.run(add, 2 * kCount);
        commands.finish_recording();
        for (int turn = 0; turn < 2; ++turn) {
            REQUIRE(commands.replay() == CL_SUCCESS);
            for (size_t i = 0; i < kCount / 2; ++i) expected[i] += 5;
            const std::vector<cl_int> copied(expected.begin(), expected.begin() + kCount / 4);
            for (size_t i = 0; i < kCount; ++i) expected[i] += 5;
            std::ranges::copy(copied, expected.begin());
            for (size_t i = 0; i < 2 * kCount; ++i) expected[i] += 5;
        }
        CHECK(clFinish(queue) == CL_SUCCESS);
        shared.map(CL_MAP_READ, 0, 3 * kSize, {},
                   [&] { CHECK(std::memcmp(expected.data(), shared.pointer, 3 * kSize) == 0); });
    }
}

TEST_CASE("a semaphore is for one device of a context") {
    const Devices d;
    if (!d.are_several()) return;
    const Semaphores semaphores;
    cl_int code = 1;
    CHECK(semaphores.create(d.context, kBinary, &code) == nullptr);
    CHECK(code == CL_INVALID_PROPERTY);
    std::vector<cl_semaphore_properties_khr> properties = {
        CL_SEMAPHORE_TYPE_KHR,
        CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
        reinterpret_cast<cl_semaphore_properties_khr>(d.devices[1]),
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
        0};
    const OwnSemaphore semaphore(d.context, properties.data());
    CHECK(semaphore.signal_in(d.queues[0]) == CL_INVALID_COMMAND_QUEUE);
    CHECK(semaphore.wait_in(d.queues[0]) == CL_INVALID_COMMAND_QUEUE);
    CHECK(semaphore.signal_in(d.queues[1]) == CL_SUCCESS);
    CHECK(semaphore.wait_in(d.queues[1]) == CL_SUCCESS);
    CHECK(clFinish(d.queues[1]) == CL_SUCCESS);
    CHECK(info<cl_device_id>(semaphore.get_info, semaphore.handle, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) ==
          d.devices[1]);
    // A device that is not in the context.
    cl_context first = clCreateContext(nullptr, 1, d.devices.data(), nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(semaphores.create(first, properties.data(), &code) == nullptr);
    CHECK(code == CL_INVALID_DEVICE);
    CHECK(clReleaseContext(first) == CL_SUCCESS);
}

TEST_CASE("a command-buffer runs on its queue's device, and finds the bytes of other devices") {
    Devices d;
    if (!d.are_several()) return;
    cl_kernel add = d.make_kernel(kAdd, "add");
    std::vector<cl_int> start = counted(kCount);
    cl_mem buffer = d.make_buffer(kSize, start.data()), copy = d.make_buffer(kSize);
    const cl_int one = 1;
    REQUIRE(set(add, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(add, 1, one) == CL_SUCCESS);
    const OwnCommandBuffer first(d.queues[0]), second(d.queues[1]);
    for (const OwnCommandBuffer* commands : {&first, &second}) {
        commands->run(add, kCount);
        commands->copy(buffer, copy, kSize);
        commands->finish_recording();
    }
    std::vector<cl_event> before;
    for (int turn = 0; turn < 3; ++turn)
        for (const OwnCommandBuffer* commands : {&first, &second}) {
            cl_event event = nullptr;
            REQUIRE(commands->replay(nullptr, &event, before) == CL_SUCCESS);
            before = {d.keep(event)};
        }
    CHECK(d.read_after(0, buffer, kCount, before[0]) == counted(kCount, 6));
    CHECK(d.read_after(1, copy, kCount, before[0]) == counted(kCount, 6));
    CHECK(first.replay(d.queues[1]) == CL_INVALID_DEVICE);
}

TEST_CASE(
    "cl_ext_buffer_device_address: each device has an address of a buffer, and the newest bytes there") {
    Devices d;
    if (!d.are_several()) return;
    cl_kernel kernel = d.make_kernel(kAdd, "add");
    const auto set_pointer =
        extension_function<clSetKernelArgDevicePointerEXT_fn>("clSetKernelArgDevicePointerEXT");
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    std::vector<cl_int> values = counted(kCount);
    cl_int code = 1;
    cl_mem buffer = clCreateBufferWithProperties(d.context, properties, CL_MEM_COPY_HOST_PTR, kSize,
                                                 values.data(), &code);
    if (code == CL_INVALID_OPERATION) return;
    REQUIRE(code == CL_SUCCESS);
    d.buffers.push_back(buffer);
    std::vector<cl_mem_device_address_ext> addresses(d.devices.size());
    const size_t bytes = addresses.size() * sizeof addresses[0];
    REQUIRE(clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESS_EXT, bytes, addresses.data(), nullptr) ==
            CL_SUCCESS);
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESS_EXT, bytes - 1, addresses.data(), nullptr) ==
          CL_INVALID_VALUE);
    REQUIRE(set(kernel, 1, 1) == CL_SUCCESS);
    cl_event before = nullptr;
    cl_int rounds = 0;
    for (; rounds < 4; ++rounds)
        for (size_t place = 0; place < d.devices.size(); ++place) {
            if (addresses[place] == 0) continue;
            REQUIRE(set_pointer(kernel, 0, addresses[place] + (kCount / 2) * sizeof(cl_int)) == CL_SUCCESS);
            before = d.run_after(place, kernel, kCount / 2, before);
            for (size_t i = kCount / 2; i < kCount; ++i) ++values[i];
        }
    CHECK(d.read_after(0, buffer, kCount, before) == values);
}

TEST_CASE("cl_intel_unified_shared_memory: what is of one device, and what all have") {
    Devices d;
    if (!d.are_several()) return;
    const Usm usm;
    const auto can = [&](size_t place, cl_device_info kind) {
        return info<cl_bitfield>(clGetDeviceInfo, d.devices[place], kind) != 0;
    };
    for (size_t place = 0; place < d.devices.size(); ++place)
        if (!can(place, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL)) return;
    cl_kernel kernel = d.make_kernel(kAdd, "add");
    REQUIRE(set(kernel, 1, 1) == CL_SUCCESS);
    const auto copy = [&](size_t place, void* to, const void* from) {
        return usm.copy(d.queues[place], CL_TRUE, to, from, kSize, 0, nullptr, nullptr);
    };
    std::vector<void*> of_devices;
    std::vector<cl_int> values = counted(kCount), back(kCount);
    for (size_t place = 0; place < d.devices.size(); ++place) {
        cl_int code = 1;
        of_devices.push_back(usm.allocate_device(d.context, d.devices[place], nullptr, kSize, 0, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(info<cl_device_id>(usm.get_info, d.context, of_devices[place], CL_MEM_ALLOC_DEVICE_INTEL) ==
              d.devices[place]);
        REQUIRE(copy(place, of_devices[place], values.data()) == CL_SUCCESS);
        REQUIRE(usm.set_argument(kernel, 0, of_devices[place]) == CL_SUCCESS);
        REQUIRE(run(d.queues[place], kernel, kCount) == CL_SUCCESS);
        REQUIRE(copy(place, back.data(), of_devices[place]) == CL_SUCCESS);
        CHECK(back == counted(kCount, 1));
    }
    CHECK(copy(0, back.data(), of_devices[1]) == CL_INVALID_OPERATION);
    CHECK(copy(0, of_devices[0], of_devices[1]) == CL_INVALID_OPERATION);
    for (void* memory : of_devices) CHECK(usm.blocking_free(d.context, memory) == CL_SUCCESS);

    // Memory that every device accesses.
    for (size_t place = 0; place < d.devices.size(); ++place)
        if (!can(place, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL)) return;
    cl_int code = 1;
    std::vector<void*> shared = {usm.allocate_host(d.context, nullptr, kSize, 0, &code)};
    REQUIRE(code == CL_SUCCESS);
    for (cl_device_id device : {cl_device_id{nullptr}, d.devices[0], d.devices[1]}) {
        shared.push_back(usm.allocate_shared(d.context, device, nullptr, kSize, 0, &code));
        REQUIRE(code == CL_SUCCESS);
    }
    for (void* memory : shared) {
        auto* numbers = static_cast<cl_int*>(memory);
        std::ranges::copy(values, numbers);
        REQUIRE(usm.set_argument(kernel, 0, memory) == CL_SUCCESS);
        for (cl_command_queue queue : d.queues) {
            REQUIRE(run(queue, kernel, kCount) == CL_SUCCESS);
            REQUIRE(clFinish(queue) == CL_SUCCESS);
        }
        CHECK(std::vector<cl_int>(numbers, numbers + kCount) ==
              counted(kCount, static_cast<cl_int>(d.queues.size())));
        REQUIRE(copy(1, back.data(), memory) == CL_SUCCESS);
        CHECK(back[5] == numbers[5]);
        CHECK(usm.free(d.context, memory) == CL_SUCCESS);
    }
}
