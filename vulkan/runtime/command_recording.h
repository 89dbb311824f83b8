// SPDX-License-Identifier: Apache-2.0
// CommandRecording: launches in command buffers of an application.
#pragma once

#include <cstdint>
#include <memory>

#include "vulkan/runtime/launch_recorder.h"
#include "vulkan/runtime/transfer_recorder.h"

namespace caldera::runtime {

/// What launches in an application's command buffers use until these have run for the last time. Neither
/// thread-safe, nor does it wait for the device: whoever has it knows when the commands have ended.
class CommandRecording {
 public:
    explicit CommandRecording(Device& device);

    struct Recorded {
        uint32_t dispatches = 0;
        uint64_t private_bytes = 0;  ///< of a buffer that the dispatches use one after another
        /// Each dispatch's argument block, if blocks are in memory that has addresses; valid until reset().
        std::vector<std::byte*> blocks = {};
    };
    /// Adds the commands of a launch, with the kernel's current arguments, to a command buffer that is being
    /// recorded, outside of render passes. If it fails, it has added nothing.
    Result<Recorded> record(VkCommandBuffer commands, const Kernel& kernel, NDRange range);
    /// Adds copies or fills. Only what is added is kept, so buffers and the copier must stay alive.
    TransferRecorder transfers(std::unique_ptr<Copier>& copier) {
        return {device_, memory_, buffers_, copier};
    }
    /// The commands run more than once. Before the first launch.
    void stage_near_device() { memory_.use = MemoryUse::Parameters; }
    /// Keeps an object alive until reset().
    void keep(std::shared_ptr<const void> object) { memory_.keep(std::move(object)); }
    /// The command buffers have run for the last time.
    void reset();

    /// More dispatches of one launch are declined.
    static constexpr uint64_t kMostDispatches = 1024;

 private:
    Device& device_;
    CommandMemory memory_;
    LaunchBuffers buffers_;
};

}  // namespace caldera::runtime
