// SPDX-License-Identifier: Apache-2.0
// What needs a device: the one that CALDERA_DEVICE names, lavapipe in CI.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "caldera/caldera.h"
#include "tests/support/why.h"

using namespace caldera;

namespace {

template <class T>
T check(Result<T> result) {
    REQUIRE_MESSAGE(result, why(result));
    return result.take();
}

const Device& device() {
    static const Device opened = check(Device::open());
    return opened;
}

Kernel kernel_of(const char* source, const char* name, const std::string& options = {}) {
    const ProgramResult built =
        Program::build(device(), source, "test.cl", {.compile = {.options = options}});
    REQUIRE_MESSAGE(built, built.log);
    return check(Kernel::create(built.program, name));
}

template <class T>
Buffer buffer_of(Queue& queue, const std::vector<T>& elements) {
    Buffer buffer = check(Buffer::create(device(), elements.size() * sizeof(T)));
    check(queue.write(buffer, elements));
    return buffer;
}

}  // namespace

TEST_CASE("devices are listed") {
    const std::vector<DeviceInfo> devices = check(list_devices());
    CHECK(std::ranges::any_of(devices, [](const DeviceInfo& info) { return info.name == device().name(); }));
    CHECK(device().max_buffer_bytes() > 0);
    CHECK(device().vk() != nullptr);
    const auto none = Device::open({.select = "no such device"});
    REQUIRE_FALSE(none);
    CHECK_FALSE(none.error().message.empty());
}

TEST_CASE("handles keep what they need") {
    Queue queue = check(Queue::create(device()));
    Event event;
    Buffer result = check(Buffer::create(device(), 4096 * sizeof(uint32_t)));
    {
        Kernel kernel = kernel_of(
            "kernel void add(global uint *to, global const uint *from, uint n) {"
            "    size_t i = get_global_id(0); to[i] = from[i] + n; }",
            "add");
        std::vector<uint32_t> numbers(4096);
        std::iota(numbers.begin(), numbers.end(), 0u);
        check(kernel.set_all(result, buffer_of(queue, numbers), 5u));
        event = check(queue.dispatch(kernel, {.global = {4096, 1, 1}}));
    }  // the kernel, its program and a buffer have no handle any more
    std::vector<uint32_t> out(4096);
    check(queue.read(result, out));
    for (uint32_t i = 0; i < 4096; ++i) REQUIRE(out[i] == i + 5);
    CHECK(check(event.is_complete()));
    queue = {};
    check(event.wait());  // it keeps the queue
}

TEST_CASE("arguments are checked") {
    Kernel kernel = kernel_of("kernel void k(global int *p, int n, local int *l) { p[n] = l[n]; }", "k");
    CHECK(kernel.unset_argument() == 0u);
    CHECK_FALSE(kernel.set(1, 1.0));  // 8 bytes
    CHECK_FALSE(kernel.set(0, 1));    // no pointer
    CHECK_FALSE(kernel.set(7, 1));    // no such argument
    CHECK_FALSE(kernel.set_local(1, 4));
    check(kernel.set_all(check(Buffer::create(device(), 64)), 3));
    CHECK(kernel.unset_argument() == 2u);
    Queue queue = check(Queue::create(device()));
    CHECK_FALSE(queue.dispatch(kernel, {}));
    check(kernel.set_local(2, 64));
    CHECK(kernel.local_bytes() == 64);
    CHECK_FALSE(kernel.unset_argument());
    check(queue.dispatch(kernel, {}));
}

TEST_CASE("a pointer is within its buffer, or to its end") {
    for (const Abi abi : {Abi::Addresses, Abi::Descriptors}) {
        const ProgramResult built =
            Program::build(device(), "kernel void k(global int *p) { p[0] = 1; }", "test.cl", {.abi = abi});
        REQUIRE_MESSAGE(built, built.log);
        Kernel kernel = check(Kernel::create(built.program, "k"));
        const Buffer buffer = check(Buffer::create(device(), 1024));
        check(kernel.set(0, buffer, 512));
        check(kernel.set(0, buffer, 1024));
        for (const uint64_t offset : {uint64_t{1025}, uint64_t{2048}, ~uint64_t{255}}) {
            const Result<Done> beyond = kernel.set(0, buffer, offset);
            REQUIRE_FALSE(beyond);
            CHECK(beyond.error().message == "argument 0 ('p') of kernel 'k': the offset " +
                                                std::to_string(offset) +
                                                " is beyond the buffer of 1024 bytes");
        }
    }
}

TEST_CASE("objects of another device, and handles of none, are declined") {
    const Device other = check(Device::open());
    Queue queue = check(Queue::create(device()));
    Kernel kernel = kernel_of("kernel void k(global int *p, read_only image2d_t i, read_only pipe int q) {}",
                              "k", "-cl-std=CL2.0");
    const Buffer own = check(Buffer::create(device(), 64)), foreign = check(Buffer::create(other, 64));
    const std::array<std::byte, 4> bytes = {};
    std::array<std::byte, 4> out = {};
    const auto fault = [](const auto& result) { return result ? std::string() : result.error().message; };
    const std::string no_buffer = "there is no buffer", other_buffer = "the buffer is of another device";
    for (const auto& [buffer, text] : {std::pair(foreign, other_buffer), std::pair(Buffer(), no_buffer)}) {
        CHECK(fault(queue.upload(buffer, 0, bytes)) == text);
        CHECK(fault(queue.download(buffer, 0, out)) == text);
        CHECK(fault(queue.copy(buffer, 0, own, 0, 4)) == text);
        CHECK(fault(queue.copy(own, 0, buffer, 0, 4)) == text);
        CHECK(fault(queue.fill(buffer, 0, 4, bytes)) == text);
        CHECK(fault(kernel.set(0, buffer)) == "argument 0 ('p') of kernel 'k': " + text);
        CHECK(fault(kernel.set(3, buffer)) == text);
    }
    CHECK(fault(kernel.set(1, check(Image::create(other, {.width = 4})))) ==
          "argument 1 ('i') of kernel 'k': the image is of another device");
    CHECK(fault(kernel.set(1, Image())) == "argument 1 ('i') of kernel 'k': there is no image");
    CHECK(fault(kernel.set(2, check(Pipe::create(other, 4, 4)))) ==
          "argument 2 ('q') of kernel 'k': the pipe is of another device");
    check(kernel.set(0, own));

    Queue others = check(Queue::create(other));
    CHECK(fault(others.dispatch(kernel, {})) == "the kernel is of another device");
    CHECK(fault(others.dispatch(Kernel(), {})) == "there is no kernel");
    CHECK(fault(others.wait_for(check(queue.marker()))) == "the event is of another device");
    CHECK(fault(others.wait_for(Event())) == "there is no event");
    DeviceQueue device_queue = check(DeviceQueue::create(other));
    CHECK(fault(device_queue.run(queue, kernel, {})) == "the queue is of another device");
    CHECK(fault(device_queue.run(others, kernel, {})) == "the kernel is of another device");
    CHECK(fault(check(Recording::create(other)).record(nullptr, kernel, {})) ==
          "the kernel is of another device");
    check(others.upload(foreign, 0, bytes));  // its own
}

TEST_CASE("each call of a handle of none fails and says so") {
    const auto fault = [](const auto& result) { return result ? std::string() : result.error().message; };
    const std::string no_device = "there is no device";
    CHECK(fault(Queue::create(Device())) == no_device);
    CHECK(fault(DeviceQueue::create(Device())) == no_device);
    CHECK(fault(Buffer::create(Device(), 4)) == no_device);
    CHECK(fault(Image::create(Device(), {.width = 4})) == no_device);
    CHECK(fault(Pipe::create(Device(), 4, 4)) == no_device);
    CHECK(fault(Program::load(Device(), Translation())) == no_device);
    for (const ProgramResult& built :
         {Program::build(Device(), "kernel void k() {}", "k.cl"),
          Program::build(Device(), std::span<const uint32_t>()), Program::build_file(Device(), "k.cl")}) {
        CHECK(!built);
        CHECK(built.log.find(no_device) != std::string::npos);
    }
    // An exception that nobody catches shows the sentence.
    std::string what;
    try {
        Queue::create(Device()).take();
    } catch (const std::bad_variant_access& thrown) { what = thrown.what(); }
    CHECK(what == no_device);
    // What a program with a mistake has built.
    const ProgramResult wrong = Program::build(device(), "kernel void k() { mistake; }", "k.cl");
    CHECK(!wrong);
    CHECK(fault(Kernel::create(wrong.program, "k")) == "there is no program");

    const std::string no_kernel = "there is no kernel", no_queue = "there is no queue";
    const Buffer buffer = check(Buffer::create(device(), 64));
    Kernel kernel;
    CHECK(fault(kernel.set(0, 5)) == no_kernel);
    CHECK(fault(kernel.set(0, buffer)) == no_kernel);
    CHECK(fault(kernel.set(0, Image())) == no_kernel);
    CHECK(fault(kernel.set(0, Pipe())) == no_kernel);
    CHECK(fault(kernel.set(0, DeviceQueue())) == no_kernel);
    CHECK(fault(kernel.set(0, Sampler())) == no_kernel);
    CHECK(fault(kernel.set_local(0, 4)) == no_kernel);
    CHECK(fault(kernel.set_address(0, 4)) == no_kernel);
    CHECK(image_access(kernel).empty());
    CHECK(kernel_access(kernel).writes != 0);
    Queue queue;
    std::array<std::byte, 4> bytes = {};
    CHECK(fault(queue.upload(buffer, 0, bytes)) == no_queue);
    CHECK(fault(queue.download(buffer, 0, bytes)) == no_queue);
    CHECK(fault(queue.copy(buffer, 0, buffer, 4, 4)) == no_queue);
    CHECK(fault(queue.fill(buffer, 0, 4, bytes)) == no_queue);
    CHECK(fault(queue.dispatch(kernel, {})) == no_queue);
    CHECK(fault(queue.marker()) == no_queue);
    CHECK(fault(queue.wait_for(Event())) == no_queue);
    CHECK(fault(queue.wait_for(nullptr, 1)) == no_queue);
    CHECK(fault(queue.signal(nullptr, 1)) == no_queue);
    CHECK(fault(queue.flush()) == no_queue);
    CHECK(fault(queue.finish()) == no_queue);
    queue.order();
    CHECK(fault(DeviceQueue().run(queue, kernel, {})) == "there is no device queue");
    CHECK(fault(Recording().record(nullptr, kernel, {})) == "there is no recording");
    RequiredFeatures features;
    CHECK(fault(features.add("shaderFloat64")) == "there is no list of features");
    CHECK(fault(features.add(ProgramInterface())) == "there is no list of features");
    CHECK(fault(features.enable_in(nullptr)) == "there is no list of features");
    CHECK(fault(Event().is_complete()) == "there is no event");
    CHECK(fault(Event().wait()) == "there is no event");
    CHECK(fault(Event().timing()) == "there is no event");
}

TEST_CASE("copies and fills") {
    Queue queue = check(Queue::create(device(), {.in_order = true, .timestamps = true}));
    const Buffer one = buffer_of(queue, std::vector<uint32_t>{1, 2, 3, 4}),
                 two = buffer_of(queue, std::vector<uint32_t>(4));
    check(queue.copy(one, 4, two, 0, 8));
    const uint16_t pattern = 0xabcd;
    check(queue.fill(two, 8, 4, std::as_bytes(std::span(&pattern, 1))));
    const Event marker = check(queue.marker());
    check(marker.wait());
    std::vector<uint32_t> out(4);
    check(queue.read(two, out));
    CHECK(out == std::vector<uint32_t>{2, 3, 0xabcdabcd, 0});
    CHECK_FALSE(queue.copy(one, 12, two, 0, 8));  // past the end
    // Vulkan 1.3, VUID-vkCmdCopyBuffer-pRegions-00117
    CHECK(queue.copy(one, 0, one, 4, 8).error().message ==
          "the 8 bytes at 0 overlap those at 4 of the same buffer, to which they would be copied");
    CHECK_FALSE(queue.copy(one, 4, one, 0, 8));
    CHECK_FALSE(queue.copy(one, 4, one, 4, 4));
    check(queue.copy(one, 0, one, 8, 8));
    check(queue.read(one, out));
    CHECK(out == std::vector<uint32_t>{1, 2, 1, 2});
    CHECK_FALSE(Buffer::create(device(), 0));
    const Buffer seen = check(Buffer::create(device(), 16, MemoryUse::Upload));
    CHECK(seen.mapped() != nullptr);
    CHECK(seen.size_bytes() == 16);
}

TEST_CASE("queues wait for each other, and time commands") {
    Queue first = check(Queue::create(device(), {.timestamps = true})),
          second = check(Queue::create(device(), {.in_order = false}));
    Kernel kernel = kernel_of("kernel void k(global int *p) { *p += 1; }", "k");
    const Buffer buffer = buffer_of(first, std::vector<int32_t>{0});
    check(kernel.set_all(buffer));
    const Event event = check(first.dispatch(kernel, {}));
    check(second.wait_for(event));
    check(second.dispatch(kernel, {}));
    second.order();
    check(second.dispatch(kernel, {}));
    check(second.flush());
    check(second.finish());
    std::vector<int32_t> out(1);
    check(second.read(buffer, out));
    CHECK(out[0] == 3);
    if (device().has_timestamps()) {
        const Timing timing = check(event.timing());
        CHECK(timing.end_ns >= timing.start_ns);
    }
    CHECK_FALSE(check(second.marker()).timing());
}

TEST_CASE("images and samplers") {
    Queue queue = check(Queue::create(device()));
    const char* const source = R"(
        kernel void k(read_only image2d_t image, sampler_t sampler, global float4 *out) {
            *out = read_imagef(image, sampler, (float2)(0.75f, 0.25f));
        })";
    Kernel kernel = kernel_of(source, "k");
    ProgramResult by_descriptors = Program::build(device(), source, "k.cl", {.abi = Abi::Descriptors});
    REQUIRE_MESSAGE(by_descriptors, by_descriptors.log);
    Kernel bound = check(Kernel::create(by_descriptors.program, "k"));
    Image image = check(Image::create(device(), {.width = 2, .height = 2}));
    CHECK(image.texel_bytes() == 4);
    CHECK(image.row_pitch_bytes() == 8);
    CHECK(image.slice_pitch_bytes() == 16);
    const std::vector<uint8_t> texels = {0, 0, 0, 0, 255, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0};
    check(queue.write(image.texels(), texels));
    const Buffer out = buffer_of(queue, std::vector<float>(4));
    check(kernel.set_all(image, Sampler{.normalized = true}, out));
    const Buffer other = buffer_of(queue, std::vector<float>(4));
    check(bound.set_all(image, Sampler{.normalized = true}, other));
    image = {};  // the kernels keep it
    check(queue.dispatch(kernel, {}));
    check(queue.dispatch(bound, {}));
    for (const Buffer& each : {out, other}) {
        std::vector<float> colour(4);
        check(queue.read(each, colour));
        CHECK(colour == std::vector<float>{1, 0, 1, 1});
    }

    CHECK_FALSE(Image::create(device(), {.width = 0}));
    CHECK_FALSE(Image::create(device(), {.depth = 2}));
    CHECK_FALSE(Image::create(device(), {.layers = 2}));
    // OpenCL API 5.3.1.1.
    for (const auto& [order, type] : {std::pair{ChannelOrder::RGBA, ChannelType::UnormShort565},
                                      {ChannelOrder::RGB, ChannelType::UnormInt8},
                                      {ChannelOrder::SRGBA, ChannelType::Float},
                                      {ChannelOrder::BGRA, ChannelType::Float},
                                      {ChannelOrder::Luminance, ChannelType::SignedInt8},
                                      {ChannelOrder::Intensity, ChannelType::UnsignedInt32},
                                      {ChannelOrder::Depth, ChannelType::UnormInt8}}) {
        CAPTURE(static_cast<uint32_t>(order));
        CHECK_FALSE(Image::create(device(), {.order = order, .type = type}));
    }
    const auto depths = [&](ImageShape shape) {
        return Image::create(device(),
                             {.shape = shape, .order = ChannelOrder::Depth, .type = ChannelType::Float});
    };
    CHECK(depths(ImageShape::Image2D));
    CHECK(depths(ImageShape::Image2DArray));
    CHECK_FALSE(depths(ImageShape::Image3D));
    for (const auto shape : {static_cast<ImageShape>(7), static_cast<ImageShape>(77)}) {
        const Result<Image> none = Image::create(device(), {.shape = shape});
        CHECK((!none && none.error().message == "there is no such shape of images"));
    }
    // The product of the sizes is 2^64 + 32, and a row of the other image has 2^32 bytes.
    constexpr uint32_t kHuge = 3649452082, kManyRows = 3 * 2833 * 37171;
    CHECK_FALSE(Image::create(device(), {.type = ChannelType::Float, .width = kHuge, .height = kManyRows}));
    CHECK_FALSE(Image::create(
        device(), {.shape = ImageShape::Image3D, .width = 1u << 31, .height = 1u << 31, .depth = 1u << 31}));
    CHECK_FALSE(Image::create(device(), {.type = ChannelType::Float, .width = 1u << 28, .height = 2}));
    CHECK(Image::create(device(), {.shape = ImageShape::Image3D, .width = 3, .height = 2, .depth = 2}));
    CHECK(check(Image::create(device(), {.order = ChannelOrder::RGB, .type = ChannelType::UnormShort565}))
              .texel_bytes() == 2);
}

TEST_CASE("images of another shape, and samplers that cannot be, are declined by name") {
    Kernel kernel = kernel_of(R"(
        kernel void k(read_only image2d_t flat, read_only image2d_array_t layers, read_only image2d_depth_t depths,
                      read_only image3d_t solid, read_only image1d_t row, sampler_t sampler, global float *out) {
            *out = read_imagef(flat, sampler, (float2)0).x + read_imagef(layers, sampler, (float4)0).x +
                   read_imagef(depths, sampler, (float2)0) + read_imagef(solid, sampler, (float4)0).x +
                   read_imagef(row, sampler, 0.0f).x;
        })",
                              "k", "-cl-kernel-arg-info");
    const auto said = [&](uint32_t index, const auto& object) {
        const Result<Done> done = kernel.set(index, object);
        return done ? std::string() : done.error().message;
    };
    const auto image = [](ImageShape shape) { return check(Image::create(device(), {.shape = shape})); };
    const Image depths =
        check(Image::create(device(), {.order = ChannelOrder::Depth, .type = ChannelType::Float}));
    const Image of_shape[] = {image(ImageShape::Image2D), image(ImageShape::Image2DArray), depths,
                              image(ImageShape::Image3D), image(ImageShape::Image1D)};
    for (uint32_t argument = 0; argument < 5; ++argument)
        for (uint32_t given = 0; given < 5; ++given) {
            CAPTURE(argument);
            CAPTURE(given);
            CHECK(said(argument, of_shape[given]).empty() == (argument == given));
        }
    CHECK(said(0, of_shape[3]) == "argument 0 ('flat') of kernel 'k' is a 2D image, and the image is 3D");
    CHECK(said(0, depths) == "argument 0 ('flat') of kernel 'k' is an image2d_t, and the image has depths");
    for (const AddressingMode mode : {AddressingMode::Repeat, AddressingMode::MirroredRepeat}) {
        CHECK(said(5, Sampler{.addressing = mode}) ==
              "argument 5 ('sampler') of kernel 'k': a sampler that repeats the image takes normalized "
              "coordinates");
        CHECK(said(5, Sampler{.normalized = true, .addressing = mode}).empty());
    }
    CHECK(said(5, Sampler{.linear_levels = true}) ==
          "argument 5 ('sampler') of kernel 'k': a sampler that mixes levels takes normalized coordinates");
    CHECK(said(5, Sampler{.addressing = static_cast<AddressingMode>(5)}) ==
          "argument 5 ('sampler') of kernel 'k': there is no such addressing mode");
    CHECK(said(7, Sampler{.linear_levels = true}) ==
          "a sampler that mixes levels takes normalized coordinates");
    CHECK(said(7, Sampler{}) == "kernel 'k' has no argument 7; it has 7");
    const auto no_use = Buffer::create(device(), 4, static_cast<MemoryUse>(3));
    CHECK((!no_use && no_use.error().message == "there is no such memory use"));
}

TEST_CASE("what kernels print") {
    std::string text;
    Queue queue =
        check(Queue::create(device(), {.print = [&](const Printed& printed) { text += printed.text; }}));
    Kernel kernel = kernel_of("kernel void k(int n) { printf(\"n is %d\\n\", n); }", "k", "-cl-std=CL2.0");
    check(kernel.set_all(7));
    check(queue.dispatch(kernel, {}));
    check(queue.finish());
    CHECK(text == "n is 7\n");
    CHECK_FALSE(Queue::create(device(), {.printf_bytes = 3}));
}

TEST_CASE("what throws while kernels print is given nothing twice") {
    std::vector<std::string> texts;
    bool throws = true;
    const auto print = [&](const Printed& printed) {
        texts.emplace_back(printed.text);
        if (throws) throw std::runtime_error("no more paper");
    };
    Queue queue = check(Queue::create(device(), {.print = print}));
    Kernel kernel = kernel_of("kernel void k(int n) { printf(\"%d\", n); }", "k", "-cl-std=CL2.0");
    check(kernel.set_all(0));
    check(queue.dispatch(kernel, {}));
    CHECK_THROWS_WITH_AS((void)queue.finish(), "no more paper", std::runtime_error);
    check(queue.finish());
    CHECK(texts == std::vector<std::string>{"0"});
    texts.clear();
    try {
        for (const int n : {1, 2, 3}) {
            check(kernel.set_all(n));
            check(queue.dispatch(kernel, {}));
        }
        check(queue.flush());
    } catch (const std::runtime_error&) {
        return;  // a kernel had ended before the next one was dispatched: the rest needs some that end
                 // together
    }
    CHECK_THROWS_WITH_AS((void)queue.finish(), "no more paper", std::runtime_error);
    throws = false;
    check(queue.finish());
    CHECK(texts == std::vector<std::string>{"1", "2", "3"});
    const Buffer buffer = buffer_of(queue, std::vector<uint32_t>{5});  // the queue works on
    std::vector<uint32_t> out(1);
    check(queue.read(buffer, out));
    CHECK(out[0] == 5);

    throws = true;
    check(queue.dispatch(kernel, {}));
    queue = Queue();
    CHECK(texts == std::vector<std::string>{"1", "2", "3", "3"});
}

TEST_CASE("pipes") {
    Queue queue = check(Queue::create(device()));
    const char* const source = R"(
        kernel void put(write_only pipe int p, int n) { write_pipe(p, &n); }
        kernel void get(read_only pipe int p, global int *out) { read_pipe(p, out); })";
    const ProgramResult built =
        Program::build(device(), source, "test.cl", {.compile = {.options = "-cl-std=CL2.0"}});
    REQUIRE_MESSAGE(built, built.log);
    Kernel put = check(Kernel::create(built.program, "put")),
           get = check(Kernel::create(built.program, "get"));
    Pipe pipe = check(Pipe::create(device(), 4, 8));
    CHECK(pipe.packet_bytes() == 4);
    CHECK(pipe.max_packets() == 8);
    const Buffer out = buffer_of(queue, std::vector<int32_t>{0});
    check(put.set_all(pipe, 11));
    check(get.set_all(pipe, out));
    pipe = {};
    check(queue.dispatch(put, {}));
    check(queue.dispatch(get, {}));
    std::vector<int32_t> got(1);
    check(queue.read(out, got));
    CHECK(got[0] == 11);
    CHECK_FALSE(Pipe::create(device(), 0, 1));
}

TEST_CASE("kernels enqueue kernels") {
    Queue queue = check(Queue::create(device()));
    Kernel kernel = kernel_of(R"(
        kernel void k(global int *out, queue_t queue) {
            enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[get_global_id(0)] = 9; });
        })",
                              "k", "-cl-std=CL2.0");
    DeviceQueue device_queue = check(DeviceQueue::create(device()));
    const Buffer out = buffer_of(queue, std::vector<int32_t>(4));
    check(kernel.set_all(out, device_queue));
    const DeviceQueue::Outcome outcome = check(device_queue.run(queue, kernel, {}));
    CHECK(outcome.status == 0);
    CHECK(outcome.commands == 1);
    std::vector<int32_t> got(4);
    check(queue.read(out, got));
    CHECK(got == std::vector<int32_t>(4, 9));
}

TEST_CASE("arguments by value are in each place that a translation chooses") {
    const DeviceProfile profile = device().profile();
    const CompileResult compiled = compile(
        "kernel void k(global int *p, int a, char b, long16 wide, int last) {"
        "  p[0] = a; p[1] = b; p[2] = (int)wide.sf; p[3] = last; }",
        "test.cl", {.profile = profile});
    REQUIRE_MESSAGE(compiled, compiled.log);
    Queue queue = check(Queue::create(device()));
    for (const ArgumentBlock place :
         {ArgumentBlock::PushConstants, ArgumentBlock::UniformBuffer, ArgumentBlock::StorageBuffer}) {
        const Translation translation = check(translate(compiled.words, {.target = profile.newest_target(),
                                                                         .profile = profile,
                                                                         .abi = Abi::Descriptors,
                                                                         .value_arguments = place}));
        const bool is_default = place == ArgumentBlock::PushConstants;  // and 272 bytes may not fit
        CHECK((is_default || translation.interface.kernels[0].block == place));
        Kernel kernel = check(Kernel::create(check(Program::load(device(), translation)), "k"));
        const Buffer out = buffer_of(queue, std::vector<int32_t>(4));
        std::array<int64_t, 16> wide = {};
        wide[15] = 33;
        check(kernel.set_all(out, int32_t{11}, int8_t{-22}, wide, int32_t{44}));
        check(queue.dispatch(kernel, {}));
        std::vector<int32_t> got(4);
        check(queue.read(out, got));
        CHECK(got == std::vector<int32_t>{11, -22, 33, 44});
    }
}

TEST_CASE("a translation for simple NDRanges runs with those alone") {
    const DeviceProfile profile = device().profile();
    const CompileResult compiled = compile(
        "kernel void k(global int *p) {"
        "  p[get_global_linear_id()] = get_work_dim() * 1000000 + get_global_size(0) * 10000 +"
        "                              get_num_groups(0) * 100 + get_local_size(0); }"
        "kernel void without(global int *p) { p[get_global_id(0)] = get_global_id(0); }",
        "test.cl", {.options = "-cl-std=CL2.0", .profile = profile});
    REQUIRE_MESSAGE(compiled, compiled.log);
    const Translation translation = check(translate(compiled.words, {.target = profile.newest_target(),
                                                                     .profile = profile,
                                                                     .abi = Abi::Descriptors,
                                                                     .simple_ndrange = true}));
    CHECK(translation.interface.simple_ndrange);
    const Program program = check(Program::load(device(), translation));
    Queue queue = check(Queue::create(device()));
    const Buffer out = buffer_of(queue, std::vector<int32_t>(16, -1));
    Kernel kernel = check(Kernel::create(program, "k")), without = check(Kernel::create(program, "without"));
    check(kernel.set_all(out));
    check(without.set_all(out));
    const auto last_of = [&](const NDRange& range) {
        check(queue.dispatch(kernel, range));
        std::vector<int32_t> got(16);
        check(queue.read(out, got));
        size_t work_items = 1;
        for (uint32_t d = 0; d < range.dimensions; ++d) work_items *= range.global[d];
        return got[work_items - 1];
    };
    CHECK(last_of({.global = {8}, .local = {4}}) == 1080204);
    CHECK(last_of({.dimensions = 2, .global = {8, 1}, .local = {4, 1}}) == 2080204);
    CHECK(last_of({.dimensions = 3, .global = {6, 2, 1}, .local = {2, 1, 1}}) == 3060302);
    const int32_t whole = last_of({.global = {13}});  // whatever local size is chosen divides it
    CHECK(whole / 10000 == 113);
    CHECK(whole / 100 % 100 * (whole % 100) == 13);

    const auto fault = [&](const NDRange& range) {
        Result<Event> of_other = queue.dispatch(without, range), event = queue.dispatch(kernel, range);
        CHECK(!of_other);  // whether or not it would notice
        const std::string message = event ? "" : event.error().message;
        CHECK_MESSAGE(message.find("simple_ndrange") != std::string::npos, message);
        return message;
    };
    const auto has = [](const std::string& message, const char* text) {
        CHECK_MESSAGE(message.find(text) != std::string::npos, message);
    };
    has(fault({.global = {10}, .local = {4}}), "multiple of the local size 4 in dimension 0");
    has(fault({.dimensions = 2, .global = {4, 3}, .local = {4, 2}}), "local size 2 in dimension 1");
    has(fault({.global = {8}, .local = {4}, .offset = {3}}), "there is a global offset in dimension 0");
    has(fault({.global = {uint64_t{1} << 32}, .local = {2}}), "more than 1 dispatch");
    CHECK(queue.dispatch(kernel, {.global = {0}}));
}

TEST_CASE("a program for uniform work-groups is launched with no others") {
    const ProgramResult built =
        Program::build(device(), R"(
        kernel __attribute__((reqd_work_group_size(64, 1, 1))) void required(global uint *out) {
            out[get_global_id(0)] = get_local_size(0);
        }
        kernel void any(global uint *out) { out[get_global_id(0)] = get_local_size(0); }
        kernel void ignorant(global uint *out) { out[get_global_id(0)] = 1; })",
                       "test.cl", {.compile = {.options = "-cl-std=CL2.0 -cl-uniform-work-group-size"}});
    REQUIRE_MESSAGE(built, built.log);
    CHECK(built.program.interface().uniform_groups);
    Queue queue = check(Queue::create(device()));
    const Buffer out = buffer_of(queue, std::vector<uint32_t>(128));
    const auto written = [&](const char* name, const NDRange& range) {
        Kernel kernel = check(Kernel::create(built.program, name));
        check(kernel.set_all(out));
        check(queue.write(out, std::vector<uint32_t>(128)));
        const Result<Event> event = queue.dispatch(kernel, range);
        if (!event) {
            CHECK_MESSAGE(event.error().message.find("multiple of the local size") != std::string::npos,
                          event.error().message);
            return 0;
        }
        std::vector<uint32_t> got(128);
        check(queue.read(out, got));
        return static_cast<int>(128 - std::ranges::count(got, 0u));
    };
    CHECK(written("required", {.global = {128}}) == 128);
    CHECK(written("required", {.global = {100}}) == 0);
    CHECK(written("required", {.global = {100}, .local = {64}}) == 0);
    CHECK(written("any", {.global = {100}}) == 100);
    CHECK(written("any", {.global = {100}, .local = {20}}) == 100);
    CHECK(written("any", {.global = {100}, .local = {64}}) == 0);
    CHECK(written("ignorant", {.global = {101}}) == 101);
}

TEST_CASE("a program for smaller work-groups than the device has is launched with those") {
    DeviceProfile profile = device().profile();
    profile.set_max_group_size(4);
    const ProgramResult built =
        Program::build(device(), R"(
        kernel void scan(global int *out) { out[get_global_id(0)] = work_group_scan_inclusive_add(1); }
        kernel __attribute__((work_group_size_hint(64, 1, 1))) void hinted(global int *out) {
            out[get_global_id(0)] = work_group_scan_inclusive_add(1);
        }
        kernel void ignorant(global int *out) { out[get_global_id(0)] = get_global_id(0) % 4 + 1; }
        kernel void enqueues(global int *out, queue_t queue) {
            void (^block)(void) = ^{ out[get_global_id(0)] = work_group_scan_inclusive_add(1); };
            out[61] = get_kernel_work_group_size(block);
            out[62] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(16, 16), block);
            out[63] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(16), block);
        })",
                       "test.cl", {.compile = {.options = "-cl-std=CL2.0", .profile = profile}});
    REQUIRE_MESSAGE(built, built.log);
    CHECK(built.program.interface().max_group_size == 4);
    CHECK(built.program.interface().max_local_size == std::array<uint32_t, 3>{4, 4, 4});
    Queue queue = check(Queue::create(device()));
    const Buffer out = buffer_of(queue, std::vector<int32_t>(64));
    for (const char* name : {"scan", "hinted", "ignorant"}) {
        CAPTURE(name);
        Kernel kernel = check(Kernel::create(built.program, name));
        check(kernel.set_all(out));
        const auto error = [&](const NDRange& range) {
            const Result<Event> event = queue.dispatch(kernel, range);
            return event ? "" : event.error().message;
        };
        const std::string in_one = error({.global = {64}, .local = {64}}),
                          in_all = error({.dimensions = 2, .global = {16, 4}, .local = {4, 2}});
        CHECK_MESSAGE(in_one.find("the program's limit of 4") != std::string::npos, in_one);
        CHECK_MESSAGE(in_all.find("the program's limit of 4") != std::string::npos, in_all);
        for (const NDRange& range : {NDRange{.global = {64}}, NDRange{.global = {64}, .local = {4}}}) {
            check(queue.write(out, std::vector<int32_t>(64)));
            check(queue.dispatch(kernel, range));
            std::vector<int32_t> got(64);
            check(queue.read(out, got));
            for (int32_t i = 0; i < 64; ++i) CHECK(got[static_cast<size_t>(i)] == i % 4 + 1);
        }
    }
    Kernel kernel = check(Kernel::create(built.program, "enqueues"));
    DeviceQueue device_queue = check(DeviceQueue::create(device()));
    check(kernel.set_all(out, device_queue));
    const DeviceQueue::Outcome outcome = check(device_queue.run(queue, kernel, {}));
    CHECK(outcome.status == 0);
    CHECK(outcome.commands == 1);
    std::vector<int32_t> got(64);
    check(queue.read(out, got));
    CHECK(got[61] == 4);
    CHECK(got[62] != 0);
    CHECK(got[63] == 0);
    for (int32_t i = 0; i < 16; ++i) CHECK(got[static_cast<size_t>(i)] == i % 4 + 1);
}

TEST_CASE("a profile narrows the device, and does not widen it") {
    const DeviceProfile own = device().profile();
    DeviceProfile wide(Target::Vulkan13);
    wide.set_max_group_size(1 << 20);
    wide.set_max_local_bytes(1 << 30);
    wide.set_fused_fma(true);
    const auto build = [&](const std::string& source, const DeviceProfile& profile) {
        return Program::build(device(), source, "test.cl",
                              {.compile = {.options = "-cl-std=CL3.0", .profile = profile}});
    };
    const ProgramResult built = build(R"(
        kernel void k(global float *f, global int *i) {
            f[0] = fma(f[1], f[2], f[3]);
            i[0] = dot_acc_sat_4x8packed_ss_int(i[1], i[2], i[3]);
        })",
                                      wide);
    REQUIRE_MESSAGE(built, built.log);
    CHECK(built.program.interface().max_group_size == own.max_group_size());
    const uint32_t messages = device().validation_messages();
    Queue queue = check(Queue::create(device()));
    Kernel kernel = check(Kernel::create(built.program, "k"));
    const float one_more = 1 + 0x1p-23f;  // its square rounds to 1 + 0x1p-22
    const Buffer floats = buffer_of(queue, std::vector<float>{0, one_more, one_more, -(1 + 0x1p-22f)}),
                 ints = buffer_of(queue, std::vector<int32_t>{0, 0x01020304, 0x05060708, 1 << 20});
    check(kernel.set_all(floats, ints));
    check(queue.dispatch(kernel, {}));
    std::vector<float> f(4);
    std::vector<int32_t> i(4);
    check(queue.read(floats, f));
    check(queue.read(ints, i));
    CHECK(f[0] == 0x1p-46f);
    CHECK(i[0] == (1 << 20) + 5 + 12 + 21 + 32);
    CHECK(device().validation_messages() == messages);

    const std::string large = "kernel void k(global int *p) { local int a[" +
                              std::to_string(own.max_local_bytes() / 4 + 1) +
                              "]; a[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); *p = a[*p]; }";
    CHECK_FALSE(build(large, wide));
    CHECK(bool(build("kernel void k(global double *p) { *p += 1; }", wide)) == own.has_double());
    DeviceProfile narrow = own;
    narrow.set_max_local_bytes(16);
    CHECK_FALSE(build("kernel void k(global int *p) { local int a[5]; a[*p] = 1; *p = a[p[1]]; }", narrow));
    narrow.emulate_doubles();
    CHECK(build("kernel void k(global double *p) { *p += 1; }", narrow));
}

TEST_CASE("by descriptors, a pointer to a buffer's end is a pointer, and nothing is bound there") {
    const ProgramResult built = Program::build(device(), R"(
        kernel void k(global int *p, global int *q, global int *other) {
            p[0] = q != 0; p[1] = q == p + 64; p[2] = q > p; p[3] = q == other;
            if (p[4] != 0) q[0] = 1;
        })",
                                               "test.cl", {.abi = Abi::Descriptors});
    REQUIRE_MESSAGE(built, built.log);
    const uint32_t messages = device().validation_messages();
    Queue queue = check(Queue::create(device()));
    Kernel kernel = check(Kernel::create(built.program, "k"));
    const Buffer buffer = buffer_of(queue, std::vector<int32_t>(64)),
                 other = buffer_of(queue, std::vector<int32_t>(64));
    check(kernel.set(0, buffer));
    check(kernel.set(1, buffer, 256));
    check(kernel.set(2, other, 256));
    check(queue.dispatch(kernel, {}));
    std::vector<int32_t> got(64);
    check(queue.read(buffer, got));
    CHECK(got[0] == 1);
    CHECK(got[1] == 1);
    CHECK(got[2] == 1);
    CHECK(got[3] == 0);
    CHECK(device().validation_messages() == messages);
}

TEST_CASE("programs of files: modules in both orders of bytes, and OpenCL C") {
    const std::string source = "kernel void k(global int *p) { *p = 5; }";
    const CompileResult compiled = compile(source, "test.cl", {.profile = device().profile()});
    REQUIRE_MESSAGE(compiled, compiled.log);
    std::string bytes(compiled.words.size() * 4, '\0'), swapped;
    std::memcpy(bytes.data(), compiled.words.data(), bytes.size());
    for (size_t at = 0; at < bytes.size(); at += 4)
        for (size_t byte = 4; byte-- > 0;) swapped += bytes[at + byte];
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("caldera_program." + std::to_string(std::random_device()())))
                                 .string();
    for (const std::string& content : {source, bytes, swapped}) {
        std::ofstream(path, std::ios::binary) << content;
        const ProgramResult built = Program::build_file(device(), path);
        CHECK_MESSAGE(built, built.log);
        CHECK(check(Kernel::create(built.program, "k")));
    }
    std::filesystem::remove(path);
}

TEST_CASE("programs of SPIR-V, of a translation and of a file that is not there") {
    const CompileResult compiled =
        compile("kernel void k(global int *p) { *p = 5; }", "test.cl", {.profile = device().profile()});
    REQUIRE_MESSAGE(compiled, compiled.log);
    const ProgramResult from_words = Program::build(device(), compiled.words);
    REQUIRE_MESSAGE(from_words, from_words.log);
    CHECK(from_words.program.interface().kernels.size() == 1);
    const DeviceProfile profile = device().profile();
    const Translation translation =
        check(translate(compiled.words, {.target = profile.newest_target(), .profile = profile}));
    const Program loaded = check(Program::load(device(), translation));
    CHECK(std::ranges::equal(loaded.words(), translation.words));
    CHECK_FALSE(Kernel::create(loaded, "none"));

    Queue queue = check(Queue::create(device()));
    for (const Program& program : {from_words.program, loaded}) {
        Kernel kernel = check(Kernel::create(program, "k"));
        const Buffer out = buffer_of(queue, std::vector<int32_t>{0});
        check(kernel.set_all(out));
        check(queue.dispatch(kernel, {}));
        std::vector<int32_t> got(1);
        check(queue.read(out, got));
        CHECK(got[0] == 5);
    }

    const ProgramResult missing = Program::build_file(device(), "/no/such/file.cl");
    CHECK_FALSE(missing);
    CHECK(missing.log.find("/no/such/file.cl") != std::string::npos);
    const ProgramResult wrong = Program::build(device(), "kernel void k() { x; }", "test.cl");
    CHECK_FALSE(wrong);
    REQUIRE(wrong.diagnostics.size() == 1);
    CHECK(wrong.diagnostics[0].text == "use of undeclared identifier 'x'");
    const ProgramResult option = Program::build(device(), "", "test.cl", {.compile = {.options = "-what"}});
    CHECK_FALSE(option);
    CHECK(option.diagnostics.size() == 1);
}
