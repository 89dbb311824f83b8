// SPDX-License-Identifier: Apache-2.0
// cl_khr_icd 2.0: the test plays a loader that has its own table of functions for the platform.
#include <array>
#include <cstdint>
#include <optional>

#include <CL/cl_icd.h>

#include "tests/driver/fixture.h"

namespace caldera::driver_test {
namespace {

constexpr intptr_t kTag = sizeof(void*) == 4 ? 0x434C3331 : static_cast<intptr_t>(0x4F50454E434C3331);

/// How each object begins.
struct Head {
    const cl_icd_dispatch* table;
    void* data;
};
template <class Handle>
const Head& head(Handle handle) {
    return *reinterpret_cast<const Head*>(handle);
}

/// A stand-in for the table that the loader keeps for a platform.
struct Table {
    decltype(&::clGetDeviceInfo) get_device_info = nullptr;
    decltype(&::clGetPlatformInfo) get_platform_info = nullptr;
};

using GetAddress = void*(CL_API_CALL*)(cl_platform_id, const char*);
using SetData = cl_int(CL_API_CALL*)(cl_platform_id, void*);

/// Ends the game however the test ends.
struct Data {
    SetData set = extension_function<SetData>("clIcdSetPlatformDispatchDataKHR");
    explicit Data(void* data) { REQUIRE(set(platform(), data) == CL_SUCCESS); }
    ~Data() { set(platform(), nullptr); }
};

TEST_CASE("a loader's own table: the tag, and functions by name") {
    const Head& of_platform = head(platform());
    CHECK(reinterpret_cast<intptr_t>(of_platform.table->clGetPlatformIDs) == kTag);
    CHECK(reinterpret_cast<intptr_t>(of_platform.table->clUnloadCompiler) == kTag);
    const auto address = extension_function<GetAddress>("clIcdGetFunctionAddressForPlatformKHR");
    CHECK(address(platform(), "clGetDeviceInfo") ==
          reinterpret_cast<void*>(of_platform.table->clGetDeviceInfo));
    CHECK(address(platform(), "clSetContextDestructorCallback") ==
          reinterpret_cast<void*>(of_platform.table->clSetContextDestructorCallback));
    for (const char* const name : {"clGetPlatformIDs", "clUnloadCompiler", "clCreateCommandBufferKHR"})
        CHECK_MESSAGE(address(platform(), name) != nullptr, name);
    CHECK(address(platform(), "clCreateFromGLBuffer") == nullptr);
    CHECK(address(platform(), "clWhatever") == nullptr);
    CHECK(address(nullptr, "clGetDeviceInfo") == nullptr);
}

TEST_CASE("functions of extensions that no device has decline, for loaders that call them unseen") {
    Fixture f;
    cl_int code = 1;
    CHECK(clCreateFromGLBuffer(f.context, CL_MEM_READ_WRITE, 1, &code) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    CHECK(clCreateFromGLTexture(f.context, CL_MEM_READ_WRITE, 0x0DE1, 0, 1, nullptr) == nullptr);
    code = 1;
    CHECK(clCreateFromGLRenderbuffer(f.context, CL_MEM_READ_WRITE, 1, &code) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    cl_mem buffer = f.make_buffer(4);
    cl_gl_object_type type = 0;
    cl_GLuint name = 0;
    CHECK(clGetGLObjectInfo(buffer, &type, &name) == CL_INVALID_OPERATION);
    CHECK(clGetGLTextureInfo(buffer, CL_GL_MIPMAP_LEVEL, 4, &name, nullptr) == CL_INVALID_OPERATION);
    CHECK(clEnqueueAcquireGLObjects(f.queue, 1, &buffer, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
    CHECK(clEnqueueReleaseGLObjects(f.queue, 1, &buffer, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
}

TEST_CASE("a loader's own table: each object leads to it") {
    Fixture f;
    // The loader may have a table itself, and looks for functions there (ocl-icd 2.3.4 has).
    void* const of_loader = head(platform()).data;
    const auto address = extension_function<GetAddress>("clIcdGetFunctionAddressForPlatformKHR");
    Table table;
    const auto get = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address(platform(), name));
    };
    get(table.get_device_info, "clGetDeviceInfo");
    get(table.get_platform_info, "clGetPlatformInfo");
    std::optional<Data> data;
    if (!of_loader) data.emplace(&table);
    const void* const expected = of_loader ? of_loader : &table;
    REQUIRE(head(platform()).data == expected);
    REQUIRE(head(f.the_device).data == expected);
    CHECK(text(table.get_device_info, f.the_device, CL_DEVICE_NAME) ==
          text(clGetDeviceInfo, f.the_device, CL_DEVICE_NAME));

    Fixture made;  // objects from here on
    CHECK(head(made.context).data == expected);
    CHECK(head(made.queue).data == expected);
    cl_mem buffer = made.make_buffer(64);
    CHECK(head(buffer).data == expected);
    cl_program program = made.build("kernel void k(global int *a) { a[0] = 1; }");
    CHECK(head(program).data == expected);
    cl_kernel kernel = made.make_kernel(program, "k");
    CHECK(head(kernel).data == expected);
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    const size_t one = 1;
    cl_event event = nullptr;
    REQUIRE(clEnqueueNDRangeKernel(made.queue, kernel, 1, nullptr, &one, &one, 0, nullptr, &event) ==
            CL_SUCCESS);
    CHECK(head(event).data == expected);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    cl_sampler sampler = clCreateSamplerWithProperties(made.context, nullptr, nullptr);
    REQUIRE(sampler);
    CHECK(head(sampler).data == expected);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);

    const auto set_data = extension_function<SetData>("clIcdSetPlatformDispatchDataKHR");
    CHECK(set_data(nullptr, &table) == CL_INVALID_PLATFORM);
    CHECK(set_data(reinterpret_cast<cl_platform_id>(f.context), &table) == CL_INVALID_PLATFORM);
    CHECK(head(platform()).data == expected);
}

}  // namespace
}  // namespace caldera::driver_test
