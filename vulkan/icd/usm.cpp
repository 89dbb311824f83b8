// SPDX-License-Identifier: Apache-2.0
// Unified shared memory (cl_intel_unified_shared_memory). Host and shared allocations are memory of the host
// that the device accesses at the same addresses. So nothing migrates, and host and device may access an
// allocation at the same time. Device allocations are the device's memory at addresses at which the host has
// nothing.
#include <algorithm>
#include <bit>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/pointer_commands.h"
#include "vulkan/icd/property_list.h"

namespace caldera::icd {
namespace {

using Flags = cl_mem_alloc_flags_intel;

// ---- Allocations ----

constexpr Flags kPlacements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

bool has_memory(const Context::Place& place, cl_device_info kind) {
    return place.device->usm_capabilities(kind) != 0;
}
std::vector<size_t> places_with(const Context& context, cl_device_info kind) {
    std::vector<size_t> places;
    for (size_t place = 0; place < context.places.size(); ++place)
        if (has_memory(context.places[place], kind)) places.push_back(place);
    return places;
}

/// All flags are hints, and the driver needs none.
Flags checked_flags(const cl_mem_properties_intel* list, Flags allowed) {
    Flags flags = 0;
    const PropertyList properties(list, {});
    for (const Property& property : properties.properties()) {
        require(property.name == CL_MEM_ALLOC_FLAGS_INTEL, CL_INVALID_PROPERTY);
        flags = property.value();
    }
    require(!(flags & ~allowed) && (flags & kPlacements) != kPlacements, CL_INVALID_PROPERTY);
    return flags;
}

/// The extension promises alignments up to that of the largest type, kBaseAlignment. Programs written for
/// drivers that accept more ask for whole pages; these get them.
constexpr cl_uint kLargestAlignment = 1 << 16;

/// The alignment of an allocation for which the program wants `alignment`.
cl_uint checked_alignment(cl_uint alignment) {
    require(alignment == 0 || std::has_single_bit(alignment), CL_INVALID_VALUE);
    require(alignment <= kLargestAlignment, CL_INVALID_VALUE);
    return std::max(alignment, kBaseAlignment);
}
void check_size(const Context& context, const std::vector<size_t>& places, size_t size) {
    require(size != 0, CL_INVALID_BUFFER_SIZE);
    for (const size_t place : places)
        require(size <= promised_buffer_bytes(*context.places[place].device), CL_INVALID_BUFFER_SIZE);
}

/// Makes the memory on the device of the allocation's place.
void* add(Context& context, cl_uint alignment, UsmAllocation allocation) {
    runtime::Device& device = *context.places[allocation.place].opened;
    const auto make_memory =
        allocation.is_of_host() ? runtime::make_host_buffer : runtime::make_device_buffer;
    runtime::SharedBuffer shared = take(make_memory(device, allocation.size, alignment));
    allocation.offset = shared.offset;
    allocation.base = reinterpret_cast<std::byte*>(shared.buffer.address() + shared.offset);
    allocation.storage =
        std::make_shared<Storage>(context, std::move(shared), allocation.offset + allocation.size);
    std::byte* const base = allocation.base;
    context.usm.add(std::move(allocation));
    return base;
}

}  // namespace

void* CL_API_CALL HostMemAllocINTEL(cl_context handle, const cl_mem_properties_intel* properties, size_t size,
                                    cl_uint alignment, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        const std::vector<size_t> places = places_with(context, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
        require(!places.empty(), CL_INVALID_OPERATION);
        alignment = checked_alignment(alignment);
        const Flags flags = checked_flags(properties, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
        check_size(context, places, size);
        // All devices must be able to access it.
        const auto is_same = [&](size_t place) {
            return context.places[place].opened->shared_memory() == runtime::SharedMemory::Same;
        };
        require(places.size() == 1 || std::ranges::all_of(places, is_same), CL_OUT_OF_RESOURCES);
        return add(context, alignment,
                   {.type = CL_MEM_TYPE_HOST_INTEL,
                    .size = size,
                    .device = nullptr,
                    .flags = flags,
                    .place = places[0]});
    });
}

void* CL_API_CALL DeviceMemAllocINTEL(cl_context handle, cl_device_id device,
                                      const cl_mem_properties_intel* properties, size_t size,
                                      cl_uint alignment, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        const size_t place = context.place_of(checked(device));
        require(has_memory(context.places[place], CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL),
                CL_INVALID_OPERATION);
        alignment = checked_alignment(alignment);
        const Flags flags = checked_flags(properties, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
        check_size(context, {place}, size);
        return add(context, alignment,
                   {.type = CL_MEM_TYPE_DEVICE_INTEL,
                    .size = size,
                    .device = device,
                    .flags = flags,
                    .place = place});
    });
}

void* CL_API_CALL SharedMemAllocINTEL(cl_context handle, cl_device_id device,
                                      const cl_mem_properties_intel* properties, size_t size,
                                      cl_uint alignment, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        constexpr cl_device_info kKind = CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL;
        std::vector<size_t> places = places_with(context, kKind);
        if (device) {
            const size_t place = context.place_of(checked(device));
            require(has_memory(context.places[place], kKind), CL_INVALID_OPERATION);
            places = {place};
        }
        require(!places.empty(), CL_INVALID_OPERATION);
        alignment = checked_alignment(alignment);
        const Flags flags = checked_flags(properties, CL_MEM_ALLOC_WRITE_COMBINED_INTEL | kPlacements);
        check_size(context, places, size);
        return add(context, alignment,
                   {.type = CL_MEM_TYPE_SHARED_INTEL,
                    .size = size,
                    .device = device,
                    .flags = flags,
                    .place = places[0]});
    });
}

namespace {

/// Null for a null pointer.
std::shared_ptr<Storage> taken(Context& context, const void* pointer) {
    if (!pointer) return nullptr;
    std::optional<UsmAllocation> allocation = context.usm.take(pointer);
    require(allocation.has_value(), CL_INVALID_VALUE);
    return std::move(allocation->storage);
}

/// Waits for all commands that the queues of the context have.
void finish_all(Context& context) {
    std::vector<Ref<CommandQueue>> queues;
    {
        const std::lock_guard lock(context.mutex);
        for (const Context::HostQueue& queue : context.queues)
            if (Ref<CommandQueue> owned = Ref<CommandQueue>::if_owned(queue.handle))
                queues.push_back(std::move(owned));
    }
    for (const Ref<CommandQueue>& queue : queues) queue->finish();
}

}  // namespace

/// Commands that the program does not wait for may use the memory: it goes when they are over.
cl_int CL_API_CALL MemFreeINTEL(cl_context handle, void* pointer) {
    return entry([&] {
        Context& context = checked(handle);
        if (const std::shared_ptr<Storage> storage = taken(context, pointer))
            keep_while_busy(context, storage);
    });
}

cl_int CL_API_CALL MemBlockingFreeINTEL(cl_context handle, void* pointer) {
    return entry([&] {
        Context& context = checked(handle);
        if (const std::shared_ptr<Storage> storage = taken(context, pointer)) finish_all(context);
    });
}

cl_int CL_API_CALL GetMemAllocInfoINTEL(cl_context handle, const void* pointer, cl_mem_info_intel name,
                                        size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const UsmAllocation self = checked(handle).usm.find(pointer).value_or(UsmAllocation{});
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_MEM_ALLOC_TYPE_INTEL: return answer.put(self.type);
            case CL_MEM_ALLOC_BASE_PTR_INTEL: return answer.put<void*>(self.base);
            case CL_MEM_ALLOC_SIZE_INTEL: return answer.put(self.size);
            case CL_MEM_ALLOC_DEVICE_INTEL: return answer.put(self.device);
            case CL_MEM_ALLOC_FLAGS_INTEL: return answer.put(self.flags);
            default: throw ApiError{CL_INVALID_VALUE};
        }
    });
}

// ---- Commands ----

namespace {

/// Throws CL_INVALID_OPERATION if the queue's device has no such memory.
CommandQueue& checked_usm_queue(cl_command_queue handle) {
    CommandQueue& queue = checked(handle);
    require(!queue.device_queue, CL_INVALID_COMMAND_QUEUE);
    require(queue.device().usm_capabilities(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) != 0,
            CL_INVALID_OPERATION);
    return queue;
}

}  // namespace

cl_int CL_API_CALL EnqueueMemFillINTEL(cl_command_queue handle, void* pointer, const void* pattern,
                                       size_t pattern_size, size_t size, cl_uint wait_count,
                                       const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_usm_queue(handle);
        require(pointer && pattern, CL_INVALID_VALUE);
        queue.enqueue(fill_bytes(CL_COMMAND_MEMFILL_INTEL, queue, pointer, pattern, pattern_size, size),
                      wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueMemcpyINTEL(cl_command_queue handle, cl_bool blocking, void* target,
                                      const void* source, size_t size, cl_uint wait_count,
                                      const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_usm_queue(handle);
        require(target && source, CL_INVALID_VALUE);
        queue.enqueue(copy_bytes(CL_COMMAND_MEMCPY_INTEL, queue, target, source, size), wait_count, wait_list,
                      event, {.until = if_blocking(blocking, Reached::Complete)});
    });
}

/// Nothing migrates.
cl_int CL_API_CALL EnqueueMigrateMemINTEL(cl_command_queue handle, const void* pointer, size_t,
                                          cl_mem_migration_flags flags, cl_uint wait_count,
                                          const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_usm_queue(handle);
        require(pointer, CL_INVALID_VALUE);
        check_migration_flags(flags);
        queue.enqueue(nothing(CL_COMMAND_MIGRATEMEM_INTEL), wait_count, wait_list, event);
    });
}

/// No advice has been defined yet. That of later versions, whose numbers are reserved, may be ignored.
cl_int CL_API_CALL EnqueueMemAdviseINTEL(cl_command_queue handle, const void* pointer, size_t,
                                         cl_mem_advice_intel advice, cl_uint wait_count,
                                         const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_usm_queue(handle);
        require(pointer, CL_INVALID_VALUE);
        constexpr cl_mem_advice_intel kFirst = 0x4208, kLast = 0x420F;
        require(advice == 0 || (advice >= kFirst && advice <= kLast), CL_INVALID_VALUE);
        queue.enqueue(nothing(CL_COMMAND_MEMADVISE_INTEL), wait_count, wait_list, event);
    });
}

}  // namespace caldera::icd
