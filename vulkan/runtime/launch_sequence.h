// SPDX-License-Identifier: Apache-2.0
// LaunchSequence: launches that are recorded once and run again and again.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vulkan/runtime/command_recording.h"
#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

/// Where the command buffers of sequences come from. Thread-safe; the device must outlive it.
class SequencePool {
 public:
    static Result<std::shared_ptr<SequencePool>> create(Device& device);
    explicit SequencePool(Device& device) : device_(device) {}

 private:
    friend class LaunchSequence;
    Device& device_;
    std::mutex mutex_ = {};  // held while a command buffer of the pool is made, recorded or freed
    CommandPoolHandle pool_ = {};
    std::unique_ptr<Copier> copier_ = {};  // created for the first copy with a kernel
};

/// A copy or a fill of a sequence. What it refers to is read while it is recorded; buffers stay alive.
struct SequenceTransfer {
    const Buffer* from = nullptr;  ///< null: from `bytes`
    const Buffer* to = nullptr;
    std::span<const std::byte> bytes = {};      ///< whence regions are copied, or a pattern
    std::span<const CopyRegion> regions = {};   ///< none: the pattern fills a range
    uint64_t offset_bytes = 0, size_bytes = 0;  ///< of that range
};

/// A secondary command buffer with launches, copies and fills. Queues of its device run it any number of
/// times, also at the same time (Queue::run). It must stay alive while they do. Only arguments change, while
/// no queue has it.
class LaunchSequence {
 public:
    struct Item {
        const Kernel* kernel = nullptr;  ///< with arguments that stay alive; null: a transfer
        NDRange range = {};
        bool after_all = false;  ///< it waits for the items before it, and for what ran before the sequence
        bool stores_arguments = false;  ///< store_argument() shall change its arguments, if that can be
        SequenceTransfer transfer = {};
    };
    /// Whether a sequence can have the kernel. It cannot print, enqueue kernels, or use a buffer for private
    /// memory, of which simultaneous runs would need one each.
    static bool can_have(const Kernel& kernel);
    /// The same of a transfer. A queue moves large amounts between host and device beside its kernels
    /// instead.
    static bool can_have(const SequenceTransfer& transfer);
    /// Objects in `kept` live as long as the sequence.
    static Result<std::shared_ptr<LaunchSequence>> create(const std::shared_ptr<SequencePool>& pool,
                                                          std::span<const Item> items,
                                                          std::vector<std::shared_ptr<const void>> kept);

    explicit LaunchSequence(const std::shared_ptr<SequencePool>& pool)
        : pool_(pool), recording_(pool->device_) {
        recording_.stage_near_device();
    }
    ~LaunchSequence();
    LaunchSequence(const LaunchSequence&) = delete;
    LaunchSequence& operator=(const LaunchSequence&) = delete;
    VkCommandBuffer commands() const { return commands_; }

    /// Whether store_argument() can change arguments of the item with this number.
    bool stores_arguments(size_t item) const { return !blocks_[item].places.empty(); }
    /// Gives an argument of the item the bytes that the kernel has. It must be a value, a pointer to global
    /// or constant memory, or a sampler.
    ///
    /// The host writes where the device reads, so this is for its caller to keep: no queue has the sequence.
    /// All earlier runs have completed, and the host has seen that, by a semaphore or a fence: their reads
    /// come before the write. The next run is submitted later. vkQueueSubmit makes earlier writes of the host
    /// to coherent memory available and visible to what it submits, without a barrier.
    void store_argument(size_t item, const Kernel& kernel, uint32_t index);

    /// Keeps an object alive that arguments point to, and the items' kernels do not keep any more. Neither
    /// this nor take_held() is thread-safe.
    void hold(std::shared_ptr<const void> object) { held_->push_back(std::move(object)); }
    /// Keeps these no longer.
    std::vector<std::shared_ptr<const void>> take_held() { return std::exchange(*held_, {}); }
    /// All that it holds, now and later: for a sequence that needs this too, and may outlive it.
    std::shared_ptr<const void> held() const { return held_; }

 private:
    /// Where the arguments of an item are, once for each of its dispatches.
    struct Blocks {
        const vulkan::Kernel* interface = nullptr;
        std::vector<std::byte*> places = {};
    };

    Result<Done> record(std::span<const Item> items);
    Result<Blocks> record(const Item& item);
    Result<Done> record(const SequenceTransfer& transfer);

    const std::shared_ptr<SequencePool> pool_;
    CommandRecording recording_;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    std::vector<Blocks> blocks_ = {};  // by item
    using Held = std::vector<std::shared_ptr<const void>>;
    const std::shared_ptr<Held> held_ = std::make_shared<Held>();
};

}  // namespace caldera::runtime
