// SPDX-License-Identifier: Apache-2.0
// The fixture of every driver test: a context and a queue, obtained through the loader.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::driver_test {

inline cl_platform_id platform() {
    cl_platform_id platform = nullptr;
    REQUIRE(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS);
    return platform;
}

inline cl_device_id device() {
    cl_device_id device = nullptr;
    REQUIRE(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS);
    return device;
}

template <class Function>
Function extension_function(const char* name) {
    void* const found = clGetExtensionFunctionAddressForPlatform(platform(), name);
    REQUIRE_MESSAGE(found != nullptr, name);  // another loader may not pass it on
    return reinterpret_cast<Function>(found);
}

/// The result of a clGet*Info call whose value has a fixed size.
template <class T, class Get, class... Args>
T info(Get get, Args... args) {
    T value = {};
    REQUIRE(get(args..., sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
}
/// It checks, so INFO() must not call it: doctest prints what INFO() says while it holds a lock that checks
/// take.
template <class Get, class... Args>
std::string text(Get get, Args... args) {
    size_t size = 0;
    REQUIRE(get(args..., 0, nullptr, &size) == CL_SUCCESS);
    std::string value(size, '?');
    REQUIRE(get(args..., size, value.data(), nullptr) == CL_SUCCESS);
    REQUIRE(value.back() == '\0');
    value.pop_back();
    return value;
}

// Without device addresses (features/layer.cpp), a device has no device-side enqueue, and less memory in a
// buffer.
inline bool has_device_enqueue() {
    return info<cl_bitfield>(clGetDeviceInfo, device(), CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0;
}
inline bool has_addresses() { return has_device_enqueue(); }

/// The properties of a device's own queue that kernels get as their default one.
constexpr cl_command_queue_properties kDefaultOnDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// Whether the layer of features/layer.cpp gives the device this limit, "maxComputeSharedMemorySize=16384".
inline bool has_limit(std::string_view limit) {
    const char* const limits = std::getenv("CALDERA_TEST_LIMITS");
    return limits &&
           ("," + std::string(limits) + ",").find("," + std::string(limit) + ",") != std::string::npos;
}
/// What CL_DEVICE_LOCAL_MEM_SIZE is at least: OpenCL's full profile wants 32 KiB, and Vulkan 16.
inline cl_ulong least_local_bytes() {
    return has_limit("maxComputeSharedMemorySize=16384") ? 16 << 10 : 32 << 10;
}

/// Whether kernels reach only what they were given (CALDERA_ROBUST).
inline bool is_robust() {
    const char* const robust = std::getenv("CALDERA_ROBUST");
    return robust && *robust == '1';
}

/// The validation layer has lists of its own, which grow where there are descriptors. driver_growth* are
/// without it.
inline bool is_validated() {
    const char *const layers = std::getenv("VK_INSTANCE_LAYERS"), *const wanted =
                                                                      std::getenv("CALDERA_VALIDATION");
    return (layers && std::string_view(layers).find("validation") != std::string_view::npos) ||
           (wanted && *wanted == '1');
}

/// Whether the device's doubles were taken away (features/layer.cpp), and the driver was told to do without.
inline bool emulates_doubles() {
    const auto variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string_view(value ? value : "");
    };
    return variable("CALDERA_TEST_WITHOUT").find("shaderFloat64") != std::string_view::npos &&
           variable("CALDERA_EMULATE_DOUBLES") == "1";
}

/// A context and what was made in it, released together.
struct Objects {
    Objects() = default;
    Objects(const Objects&) = delete;
    Objects& operator=(const Objects&) = delete;
    ~Objects() {
        for (cl_command_queue made : queues) CHECK(clReleaseCommandQueue(made) == CL_SUCCESS);
        for (cl_kernel made : kernels) CHECK(clReleaseKernel(made) == CL_SUCCESS);
        for (cl_program made : programs) CHECK(clReleaseProgram(made) == CL_SUCCESS);
        for (cl_mem made : buffers) CHECK(clReleaseMemObject(made) == CL_SUCCESS);
        CHECK(clReleaseContext(context) == CL_SUCCESS);
    }

    cl_command_queue make_queue(cl_device_id device, cl_command_queue_properties properties) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
        cl_int code = 1;
        queues.push_back(clCreateCommandQueueWithProperties(context, device, list, &code));
        REQUIRE(code == CL_SUCCESS);
        return queues.back();
    }
    cl_mem make_buffer(size_t size, void* host_ptr = nullptr, cl_mem_flags flags = 0) {
        cl_int code = 1;
        if (host_ptr && !(flags & CL_MEM_USE_HOST_PTR)) flags |= CL_MEM_COPY_HOST_PTR;
        buffers.push_back(clCreateBuffer(context, flags, size, host_ptr, &code));
        REQUIRE(code == CL_SUCCESS);
        return buffers.back();
    }
    cl_program source(const char* text) {
        cl_int code = 1;
        programs.push_back(clCreateProgramWithSource(context, 1, &text, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        return programs.back();
    }
    cl_kernel make_kernel(cl_program program, const char* name) {
        cl_int code = 1;
        kernels.push_back(clCreateKernel(program, name, &code));
        REQUIRE(code == CL_SUCCESS);
        return kernels.back();
    }

    cl_context context = nullptr;
    std::vector<cl_command_queue> queues = {};
    std::vector<cl_mem> buffers = {};
    std::vector<cl_program> programs = {};
    std::vector<cl_kernel> kernels = {};
};

struct Fixture : Objects {
    explicit Fixture(cl_command_queue_properties properties = 0) {
        cl_int code = 1;
        context = clCreateContext(nullptr, 1, &the_device, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        queue = make_queue(properties);
    }

    cl_command_queue make_queue(cl_command_queue_properties properties) {
        return Objects::make_queue(the_device, properties);
    }
    cl_program build(const std::string& text_of_it, const char* options = "") {
        cl_program program = source(text_of_it.c_str());
        const cl_int code = clBuildProgram(program, 1, &the_device, options, nullptr, nullptr);
        const std::string log = text(clGetProgramBuildInfo, program, the_device, CL_PROGRAM_BUILD_LOG);
        INFO(log);
        REQUIRE(code == CL_SUCCESS);
        return program;
    }
    using Objects::make_kernel;
    cl_kernel make_kernel(const std::string& its_source, const char* name, const char* options = "") {
        return make_kernel(build(its_source, options), name);
    }
    template <class T>
    std::vector<T> read(cl_mem buffer, size_t count) {
        std::vector<T> out(count);
        REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), out.data(), 0, nullptr,
                                    nullptr) == CL_SUCCESS);
        return out;
    }

    cl_device_id the_device = device();
    cl_command_queue queue = nullptr;
};

template <class T>
cl_int set(cl_kernel kernel, cl_uint index, const T& value) {
    return clSetKernelArg(kernel, index, sizeof value, &value);
}
inline cl_int run(cl_command_queue queue, cl_kernel kernel, size_t items, cl_event* event = nullptr) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, event);
}
inline cl_int status(cl_event event) {
    return info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
}

}  // namespace caldera::driver_test
