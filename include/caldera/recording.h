// SPDX-License-Identifier: Apache-2.0
/// @file
/// Recording: kernels in command buffers of the application.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "caldera/api.h"
#include "caldera/device.h"
#include "caldera/kernel.h"
#include "caldera/queue.h"
#include "caldera/result.h"

struct VkCommandBuffer_T;  // of <vulkan/vulkan.h>; see device.h

namespace caldera {

/// How the dispatches of kernels access memory, for the barriers around them. The numbers are Vulkan's.
struct KernelAccess {
    uint32_t stages =
        0;  ///< VkPipelineStageFlags: a barrier before has them as dstStageMask, one after as src
    uint32_t reads = 0;   ///< VkAccessFlags: with `writes`, dstAccessMask of a barrier before the kernel
    uint32_t writes = 0;  ///< VkAccessFlags: srcAccessMask of a barrier after the kernel
};
/// The access of a kernel that is recorded, to all buffers that its arguments and the pointers in them reach.
CALDERA_API KernelAccess kernel_access(const Kernel& kernel);

/// How a kernel accesses an image of Image::adopt(). The numbers are Vulkan's.
struct ImageAccess {
    uint32_t argument = 0;       ///< the kernel's argument
    VkImage_T* image = nullptr;  ///< AdoptedImage::image
    uint32_t layout = 0;         ///< AdoptedImage::layout: the image is in it when the kernel runs
    uint32_t stages = 0;         ///< VkPipelineStageFlags, as KernelAccess has them
    uint32_t reads = 0;          ///< VkAccessFlags
    uint32_t writes = 0;         ///< VkAccessFlags
};
/// The access to the image arguments that are set, in order, for the image barriers around the kernel. Texel
/// buffers are not among them: they have no layout, and are part of kernel_access(). Empty without a kernel.
CALDERA_API std::vector<ImageAccess> image_access(const Kernel& kernel);

/// What record() has added to a command buffer.
struct Recorded {
    uint32_t dispatches = 0;  ///< vkCmdDispatch commands; 0 where the range is empty
    /// The size of a buffer of the Recording that these dispatches use one after another, or 0. If it is not
    /// 0, no two submissions with commands of the same Recording may run at once on different queues.
    uint64_t private_bytes = 0;
};

/// Records kernels into command buffers of the application, and owns what these commands use: descriptor
/// sets, argument blocks, and handles of the kernels' programs and arguments. The application keeps it until
/// the command buffers have ended for the last time: they may be submitted many times. Nothing here waits for
/// the device, submits, or needs a Queue.
///
/// A handle: copies are the same recording. Not thread-safe, as a VkCommandPool is not: each thread that
/// records has its own. A default-constructed one is none and good for assignment only.
class CALDERA_API Recording {
 public:
    /// None.
    Recording() = default;
    /// An empty recording. Fails where `device` is none.
    static Result<Recording> create(const Device& device);
    /// Whether this is a recording.
    explicit operator bool() const { return impl_ != nullptr; }

    /// Adds the commands that run the kernel with its current arguments: for each part of the range a
    /// pipeline, push constants, descriptor sets and a dispatch. `commands` is a primary or secondary command
    /// buffer of the kernel's device, in the recording state and outside of a render pass, of the family of
    /// the device's queues that compute, or one of AdoptOptions::recording_families.
    ///
    /// No barrier is added before the first and after the last dispatch: the application adds those that
    /// kernel_access() tells. The compute pipeline, compute descriptor sets 0 to 2, and the push constants
    /// of the command buffer are others afterwards. Arguments may change as soon as the call returns.
    ///
    /// Fails, with nothing added, where Queue::dispatch() would fail, and for what a command buffer cannot
    /// do: a kernel that calls printf or enqueues kernels, and a range that needs more than 1,024 dispatches
    /// of the device.
    Result<Recorded> record(VkCommandBuffer_T* commands, const Kernel& kernel, const NDRange& range);

    /// Releases what the commands use, to record others: all command buffers with commands of this recording
    /// have ended, and are not submitted again.
    void reset();

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
