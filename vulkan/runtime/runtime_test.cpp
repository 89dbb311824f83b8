// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>

#include "vulkan/runtime/buffer_parts.h"
#include "vulkan/runtime/compiled_module.h"
#include "vulkan/runtime/launch_sequence.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/probe.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/runtime_fixture.h"

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("an NDRange splits into uniform regions that cover it once") {
    CHECK(split({.global = {0, 1, 1}, .local = {4, 1, 1}}, {10, 10, 10}).empty());
    CHECK(split({.global = {8, 1, 1}, .local = {4, 1, 1}}, {10, 10, 10}).size() == 1);
    const std::vector<Region> edges =
        split({.dimensions = 3, .global = {5, 7, 3}, .local = {2, 3, 2}}, {10, 10, 10});
    CHECK(edges.size() == 8);
    uint64_t items = 0;
    for (const Region& r : edges) {
        uint64_t here = 1;
        for (size_t d = 0; d < 3; ++d) here *= uint64_t{r.local_size[d]} * r.group_count[d];
        items += here;
    }
    CHECK(items == 5 * 7 * 3);
    const std::vector<Region> pieces = split({.global = {1000, 1, 1}, .local = {1, 1, 1}}, {300, 10, 10});
    CHECK(pieces.size() == 4);
    CHECK(pieces.back().id_base[0] == 900);
    CHECK(pieces.back().group_base[0] == 900);
    const std::vector<Region> huge =
        split({.global = {1ull << 33, 1, 1}, .local = {1024, 1, 1}}, {0xffffffff, 1, 1});
    CHECK(huge.size() == 3);  // below 2^32 work-items each
    const Size3 sizes[] = {{0, 1, 1}, {8, 3, 1}, {5, 7, 3}, {1000, 2, 9}, {1ull << 34, 1, 5}};
    for (const Size3& size : sizes) {
        const NDRange range{.dimensions = 3, .global = size, .local = {4, 3, 2}};
        CHECK(region_count(range, {30000000, 10, 2}, false) == split(range, {30000000, 10, 2}).size());
        CHECK(region_count(range, {30000000, 10, 2}, true) == cover(range, {30000000, 10, 2}).size());
    }
    CHECK(region_count({.global = {~0ull, ~0ull, ~0ull}, .local = {1, 1, 1}}, {9, 9, 9}, true) == ~0ull);
}

TEST_CASE("groups that reach beyond an NDRange cover it with one region") {
    CHECK(cover({.global = {0, 1, 1}, .local = {4, 1, 1}}, {10, 10, 10}).empty());
    const std::vector<Region> whole = cover({.global = {8, 1, 1}, .local = {4, 1, 1}}, {10, 10, 10});
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].has_full_groups());
    const std::vector<Region> edges =
        cover({.dimensions = 3, .global = {5, 7, 3}, .local = {2, 3, 2}}, {10, 10, 10});
    REQUIRE(edges.size() == 1);
    CHECK(edges[0].local_size == std::array<uint32_t, 3>{2, 3, 2});
    CHECK(edges[0].group_count == std::array<uint32_t, 3>{3, 3, 2});
    CHECK(edges[0].size == std::array<uint32_t, 3>{5, 7, 3});
    CHECK(!edges[0].has_full_groups());
    const std::vector<Region> pieces = cover({.global = {1001, 1, 1}, .local = {2, 1, 1}}, {300, 10, 10});
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0].has_full_groups());
    CHECK(pieces[1].id_base[0] == 600);
    CHECK(pieces[1].size[0] == 401);
    CHECK(pieces[1].group_count[0] == 201);
    const std::vector<Region> huge =
        cover({.global = {(1ull << 33) + 5, 1, 1}, .local = {1024, 1, 1}}, {0xffffffff, 1, 1});
    uint64_t items = 0;
    for (const Region& region : huge) items += region.size[0];
    CHECK(items == (1ull << 33) + 5);
    CHECK(!huge.back().has_full_groups());
}

TEST_CASE("descriptors for more pointers than the device has storage buffers are declined") {
    Fixture f;
    const uint32_t most = f.device->profile().max_storage_buffers;
    if (most > 1 << 16) return;  // too many to try
    vulkan::ProgramInterface program{.abi = vulkan::Abi::Descriptors};
    vulkan::Kernel kernel{.name = "k"};
    for (uint32_t i = 0; i < most; ++i) kernel.arguments.push_back({.binding = i});
    CHECK(DescriptorLayout::create(*f.device, program, kernel));
    kernel.prints = true;  // needs one more
    const Result<DescriptorLayout> more = DescriptorLayout::create(*f.device, program, kernel);
    REQUIRE(!more);
    CHECK(more.error().message.starts_with("kernel 'k': its " + std::to_string(most) +
                                           " pointers and images need " + std::to_string(most + 1)));
    kernel.arguments.pop_back();
    CHECK(DescriptorLayout::create(*f.device, program, kernel));
    program.data_segment.resize(4);
    CHECK(!DescriptorLayout::create(*f.device, program, kernel));
}

TEST_CASE("images and samplers are declined that a device does not bind at once") {
    using enum vulkan::ArgumentKind;
    const auto fault = [](const VkPhysicalDeviceLimits& limits,
                          std::initializer_list<std::pair<vulkan::ArgumentKind, int>> arguments,
                          size_t literals = 0) {
        vulkan::ProgramInterface program;
        program.literal_samplers.resize(literals);
        vulkan::Kernel kernel{.name = "k"};
        for (const auto& [kind, count] : arguments)
            for (int i = 0; i < count; ++i) kernel.arguments.push_back({.kind = kind});
        const Result<Done> checked = check_images(limits, program, kernel);
        return checked ? "" : checked.error().message;
    };
    VkPhysicalDeviceLimits limits{.maxPerStageDescriptorSamplers = 16,
                                  .maxPerStageDescriptorSampledImages = 16,
                                  .maxPerStageDescriptorStorageImages = 4,
                                  .maxPerStageResources = 18};
    CHECK(fault(limits, {{SampledImage, 15}, {UniformTexelBuffer, 1}, {StorageImage, 2}}).empty());
    CHECK(fault(limits, {{SampledImage, 16}, {UniformTexelBuffer, 1}}) ==
          "kernel 'k' has 17 images that it reads, but the device's maxPerStageDescriptorSampledImages is "
          "16");
    CHECK(fault(limits, {{StorageImage, 3}, {StorageTexelBuffer, 2}}) ==
          "kernel 'k' has 5 images that it writes, but the device's maxPerStageDescriptorStorageImages is 4");
    CHECK(fault(limits, {{SampledImage, 16}, {StorageImage, 3}}) ==
          "kernel 'k' has 19 images, but the device's maxPerStageResources is 18");
    CHECK(fault(limits, {{SampledImage, 16}, {SamplerObject, 13}}, 3).empty());
    CHECK(fault(limits, {{SamplerObject, 14}}, 3) ==
          "kernel 'k' has 17 samplers, with those of its program's source, but the device's "
          "maxPerStageDescriptorSamplers is 16");
    CHECK(fault(limits, {{Image, 100}}, 16).empty());
}

TEST_CASE("buffers have parts where they can be larger than a descriptor may say") {
    constexpr uint32_t kMega = 1 << 20;
    VkPhysicalDeviceLimits limits{.maxStorageBufferRange = 128 * kMega};
    limits.maxPerStageDescriptorStorageBuffers = limits.maxDescriptorSetStorageBuffers = 32;
    CHECK(largest_split_buffer(limits) == uint64_t{8} * 128 * kMega);
    CHECK(has_split_buffers(limits, uint64_t{2048} * kMega));
    CHECK(!has_split_buffers(limits, uint64_t{128} * kMega));
    limits.maxPerStageDescriptorStorageBuffers = 4;  // a quarter of them is one
    CHECK(!has_split_buffers(limits, uint64_t{2048} * kMega));
    limits.maxPerStageDescriptorStorageBuffers = 32;
    limits.maxStorageBufferRange = ~0u;  // offsets have no more bits
    CHECK(!has_split_buffers(limits, uint64_t{64} << 30));
}

TEST_CASE("a local size is chosen within the limits") {
    vulkan::Kernel kernel;
    vulkan::DeviceProfile profile;
    CHECK(choose_local_size({.global = {1, 1, 1}}, kernel, profile) == Size3{1, 1, 1});
    CHECK(choose_local_size({.global = {1000, 1, 1}}, kernel, profile) == Size3{256, 1, 1});
    CHECK(choose_local_size({.dimensions = 2, .global = {1000, 1000, 1}}, kernel, profile) ==
          Size3{16, 16, 1});
    // few work-items: sizes that divide, so that ranges of many shapes share a few pipelines
    CHECK(choose_local_size({.global = {48, 1, 1}}, kernel, profile) == Size3{16, 1, 1});
    CHECK(choose_local_size({.global = {64, 1, 1}}, kernel, profile) == Size3{64, 1, 1});
    CHECK(choose_local_size({.global = {65, 1, 1}}, kernel, profile) == Size3{128, 1, 1});
    CHECK(choose_local_size({.dimensions = 2, .global = {7, 5, 1}}, kernel, profile) == Size3{1, 1, 1});
    CHECK(choose_local_size({.dimensions = 3, .global = {6, 3, 2}}, kernel, profile) == Size3{2, 1, 2});
    vulkan::Kernel scan{.local_bytes = profile.max_local_bytes - 1000, .local_bytes_per_work_item = 8};
    CHECK(largest_group(scan, profile) == 125);
    CHECK(choose_local_size({.global = {1000, 1, 1}}, scan, profile) == Size3{64, 1, 1});
    scan.local_bytes = profile.max_local_bytes;
    CHECK(choose_local_size({.global = {1000, 1, 1}}, scan, profile) == Size3{1, 1, 1});
    profile.max_local_invocations = 128;
    CHECK(choose_local_size({.dimensions = 2, .global = {1000, 1000, 1}}, kernel, profile) ==
          Size3{16, 8, 1});
    const vulkan::Kernel ignorant{.ignores_groups = true};  // its groups may reach beyond the range
    for (const uint64_t few : {1, 37, 1024})
        CHECK(choose_local_size({.global = {few, 1, 1}}, ignorant, profile) == Size3{64, 1, 1});
    CHECK(choose_local_size({.dimensions = 2, .global = {3, 70, 1}}, ignorant, profile) == Size3{8, 8, 1});
    CHECK(choose_local_size({.dimensions = 3, .global = {7, 5, 2}}, ignorant, profile) == Size3{4, 4, 4});
    CHECK(choose_local_size({.global = {1025, 1, 1}}, ignorant, profile) == Size3{128, 1, 1});
    const vulkan::Kernel hinted{.local_size_hint = {8, 16, 1}}, wide{.local_size_hint = {8, 17, 1}};
    CHECK(choose_local_size({.global = {3, 1, 1}}, hinted, profile) == Size3{8, 16, 1});
    CHECK(choose_local_size({.global = {1000, 1, 1}}, wide, profile) == Size3{128, 1, 1});  // 136 do not fit
    profile.max_local_size[1] = 15;
    CHECK(choose_local_size({.global = {1000, 1, 1}}, hinted, profile) == Size3{128, 1, 1});
    profile.max_local_size[1] = 1024;
    profile.max_local_invocations = 32;
    CHECK(choose_local_size({.global = {96, 1, 1}}, ignorant, profile) == Size3{32, 1, 1});
    profile.max_local_invocations = 128;
    kernel.required_local_size = {3, 2, 1};
    CHECK(choose_local_size({.dimensions = 2, .global = {9, 4, 1}}, kernel, profile) == Size3{3, 2, 1});
}

TEST_CASE("sub-groups: how many, how large, and what is known of drivers is what the probe finds") {
    Fixture f;
    Device& device = *f.device;
    const uint64_t size = device.subgroup_launch().size;
    const SubGroups even = sub_groups(device, {}, {size, 3, 1}),
                    uneven = sub_groups(device, {}, {3, size, 1});
    CHECK(even.max_size == (device.profile().subgroups ? size : 3 * size));
    CHECK(even.count == (device.profile().subgroups ? 3 : 1));
    CHECK(uneven.count == even.count);
    const vulkan::Kernel required{.attributes = "reqd_work_group_size(8,1,1) intel_reqd_sub_group_size(2)"};
    CHECK(sub_group_size(device, {}) == size);
    CHECK(sub_group_size(device, required) == 2);
    if (device.profile().subgroups) {
        CHECK(sub_groups(device, required, {5, 1, 1}).count == 3);
        CHECK(sub_groups(device, {}, {size + 1, 1, 1}).count == 2);
        Result<bool> linear = subgroups_are_linear(device);
        REQUIRE(static_cast<bool>(linear));
        CHECK(*linear == device.profile().linear_subgroups);
    }
}

TEST_CASE("dispatch covers ranges of every shape") {
    Fixture f;
    CHECK(f.covers({.global = {1, 1, 1}}));
    CHECK(f.covers({.global = {1000, 1, 1}}));
    CHECK(f.covers({.global = {1000, 1, 1}, .local = {64, 1, 1}}));
    CHECK(
        f.covers({.global = {70000, 1, 1}, .local = {1, 1, 1}}));  // more work-groups than one dispatch takes
    CHECK(f.covers({.dimensions = 2, .global = {33, 17, 1}, .local = {8, 4, 1}}));
    CHECK(f.covers({.dimensions = 3, .global = {5, 7, 3}, .local = {2, 3, 2}}));
    CHECK(f.covers({.dimensions = 3, .global = {5, 7, 3}}));
    CHECK(f.covers({.global = {0, 1, 1}}));
}

TEST_CASE("large copies and fills in the device, wherever they begin") {
    Fixture f;
    constexpr uint64_t kBytes = 1 << 20;
    std::vector<uint8_t> bytes(kBytes);
    for (uint64_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<uint8_t>(i * 7 + i / 255);
    Buffer from = Buffer::create(*f.device, kBytes).take(), to = Buffer::create(*f.device, kBytes).take();
    REQUIRE(f.queue->upload(from, 0, std::as_bytes(std::span(bytes))));
    for (const uint64_t source : {0, 4, 1, 64})
        for (const uint64_t target : {0, 16, 4, 3}) {
            const uint64_t size = kBytes - std::max(source, target) - (source == 64 ? 32 : 4);
            REQUIRE(f.queue->fill(to, 0, kBytes, 0xeeeeeeee));
            REQUIRE(f.queue->copy(from, source, to, target, size));
            std::vector<uint8_t> copied(kBytes), expected(kBytes, 0xee);
            REQUIRE(f.queue->download(to, 0, std::as_writable_bytes(std::span(copied))));
            std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(source), size,
                        expected.begin() + static_cast<ptrdiff_t>(target));
            CHECK(copied == expected);
        }
    const uint64_t pattern[] = {0x0123456789abcdef, 42};
    REQUIRE(f.queue->fill(to, 16, kBytes - 48, std::as_bytes(std::span(pattern))));
    std::vector<uint64_t> filled((kBytes - 48) / 8);
    REQUIRE(f.queue->download(to, 16, std::as_writable_bytes(std::span(filled))));
    for (size_t i = 0; i < filled.size(); ++i) REQUIRE(filled[i] == pattern[i % 2]);
}

TEST_CASE("a queue without an order: what waits for an event, and what comes after order()") {
    Fixture f;
    auto queue = Queue::create(*f.device, {.in_order = false}).take();
    Queue& other = *f.queue;
    constexpr uint64_t kBuffers = 100, kBytes = 4096;
    std::vector<Buffer> from, to;
    for (uint64_t i = 0; i < kBuffers; ++i) {
        from.push_back(Buffer::create(*f.device, kBytes).take());
        to.push_back(Buffer::create(*f.device, kBytes).take());
    }
    for (uint32_t i = 0; i < kBuffers; ++i) {
        // Even ones are filled by this queue, odd ones by another.
        Queue& filler = i % 2 == 0 ? *queue : other;
        const Event filled = filler.fill(from[i], 0, kBytes, i).take();
        REQUIRE(queue->wait_for(filler, filled));
        REQUIRE(queue->copy(from[i], 0, to[i], 0, kBytes));
    }
    queue->order();
    for (Buffer& buffer : from) REQUIRE(queue->fill(buffer, 0, kBytes, 0xffffffff));
    REQUIRE(queue->finish());
    for (uint32_t i = 0; i < kBuffers; ++i) {
        std::vector<uint32_t> words(kBytes / 4);
        REQUIRE(queue->download(to[i], 0, std::as_writable_bytes(std::span(words))));
        CHECK(words == std::vector<uint32_t>(kBytes / 4, i));
    }
}

TEST_CASE(
    "what a queue has so far is not complete before what it waits for, without commands of its own too") {
    Fixture f;
    constexpr uint64_t kBytes = 64ull << 20;
    const auto queue = Queue::create(*f.device).take();
    const Buffer large = Buffer::create(*f.device, kBytes).take();
    const Buffer mapped = Buffer::create(*f.device, 4, MemoryUse::Download).take();
    for (uint32_t i = 1; i <= 10; ++i) {
        REQUIRE(f.queue->fill(large, 0, kBytes, i));
        const Event other = f.queue->fill(mapped, 0, 4, i).take();
        REQUIRE(queue->wait_for(*f.queue, other));
        REQUIRE(queue->wait(queue->so_far()));
        CHECK(f.queue->is_complete(other).take());
        // Nor does the host write what the other queue still uses.
        REQUIRE(f.queue->fill(large, 0, kBytes, i));
        const Event last = f.queue->fill(mapped, 0, 4, i).take();
        REQUIRE(queue->wait_for(*f.queue, last));
        const uint32_t own = 1000 + i;
        REQUIRE(queue->upload(mapped, 0, std::as_bytes(std::span(&own, 1))));
        REQUIRE(queue->finish());
        REQUIRE(f.queue->finish());
        uint32_t found = 0;
        std::memcpy(&found, mapped.mapped(), 4);
        CHECK(found == own);
    }
}

TEST_CASE("commands run in order, and many of them") {
    Fixture f;
    constexpr uint64_t kItems = 64;
    Buffer buffer = Buffer::create(*f.device, kItems * 4).take();
    Kernel kernel = Kernel::create(*f.program, "main").take();
    REQUIRE(kernel.set(0, buffer));
    REQUIRE(kernel.set(1, 1u));
    REQUIRE(f.queue->fill(buffer, 0, kItems * 4, 0));
    Event last;
    for (int i = 0; i < 1000; ++i) {
        Result<Event> event = f.queue->dispatch(kernel, {.global = {kItems, 1, 1}, .local = {16, 1, 1}});
        REQUIRE(event);
        last = *event;
    }
    REQUIRE(f.queue->wait(last));
    std::vector<uint32_t> words(kItems);
    REQUIRE(f.queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
    for (uint32_t i = 0; i < kItems; ++i) CHECK(words[i] == 1000 * (i + 1));
    if (f.device->timestamp_bits()) {
        Result<Timing> timing = f.queue->timing(last);
        REQUIRE(timing);
        CHECK(timing->end_ns >= timing->start_ns);
        CHECK(timing->end_ns > 0);
    }
}

TEST_CASE("a sequence of launches runs again and again, in several queues") {
    Fixture f;
    const auto unordered = Queue::create(*f.device, {.in_order = false}).take();
    constexpr uint32_t kWords = 1000;
    Buffer buffer = Buffer::create(*f.device, kWords * 4).take();
    REQUIRE(f.queue->fill(buffer, 0, buffer.size_bytes(), 0));
    REQUIRE(f.queue->finish());
    Kernel kernel = Kernel::create(*f.program, "main").take();
    REQUIRE(kernel.set(0, buffer));
    const std::shared_ptr<SequencePool> pool = SequencePool::create(*f.device).take();
    REQUIRE(LaunchSequence::can_have(kernel));
    const NDRange range{.global = {kWords, 1, 1}, .local = {10, 1, 1}};
    const auto kept = std::make_shared<int>();
    std::vector<std::shared_ptr<const LaunchSequence>> sequences;
    for (uint32_t bias = 0; bias < 2; ++bias) {
        REQUIRE(kernel.set(1, bias));
        const LaunchSequence::Item items[] = {
            {&kernel, range, true}, {&kernel, {.global = {0, 1, 1}}, true}, {&kernel, range, true}};
        sequences.push_back(LaunchSequence::create(pool, items, {kept}).take());
    }
    CHECK(kept.use_count() == 3);
    const std::array<VkCommandBuffer, 2> commands = {sequences[0]->commands(), sequences[1]->commands()};
    constexpr uint32_t kTurns = 5;
    for (Queue* queue : {f.queue.get(), unordered.get()}) {
        for (uint32_t turn = 0; turn < kTurns; ++turn) {
            const Result<Event> event = queue->run(commands);
            REQUIRE(event);
            if (queue->times_commands()) CHECK(queue->timing(*event)->end_ns != 0);
        }
        REQUIRE(queue->finish());
    }
    std::vector<uint32_t> words(kWords);
    REQUIRE(f.queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
    for (uint32_t i = 0; i < kWords; ++i) CHECK(words[i] == 2 * kTurns * (4 * i + 2));
    sequences.clear();
    CHECK(kept.use_count() == 1);
}

TEST_CASE("threads that want one pipeline get the same") {
    Fixture f;
    const vulkan::Kernel& kernel = *f.program->find_kernel("main");
    constexpr uint32_t kThreads = 8, kSizes = 4;
    std::array<std::array<SharedPipeline, kSizes>, kThreads> found = {};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            for (uint32_t i = 0; i < kSizes; ++i) {
                const uint32_t size = (i + t) % kSizes;
                Result<SharedPipeline> made = f.program->pipeline(kernel, {.local_size = {size + 1, 1, 1}});
                if (made) found[t][size] = made.take();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const auto& each : found) {
        CHECK(each == found[0]);
        CHECK(std::ranges::find(each, nullptr) == each.end());
    }
}

TEST_CASE("programs of the same words share pipelines, with one that was released too") {
    Fixture f;
    const auto pipeline = [&](Program& program) {
        return program.pipeline(*program.find_kernel("main"), {.local_size = {4, 1, 1}}).take();
    };
    const SharedPipeline first = pipeline(*f.program);
    REQUIRE(first);
    std::unique_ptr<Program> second = Program::create(*f.device, runtime_test_spv, test_interface()).take();
    CHECK(pipeline(*second) == first);
    second.reset();
    f.program.reset();
    f.program = Program::create(*f.device, runtime_test_spv, test_interface()).take();
    CHECK(pipeline(*f.program) == first);
    CHECK(f.covers({.global = {100, 1, 1}}));
}

TEST_CASE("of modules that no program has, the last ones are kept") {
    Fixture f;
    const auto with_version = [](uint32_t version) {  // of the tool that wrote it
        std::vector<uint32_t> words(std::begin(runtime_test_spv), std::end(runtime_test_spv));
        words[2] = version;
        return words;
    };
    CompiledModules modules;
    const std::weak_ptr<CompiledModule> first = modules.find(*f.device, with_version(0));
    const std::shared_ptr<CompiledModule> second = modules.find(*f.device, with_version(1));
    CHECK(first.lock() != second);
    CHECK(modules.find(*f.device, with_version(0)) == first.lock());
    for (uint32_t i = 2; i < CompiledModules::kMost + 2; ++i) (void)modules.find(*f.device, with_version(i));
    CHECK(first.expired());
    CHECK(second->prepare("main"));  // who has it keeps it
    CHECK(modules.find(*f.device, with_version(1)) != second);
}

TEST_CASE("images' formats have pipelines of their own where they are few, or much is launched") {
    Fixture f;
    CompiledModule module(*f.device, runtime_test_spv);
    const auto pipeline = [&](uint32_t format, uint64_t work_items, uint32_t local_size = 1) {
        // a constant that the kernel does not have changes nothing but what Vulkan is asked for
        const PipelineVariant variant{.constants = {{.id = 0, .value = local_size},
                                                    {.id = 1, .value = 1},
                                                    {.id = 2, .value = 1},
                                                    {.id = 999, .value = format, .is_format = true}}};
        return module.pipeline("main", variant, f.device->pipeline_layout(), work_items).take();
    };
    const SharedPipeline a = pipeline(1, 1), b = pipeline(2, 1), any = pipeline(3, 1);
    CHECK(a);
    CHECK(a != b);
    CHECK(any != a);
    CHECK(any != b);
    CHECK(pipeline(4, 1000) == any);
    CHECK(pipeline(0, 1) == any);
    CHECK(pipeline(1, 1) == a);
    CHECK(pipeline(4, 1000, 2) == pipeline(3, 1, 2));
    const SharedPipeline own = pipeline(3, CompiledModule::kWorthAPipeline);
    CHECK(own != any);
    CHECK(pipeline(3, 1) == own);
    CHECK(pipeline(4, 1) == any);
}

TEST_CASE("upload, copy, fill and download keep every byte") {
    Fixture f;
    std::vector<uint32_t> data((40u << 20) / 4 + 3);  // above the size of one staging piece
    std::iota(data.begin(), data.end(), 12345u);
    Buffer a = Buffer::create(*f.device, data.size() * 4).take();
    Buffer b = Buffer::create(*f.device, data.size() * 4).take();
    REQUIRE(f.queue->fill(a, 0, a.size_bytes() / 4 * 4,
                          0xdeadbeef));  // in flight: the upload must stage and follow it
    REQUIRE(f.queue->upload(a, 0, std::as_bytes(std::span(data))));
    REQUIRE(f.queue->copy(a, 0, b, 0, a.size_bytes()));
    std::vector<uint32_t> back(data.size());
    REQUIRE(f.queue->download(b, 0, std::as_writable_bytes(std::span(back))));
    CHECK(back == data);
    uint8_t byte = 0;
    REQUIRE(f.queue->download(b, 5, std::as_writable_bytes(std::span(&byte, 1))));
    CHECK(byte == reinterpret_cast<const uint8_t*>(data.data())[5]);
}

TEST_CASE("fills repeat patterns of any size at any offset") {
    Fixture f;
    for (const size_t pattern_bytes : {1, 2, 3, 4, 8, 16, 128})
        for (const uint64_t offset : {0, 4, 7}) {
            const uint64_t size = 70'000 / pattern_bytes * pattern_bytes;  // more than one tile
            Buffer buffer = Buffer::create(*f.device, offset + size + 5).take();
            std::vector<uint8_t> pattern(pattern_bytes), back(buffer.size_bytes());
            std::iota(pattern.begin(), pattern.end(), uint8_t{3});
            REQUIRE(f.queue->fill(buffer, 0, buffer.size_bytes() / 4 * 4, 0));
            REQUIRE(f.queue->fill(buffer, offset, size, std::as_bytes(std::span(pattern))));
            REQUIRE(f.queue->download(buffer, 0, std::as_writable_bytes(std::span(back))));
            std::vector<uint8_t> expected(back.size());
            for (uint64_t i = 0; i < size; ++i) expected[offset + i] = pattern[i % pattern_bytes];
            std::copy(back.end() - back.size() % 4, back.end(), expected.end() - back.size() % 4);
            CHECK(back == expected);
        }
}

TEST_CASE("stretches are uploaded and copied at once") {
    Fixture f;
    Buffer a = Buffer::create(*f.device, 16).take(), b = Buffer::create(*f.device, 16).take();
    REQUIRE(f.queue->fill(a, 0, 16, 0));
    REQUIRE(f.queue->fill(b, 0, 16, 0));
    const CopyRegion in[] = {{.to = {.offset = 3}, .size = 2},
                             {.from = {.offset = 2}, .to = {.offset = 9}, .size = 1}};
    REQUIRE(f.queue->upload(
        a, 3, [](std::byte* out) { std::memcpy(out, "abc", 3); }, in));
    const CopyRegion across[] = {{.from = {.offset = 9}, .size = 1},
                                 {.from = {.offset = 3}, .to = {.offset = 1}, .size = 2}};
    REQUIRE(f.queue->copy(a, b, across));
    char text[4] = {};
    REQUIRE(f.queue->download(b, 0, std::as_writable_bytes(std::span(text))));
    CHECK(std::string_view(text, 4) == std::string_view("cab\0", 4));
}

TEST_CASE("what a queue keeps dies when the commands before have run") {
    Fixture f;
    Buffer buffer = Buffer::create(*f.device, 4).take();
    REQUIRE(f.queue->fill(buffer, 0, 4, 1));
    auto kept = std::make_shared<int>(1);
    f.queue->keep(kept);
    const Event event = f.queue->last();
    REQUIRE(f.queue->finish());
    CHECK(f.queue->is_complete(event).take());
    CHECK(kept.use_count() == 1);
}

TEST_CASE("a command ends for a program that does nothing but ask whether it has") {
    Fixture f;
    Buffer buffer = Buffer::create(*f.device, 4).take();
    const Event event = f.queue->fill(buffer, 0, 4, 1).take();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool ended = false;
    while (!ended && std::chrono::steady_clock::now() < end) {
        ended = f.queue->is_complete(event).take();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(ended);
}

TEST_CASE("misuse is an error that says what is wrong") {
    Fixture f;
    auto message = [](const auto& result) { return result ? std::string("none") : result.error().message; };
    Buffer buffer = Buffer::create(*f.device, 16).take();
    std::vector<std::byte> bytes(17);
    CHECK(message(f.queue->upload(buffer, 0, bytes)).find("outside") != std::string::npos);
    CHECK(message(f.queue->download(buffer, UINT64_MAX, bytes)).find("outside") != std::string::npos);
    CHECK(message(Kernel::create(*f.program, "nothing")).find("it has: main") != std::string::npos);
    Kernel kernel = Kernel::create(*f.program, "main").take();
    CHECK(message(kernel.set(2, 1u)).find("has no argument 2") != std::string::npos);
    CHECK(message(kernel.set(1, uint64_t{1})).find("has 4 bytes, not 8") != std::string::npos);
    CHECK(message(kernel.set(1, buffer)).find("not a pointer") != std::string::npos);
    CHECK(message(kernel.set_local(0, 16)).find("not a pointer to local") != std::string::npos);
    REQUIRE(kernel.set(0, buffer));
    CHECK(message(f.queue->dispatch(kernel, {})).find("kernel 'main': argument 1 ('bias') is not set") !=
          std::string::npos);
    REQUIRE(kernel.set(1, 1u));
    CHECK(message(f.queue->dispatch(kernel, {.dimensions = 4})).find("1 to 3") != std::string::npos);
    CHECK(message(f.queue->dispatch(kernel, {.local = {1u << 30, 1, 1}})).find("exceeds the device's") !=
          std::string::npos);
    NDRange range{.global = {100, 1, 1}};
    CHECK(!check_launch(kernel, range));
    CHECK(range.local[0] != 0);
    const auto kind = [&](NDRange wrong, WorkGroups groups = WorkGroups::Any) {
        const std::optional<LaunchFault> fault = check_launch(kernel, wrong, groups);
        REQUIRE(fault.has_value());
        return fault->kind;
    };
    using enum LaunchFault::Kind;
    CHECK(kind({.dimensions = 0}) == Dimensions);
    CHECK(kind({.local = {1u << 30, 1, 1}}) == ItemSize);
    CHECK(kind({.dimensions = 2, .local = {1, 0, 1}}) == GroupSize);
    CHECK(kind({.global = {100, 1, 1}, .local = {7, 1, 1}}, WorkGroups::Uniform) == GroupSize);
    CHECK(kind({.offset = {UINT64_MAX, 0, 0}}) == Offset);
    CHECK(kind({.global = {UINT64_MAX, 1, 1}, .local = {1, 1, 1}}) == GlobalSize);
    const uint64_t most = 0xffffffff;
    const NDRange huge{.dimensions = 3, .global = {most, most, most}, .local = {1, 1, 1}};
    CHECK(kind(huge) == Regions);
    CHECK(message(f.queue->dispatch(kernel, huge)).find("more than 1048576 dispatches") != std::string::npos);
    // unchecked, as a queue's own callers may launch it
    CHECK(message(f.queue->dispatch(Launch{.kernel = &kernel, .range = huge})).find("more than 1048576") !=
          std::string::npos);
    CHECK(message(Buffer::create(*f.device, 1ull << 60)) != "none");
    CHECK(message(open_device({.select = "no such device"})).find("no Vulkan device matches") !=
          std::string::npos);
}

TEST_CASE("freed memory is kept for the next buffer of its size, within bounds") {
    Fixture f;
    const Allocator& allocator = f.device->allocator();
    const auto make = [&](uint64_t megabytes) { return Buffer::create(*f.device, megabytes << 20).take(); };
    make(40);
    const uint64_t held = allocator.held_bytes();
    CHECK(held - allocator.used_bytes() >= 40u << 20);
    for (int i = 0; i < 3; ++i) {
        const Buffer again = make(40);
        CHECK(allocator.held_bytes() == held);
    }
    uint64_t most = 0;
    for (uint32_t heap = 0; heap < allocator.heap_count(); ++heap) most += allocator.most_spare_bytes(heap);
    for (uint64_t megabytes = 20; megabytes < 400; megabytes += 20) {
        make(megabytes);
        CHECK(allocator.held_bytes() - allocator.used_bytes() <= most);
    }
}

TEST_CASE("memory returns to the allocator") {
    Fixture f;
    const uint64_t before = f.device->allocator().used_bytes();
    {
        std::vector<Buffer> buffers;
        for (uint64_t size = 1; size < 1u << 20; size = size * 3 + 1)
            buffers.push_back(Buffer::create(*f.device, size).take());
        for (const Buffer& buffer : buffers) CHECK(buffer.address() % 128 == 0);
        CHECK(f.device->allocator().used_bytes() > before);
        std::erase_if(buffers, [](const Buffer& buffer) { return buffer.size_bytes() % 2 == 0; });
    }
    CHECK(f.device->allocator().used_bytes() == before);
}
