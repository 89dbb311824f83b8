// SPDX-License-Identifier: Apache-2.0
// What a process does for a device before it exits.
#pragma once

#include <memory>

#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Saves pipelines that the cache on disk lacks, and waits until none is being made (BackgroundTasks) and
/// until the device has done what was submitted, each no longer than Patience lasts; a GPU is not waited for.
/// To be called when nobody submits any more. lavapipe compiles a kernel in a thread of its own when it first
/// runs, with a library (LLVM) whose static objects end with the process: the thread would use them
/// afterwards, and end the process by a signal. driver_quirks.def: waits_at_exit.
void let_finish(const std::shared_ptr<Device>& device);

/// For programs that exit without closing the device: waits then as let_finish() does, and saves nothing. To
/// be called when the device is open, because what was registered for the exit last runs first: Vulkan's
/// driver and its libraries are still there.
void let_finish_at_exit(const std::shared_ptr<Device>& device);

}  // namespace caldera::runtime
