// SPDX-License-Identifier: Apache-2.0
// How many pointers share an object, for code that changes the object, or uses it again, if nobody else has
// it.
#pragma once

#include <atomic>
#include <memory>

namespace caldera {

/// Whether this pointer is one of `count` that share its object. If so, what other threads did with the
/// object before they dropped theirs comes before what follows. The count alone orders nothing: use_count()
/// is a relaxed load. The caller must know that no other thread copies a pointer meanwhile.
template <class T>
bool is_shared_by(const std::shared_ptr<T>& pointer, long count) {
    if (pointer.use_count() != count) return false;
#ifdef __SANITIZE_THREAD__
    // The thread sanitizer knows no fences. A copy changes the same count, which orders as much in libstdc++.
    (void)std::shared_ptr<T>(pointer);
#else
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return true;
}

}  // namespace caldera
