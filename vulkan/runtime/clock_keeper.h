// SPDX-License-Identifier: Apache-2.0
// ClockKeeper: keeps a device's clock high while a program launches kernels repeatedly.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <memory>

#include "vulkan/runtime/clock_policy.h"

namespace caldera::runtime {

struct ClockKeeperOptions {
    KeepClocks wish = KeepClocks::Auto;
    std::array<uint8_t, VK_UUID_SIZE> uuid = {};  ///< the device's UUID
    bool says_why_not = false;                    ///< prints failures to stderr
    LaunchRun::Clock::duration pause = LaunchRun::kPause;
};

/// Holds a CudaContext, which keeps NVIDIA's clocks high, while wants_clock() and still_wants_clock() say so.
/// Unless the user forces it, it holds none while the machine runs on battery. If a context cannot be
/// created, it gives up.
///
/// A separate thread creates the context, which takes CUDA a fraction of a second, and releases it after a
/// pause, so the program waits for neither. The thread blocks all signals. From then on, the library that
/// contains the thread's code is never unloaded. Nobody joins the thread: it may be loading CUDA, and a
/// thread that unloads a library would block that. Thread-safe.
///
/// The alternative is a work-group that spins on its own queue after a launch. It needs no CUDA, but draws
/// 144 W where the context draws 118, and takes up space on the device that kernels need.
class ClockKeeper {
 public:
    explicit ClockKeeper(const ClockKeeperOptions& options);
    ~ClockKeeper();
    ClockKeeper(const ClockKeeper&) = delete;
    ClockKeeper& operator=(const ClockKeeper&) = delete;

    /// Call this at each launch.
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
