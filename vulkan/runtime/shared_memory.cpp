// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/shared_memory.h"

#include <algorithm>
#include <utility>

#include "spirv/support/align.h"
#include "spirv/support/pages.h"

namespace caldera::runtime {
namespace {

constexpr size_t kAttempts = 8;  // attempts to find addresses that are free on the host

bool is_same(const Buffer& buffer) {
    return buffer.mapped() && reinterpret_cast<uint64_t>(buffer.mapped()) == buffer.address();
}

Result<SharedBuffer> make_same(Device& device, uint64_t size_bytes, uint64_t alignment) {
    Result<Buffer> buffer = Buffer::create(device, size_bytes, MemoryUse::Device, alignment);
    if (!buffer) return buffer.error();
    if (!is_same(*buffer))
        return Error{.message = "the device and the host see the memory at different addresses"};
    return SharedBuffer{.buffer = buffer.take()};
}

/// Makes buffers until `take_address` succeeds for one, which it completes.
template <class Make, class Take>
Result<SharedBuffer> make_at_free_address(const Make& make_buffer, const Take& take_address) {
    std::vector<Buffer> elsewhere;  // kept alive until the end, so that the next one has another address
    Error error;
    while (elsewhere.size() < kAttempts) {
        Result<Buffer> buffer = make_buffer();
        if (!buffer) return buffer.error();
        SharedBuffer shared{.buffer = buffer.take()};
        const Result<Done> taken = take_address(shared);
        if (taken) return shared;
        error = taken.error();
        elsewhere.push_back(std::move(shared.buffer));
    }
    return error;
}

/// Whole, aligned pages: no two mirrors share one.
auto in_pages(Device& device, uint64_t size_bytes, uint64_t alignment) {
    return [&device, size_bytes, alignment = std::max(alignment, page_bytes())] {
        return Buffer::create(device, size_bytes, MemoryUse::Device, alignment);
    };
}

Result<SharedBuffer> make_mirrored(Device& device, uint64_t size_bytes, uint64_t alignment) {
    const uint64_t size = align_up(size_bytes, page_bytes());
    return make_at_free_address(in_pages(device, size, alignment), [&](SharedBuffer& shared) -> Result<Done> {
        Result<HostMirror> mirror = HostMirror::create(shared.buffer.address(), size);
        if (!mirror) return mirror.error();
        shared.mirror = mirror.take();
        return Done{};
    });
}

/// The host maps the memory at its device address.
Result<SharedBuffer> make_placed(Device& device, uint64_t size_bytes, uint64_t alignment) {
    if (!device.has_addresses() || !device.placed_maps().is_available())
        return Error{.message = "the device cannot map memory at its device address"};
    const uint64_t whole = std::max(alignment, device.placed_maps().alignment());
    return make_at_free_address([&] { return Buffer::create_unmapped(device, size_bytes, whole); },
                                [&](SharedBuffer& shared) { return shared.buffer.map_at_address(device); });
}

/// No host has memory of programs from here on.
constexpr uint64_t kAboveHost = uint64_t{1} << 56;

Result<SharedBuffer> make_reserved(Device& device, uint64_t size_bytes, uint64_t alignment) {
    const uint64_t size = align_up(size_bytes, page_bytes());
    return make_at_free_address(in_pages(device, size, alignment), [&](SharedBuffer& shared) -> Result<Done> {
        if (shared.buffer.address() >= kAboveHost) return Done{};
        Result<HostMirror> reservation = HostMirror::reserve(shared.buffer.address(), size);
        if (!reservation) return reservation.error();
        shared.reservation = reservation.take();
        return Done{};
    });
}

/// For a device without mirrors: the host has no such addresses, or the driver has mapped the memory there.
Result<SharedBuffer> make_unreserved(Device& device, uint64_t size_bytes, uint64_t alignment) {
    Result<Buffer> buffer = Buffer::create(device, size_bytes, MemoryUse::Device, alignment);
    if (!buffer) return buffer.error();
    return SharedBuffer{.buffer = buffer.take()};
}

Result<SharedBuffer> make_of_kind(Device& device, uint64_t size_bytes, uint64_t alignment) {
    switch (device.shared_memory()) {
        case SharedMemory::Same: return make_same(device, size_bytes, alignment);
        case SharedMemory::Mirrored: return make_mirrored(device, size_bytes, alignment);
        case SharedMemory::None: break;
    }
    return Error{.message = "the device and the host cannot share addresses"};
}

}  // namespace

Result<HostMirror> HostMirror::create(uint64_t address, uint64_t size_bytes) {
    return take(address, size_bytes, map_pages);
}

Result<HostMirror> HostMirror::reserve(uint64_t address, uint64_t size_bytes) {
    return take(address, size_bytes, reserve_pages);
}

Result<HostMirror> HostMirror::take(uint64_t address, uint64_t size_bytes, Map& map) {
    const auto fail = [&] {
        return Error{.message = "the host has no " + std::to_string(size_bytes) + " bytes free at address " +
                                std::to_string(address)};
    };
    if (address == 0 || address % page_bytes() != 0) return fail();
    void* const found = map(address, size_bytes);
    if (!found) return fail();
    HostMirror mirror;
    mirror.data_ = static_cast<std::byte*>(found);
    mirror.size_ = size_bytes;
    return mirror;
}

HostMirror::~HostMirror() {
    if (data_) unmap_pages(data_, size_);
}

void HostMirror::swap(HostMirror& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
}

/// Vulkan aligns offsets within its memory, which itself may begin anywhere.
template <class Make>
static Result<SharedBuffer> make_aligned(const Make& make_one, Device& device, uint64_t size_bytes,
                                         uint64_t alignment) {
    Result<SharedBuffer> shared = make_one(device, size_bytes, alignment);
    if (!shared || shared->buffer.address() % alignment == 0) return shared;
    shared = make_one(device, size_bytes + alignment, alignment);
    if (shared) shared->offset = align_up(shared->buffer.address(), alignment) - shared->buffer.address();
    return shared;
}

Result<SharedBuffer> make_shared_buffer(Device& device, uint64_t size_bytes, uint64_t alignment) {
    return make_aligned(make_of_kind, device, size_bytes, alignment);
}

Result<SharedBuffer> make_host_buffer(Device& device, uint64_t size_bytes, uint64_t alignment) {
    return device.shared_memory() == SharedMemory::Same
               ? make_aligned(make_same, device, size_bytes, alignment)
               : make_aligned(make_placed, device, size_bytes, alignment);
}

Result<SharedBuffer> make_device_buffer(Device& device, uint64_t size_bytes, uint64_t alignment) {
    switch (device.shared_memory()) {
        case SharedMemory::Same: return make_aligned(make_same, device, size_bytes, alignment);
        case SharedMemory::Mirrored: return make_aligned(make_reserved, device, size_bytes, alignment);
        case SharedMemory::None: break;
    }
    return make_aligned(make_unreserved, device, size_bytes, alignment);
}

SharedMemory find_shared_memory(Device& device) {
    if (!device.has_addresses()) return SharedMemory::None;
    const Result<Buffer> buffer = Buffer::create(device, page_bytes(), MemoryUse::Device, page_bytes());
    if (!buffer) return SharedMemory::None;
    if (is_same(*buffer)) return SharedMemory::Same;
    return HostMirror::create(buffer->address(), page_bytes()) ? SharedMemory::Mirrored : SharedMemory::None;
}

bool find_host_memory(Device& device) {
    if (device.shared_memory() == SharedMemory::Same) return true;
    // Device addresses that are the host's own are not for mapping other memory there.
    return device.shared_memory() == SharedMemory::Mirrored && bool(make_placed(device, 1, 1));
}

}  // namespace caldera::runtime
