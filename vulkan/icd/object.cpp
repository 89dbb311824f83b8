// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/object.h"

#include <vulkan/vulkan.h>

#include <cstdio>

#include "vulkan/runtime/settings.h"

namespace caldera::icd {

void log(const Error& error) {
    if (runtime::flag_setting("CALDERA_LOG", false))
        std::fprintf(stderr, "caldera: %s\n", error.message.c_str());
}

cl_int code_of(const Error& error, cl_int otherwise) {
    switch (error.code) {
        case VK_ERROR_OUT_OF_HOST_MEMORY: return CL_OUT_OF_HOST_MEMORY;
        case VK_ERROR_DEVICE_LOST: return CL_OUT_OF_RESOURCES;
        default: return otherwise;
    }
}

}  // namespace caldera::icd
