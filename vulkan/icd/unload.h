// SPDX-License-Identifier: Apache-2.0
// How the driver shuts down. Loaded: keeps the driver in memory; unloading it closes the devices. Call: no
// call reaches Vulkan while the process exits.
#pragma once

#include <atomic>

#include "spirv/support/float_environment.h"

namespace caldera::icd {

/// While an instance exists, dlclose() does not unload the driver: contexts have threads, and devices use
/// memory.
class Loaded {
 public:
    Loaded();
    ~Loaded();
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

 private:
    void* driver_ = nullptr;
};

/// Marks the calling thread as the driver's own. Such a thread runs the code that unloading would remove, so
/// a driver whose last Loaded is destroyed on it stays loaded.
void begin_own_thread();

/// A call of the program's, or what the driver's own thread does for it. One that begins while the process
/// ends may not run: the libraries of Vulkan's drivers end with it, and static objects that release what they
/// have may come later. One that has begun goes on, with the calls within it; the process waits for it a
/// while. It computes floats by the default environment. driver_quirks.def: ends_calls_at_exit.
class Call {
 public:
    Call() noexcept : may_run_(begin()) {}
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    explicit operator bool() const { return may_run_; }

 private:
    static bool begin() noexcept;

    const DefaultFloatEnvironment floats_ = {};
    const bool may_run_;
};

/// What happens to the devices at the end.
struct DevicesAtEnd {
    /// Called when the process exits: lets devices finish their work.
    void (*let_finish)() = nullptr;
    /// Called when the driver is unloaded.
    void (*close)() = nullptr;
    /// Called when the process exits, after let_finish: the status to exit with instead of its own, or 0.
    int (*status)() = nullptr;
};
/// Call this before there are devices. The argument stays where it is.
void note_devices(const DevicesAtEnd& devices);

/// Call this when Vulkan may have loaded libraries: no call runs when these shut down.
void note_libraries();

/// Becomes true when the process exits. Threads of the driver's own should end soon then.
const std::atomic<bool>& process_ends();

}  // namespace caldera::icd
