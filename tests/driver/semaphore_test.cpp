// SPDX-License-Identifier: Apache-2.0
// cl_khr_semaphore.
#include "tests/driver/semaphores.h"

#include <array>
#include <bit>
#include <thread>
#include <vector>

#include "tests/driver/queries.h"

namespace caldera::driver_test {
namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

cl_command_type type_of(cl_event event) {
    return info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE);
}

/// A kernel that takes a while, and adds 1 to each number of a buffer.
struct Adder {
    explicit Adder(Fixture& f)
        : kernel(f.make_kernel("kernel void add(global int *a) {"
                               "  int sum = 0;"
                               "  for (int i = 0; i < 20000; ++i) sum ^= a[get_global_id(0)] + i;"
                               "  a[get_global_id(0)] += sum == -1 ? 2 : 1;"
                               "}",
                               "add")) {
        std::vector<cl_int> zeros(kItems);
        numbers = f.make_buffer(kItems * sizeof(cl_int), zeros.data());
        REQUIRE(set(kernel, 0, numbers) == CL_SUCCESS);
    }
    static constexpr size_t kItems = 256;
    cl_kernel kernel;
    cl_mem numbers = nullptr;
};

void release_all(const std::vector<cl_event>& events) {
    for (cl_event event : events) CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

}  // namespace

TEST_CASE("a semaphore orders two queues, again and again") {
    for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, kOutOfOrder}) {
        Fixture f(properties);
        cl_command_queue other = f.make_queue(properties);
        Adder adder(f);
        const OwnSemaphore there(f.context), back(f.context);
        const auto add = [&](cl_command_queue queue) {
            REQUIRE(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr) == CL_SUCCESS);
            REQUIRE(run(queue, adder.kernel, Adder::kItems) == CL_SUCCESS);
            REQUIRE(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr) == CL_SUCCESS);
        };
        constexpr int kTurns = 20;
        for (int turn = 0; turn < kTurns; ++turn) {
            add(f.queue);
            REQUIRE(there.signal_in(f.queue) == CL_SUCCESS);
            REQUIRE(there.wait_in(other) == CL_SUCCESS);
            add(other);
            REQUIRE(back.signal_in(other) == CL_SUCCESS);
            REQUIRE(back.wait_in(f.queue) == CL_SUCCESS);
        }
        REQUIRE(clEnqueueBarrierWithWaitList(f.queue, 0, nullptr, nullptr) == CL_SUCCESS);
        for (const cl_int number : f.read<cl_int>(adder.numbers, Adder::kItems)) CHECK(number == 2 * kTurns);
        CHECK(there.payload() == 0);
        CHECK(back.payload() == 0);
    }
}

TEST_CASE("semaphores have events of their own types, and a payload") {
    Fixture f(CL_QUEUE_PROFILING_ENABLE);
    const OwnSemaphore semaphore(f.context);
    CHECK(semaphore.payload() == 0);
    std::vector<cl_event> events(2);
    REQUIRE(semaphore.signal_in(f.queue, &events[0]) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &events[0]) == CL_SUCCESS);
    CHECK(semaphore.payload() == 1);
    REQUIRE(semaphore.wait_in(f.queue, &events[1]) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &events[1]) == CL_SUCCESS);
    CHECK(semaphore.payload() == 0);
    CHECK(type_of(events[0]) == CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    CHECK(type_of(events[1]) == CL_COMMAND_SEMAPHORE_WAIT_KHR);
    const auto signalled = info<cl_ulong>(clGetEventProfilingInfo, events[0], CL_PROFILING_COMMAND_END);
    CHECK(info<cl_ulong>(clGetEventProfilingInfo, events[1], CL_PROFILING_COMMAND_END) >= signalled);
    release_all(events);
}

TEST_CASE("a wait may be enqueued before its signal") {
    Fixture f;
    cl_command_queue other = f.make_queue(0);
    const OwnSemaphore semaphore(f.context);
    std::vector<cl_event> events(2);
    REQUIRE(semaphore.wait_in(f.queue, &events[0]) == CL_SUCCESS);
    REQUIRE(clFlush(f.queue) == CL_SUCCESS);
    CHECK(status(events[0]) > CL_COMPLETE);
    REQUIRE(semaphore.signal_in(other, &events[1]) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &events[0]) == CL_SUCCESS);
    CHECK(status(events[1]) == CL_COMPLETE);
    CHECK(semaphore.payload() == 0);
    release_all(events);
}

TEST_CASE("a signal that has not begun holds its wait up, and no other semaphore's") {
    Fixture f(kOutOfOrder);
    cl_command_queue other = f.make_queue(kOutOfOrder);
    cl_int code = 1;
    cl_event gate = clCreateUserEvent(f.context, &code);
    REQUIRE(code == CL_SUCCESS);
    const OwnSemaphore late(f.context), early(f.context);
    std::vector<cl_event> events(4);
    REQUIRE(late.signal_in(f.queue, &events[0], gate) == CL_SUCCESS);
    REQUIRE(late.wait_in(other, &events[1]) == CL_SUCCESS);
    REQUIRE(early.signal_in(f.queue, &events[2]) == CL_SUCCESS);
    REQUIRE(early.wait_in(other, &events[3]) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &events[3]) == CL_SUCCESS);
    CHECK(status(events[1]) > CL_COMPLETE);
    CHECK(late.payload() == 0);
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &events[1]) == CL_SUCCESS);
    CHECK(late.payload() == 0);
    release_all(events);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("queues that exchange semaphores go on, whatever is enqueued first and what is held up") {
    struct Step {
        bool is_first_queue, signals, is_first_semaphore;
    };
    // What each queue does, in this order. Two queues that first wait for each other would never end.
    using Steps = std::array<Step, 2>;
    constexpr Steps kSignalThenWait = {{{true, true, true}, {true, false, false}}},
                    kAnswer = {{{false, false, true}, {false, true, false}}},
                    kBothSignal = {{{false, true, false}, {false, false, true}}};
    enum class Gate { None, Opens, Fails };
    for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, kOutOfOrder})
        for (const Steps& others : {kAnswer, kBothSignal})
            for (const Gate gated : {Gate::None, Gate::Opens, Gate::Fails})
                for (unsigned order = 0; order < 16; ++order) {
                    if (std::popcount(order) != 2) continue;
                    CAPTURE(order);
                    CAPTURE(static_cast<int>(gated));
                    Fixture f(properties);
                    cl_command_queue other = f.make_queue(properties);
                    const OwnSemaphore first(f.context), second(f.context);
                    cl_int code = 1;
                    cl_event gate = clCreateUserEvent(f.context, &code);
                    std::vector<cl_event> events;
                    size_t ours = 0, theirs = 0;
                    for (unsigned i = 0; i < 4; ++i) {
                        const Step step = order >> i & 1 ? kSignalThenWait[ours++] : others[theirs++];
                        const OwnSemaphore& semaphore = step.is_first_semaphore ? first : second;
                        cl_command_queue queue = step.is_first_queue ? f.queue : other;
                        // In an out-of-order queue, a queue's second command waits for its first one.
                        cl_event after = nullptr;
                        const bool is_gated = step.is_first_queue && step.signals && gated != Gate::None;
                        if (is_gated) after = gate;
                        if (properties != 0 && !is_gated)
                            REQUIRE(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr) == CL_SUCCESS);
                        REQUIRE((step.signals ? semaphore.signal_in(queue, &events.emplace_back(), after)
                                              : semaphore.wait_in(queue, &events.emplace_back(), after)) ==
                                CL_SUCCESS);
                    }
                    REQUIRE(clFlush(f.queue) == CL_SUCCESS);
                    REQUIRE(clFlush(other) == CL_SUCCESS);
                    if (gated != Gate::None)
                        for (cl_event event : events)
                            if (status(event) < CL_COMPLETE) FAIL_CHECK("an event fails before its time");
                    REQUIRE(clSetUserEventStatus(gate, gated == Gate::Fails ? -7 : CL_COMPLETE) ==
                            CL_SUCCESS);
                    CHECK(clFinish(f.queue) == CL_SUCCESS);
                    CHECK(clFinish(other) == CL_SUCCESS);
                    for (cl_event event : events)
                        if (gated != Gate::Fails) CHECK(status(event) == CL_COMPLETE);
                    if (gated != Gate::Fails) {
                        CHECK(first.payload() == 0);
                        CHECK(second.payload() == 0);
                    }
                    for (cl_event event : events) CHECK(status(event) <= CL_COMPLETE);
                    release_all(events);
                    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
                }
}

TEST_CASE("a wait for a signal behind a user event leaves the other commands of its queue alone") {
    Fixture f(kOutOfOrder);
    cl_command_queue other = f.make_queue(kOutOfOrder);
    cl_int code = 1;
    cl_event gate = clCreateUserEvent(f.context, &code);
    const OwnSemaphore semaphore(f.context);
    Adder adder(f);
    std::vector<cl_event> events(4);
    REQUIRE(semaphore.signal_in(f.queue, &events[0], gate) == CL_SUCCESS);
    REQUIRE(semaphore.wait_in(other, &events[1]) == CL_SUCCESS);
    REQUIRE(run(other, adder.kernel, Adder::kItems, &events[2]) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &events[2]) == CL_SUCCESS);
    REQUIRE(run(f.queue, adder.kernel, Adder::kItems, &events[3]) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &events[3]) == CL_SUCCESS);
    for (int i = 0; i < 2; ++i) CHECK(status(events[i]) > CL_COMPLETE);
    // An error goes on to the wait, and the semaphore is as it was.
    REQUIRE(clSetUserEventStatus(gate, -9) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &events[1]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (int i = 0; i < 2; ++i) CHECK(status(events[i]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(semaphore.payload() == 0);
    REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
    REQUIRE(semaphore.wait_in(other) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clFinish(other) == CL_SUCCESS);
    CHECK(semaphore.payload() == 0);
    release_all(events);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("one command signals several semaphores, and another waits for them") {
    Fixture f;
    cl_command_queue other = f.make_queue(0);
    const OwnSemaphore first(f.context), second(f.context);
    const cl_semaphore_khr both[] = {first.handle, second.handle};
    const cl_semaphore_payload_khr payloads[] = {7, 8};  // binary semaphores ignore them
    cl_event event = nullptr;
    REQUIRE(first.signal(f.queue, 2, both, payloads, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(first.payload() == 1);
    CHECK(second.payload() == 1);
    REQUIRE(first.wait(other, 2, both, payloads, 0, nullptr, &event) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(first.payload() == 0);
    CHECK(second.payload() == 0);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("a wait that failed leaves the semaphore signalled") {
    Fixture f;
    cl_int code = 1;
    cl_event gate = clCreateUserEvent(f.context, &code);
    REQUIRE(code == CL_SUCCESS);
    const OwnSemaphore semaphore(f.context);
    cl_event failed = nullptr, waited = nullptr;
    REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
    REQUIRE(semaphore.wait_in(f.queue, &failed, gate) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(semaphore.payload() == 1);
    REQUIRE(semaphore.wait_in(f.queue, &waited) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &waited) == CL_SUCCESS);
    CHECK(semaphore.payload() == 0);
    release_all({failed, waited, gate});
}

TEST_CASE("the signal of a wait that fails goes to the next wait, which is enqueued already") {
    Fixture f;
    for (const bool is_signalled_first : {true, false}) {
        CAPTURE(is_signalled_first);
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        REQUIRE(code == CL_SUCCESS);
        cl_command_queue first = f.make_queue(0), second = f.make_queue(0), third = f.make_queue(0);
        const OwnSemaphore semaphore(f.context);
        cl_event failed = nullptr, waited = nullptr, next = nullptr;
        if (is_signalled_first) REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
        REQUIRE(semaphore.wait_in(first, &failed, gate) == CL_SUCCESS);
        REQUIRE(semaphore.wait_in(second, &waited) == CL_SUCCESS);
        REQUIRE(semaphore.wait_in(third, &next) == CL_SUCCESS);
        REQUIRE(clFlush(second) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
        if (!is_signalled_first) REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK(clWaitForEvents(1, &waited) == CL_SUCCESS);
        CHECK(status(next) > CL_COMPLETE);
        CHECK(semaphore.payload() == 0);
        REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &next) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
        release_all({failed, waited, next, gate});
    }
}

TEST_CASE("a wait takes no signal that has failed") {
    Fixture f;
    cl_command_queue other = f.make_queue(0);
    const OwnSemaphore semaphore(f.context);
    for (const bool waits_first : {false, true}) {
        CAPTURE(waits_first);
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code), failed = nullptr, waited = nullptr;
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(semaphore.signal_in(f.queue, &failed, gate) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK(semaphore.payload() == 0);
        if (!waits_first) REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
        REQUIRE(semaphore.wait_in(other, &waited) == CL_SUCCESS);
        if (waits_first) REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &waited) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
        release_all({failed, waited, gate});
    }
}

TEST_CASE("a wait whose semaphore is gone fails") {
    Fixture f;
    cl_event event = nullptr;
    {
        const OwnSemaphore semaphore(f.context);
        REQUIRE(semaphore.wait_in(f.queue, &event) == CL_SUCCESS);
    }
    CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(status(event) < 0);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("threads signal and wait") {
    Fixture f;
    cl_command_queue other = f.make_queue(0);
    const OwnSemaphore semaphore(f.context);
    constexpr int kTurns = 200;
    cl_int signalled = CL_SUCCESS, waited = CL_SUCCESS;
    std::thread signals([&] {
        for (int i = 0; i < kTurns && signalled == CL_SUCCESS; ++i) signalled = semaphore.signal_in(f.queue);
    });
    for (int i = 0; i < kTurns && waited == CL_SUCCESS; ++i) waited = semaphore.wait_in(other);
    signals.join();
    CHECK(signalled == CL_SUCCESS);
    CHECK(waited == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clFinish(other) == CL_SUCCESS);
    CHECK(semaphore.payload() == 0);
}

TEST_CASE("queries of a semaphore") {
    Fixture f;
    const cl_semaphore_properties_khr given[] = {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                 reinterpret_cast<cl_semaphore_properties_khr>(f.the_device),
                                                 CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
                                                 CL_SEMAPHORE_TYPE_KHR,
                                                 CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                 0};
    const OwnSemaphore semaphore(f.context, given);
    cl_semaphore_khr handle = semaphore.handle;
    const auto get = semaphore.get_info;
    CHECK(info<cl_context>(get, handle, CL_SEMAPHORE_CONTEXT_KHR) == f.context);
    CHECK(info<cl_semaphore_type_khr>(get, handle, CL_SEMAPHORE_TYPE_KHR) == CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK(list<cl_device_id>(get, handle, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) ==
          std::vector<cl_device_id>{f.the_device});
    CHECK(list<cl_semaphore_properties_khr>(get, handle, CL_SEMAPHORE_PROPERTIES_KHR) ==
          std::vector<cl_semaphore_properties_khr>(std::begin(given), std::end(given)));
    CHECK(info<cl_uint>(get, handle, CL_SEMAPHORE_REFERENCE_COUNT_KHR) == 1);
    CHECK(semaphore.retain(handle) == CL_SUCCESS);
    CHECK(info<cl_uint>(get, handle, CL_SEMAPHORE_REFERENCE_COUNT_KHR) == 2);
    CHECK(semaphore.release(handle) == CL_SUCCESS);

    cl_uint value = 0;
    CHECK(get(handle, CL_SEMAPHORE_TYPE_KHR, sizeof value - 1, &value, nullptr) == CL_INVALID_VALUE);
    CHECK(get(handle, CL_DEVICE_TYPE, sizeof value, &value, nullptr) == CL_INVALID_VALUE);
    CHECK(get(nullptr, CL_SEMAPHORE_TYPE_KHR, sizeof value, &value, nullptr) == CL_INVALID_SEMAPHORE_KHR);
    CHECK(semaphore.retain(nullptr) == CL_INVALID_SEMAPHORE_KHR);
    CHECK(semaphore.release(nullptr) == CL_INVALID_SEMAPHORE_KHR);
    CHECK(semaphore.release(reinterpret_cast<cl_semaphore_khr>(f.context)) == CL_INVALID_SEMAPHORE_KHR);
}

TEST_CASE("what makes no semaphore") {
    Fixture f;
    const Semaphores semaphores;
    const auto code_of = [&](cl_context context, std::vector<cl_semaphore_properties_khr> properties) {
        cl_int code = 1;
        CHECK(semaphores.create(context, properties.data(), &code) == nullptr);
        return code;
    };
    constexpr cl_semaphore_properties_khr type = CL_SEMAPHORE_TYPE_KHR, binary = CL_SEMAPHORE_TYPE_BINARY_KHR,
                                          devices = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR;
    const auto device = reinterpret_cast<cl_semaphore_properties_khr>(f.the_device);
    cl_int code = 1;
    CHECK(semaphores.create(f.context, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(semaphores.create(f.context, nullptr, nullptr) == nullptr);
    CHECK(code_of(nullptr, {type, binary, 0}) == CL_INVALID_CONTEXT);
    CHECK(code_of(f.context, {0}) == CL_INVALID_VALUE);
    CHECK(code_of(f.context, {devices, device, 0, 0}) == CL_INVALID_VALUE);
    CHECK(code_of(f.context, {type, 2, 0}) == CL_INVALID_PROPERTY);
    CHECK(code_of(f.context, {type, binary, CL_MEM_FLAGS, 1, 0}) == CL_INVALID_PROPERTY);
    CHECK(code_of(f.context, {type, binary, type, binary, 0}) == CL_INVALID_PROPERTY);
    CHECK(code_of(f.context, {type, binary, devices, 0, 0}) == CL_INVALID_DEVICE);
    CHECK(code_of(f.context, {type, binary, devices, device, device, 0, 0}) == CL_INVALID_DEVICE);
    CHECK(code_of(f.context, {type, binary, devices, 8, 0, 0}) == CL_INVALID_DEVICE);
}

TEST_CASE("what commands of semaphores decline") {
    Fixture f, other;
    const OwnSemaphore semaphore(f.context);
    cl_int code = 1;
    cl_event failed = clCreateUserEvent(f.context, &code);
    REQUIRE(clSetUserEventStatus(failed, -1) == CL_SUCCESS);
    cl_event of_other = clCreateUserEvent(other.context, &code);
    cl_event no_event = nullptr;
    cl_semaphore_khr handle = semaphore.handle;
    for (const auto& enqueue : {semaphore.signal, semaphore.wait}) {
        CHECK(enqueue(nullptr, 1, &handle, nullptr, 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
        CHECK(enqueue(f.queue, 0, &handle, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
        CHECK(enqueue(f.queue, 1, nullptr, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
        const cl_semaphore_khr wrong[] = {handle, nullptr};
        CHECK(enqueue(f.queue, 2, wrong, nullptr, 0, nullptr, nullptr) == CL_INVALID_SEMAPHORE_KHR);
        CHECK(enqueue(other.queue, 1, &handle, nullptr, 0, nullptr, nullptr) == CL_INVALID_CONTEXT);
        CHECK(enqueue(f.queue, 1, &handle, nullptr, 1, &of_other, nullptr) == CL_INVALID_CONTEXT);
        CHECK(enqueue(f.queue, 1, &handle, nullptr, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
        CHECK(enqueue(f.queue, 1, &handle, nullptr, 0, &failed, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
        CHECK(enqueue(f.queue, 1, &handle, nullptr, 1, &no_event, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
        CHECK(enqueue(f.queue, 1, &handle, nullptr, 1, &failed, nullptr) ==
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(semaphore.payload() == 0);
    release_all({failed, of_other});
}

}  // namespace caldera::driver_test
