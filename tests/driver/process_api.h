// SPDX-License-Identifier: Apache-2.0
// OpenCL's functions, of the loader or of the driver itself, for a process that may unload either.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

namespace caldera::driver_process {

/// Ends the process where the condition does not hold.
void check(bool condition, const char* what);

/// The functions that we use: the loader's, or the driver's own.
struct Api {
    decltype(&::clGetPlatformIDs) GetPlatformIDs = nullptr;
    decltype(&::clGetDeviceIDs) GetDeviceIDs = nullptr;
    decltype(&::clGetDeviceInfo) GetDeviceInfo = nullptr;
    decltype(&::clCreateContext) CreateContext = nullptr;
    decltype(&::clCreateCommandQueueWithProperties) CreateCommandQueueWithProperties = nullptr;
    decltype(&::clCreateBuffer) CreateBuffer = nullptr;
    decltype(&::clCreateProgramWithSource) CreateProgramWithSource = nullptr;
    decltype(&::clBuildProgram) BuildProgram = nullptr;
    decltype(&::clCreateKernel) CreateKernel = nullptr;
    decltype(&::clSetKernelArg) SetKernelArg = nullptr;
    decltype(&::clEnqueueNDRangeKernel) EnqueueNDRangeKernel = nullptr;
    decltype(&::clEnqueueReadBuffer) EnqueueReadBuffer = nullptr;
    decltype(&::clEnqueueWriteBuffer) EnqueueWriteBuffer = nullptr;
    decltype(&::clSetEventCallback) SetEventCallback = nullptr;
    decltype(&::clWaitForEvents) WaitForEvents = nullptr;
    decltype(&::clSVMAlloc) SVMAlloc = nullptr;
    decltype(&::clSVMFree) SVMFree = nullptr;
    decltype(&::clFlush) Flush = nullptr;
    decltype(&::clFinish) Finish = nullptr;
    decltype(&::clReleaseEvent) ReleaseEvent = nullptr;
    decltype(&::clReleaseKernel) ReleaseKernel = nullptr;
    decltype(&::clReleaseProgram) ReleaseProgram = nullptr;
    decltype(&::clReleaseMemObject) ReleaseMemObject = nullptr;
    decltype(&::clReleaseCommandQueue) ReleaseCommandQueue = nullptr;
    decltype(&::clReleaseContext) ReleaseContext = nullptr;
};

Api of_loader(void* library);
/// Out of the dispatch table of the driver's platform, as a loader finds them.
Api of_driver(void* library);

void* open_library(const char* path);
/// The loader that stays.
Api loader();

}  // namespace caldera::driver_process
