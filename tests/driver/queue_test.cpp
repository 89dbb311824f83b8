// SPDX-License-Identifier: Apache-2.0
// Queues that several threads use, queues without an order, and many commands.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

#include "tests/driver/fixture.h"
#include "tests/driver/times.h"

using namespace caldera::driver_test;

namespace {

constexpr const char* kSource = R"(
kernel void spin(global uint *a) {
    uint x = get_global_id(0);
    for (uint i = 0; i < 10000; ++i) x = (x ^ i) * 747796405;
    if (x == 1) a[0] = x;
}
kernel void add(global uint *a, uint n) { a[get_global_id(0)] += n; }
kernel void twice(global uint *a) { a[get_global_id(0)] *= 2; }
)";

/// The number of work-items with which the kernel runs for more than 0.2 s. The first launch does not count,
/// because it compiles the kernel and so takes longer than all others.
size_t items_of_a_while(cl_command_queue queue, cl_kernel kernel) {
    REQUIRE(run(queue, kernel, 1) == CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
    for (size_t items = 1024;; items *= 2) {
        const auto start = std::chrono::steady_clock::now();
        REQUIRE(run(queue, kernel, items) == CL_SUCCESS);
        REQUIRE(clFinish(queue) == CL_SUCCESS);
        if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(200)) return items;
    }
}

/// Other processes may delay a thread, or make a short kernel appear long. Then the test repeats with more
/// work, until a kernel takes this long.
constexpr std::chrono::seconds kLongest{4};

/// The process's resident memory.
size_t resident_bytes() {
    size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * 4096;
}

}  // namespace

TEST_CASE("5.13 a queue takes other threads' commands while one of them reads from it") {
    Fixture f;
    cl_program program = f.build(kSource);
    cl_kernel spin = f.make_kernel(program, "spin"), add = f.make_kernel(program, "add");
    std::vector<cl_uint> values(1024);
    cl_mem spun = f.make_buffer(4, values.data()), buffer = f.make_buffer(4096, values.data());
    REQUIRE(set(spin, 0, spun) == CL_SUCCESS);
    REQUIRE(set(add, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(add, 1, cl_uint{5}) == CL_SUCCESS);
    size_t items = items_of_a_while(f.queue, spin);
    bool goes_on = false;
    cl_uint sum = 0;
    std::chrono::steady_clock::duration taken{};
    for (; taken < kLongest && !goes_on; items *= 2, sum += 5) {
        const auto start = std::chrono::steady_clock::now();
        cl_event spinning = nullptr;
        REQUIRE(run(f.queue, spin, items, &spinning) == CL_SUCCESS);
        std::atomic<bool> reads = false;
        std::thread reader([&] {
            reads = true;
            CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 4096, values.data(), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
        });
        while (!reads) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        CHECK(run(f.queue, add, 1024) == CL_SUCCESS);
        goes_on = status(spinning) != CL_COMPLETE;
        reader.join();
        taken = std::chrono::steady_clock::now() - start;
        CHECK((values[0] == sum || values[0] == sum + 5));  // as the read came before or after
        CHECK(values == std::vector<cl_uint>(1024, values[0]));
        CHECK(f.read<cl_uint>(buffer, 1024) == std::vector<cl_uint>(1024, sum + 5));
        CHECK(clReleaseEvent(spinning) == CL_SUCCESS);
    }
    CHECK(goes_on);
}

TEST_CASE("5.1 a queue takes other commands while kernels enqueue kernels") {
    Fixture f;
    if (!info<cl_bitfield>(clGetDeviceInfo, f.the_device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)) return;
    f.make_queue(kDefaultOnDevice);
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0},
          cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
        cl_command_queue queue = f.make_queue(properties);
        cl_program program = f.build(std::string(kSource) + R"(
kernel void parent(global uint *a) {
    uint x = get_global_id(0);
    for (uint i = 0; i < 10000; ++i) x = (x ^ i) * 747796405;
    if (x == 1) a[1] = x;
    if (get_global_id(0) == 0) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ a[0] += 100; });
})",
                                     "-cl-std=CL2.0");
        cl_kernel parent = f.make_kernel(program, "parent"), add = f.make_kernel(program, "add");
        const std::vector<cl_uint> zeros(2);
        cl_mem buffer = f.make_buffer(8, const_cast<cl_uint*>(zeros.data()));
        REQUIRE(set(parent, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(add, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(add, 1, cl_uint{5}) == CL_SUCCESS);
        size_t items = items_of_a_while(queue, parent);
        bool goes_on = false;
        std::chrono::steady_clock::duration taken{};
        for (; taken < kLongest && !goes_on; items *= 2) {
            REQUIRE(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 8, zeros.data(), 0, nullptr, nullptr) ==
                    CL_SUCCESS);
            cl_event running = nullptr;
            const auto start = std::chrono::steady_clock::now();
            CHECK(run(queue, parent, items, &running) == CL_SUCCESS);
            CHECK(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr) == CL_SUCCESS);
            CHECK(run(queue, add, 1) == CL_SUCCESS);
            goes_on = status(running) > CL_COMPLETE;
            CHECK(clFinish(queue) == CL_SUCCESS);
            taken = std::chrono::steady_clock::now() - start;
            CHECK(f.read<cl_uint>(buffer, 1)[0] == 105);
            CHECK(status(running) == CL_COMPLETE);
            CHECK(clReleaseEvent(running) == CL_SUCCESS);
        }
        CHECK(goes_on);
    }
}

TEST_CASE("5.2.2 what a blocking write has brought is there for commands that nothing orders behind it") {
    for (const bool is_out_of_order : {false, true}) {
        CAPTURE(is_out_of_order);
        Fixture f(is_out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        cl_command_queue other = is_out_of_order ? f.queue : f.make_queue(0);
        cl_kernel add = f.make_kernel(kSource, "add");
        constexpr size_t kItems = 1 << 16;
        cl_mem buffer = f.make_buffer(kItems * sizeof(cl_uint));
        REQUIRE(set(add, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(add, 1, cl_uint{1000}) == CL_SUCCESS);
        for (cl_uint turn = 0; turn < 60; ++turn) {
            CAPTURE(turn);
            const size_t items = turn % 3 == 0 ? 16 : kItems, bytes = items * sizeof(cl_uint);
            std::vector<cl_uint> in(items, turn), out(items);
            const size_t origin[3] = {}, region[3] = {bytes / 4, 4, 1};
            if (turn % 2 == 0)
                REQUIRE(clEnqueueWriteBuffer(f.queue, buffer, CL_TRUE, 0, bytes, in.data(), 0, nullptr,
                                             nullptr) == CL_SUCCESS);
            else
                REQUIRE(clEnqueueWriteBufferRect(f.queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0,
                                                 in.data(), 0, nullptr, nullptr) == CL_SUCCESS);
            cl_event added = nullptr;
            REQUIRE(run(other, add, items, &added) == CL_SUCCESS);
            REQUIRE(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, bytes, out.data(), 1, &added, nullptr) ==
                    CL_SUCCESS);
            REQUIRE(out == std::vector<cl_uint>(items, turn + 1000));
            REQUIRE(clReleaseEvent(added) == CL_SUCCESS);
        }
    }
}

TEST_CASE("5.1 out of order: threads' chains of events, and a barrier that all come before") {
    constexpr size_t kThreads = 6, kLinks = 40, kItems = 256;
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_program program = f.build(kSource);
    std::vector<cl_mem> buffers;
    std::vector<std::array<cl_kernel, 2>> kernels;
    const std::vector<cl_uint> zeros(kItems);
    for (size_t t = 0; t < kThreads; ++t) {
        buffers.push_back(f.make_buffer(kItems * 4, const_cast<cl_uint*>(zeros.data())));
        kernels.push_back({f.make_kernel(program, "add"), f.make_kernel(program, "twice")});
        for (cl_kernel kernel : kernels[t]) REQUIRE(set(kernel, 0, buffers[t]) == CL_SUCCESS);
        REQUIRE(set(kernels[t][0], 1, static_cast<cl_uint>(t)) == CL_SUCCESS);
    }
    std::vector<std::thread> threads;
    for (size_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            cl_event last = nullptr;
            for (size_t i = 0; i < kLinks; ++i) {
                cl_event next = nullptr;
                CHECK(clEnqueueNDRangeKernel(f.queue, kernels[t][i % 2], 1, nullptr, &kItems, nullptr,
                                             last ? 1 : 0, last ? &last : nullptr, &next) == CL_SUCCESS);
                if (last) CHECK(clReleaseEvent(last) == CL_SUCCESS);
                last = next;
            }
            CHECK(clReleaseEvent(last) == CL_SUCCESS);
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
    for (size_t t = 0; t < kThreads; ++t) CHECK(run(f.queue, kernels[t][0], kItems) == CL_SUCCESS);
    CHECK(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
    for (size_t t = 0; t < kThreads; ++t) {
        cl_uint expected = 0;
        for (size_t i = 0; i < kLinks; ++i) expected = i % 2 ? expected * 2 : expected + cl_uint(t);
        CHECK(f.read<cl_uint>(buffers[t], kItems) == std::vector<cl_uint>(kItems, expected + cl_uint(t)));
    }
}

TEST_CASE(
    "many commands that wait for one event, and many that nobody waits for, take bounded memory and time") {
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0},
          cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
        Fixture f(properties);
        cl_kernel add = f.make_kernel(kSource, "add");
        cl_uint zero = 0;
        cl_mem buffer = f.make_buffer(4, &zero);
        REQUIRE(set(add, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(add, 1, cl_uint{1}) == CL_SUCCESS);
        constexpr cl_uint kWaiting = 20000;
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        REQUIRE(code == CL_SUCCESS);
        const size_t one = 1;
        for (cl_uint i = 0; i < kWaiting; ++i)
            REQUIRE(clEnqueueNDRangeKernel(f.queue, add, 1, nullptr, &one, nullptr, 1, &gate, nullptr) ==
                    CL_SUCCESS);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
        if (properties == 0) CHECK(f.read<cl_uint>(buffer, 1)[0] == kWaiting);
        [[maybe_unused]] const size_t before = resident_bytes();
        for (cl_uint i = 0; i < 50000; ++i) REQUIRE(run(f.queue, add, 1) == CL_SUCCESS);
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed
        CHECK(resident_bytes() < before + (64 << 20));
#endif
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        if (properties == 0) CHECK(f.read<cl_uint>(buffer, 1)[0] == kWaiting + 50000);
    }
}

TEST_CASE("the default queue on the device has room for a kernel of each of 16,384 work-items") {
    if (!has_device_enqueue()) return;
    Fixture f;
    constexpr size_t kParents = 16384;
    f.make_queue(kDefaultOnDevice);
    cl_kernel kernel = f.make_kernel(
        "kernel void parent(global int *failed, global const int *in, global int *out, int n) {"
        "  int at = get_global_id(0) * n;"
        "  if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n),"
        "                     ^{ out[at + get_global_id(0)] = in[at + get_global_id(0)]; }) != CLK_SUCCESS)"
        "    atomic_inc(failed);"
        "}",
        "parent", "-cl-std=CL2.0");
    cl_int none = 0;
    const cl_int two = 2;
    cl_mem failed = f.make_buffer(sizeof none, &none);
    std::vector<cl_int> ones(2 * kParents, 1);
    cl_mem in = f.make_buffer(ones.size() * sizeof(cl_int), ones.data());
    cl_mem out = f.make_buffer(ones.size() * sizeof(cl_int));
    REQUIRE(set(kernel, 0, failed) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, in) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, out) == CL_SUCCESS);
    REQUIRE(set(kernel, 3, two) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, kParents) == CL_SUCCESS);
    CHECK(f.read<cl_int>(failed, 1)[0] == 0);
    CHECK(f.read<cl_int>(out, ones.size()) == ones);
}

TEST_CASE("kernels of two queues use one queue of the device in turn") {
    if (!has_device_enqueue()) return;
    Fixture f;
    constexpr cl_int kRounds = 150;
    f.make_queue(kDefaultOnDevice);
    cl_kernel kernel = f.make_kernel(R"(
kernel void parent(global int *out) {
    const queue_t queue = get_default_queue();
    clk_event_t counted = create_user_event();
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        out[0] += 1;
        set_user_event_status(counted, CL_COMPLETE);
        release_event(counted);
    });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &counted, 0, ^{ out[1] += out[0]; });
})",
                                     "parent", "-cl-std=CL2.0");
    const cl_command_queue queues[] = {f.make_queue(0), f.make_queue(0)};
    cl_int zeros[2] = {};
    const cl_mem sums[] = {f.make_buffer(sizeof zeros, zeros), f.make_buffer(sizeof zeros, zeros)};
    for (cl_int round = 0; round < kRounds; ++round)
        for (size_t i = 0; i < 2; ++i) {
            REQUIRE(set(kernel, 0, sums[i]) == CL_SUCCESS);
            REQUIRE(run(queues[i], kernel, 1) == CL_SUCCESS);
        }
    for (size_t i = 0; i < 2; ++i) {
        REQUIRE(clFinish(queues[i]) == CL_SUCCESS);
        CHECK(f.read<cl_int>(sums[i], 2) == std::vector<cl_int>{kRounds, kRounds * (kRounds + 1) / 2});
    }
}

namespace {

/// The processor's seconds for so many commands that wait for one event each, the events in the wrong order,
/// a barrier and markers behind them, and released buffers that tell of their end.
double seconds_for_pending(size_t count) {
    const std::clock_t begin = std::clock();
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::vector<cl_event> users(count);
    for (cl_event& user : users) {
        user = clCreateUserEvent(f.context, nullptr);
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &user, nullptr) == CL_SUCCESS);
    }
    CHECK(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
    std::atomic<size_t> gone = 0;
    cl_mem whole = f.make_buffer(4);
    const cl_buffer_region part = {0, 4};
    for (size_t i = 0; i < count; ++i) {
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
        cl_mem buffer = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, nullptr);
        const auto note = [](cl_mem, void* data) { ++*static_cast<std::atomic<size_t>*>(data); };
        CHECK(clSetMemObjectDestructorCallback(buffer, note, &gone) == CL_SUCCESS);
        CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    }
    CHECK(gone == 0);
    for (auto user = users.rbegin(); user != users.rend(); ++user) {
        CHECK(clSetUserEventStatus(*user, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clReleaseEvent(*user) == CL_SUCCESS);
    }
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    while (gone != count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("5.13 commands that wait take time in proportion to their number") {
    check_in_some_try([] {
        const double few = std::max(seconds_for_pending(1000), 0.02), many = seconds_for_pending(10000);
        return many < 40 * few;  // 100 times if each looked at all others
    });
}
