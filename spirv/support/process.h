// SPDX-License-Identifier: Apache-2.0
// What happens to the process that the library lives in.
#pragma once

#include <cstdint>
#include <string>

#if !defined(_WIN32) && !defined(__wasi__)
#include <csignal>
#endif

namespace caldera {

/// Runs these functions at each fork, for as long as this library is loaded: one before it, and one after it
/// in each of the two processes. The thread that forks runs all three.
void run_at_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

/// While an instance exists, signals that end the process wait, unless another thread takes them. The thread
/// can so undo first what must not stay. Windows has no such signals.
class EndingSignalsWait {
 public:
    EndingSignalsWait();
    ~EndingSignalsWait();
    EndingSignalsWait(const EndingSignalsWait&) = delete;
    EndingSignalsWait& operator=(const EndingSignalsWait&) = delete;

 private:
#if !defined(_WIN32) && !defined(__wasi__)
    sigset_t before_ = {};
#endif
};

/// The number of the process, which a forked child has not in common with its parent.
int64_t process_id();

/// The file name of the program that runs, without its folder, and on Windows without ".exe". Empty if the
/// system does not say.
std::string executable_name();

/// The process ends, and its other threads have been ended wherever they were. Windows does that before it
/// tells libraries: locks may stay locked for ever, and nobody is left to wait for.
bool other_threads_are_gone();

/// Whether a thread of the process besides the calling one runs, or waits for nothing but a processor. Linux
/// alone tells; elsewhere it is false.
bool other_threads_are_ready();

}  // namespace caldera
