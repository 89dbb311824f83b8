// SPDX-License-Identifier: Apache-2.0
// LaunchRecorder: records launches of kernels into command buffers, a queue's own and those of an
// application.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/descriptors.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/launch.h"
#include "vulkan/runtime/private_memory.h"
#include "vulkan/runtime/race_shadows.h"

namespace caldera::runtime {

/// Memory that the host writes and the device reads.
struct StagedSlice {
    const Buffer* buffer = nullptr;  ///< valid until something else is staged
    uint64_t offset = 0;
    std::byte* data = nullptr;
    uint64_t address() const { return buffer->address() + offset; }
};

/// What recorded commands use until they have run.
struct CommandMemory {
    /// Pieces share staging buffers of `chunk_bytes`.
    CommandMemory(uint64_t chunk, uint32_t sets_per_pool) : chunk_bytes(chunk), descriptors(sets_per_pool) {}

    /// Keeps an object alive until recycle(); the same once, if it comes several times in a row.
    void keep(std::shared_ptr<const void> object) {
        if (kept.empty() || kept.back() != object) kept.push_back(std::move(object));
    }
    /// Memory that stays valid until recycle().
    Result<StagedSlice> stage(Device& device, uint64_t size_bytes);
    /// Releases what the commands used: the device does not use it any more.
    void recycle(Device& device);
    /// How much staging memory there is, and about how much memory of the driver for copies.
    uint64_t bytes() const;

    uint64_t chunk_bytes;
    MemoryUse use = MemoryUse::Upload;  ///< Parameters: for commands that run more than once
    std::vector<Buffer> staging = {};
    uint64_t staging_used = 0;  // of staging.back()
    uint64_t region_bytes = 0;  ///< about what the driver needs for the regions of copies
    DescriptorSets descriptors;
    std::vector<std::shared_ptr<const void>> kept = {};
};

/// Buffers that the launches of one owner use one after another.
struct LaunchBuffers {
    LaunchBuffers(Device& device, uint64_t most_private_bytes, uint64_t printf_size_bytes)
        : private_memory(device, most_private_bytes), printf_bytes(printf_size_bytes), race_shadows(device) {}

    PrivateMemory private_memory;
    bool uses_private_memory = false;  ///< a dispatch may that was recorded after the last barrier
    Buffer printf = {};                ///< the owner creates it for the first kernel that prints
    uint64_t printf_bytes;
    /// Created for the first kernel that enqueues without a device queue, or has a NULL argument and
    /// descriptors.
    Buffer zeros = {};
    /// The areas of CheckState, for the first kernel whose accesses are checked.
    Buffer check_areas = {};
    RaceShadows race_shadows;
};

/// One vkCmdDispatch with all that it needs.
struct Dispatch {
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    std::array<uint32_t, 3> group_count = {};
    uint32_t set_count = 0;
    std::array<VkDescriptorSet, 3> sets = {};
    std::vector<std::byte> push_constants = {};
    std::byte* block = nullptr;  ///< the argument block, if it is in memory that has an address
    bool waits_for_private_memory = false;
    VkBuffer cleared = VK_NULL_HANDLE;  ///< zeros before the dispatch: its first `cleared_bytes`
    uint64_t cleared_bytes = 0;
};

/// Makes dispatches of launches, and records them. The dispatches of one launch are work-groups of one
/// NDRange, so there is no barrier between them, unless they use the same private memory.
class LaunchRecorder {
 public:
    LaunchRecorder(Device& device, CommandMemory& memory, LaunchBuffers& buffers)
        : device_(device), memory_(memory), buffers_(buffers) {}

    /// A launch needs at most so many dispatches, or is an error: kMostRegions unless this says less.
    void limit_dispatches(uint64_t most) { most_dispatches_ = most; }
    /// Memory may be made between preparing a launch and running it. Where faults are reported, a pointer
    /// that a kernel finds in memory then is right unless it is NULL.
    void allow_later_memory() { has_later_memory_ = true; }
    /// All that may fail. A kernel that prints needs LaunchBuffers::printf.
    Result<std::vector<Dispatch>> prepare(const Launch& launch);
    static void record(VkCommandBuffer commands, std::span<const Dispatch> dispatches);

 private:
    Result<std::vector<Region>> regions_of(const Launch& launch);
    /// What all dispatches of a launch bind.
    struct Bindings {
        VkDescriptorSet literal_set = VK_NULL_HANDLE;   ///< none where the source has no samplers of Vulkan's
        std::vector<BufferBinding> arguments = {};      ///< buffers of pointers and images
        std::vector<ImageBinding> images = {};          ///< images and samplers of Vulkan's
        VkDescriptorSet argument_set = VK_NULL_HANDLE;  ///< none where each dispatch has its own
        VkDescriptorSet program_set = VK_NULL_HANDLE;   ///< none where the program has no buffers
    };
    Result<Dispatch> dispatch_of(const Launch& launch, const Region& region, const Bindings& bindings);
    std::vector<std::byte> argument_block(const Launch& launch, const Region& region) const;
    Result<Done> add_arguments(Dispatch& dispatch, const Launch& launch, std::vector<std::byte> block,
                               const Bindings& bindings);
    Result<Bindings> bind(const Launch& launch);
    Result<VkDescriptorSet> make_set(const SetLayout& layout, std::span<const BufferBinding> buffers,
                                     std::span<const ImageBinding> images);
    Result<std::vector<BufferBinding>> program_buffers(const Launch& launch);
    Result<BufferBinding> stage_bytes(uint32_t binding, VkDescriptorType type,
                                      std::span<const std::byte> bytes);
    Result<Done> make_zeros();
    Result<Done> stage_check_state(const Launch& launch);

    Device& device_;
    CommandMemory& memory_;
    LaunchBuffers& buffers_;
    uint64_t most_dispatches_ = kMostRegions;
    bool has_later_memory_ = false;
    uint64_t check_state_ = 0;    // its address, for the launch that is being prepared
    uint32_t search_limit_ = 0;   // the same: for the state's objects
    LaunchShadows shadows_ = {};  // the same
};

}  // namespace caldera::runtime
