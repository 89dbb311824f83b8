// SPDX-License-Identifier: Apache-2.0
// What a queue has that the device has not run yet (OpenCL API 5.2.2, 5.15): calls that do not block return
// at once, and what many of them leave behind is bounded.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "tests/driver/fixture.h"

#if defined __GLIBC__ && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 233
#include <malloc.h>
#define CALDERA_HAS_HEAP_COUNT 1
#endif

using namespace caldera::driver_test;

namespace {

constexpr const char* kSlow = R"(
    kernel void slow(global int *a, int n) {
        int x = a[get_global_id(0)];
        for (int j = 0; j < n; j++)
            for (int i = 0; i < 10000; i++) x = x * 1664525 + a[i & 7];
        a[get_global_id(0)] = x;
    })";

/// Runs kernels one after another, each submitted at once. The first takes `times` some tenths of a second:
/// on a processor because of its many items, since llvmpipe leaves a loop after 65,535 turns.
struct Busy : Fixture {
    void begin(size_t times) {
        const bool is_cpu =
            info<cl_device_type>(clGetDeviceInfo, the_device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
        const size_t items = is_cpu ? (1 << 14) * times : 64;
        const cl_kernel slow = make_kernel(kSlow, "slow");
        REQUIRE(set(slow, 0, make_buffer(items * sizeof(cl_int))) == CL_SUCCESS);
        for (int i = 0; i < 8; ++i) {
            REQUIRE(set(slow, 1, i != 0 ? 0 : is_cpu ? 6 : static_cast<int>(2000 * times)) == CL_SUCCESS);
            REQUIRE(run(queue, slow, items, i == 0 ? &first : nullptr) == CL_SUCCESS);
            REQUIRE(clFlush(queue) == CL_SUCCESS);
        }
    }
    ~Busy() { CHECK(clReleaseEvent(first) == CL_SUCCESS); }

    cl_event first = nullptr;
};

/// Calls `attempt(times)` with more and more work for the device, until it says that its calls returned
/// before that work was done. One attempt proves little: the host may be slow, or away for a while.
template <class Attempt>
void check_returns_before_work_ends(Attempt attempt) {
    for (size_t times = 1; times <= 64; times *= 4)
        if (attempt(times)) return;
    FAIL_CHECK("the calls returned after the device's work each time");
}

}  // namespace

TEST_CASE("5.2.2 a write that does not block returns while the device has several batches to run") {
    const std::vector<size_t> sizes = {1, 4, 4096, 65536, size_t{8} << 20, size_t{24} << 20};
    for (const size_t size : sizes) {
        CAPTURE(size);
        check_returns_before_work_ends([size](size_t times) {
            Busy f;
            const cl_mem buffer = f.make_buffer(size);
            std::vector<cl_uchar> bytes(size, 7);
            bytes.back() = 9;
            f.begin(times);
            REQUIRE(clEnqueueWriteBuffer(f.queue, buffer, CL_FALSE, 0, size, bytes.data(), 0, nullptr,
                                         nullptr) == CL_SUCCESS);
            const bool returned_before = status(f.first) != CL_COMPLETE;
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
            CHECK(f.read<cl_uchar>(buffer, size) == bytes);
            return returned_before;
        });
    }
}

TEST_CASE("5.11 no call that does not block waits for a user event, however much is behind it") {
    constexpr size_t kCount = 1200, kLarge = size_t{40} << 20;
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        CAPTURE(properties);
        Fixture f(properties);
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        REQUIRE(code == CL_SUCCESS);
        const cl_mem words = f.make_buffer(kCount * sizeof(cl_uint)), large = f.make_buffer(kLarge);
        std::vector<cl_uint> in(kCount), out(kCount, 0);
        std::vector<cl_uchar> bytes(kLarge, 5), back(kLarge, 0);
        cl_event written = nullptr;
        for (size_t i = 0; i < kCount; ++i) {
            in[i] = static_cast<cl_uint>(3 * i + 1);
            REQUIRE(clEnqueueWriteBuffer(f.queue, words, CL_FALSE, 4 * i, 4, &in[i], 1, &gate, &written) ==
                    CL_SUCCESS);
            REQUIRE(clEnqueueReadBuffer(f.queue, words, CL_FALSE, 4 * i, 4, &out[i], 1, &written, nullptr) ==
                    CL_SUCCESS);
            REQUIRE(clReleaseEvent(written) == CL_SUCCESS);
            REQUIRE(clFlush(f.queue) == CL_SUCCESS);
        }
        REQUIRE(clEnqueueWriteBuffer(f.queue, large, CL_FALSE, 0, kLarge, bytes.data(), 1, &gate, &written) ==
                CL_SUCCESS);
        REQUIRE(clEnqueueReadBuffer(f.queue, large, CL_FALSE, 0, kLarge, back.data(), 1, &written, nullptr) ==
                CL_SUCCESS);
        CHECK(status(written) != CL_COMPLETE);
        REQUIRE(clReleaseEvent(written) == CL_SUCCESS);
        REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        REQUIRE(clReleaseEvent(gate) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        CHECK(out == in);
        CHECK(back == bytes);
    }
}

#ifdef CALDERA_HAS_HEAP_COUNT
namespace {

size_t heap_bytes() {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

}  // namespace

TEST_CASE("5.2.2 many small reads and writes that nobody waits for take little memory") {
    if (is_validated()) return;
    constexpr size_t kCount = 60'000, kSize = kCount * sizeof(cl_uint);
    // Bytes in memory that both share are copied at once. The commands of others are in the heap where the
    // device is llvmpipe behind the layer of a card: 10 KB for each of the 8,192 that a queue may have.
    const bool is_unified = info<cl_bool>(clGetDeviceInfo, device(), CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
    const size_t most_bytes = size_t{is_unified ? 20u : 160u} << 20;
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
        for (const bool writes : {false, true}) {
            CAPTURE(properties);
            CAPTURE(writes);
            Fixture f(properties);
            std::vector<cl_uint> numbers(kCount), seen(kCount, 0), none(kCount, 0);
            for (size_t i = 0; i < kCount; ++i) numbers[i] = static_cast<cl_uint>(i * 2654435761u);
            const cl_mem from = f.make_buffer(kSize, numbers.data()), to = f.make_buffer(kSize, none.data());
            const size_t before = heap_bytes();
            size_t most = 0;
            for (size_t i = 0; i < kCount; ++i) {
                const size_t at = i * sizeof(cl_uint);
                cl_event read = nullptr;
                REQUIRE(clEnqueueReadBuffer(f.queue, from, CL_FALSE, at, sizeof(cl_uint), &seen[i], 0,
                                            nullptr, writes ? &read : nullptr) == CL_SUCCESS);
                if (i % 256 == 0) most = std::max(most, heap_bytes());
                if (!writes) continue;
                REQUIRE(clEnqueueWriteBuffer(f.queue, to, CL_FALSE, at, sizeof(cl_uint), &seen[i], 1, &read,
                                             nullptr) == CL_SUCCESS);
                REQUIRE(clReleaseEvent(read) == CL_SUCCESS);
            }
            CHECK(most < before + most_bytes);
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
            CHECK(seen == numbers);
            if (writes) CHECK(f.read<cl_uint>(to, kCount) == numbers);
        }
}

TEST_CASE("5.2.2 rectangles of a million rows need little memory beside their bytes") {
    if (!has_addresses() || is_validated()) return;  // a device without addresses needs some for each row
    constexpr size_t kRows = 1'000'000, kPitch = 3, kZero[3] = {};
    const size_t region[3] = {1, kRows, 1};
    enum class Kind { Copy, Write, Read };
    for (const Kind kind : {Kind::Copy, Kind::Write, Kind::Read}) {
        CAPTURE(static_cast<int>(kind));
        check_returns_before_work_ends([&](size_t times) {
            Busy f;
            std::vector<cl_uchar> wide(kRows * kPitch), narrow(kRows), host(kRows, 0);
            for (size_t i = 0; i < wide.size(); ++i) wide[i] = static_cast<cl_uchar>(i * 7 + i / 256);
            for (size_t i = 0; i < kRows; ++i) narrow[i] = static_cast<cl_uchar>(i * 5 + i / 256);
            cl_mem from = f.make_buffer(wide.size(), wide.data()), to = f.make_buffer(kRows, narrow.data());
            f.begin(times);
            const size_t before = heap_bytes();
            if (kind == Kind::Copy)
                REQUIRE(clEnqueueCopyBufferRect(f.queue, from, to, kZero, kZero, region, kPitch, 0, 1, 0, 0,
                                                nullptr, nullptr) == CL_SUCCESS);
            if (kind == Kind::Write)
                REQUIRE(clEnqueueWriteBufferRect(f.queue, from, CL_FALSE, kZero, kZero, region, kPitch, 0, 1,
                                                 0, narrow.data(), 0, nullptr, nullptr) == CL_SUCCESS);
            if (kind == Kind::Read)
                REQUIRE(clEnqueueReadBufferRect(f.queue, from, CL_FALSE, kZero, kZero, region, kPitch, 0, 1,
                                                0, host.data(), 0, nullptr, nullptr) == CL_SUCCESS);
            REQUIRE(clFlush(f.queue) == CL_SUCCESS);
            const bool returned_before = status(f.first) != CL_COMPLETE;
            CHECK(heap_bytes() < before + kRows);  // it may be less than before
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
            for (size_t i = 0; kind == Kind::Write && i < kRows; ++i) wide[i * kPitch] = narrow[i];
            CHECK(f.read<cl_uchar>(from, wide.size()) == wide);
            for (size_t i = 0; kind != Kind::Write && i < kRows; ++i) narrow[i] = wide[i * kPitch];
            if (kind != Kind::Write)
                CHECK((kind == Kind::Read ? host : f.read<cl_uchar>(to, kRows)) == narrow);
            return returned_before;
        });
    }
}
#endif
