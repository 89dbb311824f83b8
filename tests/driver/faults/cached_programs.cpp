// SPDX-License-Identifier: Apache-2.0
// cached_programs FIRST COUNT: builds programs and checks what their kernels compute. Fails when anything
// does.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void check(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "cached_programs: %s\n", what);
    std::exit(1);
}

/// A kernel whose result says which program it is of.
void run(cl_context context, cl_device_id device, cl_command_queue queue, int number) {
    const std::string source =
        "constant int table[2] = {" + std::to_string(number) +
        ", 7};\n"
        "kernel void k(global int *a) { int unused; a[get_global_id(0)] = table[a[0]]; }";
    const char* text = source.c_str();
    cl_int code = 0;
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(clBuildProgram(program, 1, &device, "-Wall", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
    char log[1000] = {};
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
    check(std::string(log).find("unused variable") != std::string::npos, "the log");
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    check(code == CL_SUCCESS, "clCreateKernel");
    cl_int value = 0;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &code);
    check(code == CL_SUCCESS, "clCreateBuffer");
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
    check(value == number, "a wrong result");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

}  // namespace

int main(int argc, char** argv) {
    check(argc == 3, "wants two numbers");
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS, "no platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS, "no device");
    cl_int code = 0;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code == CL_SUCCESS, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code == CL_SUCCESS, "clCreateCommandQueue");
    for (int i = 0; i < std::atoi(argv[2]); ++i) run(context, device, queue, std::atoi(argv[1]) + i);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
