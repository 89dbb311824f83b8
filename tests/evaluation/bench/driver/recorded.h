// SPDX-License-Identifier: Apache-2.0
// Times that the host takes to replay command-buffers (cl_khr_command_buffer) and to change what they
// recorded (cl_khr_command_buffer_mutable_dispatch).
#pragma once

#include <CL/cl.h>

#include <functional>

namespace caldera::bench {

/// How many kernels a command-buffer has.
constexpr int kRecorded = 1000;

enum class RecordedStep {
    Record,              ///< record the kernels and finalize, for each kernel
    Enqueue,             ///< the call that replays all, which doesn't wait
    EnqueueAfterChange,  ///< the same directly after an argument of one kernel was changed
    Change,              ///< change an argument of one kernel, of 100 times in a row
    ChangeAfterReplay,   ///< the same once, directly after the end of a replay
    Replay,              ///< a replay to its end, for each kernel
};

/// Seconds that the step takes. Each kernel is `kernel` with 64 work-items; its argument 0 is a buffer, and
/// `other` is another one of at least 256 bytes. NaN where the device doesn't have the extensions. Ends the
/// process where a call fails.
double seconds_of_recorded(RecordedStep step, cl_device_id device, cl_command_queue queue, cl_kernel kernel,
                           cl_mem buffer, cl_mem other);

}  // namespace caldera::bench
