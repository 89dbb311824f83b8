// SPDX-License-Identifier: Apache-2.0
// Threads in other people's processes.
#pragma once

#include <signal.h>

#include <thread>
#include <utility>

#include "spirv/support/float_environment.h"

namespace caldera {

#if defined(_WIN32)

/// Windows runs no handler in a thread that did not ask for it.
class BlockedSignals {
 public:
    BlockedSignals() noexcept {}
    ~BlockedSignals() {}
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
};

#else

/// While an instance exists, no signal handler of the program runs in the calling thread. The same holds
/// permanently for threads that are started meanwhile, because they inherit the signal mask. A program
/// expects signals in its own threads, where it may jump out of a handler or wait for signals (sigwait).
/// Signals that a thread's own instruction raises are not blocked: the process would end, although the
/// program may have a handler that makes the memory accessible.
class BlockedSignals {
 public:
    BlockedSignals() noexcept {
        sigset_t blocked;
        ::sigfillset(&blocked);
        for (const int raised_here : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
            ::sigdelset(&blocked, raised_here);
        ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
    }
    ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
    sigset_t before_ = {};
};

#endif

/// For a Vulkan call in which the driver starts threads: they compute in the default environment, and leave
/// signals to other threads. Do not use it if the call may take long, because it cannot be interrupted.
struct WhileStartingThreads {
    DefaultFloatEnvironment floats = {};
    BlockedSignals signals = {};
};

/// Starts a thread of Caldera. Throws what std::thread does.
template <class F, class... Args>
std::thread start_thread(F&& function, Args&&... args) {
    const WhileStartingThreads starting;
    return std::thread(std::forward<F>(function), std::forward<Args>(args)...);
}

}  // namespace caldera
