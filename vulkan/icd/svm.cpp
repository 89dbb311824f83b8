// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory (OpenCL API 5.6). CL_DEVICE_SVM_CAPABILITIES is 0: there is none, and each call says so.
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/kernel.h"
#include "vulkan/icd/queue.h"

namespace caldera::icd {
namespace {

cl_int no_command(cl_command_queue queue) {
    return entry([&] {
        checked(queue);
        throw ApiError{CL_INVALID_OPERATION};
    });
}

}  // namespace

void* CL_API_CALL SVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) { return nullptr; }
void CL_API_CALL SVMFree(cl_context, void*) {}

cl_int CL_API_CALL EnqueueSVMFree(cl_command_queue queue, cl_uint, void*[],
                                  void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*), void*,
                                  cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void*, const void*, size_t, cl_uint,
                                    const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueSVMMemFill(cl_command_queue queue, void*, const void*, size_t, size_t, cl_uint,
                                     const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void*, size_t, cl_uint,
                                 const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueSVMUnmap(cl_command_queue queue, void*, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void**, const size_t*,
                                        cl_mem_migration_flags, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}

cl_int CL_API_CALL SetKernelArgSVMPointer(cl_kernel kernel, cl_uint, const void*) {
    return entry([&] {
        checked(kernel);
        throw ApiError{CL_INVALID_OPERATION};
    });
}
cl_int CL_API_CALL SetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info, size_t, const void*) {
    return entry([&] {
        checked(kernel);
        throw ApiError{CL_INVALID_OPERATION};
    });
}

}  // namespace caldera::icd
