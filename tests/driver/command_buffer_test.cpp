// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/driver/command_buffers.h"
#include "tests/driver/queries.h"

namespace caldera::driver_test {
namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr cl_command_queue_properties kBoth[] = {0, kOutOfOrder};
constexpr size_t kItems = 256, kBytes = kItems * sizeof(cl_int);

/// out[i] = a * in[i] + b
struct Line {
    explicit Line(Fixture& f)
        : program(f.build("kernel void line(global int *out, global const int *in, int a, int b) {"
                          "  out[get_global_id(0)] = a * in[get_global_id(0)] + b;"
                          "}")),
          kernel(f.make_kernel(program, "line")) {}
    void set_all(cl_mem out, cl_mem in, cl_int a, cl_int b) const {
        REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, in) == CL_SUCCESS);
        REQUIRE(set(kernel, 2, a) == CL_SUCCESS);
        REQUIRE(set(kernel, 3, b) == CL_SUCCESS);
    }
    cl_program program;
    cl_kernel kernel;
};

void check_all(Fixture& f, cl_mem buffer, cl_int value) {
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, kItems) == std::vector<cl_int>(kItems, value));
}

void write(Fixture& f, cl_mem buffer, cl_int value) {
    REQUIRE(clEnqueueFillBuffer(f.queue, buffer, &value, sizeof value, 0, kBytes, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
}

}  // namespace

TEST_CASE("a command-buffer is replayed again and again, with the arguments of when it was recorded") {
    for (const cl_command_queue_properties properties : kBoth) {
        Fixture f(properties);
        const Line line(f);
        cl_mem in = f.make_buffer(kBytes), middle = f.make_buffer(kBytes), out = f.make_buffer(kBytes);
        const OwnCommandBuffer commands(f.queue);
        line.set_all(middle, in, 2, 1);
        const cl_sync_point_khr first = commands.run(line.kernel, kItems);
        line.set_all(out, middle, 3, -1);
        commands.run(line.kernel, kItems, {first});
        line.set_all(in, out, 0, 77);
        commands.finish_recording();
        for (cl_int value = 0; value < 10; ++value) {
            write(f, in, value);
            REQUIRE(commands.replay() == CL_SUCCESS);
            check_all(f, out, 3 * (2 * value + 1) - 1);
        }
    }
}

TEST_CASE("sync points and barriers order the commands of a command-buffer") {
    for (const cl_command_queue_properties properties : kBoth) {
        Fixture f(properties);
        const Line line(f);
        cl_mem a = f.make_buffer(kBytes), b = f.make_buffer(kBytes), c = f.make_buffer(kBytes);
        const OwnCommandBuffer commands(f.queue);
        // Two chains, which a barrier joins: each command needs the result of the one before.
        cl_sync_point_khr of_a = commands.fill(a, 1, kBytes), of_b = commands.fill(b, 2, kBytes);
        for (int i = 0; i < 5; ++i) {
            line.set_all(a, a, 2, 1);
            of_a = commands.run(line.kernel, kItems, {of_a});
            line.set_all(b, b, 3, 0);
            of_b = commands.run(line.kernel, kItems, {of_b});
        }
        CHECK(of_a != of_b);
        commands.block({of_a, of_b});
        commands.copy(a, c, kBytes / 2);
        commands.copy(b, c, kBytes / 2, kBytes / 2);
        commands.block();
        line.set_all(c, c, 1, 5);
        commands.run(line.kernel, kItems);
        commands.finish_recording();
        for (int i = 0; i < 3; ++i) REQUIRE(commands.replay() == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        std::vector<cl_int> expected(kItems, 2 * 243 + 5);
        std::fill_n(expected.begin(), kItems / 2, 63 + 5);
        if (properties == 0) CHECK(f.read<cl_int>(c, kItems) == expected);
        if (properties == 0) continue;
        // Out of order, replays need an order of their own.
        REQUIRE(commands.replay() == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        CHECK(f.read<cl_int>(c, kItems) == expected);
    }
}

TEST_CASE("command-buffers fill and copy buffers, rectangles and images") {
    Fixture f(kOutOfOrder);
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int code = 1;
    for (int i = 0; i < 2; ++i) {
        f.buffers.push_back(clCreateImage(f.context, 0, &format, &desc, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
    }
    cl_mem image = f.buffers[0], other = f.buffers[1];
    std::array<cl_uint, 16> numbers = {};
    std::iota(numbers.begin(), numbers.end(), 100u);
    cl_mem in = f.make_buffer(sizeof numbers, numbers.data()), out = f.make_buffer(sizeof numbers);
    const OwnCommandBuffer commands(f.queue);
    const std::array<size_t, 3> origin = {}, whole = {4, 4, 1}, corner = {2, 2, 0}, part = {2, 2, 1};
    const std::array<size_t, 3> bytes_at = {8, 0, 0}, bytes = {8, 4, 1};
    const std::array<cl_uint, 4> color = {1, 2, 3, 4};
    const cl_command_buffer_khr buffer = commands.handle;
    const cl_uint zero = 0;
    CHECK(commands.fill_buffer(buffer, nullptr, nullptr, out, &zero, 4, 0, sizeof numbers, 0, nullptr,
                               nullptr, nullptr) == CL_SUCCESS);
    CHECK(commands.copy_buffer_to_image(buffer, nullptr, nullptr, in, image, 0, origin.data(), whole.data(),
                                        0, nullptr, nullptr, nullptr) == CL_SUCCESS);
    commands.block();
    CHECK(commands.fill_image(buffer, nullptr, nullptr, image, color.data(), corner.data(), part.data(), 0,
                              nullptr, nullptr, nullptr) == CL_SUCCESS);
    commands.block();
    CHECK(commands.copy_image(buffer, nullptr, nullptr, image, other, origin.data(), origin.data(),
                              whole.data(), 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
    commands.block();
    CHECK(commands.copy_image_to_buffer(buffer, nullptr, nullptr, other, out, origin.data(), whole.data(), 0,
                                        0, nullptr, nullptr, nullptr) == CL_SUCCESS);
    commands.block();
    // the left half of the first rows goes to the right
    CHECK(commands.copy_buffer_rect(buffer, nullptr, nullptr, out, out, origin.data(), bytes_at.data(),
                                    bytes.data(), 16, 0, 16, 0, 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
    commands.finish_recording();
    for (int i = 0; i < 2; ++i) {
        REQUIRE(commands.replay() == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        std::vector<cl_uint> expected;
        for (cl_uint row = 0; row < 4; ++row)
            for (cl_uint column = 0; column < 4; ++column) expected.push_back(100 + 4 * row + column % 2);
        CHECK(f.read<cl_uint>(out, 16) == expected);
        CHECK(f.read<cl_uint>(in, 16) == std::vector<cl_uint>(numbers.begin(), numbers.end()));
    }
}

TEST_CASE("a command-buffer reads no more of a colour than the image's format has") {
    Fixture f;
    const cl_image_format format{CL_DEPTH, CL_FLOAT};
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
    cl_int code = 1;
    cl_mem image = clCreateImage(f.context, 0, &format, &desc, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(image);
    // the depth is one float, behind which there is no memory
    const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    void* const pages = ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(::mprotect(static_cast<std::byte*>(pages) + page, page, PROT_NONE) == 0);
    cl_float* const depth = static_cast<cl_float*>(pages) + page / sizeof(cl_float) - 1;
    *depth = 0.25f;
    const std::array<size_t, 3> origin = {}, whole = {4, 2, 1};
    const OwnCommandBuffer commands(f.queue);
    CHECK(commands.fill_image(commands.handle, nullptr, nullptr, image, depth, origin.data(), whole.data(), 0,
                              nullptr, nullptr, nullptr) == CL_SUCCESS);
    CHECK(commands.fill_image(commands.handle, nullptr, nullptr, f.make_buffer(16), depth, origin.data(),
                              whole.data(), 0, nullptr, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
    CHECK(::munmap(pages, 2 * page) == 0);
    commands.finish_recording();
    REQUIRE(commands.replay() == CL_SUCCESS);
    std::array<cl_float, 8> texels = {};
    CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, origin.data(), whole.data(), 0, 0, texels.data(), 0,
                             nullptr, nullptr) == CL_SUCCESS);
    CHECK(std::ranges::count(texels, 0.25f) == 8);
}

TEST_CASE("recorded fills and copies of all shapes run between kernels, again and again") {
    Fixture f;
    constexpr size_t kBytes = 200000;  // more than a tile of repetitions
    cl_kernel kernel =
        f.make_kernel("kernel void next(global uchar *a) { a[get_global_id(0)] += 1; }", "next");
    std::vector<cl_uchar> start(kBytes);
    for (const size_t pattern_bytes : {1, 2, 4, 8, 16, 32, 64, 128}) {
        cl_mem filled = f.make_buffer(kBytes, start.data()), copied = f.make_buffer(kBytes, start.data());
        REQUIRE(set(kernel, 0, filled) == CL_SUCCESS);
        std::vector<cl_uchar> pattern(pattern_bytes);
        for (size_t i = 0; i < pattern_bytes; ++i) pattern[i] = static_cast<cl_uchar>(3 * i + 1);
        const size_t offset = pattern_bytes, size = (kBytes - 200) / pattern_bytes * pattern_bytes;
        const OwnCommandBuffer commands(f.queue);
        REQUIRE(commands.fill_buffer(commands.handle, nullptr, nullptr, filled, pattern.data(), pattern_bytes,
                                     offset, size, 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(commands.fill_buffer(commands.handle, nullptr, nullptr, filled, pattern.data(), pattern_bytes,
                                     offset, 0, 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(commands.copy_buffer(commands.handle, nullptr, nullptr, filled, copied, kBytes, 3, 0, 0,
                                     nullptr, nullptr, nullptr) == CL_SUCCESS);
        commands.run(kernel, kBytes);
        REQUIRE(commands.copy_buffer(commands.handle, nullptr, nullptr, filled, copied, 1, 3, kBytes - 5, 0,
                                     nullptr, nullptr, nullptr) == CL_SUCCESS);
        commands.run(kernel, kBytes);
        commands.finish_recording();
        std::vector<cl_uchar> expected(kBytes), expected_copy(kBytes);
        for (int turn = 0; turn < 3; ++turn) {
            REQUIRE(commands.replay() == CL_SUCCESS);
            for (size_t i = 0; i < size; ++i) expected[offset + i] = pattern[i % pattern_bytes];
            for (cl_uchar& byte : expected) ++byte;
            std::copy_n(expected.begin() + 1, kBytes - 5, expected_copy.begin() + 3);
            for (cl_uchar& byte : expected) ++byte;
        }
        CHECK(f.read<cl_uchar>(filled, kBytes) == expected);
        CHECK(f.read<cl_uchar>(copied, kBytes) == expected_copy);
    }
}

TEST_CASE("command-buffers copy and fill shared virtual memory") {
    Fixture f(CL_QUEUE_PROFILING_ENABLE);
    const OwnCommandBuffer commands(f.queue);
    const cl_command_buffer_khr buffer = commands.handle;
    std::array<cl_int, 16> host = {};
    const cl_int seven = 7;
    const auto capabilities = answer<cl_device_svm_capabilities>(f, CL_DEVICE_SVM_CAPABILITIES);
    if (capabilities == 0) {
        // cl_khr_unified_svm: a device may have pointers to its own memory alone
        const cl_int expected = has_addresses() ? CL_SUCCESS : CL_INVALID_OPERATION;
        CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, host.data(), host.data() + 8, 4, 0, nullptr,
                                  nullptr, nullptr) == expected);
        CHECK(commands.svm_mem_fill(buffer, nullptr, nullptr, host.data(), &seven, 4, 4, 0, nullptr, nullptr,
                                    nullptr) == expected);
        return;
    }
    auto* const a = static_cast<cl_int*>(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0));
    auto* const b = static_cast<cl_int*>(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0));
    REQUIRE(a);
    REQUIRE(b);
    host.fill(3);
    CHECK(commands.svm_mem_fill(buffer, nullptr, nullptr, a, &seven, 4, 64, 0, nullptr, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, b, a, 64, 0, nullptr, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, a, a + 1, 8, 0, nullptr, nullptr, nullptr) ==
          CL_MEM_COPY_OVERLAP);
    CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, nullptr, a, 8, 0, nullptr, nullptr, nullptr) ==
          CL_INVALID_VALUE);
    CHECK(commands.svm_mem_fill(buffer, nullptr, nullptr, a, &seven, 3, 9, 0, nullptr, nullptr, nullptr) ==
          CL_INVALID_VALUE);
    // Memory of the program: the host copies in the midst of the replay.
    CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, b, host.data(), 16, 0, nullptr, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, host.data() + 8, b, 32, 0, nullptr, nullptr,
                              nullptr) == CL_SUCCESS);
    CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, host.data() + 4, host.data() + 8, 16, 0, nullptr,
                              nullptr, nullptr) == CL_SUCCESS);
    CHECK(commands.svm_mem_fill(buffer, nullptr, nullptr, host.data() + 15, &seven, 4, 4, 0, nullptr, nullptr,
                                nullptr) == CL_SUCCESS);
    commands.finish_recording();
    for (int i = 0; i < 2; ++i) {
        cl_event event = nullptr;
        REQUIRE(commands.replay(nullptr, &event) == CL_SUCCESS);
        REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
        CHECK(info<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END) >=
              info<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_START));
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
        CHECK(host == std::array<cl_int, 16>{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7});
    }
    clSVMFree(f.context, a);
    clSVMFree(f.context, b);
}

TEST_CASE("a replay has one event, which waits for events and is timed as a whole") {
    for (const cl_command_queue_properties properties : kBoth) {
        Fixture f(properties | CL_QUEUE_PROFILING_ENABLE);
        const Line line(f);
        cl_mem in = f.make_buffer(kBytes), out = f.make_buffer(kBytes);
        const OwnCommandBuffer commands(f.queue);
        line.set_all(out, in, 1, 1);
        for (int i = 0; i < 100; ++i) commands.run(line.kernel, kItems);
        commands.finish_recording();
        write(f, in, 41);
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        std::array<cl_event, 2> events = {};
        REQUIRE(commands.replay(nullptr, &events[0], {gate}) == CL_SUCCESS);
        REQUIRE(commands.replay(nullptr, &events[1], {events[0]}) == CL_SUCCESS);
        CHECK(status(events[0]) > CL_SUBMITTED);
        REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        REQUIRE(clWaitForEvents(1, &events[1]) == CL_SUCCESS);
        CHECK(status(events[0]) == CL_COMPLETE);
        CHECK(info<cl_command_type>(clGetEventInfo, events[0], CL_EVENT_COMMAND_TYPE) ==
              CL_COMMAND_COMMAND_BUFFER_KHR);
        CHECK(info<cl_command_queue>(clGetEventInfo, events[0], CL_EVENT_COMMAND_QUEUE) == f.queue);
        std::vector<cl_ulong> times;
        for (cl_event event : events)
            for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                                 CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END})
                times.push_back(info<cl_ulong>(clGetEventProfilingInfo, event, name));
        for (const size_t i : {0, 1, 2, 4, 5, 6}) CHECK(times[i] <= times[i + 1]);
        CHECK(times[3] <= times[6]);
        check_all(f, out, 42);
        // A failed dependency fails it.
        cl_event never = clCreateUserEvent(f.context, &code);
        cl_event failed = nullptr;
        REQUIRE(commands.replay(nullptr, &failed, {never}) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(never, -5) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        for (cl_event event : {gate, events[0], events[1], never, failed})
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
}

TEST_CASE("a command-buffer keeps what it uses, and replays go on after its release") {
    Fixture f;
    const CommandBuffers api;
    cl_int code = 1;
    const cl_int start = 5;
    cl_command_queue queue = clCreateCommandQueueWithProperties(f.context, f.the_device, nullptr, &code);
    cl_mem from = clCreateBuffer(f.context, 0, kBytes, nullptr, &code);
    cl_mem out = f.make_buffer(kBytes);
    cl_command_buffer_khr buffer = api.create(1, &queue, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(api.fill_buffer(buffer, nullptr, nullptr, from, &start, 4, 0, kBytes, 0, nullptr, nullptr,
                          nullptr) == CL_SUCCESS);
    CHECK(api.copy_buffer(buffer, nullptr, nullptr, from, out, 0, 0, kBytes, 0, nullptr, nullptr, nullptr) ==
          CL_SUCCESS);
    int destroyed = 0;
    CHECK(clSetMemObjectDestructorCallback(
              from, [](cl_mem, void* count) { ++*static_cast<int*>(count); }, &destroyed) == CL_SUCCESS);
    CHECK(clReleaseMemObject(from) == CL_SUCCESS);
    CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
    CHECK(api.finalize(buffer) == CL_SUCCESS);
    CHECK(api.enqueue(0, nullptr, buffer, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clFinish(queue) == CL_SUCCESS);  // the command-buffer keeps it
    check_all(f, out, 5);
    CHECK(destroyed == 0);
    CHECK(api.retain(buffer) == CL_SUCCESS);
    CHECK(info<cl_uint>(api.get_info, buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR) == 2);
    CHECK(api.release(buffer) == CL_SUCCESS);
    write(f, out, 0);
    cl_event gate = clCreateUserEvent(f.context, &code);
    CHECK(api.enqueue(1, &f.queue, buffer, 1, &gate, nullptr) == CL_SUCCESS);
    CHECK(api.release(buffer) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    check_all(f, out, 5);
    CHECK(destroyed == 1);
}

TEST_CASE("kernels in command-buffers print, and enqueue kernels") {
    Fixture f;
    if (!has_device_enqueue()) return;
    cl_kernel kernel = f.make_kernel(
        "kernel void parent(global int *out) {"
        "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8),"
        "                 ^{ out[get_global_id(0)] += 1; });"
        "}",
        "parent", "-cl-std=CL2.0");
    f.make_queue(kDefaultOnDevice);
    cl_int code = 1;
    cl_mem out = f.make_buffer(kBytes), copy = f.make_buffer(kBytes);
    write(f, out, 1);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    const OwnCommandBuffer commands(f.queue);
    commands.run(kernel, 1);
    commands.copy(out, copy, kBytes);
    commands.run(kernel, 1);
    commands.finish_recording();
    REQUIRE(commands.replay() == CL_SUCCESS);
    CHECK(f.read<cl_int>(copy, 9) == std::vector<cl_int>{2, 2, 2, 2, 2, 2, 2, 2, f.read<cl_int>(out, 9)[8]});
    REQUIRE(commands.replay() == CL_SUCCESS);
    CHECK(f.read<cl_int>(copy, 1)[0] == 4);
    CHECK(f.read<cl_int>(out, 1)[0] == 5);
    // A queue on the device takes no command-buffers.
    CHECK(commands.create(1, &f.queues.back(), nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_COMMAND_QUEUE);
    CHECK(commands.replay(f.queues.back()) == CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
}

TEST_CASE("threads replay one command-buffer, and record their own") {
    Fixture f(kOutOfOrder);
    cl_kernel kernel =
        f.make_kernel("kernel void add(global int *out) { atomic_inc(out + get_global_id(0)); }", "add");
    cl_mem out = f.make_buffer(kBytes);
    write(f, out, 0);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);  // nothing else orders it before what other queues do
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    const OwnCommandBuffer shared(f.queue);
    shared.run(kernel, kItems);
    shared.run(kernel, kItems);
    shared.finish_recording();
    constexpr int kThreads = 4, kTurns = 25;
    std::vector<cl_command_queue> queues;
    for (int i = 0; i < kThreads; ++i) queues.push_back(f.make_queue(i % 2 ? kOutOfOrder : 0));
    std::vector<int> failures(kThreads);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] {
            const auto check = [&](cl_int code) { failures[i] += code != CL_SUCCESS; };
            for (int turn = 0; turn < kTurns; ++turn) {
                cl_int code = 1;
                const size_t items = kItems;
                cl_command_buffer_khr own = shared.create(1, &queues[i], nullptr, &code);
                check(code);
                check(shared.nd_range_kernel(own, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0,
                                             nullptr, nullptr, nullptr));
                check(shared.finalize(own));
                check(shared.enqueue(0, nullptr, own, 0, nullptr, nullptr));
                check(shared.enqueue(1, &queues[i], shared.handle, 0, nullptr, nullptr));
                check(shared.release(own));
            }
            check(clFinish(queues[i]));
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(failures == std::vector<int>(kThreads));
    check_all(f, out, 3 * kThreads * kTurns);
}

TEST_CASE("a callback replays the command-buffer that the call which makes it is replaying") {
    Fixture f;
    struct Calls {
        const OwnCommandBuffer& commands;
        cl_command_queue other;
        std::atomic<bool> is_first_called = false, is_second_called = false, may_return = false;
        std::atomic<cl_int> code = 1;
    };
    cl_kernel kernel = f.make_kernel("kernel void add(global int *out) { atomic_inc(out); }", "add");
    cl_int zero = 0, total = 3;
    cl_mem out = f.make_buffer(sizeof zero, &zero);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    const OwnCommandBuffer commands(f.queue, kSimultaneous);
    commands.run(kernel, 1);
    commands.finish_recording();
    Calls calls{commands, f.make_queue(0)};
    cl_int code = 1;
    cl_event gates[2] = {clCreateUserEvent(f.context, &code), clCreateUserEvent(f.context, &code)},
             events[2] = {};
    for (size_t i = 0; i < 2; ++i) REQUIRE(commands.replay(f.queue, &events[i], {gates[i]}) == CL_SUCCESS);
    // The first function keeps the queue's own thread busy, so that a call here makes the second one.
    const auto wait = [](cl_event, cl_int, void* to) {
        auto& its = *static_cast<Calls*>(to);
        its.is_first_called = true;
        while (!its.may_return) std::this_thread::yield();
    };
    const auto replay = [](cl_event, cl_int, void* to) {
        auto& its = *static_cast<Calls*>(to);
        its.code = its.commands.enqueue(1, &its.other, its.commands.handle, 0, nullptr, nullptr);
        its.is_second_called = true;
    };
    REQUIRE(clSetEventCallback(events[0], CL_COMPLETE, wait, &calls) == CL_SUCCESS);
    REQUIRE(clSetEventCallback(events[1], CL_COMPLETE, replay, &calls) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(gates[0], CL_COMPLETE) == CL_SUCCESS);
    while (!calls.is_first_called) std::this_thread::yield();
    REQUIRE(clSetUserEventStatus(gates[1], CL_COMPLETE) == CL_SUCCESS);
    for (int i = 0; i < 20000 && !calls.is_second_called; ++i, ++total) {
        cl_event event = nullptr;
        REQUIRE(commands.replay(f.queue, &event) == CL_SUCCESS);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
    calls.may_return = true;
    CHECK(calls.is_second_called);
    CHECK(calls.code == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clFinish(calls.other) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == total);
    for (cl_event event : {gates[0], gates[1], events[0], events[1]})
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("command-buffers answer queries") {
    Fixture f;
    const cl_command_buffer_properties_khr none[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
    const OwnCommandBuffer commands(f.queue, none), plain(f.queue);
    CHECK(info<cl_uint>(commands.get_info, commands.handle, CL_COMMAND_BUFFER_NUM_QUEUES_KHR) == 1);
    CHECK(info<cl_command_queue>(commands.get_info, commands.handle, CL_COMMAND_BUFFER_QUEUES_KHR) ==
          f.queue);
    CHECK(info<cl_uint>(commands.get_info, commands.handle, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR) == 1);
    CHECK(info<cl_context>(commands.get_info, commands.handle, CL_COMMAND_BUFFER_CONTEXT_KHR) == f.context);
    using Properties = std::vector<cl_command_buffer_properties_khr>;
    CHECK(list<cl_command_buffer_properties_khr>(commands.get_info, commands.handle,
                                                 CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR) ==
          Properties{CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0});
    CHECK(list<cl_command_buffer_properties_khr>(plain.get_info, plain.handle,
                                                 CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR) == Properties{});
    CHECK(commands.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    CHECK(commands.replay() == CL_INVALID_OPERATION);
    commands.finish_recording();
    CHECK(commands.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    CHECK(commands.finalize(commands.handle) == CL_INVALID_OPERATION);
    CHECK(commands.replay() == CL_SUCCESS);  // it is empty
    cl_uint value = 0;
    CHECK(commands.get_info(commands.handle, CL_COMMAND_BUFFER_STATE_KHR, 2, &value, nullptr) ==
          CL_INVALID_VALUE);
    CHECK(commands.get_info(commands.handle, CL_QUEUE_CONTEXT, 4, &value, nullptr) == CL_INVALID_VALUE);
    CHECK(commands.get_info(nullptr, CL_COMMAND_BUFFER_STATE_KHR, 4, &value, nullptr) ==
          CL_INVALID_COMMAND_BUFFER_KHR);
}

TEST_CASE("wrong arguments of command-buffers have errors of their own") {
    Fixture f;
    Fixture stranger;
    cl_command_queue queues[] = {f.queue, f.queue};
    const CommandBuffers api;
    cl_int code = 1;
    const auto created = [&](cl_uint count, const cl_command_queue* list,
                             const std::vector<cl_command_buffer_properties_khr>& properties) {
        CHECK(api.create(count, list, properties.data(), &code) == nullptr);
        return code;
    };
    CHECK(created(0, queues, {0}) == CL_INVALID_VALUE);
    const std::array<cl_command_queue, 2> of_two_contexts = {f.queue, stranger.queue};
    CHECK(created(2, of_two_contexts.data(), {0}) == CL_INVALID_CONTEXT);
    CHECK(created(1, nullptr, {0}) == CL_INVALID_VALUE);
    cl_command_queue null = nullptr;
    CHECK(created(1, &null, {0}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(created(1, queues, {1, 0, 0}) == CL_INVALID_VALUE);
    CHECK(created(1, queues, {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 30, 0}) == CL_INVALID_VALUE);
    CHECK(created(1, queues, {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}) ==
          CL_INVALID_VALUE);
    CHECK(api.retain(nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(api.release(nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(api.finalize(nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(api.enqueue(0, nullptr, nullptr, 0, nullptr, nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);

    const Line line(f);
    cl_mem in = f.make_buffer(kBytes), out = f.make_buffer(kBytes), foreign = stranger.make_buffer(kBytes);
    const OwnCommandBuffer commands(f.queue);
    const auto copied = [&](cl_command_buffer_khr buffer, cl_command_queue queue,
                            const cl_command_properties_khr* properties, cl_mem source, size_t bytes,
                            const std::vector<cl_sync_point_khr>& points, cl_mutable_command_khr* handle) {
        return api.copy_buffer(buffer, queue, properties, source, out, 0, 0, bytes,
                               static_cast<cl_uint>(points.size()), points.empty() ? nullptr : points.data(),
                               nullptr, handle);
    };
    const cl_command_properties_khr unknown[] = {1, 1, 0}, empty[] = {0};
    cl_mutable_command_khr handle = nullptr;
    CHECK(copied(nullptr, nullptr, nullptr, in, 4, {}, nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(copied(commands.handle, f.make_queue(0), nullptr, in, 4, {}, nullptr) == CL_INVALID_COMMAND_QUEUE);
    CHECK(copied(commands.handle, stranger.queue, nullptr, in, 4, {}, nullptr) == CL_INVALID_CONTEXT);
    CHECK(copied(commands.handle, nullptr, unknown, in, 4, {}, nullptr) == CL_INVALID_VALUE);
    CHECK(copied(commands.handle, nullptr, nullptr, in, 4, {}, &handle) == CL_INVALID_VALUE);
    CHECK(copied(commands.handle, nullptr, nullptr, foreign, 4, {}, nullptr) == CL_INVALID_CONTEXT);
    CHECK(copied(commands.handle, nullptr, nullptr, in, kBytes + 1, {}, nullptr) == CL_INVALID_VALUE);
    CHECK(copied(commands.handle, nullptr, nullptr, in, 4, {1}, nullptr) ==
          CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(copied(commands.handle, nullptr, empty, in, 4, {}, nullptr) == CL_SUCCESS);
    CHECK(copied(commands.handle, nullptr, nullptr, in, 4, {1}, nullptr) == CL_SUCCESS);
    CHECK(copied(commands.handle, nullptr, nullptr, in, 4, {0}, nullptr) ==
          CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(copied(commands.handle, nullptr, nullptr, in, 4, {1, 3}, nullptr) ==
          CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    cl_sync_point_khr point = 0;
    CHECK(api.barrier(commands.handle, nullptr, nullptr, 1, nullptr, &point, nullptr) ==
          CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(api.barrier(commands.handle, nullptr, nullptr, 0, &point, nullptr, nullptr) ==
          CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(api.barrier(commands.handle, f.make_queue(0), nullptr, 0, nullptr, nullptr, nullptr) ==
          CL_INVALID_COMMAND_QUEUE);

    const size_t items = kItems, none = 0;
    const auto ran = [&](cl_kernel kernel, cl_uint dimensions, const size_t* local) {
        return api.nd_range_kernel(commands.handle, nullptr, nullptr, kernel, dimensions, nullptr, &items,
                                   local, 0, nullptr, nullptr, nullptr);
    };
    CHECK(ran(nullptr, 1, nullptr) == CL_INVALID_KERNEL);
    CHECK(ran(line.kernel, 1, nullptr) == CL_INVALID_KERNEL_ARGS);
    line.set_all(out, in, 1, 1);
    CHECK(ran(line.kernel, 4, nullptr) == CL_INVALID_WORK_DIMENSION);
    const size_t most[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, ones[] = {1, 1, 1};
    CHECK(api.nd_range_kernel(commands.handle, nullptr, nullptr, line.kernel, 3, nullptr, most, ones, 0,
                              nullptr, nullptr, nullptr) == CL_OUT_OF_RESOURCES);
    CHECK(ran(line.kernel, 1, &none) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(ran(Line(stranger).kernel, 1, nullptr) == CL_INVALID_CONTEXT);
    CHECK(ran(line.kernel, 1, nullptr) == CL_SUCCESS);

    commands.finish_recording();
    CHECK(ran(line.kernel, 1, nullptr) == CL_INVALID_OPERATION);
    CHECK(copied(commands.handle, nullptr, nullptr, in, 4, {}, nullptr) == CL_INVALID_OPERATION);
    CHECK(api.barrier(commands.handle, nullptr, nullptr, 0, nullptr, nullptr, nullptr) ==
          CL_INVALID_OPERATION);
    CHECK(api.enqueue(1, nullptr, commands.handle, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(api.enqueue(0, queues, commands.handle, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(api.enqueue(2, queues, commands.handle, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(api.enqueue(1, &null, commands.handle, 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
    CHECK(api.enqueue(1, &stranger.queue, commands.handle, 0, nullptr, nullptr) == CL_INVALID_CONTEXT);
    CHECK(api.enqueue(0, nullptr, commands.handle, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    cl_command_queue other = f.make_queue(0);
    CHECK(commands.replay() == CL_SUCCESS);
    CHECK(api.enqueue(1, &other, commands.handle, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(commands.replay() == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
}

}  // namespace caldera::driver_test
