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
#include "vulkan/icd/shared_allocation.h"

namespace caldera::icd {
namespace {

using Flags = cl_mem_alloc_flags_intel;

// ---- Allocations ----

constexpr Flags kPlacements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

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

/// The alignment of an allocation for which the program wants `alignment`.
cl_uint checked_alignment(cl_uint alignment) {
    require(alignment == 0 || std::has_single_bit(alignment), CL_INVALID_VALUE);
    require(alignment <= kLargestAlignment, CL_INVALID_VALUE);
    return std::max(alignment, kBaseAlignment);
}

/// `device` is the one that the program named, or null.
void* allocate(Context& context, SvmKind kind, cl_device_id device, const cl_mem_properties_intel* properties,
               Flags allowed, size_t size, cl_uint alignment) {
    const size_t place = place_for(context, kind, device);
    alignment = checked_alignment(alignment);
    SharedAllocation wanted{.kind = kind, .size = size, .device = device, .place = place};
    wanted.flags = checked_flags(properties, allowed);
    check_size(context, wanted);
    return allocate(context, std::move(wanted), alignment);
}

}  // namespace

void* CL_API_CALL HostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties,
                                    size_t size, cl_uint alignment, cl_int* code_ret) {
    return make(code_ret, [&] {
        return allocate(checked(context), SvmKind::Host, nullptr, properties,
                        CL_MEM_ALLOC_WRITE_COMBINED_INTEL, size, alignment);
    });
}

void* CL_API_CALL DeviceMemAllocINTEL(cl_context handle, cl_device_id device,
                                      const cl_mem_properties_intel* properties, size_t size,
                                      cl_uint alignment, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        return allocate(context, SvmKind::Device, &checked(device), properties,
                        CL_MEM_ALLOC_WRITE_COMBINED_INTEL, size, alignment);
    });
}

void* CL_API_CALL SharedMemAllocINTEL(cl_context context, cl_device_id device,
                                      const cl_mem_properties_intel* properties, size_t size,
                                      cl_uint alignment, cl_int* code_ret) {
    return make(code_ret, [&] {
        return allocate(checked(context), SvmKind::Shared, device, properties,
                        CL_MEM_ALLOC_WRITE_COMBINED_INTEL | kPlacements, size, alignment);
    });
}

namespace {

/// Null for a null pointer.
std::shared_ptr<Storage> taken(Context& context, const void* pointer) {
    if (!pointer) return nullptr;
    const SharedHeap::Item found = context.heap.find(pointer);
    require(found && found->base == pointer && found->is_usm() && context.heap.take(pointer),
            CL_INVALID_VALUE);
    return found->storage;
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

static cl_unified_shared_memory_type_intel type_of(SvmKind kind) {
    return kind == SvmKind::Host     ? CL_MEM_TYPE_HOST_INTEL
           : kind == SvmKind::Device ? CL_MEM_TYPE_DEVICE_INTEL
                                     : CL_MEM_TYPE_SHARED_INTEL;
}

cl_int CL_API_CALL GetMemAllocInfoINTEL(cl_context handle, const void* pointer, cl_mem_info_intel name,
                                        size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const SharedHeap::Item item = checked(handle).heap.find(pointer);
        const bool is_known = item && item->is_usm();
        const SharedAllocation self = is_known ? *item : SharedAllocation{};
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_MEM_ALLOC_TYPE_INTEL:
                return answer.put(is_known ? type_of(self.kind) : CL_MEM_TYPE_UNKNOWN_INTEL);
            case CL_MEM_ALLOC_BASE_PTR_INTEL: return answer.put<void*>(self.base);
            case CL_MEM_ALLOC_SIZE_INTEL: return answer.put(self.size);
            case CL_MEM_ALLOC_DEVICE_INTEL: return answer.put(self.device);
            case CL_MEM_ALLOC_FLAGS_INTEL: return answer.put(self.flags);
            default: throw ApiError(CL_INVALID_VALUE);
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
