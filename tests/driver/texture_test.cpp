// SPDX-License-Identifier: Apache-2.0
// Kernels that sample images see what was last written to them, by whatever command and in whatever queue.
// With CALDERA_IMAGES=hardware they read textures, which are copies.
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

using Size3 = std::array<size_t, 3>;
constexpr Size3 kOrigin = {0, 0, 0};
constexpr size_t kWidth = 9, kHeight = 5;
constexpr Size3 kWhole = {kWidth, kHeight, 1};
constexpr cl_image_format kFormat = {CL_R, CL_UNSIGNED_INT32};

constexpr const char* kSource = R"(
    constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void sample(read_only image2d_t image, global uint *out) {
        const int x = get_global_id(0), y = get_global_id(1);
        out[y * get_global_size(0) + x] = read_imageui(image, nearest, (float2)(x + 0.5f, y + 0.5f)).x;
    }
    kernel void sample_float(read_only image2d_t image, global float *out) {
        const int x = get_global_id(0), y = get_global_id(1);
        out[y * get_global_size(0) + x] = read_imagef(image, nearest, (float2)(x + 0.5f, y + 0.5f)).x;
    }
    kernel void put(write_only image2d_t image, uint value) {
        const int x = get_global_id(0), y = get_global_id(1);
        write_imageui(image, (int2)(x, y), value + x);
    }
)";

struct TextureFixture : Fixture {
    TextureFixture() : program(build(kSource)) {
        out = make_buffer(kWidth * kHeight * 4);
        image = make_image();
    }
    cl_mem make_image(cl_image_format format = kFormat, cl_mem parent = nullptr) {
        cl_int code = 1;
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = kWidth,
                                 .image_height = kHeight,
                                 .mem_object = parent};
        buffers.push_back(clCreateImage(context, 0, &format, &desc, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        return buffers.back();
    }
    cl_kernel make(const char* name) { return make_kernel(program, name); }
    void launch(cl_command_queue on, cl_kernel kernel, cl_uint waits = 0, const cl_event* wait = nullptr,
                cl_event* event = nullptr) {
        const size_t size[] = {kWidth, kHeight};
        REQUIRE(clEnqueueNDRangeKernel(on, kernel, 2, nullptr, size, nullptr, waits, wait, event) ==
                CL_SUCCESS);
    }
    /// What a kernel finds in the image.
    std::vector<cl_uint> sampled(cl_mem from, const char* name = "sample") {
        cl_kernel kernel = make(name);
        REQUIRE(clSetKernelArg(kernel, 0, sizeof from, &from) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 1, sizeof out, &out) == CL_SUCCESS);
        const cl_uint zero = 0;
        REQUIRE(clEnqueueFillBuffer(queue, out, &zero, 4, 0, kWidth * kHeight * 4, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        launch(queue, kernel);
        return read<cl_uint>(out, kWidth * kHeight);
    }
    void put(cl_command_queue on, cl_uint value, cl_event* event = nullptr) {
        cl_kernel kernel = make("put");
        REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 1, sizeof value, &value) == CL_SUCCESS);
        launch(on, kernel, 0, nullptr, event);
    }

    cl_program program;
    cl_mem out = nullptr, image = nullptr;
};

std::vector<cl_uint> counted(cl_uint first) {
    std::vector<cl_uint> values(kWidth * kHeight);
    std::iota(values.begin(), values.end(), first);
    return values;
}

}  // namespace

TEST_CASE("5.3.3 a kernel samples what each command that writes to an image has written") {
    TextureFixture f;
    cl_mem other = f.make_image();
    cl_uint first = 1;
    const auto write = [&](cl_mem to, const std::vector<cl_uint>& values) {
        REQUIRE(clEnqueueWriteImage(f.queue, to, CL_FALSE, kOrigin.data(), kWhole.data(), 0, 0, values.data(),
                                    0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    };
    const std::pair<const char*, std::function<void(const std::vector<cl_uint>&)>> writers[] = {
        {"clEnqueueWriteImage", [&](const auto& values) { write(f.image, values); }},
        {"clEnqueueCopyImage",
         [&](const auto& values) {
             write(other, values);
             REQUIRE(clEnqueueCopyImage(f.queue, other, f.image, kOrigin.data(), kOrigin.data(),
                                        kWhole.data(), 0, nullptr, nullptr) == CL_SUCCESS);
         }},
        {"clEnqueueCopyBufferToImage",
         [&](std::vector<cl_uint> values) {
             cl_mem buffer = f.make_buffer(values.size() * 4, values.data());
             REQUIRE(clEnqueueCopyBufferToImage(f.queue, buffer, f.image, 0, kOrigin.data(), kWhole.data(), 0,
                                                nullptr, nullptr) == CL_SUCCESS);
         }},
        {"clEnqueueMapImage", [&](const auto& values) {
             size_t pitch = 0;
             cl_int code = 1;
             auto* mapped = static_cast<char*>(clEnqueueMapImage(f.queue, f.image, CL_TRUE, CL_MAP_WRITE,
                                                                 kOrigin.data(), kWhole.data(), &pitch,
                                                                 nullptr, 0, nullptr, nullptr, &code));
             REQUIRE(code == CL_SUCCESS);
             for (size_t y = 0; y < kHeight; ++y)
                 std::memcpy(mapped + y * pitch, &values[y * kWidth], kWidth * 4);
             REQUIRE(clEnqueueUnmapMemObject(f.queue, f.image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
         }}};
    for (int turn = 0; turn < 3; ++turn)
        for (const auto& [name, writer] : writers) {
            INFO(name);
            const std::vector<cl_uint> values = counted(first += 1000);
            writer(values);
            CHECK(f.sampled(f.image) == values);
            if (turn != 1) CHECK(f.sampled(f.image) == values);
        }
    const cl_uint color[4] = {77, 0, 0, 0};
    REQUIRE(clEnqueueFillImage(f.queue, f.image, color, kOrigin.data(), kWhole.data(), 0, nullptr, nullptr) ==
            CL_SUCCESS);
    CHECK(f.sampled(f.image) == std::vector<cl_uint>(kWidth * kHeight, 77));
    for (const cl_uint value : {5u, 6u, 7u}) {
        f.put(f.queue, value);
        const std::vector<cl_uint> found = f.sampled(f.image);
        CHECK(found[0] == value);
        CHECK(found.back() == value + kWidth - 1);
        if (value == 6) CHECK(f.sampled(f.image) == found);
    }
}

TEST_CASE("5.3.1.2 a kernel samples what was written to an image that shares the texels") {
    TextureFixture f;
    cl_mem image = f.make_image({CL_R, CL_FLOAT}), depth = f.make_image({CL_DEPTH, CL_FLOAT}, image);
    for (const float value : {0.25f, 0.5f, 0.75f, 1.0f}) {
        const std::vector<float> texels(kWidth * kHeight, value);
        REQUIRE(clEnqueueWriteImage(f.queue, depth, CL_TRUE, kOrigin.data(), kWhole.data(), 0, 0,
                                    texels.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        for (int launch = 0; launch < 2; ++launch)
            for (const cl_uint bits : f.sampled(image, "sample_float")) {
                float found = 0;
                std::memcpy(&found, &bits, sizeof found);
                CHECK(found == value);
            }
    }
}

TEST_CASE("5.11 kernels of several queues sample an image that one of them has written") {
    TextureFixture f;
    cl_command_queue others[] = {f.make_queue(0), f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    cl_mem outs[] = {f.make_buffer(kWidth * kHeight * 4), f.make_buffer(kWidth * kHeight * 4)};
    for (cl_uint turn = 1; turn < 30; ++turn) {
        cl_event written = nullptr, read[2] = {};
        f.put(f.queue, turn * 100, &written);
        for (size_t i = 0; i < 2; ++i) {
            cl_kernel kernel = f.make("sample");
            REQUIRE(clSetKernelArg(kernel, 0, sizeof f.image, &f.image) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(kernel, 1, sizeof outs[i], &outs[i]) == CL_SUCCESS);
            f.launch(others[i], kernel, 1, &written);
            f.launch(others[i], kernel, 1, &written, &read[i]);
        }
        REQUIRE(clEnqueueBarrierWithWaitList(f.queue, 2, read, nullptr) == CL_SUCCESS);
        for (cl_mem out : outs) {
            const std::vector<cl_uint> found = f.read<cl_uint>(out, kWidth * kHeight);
            for (size_t i = 0; i < found.size(); ++i) CHECK(found[i] == turn * 100 + i % kWidth);
        }
        for (cl_event event : {written, read[0], read[1]}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
}

TEST_CASE("A.2 threads launch kernels that sample one image") {
    TextureFixture f;
    f.put(f.queue, 40);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    std::vector<std::thread> threads;
    std::array<std::vector<cl_uint>, 4> found = {};
    std::array<cl_command_queue, 4> queues = {};
    std::array<cl_mem, 4> outs = {};
    std::array<cl_kernel, 4> kernels = {};
    for (size_t i = 0; i < 4; ++i) {
        queues[i] = f.make_queue(0);
        outs[i] = f.make_buffer(kWidth * kHeight * 4);
        kernels[i] = f.make("sample");
        found[i].resize(kWidth * kHeight);
        REQUIRE(clSetKernelArg(kernels[i], 0, sizeof f.image, &f.image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernels[i], 1, sizeof outs[i], &outs[i]) == CL_SUCCESS);
    }
    for (size_t i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            const size_t size[] = {kWidth, kHeight};
            for (int turn = 0; turn < 20; ++turn)
                clEnqueueNDRangeKernel(queues[i], kernels[i], 2, nullptr, size, nullptr, 0, nullptr, nullptr);
            clEnqueueReadBuffer(queues[i], outs[i], CL_TRUE, 0, found[i].size() * 4, found[i].data(), 0,
                                nullptr, nullptr);
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<cl_uint>& each : found)
        for (size_t i = 0; i < each.size(); ++i) CHECK(each[i] == 40 + i % kWidth);
}
