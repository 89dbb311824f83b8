// SPDX-License-Identifier: Apache-2.0
// What a device says of queues, events, timers and printf (queries.h).
#include <algorithm>
#include <bit>
#include <string>

#include "tests/driver/captured.h"
#include "tests/driver/command_buffers.h"
#include "tests/driver/queries.h"
#include "tests/driver/semaphores.h"

namespace caldera::driver_test {
namespace {

constexpr const char* kOne = "kernel void test(global int *out) { *out = 1; }";

// ---- On the host ----

/// A kernel may wait behind one that was enqueued later only where commands may go out of order; profiled
/// ones have times.
void use_host_queue(Fixture& f, cl_command_queue_properties properties) {
    CAPTURE(properties);
    f.queue = f.make_queue(properties);
    CHECK(info<cl_command_queue_properties>(clGetCommandQueueInfo, f.queue, CL_QUEUE_PROPERTIES) ==
          properties);
    Test test(f, kOne);
    cl_event event = nullptr;
    REQUIRE(run(f.queue, test.kernel, 1, &event) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
    cl_ulong start = 0, end = 0;
    const cl_int code =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    if (properties & CL_QUEUE_PROFILING_ENABLE) {
        CHECK(code == CL_SUCCESS);
        CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) ==
              CL_SUCCESS);
        CHECK(start != 0);
        CHECK(end >= start);
    } else {
        CHECK(code == CL_PROFILING_INFO_NOT_AVAILABLE);
    }
    clReleaseEvent(event);
    if (!(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) return;
    cl_int made = 1;
    cl_event gate = clCreateUserEvent(f.context, &made);
    cl_event later = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, nullptr) == CL_SUCCESS);
    REQUIRE(run(f.queue, test.kernel, 1, &later) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &later) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    clReleaseEvent(later);
    clReleaseEvent(gate);
}

void host_queues(Fixture& f) {
    const auto bits = answer<cl_command_queue_properties>(f, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
    REQUIRE((bits & CL_QUEUE_PROFILING_ENABLE) != 0);
    constexpr cl_command_queue_properties kAll =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    CHECK((bits & ~kAll) == 0);
    for (cl_command_queue_properties each = 0; each <= kAll; ++each) {
        if ((each & bits) == each) {
            use_host_queue(f, each);
            continue;
        }
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, each, 0};
        cl_int code = 1;
        CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code) == nullptr);
        CHECK(code == CL_INVALID_QUEUE_PROPERTIES);
    }
}

void execution(Fixture& f) {
    const auto bits = answer<cl_device_exec_capabilities>(f, CL_DEVICE_EXECUTION_CAPABILITIES);
    REQUIRE((bits & CL_EXEC_KERNEL) != 0);
    CHECK(Test(f, kOne).run()[0] == 1);
    static int calls = 0;
    calls = 0;
    const cl_int code = clEnqueueNativeKernel(
        f.queue, [](void*) { ++calls; }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
    CHECK(code == (bits & CL_EXEC_NATIVE_KERNEL ? CL_SUCCESS : CL_INVALID_OPERATION));
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(calls == (bits & CL_EXEC_NATIVE_KERNEL ? 1 : 0));
}

/// A kernel's time is a whole number of steps, and so is the device's clock.
void timer(Fixture& f) {
    const auto resolution = answer<size_t>(f, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    REQUIRE(resolution >= 1);
    f.queue = f.make_queue(CL_QUEUE_PROFILING_ENABLE);
    Test test(f, kOne);
    cl_event event = nullptr;
    REQUIRE(run(f.queue, test.kernel, 1, &event) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
    cl_ulong before = 0;
    for (const cl_profiling_info each :
         {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
          CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
        const auto time = info<cl_ulong>(clGetEventProfilingInfo, event, each);
        CHECK(time >= before);
        before = time;
    }
    clReleaseEvent(event);
    cl_ulong device_time = 0, host_time = 0;
    CHECK(clGetDeviceAndHostTimer(f.the_device, &device_time, &host_time) == CL_SUCCESS);
    CHECK(device_time >= before);  // of one clock
}

// ---- On the device ----

cl_command_queue make_device_queue(Fixture& f, cl_queue_properties size, cl_int& code,
                                   cl_command_queue_properties more = 0) {
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
        size == 0 ? cl_queue_properties{0} : cl_queue_properties{CL_QUEUE_SIZE}, size, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code);
    if (queue) f.queues.push_back(queue);
    return queue;
}

/// A kernel of 30 work-items has each of them enqueue one.
void enqueue_on(Fixture& f, cl_command_queue queue) {
    Test test(
        f,
        "kernel void test(global int *out, queue_t q) { if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, "
        "ndrange_1D(1), ^{ atomic_inc(out); }) != 0) atomic_add(out, 1000); }");
    CHECK(test.with(queue).run({30, 1, 1})[0] == 30);
}

void device_queues(Fixture& f) {
    const auto bits = answer<cl_device_device_enqueue_capabilities>(f, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES);
    const auto properties = answer<cl_command_queue_properties>(f, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES);
    const auto preferred = answer<cl_uint>(f, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE);
    const auto most = answer<cl_uint>(f, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
    const auto count = answer<cl_uint>(f, CL_DEVICE_MAX_ON_DEVICE_QUEUES);
    if (!(bits & CL_DEVICE_QUEUE_SUPPORTED)) {
        CHECK((properties == 0 && preferred == 0 && most == 0 && count == 0));
        return;
    }
    REQUIRE(preferred <= most);
    REQUIRE((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0);
    cl_int code = 1;
    // Queues of the preferred size and of the largest size.
    cl_command_queue first = make_device_queue(f, 0, code, properties & CL_QUEUE_PROFILING_ENABLE);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetCommandQueueInfo, first, CL_QUEUE_SIZE) == preferred);
    enqueue_on(f, first);
    REQUIRE(clReleaseCommandQueue(first) == CL_SUCCESS);
    f.queues.pop_back();
    cl_command_queue largest = make_device_queue(f, most, code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetCommandQueueInfo, largest, CL_QUEUE_SIZE) == most);
    enqueue_on(f, largest);
    CHECK(make_device_queue(f, cl_queue_properties{most} + 1, code) == nullptr);
    CHECK(code == CL_INVALID_QUEUE_PROPERTIES);
    // As many queues as the device allows.
    for (cl_uint i = 1; i < std::min(count, 4u); ++i) {
        cl_command_queue next = make_device_queue(f, 0, code);
        REQUIRE(code == CL_SUCCESS);
        enqueue_on(f, next);
    }
    cl_command_queue normal = make_device_queue(f, 0, code, CL_QUEUE_ON_DEVICE_DEFAULT);
    REQUIRE(code == CL_SUCCESS);
    const cl_int replaced = clSetDefaultDeviceCommandQueue(f.context, f.the_device, normal);
    CHECK(replaced == (bits & CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT ? CL_SUCCESS : CL_INVALID_OPERATION));
}

/// A kernel has as many events at a time.
void device_events(Fixture& f) {
    const auto count = answer<cl_uint>(f, CL_DEVICE_MAX_ON_DEVICE_EVENTS);
    if (count == 0) return;
    cl_int code = 1;
    cl_command_queue queue = make_device_queue(f, 0, code, CL_QUEUE_ON_DEVICE_DEFAULT);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_command_queue>(clGetCommandQueueInfo, f.queue, CL_QUEUE_DEVICE_DEFAULT) == queue);
    Test test(
        f,
        "kernel void test(global int *out, global clk_event_t *all, int count) {\n"
        "    int valid = 0;\n    for (int i = 0; i < count; i++) { all[i] = create_user_event(); valid += "
        "is_valid_event(all[i]); }\n    for (int i = 0; i < count; i++) { set_user_event_status(all[i], "
        "CL_COMPLETE); release_event(all[i]); }\n    *out = valid;\n}");
    const auto some = static_cast<cl_int>(std::min<cl_uint>(count, 4096));
    CHECK(test.with(f.make_buffer(static_cast<size_t>(some) * 8), some).run()[0] == some);
}

// ---- printf ----

/// One launch prints as much text as the buffer holds.
void printf_buffer(Fixture& f) {
    const auto bytes = answer<size_t>(f, CL_DEVICE_PRINTF_BUFFER_SIZE);
    constexpr size_t kLine = 64;
    Test test(f,
              "kernel void test(global int *out) { if (printf(\"%062d|\\n\", (int)get_global_id(0)) < 0) "
              "atomic_inc(out); }");
    Captured captured;
    const std::vector<cl_int> found = test.run({64, 1, 1}, bytes / kLine / 64);
    const size_t printed = captured.stop();
    CHECK(found[0] == 0);
    CHECK(printed == bytes);
}

/// A semaphore of each type can be made.
void semaphore_types(Fixture& f) {
    const auto types = list_answer<cl_semaphore_type_khr>(f, CL_DEVICE_SEMAPHORE_TYPES_KHR);
    CHECK(types == std::vector<cl_semaphore_type_khr>{CL_SEMAPHORE_TYPE_BINARY_KHR});
    for (const cl_semaphore_type_khr type : types) {
        const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, type, 0};
        const OwnSemaphore semaphore(f.context, properties);
        CHECK(semaphore.payload() == 0);
    }
}

/// Types of handles are those of extensions. driver_external uses them.
void semaphore_handles(Fixture& f) {
    for (const cl_device_info query :
         {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
        for (const cl_uint type : list_answer<cl_uint>(f, query))
            CHECK(has_extension(f, type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR
                                       ? "cl_khr_external_semaphore_opaque_fd"
                                       : "cl_khr_external_semaphore_sync_fd"));
}

/// A kernel prints in each replay. (command_buffer_test.cpp has kernels that enqueue others.)
void command_buffer_kernels(Fixture& f) {
    const auto bits = answer<cl_bitfield>(f, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR);
    CHECK(bool(bits & CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR) == has_device_enqueue());
    REQUIRE((bits & CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR) != 0);
    REQUIRE((bits & CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR) !=
            0);  // mutable_command_test.cpp uses it
    REQUIRE((bits & CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR) != 0);  // command_buffer_queues_test.cpp
    Test test(f, "kernel void test(global int *out) { printf(\"%d\\n\", ++*out); }");
    const OwnCommandBuffer commands(f.queue);
    commands.run(test.kernel, 1);
    commands.run(test.kernel, 1);
    commands.finish_recording();
    Captured captured;
    for (int i = 0; i < 3; ++i) CHECK(commands.replay() == CL_SUCCESS);
    CHECK(f.read<cl_int>(test.out, 1)[0] == 6);
    CHECK(captured.stop() == std::string("1\n2\n3\n4\n5\n6\n").size());
}

/// Several queues of a device that is in its own list may be asked to synchronise on the device.
void sync_devices(Fixture& f) {
    const auto devices =
        list<cl_device_id>(clGetDeviceInfo, f.the_device, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR);
    CHECK(devices.size() == answer<cl_uint>(f, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR));
    for (cl_device_id each : devices) CHECK(each == f.the_device);
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                           CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0};
    if (!devices.empty()) const OwnCommandBuffer commands({f.queue, f.make_queue(0)}, properties);
}

/// Command-buffers run in each queue that has what is required, and nothing that is not supported.
void command_buffer_queues(Fixture& f) {
    const auto required =
        answer<cl_command_queue_properties>(f, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR);
    const auto supported =
        answer<cl_command_queue_properties>(f, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR);
    REQUIRE(required == 0);
    REQUIRE((supported & CL_QUEUE_PROFILING_ENABLE) != 0);
    Test test(f, kOne);
    for (cl_command_queue_properties properties = 0; properties <= supported; ++properties) {
        if (properties & ~supported) continue;
        f.queue = f.make_queue(properties);
        const OwnCommandBuffer commands(f.queue);
        commands.run(test.kernel, 1);
        commands.finish_recording();
        CHECK(commands.replay() == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
    }
    CHECK(f.read<cl_int>(test.out, 1)[0] == 1);
}

/// Each field may be named as one that can change, and no other. (mutable_command_test.cpp changes them.)
void mutable_fields(Fixture& f) {
    const auto fields = answer<cl_bitfield>(f, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR);
    Test test(f, kOne);
    const OwnCommandBuffer commands(f.queue, kMutable);
    for (cl_bitfield bit = 1; bit <= 2 * fields; bit *= 2) {
        const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, bit, 0};
        const size_t one = 1;
        CHECK(commands.nd_range_kernel(commands.handle, nullptr, properties, test.kernel, 1, nullptr, &one,
                                       nullptr, 0, nullptr, nullptr,
                                       nullptr) == (bit & fields ? CL_SUCCESS : CL_INVALID_OPERATION));
    }
}

const Query kRows[] = {
    QUERY(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, mutable_fields),
    QUERY(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, command_buffer_kernels),
    QUERY(CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, sync_devices),
    QUERY(CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, sync_devices),
    QUERY(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, command_buffer_queues),
    QUERY(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, command_buffer_queues),
    QUERY(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, semaphore_handles),
    QUERY(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, semaphore_handles),
    QUERY(CL_DEVICE_SEMAPHORE_TYPES_KHR, semaphore_types),
    QUERY(CL_DEVICE_EXECUTION_CAPABILITIES, execution),
    QUERY(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, host_queues),
    QUERY(CL_DEVICE_PROFILING_TIMER_RESOLUTION, timer),
    QUERY(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, device_queues),
    QUERY(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, device_queues),
    QUERY(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, device_queues),
    QUERY(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, device_queues),
    QUERY(CL_DEVICE_MAX_ON_DEVICE_QUEUES, device_queues),
    QUERY(CL_DEVICE_MAX_ON_DEVICE_EVENTS, device_events),
    QUERY(CL_DEVICE_PRINTF_BUFFER_SIZE, printf_buffer),
    QUERY(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
          [](Fixture& f) {
              // A context that leaves it to the program, or there is nothing to leave.
              CHECK(answer<cl_bool>(f, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC) == CL_TRUE);
          }),
};

}  // namespace

std::span<const Query> queue_queries() { return kRows; }

}  // namespace caldera::driver_test
