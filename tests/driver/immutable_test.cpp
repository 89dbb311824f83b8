// SPDX-License-Identifier: Apache-2.0
// Memory objects that nobody writes to (cl_ext_immutable_memory_objects).
#include <array>

#include "tests/driver/fixture.h"
#include "vulkan/icd/newer_names.h"

using namespace caldera::driver_test;

namespace {

constexpr cl_image_format kFormat = {CL_RGBA, CL_UNORM_INT8};
constexpr cl_image_desc kDesc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 1};
constexpr size_t kOrigin[3] = {}, kRegion[3] = {4, 1, 1}, kBytes[3] = {16, 1, 1};

struct Immutable : Fixture {
    std::array<cl_int, 4> values = {11, 22, 33, 44};
    cl_int code = 1;

    cl_mem keep(cl_mem made) {
        if (made) buffers.push_back(made);
        return made;
    }
    cl_mem buffer(cl_mem_flags flags) {
        const bool copies = flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
        return keep(clCreateBuffer(context, flags, sizeof values, copies ? values.data() : nullptr, &code));
    }
    cl_mem image(cl_mem_flags flags, cl_mem parent = nullptr) {
        cl_image_desc desc = kDesc;
        desc.mem_object = parent;
        const bool copies = flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
        return keep(clCreateImage(context, flags, &kFormat, &desc, copies ? values.data() : nullptr, &code));
    }
    cl_mem part(cl_mem parent, cl_mem_flags flags) {
        const cl_buffer_region region = {0, 8};
        return keep(clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    }
    bool is_immutable(cl_mem memory) {
        return info<cl_mem_flags>(clGetMemObjectInfo, memory, CL_MEM_FLAGS) & CL_MEM_IMMUTABLE_EXT;
    }
};

}  // namespace

TEST_CASE("immutable memory gets its bytes when it is made, and has no flag that writes") {
    Immutable f;
    for (const cl_mem_flags how : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
        f.buffer(CL_MEM_IMMUTABLE_EXT | how);
        CHECK(f.code == CL_SUCCESS);
        f.image(CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY | how);
        CHECK(f.code == CL_SUCCESS);
        for (const cl_mem_flags writes : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY}) {
            CHECK_FALSE(f.buffer(CL_MEM_IMMUTABLE_EXT | how | writes));
            CHECK(f.code == CL_INVALID_VALUE);
            CHECK_FALSE(f.image(CL_MEM_IMMUTABLE_EXT | how | writes));
            CHECK(f.code == CL_INVALID_VALUE);
        }
    }
    CHECK_FALSE(f.buffer(CL_MEM_IMMUTABLE_EXT));
    CHECK(f.code == CL_INVALID_VALUE);
    CHECK_FALSE(f.image(CL_MEM_IMMUTABLE_EXT | CL_MEM_ALLOC_HOST_PTR));
    CHECK(f.code == CL_INVALID_VALUE);
    cl_uint read = 0, written = 0;
    CHECK(clGetSupportedImageFormats(f.context, CL_MEM_IMMUTABLE_EXT, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                     &read) == CL_SUCCESS);
    CHECK(clGetSupportedImageFormats(f.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                     &written) == CL_SUCCESS);
    CHECK(read >= written);
}

TEST_CASE("what shares the bytes of immutable memory is immutable, and so is an immutable part") {
    Immutable f;
    cl_mem whole = f.buffer(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR);
    CHECK(f.is_immutable(f.part(whole, 0)));
    CHECK(f.is_immutable(f.part(whole, CL_MEM_READ_ONLY)));
    CHECK_FALSE(f.part(whole, CL_MEM_READ_WRITE));
    CHECK(f.code == CL_INVALID_VALUE);
    CHECK_FALSE(f.part(whole, CL_MEM_HOST_WRITE_ONLY));
    CHECK(f.code == CL_INVALID_VALUE);
    CHECK_FALSE(f.image(0, whole));
    CHECK(f.code == CL_INVALID_VALUE);
    CHECK(f.is_immutable(f.image(CL_MEM_IMMUTABLE_EXT, whole)));
    cl_mem written = f.make_buffer(16);
    cl_mem part = f.part(written, CL_MEM_IMMUTABLE_EXT);
    REQUIRE(part);
    CHECK(f.is_immutable(part));
    const cl_int zero = 0;
    CHECK(clEnqueueFillBuffer(f.queue, part, &zero, 4, 0, 8, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
    CHECK(clEnqueueFillBuffer(f.queue, written, &zero, 4, 0, 16, 0, nullptr, nullptr) == CL_SUCCESS);
}

TEST_CASE("no command writes to immutable memory, and all read it") {
    Immutable f;
    const cl_mem buffer = f.buffer(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR);
    const cl_mem image = f.image(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR);
    const cl_mem other = f.make_buffer(16);
    const cl_mem other_image = f.image(CL_MEM_READ_WRITE);
    cl_command_queue q = f.queue;
    std::array<cl_int, 4> bytes = {};
    const float color[4] = {};
    const auto refused = [](cl_int code) { CHECK(code == CL_INVALID_OPERATION); };
    refused(clEnqueueWriteBuffer(q, buffer, CL_TRUE, 0, 16, bytes.data(), 0, nullptr, nullptr));
    refused(clEnqueueWriteBufferRect(q, buffer, CL_TRUE, kOrigin, kOrigin, kBytes, 0, 0, 0, 0, bytes.data(),
                                     0, nullptr, nullptr));
    refused(clEnqueueFillBuffer(q, buffer, color, 4, 0, 16, 0, nullptr, nullptr));
    refused(clEnqueueCopyBuffer(q, other, buffer, 0, 0, 16, 0, nullptr, nullptr));
    refused(
        clEnqueueCopyBufferRect(q, other, buffer, kOrigin, kOrigin, kBytes, 0, 0, 0, 0, 0, nullptr, nullptr));
    refused(clEnqueueCopyImageToBuffer(q, other_image, buffer, kOrigin, kRegion, 0, 0, nullptr, nullptr));
    refused(
        clEnqueueWriteImage(q, image, CL_TRUE, kOrigin, kRegion, 0, 0, bytes.data(), 0, nullptr, nullptr));
    refused(clEnqueueFillImage(q, image, color, kOrigin, kRegion, 0, nullptr, nullptr));
    refused(clEnqueueCopyImage(q, other_image, image, kOrigin, kOrigin, kRegion, 0, nullptr, nullptr));
    refused(clEnqueueCopyBufferToImage(q, other, image, 0, kOrigin, kRegion, 0, nullptr, nullptr));
    size_t pitch = 0;
    for (const cl_mem_flags how : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR})
        for (const cl_map_flags writes : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
            clEnqueueMapBuffer(q, f.buffer(CL_MEM_IMMUTABLE_EXT | how), CL_TRUE, writes, 0, 16, 0, nullptr,
                               nullptr, &f.code);
            refused(f.code);
            for (size_t* const row_pitch : {&pitch, static_cast<size_t*>(nullptr)}) {  // without it, too
                clEnqueueMapImage(q, f.image(CL_MEM_IMMUTABLE_EXT | how), CL_TRUE, writes, kOrigin, kRegion,
                                  row_pitch, nullptr, 0, nullptr, nullptr, &f.code);
                refused(f.code);
            }
        }
    void* mapped = clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &f.code);
    REQUIRE(mapped);
    CHECK(static_cast<const cl_int*>(mapped)[3] == 44);
    CHECK(clEnqueueUnmapMemObject(q, buffer, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueCopyBuffer(q, buffer, other, 0, 0, 16, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(f.read<cl_int>(other, 4)[2] == 33);
    CHECK(clEnqueueCopyImageToBuffer(q, image, other, kOrigin, kRegion, 0, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(f.read<cl_int>(other, 4)[1] == 22);
}

TEST_CASE("kernels read immutable memory, and cannot be given it to write") {
    Immutable f;
    const cl_mem image = f.image(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR), out = f.make_buffer(16);
    cl_program program = f.build(R"(
        kernel void show(read_only image2d_t image, global float *out) {
            out[get_global_id(0)] = read_imagef(image, (int2)(get_global_id(0), 0)).x * 255;
        }
        kernel void add(global int *out, global const int *a, constant int *b) {
            out[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
        }
        kernel void set(write_only image2d_t image) { write_imagef(image, (int2)(0, 0), (float4)(1)); }
        kernel void change(read_write image2d_t image) {
            write_imagef(image, (int2)(0, 0), read_imagef(image, (int2)(1, 0)));
        }
    )",
                                 "-cl-std=CL3.0");
    cl_kernel add = f.make_kernel(program, "add");
    cl_mem buffer = f.buffer(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR);
    CHECK(set(add, 0, buffer) == CL_INVALID_ARG_VALUE);
    CHECK(set(add, 0, out) == CL_SUCCESS);
    CHECK(set(add, 1, buffer) == CL_SUCCESS);
    CHECK(set(add, 2, buffer) == CL_SUCCESS);
    REQUIRE(run(f.queue, add, 4) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 4)[3] == 88);
    CHECK(set(f.make_kernel(program, "set"), 0, image) == CL_INVALID_ARG_VALUE);
    CHECK(set(f.make_kernel(program, "change"), 0, image) == CL_INVALID_ARG_VALUE);
    cl_kernel show = f.make_kernel(program, "show");
    REQUIRE(set(show, 0, image) == CL_SUCCESS);
    REQUIRE(set(show, 1, out) == CL_SUCCESS);
    REQUIRE(run(f.queue, show, 4) == CL_SUCCESS);
    CHECK(f.read<float>(out, 4)[3] == doctest::Approx(44));
}
