// SPDX-License-Identifier: Apache-2.0
// clGetPlatformInfo.
#include "caldera/version.h"
#include "vulkan/icd/command_buffer_api.h"
#include "vulkan/icd/device.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/handle_types.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/names.h"
#include "vulkan/icd/svm_kinds.h"

namespace caldera::icd {

/// What every device of the platform has in a set.
static VkFlags common_handles(const Platform& platform, VkFlags runtime::ExternalHandles::*set) {
    if (platform.devices.empty()) return 0;
    VkFlags common = ~VkFlags{0};
    for (const auto& device : platform.devices) common &= device->info.external.*set;
    return common;
}

cl_int CL_API_CALL GetPlatformInfo(cl_platform_id handle, cl_platform_info name, size_t size, void* value,
                                   size_t* size_ret) {
    return entry([&] {
        const Platform& self = checked_platform(handle);
        const Answer answer(size, value, size_ret);
        const std::vector<std::string> extensions = extension_names(self);
        using Handles = runtime::ExternalHandles;
        switch (name) {
            case CL_PLATFORM_PROFILE: return answer.put_text("FULL_PROFILE");
            case CL_PLATFORM_VERSION:
                return answer.put_text("OpenCL " + number(kVersion) + " Caldera " CALDERA_VERSION);
            case CL_PLATFORM_NUMERIC_VERSION: return answer.put(kVersion);
            case CL_PLATFORM_NAME: return answer.put_text("Caldera");
            case CL_PLATFORM_VENDOR: return answer.put_text("Caldera");
            case CL_PLATFORM_EXTENSIONS: return answer.put_text(joined(extensions));
            case CL_PLATFORM_EXTENSIONS_WITH_VERSION: return answer.put_all(with_versions(extensions));
            case CL_PLATFORM_HOST_TIMER_RESOLUTION: return answer.put(cl_ulong{1});
            case CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR: return answer.put_all(type_capabilities(self));
            case CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR:
                return answer.put<cl_platform_command_buffer_capabilities_khr>(
                    CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                    CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                    CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR);
            case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
                return answer.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
            case CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
                return answer.put_all(
                    handle_types(kSemaphoreHandles, common_handles(self, &Handles::semaphore_imports)));
            case CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
                return answer.put_all(
                    handle_types(kSemaphoreHandles, common_handles(self, &Handles::semaphore_exports)));
            case CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
                return answer.put_all(
                    handle_types(kMemoryHandles, common_handles(self, &Handles::memory_imports)));
            case CL_PLATFORM_ICD_SUFFIX_KHR: return answer.put_text("CALDERA");
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
