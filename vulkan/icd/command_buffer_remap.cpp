// SPDX-License-Identifier: Apache-2.0
// clRemapCommandBufferKHR (cl_khr_command_buffer_multi_device).
#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/entry_points.h"

namespace caldera::icd {

cl_command_buffer_khr CL_API_CALL RemapCommandBufferKHR(cl_command_buffer_khr handle, cl_bool, cl_uint,
                                                        const cl_command_queue*, cl_uint,
                                                        const cl_mutable_command_khr*,
                                                        cl_mutable_command_khr*, cl_int* code_ret) {
    return make(code_ret, [&]() -> cl_command_buffer_khr {
        checked(handle);
        throw ApiError(CL_INVALID_OPERATION);
    });
}

}  // namespace caldera::icd
