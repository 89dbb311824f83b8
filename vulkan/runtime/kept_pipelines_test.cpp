// SPDX-License-Identifier: Apache-2.0
// Pipelines that are dropped, and made again.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "vulkan/runtime/command_recording.h"
#include "vulkan/runtime/compiled_module.h"
#include "vulkan/runtime/launch_sequence.h"
#include "vulkan/runtime/runtime_fixture.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

constexpr uint32_t kTooMany = CompiledModule::kMostOfKernel + 20;

SharedPipeline pipeline(const Fixture& f, uint32_t local_size) {
    return f.program->pipeline(*f.program->find_kernel("main"), {.local_size = {local_size, 1, 1}}).take();
}

/// Makes so many others that the kernel drops those it had.
void push_out(const Fixture& f) {
    for (uint32_t size = 0; size < CompiledModule::kMostOfKernel; ++size) (void)pipeline(f, 100 + size);
}

size_t pipelines_of_kernel(const Fixture& f) {
    return f.device->compiled_modules().find(*f.device, runtime_test_spv)->pipelines();
}

/// Launches the kernel with sizes from 1 to kTooMany, in an order of the thread's own, and compares what it
/// stores.
bool launches_right(Fixture& f, uint32_t thread) {
    constexpr uint32_t kItems = 2 * kTooMany;
    const auto queue = Queue::create(*f.device).take();
    Buffer buffer = Buffer::create(*f.device, kItems * 4).take();
    Kernel kernel = Kernel::create(*f.program, "main").take();
    bool is_right = kernel.set(0, buffer) && queue->fill(buffer, 0, buffer.size_bytes(), 0);
    for (uint32_t n = 0; n < kTooMany; ++n) {
        const uint64_t size = thread == 0 ? n + 1 : kTooMany - n;
        is_right &= kernel.set(1, n) &&
                    queue->dispatch(kernel, {.global = {kItems / size * size, 1, 1}, .local = {size, 1, 1}});
    }
    std::vector<uint32_t> words(kItems), expected(kItems);
    is_right &= bool(queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
    for (uint32_t n = 0; n < kTooMany; ++n) {
        const uint32_t size = thread == 0 ? n + 1 : kTooMany - n;
        for (uint32_t i = 0; i < kItems / size * size; ++i) expected[i] += i + n;
    }
    return is_right && words == expected;
}

/// The test's module with so many instructions more that do nothing.
std::vector<uint32_t> padded(size_t words) {
    constexpr uint32_t kNop = 1 << 16;
    std::vector<uint32_t> module(std::begin(runtime_test_spv), std::end(runtime_test_spv));
    module.insert(module.end() - 2, words, kNop);  // before the return and the end of the last function
    return module;
}

PipelineVariant variant(uint32_t local_size) {
    return {.constants = {{.id = 0, .value = local_size}, {.id = 1, .value = 1}, {.id = 2, .value = 1}}};
}

}  // namespace

TEST_CASE("a kernel has a limited number of pipelines, whatever threads launch") {
    Fixture f;
    std::array<bool, 2> is_right = {};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < is_right.size(); ++t)
        threads.emplace_back([&, t] { is_right[t] = launches_right(f, t); });
    for (std::thread& thread : threads) thread.join();
    for (const bool each : is_right) CHECK(each);
    CHECK(pipelines_of_kernel(f) == CompiledModule::kMostOfKernel);
    CHECK(f.device->kept_pipelines().count() >= CompiledModule::kMostOfKernel);
}

TEST_CASE("the pipelines that were used last stay") {
    Fixture f;
    const std::weak_ptr<const PipelineHandle> first = pipeline(f, 1), second = pipeline(f, 2);
    for (uint32_t size = 3; size <= CompiledModule::kMostOfKernel; ++size) (void)pipeline(f, size);
    CHECK(pipeline(f, 1) == first.lock());
    (void)pipeline(f, kTooMany);
    CHECK(!first.expired());
    CHECK(second.expired());
    CHECK(pipeline(f, 2));
    CHECK(pipelines_of_kernel(f) == CompiledModule::kMostOfKernel);
}

TEST_CASE("a dropped pipeline lives as long as a recorded command runs with it") {
    Fixture f;
    constexpr uint32_t kWords = 100;
    Buffer buffer = Buffer::create(*f.device, kWords * 4).take();
    REQUIRE(f.queue->fill(buffer, 0, buffer.size_bytes(), 0));
    Kernel kernel = Kernel::create(*f.program, "main").take();
    REQUIRE(kernel.set(0, buffer));
    REQUIRE(kernel.set(1, 5u));
    const NDRange range{.global = {kWords, 1, 1}, .local = {10, 1, 1}};
    const auto has_added = [&](uint32_t times) {
        std::vector<uint32_t> words(kWords);
        if (!f.queue->download(buffer, 0, std::as_writable_bytes(std::span(words)))) return false;
        for (uint32_t i = 0; i < kWords; ++i)
            if (words[i] != times * (i + 5)) return false;
        return true;
    };
    const std::weak_ptr<const PipelineHandle> recorded = pipeline(f, 10);

    SUBCASE("a sequence") {
        const std::shared_ptr<SequencePool> pool = SequencePool::create(*f.device).take();
        const LaunchSequence::Item items[] = {{&kernel, range, true}};
        std::shared_ptr<LaunchSequence> sequence = LaunchSequence::create(pool, items, {}).take();
        push_out(f);
        CHECK(!recorded.expired());
        CHECK(pipeline(f, 10) != recorded.lock());
        const VkCommandBuffer commands = sequence->commands();
        for (uint32_t turn = 1; turn <= 2; ++turn) {
            REQUIRE(f.queue->run({&commands, 1}));
            CHECK(has_added(turn));
        }
        sequence.reset();
    }
    SUBCASE("a command of a queue") {
        REQUIRE(f.queue->dispatch(kernel, range));
        push_out(f);
        CHECK(has_added(1));
    }
    SUBCASE("a command that has not been submitted") {
        REQUIRE(f.queue->dispatch(kernel, range));  // the device is idle: submitted at once
        REQUIRE(f.queue->dispatch(kernel, range));
        push_out(f);
        CHECK(has_added(2));
    }
    REQUIRE(f.queue->finish());
    CHECK(recorded.expired());
}

TEST_CASE("large kernels have fewer pipelines, and the modules of a device share the limit") {
    constexpr size_t kWords = KeptPipelines::kMostWords / 8;
    Fixture f;
    KeptPipelines& kept = f.device->kept_pipelines();
    const size_t others = kept.count();
    const SharedPipeline small = pipeline(f, 7);
    std::array<std::unique_ptr<CompiledModule>, 2> modules;
    for (auto& each : modules) each = std::make_unique<CompiledModule>(*f.device, padded(kWords));
    for (uint32_t size = 1; size <= 8; ++size)
        for (const auto& each : modules) {
            CHECK(each->pipeline("main", variant(size), f.device->pipeline_layout(), 1));
            CHECK(pipeline(f, 7) == small);  // used again and again
            CHECK(kept.count() <= others + 1 + 8);
        }
    CHECK(modules[0]->pipelines() != 0);
    CHECK(modules[1]->pipelines() != 0);
    for (auto& each : modules) each.reset();
    CHECK(kept.count() <= others + 1);
}

TEST_CASE("a kernel above the limit has the pipeline that was made last") {
    Fixture f;
    CompiledModule module(*f.device, padded(KeptPipelines::kMostWords));
    const auto made = [&](uint32_t size) {
        return module.pipeline("main", variant(size), f.device->pipeline_layout(), 1).take();
    };
    const SharedPipeline first = made(1);
    CHECK(made(1) == first);
    const SharedPipeline second = made(2);
    CHECK(module.pipelines() == 1);
    CHECK(made(2) == second);
    CHECK(made(1) != first);
}
