// SPDX-License-Identifier: Apache-2.0
// Kernels that sample images see what was last written to them, by whatever command and in whatever queue.
// With CALDERA_IMAGES=hardware they read textures, which are copies.
#include <array>
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
    kernel void put(write_only image2d_t image, uint value) {
        const int x = get_global_id(0), y = get_global_id(1);
        write_imageui(image, (int2)(x, y), value + x);
    }
    kernel void next(read_only image2d_t from, write_only image2d_t to) {
        const int x = get_global_id(0), y = get_global_id(1);
        write_imageui(to, (int2)(x, y), read_imageui(from, nearest, (int2)(x, y)) * 3 + 1);
    }
)";

/// In a program of its own: no form of it has textures that kernels write where the device needs a format to
/// read them.
constexpr const char* kPeekSource = R"(
    kernel void peek(read_write image2d_t image, global uint *out) {
        const int x = get_global_id(0), y = get_global_id(1);
        out[y * get_global_size(0) + x] = read_imageui(image, (int2)(x, y)).x;
    }
)";

struct TextureFixture : Fixture {
    TextureFixture() : program(build(kSource, "-cl-std=CL3.0")), peek(build(kPeekSource, "-cl-std=CL3.0")) {
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
    cl_kernel make(const char* name) {
        return make_kernel(std::strcmp(name, "peek") == 0 ? peek : program, name);
    }
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

    cl_program program, peek;
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
