// SPDX-License-Identifier: Apache-2.0
// Threads in other people's processes.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

#include "spirv/support/float_environment.h"

namespace caldera {

/// While one lives, no handler of the program's runs in the calling thread, nor ever in those that are started meanwhile, which take
/// their mask from it: a program counts on signals coming in its own threads, where it may jump out of a handler or wait for them
/// (sigwait). What a thread's own instruction raises is not blocked: the process would end, where the program may have a handler
/// that makes memory present.
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

/// For a call of Vulkan's in which its driver starts threads: they compute by the default environment, and leave signals to others.
/// Not where the call may take long: it cannot be interrupted.
struct WhileStartingThreads {
    DefaultFloatEnvironment floats = {};
    BlockedSignals signals = {};
};

/// A thread of ours. Throws what std::thread does.
template <class F, class... Args>
std::thread start_thread(F&& function, Args&&... args) {
    const WhileStartingThreads starting;
    return std::thread(std::forward<F>(function), std::forward<Args>(args)...);
}

}  // namespace caldera
