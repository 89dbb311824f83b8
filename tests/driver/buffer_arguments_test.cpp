// SPDX-License-Identifier: Apache-2.0
// Buffers as arguments of kernels (OpenCL API 5.9.2), which are addresses on some devices and descriptors on
// others (docs/abi.md).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

cl_mem part_of(Fixture& f, cl_mem whole, size_t origin, size_t size) {
    const cl_buffer_region region = {origin, size};
    cl_int code = 1;
    f.buffers.push_back(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    REQUIRE(code == CL_SUCCESS);
    return f.buffers.back();
}

size_t alignment_of(const Fixture& f) {
    return info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
}

}  // namespace

TEST_CASE("5.9.2 a buffer argument that is NULL is NULL in the kernel, and another one at the next launch") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global int *a, global int *out, constant int *c, global int *d) {\n"
        "    out[0] = a == 0; out[1] = c == 0; out[2] = d == 0;\n"
        "    out[3] = a ? a[1] : -1; out[4] = c ? c[1] : -2; out[5] = (size_t)d == 0; out[6] = a == d;\n"
        "    global int *first = a ? a : d;\n    out[7] = first ? first[1] : -3;\n}",
        "k");
    cl_int numbers[] = {10, 11};
    cl_mem buffer = f.make_buffer(sizeof numbers, numbers), out = f.make_buffer(32);
    const cl_mem none = nullptr;
    REQUIRE(set(kernel, 1, out) == CL_SUCCESS);
    for (int given = 0; given < 8; ++given) {
        CAPTURE(given);
        const bool has_a = given & 1, has_c = given & 2, has_d = given & 4;
        CHECK(set(kernel, 0, has_a ? buffer : none) == CL_SUCCESS);
        CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), has_c ? &buffer : nullptr) == CL_SUCCESS);
        CHECK(set(kernel, 3, has_d ? buffer : none) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
        const std::vector<cl_int> found = f.read<cl_int>(out, 8);
        CHECK(found[0] == !has_a);
        CHECK(found[1] == !has_c);
        CHECK(found[2] == !has_d);
        CHECK(found[3] == (has_a ? 11 : -1));
        CHECK(found[4] == (has_c ? 11 : -2));
        CHECK(found[5] == !has_d);
        CHECK(found[6] == (has_a == has_d));
        CHECK(found[7] == (has_a || has_d ? 11 : -3));
    }
}

TEST_CASE("5.2.1 sub-buffers begin where they should, and may overlap as arguments") {
    Fixture f;
    const size_t step = alignment_of(f), count = step / 4;
    std::vector<cl_int> numbers(4 * count);
    std::iota(numbers.begin(), numbers.end(), 0);
    cl_mem whole = f.make_buffer(numbers.size() * 4, numbers.data());
    cl_mem second = part_of(f, whole, step, 2 * step), third = part_of(f, whole, 2 * step, step);
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global int *whole, global int *second, global int *third, global int *again, int n) "
        "{\n"
        "    if (whole[n] == second[0] && second[n] == third[0] && again[n] == second[0]) {\n"
        "        third[1] = -5; second[1] = whole[2 * n + 1] - 1; again[0] = second[n + 1];\n    }\n}",
        "k");
    CHECK(set(kernel, 0, whole) == CL_SUCCESS);
    CHECK(set(kernel, 1, second) == CL_SUCCESS);
    CHECK(set(kernel, 2, third) == CL_SUCCESS);
    CHECK(set(kernel, 3, whole) == CL_SUCCESS);
    CHECK(set(kernel, 4, static_cast<cl_int>(count)) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    numbers[2 * count + 1] = numbers[0] = -5;
    numbers[count + 1] = -6;
    CHECK(f.read<cl_int>(whole, numbers.size()) == numbers);
    // What begins elsewhere is refused.
    const cl_buffer_region odd = {step / 2, 4};
    cl_int code = 1;
    CHECK(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &code) == nullptr);
    CHECK(code == CL_MISALIGNED_SUB_BUFFER_OFFSET);
}

TEST_CASE("pointers of several arguments to one buffer are those of its bytes") {
    Fixture f;
    const size_t step = alignment_of(f);
    const auto ints = static_cast<cl_int>(step / 4);
    std::vector<cl_int> numbers(step);
    std::iota(numbers.begin(), numbers.end(), 0);
    cl_mem whole = f.make_buffer(numbers.size() * 4, numbers.data());
    const std::array<cl_mem, 4> parts = {part_of(f, whole, 2 * step, step), whole,
                                         part_of(f, whole, step, 2 * step), f.make_buffer(step)};
    const std::array<cl_int, 3> places = {2 * ints, 0, ints};  // of the first three
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global int *a, global int *b, global int *none, global int *out) {\n"
        "    out[0] = (int)(a - b); out[1] = a == b; out[2] = a < b; out[3] = (int)((long)b - (long)a);\n"
        "    out[4] = *(global int *)((ulong)a + 4); out[5] = a == none || b == none;\n"
        "    global int *p = out[6] ? a : b;\n    out[7] = p == b; out[8] = (ulong)none == 0;\n}",
        "k");
    cl_mem out = f.make_buffer(36);
    REQUIRE(clSetKernelArg(kernel, 2, sizeof(cl_mem), nullptr) == CL_SUCCESS);
    REQUIRE(set(kernel, 3, out) == CL_SUCCESS);
    for (size_t a = 0; a < 3; ++a)
        for (size_t b = 0; b < 4; ++b) {
            CAPTURE(a);
            CAPTURE(b);
            const cl_int zero = 0;
            REQUIRE(clEnqueueFillBuffer(f.queue, out, &zero, 4, 0, 36, 0, nullptr, nullptr) == CL_SUCCESS);
            CHECK(set(kernel, 0, parts[a]) == CL_SUCCESS);
            CHECK(set(kernel, 1, parts[b]) == CL_SUCCESS);
            REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
            const std::vector<cl_int> found = f.read<cl_int>(out, 9);
            if (b < 3) {
                CHECK(found[0] == places[a] - places[b]);
                CHECK(found[2] == (places[a] < places[b]));
                CHECK(found[3] == 4 * (places[b] - places[a]));
            }
            CHECK(found[1] == (a == b));
            CHECK(found[4] == places[a] + 1);
            CHECK(found[5] == 0);
            CHECK(found[7] == 1);
            CHECK(found[8] == 1);
        }
}

TEST_CASE("smaller work-groups at the edges of a range have the arguments of all others") {
    Fixture f;
    const size_t step = alignment_of(f);
    const auto ints = static_cast<cl_int>(step / 4);
    std::vector<cl_int> numbers(3 * step / 4);
    std::iota(numbers.begin(), numbers.end(), 0);
    cl_mem whole = f.make_buffer(3 * step, numbers.data()), second = part_of(f, whole, step, 2 * step);
    std::array<cl_int, 80> table;  // as an argument: more than push constants have room for
    for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<cl_int>(7 * i);
    constexpr std::array<size_t, 2> global = {10, 6}, local = {4, 4};
    for (const bool has_table : {false, true}) {
        CAPTURE(has_table);
        cl_kernel kernel = f.make_kernel(R"(
            typedef struct { int numbers[80]; } Table;
            kernel void k(global int *second, global int *out, global int *whole
            #ifdef TABLE
                          , Table table
            #endif
            ) {
                size_t group = get_group_id(0) + 3 * get_group_id(1);
                int n = (int)(second - whole) * 1000 + whole[group] + second[get_local_size(0)];
            #ifdef TABLE
                n += table.numbers[get_local_size(1)];
            #endif
                out[get_global_id(1) * 10 + get_global_id(0)] = n;
            })",
                                         "k", has_table ? "-cl-std=CL3.0 -DTABLE" : "-cl-std=CL3.0");
        cl_mem out = f.make_buffer(4 * global[0] * global[1]);
        CHECK(set(kernel, 0, second) == CL_SUCCESS);
        CHECK(set(kernel, 1, out) == CL_SUCCESS);
        CHECK(set(kernel, 2, whole) == CL_SUCCESS);
        if (has_table) CHECK(set(kernel, 3, table) == CL_SUCCESS);
        REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 2, nullptr, global.data(), local.data(), 0, nullptr,
                                       nullptr) == CL_SUCCESS);
        std::vector<cl_int> wanted;
        for (cl_int y = 0; y < 6; ++y)
            for (cl_int x = 0; x < 10; ++x) {
                const cl_int group = x / 4 + 3 * (y / 4), size_x = x < 8 ? 4 : 2, size_y = y < 4 ? 4 : 2;
                wanted.push_back(ints * 1000 + group + ints + size_x + (has_table ? 7 * size_y : 0));
            }
        CHECK(f.read<cl_int>(out, wanted.size()) == wanted);
    }
}

TEST_CASE("kernels use the last bytes of buffers of any size") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global uchar *a, global const uchar *b, int n) { a[n - 1] = b[n - 1] + 1; }", "k");
    for (cl_int size = 1; size < 20; ++size) {
        CAPTURE(size);
        std::vector<cl_uchar> bytes(static_cast<size_t>(size));
        std::iota(bytes.begin(), bytes.end(), cl_uchar{3});
        cl_mem from = f.make_buffer(bytes.size(), bytes.data()),
               to = f.make_buffer(bytes.size(), bytes.data());
        CHECK(set(kernel, 0, to) == CL_SUCCESS);
        CHECK(set(kernel, 1, from) == CL_SUCCESS);
        CHECK(set(kernel, 2, size) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
        ++bytes.back();
        CHECK(f.read<cl_uchar>(to, bytes.size()) == bytes);
    }
}

TEST_CASE("a pointer that is one of several arguments, in any space, and structs and tables beside it") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(R"(
        typedef struct { int which; short add; float factor; } Choice;
        constant int table[] = {100, 200, 300};
        global int total = 7;
        int take(int *p) { return *p; }
        kernel void k(global int *a, global int *b, local int *l, Choice choice, global int *out) {
            l[0] = 50;
            int own = 60;
            global int *chosen = choice.which & 1 ? a : b;
            chosen += choice.add;
            int *any = choice.which == 2 ? (int *)&own : choice.which == 3 ? (int *)l : (int *)chosen;
            total += take(any) * (int)choice.factor + table[choice.which % 3];
            out[0] = total;
            out[1] = *chosen;
            *chosen = -*chosen;
        })",
                                     "k", "-cl-std=CL3.0");
    struct {
        cl_int which;
        cl_short add;
        cl_float factor;
    } choice = {};
    cl_int a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40};
    cl_mem first = f.make_buffer(sizeof a, a), second = f.make_buffer(sizeof b, b), out = f.make_buffer(8);
    CHECK(set(kernel, 0, first) == CL_SUCCESS);
    CHECK(set(kernel, 1, second) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 2, 16, nullptr) == CL_SUCCESS);
    CHECK(set(kernel, 4, out) == CL_SUCCESS);
    cl_int total = 7;
    for (cl_int which = 0; which < 4; ++which) {
        CAPTURE(which);
        choice = {which, static_cast<cl_short>(which), 2};
        CHECK(set(kernel, 3, choice) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
        cl_int& chosen = which & 1 ? a[which] : b[which];
        const cl_int any = which == 2 ? 60 : which == 3 ? 50 : chosen;
        total += any * 2 + std::array<cl_int, 3>{100, 200, 300}[static_cast<size_t>(which) % 3];
        CHECK(f.read<cl_int>(out, 2) == std::vector<cl_int>{total, chosen});
        chosen = -chosen;
    }
    CHECK(f.read<cl_int>(first, 4) == std::vector<cl_int>(a, a + 4));
    CHECK(f.read<cl_int>(second, 4) == std::vector<cl_int>(b, b + 4));
}

TEST_CASE("kernels with pointers in buffers run, or are declined with the feature that the device lacks") {
    Fixture f;
    cl_program program = f.source(
        "global int *kept;\n"
        "kernel void keep(global int *a) {\n    kept = a;\n}\n"
        "kernel void use(global int *out) { *out = *kept; }");
    const cl_int code = clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr);
    if (has_addresses()) {
        REQUIRE(code == CL_SUCCESS);
        cl_int seven = 7;
        cl_mem from = f.make_buffer(4, &seven), to = f.make_buffer(4);
        cl_kernel keep = f.make_kernel(program, "keep"), use = f.make_kernel(program, "use");
        CHECK(set(keep, 0, from) == CL_SUCCESS);
        CHECK(set(use, 0, to) == CL_SUCCESS);
        CHECK(run(f.queue, keep, 1) == CL_SUCCESS);
        CHECK(run(f.queue, use, 1) == CL_SUCCESS);
        CHECK(f.read<cl_int>(to, 1)[0] == (is_robust() ? 0 : 7));  // `use` was not given the buffer
    } else {
        CHECK(code == CL_BUILD_PROGRAM_FAILURE);
        const std::string log = text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG);
        INFO(log);
        CHECK(log.find("kernel 'keep' (program.cl:3:12): storing a pointer in a program-scope variable needs "
                       "the feature bufferDeviceAddress, which ") != std::string::npos);
    }
}

TEST_CASE("a kernel that reaches only what it was given reaches a sub-buffer, and not the buffer around it") {
    if (!is_robust()) return;
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        f.build("kernel void fill(global uint *p, global uint *q) { p[get_global_id(0)] = 7; }"), "fill");
    std::vector<cl_uint> zeros(2048);
    cl_mem whole = f.make_buffer(zeros.size() * 4, zeros.data());
    cl_mem part = part_of(f, whole, 1024, 256);
    const auto written = [&] {
        REQUIRE(run(f.queue, kernel, zeros.size()) == CL_SUCCESS);
        return std::ranges::count(f.read<cl_uint>(whole, zeros.size()), 7u);
    };
    CHECK(set(kernel, 0, part) == CL_SUCCESS);
    CHECK(set(kernel, 1, whole) == CL_SUCCESS);
    CHECK(written() == 64);
    CHECK(set(kernel, 0, whole) == CL_SUCCESS);
    CHECK(set(kernel, 1, part) == CL_SUCCESS);
    CHECK(written() == 2048);
}

TEST_CASE("images of the same bytes differ, also in functions that they are passed to") {
    Fixture f;
    std::vector<cl_uchar> own(256);
    std::iota(own.begin(), own.end(), cl_uchar{1});
    cl_mem buffer = f.make_buffer(own.size(), own.data());
    const auto image_of = [&](size_t width, size_t height, size_t row_pitch) {
        const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = width,
                                 .image_height = height,
                                 .image_row_pitch = row_pitch,
                                 .mem_object = buffer};
        cl_int code = 1;
        f.buffers.push_back(clCreateImage(f.context, 0, &format, &desc, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        return f.buffers.back();
    };
    cl_kernel kernel = f.make_kernel(R"(
        uint sum(read_only image2d_t i) {
            int2 size = get_image_dim(i);
            uint all = read_imageui(i, size - 1).x + size.x * 0x100;
            for (int y = 0; y < size.y; ++y)
                for (int x = 0; x < size.x; ++x) all += read_imageui(i, (int2)(x, y)).x * 0x10000;
            return all;
        }
        kernel void k(read_only image2d_t a, read_only image2d_t b, global uint *out, global uchar *bytes) {
            out[0] = sum(a);
            out[1] = sum(b);
            out[2] = (size_t)out == (size_t)bytes;
        })",
                                     "k");
    cl_mem out = f.make_buffer(12);
    CHECK(set(kernel, 0, image_of(4, 3, 32)) == CL_SUCCESS);
    CHECK(set(kernel, 1, image_of(6, 2, 64)) == CL_SUCCESS);
    CHECK(set(kernel, 2, out) == CL_SUCCESS);
    CHECK(set(kernel, 3, buffer) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    const auto sum = [&](size_t width, size_t height, size_t pitch) {
        cl_uint all = own[(height - 1) * pitch + width - 1] + static_cast<cl_uint>(width) * 0x100;
        for (size_t y = 0; y < height; ++y)
            for (size_t x = 0; x < width; ++x) all += cl_uint{own[y * pitch + x]} * 0x10000;
        return all;
    };
    CHECK(f.read<cl_uint>(out, 3) == std::vector<cl_uint>{sum(4, 3, 32), sum(6, 2, 64), 0});
}
