// SPDX-License-Identifier: Apache-2.0
// The kinds of memory that host and devices share, and what a device can do with each.
#pragma once

#include <vector>

#include "vulkan/icd/unified_svm_api.h"

struct _cl_device_id;
struct _cl_platform_id;

namespace caldera::icd {

/// clSVMAlloc makes the first two, cl_intel_unified_shared_memory the next three, and the system the last. In
/// this order cl_khr_unified_svm, which makes them all, lists those that a platform has.
enum class SvmKind { CoarseBuffer, FineBuffer, Device, Host, Shared, System };

/// What a device can do with memory of the kind, in the terms of cl_khr_unified_svm; 0 if it has none. May
/// open the device, and returns 0 if that fails.
cl_svm_capabilities_khr capabilities(::_cl_device_id& device, SvmKind kind);
/// Whether pointers mean the same in some memory of the host and of the device, or of the device alone.
bool has_pointers(::_cl_device_id& device);

/// A type of cl_khr_unified_svm, whose index is its place in a list.
struct SvmType {
    SvmKind kind = SvmKind::CoarseBuffer;
    cl_svm_capabilities_khr capabilities = 0;  ///< what all devices of the platform that have it can do
};
/// The types that some device of the platform has.
std::vector<SvmType> svm_types(const ::_cl_platform_id& platform);
/// CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR
std::vector<cl_svm_capabilities_khr> type_capabilities(const ::_cl_platform_id& platform);
/// CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR
std::vector<cl_svm_capabilities_khr> type_capabilities(::_cl_device_id& device);

}  // namespace caldera::icd
