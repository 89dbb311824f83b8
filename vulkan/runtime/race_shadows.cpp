// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/race_shadows.h"

#include <algorithm>
#include <bit>
#include <map>

#include "spirv/support/align.h"
#include "vulkan/race_words.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {
namespace {

constexpr uint64_t kLeastShadowBytes = 4096;
constexpr uint64_t kMostLocalBytes = uint64_t{16} << 20, kMostLocalCount = 1024;
/// What a place in local memory may be more than the bytes that a kernel has: NULL is no place, and objects
/// are aligned.
constexpr uint64_t kLocalMarginBytes = 1024;

uint64_t shadow_bytes(uint64_t bytes) { return align_up(bytes, 4) * kShadowFactor; }

}  // namespace

/// Makes the buffer so large, or as large as it can be; returns how large it is.
uint64_t RaceShadows::grow(uint64_t wanted_bytes) {
    const uint64_t most = std::min(
        {device_.allocator().device_bytes() / 4, device_.max_buffer_bytes(), device_.max_allocation_bytes()});
    for (uint64_t bytes = std::min(std::max(wanted_bytes, kLeastShadowBytes), most);
         bytes >= kLeastShadowBytes; bytes = align_up(bytes / 2, 4)) {
        if (buffer_ && buffer_->size_bytes() >= bytes) break;
        if (Result<Buffer> buffer = Buffer::create(device_, bytes)) {
            buffer_ = std::make_shared<const Buffer>(buffer.take());
            break;
        }
    }
    return buffer_ ? buffer_->size_bytes() : 0;
}

LaunchShadows RaceShadows::prepare(std::span<const vulkan::CheckObject> objects, size_t distinct,
                                   std::span<const uint64_t> addresses, uint64_t local_bytes,
                                   uint64_t groups) {
    LaunchShadows shadows{.of_objects = std::vector<uint64_t>(objects.size())};
    std::map<uint64_t, uint64_t> sizes;  // of those that are looked at, by begin
    for (const uint64_t address : addresses) {
        const auto sorted = objects.first(distinct);
        const auto behind = std::ranges::upper_bound(sorted, address, {}, &vulkan::CheckObject::begin);
        if (behind == sorted.begin()) continue;
        const vulkan::CheckObject& object = *std::prev(behind);
        // What can have no shadow takes no room: a kernel that may reach all memory has one object of 2^62
        // bytes.
        if (address - object.begin < object.size_bytes &&
            object.size_bytes <= device_.allocator().device_bytes())
            sizes[object.begin] = object.size_bytes;
    }
    std::vector<std::pair<uint64_t, uint64_t>> wanted;  // size and begin
    uint64_t bytes = 0;
    if (local_bytes != 0) {
        shadows.local_bytes = static_cast<uint32_t>(std::bit_ceil(local_bytes + kLocalMarginBytes));
        const uint64_t each = uint64_t{shadows.local_bytes} * kLocalShadowFactor;
        shadows.local_count = static_cast<uint32_t>(
            std::min({groups, std::max<uint64_t>(kMostLocalBytes / each, 1), kMostLocalCount}));
        bytes = each * shadows.local_count;
    }
    for (const auto& [begin, size] : sizes) {
        wanted.emplace_back(size, begin);
        bytes += shadow_bytes(size);
    }
    std::ranges::sort(wanted);
    if (bytes == 0) return shadows;
    const uint64_t room = grow(bytes);
    if (room == 0) {
        shadows.local_count = 0;
        return shadows;
    }
    shadows.buffer = buffer_;
    if (const uint64_t local = uint64_t{shadows.local_bytes} * kLocalShadowFactor * shadows.local_count;
        local <= room) {
        shadows.local = buffer_->address();
        shadows.used_bytes = local;
    } else {
        shadows.local_count = 0;
    }
    std::map<uint64_t, uint64_t> places;  // of shadows, by the begins of objects
    for (const auto& [size, begin] : wanted) {
        if (shadow_bytes(size) > room - shadows.used_bytes) break;
        places[begin] = buffer_->address() + shadows.used_bytes;
        shadows.used_bytes += shadow_bytes(size);
    }
    for (size_t i = 0; i < objects.size(); ++i) {
        const auto behind = places.upper_bound(objects[i].begin);
        if (behind == places.begin() || objects[i].size_bytes == 0) continue;
        const auto& [begin, place] = *std::prev(behind);
        const uint64_t offset = objects[i].begin - begin;
        if (offset < sizes[begin] && offset % 4 == 0) shadows.of_objects[i] = place + offset * kShadowFactor;
    }
    if (shadows.used_bytes == 0) shadows.buffer = nullptr;
    return shadows;
}

}  // namespace caldera::runtime
