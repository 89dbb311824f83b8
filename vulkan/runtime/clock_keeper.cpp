// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/clock_keeper.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "spirv/support/shared_library.h"
#include "spirv/support/threads.h"
#include "vulkan/runtime/cuda_context.h"

namespace caldera::runtime {
namespace {

using Clock = LaunchRun::Clock;
constexpr std::chrono::seconds kBatteryCheck{30};  // how often

enum class State : uint8_t {
    Resting,
    Working,  ///< a thread is there
    GaveUp,
};

}  // namespace

struct ClockKeeper::Shared {
    explicit Shared(const ClockKeeperOptions& its_options) : options(its_options), run(options.pause) {}

    const ClockKeeperOptions options;
    std::mutex mutex = {};
    std::condition_variable stopped = {};
    // The mutex guards the members below.
    bool stop = false;
    State state = State::Resting;
    LaunchRun run;
    CudaContext context = {};
};

ClockKeeper::ClockKeeper(const ClockKeeperOptions& options) : shared_(std::make_shared<Shared>(options)) {}

ClockKeeper::~ClockKeeper() {
    CudaContext ours;  // destroyed here, and not in the thread: CUDA's context is gone when the device is
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->stop = true;
        ours = std::move(shared_->context);
    }
    shared_->stopped.notify_one();
}

void ClockKeeper::launched() noexcept {
    const std::lock_guard lock(shared_->mutex);
    shared_->run.launched(Clock::now());
    if (shared_->state == State::Resting && wants_clock(shared_->options.wish, shared_->run))
        shared_->state = start(shared_) ? State::Working : State::GaveUp;
}

bool ClockKeeper::has_context() const {
    const std::lock_guard lock(shared_->mutex);
    return bool(shared_->context);
}
bool ClockKeeper::has_given_up() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->state == State::GaveUp;
}

bool ClockKeeper::start(const std::shared_ptr<Shared>& shared) noexcept {
    if (!stay_loaded()) return false;
    try {
        const BlockedSignals blocked;
        std::thread([shared] {
            try {
                keep(*shared);
            } catch (...) {  // out of memory
                const std::lock_guard lock(shared->mutex);
                shared->state = State::GaveUp;
            }
        }).detach();
        return true;
    } catch (...) { return false; }  // out of memory or threads
}

/// The thread's function. It unlocks the mutex during slow operations.
void ClockKeeper::keep(Shared& shared) {
    const ClockKeeperOptions& options = shared.options;
    std::unique_lock lock(shared.mutex);
    const auto is_wanted = [&] {
        return !shared.stop && still_wants_clock(options.wish, shared.run, Clock::now());
    };
    while (is_wanted()) {
        lock.unlock();
        const bool may = options.wish == KeepClocks::On || !runs_on_battery();
        lock.lock();
        if (may && !shared.context && !shared.stop) {
            lock.unlock();
            Result<CudaContext> made = CudaContext::create(options.uuid);
            if (!made && options.says_why_not)
                std::fprintf(stderr, "caldera: the device's clock is not kept up: %s\n",
                             made.error().message.c_str());
            lock.lock();
            if (!made) {
                shared.state = State::GaveUp;
                return;
            }
            if (!shared.stop) shared.context = made.take();
            if (shared.stop) {
                lock.unlock();  // destroys what `made` still has
                return;
            }
        } else if (!may && shared.context) {
            const CudaContext ended = std::move(shared.context);
            lock.unlock();
        }
        if (!lock.owns_lock()) lock.lock();
        const auto look_again = std::min(Clock::now() + kBatteryCheck, shared.run.over_at());
        const auto is_stopped = [&] { return shared.stop; };
        if (options.wish == KeepClocks::On)
            shared.stopped.wait(lock, is_stopped);
        else
            shared.stopped.wait_until(lock, look_again, is_stopped);
    }
    const CudaContext ended = std::move(shared.context);
    shared.run.end();
    shared.state = State::Resting;
    lock.unlock();
}

}  // namespace caldera::runtime
