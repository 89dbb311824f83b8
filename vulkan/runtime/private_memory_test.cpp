// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/private_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

constexpr std::array<uint32_t, 3> kMostGroups = {65535, 65535, 65535};

uint64_t items_of(const Region& region) {
    uint64_t count = 1;
    for (const uint32_t size : region.size) count *= size;
    return count;
}

struct Fixture {
    std::unique_ptr<Device> device = open_device().take();
    vulkan::Kernel kernel = {.name = "k", .private_bytes = 1024};

    std::vector<Region> cut(PrivateMemory& memory, const NDRange& range) {
        return memory.cut(kernel, vulkan::Abi::Addresses, range, kMostGroups).take();
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture,
                  "a range for which the buffer suffices is one dispatch, and the buffer only grows") {
    PrivateMemory memory(*device, 1 << 20);
    CHECK(cut(memory, {.global = {96, 1, 1}, .local = {32, 1, 1}}).size() == 1);
    REQUIRE(memory.buffer());
    CHECK(memory.buffer()->size_bytes() == 96 * 1024);
    const std::shared_ptr<const Buffer> before = memory.buffer();
    CHECK(cut(memory, {.global = {33, 1, 1}, .local = {33, 1, 1}}).size() == 1);  // rounded up to 64
    CHECK(memory.buffer() == before);
    CHECK(cut(memory, {.global = {1000, 1, 1}, .local = {8, 1, 1}}).size() == 1);
    CHECK(memory.buffer()->size_bytes() == 1024 * 1024);
}

TEST_CASE_FIXTURE(Fixture, "larger ranges are cut in every dimension") {
    for (const bool ignores_groups : {false, true}) {
        kernel.ignores_groups = ignores_groups;
        PrivateMemory memory(*device, 256 * 1024);
        const NDRange range{.dimensions = 3, .global = {50, 30, 7}, .local = {4, 4, 2}};
        const std::vector<Region> regions = cut(memory, range);
        CHECK(regions.size() > 40);
        CHECK(memory.buffer()->size_bytes() <= 256 * 1024);
        uint64_t items = 0;
        for (const Region& region : regions) {
            items += items_of(region);
            uint64_t of_groups = 1;
            for (size_t d = 0; d < 3; ++d)
                of_groups *= uint64_t{region.local_size[d]} * region.group_count[d];
            CHECK(of_groups <= 256);
        }
        CHECK(items == 50 * 30 * 7);
    }
}

TEST_CASE_FIXTURE(Fixture, "one work-group gets more than the limit, or an error") {
    PrivateMemory memory(*device, 1024);
    CHECK(cut(memory, {.global = {128, 1, 1}, .local = {64, 1, 1}}).size() == 2);
    CHECK(memory.buffer()->size_bytes() == 64 * 1024);
    kernel.private_bytes = uint64_t{1} << 50;
    const auto regions =
        memory.cut(kernel, vulkan::Abi::Addresses, {.global = {64, 1, 1}, .local = {64, 1, 1}}, kMostGroups);
    REQUIRE(!regions);
    CHECK(regions.error().code == VK_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(regions.error().message.starts_with("kernel 'k' needs 72057594037927936 bytes"));
    CHECK(memory.buffer()->size_bytes() == 64 * 1024);
}

TEST_CASE_FIXTURE(Fixture, "the limit is the environment's, or part of the device's memory") {
    unsetenv("CALDERA_PRIVATE_BUFFER");
    const uint64_t most = default_private_buffer_bytes(*device);
    CHECK(most > 0);
    CHECK(most <= uint64_t{4} << 30);
    setenv("CALDERA_PRIVATE_BUFFER", "3M", 1);
    CHECK(default_private_buffer_bytes(*device) == 3 << 20);
    setenv("CALDERA_PRIVATE_BUFFER", "much", 1);
    CHECK(default_private_buffer_bytes(*device) == most);
    unsetenv("CALDERA_PRIVATE_BUFFER");
}
