// SPDX-License-Identifier: Apache-2.0
// clRemapCommandBufferKHR (cl_khr_command_buffer_multi_device); command_buffer_devices_test.cpp has copies
// for other devices.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "tests/driver/command_buffers.h"
#include "tests/driver/queries.h"

namespace caldera::driver_test {
namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr size_t kItems = 64, kBytes = kItems * sizeof(cl_int);

cl_kernel make_line(Fixture& f) {
    return f.make_kernel(
        "kernel void line(global int *a, int factor, int summand) {"
        "  size_t i = get_global_id(0); a[i] = factor * a[i] + summand;"
        "}",
        "line");
}

void set_line(cl_kernel kernel, cl_mem buffer, cl_int factor, cl_int summand) {
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, factor) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, summand) == CL_SUCCESS);
}

void run_to_end(const OwnCommandBuffer& commands) {
    cl_event event = nullptr;
    REQUIRE(commands.replay({}, &event) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

cl_int value(Fixture& f, cl_mem buffer) {
    const std::vector<cl_int> all = f.read<cl_int>(buffer, kItems);
    CHECK(all == std::vector<cl_int>(kItems, all[0]));
    return all[0];
}

}  // namespace

TEST_CASE("a copy for other queues has the commands and their order, also after the original is gone") {
    for (const cl_command_queue_properties from : {cl_command_queue_properties{0}, kOutOfOrder})
        for (const cl_command_queue_properties to : {cl_command_queue_properties{0}, kOutOfOrder})
            for (const size_t count : {1, 2, 3}) {
                CAPTURE(from);
                CAPTURE(to);
                CAPTURE(count);
                Fixture f(from);
                cl_kernel kernel = make_line(f);
                cl_mem buffer = f.make_buffer(kBytes);
                std::vector<cl_command_queue> queues;
                for (size_t i = 0; i < count; ++i) queues.push_back(f.make_queue(to));
                const std::array<cl_command_queue, 2> own = {f.make_queue(from), f.make_queue(from)};
                std::array<std::optional<OwnCommandBuffer>, 2> copies;
                cl_int expected = 0;
                {
                    OwnCommandBuffer commands({own[0], own[1]});
                    commands.on = own[0];
                    OwnCommandBuffer::Points last = {commands.fill(buffer, 1, kBytes)};
                    expected = 1;
                    for (cl_int i = 0; i < 12; ++i) {
                        set_line(kernel, buffer, i % 3 + 1, i);
                        commands.on = own[i % 4 < 2];
                        const bool is_implied = from == 0 && i % 4 % 2 == 1;
                        last = {commands.run(kernel, kItems, is_implied ? OwnCommandBuffer::Points{} : last)};
                        if (i == 6) commands.block();
                        expected = (i % 3 + 1) * expected + i;
                    }
                    commands.finish_recording();
                    copies[0].emplace(commands.copy_for(queues, CL_TRUE));
                    // by place from two queues, and from a copy
                    cl_command_buffer_khr by_place =
                        commands.copy_for(queues, CL_FALSE, count == 2 ? CL_SUCCESS : CL_INVALID_VALUE);
                    copies[1].emplace(by_place ? by_place : copies[0]->copy_for(queues, CL_FALSE));
                }
                set_line(kernel, buffer, 0, 0);  // they keep their arguments
                for (const auto& copy : copies) {
                    CHECK(info<cl_uint>(copy->get_info, copy->handle, CL_COMMAND_BUFFER_NUM_QUEUES_KHR) ==
                          count);
                    CHECK(copy->state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
                    for (int turn = 0; turn < 2; ++turn) {
                        run_to_end(*copy);
                        CHECK(value(f, buffer) == expected);
                    }
                }
            }
}

TEST_CASE("commands of all kinds are copied for other queues") {
    Fixture f;
    cl_command_queue other = f.make_queue(kOutOfOrder);
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int code = 1;
    for (int i = 0; i < 2; ++i) {
        f.buffers.push_back(clCreateImage(f.context, 0, &format, &desc, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
    }
    cl_mem image = f.buffers[0], second = f.buffers[1];
    std::array<cl_uint, 16> numbers = {};
    std::iota(numbers.begin(), numbers.end(), 100u);
    cl_mem in = f.make_buffer(sizeof numbers, numbers.data()), out = f.make_buffer(sizeof numbers);
    std::optional<OwnCommandBuffer> copy;
    const bool has_svm = answer<cl_device_svm_capabilities>(f, CL_DEVICE_SVM_CAPABILITIES) != 0;
    auto* const shared =
        has_svm ? static_cast<cl_int*>(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0)) : nullptr;
    REQUIRE((shared != nullptr) == has_svm);
    std::array<cl_int, 8> host = {};
    {
        const OwnCommandBuffer commands(f.queue);
        const cl_command_buffer_khr buffer = commands.handle;
        // What the calls point to is gone when they are copied.
        std::array<size_t, 3> origin = {}, whole = {4, 4, 1}, corner = {2, 2, 0}, part = {2, 2, 1};
        std::array<size_t, 3> bytes_at = {8, 0, 0}, bytes = {8, 4, 1};
        std::array<cl_uint, 4> color = {1, 2, 3, 4};
        cl_uint zero = 0;
        cl_int seven = 7;
        CHECK(commands.fill_buffer(buffer, nullptr, nullptr, out, &zero, 4, 0, sizeof numbers, 0, nullptr,
                                   nullptr, nullptr) == CL_SUCCESS);
        CHECK(commands.copy_buffer_to_image(buffer, nullptr, nullptr, in, image, 0, origin.data(),
                                            whole.data(), 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
        CHECK(commands.fill_image(buffer, nullptr, nullptr, image, color.data(), corner.data(), part.data(),
                                  0, nullptr, nullptr, nullptr) == CL_SUCCESS);
        CHECK(commands.copy_image(buffer, nullptr, nullptr, image, second, origin.data(), origin.data(),
                                  whole.data(), 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
        CHECK(commands.copy_image_to_buffer(buffer, nullptr, nullptr, second, out, origin.data(),
                                            whole.data(), 0, 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
        CHECK(commands.copy_buffer_rect(buffer, nullptr, nullptr, out, out, origin.data(), bytes_at.data(),
                                        bytes.data(), 16, 0, 16, 0, 0, nullptr, nullptr,
                                        nullptr) == CL_SUCCESS);
        commands.copy(in, in, 4, 8);
        if (has_svm) {
            CHECK(commands.svm_mem_fill(buffer, nullptr, nullptr, shared, &seven, 4, 64, 0, nullptr, nullptr,
                                        nullptr) == CL_SUCCESS);
            CHECK(commands.svm_memcpy(buffer, nullptr, nullptr, host.data(), shared, sizeof host, 0, nullptr,
                                      nullptr, nullptr) == CL_SUCCESS);
        }
        commands.finish_recording();
        for (auto* sizes : {&origin, &whole, &corner, &part, &bytes_at, &bytes}) sizes->fill(77);
        color.fill(9);
        zero = 55;
        seven = 8;
        copy.emplace(commands.copy_for({other}, CL_FALSE));
    }
    run_to_end(*copy);
    std::vector<cl_uint> expected;
    for (cl_uint row = 0; row < 4; ++row)
        for (cl_uint column = 0; column < 4; ++column) expected.push_back(100 + 4 * row + column % 2);
    CHECK(f.read<cl_uint>(out, 16) == expected);
    CHECK(f.read<cl_uint>(in, 4) == std::vector<cl_uint>{100, 101, 100, 103});
    if (has_svm) CHECK(host == std::array<cl_int, 8>{7, 7, 7, 7, 7, 7, 7, 7});
    copy.reset();
    clSVMFree(f.context, shared);
}

TEST_CASE("a copy has the state of its original, and goes on recording") {
    Fixture f;
    cl_kernel kernel = make_line(f);
    cl_mem buffer = f.make_buffer(kBytes);
    cl_command_queue ordered = f.make_queue(0), free = f.make_queue(kOutOfOrder);
    OwnCommandBuffer commands(f.queue, kMutable);
    const cl_sync_point_khr filled = commands.fill(buffer, 3, kBytes);
    set_line(kernel, buffer, 2, 1);
    commands.run(kernel, kItems);
    OwnCommandBuffer copy(commands.copy_for({ordered, free}, CL_TRUE));
    CHECK(copy.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    CHECK(list<cl_command_buffer_properties_khr>(copy.get_info, copy.handle,
                                                 CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR) ==
          std::vector<cl_command_buffer_properties_khr>(std::begin(kMutable), std::end(kMutable)));
    // Sync points of the original are those of the copy.
    copy.on = free;
    copy.block({filled, filled + 1});
    set_line(kernel, buffer, 10, 0);
    const cl_sync_point_khr tenfold = copy.run(kernel, kItems);
    CHECK(tenfold == filled + 3);
    set_line(kernel, buffer, 1, 5);
    copy.on = ordered;
    copy.run(kernel, kItems, {tenfold});
    copy.finish_recording();
    run_to_end(copy);
    CHECK(value(f, buffer) == 75);
    CHECK(commands.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    commands.finish_recording();
    run_to_end(commands);
    CHECK(value(f, buffer) == 7);

    // An argument is not set.
    cl_kernel unset = make_line(f);
    REQUIRE(set(unset, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(unset, 1, 1) == CL_SUCCESS);
    const OwnCommandBuffer lacking(f.queue, kMutable);
    const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    cl_mutable_command_khr launch = lacking.run_changeable(unset, kItems, nullptr, properties),
                           copied = nullptr;
    lacking.finish_recording();
    cl_int code = 1;
    const OwnCommandBuffer other(
        lacking.remap(lacking.handle, CL_FALSE, 1, &free, 1, &launch, &copied, &code));
    CHECK(code == CL_SUCCESS);
    CHECK(other.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    CHECK(other.replay() == CL_INVALID_OPERATION);
    const cl_int nine = 9;
    const icd::MutableDispatchArg arg{2, sizeof nine, &nine};
    CHECK(other.change({{.command = copied, .num_args = 1, .arg_list = &arg}}) == CL_SUCCESS);
    CHECK(other.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    CHECK(lacking.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    run_to_end(other);
    CHECK(value(f, buffer) == 16);
}

TEST_CASE("launches of a copy have handles of their own") {
    Fixture f;
    cl_kernel kernel = make_line(f);
    cl_mem buffer = f.make_buffer(kBytes);
    cl_command_queue other = f.make_queue(0);
    const OwnCommandBuffer commands(f.queue, kMutable);
    commands.fill(buffer, 1, kBytes);
    std::array<cl_mutable_command_khr, 2> launches = {}, copied = {};
    for (cl_mutable_command_khr& launch : launches) {
        set_line(kernel, buffer, 2, 3);
        launch = commands.run_changeable(kernel, kItems);
    }
    commands.finish_recording();
    cl_int code = 1;
    std::array<cl_mutable_command_khr, 2> reversed = {launches[1], launches[0]};
    const OwnCommandBuffer copy(
        commands.remap(commands.handle, CL_FALSE, 1, &other, 2, reversed.data(), copied.data(), &code));
    REQUIRE(code == CL_SUCCESS);
    for (const cl_mutable_command_khr each : copied) {
        CHECK(std::ranges::count(launches, each) == 0);
        CHECK(info<cl_command_queue>(copy.get_command_info, each, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR) ==
              other);
        CHECK(info<cl_command_buffer_khr>(copy.get_command_info, each,
                                          CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR) == copy.handle);
        CHECK(info<cl_kernel>(copy.get_command_info, each, CL_MUTABLE_DISPATCH_KERNEL_KHR) == kernel);
        CHECK(info<size_t>(copy.get_command_info, each, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR) == kItems);
    }
    const cl_int ten = 10, zero = 0;
    const icd::MutableDispatchArg summand{2, sizeof ten, &ten}, factor{1, sizeof zero, &zero};
    REQUIRE(copy.change({{.command = copied[0], .num_args = 1, .arg_list = &summand}}) == CL_SUCCESS);
    REQUIRE(commands.change({{.command = launches[0], .num_args = 1, .arg_list = &factor}}) == CL_SUCCESS);
    CHECK(copy.change({{.command = launches[0], .num_args = 1, .arg_list = &factor}}) ==
          CL_INVALID_MUTABLE_COMMAND_KHR);
    run_to_end(copy);
    CHECK(value(f, buffer) == 2 * (2 * 1 + 3) + 10);
    run_to_end(commands);
    CHECK(value(f, buffer) == 2 * (0 * 1 + 3) + 3);
}

TEST_CASE("wrong arguments of remapping have errors of their own") {
    Fixture f;
    Fixture stranger;
    cl_kernel kernel = make_line(f);
    set_line(kernel, f.make_buffer(kBytes), 1, 1);
    const OwnCommandBuffer commands(f.queue), others(f.queue);
    cl_mutable_command_khr launch = commands.run_changeable(kernel, kItems);
    cl_mutable_command_khr foreign = others.run_changeable(kernel, kItems), back = nullptr;
    const cl_mutable_command_khr untouched = back;
    const auto remapped = [&](cl_command_buffer_khr buffer, cl_bool automatic,
                              const std::vector<cl_command_queue>& queues, cl_uint count,
                              const cl_mutable_command_khr* handles, cl_mutable_command_khr* handles_ret) {
        cl_int code = 1;
        CHECK(commands.remap(buffer, automatic, static_cast<cl_uint>(queues.size()),
                             queues.empty() ? nullptr : queues.data(), count, handles, handles_ret,
                             &code) == nullptr);
        CHECK(back == untouched);
        return code;
    };
    cl_command_buffer_khr self = commands.handle;
    const std::vector<cl_command_queue> own = {f.queue};
    CHECK(remapped(nullptr, CL_TRUE, own, 0, nullptr, nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(remapped(self, CL_TRUE, {}, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    cl_int code = 1;
    CHECK(commands.remap(self, CL_TRUE, 1, nullptr, 0, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(commands.remap(self, CL_TRUE, 0, own.data(), 0, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_FALSE, {f.queue, f.queue}, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, own, 1, nullptr, &back) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, own, 1, &launch, nullptr) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, own, 0, &launch, nullptr) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, own, 0, nullptr, &back) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, own, 1, &foreign, &back) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, own, 1, &untouched, &back) == CL_INVALID_VALUE);
    CHECK(remapped(self, CL_TRUE, {nullptr}, 1, &launch, &back) == CL_INVALID_COMMAND_QUEUE);
    CHECK(remapped(self, CL_TRUE, {f.queue, stranger.queue}, 1, &launch, &back) == CL_INVALID_CONTEXT);
    CHECK(remapped(self, CL_FALSE, {stranger.queue}, 1, &launch, &back) == CL_INVALID_CONTEXT);
}

}  // namespace caldera::driver_test
