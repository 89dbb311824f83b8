// SPDX-License-Identifier: Apache-2.0
// The fixture of tests with several devices.
#pragma once

#include <algorithm>

#include "tests/driver/fixture.h"

namespace caldera::driver_test {

/// A context of all devices of the platform, and a queue on each.
struct Devices : Objects {
    explicit Devices(cl_command_queue_properties properties = 0) {
        cl_uint count = 0;
        REQUIRE(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_SUCCESS);
        devices.resize(count);
        REQUIRE(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) == CL_SUCCESS);
        cl_int code = 1;
        context = clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        for (cl_device_id device : devices) make_queue(device, properties);
    }
    ~Devices() {
        for (cl_event made : events) CHECK(clReleaseEvent(made) == CL_SUCCESS);
    }
    bool are_several() const { return devices.size() > 1; }
    /// Whether all say so.
    template <class T>
    bool all_have(cl_device_info name) const {
        return std::ranges::all_of(
            devices, [&](cl_device_id device) { return info<T>(clGetDeviceInfo, device, name) != 0; });
    }

    using Objects::make_kernel;
    /// Built for all devices.
    cl_kernel make_kernel(const char* text, const char* name) {
        REQUIRE(clBuildProgram(source(text), 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
        return make_kernel(programs.back(), name);
    }
    /// An event that goes when we do.
    cl_event keep(cl_event event) {
        REQUIRE(event != nullptr);
        events.push_back(event);
        return event;
    }
    /// Runs the kernel after an event, if there is one; returns its own.
    cl_event run_after(size_t place, cl_kernel kernel, size_t items, cl_event before) {
        cl_event event = nullptr;
        REQUIRE(clEnqueueNDRangeKernel(queues[place], kernel, 1, nullptr, &items, nullptr, before ? 1 : 0,
                                       before ? &before : nullptr, &event) == CL_SUCCESS);
        return keep(event);
    }
    std::vector<cl_int> read_after(size_t place, cl_mem buffer, size_t count, cl_event before) {
        std::vector<cl_int> out(count);
        CHECK(clEnqueueReadBuffer(queues[place], buffer, CL_TRUE, 0, count * sizeof(cl_int), out.data(),
                                  before ? 1 : 0, before ? &before : nullptr, nullptr) == CL_SUCCESS);
        return out;
    }

    std::vector<cl_device_id> devices = {};
    std::vector<cl_event> events = {};
};

}  // namespace caldera::driver_test
