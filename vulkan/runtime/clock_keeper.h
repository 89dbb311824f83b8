// SPDX-License-Identifier: Apache-2.0
// ClockKeeper: keeps a device's clock up while a program launches again and again.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <memory>

#include "vulkan/runtime/clock_policy.h"

namespace caldera::runtime {

struct ClockKeeperOptions {
    KeepClocks wish = KeepClocks::Auto;
    std::array<uint8_t, VK_UUID_SIZE> uuid = {};  ///< the device's
    bool says_why_not = false;                    ///< on stderr
    LaunchRun::Clock::duration pause = LaunchRun::kPause;
};

/// Has a CudaContext, which keeps NVIDIA's clocks up, as long as wants_clock() and still_wants_clock() tell and, unless they are to be
/// kept in any case, the machine does not run on its battery. Where there cannot be one it gives up.
///
/// A thread of its own makes the context, which takes CUDA a fraction of a second, and lets it go after a pause: the program waits for
/// neither. It blocks all signals. The library that has the thread's code is never unloaded from then on, and nobody waits for the
/// thread: it may be loading CUDA, which an unloading thread would keep it from. Thread-safe.
///
/// The other way to keep the clock, a work-group that spins on a queue of its own while launches are young, needs no CUDA, but takes
/// 144 W where the context takes 118, and a place on the device that kernels want.
class ClockKeeper {
 public:
    explicit ClockKeeper(const ClockKeeperOptions& options);
    ~ClockKeeper();
    ClockKeeper(const ClockKeeper&) = delete;
    ClockKeeper& operator=(const ClockKeeper&) = delete;

    /// To be called at each launch.
    void launched() noexcept;
    bool has_context() const;
    bool has_given_up() const;

 private:
    struct Shared;
    static bool start(const std::shared_ptr<Shared>& shared) noexcept;
    static void keep(Shared& shared);

    std::shared_ptr<Shared> shared_;
};

}  // namespace caldera::runtime
