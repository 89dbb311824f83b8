// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/object.h"

#include <vulkan/vulkan.h>

#include <cstdio>
#include <cstring>
#include <new>

#include "vulkan/icd/newer_names.h"
#include "vulkan/runtime/settings.h"

namespace caldera::icd {

namespace {

// clang-format off
#define ERROR_CODES(X) \
    X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) X(CL_COMPILER_NOT_AVAILABLE) \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE) X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY) \
    X(CL_PROFILING_INFO_NOT_AVAILABLE) X(CL_MEM_COPY_OVERLAP) X(CL_IMAGE_FORMAT_MISMATCH) \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED) X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE) \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET) X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) \
    X(CL_COMPILE_PROGRAM_FAILURE) X(CL_LINKER_NOT_AVAILABLE) X(CL_LINK_PROGRAM_FAILURE) \
    X(CL_DEVICE_PARTITION_FAILED) X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) X(CL_INVALID_VALUE) \
    X(CL_INVALID_DEVICE_TYPE) X(CL_INVALID_PLATFORM) X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) \
    X(CL_INVALID_QUEUE_PROPERTIES) X(CL_INVALID_COMMAND_QUEUE) X(CL_INVALID_HOST_PTR) \
    X(CL_INVALID_MEM_OBJECT) X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) X(CL_INVALID_IMAGE_SIZE) \
    X(CL_INVALID_SAMPLER) X(CL_INVALID_BINARY) X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM) \
    X(CL_INVALID_PROGRAM_EXECUTABLE) X(CL_INVALID_KERNEL_NAME) X(CL_INVALID_KERNEL_DEFINITION) \
    X(CL_INVALID_KERNEL) X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE) \
    X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE) \
    X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET) X(CL_INVALID_EVENT_WAIT_LIST) \
    X(CL_INVALID_EVENT) X(CL_INVALID_OPERATION) X(CL_INVALID_GL_OBJECT) X(CL_INVALID_BUFFER_SIZE) \
    X(CL_INVALID_MIP_LEVEL) X(CL_INVALID_GLOBAL_WORK_SIZE) X(CL_INVALID_PROPERTY) \
    X(CL_INVALID_IMAGE_DESCRIPTOR) X(CL_INVALID_COMPILER_OPTIONS) X(CL_INVALID_LINKER_OPTIONS) \
    X(CL_INVALID_DEVICE_PARTITION_COUNT) X(CL_INVALID_PIPE_SIZE) X(CL_INVALID_DEVICE_QUEUE) \
    X(CL_INVALID_SPEC_ID) X(CL_MAX_SIZE_RESTRICTION_EXCEEDED) X(CL_INVALID_COMMAND_BUFFER_KHR) \
    X(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR) X(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR) \
    X(CL_INVALID_MUTABLE_COMMAND_KHR) X(CL_INVALID_SEMAPHORE_KHR) X(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR) \
    X(CL_PLATFORM_NOT_FOUND_KHR)
// clang-format on

/// Null for a code that no header names.
const char* name_of(cl_int code) {
    switch (code) {
#define NAME(name) \
    case name: return #name;
        ERROR_CODES(NAME)
#undef NAME
#undef ERROR_CODES
        default: return nullptr;
    }
}

/// The path from the root of the sources, however the compiler was called.
const char* path_in_sources(const char* file) {
    const char* const found = std::strstr(file, "vulkan/icd/");
    return found ? found : file;
}

}  // namespace

void log(const Error& error) {
    if (runtime::flag_setting("CALDERA_LOG", false))
        std::fprintf(stderr, "caldera: %s\n", error.message.c_str());
}

void log_call(const char* function, const ApiError& error) noexcept try {
    if (!runtime::flag_setting("CALDERA_LOG", false)) return;
    const char* const name = name_of(error.code);
    const bool is_call = function[0] >= 'A' && function[0] <= 'Z';  // else what a command does later
    std::fprintf(stderr, "caldera: %s%s fails with %s (%d), by the check in %s:%d\n", is_call ? "cl" : "",
                 is_call ? function : "a command", name ? name : "an error code", error.code,
                 path_in_sources(error.file), error.line);
} catch (const std::bad_alloc&) {}  // the call reports its own failure in any case

cl_int code_of(const Error& error, cl_int otherwise) {
    switch (error.code) {
        case VK_ERROR_OUT_OF_HOST_MEMORY: return CL_OUT_OF_HOST_MEMORY;
        case VK_ERROR_DEVICE_LOST: return CL_OUT_OF_RESOURCES;
        default: return otherwise;
    }
}

}  // namespace caldera::icd
