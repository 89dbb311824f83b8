// SPDX-License-Identifier: Apache-2.0
// Command-queues and events (OpenCL API 5.1, 5.11 to 5.15).
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/driver/fixture.h"
#include "tests/driver/times.h"

using namespace caldera::driver_test;

namespace {

constexpr const char* kSource = R"(
kernel void add(global uint *a, uint n) { a[get_global_id(0)] += n; }
kernel void scale(global uint *a, uint n) { a[get_global_id(0)] *= n; }
kernel void slow(global uint *a) { uint x = a[0] | 1; for (uint i = 0; i < 8000000; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; } a[0] = x; }
)";

struct Kernels : Fixture {
    explicit Kernels(cl_command_queue_properties properties = 0) : Fixture(properties) {
        cl_program program = build(kSource);
        add = make_kernel(program, "add");
        scale = make_kernel(program, "scale");
        slow = make_kernel(program, "slow");
        std::vector<cl_uint> zeros(100);
        buffer = make_buffer(400, zeros.data());
        for (cl_kernel kernel : {add, scale, slow}) REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    }
    cl_int enqueue(cl_command_queue to, cl_kernel kernel, cl_uint n, std::vector<cl_event> wait = {},
                   cl_event* event = nullptr) {
        CHECK(set(kernel, 1, n) == CL_SUCCESS);
        const size_t items = 100;
        return clEnqueueNDRangeKernel(to, kernel, 1, nullptr, &items, nullptr,
                                      static_cast<cl_uint>(wait.size()), wait.empty() ? nullptr : wait.data(),
                                      event);
    }
    cl_event user() {
        cl_int code = 1;
        cl_event event = clCreateUserEvent(context, &code);
        REQUIRE(code == CL_SUCCESS);
        return event;
    }
    cl_uint first() { return read<cl_uint>(buffer, 1)[0]; }

    cl_kernel add = nullptr, scale = nullptr, slow = nullptr;
    cl_mem buffer = nullptr;
};

}  // namespace

TEST_CASE("5.1 queues: properties, queries and errors") {
    Fixture f(CL_QUEUE_PROFILING_ENABLE);
    CHECK(info<cl_command_queue_properties>(clGetCommandQueueInfo, f.queue, CL_QUEUE_PROPERTIES) ==
          CL_QUEUE_PROFILING_ENABLE);
    CHECK(info<cl_context>(clGetCommandQueueInfo, f.queue, CL_QUEUE_CONTEXT) == f.context);
    CHECK(info<cl_device_id>(clGetCommandQueueInfo, f.queue, CL_QUEUE_DEVICE) == f.the_device);
    CHECK(info<cl_uint>(clGetCommandQueueInfo, f.queue, CL_QUEUE_REFERENCE_COUNT) == 1);
    cl_int code = 1;
    CHECK(clCreateCommandQueue(f.context, f.the_device, 1 << 20, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateCommandQueue(nullptr, f.the_device, 0, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);
    CHECK(clCreateCommandQueue(f.context, nullptr, 0, &code) == nullptr);
    CHECK(code == CL_INVALID_DEVICE);
    const cl_queue_properties sized[] = {CL_QUEUE_SIZE, 100, 0};
    CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, sized, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clFlush(nullptr) == CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("5.1 queues of the device: sizes, and a default that stays") {
    Fixture f;
    if (!info<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, f.the_device,
                                                     CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
        return;
    const cl_queue_properties on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    const auto most = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
    cl_int code = 1;
    for (const cl_queue_properties size :
         {cl_queue_properties{most} + 1, cl_queue_properties{1} << 32 | 16}) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, on_device, CL_QUEUE_SIZE, size, 0};
        CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code) == nullptr);
        CHECK(code == CL_INVALID_QUEUE_PROPERTIES);
    }
    for (const cl_queue_properties size : {1u, 64u, 1000u, most}) {  // there is no least size
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, on_device, CL_QUEUE_SIZE, size, 0};
        cl_command_queue made = clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code);
        REQUIRE(code == CL_SUCCESS);
        CHECK(info<cl_uint>(clGetCommandQueueInfo, made, CL_QUEUE_SIZE) == size);
        CHECK(clReleaseCommandQueue(made) == CL_SUCCESS);
    }
    const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, in_order, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    // A second request for the default queue returns the existing one, with its original properties.
    const cl_queue_properties first[] = {CL_QUEUE_PROPERTIES, on_device | CL_QUEUE_ON_DEVICE_DEFAULT,
                                         CL_QUEUE_SIZE, 1 << 16, 0};
    const cl_queue_properties again[] = {CL_QUEUE_PROPERTIES, on_device | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_command_queue made = clCreateCommandQueueWithProperties(f.context, f.the_device, first, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, again, &code) == made);
    CHECK(info<cl_uint>(clGetCommandQueueInfo, made, CL_QUEUE_REFERENCE_COUNT) == 2);
    cl_queue_properties given[5] = {};
    CHECK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof given, given, nullptr) == CL_SUCCESS);
    CHECK(std::memcmp(given, first, sizeof given) == 0);
    for (int i = 0; i < 2; ++i) CHECK(clReleaseCommandQueue(made) == CL_SUCCESS);
    cl_command_queue queue = f.make_queue(on_device);
    CHECK(clSetDefaultDeviceCommandQueue(f.context, f.the_device, queue) == CL_INVALID_OPERATION);
    CHECK(clSetDefaultDeviceCommandQueue(f.context, f.the_device, nullptr) == CL_INVALID_OPERATION);
    CHECK(clSetDefaultDeviceCommandQueue(nullptr, f.the_device, queue) == CL_INVALID_CONTEXT);
    CHECK(clSetDefaultDeviceCommandQueue(f.context, nullptr, queue) == CL_INVALID_DEVICE);
    CHECK(clSetCommandQueueProperty(f.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr) ==
          CL_INVALID_OPERATION);
}

TEST_CASE("5.11 an in-order queue keeps the order behind a user event") {
    Kernels f;
    cl_event gate = f.user(), last = nullptr;
    CHECK(status(gate) == CL_SUBMITTED);
    CHECK(f.enqueue(f.queue, f.add, 5, {gate}) == CL_SUCCESS);
    CHECK(f.enqueue(f.queue, f.scale, 3) == CL_SUCCESS);
    CHECK(f.enqueue(f.queue, f.add, 1, {}, &last) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(status(last) == CL_QUEUED);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_INVALID_OPERATION);
    CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
    CHECK(status(last) == CL_COMPLETE);
    CHECK(f.first() == 16);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    CHECK(clReleaseEvent(last) == CL_SUCCESS);
}

TEST_CASE("5.11 an out-of-order queue passes a command that waits, but not a barrier") {
    Kernels f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = f.user(), passing = nullptr, after_barrier = nullptr;
    CHECK(f.enqueue(f.queue, f.scale, 10, {gate}) == CL_SUCCESS);
    CHECK(f.enqueue(f.queue, f.add, 2, {}, &passing) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &passing) == CL_SUCCESS);
    CHECK(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(f.enqueue(f.queue, f.add, 7, {}, &after_barrier) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(status(after_barrier) == CL_QUEUED);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(f.first() == 27);
    for (cl_event event : {gate, passing, after_barrier}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("5.11 queues wait for each other's events") {
    Kernels f;
    cl_command_queue other = f.make_queue(0);
    cl_event event = nullptr;
    for (cl_uint i = 1; i <= 200; ++i) {
        cl_event next = nullptr;
        CHECK(f.enqueue(i % 2 ? f.queue : other, i % 3 ? f.add : f.scale, i % 3 ? i : 2,
                        event ? std::vector{event} : std::vector<cl_event>{}, &next) == CL_SUCCESS);
        if (event) CHECK(clReleaseEvent(event) == CL_SUCCESS);
        event = next;
    }
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    cl_uint expected = 0;
    for (cl_uint i = 1; i <= 200; ++i) expected = i % 3 ? expected + i : expected * 2;
    CHECK(f.first() == expected);
}

TEST_CASE("5.11 what waits for a failed event fails, and what comes after does not") {
    Kernels f;
    cl_event gate = f.user(), failed = nullptr, next = nullptr;
    CHECK(f.enqueue(f.queue, f.add, 5, {gate}, &failed) == CL_SUCCESS);
    CHECK(f.enqueue(f.queue, f.add, 1, {}, &next) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, -77) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(status(failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(clWaitForEvents(1, &next) == CL_SUCCESS);
    CHECK(f.first() == 1);
    cl_uint word = 0;
    CHECK(clEnqueueReadBuffer(f.queue, f.buffer, CL_TRUE, 0, 4, &word, 1, &gate, nullptr) ==
          CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (cl_event event : {gate, failed, next}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("5.11 non-blocking reads wait for user events, and the queue's own thread completes them") {
    Kernels f;
    cl_event gate = f.user(), read = nullptr;
    cl_uint word = 0;
    CHECK(f.enqueue(f.queue, f.add, 9, {gate}) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(f.queue, f.buffer, CL_FALSE, 0, 4, &word, 0, nullptr, &read) == CL_SUCCESS);
    std::atomic<cl_int> seen = 99;
    CHECK(clSetEventCallback(
              read, CL_COMPLETE,
              [](cl_event, cl_int code, void* to) { *static_cast<std::atomic<cl_int>*>(to) = code; },
              &seen) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    while (seen == 99) std::this_thread::yield();  // nobody waits but the driver
    CHECK(seen == CL_COMPLETE);
    CHECK(word == 9);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    CHECK(clReleaseEvent(read) == CL_SUCCESS);
}

TEST_CASE("5.11 callbacks are called once for each status, also when it is there already") {
    Kernels f;
    cl_event event = nullptr;
    CHECK(f.enqueue(f.queue, f.add, 1, {}, &event) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    std::vector<cl_int> seen;
    const auto note = [](cl_event, cl_int code, void* to) {
        static_cast<std::vector<cl_int>*>(to)->push_back(code);
    };
    for (const cl_int wanted : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
        CHECK(clSetEventCallback(event, wanted, note, &seen) == CL_SUCCESS);
    CHECK(seen == std::vector<cl_int>{CL_COMPLETE, CL_RUNNING, CL_SUBMITTED});
    CHECK(clSetEventCallback(event, CL_QUEUED, note, &seen) == CL_INVALID_VALUE);
    CHECK(clSetEventCallback(event, CL_COMPLETE, nullptr, &seen) == CL_INVALID_VALUE);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    cl_event gate = f.user();
    seen.clear();
    CHECK(clSetEventCallback(gate, CL_COMPLETE, note, &seen) == CL_SUCCESS);
    CHECK(seen.empty());
    CHECK(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
    CHECK(seen == std::vector<cl_int>{-5});
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("5.11 a callback may use the event that the program has released") {
    Kernels f;
    struct Seen {
        cl_int status = 1, retained = 1, released = 1, released_again = 1;
        cl_command_queue queue = nullptr;
        std::atomic<bool> done = false;
    } seen;
    cl_event gate = f.user(), event = nullptr;
    CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &event) == CL_SUCCESS);
    const auto look = [](cl_event own, cl_int, void* to) {
        auto& out = *static_cast<Seen*>(to);
        clGetEventInfo(own, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof out.status, &out.status, nullptr);
        clGetEventInfo(own, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &out.queue, nullptr);
        out.retained = clRetainEvent(own);
        out.released = clReleaseEvent(own);
        out.released_again = clReleaseEvent(own);
        out.done = true;
    };
    CHECK(clSetEventCallback(event, CL_COMPLETE, look, &seen) == CL_SUCCESS);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    while (!seen.done) std::this_thread::yield();
    CHECK(seen.status == CL_COMPLETE);
    CHECK(seen.queue == f.queue);
    CHECK(seen.retained == CL_SUCCESS);
    CHECK(seen.released == CL_SUCCESS);
    CHECK(seen.released_again == CL_INVALID_EVENT);
}

TEST_CASE("5.11 a wait goes on with events that callbacks release meanwhile") {
    Kernels f;
    for (int turn = 0; turn < 3; ++turn) {
        const cl_event gate = f.user();
        std::array<cl_event, 2> events = {};
        std::atomic<int> released = 0;
        const auto release = [](cl_event own, cl_int, void* count) {
            clReleaseEvent(own);
            ++*static_cast<std::atomic<int>*>(count);
        };
        for (cl_event& event : events) {
            REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &event) == CL_SUCCESS);
            REQUIRE(clSetEventCallback(event, CL_COMPLETE, release, &released) == CL_SUCCESS);
        }
        std::thread opens([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the wait has begun
            CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        });
        CHECK(clWaitForEvents(2, events.data()) == CL_SUCCESS);
        opens.join();
        while (released != 2) std::this_thread::yield();
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    }
}

TEST_CASE("5.11 callbacks of one event take time in proportion to their number") {
    Kernels f;
    constexpr int kMany = 50000;  // took half a minute while each call looked at all before it
    cl_event gate = f.user();
    std::atomic<int> calls = 0;
    const auto count = [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<int>*>(to); };
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kMany; ++i)
        REQUIRE(clSetEventCallback(gate, CL_COMPLETE, count, &calls) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(calls == kMany);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("5.15 clFinish does not wait for what is enqueued after it was called") {
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        Kernels f(properties);
        const cl_command_queue queue = f.queue;
        cl_event first = f.user(), second = f.user();
        REQUIRE(clEnqueueMarkerWithWaitList(queue, 1, &first, nullptr) == CL_SUCCESS);
        std::atomic<bool> is_called = false, is_over = false;
        std::thread finishes([&] {
            is_called = true;
            CHECK(clFinish(queue) == CL_SUCCESS);
            is_over = true;
        });
        while (!is_called) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it waits for the first one now
        CHECK(!is_over);
        REQUIRE(clEnqueueMarkerWithWaitList(queue, 1, &second, nullptr) == CL_SUCCESS);
        CHECK(clSetUserEventStatus(first, CL_COMPLETE) == CL_SUCCESS);
        for (int i = 0; i < 2000 && !is_over; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        CHECK(is_over);
        CHECK(clSetUserEventStatus(second, CL_COMPLETE) == CL_SUCCESS);
        finishes.join();
        CHECK(clFinish(queue) == CL_SUCCESS);
        CHECK(clReleaseEvent(first) == CL_SUCCESS);
        CHECK(clReleaseEvent(second) == CL_SUCCESS);
    }
}

TEST_CASE("5.11 a queue that is released goes on") {
    std::atomic<int> done = 0;
    {
        Kernels f;
        cl_event event = nullptr;
        CHECK(run(f.queue, f.slow, 1, &event) == CL_SUCCESS);
        CHECK(clSetEventCallback(
                  event, CL_COMPLETE,
                  [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<int>*>(to); },
                  &done) == CL_SUCCESS);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
    while (done == 0) std::this_thread::yield();
    CHECK(done == 1);
}

TEST_CASE("5.12 markers and barriers") {
    Kernels f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = f.user(), marker = nullptr, all = nullptr;
    CHECK(f.enqueue(f.queue, f.add, 5, {gate}) == CL_SUCCESS);
    CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &marker) == CL_SUCCESS);
    CHECK(clEnqueueMarker(f.queue, &all) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(status(marker) == CL_QUEUED);
    CHECK(status(all) == CL_QUEUED);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &all) == CL_SUCCESS);
    CHECK(status(marker) == CL_COMPLETE);
    CHECK(info<cl_command_type>(clGetEventInfo, marker, CL_EVENT_COMMAND_TYPE) == CL_COMMAND_MARKER);
    CHECK(clEnqueueMarker(f.queue, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueWaitForEvents(f.queue, 1, &marker) == CL_SUCCESS);
    CHECK(clEnqueueBarrier(f.queue) == CL_SUCCESS);
    for (cl_event event : {gate, marker, all}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("5.14 profiling: the times of a command are in order, and one command after another") {
    Kernels f(CL_QUEUE_PROFILING_ENABLE);
    cl_ulong before = 0, previous_end = 0;
    CHECK(clGetHostTimer(f.the_device, &before) == CL_SUCCESS);
    for (int i = 0; i < 3; ++i) {
        // A gate, since the kernel may be over before a thread that others keep from running looks.
        cl_event gate = f.user(), event = nullptr;
        const size_t one = 1;
        CHECK(clEnqueueNDRangeKernel(f.queue, f.slow, 1, nullptr, &one, nullptr, 1, &gate, &event) ==
              CL_SUCCESS);
        CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr) ==
              CL_PROFILING_INFO_NOT_AVAILABLE);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
        const auto time = [&](cl_profiling_info name) {
            return info<cl_ulong>(clGetEventProfilingInfo, event, name);
        };
        CHECK(before <= time(CL_PROFILING_COMMAND_QUEUED));
        CHECK(time(CL_PROFILING_COMMAND_QUEUED) <= time(CL_PROFILING_COMMAND_SUBMIT));
        CHECK(time(CL_PROFILING_COMMAND_SUBMIT) <= time(CL_PROFILING_COMMAND_START));
        CHECK(time(CL_PROFILING_COMMAND_START) < time(CL_PROFILING_COMMAND_END));
        CHECK(time(CL_PROFILING_COMMAND_END) <= time(CL_PROFILING_COMMAND_COMPLETE));
        CHECK(previous_end <= time(CL_PROFILING_COMMAND_START));
        previous_end = time(CL_PROFILING_COMMAND_END);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
    // Nobody need wait for an event itself: its times are there once it is over.
    cl_event event = nullptr, later = nullptr;
    CHECK(f.enqueue(f.queue, f.add, 1, {}, &event) == CL_SUCCESS);
    CHECK(f.enqueue(f.make_queue(0), f.add, 1, {event}, &later) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &later) == CL_SUCCESS);
    CHECK(info<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END) > previous_end);
    for (cl_event each : {event, later}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    Kernels unprofiled;
    CHECK(unprofiled.enqueue(unprofiled.queue, unprofiled.add, 1, {}, &event) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr) ==
          CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

namespace {

struct Times {
    explicit Times(cl_event event) {
        for (cl_uint i = 0; i < 4; ++i)
            of[i] = info<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_QUEUED + i);
    }
    cl_ulong queued() const { return of[0]; }
    cl_ulong submitted() const { return of[1]; }
    cl_ulong start() const { return of[2]; }
    cl_ulong end() const { return of[3]; }
    std::array<cl_ulong, 4> of = {};
};

void check_order(const Times& times) {
    CHECK(times.queued() <= times.submitted());
    CHECK(times.submitted() <= times.start());
    CHECK(times.start() <= times.end());
}

}  // namespace

TEST_CASE("5.14 in an in-order queue commands of every kind begin after the one before has ended") {
    Kernels f(CL_QUEUE_PROFILING_ENABLE);
    std::vector<cl_uint> host(100);
    for (int round = 0; round < 8; ++round) {
        cl_event events[8] = {};
        const cl_uint pattern = 1;
        const size_t items = 100;
        CHECK(set(f.add, 1, pattern) == CL_SUCCESS);
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 0, nullptr, &events[0]) == CL_SUCCESS);
        CHECK(f.enqueue(f.queue, f.add, 1, {}, &events[1]) == CL_SUCCESS);
        CHECK(clEnqueueFillBuffer(f.queue, f.buffer, &pattern, 4, 0, 400, 0, nullptr, &events[2]) ==
              CL_SUCCESS);
        CHECK(f.enqueue(f.queue, f.scale, 1, {}, nullptr) == CL_SUCCESS);  // nobody asks for its times
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 0, nullptr, &events[3]) == CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(f.queue, f.buffer, CL_FALSE, 0, 400, host.data(), 0, nullptr, &events[4]) ==
              CL_SUCCESS);
        CHECK(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, &events[5]) == CL_SUCCESS);
        CHECK(clEnqueueNDRangeKernel(f.queue, f.add, 1, nullptr, &items, nullptr, 0, nullptr, &events[6]) ==
              CL_SUCCESS);
        CHECK(clEnqueueMigrateMemObjects(f.queue, 1, &f.buffer, 0, 0, nullptr, &events[7]) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        cl_ulong before = 0;
        for (cl_event event : events) {
            const Times times(event);
            check_order(times);
            CHECK(times.start() >= before);
            before = times.end();
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
        if (round % 2)
            std::this_thread::sleep_for(std::chrono::milliseconds(15));  // clocks are compared anew
    }
}

TEST_CASE("5.14 a marker ends no earlier than a kernel before it, whose event nobody has") {
    for (const cl_command_queue_properties order : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        Kernels f(CL_QUEUE_PROFILING_ENABLE | order);
        check_in_some_try([&] {
            cl_ulong shortest = ~cl_ulong{0};
            for (int i = 0; i < 3; ++i) {
                cl_event event = nullptr;
                CHECK(run(f.queue, f.slow, 1, &event) == CL_SUCCESS);
                CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
                shortest = std::min(shortest, Times(event).end() - Times(event).start());
                CHECK(clReleaseEvent(event) == CL_SUCCESS);
            }
            const size_t one = 1;
            cl_event marker = nullptr;
            // The kernel may be over before this thread enqueues the marker, if others keep it from running.
            cl_ulong before = 0;
            CHECK(clGetHostTimer(f.the_device, &before) == CL_SUCCESS);
            CHECK(clEnqueueNDRangeKernel(f.queue, f.slow, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
                  CL_SUCCESS);
            CHECK(clEnqueueMarkerWithWaitList(f.queue, 0, nullptr, &marker) == CL_SUCCESS);
            CHECK(clFinish(f.queue) == CL_SUCCESS);
            const Times times(marker);
            check_order(times);
            CHECK(clReleaseEvent(marker) == CL_SUCCESS);
            return times.end() - before > shortest / 2;
        });
    }
}

TEST_CASE("5.14 times of commands that wait for those of other queues") {
    Kernels f(CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue other = f.make_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::vector<cl_event> events;
    for (int i = 0; i < 200; ++i) {
        cl_event event = nullptr;
        const std::vector<cl_event> wait = i == 0 ? std::vector<cl_event>{} : std::vector{events.back()};
        CHECK(f.enqueue(i % 2 ? other : f.queue, f.add, 1, wait, &event) == CL_SUCCESS);
        events.push_back(event);
    }
    CHECK(clWaitForEvents(1, &events.back()) == CL_SUCCESS);
    for (size_t i = 0; i < events.size(); ++i) {
        check_order(Times(events[i]));
        if (i != 0) CHECK(Times(events[i - 1]).end() <= Times(events[i]).start());
    }
    for (cl_event event : events) CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(f.first() == 200);
}

TEST_CASE("5.11 a command is complete after those of other queues that it waits for, whoever looks") {
    Kernels f;
    cl_command_queue other = f.make_queue(0);
    static std::atomic<int> order;
    for (int round = 0; round < 20; ++round) {
        order = 0;
        cl_event first = nullptr, second = nullptr;
        CHECK(f.enqueue(f.queue, f.add, 1, {}, &first) == CL_SUCCESS);
        CHECK(f.enqueue(other, f.add, 1, {first}, &second) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &second) == CL_SUCCESS);
        // A callback for what is over already is called here.
        CHECK(clSetEventCallback(
                  first, CL_COMPLETE, [](cl_event, cl_int, void*) { order = 1; }, nullptr) == CL_SUCCESS);
        CHECK(order == 1);
        for (cl_event event : {first, second}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
}

TEST_CASE("errors of events") {
    Kernels f;
    CHECK(clWaitForEvents(0, nullptr) == CL_INVALID_VALUE);
    cl_event null = nullptr;
    CHECK(clWaitForEvents(1, &null) == CL_INVALID_EVENT);
    CHECK(clReleaseEvent(nullptr) == CL_INVALID_EVENT);
    cl_event event = nullptr;
    CHECK(f.enqueue(f.queue, f.add, 1, {}, &event) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(event, CL_COMPLETE) == CL_INVALID_EVENT);
    Fixture other;
    CHECK(clEnqueueMarkerWithWaitList(other.queue, 1, &event, nullptr) == CL_INVALID_CONTEXT);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    cl_event gate = f.user();
    CHECK(clSetUserEventStatus(gate, CL_SUBMITTED) == CL_INVALID_VALUE);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("16 threads enqueue, wait, read and register callbacks at once") {
    Kernels f;
    std::atomic<int> wrong = 0, called = 0;
    std::vector<std::thread> threads;
    for (cl_uint t = 0; t < 16; ++t)
        threads.emplace_back([&, t] {
            cl_int code = 1;
            std::vector<cl_uint> zeros(64), out(64);
            cl_mem buffer = clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, 256, zeros.data(), &code);
            cl_kernel kernel = clCloneKernel(f.add, &code);
            wrong += code != CL_SUCCESS;
            set(kernel, 0, buffer);
            for (cl_uint i = 0; i < 100; ++i) {
                const size_t items = 64;
                cl_event event = nullptr;
                set(kernel, 1, t);
                wrong += clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                                &event) != CL_SUCCESS;
                if (i % 8 == 0)
                    clSetEventCallback(
                        event, CL_COMPLETE,
                        [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<int>*>(to); }, &called);
                if (i % 5 == 0) wrong += clWaitForEvents(1, &event) != CL_SUCCESS;
                if (i % 7 == 0) status(event);
                clReleaseEvent(event);
            }
            wrong += clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 256, out.data(), 0, nullptr, nullptr) !=
                     CL_SUCCESS;
            for (const cl_uint value : out) wrong += value != 100 * t;
            clReleaseKernel(kernel);
            clReleaseMemObject(buffer);
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(wrong == 0);
    while (called != 16 * 13) std::this_thread::yield();
}
