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
    uint texel(read_only image2d_t image) {
        return read_imageui(image, nearest, (float2)(get_global_id(0) + 0.5f, get_global_id(1) + 0.5f)).x;
    }
    kernel void sample(read_only image2d_t image, global uchar *out, uint first) {
        out[get_global_id(1) * get_global_size(0) + get_global_id(0) - first] = texel(image);
    }
    kernel void put(write_only image2d_t image, uint value) {
        write_imageui(image, (int2)(get_global_id(0), get_global_id(1)), value + get_global_id(0));
    }
    kernel void next(read_only image2d_t from, write_only image2d_t to) {
        write_imageui(to, (int2)(get_global_id(0), get_global_id(1)), texel(from) * 3 + 1 & 255);
    }
)";

using Texels = std::array<cl_uchar, kWidth * kRows>;

/// A queue, and its rows of two images. Its calls may come from a thread of their own.
class Part {
 public:
    Part(Fixture& f, cl_program program, std::array<cl_mem, 2> images, size_t number,
         cl_command_queue_properties properties)
        : queue_(f.make_queue(properties)),
          is_in_order_(properties == 0),
          images_(images),
          first_row_(number * kRows),
          out_(f.make_buffer(kWidth * kRows)),
          sample_(f.make_kernel(program, "sample")),
          put_(f.make_kernel(program, "put")),
          next_(f.make_kernel(program, "next")),
          random_(static_cast<unsigned>(number)) {
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
        Texels texels = {}, right = {};
    };
    Size3 origin() const { return {0, first_row_, 0}; }
    static constexpr Size3 kRegion = {kWidth, kRows, 1};

    void launch(cl_kernel kernel) {
        const size_t offset[] = {0, first_row_}, size[] = {kWidth, kRows};
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
        found_.push_back(std::make_unique<Found>());
        found_.back()->right = right_[i];
        return *found_.back();
    }

    void write(size_t i) {
        for (cl_uchar& texel : right_[i]) texel = static_cast<cl_uchar>(random_());
        Found& written = found(i);  // keeps them until the command is over
        written.texels = written.right;
        is_right_ &= clEnqueueWriteImage(queue_, images_[i], CL_FALSE, origin().data(), kRegion.data(), 0, 0,
                                         written.texels.data(), 0, nullptr, nullptr) == CL_SUCCESS;
    }
    void fill(size_t i) {
        const cl_uint color[4] = {static_cast<cl_uint>(random_() % 256)};
        right_[i].fill(static_cast<cl_uchar>(color[0]));
        is_right_ &= clEnqueueFillImage(queue_, images_[i], color, origin().data(), kRegion.data(), 0,
                                        nullptr, nullptr) == CL_SUCCESS;
    }
    void put(size_t i) {
        const auto value = static_cast<cl_uint>(random_() % 128);
        for (size_t at = 0; at < right_[i].size(); ++at)
            right_[i][at] = static_cast<cl_uchar>(value + at % kWidth);
        set(put_, 0, images_[i]);
        set(put_, 1, value);
        launch(put_);
    }
    void next(size_t i) {
        for (size_t at = 0; at < right_[i].size(); ++at)
            right_[1 - i][at] = static_cast<cl_uchar>(right_[i][at] * 3 + 1);
        set(next_, 0, images_[i]);
        set(next_, 1, images_[1 - i]);
        launch(next_);
    }
    void read(size_t i) {
        is_right_ &= clEnqueueReadImage(queue_, images_[i], CL_FALSE, origin().data(), kRegion.data(), 0, 0,
                                        found(i).texels.data(), 0, nullptr, nullptr) == CL_SUCCESS;
    }
    void sample(size_t i) {
        set(sample_, 0, images_[i]);
        set(sample_, 1, out_);
        set(sample_, 2, static_cast<cl_uint>(first_row_ * kWidth));
        launch(sample_);
        order();
        is_right_ &= clEnqueueReadBuffer(queue_, out_, CL_FALSE, 0, kWidth * kRows, found(i).texels.data(), 0,
                                         nullptr, nullptr) == CL_SUCCESS;
    }

    cl_command_queue queue_;
    bool is_in_order_;
    std::array<cl_mem, 2> images_;
    size_t first_row_;
    cl_mem out_;
    cl_kernel sample_, put_, next_;
    std::minstd_rand random_;
    std::array<Texels, 2> right_ = {};
    std::vector<std::unique_ptr<Found>> found_ = {};
    bool is_right_ = true;
};

struct Parts : Fixture {
    explicit Parts(size_t count) {
        cl_program program = build(kSource, "-cl-std=CL3.0");
        const cl_image_desc desc{
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kWidth, .image_height = kRows * count};
        const std::array images = {make_image(*this, desc, kFormat), make_image(*this, desc, kFormat)};
        for (size_t i = 0; i < count; ++i)
            parts.emplace_back(*this, program, images, i, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
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
