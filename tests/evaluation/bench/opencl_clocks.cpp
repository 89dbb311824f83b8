// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/opencl_clocks.h"

#include <CL/cl_ext.h>

#include <cstdio>
#include <cstdlib>

namespace caldera::bench {
namespace {

constexpr cl_device_info kUuidInfo = 0x106A;  // CL_DEVICE_UUID_KHR, which older headers lack

void check(cl_int code) {
    if (code == CL_SUCCESS) return;
    std::fprintf(stderr, "the work to sample clocks by: OpenCL error %d\n", code);
    std::exit(1);
}

}  // namespace

Clocks clocks_of(cl_device_id device) {
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
    DeviceUuid uuid = {};
    const bool has_uuid = clGetDeviceInfo(device, kUuidInfo, uuid.size(), uuid.data(), nullptr) == CL_SUCCESS;
    return Clocks(has_uuid ? std::optional(uuid) : std::nullopt, name);
}

Burst burst_on(cl_context context, cl_device_id device) {
    struct Objects {
        cl_command_queue queue = nullptr;
        cl_program program = nullptr;
        cl_kernel kernel = nullptr;
        cl_mem buffer = nullptr;
        ~Objects() {
            clReleaseKernel(kernel);
            clReleaseProgram(program);
            clReleaseMemObject(buffer);
            clReleaseCommandQueue(queue);
        }
    };
    const auto objects = std::make_shared<Objects>();
    cl_int code = CL_SUCCESS;
    objects->queue = clCreateCommandQueue(context, device, 0, &code);
    check(code);
    const char* source = kBurstSource;
    objects->program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    check(code);
    check(clBuildProgram(objects->program, 1, &device, "", nullptr, nullptr));
    objects->kernel = clCreateKernel(objects->program, "burst", &code);
    check(code);
    objects->buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE, kBurstItems * sizeof(cl_uint), nullptr, &code);
    check(code);
    check(clSetKernelArg(objects->kernel, 0, sizeof objects->buffer, &objects->buffer));
    return {.begin =
                [objects] {
                    for (int i = 0; i < kBurstLaunches; ++i)
                        check(clEnqueueNDRangeKernel(objects->queue, objects->kernel, 1, nullptr,
                                                     &kBurstItems, nullptr, 0, nullptr, nullptr));
                    check(clFlush(objects->queue));
                },
            .end = [objects] { check(clFinish(objects->queue)); }};
}

}  // namespace caldera::bench
