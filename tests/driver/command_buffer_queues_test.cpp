// SPDX-License-Identifier: Apache-2.0
// Command-buffers of several queues of one device (cl_khr_command_buffer_multi_device); devices_test.cpp has
// those of several devices.
#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "tests/driver/command_buffers.h"

namespace caldera::driver_test {
namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr size_t kItems = 256, kBytes = kItems * sizeof(cl_int);

/// Two queues, of which each has an order or not, and kernels that change all elements of a buffer.
struct TwoQueues : Fixture {
    explicit TwoQueues(cl_command_queue_properties first = 0, cl_command_queue_properties second = 0)
        : Fixture(first), other(make_queue(second)) {}

    std::vector<cl_command_queue> both() const { return {queue, other}; }
    /// Records a = factor * a + summand in the queue.
    cl_sync_point_khr line(OwnCommandBuffer& commands, cl_command_queue on, cl_mem buffer, cl_int factor,
                           cl_int summand, const OwnCommandBuffer::Points& after = {}) const {
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, factor) == CL_SUCCESS);
        REQUIRE(set(kernel, 2, summand) == CL_SUCCESS);
        commands.on = on;
        return commands.run(kernel, kItems, after);
    }
    void write(cl_mem buffer, cl_int value) const {
        REQUIRE(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, kBytes, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        REQUIRE(clFinish(queue) == CL_SUCCESS);
    }
    void check_all(cl_mem buffer, cl_int value) {
        for (cl_command_queue each : both()) REQUIRE(clFinish(each) == CL_SUCCESS);
        CHECK(read<cl_int>(buffer, kItems) == std::vector<cl_int>(kItems, value));
    }
    cl_event user_event() const {
        cl_int code = 1;
        cl_event made = clCreateUserEvent(context, &code);
        REQUIRE(code == CL_SUCCESS);
        return made;
    }

    cl_command_queue other = nullptr;
    cl_kernel kernel = make_kernel(
        "kernel void line(global uint *a, uint factor, uint summand) {"
        "  size_t i = get_global_id(0); a[i] = factor * a[i] + summand;"
        "}",
        "line");
};

void wait_and_release(cl_event event, cl_int expected = CL_SUCCESS) {
    CHECK(clWaitForEvents(1, &event) == expected);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

/// Calls the function with each combination of orders of the queues.
template <class Test>
void with_all_orders(const Test& test) {
    for (const cl_command_queue_properties first : {cl_command_queue_properties{0}, kOutOfOrder})
        for (const cl_command_queue_properties second : {cl_command_queue_properties{0}, kOutOfOrder}) {
            CAPTURE(first);
            CAPTURE(second);
            TwoQueues f(first, second);
            test(f);
        }
}

}  // namespace

TEST_CASE("sync points order commands of several queues, also while a queue is held up") {
    with_all_orders([](TwoQueues& f) {
        cl_mem buffer = f.make_buffer(kBytes);
        OwnCommandBuffer commands(f.both());
        OwnCommandBuffer::Points last;
        cl_uint expected = 5;  // more than 32 bits, of which both keep the lower ones
        for (cl_int i = 0; i < 24; ++i) {
            last = {f.line(commands, f.both()[i % 3 == 0], buffer, i % 2 + 2, i, last)};
            expected = static_cast<cl_uint>(i % 2 + 2) * expected + static_cast<cl_uint>(i);
        }
        commands.finish_recording();
        for (cl_command_queue held : f.both()) {
            f.write(buffer, 5);
            cl_event gate = f.user_event(), event = nullptr;
            REQUIRE(clEnqueueBarrierWithWaitList(held, 1, &gate, nullptr) == CL_SUCCESS);
            REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
            REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
            wait_and_release(event);
            CHECK(clReleaseEvent(gate) == CL_SUCCESS);
            f.check_all(buffer, static_cast<cl_int>(expected));
        }
    });
}

TEST_CASE("an in-order queue orders its own commands of a command-buffer, and barriers those of all queues") {
    with_all_orders([](TwoQueues& f) {
        cl_mem a = f.make_buffer(kBytes), b = f.make_buffer(kBytes), out = f.make_buffer(2 * kBytes);
        cl_command_queue ordered = f.make_queue(0);
        OwnCommandBuffer commands({f.queue, f.other, ordered});
        commands.on = f.queue;
        const cl_sync_point_khr of_a = commands.fill(a, 1, kBytes);
        commands.on = f.other;
        const cl_sync_point_khr of_b = commands.fill(b, 2, kBytes);
        commands.on = ordered;
        commands.block({of_a, of_b});
        // The barrier has a list; other queues wait for it too.
        f.line(commands, f.other, a, 3, 4);
        f.line(commands, f.queue, b, 5, 6);
        commands.on = f.queue;
        commands.block();
        f.line(commands, ordered, a, 2, 1);
        f.line(commands, ordered, a, 3, 0);
        const cl_sync_point_khr last = f.line(commands, ordered, a, 1, 9);
        commands.on = f.other;
        commands.copy(a, out, kBytes, 0, {last});
        commands.copy(b, out, kBytes, kBytes);
        commands.finish_recording();
        for (int turn = 0; turn < 3; ++turn) {
            cl_event event = nullptr;
            REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
            wait_and_release(event);
            std::vector<cl_int> expected(2 * kItems, 3 * (2 * (3 * 1 + 4) + 1) + 9);
            std::fill_n(expected.begin() + kItems, kItems, 5 * 2 + 6);
            CHECK(f.read<cl_int>(out, 2 * kItems) == expected);
        }
    });
}

TEST_CASE("the commands of one queue do not wait for those of another without a reason") {
    // The other queue is held up by an event. What does not wait for its commands runs meanwhile.
    TwoQueues f(kOutOfOrder, 0);
    cl_mem a = f.make_buffer(kBytes), b = f.make_buffer(kBytes), c = f.make_buffer(kBytes);
    for (cl_mem buffer : {a, b, c}) f.write(buffer, 1);
    OwnCommandBuffer commands(f.both());
    const cl_sync_point_khr first = f.line(commands, f.queue, a, 1, 1);
    const cl_sync_point_khr second = f.line(commands, f.other, a, 2, 0, {first});
    f.line(commands, f.queue, a, 1, 5, {second});
    const cl_sync_point_khr free = f.line(commands, f.queue, b, 3, 0);  // these wait for nothing there
    f.line(commands, f.queue, b, 1, 4, {free});
    f.line(commands, f.other, c, 7, 0);
    commands.finish_recording();
    cl_event gate = f.user_event(), event = nullptr;
    REQUIRE(clEnqueueBarrierWithWaitList(f.other, 1, &gate, nullptr) == CL_SUCCESS);
    REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
    REQUIRE(clFlush(f.queue) == CL_SUCCESS);
    cl_command_queue reader = f.make_queue(0);
    const auto value = [&](cl_mem buffer) {
        cl_int out = 0;
        REQUIRE(clEnqueueReadBuffer(reader, buffer, CL_TRUE, 0, sizeof out, &out, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        return out;
    };
    while (value(b) != 7) std::this_thread::yield();
    CHECK(value(c) == 1);
    CHECK(status(event) == CL_SUBMITTED);
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    wait_and_release(event);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    f.check_all(a, 9);
    f.check_all(b, 7);
    f.check_all(c, 7);
}

TEST_CASE("a replay in several queues has one event of no queue") {
    TwoQueues f(0, CL_QUEUE_PROFILING_ENABLE);
    cl_mem a = f.make_buffer(kBytes), b = f.make_buffer(kBytes);
    OwnCommandBuffer commands(f.both());
    for (int i = 0; i < 10; ++i) f.line(commands, f.queue, a, 1, 1);
    for (int i = 0; i < 10; ++i) f.line(commands, f.other, b, 1, 1);
    commands.finish_recording();
    f.write(a, 0);
    f.write(b, 0);
    cl_event gate = f.user_event();
    std::array<cl_event, 2> events = {};
    REQUIRE(commands.replay({}, &events[0], {gate}) == CL_SUCCESS);
    REQUIRE(commands.replay({}, &events[1], {events[0]}) == CL_SUCCESS);
    cl_event event = events[0];
    CHECK(status(event) == CL_QUEUED);
    CHECK(info<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE) == nullptr);
    CHECK(info<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT) == f.context);
    CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) ==
          CL_COMMAND_COMMAND_BUFFER_KHR);
    CHECK(info<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT) == 1);
    CHECK(clSetUserEventStatus(event, CL_COMPLETE) == CL_INVALID_EVENT);
    cl_ulong time = 0;
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr) ==
          CL_PROFILING_INFO_NOT_AVAILABLE);
    struct Called {
        std::atomic<int> submitted = 0, complete = 0;
        std::atomic<cl_int> status = 1;
    } called;
    CHECK(clSetEventCallback(
              event, CL_SUBMITTED, [](cl_event, cl_int, void* to) { ++static_cast<Called*>(to)->submitted; },
              &called) == CL_SUCCESS);
    CHECK(clSetEventCallback(
              event, CL_COMPLETE,
              [](cl_event, cl_int status, void* to) {
                  auto& noted = *static_cast<Called*>(to);
                  noted.status = status;
                  ++noted.complete;
              },
              &called) == CL_SUCCESS);
    CHECK(called.submitted == 0);
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    // Nobody waits: the callback comes anyway.
    while (called.complete == 0) std::this_thread::yield();
    CHECK(called.submitted == 1);
    CHECK(called.status == CL_COMPLETE);
    CHECK(status(event) == CL_COMPLETE);
    // Commands of any queue wait for it, and it ends before them.
    cl_event copied = nullptr;
    cl_command_queue third = f.make_queue(CL_QUEUE_PROFILING_ENABLE);
    REQUIRE(clEnqueueCopyBuffer(third, b, a, 0, 0, kBytes, 1, &events[1], &copied) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &copied) == CL_SUCCESS);
    CHECK(status(events[1]) == CL_COMPLETE);
    std::vector<cl_ulong> times;
    for (cl_event each : {events[0], events[1], copied})
        for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                             CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END})
            times.push_back(info<cl_ulong>(clGetEventProfilingInfo, each, name));
    for (const size_t i : {0, 1, 2, 4, 5, 6, 8, 9, 10}) CHECK(times[i] <= times[i + 1]);
    CHECK(times[0] != 0);
    CHECK(times[3] <= times[6]);
    CHECK(times[7] <= times[10]);
    f.check_all(a, 20);
    for (cl_event each : {gate, events[0], events[1], copied}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    // No queue takes times.
    const cl_command_queue plain = f.make_queue(0);
    REQUIRE(commands.replay({f.queue, plain}, &event) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr) ==
          CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("a replay in several queues fails with what it waits for, and the next one runs") {
    with_all_orders([](TwoQueues& f) {
        cl_mem a = f.make_buffer(kBytes);
        f.write(a, 1);
        OwnCommandBuffer commands(f.both());
        const cl_sync_point_khr first = f.line(commands, f.queue, a, 2, 0);
        f.line(commands, f.other, a, 3, 0, {first});
        commands.finish_recording();
        cl_event never = f.user_event(), failed = nullptr, after_it = nullptr, next = nullptr;
        REQUIRE(commands.replay({}, &failed, {never}) == CL_SUCCESS);
        REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &failed, &after_it) == CL_SUCCESS);
        REQUIRE(commands.replay({}, &next) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(never, -5) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK(status(failed) < 0);
        wait_and_release(next);
        wait_and_release(after_it, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK(clEnqueueMarkerWithWaitList(f.other, 1, &failed, &after_it) == CL_SUCCESS);
        wait_and_release(after_it, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        f.check_all(a, 6);
        for (cl_event each : {never, failed}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    });
}

TEST_CASE("in-order queues run replays of a command-buffer one after the other") {
    TwoQueues f;
    cl_mem a = f.make_buffer(kBytes);
    f.write(a, 1);
    OwnCommandBuffer commands(f.both());
    const cl_sync_point_khr first = f.line(commands, f.queue, a, 2, 1);
    f.line(commands, f.other, a, 3, 0, {first});
    commands.finish_recording();
    cl_event gate = f.user_event();
    REQUIRE(clEnqueueBarrierWithWaitList(f.other, 1, &gate, nullptr) == CL_SUCCESS);
    cl_int expected = 1;
    for (int i = 0; i < 5; ++i) {
        REQUIRE(commands.replay() == CL_SUCCESS);
        expected = 3 * (2 * expected + 1);
    }
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    f.check_all(a, expected);
}

TEST_CASE("threads replay one command-buffer in the same in-order queues, one replay after the other") {
    TwoQueues f;
    cl_mem a = f.make_buffer(kBytes);
    f.write(a, 1);
    OwnCommandBuffer commands(f.both());
    OwnCommandBuffer::Points last;
    for (int i = 0; i < 4; ++i) last = {f.line(commands, f.both()[i % 2], a, i % 2 + 2, 1, last)};
    commands.finish_recording();
    constexpr int kThreads = 4, kTurns = 40;
    std::atomic<int> failures = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&] {
            for (int turn = 0; turn < kTurns; ++turn) failures += commands.replay() != CL_SUCCESS;
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(failures == 0);
    cl_uint expected = 1;
    for (int i = 0; i < kThreads * kTurns; ++i)
        for (int j = 0; j < 2; ++j) expected = 3 * (2 * expected + 1) + 1;
    f.check_all(a, static_cast<cl_int>(expected));
}

TEST_CASE("a command-buffer of several queues runs in other queues, and outlives its own") {
    TwoQueues f(0, kOutOfOrder);
    const CommandBuffers api;
    cl_mem a = f.make_buffer(kBytes);
    cl_event gate = f.user_event();
    std::array<cl_command_queue, 2> replacing = {f.make_queue(kOutOfOrder), f.make_queue(0)};
    {
        OwnCommandBuffer commands(f.both());
        const cl_sync_point_khr first = f.line(commands, f.queue, a, 2, 1);
        const cl_sync_point_khr second = f.line(commands, f.other, a, 3, 0, {first});
        f.line(commands, f.queue, a, 1, 7, {second});
        commands.finish_recording();
        f.write(a, 1);
        cl_event event = nullptr;
        REQUIRE(commands.replay({replacing[0], replacing[1]}, &event) == CL_SUCCESS);
        wait_and_release(event);
        f.check_all(a, 16);
        f.write(a, 2);
        REQUIRE(commands.replay({f.other, f.other}, &event) == CL_SUCCESS);
        wait_and_release(event);
        f.check_all(a, 22);
        f.write(a, 3);
        REQUIRE(commands.replay({replacing[0], replacing[1]}, nullptr, {gate}) == CL_SUCCESS);
    }
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    for (cl_command_queue each : replacing) CHECK(clFinish(each) == CL_SUCCESS);
    f.check_all(a, 28);
}

TEST_CASE("launches in several queues change between replays, which may be simultaneous") {
    for (const auto* properties : {kMutable, kSimultaneous}) {
        TwoQueues f(kOutOfOrder, 0);
        cl_mem a = f.make_buffer(kBytes), b = f.make_buffer(kBytes);
        cl_kernel kernel = f.make_kernel(
            "kernel void add(global int *a, int n) {"
            "  atomic_add(a + get_global_id(0), n);"
            "}",
            "add");
        const cl_int one = 1, ten = 10;
        REQUIRE(set(kernel, 0, a) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, one) == CL_SUCCESS);
        OwnCommandBuffer commands(f.both(), properties);
        std::array<cl_mutable_command_khr, 2> launches = {};
        for (size_t i = 0; i < 2; ++i) {
            commands.on = f.both()[i];
            launches[i] = commands.run_changeable(kernel, kItems);
            CHECK(info<cl_command_queue>(commands.get_command_info, launches[i],
                                         CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR) == commands.on);
        }
        commands.finish_recording();
        f.write(a, 0);
        f.write(b, 0);
        cl_event gate = f.user_event(), event = nullptr;
        REQUIRE(commands.replay({}, nullptr, {gate}) == CL_SUCCESS);  // with the old arguments
        const std::array<icd::MutableDispatchArg, 2> args = {{{0, sizeof b, &b}, {1, sizeof ten, &ten}}};
        REQUIRE(commands.change({{.command = launches[1], .num_args = 2, .arg_list = args.data()}}) ==
                CL_SUCCESS);
        REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        wait_and_release(event);
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
        f.check_all(a, 3);
        f.check_all(b, 10);
        // Nothing is on its way, so this may be a store.
        REQUIRE(commands.change({{.command = launches[0], .num_args = 1, .arg_list = &args[1]}}) ==
                CL_SUCCESS);
        REQUIRE(commands.replay() == CL_SUCCESS);
        f.check_all(a, 13);
        f.check_all(b, 20);
    }
}

TEST_CASE("threads replay one command-buffer in queues of their own at the same time") {
    TwoQueues f(kOutOfOrder, kOutOfOrder);
    cl_kernel kernel =
        f.make_kernel("kernel void add(global int *out) { atomic_inc(out + get_global_id(0)); }", "add");
    cl_mem out = f.make_buffer(kBytes);
    f.write(out, 0);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    OwnCommandBuffer commands(f.both(), kSimultaneous);
    cl_sync_point_khr last = 0;
    for (int i = 0; i < 6; ++i) {
        commands.on = f.both()[i % 2];
        last = last ? commands.run(kernel, kItems, {last}) : commands.run(kernel, kItems);
    }
    commands.finish_recording();
    constexpr size_t kThreads = 4;
    constexpr int kTurns = 20;
    std::vector<std::vector<cl_command_queue>> queues;
    for (size_t i = 0; i < kThreads; ++i)
        queues.push_back({f.make_queue(i % 2 ? kOutOfOrder : 0), i == 3 ? f.other : f.make_queue(0)});
    std::vector<int> failures(kThreads);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] {
            const auto check = [&](cl_int code) { failures[i] += code != CL_SUCCESS; };
            for (int turn = 0; turn < kTurns; ++turn) {
                cl_event event = nullptr;
                check(commands.enqueue(2, queues[i].data(), commands.handle, 0, nullptr, &event));
                if (turn % 3 == 0) check(clWaitForEvents(1, &event));
                check(clReleaseEvent(event));
            }
            for (cl_command_queue queue : queues[i]) check(clFinish(queue));
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(failures == std::vector<int>(kThreads));
    for (const auto& pair : queues)
        for (cl_command_queue queue : pair) CHECK(clFinish(queue) == CL_SUCCESS);
    f.check_all(out, 6 * kThreads * kTurns);
}

namespace {

/// A command-buffer whose commands of one buffer have an order, by sync points, a queue or a barrier. Nothing
/// else has one.
class RandomCommands {
 public:
    static constexpr size_t kBuffers = 4;

    RandomCommands(Fixture& f, cl_kernel kernel, unsigned seed) : random_(seed), kernel_(kernel) {
        const size_t count = below(3) + 2;
        for (size_t i = 0; i < count; ++i) {
            is_ordered.push_back(below(2) == 0);
            queues.push_back(f.make_queue(is_ordered.back() ? 0 : kOutOfOrder));
        }
        for (size_t i = 0; i < kBuffers; ++i) buffers.push_back(f.make_buffer(kBytes));
        values.resize(kBuffers);
    }
    void record(OwnCommandBuffer& commands) {
        std::vector<Touch> latest(kBuffers);
        cl_sync_point_khr blocked = 0;
        const size_t count = 10 + below(50);
        for (size_t i = 0; i < count; ++i) {
            const size_t queue = below(queues.size()), buffer = below(kBuffers);
            commands.on = queues[queue];
            if (below(12) == 0) {
                blocked = commands.block();
                continue;
            }
            Touch& before = latest[buffer];
            OwnCommandBuffer::Points after;
            const bool is_implied = before.point <= blocked || (before.queue == queue && is_ordered[queue]);
            if (before.point != 0 && (!is_implied || below(4) == 0)) after.push_back(before.point);
            if (const Touch& other = latest[below(kBuffers)]; below(6) == 0 && other.point != 0)
                after.push_back(other.point);
            const auto factor = static_cast<cl_int>(below(3)) + 1, summand = static_cast<cl_int>(below(9));
            if (before.point == 0) {
                before = {commands.fill(buffers[buffer], summand, kBytes, after), queue};
                values[buffer] = summand;
                continue;
            }
            REQUIRE(set(kernel_, 0, buffers[buffer]) == CL_SUCCESS);
            REQUIRE(set(kernel_, 1, factor) == CL_SUCCESS);
            REQUIRE(set(kernel_, 2, summand) == CL_SUCCESS);
            before = {commands.run(kernel_, kItems, after), queue};
            values[buffer] =
                static_cast<cl_int>(static_cast<cl_uint>(factor) * static_cast<cl_uint>(values[buffer]) +
                                    static_cast<cl_uint>(summand));
        }
        commands.finish_recording();
    }
    size_t below(size_t limit) { return random_() % limit; }

    std::vector<cl_command_queue> queues = {};
    std::vector<bool> is_ordered = {};
    std::vector<cl_mem> buffers = {};
    std::vector<cl_int> values = {};  ///< that a replay leaves

 private:
    struct Touch {
        cl_sync_point_khr point = 0;
        size_t queue = 0;
    };
    std::mt19937 random_;
    cl_kernel kernel_;
};

}  // namespace

TEST_CASE("random commands of several queues, and copies for others, keep their order") {
    TwoQueues f;
    for (unsigned seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        RandomCommands random(f, f.kernel, seed);
        OwnCommandBuffer commands(random.queues);
        random.record(commands);
        std::vector<cl_command_queue> fewer(random.queues.begin(),
                                            random.queues.begin() + random.below(random.queues.size()) + 1);
        const OwnCommandBuffer copy(commands.copy_for(fewer, CL_TRUE));
        const auto check = [&](const OwnCommandBuffer& replayed) {
            // A queue is held up meanwhile.
            cl_event gate = f.user_event(), event = nullptr;
            REQUIRE(clEnqueueBarrierWithWaitList(random.queues[random.below(random.queues.size())], 1, &gate,
                                                 nullptr) == CL_SUCCESS);
            REQUIRE(replayed.replay({}, &event) == CL_SUCCESS);
            REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
            wait_and_release(event);
            CHECK(clReleaseEvent(gate) == CL_SUCCESS);
            for (size_t i = 0; i < random.buffers.size(); ++i) {
                if (random.values[i] != 0) f.check_all(random.buffers[i], random.values[i]);
                f.write(random.buffers[i], 0);
            }
        };
        check(commands);
        check(copy);
        check(commands);
    }
}

TEST_CASE("the host works between commands of several queues") {
    TwoQueues f;
    if (info<cl_device_svm_capabilities>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_CAPABILITIES) == 0)
        return;
    auto* const shared = static_cast<cl_int*>(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0));
    REQUIRE(shared);
    std::array<cl_int, 16> host = {};
    host.fill(3);
    const cl_int seven = 7;
    const OwnCommandBuffer commands(f.both());
    cl_sync_point_khr point = 0;
    const auto fill = [&](void* to, cl_command_queue queue) {
        const cl_sync_point_khr before = point;
        REQUIRE(commands.svm_mem_fill(commands.handle, queue, nullptr, to, &seven, 4, 16, before ? 1 : 0,
                                      before ? &before : nullptr, &point, nullptr) == CL_SUCCESS);
    };
    const auto copy = [&](void* to, const void* from, cl_command_queue queue) {
        const cl_sync_point_khr before = point;
        REQUIRE(commands.svm_memcpy(commands.handle, queue, nullptr, to, from, 16, 1, &before, &point,
                                    nullptr) == CL_SUCCESS);
    };
    fill(shared, f.queue);
    copy(host.data(), shared, f.other);
    copy(shared + 4, host.data(), f.queue);
    copy(host.data() + 8, shared + 4, f.other);
    commands.finish_recording();
    for (int turn = 0; turn < 3; ++turn) {
        cl_event event = nullptr;
        REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
        wait_and_release(event);
        CHECK(host == std::array<cl_int, 16>{7, 7, 7, 7, 3, 3, 3, 3, 7, 7, 7, 7, 3, 3, 3, 3});
        host.fill(3);
    }
    clSVMFree(f.context, shared);
}

TEST_CASE("command-buffers of several queues answer queries, and say what is wrong") {
    TwoQueues f;
    Fixture stranger;
    const CommandBuffers api;
    cl_mem a = f.make_buffer(kBytes);
    OwnCommandBuffer commands({f.queue, f.other, f.queue});
    CHECK(info<cl_uint>(api.get_info, commands.handle, CL_COMMAND_BUFFER_NUM_QUEUES_KHR) == 3);
    std::array<cl_command_queue, 3> listed = {};
    size_t size = 0;
    CHECK(api.get_info(commands.handle, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof listed, listed.data(), &size) ==
          CL_SUCCESS);
    CHECK(size == sizeof listed);
    CHECK(listed == std::array{f.queue, f.other, f.queue});
    CHECK(api.get_info(commands.handle, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof listed - 1, listed.data(),
                       nullptr) == CL_INVALID_VALUE);
    CHECK(info<cl_context>(api.get_info, commands.handle, CL_COMMAND_BUFFER_CONTEXT_KHR) == f.context);

    const cl_int zero = 0;
    const auto filled = [&](cl_command_queue queue) {
        return api.fill_buffer(commands.handle, queue, nullptr, a, &zero, 4, 0, kBytes, 0, nullptr, nullptr,
                               nullptr);
    };
    CHECK(filled(nullptr) == CL_INVALID_COMMAND_QUEUE);
    CHECK(filled(f.make_queue(0)) == CL_INVALID_COMMAND_QUEUE);
    CHECK(filled(stranger.queue) == CL_INVALID_CONTEXT);
    CHECK(api.barrier(commands.handle, nullptr, nullptr, 0, nullptr, nullptr, nullptr) ==
          CL_INVALID_COMMAND_QUEUE);
    CHECK(filled(f.other) == CL_SUCCESS);
    CHECK(commands.replay() == CL_INVALID_OPERATION);
    commands.finish_recording();
    CHECK(filled(f.other) == CL_INVALID_OPERATION);

    cl_command_queue null = nullptr;
    CHECK(commands.replay({f.queue}) == CL_INVALID_VALUE);
    CHECK(commands.replay({f.queue, f.other}) == CL_INVALID_VALUE);
    CHECK(commands.replay({f.queue, f.other, null}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(commands.replay({f.queue, f.other, stranger.queue}) == CL_INVALID_CONTEXT);
    CHECK(api.enqueue(3, nullptr, commands.handle, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(api.enqueue(0, listed.data(), commands.handle, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(api.enqueue(0, nullptr, commands.handle, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    cl_event foreign = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(stranger.queue, 0, nullptr, &foreign) == CL_SUCCESS);
    CHECK(commands.replay({}, nullptr, {foreign}) == CL_INVALID_CONTEXT);
    CHECK(clReleaseEvent(foreign) == CL_SUCCESS);
    CHECK(commands.replay() == CL_SUCCESS);
    f.check_all(a, 0);

    // The event of a command-buffer without commands waits for the list alone.
    const OwnCommandBuffer empty(f.both());
    empty.finish_recording();
    cl_event gate = f.user_event(), event = nullptr;
    REQUIRE(empty.replay({}, &event, {gate}) == CL_SUCCESS);
    CHECK(status(event) > CL_COMPLETE);
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    wait_and_release(event);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("queues of a device that synchronise on the device may be asked to do so") {
    TwoQueues f;
    const CommandBuffers api;
    const bool syncs =
        info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR) == 1;
    if (syncs)
        CHECK(info<cl_device_id>(clGetDeviceInfo, f.the_device, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR) ==
              f.the_device);
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                           CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0};
    for (const cl_uint count : {1u, 2u}) {
        cl_int code = 1;
        cl_command_buffer_khr made = api.create(count, f.both().data(), properties, &code);
        CHECK(code == (syncs || count == 1 ? CL_SUCCESS : CL_INCOMPATIBLE_COMMAND_QUEUE_KHR));
        if (made) CHECK(api.release(made) == CL_SUCCESS);
    }
}

}  // namespace caldera::driver_test
