// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/transfer_recorder.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "spirv/support/try.h"
#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/host_copy.h"

namespace caldera::runtime {
namespace {

constexpr uint64_t kFillTile = 64ull << 10;

}  // namespace

/// Records a launch that the copier makes.
template <class Make>
Result<Done> TransferRecorder::record_made(VkCommandBuffer commands, Make&& make) {
    if (!copier_) {
        Result<Copier> made = Copier::create(device_);
        if (!made) return made.error();
        copier_ = std::make_unique<Copier>(made.take());
    }
    Result<Copier::Launch> launch = make(*copier_);
    if (!launch) return launch.error();
    LaunchRecorder recorder(device_, memory_, buffers_);
    const auto dispatches = recorder.prepare({.kernel = &launch->kernel, .range = launch->range});
    if (!dispatches) return dispatches.error();
    LaunchRecorder::record(commands, *dispatches);
    return Done{};
}

Result<Done> TransferRecorder::copy(VkCommandBuffer commands, const Buffer& from, const Buffer& to,
                                    std::span<const VkBufferCopy> regions) {
    const auto copy = [&](std::span<const VkBufferCopy> some) {
        std::vector<VkBufferCopy> placed(some.begin(), some.end());
        for (VkBufferCopy& region : placed) {
            region.srcOffset += from.vk_offset_bytes();
            region.dstOffset += to.vk_offset_bytes();
        }
        vkCmdCopyBuffer(commands, from.vk(), to.vk(), static_cast<uint32_t>(placed.size()), placed.data());
    };
    const auto suits = [&](const VkBufferCopy& region) { return Copier::copies(device_, from, to, region); };
    if (std::ranges::none_of(regions, suits)) {
        // Vulkan requires at least one region, and no empty ones.
        if (!regions.empty() && regions[0].size != 0) copy(regions);
        return Done{};
    }
    for (const VkBufferCopy& region : regions) {
        if (!suits(region)) {
            copy({&region, 1});
            continue;
        }
        for (uint64_t at = 0; at < region.size; at += Copier::kMaxBytes)
            TRY(record_made(commands, [&](const Copier& copier) {
                return copier.copy(from.address() + region.srcOffset + at,
                                   to.address() + region.dstOffset + at,
                                   std::min(Copier::kMaxBytes, region.size - at));
            }));
    }
    return Done{};
}

Result<Done> TransferRecorder::fill(VkCommandBuffer commands, const Buffer& to, uint64_t offset_bytes,
                                    uint64_t size_bytes, std::span<const std::byte> pattern) {
    if (size_bytes == 0) return Done{};
    if (4 % pattern.size() == 0 && offset_bytes % 4 == 0 && size_bytes % 4 == 0) {
        uint32_t word = 0;
        for (size_t i = 0; i < 4; ++i)
            std::memcpy(reinterpret_cast<std::byte*>(&word) + i, &pattern[i % pattern.size()], 1);
        vkCmdFillBuffer(commands, to.vk(), to.vk_offset_bytes() + offset_bytes, size_bytes, word);
        return Done{};
    }
    if (Copier::fills(device_, to, offset_bytes, size_bytes, pattern)) {
        for (uint64_t at = 0; at < size_bytes; at += Copier::kMaxBytes)
            TRY(record_made(commands, [&](const Copier& copier) {
                return copier.fill(to.address() + offset_bytes + at,
                                   std::min(Copier::kMaxBytes, size_bytes - at), pattern);
            }));
        return Done{};
    }
    // Vulkan can repeat only words. For other patterns, the host writes a few repetitions, and the device
    // copies them repeatedly.
    uint64_t filled =
        std::min(size_bytes, std::max<uint64_t>(kFillTile / pattern.size(), 1) * pattern.size());
    std::vector<std::byte> tile(filled);
    for (uint64_t at = 0; at < filled; at += pattern.size()) std::ranges::copy(pattern, tile.begin() + at);
    const VkBufferCopy first{.srcOffset = 0, .dstOffset = offset_bytes, .size = filled};
    TRY(write(commands, to, tile, {&first, 1}));
    while (filled < size_bytes) {
        full_barrier(commands, kStages, kDeviceAccess);
        const VkBufferCopy next{.srcOffset = offset_bytes,
                                .dstOffset = offset_bytes + filled,
                                .size = std::min(filled, size_bytes - filled)};
        TRY(copy(commands, to, to, {&next, 1}));
        filled += next.size;
    }
    return Done{};
}

Result<Done> TransferRecorder::write(VkCommandBuffer commands, const Buffer& to,
                                     std::span<const std::byte> bytes,
                                     std::span<const VkBufferCopy> regions) {
    Result<StagedSlice> slice = memory_.stage(device_, bytes.size());
    if (!slice) return slice.error();
    copy_bytes(slice->data, bytes.data(), bytes.size());
    std::vector<VkBufferCopy> placed(regions.begin(), regions.end());
    for (VkBufferCopy& region : placed) region.srcOffset += slice->offset;
    return copy(commands, *slice->buffer, to, placed);
}

}  // namespace caldera::runtime
