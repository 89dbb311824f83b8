// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory (OpenCL API 5.6). On a device that uses the host's addresses, the host and kernels
// access the same bytes, even at the same time. On other devices, the host has a mirror at the device's
// addresses: map calls copy into it, unmap calls copy out of it, and all other commands use the device's
// bytes.
#include <algorithm>
#include <bit>
#include <cstring>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/pointer_commands.h"
#include "vulkan/icd/shared_allocation.h"
#include "vulkan/icd/transfer.h"

namespace caldera::icd {

// ---- Allocations ----

namespace {

/// The kind that the flags ask for.
SvmKind checked_kind(cl_svm_mem_flags flags) {
    constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    require(!(flags & ~(kAccess | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)), CL_INVALID_VALUE);
    require(std::popcount(flags & kAccess) <= 1, CL_INVALID_VALUE);
    require(!(flags & CL_MEM_SVM_ATOMICS) || flags & CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_INVALID_VALUE);
    return flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? SvmKind::FineBuffer : SvmKind::CoarseBuffer;
}

void* allocate(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    Context& context = checked(handle);
    const SvmKind kind = checked_kind(flags);
    const size_t place = place_for(context, kind, nullptr);
    require(!(flags & CL_MEM_SVM_ATOMICS) ||
                context.places[place].device->svm_capabilities() & CL_DEVICE_SVM_ATOMICS,
            CL_INVALID_OPERATION);
    SharedAllocation wanted{.kind = kind, .size = size, .place = place};
    check_size(context, wanted);
    require(alignment == 0 || std::has_single_bit(alignment), CL_INVALID_VALUE);
    return allocate(context, std::move(wanted), alignment);
}

}  // namespace

/// Returns null for all errors, because there is no error code.
void* CL_API_CALL SVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    return make(nullptr, [&] { return allocate(context, flags, size, alignment); });
}

void CL_API_CALL SVMFree(cl_context context, void* pointer) {
    entry([&] { free_when_over(checked(context), pointer); });
}

// ---- Commands ----

namespace {

/// Throws CL_INVALID_OPERATION if the queue's device has no shared memory.
CommandQueue& checked_queue(cl_command_queue handle) {
    CommandQueue& queue = checked(handle);
    require(!queue.device_queue, CL_INVALID_COMMAND_QUEUE);
    require(has_pointers(queue.device()), CL_INVALID_OPERATION);
    return queue;
}

}  // namespace

StoredBytes device_bytes(const CommandQueue& queue, const void* pointer, size_t size) {
    Context& context = *queue.context;
    const SharedHeap::Item shared = context.heap.find(pointer);
    if (!shared) return find_mapped(context, pointer, size);
    const StoredBytes bytes = shared->bytes_from(pointer);
    require(size <= bytes.size_bytes, CL_INVALID_VALUE);
    if (shared->place == queue.place) return bytes;
    require(shared->is_of_host(), CL_INVALID_OPERATION);
    return {};
}

StoredBytes bytes_without_host(const CommandQueue& queue, const void* pointer, size_t size) {
    const SharedHeap::Item shared = queue.context->heap.find(pointer);
    if (!shared) return {};
    require(size <= shared->bytes_from(pointer).size_bytes, CL_INVALID_VALUE);
    return shared->is_of_host() ? StoredBytes{} : device_bytes(queue, pointer, size);
}

namespace {

/// A region of the program's memory that the host cannot access.
struct RegionWithoutHost {
    std::shared_ptr<Storage> storage = {};  ///< null: the host can
    Box box = {};
};
RegionWithoutHost region_without_host(const CommandQueue& queue, const std::byte* host, const Box& box,
                                      const Size3& region) {
    StoredBytes found = bytes_without_host(queue, host + box.offset, box.end(region) - box.offset);
    return {std::move(found.storage), {found.offset, box.row_pitch, box.slice_pitch}};
}

}  // namespace

Command read_memory(cl_command_type type, const CommandQueue& queue, const Memory& memory, const Box& box,
                    std::byte* host, const Box& host_box, const Size3& region) {
    const RegionWithoutHost to = region_without_host(queue, host, host_box, region);
    if (!to.storage) return read_region(type, memory.storage, queue.place, box, host, host_box, region);
    return transfer_command(
        type, {.from = memory.storage, .to = to.storage, .regions = {stretches(box, to.box, region)}},
        queue.place);
}

Command write_memory(cl_command_type type, const CommandQueue& queue, const Memory& memory, const Box& box,
                     const std::byte* host, const Box& host_box, const Size3& region) {
    const RegionWithoutHost from = region_without_host(queue, host, host_box, region);
    if (!from.storage) return write_region(type, memory.storage, queue.place, box, host, host_box, region);
    return transfer_command(
        type, {.from = from.storage, .to = memory.storage, .regions = {stretches(from.box, box, region)}},
        queue.place);
}

namespace {

Command by_host(cl_command_type type, std::function<void()> work) {
    Command command = nothing(type);
    command.afterwards = std::move(work);
    command.uses_host_memory = true;
    command.is_host_work = true;
    return command;
}

}  // namespace

Command copy_bytes(cl_command_type type, const CommandQueue& queue, void* target_pointer,
                   const void* source_pointer, size_t size) {
    auto* to = static_cast<std::byte*>(target_pointer);
    const auto* from = static_cast<const std::byte*>(source_pointer);
    require(to + size <= from || from + size <= to, CL_MEM_COPY_OVERLAP);
    const StoredBytes source = device_bytes(queue, from, size), target = device_bytes(queue, to, size);
    const Size3 region = {size, 1, 1};
    if (size == 0) return nothing(type);
    if (source.storage && target.storage) return copy_shared(type, source, target, size, queue.place);
    if (source.storage)
        return read_region(type, source.storage, queue.place, {.offset = source.offset}, to, {}, region);
    if (target.storage)
        return write_region(type, target.storage, queue.place, {.offset = target.offset}, from, {}, region);
    return by_host(type, [=] { std::memcpy(to, from, size); });
}

Command fill_bytes(cl_command_type type, const CommandQueue& queue, void* target_pointer,
                   const void* pattern_pointer, size_t pattern_size, size_t size) {
    const std::vector<std::byte> pattern =
        checked_pattern(pattern_pointer, pattern_size, reinterpret_cast<uintptr_t>(target_pointer), size);
    auto* to = static_cast<std::byte*>(target_pointer);
    const StoredBytes target = device_bytes(queue, to, size);
    if (size == 0) return nothing(type);
    if (!target.storage)
        return by_host(type, [=] {
            for (size_t at = 0; at < size; at += pattern.size()) std::ranges::copy(pattern, to + at);
        });
    return fill_shared(type, target, size, pattern, queue.place);
}

namespace {

/// Another thread may have freed it in the meantime.
SharedHeap::Item checked_shared(const CommandQueue& queue, const void* pointer) {
    SharedHeap::Item shared = queue.context->heap.find(pointer);
    require(shared != nullptr, CL_INVALID_VALUE);
    return shared;
}

/// The mirror that contains the pointer; empty if there is none. Throws CL_INVALID_VALUE for memory that the
/// host cannot map.
StoredBytes mirrored(const CommandQueue& queue, const void* pointer, size_t size) {
    const SharedHeap::Item shared = queue.context->heap.find(pointer);
    require(!shared || shared->is_of_host(), CL_INVALID_VALUE);
    StoredBytes bytes = device_bytes(queue, pointer, size);
    return bytes.storage && bytes.storage->mirror() ? bytes : StoredBytes{};
}

Command map(const CommandQueue& queue, const StoredBytes& mirror, const Mapping& mapping) {
    if (mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION) return nothing(CL_COMMAND_SVM_MAP);
    return read_region(CL_COMMAND_SVM_MAP, mirror.storage, queue.place, mapping.device, mapping.pointer,
                       mapping.host, mapping.region, mirror.storage->mapped_writes());
}

Command unmap(const CommandQueue& queue, const StoredBytes& mirror, const Mapping& mapping) {
    if (!mapping.writes()) return nothing(CL_COMMAND_SVM_UNMAP);
    return write_region(CL_COMMAND_SVM_UNMAP, mirror.storage, queue.place, mapping.device, mapping.pointer,
                        mapping.host, mapping.region);
}

using FreeFunction = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*);

}  // namespace

cl_int CL_API_CALL EnqueueSVMFree(cl_command_queue handle, cl_uint count, void* pointers[],
                                  FreeFunction function, void* user_data, cl_uint wait_count,
                                  const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_queue(handle);
        require((count == 0) == (pointers == nullptr), CL_INVALID_VALUE);
        Command command = nothing(CL_COMMAND_SVM_FREE);
        std::vector<void*> list(pointers, pointers + count);
        if (function)
            command.program_function = [&queue, list = std::move(list), function, user_data]() mutable {
                const CallersFloatEnvironment callers;
                function(&queue, static_cast<cl_uint>(list.size()), list.data(), user_data);
            };
        else
            command.afterwards = [&queue, list = std::move(list)] {
                for (const void* pointer : list) queue.context->heap.take(pointer);
            };
        command.uses_host_memory = true;
        command.is_host_work = true;
        command.ends_unwatched = true;
        queue.enqueue(std::move(command), wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueSVMMemcpy(cl_command_queue handle, cl_bool blocking, void* target,
                                    const void* source, size_t size, cl_uint wait_count,
                                    const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_queue(handle);
        require((target && source) || size == 0, CL_INVALID_VALUE);
        queue.enqueue(copy_bytes(CL_COMMAND_SVM_MEMCPY, queue, target, source, size), wait_count, wait_list,
                      event, {.until = if_blocking(blocking, Reached::Complete)});
    });
}

cl_int CL_API_CALL EnqueueSVMMemFill(cl_command_queue handle, void* pointer, const void* pattern,
                                     size_t pattern_size, size_t size, cl_uint wait_count,
                                     const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_queue(handle);
        require((pointer || size == 0) && pattern, CL_INVALID_VALUE);
        queue.enqueue(fill_bytes(CL_COMMAND_SVM_MEMFILL, queue, pointer, pattern, pattern_size, size),
                      wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueSVMMap(cl_command_queue handle, cl_bool blocking, cl_map_flags flags, void* pointer,
                                 size_t size, cl_uint wait_count, const cl_event* wait_list,
                                 cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_queue(handle);
        require(pointer && size != 0, CL_INVALID_VALUE);
        check_map_flags(flags);
        const StoredBytes mirror = mirrored(queue, pointer, size);
        if (!mirror.storage)
            return queue.enqueue(nothing(CL_COMMAND_SVM_MAP), wait_count, wait_list, event,
                                 {.until = if_blocking(blocking, Reached::Complete)});
        const auto mapped =
            std::make_shared<const Mapping>(Mapping{.pointer = static_cast<std::byte*>(pointer),
                                                    .flags = flags,
                                                    .queue = &queue,
                                                    .device = {.offset = mirror.offset},
                                                    .region = {size, 1, 1}});
        const SharedHeap::Item shared = checked_shared(queue, pointer);
        enqueue_map(queue, shared->mappings, mapped, map(queue, mirror, *mapped), blocking, wait_count,
                    wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueSVMUnmap(cl_command_queue handle, void* pointer, cl_uint wait_count,
                                   const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_queue(handle);
        require(pointer, CL_INVALID_VALUE);
        const StoredBytes mirror = mirrored(queue, pointer, 0);
        const std::shared_ptr<Mappings> mappings =
            mirror.storage ? checked_shared(queue, pointer)->mappings : nullptr;
        const bool may_follow = queue.is_in_order() || wait_count != 0;
        const Mappings::Item mapped = mappings ? mappings->take(pointer, &queue, may_follow) : nullptr;
        if (!mapped) return queue.enqueue(nothing(CL_COMMAND_SVM_UNMAP), wait_count, wait_list, event);
        const auto make = [&] { return unmap(queue, mirror, *mapped); };
        enqueue_unmap(queue, mappings, mapped, make, wait_count, wait_list, event);
    });
}

/// The device's bytes do not move.
cl_int CL_API_CALL EnqueueSVMMigrateMem(cl_command_queue handle, cl_uint count, const void** pointers,
                                        const size_t* sizes, cl_mem_migration_flags flags, cl_uint wait_count,
                                        const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked_queue(handle);
        require(count != 0 && pointers, CL_INVALID_VALUE);
        check_migration_flags(flags);
        for (cl_uint i = 0; i < count; ++i) {
            const size_t size = sizes ? sizes[i] : 0;
            if (!pointers[i] && size == 0) continue;
            const SharedHeap::Item shared = queue.context->heap.find(pointers[i]);
            require(shared && size <= shared->bytes_from(pointers[i]).size_bytes, CL_INVALID_VALUE);
        }
        queue.enqueue(nothing(CL_COMMAND_SVM_MIGRATE_MEM), wait_count, wait_list, event);
    });
}

}  // namespace caldera::icd
