// SPDX-License-Identifier: Apache-2.0
// Vulkan's calls fail, one after the other: the right codes, nothing hangs, and what comes after works.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/driver/faults/faults.h"
#include "tests/driver/faults/small_program.h"
#include "tests/driver/times.h"

using namespace caldera::driver_test;
using caldera::faults::Fault;
using caldera::faults::Layer;

namespace {

struct Row {
    const char* function = nullptr;
    std::vector<VkResult> results = {};
};
const Row kRows[] = {
    {"vkCreateDevice", {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkAllocateMemory", {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateBuffer", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateCommandPool", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateComputePipelines", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkCreateFence", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreatePipelineCache", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreatePipelineLayout", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateQueryPool", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkCreateSemaphore", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateShaderModule", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkAllocateCommandBuffers", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkBeginCommandBuffer", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkBindBufferMemory", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkEndCommandBuffer", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkGetFenceStatus", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkGetPipelineCacheData", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkMapMemory", {VK_ERROR_MEMORY_MAP_FAILED}},
    {"vkGetQueryPoolResults", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkGetSemaphoreCounterValue", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkQueueSubmit", {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkResetFences", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkWaitForFences", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkWaitSemaphores", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
};

/// Soon: the driver's threads may still release some.
bool has_at_most(const Layer& layer, int64_t objects) {
    for (int i = 0; i < 2000 && layer.objects() > objects; ++i) usleep(2000);
    return layer.objects() <= objects;
}

/// Holds two threads up in Vulkan's calls. One waits for the device until the other makes a buffer. This one
/// goes on a while after the first.
class Meeting {
 public:
    explicit Meeting(const Layer& layer) : layer_(layer) {
        layer_.hold([](const char* call, void* user) { static_cast<Meeting*>(user)->before(call); }, this);
    }
    Meeting(const Meeting&) = delete;
    Meeting& operator=(const Meeting&) = delete;
    ~Meeting() { layer_.hold(nullptr, nullptr); }

    void calling_thread_waits() { waiter_ = std::this_thread::get_id(); }
    void calling_thread_makes() { maker_ = std::this_thread::get_id(); }
    bool is_waiting() const { return is_waiting_; }
    bool makes() const { return makes_; }

 private:
    static constexpr std::chrono::seconds kLongest{20};  // then the threads do not meet, and go on

    void before(std::string_view call) {
        const auto thread = std::this_thread::get_id();
        const bool is_wait = call == "vkWaitSemaphores" || call == "vkWaitForFences";
        if (is_wait && thread == waiter_ && !is_waiting_.exchange(true)) {
            comes_true([&] { return makes_.load(); }, kLongest);
            goes_on_ = true;
        }
        if (call == "vkCreateBuffer" && thread == maker_ && !makes_.exchange(true)) {
            comes_true([&] { return goes_on_.load(); }, kLongest);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }

    const Layer& layer_;
    std::atomic<std::thread::id> waiter_ = {}, maker_ = {};
    std::atomic<bool> is_waiting_ = false, makes_ = false, goes_on_ = false;
};

}  // namespace

TEST_CASE("each call of Vulkan's that a program makes fails once") {
    const Layer& faults = layer();
    for (const Row& row : kRows)
        for (const VkResult result : row.results) {
            int64_t objects = 0;
            for (uint32_t n = 0;; ++n) {
                INFO(std::string(row.function));
                CAPTURE(result);
                CAPTURE(n);
                const uint32_t before = faults.calls(row.function);
                faults.set({.function = row.function, .skip = n, .times = 1, .result = result});
                Outcome outcome;
                {
                    const Watchdog watchdog(120);
                    outcome = SmallProgram::run();
                }
                const uint32_t calls = faults.calls(row.function) - before;
                faults.clear();
                INFO(outcome.call << ": " << outcome.code);
                CHECK(is_of_fault(outcome.code));
                {
                    const Watchdog watchdog(120);
                    const Outcome after = SmallProgram::run();
                    INFO("after: " << after.call << ": " << after.code);
                    CHECK(after.code == CL_SUCCESS);
                }
                if (n != 0) CHECK(has_at_most(faults, objects + 2));  // a block of memory or two are kept
                objects = faults.objects();
                if (calls <= n) break;
            }
        }
}

TEST_CASE("a device that does not take a batch loses its commands and no others") {
    const Layer& faults = layer();
    const Watchdog watchdog(240);
    Fixture here, there;
    const cl_int one = 1, two = 2;
    cl_mem mine = here.make_buffer(64), other = there.make_buffer(64);
    cl_event first = nullptr, lost = nullptr, after_lost = nullptr;
    // The device is kept waiting, so that what follows is gathered.
    CHECK(clEnqueueFillBuffer(here.queue, mine, &one, 4, 0, 64, 0, nullptr, &first) == CL_SUCCESS);
    CHECK(clFinish(here.queue) == CL_SUCCESS);
    faults.set({.function = "vkQueueSubmit", .result = VK_ERROR_OUT_OF_HOST_MEMORY});
    cl_int code = clEnqueueFillBuffer(here.queue, mine, &two, 4, 0, 64, 0, nullptr, &lost);
    if (code == CL_SUCCESS) {
        CHECK(clEnqueueMarkerWithWaitList(here.queue, 1, &lost, &after_lost) == CL_SUCCESS);
        code = clFinish(here.queue);
        CHECK(status(lost) < 0);
        CHECK(status(after_lost) < 0);
        CHECK(clWaitForEvents(1, &lost) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        clReleaseEvent(lost);
        clReleaseEvent(after_lost);
    }
    CHECK(code == CL_OUT_OF_HOST_MEMORY);
    faults.clear();
    CHECK(status(first) == CL_COMPLETE);
    clReleaseEvent(first);
    CHECK(here.read<cl_int>(mine, 16)[3] == 1);
    CHECK(clEnqueueFillBuffer(here.queue, mine, &two, 4, 0, 64, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(here.read<cl_int>(mine, 16)[3] == 2);
    CHECK(clEnqueueFillBuffer(there.queue, other, &two, 4, 0, 64, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(there.read<cl_int>(other, 16)[3] == 2);
}

TEST_CASE("a map for which Vulkan makes no buffer ends, also when its object is released meanwhile") {
    const Layer& faults = layer();
    const Watchdog watchdog(100);
    Fixture f;
    constexpr size_t kSize = 64 << 20;  // so much has pages of its own, which go when it is freed
    for (const bool is_released : {false, true}) {
        cl_int code = 1;
        cl_mem buffer = clCreateBuffer(f.context, 0, kSize, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        const cl_uint number = 0x12345678;
        CHECK(clEnqueueFillBuffer(f.queue, buffer, &number, 4, 0, kSize, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        cl_event gate = clCreateUserEvent(f.context, &code), mapped = nullptr;
        faults.set({.function = "vkCreateBuffer", .result = VK_ERROR_OUT_OF_HOST_MEMORY});
        auto* const numbers = static_cast<cl_uint*>(
            clEnqueueMapBuffer(f.queue, buffer, CL_FALSE, CL_MAP_READ, 0, kSize, 1, &gate, &mapped, &code));
        faults.clear();
        REQUIRE(code == CL_SUCCESS);
        if (is_released) CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &mapped) == CL_SUCCESS);
        if (!is_released) {
            CHECK(std::count(numbers, numbers + kSize / 4, number) == kSize / 4);
            CHECK(clEnqueueUnmapMemObject(f.queue, buffer, numbers, 0, nullptr, nullptr) == CL_SUCCESS);
            CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
        }
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
        CHECK(clReleaseEvent(mapped) == CL_SUCCESS);
    }
}

TEST_CASE("a lost device: all that waits ends, what is left can be released, and a new context works") {
    const Layer& faults = layer();
    const Watchdog watchdog(240);
    {
        Fixture fixture(CL_QUEUE_PROFILING_ENABLE);
        cl_command_queue other = fixture.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_mem buffer = fixture.make_buffer(1 << 20);
        cl_kernel kernel =
            fixture.make_kernel("kernel void k(global int *a) { a[get_global_id(0)] += 1; }", "k");
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(fixture.context, &code);
        cl_event lost = nullptr, waits = nullptr, last = nullptr;
        const size_t items = 1 << 10;
        CHECK(clEnqueueNDRangeKernel(other, kernel, 1, nullptr, &items, nullptr, 1, &gate, &waits) ==
              CL_SUCCESS);
        CHECK(clEnqueueMarkerWithWaitList(fixture.queue, 1, &waits, &last) == CL_SUCCESS);
        std::atomic<cl_int> told = 1;
        CHECK(clSetEventCallback(
                  last, CL_COMPLETE,
                  [](cl_event, cl_int status, void* user) {
                      *static_cast<std::atomic<cl_int>*>(user) = status;
                  },
                  &told) == CL_SUCCESS);

        faults.set({.function = "vkQueueSubmit", .result = VK_ERROR_DEVICE_LOST});
        code = run(other, kernel, items, &lost);
        if (code == CL_SUCCESS) {
            CHECK(clWaitForEvents(1, &lost) < 0);
            CHECK(status(lost) < 0);
            clReleaseEvent(lost);
        } else {
            CHECK(code == CL_OUT_OF_RESOURCES);
        }
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &last) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK(status(waits) < 0);
        for (int i = 0; i < 1000 && told == 1; ++i) usleep(2000);
        CHECK(told < 0);
        cl_int value = 0;
        CHECK(clEnqueueReadBuffer(fixture.queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr) ==
              CL_OUT_OF_RESOURCES);
        CHECK(clFinish(other) == CL_OUT_OF_RESOURCES);
        for (cl_event event : {gate, waits, last}) CHECK(clReleaseEvent(event) == CL_SUCCESS);

        // The device does not come back at once.
        faults.set({.function = "vkCreateDevice", .result = VK_ERROR_INITIALIZATION_FAILED});
        cl_device_id the_device = device();
        CHECK(clCreateContext(nullptr, 1, &the_device, nullptr, nullptr, &code) == nullptr);
        CHECK(code == CL_DEVICE_NOT_AVAILABLE);
        faults.clear();
        // While the old context is still there.
        CHECK(SmallProgram::run().code == CL_SUCCESS);
    }
    CHECK(SmallProgram::run().code == CL_SUCCESS);
}

TEST_CASE("the device's memory runs out: what there is stays, and what is released can be had again") {
    const Watchdog watchdog(100);
    Fixture fixture;
    if (info<cl_device_type>(clGetDeviceInfo, fixture.the_device, CL_DEVICE_TYPE) != CL_DEVICE_TYPE_CPU)
        return;
    CHECK(SmallProgram::run().code == CL_SUCCESS);
    // The device's memory is the process's.
    std::ifstream sizes("/proc/self/statm");
    rlim_t pages = 0;
    sizes >> pages;
    REQUIRE(pages != 0);
    rlimit before = {};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    const size_t bytes = 64 << 20;
    const rlimit limit{.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + 6 * bytes,
                       .rlim_max = before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
    std::vector<cl_mem> buffers;
    cl_int code = CL_SUCCESS;
    const cl_int pattern = 7;
    while (code == CL_SUCCESS && buffers.size() < 20) {
        cl_mem buffer = clCreateBuffer(fixture.context, 0, bytes, nullptr, &code);
        if (code == CL_SUCCESS) buffers.push_back(buffer);
    }
    CHECK(code == CL_MEM_OBJECT_ALLOCATION_FAILURE);
    REQUIRE(buffers.size() >= 2);
    CHECK(buffers.size() < 10);
    CHECK(clEnqueueFillBuffer(fixture.queue, buffers[0], &pattern, 4, 0, bytes, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(fixture.read<cl_int>(buffers[0], 1000)[999] == 7);
    CHECK(clReleaseMemObject(buffers.back()) == CL_SUCCESS);
    buffers.back() = clCreateBuffer(fixture.context, 0, bytes, nullptr, &code);
    CHECK(code == CL_SUCCESS);
    for (cl_mem buffer : buffers)
        if (buffer) CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(SmallProgram::run().code == CL_SUCCESS);
}

// A read that waits is recorded without the queue's lock. The device has done it, but the queue lists it
// behind a command that the device does not have.
TEST_CASE("5.11 a wait ends though the device lacks a command that was listed before the awaited one") {
    const Layer& faults = layer();
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::vector<cl_int> ones(16, 1), here(16), there(16);
    cl_mem buffer = f.make_buffer(64, ones.data()), spun = f.make_buffer(4);
    cl_kernel spin = f.make_kernel(R"(
kernel void spin(global uint *a) {
    uint x = get_global_id(0);
    for (uint i = 0; i < 10000; ++i) x = (x ^ i) * 747796405;
    if (x == 1) a[0] = x;
})",
                                   "spin");
    REQUIRE(set(spin, 0, spun) == CL_SUCCESS);
    // A command is kept back while the device is busy: long enough for two threads to meet. Other processes
    // may delay a thread, so that the device is done before they do.
    size_t items = 1024;
    for (std::chrono::steady_clock::duration taken{}; taken < std::chrono::milliseconds(500); items *= 2) {
        const auto start = std::chrono::steady_clock::now();
        REQUIRE(run(f.queue, spin, items) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        taken = std::chrono::steady_clock::now() - start;
    }
    const Watchdog watchdog(240);
    check_in_some_try([&] {
        Meeting meeting(faults);
        std::atomic<bool> is_read = false;
        cl_event first = nullptr;  // which the reader waits for
        CHECK(run(f.queue, spin, items, &first) == CL_SUCCESS);
        std::thread reader([&] {
            meeting.calling_thread_waits();
            CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 64, here.data(), 0, nullptr, nullptr) ==
                  CL_SUCCESS);
            is_read = true;
        });
        CHECK(comes_true([&] { return meeting.is_waiting() || is_read; }, std::chrono::seconds(60)));
        CHECK(comes_true([&] { return status(first) == CL_COMPLETE; }, std::chrono::seconds(60)));
        CHECK(clReleaseEvent(first) == CL_SUCCESS);
        CHECK(run(f.queue, spin, items) == CL_SUCCESS);
        CHECK(clFlush(f.queue) == CL_SUCCESS);
        meeting.calling_thread_makes();
        const size_t origin[3] = {}, region[3] = {16, 4, 1};
        cl_event event = nullptr;
        CHECK(clEnqueueReadBufferRect(f.queue, buffer, CL_FALSE, origin, origin, region, 16, 0, 16, 0,
                                      there.data(), 0, nullptr, &event) == CL_SUCCESS);
        CHECK(comes_true([&] { return is_read.load(); }, std::chrono::seconds(60)));
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        reader.join();
        CHECK(status(event) == CL_COMPLETE);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
        CHECK(here == ones);
        CHECK(there == ones);
        items *= 2;
        return meeting.is_waiting() && meeting.makes();
    });
}

TEST_CASE("a launch for which Vulkan makes no texture reads memory, and the next one tries again") {
    const char* const images = std::getenv("CALDERA_IMAGES");
    if (!images || std::string_view(images) != "hardware") return;
    const Layer& faults = layer();
    struct Call {
        const char* function = nullptr;
        uint32_t images = 0, views = 0;
    };
    for (const Call call : {Call{nullptr, 1, 1}, Call{"vkCreateImage", 2, 1}, Call{"vkBindImageMemory", 2, 1},
                            Call{"vkCreateImageView", 2, 2}}) {
        INFO(std::string(call.function ? call.function : "all succeed"));
        Fixture f;
        if (!has_addresses()) return;
        cl_kernel kernel = f.make_kernel(
            "constant sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;"
            "kernel void k(read_only image1d_t i, global uint *out) {"
            "    out[get_global_id(0)] = read_imageui(i, s, (get_global_id(0) + 0.5f) / 4).x; }",
            "k");
        cl_uint texels[4] = {3, 1, 4, 1};
        const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
        cl_int code = 1;
        f.buffers.push_back(clCreateImage(f.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &code));
        REQUIRE(code == CL_SUCCESS);
        cl_mem out = f.make_buffer(32);
        REQUIRE(clSetKernelArg(kernel, 0, sizeof(cl_mem), &f.buffers[0]) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out) == CL_SUCCESS);
        faults.set({.function = call.function ? call.function : "", .result = VK_ERROR_OUT_OF_DEVICE_MEMORY});
        const uint32_t images_before = faults.calls("vkCreateImage"),
                       views_before = faults.calls("vkCreateImageView");
        const size_t items = 8;
        for (int launch = 0; launch < 2; ++launch)
            REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                           nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(out, 8) == std::vector<cl_uint>{3, 1, 4, 1, 3, 1, 4, 1});
        CHECK(faults.calls("vkCreateImage") - images_before == call.images);
        CHECK(faults.calls("vkCreateImageView") - views_before == call.views);
        faults.clear();
    }
}

namespace {

struct SampledAndWritten : Fixture {
    SampledAndWritten() {
        const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
        std::vector<cl_uint> texels = {3, 1, 4, 1};
        cl_int code = 1;
        cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data(), &code);
        REQUIRE(code == CL_SUCCESS);
        buffers.push_back(image);
        out = make_buffer(16);
        cl_program program = build(
            "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
            "kernel void sample(read_only image1d_t i, global uint *out, int reads) {"
            "    if (reads) out[get_global_id(0)] = read_imageui(i, s, (int)get_global_id(0)).x; }"
            "kernel void put(write_only image1d_t i, uint value) {"
            "    write_imageui(i, get_global_id(0), value + get_global_id(0)); }");
        sample = make_kernel(program, "sample");
        put = make_kernel(program, "put");
        for (cl_kernel kernel : {sample, put})
            REQUIRE(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS);
        REQUIRE(clSetKernelArg(sample, 1, sizeof out, &out) == CL_SUCCESS);
    }
    void launch(cl_command_queue on, cl_kernel kernel, cl_uint last_argument) {
        const size_t items = 4;
        REQUIRE(clSetKernelArg(kernel, kernel == put ? 1 : 2, sizeof last_argument, &last_argument) ==
                CL_SUCCESS);
        REQUIRE(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) ==
                CL_SUCCESS);
    }
    std::vector<cl_uint> sampled() {
        launch(queue, sample, 1);
        return read<cl_uint>(out, 4);
    }

    cl_mem out = nullptr;
    cl_kernel sample = nullptr, put = nullptr;
};

}  // namespace

TEST_CASE("a texture outlives a launch of another queue that uses it, when a kernel writes to the next one") {
    const char* const images = std::getenv("CALDERA_IMAGES");
    if (!images || std::string_view(images) != "hardware") return;
    const Layer& faults = layer();
    SampledAndWritten f;
    if (!has_addresses()) return;
    cl_command_queue other = f.make_queue(0);
    for (int launch = 0; launch < 2; ++launch) CHECK(f.sampled() == std::vector<cl_uint>{3, 1, 4, 1});
    const uint32_t made = faults.calls("vkCreateImageView"), gone = faults.calls("vkDestroyImageView");
    REQUIRE(made > 0);
    f.launch(f.queue, f.sample, 0);  // reads no texel, so it need not be ordered before the write
    f.launch(other, f.put, 10);
    REQUIRE(clFinish(other) == CL_SUCCESS);
    CHECK(faults.calls("vkCreateImageView") == made + 1);
    CHECK(faults.calls("vkDestroyImageView") == gone);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(faults.calls("vkDestroyImageView") == gone + 1);
    CHECK(f.sampled() == std::vector<cl_uint>{10, 11, 12, 13});
}

TEST_CASE(
    "a kernel writes to memory when Vulkan makes no texture for that, and the next launch tries again") {
    const char* const images = std::getenv("CALDERA_IMAGES");
    if (!images || std::string_view(images) != "hardware") return;
    const Layer& faults = layer();
    for (const char* function : {"vkCreateImage", "vkBindImageMemory", "vkCreateImageView"}) {
        INFO(std::string(function));
        SampledAndWritten f;
        if (!has_addresses()) return;
        for (int launch = 0; launch < 2; ++launch) CHECK(f.sampled() == std::vector<cl_uint>{3, 1, 4, 1});
        const uint32_t before = faults.calls("vkCreateImage");
        faults.set({.function = function, .times = 2, .result = VK_ERROR_OUT_OF_DEVICE_MEMORY});
        for (cl_uint value = 10; value <= 50; value += 10) {
            f.launch(f.queue, f.put, value);
            for (int launch = 0; launch < 2; ++launch)
                CHECK(f.sampled() == std::vector<cl_uint>{value, value + 1, value + 2, value + 3});
        }
        CHECK(faults.calls("vkCreateImage") - before == 3);
        faults.clear();
    }
}

TEST_CASE("kernels that write textures and sample them in turn copy no texels") {
    const char* const images = std::getenv("CALDERA_IMAGES");
    if (!images || std::string_view(images) != "hardware") return;
    Fixture f;
    if (!has_addresses()) return;
    cl_kernel kernel = f.make_kernel(
        "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
        "kernel void k(read_only image2d_t from, write_only image2d_t to) {"
        "    const int2 at = (int2)(get_global_id(0), get_global_id(1));"
        "    write_imageui(to, at, read_imageui(from, s, at) + 1); }",
        "k");
    const Layer& faults = layer();
    constexpr size_t kSize[] = {4, 3}, kTexels = 12;
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc{
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kSize[0], .image_height = kSize[1]};
    std::vector<cl_uint> texels(kTexels, 7);
    cl_mem both[2] = {};
    for (cl_mem& image : both) {
        cl_int code = 1;
        image = clCreateImage(f.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data(), &code);
        REQUIRE(code == CL_SUCCESS);
        f.buffers.push_back(image);
    }
    size_t launches = 0;
    const auto launch = [&](size_t count) {
        for (const size_t end = launches + count; launches < end; ++launches) {
            REQUIRE(clSetKernelArg(kernel, 0, sizeof(cl_mem), &both[launches % 2]) == CL_SUCCESS);
            REQUIRE(clSetKernelArg(kernel, 1, sizeof(cl_mem), &both[1 - launches % 2]) == CL_SUCCESS);
            REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 2, nullptr, kSize, nullptr, 0, nullptr,
                                           nullptr) == CL_SUCCESS);
        }
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    };
    const auto read = [&] {
        const size_t origin[3] = {}, region[3] = {kSize[0], kSize[1], 1};
        REQUIRE(clEnqueueReadImage(f.queue, both[launches % 2], CL_TRUE, origin, region, 0, 0, texels.data(),
                                   0, nullptr, nullptr) == CL_SUCCESS);
        return texels;
    };
    launch(4);
    const uint32_t to_before = faults.calls("vkCmdCopyBufferToImage"),
                   from_before = faults.calls("vkCmdCopyImageToBuffer");
    launch(8);
    CHECK(faults.calls("vkCmdCopyBufferToImage") == to_before);
    CHECK(faults.calls("vkCmdCopyImageToBuffer") == from_before);
    CHECK(read() == std::vector<cl_uint>(kTexels, 7 + 12));
    CHECK(read() == std::vector<cl_uint>(kTexels, 7 + 12));
    CHECK(faults.calls("vkCmdCopyImageToBuffer") == from_before + 1);
    CHECK(faults.calls("vkCmdCopyBufferToImage") == to_before);
}
