// SPDX-License-Identifier: Apache-2.0
// The functions of cl_khr_unified_svm, which the loader finds by name, and the types of a device.
#pragma once

#include "tests/driver/fixture.h"
#include "vulkan/icd/unified_svm_api.h"

namespace caldera::driver_test {

struct UnifiedSvm {
    clSVMAllocWithPropertiesKHR_fn allocate =
        extension_function<clSVMAllocWithPropertiesKHR_fn>("clSVMAllocWithPropertiesKHR");
    clSVMFreeWithPropertiesKHR_fn free =
        extension_function<clSVMFreeWithPropertiesKHR_fn>("clSVMFreeWithPropertiesKHR");
    clGetSVMPointerInfoKHR_fn get_info =
        extension_function<clGetSVMPointerInfoKHR_fn>("clGetSVMPointerInfoKHR");
    clGetSVMSuggestedTypeIndexKHR_fn suggest =
        extension_function<clGetSVMSuggestedTypeIndexKHR_fn>("clGetSVMSuggestedTypeIndexKHR");
};

/// The answer of a query for a list.
template <class T, class Get, class... Args>
std::vector<T> list_of(Get get, Args... args) {
    size_t bytes = 0;
    REQUIRE(get(args..., 0, nullptr, &bytes) == CL_SUCCESS);
    std::vector<T> out(bytes / sizeof(T));
    REQUIRE(get(args..., bytes, out.data(), nullptr) == CL_SUCCESS);
    return out;
}

// What the specification says of the kinds that it names.
constexpr cl_svm_capabilities_khr kOfAll = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR |
                                           CL_SVM_CAPABILITY_DEVICE_READ_KHR |
                                           CL_SVM_CAPABILITY_DEVICE_WRITE_KHR;
constexpr cl_svm_capabilities_khr kOfDevice = kOfAll | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR |
                                              CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR |
                                              CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
constexpr cl_svm_capabilities_khr kHostAccess =
    CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;
constexpr cl_svm_capabilities_khr kOfContext =
    CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR;

}  // namespace caldera::driver_test
