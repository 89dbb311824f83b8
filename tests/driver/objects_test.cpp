// SPDX-License-Identifier: Apache-2.0
// What all kinds of objects have in common (counts), the creating functions of OpenCL 3.0 and what 1.x programs still call, and
// errors that no other test comes to.
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

constexpr cl_image_format kRgba8 = {CL_RGBA, CL_UNSIGNED_INT8}, kRgba8Signed = {CL_RGBA, CL_SIGNED_INT8};
constexpr cl_image_desc k4x4 = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};

}  // namespace

TEST_CASE("objects are counted, and nothing is none") {
    Fixture f;
    cl_int code = 1;
    cl_event event = clCreateUserEvent(f.context, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_sampler sampler = clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code);
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
    check_counts(sampler, clRetainSampler, clReleaseSampler, clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
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

TEST_CASE("5.7 samplers with a list of properties") {
    Fixture f;
    cl_int code = 1;
    const auto make = [&](const std::vector<cl_sampler_properties>& list) {
        return clCreateSamplerWithProperties(f.context, list.empty() ? nullptr : list.data(), &code);
    };
    cl_sampler sampler = make({});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_bool>(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
    CHECK(info<cl_addressing_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE) ==
          CL_ADDRESS_CLAMP);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    sampler =
        make({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_addressing_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE) ==
          CL_ADDRESS_REPEAT);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    CHECK(make({CL_SAMPLER_FILTER_MODE, 1, 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}) ==
          nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({12345, 1, 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateSampler(f.context, CL_TRUE, 1, CL_FILTER_NEAREST, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateSamplerWithProperties(nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);
}

TEST_CASE("5.8 programs: their end is told, no device has built-in kernels, compilers stay") {
    Fixture f;
    cl_int code = 1;
    const char* source = "kernel void k() {}";
    cl_program program = clCreateProgramWithSource(f.context, 1, &source, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    std::string order;
    CHECK(clSetProgramReleaseCallback(program, nullptr, &order) == CL_INVALID_VALUE);
    CHECK(clSetProgramReleaseCallback(
              nullptr, [](cl_program, void*) {}, nullptr) == CL_INVALID_PROGRAM);
    CHECK(clSetProgramReleaseCallback(
              program, [](cl_program, void* to) { *static_cast<std::string*>(to) += "a"; }, &order) ==
          CL_SUCCESS);
    CHECK(clSetProgramReleaseCallback(
              program, [](cl_program, void* to) { *static_cast<std::string*>(to) += "b"; }, &order) ==
          CL_SUCCESS);
    CHECK(order.empty());
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    CHECK(order == "ba");  // the last one first

    CHECK(text(clGetDeviceInfo, f.the_device, CL_DEVICE_BUILT_IN_KERNELS).empty());
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 1, &f.the_device, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 1, &f.the_device, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 0, nullptr, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);

    CHECK(clUnloadPlatformCompiler(platform()) == CL_SUCCESS);
    clUnloadCompiler();  // the loader answers itself
    f.build(source);
}

TEST_CASE("5.8.4 what does not compile, and headers that are none") {
    Fixture f;
    cl_program faulty = f.source("kernel void k() { none(); }"), header = f.source("#define NONE\n");
    const char *name = "none.h", *no_name = nullptr;
    const auto compile = [&](cl_uint count, const cl_program* headers, const char** names) {
        return clCompileProgram(faulty, 0, nullptr, nullptr, count, headers, names, nullptr, nullptr);
    };
    CHECK(compile(0, nullptr, nullptr) == CL_COMPILE_PROGRAM_FAILURE);
    CHECK(info<cl_build_status>(clGetProgramBuildInfo, faulty, f.the_device, CL_PROGRAM_BUILD_STATUS) ==
          CL_BUILD_ERROR);
    CHECK(text(clGetProgramBuildInfo, faulty, f.the_device, CL_PROGRAM_BUILD_LOG).find("none") !=
          std::string::npos);
    CHECK(compile(1, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(compile(0, &header, &name) == CL_INVALID_VALUE);
    CHECK(compile(1, &header, nullptr) == CL_INVALID_VALUE);
    CHECK(compile(1, &header, &no_name) == CL_INVALID_VALUE);
    cl_int code = 1;
    CHECK(clLinkProgram(f.context, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    size_t size = 0;
    CHECK(clGetProgramInfo(header, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size) ==
          CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(clCreateKernel(header, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
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
    const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, in_order, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    // Who asks for the default queue again gets the one that there is, as it was made.
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
    CHECK(clSetDefaultDeviceCommandQueue(f.context, f.the_device, f.queue) == CL_INVALID_COMMAND_QUEUE);
    CHECK(clSetDefaultDeviceCommandQueue(nullptr, f.the_device, queue) == CL_INVALID_CONTEXT);
    CHECK(clSetDefaultDeviceCommandQueue(f.context, nullptr, queue) == CL_INVALID_DEVICE);
    CHECK(clSetCommandQueueProperty(f.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr) ==
          CL_INVALID_OPERATION);
}

TEST_CASE("5.3.3 copies between images that do not go together") {
    Fixture f;
    cl_int code = 1;
    for (const cl_image_format& format : {kRgba8, kRgba8, kRgba8Signed}) {
        f.buffers.push_back(clCreateImage(f.context, 0, &format, &k4x4, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
    }
    const size_t at_0[] = {0, 0, 0}, at_1[] = {1, 1, 0}, region[] = {3, 3, 1}, whole[] = {4, 4, 1};
    const auto copy = [&](int from, int to, const size_t* to_origin, const size_t* size) {
        return clEnqueueCopyImage(f.queue, f.buffers[from], f.buffers[to], at_0, to_origin, size, 0, nullptr,
                                  nullptr);
    };
    CHECK(copy(0, 1, at_1, region) == CL_SUCCESS);
    CHECK(copy(0, 2, at_1, region) == CL_IMAGE_FORMAT_MISMATCH);
    CHECK(copy(0, 0, at_1, region) == CL_MEM_COPY_OVERLAP);
    CHECK(copy(0, 1, at_1, whole) == CL_INVALID_VALUE);
    CHECK(copy(0, 1, nullptr, region) == CL_INVALID_VALUE);
    cl_mem buffer = f.make_buffer(64);
    CHECK(clEnqueueCopyImage(f.queue, f.buffers[0], buffer, at_0, at_0, region, 0, nullptr, nullptr) ==
          CL_INVALID_MEM_OBJECT);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
}

TEST_CASE("5.4 pipes of no size") {
    Fixture f;
    const auto largest = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    if (largest == 0) return;
    const auto fails = [&](cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                           const cl_pipe_properties* list = nullptr) {
        cl_int code = 1;
        CHECK(clCreatePipe(f.context, flags, packet_bytes, packets, list, &code) == nullptr);
        return code;
    };
    const cl_pipe_properties list[] = {0};
    CHECK(fails(0, 0, 16) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(0, 4, 0) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(0, largest + 1, 16) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(CL_MEM_READ_ONLY, 4, 16) == CL_INVALID_VALUE);
    CHECK(fails(0, 4, 16, list) == CL_INVALID_VALUE);
}

TEST_CASE("5.10 a suggested work-group needs a range, by an extension's function") {
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void k() {}", "k");
    const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
    REQUIRE((suggest != nullptr));
    CHECK(clGetExtensionFunctionAddressForPlatform(platform(), "clNoSuchFunction") == nullptr);
    const size_t range[] = {1000, 3}, empty[] = {1000, 0};
    size_t local[2] = {};
    CHECK(suggest(f.queue, kernel, 2, nullptr, range, local) == CL_SUCCESS);
    CHECK(local[0] > 0);
    CHECK(local[1] > 0);
    CHECK(suggest(f.queue, kernel, 2, nullptr, empty, local) == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(suggest(f.queue, kernel, 2, nullptr, nullptr, local) == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(suggest(f.queue, kernel, 0, nullptr, range, local) == CL_INVALID_WORK_DIMENSION);
    CHECK(suggest(f.queue, kernel, 2, nullptr, range, nullptr) == CL_INVALID_VALUE);
    CHECK(suggest(f.queue, nullptr, 2, nullptr, range, local) == CL_INVALID_KERNEL);
    CHECK(suggest(nullptr, kernel, 2, nullptr, range, local) == CL_INVALID_COMMAND_QUEUE);
}
