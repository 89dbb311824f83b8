// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <signal.h>

#include "spirv/support/threads.h"

using namespace caldera;

TEST_CASE("no handler of the program's runs in a thread of ours") {
    sigset_t before, own, unchanged;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
    start_thread([&] { ::pthread_sigmask(SIG_SETMASK, nullptr, &own); }).join();
    for (const int blocked : {SIGUSR1, SIGINT, SIGCHLD, SIGALRM, SIGRTMIN})
        CHECK(::sigismember(&own, blocked) == 1);
    for (const int open : {SIGSEGV, SIGBUS, SIGFPE}) CHECK(::sigismember(&own, open) == 0);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &unchanged);
    for (int signal = 1; signal <= SIGRTMAX; ++signal)
        CHECK(::sigismember(&before, signal) == ::sigismember(&unchanged, signal));
}
