// SPDX-License-Identifier: Apache-2.0
// Images and samplers (OpenCL API 5.3, 5.7).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/driver/images.h"
#include "tests/driver/queries.h"
#include "tests/driver/times.h"
#include "vulkan/icd/newer_names.h"

using namespace caldera::driver_test;

TEST_CASE("kernels with more images than a device can bind are declined") {
    if (has_addresses()) return;
    Fixture f;
    const auto most = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_MAX_READ_IMAGE_ARGS);
    std::string source = "kernel void k(global int *out";
    for (cl_uint i = 0; i < 2 * most; ++i) source += ", read_only image2d_t i" + std::to_string(i);
    cl_program program = f.source((source + ") { *out = 1; }").c_str());
    CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    const std::string log = text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG);
    INFO(log);
    CHECK(log.find("kernel 'k': its " + std::to_string(2 * most + 1) + " pointers and images need ") !=
          std::string::npos);
    CHECK(log.find("maxPerStageDescriptorStorageBuffers") != std::string::npos);
}

TEST_CASE("5.3.1 images of every shape keep what they are given") {
    Fixture f;
    struct Row {
        cl_image_desc desc;
        Size3 region;
    };
    const Row rows[] = {
        {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 13}, {13, 1, 1}},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 7, .image_height = 5}, {7, 5, 1}},
        {{.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 5, .image_height = 3, .image_depth = 4},
         {5, 3, 4}},
        {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 6, .image_array_size = 3}, {6, 3, 1}},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 4,
          .image_height = 3,
          .image_array_size = 2},
         {4, 3, 2}}};
    for (const Row& row : rows) {
        const size_t bytes = row.region[0] * row.region[1] * row.region[2] * 4;
        std::vector<cl_uchar> in = counted(bytes), out(bytes);
        cl_mem image = make_image(f, row.desc, kRgba8, in.data());
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), row.region.data(), 0, 0, out.data(),
                                 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(in == out);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_WIDTH) == row.desc.image_width);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_HEIGHT) == row.desc.image_height);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_DEPTH) == row.desc.image_depth);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ARRAY_SIZE) == row.desc.image_array_size);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE) == 4);
        // A texel, in and out again.
        const Size3 last = {row.region[0] - 1, row.region[1] - 1, row.region[2] - 1}, one = {1, 1, 1};
        CHECK(clEnqueueWriteImage(f.queue, image, CL_FALSE, last.data(), one.data(), 0, 0, "wxyz", 0, nullptr,
                                  nullptr) == CL_SUCCESS);
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), row.region.data(), 0, 0, out.data(),
                                 0, nullptr, nullptr) == CL_SUCCESS);
        std::memcpy(in.data() + bytes - 4, "wxyz", 4);
        CHECK(in == out);
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, last.data(), row.region.data(), 0, 0, out.data(), 0,
                                 nullptr, nullptr) == (bytes == 4 ? CL_SUCCESS : CL_INVALID_VALUE));
    }
}

TEST_CASE("5.3.1 errors of images") {
    Fixture f;
    cl_int code = 1;
    cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const auto fails = [&](const cl_image_format* format, const cl_image_desc* its_desc, void* host = nullptr,
                           cl_mem_flags flags = 0) {
        CHECK(clCreateImage(f.context, flags, format, its_desc, host, &code) == nullptr);
        return code;
    };
    const cl_image_format wrong = {CL_RGB, CL_FLOAT};
    CHECK(fails(nullptr, &desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(fails(&wrong, &desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    for (const cl_image_format& no_format : {cl_image_format{0xdead, CL_FLOAT},
                                             {CL_RGBA, 0xbeef},
                                             {CL_RGBA, CL_UNORM_SHORT_565},
                                             {CL_RGBA, CL_UNORM_INT_2_101010_EXT},
                                             {CL_ABGR, CL_UNORM_INT_101010_2},
                                             {CL_sRGB, CL_FLOAT}})
        CHECK(fails(&no_format, &desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    for (const cl_image_format& no_device_has : {cl_image_format{CL_sRGB, CL_UNORM_INT8},
                                                 {CL_DEPTH_STENCIL, CL_UNORM_INT24},
                                                 {CL_Rx, CL_UNORM_INT8},
                                                 {CL_RGx, CL_FLOAT},
                                                 {CL_RGBx, CL_UNORM_SHORT_565}})
        CHECK(fails(&no_device_has, &desc) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
    const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
    for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                          CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE3D}) {
        const cl_image_desc other{
            .image_type = type,
            .image_width = 4,
            .image_height = 4,
            .image_depth = 4,
            .image_array_size = 4,
            .buffer = type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? f.make_buffer(16) : nullptr};
        CHECK(fails(&depth, &other) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
        std::vector<cl_image_format> formats(200);
        cl_uint its_count = 0;
        CHECK(clGetSupportedImageFormats(f.context, CL_MEM_READ_ONLY, type, 200, formats.data(),
                                         &its_count) == CL_SUCCESS);
        CHECK(its_count > 30);
        CHECK(std::ranges::count(formats, cl_channel_order{CL_DEPTH},
                                 &cl_image_format::image_channel_order) == 0);
    }
    CHECK(fails(&kRgba8, nullptr) == CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_width = 0;
    CHECK(fails(&kRgba8, &desc) == CL_INVALID_IMAGE_SIZE);
    desc.image_width = 1 << 20;
    CHECK(fails(&kRgba8, &desc) == CL_INVALID_IMAGE_SIZE);
    desc.image_width = 4;
    desc.image_row_pitch = 100;
    CHECK(fails(&kRgba8, &desc) == CL_INVALID_IMAGE_DESCRIPTOR);
    std::vector<cl_uchar> host(400);
    desc.image_row_pitch = 15;
    CHECK(fails(&kRgba8, &desc, host.data(), CL_MEM_COPY_HOST_PTR) == CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 0;
    CHECK(fails(&kRgba8, &desc, host.data()) == CL_INVALID_HOST_PTR);
    cl_uint count = 0;
    CHECK(clGetSupportedImageFormats(f.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                     &count) == CL_SUCCESS);
    CHECK(count > 30);
    CHECK(clGetSupportedImageFormats(f.context, 0, 0, 0, nullptr, &count) == CL_INVALID_VALUE);
    for (const cl_mem_flags flags :
         {CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
          CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 1 << 20})  // no image could be made with them
        CHECK(clGetSupportedImageFormats(f.context, flags, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count) ==
              CL_INVALID_VALUE);
    CHECK(clGetSupportedImageFormats(f.context, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, 0,
                                     nullptr, &count) == CL_SUCCESS);
    cl_mem buffer = f.make_buffer(16);
    CHECK(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("5.3.3 pitches, copies, fills and maps") {
    Fixture f;
    std::vector<cl_uchar> host = counted(3 * 20);
    cl_image_desc desc{
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 3, .image_row_pitch = 20};
    cl_mem image = make_image(f, desc, kRgba8, host.data()),
           second = make_image(f, {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 3},
                               kRgba8);
    const Size3 at = {1, 1, 0}, region = {2, 2, 1}, whole = {4, 3, 1};
    std::vector<cl_uchar> out(24, 0);
    CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, at.data(), region.data(), 12, 0, out.data(), 0, nullptr,
                             nullptr) == CL_SUCCESS);
    for (size_t y = 0; y < 2; ++y) CHECK(std::memcmp(&out[y * 12], &host[(y + 1) * 20 + 4], 8) == 0);
    const std::array<cl_uint, 4> color = {1, 2, 300, 4};
    CHECK(clEnqueueFillImage(f.queue, second, color.data(), kOrigin.data(), whole.data(), 0, nullptr,
                             nullptr) == CL_SUCCESS);
    CHECK(clEnqueueCopyImage(f.queue, image, second, at.data(), kOrigin.data(), region.data(), 0, nullptr,
                             nullptr) == CL_SUCCESS);
    cl_mem buffer = f.make_buffer(64);
    CHECK(clEnqueueCopyImageToBuffer(f.queue, second, buffer, kOrigin.data(), whole.data(), 16, 0, nullptr,
                                     nullptr) == CL_SUCCESS);
    std::vector<cl_uchar> bytes = f.read<cl_uchar>(buffer, 64);
    CHECK(std::memcmp(&bytes[16], &host[24], 8) == 0);
    CHECK(bytes[16 + 8] == 1);
    CHECK(bytes[16 + 10] == 255);
    CHECK(clEnqueueCopyBufferToImage(f.queue, buffer, second, 16, at.data(), region.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
    size_t row_pitch = 0;
    cl_int code = 1;
    auto* mapped = static_cast<cl_uchar*>(
        clEnqueueMapImage(f.queue, second, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, at.data(), region.data(),
                          &row_pitch, nullptr, 0, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(std::memcmp(mapped, &bytes[16], 8) == 0);
    CHECK(std::memcmp(mapped + row_pitch, &bytes[24], 8) == 0);
    mapped[row_pitch] = 99;
    CHECK(clEnqueueUnmapMemObject(f.queue, second, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    std::vector<cl_uchar> all(48);
    CHECK(clEnqueueReadImage(f.queue, second, CL_TRUE, kOrigin.data(), whole.data(), 0, 0, all.data(), 0,
                             nullptr, nullptr) == CL_SUCCESS);
    CHECK(all[(2 * 4 + 1) * 4] == 99);
    CHECK(clEnqueueCopyImage(f.queue, second, second, kOrigin.data(), at.data(), region.data(), 0, nullptr,
                             nullptr) == CL_MEM_COPY_OVERLAP);
    CHECK(clEnqueueReadImage(f.queue, buffer, CL_TRUE, kOrigin.data(), whole.data(), 0, 0, all.data(), 0,
                             nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("5.3.3 copies between images that do not go together") {
    Fixture f;
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    for (const cl_image_format& format : {kRgba8, kRgba8, cl_image_format{CL_RGBA, CL_SIGNED_INT8}})
        make_image(f, desc, format);
    const size_t at_0[] = {0, 0, 0}, at_1[] = {1, 1, 0}, region[] = {3, 3, 1}, whole[] = {4, 4, 1};
    const auto copy = [&](int from, int to, const size_t* to_origin, const size_t* size) {
        return clEnqueueCopyImage(f.queue, f.buffers[from], f.buffers[to], at_0, to_origin, size, 0, nullptr,
                                  nullptr);
    };
    CHECK(copy(0, 1, at_1, region) == CL_SUCCESS);
    CHECK(copy(0, 2, at_1, region) == CL_IMAGE_FORMAT_MISMATCH);
    CHECK(copy(0, 0, at_1, region) == CL_MEM_COPY_OVERLAP);
    CHECK(copy(0, 1, at_1, whole) == CL_INVALID_VALUE);
    CHECK(copy(0, 1, nullptr, region) == CL_INVALID_VALUE);
    cl_mem buffer = f.make_buffer(64);
    CHECK(clEnqueueCopyImage(f.queue, f.buffers[0], buffer, at_0, at_0, region, 0, nullptr, nullptr) ==
          CL_INVALID_MEM_OBJECT);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
}

TEST_CASE("5.7 samplers with a list of properties") {
    Fixture f;
    cl_int code = 1;
    const auto make = [&](const std::vector<cl_sampler_properties>& list) {
        return clCreateSamplerWithProperties(f.context, list.empty() ? nullptr : list.data(), &code);
    };
    cl_sampler sampler = make({});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_bool>(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
    CHECK(info<cl_addressing_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE) ==
          CL_ADDRESS_CLAMP);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    sampler =
        make({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_addressing_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE) ==
          CL_ADDRESS_REPEAT);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    CHECK(make({CL_SAMPLER_FILTER_MODE, 1, 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}) ==
          nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({12345, 1, 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateSampler(f.context, CL_TRUE, 1, CL_FILTER_NEAREST, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateSamplerWithProperties(nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);
}

TEST_CASE("kernels read through samplers and write images") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(R"(
        kernel void flip(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
            int2 at = (int2)(get_global_id(0), get_global_id(1));
            float2 where = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(in));
            write_imagef(out, (int2)(get_image_width(in) - 1 - at.x, at.y), read_imagef(in, s, where));
        })",
                                     "flip");
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 33, .image_height = 9};
    std::vector<float> in(33 * 9 * 4), out(in.size());
    std::iota(in.begin(), in.end(), 0.5f);
    cl_mem source = make_image(f, desc, format, in.data()), target = make_image(f, desc, format);
    cl_int code = 1;
    cl_sampler sampler =
        clCreateSampler(f.context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
    CHECK(set(kernel, 0, source) == CL_SUCCESS);
    CHECK(set(kernel, 1, target) == CL_SUCCESS);
    CHECK(set(kernel, 2, sampler) == CL_SUCCESS);
    CHECK(set(kernel, 2, source) == CL_INVALID_SAMPLER);
    CHECK(clSetKernelArg(kernel, 2, sizeof sampler, nullptr) == CL_INVALID_SAMPLER);
    CHECK(set(kernel, 0, f.make_buffer(16)) == CL_INVALID_MEM_OBJECT);
    const size_t items[] = {33, 9};
    CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 2, nullptr, items, nullptr, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    const Size3 whole = {33, 9, 1};
    CHECK(clEnqueueReadImage(f.queue, target, CL_TRUE, kOrigin.data(), whole.data(), 0, 0, out.data(), 0,
                             nullptr, nullptr) == CL_SUCCESS);
    for (size_t y = 0; y < 9; ++y)
        for (size_t x = 0; x < 33 * 4; ++x) CHECK(out[y * 132 + x] == in[y * 132 + (32 - x / 4) * 4 + x % 4]);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    CHECK(clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateSampler(f.context, CL_TRUE, CL_ADDRESS_CLAMP, 5, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("cl_intel_subgroups: a sub-group reads and writes blocks of an image's bytes") {
    Fixture f;
    if (!has_extension(f, "cl_intel_subgroups")) return;
    constexpr size_t kItems = 32, kRow = 160, kRows = 5;  // bytes of a row
    cl_kernel kernel = f.make_kernel(R"(
        kernel void copy(read_only image2d_t in, write_only image2d_t out, global uint *sizes) {
            if (get_sub_group_id() == 0) {
                uint4 block = intel_sub_group_block_read4(in, (int2)(4, 1));
                intel_sub_group_block_write4(out, (int2)(0, 2), block);
                sizes[get_sub_group_local_id()] = get_max_sub_group_size();
            }
        })",
                                     "copy");
    const cl_image_format formats[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}, {CL_R, CL_UNSIGNED_INT8}};
    for (const cl_image_format& format : formats) {
        const size_t texel = format.image_channel_data_type == CL_UNSIGNED_INT8 ? 1 : 4;
        const cl_image_desc desc{
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kRow / texel, .image_height = kRows};
        std::vector<cl_uchar> in(kRow * kRows), out(in.size());
        for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_uchar>(i * 37 % 113);
        const std::vector<cl_uchar> zeros(in.size());
        cl_mem source = make_image(f, desc, format, in.data());
        cl_mem target = make_image(f, desc, format, const_cast<cl_uchar*>(zeros.data()));
        std::vector<cl_uint> sizes(kItems);
        cl_mem buffer = f.make_buffer(4 * kItems, sizes.data());
        CHECK(set(kernel, 0, source) == CL_SUCCESS);
        CHECK(set(kernel, 1, target) == CL_SUCCESS);
        CHECK(set(kernel, 2, buffer) == CL_SUCCESS);
        const size_t items = kItems;
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        const Size3 whole = {kRow / texel, kRows, 1};
        CHECK(clEnqueueReadImage(f.queue, target, CL_TRUE, kOrigin.data(), whole.data(), 0, 0, out.data(), 0,
                                 nullptr, nullptr) == CL_SUCCESS);
        // As many work-items as the first sub-group has.
        const std::vector<cl_uint> written = f.read<cl_uint>(buffer, kItems);
        const auto lanes =
            static_cast<size_t>(std::ranges::count_if(written, [](cl_uint n) { return n != 0; }));
        CHECK(lanes == std::min<size_t>(written[0], kItems));
        for (size_t y = 0; y < kRows; ++y)
            for (size_t x = 0; x < kRow; ++x) {
                const bool is_written = y >= 2 && x < 4 * lanes;
                CHECK(out[y * kRow + x] == (is_written ? in[(y - 1) * kRow + x + 4] : 0));
            }
    }
}

TEST_CASE("5.3.1.1 a kernel reads the color that an image of any format was filled with") {
    Fixture f;
    const char* const source = R"(
        kernel void real(read_only image2d_t in, global float4 *out) { *out = read_imagef(in, (int2)(2, 1)); }
        kernel void depth(read_only image2d_depth_t in, global float4 *out) {
            *out = (float4)(read_imagef(in, (int2)(2, 1)), 0, 0, 1);
        }
        kernel void whole(read_only image2d_t in, global int4 *out) { *out = read_imagei(in, (int2)(2, 1)); }
        kernel void natural(read_only image2d_t in, global uint4 *out) { *out = read_imageui(in, (int2)(2, 1)); })";
    const std::array<cl_kernel, 4> kernels = {
        f.make_kernel(source, "real", "-cl-std=CL2.0"), f.make_kernel(source, "depth", "-cl-std=CL2.0"),
        f.make_kernel(source, "whole", "-cl-std=CL2.0"), f.make_kernel(source, "natural", "-cl-std=CL2.0")};
    cl_mem result = f.make_buffer(16);
    cl_uint count = 0;
    REQUIRE(clGetSupportedImageFormats(f.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                       &count) == CL_SUCCESS);
    std::vector<cl_image_format> formats(count);
    REQUIRE(clGetSupportedImageFormats(f.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, count,
                                       formats.data(), nullptr) == CL_SUCCESS);
    for (const cl_image_format& format : formats) {
        const cl_channel_order order = format.image_channel_order;
        const cl_channel_type type = format.image_channel_data_type;
        CAPTURE(order);
        CAPTURE(type);
        cl_mem image =
            make_image(f, {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2}, format,
                       nullptr, CL_MEM_READ_ONLY);
        const bool is_signed = type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32;
        const bool is_unsigned = (type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32) ||
                                 type == CL_UNSIGNED_INT_RAW10_EXT || type == CL_UNSIGNED_INT_RAW12_EXT;
        const std::array<float, 4> real = {1, 0, 1, 1};
        const std::array<cl_int, 4> whole = {-7, 11, -13, 17};
        const std::array<cl_uint, 4> natural = {7, 11, 13, 17};
        const void* color = is_signed     ? static_cast<const void*>(whole.data())
                            : is_unsigned ? static_cast<const void*>(natural.data())
                                          : real.data();
        const Size3 region = {4, 2, 1};
        CHECK(clEnqueueFillImage(f.queue, image, color, kOrigin.data(), region.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        cl_kernel kernel = kernels[is_signed ? 2 : is_unsigned ? 3 : order == CL_DEPTH ? 1 : 0];
        CHECK(set(kernel, 0, image) == CL_SUCCESS);
        CHECK(set(kernel, 1, result) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
        // A channel that is not in memory reads as 0, or as 1 if it is the last one.
        std::array<bool, 4> has = {true, true, true, true};
        switch (order) {
            case CL_A: has = {false, false, false, true}; break;
            case CL_R:
            case CL_DEPTH: has = {true, false, false, false}; break;
            case CL_RG: has = {true, true, false, false}; break;
            case CL_RA: has = {true, false, false, true}; break;
            case CL_RGB: has = {true, true, true, false}; break;
            default: break;
        }
        const bool is_grey = order == CL_INTENSITY || order == CL_LUMINANCE;
        for (size_t c = 0; c < 4; ++c) {
            CAPTURE(c);
            if (is_signed)
                CHECK(f.read<cl_int>(result, 4)[c] == (has[c] ? whole[c] : c == 3));
            else if (is_unsigned)
                CHECK(f.read<cl_uint>(result, 4)[c] == (has[c] ? natural[c] : c == 3));
            else
                CHECK(f.read<float>(result, 4)[c] == (is_grey ? 1 : has[c] ? real[c] : c == 3));
        }
    }
}

TEST_CASE("a fill rounds as a kernel's write does, in float") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "kernel void w(write_only image2d_t i, float v) { write_imagef(i, (int2)(0, 0), (float4)(v)); }",
        "w");
    constexpr Size3 kOne = {1, 1, 1};
    struct Row {
        cl_channel_type type;
        float most;
        cl_ushort least;  // the bits of the least number
    };
    for (const auto& [type, most, least] :
         {Row{CL_SNORM_INT8, 127, 0x80}, Row{CL_UNORM_INT8, 255, 0}, Row{CL_SNORM_INT16, 32767, 0x8000},
          Row{CL_UNORM_INT16, 65535, 0}}) {
        cl_mem image = make_image(
            f, {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1}, {CL_R, type});
        std::vector<float> values = {
            -2, -1, -1e30f, -INFINITY, 2, 1e30f, INFINITY, NAN, -(most + 0.4f) / most, -(most + 0.6f) / most};
        for (int i = 0; i < 40; ++i) values.push_back((static_cast<float>(3 * i) + 0.5f) / most);
        for (const float value : values) {
            const std::array<float, 4> color = {value};
            CAPTURE(type);
            CAPTURE(value);
            cl_ushort filled = 0, written = 0;
            CHECK(clEnqueueFillImage(f.queue, image, color.data(), kOrigin.data(), kOne.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
            CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), kOne.data(), 0, 0, &filled, 0,
                                     nullptr, nullptr) == CL_SUCCESS);
            CHECK(set(kernel, 0, image) == CL_SUCCESS);
            CHECK(set(kernel, 1, color[0]) == CL_SUCCESS);
            CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
            CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), kOne.data(), 0, 0, &written, 0,
                                     nullptr, nullptr) == CL_SUCCESS);
            CHECK(filled == written);
            if (value == -2) CHECK(written == least);
        }
    }
}

TEST_CASE("cl_ext_image_unorm_int_2_101010: alpha is in the highest bits, red in the lowest") {
    constexpr cl_image_format kFormat = {CL_ABGR, CL_UNORM_INT_2_101010_EXT};
    constexpr cl_image_desc kDesc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 1};
    constexpr Size3 kOne = {1, 1, 1}, kRow = {4, 1, 1};
    Fixture f;
    for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE}) {
        std::array<cl_image_format, 256> formats = {};
        cl_uint count = 0;
        CHECK(clGetSupportedImageFormats(f.context, flags, CL_MEM_OBJECT_IMAGE2D, formats.size(),
                                         formats.data(), &count) == CL_SUCCESS);
        CHECK(std::any_of(formats.begin(), formats.begin() + count, [&](const cl_image_format& format) {
            return std::memcmp(&format, &kFormat, sizeof format) == 0;
        }));
    }
    cl_program program = f.build(R"(
        kernel void w(write_only image2d_t i, float4 color) { write_imagef(i, (int2)(1, 0), color); }
        constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
        constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
        kernel void r(read_only image2d_t i, global float4 *out) {
            out[0] = read_imagef(i, (int2)(0, 0));
            out[1] = read_imagef(i, nearest, (int2)(0, 0));
            out[2] = read_imagef(i, linear, (float2)(1.0f, 0.5f));  // between the first two
            out[3] = read_imagef(i, nearest, (int2)(-1, 0));
            out[4].x = get_image_channel_data_type(i) == CLK_UNORM_INT_2_101010_EXT;
            out[4].y = get_image_channel_order(i) == CLK_ABGR;
        })",
                                 "-cl-std=CL3.0");
    cl_kernel writer = f.make_kernel(program, "w"), reader = f.make_kernel(program, "r");
    const auto texels = [&](cl_mem image) {
        std::array<cl_uint, 4> out = {};
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), kRow.data(), 0, 0, out.data(), 0,
                                 nullptr, nullptr) == CL_SUCCESS);
        return out;
    };

    // red 3, green 2, blue 1, alpha 1; and all that there is of red and alpha
    std::array<cl_uint, 4> host = {0x40100803, 0xc00003ff, 7, 8};
    alignas(64) std::array<cl_uint, 16> own = {0x40100803, 0xc00003ff};
    cl_image_desc of_buffer = kDesc;
    of_buffer.mem_object = f.make_buffer(sizeof own, own.data());
    for (cl_mem image :
         {make_image(f, kDesc, kFormat, host.data()), make_image(f, of_buffer, kFormat),
          make_image(f, kDesc, kFormat, own.data(), CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE)}) {
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE) == 4);
        CHECK(texels(image)[0] == 0x40100803);
        cl_mem out = f.make_buffer(20 * sizeof(float));
        CHECK(set(reader, 0, image) == CL_SUCCESS);
        CHECK(set(reader, 1, out) == CL_SUCCESS);
        CHECK(run(f.queue, reader, 1) == CL_SUCCESS);
        const std::vector<float> seen = f.read<float>(out, 20);
        const auto is_near = [&](size_t at, float wanted) {
            CAPTURE(at);
            CHECK(std::abs(seen[at] - wanted) <= 2e-7f * wanted);
        };
        for (const size_t way : {0, 4}) {
            is_near(way + 0, 3 / 1023.0f);
            is_near(way + 1, 2 / 1023.0f);
            is_near(way + 2, 1 / 1023.0f);
            is_near(way + 3, 1 / 3.0f);
        }
        CHECK(seen[8] == doctest::Approx((3 / 1023.0f + 1) / 2));
        CHECK(seen[9] == doctest::Approx(1 / 1023.0f));
        CHECK(seen[11] == doctest::Approx(2 / 3.0f));
        for (size_t c = 0; c < 4; ++c) CHECK(seen[12 + c] == 0);  // the border has an alpha
        CHECK(seen[16] == 1);
        CHECK(seen[17] == 1);

        struct Row {
            std::array<float, 4> color;
            cl_uint texel;
        };
        // ties go to even
        for (const auto& [color, texel] :
             {Row{{1, 0.5f, 0.25f, 2 / 3.0f}, 0x900803ff}, Row{{0, 1, 0, 1}, 0xc00ffc00},
              Row{{-1, 2, NAN, 0.5f}, 0x800ffc00}, Row{{0, 0, 1, 0}, 0x3ff00000}}) {
            CAPTURE(texel);
            CHECK(set(writer, 0, image) == CL_SUCCESS);
            CHECK(set(writer, 1, color) == CL_SUCCESS);
            CHECK(run(f.queue, writer, 1) == CL_SUCCESS);
            CHECK(texels(image)[1] == texel);
            constexpr Size3 kThird = {2, 0, 0};
            CHECK(clEnqueueFillImage(f.queue, image, color.data(), kThird.data(), kOne.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
            CHECK(texels(image)[2] == texel);
        }
        cl_mem copy = make_image(f, kDesc, kFormat);
        CHECK(clEnqueueCopyImage(f.queue, image, copy, kOrigin.data(), kOrigin.data(), kRow.data(), 0,
                                 nullptr, nullptr) == CL_SUCCESS);
        CHECK(texels(copy) == texels(image));
    }
}

TEST_CASE("8.3.2 a kernel's write of half channels rounds to nearest, ties to even") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(R"(
        kernel void w(write_only image2d_t i, global const float4 *colors) {
            int2 at = (int2)(get_global_id(0), get_global_id(1));
            write_imagef(i, at, colors[at.y * get_image_width(i) + at.x]);
        })",
                                     "w");
    // each half, what lies on both sides of the middle between it and the next, and the middle itself
    const auto value = [](cl_uint half) {
        return std::ldexp(static_cast<float>(half < 0x400 ? half : (half & 0x3ff) | 0x400),
                          std::max(static_cast<int>(half >> 10), 1) - 25);
    };
    std::vector<std::pair<float, cl_ushort>> cases;
    for (cl_uint half = 0; half < 0x7c00; ++half) {
        const auto bits = static_cast<cl_ushort>(half), next = static_cast<cl_ushort>(half + 1);
        const float middle = (value(half) + value(next)) / 2;
        cases.insert(cases.end(), {{value(half), bits},
                                   {std::nextafter(middle, 0.0f), bits},
                                   {middle, half % 2 == 0 ? bits : next},
                                   {std::nextafter(middle, INFINITY), next}});
    }
    cases.insert(cases.end(), {{1e30f, 0x7c00}, {INFINITY, 0x7c00}, {1e-42f, 0}, {1e-30f, 0}});
    for (size_t i = 0, count = cases.size(); i < count; ++i)
        cases.emplace_back(-cases[i].first, cases[i].second | 0x8000);

    constexpr size_t kWidth = 256;
    for (const auto& [order, channels] : {std::pair{CL_R, 1u}, {CL_RG, 2u}, {CL_RGBA, 4u}}) {
        CAPTURE(channels);
        const size_t texels = (cases.size() + channels - 1) / channels,
                     height = (texels + kWidth - 1) / kWidth;
        std::vector<float> colors(4 * kWidth * height);
        std::vector<cl_ushort> written(channels * kWidth * height);
        for (size_t i = 0; i < cases.size(); ++i) colors[i / channels * 4 + i % channels] = cases[i].first;
        cl_mem image = make_image(
            f, {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kWidth, .image_height = height},
            {static_cast<cl_channel_order>(order), CL_HALF_FLOAT});
        cl_mem buffer = f.make_buffer(colors.size() * sizeof(float), colors.data());
        CHECK(set(kernel, 0, image) == CL_SUCCESS);
        CHECK(set(kernel, 1, buffer) == CL_SUCCESS);
        const Size3 whole = {kWidth, height, 1};
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 2, nullptr, whole.data(), nullptr, 0, nullptr,
                                     nullptr) == CL_SUCCESS);
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), whole.data(), 0, 0, written.data(),
                                 0, nullptr, nullptr) == CL_SUCCESS);
        size_t wrong = 0;
        for (size_t i = 0; i < cases.size(); ++i)
            if (written[i] != cases[i].second && ++wrong < 5)
                MESSAGE(cases[i].first << " is " << written[i] << " instead of " << cases[i].second);
        CHECK(wrong == 0);
    }
}

TEST_CASE("5.3.9 pitches are of what the program gave, else the least") {
    Fixture f;
    std::vector<cl_uchar> own(4096);
    constexpr cl_image_format kBytes = {CL_R, CL_UNSIGNED_INT8};
    struct Row {
        cl_image_desc desc;
        cl_mem_flags flags;
        size_t row, slice;
    };
    const auto line = [](size_t row, size_t slice) {
        return cl_image_desc{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                             .image_width = 32,
                             .image_array_size = 5,
                             .image_row_pitch = row,
                             .image_slice_pitch = slice};
    };
    const auto volume = [](size_t row, size_t slice) {
        return cl_image_desc{.image_type = CL_MEM_OBJECT_IMAGE3D,
                             .image_width = 8,
                             .image_height = 8,
                             .image_depth = 8,
                             .image_row_pitch = row,
                             .image_slice_pitch = slice};
    };
    const cl_image_desc plane = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8, .image_row_pitch = 16};
    for (const Row& row : {Row{line(0, 0), 0, 32, 32},
                           {line(64, 128), CL_MEM_USE_HOST_PTR, 64, 128},
                           {line(0, 64), CL_MEM_USE_HOST_PTR, 32, 64},
                           {line(64, 128), CL_MEM_COPY_HOST_PTR, 32, 32},
                           {volume(0, 0), 0, 8, 64},
                           {volume(16, 256), CL_MEM_USE_HOST_PTR, 16, 256},
                           {volume(16, 256), CL_MEM_COPY_HOST_PTR, 8, 64},
                           {plane, CL_MEM_USE_HOST_PTR, 16, 0}}) {
        cl_int code = 1;
        cl_mem image =
            clCreateImage(f.context, row.flags, &kBytes, &row.desc, row.flags ? own.data() : nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        f.buffers.push_back(image);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ROW_PITCH) == row.row);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_SLICE_PITCH) == row.slice);
    }
}

TEST_CASE("5.3.1 an image of another object's bytes has its flags, and wants no more than they allow") {
    Fixture f;
    cl_int code = 1;
    const auto image_of = [&](cl_mem_flags of_buffer, cl_mem_flags flags) {
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 4,
                                 .image_height = 4,
                                 .mem_object = f.make_buffer(64, nullptr, of_buffer)};
        cl_mem made = clCreateImage(f.context, flags, &kRgba8, &desc, nullptr, &code);
        if (made) f.buffers.push_back(made);
        return made;
    };
    cl_mem image = image_of(CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 0);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_mem_flags>(clGetMemObjectInfo, image, CL_MEM_FLAGS) ==
          (CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
    std::vector<cl_uchar> out(64);
    const Size3 at = {0, 0, 0}, all = {4, 4, 1};
    CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, at.data(), all.data(), 0, 0, out.data(), 0, nullptr,
                             nullptr) == CL_INVALID_OPERATION);
    for (const auto& [of_buffer, flags] :
         {std::pair<cl_mem_flags, cl_mem_flags>{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},
          {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
          {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
          {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
          {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
          {0, CL_MEM_ALLOC_HOST_PTR}}) {
        CHECK(image_of(of_buffer, flags) == nullptr);
        CHECK(code == CL_INVALID_VALUE);
    }
    // 5.5: flags are told as they were given.
    CHECK(info<cl_mem_flags>(clGetMemObjectInfo, f.make_buffer(64), CL_MEM_FLAGS) == 0);
    CHECK(info<cl_mem_flags>(clGetMemObjectInfo, f.make_buffer(64, out.data()), CL_MEM_FLAGS) ==
          CL_MEM_COPY_HOST_PTR);
    // 5.9.2: a kernel neither reads nor writes what the flags forbid.
    cl_program program =
        f.build("kernel void r(read_only image2d_t a) {} kernel void w(write_only image2d_t a) {}");
    cl_kernel reads = f.make_kernel(program, "r"), writes = f.make_kernel(program, "w");
    cl_mem written = image_of(0, CL_MEM_WRITE_ONLY);
    CHECK(set(reads, 0, image) == CL_SUCCESS);
    CHECK(set(writes, 0, image) == CL_INVALID_ARG_VALUE);
    CHECK(set(reads, 0, written) == CL_INVALID_ARG_VALUE);
    CHECK(set(writes, 0, written) == CL_SUCCESS);
}

TEST_CASE("5.9.2 an image argument has the dimensions of its parameter") {
    Fixture f;
    const std::array<std::string, 6> types = {"image1d_t", "image1d_buffer_t", "image1d_array_t",
                                              "image2d_t", "image2d_array_t",  "image3d_t"};
    std::vector<cl_image_desc> descs(6);
    const std::array<cl_mem_object_type, 6> kinds = {
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
    for (size_t i = 0; i < kinds.size(); ++i) {
        descs[i].image_type = kinds[i];
        descs[i].image_width = 4;
        if (i >= 3) descs[i].image_height = 2;
        if (i == 5) descs[i].image_depth = 2;
        if (i == 2 || i == 4) descs[i].image_array_size = 2;
        if (i == 1) descs[i].buffer = f.make_buffer(64);
    }
    for (const std::string& type : types) {
        cl_kernel kernel = f.make_kernel("kernel void k(read_only " + type + " i) {}", "k");
        for (size_t i = 0; i < kinds.size(); ++i) {
            INFO(type << " and " << types[i]);
            cl_mem image = make_image(f, descs[i], kRgba8);
            const bool fits =
                type == types[i] || (type.starts_with("image1d_") && i < 2 && type != "image1d_array_t");
            CHECK(set(kernel, 0, image) == (fits ? CL_SUCCESS : CL_INVALID_MEM_OBJECT));
        }
        CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr) == CL_INVALID_MEM_OBJECT);
    }
}

TEST_CASE("5.3.7 a map of a 1D array of the program's memory has its pitches") {
    Fixture f;
    std::vector<cl_uchar> own = counted(3 * 32);
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                             .image_width = 2,
                             .image_array_size = 3,
                             .image_row_pitch = 16,
                             .image_slice_pitch = 32};
    const Size3 at = {1, 1, 0}, region = {1, 2, 1};
    struct Row {
        cl_mem_flags flags;
        size_t row, slice;  // 0: the least that holds a row
    };
    for (const Row& expected : {Row{CL_MEM_USE_HOST_PTR, 16, 32}, {CL_MEM_COPY_HOST_PTR, 0, 0}}) {
        cl_mem image = make_image(f, desc, kRgba8, own.data(), expected.flags);
        size_t row = 0, slice = 0;
        cl_int code = 1;
        auto* mapped = static_cast<cl_uchar*>(clEnqueueMapImage(f.queue, image, CL_TRUE, CL_MAP_READ,
                                                                at.data(), region.data(), &row, &slice, 0,
                                                                nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(row >= 4);
        CHECK(row <= slice);
        if (expected.row != 0) {
            CHECK(row == expected.row);
            CHECK(slice == expected.slice);
            CHECK(mapped == &own[32 + 4]);
        }
        for (size_t layer = 0; layer < 2; ++layer)
            CHECK(std::memcmp(mapped + layer * slice, &own[(layer + 1) * 32 + 4], 4) == 0);
        CHECK(clEnqueueUnmapMemObject(f.queue, image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    }
}

TEST_CASE("5.3.5 a map for reading leaves alone what the program writes to texels in its own memory") {
    Fixture f;
    constexpr size_t kRow = 24, kSlice = 120;  // with gaps behind rows and slices
    std::vector<cl_uchar> own(kSlice * 3, 9);
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = 5,
                                .image_height = 4,
                                .image_depth = 3,
                                .image_row_pitch = kRow,
                                .image_slice_pitch = kSlice};
    cl_mem image = make_image(f, desc, kRgba8, own.data(), CL_MEM_USE_HOST_PTR);
    const auto map = [&](cl_map_flags how, const Size3& at, const Size3& region) {
        size_t row = 0, slice = 0;
        cl_int code = 1;
        void* bytes = clEnqueueMapImage(f.queue, image, CL_TRUE, how, at.data(), region.data(), &row, &slice,
                                        0, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        return static_cast<cl_uchar*>(bytes);
    };
    const auto unmap = [&](void* bytes) {
        CHECK(clEnqueueUnmapMemObject(f.queue, image, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
    };
    const Size3 none = {0, 0, 0}, all = {5, 4, 3}, at = {1, 1, 1}, region = {3, 2, 2};
    const cl_uint ones[4] = {1, 1, 1, 1};
    CHECK(clEnqueueFillImage(f.queue, image, ones, none.data(), all.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    cl_uchar* const texels = map(CL_MAP_WRITE, at, region);
    std::vector<cl_uchar> expected(own.size(), 9);
    for (size_t z = 0; z < 3; ++z)
        for (size_t y = 0; y < 4; ++y) std::fill_n(&expected[z * kSlice + y * kRow], 20, 1);
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 2; ++y) {
            std::fill_n(texels + z * kSlice + y * kRow, 12, 2);
            std::fill_n(&expected[(z + 1) * kSlice + (y + 1) * kRow + 4], 12, 2);
        }
    unmap(map(CL_MAP_READ, none, all));
    CHECK(own == expected);
    unmap(texels);
    unmap(map(CL_MAP_READ, none, all));
    CHECK(own == expected);
}

TEST_CASE("5.3.5 commands that map texels in the program's memory are held up, and keep what it writes") {
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    const Size3 none = {0, 0, 0}, all = {8, 4, 1};
    enum class Case { UnmapWaits, ReadWaits, FillBeforeRead, MapFails };
    for (const Case held_up : {Case::UnmapWaits, Case::ReadWaits, Case::FillBeforeRead, Case::MapFails}) {
        CAPTURE(static_cast<int>(held_up));
        Fixture f;
        cl_command_queue other = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        std::vector<cl_uchar> own(128, 0);
        cl_mem image = make_image(f, desc, kRgba8, own.data(), CL_MEM_USE_HOST_PTR);
        cl_event gate = clCreateUserEvent(f.context, nullptr), held = nullptr;
        const auto map = [&](cl_command_queue queue, cl_map_flags how, cl_event* event = nullptr) {
            size_t row = 0;
            cl_int code = 1;
            clEnqueueMapImage(queue, image, !event, how, none.data(), all.data(), &row, nullptr,
                              event ? 1 : 0, event ? &gate : nullptr, event, &code);
            REQUIRE(code == CL_SUCCESS);
        };
        const auto unmap = [&](cl_event* event = nullptr) {
            CHECK(clEnqueueUnmapMemObject(f.queue, image, own.data(), event ? 1 : 0, event ? &gate : nullptr,
                                          event) == CL_SUCCESS);
        };
        const auto fill = [&](cl_uint value) {
            const cl_uint texel[4] = {value, value, value, value};
            CHECK(clEnqueueFillImage(f.queue, image, texel, none.data(), all.data(), 0, nullptr, nullptr) ==
                  CL_SUCCESS);
        };
        if (held_up == Case::MapFails) fill(7);
        if (held_up == Case::ReadWaits) map(other, CL_MAP_READ, &held);
        if (held_up == Case::MapFails) {
            map(f.queue, CL_MAP_WRITE, &held);
            unmap();
        } else {
            map(f.queue, CL_MAP_WRITE);
            std::ranges::fill(own, 5);
        }
        if (held_up == Case::UnmapWaits) {
            unmap(&held);
            map(other, CL_MAP_READ);
            CHECK(own == std::vector<cl_uchar>(128, 5));
        }
        if (held_up == Case::FillBeforeRead) {
            map(other, CL_MAP_READ, &held);
            unmap();
            fill(7);
            CHECK(clFinish(f.queue) == CL_SUCCESS);
        }
        CHECK(clSetUserEventStatus(gate, held_up == Case::MapFails ? -5 : CL_COMPLETE) == CL_SUCCESS);
        clWaitForEvents(1, &held);
        const cl_uchar expected = held_up == Case::FillBeforeRead || held_up == Case::MapFails ? 7 : 5;
        if (held_up != Case::MapFails) CHECK(own == std::vector<cl_uchar>(128, expected));
        if (held_up == Case::ReadWaits) {
            unmap();
            unmap();
        }
        std::vector<cl_uchar> texels(128);
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, none.data(), all.data(), 0, 0, texels.data(), 0,
                                 nullptr, nullptr) == CL_SUCCESS);
        CHECK(texels == std::vector<cl_uchar>(128, expected));
        CHECK(clFinish(other) == CL_SUCCESS);
        for (cl_event each : {gate, held}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    }
}

TEST_CASE("5.3.3 a fill reaches each texel of its region and no other") {
    Fixture f;
    struct Row {
        cl_image_desc desc;
        cl_image_format format;
        Size3 extent, at, region;
    };
    const auto layers = [](size_t width, size_t height, size_t count) {
        return cl_image_desc{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                             .image_width = width,
                             .image_height = height,
                             .image_array_size = count};
    };
    constexpr cl_image_format kBytes = {CL_R, CL_UNSIGNED_INT8}, kWide = {CL_RGBA, CL_UNSIGNED_INT32};
    for (const auto& [desc, format, extent, at, region] :
         {Row{layers(5, 3, 3), kBytes, {5, 3, 3}, {0, 0, 0}, {5, 3, 3}},  // all of it
          Row{layers(5, 3, 3), kBytes, {5, 3, 3}, {0, 0, 1}, {5, 3, 2}},  // whole slices
          Row{layers(5, 3, 3), kBytes, {5, 3, 3}, {0, 1, 0}, {5, 2, 3}},  // rows that touch
          Row{layers(5, 3, 3), kBytes, {5, 3, 3}, {1, 1, 1}, {3, 2, 2}},
          // Ranges of more than the host's tile.
          Row{layers(256, 300, 3), kWide, {256, 300, 3}, {0, 7, 1}, {256, 290, 2}},
          Row{{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 7, .image_array_size = 4},
              kRgba8,
              {7, 4, 1},
              {0, 1, 0},
              {7, 3, 1}}}) {
        const size_t texel = format.image_channel_data_type == CL_UNSIGNED_INT32 ? 16
                             : format.image_channel_order == CL_R                ? 1
                                                                                 : 4;
        const size_t count = extent[0] * extent[1] * extent[2];
        CAPTURE(count);
        CAPTURE(at[1]);
        std::vector<cl_uchar> out(count * texel, 0xee), right = out;
        cl_mem image = make_image(f, desc, format, out.data());
        const std::array<cl_uint, 4> color = {1, 2, 3, 4};
        REQUIRE(clEnqueueFillImage(f.queue, image, color.data(), at.data(), region.data(), 0, nullptr,
                                   nullptr) == CL_SUCCESS);
        REQUIRE(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), extent.data(), 0, 0, out.data(),
                                   0, nullptr, nullptr) == CL_SUCCESS);
        for (size_t z = at[2]; z < at[2] + region[2]; ++z)
            for (size_t y = at[1]; y < at[1] + region[1]; ++y)
                for (size_t x = at[0]; x < at[0] + region[0]; ++x) {
                    cl_uchar* to = &right[((z * extent[1] + y) * extent[0] + x) * texel];
                    for (size_t c = 0; c < 4; ++c) {
                        if (texel == 16) std::memcpy(to + 4 * c, &color[c], 4);
                        if (texel == 4 || (texel == 1 && c == 0)) to[c] = static_cast<cl_uchar>(color[c]);
                    }
                }
        CHECK(out == right);
    }
}

/// A row of a region once was a copy of its own, of which this image has a million.
TEST_CASE("a fill of a whole image takes about as long as one of a buffer") {
    Fixture f;
    constexpr size_t kHeight = 1024, kDepth = 1024;
    cl_mem image = make_image(f,
                              {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                               .image_width = 1,
                               .image_height = kHeight,
                               .image_array_size = kDepth},
                              kRgba8);
    cl_mem buffer = f.make_buffer(kHeight * kDepth * 4);
    const std::array<cl_uint, 4> color = {1, 2, 3, 4};
    const Size3 whole = {1, kHeight, kDepth};
    check_in_some_try([&] {
        const double of_buffer = seconds_of([&] {
            REQUIRE(clEnqueueFillBuffer(f.queue, buffer, "abcd", 4, 0, kHeight * kDepth * 4, 0, nullptr,
                                        nullptr) == CL_SUCCESS);
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        });
        const double of_image = seconds_of([&] {
            REQUIRE(clEnqueueFillImage(f.queue, image, color.data(), kOrigin.data(), whole.data(), 0, nullptr,
                                       nullptr) == CL_SUCCESS);
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        });
        return of_image < 10 * of_buffer + 0.05;
    });
}

TEST_CASE("5.3.1.2 an image of an image is the same with another order of channels") {
    Fixture f;
    constexpr cl_image_format kRgba = {CL_RGBA, CL_UNORM_INT8};
    cl_mem image =
        make_image(f, {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4}, kRgba);
    const auto code_of = [&](cl_image_format format, size_t width, size_t pitch) {
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = width,
                                 .image_height = 4,
                                 .image_row_pitch = pitch,
                                 .mem_object = image};
        cl_int code = 1;
        if (cl_mem made = clCreateImage(f.context, 0, &format, &desc, nullptr, &code))
            f.buffers.push_back(made);
        return code;
    };
    CHECK(code_of({CL_sRGBA, CL_UNORM_INT8}, 4, 0) == CL_SUCCESS);
    CHECK(code_of({CL_sRGBA, CL_UNORM_INT8}, 4, 16) == CL_SUCCESS);
    CHECK(code_of({CL_sRGBA, CL_UNORM_INT8}, 4, 32) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of({CL_sRGBA, CL_UNORM_INT8}, 3, 0) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of({CL_ABGR, CL_UNORM_INT8}, 4, 0) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(code_of({CL_RGBA, CL_SNORM_INT8}, 4, 0) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_CASE("5.3.7 an image of a part of the program's memory is mapped there") {
    Fixture f;
    const size_t step = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    std::vector<cl_uchar> own = counted(step + 128);
    cl_int code = 1;
    const Size3 at = {1, 1, 0}, region = {2, 2, 1};
    const auto check = [&](cl_mem image, const cl_uchar* bytes) {
        size_t pitch = 0;
        const auto* mapped = static_cast<cl_uchar*>(clEnqueueMapImage(f.queue, image, CL_TRUE, CL_MAP_READ,
                                                                      at.data(), region.data(), &pitch,
                                                                      nullptr, 0, nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(pitch == 16);
        CHECK(mapped == bytes + 16 + 4);
        CHECK(info<size_t>(clGetMemObjectInfo, image, CL_MEM_OFFSET) == 0);
    };
    const auto image_of = [&](cl_mem buffer) {
        return make_image(
            f,
            {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4, .mem_object = buffer},
            {CL_RGBA, CL_UNORM_INT8});
    };
    cl_mem whole = f.make_buffer(own.size(), own.data(), CL_MEM_USE_HOST_PTR);
    const cl_buffer_region half = {step, 128};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(part);
    cl_mem image = image_of(part);
    check(image, own.data() + step);
    check(make_image(
              f,
              {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4, .mem_object = image},
              {CL_sRGBA, CL_UNORM_INT8}),
          own.data() + step);
    auto* shared = static_cast<cl_uchar*>(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 256, 0));
    if (!shared) return;  // the device has no shared memory
    cl_mem of_shared = f.make_buffer(64, shared + 128, CL_MEM_USE_HOST_PTR);
    check(image_of(of_shared), shared + 128);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    clSVMFree(f.context, shared);
}

TEST_CASE("an image of a buffer's bytes") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(256);
    cl_mem buffer = f.make_buffer(256, bytes.data());
    cl_mem rows = make_image(f,
                             {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = 6,
                              .image_height = 4,
                              .image_row_pitch = 32,
                              .buffer = buffer},
                             kRgba8);
    const Size3 at = {1, 2, 0}, region = {3, 1, 1};
    std::vector<cl_uchar> out(12);
    CHECK(clEnqueueReadImage(f.queue, rows, CL_TRUE, at.data(), region.data(), 0, 0, out.data(), 0, nullptr,
                             nullptr) == CL_SUCCESS);
    CHECK(std::memcmp(out.data(), &bytes[2 * 32 + 4], 12) == 0);
    CHECK(info<cl_mem>(clGetImageInfo, rows, CL_IMAGE_BUFFER) == buffer);
    cl_kernel kernel = f.make_kernel(
        "kernel void k(read_write image1d_buffer_t a) { int i = get_global_id(0); write_imageui(a, i, "
        "read_imageui(a, i) + 1u); }",
        "k", "-cl-std=CL2.0");
    cl_mem line = make_image(
        f, {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64, .buffer = buffer}, kRgba8);
    CHECK(set(kernel, 0, line) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 64) == CL_SUCCESS);
    for (cl_uchar& byte : bytes) byte = byte == 255 ? 255 : static_cast<cl_uchar>(byte + 1);
    CHECK(f.read<cl_uchar>(buffer, 256) == bytes);
}

TEST_CASE("pitches that no memory has, and such as kernels cannot use") {
    Fixture f;
    cl_mem buffer = f.make_buffer(4096);
    std::vector<cl_uchar> host(4096);
    const auto code_of = [&](cl_image_desc desc, cl_mem of, cl_mem_flags flags = 0) {
        desc.buffer = of;
        cl_int code = 1;
        CHECK(clCreateImage(f.context, flags, &kRgba8, &desc, of ? nullptr : host.data(), &code) == nullptr);
        return code;
    };
    // products that overflow to less than the buffer has
    const cl_image_desc nine_rows{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                  .image_width = 4,
                                  .image_height = 9,
                                  .image_row_pitch = size_t{1} << 61};
    const cl_image_desc many_rows{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                  .image_width = 4,
                                  .image_height = 8193,
                                  .image_row_pitch = size_t{1} << 51};
    const cl_image_desc layers{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                               .image_width = 4,
                               .image_height = 1,
                               .image_array_size = 9,
                               .image_row_pitch = 16,
                               .image_slice_pitch = size_t{1} << 61};
    const cl_image_desc lines{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                              .image_width = 4,
                              .image_array_size = 9,
                              .image_row_pitch = 16,
                              .image_slice_pitch = size_t{1} << 61};
    for (const cl_image_desc& desc : {nine_rows, many_rows, layers, lines}) {
        CHECK(code_of(desc, buffer) == CL_INVALID_IMAGE_SIZE);
        CHECK(code_of(desc, nullptr, CL_MEM_COPY_HOST_PTR) == CL_INVALID_IMAGE_SIZE);
    }
    cl_image_desc far_row = nine_rows;
    far_row.image_row_pitch = size_t{1} << 32;
    CHECK(code_of(far_row, buffer) == CL_INVALID_IMAGE_DESCRIPTOR);

    const cl_image_desc own{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                            .image_width = 4,
                            .image_height = 8,
                            .image_array_size = 8};
    cl_mem image = make_image(f, own, kRgba8);
    const Size3 at = {}, region = {4, 8, 8};
    const auto read = [&](size_t row, size_t slice) {
        return clEnqueueReadImage(f.queue, image, CL_TRUE, at.data(), region.data(), row, slice, host.data(),
                                  0, nullptr, nullptr);
    };
    CHECK(read(0, 0) == CL_SUCCESS);
    CHECK(read(size_t{1} << 61, 0) == CL_INVALID_VALUE);
    CHECK(read(16, size_t{1} << 61) == CL_INVALID_VALUE);
    CHECK(clEnqueueWriteImage(f.queue, image, CL_TRUE, at.data(), region.data(), size_t{1} << 61, 0,
                              host.data(), 0, nullptr, nullptr) == CL_INVALID_VALUE);
}
