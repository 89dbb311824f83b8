// SPDX-License-Identifier: Apache-2.0
// What a device says of images, samplers and pipes (queries.h).
#include <algorithm>
#include <cstdint>

#include "tests/driver/queries.h"

namespace caldera::driver_test {
namespace {

constexpr cl_image_format kBytes = {CL_R, CL_UNSIGNED_INT8};

cl_mem make_image(Fixture& f, const cl_image_desc& desc, cl_int& code, cl_image_format format = kBytes) {
    cl_mem image = clCreateImage(f.context, 0, &format, &desc, nullptr, &code);
    if (image) f.buffers.push_back(image);
    return image;
}

/// Makes an image of the largest size that the device reports for one direction; a kernel writes and reads
/// its last texel. A larger image must be refused.
void extent(Fixture& f, cl_device_info query, cl_image_desc desc, size_t cl_image_desc::*direction,
            const std::string& type, const std::string& last) {
    const size_t most = answer<size_t>(f, query);
    if (most == 0) return;
    desc.*direction = most;
    cl_int code = 1;
    cl_mem image = make_image(f, desc, code);
    REQUIRE(code == CL_SUCCESS);
    Test test(f, "kernel void test(global int *out, read_write " + type + " i, int last) { " +
                     "write_imageui(i, " + last +
                     ", (uint4)(7)); atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, "
                     "memory_order_acq_rel, memory_scope_work_item); *out = read_imageui(i, " +
                     last + ").x; }");
    CHECK(test.with(image, static_cast<cl_int>(most - 1)).run()[0] == 7);
    desc.*direction = most + 1;
    CHECK(make_image(f, desc, code) == nullptr);
    CHECK(code == CL_INVALID_IMAGE_SIZE);
}
const cl_image_desc kLine = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 1};
const cl_image_desc kPlane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
const cl_image_desc kSpace = {
    .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 1, .image_height = 1, .image_depth = 1};

void image_buffer(Fixture& f) {
    const auto texels = answer<size_t>(f, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
    if (texels == 0) return;
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = texels};
    desc.buffer = f.make_buffer(texels);
    cl_int code = 1;
    cl_mem image = make_image(f, desc, code);
    REQUIRE(code == CL_SUCCESS);
    Test test(f,
              "kernel void test(global int *out, read_write image1d_buffer_t i, int last) { write_imageui(i, "
              "last, (uint4)(9)); atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, "
              "memory_scope_work_item); *out = read_imageui(i, last).x; }");
    CHECK(test.with(image, static_cast<cl_int>(texels - 1)).run()[0] == 9);
    desc.image_width = SIZE_MAX / 2;
    CHECK(make_image(f, desc, code) == nullptr);
    CHECK(code == CL_INVALID_IMAGE_SIZE);
    // A texel of the largest format is in a buffer that the device has.
    CHECK(texels <= answer<cl_ulong>(f, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 16);
}

void array_size(Fixture& f) {
    cl_image_desc line = kLine, plane = kPlane;
    line.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
    plane.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    extent(f, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, line, &cl_image_desc::image_array_size, "image1d_array_t",
           "(int2)(0, last)");
    extent(f, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, plane, &cl_image_desc::image_array_size, "image2d_array_t",
           "(int4)(0, 0, last, 0)");
}

/// Runs a kernel with the maximum number of images of this access, each of a different width. It reads and
/// writes the last one.
void image_arguments(Fixture& f, cl_device_info query, const std::string& access) {
    const auto count = answer<cl_uint>(f, query);
    if (count == 0) return;
    const bool writes = access != "read_only", reads = access != "write_only";
    std::string parameters = "global int *out", sum, last = "i" + std::to_string(count - 1);
    for (cl_uint i = 0; i < count; ++i) {
        parameters += ", " + access + " image2d_t i" + std::to_string(i);
        sum += " + get_image_width(i" + std::to_string(i) + ")";
    }
    Test test(f, "kernel void test(" + parameters + ") {\n    out[0] = 0" + sum + ";\n" +
                     (reads ? "    out[1] = read_imageui(" + last + ", (int2)(0)).x;\n" : "") +
                     (writes ? "    write_imageui(" + last + ", (int2)(0), (uint4)(8));\n" : "") + "}");
    cl_mem image = nullptr;
    const Size3 origin = {}, one = {1, 1, 1};
    for (cl_uint i = 0; i < count; ++i) {
        cl_image_desc desc = kPlane;
        desc.image_width = i + 1;
        cl_int code = 1;
        image = make_image(f, desc, code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(set(test.kernel, i + 1, image) == CL_SUCCESS);
    }
    cl_uchar texel = 5;
    REQUIRE(clEnqueueWriteImage(f.queue, image, CL_TRUE, origin.data(), one.data(), 0, 0, &texel, 0, nullptr,
                                nullptr) == CL_SUCCESS);
    const std::vector<cl_int> found = test.run();
    CHECK(found[0] == static_cast<cl_int>(count * (count + 1) / 2));
    CHECK(found[1] == (reads ? 5 : 0));
    REQUIRE(clEnqueueReadImage(f.queue, image, CL_TRUE, origin.data(), one.data(), 0, 0, &texel, 0, nullptr,
                               nullptr) == CL_SUCCESS);
    CHECK(texel == (writes ? 8 : 5));
}

/// A kernel with as many samplers, every second of which reads beyond the edge as the border, the others as
/// the edge.
void samplers(Fixture& f) {
    const auto count = answer<cl_uint>(f, CL_DEVICE_MAX_SAMPLERS);
    if (count == 0) return;
    std::string parameters = "global int *out, read_only image2d_t i", body;
    for (cl_uint i = 0; i < count; ++i) {
        parameters += ", sampler_t s" + std::to_string(i);
        body += "    sum += read_imageui(i, s" + std::to_string(i) + ", (int2)(-1, 0)).x;\n";
    }
    Test test(f, "kernel void test(" + parameters + ") {\n    int sum = 0;\n" + body + "    *out = sum;\n}");
    cl_int code = 1;
    cl_mem image = make_image(f, kPlane, code);
    REQUIRE(code == CL_SUCCESS);
    const Size3 origin = {}, one = {1, 1, 1};
    const cl_uint five[4] = {5, 0, 0, 0};
    REQUIRE(clEnqueueFillImage(f.queue, image, five, origin.data(), one.data(), 0, nullptr, nullptr) ==
            CL_SUCCESS);
    std::vector<cl_sampler> made;
    for (cl_uint i = 0; i < count; ++i) {
        made.push_back(clCreateSampler(f.context, CL_FALSE,
                                       i % 2 ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST,
                                       &code));
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(set(test.kernel, i + 2, made.back()) == CL_SUCCESS);
    }
    CHECK(test.with(image).run()[0] == static_cast<cl_int>(5 * ((count + 1) / 2)));
    for (cl_sampler sampler : made) CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

/// An image of a buffer over the program's memory, whose rows and whose beginning are aligned as little as
/// they may be.
void image_alignment(Fixture& f) {
    const size_t pitch = answer<cl_uint>(f, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
    const size_t base = answer<cl_uint>(f, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
    if (!has_extension(f, "cl_khr_image2d_from_buffer")) {
        CHECK((pitch == 0 && base == 0));
        return;
    }
    REQUIRE((pitch != 0 && base != 0));
    constexpr size_t kTexel = 4, kHeight = 3;
    const size_t width = pitch * 3 - (pitch > 1), row = pitch * 3 * kTexel;
    std::vector<cl_uint> memory(2 * base + row * kHeight);
    // A multiple of the alignment that is no multiple of twice as much.
    const size_t odd = (reinterpret_cast<std::uintptr_t>(memory.data()) / (base * kTexel) + 1) | 1;
    auto* const first = reinterpret_cast<cl_uint*>(odd * base * kTexel);
    first[2 * row / kTexel + width - 1] = 77;
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = kHeight};
    desc.image_row_pitch = row;
    desc.buffer = f.make_buffer(row * kHeight, first, CL_MEM_USE_HOST_PTR);
    cl_int code = 1;
    cl_mem image = make_image(f, desc, code, {CL_R, CL_UNSIGNED_INT32});
    REQUIRE(code == CL_SUCCESS);
    Test test(
        f,
        "kernel void test(global int *out, read_only image2d_t i, int x) { *out = read_imageui(i, (int2)(x, "
        "2)).x; }");
    CHECK(test.with(image, static_cast<cl_int>(width - 1)).run()[0] == 77);
}

void image_support(Fixture& f) {
    CHECK(answer<cl_bool>(f, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE);
    Test test(f,
              "kernel void test(global int *out, read_only image2d_t i) {\n#ifdef __IMAGE_SUPPORT__\n*out = "
              "get_image_width(i);\n#endif\n}");
    cl_int code = 1;
    cl_mem image = make_image(f, kPlane, code);
    CHECK(test.with(image).run()[0] == 1);
}

// ---- Pipes ----

cl_mem make_pipe(Fixture& f, cl_uint packet_bytes, cl_int& code) {
    cl_mem pipe = clCreatePipe(f.context, 0, packet_bytes, 4, nullptr, &code);
    if (pipe) f.buffers.push_back(pipe);
    return pipe;
}

/// Packets go through as many pipes as a kernel may have.
void pipes(Fixture& f) {
    const auto count = answer<cl_uint>(f, CL_DEVICE_MAX_PIPE_ARGS);
    if (!answer<cl_bool>(f, CL_DEVICE_PIPE_SUPPORT)) {
        CHECK(count == 0);
        return;
    }
    const auto make = [&](const std::string& access, const std::string& call) {
        std::string parameters = "global int *out", body;
        for (cl_uint i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            parameters += ", " + access + " pipe int p" + n;
            body += "    n = " + n + "; if (" + call + "(p" + n + ", &n) == 0) *out += n;\n";
        }
        return Test(f, "kernel void test(" + parameters + ") {\n    int n;\n" + body + "}");
    };
    Test write = make("write_only", "write_pipe"), read = make("read_only", "read_pipe");
    for (cl_uint i = 0; i < count; ++i) {
        cl_int code = 1;
        cl_mem pipe = make_pipe(f, 4, code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(set(write.kernel, i + 1, pipe) == CL_SUCCESS);
        REQUIRE(set(read.kernel, i + 1, pipe) == CL_SUCCESS);
    }
    const auto sum = static_cast<cl_int>(count * (count - 1) / 2);
    CHECK(write.run()[0] == sum);
    CHECK(read.run()[0] == sum);
    CHECK(read.run()[0] == sum);  // nothing is left to add
}

void packets(Fixture& f) {
    const auto bytes = answer<cl_uint>(f, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    if (bytes == 0) return;
    const std::string type = "typedef struct { int all[" + std::to_string(bytes / 4) + "]; } Packet;\n";
    const std::string last = ".all[" + std::to_string(bytes / 4 - 1) + "]";
    cl_int code = 1;
    cl_mem pipe = make_pipe(f, bytes, code);
    REQUIRE(code == CL_SUCCESS);
    Test write(f, type +
                      "kernel void test(global int *out, write_only pipe Packet p) { Packet packet; packet" +
                      last + " = 6; *out = write_pipe(p, &packet) == 0; }");
    CHECK(write.with(pipe).run()[0] == 1);
    Test read(
        f, type +
               "kernel void test(global int *out, read_only pipe Packet p) { Packet packet; if (read_pipe(p, "
               "&packet) == 0) *out = packet" +
               last + "; }");
    CHECK(read.with(pipe).run()[0] == 6);
    CHECK(make_pipe(f, bytes + 1, code) == nullptr);
    CHECK(code == CL_INVALID_PIPE_SIZE);
}

/// A work-item has as many reservations at a time.
void reservations(Fixture& f) {
    const auto count = answer<cl_uint>(f, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS);
    if (count == 0) {
        CHECK(!answer<cl_bool>(f, CL_DEVICE_PIPE_SUPPORT));
        return;
    }
    const auto some = static_cast<cl_int>(std::min<cl_uint>(count, 4));
    Test test(
        f,
        "kernel void test(global int *out, write_only pipe int p, int count) {\n    reserve_id_t all[4]; int "
        "valid = 0;\n    for (int i = 0; i < count; i++) { all[i] = reserve_write_pipe(p, 1); valid += "
        "is_valid_reserve_id(all[i]); }\n    for (int i = 0; i < count; i++) { write_pipe(p, all[i], 0, &i); "
        "commit_write_pipe(p, all[i]); }\n    *out = valid;\n}");
    cl_int code = 1;
    cl_mem pipe = make_pipe(f, 4, code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(test.with(pipe, some).run()[0] == some);
}

const Query kRows[] = {
    QUERY(CL_DEVICE_IMAGE_SUPPORT, image_support),
    QUERY(CL_DEVICE_MAX_READ_IMAGE_ARGS,
          [](Fixture& f) { image_arguments(f, CL_DEVICE_MAX_READ_IMAGE_ARGS, "read_only"); }),
    QUERY(CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
          [](Fixture& f) { image_arguments(f, CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "write_only"); }),
    QUERY(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
          [](Fixture& f) { image_arguments(f, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, "read_write"); }),
    QUERY(CL_DEVICE_IMAGE2D_MAX_WIDTH,
          [](Fixture& f) {
              extent(f, CL_DEVICE_IMAGE2D_MAX_WIDTH, kLine, &cl_image_desc::image_width, "image1d_t", "last");
              extent(f, CL_DEVICE_IMAGE2D_MAX_WIDTH, kPlane, &cl_image_desc::image_width, "image2d_t",
                     "(int2)(last, 0)");
          }),
    QUERY(CL_DEVICE_IMAGE2D_MAX_HEIGHT,
          [](Fixture& f) {
              extent(f, CL_DEVICE_IMAGE2D_MAX_HEIGHT, kPlane, &cl_image_desc::image_height, "image2d_t",
                     "(int2)(0, last)");
          }),
    QUERY(CL_DEVICE_IMAGE3D_MAX_WIDTH,
          [](Fixture& f) {
              extent(f, CL_DEVICE_IMAGE3D_MAX_WIDTH, kSpace, &cl_image_desc::image_width, "image3d_t",
                     "(int4)(last, 0, 0, 0)");
          }),
    QUERY(CL_DEVICE_IMAGE3D_MAX_HEIGHT,
          [](Fixture& f) {
              extent(f, CL_DEVICE_IMAGE3D_MAX_HEIGHT, kSpace, &cl_image_desc::image_height, "image3d_t",
                     "(int4)(0, last, 0, 0)");
          }),
    QUERY(CL_DEVICE_IMAGE3D_MAX_DEPTH,
          [](Fixture& f) {
              extent(f, CL_DEVICE_IMAGE3D_MAX_DEPTH, kSpace, &cl_image_desc::image_depth, "image3d_t",
                     "(int4)(0, 0, last, 0)");
          }),
    QUERY(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, image_buffer),
    QUERY(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, array_size),
    QUERY(CL_DEVICE_MAX_SAMPLERS, samplers),
    QUERY(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, image_alignment),
    QUERY(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, image_alignment),
    QUERY(CL_DEVICE_PIPE_SUPPORT, pipes),
    QUERY(CL_DEVICE_MAX_PIPE_ARGS, pipes),
    QUERY(CL_DEVICE_PIPE_MAX_PACKET_SIZE, packets),
    QUERY(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, reservations),
};

}  // namespace

std::span<const Query> image_queries() { return kRows; }

}  // namespace caldera::driver_test
