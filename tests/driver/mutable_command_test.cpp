// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer_mutable_dispatch.
#include <array>
#include <random>
#include <thread>
#include <vector>

#include "tests/driver/command_buffers.h"
#include "tests/driver/queries.h"
#include "vulkan/icd/extension_names.h"

namespace caldera::driver_test {
namespace {

using Config = icd::MutableDispatchConfig;
using Arg = icd::MutableDispatchArg;

constexpr size_t kItems = 64;

/// Each work-item stores a value, and what it sees of the range.
struct Store {
    explicit Store(Fixture& f)
        : kernel(f.make_kernel("kernel void store(global int *out, int value) {"
                               "  out[get_global_id(0) - get_global_offset(0)] ="
                               "      value + 1000 * get_local_size(0) + 100000 * get_global_offset(0);"
                               "}",
                               "store")),
          out(f.make_buffer(kItems * sizeof(cl_int))) {
        const cl_int one = 1;
        REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, one) == CL_SUCCESS);
    }
    cl_kernel kernel;
    cl_mem out;
};

cl_int first_after_replay(Fixture& f, const OwnCommandBuffer& commands, cl_mem out) {
    REQUIRE(commands.replay() == CL_SUCCESS);
    return f.read<cl_int>(out, 1)[0];
}

}  // namespace

TEST_CASE("arguments, sizes and offsets of a launch change between replays") {
    Fixture f;
    const Store store(f);
    const OwnCommandBuffer commands(f.queue, kMutable);
    const size_t eight = 8, four = 4, three = 3, half = kItems / 2;
    const cl_mutable_command_khr launch = commands.run_changeable(store.kernel, kItems, &eight);
    commands.finish_recording();
    CHECK(first_after_replay(f, commands, store.out) == 8001);

    cl_int value = 42;
    cl_mem other = f.make_buffer(kItems * sizeof(cl_int));
    std::array<Arg, 2> args = {Arg{1, sizeof value, &value}, Arg{0, sizeof other, &other}};
    CHECK(commands.change({Config{.command = launch, .num_args = 1, .arg_list = args.data()}}) == CL_SUCCESS);
    CHECK(first_after_replay(f, commands, store.out) == 8042);
    CHECK(first_after_replay(f, commands, store.out) == 8042);  // it stays so
    // The kernel keeps its own arguments.
    REQUIRE(run(f.queue, store.kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(store.out, 1)[0] % 1000 == 1);

    value = 7;
    CHECK(commands.change({Config{.command = launch,
                                  .num_args = 2,
                                  .work_dim = 1,
                                  .arg_list = args.data(),
                                  .global_work_offset = &three,
                                  .global_work_size = &half,
                                  .local_work_size = &four}}) == CL_SUCCESS);
    const cl_int zero = 0;
    REQUIRE(clEnqueueFillBuffer(f.queue, other, &zero, 4, 0, kItems * 4, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(first_after_replay(f, commands, other) == 304007);
    CHECK(f.read<cl_int>(other, kItems)[half - 1] == 304007);
    CHECK(f.read<cl_int>(other, kItems)[half] == 0);

    // Two changes of one launch in one call: the later one counts.
    const cl_int first = 1, second = 2;
    const Arg one{1, sizeof first, &first}, two{1, sizeof second, &second};
    CHECK(commands.change({Config{.command = launch, .num_args = 1, .arg_list = &one},
                           Config{.command = launch, .num_args = 1, .arg_list = &two}}) == CL_SUCCESS);
    CHECK(first_after_replay(f, commands, other) == 304002);
}

TEST_CASE("replays that are enqueued keep what a later change replaces") {
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0},
          cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
        Fixture f(properties);
        cl_kernel kernel =
            f.make_kernel("kernel void add(global int *sum, int value) { atomic_add(sum, value); }", "add");
        cl_int start = 0;
        cl_mem sum = f.make_buffer(sizeof start, &start);
        REQUIRE(set(kernel, 0, sum) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, start) == CL_SUCCESS);
        const OwnCommandBuffer commands(f.queue, kSimultaneous);
        const cl_mutable_command_khr launch = commands.run_changeable(kernel, 1);
        commands.run_changeable(kernel, 1);
        commands.finish_recording();
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        cl_int expected = 0;
        for (cl_int value = 1; value <= 30; ++value) {
            const Arg arg{1, sizeof value, &value};
            REQUIRE(commands.change({Config{.command = launch, .num_args = 1, .arg_list = &arg}}) ==
                    CL_SUCCESS);
            REQUIRE(commands.replay(nullptr, nullptr,
                                    value % 3 == 0 ? std::vector<cl_event>{gate} : std::vector<cl_event>{}) ==
                    CL_SUCCESS);
            expected += value;
        }
        REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        REQUIRE(clReleaseEvent(gate) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        CHECK(f.read<cl_int>(sum, 1)[0] == expected);
    }
}

TEST_CASE("values of all sizes, pointers and samplers change between replays, also of a range in parts") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "typedef struct { char c; short s; long l; } Mixed;"
        "kernel void all(global long *out, char c, short3 s, long4 l, Mixed m, constant int *table,"
        "                global int *maybe, sampler_t unused) {"
        "  size_t i = get_global_id(0);"
        "  out[i] = i + c + 10 * s.z + 100 * l.w + 1000 * (m.c + m.s + m.l) + 100000 * table[1] +"
        "           (maybe ? 1000000 * maybe[0] : 0) + 10000000 * get_local_size(0);"
        "}",
        "all", "-cl-std=CL3.0");
    struct Mixed {
        cl_char c = 0;
        cl_short s = 0;
        cl_long l = 0;
    };
    constexpr size_t kOdd = 37, kLocal = 8;  // the last work-group is smaller
    cl_mem out = f.make_buffer(kOdd * sizeof(cl_long)), other = f.make_buffer(kOdd * sizeof(cl_long));
    std::array<cl_int, 2> one_two = {1, 2}, three_four = {3, 4};
    cl_mem table = f.make_buffer(sizeof one_two, one_two.data());
    cl_mem next_table = f.make_buffer(sizeof three_four, three_four.data());
    cl_int code = 1;
    cl_sampler sampler = clCreateSampler(f.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_char c = 1;
    cl_short4 s = {{0, 0, 2, 0}};
    cl_long4 l = {{0, 0, 0, 3}};
    Mixed m{1, 1, 2};
    cl_mem none = nullptr;
    const auto expected = [&](size_t i, cl_int in_table, cl_int in_maybe) {
        const size_t local = i < kOdd / kLocal * kLocal ? kLocal : kOdd % kLocal;
        return cl_long(i) + c + 10 * s.s[2] + 100 * l.s[3] + 1000 * (m.c + m.s + m.l) +
               100000 * cl_long{in_table} + 1000000 * cl_long{in_maybe} + 10000000 * cl_long(local);
    };
    const auto check = [&](cl_mem where, cl_int in_table, cl_int in_maybe) {
        const std::vector<cl_long> found = f.read<cl_long>(where, kOdd);
        for (size_t i = 0; i < kOdd; ++i) CHECK(found[i] == expected(i, in_table, in_maybe));
    };
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, c) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, s) == CL_SUCCESS);
    REQUIRE(set(kernel, 3, l) == CL_SUCCESS);
    REQUIRE(set(kernel, 4, m) == CL_SUCCESS);
    REQUIRE(set(kernel, 5, table) == CL_SUCCESS);
    REQUIRE(set(kernel, 6, none) == CL_SUCCESS);
    REQUIRE(set(kernel, 7, sampler) == CL_SUCCESS);
    const cl_command_properties_khr only_arguments[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                        CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    for (const cl_command_properties_khr* properties :
         {static_cast<const cl_command_properties_khr*>(nullptr), only_arguments}) {
        const OwnCommandBuffer commands(f.queue, kMutable);
        const size_t local = kLocal;
        const cl_mutable_command_khr launch = commands.run_changeable(kernel, kOdd, &local, properties);
        commands.finish_recording();
        const auto change = [&](const std::vector<Arg>& args) {
            return commands.change({Config{.command = launch,
                                           .num_args = static_cast<cl_uint>(args.size()),
                                           .work_dim = 1,
                                           .arg_list = args.data()}});
        };
        REQUIRE(commands.replay() == CL_SUCCESS);
        check(out, 2, 0);
        c = 7;
        CHECK(change({{1, sizeof c, &c}}) == CL_SUCCESS);
        REQUIRE(commands.replay() == CL_SUCCESS);
        check(out, 2, 0);
        s.s[2] = 5, l.s[3] = 6, m = {3, 4, 5};
        CHECK(change(
                  {{2, sizeof s, &s}, {3, sizeof l, &l}, {4, sizeof m, &m}, {7, sizeof sampler, &sampler}}) ==
              CL_SUCCESS);
        CHECK(
            change({{5, sizeof table, &next_table}, {6, sizeof table, &table}, {0, sizeof other, &other}}) ==
            CL_SUCCESS);
        REQUIRE(commands.replay() == CL_SUCCESS);
        check(other, 4, 1);
        // The wrong one is the last, and the kernel keeps what the others replace.
        const cl_char wrong = 9;
        CHECK(change({{1, sizeof wrong, &wrong}, {6, sizeof none, &none}, {2, 1, &wrong}}) ==
              CL_INVALID_ARG_SIZE);
        CHECK(change({{1, sizeof wrong, nullptr}}) == CL_INVALID_ARG_VALUE);
        REQUIRE(commands.replay() == CL_SUCCESS);
        check(other, 4, 1);
        CHECK(change({{6, sizeof none, &none}}) == CL_SUCCESS);
        REQUIRE(commands.replay() == CL_SUCCESS);
        check(other, 4, 0);
        c = 1, s.s[2] = 2, l.s[3] = 3, m = {1, 1, 2};
    }
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

TEST_CASE("a change while a replay waits or runs leaves that replay as it was") {
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0},
          cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
        Fixture f(properties);
        cl_kernel kernel =
            f.make_kernel("kernel void add(global int *sum, int value) { atomic_add(sum, value); }", "add");
        cl_int start = 0;
        cl_mem sum = f.make_buffer(sizeof start, &start), other = f.make_buffer(sizeof start, &start);
        REQUIRE(set(kernel, 0, sum) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, start) == CL_SUCCESS);
        const OwnCommandBuffer commands(f.queue, kSimultaneous);
        std::vector<cl_mutable_command_khr> launches;
        for (int i = 0; i < 9; ++i) launches.push_back(commands.run_changeable(kernel, 1));
        commands.finish_recording();
        cl_int expected = 0, expected_other = 0;
        for (cl_int turn = 1; turn <= 8; ++turn) {
            cl_int code = 1;
            cl_event gate = clCreateUserEvent(f.context, &code);
            cl_int value = 100 * turn;
            Arg arg{1, sizeof value, &value};
            // Nothing runs, so this is a store.
            REQUIRE(commands.change({Config{.command = launches[4], .num_args = 1, .arg_list = &arg}}) ==
                    CL_SUCCESS);
            REQUIRE(commands.replay(nullptr, nullptr, {gate}) == CL_SUCCESS);
            expected += value;
            // These are not: one replay waits, and perhaps one runs. The old buffer is released at the end.
            value = turn;
            Arg to{0, sizeof other, &other};
            REQUIRE(commands.change({Config{.command = launches[4], .num_args = 1, .arg_list = &arg},
                                     Config{.command = launches[4], .num_args = 1, .arg_list = &to}}) ==
                    CL_SUCCESS);
            REQUIRE(commands.replay(nullptr, nullptr, {gate}) == CL_SUCCESS);
            expected_other += value;
            Arg back{0, sizeof sum, &sum};
            REQUIRE(commands.change({Config{.command = launches[4], .num_args = 1, .arg_list = &back}}) ==
                    CL_SUCCESS);
            REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
            REQUIRE(clReleaseEvent(gate) == CL_SUCCESS);
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        }
        CHECK(f.read<cl_int>(sum, 1)[0] == expected);
        CHECK(f.read<cl_int>(other, 1)[0] == expected_other);
    }
}

TEST_CASE("many replays wait or run at once, each with its own values and buffers") {
    constexpr int kReplays = 300;  // more than have a place of their own
    constexpr cl_command_properties_khr kArguments[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                        CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    for (const bool is_simultaneous : {false, true})
        for (const bool waits : {false, true}) {
            CAPTURE(is_simultaneous);
            CAPTURE(waits);
            Fixture f;
            cl_kernel kernel = f.make_kernel(
                "kernel void pass(global int *own, global int *out, int value, int at) {"
                "  own[0] += value;"
                "  out[at] = own[0];"
                "}",
                "pass");
            std::vector<cl_int> none(2 * kReplays);
            cl_mem out = f.make_buffer(none.size() * sizeof(cl_int), none.data());
            const OwnCommandBuffer commands(f.queue, is_simultaneous ? kSimultaneous : kMutable);
            std::vector<cl_mutable_command_khr> launches;
            cl_mem own = f.make_buffer(sizeof(cl_int), none.data());
            for (cl_int i = 0; i < 2; ++i) {
                REQUIRE(set(kernel, 0, own) == CL_SUCCESS);
                REQUIRE(set(kernel, 1, out) == CL_SUCCESS);
                REQUIRE(set(kernel, 2, i) == CL_SUCCESS);
                REQUIRE(set(kernel, 3, i) == CL_SUCCESS);
                launches.push_back(commands.run_changeable(kernel, 1, nullptr, kArguments));
            }
            commands.finish_recording();
            cl_int code = 1;
            cl_event gate = clCreateUserEvent(f.context, &code);
            for (cl_int i = 0; i < kReplays; ++i) {
                // The first launch gets a buffer that the program forgets at once. The second one keeps its
                // own buffer now and then, which earlier replays share.
                const cl_int start = 1000 * i, at = i + kReplays, value = i % 7;
                cl_mem fresh = clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, sizeof start,
                                              const_cast<cl_int*>(&start), &code);
                REQUIRE(code == CL_SUCCESS);
                const Arg first[] = {{0, sizeof fresh, &fresh}, {2, sizeof value, &value}, {3, sizeof i, &i}},
                          second[] = {
                              {2, sizeof value, &value}, {3, sizeof at, &at}, {0, sizeof fresh, &fresh}};
                const cl_uint of_second = i % 5 == 0 ? 3 : 2;
                REQUIRE(commands.change({{.command = launches[0], .num_args = 3, .arg_list = first}}) ==
                        CL_SUCCESS);
                REQUIRE(
                    commands.change({{.command = launches[1], .num_args = of_second, .arg_list = second}}) ==
                    CL_SUCCESS);
                CHECK(clReleaseMemObject(fresh) == CL_SUCCESS);
                REQUIRE(commands.replay(nullptr, nullptr,
                                        waits ? std::vector<cl_event>{gate} : std::vector<cl_event>{}) ==
                        CL_SUCCESS);
            }
            REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
            REQUIRE(clReleaseEvent(gate) == CL_SUCCESS);
            const std::vector<cl_int> all = f.read<cl_int>(out, 2 * kReplays);
            cl_int in_second = 0;
            for (cl_int i = 0; i < kReplays; ++i) {
                CAPTURE(i);
                REQUIRE(all[i] == 1000 * i + i % 7);
                if (i % 5 == 0) in_second = all[i];  // both launches have the same buffer
                in_second += i % 7;
                REQUIRE(all[i + kReplays] == in_second);
            }
        }
}

TEST_CASE("a replay that waits keeps a buffer that a change replaced, also when the command-buffer is gone") {
    constexpr size_t kBytes = 4096;
    const std::vector<cl_int> zeros(kBytes / sizeof(cl_int));
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue other = f.make_queue(0);
    cl_kernel kernel = f.make_kernel(
        "kernel void put(global int *own, int value) { own[get_global_id(0)] = value; }", "put");
    cl_int code = 1, value = 1;
    cl_mem replaced = clCreateBuffer(f.context, 0, kBytes, nullptr, &code), next = f.make_buffer(kBytes);
    REQUIRE(code == CL_SUCCESS);
    REQUIRE(set(kernel, 0, replaced) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, value) == CL_SUCCESS);
    cl_event gate = clCreateUserEvent(f.context, &code), second = nullptr;
    {
        const OwnCommandBuffer commands(f.queue, kSimultaneous);
        const cl_mutable_command_khr launch = commands.run_changeable(kernel, zeros.size());
        commands.finish_recording();
        REQUIRE(set(kernel, 0, next) == CL_SUCCESS);  // the kernel would keep the other one
        const auto change = [&](const Arg& arg) {
            REQUIRE(commands.change({Config{.command = launch, .num_args = 1, .arg_list = &arg}}) ==
                    CL_SUCCESS);
        };
        REQUIRE(commands.replay(nullptr, nullptr, {gate}) == CL_SUCCESS);
        value = 2;
        change({1, sizeof value, &value});
        REQUIRE(commands.replay(nullptr, &second) == CL_SUCCESS);
        change({0, sizeof next, &next});
        REQUIRE(clReleaseMemObject(replaced) == CL_SUCCESS);
        REQUIRE(clWaitForEvents(1, &second) == CL_SUCCESS);
    }
    std::vector<cl_mem> others;
    for (int i = 0; i < 16; ++i) {
        others.push_back(f.make_buffer(kBytes));
        REQUIRE(clEnqueueWriteBuffer(other, others.back(), CL_FALSE, 0, kBytes, zeros.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
    }
    REQUIRE(clFinish(other) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    for (cl_mem each : others) CHECK(f.read<cl_int>(each, zeros.size()) == zeros);
    for (cl_event event : {gate, second}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("a replay that waits keeps its values when launches beside it become those that are recorded") {
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_int zero = 0, value = 1, code = 1;
    cl_mem pointed =
        clCreateBufferWithProperties(f.context, properties, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &code);
    if (code == CL_INVALID_OPERATION) return;  // the device has no addresses
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(pointed);
    cl_kernel kernel =
        f.make_kernel("kernel void add(global int *sum, int value) { atomic_add(sum, value); }", "add");
    cl_mem sum = f.make_buffer(sizeof zero, &zero), other = f.make_buffer(sizeof zero, &zero);
    const OwnCommandBuffer commands(f.queue, kSimultaneous);
    REQUIRE(set(kernel, 1, value) == CL_SUCCESS);
    // A launch with a device pointer is recorded for each replay, and takes those beside it with it.
    REQUIRE(extension_function<clSetKernelArgDevicePointerEXT_fn>("clSetKernelArgDevicePointerEXT")(
                kernel, 0,
                info<cl_mem_device_address_ext>(clGetMemObjectInfo, pointed, CL_MEM_DEVICE_ADDRESS_EXT)) ==
            CL_SUCCESS);
    const cl_mutable_command_khr first = commands.run_changeable(kernel, 1);
    REQUIRE(set(kernel, 0, sum) == CL_SUCCESS);
    const cl_mutable_command_khr second = commands.run_changeable(kernel, 1);
    commands.finish_recording();
    const auto change = [&](cl_mutable_command_khr launch, const Arg& arg) {
        REQUIRE(commands.change({Config{.command = launch, .num_args = 1, .arg_list = &arg}}) == CL_SUCCESS);
    };
    const auto replay = [&] {
        cl_event event = nullptr;
        REQUIRE(commands.replay(nullptr, &event) == CL_SUCCESS);
        REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
        REQUIRE(clReleaseEvent(event) == CL_SUCCESS);
    };
    cl_event gate = clCreateUserEvent(f.context, &code);
    REQUIRE(commands.replay(nullptr, nullptr, {gate}) == CL_SUCCESS);
    change(first, {0, sizeof other, &other});
    replay();
    value = 20;
    change(second, {1, sizeof value, &value});
    replay();
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(f.read<cl_int>(sum, 1)[0] == 1 + 20 + 1);
    CHECK(f.read<cl_int>(other, 1)[0] == 2);
    CHECK(f.read<cl_int>(pointed, 1)[0] == 1);
    CHECK(clReleaseEvent(gate) == CL_SUCCESS);
}

TEST_CASE("arguments may be set when the command-buffer is final") {
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void one(global int *out) { *out = 1; }", "one");
    const cl_command_properties_khr fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    const OwnCommandBuffer commands(f.queue, kMutable), constant(f.queue);
    const size_t items = 1;
    cl_mutable_command_khr launch = nullptr;
    const auto recorded = [&](const OwnCommandBuffer& buffer, const cl_command_properties_khr* properties) {
        return buffer.nd_range_kernel(buffer.handle, nullptr, properties, kernel, 1, nullptr, &items, nullptr,
                                      0, nullptr, nullptr, &launch);
    };
    CHECK(recorded(constant, fields) == CL_INVALID_KERNEL_ARGS);
    CHECK(recorded(commands, nullptr) == CL_INVALID_KERNEL_ARGS);
    REQUIRE(recorded(commands, fields) == CL_SUCCESS);
    commands.finish_recording();
    CHECK(commands.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    CHECK(commands.replay() == CL_INVALID_OPERATION);
    cl_mem out = f.make_buffer(4);
    const Arg arg{0, sizeof out, &out};
    REQUIRE(commands.change({Config{.command = launch, .num_args = 1, .arg_list = &arg}}) == CL_SUCCESS);
    CHECK(commands.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    CHECK(first_after_replay(f, commands, out) == 1);
}

TEST_CASE("kernels take other shared memory and images between replays") {
    Fixture f;
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    std::array<cl_mem, 2> images = {};
    for (cl_uint i = 0; i < 2; ++i) {
        cl_int code = 1;
        cl_uint texel = 10 + i;
        f.buffers.push_back(clCreateImage(f.context, CL_MEM_COPY_HOST_PTR, &format, &desc, &texel, &code));
        REQUIRE(code == CL_SUCCESS);
        images[i] = f.buffers.back();
    }
    cl_kernel kernel = f.make_kernel(
        "kernel void get(global uint *out, read_only image2d_t image) { *out = read_imageui(image, "
        "(int2)(0)).x; }",
        "get");
    cl_mem out = f.make_buffer(4);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, images[0]) == CL_SUCCESS);
    const OwnCommandBuffer commands(f.queue, kMutable);
    const cl_mutable_command_khr launch = commands.run_changeable(kernel, 1);
    commands.finish_recording();
    CHECK(first_after_replay(f, commands, out) == 10);
    const Arg other{1, sizeof images[1], &images[1]};
    REQUIRE(commands.change({Config{.command = launch, .num_args = 1, .arg_list = &other}}) == CL_SUCCESS);
    CHECK(first_after_replay(f, commands, out) == 11);

    if (answer<cl_device_svm_capabilities>(f, CL_DEVICE_SVM_CAPABILITIES) == 0) return;
    void* const shared = clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0);
    const Arg pointer{0, 0, shared};
    const icd::MutableDispatchExecInfo info{CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof shared, &shared};
    REQUIRE(commands.change({Config{.command = launch,
                                    .num_svm_args = 1,
                                    .num_exec_infos = 1,
                                    .arg_svm_list = &pointer,
                                    .exec_info_list = &info}}) == CL_SUCCESS);
    REQUIRE(commands.replay() == CL_SUCCESS);
    cl_uint found = 0;
    REQUIRE(clEnqueueSVMMemcpy(f.queue, CL_TRUE, &found, shared, 4, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(found == 11);
    clSVMFree(f.context, shared);
}

TEST_CASE("launches that change in any way keep their order and their values among many that stay") {
    constexpr cl_uint kLaunches = 150, kRows = 20, kColumns = 40;
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "kernel void put(global uint *out, uint row, uint value) {"
        "  global uint *at = out + row * 40 + get_global_id(0);"
        "  *at = *at * 3 + value + get_local_size(0);"
        "}",
        "put");
    std::vector<cl_uint> model(size_t{kRows} * kColumns);
    cl_mem out = f.make_buffer(model.size() * sizeof(cl_uint), model.data());
    struct Launch {
        cl_mutable_command_khr handle = nullptr;
        cl_uint row = 0, value = 0;
        size_t offset = 0, size = 0, local = 1;
    };
    std::vector<Launch> launches(kLaunches);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    const OwnCommandBuffer commands(f.queue, kSimultaneous);
    for (cl_uint i = 0; i < kLaunches; ++i) {
        Launch& launch = launches[i];
        launch.row = i % kRows;
        launch.value = i;
        launch.size = 8;
        REQUIRE(set(kernel, 1, launch.row) == CL_SUCCESS);
        REQUIRE(set(kernel, 2, launch.value) == CL_SUCCESS);
        launch.handle = commands.run_changeable(kernel, launch.size, &launch.local);
    }
    commands.finish_recording();
    std::mt19937 random(38);
    const auto below = [&](cl_uint limit) { return static_cast<cl_uint>(random() % limit); };
    for (int turn = 0; turn < 60; ++turn) {
        for (cl_uint count = below(6); count > 0; --count) {
            Launch& launch = launches[below(kLaunches)];
            Config config{.command = launch.handle};
            std::vector<Arg> args;
            if (below(2)) {
                launch.value = below(1000);
                args.push_back({2, sizeof launch.value, &launch.value});
            }
            if (below(4) == 0) {
                launch.row = below(kRows);
                args.push_back({1, sizeof launch.row, &launch.row});
            }
            if (below(3) == 0) {  // how it was recorded
                launch.offset = below(8);
                launch.local = 1 + below(4);
                launch.size = launch.local * (1 + below(8));
                config.work_dim = 1;
                config.global_work_offset = &launch.offset;
                config.global_work_size = &launch.size;
                config.local_work_size = &launch.local;
            }
            config.num_args = static_cast<cl_uint>(args.size());
            config.arg_list = args.empty() ? nullptr : args.data();
            REQUIRE(commands.change({config}) == CL_SUCCESS);
        }
        REQUIRE(commands.replay() == CL_SUCCESS);
        for (const Launch& launch : launches)
            for (size_t x = launch.offset; x < launch.offset + launch.size; ++x) {
                cl_uint& at = model[launch.row * kColumns + x];
                at = at * 3 + launch.value + static_cast<cl_uint>(launch.local);
            }
        if (turn % 16 == 15) REQUIRE(f.read<cl_uint>(out, model.size()) == model);
    }
    CHECK(f.read<cl_uint>(out, model.size()) == model);
}

TEST_CASE("handles of commands answer queries") {
    Fixture f;
    const Store store(f);
    const OwnCommandBuffer commands(f.queue, kMutable);
    const size_t eight = 8;
    const cl_command_properties_khr fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
    const cl_mutable_command_khr launch = commands.run_changeable(store.kernel, kItems, &eight, fields);
    const cl_mutable_command_khr plain = commands.run_changeable(store.kernel, kItems);
    commands.finish_recording();
    const auto get = commands.get_command_info;
    CHECK(info<cl_command_queue>(get, launch, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR) == f.queue);
    CHECK(info<cl_command_buffer_khr>(get, launch, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR) == commands.handle);
    CHECK(info<cl_command_type>(get, launch, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR) ==
          CL_COMMAND_NDRANGE_KERNEL);
    CHECK(info<cl_kernel>(get, launch, CL_MUTABLE_DISPATCH_KERNEL_KHR) == store.kernel);
    CHECK(info<cl_uint>(get, launch, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR) == 1);
    using Sizes = std::vector<size_t>;
    CHECK(list<size_t>(get, launch, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR) == Sizes{0});
    CHECK(list<size_t>(get, launch, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR) == Sizes{kItems});
    CHECK(list<size_t>(get, launch, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR) == Sizes{8});
    CHECK(list<size_t>(get, plain, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR) == Sizes{0});
    CHECK(list<cl_command_properties_khr>(get, launch, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR) ==
          std::vector<cl_command_properties_khr>(std::begin(fields), std::end(fields)));
    CHECK(list<cl_command_properties_khr>(get, plain, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR).empty());
    const size_t sixteen = 16;
    CHECK(commands.change({Config{.command = launch, .global_work_size = &sixteen}}) == CL_SUCCESS);
    CHECK(list<size_t>(get, launch, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR) == Sizes{16});
    cl_uint value = 0;
    CHECK(get(nullptr, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 4, &value, nullptr) ==
          CL_INVALID_MUTABLE_COMMAND_KHR);
    CHECK(get(launch, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 2, &value, nullptr) == CL_INVALID_VALUE);
    CHECK(get(launch, CL_QUEUE_CONTEXT, 4, &value, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("a wrong change has an error of its own, and changes nothing") {
    Fixture f;
    const Store store(f);
    const OwnCommandBuffer commands(f.queue, kMutable), other(f.queue, kMutable), constant(f.queue);
    const size_t eight = 8, ten = 10, zero = 0;
    const cl_command_properties_khr none[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
    const cl_mutable_command_khr launch = commands.run_changeable(store.kernel, kItems, &eight);
    const cl_mutable_command_khr fixed = commands.run_changeable(store.kernel, kItems, &eight, none);
    const cl_mutable_command_khr foreign = other.run_changeable(store.kernel, kItems, &eight);
    const cl_mutable_command_khr unchangeable = constant.run_changeable(store.kernel, kItems, &eight);
    CHECK(commands.change({Config{.command = launch}}) == CL_INVALID_OPERATION);  // it is not final
    commands.finish_recording();
    other.finish_recording();
    constant.finish_recording();
    CHECK(constant.change({Config{.command = unchangeable}}) == CL_INVALID_OPERATION);
    CHECK(commands.change({Config{.command = launch}}) == CL_SUCCESS);
    CHECK(commands.update(commands.handle, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(commands.change({Config{.command = nullptr}}) == CL_INVALID_MUTABLE_COMMAND_KHR);
    CHECK(commands.change({Config{.command = foreign}}) == CL_INVALID_MUTABLE_COMMAND_KHR);
    const cl_int value = 42, bad = 5;
    const Arg right{1, sizeof value, &value}, wrong_index{2, sizeof bad, &bad}, wrong_size{1, 1, &bad};
    const Arg null_value{1, sizeof bad, nullptr};
    const auto with_arg = [&](const Arg& arg) {
        return Config{.command = launch, .num_args = 1, .arg_list = &arg};
    };
    for (const auto& [arg, code] : {std::pair{&wrong_index, CL_INVALID_ARG_INDEX},
                                    {&wrong_size, CL_INVALID_ARG_SIZE},
                                    {&null_value, CL_INVALID_ARG_VALUE}})
        CHECK(commands.change({with_arg(right), with_arg(*arg)}) == code);
    CHECK(commands.change({Config{.command = launch, .num_args = 1}}) == CL_INVALID_VALUE);
    CHECK(commands.change({Config{.command = launch, .arg_list = &right}}) == CL_INVALID_VALUE);
    CHECK(commands.change({Config{.command = launch, .num_svm_args = 1}}) == CL_INVALID_VALUE);
    CHECK(commands.change({Config{.command = launch, .num_exec_infos = 1}}) == CL_INVALID_VALUE);
    CHECK(commands.change({Config{.command = launch, .work_dim = 2}}) == CL_INVALID_OPERATION);
    CHECK(commands.change({Config{.command = launch, .global_work_size = &ten}}) == CL_INVALID_OPERATION);
    CHECK(commands.change({Config{.command = launch, .local_work_size = &zero}}) ==
          CL_INVALID_WORK_GROUP_SIZE);
    CHECK(commands.change({Config{.command = fixed, .num_args = 1, .arg_list = &right}}) ==
          CL_INVALID_OPERATION);
    CHECK(commands.change({Config{.command = fixed, .global_work_size = &eight}}) == CL_INVALID_OPERATION);
    CHECK(commands.change({Config{.command = fixed, .local_work_size = &eight}}) == CL_INVALID_OPERATION);
    CHECK(commands.change({Config{.command = fixed, .global_work_offset = &eight}}) == CL_INVALID_OPERATION);
    const void* config = &right;
    const cl_command_buffer_update_type_khr unknown = 77, known = icd::kMutableDispatchConfig;
    CHECK(commands.update(commands.handle, 1, &unknown, &config) == CL_INVALID_VALUE);
    CHECK(commands.update(commands.handle, 1, nullptr, &config) == CL_INVALID_VALUE);
    CHECK(commands.update(commands.handle, 0, &known, nullptr) == CL_INVALID_VALUE);
    CHECK(commands.update(commands.handle, 1, &known, nullptr) == CL_INVALID_VALUE);
    config = nullptr;
    CHECK(commands.update(commands.handle, 1, &known, &config) == CL_INVALID_VALUE);
    CHECK(commands.update(nullptr, 1, &known, &config) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(first_after_replay(f, commands, store.out) == 8001);

    // what recording refuses
    const OwnCommandBuffer recording(f.queue, kMutable);
    const size_t items = kItems;
    const auto recorded = [&](cl_command_properties_khr name, cl_command_properties_khr bits,
                              const size_t* local) {
        const cl_command_properties_khr properties[] = {name, bits, 0};
        return recording.nd_range_kernel(recording.handle, nullptr, properties, store.kernel, 1, nullptr,
                                         &items, local, 0, nullptr, nullptr, nullptr);
    };
    CHECK(recorded(CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 20, nullptr) == CL_INVALID_OPERATION);
    CHECK(recorded(CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, nullptr) == CL_INVALID_VALUE);
    CHECK(recorded(CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, &eight) == CL_INVALID_VALUE);
    CHECK(recorded(CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, &eight) == CL_SUCCESS);
    CHECK(recorded(77, 1, &eight) == CL_INVALID_VALUE);
    cl_int code = 1;
    const auto created = [&](std::vector<cl_command_buffer_properties_khr> properties) {
        CHECK(recording.create(1, &f.queue, properties.data(), &code) == nullptr);
        return code;
    };
    CHECK(created({CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}) == CL_INVALID_VALUE);
}

TEST_CASE("threads change a command-buffer that others replay") {
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const Store store(f);
    const OwnCommandBuffer commands(f.queue, kSimultaneous);
    std::vector<cl_mutable_command_khr> launches;
    for (int i = 0; i < 4; ++i) launches.push_back(commands.run_changeable(store.kernel, kItems));
    commands.finish_recording();
    std::vector<int> failures(4);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (cl_int turn = 0; turn < 50; ++turn) {
                const cl_int value = 5;
                const Arg arg{1, sizeof value, &value};
                failures[i] +=
                    commands.change({Config{.command = launches[i], .num_args = 1, .arg_list = &arg}}) !=
                    CL_SUCCESS;
                failures[i] += commands.replay() != CL_SUCCESS;
            }
        });
    for (std::thread& thread : threads) thread.join();
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(failures == std::vector<int>(4));
    // The queue is out of order: a replay with the first values may have ended last. Now all are changed.
    REQUIRE(commands.replay() == CL_SUCCESS);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(f.read<cl_int>(store.out, 1)[0] % 1000 == 5);
}

}  // namespace caldera::driver_test
