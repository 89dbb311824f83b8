// SPDX-License-Identifier: Apache-2.0
// Samplers that are arguments, for whole and for real coordinates in one kernel. With CALDERA_IMAGES=hardware
// Vulkan's samplers serve both.
#include <algorithm>
#include <limits>
#include <string>

#include "tests/driver/images.h"

using namespace caldera::driver_test;

namespace {

/// An image type: what its coordinates are of four numbers, and how many of those count texels. The next one
/// is a layer, if there is one.
struct Shape {
    cl_mem_object_type type = 0;
    const char* name = "";
    const char* coordinates = "";
    size_t dimensions = 0;
    bool has_layers = false;
};
constexpr Shape kShapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "x", 1, false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "xy", 1, true},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "xy", 2, false},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "xyzw", 2, true},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "xyzw", 3, false},
};
constexpr Size3 kSizes = {5, 4, 3};
using Place = std::array<cl_int, 4>;

constexpr cl_int kFirst = std::numeric_limits<cl_int>::min(), kLast = std::numeric_limits<cl_int>::max();
/// Inside, just outside and far outside.
constexpr Place kPlaces[] = {
    {3, 3, 2, 0},     {1, 2, 1, 0},     {4, 0, 2, 0},      {-1, 1, 1, 0},
    {5, 2, 1, 0},     {2, -1, 0, 0},    {0, 4, 2, 0},      {3, 1, -1, 0},
    {2, 2, 3, 0},     {7, 9, 8, 0},     {-40, -50, -6, 0}, {kLast, 1, 2, 0},
    {1, kLast, 2, 0}, {1, 1, kLast, 0}, {kFirst, 3, 1, 0}, {kLast - 100, kFirst, 0, 0},
};
constexpr size_t kCount = std::size(kPlaces);

/// Each place is read by an instruction of its own, so that the driver has textures for many reads, too.
std::string source(const Shape& shape, const std::string& more_images, const std::string& more_reads) {
    const std::string at = std::string("at[n].") + shape.coordinates;
    return std::string("#define READ(n) whole[n] = read_imagef(image, sampler, ") + at +
           ").x; real[n] = read_imagef(image, sampler, centre[n]." + shape.coordinates + ").x;" + more_reads +
           R"(
        #define FOUR(n) READ(n) READ(n + 1) READ(n + 2) READ(n + 3)
        kernel void both(read_only )" +
           shape.name +
           R"( image, sampler_t sampler, global const int4 *at, global const float4 *centre,
                         global float *whole, global float *real)" +
           more_images + R"() {
            FOUR(0) FOUR(4) FOUR(8) FOUR(12)
        }
    )";
}

struct SamplerFixture : Fixture {
    cl_mem image_of(const Shape& shape) {
        const Size3 size = sizes(shape);
        std::vector<float> texels(size[0] * size[1] * size[2]);
        std::iota(texels.begin(), texels.end(), 1.0f);
        cl_image_desc desc{.image_type = shape.type, .image_width = size[0]};
        if (shape.dimensions > 1) desc.image_height = size[1];
        if (shape.dimensions > 2) desc.image_depth = size[2];
        if (shape.has_layers) desc.image_array_size = size[shape.dimensions];
        return make_image(*this, desc, {CL_R, CL_FLOAT}, texels.data());
    }
    static Size3 sizes(const Shape& shape) {
        Size3 size = {1, 1, 1};
        std::copy_n(kSizes.begin(), shape.dimensions + (shape.has_layers ? 1 : 0), size.begin());
        return size;
    }
    cl_sampler sampler(cl_addressing_mode mode, cl_filter_mode filter) {
        cl_int code = 1;
        cl_sampler made = clCreateSampler(context, CL_FALSE, mode, filter, &code);
        REQUIRE(code == CL_SUCCESS);
        return made;
    }
    std::vector<float> found(cl_kernel kernel, cl_mem in) {
        const size_t one = 1;
        for (int launch = 0; launch < 2; ++launch)
            REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
                    CL_SUCCESS);
        return read<float>(in, kCount);
    }
};

/// OpenCL C 3.0 8.2. A layer is clamped in each mode.
float texel_at(const Shape& shape, cl_addressing_mode mode, const Place& place) {
    const Size3 size = SamplerFixture::sizes(shape);
    size_t index = 0, step = 1;
    for (size_t d = 0; d < 3; ++d) {
        if (size[d] == 1) continue;
        const cl_int inside = std::clamp(place[d], 0, static_cast<cl_int>(size[d]) - 1);
        if (mode == CL_ADDRESS_CLAMP && d < shape.dimensions && inside != place[d]) return 0;
        index += step * static_cast<size_t>(inside);
        step *= size[d];
    }
    return static_cast<float>(index + 1);
}

/// A number that no int has for the least and the greatest int.
float centre(const Shape& shape, size_t d, cl_int whole) {
    if (whole == kFirst) return -3e38f;
    if (whole == kLast) return 3e38f;
    return static_cast<float>(whole) + (shape.has_layers && d == shape.dimensions ? 0 : 0.5f);
}

/// The kernels have more pointers and images than the least devices have buffers for.
bool has_few_buffers() { return has_limit("maxPerStageDescriptorStorageBuffers=4"); }

/// Which kernel reads an image of the shape, and of others beside it.
void check_both(const Shape& shape, const std::string& more_images, const std::string& more_reads,
                const Shape* other = nullptr) {
    SamplerFixture f;
    cl_program program = f.build(source(shape, more_images, more_reads).c_str(), "-cl-std=CL3.0");
    cl_kernel kernel = f.make_kernel(program, "both");
    std::vector<std::array<float, 4>> centres(kCount);
    std::vector<Place> places(std::begin(kPlaces), std::end(kPlaces));
    for (size_t i = 0; i < kCount; ++i)
        for (size_t d = 0; d < 4; ++d) centres[i][d] = centre(shape, d, places[i][d]);
    cl_mem whole = f.make_buffer(kCount * sizeof(float)), real = f.make_buffer(kCount * sizeof(float));
    const cl_mem memory[] = {f.make_buffer(kCount * sizeof(Place), places.data()),
                             f.make_buffer(kCount * sizeof(centres[0]), centres.data()), whole, real};
    cl_mem image = f.image_of(shape), sums = f.make_buffer(kCount * sizeof(float));
    REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
    for (cl_uint i = 0; i < 4; ++i)
        REQUIRE(clSetKernelArg(kernel, 2 + i, sizeof(cl_mem), &memory[i]) == CL_SUCCESS);
    if (other) {
        cl_mem beside = f.image_of(*other);
        REQUIRE(clSetKernelArg(kernel, 6, sizeof beside, &beside) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 7, sizeof sums, &sums) == CL_SUCCESS);
    }
    for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP})
        for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
            INFO(mode, " ", filter);
            cl_sampler sampler = f.sampler(mode, filter);
            REQUIRE(clSetKernelArg(kernel, 1, sizeof sampler, &sampler) == CL_SUCCESS);
            const std::vector<float> by_whole = f.found(kernel, whole), by_real = f.read<float>(real, kCount),
                                     beside = f.read<float>(sums, kCount);
            for (size_t i = 0; i < kCount; ++i) {
                INFO(i);
                // Whole coordinates are for nearest texels.
                const float right = texel_at(shape, mode, places[i]);
                if (filter == CL_FILTER_NEAREST) CHECK(by_whole[i] == right);
                if (filter == CL_FILTER_NEAREST && other)
                    CHECK(beside[i] == texel_at(*other, mode, places[i]));
                CHECK(by_real[i] == doctest::Approx(right).epsilon(1e-5));
            }
            CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
        }
}

}  // namespace

TEST_CASE("6.15.15.2 a sampler argument reads an image at whole and at real coordinates in one kernel") {
    if (has_few_buffers()) return;
    for (const Shape& shape : kShapes) {
        INFO(std::string(shape.name));
        check_both(shape, "", "");
    }
}

// Vulkan's samplers count no texels of 3D images and of arrays, so the kernel divides for all its samplers.
TEST_CASE("6.15.15.2 a sampler argument reads images of two shapes at whole coordinates in one kernel") {
    if (has_few_buffers()) return;
    for (const Shape& shape : kShapes)
        for (const Shape& other : kShapes) {
            INFO(std::string(shape.name), " ", std::string(other.name));
            check_both(
                shape, std::string(", read_only ") + other.name + " other, global float *sums",
                std::string(" sums[n] = read_imagef(other, sampler, at[n].") + other.coordinates + ").x;",
                &other);
        }
}
