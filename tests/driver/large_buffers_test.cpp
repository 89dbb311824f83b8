// SPDX-License-Identifier: Apache-2.0
// Buffers that are larger than a descriptor may say (Vulkan's maxStorageBufferRange), which kernels reach in
// parts. Edges of parts are at powers of two; the ctest driver_split_buffers has them at multiples of 64 KiB.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

constexpr size_t kBytes = 400000;  // six edges at multiples of 64 KiB

std::vector<cl_uchar> some_bytes(size_t count) {
    std::vector<cl_uchar> bytes(count);
    for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<cl_uchar>(i * 167 + i / 251);
    return bytes;
}

/// The largest buffer, or one that is quickly filled.
size_t large_size(const Fixture& f) {
    const auto most = info<cl_ulong>(clGetDeviceInfo, f.the_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    return static_cast<size_t>(std::min<cl_ulong>(most, 1 << 20));
}

}  // namespace

TEST_CASE("5.9.2 kernels read and write large buffers in any type") {
    Fixture f;
    struct Row {
        const char* type;
        size_t bytes;
    };
    for (const auto& [type, bytes] :
         {Row{"uchar", 1}, Row{"ushort", 2}, Row{"uint", 4}, Row{"ulong", 8}, Row{"uchar4", 4},
          Row{"uint2", 8}, Row{"uint4", 16}, Row{"ulong4", 32}, Row{"ulong16", 128}}) {
        CAPTURE(type);
        cl_kernel kernel = f.make_kernel(
            "kernel void k(global const TYPE *a, global TYPE *b) {\n"
            "    size_t i = get_global_id(0), n = get_global_size(0); b[n - 1 - i] = ~a[i];\n}",
            "k", (std::string("-DTYPE=") + type).c_str());
        // Large ones, small ones, and large ones again.
        for (const size_t size : {kBytes / bytes * bytes, 3 * bytes, kBytes / 2 / bytes * bytes}) {
            CAPTURE(size);
            std::vector<cl_uchar> in = some_bytes(size);
            cl_mem a = f.make_buffer(size, in.data()), b = f.make_buffer(size);
            REQUIRE(set(kernel, 0, a) == CL_SUCCESS);
            REQUIRE(set(kernel, 1, b) == CL_SUCCESS);
            REQUIRE(run(f.queue, kernel, size / bytes) == CL_SUCCESS);
            std::vector<cl_uchar> expected(size);
            for (size_t i = 0; i < size; ++i)
                expected[size - bytes - i / bytes * bytes + i % bytes] = static_cast<cl_uchar>(~in[i]);
            CHECK(f.read<cl_uchar>(b, size) == expected);
        }
    }
}

TEST_CASE("5.9.2 accesses that are not aligned may lie on both sides of a part's edge") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "typedef struct __attribute__((packed)) { uchar head; uint word; ushort two; ulong wide; } Packed;\n"
        "kernel void k(global Packed *a, global ushort *b) {\n"
        "    size_t i = get_global_id(0);\n"
        "    Packed p = a[i]; p.word += p.head; p.wide ^= p.two; a[i] = p;\n"
        "    vstore3(vload3(i, b) + (ushort)1, i, b);\n}",
        "k");
    constexpr size_t kCount = 20000, kSize = 15;
    std::vector<cl_uchar> bytes = some_bytes(kCount * kSize);
    std::vector<cl_ushort> halves(3 * kCount);
    std::iota(halves.begin(), halves.end(), cl_ushort{7});
    cl_mem a = f.make_buffer(bytes.size(), bytes.data()), b = f.make_buffer(2 * halves.size(), halves.data());
    REQUIRE(set(kernel, 0, a) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, b) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
    for (size_t i = 0; i < kCount; ++i) {
        cl_uchar* const at = bytes.data() + i * kSize;
        cl_uint word = 0;
        cl_ushort half = 0;
        cl_ulong wide = 0;
        std::memcpy(&word, at + 1, sizeof word);
        std::memcpy(&half, at + 5, sizeof half);
        std::memcpy(&wide, at + 7, sizeof wide);
        word += at[0];
        wide ^= half;
        std::memcpy(at + 1, &word, sizeof word);
        std::memcpy(at + 7, &wide, sizeof wide);
    }
    for (cl_ushort& half : halves) ++half;
    CHECK(f.read<cl_uchar>(a, bytes.size()) == bytes);
    CHECK(f.read<cl_ushort>(b, halves.size()) == halves);
}

TEST_CASE("5.2.1 sub-buffers of large buffers begin anywhere, beside the whole buffer") {
    Fixture f;
    const size_t step = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global uint *whole, global uint *part, uint first) {\n"
        "    size_t i = get_global_id(0); part[i] += whole[first + i] + 1;\n}",
        "k");
    std::vector<cl_uint> words(kBytes / 4);
    std::iota(words.begin(), words.end(), 5u);
    cl_mem whole = f.make_buffer(kBytes, words.data());
    for (const size_t origin : {size_t{0}, step, 65536 - step, 65536 + step, 3 * 65536 + 5 * step}) {
        CAPTURE(origin);
        const cl_buffer_region region = {origin, 150000};
        cl_int code = 1;
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        REQUIRE(code == CL_SUCCESS);
        const auto first = static_cast<cl_uint>(origin / 4);
        REQUIRE(set(kernel, 0, whole) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, part) == CL_SUCCESS);
        REQUIRE(set(kernel, 2, first) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, region.size / 4) == CL_SUCCESS);
        for (size_t i = 0; i < region.size / 4; ++i) words[first + i] += words[first + i] + 1;
        CHECK(f.read<cl_uint>(whole, words.size()) == words);
        CHECK(clReleaseMemObject(part) == CL_SUCCESS);
    }
}

TEST_CASE("5.9.2 atomic operations and pointers that choose a buffer work in large buffers") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "global uint *find(global uint *a, global uint *b, size_t i) { return i % 3 ? a + i : b + i; }\n"
        "kernel void k(global uint *a, global uint *b, global float *sums, constant uint *steps, uint count) "
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    for (uint k = 0; k < 4; ++k) {\n"
        "        size_t at = (i * 16411 + k * 3) % count;\n"
        "        atomic_add(a + at, steps[at]);\n"
        "        uint old = b[at], seen;\n"
        "        while ((seen = atomic_cmpxchg(b + at, old, old + 2)) != old) old = seen;\n"
        "        global uint *word = (global uint *)(sums + at);\n"
        "        for (old = *word; (seen = atomic_cmpxchg(word, old, as_uint(as_float(old) + 0.5f))) != "
        "old;)\n"
        "            old = seen;\n"
        "    }\n}\n"
        "kernel void both(global uint *a, global uint *b) {\n"
        "    size_t i = get_global_id(0); *find(a, b, i) += 1000; atomic_inc(find(b, a, i));\n}",
        "k");
    cl_kernel both = f.make_kernel(f.programs.back(), "both");
    constexpr cl_uint kCount = kBytes / 4;
    constexpr size_t kItems = 30000;
    std::vector<cl_uint> a(kCount), b(kCount), steps(kCount);
    std::vector<cl_float> sums(kCount);
    for (cl_uint i = 0; i < kCount; ++i) a[i] = i, b[i] = 3 * i, steps[i] = i % 7;
    std::array<cl_mem, 4> buffers = {f.make_buffer(kBytes, a.data()), f.make_buffer(kBytes, b.data()),
                                     f.make_buffer(kBytes, sums.data()), f.make_buffer(kBytes, steps.data())};
    for (cl_uint i = 0; i < 4; ++i) REQUIRE(set(kernel, i, buffers[i]) == CL_SUCCESS);
    REQUIRE(set(kernel, 4, kCount) == CL_SUCCESS);
    for (cl_uint i = 0; i < 2; ++i) REQUIRE(set(both, i, buffers[i]) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, kItems) == CL_SUCCESS);
    REQUIRE(run(f.queue, both, kCount) == CL_SUCCESS);
    for (size_t i = 0; i < kItems; ++i)
        for (size_t k = 0; k < 4; ++k) {
            const size_t at = (i * 16411 + k * 3) % kCount;
            a[at] += steps[at];
            b[at] += 2;
            sums[at] += 0.5f;
        }
    for (cl_uint i = 0; i < kCount; ++i) {
        (i % 3 ? a : b)[i] += 1000;
        (i % 3 ? b : a)[i] += 1;
    }
    CHECK(f.read<cl_uint>(buffers[0], kCount) == a);
    CHECK(f.read<cl_uint>(buffers[1], kCount) == b);
    CHECK(f.read<cl_float>(buffers[2], kCount) == sums);
}

TEST_CASE("5.2.1 a buffer of the largest size is reached to its last byte") {
    Fixture f;
    const size_t size = large_size(f);
    cl_kernel kernel = f.make_kernel(
        "int counter = 40;\n"
        "kernel void k(global uchar *a, ulong last) { a[get_global_id(0) * last] = counter++; }",
        "k", "-cl-std=CL3.0");
    const std::vector<cl_uchar> zeros(size);
    cl_mem buffer = f.make_buffer(size, const_cast<cl_uchar*>(zeros.data()));
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, cl_ulong{size - 1}) == CL_SUCCESS);
    // Programs for large and for small buffers have the same variables.
    cl_uchar small[4] = {};
    cl_mem few = f.make_buffer(sizeof small, small);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    REQUIRE(set(kernel, 0, few) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    const size_t offset = 1, items = 1;
    REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, &offset, &items, nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    const std::vector<cl_uchar> found = f.read<cl_uchar>(buffer, size);
    CHECK(found.front() == 40);
    CHECK(f.read<cl_uchar>(few, 4)[0] == 41);
    CHECK(found.back() == 42);
    CHECK(std::ranges::count(found, 0) == static_cast<ptrdiff_t>(size) - 2);
}

TEST_CASE("5.10 more large buffers than a kernel can have are an error, and smaller ones are none") {
    Fixture f;
    std::string parameters, body;
    const cl_uint count = has_limit("maxPerStageDescriptorStorageBuffers=4") ? 4 : 6;
    for (cl_uint i = 0; i < count; ++i) {
        const std::string name = "a" + std::to_string(i);
        parameters += (i ? ", global uint *" : "global uint *") + name;
        body += name + "[get_global_id(0)] += " + std::to_string(i + 1) + "; ";
    }
    cl_kernel kernel = f.make_kernel("kernel void k(" + parameters + ") { " + body + "}", "k");
    const size_t size = large_size(f);
    for (const size_t bytes : {size, size_t{4}}) {
        const std::vector<cl_uchar> zeros(bytes);
        std::vector<cl_mem> buffers(count);
        for (cl_uint i = 0; i < count; ++i) {
            buffers[i] = f.make_buffer(bytes, const_cast<cl_uchar*>(zeros.data()));
            REQUIRE(set(kernel, i, buffers[i]) == CL_SUCCESS);
        }
        const cl_int code = run(f.queue, kernel, bytes / 4);
        if (bytes == size && code != CL_SUCCESS) {
            CHECK(code == CL_OUT_OF_RESOURCES);
            continue;
        }
        REQUIRE(code == CL_SUCCESS);
        for (cl_uint i = 0; i < count; ++i)
            CHECK(f.read<cl_uint>(buffers[i], bytes / 4) == std::vector<cl_uint>(bytes / 4, i + 1));
    }
}

TEST_CASE("5.3.1 kernels read and write images whose texels are more than a descriptor may say") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(R"(
        kernel void turn(read_only image2d_t in, write_only image2d_t out, global uint *wrong) {
            int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(in);
            uint4 color = read_imageui(in, at);
            if (any(color != (uint4)(at.x, at.y, at.x * at.y, 1))) atomic_inc(wrong);
            write_imageui(out, size - 1 - at, color);
        })",
                                     "turn");
    constexpr cl_ushort kWidth = 250, kHeight = 100;  // 200,000 bytes
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT16};
    const cl_image_desc desc{
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kWidth, .image_height = kHeight};
    std::vector<std::array<cl_ushort, 4>> texels;
    for (cl_ushort y = 0; y < kHeight; ++y)
        for (cl_ushort x = 0; x < kWidth; ++x) texels.push_back({x, y, static_cast<cl_ushort>(x * y), 1});
    cl_int code = 1;
    cl_mem in = clCreateImage(f.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data(), &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(in);
    cl_mem out = clCreateImage(f.context, 0, &format, &desc, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(out);
    cl_uint none = 0;
    cl_mem wrong = f.make_buffer(4, &none);
    CHECK(set(kernel, 0, in) == CL_SUCCESS);
    CHECK(set(kernel, 1, out) == CL_SUCCESS);
    CHECK(set(kernel, 2, wrong) == CL_SUCCESS);
    const std::array<size_t, 3> items = {kWidth, kHeight, 1}, origin = {};
    REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 2, nullptr, items.data(), nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    CHECK(f.read<cl_uint>(wrong, 1)[0] == 0);
    std::vector<std::array<cl_ushort, 4>> turned(texels.size());
    CHECK(clEnqueueReadImage(f.queue, out, CL_TRUE, origin.data(), items.data(), 0, 0, turned.data(), 0,
                             nullptr, nullptr) == CL_SUCCESS);
    std::ranges::reverse(texels);
    CHECK(turned == texels);
}
