// SPDX-License-Identifier: Apache-2.0
// A small OpenCL program that uses a little of everything, checks its results, stops at the first call that
// fails and then gives back all that it has.
#pragma once

#include <functional>
#include <string>

#include "tests/driver/command_buffers.h"
#include "tests/driver/fixture.h"

namespace caldera::driver_test {

struct Outcome {
    cl_int code = CL_SUCCESS;
    std::string call = {};  ///< that failed
};

class SmallProgram {
 public:
    static Outcome run() {
        SmallProgram program;
        try {
            program.work();
        } catch (const Outcome& outcome) {
            program.give_back();
            return outcome;
        }
        program.give_back();
        return {};
    }

 private:
    static constexpr cl_uint kCount = 256;
    static constexpr const char* kSource = R"(
        constant int table[4] = {1, 2, 3, 4};
        kernel void add(global int *a, int n) { a[get_global_id(0)] += n + table[get_global_id(0) & 3]; }
        kernel void twice(global int *a, local int *scratch) {
            scratch[get_local_id(0)] = a[get_global_id(0)];
            barrier(CLK_LOCAL_MEM_FENCE);
            a[get_global_id(0)] = 2 * scratch[get_local_id(0)];
        })";

    static void must(bool condition, cl_int code, const char* call) {
        if (!condition) throw Outcome{code, call};
    }
    static void ok(cl_int code, const char* call) { must(code == CL_SUCCESS, code, call); }
    template <class T, class Release>
    T own(T object, cl_int code, const char* call, Release release) {
        ok(code, call);
        must(object != nullptr, -9999, call);
        release_.push_back([=] { CHECK(release(object) == CL_SUCCESS); });
        return object;
    }
    cl_event own(cl_event event) { return own(event, CL_SUCCESS, "event", clReleaseEvent); }
    void give_back() {
        while (!release_.empty()) {
            release_.back()();
            release_.pop_back();
        }
    }

    void work() {
        cl_int code = 1;
        cl_platform_id the_platform = nullptr;
        ok(clGetPlatformIDs(1, &the_platform, nullptr), "clGetPlatformIDs");
        cl_device_id the_device = nullptr;
        ok(clGetDeviceIDs(the_platform, CL_DEVICE_TYPE_ALL, 1, &the_device, nullptr), "clGetDeviceIDs");
        cl_context context = clCreateContext(nullptr, 1, &the_device, nullptr, nullptr, &code);
        own(context, code, "clCreateContext", clReleaseContext);
        const auto make_queue = [&](cl_command_queue_properties properties) {
            const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
            cl_command_queue queue = clCreateCommandQueueWithProperties(context, the_device, list, &code);
            return own(queue, code, "clCreateCommandQueueWithProperties", clReleaseCommandQueue);
        };
        cl_command_queue queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
        cl_command_queue other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

        std::vector<cl_int> values(kCount, 1);
        const auto make_buffer = [&](cl_mem_flags flags, void* host) {
            cl_mem buffer = clCreateBuffer(context, flags, kCount * sizeof(cl_int), host, &code);
            return own(buffer, code, "clCreateBuffer", clReleaseMemObject);
        };
        cl_mem buffer = make_buffer(CL_MEM_COPY_HOST_PTR, values.data());
        cl_mem copy = make_buffer(CL_MEM_ALLOC_HOST_PTR, nullptr);

        const char* source = kSource;
        cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
        own(program, code, "clCreateProgramWithSource", clReleaseProgram);
        ok(clBuildProgram(program, 1, &the_device, "-cl-kernel-arg-info", nullptr, nullptr),
           "clBuildProgram");
        cl_kernel add = clCreateKernel(program, "add", &code);
        own(add, code, "clCreateKernel", clReleaseKernel);
        cl_kernel twice = clCreateKernel(program, "twice", &code);
        own(twice, code, "clCreateKernel", clReleaseKernel);
        const cl_int n = 5;
        ok(clSetKernelArg(add, 0, sizeof buffer, &buffer), "clSetKernelArg");
        ok(clSetKernelArg(add, 1, sizeof n, &n), "clSetKernelArg");
        ok(clSetKernelArg(twice, 0, sizeof buffer, &buffer), "clSetKernelArg");
        ok(clSetKernelArg(twice, 1, 16 * sizeof(cl_int), nullptr), "clSetKernelArg");

        // A chain through both queues, begun by a user event, with a callback at its end.
        cl_event gate = clCreateUserEvent(context, &code);
        own(gate, code, "clCreateUserEvent", clReleaseEvent);
        // Whatever goes wrong: what waits for it must not wait for ever.
        release_.push_back([=, this] {
            if (!is_open_) clSetUserEventStatus(gate, -1);
        });
        cl_event written = nullptr, added = nullptr, doubled = nullptr, copied = nullptr;
        ok(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kCount * sizeof(cl_int), values.data(), 1, &gate,
                                &written),
           "clEnqueueWriteBuffer");
        own(written);
        const size_t global = kCount, local = 16;
        ok(clEnqueueNDRangeKernel(other, add, 1, nullptr, &global, &local, 1, &written, &added),
           "clEnqueueNDRangeKernel");
        own(added);
        ok(clEnqueueNDRangeKernel(queue, twice, 1, nullptr, &global, &local, 1, &added, &doubled),
           "clEnqueueNDRangeKernel");
        own(doubled);
        ok(clEnqueueCopyBuffer(other, buffer, copy, 0, 0, kCount * sizeof(cl_int), 1, &doubled, &copied),
           "clEnqueueCopyBuffer");
        own(copied);
        ok(clSetEventCallback(
               copied, CL_COMPLETE, [](cl_event, cl_int, void* user) { ++*static_cast<int*>(user); },
               &called_),
           "clSetEventCallback");
        is_open_ = true;
        ok(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
        ok(clFlush(queue), "clFlush");
        ok(clFlush(other), "clFlush");
        ok(clWaitForEvents(1, &copied), "clWaitForEvents");
        void* mapped = clEnqueueMapBuffer(queue, copy, CL_TRUE, CL_MAP_READ, 0, kCount * sizeof(cl_int), 0,
                                          nullptr, nullptr, &code);
        ok(code, "clEnqueueMapBuffer");
        const cl_int expected = 2 * (1 + n + 4);
        must(static_cast<const cl_int*>(mapped)[7] == expected, -9999, "a wrong result");
        ok(clEnqueueUnmapMemObject(queue, copy, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");

        const cl_int pattern[3] = {1, 2, 3};
        ok(clEnqueueFillBuffer(queue, buffer, pattern, 4, 0, 64, 0, nullptr, nullptr), "clEnqueueFillBuffer");
        ok(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "clEnqueueBarrierWithWaitList");
        ok(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(cl_int), values.data(), 0, nullptr,
                               nullptr),
           "clEnqueueReadBuffer");
        must(values[15] == 1 && values[19] == expected, -9999, "a wrong result");
        use_command_buffer(queue, other, add, buffer, copy);
        use_shared_memory(context, the_device, queue, add);
        ok(clFinish(queue), "clFinish");
        ok(clFinish(other), "clFinish");
    }

    /// Records a fill, a launch and a copy, replays them in two queues, and changes the launch in between.
    void use_command_buffer(cl_command_queue queue, cl_command_queue other, cl_kernel add, cl_mem buffer,
                            cl_mem copy) {
        const CommandBuffers api;
        constexpr size_t kBytes = kCount * sizeof(cl_int), kItems = kCount;
        cl_int code = 1;
        cl_command_buffer_khr commands = api.create(1, &queue, kMutable, &code);
        own(commands, code, "clCreateCommandBufferKHR", api.release);
        const cl_int zero = 0, six = 6;
        cl_mutable_command_khr launch = nullptr;
        ok(api.fill_buffer(commands, nullptr, nullptr, buffer, &zero, sizeof zero, 0, kBytes, 0, nullptr,
                           nullptr, nullptr),
           "clCommandFillBufferKHR");
        ok(api.nd_range_kernel(commands, nullptr, nullptr, add, 1, nullptr, &kItems, nullptr, 0, nullptr,
                               nullptr, &launch),
           "clCommandNDRangeKernelKHR");
        ok(api.copy_buffer(commands, nullptr, nullptr, buffer, copy, 0, 0, kBytes, 0, nullptr, nullptr,
                           nullptr),
           "clCommandCopyBufferKHR");
        ok(api.finalize(commands), "clFinalizeCommandBufferKHR");
        const auto replay = [&](cl_command_queue in, cl_int expected) {
            cl_event event = nullptr;
            ok(api.enqueue(1, &in, commands, 0, nullptr, &event), "clEnqueueCommandBufferKHR");
            own(event);
            ok(clWaitForEvents(1, &event), "clWaitForEvents");
            cl_int found = 0;
            ok(clEnqueueReadBuffer(in, copy, CL_TRUE, 7 * sizeof found, sizeof found, &found, 0, nullptr,
                                   nullptr),
               "clEnqueueReadBuffer");
            must(found == expected, -9999, "a wrong result");
        };
        replay(queue, 5 + 4);
        const icd::MutableDispatchArg argument = {1, sizeof six, &six};
        const icd::MutableDispatchConfig config = {.command = launch, .num_args = 1, .arg_list = &argument};
        const cl_command_buffer_update_type_khr type = icd::kMutableDispatchConfig;
        const void* configs = &config;
        ok(api.update(commands, 1, &type, &configs), "clUpdateMutableCommandsKHR");
        replay(other, 6 + 4);
        replay_in_both(queue, other, copy);
    }

    /// Records commands for both queues that wait for each other, replays them, and a copy for one queue.
    void replay_in_both(cl_command_queue queue, cl_command_queue other, cl_mem copy) {
        const CommandBuffers api;
        const cl_command_queue both[] = {queue, other};
        cl_int code = 1;
        cl_command_buffer_khr commands = api.create(2, both, nullptr, &code);
        own(commands, code, "clCreateCommandBufferKHR", api.release);
        cl_sync_point_khr last = 0;
        for (const cl_int pattern : {20, 21, 22}) {
            const cl_sync_point_khr before = last;
            ok(api.fill_buffer(commands, both[pattern % 2], nullptr, copy, &pattern, sizeof pattern, 0,
                               kCount * sizeof(cl_int), before ? 1 : 0, before ? &before : nullptr, &last,
                               nullptr),
               "clCommandFillBufferKHR");
        }
        ok(api.finalize(commands), "clFinalizeCommandBufferKHR");
        const auto replay = [&](cl_command_buffer_khr replayed) {
            const cl_int zero = 0;
            ok(clEnqueueFillBuffer(other, copy, &zero, sizeof zero, 0, sizeof zero * kCount, 0, nullptr,
                                   nullptr),
               "clEnqueueFillBuffer");
            ok(clFinish(other), "clFinish");
            cl_event event = nullptr;
            ok(api.enqueue(0, nullptr, replayed, 0, nullptr, &event), "clEnqueueCommandBufferKHR");
            own(event);
            ok(clWaitForEvents(1, &event), "clWaitForEvents");
            cl_int found = 0;
            ok(clEnqueueReadBuffer(other, copy, CL_TRUE, 7 * sizeof found, sizeof found, &found, 0, nullptr,
                                   nullptr),
               "clEnqueueReadBuffer");
            must(found == 22, -9999, "a wrong result");
        };
        replay(commands);
        replay(commands);
        cl_command_buffer_khr remapped = api.remap(commands, CL_TRUE, 1, &other, 0, nullptr, nullptr, &code);
        own(remapped, code, "clRemapCommandBufferKHR", api.release);
        replay(remapped);
    }

    /// If the device has shared virtual memory, fills, copies, maps, writes and reads it, uses it in a
    /// kernel, and frees it with a command.
    void use_shared_memory(cl_context context, cl_device_id the_device, cl_command_queue queue,
                           cl_kernel add) {
        cl_device_svm_capabilities has = 0;
        ok(clGetDeviceInfo(the_device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, nullptr),
           "clGetDeviceInfo");
        if (!(has & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) return;
        constexpr size_t kBytes = kCount * sizeof(cl_int);
        const auto make_shared = [&](cl_int*& shared) {
            shared = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0));
            must(shared != nullptr, CL_OUT_OF_HOST_MEMORY, "clSVMAlloc");  // it has no code of its own
            release_.push_back([=, &shared] {
                clFinish(queue);  // commands may still use it
                clSVMFree(context, shared);
            });
        };
        make_shared(shared_[0]);
        make_shared(shared_[1]);
        const cl_int pattern = 3;
        ok(clEnqueueSVMMemFill(queue, shared_[0], &pattern, sizeof pattern, kBytes, 0, nullptr, nullptr),
           "clEnqueueSVMMemFill");
        ok(clEnqueueSVMMemcpy(queue, CL_FALSE, shared_[1], shared_[0], kBytes, 0, nullptr, nullptr),
           "clEnqueueSVMMemcpy");
        ok(clSetKernelArgSVMPointer(add, 0, shared_[1]), "clSetKernelArgSVMPointer");
        const size_t global = kCount;
        ok(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
           "clEnqueueNDRangeKernel");
        ok(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, shared_[1], kBytes, 0, nullptr,
                           nullptr),
           "clEnqueueSVMMap");
        must(shared_[1][7] == pattern + 5 + 4, -9999, "a wrong result");
        shared_[1][0] = 77;
        ok(clEnqueueSVMUnmap(queue, shared_[1], 0, nullptr, nullptr), "clEnqueueSVMUnmap");
        cl_int back[2] = {};
        ok(clEnqueueSVMMemcpy(queue, CL_TRUE, back, shared_[1], sizeof back, 0, nullptr, nullptr),
           "clEnqueueSVMMemcpy");
        must(back[0] == 77, -9999, "a wrong result");
        void* to_free = shared_[0];
        cl_event freed = nullptr;
        ok(clEnqueueSVMFree(queue, 1, &to_free, nullptr, nullptr, 0, nullptr, &freed), "clEnqueueSVMFree");
        own(freed);
        ok(clWaitForEvents(1, &freed), "clWaitForEvents");
        shared_[0] = nullptr;  // clSVMFree takes that
    }

    cl_int* shared_[2] = {};
    bool is_open_ = false;
    int called_ = 0;
    std::vector<std::function<void()>> release_ = {};
};

/// Whether a call that met a fault may return this code.
inline bool is_of_fault(cl_int code) {
    switch (code) {
        case CL_SUCCESS:
        case CL_DEVICE_NOT_AVAILABLE:
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_OUT_OF_RESOURCES:
        case CL_OUT_OF_HOST_MEMORY:
        case CL_MAP_FAILURE:
        case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return true;
        default: return false;
    }
}

}  // namespace caldera::driver_test
