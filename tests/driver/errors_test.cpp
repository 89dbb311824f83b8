// SPDX-License-Identifier: Apache-2.0
// The error codes of OpenCL API 3.0, function by function: each row is a call with one fault.
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/driver/fixture.h"
#include "tests/driver/images.h"
#include "tests/driver/queries.h"

using namespace caldera::driver_test;

namespace {

struct Row {
    const char* fault;
    cl_int expected;
    std::function<cl_int()> call;
};

void check_all(std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
        INFO(std::string(row.fault));
        CHECK(row.call() == row.expected);
    }
}

/// The code of a call that makes something, and returns none.
template <class Make>
cl_int code_of(const Make& make) {
    cl_int code = 1;
    CHECK(make(&code) == nullptr);
    return code;
}

/// Objects of each kind, and some of another context.
struct Scene : Fixture {
    Fixture other = Fixture();
    cl_program program = build(
        "kernel void all(global int *a, constant int *b, local int *c, int d, float4 e) {"
        "  c[get_local_id(0)] = d + (int)e.x; a[get_global_id(0)] = b[0] + c[get_local_id(0)]; }"
        "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fixed(global int *a) { a[0] = 1; }");
    cl_kernel all = make_kernel(program, "all"), fixed = make_kernel(program, "fixed");
    cl_program unbuilt = source("kernel void k() {}");
    cl_mem buffer = make_buffer(4096), second = make_buffer(4096), theirs = other.make_buffer(4096);
    cl_mem read_only_for_host = make_buffer(4096, nullptr, CL_MEM_HOST_READ_ONLY),
           write_only_for_host = make_buffer(4096, nullptr, CL_MEM_HOST_WRITE_ONLY),
           hidden = make_buffer(4096, nullptr, CL_MEM_HOST_NO_ACCESS);
    cl_event user_event = event_of(context), of_other = event_of(other.context);
    std::array<cl_uchar, 4096> bytes = {};

    ~Scene() {
        for (cl_event event : {user_event, of_other}) {
            clSetUserEventStatus(event, CL_COMPLETE);
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
    }
    static cl_event event_of(cl_context context) {
        cl_int code = 1;
        cl_event event = clCreateUserEvent(context, &code);
        REQUIRE(code == CL_SUCCESS);
        return event;
    }
    template <class T>
    T* wrong() const {  // a handle of another kind
        return reinterpret_cast<T*>(program);
    }
};

constexpr size_t k0[3] = {0, 0, 0}, k1[3] = {1, 1, 1}, k8[3] = {8, 2, 1}, kNone[3] = {1, 0, 1};

}  // namespace

TEST_CASE("4.4, 5.1 errors of contexts and queues") {
    Scene s;
    using Properties = std::vector<cl_context_properties>;
    const auto context = [&](const Properties& list, cl_uint count, const cl_device_id* devices) {
        return code_of([&](cl_int* code) {
            return clCreateContext(list.empty() ? nullptr : list.data(), count, devices, nullptr, nullptr,
                                   code);
        });
    };
    const auto queue = [&](cl_context its, cl_device_id device, std::vector<cl_queue_properties> list) {
        return code_of(
            [&](cl_int* code) { return clCreateCommandQueueWithProperties(its, device, list.data(), code); });
    };
    cl_device_id device = s.the_device, null_device = nullptr;
    check_all({
        {"no devices", CL_INVALID_VALUE, [&] { return context({}, 0, &device); }},
        {"no list", CL_INVALID_VALUE, [&] { return context({}, 1, nullptr); }},
        {"a null device", CL_INVALID_DEVICE, [&] { return context({}, 1, &null_device); }},
        {"a null platform", CL_INVALID_PLATFORM,
         [&] {
             return context({CL_CONTEXT_PLATFORM, 0, 0}, 1, &device);
         }},
        {"an unknown property", CL_INVALID_PROPERTY,
         [&] {
             return context({0x7777, 1, 0}, 1, &device);
         }},
        {"data without a function", CL_INVALID_VALUE,
         [&] {
             return code_of(
                 [&](cl_int* code) { return clCreateContext(nullptr, 1, &device, nullptr, &device, code); });
         }},
        {"an invalid type of device", CL_INVALID_DEVICE_TYPE,
         [&] {
             return code_of([&](cl_int* code) {
                 return clCreateContextFromType(nullptr, 1 << 20, nullptr, nullptr, code);
             });
         }},
        {"no such device", CL_DEVICE_NOT_FOUND,
         [&] {
             return code_of([&](cl_int* code) {
                 return clCreateContextFromType(nullptr, CL_DEVICE_TYPE_ACCELERATOR, nullptr, nullptr, code);
             });
         }},
        {"info of no context", CL_INVALID_CONTEXT,
         [&] { return clGetContextInfo(nullptr, CL_CONTEXT_DEVICES, 0, nullptr, nullptr); }},
        {"unknown info", CL_INVALID_VALUE,
         [&] { return clGetContextInfo(s.context, 0x7777, 0, nullptr, nullptr); }},
        {"a destructor callback of null", CL_INVALID_VALUE,
         [&] { return clSetContextDestructorCallback(s.context, nullptr, nullptr); }},
        {"a queue of no context", CL_INVALID_CONTEXT, [&] { return queue(nullptr, device, {0}); }},
        {"a queue of no device", CL_INVALID_DEVICE, [&] { return queue(s.context, nullptr, {0}); }},
        {"an unknown property of a queue", CL_INVALID_VALUE,
         [&] {
             return queue(s.context, device, {0x7777, 1, 0});
         }},
        {"unknown bits", CL_INVALID_VALUE,
         [&] {
             return queue(s.context, device, {CL_QUEUE_PROPERTIES, 1 << 20, 0});
         }},
        {"a size of a host queue", CL_INVALID_VALUE,
         [&] {
             return queue(s.context, device, {CL_QUEUE_SIZE, 1024, 0});
         }},
        {"an in-order device queue", CL_INVALID_VALUE,
         [&] {
             return queue(s.context, device, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0});
         }},
        {"the size of a host queue", CL_INVALID_COMMAND_QUEUE,
         [&] { return clGetCommandQueueInfo(s.queue, CL_QUEUE_SIZE, 0, nullptr, nullptr); }},
        {"flush of nothing", CL_INVALID_COMMAND_QUEUE, [&] { return clFlush(nullptr); }},
        {"finish of another object", CL_INVALID_COMMAND_QUEUE,
         [&] { return clFinish(s.wrong<_cl_command_queue>()); }},
        {"a timer without a place for it", CL_INVALID_VALUE,
         [&] {
             cl_ulong time = 0;
             return clGetDeviceAndHostTimer(device, &time, nullptr);
         }},
        {"a host timer without a place for it", CL_INVALID_VALUE,
         [&] { return clGetHostTimer(device, nullptr); }},
        {"a timer of no device", CL_INVALID_DEVICE,
         [&] {
             cl_ulong time = 0;
             return clGetHostTimer(nullptr, &time);
         }},
        {"no entries for devices", CL_INVALID_VALUE,
         [&] { return clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, &null_device, nullptr); }},
        {"nothing wanted of devices", CL_INVALID_VALUE,
         [&] { return clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr); }},
        {"sub-devices of no device", CL_INVALID_DEVICE,
         [&] {
             const cl_device_partition_property list[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
             return clCreateSubDevices(nullptr, list, 0, nullptr, nullptr);
         }},
        {"sub-devices without properties", CL_INVALID_VALUE,
         [&] { return clCreateSubDevices(device, nullptr, 0, nullptr, nullptr); }},
    });
}

TEST_CASE("5.2 errors of buffers") {
    Scene s;
    const auto make = [&](cl_context context, cl_mem_flags flags, size_t size, void* host) {
        return code_of([&](cl_int* code) { return clCreateBuffer(context, flags, size, host, code); });
    };
    const auto part = [&](cl_mem of, cl_mem_flags flags, size_t origin, size_t size) {
        const cl_buffer_region region = {origin, size};
        return code_of([&](cl_int* code) {
            return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
        });
    };
    const auto read = [&](cl_command_queue queue, cl_mem from, size_t at, size_t size, void* to,
                          cl_uint count = 0, const cl_event* list = nullptr) {
        return clEnqueueReadBuffer(queue, from, CL_TRUE, at, size, to, count, list, nullptr);
    };
    const auto write = [&](cl_mem to, size_t at, size_t size, const void* from) {
        return clEnqueueWriteBuffer(s.queue, to, CL_TRUE, at, size, from, 0, nullptr, nullptr);
    };
    const auto rect = [&](const size_t* origin, const size_t* region, size_t row, size_t slice,
                          size_t host_row, size_t host_slice) {
        return clEnqueueReadBufferRect(s.queue, s.buffer, CL_TRUE, origin, k0, region, row, slice, host_row,
                                       host_slice, s.bytes.data(), 0, nullptr, nullptr);
    };
    const auto copy_rect = [&](cl_mem from, cl_mem to, const size_t* to_origin, const size_t* region,
                               size_t from_row, size_t to_row) {
        return clEnqueueCopyBufferRect(s.queue, from, to, k0, to_origin, region, from_row, 0, to_row, 0, 0,
                                       nullptr, nullptr);
    };
    const auto fill = [&](cl_mem buffer, const void* pattern, size_t pattern_size, size_t at, size_t size) {
        return clEnqueueFillBuffer(s.queue, buffer, pattern, pattern_size, at, size, 0, nullptr, nullptr);
    };
    const auto map = [&](cl_mem buffer, cl_map_flags flags, size_t at, size_t size) {
        return code_of([&](cl_int* code) {
            return clEnqueueMapBuffer(s.queue, buffer, CL_TRUE, flags, at, size, 0, nullptr, nullptr, code);
        });
    };
    void* const host = s.bytes.data();
    cl_event null_event = nullptr, failed = Scene::event_of(s.context);
    REQUIRE(clSetUserEventStatus(failed, -3) == CL_SUCCESS);
    cl_int code = 1;
    const cl_buffer_region region = {0, 1024};
    cl_mem sub = clCreateSubBuffer(s.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    REQUIRE(code == CL_SUCCESS);
    s.buffers.push_back(sub);
    cl_mem read_only = s.make_buffer(64, nullptr, CL_MEM_READ_ONLY);
    const size_t second[3] = {1, 0, 0};
    check_all({
        {"no context", CL_INVALID_CONTEXT, [&] { return make(nullptr, 0, 64, nullptr); }},
        {"two accesses", CL_INVALID_VALUE,
         [&] { return make(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr); }},
        {"two accesses of the host", CL_INVALID_VALUE,
         [&] { return make(s.context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr); }},
        {"use and copy", CL_INVALID_VALUE,
         [&] { return make(s.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host); }},
        {"use and allocate", CL_INVALID_VALUE,
         [&] { return make(s.context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host); }},
        {"no size", CL_INVALID_BUFFER_SIZE, [&] { return make(s.context, 0, 0, nullptr); }},
        {"too large", CL_INVALID_BUFFER_SIZE, [&] { return make(s.context, 0, ~size_t{0} / 2, nullptr); }},
        {"a flag without a pointer", CL_INVALID_HOST_PTR,
         [&] { return make(s.context, CL_MEM_COPY_HOST_PTR, 64, nullptr); }},
        {"a pointer without a flag", CL_INVALID_HOST_PTR, [&] { return make(s.context, 0, 64, host); }},
        {"an unknown property", CL_INVALID_PROPERTY,
         [&] {
             const cl_mem_properties list[] = {0x7777, 1, 0};
             return code_of([&](cl_int* out) {
                 return clCreateBufferWithProperties(s.context, list, 0, 64, nullptr, out);
             });
         }},
        {"a part of nothing", CL_INVALID_MEM_OBJECT, [&] { return part(nullptr, 0, 0, 64); }},
        {"a part of a part", CL_INVALID_MEM_OBJECT, [&] { return part(sub, 0, 0, 64); }},
        {"a part that may do more", CL_INVALID_VALUE,
         [&] { return part(read_only, CL_MEM_READ_WRITE, 0, 64); }},
        {"a part that the host may read", CL_INVALID_VALUE,
         [&] { return part(s.hidden, CL_MEM_HOST_READ_ONLY, 0, 64); }},
        {"a part with a host pointer", CL_INVALID_VALUE,
         [&] { return part(s.buffer, CL_MEM_ALLOC_HOST_PTR, 0, 64); }},
        {"a part of no size", CL_INVALID_BUFFER_SIZE, [&] { return part(s.buffer, 0, 0, 0); }},
        {"a part past the end", CL_INVALID_VALUE, [&] { return part(s.buffer, 0, 4096, 64); }},
        {"a part that is not aligned", CL_MISALIGNED_SUB_BUFFER_OFFSET,
         [&] { return part(s.buffer, 0, 1, 64); }},
        {"a part without a region", CL_INVALID_VALUE,
         [&] {
             return code_of([&](cl_int* out) {
                 return clCreateSubBuffer(s.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, out);
             });
         }},
        {"a part of unknown type", CL_INVALID_VALUE,
         [&] {
             return code_of(
                 [&](cl_int* out) { return clCreateSubBuffer(s.buffer, 0, 0x7777, &region, out); });
         }},
        {"read in no queue", CL_INVALID_COMMAND_QUEUE, [&] { return read(nullptr, s.buffer, 0, 4, host); }},
        {"read nothing", CL_INVALID_MEM_OBJECT, [&] { return read(s.queue, nullptr, 0, 4, host); }},
        {"read another context's buffer", CL_INVALID_CONTEXT,
         [&] { return read(s.queue, s.theirs, 0, 4, host); }},
        {"read past the end", CL_INVALID_VALUE, [&] { return read(s.queue, s.buffer, 4093, 4, host); }},
        {"read with an overflow", CL_INVALID_VALUE,
         [&] { return read(s.queue, s.buffer, ~size_t{0}, 2, host); }},
        {"read to null", CL_INVALID_VALUE, [&] { return read(s.queue, s.buffer, 0, 4, nullptr); }},
        {"read what the host may not", CL_INVALID_OPERATION,
         [&] { return read(s.queue, s.write_only_for_host, 0, 4, host); }},
        {"a list without a count", CL_INVALID_EVENT_WAIT_LIST,
         [&] { return read(s.queue, s.buffer, 0, 4, host, 0, &s.user_event); }},
        {"a count without a list", CL_INVALID_EVENT_WAIT_LIST,
         [&] { return read(s.queue, s.buffer, 0, 4, host, 1, nullptr); }},
        {"a null event", CL_INVALID_EVENT_WAIT_LIST,
         [&] { return read(s.queue, s.buffer, 0, 4, host, 1, &null_event); }},
        {"another context's event", CL_INVALID_CONTEXT,
         [&] { return read(s.queue, s.buffer, 0, 4, host, 1, &s.of_other); }},
        {"a failed event", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
         [&] { return read(s.queue, s.buffer, 0, 4, host, 1, &failed); }},
        {"write past the end", CL_INVALID_VALUE, [&] { return write(s.buffer, 4096, 1, host); }},
        {"write from null", CL_INVALID_VALUE, [&] { return write(s.buffer, 0, 1, nullptr); }},
        {"write what the host may not", CL_INVALID_OPERATION,
         [&] { return write(s.read_only_for_host, 0, 4, host); }},
        {"a region of no rows", CL_INVALID_VALUE, [&] { return rect(k0, kNone, 0, 0, 0, 0); }},
        {"no region", CL_INVALID_VALUE, [&] { return rect(k0, nullptr, 0, 0, 0, 0); }},
        {"no origin", CL_INVALID_VALUE, [&] { return rect(nullptr, k1, 0, 0, 0, 0); }},
        {"a small row pitch", CL_INVALID_VALUE, [&] { return rect(k0, k8, 7, 0, 0, 0); }},
        {"a small host row pitch", CL_INVALID_VALUE, [&] { return rect(k0, k8, 0, 0, 7, 0); }},
        {"a small slice pitch", CL_INVALID_VALUE, [&] { return rect(k0, k8, 8, 15, 0, 0); }},
        {"a slice pitch of half a row", CL_INVALID_VALUE, [&] { return rect(k0, k8, 8, 20, 0, 0); }},
        {"a host slice pitch of half a row", CL_INVALID_VALUE, [&] { return rect(k0, k8, 0, 0, 8, 20); }},
        {"a region past the end", CL_INVALID_VALUE, [&] { return rect(k0, k8, 4096, 0, 0, 0); }},
        {"copy nothing", CL_INVALID_MEM_OBJECT,
         [&] { return clEnqueueCopyBuffer(s.queue, nullptr, s.buffer, 0, 0, 4, 0, nullptr, nullptr); }},
        {"copy to another context", CL_INVALID_CONTEXT,
         [&] { return clEnqueueCopyBuffer(s.queue, s.buffer, s.theirs, 0, 0, 4, 0, nullptr, nullptr); }},
        {"copy past the end", CL_INVALID_VALUE,
         [&] { return clEnqueueCopyBuffer(s.queue, s.buffer, s.second, 0, 4093, 4, 0, nullptr, nullptr); }},
        {"copies that overlap", CL_MEM_COPY_OVERLAP,
         [&] { return clEnqueueCopyBuffer(s.queue, s.buffer, s.buffer, 0, 3, 4, 0, nullptr, nullptr); }},
        {"copies that overlap in a part", CL_MEM_COPY_OVERLAP,
         [&] { return clEnqueueCopyBuffer(s.queue, s.buffer, sub, 0, 3, 4, 0, nullptr, nullptr); }},
        {"rectangles that overlap", CL_MEM_COPY_OVERLAP,
         [&] { return copy_rect(s.buffer, s.buffer, second, k8, 16, 16); }},
        {"pitches of one buffer that differ", CL_INVALID_VALUE,
         [&] { return copy_rect(s.buffer, s.buffer, k0, k8, 16, 32); }},
        {"a rectangle of no rows", CL_INVALID_VALUE,
         [&] { return copy_rect(s.buffer, s.second, k0, kNone, 0, 0); }},
        {"fill without a pattern", CL_INVALID_VALUE, [&] { return fill(s.buffer, nullptr, 4, 0, 4); }},
        {"a pattern of no bytes", CL_INVALID_VALUE, [&] { return fill(s.buffer, host, 0, 0, 4); }},
        {"a pattern of 3 bytes", CL_INVALID_VALUE, [&] { return fill(s.buffer, host, 3, 0, 3); }},
        {"a pattern of 256 bytes", CL_INVALID_VALUE, [&] { return fill(s.buffer, host, 256, 0, 256); }},
        {"fill where no pattern begins", CL_INVALID_VALUE, [&] { return fill(s.buffer, host, 4, 2, 4); }},
        {"fill half a pattern", CL_INVALID_VALUE, [&] { return fill(s.buffer, host, 4, 0, 6); }},
        {"fill past the end", CL_INVALID_VALUE, [&] { return fill(s.buffer, host, 4, 4096, 4); }},
        {"map nothing", CL_INVALID_MEM_OBJECT, [&] { return map(nullptr, CL_MAP_READ, 0, 4); }},
        {"map no bytes", CL_INVALID_VALUE, [&] { return map(s.buffer, CL_MAP_READ, 0, 0); }},
        {"map past the end", CL_INVALID_VALUE, [&] { return map(s.buffer, CL_MAP_READ, 4093, 4); }},
        {"unknown map flags", CL_INVALID_VALUE, [&] { return map(s.buffer, 1 << 10, 0, 4); }},
        {"read and invalidate", CL_INVALID_VALUE,
         [&] { return map(s.buffer, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4); }},
        {"map to write what the host may not", CL_INVALID_OPERATION,
         [&] { return map(s.read_only_for_host, CL_MAP_WRITE, 0, 4); }},
        {"map to read what the host may not", CL_INVALID_OPERATION,
         [&] { return map(s.hidden, CL_MAP_READ, 0, 4); }},
        {"unmap what is not mapped", CL_INVALID_VALUE,
         [&] { return clEnqueueUnmapMemObject(s.queue, s.buffer, host, 0, nullptr, nullptr); }},
        {"unmap null", CL_INVALID_VALUE,
         [&] { return clEnqueueUnmapMemObject(s.queue, s.buffer, nullptr, 0, nullptr, nullptr); }},
        {"unmap nothing", CL_INVALID_MEM_OBJECT,
         [&] { return clEnqueueUnmapMemObject(s.queue, nullptr, host, 0, nullptr, nullptr); }},
        {"migrate nothing", CL_INVALID_VALUE,
         [&] { return clEnqueueMigrateMemObjects(s.queue, 0, &s.buffer, 0, 0, nullptr, nullptr); }},
        {"migrate no list", CL_INVALID_VALUE,
         [&] { return clEnqueueMigrateMemObjects(s.queue, 1, nullptr, 0, 0, nullptr, nullptr); }},
        {"unknown flags of a migration", CL_INVALID_VALUE,
         [&] { return clEnqueueMigrateMemObjects(s.queue, 1, &s.buffer, 1 << 10, 0, nullptr, nullptr); }},
        {"migrate another context's", CL_INVALID_CONTEXT,
         [&] { return clEnqueueMigrateMemObjects(s.queue, 1, &s.theirs, 0, 0, nullptr, nullptr); }},
        {"unknown info", CL_INVALID_VALUE,
         [&] { return clGetMemObjectInfo(s.buffer, 0x7777, 0, nullptr, nullptr); }},
        {"image info of a buffer", CL_INVALID_MEM_OBJECT,
         [&] { return clGetImageInfo(s.buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr); }},
        {"pipe info of a buffer", CL_INVALID_MEM_OBJECT,
         [&] { return clGetPipeInfo(s.buffer, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr); }},
        {"a destructor callback of null", CL_INVALID_VALUE,
         [&] { return clSetMemObjectDestructorCallback(s.buffer, nullptr, nullptr); }},
    });
    CHECK(clReleaseEvent(failed) == CL_SUCCESS);
}

TEST_CASE("5.4 errors of pipes") {
    Scene s;
    const auto make = [&](cl_mem_flags flags, cl_uint packet, cl_uint count, const cl_pipe_properties* list) {
        return code_of(
            [&](cl_int* code) { return clCreatePipe(s.context, flags, packet, count, list, code); });
    };
    cl_int code = 1;
    cl_mem pipe = clCreatePipe(s.context, 0, 4, 8, nullptr, &code);
    if (code == CL_INVALID_OPERATION) return;  // a device without pipes
    REQUIRE(code == CL_SUCCESS);
    s.buffers.push_back(pipe);
    const auto most = info<cl_uint>(clGetDeviceInfo, s.the_device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    void* const host = s.bytes.data();
    const cl_pipe_properties list[] = {1, 1, 0};
    check_all({
        {"flags of a buffer", CL_INVALID_VALUE, [&] { return make(CL_MEM_READ_ONLY, 4, 8, nullptr); }},
        {"a property", CL_INVALID_VALUE, [&] { return make(0, 4, 8, list); }},
        {"packets of no size", CL_INVALID_PIPE_SIZE, [&] { return make(0, 0, 8, nullptr); }},
        {"large packets", CL_INVALID_PIPE_SIZE, [&] { return make(0, most + 1, 8, nullptr); }},
        {"no packets", CL_INVALID_PIPE_SIZE, [&] { return make(0, 4, 0, nullptr); }},
        {"read a pipe", CL_INVALID_MEM_OBJECT,
         [&] { return clEnqueueReadBuffer(s.queue, pipe, CL_TRUE, 0, 4, host, 0, nullptr, nullptr); }},
        {"unmap a pipe", CL_INVALID_MEM_OBJECT,
         [&] { return clEnqueueUnmapMemObject(s.queue, pipe, host, 0, nullptr, nullptr); }},
        {"a part of a pipe", CL_INVALID_MEM_OBJECT,
         [&] {
             const cl_buffer_region region = {0, 4};
             return code_of([&](cl_int* out) {
                 return clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, out);
             });
         }},
        {"a pipe for a buffer", CL_INVALID_MEM_OBJECT, [&] { return set(s.all, 0, pipe); }},
    });
}

TEST_CASE("5.8, 5.9 errors of programs and kernels") {
    Scene s;
    const char *text = "kernel void k() {}", *null_text = nullptr;
    const auto program = [&](cl_context context, cl_uint count, const char** texts) {
        return code_of(
            [&](cl_int* code) { return clCreateProgramWithSource(context, count, texts, nullptr, code); });
    };
    const auto kernel = [&](cl_program of, const char* name) {
        return code_of([&](cl_int* code) { return clCreateKernel(of, name, code); });
    };
    cl_device_id device = s.the_device, null_device = nullptr;
    const size_t size = 4;
    const unsigned char bytes[] = {1, 2, 3, 4};
    const unsigned char *binary = bytes, *no_binary = nullptr;
    const auto from_binary = [&](cl_uint count, const cl_device_id* devices, const size_t* lengths,
                                 const unsigned char** binaries) {
        return code_of([&](cl_int* code) {
            return clCreateProgramWithBinary(s.context, count, devices, lengths, binaries, nullptr, code);
        });
    };
    const auto run_in = [&](cl_command_queue queue, cl_kernel its, cl_uint dimensions, const size_t* global,
                            const size_t* local) {
        return clEnqueueNDRangeKernel(queue, its, dimensions, nullptr, global, local, 0, nullptr, nullptr);
    };
    const cl_int one = 1;
    const size_t many[3] = {1 << 20, 1, 1}, zero[3] = {0, 0, 0}, five[3] = {5, 1, 1};
    cl_kernel unset = s.make_kernel(s.program, "all");
    REQUIRE(set(s.fixed, 0, s.buffer) == CL_SUCCESS);
    check_all({
        {"no context", CL_INVALID_CONTEXT, [&] { return program(nullptr, 1, &text); }},
        {"no strings", CL_INVALID_VALUE, [&] { return program(s.context, 0, &text); }},
        {"no list", CL_INVALID_VALUE, [&] { return program(s.context, 1, nullptr); }},
        {"a null string", CL_INVALID_VALUE, [&] { return program(s.context, 1, &null_text); }},
        {"no binaries", CL_INVALID_VALUE, [&] { return from_binary(0, &device, &size, &binary); }},
        {"no sizes", CL_INVALID_VALUE, [&] { return from_binary(1, &device, nullptr, &binary); }},
        {"a null binary", CL_INVALID_VALUE, [&] { return from_binary(1, &device, &size, &no_binary); }},
        {"a binary of a null device", CL_INVALID_DEVICE,
         [&] { return from_binary(1, &null_device, &size, &binary); }},
        {"no binary of this driver", CL_INVALID_BINARY,
         [&] { return from_binary(1, &device, &size, &binary); }},
        {"IL of no bytes", CL_INVALID_VALUE,
         [&] {
             return code_of([&](cl_int* code) { return clCreateProgramWithIL(s.context, bytes, 0, code); });
         }},
        {"null IL", CL_INVALID_VALUE,
         [&] {
             return code_of([&](cl_int* code) { return clCreateProgramWithIL(s.context, nullptr, 4, code); });
         }},
        {"no module", CL_INVALID_VALUE,
         [&] {
             return code_of([&](cl_int* code) { return clCreateProgramWithIL(s.context, bytes, 4, code); });
         }},
        {"no built-in kernels' names", CL_INVALID_VALUE,
         [&] {
             return code_of([&](cl_int* code) {
                 return clCreateProgramWithBuiltInKernels(s.context, 1, &device, nullptr, code);
             });
         }},
        {"build nothing", CL_INVALID_PROGRAM,
         [&] { return clBuildProgram(nullptr, 0, nullptr, "", nullptr, nullptr); }},
        {"a list without a count", CL_INVALID_VALUE,
         [&] { return clBuildProgram(s.unbuilt, 0, &device, "", nullptr, nullptr); }},
        {"constructors of a program that is not built", CL_INVALID_PROGRAM_EXECUTABLE,
         [&] {
             return clGetProgramInfo(s.unbuilt, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, 0, nullptr, nullptr);
         }},
        {"destructors of a program that is not built", CL_INVALID_PROGRAM_EXECUTABLE,
         [&] {
             return clGetProgramInfo(s.unbuilt, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, 0, nullptr, nullptr);
         }},
        {"a count without a list", CL_INVALID_VALUE,
         [&] { return clBuildProgram(s.unbuilt, 1, nullptr, "", nullptr, nullptr); }},
        {"data without a function", CL_INVALID_VALUE,
         [&] { return clBuildProgram(s.unbuilt, 0, nullptr, "", nullptr, &device); }},
        {"build for a null device", CL_INVALID_DEVICE,
         [&] { return clBuildProgram(s.unbuilt, 1, &null_device, "", nullptr, nullptr); }},
        {"an unknown option", CL_INVALID_BUILD_OPTIONS,
         [&] { return clBuildProgram(s.unbuilt, 0, nullptr, "-no-such", nullptr, nullptr); }},
        {"build what has kernels", CL_INVALID_OPERATION,
         [&] { return clBuildProgram(s.program, 0, nullptr, "", nullptr, nullptr); }},
        {"compile with an unknown option", CL_INVALID_COMPILER_OPTIONS,
         [&] {
             return clCompileProgram(s.unbuilt, 0, nullptr, "-no-such", 0, nullptr, nullptr, nullptr,
                                     nullptr);
         }},
        {"headers without names", CL_INVALID_VALUE,
         [&] {
             return clCompileProgram(s.unbuilt, 0, nullptr, "", 1, &s.unbuilt, nullptr, nullptr, nullptr);
         }},
        {"names without headers", CL_INVALID_VALUE,
         [&] { return clCompileProgram(s.unbuilt, 0, nullptr, "", 0, nullptr, &text, nullptr, nullptr); }},
        {"link nothing", CL_INVALID_VALUE,
         [&] {
             return code_of([&](cl_int* code) {
                 return clLinkProgram(s.context, 0, nullptr, "", 0, nullptr, nullptr, nullptr, code);
             });
         }},
        {"link what was not compiled", CL_INVALID_OPERATION,
         [&] {
             return code_of([&](cl_int* code) {
                 return clLinkProgram(s.context, 0, nullptr, "", 1, &s.unbuilt, nullptr, nullptr, code);
             });
         }},
        {"link with an unknown option", CL_INVALID_LINKER_OPTIONS,
         [&] {
             return code_of([&](cl_int* code) {
                 return clLinkProgram(s.context, 0, nullptr, "-no-such", 1, &s.unbuilt, nullptr, nullptr,
                                      code);
             });
         }},
        {"a specialization constant of source", CL_INVALID_PROGRAM,
         [&] { return clSetProgramSpecializationConstant(s.unbuilt, 1, 4, &one); }},
        {"build info of no device", CL_INVALID_DEVICE,
         [&] {
             return clGetProgramBuildInfo(s.program, nullptr, CL_PROGRAM_BUILD_STATUS, 0, nullptr, nullptr);
         }},
        {"kernels' names before the build", CL_INVALID_PROGRAM_EXECUTABLE,
         [&] { return clGetProgramInfo(s.unbuilt, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, nullptr); }},
        {"a kernel of nothing", CL_INVALID_PROGRAM, [&] { return kernel(nullptr, "all"); }},
        {"a kernel before the build", CL_INVALID_PROGRAM_EXECUTABLE, [&] { return kernel(s.unbuilt, "k"); }},
        {"no such kernel", CL_INVALID_KERNEL_NAME, [&] { return kernel(s.program, "none"); }},
        {"a kernel without a name", CL_INVALID_VALUE, [&] { return kernel(s.program, nullptr); }},
        {"too few kernels", CL_INVALID_VALUE,
         [&] {
             cl_kernel made = nullptr;
             return clCreateKernelsInProgram(s.program, 1, &made, nullptr);
         }},
        {"a copy of no kernel", CL_INVALID_KERNEL,
         [&] { return code_of([&](cl_int* code) { return clCloneKernel(nullptr, code); }); }},
        {"an argument of nothing", CL_INVALID_KERNEL, [&] { return set(cl_kernel{nullptr}, 0, one); }},
        {"no such argument", CL_INVALID_ARG_INDEX, [&] { return set(s.all, 5, one); }},
        {"an argument of another size", CL_INVALID_ARG_SIZE,
         [&] { return clSetKernelArg(s.all, 3, 8, s.bytes.data()); }},
        {"a null value", CL_INVALID_ARG_VALUE, [&] { return clSetKernelArg(s.all, 3, 4, nullptr); }},
        {"a buffer of another size", CL_INVALID_ARG_SIZE,
         [&] { return clSetKernelArg(s.all, 0, 4, &s.buffer); }},
        {"another object for a buffer", CL_INVALID_MEM_OBJECT,
         [&] { return clSetKernelArg(s.all, 0, sizeof(cl_mem), &s.program); }},
        {"another context's buffer", CL_INVALID_CONTEXT, [&] { return set(s.all, 0, s.theirs); }},
        {"a value for local memory", CL_INVALID_ARG_VALUE,
         [&] { return clSetKernelArg(s.all, 2, 64, s.bytes.data()); }},
        {"unknown execution info", CL_INVALID_VALUE,
         [&] { return clSetKernelExecInfo(s.all, 0x7777, sizeof one, &one); }},
        {"argument info of no argument", CL_INVALID_ARG_INDEX,
         [&] { return clGetKernelArgInfo(s.all, 5, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr); }},
        {"work-group info of a null device", CL_SUCCESS,  // there is only one
         [&] {
             return clGetKernelWorkGroupInfo(s.all, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr);
         }},
        {"the global size of a kernel that is not built in", CL_INVALID_VALUE,
         [&] {
             return clGetKernelWorkGroupInfo(s.all, device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, nullptr, nullptr);
         }},
        {"launch in no queue", CL_INVALID_COMMAND_QUEUE,
         [&] { return run_in(nullptr, s.fixed, 1, k8, nullptr); }},
        {"launch nothing", CL_INVALID_KERNEL, [&] { return run_in(s.queue, nullptr, 1, k8, nullptr); }},
        {"launch in another context", CL_INVALID_CONTEXT,
         [&] { return run_in(s.other.queue, s.fixed, 1, k8, nullptr); }},
        {"launch without arguments", CL_INVALID_KERNEL_ARGS,
         [&] { return run_in(s.queue, unset, 1, k8, nullptr); }},
        {"no dimensions", CL_INVALID_WORK_DIMENSION,
         [&] { return run_in(s.queue, s.fixed, 0, k8, nullptr); }},
        {"four dimensions", CL_INVALID_WORK_DIMENSION,
         [&] { return run_in(s.queue, s.fixed, 4, k8, nullptr); }},
        {"not the required size", CL_INVALID_WORK_GROUP_SIZE,
         [&] { return run_in(s.queue, s.fixed, 1, k8, k1); }},
        {"no multiple of the required size", CL_INVALID_WORK_GROUP_SIZE,
         [&] { return run_in(s.queue, s.fixed, 1, five, nullptr); }},
        {"a local size of 0", CL_INVALID_WORK_GROUP_SIZE,
         [&] { return run_in(s.queue, s.fixed, 1, k8, zero); }},
        {"a large local size", CL_INVALID_WORK_GROUP_SIZE,
         [&] {
             cl_kernel free = s.make_kernel("kernel void k(global int *a) { a[get_global_id(0)] = 1; }", "k");
             if (set(free, 0, s.buffer) != CL_SUCCESS) return CL_INVALID_KERNEL;
             const cl_int code = run_in(s.queue, free, 1, many, many);
             return code == CL_INVALID_WORK_ITEM_SIZE ? CL_INVALID_WORK_GROUP_SIZE : code;
         }},
        {"a native kernel", CL_INVALID_OPERATION,
         [&] {
             return clEnqueueNativeKernel(
                 s.queue, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
         }},
    });
}

TEST_CASE("5.11 to 5.14 errors of events") {
    Scene s;
    const auto ignore = [](cl_event, cl_int, void*) {};
    cl_event done = nullptr, null_event = nullptr, both[] = {s.user_event, s.of_other};
    REQUIRE(clEnqueueMarkerWithWaitList(s.queue, 0, nullptr, &done) == CL_SUCCESS);
    REQUIRE(clFinish(s.queue) == CL_SUCCESS);
    cl_ulong time = 0;
    check_all({
        {"a user event of no context", CL_INVALID_CONTEXT,
         [&] { return code_of([&](cl_int* code) { return clCreateUserEvent(nullptr, code); }); }},
        {"set no event", CL_INVALID_EVENT, [&] { return clSetUserEventStatus(nullptr, CL_COMPLETE); }},
        {"set a command's event", CL_INVALID_EVENT, [&] { return clSetUserEventStatus(done, CL_COMPLETE); }},
        {"set an event to run", CL_INVALID_VALUE,
         [&] { return clSetUserEventStatus(s.user_event, CL_RUNNING); }},
        {"wait for none", CL_INVALID_VALUE, [&] { return clWaitForEvents(0, &done); }},
        {"wait for no list", CL_INVALID_VALUE, [&] { return clWaitForEvents(1, nullptr); }},
        {"wait for null", CL_INVALID_EVENT, [&] { return clWaitForEvents(1, &null_event); }},
        {"wait in two contexts", CL_INVALID_CONTEXT, [&] { return clWaitForEvents(2, both); }},
        {"a callback of null", CL_INVALID_VALUE,
         [&] { return clSetEventCallback(done, CL_COMPLETE, nullptr, nullptr); }},
        {"a callback for CL_QUEUED", CL_INVALID_VALUE,
         [&] { return clSetEventCallback(done, CL_QUEUED, ignore, nullptr); }},
        {"a callback of no event", CL_INVALID_EVENT,
         [&] { return clSetEventCallback(nullptr, CL_COMPLETE, ignore, nullptr); }},
        {"unknown info", CL_INVALID_VALUE, [&] { return clGetEventInfo(done, 0x7777, 0, nullptr, nullptr); }},
        {"info of no event", CL_INVALID_EVENT,
         [&] { return clGetEventInfo(nullptr, CL_EVENT_CONTEXT, 0, nullptr, nullptr); }},
        {"a time of a queue without times", CL_PROFILING_INFO_NOT_AVAILABLE,
         [&] {
             return clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr);
         }},
        {"a time of a user event", CL_PROFILING_INFO_NOT_AVAILABLE,
         [&] {
             return clGetEventProfilingInfo(s.user_event, CL_PROFILING_COMMAND_END, sizeof time, &time,
                                            nullptr);
         }},
        {"a marker in no queue", CL_INVALID_COMMAND_QUEUE,
         [&] { return clEnqueueMarkerWithWaitList(nullptr, 0, nullptr, nullptr); }},
        {"a barrier after null", CL_INVALID_EVENT_WAIT_LIST,
         [&] { return clEnqueueBarrierWithWaitList(s.queue, 1, &null_event, nullptr); }},
        {"retain null", CL_INVALID_EVENT, [&] { return clRetainEvent(nullptr); }},
        {"release another object", CL_INVALID_EVENT, [&] { return clReleaseEvent(s.wrong<_cl_event>()); }},
    });
    CHECK(clSetUserEventStatus(s.user_event, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(s.user_event, CL_COMPLETE) == CL_INVALID_OPERATION);
    CHECK(clReleaseEvent(done) == CL_SUCCESS);
}

TEST_CASE("5.6 errors of shared virtual memory") {
    Scene s;
    if (info<cl_device_svm_capabilities>(clGetDeviceInfo, s.the_device, CL_DEVICE_SVM_CAPABILITIES) == 0)
        return;
    auto* const memory = static_cast<char*>(clSVMAlloc(s.context, 0, 1024, 0));
    REQUIRE(memory != nullptr);
    void* list[] = {memory};
    const void* pointers[] = {memory};
    const size_t large = 2048;
    const auto copy = [&](void* to, const void* from, size_t size) {
        return clEnqueueSVMMemcpy(s.queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
    };
    const auto fill = [&](void* at, const void* pattern, size_t pattern_size, size_t size) {
        return clEnqueueSVMMemFill(s.queue, at, pattern, pattern_size, size, 0, nullptr, nullptr);
    };
    const auto map = [&](cl_map_flags flags, void* at, size_t size) {
        return clEnqueueSVMMap(s.queue, CL_TRUE, flags, at, size, 0, nullptr, nullptr);
    };
    check_all({
        {"free a count without a list", CL_INVALID_VALUE,
         [&] { return clEnqueueSVMFree(s.queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr); }},
        {"free a list without a count", CL_INVALID_VALUE,
         [&] { return clEnqueueSVMFree(s.queue, 0, list, nullptr, nullptr, 0, nullptr, nullptr); }},
        {"copy to null", CL_INVALID_VALUE, [&] { return copy(nullptr, memory, 4); }},
        {"copy from null", CL_INVALID_VALUE, [&] { return copy(memory, nullptr, 4); }},
        {"copies that overlap", CL_MEM_COPY_OVERLAP, [&] { return copy(memory, memory + 3, 4); }},
        {"fill null", CL_INVALID_VALUE, [&] { return fill(nullptr, s.bytes.data(), 4, 4); }},
        {"fill without a pattern", CL_INVALID_VALUE, [&] { return fill(memory, nullptr, 4, 4); }},
        {"a pattern of no bytes", CL_INVALID_VALUE, [&] { return fill(memory, s.bytes.data(), 0, 4); }},
        {"a pattern of 3 bytes", CL_INVALID_VALUE, [&] { return fill(memory, s.bytes.data(), 3, 3); }},
        {"fill half a pattern", CL_INVALID_VALUE, [&] { return fill(memory, s.bytes.data(), 4, 6); }},
        {"fill at no multiple", CL_INVALID_VALUE, [&] { return fill(memory + 2, s.bytes.data(), 4, 4); }},
        {"map null", CL_INVALID_VALUE, [&] { return map(CL_MAP_READ, nullptr, 4); }},
        {"map no bytes", CL_INVALID_VALUE, [&] { return map(CL_MAP_READ, memory, 0); }},
        {"unknown map flags", CL_INVALID_VALUE, [&] { return map(1 << 10, memory, 4); }},
        {"unmap null", CL_INVALID_VALUE,
         [&] { return clEnqueueSVMUnmap(s.queue, nullptr, 0, nullptr, nullptr); }},
        {"migrate nothing", CL_INVALID_VALUE,
         [&] { return clEnqueueSVMMigrateMem(s.queue, 0, pointers, nullptr, 0, 0, nullptr, nullptr); }},
        {"migrate no list", CL_INVALID_VALUE,
         [&] { return clEnqueueSVMMigrateMem(s.queue, 1, nullptr, nullptr, 0, 0, nullptr, nullptr); }},
        {"migrate more than there is", CL_INVALID_VALUE,
         [&] { return clEnqueueSVMMigrateMem(s.queue, 1, pointers, &large, 0, 0, nullptr, nullptr); }},
        {"a pointer for a value", CL_INVALID_ARG_VALUE,
         [&] { return clSetKernelArgSVMPointer(s.all, 3, memory); }},
        {"a pointer for no argument", CL_INVALID_ARG_INDEX,
         [&] { return clSetKernelArgSVMPointer(s.all, 5, memory); }},
        {"pointers of no size", CL_INVALID_VALUE,
         [&] { return clSetKernelExecInfo(s.all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, list); }},
    });
    const auto is_none = [&](cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
        return clSVMAlloc(s.context, flags, size, alignment) == nullptr;
    };
    CHECK(is_none(0, 0, 0));
    CHECK(is_none(0, 64, 3));
    CHECK(is_none(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
    CHECK(is_none(CL_MEM_SVM_ATOMICS, 64, 0));
    CHECK(is_none(CL_MEM_USE_HOST_PTR, 64, 0));
    clSVMFree(s.context, memory);
}

TEST_CASE("5.3, 5.7 errors of images and samplers") {
    Scene s;
    if (!info<cl_bool>(clGetDeviceInfo, s.the_device, CL_DEVICE_IMAGE_SUPPORT)) return;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8}, wrong_format = {CL_RGB, CL_UNORM_INT8};
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const auto make = [&](cl_mem_flags flags, const cl_image_format* its, const cl_image_desc* desc,
                          void* host = nullptr) {
        return code_of([&](cl_int* code) { return clCreateImage(s.context, flags, its, desc, host, code); });
    };
    const auto changed = [&](const auto& change) {
        cl_image_desc desc = flat;
        change(desc);
        return make(0, &format, &desc);
    };
    cl_int code = 1;
    cl_mem image = clCreateImage(s.context, 0, &format, &flat, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    s.buffers.push_back(image);
    const cl_image_format other_format = {CL_R, CL_FLOAT};
    cl_mem other = clCreateImage(s.context, 0, &other_format, &flat, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    s.buffers.push_back(other);
    void* const host = s.bytes.data();
    const size_t past[3] = {8, 0, 0}, deep[3] = {1, 1, 2}, third[3] = {0, 0, 1}, four[3] = {4, 4, 1};
    const auto read = [&](cl_mem from, const size_t* origin, const size_t* region, size_t row, void* to) {
        return clEnqueueReadImage(s.queue, from, CL_TRUE, origin, region, row, 0, to, 0, nullptr, nullptr);
    };
    const auto map = [&](cl_map_flags flags, const size_t* region, size_t* row) {
        return code_of([&](cl_int* out) {
            return clEnqueueMapImage(s.queue, image, CL_TRUE, flags, k0, region, row, nullptr, 0, nullptr,
                                     nullptr, out);
        });
    };
    const auto sampler = [&](cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
        return code_of(
            [&](cl_int* out) { return clCreateSampler(s.context, normalized, addressing, filter, out); });
    };
    size_t row = 0;
    cl_image_format list = {};
    check_all({
        {"no format", CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, [&] { return make(0, nullptr, &flat); }},
        {"a format that is none", CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
         [&] { return make(0, &wrong_format, &flat); }},
        {"no descriptor", CL_INVALID_IMAGE_DESCRIPTOR, [&] { return make(0, &format, nullptr); }},
        {"no width", CL_INVALID_IMAGE_SIZE,
         [&] { return changed([](auto& desc) { desc.image_width = 0; }); }},
        {"too wide", CL_INVALID_IMAGE_SIZE,
         [&] { return changed([](auto& desc) { desc.image_width = 1 << 30; }); }},
        {"no such type", CL_INVALID_IMAGE_DESCRIPTOR,
         [&] { return changed([](auto& desc) { desc.image_type = 0x7777; }); }},
        {"samples", CL_INVALID_IMAGE_DESCRIPTOR,
         [&] { return changed([](auto& desc) { desc.num_samples = 2; }); }},
        {"a pitch without memory", CL_INVALID_IMAGE_DESCRIPTOR,
         [&] { return changed([](auto& desc) { desc.image_row_pitch = 64; }); }},
        {"two accesses", CL_INVALID_VALUE,
         [&] { return make(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &format, &flat); }},
        {"a pointer without a flag", CL_INVALID_HOST_PTR, [&] { return make(0, &format, &flat, host); }},
        {"a flag without a pointer", CL_INVALID_HOST_PTR,
         [&] { return make(CL_MEM_COPY_HOST_PTR, &format, &flat); }},
        {"formats for unknown flags", CL_INVALID_VALUE,
         [&] {
             return clGetSupportedImageFormats(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                               CL_MEM_OBJECT_IMAGE2D, 0, nullptr, nullptr);
         }},
        {"formats of buffers", CL_INVALID_VALUE,
         [&] {
             return clGetSupportedImageFormats(s.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_BUFFER, 0, nullptr,
                                               nullptr);
         }},
        {"a list of no formats", CL_INVALID_VALUE,
         [&] {
             return clGetSupportedImageFormats(s.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, &list,
                                               nullptr);
         }},
        {"read a buffer as an image", CL_INVALID_MEM_OBJECT, [&] { return read(s.buffer, k0, k1, 0, host); }},
        {"read past the edge", CL_INVALID_VALUE, [&] { return read(image, past, k1, 0, host); }},
        {"read two slices", CL_INVALID_VALUE, [&] { return read(image, k0, deep, 0, host); }},
        {"read the second slice", CL_INVALID_VALUE, [&] { return read(image, third, k1, 0, host); }},
        {"read no rows", CL_INVALID_VALUE, [&] { return read(image, k0, kNone, 0, host); }},
        {"read from no origin", CL_INVALID_VALUE, [&] { return read(image, nullptr, k1, 0, host); }},
        {"read to null", CL_INVALID_VALUE, [&] { return read(image, k0, k1, 0, nullptr); }},
        {"a small row pitch", CL_INVALID_VALUE, [&] { return read(image, k0, k8, 31, host); }},
        {"copy to another format", CL_IMAGE_FORMAT_MISMATCH,
         [&] { return clEnqueueCopyImage(s.queue, image, other, k0, k0, k1, 0, nullptr, nullptr); }},
        {"copies that overlap", CL_MEM_COPY_OVERLAP,
         [&] { return clEnqueueCopyImage(s.queue, image, image, k0, k0, four, 0, nullptr, nullptr); }},
        {"copy to a small buffer", CL_INVALID_VALUE,
         [&] {
             return clEnqueueCopyImageToBuffer(s.queue, image, s.buffer, k0, k8, 4095, 0, nullptr, nullptr);
         }},
        {"fill without a color", CL_INVALID_VALUE,
         [&] { return clEnqueueFillImage(s.queue, image, nullptr, k0, k1, 0, nullptr, nullptr); }},
        {"map without a pitch", CL_INVALID_VALUE, [&] { return map(CL_MAP_READ, k1, nullptr); }},
        {"map no rows", CL_INVALID_VALUE, [&] { return map(CL_MAP_READ, kNone, &row); }},
        {"unknown map flags", CL_INVALID_VALUE, [&] { return map(1 << 10, k1, &row); }},
        {"unknown info", CL_INVALID_VALUE,
         [&] { return clGetImageInfo(image, 0x7777, 0, nullptr, nullptr); }},
        {"an unknown addressing mode", CL_INVALID_VALUE,
         [&] { return sampler(CL_FALSE, 1, CL_FILTER_NEAREST); }},
        {"an unknown filter", CL_INVALID_VALUE, [&] { return sampler(CL_FALSE, CL_ADDRESS_CLAMP, 1); }},
        {"a sampler of no context", CL_INVALID_CONTEXT,
         [&] {
             return code_of([&](cl_int* out) {
                 return clCreateSampler(nullptr, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, out);
             });
         }},
        {"a property twice", CL_INVALID_VALUE,
         [&] {
             const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
                                                    CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
             return code_of(
                 [&](cl_int* out) { return clCreateSamplerWithProperties(s.context, twice, out); });
         }},
    });
    cl_kernel look = s.make_kernel(
        "kernel void look(read_only image2d_t i, sampler_t p, global float4 *o) {"
        "  o[0] = read_imagef(i, p, (float2)(0)); }",
        "look");
    cl_mem write_only = clCreateImage(s.context, CL_MEM_WRITE_ONLY, &format, &flat, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    s.buffers.push_back(write_only);
    cl_mem their_image = clCreateImage(s.other.context, 0, &format, &flat, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    s.other.buffers.push_back(their_image);
    cl_sampler null_sampler = nullptr,
               their_sampler =
                   clCreateSampler(s.other.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    check_all({
        {"a buffer for an image", CL_INVALID_MEM_OBJECT, [&] { return set(look, 0, s.buffer); }},
        {"an image that kernels may not read", CL_INVALID_ARG_VALUE,
         [&] { return set(look, 0, write_only); }},
        {"an image of another size", CL_INVALID_ARG_SIZE, [&] { return clSetKernelArg(look, 0, 4, &image); }},
        {"no sampler", CL_INVALID_SAMPLER, [&] { return set(look, 1, null_sampler); }},
        {"an image for a sampler", CL_INVALID_SAMPLER, [&] { return set(look, 1, image); }},
        {"another context's sampler", CL_INVALID_CONTEXT, [&] { return set(look, 1, their_sampler); }},
        {"another context's image", CL_INVALID_CONTEXT, [&] { return set(look, 0, their_image); }},
        {"an old image with a wrong pitch", CL_INVALID_IMAGE_SIZE,
         [&] {
             return code_of([&](cl_int* out) {
                 return clCreateImage2D(s.context, CL_MEM_COPY_HOST_PTR, &format, 4, 4, 17, host, out);
             });
         }},
        {"an old volume with a wrong pitch", CL_INVALID_IMAGE_SIZE,
         [&] {
             return code_of([&](cl_int* out) {
                 return clCreateImage3D(s.context, CL_MEM_COPY_HOST_PTR, &format, 4, 4, 2, 16, 72, host, out);
             });
             CHECK(clReleaseSampler(their_sampler) == CL_SUCCESS);
         }},
        {"an image for a buffer", CL_INVALID_MEM_OBJECT, [&] { return set(look, 2, image); }},
    });
}
