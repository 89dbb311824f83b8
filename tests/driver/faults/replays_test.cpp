// SPDX-License-Identifier: Apache-2.0
// Command-buffers of which a part fails: a call of Vulkan's fails while they are replayed, also in several
// queues.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/driver/faults/faults.h"
#include "tests/driver/faults/small_program.h"

using namespace caldera::driver_test;
using caldera::faults::Layer;

namespace {

constexpr size_t kItems = 64, kBytes = kItems * sizeof(cl_int);

/// Three queues, each of which changes what the one before it has made.
struct Relay : Fixture {
    explicit Relay(cl_command_queue_properties properties) : Fixture(properties) {
        for (int i = 0; i < 2; ++i) make_queue(properties);
        commands = std::make_unique<OwnCommandBuffer>(queues);
        REQUIRE(set(add, 0, buffers[1]) == CL_SUCCESS);
        OwnCommandBuffer::Points last;
        for (int round = 0; round < 2; ++round)
            for (cl_command_queue in : queues) {
                commands->on = in;
                const bool is_first = round == 0 && in == queues[0];
                last = {is_first ? commands->fill(buffers[1], 5, kBytes) : commands->run(add, kItems, last)};
            }
        commands->on = queues[1];
        commands->copy(buffers[1], buffers[0], kBytes, 0, last);
        commands->finish_recording();
    }

    /// Returns what a replay leaves, or the code of the call that fails.
    cl_int replay() {
        cl_event event = nullptr;
        if (const cl_int code = commands->replay(queues, &event); code != CL_SUCCESS) return code;
        const cl_int waited = clWaitForEvents(1, &event), its = status(event);
        CHECK(its <= CL_COMPLETE);
        CHECK((waited == CL_SUCCESS) == (its == CL_COMPLETE));
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
        return its;
    }

    std::array<cl_int, kItems> zeros = {};
    cl_kernel add = make_kernel("kernel void add(global int *a) { a[get_global_id(0)] += 10; }", "add");
    cl_mem first = make_buffer(kBytes, zeros.data()), second = make_buffer(kBytes);
    std::unique_ptr<OwnCommandBuffer> commands = {};
};

struct Row {
    const char* function = nullptr;
    VkResult result = VK_SUCCESS;
};
constexpr Row kRows[] = {{"vkQueueSubmit", VK_ERROR_OUT_OF_HOST_MEMORY},
                         {"vkQueueSubmit", VK_ERROR_OUT_OF_DEVICE_MEMORY},
                         {"vkEndCommandBuffer", VK_ERROR_OUT_OF_DEVICE_MEMORY},
                         {"vkBeginCommandBuffer", VK_ERROR_OUT_OF_HOST_MEMORY},
                         {"vkAllocateCommandBuffers", VK_ERROR_OUT_OF_DEVICE_MEMORY},
                         {"vkAllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY},
                         {"vkCreateBuffer", VK_ERROR_OUT_OF_HOST_MEMORY},
                         {"vkCreateSemaphore", VK_ERROR_OUT_OF_HOST_MEMORY}};

}  // namespace

TEST_CASE("a replay in several queues, of which one's submission fails, ends and can be replayed") {
    const Layer& faults = layer();
    size_t failed = 0;
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
        for (const bool is_first_replay : {true, false})
            for (const Row& row : kRows)
                for (uint32_t n = 0;; ++n) {
                    INFO(std::string(row.function));
                    CAPTURE(properties);
                    CAPTURE(is_first_replay);
                    CAPTURE(n);
                    const Watchdog watchdog(120);
                    Relay relay(properties);
                    if (!is_first_replay) CHECK(relay.replay() == CL_COMPLETE);
                    const uint32_t before = faults.calls(row.function);
                    faults.set({.function = row.function, .skip = n, .times = 1, .result = row.result});
                    const cl_int code = relay.replay();
                    const uint32_t calls = faults.calls(row.function) - before;
                    faults.clear();
                    CHECK(is_of_fault(code));
                    failed += code < 0;
                    // What follows in the queues is not concerned.
                    for (cl_command_queue queue : relay.queues) CHECK(clFinish(queue) == CL_SUCCESS);
                    CHECK(relay.replay() == CL_COMPLETE);
                    CHECK(relay.read<cl_int>(relay.first, kItems) == std::vector<cl_int>(kItems, 55));
                    if (calls <= n) break;
                }
    CHECK(failed != 0);
}

TEST_CASE("changes of arguments behind replays are stored in what was recorded for earlier ones") {
    if (!has_addresses()) return;  // there a kernel finds buffers by descriptors, which are recorded again
    const Layer& faults = layer();
    Fixture f;
    cl_kernel kernel =
        f.make_kernel("kernel void add(global int *sum, int value) { atomic_add(sum, value); }", "add");
    cl_int value = 0, expected = 0;
    cl_mem sum = f.make_buffer(sizeof value, &value);
    REQUIRE(set(kernel, 0, sum) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, value) == CL_SUCCESS);
    const OwnCommandBuffer commands(f.queue, kMutable);
    const cl_mutable_command_khr launch = commands.run_changeable(kernel, 1);
    commands.finish_recording();
    constexpr int kRounds = 20, kReplays = 5;
    const uint32_t calls_before = faults.calls("vkAllocateCommandBuffers");
    for (int round = 0; round < kRounds; ++round) {
        for (int each = 0; each < kReplays; ++each) {
            expected += ++value;
            const caldera::icd::MutableDispatchArg arg{1, sizeof value, &value};
            REQUIRE(commands.change({{.command = launch, .num_args = 1, .arg_list = &arg}}) == CL_SUCCESS);
            REQUIRE(commands.replay() == CL_SUCCESS);
        }
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    }
    // How many replays are on their way at once is the device's pace; each has a recording and a batch at
    // most.
    const uint32_t calls = faults.calls("vkAllocateCommandBuffers") - calls_before;
    CAPTURE(calls);
    CHECK(calls <= 2 * (kReplays + 1));
    CHECK(f.read<cl_int>(sum, 1)[0] == expected);
}

TEST_CASE("a replay that fails may be released at once, and so may what it was made of") {
    const Layer& faults = layer();
    for (uint32_t n = 0; n < 4; ++n) {
        CAPTURE(n);
        const Watchdog watchdog(120);
        cl_event event = nullptr;
        {
            Relay relay(0);
            faults.set({.function = "vkQueueSubmit",
                        .skip = n,
                        .times = 1,
                        .result = VK_ERROR_OUT_OF_DEVICE_MEMORY});
            const cl_int code = relay.commands->replay(relay.queues, &event);
            CHECK(is_of_fault(code));
            if (code != CL_SUCCESS) event = nullptr;
            relay.commands = nullptr;
        }
        if (event) {
            clWaitForEvents(1, &event);
            CHECK(is_of_fault(status(event)));
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
        faults.clear();
        CHECK(SmallProgram::run().code == CL_SUCCESS);
    }
}
