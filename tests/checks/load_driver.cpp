// SPDX-License-Identifier: Apache-2.0
// load_driver DRIVER.dll: does what Khronos' loader does on Windows with a driver that the registry names,
// and what a program does with the loader's functions: one kernel runs on the first device. In place of the
// driver it takes Khronos' OpenCL.dll itself, which finds the driver by the registry.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <windows.h>

#include <cstdio>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

int fail(const char* what, int code) {
    std::printf("FAILED: %s: %d\n", what, code);
    return 1;
}

template <class F>
F function_in(HMODULE library, const char* name) {
    return reinterpret_cast<F>(reinterpret_cast<void*>(GetProcAddress(library, name)));
}

/// Those that a program calls: what the loader exports, or what the objects of a driver begin with.
cl_icd_dispatch functions_of(HMODULE library, cl_platform_id platform) {
    if (!GetProcAddress(library, "clGetDeviceIDs"))
        return **reinterpret_cast<const cl_icd_dispatch* const*>(platform);
    cl_icd_dispatch cl = {};
    const auto set = [&](auto& function, const char* name) {
        function = function_in<std::decay_t<decltype(function)>>(library, name);
    };
    set(cl.clBuildProgram, "clBuildProgram");
    set(cl.clCreateBuffer, "clCreateBuffer");
    set(cl.clCreateCommandQueueWithProperties, "clCreateCommandQueueWithProperties");
    set(cl.clCreateContext, "clCreateContext");
    set(cl.clCreateKernel, "clCreateKernel");
    set(cl.clCreateProgramWithSource, "clCreateProgramWithSource");
    set(cl.clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel");
    set(cl.clEnqueueReadBuffer, "clEnqueueReadBuffer");
    set(cl.clGetDeviceIDs, "clGetDeviceIDs");
    set(cl.clGetDeviceInfo, "clGetDeviceInfo");
    set(cl.clReleaseCommandQueue, "clReleaseCommandQueue");
    set(cl.clReleaseContext, "clReleaseContext");
    set(cl.clReleaseKernel, "clReleaseKernel");
    set(cl.clReleaseMemObject, "clReleaseMemObject");
    set(cl.clReleaseProgram, "clReleaseProgram");
    set(cl.clSetKernelArg, "clSetKernelArg");
    return cl;
}

/// The loader has clGetPlatformIDs. A driver has the function that clGetExtensionFunctionAddress returns.
clIcdGetPlatformIDsKHR_fn platforms_function(HMODULE library) {
    if (const auto of_loader = function_in<clIcdGetPlatformIDsKHR_fn>(library, "clGetPlatformIDs"))
        return of_loader;
    const auto address_of =
        function_in<void*(CL_API_CALL*)(const char*)>(library, "clGetExtensionFunctionAddress");
    if (!address_of || !function_in<void*>(library, "clGetPlatformInfo")) return nullptr;
    return reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(address_of("clIcdGetPlatformIDsKHR"));
}

constexpr const char* kSource = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";

int run_kernel(const cl_icd_dispatch& cl, cl_platform_id platform) {
    cl_device_id device = nullptr;
    cl_int code = cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    if (code != CL_SUCCESS) return fail("clGetDeviceIDs", code);
    char name[256] = {};
    cl.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    const cl_context context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    if (code != CL_SUCCESS) return fail("clCreateContext", code);
    const char* source = kSource;
    const cl_program program = cl.clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    code = cl.clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    if (code != CL_SUCCESS) return fail("clBuildProgram", code);
    const cl_kernel kernel = cl.clCreateKernel(program, "twice", &code);
    const cl_command_queue queue = cl.clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    std::vector<cl_int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    const size_t bytes = numbers.size() * sizeof numbers[0], global = numbers.size();
    cl_mem buffer = cl.clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, numbers.data(), &code);
    if (code != CL_SUCCESS) return fail("clCreateBuffer", code);
    cl.clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    code = cl.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return fail("clEnqueueNDRangeKernel", code);
    code = cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, numbers.data(), 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return fail("clEnqueueReadBuffer", code);
    for (size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != static_cast<cl_int>(2 * i)) return fail("number", static_cast<int>(i));
    cl.clReleaseMemObject(buffer);
    cl.clReleaseKernel(kernel);
    cl.clReleaseProgram(program);
    cl.clReleaseCommandQueue(queue);
    cl.clReleaseContext(context);
    std::printf("a kernel ran on %s\n", name);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return fail("usage: load_driver DRIVER.dll", argc);
    const HMODULE library = LoadLibraryA(argv[1]);
    if (!library) return fail("LoadLibrary", static_cast<int>(GetLastError()));
    const clIcdGetPlatformIDsKHR_fn platforms_of = platforms_function(library);
    cl_platform_id platform = nullptr;
    cl_uint count = 0;
    if (!platforms_of || platforms_of(1, &platform, &count) != CL_SUCCESS || count != 1)
        return fail("platforms", static_cast<int>(count));
    const int result = run_kernel(functions_of(library, platform), platform);
    FreeLibrary(library);
    return result;
}
