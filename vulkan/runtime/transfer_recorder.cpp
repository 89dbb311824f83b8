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
/// Regions of one vkCmdCopyBuffer, and about how much memory drivers need for each until it has run.
constexpr size_t kMaxRegions = 4096;
constexpr uint64_t kRegionBytes = 64;

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

/// The offsets of the region are addresses.
Result<Done> TransferRecorder::copy_by_kernel(VkCommandBuffer commands, const CopyRegion& region) {
    if (region.count() == 1) {
        for (uint64_t at = 0; at < region.size; at += Copier::kMaxBytes)
            TRY(record_made(commands, [&](const Copier& copier) {
                return copier.copy(region.from.offset + at, region.to.offset + at,
                                   std::min(Copier::kMaxBytes, region.size - at));
            }));
        return Done{};
    }
    if (std::max(region.span_of(region.from), region.span_of(region.to)) < Copier::kMaxBytes)
        return record_made(commands, [&](const Copier& copier) { return copier.copy_rows(region); });
    const bool by_slices = region.slices > 1;
    CopyRegion first = region, second = region;
    uint64_t& first_half = by_slices ? first.slices : first.rows;
    first_half /= 2;
    (by_slices ? second.slices : second.rows) -= first_half;
    const auto next = [&](const CopyRegion::Side& side) {
        return by_slices ? side.at(0, first_half) : side.at(first_half, 0);
    };
    second.from.offset = next(region.from);
    second.to.offset = next(region.to);
    TRY(copy_by_kernel(commands, first));
    return copy_by_kernel(commands, second);
}

Result<Done> TransferRecorder::copy(VkCommandBuffer commands, const Buffer& from, const Buffer& to,
                                    std::span<const CopyRegion> regions) {
    std::vector<VkBufferCopy> copies;
    const auto copy = [&] {  // Vulkan requires at least one region
        if (copies.empty()) return;
        vkCmdCopyBuffer(commands, from.vk(), to.vk(), static_cast<uint32_t>(copies.size()), copies.data());
        memory_.region_bytes += copies.size() * kRegionBytes;
        copies.clear();
    };
    for (const CopyRegion& region : regions) {
        if (Copier::copies(device_, from, to, region)) {
            CopyRegion placed = region;
            placed.from.offset += from.address();
            placed.to.offset += to.address();
            TRY(copy_by_kernel(commands, placed));
        } else if (region.size != 0) {
            for_rows(region, [&](uint64_t from_at, uint64_t to_at, uint64_t size) {
                copies.push_back({from.vk_offset_bytes() + from_at, to.vk_offset_bytes() + to_at, size});
                if (copies.size() == kMaxRegions) copy();
            });
        }
    }
    copy();
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
    const CopyRegion first{.to = {.offset = offset_bytes}, .size = filled};
    TRY(write(commands, to, tile, {&first, 1}));
    while (filled < size_bytes) {
        full_barrier(commands, kStages, kDeviceAccess);
        const CopyRegion next{.from = {.offset = offset_bytes},
                              .to = {.offset = offset_bytes + filled},
                              .size = std::min(filled, size_bytes - filled)};
        TRY(copy(commands, to, to, {&next, 1}));
        filled += next.size;
    }
    return Done{};
}

Result<Done> TransferRecorder::write(VkCommandBuffer commands, const Buffer& to,
                                     std::span<const std::byte> bytes, std::span<const CopyRegion> regions) {
    Result<StagedSlice> slice = memory_.stage(device_, bytes.size());
    if (!slice) return slice.error();
    copy_bytes(slice->data, bytes.data(), bytes.size());
    std::vector<CopyRegion> placed(regions.begin(), regions.end());
    for (CopyRegion& region : placed) region.from.offset += slice->offset;
    return copy(commands, *slice->buffer, to, placed);
}

}  // namespace caldera::runtime
