// SPDX-License-Identifier: Apache-2.0
// What extensions got when they were finished, and the OpenCL headers of 2023 do not have.
#pragma once

#include "vulkan/icd/opencl_headers.h"

// cl_khr_semaphore
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

// cl_khr_external_semaphore
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif

// cl_khr_external_semaphore_sync_fd
#ifndef CL_KHR_EXTERNAL_SEMAPHORE_SYNC_FD_EXTENSION_NAME
using cl_semaphore_reimport_properties_khr = cl_properties;
extern "C" cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(cl_semaphore_khr semaphore,
                                                           cl_semaphore_reimport_properties_khr* properties,
                                                           int fd);
using clReImportSemaphoreSyncFdKHR_fn = decltype(&clReImportSemaphoreSyncFdKHR);
#endif

// cl_ext_buffer_device_address
#ifndef CL_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
using cl_mem_device_address_ext = cl_ulong;
extern "C" cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                             cl_mem_device_address_ext arg_value);
using clSetKernelArgDevicePointerEXT_fn = decltype(&clSetKernelArgDevicePointerEXT);
#endif

// cl_khr_external_memory
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif
