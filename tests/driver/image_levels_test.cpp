// SPDX-License-Identifier: Apache-2.0
// Images with levels (cl_khr_mipmap_image, cl_khr_mipmap_image_writes).
#include <cfloat>
#include <cmath>
#include <cstring>

#include "tests/driver/command_buffers.h"
#include "tests/driver/images.h"

using namespace caldera::driver_test;

namespace {

constexpr cl_image_format kR32 = {CL_R, CL_UNSIGNED_INT32};
constexpr size_t kLevels = 3;

/// A shape, where an origin says the level, and which sizes are those of texels: the others count layers.
struct Shape {
    cl_image_desc desc = {};
    size_t level_at = 0;
    Size3 size = {}, halves = {};
    Size3 level(size_t number) const {
        Size3 out = size;
        for (size_t d = 0; d < 3; ++d)
            for (size_t i = 0; i < number && halves[d]; ++i) out[d] = std::max<size_t>(out[d] / 2, 1);
        return out;
    }
    size_t texels(size_t number) const {
        const Size3 of = level(number);
        return of[0] * of[1] * of[2];
    }
};
const Shape kShapes[] = {
    {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 13, .num_mip_levels = kLevels},
     1,
     {13, 1, 1},
     {1, 0, 0}},
    {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
      .image_width = 9,
      .image_array_size = 3,
      .num_mip_levels = kLevels},
     2,
     {9, 3, 1},
     {1, 0, 0}},
    {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 11, .image_height = 6, .num_mip_levels = kLevels},
     2,
     {11, 6, 1},
     {1, 1, 0}},
    {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
      .image_width = 5,
      .image_height = 9,
      .image_array_size = 2,
      .num_mip_levels = kLevels},
     3,
     {5, 9, 2},
     {1, 1, 0}},
    {{.image_type = CL_MEM_OBJECT_IMAGE3D,
      .image_width = 7,
      .image_height = 5,
      .image_depth = 6,
      .num_mip_levels = kLevels},
     3,
     {7, 5, 6},
     {1, 1, 1}}};

using Origin = std::array<size_t, 4>;
Origin origin_of(const Shape& shape, size_t level, const Size3& at = {}) {
    Origin out = {at[0], at[1], at[2], 0};
    out[shape.level_at] = level;
    return out;
}

bool has_levels() {
    return text(clGetDeviceInfo, device(), CL_DEVICE_EXTENSIONS).find("cl_khr_mipmap_image ") !=
           std::string::npos;
}

cl_int read(Fixture& f, cl_mem image, const Origin& origin, const Size3& region, std::vector<cl_uint>& to) {
    return clEnqueueReadImage(f.queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, to.data(), 0,
                              nullptr, nullptr);
}
std::vector<cl_uint> level_of(Fixture& f, cl_mem image, const Shape& shape, size_t level) {
    std::vector<cl_uint> out(shape.texels(level));
    CHECK(read(f, image, origin_of(shape, level), shape.level(level), out) == CL_SUCCESS);
    return out;
}
std::vector<cl_uint> numbers(size_t count, cl_uint first) {
    std::vector<cl_uint> out(count);
    std::iota(out.begin(), out.end(), first);
    return out;
}
/// Each level has other numbers.
cl_mem make_filled(Fixture& f, const Shape& shape) {
    cl_mem image = make_image(f, shape.desc, kR32);
    for (size_t level = 0; level < kLevels; ++level) {
        const std::vector<cl_uint> in = numbers(shape.texels(level), static_cast<cl_uint>(1000 * level + 1));
        const Origin origin = origin_of(shape, level);
        const Size3 region = shape.level(level);
        CHECK(clEnqueueWriteImage(f.queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, in.data(), 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    }
    return image;
}

}  // namespace

TEST_CASE("cl_khr_mipmap_image: each level of an image of every type keeps its texels") {
    CHECK(has_levels() == has_addresses());
    if (!has_levels()) return;
    Fixture f;
    for (const Shape& shape : kShapes) {
        CAPTURE(shape.desc.image_type);
        cl_mem image = make_filled(f, shape);
        CHECK(info<cl_uint>(clGetImageInfo, image, CL_IMAGE_NUM_MIP_LEVELS) == kLevels);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_WIDTH) == shape.size[0]);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ROW_PITCH) == shape.size[0] * 4);
        CHECK(info<size_t>(clGetMemObjectInfo, image, CL_MEM_SIZE) ==
              4 * (shape.texels(0) + shape.texels(1) + shape.texels(2)));
        for (size_t level = 0; level < kLevels; ++level)
            CHECK(level_of(f, image, shape, level) ==
                  numbers(shape.texels(level), static_cast<cl_uint>(1000 * level + 1)));
        // One texel, the last of its level
        for (size_t level = 0; level < kLevels; ++level) {
            Size3 last = shape.level(level);
            for (size_t& d : last) --d;
            std::vector<cl_uint> texel(1);
            CHECK(read(f, image, origin_of(shape, level, last), {1, 1, 1}, texel) == CL_SUCCESS);
            CHECK(texel[0] == 1000 * level + shape.texels(level));
        }
    }
}

TEST_CASE("cl_khr_mipmap_image: fills, copies and maps are of one level") {
    if (!has_levels()) return;
    Fixture f;
    for (const Shape& shape : kShapes) {
        CAPTURE(shape.desc.image_type);
        cl_mem image = make_filled(f, shape), other = make_filled(f, shape);
        const Origin first = origin_of(shape, 0), second = origin_of(shape, 1), third = origin_of(shape, 2);
        const Size3 whole = shape.level(1), small = shape.level(2);
        const cl_uint color[4] = {77, 0, 0, 0};
        CHECK(clEnqueueFillImage(f.queue, image, color, second.data(), whole.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(level_of(f, image, shape, 0) == numbers(shape.texels(0), 1));
        CHECK(level_of(f, image, shape, 1) == std::vector<cl_uint>(shape.texels(1), 77));
        CHECK(level_of(f, image, shape, 2) == numbers(shape.texels(2), 2001));

        // From a level to another one, of the same image too
        CHECK(clEnqueueCopyImage(f.queue, other, image, third.data(), second.data(), small.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
        CHECK(clEnqueueCopyImage(f.queue, image, image, third.data(), first.data(), small.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
        for (const size_t level : {size_t{0}, size_t{1}}) {
            const Origin origin = origin_of(shape, level);
            std::vector<cl_uint> part(shape.texels(2));
            CHECK(read(f, image, origin, small, part) == CL_SUCCESS);
            CHECK(part == numbers(shape.texels(2), 2001));
        }
        CHECK(level_of(f, image, shape, 1).back() == (shape.texels(1) == shape.texels(2) ? 2001 : 77));
        CHECK(clEnqueueCopyImage(f.queue, image, image, third.data(), third.data(), small.data(), 0, nullptr,
                                 nullptr) == CL_MEM_COPY_OVERLAP);

        // From and to a buffer
        const std::vector<cl_uint> in = numbers(shape.texels(1), 500);
        cl_mem buffer = f.make_buffer(4 * in.size(), const_cast<cl_uint*>(in.data()));
        CHECK(clEnqueueCopyBufferToImage(f.queue, buffer, image, 0, second.data(), whole.data(), 0, nullptr,
                                         nullptr) == CL_SUCCESS);
        CHECK(level_of(f, image, shape, 1) == in);
        CHECK(clEnqueueCopyImageToBuffer(f.queue, other, buffer, second.data(), whole.data(), 0, 0, nullptr,
                                         nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(buffer, in.size()) == numbers(in.size(), 1001));

        size_t row = 0, slice = 0;
        cl_int code = 1;
        auto* const mapped = static_cast<cl_uint*>(
            clEnqueueMapImage(f.queue, other, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, third.data(), small.data(),
                              &row, &slice, 0, nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(mapped[0] == 2001);
        Size3 last = small;
        for (size_t& d : last) --d;
        const bool is_row_of_layers = shape.desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        const size_t y_pitch = is_row_of_layers ? slice : row;
        cl_uint& texel = mapped[last[0] + (last[1] * y_pitch + last[2] * slice) / 4];
        CHECK(texel == 2000 + shape.texels(2));
        texel = 5;
        CHECK(clEnqueueUnmapMemObject(f.queue, other, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
        std::vector<cl_uint> expected = numbers(shape.texels(2), 2001);
        expected.back() = 5;
        CHECK(level_of(f, other, shape, 2) == expected);
        CHECK(level_of(f, other, shape, 1) == numbers(shape.texels(1), 1001));
    }
}

TEST_CASE("cl_khr_command_buffer: recorded commands are of one level") {
    if (!has_levels()) return;
    Fixture f;
    for (const Shape& shape : kShapes) {
        CAPTURE(shape.desc.image_type);
        cl_mem image = make_filled(f, shape), other = make_filled(f, shape);
        const Size3 whole = shape.level(1), small = shape.level(2);
        cl_mem buffer = f.make_buffer(shape.texels(1) * 4);
        const OwnCommandBuffer commands(f.queue);
        {
            // The origins are the program's, and gone when the commands run.
            Origin second = origin_of(shape, 1), third = origin_of(shape, 2);
            const cl_uint color[4] = {77, 0, 0, 0};
            CHECK(commands.fill_image(commands.handle, nullptr, nullptr, image, color, third.data(),
                                      small.data(), 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
            CHECK(commands.copy_image_to_buffer(commands.handle, nullptr, nullptr, image, buffer,
                                                second.data(), whole.data(), 0, 0, nullptr, nullptr,
                                                nullptr) == CL_SUCCESS);
            CHECK(commands.copy_image(commands.handle, nullptr, nullptr, image, other, third.data(),
                                      second.data(), small.data(), 0, nullptr, nullptr,
                                      nullptr) == CL_SUCCESS);
            second.fill(9);
            third.fill(9);
        }
        commands.finish_recording();
        REQUIRE(commands.replay() == CL_SUCCESS);
        CHECK(f.read<cl_uint>(buffer, shape.texels(1)) == numbers(shape.texels(1), 1001));
        CHECK(level_of(f, image, shape, 2) == std::vector<cl_uint>(shape.texels(2), 77));
        CHECK(level_of(f, image, shape, 0) == numbers(shape.texels(0), 1));
        std::vector<cl_uint> copied(shape.texels(2));
        CHECK(read(f, other, origin_of(shape, 1), small, copied) == CL_SUCCESS);
        CHECK(copied == std::vector<cl_uint>(shape.texels(2), 77));
        CHECK(level_of(f, other, shape, 0) == numbers(shape.texels(0), 1));
        CHECK(level_of(f, other, shape, 2) == numbers(shape.texels(2), 2001));
    }
}

TEST_CASE("cl_khr_mipmap_image: errors of commands on levels") {
    if (!has_levels()) return;
    Fixture f;
    for (const Shape& shape : kShapes) {
        CAPTURE(shape.desc.image_type);
        cl_mem image = make_filled(f, shape), buffer = f.make_buffer(4096);
        const Size3 one = {1, 1, 1};
        const Origin none = origin_of(shape, kLevels), first = origin_of(shape, 0);
        std::vector<cl_uint> texels(1024);
        cl_int code = 1;
        size_t row = 0, slice = 0;
        const cl_uint color[4] = {};
        CHECK(read(f, image, none, one, texels) == CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueWriteImage(f.queue, image, CL_TRUE, none.data(), one.data(), 0, 0, texels.data(), 0,
                                  nullptr, nullptr) == CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueFillImage(f.queue, image, color, none.data(), one.data(), 0, nullptr, nullptr) ==
              CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueCopyImage(f.queue, image, image, none.data(), first.data(), one.data(), 0, nullptr,
                                 nullptr) == CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueCopyImage(f.queue, image, image, first.data(), none.data(), one.data(), 0, nullptr,
                                 nullptr) == CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueCopyImageToBuffer(f.queue, image, buffer, none.data(), one.data(), 0, 0, nullptr,
                                         nullptr) == CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueCopyBufferToImage(f.queue, buffer, image, 0, none.data(), one.data(), 0, nullptr,
                                         nullptr) == CL_INVALID_MIP_LEVEL);
        CHECK(clEnqueueMapImage(f.queue, image, CL_TRUE, CL_MAP_READ, none.data(), one.data(), &row, &slice,
                                0, nullptr, nullptr, &code) == nullptr);
        CHECK(code == CL_INVALID_MIP_LEVEL);
        // The first level's size is too large for the second one.
        CHECK(read(f, image, origin_of(shape, 1), shape.level(0), texels) == CL_INVALID_VALUE);
        CHECK(read(f, image, origin_of(shape, 1, {shape.level(1)[0], 0, 0}), one, texels) ==
              CL_INVALID_VALUE);
    }
}

TEST_CASE("cl_khr_mipmap_image: which images may have levels") {
    if (!has_levels()) return;
    Fixture f;
    std::vector<cl_uint> texels(4096);
    cl_mem buffer = f.make_buffer(4096);
    const auto code_of = [&](cl_image_desc desc, cl_uint levels, cl_mem_flags flags = 0, void* host = nullptr,
                             cl_image_format format = kR32) {
        desc.num_mip_levels = levels;
        cl_int code = 1;
        cl_mem made = clCreateImage(f.context, flags, &format, &desc, host, &code);
        if (made) f.buffers.push_back(made);
        return code;
    };
    const cl_image_desc plane{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 9};
    CHECK(code_of(plane, 4) == CL_SUCCESS);
    CHECK(info<size_t>(clGetMemObjectInfo, f.buffers.back(), CL_MEM_SIZE) == 4 * (4 * 9 + 2 * 4 + 2 + 1));
    CHECK(code_of(plane, 15) == CL_SUCCESS);
    CHECK(info<size_t>(clGetMemObjectInfo, f.buffers.back(), CL_MEM_SIZE) == 4 * (4 * 9 + 2 * 4 + 2 + 12));
    CHECK(code_of(plane, 16) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(plane, ~0u) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(plane, 2, CL_MEM_COPY_HOST_PTR, texels.data()) == CL_INVALID_HOST_PTR);
    CHECK(code_of(plane, 2, CL_MEM_USE_HOST_PTR, texels.data()) == CL_INVALID_HOST_PTR);
    CHECK(code_of(plane, 2, 0, texels.data()) == CL_INVALID_HOST_PTR);
    CHECK(code_of(plane, 2, 0, nullptr, {CL_DEPTH, CL_FLOAT}) == CL_SUCCESS);
    cl_image_desc of_buffer = plane;
    of_buffer.buffer = buffer;
    CHECK(code_of(of_buffer, 2) == CL_INVALID_IMAGE_DESCRIPTOR);
    of_buffer.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    CHECK(code_of(of_buffer, 2) == CL_INVALID_IMAGE_DESCRIPTOR);
    cl_image_desc pitched = plane;
    pitched.image_row_pitch = 32;
    CHECK(code_of(pitched, 2) == CL_INVALID_IMAGE_DESCRIPTOR);
    cl_image_desc of_image = plane;
    REQUIRE(code_of(plane, 2) == CL_SUCCESS);
    of_image.mem_object = f.buffers.back();
    CHECK(code_of(of_image, 0) == CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(code_of(of_image, 2) == CL_INVALID_IMAGE_DESCRIPTOR);
    // A single level is an image as any other.
    CHECK(code_of(plane, 1, CL_MEM_COPY_HOST_PTR, texels.data()) == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetImageInfo, f.buffers.back(), CL_IMAGE_NUM_MIP_LEVELS) == 1);
    std::vector<cl_uint> out(1);
    CHECK(read(f, f.buffers.back(), {0, 0, 1, 0}, {1, 1, 1}, out) == CL_INVALID_VALUE);
}

TEST_CASE("cl_khr_mipmap_image: properties of samplers") {
    if (!has_levels()) return;
    Fixture f;
    cl_int code = 1;
    const auto property = [](float value) {
        cl_sampler_properties out = 0;
        std::memcpy(&out, &value, sizeof value);
        return out;
    };
    const auto make = [&](const std::vector<cl_sampler_properties>& list) {
        return clCreateSamplerWithProperties(f.context, list.data(), &code);
    };
    cl_sampler sampler = make({0});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR) ==
          CL_FILTER_NEAREST);
    CHECK(info<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MIN_KHR) == 0);
    CHECK(info<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MAX_KHR) == FLT_MAX);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    sampler = make({CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, CL_SAMPLER_LOD_MIN_KHR, property(0.3f),
                    CL_SAMPLER_LOD_MAX_KHR, property(2.7f), 0});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR) ==
          CL_FILTER_LINEAR);
    CHECK(info<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MIN_KHR) == 0.3f);
    CHECK(info<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MAX_KHR) == 2.7f);
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
    CHECK(make({CL_SAMPLER_MIP_FILTER_MODE_KHR, 1, 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({CL_SAMPLER_LOD_MIN_KHR, property(NAN), 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({CL_SAMPLER_LOD_MAX_KHR, property(1), CL_SAMPLER_LOD_MAX_KHR, property(1), 0}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("cl_khr_mipmap_image: kernels read the levels that samplers let them, and write levels") {
    if (!has_levels()) return;
    Fixture f;
    const Shape& shape = kShapes[2];
    constexpr cl_image_format kFloats = {CL_R, CL_FLOAT};
    cl_mem image = make_image(f, shape.desc, kFloats);
    cl_program program = f.build(R"(
        kernel void fill(write_only image2d_t image) {
            for (int level = 0; level < get_image_num_mip_levels(image); level++)
                for (int y = 0; y < 6 >> level; y++)
                    for (int x = 0; x < 11 >> level; x++)
                        write_imagef(image, (int2)(x, y), level, (float4)(10 * level));
        }
        kernel void sample(read_only image2d_t image, sampler_t s, global float *out) {
            const float lods[] = {-1, 0.3f, 1, 1.75f, 9};
            for (int i = 0; i < 5; i++) out[i] = read_imagef(image, s, (float2)(0.6f, 0.3f), lods[i]).x;
            out[5] = read_imagef(image, s, (float2)(0.6f, 0.3f), (float2)(2.0f / 11, 0), (float2)(0)).x;
            out[6] = read_imagef(image, s, (float2)(0.6f, 0.3f)).x;
            out[7] = get_image_width(image) * 100 + get_image_num_mip_levels(image);
        })",
                                 "-cl-std=CL3.0");
    cl_kernel fill = f.make_kernel(program, "fill"), sample = f.make_kernel(program, "sample");
    REQUIRE(set(fill, 0, image) == CL_SUCCESS);
    REQUIRE(run(f.queue, fill, 1) == CL_SUCCESS);
    const auto samples = [&](cl_mem of, cl_filter_mode mip_filter, float least, float most) {
        const auto property = [](float value) {
            cl_sampler_properties out = 0;
            std::memcpy(&out, &value, sizeof value);
            return out;
        };
        const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE,
                                              CL_FILTER_LINEAR,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              CL_ADDRESS_CLAMP_TO_EDGE,
                                              CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                              mip_filter,
                                              CL_SAMPLER_LOD_MIN_KHR,
                                              property(least),
                                              CL_SAMPLER_LOD_MAX_KHR,
                                              property(most),
                                              0};
        cl_int code = 1;
        cl_sampler sampler = clCreateSamplerWithProperties(f.context, list, &code);
        REQUIRE(code == CL_SUCCESS);
        cl_mem out = f.make_buffer(32);
        REQUIRE(set(sample, 0, of) == CL_SUCCESS);
        REQUIRE(set(sample, 1, sampler) == CL_SUCCESS);
        REQUIRE(set(sample, 2, out) == CL_SUCCESS);
        for (int launch = 0; launch < 3; ++launch)  // the third may read a texture
            REQUIRE(run(f.queue, sample, 1) == CL_SUCCESS);
        CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
        std::vector<float> found = f.read<float>(out, 8);
        for (float& value : found) value = std::round(value * 10) / 10;
        return found;
    };
    using Floats = std::vector<float>;
    CHECK(samples(image, CL_FILTER_NEAREST, 0, FLT_MAX) == Floats{0, 0, 10, 20, 20, 10, 0, 1103});
    CHECK(samples(image, CL_FILTER_LINEAR, 0, FLT_MAX) == Floats{0, 3, 10, 17.5f, 20, 10, 0, 1103});
    CHECK(samples(image, CL_FILTER_LINEAR, 0.5f, 1.5f) == Floats{5, 5, 10, 15, 15, 10, 0, 1103});
    CHECK(samples(image, CL_FILTER_NEAREST, 2, 7) == Floats{20, 20, 20, 20, 20, 20, 0, 1103});
    std::vector<float> same(66, 42);
    cl_image_desc one = shape.desc;
    one.num_mip_levels = 0;
    CHECK(samples(make_image(f, one, kFloats, same.data()), CL_FILTER_LINEAR, 0, FLT_MAX) ==
          Floats{42, 42, 42, 42, 42, 42, 42, 1101});
}
