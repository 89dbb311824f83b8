// SPDX-License-Identifier: Apache-2.0
// cl_ext_image_raw10_raw12: images of 10 or 12 bits for each texel, which share bytes.
#include <algorithm>
#include <cstring>

#include "tests/driver/images.h"
#include "vulkan/icd/newer_names.h"

using namespace caldera::driver_test;

namespace {

/// A type as the extension's text describes it: so many texels have a byte each and one more.
struct RawType {
    cl_channel_type type;
    size_t in_group;
    unsigned low_bits;
    cl_image_format format() const { return {CL_R, type}; }
    cl_uint most() const { return (1u << (8 + low_bits)) - 1; }
    size_t bytes_of(size_t texels) const { return texels / in_group * (in_group + 1); }
};
constexpr RawType kRawTypes[] = {{CL_UNSIGNED_INT_RAW10_EXT, 4, 2}, {CL_UNSIGNED_INT_RAW12_EXT, 2, 4}};

/// Texels of some rows, all of them different as far as they can be.
std::vector<cl_uint> some_texels(const RawType& raw, size_t count, cl_uint seed = 1) {
    std::vector<cl_uint> out;
    for (cl_uint i = 0; i < count; ++i) out.push_back((i * 613 + seed * 331) & raw.most());
    return out;
}

/// The rows in memory, with a pitch.
std::vector<cl_uchar> packed(const RawType& raw, const std::vector<cl_uint>& texels, size_t width,
                             size_t pitch = 0) {
    if (pitch == 0) pitch = raw.bytes_of(width);
    std::vector<cl_uchar> out(texels.size() / width * pitch);
    for (size_t i = 0; i < texels.size(); ++i) {
        const size_t x = i % width, in_group = x % raw.in_group;
        cl_uchar* const group = &out[i / width * pitch + raw.bytes_of(x - in_group)];
        const cl_uint low = texels[i] & ((1u << raw.low_bits) - 1);
        group[in_group] = static_cast<cl_uchar>(texels[i] >> raw.low_bits);
        group[raw.in_group] = static_cast<cl_uchar>(group[raw.in_group] | low << raw.low_bits * in_group);
    }
    return out;
}

/// What a kernel reads with integer coordinates. The layers of arrays are the last coordinate.
std::vector<cl_uint> seen(Fixture& f, const char* image_type, const char* place, cl_mem image, size_t texels,
                          size_t width, size_t height) {
    const std::string source = std::string("kernel void test(read_only ") + image_type +
                               " i, global uint *out, int w, int h) {"
                               "int g = get_global_id(0), x = g % w, y = g / w % h, z = g / w / h;"
                               "uint4 c = read_imageui(i, " +
                               place + "); out[g] = c.y == 0 && c.z == 0 && c.w == 1 ? c.x : 0xffff; }";
    cl_kernel kernel = f.make_kernel(source, "test", "-cl-std=CL2.0");
    cl_mem out = f.make_buffer(texels * sizeof(cl_uint));
    CHECK(set(kernel, 0, image) == CL_SUCCESS);
    CHECK(set(kernel, 1, out) == CL_SUCCESS);
    CHECK(set(kernel, 2, static_cast<cl_int>(width)) == CL_SUCCESS);
    CHECK(set(kernel, 3, static_cast<cl_int>(height)) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, texels) == CL_SUCCESS);
    return f.read<cl_uint>(out, texels);
}
std::vector<cl_uint> seen_2d(Fixture& f, cl_mem image, size_t width, size_t height) {
    return seen(f, "image2d_t", "(int2)(x, y)", image, width * height, width, height);
}

cl_mem make_raw(Fixture& f, const RawType& raw, size_t width, size_t height,
                const std::vector<cl_uint>& texels = {}) {
    std::vector<cl_uchar> bytes;
    if (!texels.empty()) bytes = packed(raw, texels, width);
    return make_image(
        f, {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height}, raw.format(),
        texels.empty() ? nullptr : bytes.data(),
        CL_MEM_READ_ONLY | (texels.empty() ? cl_mem_flags{0} : cl_mem_flags{CL_MEM_COPY_HOST_PTR}));
}

}  // namespace

TEST_CASE("cl_ext_image_raw10_raw12: kernels read images of every shape") {
    struct Row {
        cl_image_desc desc;
        size_t height, slices;
        const char *type, *place;
    };
    const Row rows[] = {
        {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 20}, 1, 1, "image1d_t", "x"},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 12, .image_height = 5},
         5,
         1,
         "image2d_t",
         "(int2)(x, y)"},
        {{.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 3, .image_depth = 4},
         3,
         4,
         "image3d_t",
         "(int4)(x, y, z, 0)"},
        {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 8, .image_array_size = 3},
         3,
         1,
         "image1d_array_t",
         "(int2)(x, y)"},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 8,
          .image_height = 3,
          .image_array_size = 2},
         3,
         2,
         "image2d_array_t",
         "(int4)(x, y, z, 0)"}};
    Fixture f;
    for (const RawType& raw : kRawTypes)
        for (const Row& row : rows) {
            CAPTURE(raw.type);
            CAPTURE(row.type);
            const size_t width = row.desc.image_width, count = width * row.height * row.slices;
            const std::vector<cl_uint> texels = some_texels(raw, count);
            // a pitch that is no multiple of a group, and none
            for (const size_t more : {0, 7}) {
                CAPTURE(more);
                cl_image_desc desc = row.desc;
                const size_t pitch = raw.bytes_of(width) + more;
                if (more != 0 && row.height > 1) desc.image_row_pitch = pitch;
                std::vector<cl_uchar> bytes = packed(raw, texels, width, desc.image_row_pitch ? pitch : 0);
                for (const cl_mem_flags flags : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
                    cl_mem image = make_image(f, desc, raw.format(), bytes.data(), flags | CL_MEM_READ_ONLY);
                    CHECK(seen(f, row.type, row.place, image, count, width, row.height) == texels);
                    std::vector<cl_uchar> read(raw.bytes_of(width) * row.height * row.slices);
                    const Size3 region = {width, row.height, row.slices};
                    CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), region.data(), 0, 0,
                                             read.data(), 0, nullptr, nullptr) == CL_SUCCESS);
                    CHECK(read == packed(raw, texels, width));
                }
            }
        }
}

TEST_CASE("cl_ext_image_raw10_raw12: images of a buffer's bytes, with any pitch") {
    Fixture f;
    for (const RawType& raw : kRawTypes) {
        CAPTURE(raw.type);
        const std::vector<cl_uint> texels = some_texels(raw, 24);
        std::vector<cl_uchar> bytes = packed(raw, texels, 8, 16);
        cl_mem buffer = f.make_buffer(bytes.size(), bytes.data());
        cl_mem image = make_image(f,
                                  {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                   .image_width = 8,
                                   .image_height = 3,
                                   .image_row_pitch = 16,
                                   .mem_object = buffer},
                                  raw.format(), nullptr, CL_MEM_READ_ONLY);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ROW_PITCH) == 16);
        CHECK(seen_2d(f, image, 8, 3) == texels);
        cl_mem row = make_image(
            f, {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8, .mem_object = buffer},
            raw.format(), nullptr, CL_MEM_READ_ONLY);
        CHECK(seen(f, "image1d_buffer_t", "x", row, 8, 8, 1) ==
              std::vector<cl_uint>(texels.begin(), texels.begin() + 8));

        // the buffer's access is the image's, where that has none of its own
        cl_int code = 1;
        const cl_image_format format = raw.format();
        const cl_image_desc desc{
            .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8, .mem_object = buffer};
        CHECK(clCreateImage(f.context, 0, &format, &desc, nullptr, &code) == nullptr);
        CHECK(code == CL_IMAGE_FORMAT_NOT_SUPPORTED);
        cl_image_desc inherited = desc;
        inherited.mem_object = f.make_buffer(16, nullptr, CL_MEM_READ_ONLY);
        f.buffers.push_back(clCreateImage(f.context, 0, &format, &inherited, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
    }
}

TEST_CASE("cl_ext_image_raw10_raw12: samplers find the nearest texel") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(R"(
        kernel void test(read_only image2d_t i, sampler_t s, global uint *out) {
            const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
            const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
            const sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
            int g = get_global_id(0), x = g % 8, y = g / 8;
            out += 8 * g;
            out[0] = read_imageui(i, edge, (int2)(x, y)).x;
            out[1] = read_imageui(i, edge, (float2)(x + 0.75f, y + 0.25f)).x;
            out[2] = read_imageui(i, repeat, (float2)((x + 8.5f) / 8, (y + 0.5f) / 2)).x;
            out[3] = read_imageui(i, s, (float2)(x + 0.5f, y + 0.5f)).x;
            out[4] = read_imageui(i, edge, (int2)(x + 8, -1)).x;
            uint4 outside = read_imageui(i, border, (int2)(-1 - x, y));
            out[5] = outside.x + outside.y + outside.z;
            out[6] = outside.w;
            out[7] = get_image_channel_data_type(i) * 0x10000 + get_image_channel_order(i);
        })",
                                     "test");
    cl_int code = 1;
    cl_sampler sampler = clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_mem out = f.make_buffer(16 * 8 * sizeof(cl_uint));
    for (const RawType& raw : kRawTypes) {
        CAPTURE(raw.type);
        const std::vector<cl_uint> texels = some_texels(raw, 16);
        CHECK(set(kernel, 0, make_raw(f, raw, 8, 2, texels)) == CL_SUCCESS);
        CHECK(set(kernel, 1, sampler) == CL_SUCCESS);
        CHECK(set(kernel, 2, out) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 16) == CL_SUCCESS);
        const std::vector<cl_uint> found = f.read<cl_uint>(out, 16 * 8);
        for (size_t i = 0; i < 16; ++i) {
            CAPTURE(i);
            const cl_uint* const its = &found[8 * i];
            for (size_t way = 0; way < 4; ++way) CHECK(its[way] == texels[i]);
            CHECK(its[4] == texels[7]);
            CHECK(its[5] == 0);
            CHECK(its[6] == 1);
            CHECK(its[7] == raw.type * 0x10000 + CL_R);
        }
    }
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

TEST_CASE("cl_ext_image_raw10_raw12: commands take whole groups of texels") {
    Fixture f;
    for (const RawType& raw : kRawTypes) {
        CAPTURE(raw.type);
        constexpr size_t kWidth = 16, kHeight = 3;
        std::vector<cl_uint> texels = some_texels(raw, kWidth * kHeight);
        cl_mem image = make_raw(f, raw, kWidth, kHeight, texels);
        cl_mem other = make_raw(f, raw, kWidth, kHeight, std::vector<cl_uint>(kWidth * kHeight, 5));
        const auto put = [&](std::vector<cl_uint>& into, size_t x, size_t y, size_t width, size_t height,
                             const auto& texel) {
            for (size_t i = 0; i < width * height; ++i)
                into[(y + i / width) * kWidth + x + i % width] = texel(i);
        };
        constexpr Size3 kFrom = {4, 1, 0}, kPart = {8, 2, 1}, kTo = {8, 0, 0};

        // write and read
        const std::vector<cl_uint> part = some_texels(raw, 16, 9);
        const std::vector<cl_uchar> part_bytes = packed(raw, part, 8, 20);
        CHECK(clEnqueueWriteImage(f.queue, image, CL_TRUE, kFrom.data(), kPart.data(), 20, 0,
                                  part_bytes.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        put(texels, 4, 1, 8, 2, [&](size_t i) { return part[i]; });
        CHECK(seen_2d(f, image, kWidth, kHeight) == texels);
        std::vector<cl_uchar> read(raw.bytes_of(8) * 2);
        CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, kFrom.data(), kPart.data(), 0, 0, read.data(), 0,
                                 nullptr, nullptr) == CL_SUCCESS);
        CHECK(read == packed(raw, part, 8));

        // copies
        std::vector<cl_uint> copied(kWidth * kHeight, 5);
        CHECK(clEnqueueCopyImage(f.queue, image, other, kFrom.data(), kTo.data(), kPart.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
        put(copied, 8, 0, 8, 2, [&](size_t i) { return part[i]; });
        CHECK(seen_2d(f, other, kWidth, kHeight) == copied);
        cl_mem buffer = f.make_buffer(64);
        CHECK(clEnqueueCopyImageToBuffer(f.queue, image, buffer, kFrom.data(), kPart.data(), 3, 0, nullptr,
                                         nullptr) == CL_SUCCESS);
        const std::vector<cl_uchar> in_buffer = f.read<cl_uchar>(buffer, 3 + read.size());
        CHECK(std::vector(in_buffer.begin() + 3, in_buffer.end()) == read);
        CHECK(clEnqueueCopyBufferToImage(f.queue, buffer, other, 3, kOrigin.data(), kPart.data(), 0, nullptr,
                                         nullptr) == CL_SUCCESS);
        put(copied, 0, 0, 8, 2, [&](size_t i) { return part[i]; });
        CHECK(seen_2d(f, other, kWidth, kHeight) == copied);

        // fills, of a part and of all; too large values saturate
        for (const cl_uint value : {cl_uint{0x155}, cl_uint{0x2aa}, cl_uint{1}, raw.most(), cl_uint{70000}}) {
            CAPTURE(value);
            const std::array<cl_uint, 4> color = {value, 1, 2, 3};
            constexpr Size3 kAll = {kWidth, kHeight, 1};
            const cl_uint filled = std::min(value, raw.most());
            CHECK(clEnqueueFillImage(f.queue, other, color.data(), kFrom.data(), kPart.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
            put(copied, 4, 1, 8, 2, [&](size_t) { return filled; });
            CHECK(seen_2d(f, other, kWidth, kHeight) == copied);
            CHECK(clEnqueueFillImage(f.queue, other, color.data(), kOrigin.data(), kAll.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
            std::ranges::fill(copied, filled);
            CHECK(seen_2d(f, other, kWidth, kHeight) == copied);
        }

        // maps
        size_t pitch = 0;
        cl_int code = 1;
        void* const mapped =
            clEnqueueMapImage(f.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, kFrom.data(), kPart.data(),
                              &pitch, nullptr, 0, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        CHECK(pitch >= raw.bytes_of(8));
        std::vector<cl_uchar> again = packed(raw, some_texels(raw, 8, 4), 8);
        CHECK(std::memcmp(mapped, read.data(), raw.bytes_of(8)) == 0);
        std::memcpy(static_cast<cl_uchar*>(mapped) + pitch, again.data(), again.size());
        CHECK(clEnqueueUnmapMemObject(f.queue, image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
        put(texels, 4, 2, 8, 1, [&](size_t i) { return some_texels(raw, 8, 4)[i]; });
        CHECK(seen_2d(f, image, kWidth, kHeight) == texels);

        // parts of groups
        constexpr Size3 kOdd = {1, 0, 0}, kOddPart = {5, 1, 1}, kWhole = {4, 1, 1};
        for (const auto& [origin, region] : {std::pair{kOdd, kWhole}, {kOrigin, kOddPart}}) {
            const std::array<cl_uint, 4> color = {};
            CHECK(clEnqueueReadImage(f.queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, read.data(),
                                     0, nullptr, nullptr) == CL_INVALID_VALUE);
            CHECK(clEnqueueWriteImage(f.queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                      read.data(), 0, nullptr, nullptr) == CL_INVALID_VALUE);
            CHECK(clEnqueueFillImage(f.queue, image, color.data(), origin.data(), region.data(), 0, nullptr,
                                     nullptr) == CL_INVALID_VALUE);
            CHECK(clEnqueueCopyImage(f.queue, image, other, kOrigin.data(), origin.data(), region.data(), 0,
                                     nullptr, nullptr) == CL_INVALID_VALUE);
        }
    }
}

TEST_CASE("cl_ext_image_raw10_raw12: formats, sizes and errors") {
    Fixture f;
    const auto has = [&](cl_mem_flags flags, cl_mem_object_type type, const cl_image_format& wanted) {
        std::vector<cl_image_format> formats(300);
        cl_uint count = 0;
        CHECK(clGetSupportedImageFormats(f.context, flags, type, 300, formats.data(), &count) == CL_SUCCESS);
        formats.resize(count);
        return std::ranges::any_of(formats, [&](const cl_image_format& each) {
            return each.image_channel_order == wanted.image_channel_order &&
                   each.image_channel_data_type == wanted.image_channel_data_type;
        });
    };
    for (const RawType& raw : kRawTypes) {
        CAPTURE(raw.type);
        for (const cl_mem_object_type type :
             {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D,
              CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D_ARRAY}) {
            CHECK(has(CL_MEM_READ_ONLY, type, raw.format()));
            for (const cl_mem_flags flags :
                 {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE})
                CHECK(!has(flags, type, raw.format()));
        }
        cl_mem image = make_raw(f, raw, 8, 3);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE) == 2);
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ROW_PITCH) == raw.bytes_of(8));
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_WIDTH) == 8);
        CHECK(info<size_t>(clGetMemObjectInfo, image, CL_MEM_SIZE) == raw.bytes_of(8) * 3);

        const auto fails = [&](const cl_image_format& format, const cl_image_desc& desc,
                               cl_mem_flags flags = CL_MEM_READ_ONLY, void* host = nullptr) {
            cl_int code = 1;
            CHECK(clCreateImage(f.context, flags, &format, &desc, host, &code) == nullptr);
            return code;
        };
        cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 3};
        for (const cl_channel_order order : {CL_RG, CL_RGBA, CL_A, CL_DEPTH, CL_INTENSITY, CL_Rx})
            CHECK(fails({order, raw.type}, desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        for (const cl_mem_flags flags :
             {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_WRITE_ONLY}})
            CHECK(fails(raw.format(), desc, flags) == CL_IMAGE_FORMAT_NOT_SUPPORTED);
        desc.image_width = raw.in_group + 1;
        CHECK(fails(raw.format(), desc) == CL_INVALID_IMAGE_DESCRIPTOR);
        desc.image_width = 8;
        desc.image_row_pitch = raw.bytes_of(8) - 1;
        std::vector<cl_uchar> host(64);
        CHECK(fails(raw.format(), desc, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, host.data()) ==
              CL_INVALID_IMAGE_DESCRIPTOR);
        desc.image_row_pitch = 0;
        desc.num_mip_levels = 2;
        CHECK(fails(raw.format(), desc) == CL_INVALID_IMAGE_DESCRIPTOR);

        cl_kernel kernel = f.make_kernel(
            "kernel void test(write_only image2d_t i) { write_imageui(i, (int2)(0, 0), (uint4)(1)); }",
            "test");
        CHECK(set(kernel, 0, image) == CL_INVALID_ARG_VALUE);
    }
}
