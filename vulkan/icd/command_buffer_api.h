// SPDX-License-Identifier: Apache-2.0
// Names and functions of cl_khr_command_buffer 0.9.8 and what is layered on it. The extension is provisional:
// OpenCL headers declare them as of an earlier version, with other parameters, or only on request.
#pragma once

#include "vulkan/icd/opencl_headers.h"

using cl_device_command_buffer_capabilities_khr = cl_bitfield;
using cl_command_buffer_khr = struct _cl_command_buffer_khr*;
using cl_sync_point_khr = cl_uint;
using cl_command_buffer_info_khr = cl_uint;
using cl_command_buffer_state_khr = cl_uint;
using cl_command_buffer_properties_khr = cl_properties;
using cl_command_buffer_flags_khr = cl_bitfield;
using cl_command_properties_khr = cl_properties;
using cl_mutable_command_khr = struct _cl_mutable_command_khr*;
using cl_command_buffer_update_type_khr = cl_uint;
using cl_mutable_dispatch_fields_khr = cl_bitfield;
using cl_mutable_dispatch_asserts_khr = cl_bitfield;
using cl_mutable_command_info_khr = cl_uint;

// cl_khr_command_buffer 0.9.0
#ifndef CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#define CL_INVALID_COMMAND_BUFFER_KHR -1138
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR -1140
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#endif
// and later
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif

// cl_khr_command_buffer_mutable_dispatch 0.9.0
#ifndef CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#endif
// and later
#ifndef CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif

// cl_khr_command_buffer_multi_device 0.9.2
using cl_platform_command_buffer_capabilities_khr = cl_bitfield;
#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
#endif

namespace caldera::icd {

/// cl_mutable_dispatch_arg_khr
struct MutableDispatchArg {
    cl_uint arg_index = 0;
    size_t arg_size = 0;
    const void* arg_value = nullptr;
};
/// cl_mutable_dispatch_exec_info_khr
struct MutableDispatchExecInfo {
    cl_uint param_name = 0;
    size_t param_value_size = 0;
    const void* param_value = nullptr;
};
/// CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, which was 1 before version 0.9.2
constexpr cl_command_buffer_update_type_khr kMutableDispatchConfig = 0;
/// cl_mutable_dispatch_config_khr
struct MutableDispatchConfig {
    cl_mutable_command_khr command = nullptr;
    cl_uint num_args = 0, num_svm_args = 0, num_exec_infos = 0, work_dim = 0;
    const MutableDispatchArg* arg_list = nullptr;
    const MutableDispatchArg* arg_svm_list = nullptr;
    const MutableDispatchExecInfo* exec_info_list = nullptr;
    const size_t* global_work_offset = nullptr;
    const size_t* global_work_size = nullptr;
    const size_t* local_work_size = nullptr;
};

cl_int CL_API_CALL UpdateMutableCommandsKHR(cl_command_buffer_khr buffer, cl_uint count,
                                            const cl_command_buffer_update_type_khr* types,
                                            const void** configs);
cl_int CL_API_CALL GetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr name,
                                            size_t size, void* value, size_t* size_ret);

cl_command_buffer_khr CL_API_CALL CreateCommandBufferKHR(cl_uint queue_count, const cl_command_queue* queues,
                                                         const cl_command_buffer_properties_khr* properties,
                                                         cl_int* code_ret);
cl_int CL_API_CALL RetainCommandBufferKHR(cl_command_buffer_khr buffer);
cl_int CL_API_CALL ReleaseCommandBufferKHR(cl_command_buffer_khr buffer);
cl_int CL_API_CALL FinalizeCommandBufferKHR(cl_command_buffer_khr buffer);
cl_int CL_API_CALL EnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue* queues,
                                           cl_command_buffer_khr buffer, cl_uint wait_count,
                                           const cl_event* wait_list, cl_event* event);
cl_command_buffer_khr CL_API_CALL RemapCommandBufferKHR(cl_command_buffer_khr buffer, cl_bool automatic,
                                                        cl_uint queue_count, const cl_command_queue* queues,
                                                        cl_uint handle_count,
                                                        const cl_mutable_command_khr* handles,
                                                        cl_mutable_command_khr* handles_ret,
                                                        cl_int* code_ret);
cl_int CL_API_CALL GetCommandBufferInfoKHR(cl_command_buffer_khr buffer, cl_command_buffer_info_khr name,
                                           size_t size, void* value, size_t* size_ret);

cl_int CL_API_CALL CommandBarrierWithWaitListKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                                 const cl_command_properties_khr* properties,
                                                 cl_uint sync_point_count,
                                                 const cl_sync_point_khr* sync_points,
                                                 cl_sync_point_khr* sync_point,
                                                 cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandCopyBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, cl_mem source,
                                        cl_mem target, size_t source_offset, size_t target_offset,
                                        size_t size, cl_uint sync_point_count,
                                        const cl_sync_point_khr* sync_points, cl_sync_point_khr* sync_point,
                                        cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandCopyBufferRectKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                            const cl_command_properties_khr* properties, cl_mem source,
                                            cl_mem target, const size_t* source_origin,
                                            const size_t* target_origin, const size_t* region,
                                            size_t source_row_pitch, size_t source_slice_pitch,
                                            size_t target_row_pitch, size_t target_slice_pitch,
                                            cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                            cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandCopyBufferToImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                               const cl_command_properties_khr* properties, cl_mem source,
                                               cl_mem target, size_t source_offset,
                                               const size_t* target_origin, const size_t* region,
                                               cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                               cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandCopyImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, cl_mem source,
                                       cl_mem target, const size_t* source_origin,
                                       const size_t* target_origin, const size_t* region,
                                       cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                       cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandCopyImageToBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                               const cl_command_properties_khr* properties, cl_mem source,
                                               cl_mem target, const size_t* source_origin,
                                               const size_t* region, size_t target_offset,
                                               cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                               cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandFillBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, cl_mem memory,
                                        const void* pattern, size_t pattern_size, size_t offset, size_t size,
                                        cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                        cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandFillImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, cl_mem image,
                                       const void* color, const size_t* origin, const size_t* region,
                                       cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                       cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandNDRangeKernelKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                           const cl_command_properties_khr* properties, cl_kernel kernel,
                                           cl_uint work_dim, const size_t* global_offset,
                                           const size_t* global_size, const size_t* local_size,
                                           cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                           cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandSVMMemcpyKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, void* target,
                                       const void* source, size_t size, cl_uint sync_point_count,
                                       const cl_sync_point_khr* sync_points, cl_sync_point_khr* sync_point,
                                       cl_mutable_command_khr* handle);
cl_int CL_API_CALL CommandSVMMemFillKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, void* pointer,
                                        const void* pattern, size_t pattern_size, size_t size,
                                        cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                        cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);

}  // namespace caldera::icd
