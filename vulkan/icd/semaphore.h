// SPDX-License-Identifier: Apache-2.0
// Semaphore: a binary semaphore, which commands signal and wait for (cl_khr_semaphore).
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/icd/context.h"
#include "vulkan/icd/event.h"
#include "vulkan/icd/extension_names.h"

/// A wait follows the event of the signal before it. So the device orders the two, wherever they are
/// recorded. A wait that comes before its signal follows a user event, which ends with the signal.
/// Thread-safe.
struct _cl_semaphore_khr final : caldera::icd::Object<_cl_semaphore_khr> {
    static constexpr cl_int kInvalid = CL_INVALID_SEMAPHORE_KHR;
    using EventRef = caldera::icd::Ref<_cl_event>;

    _cl_semaphore_khr(caldera::icd::Context& its_context, size_t its_place)
        : context(&its_context), place(its_place) {}
    ~_cl_semaphore_khr();

    const caldera::icd::Ref<caldera::icd::Context> context;
    const size_t place;  ///< of its only device in the context
    std::vector<cl_semaphore_properties_khr> properties = {};

    /// The program enqueued a command that signals.
    void note_signal(const EventRef& signal);
    /// The signal that the next wait follows, which no other wait gets meanwhile.
    EventRef take_signal();
    /// The wait for the signal that was taken; null if there is none after all.
    void note_wait(const EventRef& signal, const EventRef& wait) noexcept;
    bool is_signalled();

 private:
    /// A signal, and the wait that resets the semaphore.
    struct Turn {
        EventRef signal = {}, wait = {};
        bool is_taken = false;  ///< a wait is being enqueued
        bool is_due = false;    ///< `signal` is a user event, whose command was not enqueued yet
        /// Whether a wait may have it. One that failed did not reset the semaphore.
        bool is_free() const { return !is_taken && (!wait || (wait->status() < 0 && signal->status() >= 0)); }
    };
    void forget_past_turns();

    std::mutex mutex_ = {};
    std::vector<Turn> turns_ = {};  // in the order of their signals
};

namespace caldera::icd {
using Semaphore = ::_cl_semaphore_khr;
}
