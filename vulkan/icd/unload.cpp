// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/unload.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "spirv/support/process.h"
#include "spirv/support/shared_library.h"

namespace caldera::icd {
namespace {

thread_local bool is_own_thread = false;

// ---- Calls, and the end of the process ----

/// Counts running calls, in one cache line per counter, so that threads do not share cache lines.
struct alignas(64) Counter {
    std::atomic<int> calls = 0;
};
constinit std::array<Counter, 16> counters = {};
constinit std::atomic<unsigned> next_counter = 0;
constinit std::atomic<bool> is_process_ending = false, is_unloading = false;
constinit std::atomic<const DevicesAtEnd*> devices_at_end = nullptr;
/// The process that has opened a device. A forked child has none of its threads.
constinit std::atomic<pid_t> user = 0;
thread_local Counter* own_counter = nullptr;
thread_local int own_calls = 0;  // calls can nest, because callbacks may call

Counter& counter() {
    if (!own_counter) own_counter = &counters[next_counter++ % counters.size()];
    return *own_counter;
}

/// Waits for a while for other threads' calls, which may take long if they wait for the device.
void wait_for_calls() {
    using Clock = std::chrono::steady_clock;
    const auto is_in_call = [](const Counter& one) { return one.calls != 0; };
    for (const auto start = Clock::now(); Clock::now() - start < std::chrono::milliseconds(200);
         std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        if (std::ranges::none_of(counters, is_in_call)) return;
}

#if defined(__GLIBC__)
/// glibc lets a function that exit() calls call it again: the other functions follow, the streams are
/// flushed, and the last status counts (atexit(3)).
constexpr bool kMayExitTwice = true;
#else
constexpr bool kMayExitTwice = false;  // newer ones of musl trap
#endif
constinit int status_at_end = 0;  // instead of the process's own, or 0

/// The process exits. If exit() was called inside a call, that call counts as ended.
void end_calls() {
    if (is_process_ending.exchange(true) || getpid() != user || other_threads_are_gone()) return;
    counter().calls -= std::exchange(own_calls, 0);
    wait_for_calls();
    const DevicesAtEnd* const devices = devices_at_end;
    if (!devices) return;
    devices->let_finish();
    wait_for_calls();  // those that waited for the device go on now
    if (!is_unloading) status_at_end = devices->status();
    if (kMayExitTwice && status_at_end != 0) std::exit(status_at_end);
}

/// At exit, static objects are destroyed before the library's destructor function runs; on unloading, after
/// it.
struct AtExit {
    ~AtExit() { end_calls(); }
} at_exit;

/// A process that exits does not close devices, because the libraries of Vulkan's drivers have shut down
/// already.
[[gnu::destructor]] void unload() {
    if (!kMayExitTwice && status_at_end != 0) {  // what exit() calls has been called
        std::fflush(nullptr);
        std::_Exit(status_at_end);
    }
    if (is_process_ending || other_threads_are_gone()) return;
    is_unloading = true;
    if (const DevicesAtEnd* devices = devices_at_end) devices->close();
}

}  // namespace

bool Call::begin() noexcept {
    // must come first: either end_calls() sees the call, or the call sees that the process exits
    ++counter().calls;
    return own_calls++ != 0 || !is_process_ending;
}

Call::~Call() {
    --own_calls;
    --counter().calls;
}

void note_devices(const DevicesAtEnd& devices) {
    devices_at_end = &devices;
    if (!kMayEndThreadsInUnload) (void)stay_loaded();
}

/// atexit() runs functions in reverse order: this one runs before those of libraries that are already loaded.
void note_libraries() {
    user = getpid();
    (void)std::atexit(end_calls);
}

const std::atomic<bool>& process_ends() { return is_process_ending; }

// ---- Unloading ----

Loaded::Loaded() : driver_(hold_own_library()) {}

Loaded::~Loaded() {
    if (driver_ && !is_own_thread) give_back_own_library(driver_);
}

void begin_own_thread() { is_own_thread = true; }

}  // namespace caldera::icd
