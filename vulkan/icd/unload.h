// SPDX-License-Identifier: Apache-2.0
// Loaded: keeps the driver in memory. Unloading it closes the devices.
#pragma once

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

}  // namespace caldera::icd
