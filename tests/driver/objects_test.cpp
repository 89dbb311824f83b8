// SPDX-License-Identifier: Apache-2.0
// What kinds of objects have in common: counts, and lists of properties.
#include <cstring>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

/// Another owner keeps an object, which ends with the last.
template <class Object, class Retain, class Release, class Get, class Name>
void check_counts(Object object, Retain retain, Release release, Get get, Name name) {
    CHECK(info<cl_uint>(get, object, name) == 1);
    CHECK(retain(object) == CL_SUCCESS);
    CHECK(info<cl_uint>(get, object, name) == 2);
    CHECK(release(object) == CL_SUCCESS);
    CHECK(info<cl_uint>(get, object, name) == 1);
}

constexpr cl_image_format kRgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
constexpr cl_image_desc k4x4 = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};

}  // namespace

TEST_CASE("objects are counted, and nothing is none") {
    Fixture f;
    cl_int code = 1;
    cl_event event = clCreateUserEvent(f.context, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_program program = f.build("kernel void k() {}");
    check_counts(program, clRetainProgram, clReleaseProgram, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT);
    check_counts(f.make_kernel(program, "k"), clRetainKernel, clReleaseKernel, clGetKernelInfo,
                 CL_KERNEL_REFERENCE_COUNT);
    check_counts(f.queue, clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo,
                 CL_QUEUE_REFERENCE_COUNT);
    check_counts(f.make_buffer(4), clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo,
                 CL_MEM_REFERENCE_COUNT);
    check_counts(event, clRetainEvent, clReleaseEvent, clGetEventInfo, CL_EVENT_REFERENCE_COUNT);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    cl_sampler sampler = clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    check_counts(sampler, clRetainSampler, clReleaseSampler, clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

TEST_CASE("an object that the program has released is good while others have it, and may be retained again") {
    Fixture f;
    cl_program program = f.build("kernel void k(global uint* a) { a[0] = 7; }");
    cl_kernel kernel = f.make_kernel(program, "k");
    cl_mem whole = f.make_buffer(256);
    const cl_buffer_region region = {0, 128};
    cl_int code = 1;
    f.buffers.push_back(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    REQUIRE(code == CL_SUCCESS);
    cl_event gate = clCreateUserEvent(f.context, &code), marker = nullptr;
    CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &marker) == CL_SUCCESS);
    CHECK(clReleaseMemObject(whole) == CL_SUCCESS);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    CHECK(clReleaseCommandQueue(f.queue) == CL_SUCCESS);
    CHECK(clReleaseContext(f.context) == CL_SUCCESS);
    CHECK(clReleaseMemObject(whole) == CL_INVALID_MEM_OBJECT);
    CHECK(clReleaseContext(f.context) == CL_INVALID_CONTEXT);

    CHECK(info<cl_mem>(clGetMemObjectInfo, f.buffers.back(), CL_MEM_ASSOCIATED_MEMOBJECT) == whole);
    CHECK(info<cl_program>(clGetKernelInfo, kernel, CL_KERNEL_PROGRAM) == program);
    CHECK(info<cl_command_queue>(clGetEventInfo, marker, CL_EVENT_COMMAND_QUEUE) == f.queue);
    CHECK(info<cl_context>(clGetKernelInfo, kernel, CL_KERNEL_CONTEXT) == f.context);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(set(kernel, 0, whole) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(f.buffers.back(), 1)[0] == 7);
    CHECK(clRetainMemObject(whole) == CL_SUCCESS);
    CHECK(clRetainProgram(program) == CL_SUCCESS);
    CHECK(clRetainCommandQueue(f.queue) == CL_SUCCESS);
    CHECK(clRetainContext(f.context) == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetContextInfo, f.context, CL_CONTEXT_REFERENCE_COUNT) == 1);
    for (cl_event each : {gate, marker}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
}

TEST_CASE("5.2.1, 5.3.1 memory with a list of properties, of which there are none") {
    Fixture f;
    cl_int code = 1;
    const cl_mem_properties none[] = {0}, unknown[] = {12345, 1, 0};
    const char bytes[64] = "bytes";
    cl_mem buffer = clCreateBufferWithProperties(f.context, none, CL_MEM_COPY_HOST_PTR, 64,
                                                 const_cast<char*>(bytes), &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(buffer);
    CHECK(std::memcmp(f.read<char>(buffer, 64).data(), bytes, 64) == 0);
    cl_mem_properties given[1] = {7};
    size_t size = 0;
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof given, given, &size) == CL_SUCCESS);
    CHECK(size == sizeof given);
    CHECK(given[0] == 0);
    CHECK(clCreateBufferWithProperties(f.context, unknown, 0, 64, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_PROPERTY);
    f.buffers.push_back(clCreateImageWithProperties(f.context, nullptr, 0, &kRgba8, &k4x4, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<size_t>(clGetImageInfo, f.buffers.back(), CL_IMAGE_HEIGHT) == 4);
    CHECK(clGetMemObjectInfo(f.buffers.back(), CL_MEM_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
    CHECK(size == 0);
    CHECK(clCreateImageWithProperties(f.context, unknown, 0, &kRgba8, &k4x4, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_PROPERTY);
}
