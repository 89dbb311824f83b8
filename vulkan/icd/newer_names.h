// SPDX-License-Identifier: Apache-2.0
// Names of OpenCL 3.1 and of extensions that older OpenCL-Headers lack. They are macros there as well.
#pragma once

#include "vulkan/icd/opencl_headers.h"

// cl_khr_spirv_queries, which OpenCL 3.1 includes
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

// cl_khr_icd 2.0: stands in the loader's table for clGetPlatformIDs and clUnloadCompiler
#ifndef CL_ICD2_TAG_KHR
#define CL_ICD2_TAG_KHR \
    (sizeof(void*) == 4 ? intptr_t{0x434C3331} : static_cast<intptr_t>(0x4F50454E434C3331))
#endif

// cl_khr_kernel_clock
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

// cl_khr_initialize_memory
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

// cl_ext_immutable_memory_objects
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

// cl_ext_image_raw10_raw12
#ifndef CL_UNSIGNED_INT_RAW10_EXT
#define CL_UNSIGNED_INT_RAW10_EXT 0x10E3
#define CL_UNSIGNED_INT_RAW12_EXT 0x10E4
#endif

// cl_ext_image_unorm_int_2_101010
#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif

// cl_khr_cooperative_matrix, a draft
#ifndef cl_khr_cooperative_matrix
#define CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR 0x1078
#define CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR 0x1079
#define CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR 0x107A
#define CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR 0x107B
using cl_device_cooperative_matrix_info_khr = cl_uint;
using cl_device_cooperative_matrix_component_type_khr = cl_uint;  // vulkan::MatrixComponent
struct cl_device_cooperative_matrix_variant_khr {
    cl_uint m_size, n_size, k_size;
    cl_device_cooperative_matrix_component_type_khr a_type, b_type, c_type, result_type;
    cl_bool saturating_accumulation;
};
extern "C" cl_int CL_API_CALL clGetDeviceCooperativeMatrixInfoKHR(
    cl_device_id device, cl_device_cooperative_matrix_info_khr param_name, size_t input_value_size,
    const void* input_value, size_t param_value_size, void* param_value, size_t* param_value_size_ret);
#endif
