// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/patience.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "spirv/support/process.h"

using namespace caldera::runtime;
using namespace std::chrono_literals;

namespace {

/// When patience ends, for a process that does so much work in each second; 1,000 s if it does not by then.
Patience::Time end_with(Patience::Time work_per_second) {
    Patience::Moment at = {.clock = 3600s, .worked = 70s};
    Patience patience(at);
    for (int quarter = 1; quarter <= 4000; ++quarter) {
        at.clock += 250ms;
        at.worked += work_per_second / 4;
        if (patience.ends(at)) return at.clock - 3600s;
    }
    return 1000s;
}

}  // namespace

TEST_CASE("patience ends by the work that a process does") {
    CHECK(end_with(1s) == 20s);      // one thread compiles
    CHECK(end_with(100ms) == 200s);  // the same on a busy machine
    CHECK(end_with(2s) == 10s);      // a kernel on two processors
    CHECK(end_with(64s) == 5s);      // a kernel on many
}

TEST_CASE("patience ends soon where nothing is done") {
    CHECK(end_with(0s) == 5s);
    CHECK(end_with(1ms) == 5s);  // the wait itself takes a little
    CHECK(end_with(4ms) == 1000s);
}

#if defined(__linux__)
TEST_CASE("patience lasts while a thread waits for a processor") {
    std::atomic<bool> is_done = false;
    std::thread busy([&] {
        while (!is_done) {}
    });
    while (!caldera::other_threads_are_ready()) std::this_thread::yield();
    CHECK(end_with(0s) == 1000s);
    is_done = true;
    busy.join();
    CHECK(end_with(0s) == 5s);
}
#endif

TEST_CASE("patience waits for a condition") {
    std::mutex mutex;
    std::condition_variable changed;
    std::unique_lock lock(mutex);
    CHECK(Patience().wait(lock, changed, [] { return true; }));
    Patience::Moment long_ago = Patience::now();
    long_ago.clock -= Patience::kClock;
    long_ago.worked -= Patience::kWork;
    CHECK(!Patience(long_ago).wait(lock, changed, [] { return false; }));
}
