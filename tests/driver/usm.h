// SPDX-License-Identifier: Apache-2.0
// The functions of cl_intel_unified_shared_memory, which the loader finds by name.
#pragma once

#include "tests/driver/fixture.h"

namespace caldera::driver_test {

struct Usm {
    clHostMemAllocINTEL_fn allocate_host = extension_function<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
    clDeviceMemAllocINTEL_fn allocate_device =
        extension_function<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
    clSharedMemAllocINTEL_fn allocate_shared =
        extension_function<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
    clMemFreeINTEL_fn free = extension_function<clMemFreeINTEL_fn>("clMemFreeINTEL");
    clMemBlockingFreeINTEL_fn blocking_free =
        extension_function<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
    clGetMemAllocInfoINTEL_fn get_info =
        extension_function<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
    clSetKernelArgMemPointerINTEL_fn set_argument =
        extension_function<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
    clEnqueueMemFillINTEL_fn fill = extension_function<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
    clEnqueueMemcpyINTEL_fn copy = extension_function<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
    clEnqueueMigrateMemINTEL_fn migrate =
        extension_function<clEnqueueMigrateMemINTEL_fn>("clEnqueueMigrateMemINTEL");
    clEnqueueMemAdviseINTEL_fn advise =
        extension_function<clEnqueueMemAdviseINTEL_fn>("clEnqueueMemAdviseINTEL");
};

/// The query of a kind's capabilities, for allocations of one device.
inline cl_device_info query_of(cl_uint kind) {
    switch (kind) {
        case CL_MEM_TYPE_HOST_INTEL: return CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL;
        case CL_MEM_TYPE_DEVICE_INTEL: return CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL;
        default: return CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL;
    }
}

}  // namespace caldera::driver_test
