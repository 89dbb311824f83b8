// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/clocks.h"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <atomic>

using namespace caldera::bench;

namespace {

constexpr DeviceUuid kUuid = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255};

std::atomic<unsigned>& mhz() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    REQUIRE(library != nullptr);
    auto* mhz = static_cast<std::atomic<unsigned>*>(dlsym(library, "fake_mhz"));
    REQUIRE(mhz != nullptr);
    return *mhz;
}

/// Counts how often it runs, and is over before the next one begins.
struct Work {
    int begun = 0, ended = 0;
    Burst burst() {
        return {.begin =
                    [this] {
                        CHECK(begun == ended);
                        ++begun;
                    },
                .end = [this] { ++ended; }};
    }
};

}  // namespace

TEST_CASE("what a device's clocks are") {
    mhz() = 1755;
    const std::optional<ClockSample> sample = Clocks(kUuid, "fake").sample();
    REQUIRE(sample);
    CHECK(text(*sample) == "1755 of 1980 MHz, memory 2619 MHz, 0 W, 1.50 GB used");
    CHECK(!Clocks(DeviceUuid{}, "another device").sample());
    CHECK(!Clocks(std::nullopt, "one without a UUID").sample());
}

TEST_CASE("clocks are alike within 3%") {
    const auto are = [](unsigned one, unsigned other) {
        return are_alike({.mhz = one}, {.mhz = other}) && are_alike({.mhz = other}, {.mhz = one});
    };
    CHECK(are(1980, 1980));
    CHECK(are(1980, 1930));
    CHECK(!are(1980, 1915));
    CHECK(!are(1980, 345));
    CHECK(!are(0, 345));
}

TEST_CASE("what was measured while the clock changed is not compared") {
    Work work;
    ClockWatch watch(Clocks(kUuid, "fake"), work.burst(), false);
    mhz() = 1980;
    watch.start();
    watch.before();
    CHECK(watch.after());
    CHECK(watch.change().empty());
    watch.before();
    mhz() = 345;
    CHECK(!watch.after());
    CHECK(watch.change() == "clock: 1980, then 345 MHz");
    watch.before();
    CHECK(watch.after());
    CHECK(watch.change().empty());
    CHECK(watch.finish() == ClockWatch::kRefused);
    CHECK(work.begun > 6);
    CHECK(work.begun == work.ended);
}

TEST_CASE("a clock that fell between is seen at the end") {
    Work work;
    ClockWatch watch(Clocks(kUuid, "fake"), work.burst(), false);
    mhz() = 1980;
    watch.start();
    mhz() = 345;
    watch.before();
    CHECK(watch.after());
    CHECK(watch.finish() == ClockWatch::kRefused);
}

TEST_CASE("unless any clock will do") {
    Work work;
    ClockWatch watch(Clocks(kUuid, "fake"), work.burst(), true);
    mhz() = 1980;
    watch.start();
    watch.before();
    mhz() = 345;
    CHECK(watch.after());
    CHECK(watch.change() == "clock: 1980, then 345 MHz");
    CHECK(watch.finish() == 0);
}

TEST_CASE("where nobody tells a device's clock") {
    Work work;
    ClockWatch watch(Clocks(std::nullopt, "no card"), work.burst(), false);
    watch.start();
    watch.before();
    CHECK(watch.after());
    CHECK(watch.finish() == 0);
    CHECK(work.begun == 0);
}
