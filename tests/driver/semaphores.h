// SPDX-License-Identifier: Apache-2.0
// The functions of cl_khr_semaphore, which the loader finds by name.
#pragma once

#include "tests/driver/fixture.h"
#include "vulkan/icd/extension_names.h"

namespace caldera::driver_test {

struct Semaphores {
    clCreateSemaphoreWithPropertiesKHR_fn create =
        extension_function<clCreateSemaphoreWithPropertiesKHR_fn>("clCreateSemaphoreWithPropertiesKHR");
    clEnqueueWaitSemaphoresKHR_fn wait =
        extension_function<clEnqueueWaitSemaphoresKHR_fn>("clEnqueueWaitSemaphoresKHR");
    clEnqueueSignalSemaphoresKHR_fn signal =
        extension_function<clEnqueueSignalSemaphoresKHR_fn>("clEnqueueSignalSemaphoresKHR");
    clGetSemaphoreInfoKHR_fn get_info = extension_function<clGetSemaphoreInfoKHR_fn>("clGetSemaphoreInfoKHR");
    clRetainSemaphoreKHR_fn retain = extension_function<clRetainSemaphoreKHR_fn>("clRetainSemaphoreKHR");
    clReleaseSemaphoreKHR_fn release = extension_function<clReleaseSemaphoreKHR_fn>("clReleaseSemaphoreKHR");
};

constexpr cl_semaphore_properties_khr kBinary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};

/// A semaphore and its commands.
struct OwnSemaphore : Semaphores {
    explicit OwnSemaphore(cl_context context, const cl_semaphore_properties_khr* properties = kBinary) {
        cl_int code = 1;
        handle = create(context, properties, &code);
        REQUIRE(code == CL_SUCCESS);
    }
    OwnSemaphore(const OwnSemaphore&) = delete;
    OwnSemaphore& operator=(const OwnSemaphore&) = delete;
    ~OwnSemaphore() { CHECK(release(handle) == CL_SUCCESS); }

    cl_int signal_in(cl_command_queue queue, cl_event* event = nullptr, cl_event after = nullptr) const {
        return signal(queue, 1, &handle, nullptr, after ? 1 : 0, after ? &after : nullptr, event);
    }
    cl_int wait_in(cl_command_queue queue, cl_event* event = nullptr, cl_event after = nullptr) const {
        return wait(queue, 1, &handle, nullptr, after ? 1 : 0, after ? &after : nullptr, event);
    }
    cl_semaphore_payload_khr payload() const {
        return info<cl_semaphore_payload_khr>(get_info, handle, CL_SEMAPHORE_PAYLOAD_KHR);
    }

    cl_semaphore_khr handle = nullptr;
};

}  // namespace caldera::driver_test
