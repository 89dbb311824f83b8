// SPDX-License-Identifier: Apache-2.0
// Command-buffers of several devices (cl_khr_command_buffer_multi_device). With one device on the platform
// there is nothing to see.
#include <algorithm>
#include <vector>

#include "tests/driver/command_buffers.h"
#include "tests/driver/devices.h"

namespace caldera::driver_test {
namespace {

constexpr size_t kItems = 1000, kBytes = kItems * sizeof(cl_int);
constexpr const char* kLine =
    "kernel void line(global int *a, int factor, int summand) {"
    "  size_t i = get_global_id(0); a[i] = factor * a[i] + summand;"
    "}";

/// Replays of commands that change one buffer on all devices in turn.
struct Chain {
    Chain(Devices& its_devices, const cl_command_buffer_properties_khr* properties, cl_int its_length = 13)
        : d(its_devices),
          kernel(d.make_kernel(kLine, "line")),
          buffer(d.make_buffer(kBytes)),
          commands(d.queues, properties),
          length(its_length) {
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        OwnCommandBuffer::Points last;
        for (cl_int i = 0; i < length; ++i) {
            REQUIRE(set(kernel, 1, i % 3 + 1) == CL_SUCCESS);
            REQUIRE(set(kernel, 2, i) == CL_SUCCESS);
            commands.on = d.queues[static_cast<size_t>(i) % d.queues.size()];
            last = {commands.run(kernel, kItems, last)};
        }
    }
    cl_int after(cl_int value) const {
        for (cl_int i = 0; i < length; ++i) value = (i % 3 + 1) * value + i;
        return value;
    }
    void write(cl_int value) const {
        REQUIRE(clEnqueueFillBuffer(d.queues[0], buffer, &value, sizeof value, 0, kBytes, 0, nullptr,
                                    nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(d.queues[0]) == CL_SUCCESS);
    }
    void check_all(cl_int value) const {
        for (cl_command_queue queue : d.queues) REQUIRE(clFinish(queue) == CL_SUCCESS);
        CHECK(d.read_after(0, buffer, kItems, nullptr) == std::vector<cl_int>(kItems, value));
    }

    Devices& d;
    cl_kernel kernel;
    cl_mem buffer;
    OwnCommandBuffer commands;
    cl_int length;
};

}  // namespace

TEST_CASE("commands of several devices in one command-buffer wait for sync points") {
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0}, cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE},
          cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE}})
        for (const auto* of_buffer :
             {static_cast<const cl_command_buffer_properties_khr*>(nullptr), kSimultaneous}) {
            Devices d(properties);
            if (!d.are_several()) return;
            Chain chain(d, of_buffer);
            chain.commands.finish_recording();
            cl_int value = 2;
            chain.write(value);
            cl_event last = nullptr;
            for (int turn = 0; turn < 4; ++turn) {
                const std::vector<cl_event> before = last ? std::vector{last} : std::vector<cl_event>{};
                REQUIRE(chain.commands.replay({}, &last, before) == CL_SUCCESS);
                d.keep(last);
                value = chain.after(value);
            }
            REQUIRE(clWaitForEvents(1, &last) == CL_SUCCESS);
            CHECK(status(last) == CL_COMPLETE);
            CHECK(info<cl_command_queue>(clGetEventInfo, last, CL_EVENT_COMMAND_QUEUE) == nullptr);
            chain.check_all(value);
            // Any device sees what the replay has done if it waits for the event.
            REQUIRE(chain.commands.replay({}, &last) == CL_SUCCESS);
            d.keep(last);
            value = chain.after(value);
            for (size_t place = 0; place < d.devices.size(); ++place)
                CHECK(d.read_after(place, chain.buffer, kItems, last) == std::vector<cl_int>(kItems, value));
        }
}

TEST_CASE("replays of several devices' command-buffer run one after the other, without events") {
    Devices d;
    if (!d.are_several()) return;
    Chain chain(d, nullptr, 5);
    chain.commands.finish_recording();
    chain.write(1);
    cl_int value = 1;
    for (int turn = 0; turn < 5; ++turn) {
        REQUIRE(chain.commands.replay() == CL_SUCCESS);
        value = chain.after(value);
    }
    chain.check_all(value);
}

TEST_CASE("copies and fills of a command-buffer follow the bytes from device to device") {
    Devices d;
    if (!d.are_several()) return;
    cl_mem a = d.make_buffer(kBytes), b = d.make_buffer(kBytes), c = d.make_buffer(kBytes);
    OwnCommandBuffer commands(d.queues);
    for (int turn = 0; turn < 3; ++turn) {
        commands.on = d.queues[0];
        commands.fill(a, turn + 1, kBytes / 2);
        commands.block();
        commands.on = d.queues[1];
        commands.fill(b, 10 * (turn + 1), kBytes);
        commands.copy(a, b, kBytes / 4);
        commands.block();
        commands.on = d.queues[0];
        commands.copy(b, c, kBytes / 2);
        commands.block();
    }
    commands.finish_recording();
    cl_event event = nullptr;
    REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
    std::vector<cl_int> expected(kItems / 2, 30);
    std::fill_n(expected.begin(), kItems / 4, 3);
    CHECK(d.read_after(1, c, kItems / 2, d.keep(event)) == expected);
}

TEST_CASE("launches on several devices change between replays") {
    Devices d;
    if (!d.are_several()) return;
    cl_kernel kernel = d.make_kernel(kLine, "line");
    cl_mem a = d.make_buffer(kBytes), b = d.make_buffer(kBytes);
    OwnCommandBuffer commands(d.queues, kMutable);
    std::vector<cl_mutable_command_khr> launches;
    REQUIRE(set(kernel, 0, a) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, 2) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, 1) == CL_SUCCESS);
    for (cl_command_queue queue : d.queues) {
        commands.on = queue;
        launches.push_back(commands.run_changeable(kernel, kItems));
        commands.block();
    }
    commands.finish_recording();
    const cl_int zero = 0, five = 5;
    for (cl_mem buffer : {a, b})
        REQUIRE(clEnqueueFillBuffer(d.queues[0], buffer, &zero, sizeof zero, 0, kBytes, 0, nullptr,
                                    nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(d.queues[0]) == CL_SUCCESS);
    cl_event event = nullptr;
    REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
    d.keep(event);
    cl_int value = 0;
    for (size_t i = 0; i < d.queues.size(); ++i) value = 2 * value + 1;
    CHECK(d.read_after(0, a, kItems, event) == std::vector<cl_int>(kItems, value));
    const icd::MutableDispatchArg args[] = {{0, sizeof b, &b}, {2, sizeof five, &five}};
    REQUIRE(commands.change({{.command = launches[1], .num_args = 2, .arg_list = args}}) == CL_SUCCESS);
    REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
    CHECK(d.read_after(0, b, kItems, d.keep(event)) == std::vector<cl_int>(kItems, 5));
}

TEST_CASE("a command-buffer is copied for other devices, which can do what it does") {
    Devices d;
    if (!d.are_several()) return;
    for (const cl_bool automatic : {CL_FALSE, CL_TRUE}) {
        Chain chain(d, nullptr);
        chain.commands.finish_recording();
        std::vector<cl_command_queue> reversed(d.queues.rbegin(), d.queues.rend());
        const OwnCommandBuffer copy(chain.commands.copy_for(reversed, automatic));
        cl_event event = nullptr;
        chain.write(3);
        REQUIRE(copy.replay({}, &event) == CL_SUCCESS);
        CHECK(d.read_after(1, chain.buffer, kItems, d.keep(event)) ==
              std::vector<cl_int>(kItems, chain.after(3)));
        if (!automatic) continue;
        for (cl_command_queue queue : d.queues) {
            const OwnCommandBuffer one(chain.commands.copy_for({queue}, CL_TRUE));
            chain.write(4);
            REQUIRE(one.replay({}, &event) == CL_SUCCESS);
            CHECK(d.read_after(0, chain.buffer, kItems, d.keep(event)) ==
                  std::vector<cl_int>(kItems, chain.after(4)));
        }
    }
    // One device has no kernel.
    cl_program program = d.source(kLine);
    REQUIRE(clBuildProgram(program, 1, &d.devices[1], "", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel kernel = d.make_kernel(program, "line");
    cl_mem buffer = d.make_buffer(kBytes);
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, 0) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, 42) == CL_SUCCESS);
    const OwnCommandBuffer commands(d.queues[1], kMutable);
    cl_mutable_command_khr launch = commands.run_changeable(kernel, kItems), copied = nullptr;
    commands.run(kernel, kItems);
    commands.finish_recording();
    commands.copy_for({d.queues[0]}, CL_FALSE, CL_INVALID_PROGRAM_EXECUTABLE);
    commands.copy_for({d.queues[0]}, CL_TRUE, CL_INVALID_PROGRAM_EXECUTABLE);
    cl_int code = 1;
    const OwnCommandBuffer copy(
        commands.remap(commands.handle, CL_TRUE, 2, d.queues.data(), 1, &launch, &copied, &code));
    CHECK(code == CL_SUCCESS);
    CHECK(info<cl_command_queue>(copy.get_command_info, copied, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR) ==
          d.queues[1]);
    cl_event event = nullptr;
    REQUIRE(copy.replay({}, &event) == CL_SUCCESS);
    CHECK(d.read_after(0, buffer, kItems, d.keep(event)) == std::vector<cl_int>(kItems, 42));
}

TEST_CASE("commands go to another queue where a device cannot do them") {
    // A kernel is built for each of two devices alone; the copies have both queues in either order.
    Devices d;
    if (!d.are_several()) return;
    cl_mem buffer = d.make_buffer(kBytes);
    OwnCommandBuffer commands(d.queues, kMutable);
    std::vector<cl_mutable_command_khr> launches, copied(2);
    for (size_t place = 0; place < 2; ++place) {
        cl_program program = d.source(kLine);
        REQUIRE(clBuildProgram(program, 1, &d.devices[place], "", nullptr, nullptr) == CL_SUCCESS);
        cl_kernel kernel = d.make_kernel(program, "line");
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, static_cast<cl_int>(place)) == CL_SUCCESS);
        REQUIRE(set(kernel, 2, 7) == CL_SUCCESS);
        commands.on = d.queues[place];
        launches.push_back(commands.run_changeable(kernel, kItems));
        commands.block();
    }
    commands.finish_recording();
    const std::vector<cl_command_queue> swapped = {d.queues[1], d.queues[0]};
    commands.copy_for(swapped, CL_FALSE, CL_INVALID_PROGRAM_EXECUTABLE);
    cl_int code = 1;
    const OwnCommandBuffer copy(commands.remap(commands.handle, CL_TRUE, 2, swapped.data(), 2,
                                               launches.data(), copied.data(), &code));
    CHECK(code == CL_SUCCESS);
    for (size_t place = 0; place < 2; ++place)
        CHECK(info<cl_command_queue>(copy.get_command_info, copied[place],
                                     CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR) == d.queues[place]);
    cl_event event = nullptr;
    REQUIRE(copy.replay({}, &event) == CL_SUCCESS);
    CHECK(d.read_after(1, buffer, kItems, d.keep(event)) == std::vector<cl_int>(kItems, 14));
}

TEST_CASE("command-buffers of several devices say what is wrong") {
    Devices d;
    if (!d.are_several()) return;
    CHECK((info<cl_platform_command_buffer_capabilities_khr>(clGetPlatformInfo, platform(),
                                                             CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR) &
           CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR) != 0);
    const CommandBuffers api;
    const cl_command_buffer_properties_khr on_device[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                          CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0};
    cl_int code = 1;
    CHECK(api.create(2, d.queues.data(), on_device, &code) == nullptr);
    CHECK(code == CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
    cl_command_buffer_khr on_one = api.create(1, d.queues.data(), on_device, &code);
    REQUIRE(code == CL_SUCCESS);
    OwnCommandBuffer(on_one).copy_for(d.queues, CL_TRUE, CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);

    // A kernel is built for one of the devices.
    cl_program program = d.source(kLine);
    REQUIRE(clBuildProgram(program, 1, &d.devices[1], "", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel kernel = d.make_kernel(program, "line");
    cl_mem buffer = d.make_buffer(kBytes);
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, 1) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, 1) == CL_SUCCESS);
    const OwnCommandBuffer commands(d.queues);
    const size_t items = kItems;
    const auto recorded = [&](cl_command_queue queue) {
        return api.nd_range_kernel(commands.handle, queue, nullptr, kernel, 1, nullptr, &items, nullptr, 0,
                                   nullptr, nullptr, nullptr);
    };
    CHECK(recorded(d.queues[0]) == CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(recorded(d.queues[1]) == CL_SUCCESS);
    commands.finish_recording();
    std::vector<cl_command_queue> swapped = d.queues;
    std::swap(swapped[0], swapped[1]);
    CHECK(commands.replay(swapped) == CL_INVALID_DEVICE);
    CHECK(commands.replay(d.queues) == CL_SUCCESS);
    for (cl_command_queue queue : d.queues) CHECK(clFinish(queue) == CL_SUCCESS);
}

}  // namespace caldera::driver_test
