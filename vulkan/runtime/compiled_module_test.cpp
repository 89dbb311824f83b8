// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/compiled_module.h"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "vulkan/runtime/background_tasks.h"
#include "vulkan/runtime/disk_cache_fixture.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/program.h"
#include "vulkan/runtime/queue.h"
// The generated header wants <cstdint>'s names: runtime_test.comp, by glslang.
#include "runtime_test_spv.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

/// The user's cache is a folder of the test's.
struct OwnCache {
    OwnCache() {
        setenv("CALDERA_CACHE_DIR", place.cache().c_str(), 1);
        setenv("CALDERA_CACHE", "1", 1);
    }
    OwnCache(const OwnCache&) = delete;
    OwnCache& operator=(const OwnCache&) = delete;
    ~OwnCache() {
        setenv("CALDERA_CACHE", before.c_str(), 1);
        unsetenv("CALDERA_CACHE_DIR");
    }
    Place place = {};
    std::string before = std::getenv("CALDERA_CACHE") ? std::getenv("CALDERA_CACHE") : "1";
};

/// What a process has of a program.
struct Process {
    std::unique_ptr<Device> device = open_device({.disk_cache = true}).take();
    std::unique_ptr<Program> program = {};

    void build() {
        vulkan::Kernel kernel;
        kernel.name = "main";
        kernel.arguments = {{.kind = vulkan::ArgumentKind::GlobalPointer, .name = "result", .size_bytes = 8},
                            {.kind = vulkan::ArgumentKind::Value, .offset_bytes = 8, .size_bytes = 4}};
        kernel.hidden = {{vulkan::HiddenKind::GlobalIdBase, 16}, {vulkan::HiddenKind::GlobalSize, 40}};
        kernel.block_bytes = 64;
        program = Program::create(*device, runtime_test_spv, {.kernels = {kernel}}).take();
    }
    /// Launches the kernel with each of these work-group sizes.
    bool is_right(std::span<const uint32_t> local_sizes) const {
        constexpr uint32_t kItems = 840;
        const auto queue = Queue::create(*device).take();
        Buffer buffer = Buffer::create(*device, kItems * 4).take();
        Kernel kernel = Kernel::create(*program, "main").take();
        for (const uint32_t local : local_sizes) {
            REQUIRE(queue->fill(buffer, 0, buffer.size_bytes(), 0));
            REQUIRE(kernel.set(0, buffer));
            REQUIRE(kernel.set(1, local));
            REQUIRE(queue->dispatch(kernel, {.global = {kItems, 1, 1}, .local = {local, 1, 1}}));
            std::vector<uint32_t> words(kItems), expected(kItems);
            REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
            std::iota(expected.begin(), expected.end(), local);
            if (words != expected) return false;
        }
        return true;
    }
    size_t pipelines() const {
        return device->compiled_modules().find(*device, runtime_test_spv)->pipelines();
    }
    bool gets(size_t count) const {
        using Clock = std::chrono::steady_clock;
        for (const auto end = Clock::now() + std::chrono::seconds(20); Clock::now() < end;
             std::this_thread::sleep_for(std::chrono::milliseconds(1)))
            if (pipelines() == count) return true;
        return false;
    }
};

constexpr std::array<uint32_t, 8> kLocalSizes = {1, 2, 3, 4, 5, 6, 7, 8};

}  // namespace

TEST_CASE("pipelines that the last process used are there without a launch") {
    const OwnCache cache;
    {
        Process first;
        first.build();
        CHECK(first.pipelines() == 0);
        CHECK(first.is_right(kLocalSizes));
        CHECK(first.pipelines() == 8);
    }
    {
        Process second;
        second.build();
        CHECK(second.gets(8));
        CHECK(second.is_right(std::array{3u, 10u}));
        CHECK(second.pipelines() == 9);
    }
    Process third;
    third.build();
    CHECK(third.gets(2));  // the others had not been used
}

TEST_CASE("a process that ends without a word has left what it used") {
    const OwnCache cache;
    Process first, second;
    first.build();
    CHECK(first.is_right(kLocalSizes));
    second.build();
    CHECK(second.gets(8));
}

TEST_CASE("a process that exits saves what had not been saved") {
    const OwnCache cache;
    Process first, second;
    first.build();
    CHECK(first.is_right(std::span(kLocalSizes).first(7)));  // the list is saved with 1, 2 and 4 of them
    first.device->compiled_modules().keep();
    second.build();
    CHECK(second.gets(7));
}

TEST_CASE("launches may come before the pipelines that are made early") {
    const OwnCache cache;
    {
        Process first;
        first.build();
        CHECK(first.is_right(kLocalSizes));
    }
    for (int turn = 0; turn < 3; ++turn) {
        Process process;
        process.build();
        std::vector<std::thread> threads;
        std::array<bool, 4> is_right = {};
        for (bool& right : is_right) threads.emplace_back([&] { right = process.is_right(kLocalSizes); });
        for (std::thread& thread : threads) thread.join();
        for (const bool right : is_right) CHECK(right);
        CHECK(process.pipelines() == 8);
    }
}

TEST_CASE("a process that exits begins no pipelines") {
    const OwnCache cache;
    {
        Process first;
        first.build();
        CHECK(first.is_right(kLocalSizes));
    }
    Process process;
    process.device->background().stop(Patience());
    process.build();
    CHECK(process.is_right(std::array{2u}));
    CHECK(process.pipelines() == 1);
}
