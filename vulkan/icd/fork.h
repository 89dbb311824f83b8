// SPDX-License-Identifier: Apache-2.0
// Fork: a child has the memory of its parent, but none of the threads, of which Vulkan's drivers have some.
#pragma once

#include <cstdint>

namespace caldera::icd {

/// The number of forks between the process that loaded the driver and this one.
uint32_t forks_before() noexcept;

/// Counts forks from now on. `before` runs before each fork, in the thread that forks. It returns whether
/// Vulkan's drivers stay loaded. `after` runs in both processes then.
struct AtFork {
    bool (*before)() = nullptr;
    void (*after)() = nullptr;
};
/// The argument stays where it is. Call this once, before there are objects.
void follow_forks(const AtFork& at_fork);

/// Whether this process is a child of fork that got Vulkan's drivers loaded. It cannot use them.
bool has_drivers_of_parent() noexcept;

}  // namespace caldera::icd
