// SPDX-License-Identifier: Apache-2.0
// Programs may keep in packed structs the values that they pass as pointers to void. UBSan sees loads that
// need an aligned address. The values that the driver reads must be right with any build.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/driver/images.h"
#include "vulkan/icd/extension_names.h"

using namespace caldera::driver_test;

namespace {

/// A copy of a value, or of an array, at an odd address.
template <class T>
class Packed {
 public:
    explicit Packed(const T& value) { std::memcpy(bytes_ + 1, &value, sizeof value); }
    const void* get() const { return bytes_ + 1; }
    static constexpr size_t kSize = sizeof(T);

 private:
    alignas(16) std::byte bytes_[1 + sizeof(T)] = {};
};

template <class T>
cl_int set_packed(cl_kernel kernel, cl_uint index, const T& value) {
    const Packed<T> packed(value);
    return clSetKernelArg(kernel, index, packed.kSize, packed.get());
}
template <class T>
cl_int tell_packed(cl_kernel kernel, cl_kernel_exec_info name, const T& value) {
    const Packed<T> packed(value);
    return clSetKernelExecInfo(kernel, name, packed.kSize, packed.get());
}

bool has_extension(std::string_view name) {
    return text(clGetDeviceInfo, device(), CL_DEVICE_EXTENSIONS).find(name) != std::string::npos;
}

}  // namespace

TEST_CASE("5.9.2 buffers, images, samplers and values come from any address, and so do colours") {
    Fixture f;
    cl_image_desc desc = {};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 2;
    constexpr cl_image_format kFloats = {CL_RGBA, CL_FLOAT}, kSrgb = {CL_sRGBA, CL_UNORM_INT8},
                              kPacked = {CL_RGB, CL_UNORM_INT_101010};
    cl_kernel kernel = f.make_kernel(R"(
        kernel void k(read_only image2d_t i, sampler_t s, global float4 *out, float2 at) {
            out[0] = read_imagef(i, s, at);
        })",
                                     "k");
    cl_int code = 1;
    cl_sampler sampler =
        clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_mem out = f.make_buffer(16);
    CHECK(set_packed(kernel, 1, sampler) == CL_SUCCESS);
    CHECK(set_packed(kernel, 2, out) == CL_SUCCESS);
    CHECK(set_packed(kernel, 3, std::array<cl_float, 2>{1.5f, 0.5f}) == CL_SUCCESS);
    const Packed<std::array<cl_float, 4>> color({1, 0, 1, 1});
    for (const cl_image_format& format : {kFloats, kSrgb, kPacked}) {
        CAPTURE(format.image_channel_data_type);
        cl_uint count = 0;
        cl_image_format formats[300];
        REQUIRE(clGetSupportedImageFormats(f.context, CL_MEM_READ_ONLY, desc.image_type, 300, formats,
                                           &count) == CL_SUCCESS);
        if (std::none_of(formats, formats + count, [&](const cl_image_format& each) {
                return std::memcmp(&each, &format, sizeof each) == 0;
            }))
            continue;
        cl_mem image = make_image(f, desc, format, nullptr, CL_MEM_READ_ONLY);
        constexpr Size3 kAll = {2, 2, 1};
        CHECK(clEnqueueFillImage(f.queue, image, color.get(), kOrigin.data(), kAll.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
        CHECK(set_packed(kernel, 0, image) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
        CHECK(f.read<cl_float>(out, 4) == std::vector<cl_float>{1, 0, 1, 1});
    }
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

TEST_CASE("5.9.2 pipes and queues come from any address") {
    Fixture f;
    cl_program program = f.build(R"(
        kernel void put(write_only pipe int p) { int x = 7; write_pipe(p, &x); }
        kernel void get(read_only pipe int p, global int *out) { int x = 0; read_pipe(p, &x); *out = x; })",
                                 "-cl-std=CL2.0");
    cl_kernel put = f.make_kernel(program, "put"), get = f.make_kernel(program, "get");
    cl_int code = 1;
    cl_mem pipe = clCreatePipe(f.context, 0, 4, 16, nullptr, &code), out = f.make_buffer(4);
    REQUIRE(code == CL_SUCCESS);
    CHECK(set_packed(put, 0, pipe) == CL_SUCCESS);
    CHECK(set_packed(get, 0, pipe) == CL_SUCCESS);
    CHECK(set_packed(get, 1, out) == CL_SUCCESS);
    CHECK(run(f.queue, put, 1) == CL_SUCCESS);
    CHECK(run(f.queue, get, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 7);
    CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
    if (!has_device_enqueue()) return;
    cl_command_queue on_device = f.make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel parent = f.make_kernel(R"(
        kernel void parent(queue_t q, global int *out) {
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ atomic_add(out, 100); });
        })",
                                     "parent", "-cl-std=CL2.0");
    CHECK(set_packed(parent, 0, on_device) == CL_SUCCESS);
    CHECK(set_packed(parent, 1, out) == CL_SUCCESS);
    CHECK(run(f.queue, parent, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 407);
}

TEST_CASE("5.9.2 what kernels find in memory is told from any address") {
    if (!has_addresses()) return;
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void k(global int *p) { *p = 1; }", "k");
    constexpr std::array<cl_ulong, 3> kAddresses = {0, 0x1000, 0x2000};
    CHECK(tell_packed(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, cl_bool{CL_FALSE}) == CL_SUCCESS);
    if (has_extension("cl_ext_buffer_device_address"))
        CHECK(tell_packed(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, kAddresses) == CL_SUCCESS);
    if (has_extension("cl_intel_unified_shared_memory")) {
        CHECK(tell_packed(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, kAddresses) == CL_SUCCESS);
        CHECK(tell_packed(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, cl_bool{CL_TRUE}) ==
              CL_SUCCESS);
    }
    if (info<cl_bitfield>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_CAPABILITIES) == 0) return;
    cl_kernel follow =
        f.make_kernel("kernel void k(global int *global *p) { **p += 1; }", "k", "-cl-std=CL2.0");
    auto* const memory = static_cast<void**>(clSVMAlloc(f.context, 0, sizeof(void*), 0));
    auto* const number = static_cast<cl_int*>(clSVMAlloc(f.context, 0, sizeof(cl_int), 0));
    REQUIRE(memory);
    REQUIRE(number);
    const auto on_host = [&](void* pointer, size_t size, const auto& use) {
        REQUIRE(clEnqueueSVMMap(f.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, pointer, size, 0, nullptr,
                                nullptr) == CL_SUCCESS);
        use();
        REQUIRE(clEnqueueSVMUnmap(f.queue, pointer, 0, nullptr, nullptr) == CL_SUCCESS);
    };
    on_host(memory, sizeof(void*), [&] { *memory = number; });
    on_host(number, sizeof(cl_int), [&] { *number = 41; });
    CHECK(clSetKernelArgSVMPointer(follow, 0, memory) == CL_SUCCESS);
    CHECK(tell_packed(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, std::array<void*, 2>{nullptr, number}) ==
          CL_SUCCESS);
    CHECK(run(f.queue, follow, 1) == CL_SUCCESS);
    cl_int found = 0;
    on_host(number, sizeof(cl_int), [&] { found = *number; });
    CHECK(found == 42);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    clSVMFree(f.context, memory);
    clSVMFree(f.context, number);
}

TEST_CASE("queries of sub-groups and regions of buffers come from any address") {
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void k(global int *p) { *p = 1; }", "k");
    const auto ask = [&](cl_kernel_sub_group_info name, const auto& input, auto answer) {
        const auto get = [&](size_t size, const void* from) {
            CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, name, size, from, sizeof answer, &answer,
                                          nullptr) == CL_SUCCESS);
            return answer;
        };
        const Packed packed(input);
        CHECK(get(packed.kSize, packed.get()) == get(sizeof input, &input));
        return answer;
    };
    constexpr std::array<size_t, 3> kShape = {4, 2, 1};
    CHECK(ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, kShape, size_t{}) >= 1);
    CHECK(ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, kShape, size_t{}) >= 1);
    CHECK(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, size_t{1}, std::array<size_t, 3>{})[0] >= 1);

    cl_mem whole = f.make_buffer(1 << 16);
    const size_t alignment = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    const Packed region(cl_buffer_region{alignment, 12});
    cl_int code = 1;
    f.buffers.push_back(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, region.get(), &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<size_t>(clGetMemObjectInfo, f.buffers.back(), CL_MEM_OFFSET) == alignment);
    CHECK(info<size_t>(clGetMemObjectInfo, f.buffers.back(), CL_MEM_SIZE) == 12);
}
