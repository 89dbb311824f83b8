// SPDX-License-Identifier: Apache-2.0
// How the driver ends. Loaded: keeps it in memory; unloading it closes the devices. Call: none reaches Vulkan while the process ends.
#pragma once

#include "spirv/support/float_environment.h"

namespace caldera::icd {

/// While one lives, dlclose() leaves the driver where it is: contexts have threads, and memory that devices use.
class Loaded {
 public:
    Loaded();
    ~Loaded();
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

 private:
    void* driver_ = nullptr;
};

/// Says that the calling thread is the driver's: it runs what it would take away, so a driver whose last Loaded dies on it stays.
void begin_own_thread();

/// A call of the program's, or what the driver's own thread does for it. One that begins while the process ends may not run: the
/// libraries of Vulkan's drivers end with it, and static objects that release what they have may come later. One that has begun goes
/// on, with the calls within it; the process waits for it a while. It computes floats by the default environment.
/// driver_quirks.def: ends_calls_at_exit.
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

/// To be called when Vulkan may have loaded libraries: no call runs when these end.
void note_libraries();

}  // namespace caldera::icd
