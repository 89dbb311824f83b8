// SPDX-License-Identifier: Apache-2.0
// clocks.h for programs that call OpenCL.
#pragma once

#include <CL/cl.h>

#include "tests/evaluation/bench/clocks.h"

namespace caldera::bench {

/// By the device's UUID (cl_khr_device_uuid).
Clocks clocks_of(cl_device_id device);
/// Builds a kernel, and has a queue of its own. Must end before the context. Ends the program where the
/// driver fails.
Burst burst_on(cl_context context, cl_device_id device);

}  // namespace caldera::bench
