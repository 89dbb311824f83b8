// SPDX-License-Identifier: Apache-2.0
// Buffers and what is done to them (OpenCL API 5.2, 5.5).
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "tests/driver/fixture.h"
#include "tests/driver/times.h"

using namespace caldera::driver_test;

namespace {

std::vector<cl_uchar> counted(size_t size, cl_uchar from = 0) {
    std::vector<cl_uchar> out(size);
    std::iota(out.begin(), out.end(), from);
    return out;
}

}  // namespace

TEST_CASE("5.2.1 creating buffers: flags, sizes and host pointers") {
    Fixture f;
    cl_int code = 1;
    char host[16] = "abc";
    const auto fails = [&](cl_mem_flags flags, size_t size, void* pointer) {
        CHECK(clCreateBuffer(f.context, flags, size, pointer, &code) == nullptr);
        return code;
    };
    CHECK(fails(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, nullptr) == CL_INVALID_VALUE);
    CHECK(fails(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 16, nullptr) == CL_INVALID_VALUE);
    CHECK(fails(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host) == CL_INVALID_VALUE);
    CHECK(fails(cl_mem_flags{1} << 40, 16, nullptr) == CL_INVALID_VALUE);
    CHECK(fails(0, 0, nullptr) == CL_INVALID_BUFFER_SIZE);
    CHECK(fails(0, SIZE_MAX, nullptr) == CL_INVALID_BUFFER_SIZE);
    CHECK(fails(0, 16, host) == CL_INVALID_HOST_PTR);
    CHECK(fails(CL_MEM_COPY_HOST_PTR, 16, nullptr) == CL_INVALID_HOST_PTR);
    CHECK(clCreateBuffer(nullptr, 0, 16, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);

    cl_mem copy = f.make_buffer(sizeof host, host);
    host[0] = 'x';
    CHECK(std::memcmp(f.read<char>(copy, sizeof host).data(), "abc", 4) == 0);
    CHECK(info<size_t>(clGetMemObjectInfo, copy, CL_MEM_SIZE) == sizeof host);
    CHECK(info<cl_mem_flags>(clGetMemObjectInfo, copy, CL_MEM_FLAGS) == CL_MEM_COPY_HOST_PTR);
    CHECK(info<void*>(clGetMemObjectInfo, copy, CL_MEM_HOST_PTR) == nullptr);
    CHECK(info<cl_context>(clGetMemObjectInfo, copy, CL_MEM_CONTEXT) == f.context);
    CHECK(info<cl_mem_object_type>(clGetMemObjectInfo, copy, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER);
}

TEST_CASE("5.2.1 sub-buffers see their part of the parent") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(512);
    cl_mem parent = f.make_buffer(512, bytes.data(), CL_MEM_READ_ONLY);
    cl_int code = 1;
    const auto make = [&](cl_buffer_region region, cl_mem_flags flags = 0) {
        return clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    };
    cl_mem part = make({256, 100});
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_mem>(clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT) == parent);
    CHECK(info<size_t>(clGetMemObjectInfo, part, CL_MEM_OFFSET) == 256);
    CHECK(f.read<cl_uchar>(part, 100) == std::vector<cl_uchar>(bytes.begin() + 256, bytes.begin() + 356));
    CHECK(make({1, 8}) == nullptr);
    CHECK(code == CL_MISALIGNED_SUB_BUFFER_OFFSET);
    CHECK(make({256, 257}) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(make({0, 0}) == nullptr);
    CHECK(code == CL_INVALID_BUFFER_SIZE);
    CHECK(make({0, 8}, CL_MEM_READ_WRITE) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    cl_buffer_region region = {0, 8};
    CHECK(clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code) == nullptr);
    CHECK(code == CL_INVALID_MEM_OBJECT);
    CHECK(clReleaseMemObject(part) == CL_SUCCESS);
}

TEST_CASE("5.2.2 reading and writing, blocking or not, in parts") {
    for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
        Fixture f;
        const size_t size = (3u << 20) + 7;
        std::vector<cl_uchar> in = counted(size), out(size);
        cl_mem buffer = f.make_buffer(size);
        CHECK(clEnqueueWriteBuffer(f.queue, buffer, blocking, 0, size, in.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clEnqueueWriteBuffer(f.queue, buffer, blocking, 5, 3, "XYZ", 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(f.queue, buffer, blocking, 0, size, out.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        std::memcpy(in.data() + 5, "XYZ", 3);
        CHECK(in == out);
    }
}

TEST_CASE("5.2.2 a write takes what a read before it in the queue brings") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(1000, 7), between(1000);
    cl_mem a = f.make_buffer(1000, bytes.data()), b = f.make_buffer(1000);
    CHECK(clEnqueueReadBuffer(f.queue, a, CL_FALSE, 0, 1000, between.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(clEnqueueWriteBuffer(f.queue, b, CL_FALSE, 0, 1000, between.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(f.read<cl_uchar>(b, 1000) == bytes);
}

TEST_CASE("5.2.2 errors of reads and writes") {
    Fixture f, other;
    char host[16];
    cl_mem buffer = f.make_buffer(16), unread = f.make_buffer(16, nullptr, CL_MEM_HOST_WRITE_ONLY);
    cl_mem unwritten = f.make_buffer(16, nullptr, CL_MEM_HOST_READ_ONLY);
    const auto read = [&](cl_command_queue queue, cl_mem from, size_t offset, size_t size, void* to) {
        return clEnqueueReadBuffer(queue, from, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
    };
    CHECK(read(nullptr, buffer, 0, 16, host) == CL_INVALID_COMMAND_QUEUE);
    CHECK(read(other.queue, buffer, 0, 16, host) == CL_INVALID_CONTEXT);
    CHECK(read(f.queue, nullptr, 0, 16, host) == CL_INVALID_MEM_OBJECT);
    CHECK(read(f.queue, buffer, 0, 17, host) == CL_INVALID_VALUE);
    CHECK(read(f.queue, buffer, SIZE_MAX, 2, host) == CL_INVALID_VALUE);
    CHECK(read(f.queue, buffer, 0, 16, nullptr) == CL_INVALID_VALUE);
    CHECK(read(f.queue, unread, 0, 16, host) == CL_INVALID_OPERATION);
    CHECK(clEnqueueWriteBuffer(f.queue, unwritten, CL_TRUE, 0, 16, host, 0, nullptr, nullptr) ==
          CL_INVALID_OPERATION);
    cl_event null = nullptr;
    CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 16, host, 1, nullptr, nullptr) ==
          CL_INVALID_EVENT_WAIT_LIST);
    CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 16, host, 0, &null, nullptr) ==
          CL_INVALID_EVENT_WAIT_LIST);
    CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 16, host, 1, &null, nullptr) ==
          CL_INVALID_EVENT_WAIT_LIST);
}

TEST_CASE("5.2.2 rectangles: a box of a volume out of a buffer, and back to another place") {
    Fixture f;
    // A buffer of 8 x 6 x 5 bytes; a box of 3 x 2 x 2 at (2, 1, 1).
    std::vector<cl_uchar> bytes = counted(8 * 6 * 5);
    cl_mem buffer = f.make_buffer(bytes.size(), bytes.data());
    const std::array<size_t, 3> at = {2, 1, 1}, to = {1, 1, 0}, region = {3, 2, 2};
    std::vector<cl_uchar> host(5 * 4 * 3, 255), expected = host;
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 2; ++y)
            for (size_t x = 0; x < 3; ++x)
                expected[z * 20 + (y + 1) * 5 + x + 1] = bytes[(z + 1) * 48 + (y + 1) * 8 + x + 2];
    for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
        host.assign(host.size(), 255);
        CHECK(clEnqueueReadBufferRect(f.queue, buffer, blocking, at.data(), to.data(), region.data(), 8, 48,
                                      5, 20, host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(host == expected);
    }
    const std::array<size_t, 3> elsewhere = {5, 4, 3};
    CHECK(clEnqueueWriteBufferRect(f.queue, buffer, CL_FALSE, elsewhere.data(), to.data(), region.data(), 8,
                                   48, 5, 20, host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 2; ++y)
            for (size_t x = 0; x < 3; ++x)
                bytes[(z + 3) * 48 + (y + 4) * 8 + x + 5] = bytes[(z + 1) * 48 + (y + 1) * 8 + x + 2];
    CHECK(f.read<cl_uchar>(buffer, bytes.size()) == bytes);

    const auto read = [&](const size_t* size, size_t row, size_t slice) {
        return clEnqueueReadBufferRect(f.queue, buffer, CL_TRUE, at.data(), to.data(), size, row, slice, 0, 0,
                                       host.data(), 0, nullptr, nullptr);
    };
    const std::array<size_t, 3> flat = {3, 0, 2}, large = {3, 6, 5}, huge = {SIZE_MAX, 2, 2};
    CHECK(read(flat.data(), 8, 48) == CL_INVALID_VALUE);
    CHECK(read(large.data(), 8, 48) == CL_INVALID_VALUE);
    CHECK(read(huge.data(), 8, 48) == CL_INVALID_VALUE);
    CHECK(read(region.data(), 2, 48) == CL_INVALID_VALUE);
    CHECK(read(region.data(), 8, 47) == CL_INVALID_VALUE);
}

TEST_CASE("5.2.2 rectangles of many short rows, of words and of bytes, with even and uneven slices") {
    struct Shape {
        std::array<size_t, 3> origin, region;
        size_t row, slice;  // of the buffer
        size_t host_row, host_slice;
    };
    const Shape shapes[] = {
        {{0, 0, 0}, {1, 5000, 1}, 3, 0, 1, 0},               // bytes
        {{8, 3, 0}, {4, 700, 1}, 16, 0, 12, 0},              // words
        {{1, 2, 1}, {5, 60, 20}, 7, 7 * 64, 5, 300},         // slices that do not follow evenly
        {{4, 1, 1}, {8, 40, 30}, 12, 12 * 50, 16, 16 * 41},  // the same of words
        {{2, 0, 0}, {3, 1, 900}, 4, 4, 3, 3},                // slices of one row
        {{0, 0, 0}, {3, 20, 50}, 3, 63, 3, 60},              // rows that touch
        {{0, 0, 0}, {600, 300, 1}, 601, 0, 600, 0},          // long rows
        {{0, 0, 0}, {511, 300, 1}, 512, 0, 513, 0},
    };
    for (const Shape& shape : shapes) {
        CAPTURE(shape.region[1]);
        Fixture f;
        const auto [width, rows, slices] = shape.region;
        const size_t slice = shape.slice ? shape.slice : shape.row * rows;
        const size_t host_slice = shape.host_slice ? shape.host_slice : shape.host_row * rows;
        const std::array<size_t, 3> zero = {0, 0, 0};
        const auto at = [&](size_t y, size_t z) {
            return (z + shape.origin[2]) * slice + (y + shape.origin[1]) * shape.row + shape.origin[0];
        };
        const auto host_at = [&](size_t y, size_t z) { return z * host_slice + y * shape.host_row; };
        std::vector<cl_uchar> bytes = counted(at(rows, slices) + width),
                              host = counted(host_at(rows, slices) + 9);
        for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<cl_uchar>(host[i] * 3 + i / 256);
        const std::vector<cl_uchar> written = host;
        cl_mem a = f.make_buffer(bytes.size(), bytes.data()), b = f.make_buffer(host.size(), host.data());
        // What the device should do.
        const auto go = [&](std::vector<cl_uchar>& to, const std::vector<cl_uchar>& from, bool to_host) {
            for (size_t z = 0; z < slices; ++z)
                for (size_t y = 0; y < rows; ++y)
                    std::copy_n(from.begin() + (to_host ? at(y, z) : host_at(y, z)), width,
                                to.begin() + (to_host ? host_at(y, z) : at(y, z)));
        };
        CHECK(clEnqueueReadBufferRect(f.queue, a, CL_TRUE, shape.origin.data(), zero.data(),
                                      shape.region.data(), shape.row, slice, shape.host_row, host_slice,
                                      host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        std::vector<cl_uchar> expected = written;
        go(expected, bytes, true);
        CHECK(host == expected);
        CHECK(clEnqueueCopyBufferRect(f.queue, a, b, shape.origin.data(), zero.data(), shape.region.data(),
                                      shape.row, slice, shape.host_row, host_slice, 0, nullptr,
                                      nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_uchar>(b, host.size()) == expected);
        CHECK(clEnqueueWriteBufferRect(f.queue, a, CL_FALSE, shape.origin.data(), zero.data(),
                                       shape.region.data(), shape.row, slice, shape.host_row, host_slice,
                                       written.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        go(bytes, written, false);
        CHECK(f.read<cl_uchar>(a, bytes.size()) == bytes);
    }
}

TEST_CASE("5.2.5 many regions of one buffer are mapped and unmapped in about the time of one after another") {
    Fixture f;
    constexpr size_t kCount = 20'000;
    const cl_mem buffer = f.make_buffer(kCount * 4, nullptr, CL_MEM_ALLOC_HOST_PTR);
    const auto map = [&](cl_map_flags flags, size_t at, size_t size) {
        cl_int code = 1;
        void* const mapped =
            clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, flags, at, size, 0, nullptr, nullptr, &code);
        return std::pair(mapped, code);
    };
    const auto unmap = [&](void* mapped) {
        return clEnqueueUnmapMemObject(f.queue, buffer, mapped, 0, nullptr, nullptr);
    };
    check_in_some_try([&] {
        const double one_by_one = seconds_of([&] {
            for (size_t i = 0; i < kCount; ++i)
                REQUIRE(unmap(map(CL_MAP_WRITE, 4 * i, 4).first) == CL_SUCCESS);
        });
        std::vector<void*> mapped;
        const double together = seconds_of([&] {
            for (size_t i = 0; i < kCount; ++i) {  // in no order
                mapped.push_back(map(CL_MAP_WRITE, 4 * (i * 7919 % kCount), 4).first);
                REQUIRE(mapped.back());
            }
        });
        CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == kCount);
        // A region may be mapped for writing once, and for reading as well.
        for (const size_t at : {size_t{0}, 4 * kCount / 2, 4 * kCount - 4}) {
            CHECK(map(CL_MAP_WRITE, at, 4).second == CL_INVALID_OPERATION);
            CHECK(map(CL_MAP_WRITE_INVALIDATE_REGION, at + 3, 1).second == CL_INVALID_OPERATION);
            const auto [read, code] = map(CL_MAP_READ, at, 4);
            CHECK(code == CL_SUCCESS);
            CHECK(unmap(read) == CL_SUCCESS);
        }
        CHECK(map(CL_MAP_WRITE, 0, 4 * kCount).second == CL_INVALID_OPERATION);
        const double apart = seconds_of([&] {
            for (size_t i = 0; i < kCount; ++i) REQUIRE(unmap(mapped[i * 31 % kCount]) == CL_SUCCESS);
        });
        return together + apart < 4 * one_by_one + 0.5;
    });
    CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == 0);
    const auto [whole, code] = map(CL_MAP_WRITE, 0, 4 * kCount);
    CHECK(code == CL_SUCCESS);
    CHECK(unmap(whole) == CL_SUCCESS);
    CHECK(unmap(whole) == CL_INVALID_VALUE);
}

TEST_CASE("5.5.3 overlapping regions are mapped for writing once, through whatever objects on the buffer") {
    Fixture f;
    std::vector<cl_uchar> own(4096);
    for (const cl_mem_flags flags : {0, CL_MEM_USE_HOST_PTR}) {
        const cl_mem buffer = f.make_buffer(own.size(), flags ? own.data() : nullptr, flags);
        const auto part = [&](size_t offset, size_t size) {
            cl_int code = 1;
            const cl_buffer_region region = {offset, size};
            f.buffers.push_back(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
            REQUIRE(code == CL_SUCCESS);
            return f.buffers.back();
        };
        const cl_mem first = part(0, 2048), other = part(2048, 2048), all = part(0, 4096);
        cl_int code = 1;
        const auto map = [&](cl_mem from, cl_map_flags how, size_t offset, size_t size) {
            return clEnqueueMapBuffer(f.queue, from, CL_TRUE, how, offset, size, 0, nullptr, nullptr, &code);
        };
        const auto unmap = [&](cl_mem from, void* pointer) {
            CHECK(clEnqueueUnmapMemObject(f.queue, from, pointer, 0, nullptr, nullptr) == CL_SUCCESS);
        };
        void* const mapped = map(buffer, CL_MAP_WRITE, 0, 1024);
        CHECK(code == CL_SUCCESS);
        CHECK(!map(first, CL_MAP_WRITE, 1000, 64));
        CHECK(code == CL_INVALID_OPERATION);
        CHECK(!map(all, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4096));
        CHECK(code == CL_INVALID_OPERATION);
        void* const read = map(all, CL_MAP_READ, 0, 4096);
        CHECK(code == CL_SUCCESS);
        void* const behind = map(first, CL_MAP_WRITE, 1024, 1024);
        CHECK(code == CL_SUCCESS);
        void* const apart = map(other, CL_MAP_WRITE, 0, 2048);
        CHECK(code == CL_SUCCESS);
        CHECK(!map(buffer, CL_MAP_WRITE, 4095, 1));
        CHECK(code == CL_INVALID_OPERATION);
        unmap(buffer, mapped);
        unmap(all, read);
        unmap(first, behind);
        unmap(other, apart);
        void* const again = map(all, CL_MAP_WRITE, 0, 4096);
        CHECK(code == CL_SUCCESS);
        unmap(all, again);
        // An object that is released while it is mapped takes its mappings with it.
        const cl_buffer_region region = {0, 64};
        const cl_mem gone = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        REQUIRE(code == CL_SUCCESS);
        CHECK(map(gone, CL_MAP_WRITE, 0, 64));
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(clReleaseMemObject(gone) == CL_SUCCESS);
        void* const last = map(buffer, CL_MAP_WRITE, 0, 4096);
        CHECK(code == CL_SUCCESS);
        unmap(buffer, last);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
    }
}

TEST_CASE("5.2.5 parts of a buffer in the program's memory are mapped in the same time, however many are") {
    constexpr size_t kParts = 8'000, kAtOnce = 200, kPartBytes = 4096;
    check_in_some_try([] {
        Fixture f;
        std::vector<cl_uchar> own(kParts * kPartBytes);
        const cl_mem buffer = f.make_buffer(own.size(), own.data(), CL_MEM_USE_HOST_PTR);
        std::vector<double> seconds;
        std::vector<std::pair<cl_mem, void*>> mapped;
        for (size_t i = 0; i < kParts; i += kAtOnce) {
            cl_int code = 1;
            for (size_t k = i; k < i + kAtOnce; ++k) {
                const cl_buffer_region region = {k * kPartBytes, kPartBytes};
                f.buffers.push_back(
                    clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
                REQUIRE(code == CL_SUCCESS);
            }
            seconds.push_back(seconds_of([&] {
                for (size_t k = i; k < i + kAtOnce; ++k) {
                    const cl_mem part = f.buffers[1 + k];
                    mapped.emplace_back(part, clEnqueueMapBuffer(f.queue, part, CL_FALSE, CL_MAP_WRITE, 0, 64,
                                                                 0, nullptr, nullptr, &code));
                    REQUIRE(code == CL_SUCCESS);
                }
                REQUIRE(clFinish(f.queue) == CL_SUCCESS);
            }));
        }
        // Mapping the whole to be read leaves alone bytes that the program writes through another object.
        static_cast<cl_uchar*>(mapped[5].second)[0] = 55;
        cl_int code = 1;
        void* const whole = clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, CL_MAP_READ, 0, own.size(), 0,
                                               nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        CHECK(own[5 * kPartBytes] == 55);
        CHECK(clEnqueueUnmapMemObject(f.queue, buffer, whole, 0, nullptr, nullptr) == CL_SUCCESS);
        for (const auto& [part, pointer] : mapped)
            REQUIRE(clEnqueueUnmapMemObject(f.queue, part, pointer, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(f.read<cl_uchar>(buffer, own.size())[5 * kPartBytes] == 55);
        const auto first = std::min_element(seconds.begin(), seconds.begin() + 10);
        return *std::min_element(seconds.end() - 10, seconds.end()) < 4 * *first;
    });
}

TEST_CASE("5.2.1 a buffer that the program can map is made in about the time of another, among many") {
    constexpr size_t kCount = 20'000;
    check_in_some_try([] {
        double seconds[2] = {};
        for (const bool maps : {false, true}) {
            Fixture f;
            seconds[maps] = seconds_of([&] {
                for (size_t i = 0; i < kCount; ++i)
                    f.make_buffer(4, nullptr, maps ? CL_MEM_ALLOC_HOST_PTR : 0);
            });
        }
        return seconds[1] < 6 * seconds[0] + 0.5;
    });
}

TEST_CASE("5.2.2 reads, writes, copies and fills of no bytes are commands that do nothing") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(64);
    const cl_mem a = f.make_buffer(64, bytes.data()), b = f.make_buffer(64, bytes.data());
    cl_uchar host = 7;
    cl_event events[6] = {};
    for (const size_t at : {size_t{0}, size_t{32}, size_t{64}}) {
        CHECK(clEnqueueReadBuffer(f.queue, a, CL_TRUE, at, 0, &host, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(f.queue, a, CL_FALSE, at, 0, &host, 0, nullptr, &events[0]) == CL_SUCCESS);
        CHECK(clEnqueueWriteBuffer(f.queue, a, CL_TRUE, at, 0, &host, 0, nullptr, &events[1]) == CL_SUCCESS);
        CHECK(clEnqueueWriteBuffer(f.queue, a, CL_FALSE, at, 0, &host, 0, nullptr, &events[2]) == CL_SUCCESS);
        CHECK(clEnqueueCopyBuffer(f.queue, a, b, at, 64 - at, 0, 0, nullptr, &events[3]) == CL_SUCCESS);
        CHECK(clEnqueueCopyBuffer(f.queue, a, a, at, at, 0, 0, nullptr, &events[4]) == CL_SUCCESS);
        CHECK(clEnqueueFillBuffer(f.queue, a, &host, 1, at, 0, 1, &events[4], &events[5]) == CL_SUCCESS);
        CHECK(clWaitForEvents(6, events) == CL_SUCCESS);
        constexpr cl_command_type kTypes[] = {CL_COMMAND_READ_BUFFER,  CL_COMMAND_WRITE_BUFFER,
                                              CL_COMMAND_WRITE_BUFFER, CL_COMMAND_COPY_BUFFER,
                                              CL_COMMAND_COPY_BUFFER,  CL_COMMAND_FILL_BUFFER};
        for (size_t i = 0; i < 6; ++i) {
            CHECK(info<cl_command_type>(clGetEventInfo, events[i], CL_EVENT_COMMAND_TYPE) == kTypes[i]);
            CHECK(clReleaseEvent(events[i]) == CL_SUCCESS);
        }
    }
    CHECK(host == 7);
    CHECK(f.read<cl_uchar>(a, 64) == bytes);
    CHECK(f.read<cl_uchar>(b, 64) == bytes);
    // Other places are errors as ever, and so are maps and boxes without bytes.
    CHECK(clEnqueueCopyBuffer(f.queue, a, b, 65, 0, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueCopyBuffer(f.queue, a, b, 0, 65, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueReadBuffer(f.queue, a, CL_TRUE, 65, 0, &host, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueWriteBuffer(f.queue, a, CL_TRUE, 0, 0, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    cl_int code = 1;
    clEnqueueMapBuffer(f.queue, a, CL_TRUE, CL_MAP_READ, 0, 0, 0, nullptr, nullptr, &code);
    CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("5.2.3 copies, overlaps and boxes") {
    Fixture f;
    std::vector<cl_uchar> bytes = counted(64);
    cl_mem a = f.make_buffer(64, bytes.data()), b = f.make_buffer(64);
    const auto copy = [&](cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t size) {
        return clEnqueueCopyBuffer(f.queue, from, to, from_at, to_at, size, 0, nullptr, nullptr);
    };
    CHECK(copy(a, b, 0, 0, 64) == CL_SUCCESS);
    CHECK(copy(a, a, 0, 32, 32) == CL_SUCCESS);
    CHECK(copy(a, a, 0, 16, 32) == CL_MEM_COPY_OVERLAP);
    CHECK(copy(a, b, 0, 0, 0) == CL_SUCCESS);  // since OpenCL 2.1
    CHECK(copy(a, b, 60, 0, 5) == CL_INVALID_VALUE);
    std::copy_n(bytes.begin(), 32, bytes.begin() + 32);
    CHECK(f.read<cl_uchar>(a, 64) == bytes);
    const std::array<size_t, 3> zero = {0, 0, 0}, at = {4, 2, 0}, near = {1, 1, 0}, region = {2, 2, 1};
    CHECK(clEnqueueCopyBufferRect(f.queue, a, b, at.data(), zero.data(), region.data(), 8, 0, 8, 0, 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    const std::vector<cl_uchar> boxed = f.read<cl_uchar>(b, 64);
    CHECK(boxed[0] == bytes[20]);
    CHECK(boxed[9] == bytes[29]);
    CHECK(boxed[2] == 2);
    CHECK(clEnqueueCopyBufferRect(f.queue, a, a, zero.data(), near.data(), region.data(), 8, 0, 8, 0, 0,
                                  nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
    CHECK(clEnqueueCopyBufferRect(f.queue, a, a, zero.data(), at.data(), region.data(), 8, 0, 8, 0, 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueCopyBufferRect(f.queue, a, a, zero.data(), at.data(), region.data(), 8, 0, 16, 0, 0,
                                  nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("D copies of boxes in one buffer overlap where they have a byte in common") {
    Fixture f;
    using Size3 = std::array<size_t, 3>;
    cl_mem buffer = f.make_buffer(16 * 16 * 4);
    const auto copy = [&](const Size3& from, const Size3& to, const Size3& region, size_t row, size_t slice) {
        return clEnqueueCopyBufferRect(f.queue, buffer, buffer, from.data(), to.data(), region.data(), row,
                                       slice, row, slice, 0, nullptr, nullptr);
    };
    CHECK(copy({0, 0, 0}, {8, 0, 0}, {4, 4, 2}, 16, 256) == CL_SUCCESS);  // beside
    CHECK(copy({0, 8, 0}, {0, 0, 1}, {4, 4, 2}, 16, 256) == CL_SUCCESS);  // slices in common, rows not
    CHECK(copy({0, 0, 0}, {2, 2, 1}, {4, 4, 2}, 16, 256) == CL_MEM_COPY_OVERLAP);
    CHECK(copy({0, 0, 0}, {3, 3, 0}, {4, 4, 1}, 16, 256) == CL_MEM_COPY_OVERLAP);  // a corner
    // Origins beyond the row and the slice: bytes count, not coordinates.
    CHECK(copy({20, 0, 0}, {0, 2, 0}, {4, 1, 1}, 16, 256) == CL_SUCCESS);
    CHECK(copy({34, 0, 0}, {0, 2, 0}, {4, 1, 1}, 16, 256) == CL_MEM_COPY_OVERLAP);
    CHECK(copy({0, 17, 0}, {0, 0, 1}, {4, 3, 1}, 16, 256) == CL_MEM_COPY_OVERLAP);
    CHECK(copy({60, 1, 0}, {12, 1, 0}, {8, 2, 2}, 8, 128) == CL_SUCCESS);
    CHECK(copy({12, 0, 0}, {0, 1, 0}, {6, 2, 1}, 16, 256) == CL_MEM_COPY_OVERLAP);  // a row that runs over
    CHECK(copy({12, 0, 0}, {4, 1, 0}, {6, 2, 1}, 16, 256) == CL_SUCCESS);
    // Two parts of a buffer, each with pitches of its own.
    const cl_buffer_region whole = {0, 512};
    cl_int code = 1;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, &code);
    REQUIRE(code == CL_SUCCESS);
    const Size3 zero = {0, 0, 0}, beside = {4, 0, 0}, region = {4, 4, 1};
    CHECK(clEnqueueCopyBufferRect(f.queue, buffer, part, zero.data(), beside.data(), region.data(), 16, 0, 8,
                                  0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueCopyBufferRect(f.queue, buffer, part, zero.data(), beside.data(), region.data(), 16, 0, 12,
                                  0, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
    CHECK(clReleaseMemObject(part) == CL_SUCCESS);
}

TEST_CASE("5.2.4 fills with patterns of 1 to 128 bytes") {
    Fixture f;
    cl_mem buffer = f.make_buffer(1024);
    for (size_t size = 1; size <= 128; size *= 2) {
        const std::vector<cl_uchar> pattern = counted(size, 3), zero = {0};
        CHECK(clEnqueueFillBuffer(f.queue, buffer, zero.data(), 1, 0, 1024, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clEnqueueFillBuffer(f.queue, buffer, pattern.data(), size, size, 3 * size, 0, nullptr,
                                  nullptr) == CL_SUCCESS);
        std::vector<cl_uchar> expected(1024);
        for (size_t i = 0; i < 3 * size; ++i) expected[size + i] = pattern[i % size];
        CHECK(f.read<cl_uchar>(buffer, 1024) == expected);
    }
    const auto fill = [&](size_t pattern_size, size_t offset, size_t size) {
        const std::vector<cl_uchar> pattern(256);
        return clEnqueueFillBuffer(f.queue, buffer, pattern.data(), pattern_size, offset, size, 0, nullptr,
                                   nullptr);
    };
    CHECK(fill(3, 0, 12) == CL_INVALID_VALUE);
    CHECK(fill(256, 0, 256) == CL_INVALID_VALUE);
    CHECK(fill(4, 2, 4) == CL_INVALID_VALUE);
    CHECK(fill(4, 0, 6) == CL_INVALID_VALUE);
    CHECK(fill(4, 1024, 4) == CL_INVALID_VALUE);
    CHECK(fill(4, 0, 0) == CL_SUCCESS);
}

TEST_CASE("5.2.5 maps give bytes and take them back, with and without memory of the program's") {
    std::vector<cl_uchar> own = counted(256);
    for (const cl_mem_flags flags :
         {cl_mem_flags{0}, cl_mem_flags{CL_MEM_ALLOC_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
        Fixture f;
        cl_mem buffer = f.make_buffer(256, flags & CL_MEM_USE_HOST_PTR ? own.data() : nullptr, flags);
        const std::vector<cl_uchar> start = counted(256);
        CHECK(clEnqueueWriteBuffer(f.queue, buffer, CL_TRUE, 0, 256, start.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        cl_int code = 1;
        const auto map = [&](cl_map_flags how, size_t offset, size_t size) {
            return static_cast<cl_uchar*>(
                clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, how, offset, size, 0, nullptr, nullptr, &code));
        };
        cl_uchar* bytes = map(CL_MAP_READ | CL_MAP_WRITE, 10, 20);
        REQUIRE(code == CL_SUCCESS);
        if (flags & CL_MEM_USE_HOST_PTR) CHECK(bytes == own.data() + 10);
        CHECK(bytes[0] == 10);
        CHECK(bytes[19] == 29);
        bytes[3] = 200;
        CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == 1);
        CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 1, nullptr, nullptr) ==
              CL_INVALID_EVENT_WAIT_LIST);
        CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == 1);  // it stays mapped
        CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 0, nullptr, nullptr) == CL_INVALID_VALUE);
        CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == 0);
        bytes = map(CL_MAP_WRITE_INVALIDATE_REGION, 100, 4);
        std::memcpy(bytes, "wxyz", 4);
        CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
        std::vector<cl_uchar> expected = start;
        expected[13] = 200;
        std::memcpy(expected.data() + 100, "wxyz", 4);
        CHECK(f.read<cl_uchar>(buffer, 256) == expected);
        CHECK(map(CL_MAP_READ, 250, 7) == nullptr);
        CHECK(code == CL_INVALID_VALUE);
        CHECK(map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4) == nullptr);
        CHECK(code == CL_INVALID_VALUE);
    }
}

TEST_CASE("5.2.5 no bytes are mapped for writing twice, and a map whose wait list fails is none") {
    Fixture f;
    cl_mem buffer = f.make_buffer(256);
    cl_int code = 1;
    const auto map = [&](cl_map_flags how, size_t offset, size_t size, cl_event wait = nullptr) {
        return clEnqueueMapBuffer(f.queue, buffer, CL_FALSE, how, offset, size, wait ? 1 : 0,
                                  wait ? &wait : nullptr, nullptr, &code);
    };
    const auto count = [&] { return info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT); };
    void* first = map(CL_MAP_WRITE, 16, 16);
    CHECK(code == CL_SUCCESS);
    CHECK(map(CL_MAP_WRITE_INVALIDATE_REGION, 31, 1) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    CHECK(map(CL_MAP_READ | CL_MAP_WRITE, 0, 17) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    CHECK(count() == 1);
    std::vector<void*> mapped = {first};
    for (const auto& [how, offset] :
         {std::pair(CL_MAP_WRITE, 0), {CL_MAP_WRITE, 32}, {CL_MAP_READ, 24}, {CL_MAP_READ, 24}}) {
        mapped.push_back(map(how, offset, 16));
        CHECK(code == CL_SUCCESS);
    }
    CHECK(count() == 5);
    for (void* each : mapped)
        CHECK(clEnqueueUnmapMemObject(f.queue, buffer, each, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(count() == 0);

    cl_event gate = clCreateUserEvent(f.context, &code), unmapped = nullptr;
    void* held = map(CL_MAP_WRITE, 0, 16);
    map(CL_MAP_WRITE, 128, 16, gate);
    CHECK(code == CL_SUCCESS);
    CHECK(count() == 2);
    CHECK(clEnqueueUnmapMemObject(f.queue, buffer, held, 1, &gate, &unmapped) == CL_SUCCESS);
    CHECK(count() == 1);
    CHECK(clSetUserEventStatus(gate, -1) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &unmapped) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(count() == 1);  // what was to be mapped is not, what was to be unmapped still is
    CHECK(clEnqueueUnmapMemObject(f.queue, buffer, held, 0, nullptr, nullptr) == CL_SUCCESS);
    for (cl_event each : {gate, unmapped}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
}

TEST_CASE("5.2.5 a map for reading leaves alone what the program writes to its own memory") {
    Fixture f;
    std::vector<cl_uchar> own(4096, 9);
    cl_int code = 1;
    cl_mem buffer = f.make_buffer(own.size(), own.data(), CL_MEM_USE_HOST_PTR);
    const cl_buffer_region middle = {1024, 2048};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &middle, &code);
    REQUIRE(code == CL_SUCCESS);
    const auto map = [&](cl_mem object, cl_map_flags how, size_t offset, size_t size) {
        void* bytes =
            clEnqueueMapBuffer(f.queue, object, CL_TRUE, how, offset, size, 0, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        return static_cast<cl_uchar*>(bytes);
    };
    const auto unmap = [&](cl_mem object, cl_uchar* bytes) {
        CHECK(clEnqueueUnmapMemObject(f.queue, object, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
    };
    const auto fill = [&](cl_uchar value) {
        CHECK(clEnqueueFillBuffer(f.queue, buffer, &value, 1, 0, own.size(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
    };
    fill(1);
    // Two objects map bytes of one storage for writing: 100 to 200, and 200 to 300.
    cl_uchar* const first = map(buffer, CL_MAP_WRITE, 1124, 100);
    cl_uchar* const second = map(part, CL_MAP_WRITE_INVALIDATE_REGION, 200, 100);
    CHECK(first == own.data() + 1124);
    CHECK(second == own.data() + 1224);
    std::vector<cl_uchar> expected(own.size(), 1);
    std::fill_n(first, 100, 2);
    std::fill_n(second, 100, 3);
    std::fill_n(expected.begin() + 1124, 100, 2);
    std::fill_n(expected.begin() + 1224, 100, 3);
    for (cl_mem object : {buffer, part})
        for (const auto& [offset, size] : {std::pair<size_t, size_t>{0, 2048}, {150, 45}, {120, 1}}) {
            const size_t begin = offset + (object == part ? middle.origin : 0);
            unmap(object, map(object, CL_MAP_READ, offset, size));
            CHECK(std::vector(own.begin() + 1124, own.begin() + 1324) ==
                  std::vector(expected.begin() + 1124, expected.begin() + 1324));
            CHECK(std::vector(own.begin() + begin, own.begin() + begin + size) ==
                  std::vector(expected.begin() + begin, expected.begin() + begin + size));
        }
    unmap(part, second);
    unmap(buffer, first);
    CHECK(f.read<cl_uchar>(buffer, own.size()) == expected);
    // A map reads again what was unmapped.
    fill(4);
    unmap(buffer, map(buffer, CL_MAP_READ, 0, own.size()));
    CHECK(own == std::vector<cl_uchar>(own.size(), 4));
    // An object that died mapped holds nothing back.
    std::fill_n(map(part, CL_MAP_WRITE, 0, 100), 100, 5);
    CHECK(clReleaseMemObject(part) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    unmap(buffer, map(buffer, CL_MAP_READ, 0, own.size()));
    CHECK(own == std::vector<cl_uchar>(own.size(), 4));
}

namespace {

/// A buffer in the program's memory, or a part of one, that two queues map.
struct HeldUpMaps : Fixture {
    explicit HeldUpMaps(bool is_part) {
        object = make_buffer(own.size(), own.data(), CL_MEM_USE_HOST_PTR);
        if (!is_part) return;
        const cl_buffer_region second_half = {1024, 1024};
        cl_int code = 1;
        object = clCreateSubBuffer(object, 0, CL_BUFFER_CREATE_TYPE_REGION, &second_half, &code);
        REQUIRE(code == CL_SUCCESS);
        buffers.push_back(object);
        bytes = own.data() + 1024;
    }
    ~HeldUpMaps() { CHECK(clReleaseEvent(gate) == CL_SUCCESS); }
    /// Waits for the gate if it has an event.
    void* map(cl_command_queue in, cl_bool blocking, cl_map_flags how, cl_event* event = nullptr,
              cl_int expected = CL_SUCCESS) {
        cl_int code = 1;
        void* mapped = clEnqueueMapBuffer(in, object, blocking, how, 0, 1024, event ? 1 : 0,
                                          event ? &gate : nullptr, event, &code);
        CHECK(code == expected);
        return mapped;
    }
    void unmap(cl_command_queue in, cl_event* event = nullptr) {
        CHECK(clEnqueueUnmapMemObject(in, object, bytes, event ? 1 : 0, event ? &gate : nullptr, event) ==
              CL_SUCCESS);
    }
    void fill(cl_uchar value) {
        CHECK(clEnqueueFillBuffer(queue, object, &value, 1, 0, 1024, 0, nullptr, nullptr) == CL_SUCCESS);
    }
    cl_int open(cl_event held, cl_int how = CL_COMPLETE) {
        CHECK(clSetUserEventStatus(gate, how) == CL_SUCCESS);
        clWaitForEvents(1, &held);
        const cl_int reached = status(held);
        CHECK(clReleaseEvent(held) == CL_SUCCESS);
        return reached;
    }
    bool is_all(cl_uchar value) {
        return std::count(bytes, bytes + 1024, value) == 1024 &&
               read<cl_uchar>(object, 1024) == std::vector<cl_uchar>(1024, value);
    }
    cl_uint count() { return info<cl_uint>(clGetMemObjectInfo, object, CL_MEM_MAP_COUNT); }

    std::vector<cl_uchar> own = std::vector<cl_uchar>(2048, 0);
    cl_uchar* bytes = own.data();
    cl_mem object = nullptr;
    cl_command_queue other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = clCreateUserEvent(context, nullptr), held = nullptr;
};

}  // namespace

TEST_CASE("5.2.5 the bytes of a map for writing are the program's until the unmap runs") {
    for (const bool is_part : {false, true}) {
        CAPTURE(is_part);
        HeldUpMaps f(is_part);
        CHECK(f.map(f.queue, CL_TRUE, CL_MAP_WRITE) == f.bytes);
        std::fill_n(f.bytes, 1024, 5);
        f.unmap(f.queue, &f.held);
        CHECK(f.map(f.other, CL_TRUE, CL_MAP_READ) == f.bytes);
        CHECK(std::count(f.bytes, f.bytes + 1024, 5) == 1024);
        // Nothing else may write to them until then, whether it is enqueued before or after.
        f.map(f.other, CL_TRUE, CL_MAP_WRITE, nullptr, CL_INVALID_OPERATION);
        CHECK(f.count() == 1);
        f.unmap(f.other);
        CHECK(f.open(f.held) == CL_COMPLETE);
        CHECK(f.is_all(5));
        f.map(f.other, CL_TRUE, CL_MAP_WRITE);
        f.unmap(f.other);
        CHECK(clFinish(f.other) == CL_SUCCESS);
    }
}

TEST_CASE("5.2.5 maps and unmaps of the same bytes may follow each other, all held up") {
    for (const bool is_part : {false, true}) {
        CAPTURE(is_part);
        HeldUpMaps f(is_part);
        cl_event first = nullptr, last = nullptr;
        f.map(f.queue, CL_FALSE, CL_MAP_WRITE, &first);
        f.unmap(f.queue);
        f.map(f.queue, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE);
        f.unmap(f.queue);
        f.map(f.queue, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION);
        CHECK(f.open(first) == CL_COMPLETE);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        std::fill_n(f.bytes, 1024, 6);
        // Also in another queue, behind an event.
        CHECK(clEnqueueUnmapMemObject(f.queue, f.object, f.bytes, 0, nullptr, &first) == CL_SUCCESS);
        cl_int code = 1;
        clEnqueueMapBuffer(f.other, f.object, CL_FALSE, CL_MAP_WRITE, 0, 1024, 1, &first, &last, &code);
        CHECK(code == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
        f.unmap(f.other);
        CHECK(clFinish(f.other) == CL_SUCCESS);
        CHECK(f.is_all(6));
        CHECK(f.count() == 0);
        for (cl_event each : {first, last}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    }
}

TEST_CASE("5.2.5 a map for reading that was held up leaves alone what the program has written since") {
    for (const bool is_part : {false, true}) {
        CAPTURE(is_part);
        HeldUpMaps f(is_part);
        f.map(f.other, CL_FALSE, CL_MAP_READ, &f.held);
        f.map(f.queue, CL_TRUE, CL_MAP_WRITE);
        std::fill_n(f.bytes, 1024, 5);
        CHECK(f.open(f.held) == CL_COMPLETE);
        CHECK(std::count(f.bytes, f.bytes + 1024, 5) == 1024);
        f.unmap(f.queue);  // what this queue mapped, though both are at one address
        CHECK(f.is_all(5));
        CHECK(f.count() == 1);
        f.unmap(f.queue);
        CHECK(f.count() == 0);
    }
}

TEST_CASE("5.2.5 a map for reading that was held up brings the newest bytes") {
    for (const auto& [is_part, unmaps_in_other] :
         {std::pair(false, false), {false, true}, {true, false}, {true, true}}) {
        CAPTURE(is_part);
        CAPTURE(unmaps_in_other);
        HeldUpMaps f(is_part);
        f.map(f.queue, CL_TRUE, CL_MAP_WRITE);
        std::fill_n(f.bytes, 1024, 5);
        f.map(f.other, CL_FALSE, CL_MAP_READ, &f.held);
        cl_event unmapped = nullptr;  // which is not for what is held up
        CHECK(clEnqueueUnmapMemObject(unmaps_in_other ? f.other : f.queue, f.object, f.bytes, 0, nullptr,
                                      &unmapped) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &unmapped) == CL_SUCCESS);
        CHECK(clReleaseEvent(unmapped) == CL_SUCCESS);
        f.fill(7);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(f.open(f.held) == CL_COMPLETE);
        CHECK(f.is_all(7));
        f.unmap(f.other);
        CHECK(clFinish(f.other) == CL_SUCCESS);
    }
}

TEST_CASE("5.2.5 an unmap whose map failed ends nothing, and takes no bytes") {
    Fixture f;
    cl_int code = 1;
    for (const bool is_own : {false, true})
        for (const bool waits : {false, true}) {
            CAPTURE(is_own);
            CAPTURE(waits);
            std::vector<cl_uchar> own(256, 1);
            cl_mem buffer = f.make_buffer(256, own.data(), is_own ? CL_MEM_USE_HOST_PTR : 0);
            const cl_uchar seven = 7;
            CHECK(clEnqueueFillBuffer(f.queue, buffer, &seven, 1, 0, 256, 0, nullptr, nullptr) == CL_SUCCESS);
            cl_event gate = clCreateUserEvent(f.context, &code), mapped = nullptr, unmapped = nullptr;
            void* bytes =
                clEnqueueMapBuffer(f.queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, 256, 1, &gate, &mapped, &code);
            CHECK(code == CL_SUCCESS);
            CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, waits ? 1 : 0, waits ? &mapped : nullptr,
                                          &unmapped) == CL_SUCCESS);
            CHECK(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
            CHECK(clFinish(f.queue) == CL_SUCCESS);
            CHECK(status(mapped) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            CHECK(f.read<cl_uchar>(buffer, 256) == std::vector<cl_uchar>(256, 7));
            CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == 0);
            bytes = clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, nullptr, nullptr,
                                       &code);
            CHECK(code == CL_SUCCESS);
            CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
            for (cl_event each : {gate, mapped, unmapped}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
        }
}

TEST_CASE("5.2.5 after an unmap that failed, what was enqueued behind it does not map the bytes again") {
    Fixture f;
    cl_int code = 1;
    cl_mem buffer = f.make_buffer(256);
    const auto map = [&](cl_bool blocking, cl_event* event) {
        return clEnqueueMapBuffer(f.queue, buffer, blocking, CL_MAP_WRITE, 0, 256, 0, nullptr, event, &code);
    };
    auto* bytes = static_cast<cl_uchar*>(map(CL_TRUE, nullptr));
    std::fill_n(bytes, 256, 3);
    cl_event gate = clCreateUserEvent(f.context, &code), again = nullptr;
    CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 1, &gate, nullptr) == CL_SUCCESS);
    map(CL_FALSE, &again);
    CHECK(code == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, -5) == CL_SUCCESS);
    clWaitForEvents(1, &again);
    CHECK(status(again) == CL_INVALID_OPERATION);
    CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT) == 1);
    CHECK(clEnqueueUnmapMemObject(f.queue, buffer, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(f.read<cl_uchar>(buffer, 256) == std::vector<cl_uchar>(256, 3));
    for (cl_event each : {gate, again}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
}

TEST_CASE("5.5 a memory object says that it dies when no command uses the program's bytes any more") {
    static std::atomic<int> deaths;
    const auto die = [](cl_mem, void*) { ++deaths; };
    for (const bool is_part : {false, true}) {
        CAPTURE(is_part);
        deaths = 0;
        Fixture f;
        cl_command_queue other = f.make_queue(0);
        std::vector<cl_uchar> own(256, 1);
        cl_int code = 1;
        cl_mem buffer = clCreateBuffer(f.context, CL_MEM_USE_HOST_PTR, 256, own.data(), &code);
        CHECK(clSetMemObjectDestructorCallback(buffer, die, nullptr) == CL_SUCCESS);
        if (is_part) {  // whose end is its parent's
            const cl_buffer_region all = {0, 256};
            cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &code);
            CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
            buffer = part;
        }
        void* bytes =
            clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, nullptr, nullptr, &code);
        CHECK(bytes == own.data());
        cl_event gate = clCreateUserEvent(f.context, &code), unmapped = nullptr;
        CHECK(clEnqueueUnmapMemObject(other, buffer, bytes, 1, &gate, &unmapped) == CL_SUCCESS);
        CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(deaths == 0);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        while (deaths == 0) std::this_thread::yield();
        CHECK(status(unmapped) == CL_COMPLETE);
        CHECK(clFinish(other) == CL_SUCCESS);
        CHECK(deaths == 1);
        for (cl_event each : {gate, unmapped}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    }
}

TEST_CASE("5.5 memory objects are counted, and say when they die") {
    Fixture f;
    cl_int code = 1;
    cl_mem buffer = clCreateBuffer(f.context, 0, 16, nullptr, &code);
    static int deaths;
    deaths = 0;
    CHECK(clSetMemObjectDestructorCallback(
              buffer, [](cl_mem, void*) { ++deaths; }, nullptr) == CL_SUCCESS);
    CHECK(clRetainMemObject(buffer) == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_REFERENCE_COUNT) == 2);
    CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    CHECK(deaths == 0);
    CHECK(clEnqueueMigrateMemObjects(f.queue, 1, &buffer, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueMigrateMemObjects(f.queue, 1, &buffer, 1 << 9, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    CHECK(deaths == 1);
    CHECK(clReleaseMemObject(nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("5.5 while a part of a buffer is released, a callback releases another part") {
    Fixture f;
    cl_int code = 1;
    static std::atomic<int> deaths, released;
    deaths = released = 0;
    cl_mem buffer = clCreateBuffer(f.context, 0, 512, nullptr, &code);
    CHECK(clSetMemObjectDestructorCallback(
              buffer, [](cl_mem, void*) { ++deaths; }, nullptr) == CL_SUCCESS);
    struct Parts {
        cl_mem first = nullptr, second = nullptr;
        cl_command_queue queue = nullptr;
        cl_event filled = nullptr;
    } parts{.queue = f.queue};
    for (cl_mem* part : {&parts.first, &parts.second}) {
        const cl_buffer_region all = {0, 512};
        *part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &code);
    }
    const auto release = [](cl_mem part) {
        CHECK(clReleaseMemObject(part) == CL_SUCCESS);
        ++released;
    };
    static const auto release_part = release;
    // The queue's own thread calls this. The release looks at the queue, which ends the fill and calls its
    // callback.
    const auto on_gate = [](cl_event, cl_int, void* user) {
        auto& its = *static_cast<Parts*>(user);
        const cl_uint zero = 0;
        clEnqueueFillBuffer(its.queue, its.second, &zero, 4, 0, 512, 0, nullptr, &its.filled);
        clSetEventCallback(
            its.filled, CL_COMPLETE,
            [](cl_event, cl_int, void* of_fill) { release_part(static_cast<Parts*>(of_fill)->second); },
            user);
        clFlush(its.queue);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        release_part(its.first);
    };
    cl_event gate = clCreateUserEvent(f.context, &code), marker = nullptr;
    CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &marker) == CL_SUCCESS);
    CHECK(clSetEventCallback(marker, CL_COMPLETE, on_gate, &parts) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    for (int i = 0; i < 60000 && released < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(released.load() == 2);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    while (deaths == 0) std::this_thread::yield();
    for (cl_event each : {gate, marker, parts.filled}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
}

TEST_CASE("a buffer that is released while commands use it lasts until they are done") {
    Fixture f;
    cl_int code = 1;
    cl_kernel kernel = f.make_kernel("kernel void k(global uint *a) { a[get_global_id(0)] *= 3; }", "k");
    for (int i = 0; i < 50; ++i) {
        std::vector<cl_uint> in(5000, 7), out(5000);
        cl_mem buffer = clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, 20000, in.data(), &code);
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 5000) == CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_FALSE, 0, 20000, out.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(out == std::vector<cl_uint>(5000, 21));
    }
}
