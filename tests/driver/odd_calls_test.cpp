// SPDX-License-Identifier: Apache-2.0
// Threads make random calls with odd sizes, parts of buffers, and events in every state. Callbacks call the
// API, too, and any object may be released at any time. Whether a call succeeds follows from its arguments.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

constexpr unsigned kThreads = 5, kSteps = 250;
constexpr size_t kWhole = 4096, kLargest = std::numeric_limits<size_t>::max();
constexpr size_t kSizes[] = {1,
                             2,
                             4,
                             16,
                             64,
                             128,
                             255,
                             256,
                             kWhole / 2,
                             kWhole - 1,
                             kWhole,
                             kWhole + 1,
                             size_t{1} << 32,
                             kLargest / 2,
                             kLargest - 3,
                             kLargest};
constexpr const char* kSource =
    "kernel void add(global uint *a, uint n) { atomic_add(a + get_global_id(0) % 4, n); }";

/// Objects that all threads use. Whoever takes one holds a reference.
template <class T, cl_int (*retain)(T), cl_int (*release)(T)>
class Shared {
 public:
    ~Shared() {
        for (T object : objects_) release(object);
    }
    void put(T object, size_t most) {
        T dropped = nullptr;
        {
            const std::lock_guard lock(mutex_);
            objects_.push_back(object);
            if (objects_.size() > most) {
                dropped = objects_.front();
                objects_.erase(objects_.begin());
            }
        }
        if (dropped) release(dropped);
    }
    T take(uint32_t any) {
        const std::lock_guard lock(mutex_);
        if (objects_.empty()) return nullptr;
        T object = objects_[any % objects_.size()];
        retain(object);
        return object;
    }
    std::vector<T> all() {
        const std::lock_guard lock(mutex_);
        return std::exchange(objects_, {});
    }

 private:
    std::mutex mutex_ = {};
    std::vector<T> objects_ = {};
};

struct Calls {
    Fixture f;
    Shared<cl_mem, clRetainMemObject, clReleaseMemObject> buffers = {};
    Shared<cl_event, clRetainEvent, clReleaseEvent> gates = {};
    cl_command_queue unordered = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue profiled = f.make_queue(CL_QUEUE_PROFILING_ENABLE);
    cl_kernel add = f.make_kernel(kSource, "add");
    size_t alignment = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    std::atomic<int> faults = 0, alive = 0, registered = 0, called = 0;

    void expect(cl_int code, bool is_valid) { faults += is_valid ? code != CL_SUCCESS : code >= CL_SUCCESS; }

    /// Counts the object until it dies.
    void counted(cl_mem buffer) {
        ++alive;
        const auto dies = [](cl_mem, void* calls) { --static_cast<Calls*>(calls)->alive; };
        expect(clSetMemObjectDestructorCallback(buffer, dies, this), true);
        buffers.put(buffer, 16);
    }
    void make_buffer(size_t size) {
        cl_int code = 1;
        if (cl_mem made = clCreateBuffer(f.context, 0, size, nullptr, &code)) counted(made);
        expect(code, true);
    }
    /// A callback that uses the API as any thread may.
    static void CL_CALLBACK complete(cl_event event, cl_int, void* data) {
        auto& calls = *static_cast<Calls*>(data);
        cl_int status = 1, code = 1;
        calls.expect(
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), true);
        calls.expect(clEnqueueMarkerWithWaitList(calls.unordered, 1, &event, nullptr), true);
        cl_event gate = clCreateUserEvent(calls.f.context, &code);
        calls.expect(clSetUserEventStatus(gate, status < 0 ? status : CL_COMPLETE), true);
        calls.expect(clSetUserEventStatus(gate, CL_COMPLETE), false);
        clReleaseEvent(gate);
        calls.make_buffer(64);
        ++calls.called;
    }
};

class Thread {
 public:
    Thread(Calls& calls, unsigned seed) : calls_(calls), random_(seed) {
        cl_int code = 1;
        kernel_ = clCloneKernel(calls.add, &code);
        calls.expect(code, true);
    }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    ~Thread() {
        for (cl_command_queue queue : {calls_.f.queue, calls_.unordered, calls_.profiled})
            calls_.expect(clFlush(queue), true);
        calls_.expect(clReleaseKernel(kernel_), true);
    }

    void step() {
        cl_command_queue queues[] = {calls_.f.queue, calls_.unordered, calls_.profiled};
        cl_command_queue queue = queues[below(3)];
        cl_mem buffer = calls_.buffers.take(any()), other = calls_.buffers.take(any());
        cl_event gate = below(3) ? nullptr : calls_.gates.take(any()), event = nullptr;
        const cl_uint count = gate ? 1 : 0;
        const cl_event* const list = gate ? &gate : nullptr;
        const size_t size = size_of(buffer), other_size = size_of(other);
        const size_t at = below(2) ? 0 : odd(), bytes = odd();
        const bool is_inside = at <= size && bytes <= size - at;
        switch (below(10)) {
            case 0: calls_.make_buffer(below(2) ? kWhole : 16 + below(kWhole)); break;
            case 1: make_part(buffer, size); break;
            case 2:
                calls_.expect(
                    clEnqueueReadBuffer(queue, buffer, CL_FALSE, at, bytes, host_, count, list, &event),
                    is_inside);
                break;
            case 3:
                calls_.expect(
                    clEnqueueWriteBuffer(queue, buffer, CL_FALSE, at, bytes, kZeros, count, list, &event),
                    is_inside);
                break;
            case 4: {
                const bool fits = at % 4 == 0 && bytes % 4 == 0 && is_inside;
                calls_.expect(clEnqueueFillBuffer(queue, buffer, kZeros, 4, at, bytes, count, list, &event),
                              fits);
                break;
            }
            case 5: {
                const bool fits = is_inside && bytes <= other_size;
                const cl_int code =
                    clEnqueueCopyBuffer(queue, buffer, other, at, 0, bytes, count, list, &event);
                if (code != CL_MEM_COPY_OVERLAP) calls_.expect(code, fits);
                break;
            }
            case 6: launch(queue, buffer, size, count, list, &event); break;
            case 7: {
                cl_int code = 1;
                calls_.gates.put(clCreateUserEvent(calls_.f.context, &code), 1000);
                calls_.expect(code, true);
                break;
            }
            case 8:
                if (gate)
                    clSetUserEventStatus(gate, below(3) ? CL_COMPLETE : -1000);  // one of several sets it
                break;
            default: {
                const cl_mem objects[] = {buffer, other};
                calls_.expect(clEnqueueMigrateMemObjects(queue, 2, objects, below(4), count, list, &event),
                              true);
            }
        }
        if (event && below(4) == 0) {
            calls_.expect(clSetEventCallback(event, CL_COMPLETE, Calls::complete, &calls_), true);
            ++calls_.registered;
        }
        if (event) calls_.expect(clReleaseEvent(event), true);
        if (gate) calls_.expect(clReleaseEvent(gate), true);
        calls_.expect(clReleaseMemObject(buffer), true);
        calls_.expect(clReleaseMemObject(other), true);
    }

 private:
    uint32_t any() { return static_cast<uint32_t>(random_()); }
    size_t below(size_t end) { return any() % end; }
    size_t size_of(cl_mem buffer) {
        size_t size = 0;
        calls_.expect(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr), true);
        return size;
    }
    size_t odd() { return kSizes[below(std::size(kSizes))]; }

    void make_part(cl_mem parent, size_t size) {
        const cl_buffer_region region = {below(2) ? calls_.alignment * below(4) : odd(), odd()};
        cl_mem whole = nullptr;
        calls_.expect(clGetMemObjectInfo(parent, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, nullptr),
                      true);
        const bool fits = region.origin <= size && region.size <= size - region.origin;
        cl_int code = 1;
        cl_mem made = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        if (made) calls_.counted(made);
        calls_.expect(code, !whole && fits && region.origin % calls_.alignment == 0);
    }
    void launch(cl_command_queue queue, cl_mem buffer, size_t size, cl_uint count, const cl_event* list,
                cl_event* event) {
        if (size < 4 * sizeof(cl_uint)) return;  // the kernel adds to four numbers
        const size_t global = below(3) ? below(100) : 0, offset = below(3) ? below(8) : kLargest - below(4),
                     locals[] = {0, 1, 5, kLargest}, local = locals[below(4)];
        const bool has_local = below(2), is_valid = offset <= kLargest - global || global == 0;
        std::byte unaligned[sizeof buffer + 1];
        std::memcpy(unaligned + 1, &buffer, sizeof buffer);
        calls_.expect(clSetKernelArg(kernel_, 0, sizeof buffer, unaligned + 1), true);
        calls_.expect(set(kernel_, 1, cl_uint{1}), true);
        calls_.expect(clSetKernelArg(kernel_, 1, below(2) ? kLargest : 0, kZeros), false);
        const cl_int code = clEnqueueNDRangeKernel(queue, kernel_, 1, &offset, &global,
                                                   has_local ? &local : nullptr, count, list, event);
        // This test does not ask which code a launch of no work-items with a bad local size gets.
        if (global != 0)
            calls_.expect(code, is_valid && (!has_local || local == 1 || (local == 5 && global % 5 == 0)));
    }

    static constexpr uint8_t kZeros[kWhole + 16] = {};
    uint8_t host_[kWhole + 16] = {};
    Calls& calls_;
    std::mt19937 random_;
    cl_kernel kernel_ = nullptr;
};

/// Waits for callbacks, which come after the calls that wait for their commands.
bool becomes(const std::function<bool()>& holds_now) {
    for (int i = 0; i < 60000 && !holds_now(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return holds_now();
}

}  // namespace

TEST_CASE("threads make odd calls, callbacks call the API, and all that they made dies") {
    Calls calls;
    for (const size_t size : {kWhole, kWhole, size_t{64}}) calls.make_buffer(size);
    std::vector<std::unique_ptr<Thread>> bodies;
    for (unsigned t = 0; t < kThreads; ++t) bodies.push_back(std::make_unique<Thread>(calls, 100 + t));
    std::vector<std::thread> threads;
    for (const std::unique_ptr<Thread>& body : bodies)
        threads.emplace_back([&body] {
            for (unsigned step = 0; step < kSteps; ++step) body->step();
        });
    for (std::thread& thread : threads) thread.join();

    for (cl_event gate : calls.gates.all()) {
        clSetUserEventStatus(gate, CL_COMPLETE);  // unless it is set already
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    }
    for (cl_command_queue queue : {calls.f.queue, calls.unordered, calls.profiled, calls.unordered})
        CHECK(clFinish(queue) == CL_SUCCESS);
    bodies.clear();

    // All goes on as if nothing had been.
    cl_mem buffer = calls.f.make_buffer(kWhole);
    const cl_uint zero = 0;
    const size_t items = 400;
    CHECK(set(calls.add, 0, buffer) == CL_SUCCESS);
    CHECK(set(calls.add, 1, cl_uint{3}) == CL_SUCCESS);
    for (cl_command_queue queue : {calls.f.queue, calls.unordered, calls.profiled}) {
        CHECK(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, kWhole, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueNDRangeKernel(queue, calls.add, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clFinish(queue) == CL_SUCCESS);
        CHECK(calls.f.read<cl_uint>(buffer, 5) == std::vector<cl_uint>{300, 300, 300, 300, 0});
    }
    CHECK(calls.registered > 0);
    CHECK(becomes([&] { return calls.called == calls.registered; }));  // each makes a buffer
    for (cl_mem made : calls.buffers.all()) CHECK(clReleaseMemObject(made) == CL_SUCCESS);
    CHECK(becomes([&] { return calls.alive == 0; }));
    CHECK(calls.faults == 0);
}
