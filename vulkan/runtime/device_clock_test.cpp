// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device_clock.h"

#include <doctest/doctest.h>

using namespace caldera::runtime;

TEST_CASE("a duration is the device's own, wherever the comparison is") {
    ClockComparison clock(1.0, 64);
    clock.set({.ticks = 1'000'000, .host_ns = 5'000});
    CHECK(clock.duration_ns(10, 2'010) == 2'000);
    clock.set({.ticks = 0, .host_ns = 777});
    CHECK(clock.duration_ns(10, 2'010) == 2'000);
    CHECK(clock.duration_ns(2'010, 10) == 0);
}

TEST_CASE("a moment is as far from the comparison as ticks say") {
    ClockComparison clock(1.5, 64);
    clock.set({.ticks = 1'000, .host_ns = 50'000});
    CHECK(clock.host_ns(1'000) == 50'000);
    CHECK(clock.host_ns(1'100) == 50'150);
    CHECK(clock.host_ns(900) == 49'850);
}

TEST_CASE("a large count loses no tick") {
    ClockComparison clock(1.0, 64);
    constexpr uint64_t kLong = uint64_t{1} << 60;  // more than a double has digits
    clock.set({.ticks = kLong, .host_ns = 1'000});
    CHECK(clock.host_ns(kLong + 1) == 1'001);
    CHECK(clock.duration_ns(kLong + 1, kLong + 4) == 3);
}

TEST_CASE("a count of few bits begins again") {
    ClockComparison clock(1.0, 36);
    constexpr uint64_t kEnd = uint64_t{1} << 36;
    clock.set({.ticks = kEnd - 10, .host_ns = 100'000});
    CHECK(clock.host_ns(5) == 100'015);
    CHECK(clock.duration_ns(kEnd - 3, 4) == 7);
}

TEST_CASE("without a comparison the first command began when it was submitted") {
    ClockComparison clock(1.0, 64);
    clock.correct(500, 700, 10'000, 20'000);
    CHECK(clock.host_ns(500) == 10'000);
    CHECK(clock.host_ns(700) == 10'200);
}

TEST_CASE("a command did not begin before it was submitted, nor end after it was seen to have ended") {
    ClockComparison clock(1.0, 64);
    clock.set({.ticks = 0, .host_ns = 0});
    clock.correct(1'000, 1'200, 3'000, 9'000);  // the host's clock runs faster
    CHECK(clock.host_ns(1'000) == 3'000);
    clock.correct(2'000, 2'200, 3'100, 3'500);  // slower
    CHECK(clock.host_ns(2'200) == 3'500);
    clock.correct(3'000, 3'200, 4'400,
                  4'500);  // no comparison has both: it began later than it was submitted
    CHECK(clock.host_ns(3'000) == 4'400);
}
