// SPDX-License-Identifier: Apache-2.0
// Launches of kernels, and their checks in one place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vulkan/runtime/ndrange.h"
#include "vulkan/runtime/program.h"

namespace caldera::runtime {

/// A kernel with its current arguments, over a range that check_launch() has completed.
struct Launch {
    const Kernel* kernel = nullptr;
    NDRange range = {};
    /// The buffer of a DeviceQueue, for a kernel that enqueues. If null, the kernel sees that there is no
    /// device queue.
    const Buffer* device_queue = nullptr;
    uint32_t command = 0;  ///< vulkan::HiddenKind::Command
    /// Where accesses are checked: pointers that the kernel finds in memory and may access memory by.
    std::span<const GivenPointer> pointers = {};
    /// The same for all memory of the device and, where they share it, of the host.
    bool reaches_all_memory = false;
};

/// Why a kernel cannot be launched: the errors of clEnqueueNDRangeKernel (OpenCL API 5.10).
struct LaunchFault {
    enum class Kind : uint8_t {
        Arguments,   ///< an argument is not set
        Dimensions,  ///< not 1, 2 or 3
        Offset,      ///< too large together with the global size
        GlobalSize,  ///< there are too many work-groups
        ItemSize,    ///< the local size is wrong in one dimension
        /// the work-group is too large, not the required one or of other sub-groups, or does not divide the
        /// global size
        GroupSize,
        LocalMemory,  ///< the device has less
        Buffers,      ///< there are not enough descriptors for buffers of this size
        Regions,      ///< the range is cut into more than kMostRegions
    };
    Kind kind = {};
    std::string message = {};
};

/// The message for a range that is cut into more than `most` regions.
std::string too_many_dispatches(uint64_t most);

enum class WorkGroups : uint8_t {
    Any,      ///< the last ones may be smaller
    Uniform,  ///< all have the same size (OpenCL C before 2.0)
};

/// A local size with which a caller may launch the kernel if it does not specify one. Dimensions past
/// `dimensions` count as 1.
Size3 suggested_local_size(const Kernel& kernel, NDRange range, WorkGroups groups);
/// Completes the range to three dimensions and a local size, or says what is wrong. A range of size 0 in any
/// dimension is valid. If no local size is specified and the kernel ignores groups, the local size need not
/// divide the range.
std::optional<LaunchFault> check_launch(const Kernel& kernel, NDRange& range,
                                        WorkGroups groups = WorkGroups::Any);

}  // namespace caldera::runtime
