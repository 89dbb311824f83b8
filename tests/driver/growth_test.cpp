// SPDX-License-Identifier: Apache-2.0
// What a program makes and releases again and again leaves nothing behind: neither what nobody can reach any
// more, nor what some list of the driver's still has. The heap's own count of bytes in use tells of a few
// bytes for each object. That count includes what threads have freed and glibc keeps for them, kilobytes that
// depend on which thread freed what. So the tests only run where GLIBC_TUNABLES turns that off, as ctest
// does.
#include <dirent.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "tests/driver/command_buffers.h"
#include "tests/driver/fixture.h"
#include "tests/driver/images.h"
#include "tests/driver/programs.h"

#if defined __GLIBC__ && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 233
#include <malloc.h>

using namespace caldera::driver_test;

namespace {

// Each round makes more than all before it, so that a list whose capacity doubles grows in it, too.
constexpr size_t kFirstRound = 100;  // in which whatever is kept is made
constexpr int kRounds = 5;           // a later one neither grows nor shrinks
constexpr size_t kNoise = 1500;      // bytes of a round, or four for each object: a list has eight at least
constexpr size_t kMega = 1 << 20;    // a round does not fit into what is allocated at once
constexpr const char* kAdd =
    "kernel void add(global int* values, int by) { values[get_global_id(0)] += by; }";
constexpr const char* kCopy = R"(
    kernel void copy(read_only image2d_t from, sampler_t at, write_only image2d_t to) {
        const int2 here = (int2)(get_global_id(0), get_global_id(1));
        write_imagef(to, here, read_imagef(from, at, here));
    })";

size_t heap_bytes() {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

bool is_counted_exactly() {
    const char* const tunables = std::getenv("GLIBC_TUNABLES");
    return tunables && std::string_view(tunables).find("glibc.malloc.tcache_count=0") != std::string::npos;
}

/// Threads of the driver may still release the last of a round.
size_t heap_bytes_soon(size_t at_most) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    size_t bytes = heap_bytes();
    while (bytes > at_most && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        bytes = heap_bytes();
    }
    return bytes;
}

size_t open_files() {
    size_t count = 0;
    if (DIR* const folder = opendir("/proc/self/fd")) {
        while (readdir(folder)) ++count;
        closedir(folder);
    }
    return count;
}

struct Churn : Fixture {
    cl_program program = build(kAdd);
    cl_kernel add = make_kernel(program, "add");
    cl_mem values = make_buffer(4096);

    void launch(cl_command_queue in, cl_kernel kernel, cl_mem buffer) {
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, cl_int{1}) == CL_SUCCESS);
        REQUIRE(run(in, kernel, 64) == CL_SUCCESS);
    }

    /// Has it make and release things until a round has left nothing behind. Otherwise it returns how many
    /// bytes each left, round after round.
    std::string growth(const std::function<void(int)>& make) {
        std::string grown;
        size_t after_first = 0, made_since = 0;
        int number = 0;
        for (int round = 0; round < kRounds; ++round) {
            const size_t count = kFirstRound << round;
            const size_t room = std::max(kNoise, size_t{4} * count), before = heap_bytes();
            for (size_t i = 0; i < count; ++i) make(number++);
            REQUIRE(clFinish(queue) == CL_SUCCESS);
            const size_t after = heap_bytes_soon(before + room);
            if (round == 0)
                after_first = after;
            else
                made_since += count;
            // A driver's threads may end what it has kept at any time, as NVIDIA's do.
            const bool is_steady = round > 0 && after <= before + room && before <= after + room,
                       is_less = round > 1 && after <= after_first + std::max(kNoise, 4 * made_since);
            if (is_steady || is_less) return "";
            grown += " " + std::to_string((static_cast<double>(after) - static_cast<double>(before)) /
                                          static_cast<double>(count));
        }
        return grown;
    }

    void repeat(const char* what, const std::function<void(int)>& make) {
        const size_t files = open_files();
        const std::string grown = growth(make);
        CHECK_MESSAGE(grown.empty(), std::string(what)
                                         << ": each left bytes behind, round after round:" << grown);
        CHECK(open_files() <= files + 4);
    }
};

}  // namespace

TEST_CASE("16 bytes for each of many objects count, and so they do not leave nothing behind") {
    if (!is_counted_exactly()) return;
    Churn f;
    std::vector<std::unique_ptr<char[]>> left;
    left.reserve(size_t{kFirstRound} << kRounds);
    CHECK(f.growth([](int) { std::make_unique<char[]>(16); }).empty());
    CHECK(!f.growth([&](int) { left.push_back(std::make_unique<char[]>(16)); }).empty());
}

TEST_CASE("contexts, queues and memory that are released leave nothing behind") {
    if (is_validated() || !is_counted_exactly()) return;
    Churn f;
    f.repeat("contexts with all they need", [](int) {
        Fixture own;
        own.make_buffer(4096);
        const cl_int zero = 0;
        REQUIRE(clEnqueueFillBuffer(own.queue, own.buffers[0], &zero, sizeof zero, 0, 4096, 0, nullptr,
                                    nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(own.queue) == CL_SUCCESS);
    });
    f.repeat("queues", [&](int number) {
        const bool in_order = number % 2;
        cl_command_queue queue = f.make_queue(in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        f.launch(queue, f.add, f.values);
        REQUIRE(clReleaseCommandQueue(queue) == CL_SUCCESS);
        f.queues.pop_back();
    });
    f.repeat("buffers, and parts of them", [&](int) {
        cl_int code = 1;
        cl_mem whole = clCreateBuffer(f.context, 0, kMega, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        const cl_buffer_region region = {4096, 4096};
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        REQUIRE(code == CL_SUCCESS);
        f.launch(f.queue, f.add, part);
        void* const mapped =
            clEnqueueMapBuffer(f.queue, whole, CL_TRUE, CL_MAP_READ, 0, 4096, 0, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clEnqueueUnmapMemObject(f.queue, whole, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clReleaseMemObject(part) == CL_SUCCESS);
        REQUIRE(clReleaseMemObject(whole) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    });
    std::vector<cl_int> host(4096);
    f.repeat("buffers in the host's memory", [&](int) {
        cl_int code = 1;
        cl_mem buffer = clCreateBuffer(f.context, CL_MEM_USE_HOST_PTR, 16384, host.data(), &code);
        REQUIRE(code == CL_SUCCESS);
        f.launch(f.queue, f.add, buffer);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        REQUIRE(clReleaseMemObject(buffer) == CL_SUCCESS);
    });
    cl_kernel copy = f.make_kernel(kCopy, "copy");
    f.repeat("images and samplers", [&](int) {
        Objects own;
        own.context = f.context;
        REQUIRE(clRetainContext(f.context) == CL_SUCCESS);
        const cl_image_desc desc = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 512, .image_height = 512};
        const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
        cl_int code = 1;
        for (int i = 0; i < 2; ++i) {
            own.buffers.push_back(clCreateImage(f.context, 0, &format, &desc, nullptr, &code));
            REQUIRE(code == CL_SUCCESS);
        }
        cl_sampler sampler =
            clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(set(copy, 0, own.buffers[0]) == CL_SUCCESS);
        REQUIRE(set(copy, 1, sampler) == CL_SUCCESS);
        REQUIRE(set(copy, 2, own.buffers[1]) == CL_SUCCESS);
        const size_t items[] = {8, 8};
        REQUIRE(clEnqueueNDRangeKernel(f.queue, copy, 2, nullptr, items, nullptr, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        REQUIRE(clReleaseSampler(sampler) == CL_SUCCESS);
    });
    if (info<cl_device_svm_capabilities>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_CAPABILITIES) == 0)
        return;
    f.repeat("shared memory", [&](int number) {
        void* memory = clSVMAlloc(f.context, CL_MEM_READ_WRITE, kMega, 0);
        REQUIRE(memory != nullptr);
        const cl_int zero = 0;
        REQUIRE(clEnqueueSVMMemFill(f.queue, memory, &zero, sizeof zero, 4096, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        if (number % 2)
            REQUIRE(clEnqueueSVMFree(f.queue, 1, &memory, nullptr, nullptr, 0, nullptr, nullptr) ==
                    CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        if (number % 2 == 0) clSVMFree(f.context, memory);
    });
}

TEST_CASE("programs, kernels, events and command-buffers that are released leave nothing behind") {
    if (is_validated() || !is_counted_exactly()) return;
    Churn f;
    f.repeat("kernels and their copies", [&](int) {
        cl_int code = 1;
        cl_kernel kernel = clCreateKernel(f.program, "add", &code);
        REQUIRE(code == CL_SUCCESS);
        f.launch(f.queue, kernel, f.values);
        cl_kernel copy = clCloneKernel(kernel, &code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clReleaseKernel(kernel) == CL_SUCCESS);
        f.launch(f.queue, copy, f.values);
        REQUIRE(clReleaseKernel(copy) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    });
    f.repeat("programs of one source", [&](int) {
        cl_program program = from_source(f, kAdd);
        REQUIRE(clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr) == CL_SUCCESS);
        cl_int code = 1;
        cl_kernel kernel = clCreateKernel(program, "add", &code);
        REQUIRE(code == CL_SUCCESS);
        f.launch(f.queue, kernel, f.values);
        REQUIRE(clReleaseKernel(kernel) == CL_SUCCESS);
        REQUIRE(clReleaseProgram(program) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    });
    f.repeat("programs that do not build", [&](int number) {
        cl_program program =
            from_source(f, ("kernel void k() { none_" + std::to_string(number) + "(); }").c_str());
        REQUIRE(clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
        REQUIRE(clReleaseProgram(program) == CL_SUCCESS);
    });
    const std::vector<unsigned char> binary = binary_of(f.program);
    f.repeat("programs of one binary", [&](int) {
        const unsigned char* bytes = binary.data();
        const size_t size = binary.size();
        cl_int code = 1;
        cl_program program =
            clCreateProgramWithBinary(f.context, 1, &f.the_device, &size, &bytes, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clReleaseProgram(program) == CL_SUCCESS);
    });
    f.repeat("events", [&](int) {
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code), marker = nullptr;
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &marker) == CL_SUCCESS);
        REQUIRE(clSetEventCallback(
                    marker, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        REQUIRE(clWaitForEvents(1, &marker) == CL_SUCCESS);
        REQUIRE(clReleaseEvent(gate) == CL_SUCCESS);
        REQUIRE(clReleaseEvent(marker) == CL_SUCCESS);
    });
    f.repeat("commands that an error ends", [&](int) {
        cl_command_queue queue = f.make_queue(0);
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code), marker = nullptr;
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &marker) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        REQUIRE(clReleaseEvent(gate) == CL_SUCCESS);
        REQUIRE(clReleaseEvent(marker) == CL_SUCCESS);
        REQUIRE(clReleaseCommandQueue(queue) == CL_SUCCESS);
        f.queues.pop_back();
    });
    f.launch(f.queue, f.add, f.values);
    f.repeat("command-buffers", [&](int) {
        const OwnCommandBuffer commands(f.queue);
        commands.run(f.add, 64);
        commands.fill(f.values, 1, 64);
        commands.finish_recording();
        for (int i = 0; i < 2; ++i) REQUIRE(commands.replay({f.queue}) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    });
}

#endif
