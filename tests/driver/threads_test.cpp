// SPDX-License-Identifier: Apache-2.0
// Threads that use the same objects at one time, and objects that callbacks release. The thread sanitizer
// finds here what one thread at a time does not show (docs/testing.md).
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

constexpr const char* kSource = "kernel void add(global uint *a, uint n) { a[get_global_id(0)] += n; }";
constexpr size_t kItems = 64;
constexpr size_t kBytes = kItems * sizeof(cl_uint);
constexpr unsigned kThreads = 6;

/// Counts the calls that failed and the values that are wrong: doctest's macros are for one thread.
struct Faults {
    void code(cl_int returned) { count += returned != CL_SUCCESS; }
    void unless(bool holds) { count += !holds; }
    std::atomic<int> count = 0;
};

void in_threads(const std::function<void(unsigned)>& body) {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back(body, t);
    for (std::thread& thread : threads) thread.join();
}

cl_mem zeros(cl_context context, Faults& faults) {
    std::array<cl_uint, kItems> bytes = {};
    cl_int code = 1;
    cl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kBytes, bytes.data(), &code);
    faults.code(code);
    return made;
}

bool holds(cl_command_queue queue, cl_mem buffer, cl_uint value) {
    std::array<cl_uint, kItems> bytes = {};
    if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, bytes.data(), 0, nullptr, nullptr) !=
        CL_SUCCESS)
        return false;
    for (const cl_uint each : bytes)
        if (each != value) return false;
    return true;
}

cl_int run_after(cl_command_queue queue, cl_kernel kernel, cl_event before, cl_event* event) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 1, &before, event);
}

/// Waits for what another thread does: processes of others may keep it from running for long.
bool becomes(const std::function<bool()>& holds_now) {
    for (int i = 0; i < 60000 && !holds_now(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return holds_now();
}

}  // namespace

TEST_CASE("5.9 threads clone one kernel and change arguments while others record what shares them") {
    Fixture f;
    Faults faults;
    cl_kernel add = f.make_kernel(kSource, "add");
    in_threads([&](unsigned t) {
        cl_int code = 1;
        cl_mem buffer = zeros(f.context, faults);
        cl_uint sum = 0;
        for (cl_uint round = 0; round < 10; ++round) {
            cl_kernel kernel = clCloneKernel(add, &code);
            faults.code(code);
            // The thread that opens the gate records these commands.
            cl_event gate = clCreateUserEvent(f.context, &code), first = nullptr, second = nullptr;
            faults.code(set(kernel, 0, buffer));
            faults.code(set(kernel, 1, t));
            faults.code(run_after(f.queue, kernel, gate, &first));
            std::thread opens([&] { faults.code(clSetUserEventStatus(gate, CL_COMPLETE)); });
            for (cl_uint n = 0; n < 20; ++n) {
                faults.code(set(kernel, 1, n));
                faults.code(run(f.queue, kernel, kItems));
                sum += n;
            }
            faults.code(clRetainKernel(kernel));
            std::thread releases([&] { faults.code(clReleaseKernel(kernel)); });
            faults.code(run_after(f.queue, kernel, first, &second));
            sum += t + 19;
            opens.join();
            releases.join();
            faults.code(clReleaseKernel(kernel));
            for (cl_event each : {gate, first, second}) faults.code(clReleaseEvent(each));
        }
        faults.unless(holds(f.queue, buffer, sum));
        faults.code(clReleaseMemObject(buffer));
    });
    CHECK(faults.count == 0);
}

TEST_CASE("5.11 callbacks release the last references, and objects say when they die") {
    static Faults faults;
    static std::atomic<int> buffers, contexts;
    faults.count = buffers = contexts = 0;
    constexpr int kRounds = 6;
    struct All {
        cl_context context = nullptr;
        cl_command_queue queue = nullptr;
        cl_program program = nullptr;
        cl_kernel kernel = nullptr;
        cl_mem buffer = nullptr, part = nullptr;
        cl_event event = nullptr;
    };
    cl_device_id the_device = device();
    in_threads([&](unsigned t) {
        for (int round = 0; round < kRounds; ++round) {
            cl_int code = 1;
            auto* all = new All;
            all->context = clCreateContext(nullptr, 1, &the_device, nullptr, nullptr, &code);
            faults.code(code);
            faults.code(clSetContextDestructorCallback(
                all->context, [](cl_context, void*) { ++contexts; }, nullptr));
            all->queue = clCreateCommandQueueWithProperties(all->context, the_device, nullptr, &code);
            const char* source = kSource;
            all->program = clCreateProgramWithSource(all->context, 1, &source, nullptr, &code);
            faults.code(clBuildProgram(all->program, 0, nullptr, "", nullptr, nullptr));
            all->kernel = clCreateKernel(all->program, "add", &code);
            faults.code(code);
            all->buffer = zeros(all->context, faults);
            faults.code(clSetMemObjectDestructorCallback(
                all->buffer, [](cl_mem, void*) { ++buffers; }, nullptr));
            const cl_buffer_region whole = {0, kBytes};
            all->part = clCreateSubBuffer(all->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, &code);
            faults.code(code);
            faults.code(set(all->kernel, 0, all->part));
            faults.code(set(all->kernel, 1, cl_uint{1}));
            cl_event gate = clCreateUserEvent(all->context, &code);
            faults.code(run_after(all->queue, all->kernel, gate, &all->event));
            const auto release = [](cl_event, cl_int status, void* user) {
                const std::unique_ptr<All> its(static_cast<All*>(user));
                faults.code(status);
                faults.code(clReleaseMemObject(its->part));
                faults.code(clReleaseKernel(its->kernel));
                faults.code(clReleaseProgram(its->program));
                faults.code(clReleaseMemObject(its->buffer));
                faults.code(clReleaseCommandQueue(its->queue));
                faults.code(clReleaseContext(its->context));
                faults.code(clReleaseEvent(its->event));
            };
            cl_event event = all->event;
            faults.code(clRetainEvent(event));
            faults.code(clSetEventCallback(event, CL_COMPLETE, release, all));
            if (t % 2 == 0) faults.code(clFlush(all->queue));
            faults.code(clSetUserEventStatus(gate, CL_COMPLETE));
            faults.code(clReleaseEvent(gate));
            if (round % 2 == 0) faults.code(clWaitForEvents(1, &event));
            faults.code(clReleaseEvent(event));
        }
    });
    CHECK(becomes([] { return contexts == kRounds * kThreads; }));
    CHECK(buffers == kRounds * kThreads);
    CHECK(faults.count == 0);
}

TEST_CASE("5.8 threads build programs with callbacks, and make kernels of one that others build") {
    Fixture f;
    Faults faults;
    static std::atomic<int> called;
    called = 0;
    std::atomic<int> builds = 0;
    cl_program shared = f.build(kSource);
    in_threads([&](unsigned t) {
        cl_int code = 1;
        for (int round = 0; round < 4; ++round) {
            const std::string text = std::string(kSource) + "// " + std::to_string(t * 100 + round);
            const char* source = text.c_str();
            cl_program own = clCreateProgramWithSource(f.context, 1, &source, nullptr, &code);
            const auto callback = [](cl_program, void* counter) {
                ++*static_cast<std::atomic<int>*>(counter);
            };
            faults.code(clBuildProgram(own, 1, &f.the_device, "-DX=1", callback, &called));
            ++builds;
            faults.code(clReleaseProgram(own));
            if (t % 2 == 0) {
                // It has kernels, is being built, or gets built.
                code = clBuildProgram(shared, 1, &f.the_device, "", nullptr, nullptr);
                faults.unless(code == CL_SUCCESS || code == CL_INVALID_OPERATION);
            }
            for (int i = 0; i < 20; ++i) {
                cl_kernel kernel = clCreateKernel(shared, "add", &code);
                faults.unless(code == CL_SUCCESS || code == CL_INVALID_PROGRAM_EXECUTABLE);
                if (!kernel) {
                    std::this_thread::yield();
                    continue;
                }
                cl_mem buffer = zeros(f.context, faults);
                faults.code(set(kernel, 0, buffer));
                faults.code(set(kernel, 1, cl_uint{3}));
                faults.code(run(f.queue, kernel, kItems));
                faults.unless(holds(f.queue, buffer, 3));
                faults.code(clReleaseKernel(kernel));
                faults.code(clReleaseMemObject(buffer));
                size_t bytes = 0;
                faults.code(clGetProgramInfo(shared, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr));
                faults.code(
                    clGetProgramBuildInfo(shared, f.the_device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes));
            }
        }
    });
    CHECK(called == builds);
    CHECK(faults.count == 0);
}

TEST_CASE("5.11 threads wait for events that others set, some to errors") {
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    Faults faults;
    std::atomic<int> called = 0;
    cl_kernel add = f.make_kernel(kSource, "add");
    in_threads([&](unsigned t) {
        for (int round = 0; round < 8; ++round) {
            const bool fails = (t + static_cast<unsigned>(round)) % 3 == 0;
            cl_int code = 1;
            cl_mem buffer = zeros(f.context, faults);
            cl_kernel kernel = clCloneKernel(add, &code);
            faults.code(set(kernel, 0, buffer));
            faults.code(set(kernel, 1, cl_uint{1}));
            cl_event gate = clCreateUserEvent(f.context, &code), ran = nullptr, read = nullptr;
            faults.code(run_after(f.queue, kernel, gate, &ran));
            std::array<cl_uint, kItems> bytes = {};
            faults.code(
                clEnqueueReadBuffer(f.queue, buffer, CL_FALSE, 0, kBytes, bytes.data(), 1, &ran, &read));
            const auto count = [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<int>*>(to); };
            for (cl_event each : {gate, ran, read})
                faults.code(clSetEventCallback(each, CL_COMPLETE, count, &called));
            const cl_int expected = fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
            std::vector<std::thread> waiting;
            for (cl_event each : {gate, ran, read})
                waiting.emplace_back([&, each] { faults.unless(clWaitForEvents(1, &each) == expected); });
            waiting.emplace_back([&] {
                cl_int now = 0;
                while (clGetEventInfo(read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, nullptr) ==
                           CL_SUCCESS &&
                       now > CL_COMPLETE)
                    std::this_thread::yield();
            });
            std::thread sets([&] { faults.code(clSetUserEventStatus(gate, fails ? -7 : CL_COMPLETE)); });
            for (std::thread& thread : waiting) thread.join();
            sets.join();
            faults.unless(bytes[kItems - 1] == (fails ? 0u : 1u));
            for (cl_event each : {gate, ran, read}) faults.code(clReleaseEvent(each));
            faults.code(clReleaseKernel(kernel));
            faults.code(clReleaseMemObject(buffer));
        }
    });
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(becomes([&] { return called == 3 * 8 * static_cast<int>(kThreads); }));
    CHECK(faults.count == 0);
}

TEST_CASE("5.1 queues are released while others enqueue what waits for their commands") {
    Fixture f;
    Faults faults;
    cl_kernel add = f.make_kernel(kSource, "add");
    in_threads([&](unsigned t) {
        cl_int code = 1;
        cl_mem buffer = zeros(f.context, faults);
        cl_kernel kernel = clCloneKernel(add, &code);
        faults.code(set(kernel, 0, buffer));
        for (cl_uint round = 0; round < 10; ++round) {
            const cl_queue_properties list[] = {
                CL_QUEUE_PROPERTIES,
                round % 2 ? cl_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}
                          : CL_QUEUE_PROFILING_ENABLE,
                0};
            cl_command_queue own = clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code);
            faults.code(code);
            cl_event first = nullptr, second = nullptr, gate = nullptr;
            faults.code(set(kernel, 1, cl_uint{1}));
            if (t % 3 == 0) {
                gate = clCreateUserEvent(f.context, &code);
                faults.code(run_after(own, kernel, gate, &first));
            } else {
                faults.code(run(own, kernel, kItems, &first));
            }
            std::thread releases([&] { faults.code(clReleaseCommandQueue(own)); });
            if (gate) faults.code(clSetUserEventStatus(gate, CL_COMPLETE));
            faults.code(set(kernel, 1, cl_uint{2}));
            faults.code(run_after(f.queue, kernel, first, &second));
            faults.code(clFlush(f.queue));
            if (round % 3 == 0) faults.code(clWaitForEvents(1, &second));
            releases.join();
            for (cl_event each : {first, second}) faults.code(clReleaseEvent(each));
            if (gate) faults.code(clReleaseEvent(gate));
        }
        faults.unless(holds(f.queue, buffer, 30));
        faults.code(clReleaseKernel(kernel));
        faults.code(clReleaseMemObject(buffer));
    });
    CHECK(faults.count == 0);
}

TEST_CASE("5.5 threads share buffers that die while a queue is busy") {
    Fixture f;
    Faults faults;
    std::atomic<int> deaths = 0;
    constexpr int kRounds = 8;
    in_threads([&](unsigned) {
        for (int round = 0; round < kRounds; ++round) {
            cl_int code = 1;
            cl_mem buffer = zeros(f.context, faults);
            faults.code(clSetMemObjectDestructorCallback(
                buffer, [](cl_mem, void* to) { ++*static_cast<std::atomic<int>*>(to); }, &deaths));
            void* const mapped = clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0,
                                                    nullptr, nullptr, &code);
            faults.code(code);
            static_cast<cl_uint*>(mapped)[0] = 9;
            faults.code(clEnqueueUnmapMemObject(f.queue, buffer, mapped, 0, nullptr, nullptr));
            const cl_uint one = 1;
            faults.code(clEnqueueFillBuffer(f.queue, buffer, &one, 4, 0, kBytes, 0, nullptr, nullptr));
            std::array<cl_uint, kItems> bytes = {};
            cl_event read = nullptr;
            faults.code(clRetainMemObject(buffer));
            std::thread releases([&] { faults.code(clReleaseMemObject(buffer)); });
            faults.code(
                clEnqueueReadBuffer(f.queue, buffer, CL_FALSE, 0, kBytes, bytes.data(), 0, nullptr, &read));
            faults.code(clReleaseMemObject(buffer));
            faults.code(clWaitForEvents(1, &read));
            faults.unless(bytes[0] == 1 && bytes[kItems - 1] == 1);
            faults.code(clReleaseEvent(read));
            releases.join();
        }
    });
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(becomes([&] { return deaths == kRounds * static_cast<int>(kThreads); }));
    CHECK(faults.count == 0);
}

TEST_CASE("5.8.2 no build begins while a kernel is made, or exists") {
    Fixture f;
    Faults faults;
    cl_program program = f.build(kSource);
    cl_kernel add = f.make_kernel(kSource, "add");  // of another program
    cl_mem buffer = zeros(f.context, faults);
    std::atomic<unsigned> builders = kThreads / 2;
    in_threads([&](unsigned t) {
        cl_int code = 1;
        for (int round = 0; t % 2 == 0 && round < 60; ++round) {
            code = clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr);
            faults.unless(code == CL_SUCCESS || code == CL_INVALID_OPERATION);
        }
        if (t % 2 == 0) --builders;
        while (builders != 0) {
            cl_kernel kernel = clCreateKernel(program, "add", &code);
            faults.unless(code == CL_SUCCESS || code == CL_INVALID_PROGRAM_EXECUTABLE);
            if (!kernel) continue;
            faults.code(set(kernel, 0, buffer));
            faults.code(set(kernel, 1, cl_uint{0}));
            faults.code(run(f.queue, kernel, kItems));
            faults.code(clReleaseKernel(kernel));
        }
    });
    faults.code(set(add, 0, buffer));
    faults.code(set(add, 1, cl_uint{3}));
    faults.code(run(f.queue, add, kItems));
    faults.unless(holds(f.queue, buffer, 3));
    CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    CHECK(faults.count == 0);
}
