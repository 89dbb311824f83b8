// SPDX-License-Identifier: Apache-2.0
// run_module MODULE.spv COUNT: runs a module that clang made of C++ for OpenCL. First the kernels that
// construct its global objects run, then the kernel `k`, which writes COUNT integers to a buffer. Prints
// them.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

void check(bool good, const char* call) {
    if (good) return;
    std::cerr << call << " failed\n";
    std::exit(1);
}

std::string text_of(cl_program program, cl_program_info info) {
    size_t size = 0;
    check(clGetProgramInfo(program, info, 0, nullptr, &size) == CL_SUCCESS, "clGetProgramInfo");
    std::string text(size, '\0');
    check(clGetProgramInfo(program, info, size, text.data(), nullptr) == CL_SUCCESS, "clGetProgramInfo");
    return text.c_str();
}

void run(cl_command_queue queue, cl_kernel kernel) {
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueNDRangeKernel");
    clReleaseKernel(kernel);
}

}  // namespace

int main(int argc, char** argv) {
    check(argc == 3, "run_module MODULE.spv COUNT");
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> module{std::istreambuf_iterator<char>(file), {}};
    std::vector<cl_int> values(static_cast<size_t>(std::atoi(argv[2])));

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_int code = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS, "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS, "clGetDeviceIDs");
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code == CL_SUCCESS, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    check(code == CL_SUCCESS, "clCreateCommandQueueWithProperties");
    cl_program program = clCreateProgramWithIL(context, module.data(), module.size(), &code);
    check(code == CL_SUCCESS, "clCreateProgramWithIL");
    check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");

    std::istringstream names(text_of(program, CL_PROGRAM_KERNEL_NAMES));
    for (std::string name; std::getline(names, name, ';');)
        if (name.starts_with("_GLOBAL__sub_I_")) {
            cl_kernel constructors = clCreateKernel(program, name.c_str(), &code);
            check(code == CL_SUCCESS, "clCreateKernel");
            run(queue, constructors);
        }
    const size_t bytes = values.size() * sizeof(cl_int);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, values.data(), &code);
    check(code == CL_SUCCESS, "clCreateBuffer");
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    check(code == CL_SUCCESS, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer) == CL_SUCCESS, "clSetKernelArg");
    run(queue, kernel);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
    for (const cl_int value : values) std::cout << value << " ";
    std::cout << "\n";
    clReleaseMemObject(buffer);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
