// SPDX-License-Identifier: Apache-2.0
// Kernels that sample images see what was last written to them, by whatever command and in whatever queue.
// With CALDERA_IMAGES=hardware they read textures, which are copies.
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

#include "tests/driver/command_buffers.h"

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
    kernel void sample_often(read_only image2d_t image, global uint *out) {
        const int x = get_global_id(0), y = get_global_id(1);
        const float2 at = (float2)(x + 0.5f, y + 0.5f);
    #define EACH(n) (n) * read_imageui(image, nearest, at + (float2)((n) - 8, 0)).x
    #define FOUR(n) EACH(n) + EACH(n + 1) + EACH(n + 2) + EACH(n + 3)
    #define EIGHT(n) FOUR(n) + FOUR(n + 4)
        out[y * get_global_size(0) + x] = EIGHT(0) + EIGHT(8) + EIGHT(16) + EIGHT(24) + EIGHT(32) + EIGHT(40) +
            EIGHT(48) + EIGHT(56);
    }
    kernel void put_often(read_only image2d_t image, write_only image2d_t to) {
        const int x = get_global_id(0), y = get_global_id(1);
        const float2 at = (float2)(x + 0.5f, y + 0.5f);
        write_imageui(to, (int2)(x, y), EIGHT(0) + EIGHT(8));
    }
    kernel void put(write_only image2d_t image, uint value) {
        const int x = get_global_id(0), y = get_global_id(1);
        write_imageui(image, (int2)(x, y), value + x);
    }
    kernel void next(read_only image2d_t from, write_only image2d_t to) {
        const int x = get_global_id(0), y = get_global_id(1);
        write_imageui(to, (int2)(x, y), read_imageui(from, nearest, (int2)(x, y)) * 3 + 1);
    }
    kernel void peek(read_write image2d_t image, global uint *out) {
        const int x = get_global_id(0), y = get_global_id(1);
        out[y * get_global_size(0) + x] = read_imageui(image, (int2)(x, y)).x;
    }
)";

struct TextureFixture : Fixture {
    TextureFixture() : program(build(kSource, "-cl-std=CL3.0")) {
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

/// What a kernel finds that reads `reads` texels of a row, from 8 places to the left.
std::vector<cl_uint> sums_of(const std::vector<cl_uint>& values, size_t reads) {
    std::vector<cl_uint> sums(values.size());
    for (size_t i = 0; i < sums.size(); ++i)
        for (size_t n = 0; n < reads; ++n) {
            const size_t x = i % kWidth + n;
            if (x >= 8 && x - 8 < kWidth) sums[i] += cl_uint(n) * values[i - i % kWidth + x - 8];
        }
    return sums;
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

// Vulkan's devices bind no more samplers at once than maxPerStageDescriptorSamplers: llvmpipe 32, others 16.
TEST_CASE("5.7 a kernel has all samplers that CL_DEVICE_MAX_SAMPLERS allows, beside one that has two") {
    TextureFixture f;
    cl_uint most = 0;
    REQUIRE(clGetDeviceInfo(f.the_device, CL_DEVICE_MAX_SAMPLERS, sizeof most, &most, nullptr) == CL_SUCCESS);
    std::vector<cl_sampler> samplers;
    for (cl_uint i = 0; i < most; ++i) {
        cl_int code = 1;
        const cl_addressing_mode edge = i % 3 == 0 ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE;
        samplers.push_back(clCreateSampler(f.context, CL_FALSE, edge, CL_FILTER_NEAREST, &code));
        REQUIRE(code == CL_SUCCESS);
    }
    std::string source;
    for (const auto& [name, count] : {std::pair("two", 2u), std::pair("all", most)}) {
        source += "kernel void " + std::string(name) + "(read_only image2d_t image, global uint *out";
        for (cl_uint i = 0; i < count; ++i) source += ", sampler_t s" + std::to_string(i);
        source += ") {\n    const int x = get_global_id(0), y = get_global_id(1);\n    uint sum = 0;\n";
        for (cl_uint i = 0; i < count; ++i)
            source += "    sum += read_imageui(image, s" + std::to_string(i) + ", (int2)(x - 1, y)).x;\n";
        source += "    out[y * get_global_size(0) + x] = sum;\n}\n";
    }
    cl_program program = f.build(source.c_str());
    for (const cl_uint first : {7u, 300u}) {
        const std::vector<cl_uint> values = counted(first);
        REQUIRE(clEnqueueWriteImage(f.queue, f.image, CL_FALSE, kOrigin.data(), kWhole.data(), 0, 0,
                                    values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        for (const auto& [name, count] : {std::pair("two", 2u), std::pair("all", most)}) {
            INFO(name);
            cl_kernel kernel = f.make_kernel(program, name);
            REQUIRE(clSetKernelArg(kernel, 0, sizeof f.image, &f.image) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(kernel, 1, sizeof f.out, &f.out) == CL_SUCCESS);
            for (cl_uint i = 0; i < count; ++i)
                REQUIRE(clSetKernelArg(kernel, 2 + i, sizeof samplers[i], &samplers[i]) == CL_SUCCESS);
            f.launch(f.queue, kernel);
            std::vector<cl_uint> sums(kWidth * kHeight);
            const cl_uint clamped = (count + 2) / 3;  // these read zero beside the image
            for (size_t i = 0; i < sums.size(); ++i)
                sums[i] = i % kWidth == 0 ? (count - clamped) * values[i] : count * values[i - 1];
            CHECK(f.read<cl_uint>(f.out, kWidth * kHeight) == sums);
        }
    }
    for (cl_sampler sampler : samplers) CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

TEST_CASE("5.3.3 a kernel that reads an image in many places finds what each command has written") {
    TextureFixture f;
    for (const cl_uint first : {1u, 100u}) {
        const std::vector<cl_uint> values = counted(first);
        REQUIRE(clEnqueueWriteImage(f.queue, f.image, CL_FALSE, kOrigin.data(), kWhole.data(), 0, 0,
                                    values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        const std::vector<cl_uint> sums = sums_of(values, 64);
        CHECK(f.sampled(f.image, "sample_often") == sums);
        f.put(f.queue, first);
        CHECK(f.sampled(f.image, "sample_often") != sums);
    }
}

TEST_CASE("cl_khr_command_buffer: kernels that are replayed have textures' newest texels, and change them") {
    TextureFixture f;
    cl_mem other = f.make_image();
    const auto record = [&](const OwnCommandBuffer& commands, const char* name, cl_mem image, auto second,
                            const cl_command_properties_khr* properties = nullptr) {
        cl_kernel kernel = f.make(name);
        REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 1, sizeof second, &second) == CL_SUCCESS);
        const size_t size[] = {kWidth, kHeight};
        cl_mutable_command_khr made = nullptr;
        REQUIRE(commands.nd_range_kernel(commands.handle, nullptr, properties, kernel, 2, nullptr, size,
                                         nullptr, 0, nullptr, nullptr,
                                         properties ? &made : nullptr) == CL_SUCCESS);
        return made;
    };
    const OwnCommandBuffer put(f.queue), show(f.queue), next(f.queue, kMutable);
    record(put, "put", f.image, cl_uint{300});
    put.finish_recording();
    record(show, "sample", other, f.out);
    show.finish_recording();
    const cl_command_properties_khr changes[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                 CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    cl_mutable_command_khr writes = record(next, "next", other, f.image, changes);
    next.finish_recording();
    std::vector<cl_uint> replayed(kWidth * kHeight);
    for (size_t i = 0; i < replayed.size(); ++i) replayed[i] = static_cast<cl_uint>(300 + i % kWidth);
    for (const cl_uint first : {1u, 100u, 200u}) {
        const std::vector<cl_uint> values = counted(first), sums = sums_of(values, 16);
        for (cl_mem image : {f.image, other})
            REQUIRE(clEnqueueWriteImage(f.queue, image, CL_TRUE, kOrigin.data(), kWhole.data(), 0, 0,
                                        values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        for (int launch = 0; launch < 3; ++launch)
            for (cl_mem image : {f.image, other})
                CHECK(f.sampled(image, "sample_often") == sums_of(values, 64));
        // Its texels are now in the texture alone.
        cl_kernel often = f.make("put_often");
        REQUIRE(clSetKernelArg(often, 0, sizeof(cl_mem), &f.image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(often, 1, sizeof(cl_mem), &other) == CL_SUCCESS);
        f.launch(f.queue, often);
        REQUIRE(show.replay() == CL_SUCCESS);
        CHECK(f.read<cl_uint>(f.out, sums.size()) == sums);
        REQUIRE(put.replay() == CL_SUCCESS);
        CHECK(f.sampled(f.image, "sample_often") == sums_of(replayed, 64));
        // Images that a launch gets after it was recorded, which reads and writes.
        f.launch(f.queue, often);
        cl_mem from = first == 100 ? f.image : other, to = first == 100 ? other : f.image;
        const caldera::icd::MutableDispatchArg arguments[] = {{0, sizeof from, &from}, {1, sizeof to, &to}};
        CHECK(next.change({{.command = writes, .num_args = 2, .arg_list = arguments}}) == CL_SUCCESS);
        REQUIRE(next.replay() == CL_SUCCESS);
        std::vector<cl_uint> right = first == 100 ? replayed : sums_of(replayed, 16);
        for (cl_uint& value : right) value = value * 3 + 1;
        CHECK(f.sampled(to, "sample_often") == sums_of(right, 64));
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
        cl_event written = nullptr, read[4] = {};
        f.put(f.queue, turn * 100, &written);
        for (size_t i = 0; i < 2; ++i) {
            cl_kernel kernel = f.make("sample");
            REQUIRE(clSetKernelArg(kernel, 0, sizeof f.image, &f.image) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(kernel, 1, sizeof outs[i], &outs[i]) == CL_SUCCESS);
            f.launch(others[i], kernel, 1, &written, &read[i + 2]);
            f.launch(others[i], kernel, 1, &read[i + 2], &read[i]);
        }
        REQUIRE(clEnqueueBarrierWithWaitList(f.queue, 2, read, nullptr) == CL_SUCCESS);
        for (cl_mem out : outs) {
            const std::vector<cl_uint> found = f.read<cl_uint>(out, kWidth * kHeight);
            for (size_t i = 0; i < found.size(); ++i) CHECK(found[i] == turn * 100 + i % kWidth);
        }
        for (cl_event event : {written, read[0], read[1], read[2], read[3]})
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
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

TEST_CASE("5.10 kernels write and sample images in turn") {
    TextureFixture f;
    cl_mem images[] = {f.image, f.make_image()};
    f.put(f.queue, 0);
    std::vector<cl_uint> right = counted(0);
    for (size_t i = 0; i < right.size(); ++i) right[i] = static_cast<cl_uint>(i % kWidth);
    for (int turn = 0; turn < 9; ++turn) {
        cl_kernel next = f.make("next");
        REQUIRE(clSetKernelArg(next, 0, sizeof(cl_mem), &images[turn % 2]) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(next, 1, sizeof(cl_mem), &images[1 - turn % 2]) == CL_SUCCESS);
        f.launch(f.queue, next);
        for (cl_uint& value : right) value = value * 3 + 1;
        if (turn > 4) CHECK(f.sampled(images[1 - turn % 2]) == right);
        if (turn == 7) f.launch(f.queue, next);  // the same again
    }
    CHECK(f.sampled(images[1]) == right);
}

/// What a command reads after kernels have sampled and written the image in turn.
TEST_CASE("5.3.3 each command that reads an image finds what a kernel has written") {
    TextureFixture f;
    cl_mem other = f.make_image(), buffer = f.make_buffer(kWidth * kHeight * 4);
    cl_command_queue second = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const auto read = [&](cl_command_queue queue, cl_mem image) {
        std::vector<cl_uint> found(kWidth * kHeight);
        REQUIRE(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin.data(), kWhole.data(), 0, 0, found.data(),
                                   0, nullptr, nullptr) == CL_SUCCESS);
        return found;
    };
    const auto peek = [&](cl_mem image) {
        cl_kernel kernel = f.make("peek");
        REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 1, sizeof buffer, &buffer) == CL_SUCCESS);
        f.launch(f.queue, kernel);
        return f.read<cl_uint>(buffer, kWidth * kHeight);
    };
    const std::pair<const char*, std::function<std::vector<cl_uint>()>> readers[] = {
        {"clEnqueueReadImage", [&] { return read(f.queue, f.image); }},
        {"another queue",
         [&] {
             REQUIRE(clFinish(f.queue) == CL_SUCCESS);
             return read(second, f.image);
         }},
        {"clEnqueueCopyImage",
         [&] {
             REQUIRE(clEnqueueCopyImage(f.queue, f.image, other, kOrigin.data(), kOrigin.data(),
                                        kWhole.data(), 0, nullptr, nullptr) == CL_SUCCESS);
             return read(f.queue, other);
         }},
        {"clEnqueueCopyImageToBuffer",
         [&] {
             REQUIRE(clEnqueueCopyImageToBuffer(f.queue, f.image, buffer, kOrigin.data(), kWhole.data(), 0, 0,
                                                nullptr, nullptr) == CL_SUCCESS);
             return f.read<cl_uint>(buffer, kWidth * kHeight);
         }},
        {"clCommandCopyImageToBufferKHR",
         [&] {
             const OwnCommandBuffer commands(f.queue);
             REQUIRE(commands.copy_image_to_buffer(commands.handle, nullptr, nullptr, f.image, buffer,
                                                   kOrigin.data(), kWhole.data(), 0, 0, nullptr, nullptr,
                                                   nullptr) == CL_SUCCESS);
             commands.finish_recording();
             REQUIRE(commands.replay() == CL_SUCCESS);
             return f.read<cl_uint>(buffer, kWidth * kHeight);
         }},
        {"clEnqueueMapImage",
         [&] {
             size_t pitch = 0;
             cl_int code = 1;
             auto* mapped = static_cast<char*>(clEnqueueMapImage(f.queue, f.image, CL_TRUE, CL_MAP_READ,
                                                                 kOrigin.data(), kWhole.data(), &pitch,
                                                                 nullptr, 0, nullptr, nullptr, &code));
             REQUIRE(code == CL_SUCCESS);
             std::vector<cl_uint> found(kWidth * kHeight);
             for (size_t y = 0; y < kHeight; ++y)
                 std::memcpy(&found[y * kWidth], mapped + y * pitch, kWidth * 4);
             REQUIRE(clEnqueueUnmapMemObject(f.queue, f.image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
             return found;
         }},
        {"a kernel that reads memory", [&] { return peek(f.image); }},
        {"a kernel that samples", [&] { return f.sampled(f.image); }}};
    cl_uint value = 0;
    for (const auto& [name, reader] : readers) {
        INFO(name);
        for (int i = 0; i < 2; ++i) {  // each texture is there the second time
            f.put(f.queue, ++value * 100);
            for (int launch = 0; launch < 2; ++launch) f.sampled(f.image);
        }
        f.put(f.queue, ++value * 100);
        const size_t columns[] = {4, kHeight};  // of which some are written again
        cl_kernel part = f.make("put");
        const cl_uint again = value * 100 + 50;
        REQUIRE(clSetKernelArg(part, 0, sizeof f.image, &f.image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(part, 1, sizeof again, &again) == CL_SUCCESS);
        REQUIRE(clEnqueueNDRangeKernel(f.queue, part, 2, nullptr, columns, nullptr, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        std::vector<cl_uint> right(kWidth * kHeight);
        for (size_t i = 0; i < right.size(); ++i)
            right[i] = static_cast<cl_uint>((i % kWidth < columns[0] ? again : value * 100) + i % kWidth);
        CHECK(reader() == right);
        // A command that writes one texel leaves the others.
        const Size3 at = {1, 2, 0}, one = {1, 1, 1};
        const cl_uint texel = 7;
        REQUIRE(clEnqueueWriteImage(f.queue, f.image, CL_TRUE, at.data(), one.data(), 0, 0, &texel, 0,
                                    nullptr, nullptr) == CL_SUCCESS);
        right[2 * kWidth + 1] = texel;
        CHECK(f.sampled(f.image) == right);
        CHECK(read(f.queue, f.image) == right);
    }
}

TEST_CASE("5.3.1.1 a kernel writes the same texels of each format, whatever was sampled before") {
    TextureFixture f;
    cl_program program = f.build(R"(
        kernel void put(write_only image2d_t image) {
            const int x = get_global_id(0), y = get_global_id(1);
            write_imagef(image, (int2)(x, y), (float4)(x, y, x - y, x * y) / (float4)(7, 3, 3, 21) - 0.1f);
        }
        kernel void show(read_only image2d_t image, global float4 *out) {
            const int x = get_global_id(0), y = get_global_id(1);
            out[y * get_global_size(0) + x] = read_imagef(image, (int2)(x, y));
        })");
    cl_mem out = f.make_buffer(kWidth * kHeight * 16);
    for (const cl_channel_order order : {CL_R, CL_RG, CL_RGBA, CL_BGRA, CL_A, CL_LUMINANCE})
        for (const cl_channel_type type :
             {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_HALF_FLOAT, CL_FLOAT}) {
            const cl_image_format format{order, type};
            const cl_image_desc desc{
                .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kWidth, .image_height = kHeight};
            cl_int code = 1;
            cl_mem image = clCreateImage(f.context, 0, &format, &desc, nullptr, &code);
            if (code == CL_IMAGE_FORMAT_NOT_SUPPORTED || code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) continue;
            REQUIRE(code == CL_SUCCESS);
            f.buffers.push_back(image);
            INFO(order, " ", type);
            size_t texel = 0;
            REQUIRE(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof texel, &texel, nullptr) ==
                    CL_SUCCESS);
            cl_kernel put = f.make_kernel(program, "put"), show = f.make_kernel(program, "show");
            for (cl_kernel kernel : {put, show})
                REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(show, 1, sizeof out, &out) == CL_SUCCESS);
            const auto written = [&] {
                std::vector<unsigned char> bytes(kWidth * kHeight * texel, 0x5a);
                REQUIRE(clEnqueueWriteImage(f.queue, image, CL_TRUE, kOrigin.data(), kWhole.data(), 0, 0,
                                            bytes.data(), 0, nullptr, nullptr) == CL_SUCCESS);
                return bytes;
            };
            const auto put_and_read = [&] {
                std::vector<unsigned char> bytes(kWidth * kHeight * texel);
                f.launch(f.queue, put);
                REQUIRE(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), kWhole.data(), 0, 0,
                                           bytes.data(), 0, nullptr, nullptr) == CL_SUCCESS);
                return bytes;
            };
            written();
            const std::vector<unsigned char> first = put_and_read();
            written();
            for (int launch = 0; launch < 2; ++launch) f.launch(f.queue, show);
            CHECK(put_and_read() == first);
        }
}

TEST_CASE("5.3.1.2 a kernel writes to textures of each shape") {
    TextureFixture f;
    cl_program program = f.build(R"(
        #define SHAPE(name, type, whole, real)                                                             \
            kernel void put_##name(write_only type image, uint value) {                                    \
                const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);                \
                write_imageui(image, whole, value + x + 10 * y + 100 * z);                                 \
            }                                                                                              \
            kernel void show_##name(read_only type image, global uint *out) {                              \
                const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);                \
                const int at = (z * get_global_size(1) + y) * get_global_size(0) + x;                      \
                out[at] = read_imageui(image, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, real).x;             \
            }
        SHAPE(1d, image1d_t, x, x)
        SHAPE(1d_array, image1d_array_t, (int2)(x, y), (int2)(x, y))
        SHAPE(2d_array, image2d_array_t, (int4)(x, y, z, 0), (int4)(x, y, z, 0))
        #ifdef cl_khr_3d_image_writes
        #pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
        SHAPE(3d, image3d_t, (int4)(x, y, z, 0), (int4)(x, y, z, 0))
        #endif
        )");
    struct Shape {
        const char* name = nullptr;
        cl_image_desc desc = {};
        Size3 size = {};
    };
    const Shape shapes[] = {
        {"1d", {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 7}, {7, 1, 1}},
        {"1d_array",
         {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 5, .image_array_size = 3},
         {5, 3, 1}},
        {"2d_array",
         {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 5,
          .image_height = 4,
          .image_array_size = 3},
         {5, 4, 3}},
        {"3d",
         {.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 5, .image_height = 4, .image_depth = 6},
         {5, 4, 6}}};
    for (const Shape& shape : shapes) {
        INFO(shape.name);
        cl_int code = 1;
        cl_kernel put = clCreateKernel(program, (std::string("put_") + shape.name).c_str(), &code);
        if (code == CL_INVALID_KERNEL_NAME) continue;  // a device that does not write 3D images
        REQUIRE(code == CL_SUCCESS);
        cl_kernel show = clCreateKernel(program, (std::string("show_") + shape.name).c_str(), &code);
        REQUIRE(code == CL_SUCCESS);
        cl_mem image = clCreateImage(f.context, 0, &kFormat, &shape.desc, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        const Size3& size = shape.size;
        const size_t count = size[0] * size[1] * size[2];
        cl_mem out = f.make_buffer(count * 4);
        for (cl_kernel kernel : {put, show})
            REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(show, 1, sizeof out, &out) == CL_SUCCESS);
        for (cl_uint value = 1000; value < 5000; value += 1000) {
            REQUIRE(clSetKernelArg(put, 1, sizeof value, &value) == CL_SUCCESS);
            for (cl_kernel kernel : {put, show, show})
                REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 3, nullptr, size.data(), nullptr, 0, nullptr,
                                               nullptr) == CL_SUCCESS);
            std::vector<cl_uint> right, found(count);
            for (size_t i = 0; i < count; ++i)
                right.push_back(static_cast<cl_uint>(value + i % size[0] + 10 * (i / size[0] % size[1]) +
                                                     100 * (i / size[0] / size[1])));
            CHECK(f.read<cl_uint>(out, count) == right);
            if (value == 2000) continue;
            REQUIRE(clEnqueueReadImage(f.queue, image, CL_TRUE, kOrigin.data(), size.data(), 0, 0,
                                       found.data(), 0, nullptr, nullptr) == CL_SUCCESS);
            CHECK(found == right);
        }
        CHECK(clReleaseKernel(put) == CL_SUCCESS);
        CHECK(clReleaseKernel(show) == CL_SUCCESS);
        CHECK(clReleaseMemObject(image) == CL_SUCCESS);
    }
}

namespace {

/// Kernels that filter a 3D image by each literal, and by a sampler that they are given. Those whose names
/// begin with `memory` read the same from memory, as all kernels do that read what they may also write.
constexpr const char* kVolumeSource = R"(
    #define READ(name, sampler)                                                                                \
        kernel void texture_##name(read_only image3d_t image, sampler_t given, global const float4 *at,        \
                                   global float4 *out) {                                                       \
            const int i = get_global_id(0);                                                                    \
            out[i] = read_imagef(image, sampler, at[i]);                                                       \
        }                                                                                                      \
        kernel void memory_##name(read_only image3d_t image, sampler_t given, global const float4 *at,         \
                                  global float4 *out, read_write image1d_t both) {                             \
            const int i = get_global_id(0);                                                                    \
            out[i] = read_imagef(image, sampler, at[i]);                                                       \
            if (i < 0) write_imagef(both, i, read_imagef(both, i + 1));                                        \
        }
    READ(given, given)
    READ(edge, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR)
    READ(clamp, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR)
    READ(repeat, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR)
    READ(mirror, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR)
    READ(nearest, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST)
    READ(nearest_mirror, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST)
    READ(counted_nearest, CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST)
    #ifdef cl_khr_3d_image_writes
    #pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
    kernel void put(write_only image3d_t image, float scale) {
        const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        const float sign = (x + y + z) & 1 ? -1 : 1;
        write_imagef(image, (int4)(x, y, z, 0), sign * scale * (float4)(1, x / 4.0f, y / 3.0f, z / 2.0f));
    }
    #endif
)";
/// In a program of its own, since literals that count texels need slices of all 3D images.
constexpr const char* kCountedSource = R"(
    kernel void texture_counted(read_only image3d_t image, sampler_t given, global const float4 *at,
                                global float4 *out) {
        const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
        out[get_global_id(0)] = read_imagef(image, linear, at[get_global_id(0)]);
    }
)";

/// Whether the layer in tests/driver/stores makes filters of 3D images coarse.
bool is_coarse() { return std::getenv("CALDERA_TEST_COARSE_VOLUMES") != nullptr; }

struct Volume : Fixture {
    static constexpr Size3 kSize = {5, 4, 3};
    static constexpr size_t kTexels = kSize[0] * kSize[1] * kSize[2], kPlaces = 600;
    using Color = std::array<float, 4>;

    explicit Volume(cl_image_format format) {
        cl_int code = 1;
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE3D,
                                 .image_width = kSize[0],
                                 .image_height = kSize[1],
                                 .image_depth = kSize[2]};
        image = clCreateImage(context, 0, &format, &desc, nullptr, &code);
        if (code != CL_SUCCESS) return;  // a device without the format
        buffers.push_back(image);
        const cl_image_desc line{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 2};
        const cl_image_format floats{CL_RGBA, CL_FLOAT};
        buffers.push_back(both = clCreateImage(context, 0, &floats, &line, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        program = build(kVolumeSource, "-cl-std=CL3.0");
        counted = build(kCountedSource, "-cl-std=CL3.0");
        out = make_buffer(kPlaces * sizeof(Color));
    }
    /// The texels are numbers from -1 to 1.
    void fill(size_t texel_bytes, cl_channel_type type) {
        std::vector<unsigned char> bytes(kTexels * texel_bytes);
        cl_uint state = 9;
        const auto random = [&] { return (state = state * 1664525 + 1013904223) >> 16; };
        for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
        for (size_t at = 0; type == CL_FLOAT && at < bytes.size(); at += 4) {
            const float number = static_cast<float>(random()) / 32768.0f - 1;
            std::memcpy(&bytes[at], &number, sizeof number);
        }
        for (size_t at = 1; type == CL_HALF_FLOAT && at < bytes.size(); at += 2)
            bytes[at] = static_cast<unsigned char>((bytes[at] & 0x83) | 0x38);
        REQUIRE(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin.data(), kSize.data(), 0, 0, bytes.data(),
                                    0, nullptr, nullptr) == CL_SUCCESS);
    }
    /// Inside and outside, and at centres and edges of texels.
    cl_mem places(bool is_normalized) {
        std::vector<Color> where(kPlaces);
        cl_uint state = 5;
        for (Color& place : where)
            for (size_t d = 0; d < 3; ++d) {
                state = state * 1664525 + 1013904223;
                const auto size = static_cast<float>(kSize[d]);
                float at = static_cast<float>(state >> 8) * 0x1p-24f * 3 * size - size;
                if (state & 128) at = std::floor(at * 2) / 2;
                place[d] = is_normalized ? at / size : at;
            }
        where[0] = {1e30f, 0, 0, 0};
        where[1] = {0, 0, -1e30f, 0};
        return make_buffer(kPlaces * sizeof(Color), where.data());
    }
    cl_sampler sampler(cl_bool is_normalized, cl_addressing_mode mode, cl_filter_mode filter) {
        cl_int code = 1;
        cl_sampler made = clCreateSampler(context, is_normalized, mode, filter, &code);
        REQUIRE(code == CL_SUCCESS);
        return made;
    }
    std::vector<Color> read_at(cl_program from, const std::string& name, cl_sampler given, cl_mem at) {
        cl_kernel kernel = make_kernel(from, name.c_str());
        REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 1, sizeof given, &given) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 2, sizeof at, &at) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 3, sizeof out, &out) == CL_SUCCESS);
        if (name.starts_with("memory")) REQUIRE(clSetKernelArg(kernel, 4, sizeof both, &both) == CL_SUCCESS);
        const size_t count = kPlaces;
        for (int launch = 0; launch < 2; ++launch)
            REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr) ==
                    CL_SUCCESS);
        return read<Color>(out, kPlaces);
    }
    /// Within 2^-7 of the span of the texels, which are between -1 and 1.
    static void check_close(const std::vector<Color>& found, const std::vector<Color>& right) {
        size_t wrong = 0;
        for (size_t i = 0; i < kPlaces; ++i)
            for (size_t c = 0; c < 4; ++c)
                if (!(std::abs(found[i][c] - right[i][c]) <= 0x1p-6f)) ++wrong;
        CHECK(wrong == 0);
    }

    cl_mem image = nullptr, both = nullptr, out = nullptr;
    cl_program program = nullptr, counted = nullptr;
};

}  // namespace

TEST_CASE("8.2 a kernel filters the texture of a 3D image as it filters the image in memory") {
    struct Row {
        cl_image_format format = {};
        size_t texel_bytes = 0;
    };
    for (const Row& row :
         {Row{{CL_R, CL_FLOAT}, 4}, Row{{CL_RGBA, CL_FLOAT}, 16}, Row{{CL_RGBA, CL_HALF_FLOAT}, 8},
          Row{{CL_RG, CL_SNORM_INT16}, 4}, Row{{CL_A, CL_SNORM_INT8}, 1}, Row{{CL_RGBA, CL_UNORM_INT8}, 4}}) {
        INFO(row.format.image_channel_order, " ", row.format.image_channel_data_type);
        // Without the layer, lavapipe's filters of bytes are off by as much as is allowed.
        if (is_coarse() && row.format.image_channel_data_type == CL_UNORM_INT8) continue;
        Volume f(row.format);
        if (!f.image) continue;
        f.fill(row.texel_bytes, row.format.image_channel_data_type);
        cl_mem normalized = f.places(true), counted = f.places(false);
        for (const char* name :
             {"edge", "clamp", "repeat", "mirror", "nearest", "nearest_mirror", "counted_nearest"}) {
            INFO(name);
            cl_mem at = std::strncmp(name, "counted", 7) == 0 ? counted : normalized;
            cl_sampler any = f.sampler(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
            Volume::check_close(f.read_at(f.program, std::string("texture_") + name, any, at),
                                f.read_at(f.program, std::string("memory_") + name, any, at));
            CHECK(clReleaseSampler(any) == CL_SUCCESS);
        }
        for (const cl_bool is_normalized : {CL_TRUE, CL_FALSE})
            for (const cl_addressing_mode mode :
                 {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
                for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
                    if (!is_normalized && mode >= CL_ADDRESS_REPEAT) continue;
                    INFO(is_normalized, " ", mode, " ", filter);
                    cl_sampler given = f.sampler(is_normalized, mode, filter);
                    cl_mem at = is_normalized ? normalized : counted;
                    const auto right = f.read_at(f.program, "memory_given", given, at);
                    Volume::check_close(f.read_at(f.program, "texture_given", given, at), right);
                    if (!is_normalized && mode == CL_ADDRESS_CLAMP && filter == CL_FILTER_LINEAR)
                        Volume::check_close(f.read_at(f.counted, "texture_counted", given, at), right);
                    CHECK(clReleaseSampler(given) == CL_SUCCESS);
                }
    }
}

TEST_CASE("6.15.15.3 a kernel filters floats and reads integers beside them, which Vulkan does not filter") {
    Fixture f;
    std::string source =
        "constant sampler_t filter = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE |"
        "                            CLK_FILTER_LINEAR;"
        "constant sampler_t nearest = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
        "kernel void k(read_only image2d_t floats, read_only image2d_t integers, sampler_t given,"
        "              global uint *out) {"
        "    float sum = 0;";
    for (int i = 0; i < 20; ++i)  // so many that textures are faster everywhere
        source +=
            "    sum += read_imagef(floats, filter, (float2)(0.5f, " + std::to_string(i) + " * 0.05f)).x;";
    source +=
        "    sum += read_imagef(floats, given, (float2)(0.5f, 0.5f)).x;"
        "    out[get_global_id(0)] = (uint)sum + read_imageui(integers, nearest, (int2)(get_global_id(0), "
        "1)).x;"
        "}";
    const cl_kernel kernel = f.make_kernel(source, "k");
    std::vector<cl_uint> numbers(64);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<cl_float> ones(64, 1.0f);
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    for (const cl_channel_type type : {CL_UNSIGNED_INT8, CL_UNSIGNED_INT32}) {
        const cl_image_format float_format = {CL_RGBA, CL_FLOAT}, integer_format = {CL_RGBA, type};
        const auto make = [&](const cl_image_format& format, void* texels) {
            cl_int code = 1;
            f.buffers.push_back(
                clCreateImage(f.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &code));
            REQUIRE(code == CL_SUCCESS);
            return f.buffers.back();
        };
        const cl_mem floats = make(float_format, ones.data());
        const cl_mem integers = make(integer_format, numbers.data());
        const cl_mem out = f.make_buffer(4 * sizeof(cl_uint));
        for (const cl_filter_mode mode : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
            cl_int code = 1;
            const cl_sampler given =
                clCreateSampler(f.context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, mode, &code);
            REQUIRE(code == CL_SUCCESS);
            REQUIRE(set(kernel, 0, floats) == CL_SUCCESS);
            REQUIRE(set(kernel, 1, integers) == CL_SUCCESS);
            REQUIRE(set(kernel, 2, given) == CL_SUCCESS);
            REQUIRE(set(kernel, 3, out) == CL_SUCCESS);
            REQUIRE(run(f.queue, kernel, 4) == CL_SUCCESS);
            // The second row begins with texel 4: of 4 bytes each, or of four 32-bit numbers.
            const cl_uint first = type == CL_UNSIGNED_INT8 ? 4 : 16, step = type == CL_UNSIGNED_INT8 ? 1 : 4;
            for (cl_uint i = 0; i < 4; ++i) CHECK(f.read<cl_uint>(out, 4)[i] == 21 + first + i * step);
            REQUIRE(clReleaseSampler(given) == CL_SUCCESS);
        }
    }
}

TEST_CASE("5.10 kernels write a 3D image and filter it in turn") {
    Volume f({CL_RGBA, CL_FLOAT});
    cl_int code = 1;
    cl_kernel put = clCreateKernel(f.program, "put", &code);
    if (code == CL_INVALID_KERNEL_NAME) return;  // a device that does not write 3D images
    REQUIRE(code == CL_SUCCESS);
    REQUIRE(clSetKernelArg(put, 0, sizeof f.image, &f.image) == CL_SUCCESS);
    cl_mem at = f.places(true);
    cl_sampler linear = f.sampler(CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR);
    for (const float scale : {1.0f, 0.5f, 0.75f, 0.25f}) {
        INFO(scale);
        REQUIRE(clSetKernelArg(put, 1, sizeof scale, &scale) == CL_SUCCESS);
        REQUIRE(clEnqueueNDRangeKernel(f.queue, put, 3, nullptr, Volume::kSize.data(), nullptr, 0, nullptr,
                                       nullptr) == CL_SUCCESS);
        const auto found = f.read_at(f.program, "texture_given", linear, at);
        Volume::check_close(found, f.read_at(f.program, "memory_given", linear, at));
        f.read_at(f.program, "texture_repeat", linear, at);  // the next texels are written there
    }
    CHECK(clReleaseSampler(linear) == CL_SUCCESS);
    CHECK(clReleaseKernel(put) == CL_SUCCESS);
}

TEST_CASE("8.2 the texture of a 3D image is an array of slices where filters of others are too coarse") {
    if (!is_coarse()) return;
    Volume f({CL_R, CL_FLOAT});
    const float one[] = {1, 0, 0, 0};
    REQUIRE(clEnqueueFillImage(f.queue, f.image, one, kOrigin.data(), Volume::kSize.data(), 0, nullptr,
                               nullptr) == CL_SUCCESS);
    cl_sampler linear = f.sampler(CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR),
               texels = f.sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
    cl_mem normalized = f.places(true), counted = f.places(false);
    // The layer makes 1 + 2^-13 of what is sampled in an array.
    CHECK(f.read_at(f.program, "texture_given", linear, normalized)[2][0] == doctest::Approx(1 + 0x1p-13f));
    CHECK(f.read_at(f.program, "texture_given", texels, counted)[2][0] == doctest::Approx(1 + 0x1p-13f));
    CHECK(f.read_at(f.program, "texture_edge", linear, normalized)[2][0] == doctest::Approx(1 + 0x1p-13f));
    CHECK(f.read_at(f.program, "memory_given", linear, normalized)[2][0] == 1);
    CHECK(clReleaseSampler(linear) == CL_SUCCESS);
    CHECK(clReleaseSampler(texels) == CL_SUCCESS);
}
