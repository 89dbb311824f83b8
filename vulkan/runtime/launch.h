// SPDX-License-Identifier: Apache-2.0
// Launches: what a kernel wants to run, checked in one place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vulkan/runtime/ndrange.h"
#include "vulkan/runtime/program.h"

namespace caldera::runtime {

/// A kernel with the arguments that it has now, over a range that check_launch() has completed.
struct Launch {
    const Kernel* kernel = nullptr;
    NDRange range = {};
    /// Of a DeviceQueue, for a kernel that enqueues; without one it finds that there is no device queue.
    const Buffer* device_queue = nullptr;
    uint32_t command = 0;  ///< vulkan::HiddenKind::Command
};

/// Why a kernel cannot be launched, by what clEnqueueNDRangeKernel says of it (OpenCL API 5.10).
struct LaunchFault {
    enum class Kind : uint8_t {
        Arguments,    ///< one is not set
        Dimensions,   ///< neither 1, 2 nor 3
        Offset,       ///< with the global size it is too large
        GlobalSize,   ///< too many work-groups
        ItemSize,     ///< of a work-group in one dimension
        GroupSize,    ///< of a work-group, or another one than the kernel requires, or it does not divide
        LocalMemory,  ///< there is less of it
    };
    Kind kind = {};
    std::string message = {};
};

enum class WorkGroups : uint8_t {
    Any,      ///< the last ones may be smaller
    Uniform,  ///< all of one size (OpenCL C before 2.0)
};

/// A local size that a caller may launch the kernel with, where it leaves that open. Dimensions past `dimensions` count as 1.
Size3 suggested_local_size(const Kernel& kernel, NDRange range, WorkGroups groups);
/// Completes the range, three dimensions and a local size, or says what is wrong. A range of size 0 in any dimension is right.
/// Where the local size is left open and the kernel ignores groups, it need not divide the range.
std::optional<LaunchFault> check_launch(const Kernel& kernel, NDRange& range,
                                        WorkGroups groups = WorkGroups::Any);

}  // namespace caldera::runtime
