// SPDX-License-Identifier: Apache-2.0
// The API's functions, with the names of the specification without "cl". dispatch.cpp passes them to the
// loader.
#pragma once

#include "vulkan/icd/command_buffer_api.h"
#include "vulkan/icd/newer_names.h"
#include "vulkan/icd/object.h"
#include "vulkan/icd/unified_svm_api.h"

namespace caldera::icd {

#define ENTRY(name) decltype(::cl##name) name;
#define EXTENSION_ENTRY(name) decltype(::cl##name) name;
#include "vulkan/icd/entry_points.def"

// cl_khr_icd 2.0, which older headers lack
void* CL_API_CALL IcdGetFunctionAddressForPlatform(cl_platform_id platform, const char* name);
cl_int CL_API_CALL IcdSetPlatformDispatchData(cl_platform_id platform, void* data);

}  // namespace caldera::icd
