// SPDX-License-Identifier: Apache-2.0
// Images of buffers, and what images need (cl_ext_image_from_buffer, cl_ext_image_requirements_info).
#include <cstring>

#include "tests/driver/images.h"

using namespace caldera::driver_test;

TEST_CASE("cl_ext_image_from_buffer: images of every type have a buffer's bytes") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(256);
    cl_mem buffer = f.make_buffer(256, bytes.data());
    struct Row {
        cl_image_desc desc;
        Size3 at = {}, region = {};
        size_t first = 0;  // byte of the region
    };
    const cl_image_desc line{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 9, .buffer = buffer};
    const cl_image_desc lines{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                              .image_width = 5,
                              .image_array_size = 3,
                              .image_row_pitch = 24,
                              .image_slice_pitch = 48,
                              .buffer = buffer};
    const cl_image_desc planes{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                               .image_width = 3,
                               .image_height = 2,
                               .image_array_size = 2,
                               .image_row_pitch = 16,
                               .image_slice_pitch = 64,
                               .buffer = buffer};
    const cl_image_desc volume{.image_type = CL_MEM_OBJECT_IMAGE3D,
                               .image_width = 2,
                               .image_height = 2,
                               .image_depth = 4,
                               .image_slice_pitch = 24,
                               .buffer = buffer};
    for (const Row& row :
         {Row{line, {2, 0, 0}, {4, 1, 1}, 8}, Row{lines, {1, 2, 0}, {3, 1, 1}, 2 * 48 + 4},
          Row{planes, {1, 1, 1}, {2, 1, 1}, 64 + 16 + 4}, Row{volume, {0, 1, 3}, {2, 1, 1}, 3 * 24 + 8}}) {
        cl_mem image = make_image(f, row.desc, kRgba8);
        CHECK(info<cl_mem>(clGetMemObjectInfo, image, CL_MEM_ASSOCIATED_MEMOBJECT) == buffer);
        std::vector<cl_uchar> out(row.region[0] * 4);
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, row.at.data(), row.region.data(), 0, 0, out.data(),
                                 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(std::memcmp(out.data(), &bytes[row.first], out.size()) == 0);
    }
    cl_kernel kernel = f.make_kernel(
        "kernel void k(read_only image3d_t a, global uint4 *out) { *out = read_imageui(a, (int4)(1, 1, 2, "
        "0)); }",
        "k");
    cl_mem out = f.make_buffer(16);
    CHECK(set(kernel, 0, make_image(f, volume, kRgba8)) == CL_SUCCESS);
    CHECK(set(kernel, 1, out) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(out, 4) == std::vector<cl_uint>{61, 62, 63, 64});

    const auto code_of = [&](cl_image_desc desc, cl_mem of) {
        desc.buffer = of;
        cl_int code = 1;
        cl_mem made = clCreateImage(f.context, 0, &kRgba8, &desc, nullptr, &code);
        if (made) f.buffers.push_back(made);
        return code;
    };
    const auto with_pitches = [](cl_image_desc desc, size_t row, size_t slice) {
        desc.image_row_pitch = row;
        desc.image_slice_pitch = slice;
        return desc;
    };
    CHECK(code_of(with_pitches(planes, 14, 64), buffer) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(code_of(with_pitches(planes, 16, 66), buffer) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(code_of(with_pitches(planes, 8, 64), buffer) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(with_pitches(planes, 16, 24), buffer) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(planes, f.make_buffer(64 + 16 + 8)) == CL_INVALID_IMAGE_SIZE);
    alignas(16) static cl_uchar own[256];
    CHECK(code_of(line, f.make_buffer(64, own + 2, CL_MEM_USE_HOST_PTR)) ==
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(code_of(line, f.make_buffer(64, own + 4, CL_MEM_USE_HOST_PTR)) == CL_SUCCESS);
}

TEST_CASE("5.3.4 an image and the buffer that it is made of are copied to each other without overlap alone") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(1024);
    cl_mem buffer = f.make_buffer(1024, bytes.data());
    cl_mem image = make_image(f,
                              {.image_type = CL_MEM_OBJECT_IMAGE2D,
                               .image_width = 8,
                               .image_height = 16,
                               .image_row_pitch = 64,
                               .buffer = buffer},
                              kRgba8);
    const size_t origin[3] = {}, region[3] = {8, 4, 1};  // 4 of 32 bytes, 64 apart
    const auto to_buffer = [&](size_t offset) {
        return clEnqueueCopyImageToBuffer(f.queue, image, buffer, origin, region, offset, 0, nullptr,
                                          nullptr);
    };
    const auto to_image = [&](size_t offset) {
        return clEnqueueCopyBufferToImage(f.queue, buffer, image, offset, origin, region, 0, nullptr,
                                          nullptr);
    };
    for (const size_t offset : {size_t{0}, size_t{64}, size_t{31}, size_t{192}, size_t{223}}) {
        CAPTURE(offset);
        CHECK(to_buffer(offset) == CL_MEM_COPY_OVERLAP);
        CHECK(to_image(offset) == CL_MEM_COPY_OVERLAP);
    }
    CHECK(to_buffer(256) == CL_SUCCESS);
    std::vector<cl_uchar> out = f.read<cl_uchar>(buffer, 1024);
    for (size_t row = 0; row < 4; ++row) CHECK(std::memcmp(&out[256 + 32 * row], &bytes[64 * row], 32) == 0);
    CHECK(to_image(512) == CL_SUCCESS);
    out = f.read<cl_uchar>(buffer, 1024);
    for (size_t row = 0; row < 4; ++row) CHECK(std::memcmp(&out[64 * row], &bytes[512 + 32 * row], 32) == 0);
}

TEST_CASE("cl_ext_image_requirements_info") {
    Fixture f;
    const auto ask_for =
        extension_function<clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT");
    const auto ask = [&]<class T>(T& value, cl_image_requirements_info_ext name,
                                  const cl_image_format* format, const cl_image_desc* desc) {
        size_t size = 0;
        const cl_int code =
            ask_for(f.context, nullptr, CL_MEM_READ_WRITE, format, desc, name, sizeof value, &value, &size);
        CHECK((code != CL_SUCCESS || size == sizeof value));
        return code;
    };
    size_t bytes = 0;
    cl_uint most = 0;
    const cl_image_desc plane{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 5, .image_height = 3};
    for (const cl_image_requirements_info_ext name :
         {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
          CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT}) {
        CHECK(ask(bytes, name, &kRgba8, &plane) == CL_SUCCESS);
        CHECK(bytes == 4);
        CHECK(ask(bytes, name, nullptr, nullptr) == CL_SUCCESS);
        CHECK(bytes == 16);
    }

    CHECK(ask(bytes, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &plane) == CL_SUCCESS);
    CHECK(bytes == 60);
    CHECK(info<size_t>(clGetMemObjectInfo, make_image(f, plane, kRgba8), CL_MEM_SIZE) == bytes);
    cl_image_desc padded = plane;
    padded.image_row_pitch = 32;
    CHECK(ask(bytes, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &padded) == CL_SUCCESS);
    CHECK(bytes == 2 * 32 + 20);
    padded.image_row_pitch = size_t{1} << 63;  // twice that is 0 bytes
    CHECK(ask(bytes, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, &padded) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(ask(bytes, CL_IMAGE_REQUIREMENTS_SIZE_EXT, nullptr, &plane) == CL_INVALID_VALUE);
    CHECK(ask(bytes, CL_IMAGE_REQUIREMENTS_SIZE_EXT, &kRgba8, nullptr) == CL_INVALID_VALUE);

    const auto most_of = [&](cl_image_requirements_info_ext name, cl_mem_object_type type) {
        const cl_image_desc desc{.image_type = type};
        CHECK(ask(most, name, &kRgba8, &desc) == CL_SUCCESS);
        return most;
    };
    const auto limit = [&](cl_device_info name) { return info<size_t>(clGetDeviceInfo, f.the_device, name); };
    CHECK(most_of(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_MEM_OBJECT_IMAGE2D) ==
          limit(CL_DEVICE_IMAGE2D_MAX_WIDTH));
    CHECK(most_of(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_MEM_OBJECT_IMAGE1D_BUFFER) ==
          limit(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
    CHECK(most_of(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_MEM_OBJECT_IMAGE3D) ==
          limit(CL_DEVICE_IMAGE3D_MAX_HEIGHT));
    CHECK(most_of(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, 0) == limit(CL_DEVICE_IMAGE3D_MAX_DEPTH));
    CHECK(most_of(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, CL_MEM_OBJECT_IMAGE1D_ARRAY) ==
          limit(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
    CHECK(ask(most, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, nullptr, nullptr) == CL_SUCCESS);
    CHECK(most <= limit(CL_DEVICE_IMAGE3D_MAX_WIDTH));
    // What the type does not have, and what is too large.
    const auto code_of = [&](cl_image_requirements_info_ext name, cl_image_desc desc) {
        return ask(most, name, &kRgba8, &desc);
    };
    for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                          CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_BUFFER})
        CHECK(code_of(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, {.image_type = static_cast<cl_uint>(type)}) ==
              CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, plane) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, plane) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
                  {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_height = 1 << 20}) ==
          CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
                  {.image_type = CL_MEM_OBJECT_IMAGE2D, .num_mip_levels = 2}) == CL_INVALID_IMAGE_DESCRIPTOR);

    const auto checked = [&](cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                             const cl_image_format& format, const cl_image_desc& desc,
                             cl_image_requirements_info_ext name, size_t size) {
        return ask_for(context, properties, flags, &format, &desc, name, size, &bytes, nullptr);
    };
    constexpr cl_image_requirements_info_ext kRow = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
    constexpr size_t kSize = sizeof bytes;
    const cl_mem_properties unknown[] = {0x9999, 1, 0};
    CHECK(checked(nullptr, nullptr, 0, kRgba8, plane, kRow, kSize) == CL_INVALID_CONTEXT);
    CHECK(checked(f.context, unknown, 0, kRgba8, plane, kRow, kSize) == CL_INVALID_PROPERTY);
    CHECK(checked(f.context, nullptr, ~cl_mem_flags{0}, kRgba8, plane, kRow, kSize) == CL_INVALID_VALUE);
    CHECK(checked(f.context, nullptr, CL_MEM_KERNEL_READ_AND_WRITE, kRgba8, plane, kRow, kSize) ==
          CL_SUCCESS);
    CHECK(checked(f.context, nullptr, 0, {CL_INTENSITY, CL_UNORM_SHORT_555}, plane, kRow, kSize) ==
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(checked(f.context, nullptr, 0, kRgba8, {.image_type = CL_MEM_OBJECT_IMAGE1D}, kRow, kSize) ==
          CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(checked(f.context, nullptr, 0, kRgba8, plane, CL_IMAGE_FORMAT, kSize) == CL_INVALID_VALUE);
    CHECK(checked(f.context, nullptr, 0, kRgba8, plane, kRow, kSize - 1) == CL_INVALID_VALUE);
}
