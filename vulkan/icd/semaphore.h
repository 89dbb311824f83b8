// SPDX-License-Identifier: Apache-2.0
// Semaphore: a binary semaphore, which commands signal and wait for (cl_khr_semaphore).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/icd/context.h"
#include "vulkan/icd/event.h"
#include "vulkan/runtime/external_semaphore.h"

/// A wait follows the event of the signal before it. So the device orders the two, wherever they are
/// recorded. A wait that comes before its signal follows a user event, which ends with the signal.
///
/// One that others may share is also a semaphore of Vulkan. Once they have it, another API may signal it,
/// without an event here. One that gets sync files is a new semaphore of Vulkan with each. Such a file counts
/// as a signal, so a wait may come before it too. Thread-safe.
struct _cl_semaphore_khr final : caldera::icd::Object<_cl_semaphore_khr> {
    static constexpr cl_int kInvalid = CL_INVALID_SEMAPHORE_KHR;
    using EventRef = caldera::icd::Ref<_cl_event>;
    using External = std::shared_ptr<const caldera::runtime::ExternalSemaphore>;

    _cl_semaphore_khr(caldera::icd::Context& its_context, size_t its_place)
        : context(&its_context), place(its_place) {}
    ~_cl_semaphore_khr();

    const caldera::icd::Ref<caldera::icd::Context> context;
    const size_t place;  ///< of its only device in the context
    std::vector<cl_semaphore_properties_khr> properties = {};
    /// How it can be exported.
    std::optional<cl_external_semaphore_handle_type_khr> export_type = {};
    bool imports_sync_files = false;

    /// Null for a semaphore that nobody may share.
    External external();
    /// For a new semaphore that can be exported.
    void set_exportable(External external);
    /// For a new semaphore that others have.
    void set_shared(External external);
    /// It gets the payload of a sync file, which replaces one that no wait has taken. `is_signalled`: as far
    /// as is known.
    void set_payload(const External& external, bool is_signalled);
    /// Others get a handle of the semaphore itself. A wait that is due a signal may get theirs now.
    void note_shared();

    /// The program enqueued a command that signals.
    void note_signal(const EventRef& signal);
    /// What a wait waits for.
    struct Awaited {
        /// Null where others have the semaphore, and only they can have signalled.
        EventRef signal = {};
        /// Set when `signal` has succeeded. Null for a semaphore that nobody may share.
        std::shared_ptr<External> external = {};
    };
    /// The signal that the next wait follows, which no other wait gets meanwhile.
    Awaited take_signal();
    /// The same of signals that were enqueued; null if there is none.
    EventRef take_known_signal();
    /// The wait for the signal that was taken; null if there is none after all.
    void note_wait(const EventRef& signal, const EventRef& wait) noexcept;
    /// The signal that was taken was passed on to a sync file.
    void note_export(const EventRef& signal);
    /// By commands of this semaphore.
    bool is_signalled();

 private:
    /// A signal, and the wait that resets the semaphore.
    struct Turn {
        EventRef signal = {}, wait = {};
        std::shared_ptr<External> external = std::make_shared<External>();  ///< Awaited::external
        bool is_taken = false;                                              ///< a wait is being enqueued
        bool is_due = false;      ///< `signal` is a user event: there is no command, and no payload, yet
        bool is_unknown = false;  ///< a payload, of which nobody knows whether it was signalled
        bool is_watched = false;  ///< pass_on() is called when `wait` is over
        /// Whether a wait may have it. One that failed did not reset the semaphore.
        bool is_free() const { return !is_taken && (!wait || (wait->status() < 0 && signal->status() >= 0)); }
    };
    /// Takes out what no command needs. The caller drops it when the lock is free: events own queues.
    template <class Needless>
    std::vector<Turn> take_out(Needless&& is_needless);
    std::vector<Turn> take_out_past();
    /// The first wait that is due a signal and can still get it. The lock is held.
    std::vector<Turn>::iterator first_due();
    /// Gives the signals of waits that failed to waits that are due one.
    void pass_on();
    /// Has pass_on() called when waits fail, if others are due a signal. Without memory it does nothing.
    void watch_waits() noexcept;

    std::mutex mutex_ = {};
    External external_ = {};
    bool is_shared_ = false;        // others have it
    std::vector<Turn> turns_ = {};  // in the order of their signals
};

namespace caldera::icd {
using Semaphore = ::_cl_semaphore_khr;
}
