// SPDX-License-Identifier: Apache-2.0
// Commands that wait for the device while they are recorded: the call that enqueues one does not wait, unless
// the program wants it to. All that a thread of the driver's own does for them is held up meanwhile.
#include <atomic>
#include <string_view>
#include <vector>

#include "tests/driver/faults/faults.h"
#include "tests/driver/faults/small_program.h"

using namespace caldera::driver_test;
using caldera::faults::Layer;

namespace {

constexpr size_t kBytes = 264 << 20;  // more than are copied at once
constexpr size_t kRow = 1 << 20, kRows = kBytes / kRow, kHostRow = kRow + 64;

/// Holds the waits for the device up in all threads but this one, in which it counts them.
class OthersHeld {
 public:
    explicit OthersHeld(const Layer& layer) : layer_(layer) {
        layer_.hold([](const char* call, void* user) { static_cast<OthersHeld*>(user)->before(call); }, this);
    }
    OthersHeld(const OthersHeld&) = delete;
    OthersHeld& operator=(const OthersHeld&) = delete;
    ~OthersHeld() {
        go_on_ = true;
        layer_.hold(nullptr, nullptr);
    }

    int own_waits() const { return own_waits_; }
    bool is_held() const { return held_ != 0; }
    void let_go() { go_on_ = true; }

 private:
    void before(std::string_view call) {
        if (call != "vkWaitSemaphores" && call != "vkWaitForFences") return;
        if (std::this_thread::get_id() == owner_) {
            ++own_waits_;
            return;
        }
        ++held_;
        comes_true([&] { return go_on_.load(); }, std::chrono::seconds(60));
    }

    const Layer& layer_;
    const std::thread::id owner_ = std::this_thread::get_id();
    std::atomic<bool> go_on_ = false;
    std::atomic<int> own_waits_ = 0, held_ = 0;
};

/// Rows with gaps between them.
struct Host {
    std::vector<cl_uchar> bytes = std::vector<cl_uchar>(kHostRow * kRows);
    void number() {
        for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<cl_uchar>(i * 167 + (i >> 12));
    }
};

const size_t kOrigin[3] = {}, kRegion[3] = {kRow, kRows, 1};

cl_int write(cl_command_queue queue, cl_mem buffer, const Host& host, cl_event* event) {
    return clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, kOrigin, kOrigin, kRegion, kRow, 0, kHostRow, 0,
                                    host.bytes.data(), 0, nullptr, event);
}

/// The number of bytes of rows that differ, but for the first `but` bytes, which are `otherwise`.
size_t differences(const Host& host, const std::vector<cl_uchar>& packed, size_t but, cl_uchar otherwise) {
    size_t count = 0;
    for (size_t row = 0; row < kRows; ++row)
        for (size_t i = 0; i < kRow; ++i) {
            const size_t at = row * kRow + i;
            count += packed[at] != (at < but ? otherwise : host.bytes[row * kHostRow + i]);
        }
    return count;
}

}  // namespace

TEST_CASE("large copies that the program does not wait for go on while it enqueues what follows") {
    const Layer& faults = layer();
    const Watchdog watchdog(240);
    Host in;
    in.number();
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        Fixture f(properties);
        cl_mem buffer = f.make_buffer(kBytes);
        std::vector<cl_uchar> out(kBytes);
        constexpr size_t kFilled = 4096;
        const cl_uchar seven = 7;
        cl_event written = nullptr, filled = nullptr, read = nullptr;
        OthersHeld held(faults);
        CHECK(write(f.queue, buffer, in, &written) == CL_SUCCESS);
        CHECK(clEnqueueFillBuffer(f.queue, buffer, &seven, 1, 0, kFilled, 1, &written, &filled) ==
              CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_FALSE, 0, kBytes, out.data(), 1, &filled, &read) ==
              CL_SUCCESS);
        CHECK(comes_true([&] { return held.is_held(); }, std::chrono::seconds(60)));
        CHECK(held.own_waits() == 0);
        for (cl_event event : {written, filled, read}) CHECK(status(event) > CL_COMPLETE);
        held.let_go();
        CHECK(clFlush(f.queue) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &read) == CL_SUCCESS);
        for (cl_event event : {written, filled, read}) {
            CHECK(status(event) == CL_COMPLETE);
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
        CHECK(differences(in, out, kFilled, seven) == 0);
    }
}

TEST_CASE("a large copy ends for a program that releases the queue and the buffer meanwhile") {
    const Layer& faults = layer();
    const Watchdog watchdog(120);
    Host in;
    in.number();
    std::vector<cl_uchar> out(kBytes);
    Fixture f;
    cl_event written = nullptr, read = nullptr;
    {
        OthersHeld held(faults);
        cl_mem buffer = f.make_buffer(kBytes);
        cl_command_queue queue = f.make_queue(0);
        CHECK(write(queue, buffer, in, &written) == CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, out.data(), 0, nullptr, &read) ==
              CL_SUCCESS);
        CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
        CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
        f.queues.pop_back();
        f.buffers.pop_back();
        CHECK(held.own_waits() == 0);
    }
    CHECK(clWaitForEvents(1, &read) == CL_SUCCESS);
    CHECK(status(written) == CL_COMPLETE);
    for (cl_event event : {written, read}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(differences(in, out, 0, 0) == 0);
}

TEST_CASE("a large copy that fails says so by its event, and the queue goes on") {
    const Layer& faults = layer();
    const Watchdog watchdog(120);
    Host in;
    Fixture f;
    cl_mem buffer = f.make_buffer(kBytes);
    const cl_int five = 5;
    for (const char* function : {"vkAllocateMemory", "vkQueueSubmit"}) {
        INFO(std::string(function));
        cl_event written = nullptr, follows = nullptr;
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        faults.set({.function = function, .times = 100, .result = VK_ERROR_OUT_OF_DEVICE_MEMORY});
        CHECK(write(f.queue, buffer, in, &written) == CL_SUCCESS);
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &written, &follows) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &written) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        faults.clear();
        CHECK(is_of_fault(status(written)));
        CHECK(clWaitForEvents(1, &follows) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK(status(follows) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        for (cl_event event : {written, follows}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
        CHECK(clEnqueueFillBuffer(f.queue, buffer, &five, sizeof five, 0, 64, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(f.read<cl_int>(buffer, 16)[15] == five);
    }
}

TEST_CASE("a blocking read behind a user event keeps the thread that sets the event no longer than that") {
    const Layer& faults = layer();
    const Watchdog watchdog(240);
    Fixture f;
    std::vector<cl_int> ones(16, 1), out(16);
    cl_mem buffer = f.make_buffer(64, ones.data());
    cl_int code = 1;
    cl_event gate = clCreateUserEvent(f.context, &code);
    OthersHeld held(faults);
    std::atomic<bool> is_read = false;
    std::thread reader([&] {
        CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 64, out.data(), 1, &gate, nullptr) ==
              CL_SUCCESS);
        is_read = true;
    });
    // Long enough for the read to be enqueued. If it is not, the test shows nothing, and passes.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    CHECK(held.own_waits() == 0);
    // A copy that has ended when the driver looks first is not waited for.
    CHECK(comes_true([&] { return held.is_held() || is_read; }, std::chrono::seconds(20)));
    held.let_go();
    reader.join();
    CHECK(out == ones);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}
