// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/process_api.h"

#include <CL/cl_icd.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace caldera::driver_process {

void check(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::_Exit(1);
}

Api of_loader(void* library) {
    Api api;
    const auto get = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        check(function != nullptr, name);
    };
    get(api.GetPlatformIDs, "clGetPlatformIDs");
    get(api.GetDeviceIDs, "clGetDeviceIDs");
    get(api.GetDeviceInfo, "clGetDeviceInfo");
    get(api.CreateContext, "clCreateContext");
    get(api.CreateCommandQueueWithProperties, "clCreateCommandQueueWithProperties");
    get(api.CreateBuffer, "clCreateBuffer");
    get(api.CreateProgramWithSource, "clCreateProgramWithSource");
    get(api.BuildProgram, "clBuildProgram");
    get(api.CreateKernel, "clCreateKernel");
    get(api.SetKernelArg, "clSetKernelArg");
    get(api.EnqueueNDRangeKernel, "clEnqueueNDRangeKernel");
    get(api.EnqueueReadBuffer, "clEnqueueReadBuffer");
    get(api.EnqueueWriteBuffer, "clEnqueueWriteBuffer");
    get(api.SetEventCallback, "clSetEventCallback");
    get(api.WaitForEvents, "clWaitForEvents");
    get(api.SVMAlloc, "clSVMAlloc");
    get(api.SVMFree, "clSVMFree");
    get(api.Flush, "clFlush");
    get(api.Finish, "clFinish");
    get(api.ReleaseEvent, "clReleaseEvent");
    get(api.ReleaseKernel, "clReleaseKernel");
    get(api.ReleaseProgram, "clReleaseProgram");
    get(api.ReleaseMemObject, "clReleaseMemObject");
    get(api.ReleaseCommandQueue, "clReleaseCommandQueue");
    get(api.ReleaseContext, "clReleaseContext");
    return api;
}

Api of_driver(void* library) {
    using GetExtension = void*(CL_API_CALL*)(const char*);
    using GetPlatforms = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
    const auto get_extension =
        reinterpret_cast<GetExtension>(dlsym(library, "clGetExtensionFunctionAddress"));
    check(get_extension != nullptr, "the driver exports clGetExtensionFunctionAddress");
    const auto get_platforms = reinterpret_cast<GetPlatforms>(get_extension("clIcdGetPlatformIDsKHR"));
    check(get_platforms != nullptr, "the driver has clIcdGetPlatformIDsKHR");
    cl_platform_id platform = nullptr;
    check(get_platforms(1, &platform, nullptr) == CL_SUCCESS, "clIcdGetPlatformIDsKHR");
    const cl_icd_dispatch& table = **reinterpret_cast<const cl_icd_dispatch* const*>(platform);
    return {.GetPlatformIDs = get_platforms,
            .GetDeviceIDs = table.clGetDeviceIDs,
            .GetDeviceInfo = table.clGetDeviceInfo,
            .CreateContext = table.clCreateContext,
            .CreateCommandQueueWithProperties = table.clCreateCommandQueueWithProperties,
            .CreateBuffer = table.clCreateBuffer,
            .CreateProgramWithSource = table.clCreateProgramWithSource,
            .BuildProgram = table.clBuildProgram,
            .CreateKernel = table.clCreateKernel,
            .SetKernelArg = table.clSetKernelArg,
            .EnqueueNDRangeKernel = table.clEnqueueNDRangeKernel,
            .EnqueueReadBuffer = table.clEnqueueReadBuffer,
            .EnqueueWriteBuffer = table.clEnqueueWriteBuffer,
            .SetEventCallback = table.clSetEventCallback,
            .WaitForEvents = table.clWaitForEvents,
            .SVMAlloc = table.clSVMAlloc,
            .SVMFree = table.clSVMFree,
            .Flush = table.clFlush,
            .Finish = table.clFinish,
            .ReleaseEvent = table.clReleaseEvent,
            .ReleaseKernel = table.clReleaseKernel,
            .ReleaseProgram = table.clReleaseProgram,
            .ReleaseMemObject = table.clReleaseMemObject,
            .ReleaseCommandQueue = table.clReleaseCommandQueue,
            .ReleaseContext = table.clReleaseContext};
}

void* open_library(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    check(library != nullptr, path);
    return library;
}

Api loader() {
    static void* const library = open_library("libOpenCL.so.1");
    return of_loader(library);
}

}  // namespace caldera::driver_process
