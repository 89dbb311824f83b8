// SPDX-License-Identifier: Apache-2.0
// Queue: transfers to, from and on the device.
#include <algorithm>
#include <array>
#include <cstring>

#include "spirv/support/try.h"
#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/host_copy.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {
namespace {

constexpr uint64_t kStagingPiece = 8ull << 20;  // larger transfers are split into pieces of this size
constexpr uint64_t kInlineBytes = 4096;         // go to the device in the command itself
constexpr uint64_t kPeekBytes =
    256;  // the host reads so few from a card's memory in less time than a copy takes
/// Pieces in flight while a large transfer is cut up.
constexpr size_t kMaxRunningPieces = Queue::kUploadsAtOnce / kStagingPiece;

Result<Done> check_range(const char* what, uint64_t offset, uint64_t size, const Buffer& buffer) {
    if (offset <= buffer.size_bytes() && size <= buffer.size_bytes() - offset) return Done{};
    return Error{.message = std::string(what) + " of " + std::to_string(size) + " bytes at " +
                            std::to_string(offset) + " is outside a buffer of " +
                            std::to_string(buffer.size_bytes()) + " bytes"};
}
uint64_t bytes_of(std::span<const CopyRegion> regions) {
    uint64_t bytes = 0;
    for (const CopyRegion& region : regions) bytes += region.bytes();
    return bytes;
}
/// Whether no lane can copy these: lanes run no kernels.
bool needs_kernel(const Device& device, const Buffer& from, const Buffer& to,
                  std::span<const CopyRegion> regions) {
    return std::ranges::any_of(
        regions, [&](const CopyRegion& region) { return Copier::copies_rows(device, from, to, region); });
}
Result<Done> check_transfer(const Buffer& from, const Buffer& to) {
    TRY(from.check_usage(VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
    return to.check_usage(VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

}  // namespace

// ---- Beside kernels ----

/// Returns the queue for a copy of so many bytes between host and device, which then waits for this queue's
/// commands so far. Null if this queue should copy itself. Each direction has its own queue, since the bus
/// carries both directions at once.
Result<Queue*> Queue::lane_for(Direction direction, const Buffer& on_device, uint64_t size_bytes) {
    const std::span<const VkQueue> vulkan_queues = device_.copy_queues();
    const bool wants_lane =
        size_bytes >= Queue::kLaneBytes && on_device.use() == MemoryUse::Device && !on_device.is_exclusive();
    if (!wants_lane || vulkan_queues.empty() || only_copies_ || options_.timestamps) return nullptr;
    const auto index = static_cast<size_t>(direction);
    {
        const std::lock_guard lock(mutex_);
        if (!lanes_[index]) {
            Result<std::unique_ptr<Queue>> lane = create(device_, {.gives_up = options_.gives_up},
                                                         vulkan_queues[index % vulkan_queues.size()], true);
            if (!lane) return lane.error();
            lanes_[index] = lane.take();
        }
    }
    TRY(lanes_[index]->wait_for(*this, so_far()));
    return lanes_[index].get();
}

/// Has the lane of that direction copy, if there is one: `copy(lane)` does so. Later commands of this queue
/// wait for it. Gives no event if this queue should copy itself.
template <class Copy>
Result<std::optional<Event>> Queue::copy_in_lane(Direction direction, const Buffer& on_device,
                                                 uint64_t size_bytes, Copy&& copy) {
    const Result<Queue*> lane = lane_for(direction, on_device, size_bytes);
    if (!lane) return lane.error();
    if (!*lane) return std::optional<Event>();
    TRY(copy(**lane));
    if (Result<Done> done = wait_for(**lane, (*lane)->so_far()); !done) {
        (void)(*lane)->finish();  // nobody keeps alive what it uses
        return done.error();
    }
    return std::optional(so_far());
}

// ---- From and to the host ----

Result<Done> Queue::check_goes_on() const {
    if (!options_.gives_up || !*options_.gives_up) return Done{};
    return Error{.message = "the copy was given up"};
}

Result<Done> Queue::upload(const Buffer& to, uint64_t offset_bytes, std::span<const std::byte> bytes) {
    TRY(check_range("an upload", offset_bytes, bytes.size(), to));
    TRY(to.check_usage(VK_BUFFER_USAGE_TRANSFER_DST_BIT));
    if (bytes.empty()) return Done{};
    {
        const std::lock_guard lock(mutex_);
        Result<uint64_t> value = completed();
        if (!value) return value.error();
        // If nothing is in flight, the host writes directly, without a copy.
        if (to.mapped() && !open_ && *value == last_submitted_) {
            copy_bytes(to.mapped() + offset_bytes, bytes.data(), bytes.size());
            last_ = {};
            return Done{};
        }
    }
    const auto copied = copy_in_lane(Direction::ToDevice, to, bytes.size(),
                                     [&](Queue& lane) { return lane.upload(to, offset_bytes, bytes); });
    if (!copied) return copied.error();
    if (*copied) return Done{};
    Recording recording(*this);
    std::array<uint64_t, kMaxRunningPieces> values = {};  // of the timeline, when the latest pieces have run
    for (uint64_t at = 0; at < bytes.size(); at += kStagingPiece) {
        TRY(check_goes_on());
        const uint64_t size = std::min<uint64_t>(kStagingPiece, bytes.size() - at);
        uint64_t& value = values[at / kStagingPiece % kMaxRunningPieces];
        if (value != 0 && !is_held_up()) TRY(wait_value(recording.lock(), value));
        TRY(upload_piece(recording.lock(), to, offset_bytes + at, bytes.subspan(at, size)));
        if (size == kStagingPiece) TRY(submit());
        value = last_submitted_;
    }
    return recording.end();
}

Result<Done> Queue::upload_piece(std::unique_lock<std::mutex>& lock, const Buffer& to, uint64_t at,
                                 std::span<const std::byte> bytes) {
    const bool is_inline = bytes.size() <= kInlineBytes && bytes.size() % 4 == 0 && at % 4 == 0;
    Result<StagedSlice> slice = StagedSlice{};
    if (!is_inline) {
        slice = stage(lock, bytes.size());
        if (!slice) return slice.error();
        copy_bytes(slice->data, bytes.data(), bytes.size());
    }
    Result<Batch*> batch = open_batch(lock);
    if (!batch) return batch.error();
    begin_command(**batch);
    if (is_inline) {
        vkCmdUpdateBuffer(open_->commands, to.vk(), to.vk_offset_bytes() + at, bytes.size(), bytes.data());
    } else {
        const VkBufferCopy copy{
            .srcOffset = slice->offset, .dstOffset = to.vk_offset_bytes() + at, .size = bytes.size()};
        vkCmdCopyBuffer(open_->commands, slice->buffer->vk(), to.vk(), 1, &copy);
    }
    Result<Event> event = end_command(**batch, is_inline ? Weight::Light : Weight::Heavy);
    return event ? Result<Done>(Done{}) : event.error();
}

Result<Done> Queue::download(const Buffer& from, uint64_t offset_bytes, std::span<std::byte> bytes) {
    TRY(check_range("a download", offset_bytes, bytes.size(), from));
    TRY(from.check_usage(VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
    if (bytes.empty()) return Done{};
    const Result<Queue*> lane = lane_for(Direction::ToHost, from, bytes.size());
    if (!lane) return lane.error();
    if (*lane) return (*lane)->download(from, offset_bytes, bytes);
    // Two buffers alternate: the device fills one while the host reads the other.
    struct Piece {
        Buffer buffer = {};
        uint64_t value = 0, at = 0, size = 0;
    } pieces[2];
    Recording recording(*this);  // it ends before the pieces do, into which the device writes
    std::unique_lock<std::mutex>& lock = recording.lock();
    if (from.host_cached() || (from.mapped() && bytes.size() <= kPeekBytes)) {
        TRY(wait_value(lock, so_far_value()));
        copy_bytes(bytes.data(), from.mapped() + offset_bytes, bytes.size());
        last_ = {};
        return recording.end();
    }
    const auto empty = [&](Piece& piece) -> Result<Done> {
        if (piece.size == 0) return Done{};
        TRY(wait_value(lock, piece.value));
        copy_bytes(bytes.data() + piece.at, piece.buffer.mapped(), piece.size);
        piece.size = 0;
        return Done{};
    };
    const uint64_t piece_bytes = std::min<uint64_t>(kStagingPiece, bytes.size());
    size_t turn = 0;
    for (uint64_t at = 0; at < bytes.size(); at += piece_bytes, turn ^= 1) {
        Piece& piece = pieces[turn];
        TRY(check_goes_on());
        TRY(empty(piece));
        if (!piece.buffer.vk()) {
            Result<Buffer> buffer = Buffer::create(device_, piece_bytes, MemoryUse::Download);
            if (!buffer) return buffer.error();
            piece.buffer = buffer.take();
        }
        Result<Batch*> batch = open_batch(lock);
        if (!batch) return batch.error();
        piece.at = at;
        piece.size = std::min<uint64_t>(piece_bytes, bytes.size() - at);
        piece.value = (*batch)->value;
        begin_command(**batch);
        const VkBufferCopy copy{
            .srcOffset = from.vk_offset_bytes() + offset_bytes + at, .dstOffset = 0, .size = piece.size};
        vkCmdCopyBuffer((*batch)->commands, from.vk(), piece.buffer.vk(), 1, &copy);
        TRY(end_command(**batch));
        TRY(submit());
    }
    TRY(empty(pieces[turn]));
    TRY(empty(pieces[turn ^ 1]));
    return recording.end();
}

// ---- Copies ----

Result<Event> Queue::copy(const Buffer& from, uint64_t from_bytes, const Buffer& to, uint64_t to_bytes,
                          uint64_t size_bytes) {
    const CopyRegion region{.from = {.offset = from_bytes}, .to = {.offset = to_bytes}, .size = size_bytes};
    return copy(from, to, std::span(&region, 1));
}

Result<Event> Queue::copy(const Buffer& from, const Buffer& to, std::span<const CopyRegion> regions) {
    for (const CopyRegion& region : regions) {
        TRY(check_range("a copy", region.from.offset, region.span_of(region.from), from));
        TRY(check_range("a copy", region.to.offset, region.span_of(region.to), to));
    }
    TRY(check_transfer(from, to));
    if ((from.use() == MemoryUse::Device) != (to.use() == MemoryUse::Device) &&
        !needs_kernel(device_, from, to, regions)) {
        const bool to_device = to.use() == MemoryUse::Device;
        const auto copied =
            copy_in_lane(to_device ? Direction::ToDevice : Direction::ToHost, to_device ? to : from,
                         bytes_of(regions), [&](Queue& lane) { return lane.copy(from, to, regions); });
        if (!copied) return copied.error();
        if (*copied) return **copied;
    }
    return add_command(
        [&](Batch& batch) { return transfers(batch).copy(batch.commands, from, to, regions); });
}

Result<Event> Queue::copy(const Buffer& from, std::span<const TexelRows> levels, const Texture& to) {
    TRY(from.check_usage(VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
    // Nothing of what the texture had is kept, so the layout that it had does not matter.
    const VkImageMemoryBarrier prepare{
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = kDeviceAccess,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = to.vk(),
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, to.shape().levels, 0, to.shape().layers}};
    std::vector<VkBufferImageCopy> regions;
    for (uint32_t level = 0; level < levels.size(); ++level)
        regions.push_back(whole_level(to.shape(), level, from.vk_offset_bytes(), levels[level]));
    return add_command([&](Batch& batch) {
        vkCmdPipelineBarrier(batch.commands, kStages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                             nullptr, 1, &prepare);
        vkCmdCopyBufferToImage(batch.commands, from.vk(), to.vk(), VK_IMAGE_LAYOUT_GENERAL,
                               static_cast<uint32_t>(regions.size()), regions.data());
        return Done{};
    });
}

/// The barriers between commands are for all memory, images too, and the layout stays as it is.
Result<Event> Queue::copy(const Texture& from, const Buffer& to, const TexelRows& rows) {
    TRY(to.check_usage(VK_BUFFER_USAGE_TRANSFER_DST_BIT));
    const VkBufferImageCopy region = whole_level(from.shape(), 0, to.vk_offset_bytes(), rows);
    return add_command([&](Batch& batch) {
        vkCmdCopyImageToBuffer(batch.commands, from.vk(), VK_IMAGE_LAYOUT_GENERAL, to.vk(), 1, &region);
        return Done{};
    });
}

Result<Event> Queue::upload(const Buffer& to, uint64_t staged_bytes,
                            const std::function<void(std::byte*)>& write,
                            std::span<const CopyRegion> regions) {
    for (const CopyRegion& region : regions)
        TRY(check_range("an upload", region.to.offset, region.span_of(region.to), to));
    TRY(to.check_usage(VK_BUFFER_USAGE_TRANSFER_DST_BIT));
    // Staging memory has an address if the buffer has one.
    if (!needs_kernel(device_, to, to, regions)) {
        const auto copied = copy_in_lane(Direction::ToDevice, to, staged_bytes, [&](Queue& lane) {
            return lane.upload(to, staged_bytes, write, regions);
        });
        if (!copied) return copied.error();
        if (*copied) return **copied;
    }
    Recording recording(*this);
    Result<StagedSlice> slice = stage(recording.lock(), staged_bytes);
    if (!slice) return slice.error();
    write(slice->data);
    std::vector<CopyRegion> placed(regions.begin(), regions.end());
    for (CopyRegion& region : placed) region.from.offset += slice->offset;
    begin_command(*open_);
    const Result<Done> done = transfers(*open_).copy(open_->commands, *slice->buffer, to, placed);
    Result<Event> event = end_command(*open_);
    return recording.end(done ? event : Result<Event>(done.error()));
}

Result<Event> Queue::fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                          std::span<const std::byte> pattern) {
    TRY(check_range("a fill", offset_bytes, size_bytes, to));
    TRY(check_transfer(to, to));  // a pattern may be copied from its beginning
    if (pattern.empty() || size_bytes % pattern.size() != 0)
        return Error{.message = "a fill's size must be a multiple of its pattern's"};
    return add_command([&](Batch& batch) {
        return transfers(batch).fill(batch.commands, to, offset_bytes, size_bytes, pattern);
    });
}

}  // namespace caldera::runtime
