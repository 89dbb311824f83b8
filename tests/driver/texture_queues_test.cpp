// SPDX-License-Identifier: Apache-2.0
// Queues that use parts of images at the same time. No command of one touches what another one uses, so they
// need no events (OpenCL API 5.11), although a texture is a copy of a whole image.
#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/driver/images.h"

using namespace caldera::driver_test;

namespace {

constexpr size_t kWidth = 32, kRows = 8;
constexpr cl_image_format kFormat = {CL_R, CL_UNSIGNED_INT8};

constexpr const char* kSource = R"(
    constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#ifdef LEVELS
    constant sampler_t of_level = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#endif
    uint texel(read_only image2d_t image, int level) {
        const float2 at = (float2)(get_global_id(0) + 0.5f, get_global_id(1) + 0.5f);
#ifdef LEVELS
        const float2 size = convert_float2(get_image_dim(image) >> level);
        return read_imageui(image, of_level, at / size, (float)level).x;
#else
        return read_imageui(image, nearest, at).x;
#endif
    }
    void set_texel(write_only image2d_t image, int level, uint value) {
        const int2 at = (int2)(get_global_id(0), get_global_id(1));
#ifdef LEVELS
        write_imageui(image, at, level, value);
#else
        write_imageui(image, at, value);
#endif
    }
    kernel void sample(read_only image2d_t image, int level, global uchar *out, uint first) {
        out[get_global_id(1) * get_global_size(0) + get_global_id(0) - first] = texel(image, level);
    }
    kernel void put(write_only image2d_t image, int level, uint value) {
        set_texel(image, level, value + get_global_id(0));
    }
    kernel void next(read_only image2d_t from, write_only image2d_t to, int level) {
        set_texel(to, level, texel(from, level) * 3 + 1 & 255);
    }
)";

/// The part of each image that a queue uses: rows of one level.
struct Place {
    size_t width = kWidth, rows = kRows, first_row = 0, level = 0;
    size_t texels() const { return width * rows; }
};

using Texels = std::vector<cl_uchar>;

/// A queue, and its place in two images. Its calls may come from a thread of their own.
class Part {
 public:
    Part(Fixture& f, cl_program program, std::array<cl_mem, 2> images, const Place& place, size_t number)
        : queue_(f.make_queue(number % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0)),
          is_in_order_(number % 2 == 0),
          images_(images),
          place_(place),
          out_(f.make_buffer(place.texels())),
          sample_(f.make_kernel(program, "sample")),
          put_(f.make_kernel(program, "put")),
          next_(f.make_kernel(program, "next")),
          random_(static_cast<unsigned>(number)) {
        right_.fill(Texels(place.texels()));
        for (size_t i = 0; i < 2; ++i) write(i);
        order();
    }

    void do_something() {
        const size_t i = random_() % 2;
        switch (random_() % 8) {
            case 0: write(i); break;
            case 1: fill(i); break;
            case 2: put(i); break;
            case 3:
            case 4: next(i); break;
            case 5: read(i); break;
            default: sample(i); break;
        }
        order();
        if (random_() % 8 == 0) is_right_ &= clFlush(queue_) == CL_SUCCESS;
    }
    /// How many of the commands so far failed, or found wrong texels.
    size_t faults() {
        for (size_t i = 0; i < 2; ++i) read(i);
        is_right_ &= clFinish(queue_) == CL_SUCCESS;
        const auto count = static_cast<size_t>(
            std::ranges::count_if(found_, [](const auto& found) { return found->texels != found->right; }));
        found_.clear();
        return count + (std::exchange(is_right_, true) ? 0 : 1);
    }

 private:
    struct Found {
        Texels texels, right;
    };
    Size3 origin() const { return {0, place_.first_row, place_.level}; }
    Size3 region() const { return {place_.width, place_.rows, 1}; }
    cl_int level() const { return static_cast<cl_int>(place_.level); }

    void launch(cl_kernel kernel) {
        const size_t offset[] = {0, place_.first_row}, size[] = {place_.width, place_.rows};
        is_right_ &= clEnqueueNDRangeKernel(queue_, kernel, 2, offset, size, nullptr, 0, nullptr, nullptr) ==
                     CL_SUCCESS;
    }
    void order() {
        if (!is_in_order_)
            is_right_ &= clEnqueueBarrierWithWaitList(queue_, 0, nullptr, nullptr) == CL_SUCCESS;
    }
    template <class T>
    void set(cl_kernel kernel, cl_uint index, const T& value) {
        is_right_ &= clSetKernelArg(kernel, index, sizeof value, &value) == CL_SUCCESS;
    }
    Found& found(size_t i) {
        found_.push_back(
            std::make_unique<Found>(Found{.texels = Texels(place_.texels()), .right = right_[i]}));
        return *found_.back();
    }

    void write(size_t i) {
        for (cl_uchar& texel : right_[i]) texel = static_cast<cl_uchar>(random_());
        Found& written = found(i);  // keeps them until the command is over
        written.texels = written.right;
        is_right_ &= clEnqueueWriteImage(queue_, images_[i], CL_FALSE, origin().data(), region().data(), 0, 0,
                                         written.texels.data(), 0, nullptr, nullptr) == CL_SUCCESS;
    }
    void fill(size_t i) {
        const cl_uint color[4] = {static_cast<cl_uint>(random_() % 256)};
        std::ranges::fill(right_[i], static_cast<cl_uchar>(color[0]));
        is_right_ &= clEnqueueFillImage(queue_, images_[i], color, origin().data(), region().data(), 0,
                                        nullptr, nullptr) == CL_SUCCESS;
    }
    void put(size_t i) {
        const auto value = static_cast<cl_uint>(random_() % 128);
        for (size_t at = 0; at < right_[i].size(); ++at)
            right_[i][at] = static_cast<cl_uchar>(value + at % place_.width);
        set(put_, 0, images_[i]);
        set(put_, 1, level());
        set(put_, 2, value);
        launch(put_);
    }
    void next(size_t i) {
        for (size_t at = 0; at < right_[i].size(); ++at)
            right_[1 - i][at] = static_cast<cl_uchar>(right_[i][at] * 3 + 1);
        set(next_, 0, images_[i]);
        set(next_, 1, images_[1 - i]);
        set(next_, 2, level());
        launch(next_);
    }
    void read(size_t i) {
        is_right_ &= clEnqueueReadImage(queue_, images_[i], CL_FALSE, origin().data(), region().data(), 0, 0,
                                        found(i).texels.data(), 0, nullptr, nullptr) == CL_SUCCESS;
    }
    void sample(size_t i) {
        set(sample_, 0, images_[i]);
        set(sample_, 1, level());
        set(sample_, 2, out_);
        set(sample_, 3, static_cast<cl_uint>(place_.first_row * place_.width));
        launch(sample_);
        order();
        is_right_ &= clEnqueueReadBuffer(queue_, out_, CL_FALSE, 0, place_.texels(), found(i).texels.data(),
                                         0, nullptr, nullptr) == CL_SUCCESS;
    }

    cl_command_queue queue_;
    bool is_in_order_;
    std::array<cl_mem, 2> images_;
    Place place_;
    cl_mem out_;
    cl_kernel sample_, put_, next_;
    std::minstd_rand random_;
    std::array<Texels, 2> right_ = {};
    std::vector<std::unique_ptr<Found>> found_ = {};
    bool is_right_ = true;
};

/// Each part has rows of its own, or a level of its own.
struct Parts : Fixture {
    explicit Parts(size_t count, bool has_levels = false) {
        cl_program program = build(kSource, has_levels ? "-cl-std=CL3.0 -DLEVELS" : "-cl-std=CL3.0");
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = kWidth,
                                 .image_height = has_levels ? kRows : kRows * count,
                                 .num_mip_levels = has_levels ? static_cast<cl_uint>(count) : 0};
        const std::array images = {make_image(*this, desc, kFormat), make_image(*this, desc, kFormat)};
        for (size_t i = 0; i < count; ++i) {
            const Place level = {.width = kWidth >> i, .rows = kRows >> i, .level = i},
                        rows = {.first_row = i * kRows};
            parts.emplace_back(*this, program, images, has_levels ? level : rows, i);
        }
    }
    std::vector<Part> parts = {};
};

}  // namespace

TEST_CASE("5.11 queues use parts of an image at the same time, one call after another") {
    Parts f(2);
    std::minstd_rand random(1);
    for (size_t round = 0; round < 300; ++round) {
        for (int i = 0; i < 6; ++i) f.parts[random() % 2].do_something();
        for (Part& part : f.parts) CHECK(part.faults() == 0);
    }
}

TEST_CASE("5.11 queues use parts of an image at the same time, in many commands on their way") {
    Parts f(3);
    std::minstd_rand random(2);
    for (size_t round = 0; round < 20; ++round) {
        for (int i = 0; i < 100; ++i) f.parts[random() % 3].do_something();
        for (Part& part : f.parts) CHECK(part.faults() == 0);
    }
}

TEST_CASE("cl_khr_mipmap_image: queues use levels of an image at the same time") {
    const std::string extensions = text(clGetDeviceInfo, device(), CL_DEVICE_EXTENSIONS);
    if (extensions.find("cl_khr_mipmap_image_writes") == std::string::npos) return;
    Parts f(3, true);
    std::minstd_rand random(3);
    for (size_t round = 0; round < 200; ++round) {
        for (int i = 0; i < 10; ++i) f.parts[random() % 3].do_something();
        for (Part& part : f.parts) CHECK(part.faults() == 0);
    }
}

TEST_CASE("A.2 threads with queues of their own use parts of an image at the same time") {
    Parts f(3);
    for (size_t round = 0; round < 40; ++round) {
        std::array<size_t, 3> faults = {};
        std::vector<std::thread> threads;
        for (size_t i = 0; i < 3; ++i)
            threads.emplace_back([&, i] {
                for (int call = 0; call < 20; ++call) f.parts[i].do_something();
                faults[i] = f.parts[i].faults();
            });
        for (std::thread& thread : threads) thread.join();
        CHECK(faults == std::array<size_t, 3>{});
    }
}
