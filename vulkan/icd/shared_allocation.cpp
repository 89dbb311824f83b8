// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/shared_allocation.h"

#include <algorithm>

#include "vulkan/icd/memory.h"
#include "vulkan/icd/queue.h"

namespace caldera::icd {

std::vector<size_t> places_with(const Context& context, SvmKind kind) {
    std::vector<size_t> places;
    for (size_t place = 0; place < context.places.size(); ++place)
        if (capabilities(*context.places[place].device, kind) != 0) places.push_back(place);
    return places;
}

size_t place_for(const Context& context, SvmKind kind, cl_device_id device) {
    const std::vector<size_t> places = places_with(context, kind);
    require(!places.empty(), CL_INVALID_OPERATION);
    const size_t named = device ? context.place_of(checked(device)) : places[0];
    require(std::ranges::count(places, named) != 0, CL_INVALID_OPERATION);
    if (kind == SvmKind::Device || kind == SvmKind::Shared) return named;
    // All devices must be able to access it.
    const auto is_same = [&](size_t place) {
        return context.places[place].opened->shared_memory() == runtime::SharedMemory::Same;
    };
    require(places.size() == 1 || std::ranges::all_of(places, is_same), CL_OUT_OF_RESOURCES);
    return places[0];
}

void check_size(const Context& context, const SharedAllocation& wanted) {
    require(wanted.size != 0, CL_INVALID_BUFFER_SIZE);
    std::vector<size_t> places = {wanted.place};
    if (!wanted.device) places = places_with(context, wanted.kind);
    for (const size_t place : places)
        require(wanted.size <= promised_buffer_bytes(*context.places[place].device), CL_INVALID_BUFFER_SIZE);
}

void* allocate(Context& context, SharedAllocation wanted, size_t alignment) {
    const auto make_memory = wanted.kind == SvmKind::Device ? runtime::make_device_buffer
                             : wanted.is_usm()              ? runtime::make_host_buffer
                                                            : runtime::make_shared_buffer;
    runtime::SharedBuffer shared = take(make_memory(*context.places[wanted.place].opened, wanted.size,
                                                    std::max<size_t>(alignment, kBaseAlignment)));
    const bool is_direct = wanted.is_of_host() && !shared.mirror.data();
    wanted.offset = shared.offset;
    wanted.base = reinterpret_cast<std::byte*>(shared.buffer.address() + shared.offset);
    wanted.storage =
        std::make_shared<Storage>(context, std::move(shared), wanted.place, wanted.offset + wanted.size);
    wanted.mappings = std::make_shared<Mappings>(true);
    wanted.mappings->share_writes(wanted.storage->storage_writes(), true);
    std::byte* const base = wanted.base;
    context.heap.add(std::move(wanted), is_direct);
    return base;
}

bool free_when_over(Context& context, const void* pointer) {
    const SharedHeap::Item freed = context.heap.take(pointer);
    if (freed) keep_while_busy(context, freed->storage);
    return freed != nullptr;
}

}  // namespace caldera::icd
