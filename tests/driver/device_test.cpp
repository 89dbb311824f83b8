// SPDX-License-Identifier: Apache-2.0
// Platform, devices and contexts (OpenCL API 4).
#include <algorithm>
#include <array>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

TEST_CASE("4.1 platforms: counts, texts and errors") {
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS);
    CHECK(count == 1);
    CHECK(text(clGetPlatformInfo, platform(), CL_PLATFORM_NAME) == "Caldera");
    CHECK(text(clGetPlatformInfo, platform(), CL_PLATFORM_PROFILE) == "FULL_PROFILE");
    CHECK(text(clGetPlatformInfo, platform(), CL_PLATFORM_VERSION).starts_with("OpenCL 3.1 "));
    CHECK(text(clGetPlatformInfo, platform(), CL_PLATFORM_EXTENSIONS).find("cl_khr_icd") !=
          std::string::npos);
    CHECK(info<cl_version>(clGetPlatformInfo, platform(), CL_PLATFORM_NUMERIC_VERSION) ==
          CL_MAKE_VERSION(3, 1, 0));
    char small[2];
    CHECK(clGetPlatformInfo(platform(), CL_PLATFORM_NAME, 2, small, nullptr) == CL_INVALID_VALUE);
    CHECK(clGetPlatformInfo(platform(), 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("4.2 devices: lists by type and their errors") {
    cl_uint count = 0;
    cl_device_id device = nullptr;
    CHECK(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_SUCCESS);
    CHECK(count >= 1);
    CHECK(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_DEFAULT, 1, &device, &count) == CL_SUCCESS);
    CHECK(count == 1);
    CHECK(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_CUSTOM, 1, &device, &count) == CL_DEVICE_NOT_FOUND);
    CHECK(clGetDeviceIDs(platform(), 0, 1, &device, &count) == CL_INVALID_DEVICE_TYPE);
    CHECK(clGetDeviceIDs(platform(), 1 << 20, 1, &device, &count) == CL_INVALID_DEVICE_TYPE);
    CHECK(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, &device, nullptr) == CL_INVALID_VALUE);
    CHECK(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("4.2 what a device says of itself agrees with itself and with the full profile's least") {
    const cl_device_id self = device();
    CHECK(info<cl_platform_id>(clGetDeviceInfo, self, CL_DEVICE_PLATFORM) == platform());
    const auto sizes = info<std::array<size_t, 3>>(clGetDeviceInfo, self, CL_DEVICE_MAX_WORK_ITEM_SIZES);
    CHECK(info<size_t>(clGetDeviceInfo, self, CL_DEVICE_MAX_WORK_GROUP_SIZE) >= 1);
    for (const size_t size : sizes) CHECK(size >= 1);
    const auto memory = info<cl_ulong>(clGetDeviceInfo, self, CL_DEVICE_GLOBAL_MEM_SIZE);
    const auto allocation = info<cl_ulong>(clGetDeviceInfo, self, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    CHECK(allocation <= memory);
    CHECK(allocation >= std::min<cl_ulong>(memory / 4, has_addresses() ? 1 << 30 : 1 << 27));
    // Several programs on one machine may each allocate, or fill, as much as this says.
    CHECK(allocation <= std::max<cl_ulong>(memory / 4, 1 << 30));
    CHECK(allocation <= memory / 2);
    // hashcat allocates this much for two compute units with 1,024 work-items each.
    if (memory >= 2ull << 30 && has_addresses()) CHECK(allocation >= 2ull * 1024 * 1024 * 264);
    CHECK(info<cl_ulong>(clGetDeviceInfo, self, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) <= 16 << 20);
    CHECK(text(clGetDeviceInfo, self, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED) == "v0000-01-01-00");
    CHECK(info<size_t>(clGetDeviceInfo, self, CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    CHECK(info<cl_ulong>(clGetDeviceInfo, self, CL_DEVICE_LOCAL_MEM_SIZE) >= least_local_bytes());
    CHECK(info<cl_uint>(clGetDeviceInfo, self, CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
    constexpr cl_device_fp_config kLeast = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    const auto fp = info<cl_device_fp_config>(clGetDeviceInfo, self, CL_DEVICE_SINGLE_FP_CONFIG);
    CHECK((fp & kLeast) == kLeast);
    const std::string extensions = text(clGetDeviceInfo, self, CL_DEVICE_EXTENSIONS);
    CHECK((extensions.find("cl_khr_fp64") != std::string::npos) ==
          (info<cl_device_fp_config>(clGetDeviceInfo, self, CL_DEVICE_DOUBLE_FP_CONFIG) != 0));
    size_t bytes = 0;
    CHECK(clGetDeviceInfo(self, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes) == CL_SUCCESS);
    CHECK(bytes % sizeof(cl_name_version) == 0);
    CHECK(bytes / sizeof(cl_name_version) ==
          static_cast<size_t>(std::count(extensions.begin(), extensions.end(), ' ')) + 1);
    CHECK(clGetDeviceInfo(self, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, nullptr) == CL_INVALID_DEVICE);
}

TEST_CASE("4.2 timers go on, and together") {
    cl_ulong device_time = 0, host_time = 0, later = 0;
    CHECK(clGetDeviceAndHostTimer(device(), &device_time, &host_time) == CL_SUCCESS);
    CHECK(clGetHostTimer(device(), &later) == CL_SUCCESS);
    CHECK(later >= host_time);
    CHECK(clGetHostTimer(device(), nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("4.3 no device is cut, and a root device is not counted") {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    CHECK(clCreateSubDevices(device(), equally, 0, nullptr, &count) == CL_INVALID_VALUE);
    CHECK(clReleaseDevice(device()) == CL_SUCCESS);
    CHECK(clRetainDevice(device()) == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetDeviceInfo, device(), CL_DEVICE_REFERENCE_COUNT) == 1);
}

TEST_CASE("4.4 contexts: properties, counts, callbacks and errors") {
    const cl_device_id self = device();
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                reinterpret_cast<cl_context_properties>(platform()), 0};
    cl_int code = 1;
    cl_context context = clCreateContext(properties, 1, &self, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES) == 1);
    CHECK(info<cl_device_id>(clGetContextInfo, context, CL_CONTEXT_DEVICES) == self);
    CHECK(info<std::array<cl_context_properties, 3>>(clGetContextInfo, context, CL_CONTEXT_PROPERTIES)[1] ==
          properties[1]);
    CHECK(clRetainContext(context) == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT) == 2);
    static std::string order;
    order.clear();
    const auto note = [](cl_context, void* letter) { order += *static_cast<const char*>(letter); };
    char a = 'a', b = 'b';
    CHECK(clSetContextDestructorCallback(context, note, &a) == CL_SUCCESS);
    CHECK(clSetContextDestructorCallback(context, note, &b) == CL_SUCCESS);
    CHECK(clSetContextDestructorCallback(context, nullptr, &b) == CL_INVALID_VALUE);
    CHECK(clReleaseContext(context) == CL_SUCCESS);
    CHECK(order.empty());
    CHECK(clReleaseContext(context) == CL_SUCCESS);
    CHECK(order == "ba");

    const auto fails = [&](const cl_context_properties* list, cl_uint count, const cl_device_id* devices) {
        CHECK(clCreateContext(list, count, devices, nullptr, nullptr, &code) == nullptr);
        return code;
    };
    const cl_context_properties unknown[] = {12345, 1, 0};
    const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 0, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, properties[1], CL_CONTEXT_PLATFORM,
                                           properties[1], 0};
    CHECK(fails(unknown, 1, &self) == CL_INVALID_PROPERTY);
    const cl_context_properties with_gl[] = {0x2008, 1, 0};  // CL_GL_CONTEXT_KHR
    CHECK(fails(with_gl, 1, &self) == CL_INVALID_PROPERTY);
    CHECK(fails(no_platform, 1, &self) == CL_INVALID_PLATFORM);
    CHECK(fails(twice, 1, &self) == CL_INVALID_PROPERTY);
    CHECK(fails(properties, 0, &self) == CL_INVALID_VALUE);
    CHECK(fails(properties, 1, nullptr) == CL_INVALID_VALUE);
    const cl_device_id null = nullptr;
    CHECK(fails(properties, 1, &null) == CL_INVALID_DEVICE);
    CHECK(clCreateContext(properties, 1, &self, nullptr, &a, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    context = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clReleaseContext(context) == CL_SUCCESS);
    CHECK(clCreateContextFromType(properties, CL_DEVICE_TYPE_CUSTOM, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_DEVICE_NOT_FOUND);
}
