// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/free_ranges.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "vulkan/runtime/runtime_fixture.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

constexpr uint64_t kGrain = FreeRanges::kGrain;

}  // namespace

TEST_CASE("taken ranges are aligned and do not overlap") {
    constexpr uint64_t kBytes = 1 << 16;
    FreeRanges free(kBytes);
    std::mt19937 random(7);
    std::vector<FreeRanges::Taken> taken;
    std::map<uint64_t, uint64_t> ends;  // by offset
    uint32_t refused = 0;
    for (int i = 0; i < 20000; ++i) {
        if (random() % 5 < 2 && !taken.empty()) {
            std::swap(taken[random() % taken.size()], taken.back());
            ends.erase(taken.back().offset_bytes());
            free.give_back(std::move(taken.back()));
            taken.pop_back();
            continue;
        }
        const uint64_t size = kGrain * (1 + random() % 20), alignment = kGrain << random() % 5;
        std::optional<FreeRanges::Taken> range = free.take(size, alignment);
        if (!range) {
            ++refused;
            continue;
        }
        const uint64_t at = range->offset_bytes();
        REQUIRE(at % alignment == 0);
        REQUIRE(range->size_bytes() == size);
        REQUIRE(at + size <= kBytes);
        const auto next = ends.lower_bound(at);
        REQUIRE((next == ends.end() || at + size <= next->first));
        REQUIRE((next == ends.begin() || std::prev(next)->second <= at));
        ends[at] = at + size;
        taken.push_back(std::move(*range));
    }
    CHECK(refused > 100);
    CHECK_FALSE(free.are_all());
    for (FreeRanges::Taken& range : taken) free.give_back(std::move(range));
    CHECK(free.are_all());
    CHECK(free.take(kBytes, kGrain).has_value());
}

TEST_CASE("a search looks at few ranges, however many are too small") {
    constexpr uint64_t kRanges = 20000;
    FreeRanges free(1 << 24);
    std::vector<FreeRanges::Taken> taken;
    for (uint64_t i = 0; i < kRanges; ++i) taken.push_back(*free.take(2 * kGrain, kGrain));
    for (uint64_t i = 0; i < kRanges; i += 2) free.give_back(std::move(taken[i]));
    const uint64_t before = free.looked_at();
    for (int i = 0; i < 100; ++i) {
        // The second does not fit into most of the ranges that are large enough, because of where they begin.
        REQUIRE(free.take(8 * kGrain, kGrain));
        REQUIRE(free.take(2 * kGrain, 64 * kGrain));
    }
    CHECK(free.looked_at() - before <= 2000);
}

TEST_CASE("small buffers leave no rests between them") {
    Fixture f;
    constexpr uint64_t kCount = 1000;
    const Allocator& allocator = f.device->allocator();
    const uint64_t before = allocator.used_bytes();
    std::vector<Buffer> buffers;
    for (uint64_t i = 0; i < kCount; ++i) buffers.push_back(Buffer::create(*f.device, 4).take());
    const uint64_t each = (allocator.used_bytes() - before) / kCount;
    CHECK(each >= Buffer::kAlignment);
    CHECK(each % Buffer::kAlignment == 0);
    if (!f.device->has_addresses()) return;
    std::vector<uint64_t> addresses;
    for (const Buffer& buffer : buffers) addresses.push_back(buffer.address());
    std::ranges::sort(addresses);
    uint64_t neighbours = 0;
    for (uint64_t i = 1; i < kCount; ++i) neighbours += addresses[i] - addresses[i - 1] == each;
    CHECK(neighbours >= kCount - 20);
}
