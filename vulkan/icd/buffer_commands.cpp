// SPDX-License-Identifier: Apache-2.0
// Commands on buffers (OpenCL API 5.2.2 to 5.2.5), and those on all memory objects (5.5.2 to 5.5.4).
#include <algorithm>

#include "vulkan/icd/commands.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/pointer_commands.h"
#include "vulkan/icd/transfer.h"

namespace caldera::icd {
namespace {

bool is_inside(size_t offset, size_t size, const Memory& memory) {
    return offset <= memory.size && size <= memory.size - offset;
}

/// Copies a contiguous range from or to the program's memory, during the call that records the command.
Command read_now(Memory& memory, size_t place, size_t offset, std::span<std::byte> out) {
    return {.type = CL_COMMAND_READ_BUFFER,
            .record =
                [=, storage = memory.storage](runtime::Queue& queue) {
                    take(queue.download(storage->on(place, {offset, out.size(), false}), offset, out));
                    return queue.last();
                },
            .uses_host_memory = true,
            .waits = true};
}
Command write_now(Memory& memory, size_t place, size_t offset, std::span<const std::byte> in) {
    return {.type = CL_COMMAND_WRITE_BUFFER,
            .record =
                [=, storage = memory.storage](runtime::Queue& queue) {
                    take(queue.upload(storage->on(place, {offset, in.size()}), offset, in));
                    queue.keep(storage);
                    return queue.last();
                },
            .uses_host_memory = true,
            .waits = in.size() > runtime::Queue::kUploadsAtOnce,
            .writes_shared = memory.storage->is_shared_with_host()};
}

/// Throws CL_INVALID_VALUE if a pitch is too small, or if no memory could hold the region (OpenCL API 5.2.2).
Box checked_box(const size_t* origin, const Size3& region, size_t row_pitch, size_t slice_pitch) {
    require(origin, CL_INVALID_VALUE);
    const Box box = checked_pitches(region, row_pitch, slice_pitch, CL_INVALID_VALUE, CL_INVALID_VALUE);
    require(slice_pitch == 0 || slice_pitch % box.row_pitch == 0, CL_INVALID_VALUE);
    const auto is_small = [&](size_t begin, size_t pitch) {
        size_t bytes = 0;
        return !__builtin_mul_overflow(begin, pitch, &bytes) && bytes <= kMostBoxBytes;
    };
    require(
        is_small(origin[0], 1) && is_small(origin[1], box.row_pitch) && is_small(origin[2], box.slice_pitch),
        CL_INVALID_VALUE);
    return box.from(size3(origin));
}

Size3 checked_region(const size_t* region) {
    require(region && region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE);
    return size3(region);
}

/// Converts to the place in the storage, of which the buffer may be a part.
Box in_storage(Box box, const Memory& memory) {
    box.offset += memory.offset;
    return box;
}

/// Memory for which the device does the work, where a command takes the program's memory.
StoredBytes find_reached(const CommandQueue& queue, const void* pointer, size_t size) {
    StoredBytes found = find_mapped(*queue.context, pointer, size);
    return found.storage ? found : bytes_without_host(queue, pointer, size);
}

struct RectArguments {
    Memory& memory;
    Size3 region;
    Box device, host;
};
RectArguments checked_rect(CommandQueue& queue, cl_mem handle, const size_t* buffer_origin,
                           const size_t* host_origin, const size_t* region, size_t buffer_row_pitch,
                           size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch,
                           const void* ptr) {
    Memory& memory = checked_buffer(handle, *queue.context);
    require(ptr, CL_INVALID_VALUE);
    const Size3 size = checked_region(region);
    const Box box = checked_box(buffer_origin, size, buffer_row_pitch, buffer_slice_pitch);
    require(box.end(size) <= memory.size, CL_INVALID_VALUE);
    return {memory, size, in_storage(box, memory),
            checked_box(host_origin, size, host_row_pitch, host_slice_pitch)};
}

}  // namespace

// ---- Reading and writing ----

cl_int CL_API_CALL EnqueueReadBuffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, size_t offset,
                                     size_t size, void* ptr, cl_uint wait_count, const cl_event* wait_list,
                                     cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked_buffer(buffer, *queue.context);
        require(ptr && is_inside(offset, size, memory), CL_INVALID_VALUE);
        check_host_reads(memory);
        auto* out = static_cast<std::byte*>(ptr);
        const size_t at = memory.offset + offset;
        const StoredBytes mapped = find_reached(queue, ptr, size);
        const auto command = [&]() -> Command {
            if (size == 0) return nothing(CL_COMMAND_READ_BUFFER);
            if (mapped.storage && mapped.storage != memory.storage)
                return copy_shared(CL_COMMAND_READ_BUFFER, {memory.storage, at}, mapped, size, queue.place);
            if (blocking) return read_now(memory, queue.place, at, {out, size});
            return read_region(CL_COMMAND_READ_BUFFER, memory.storage, queue.place, {.offset = at}, out, {},
                               {size, 1, 1});
        };
        queue.enqueue(command(), wait_count, wait_list, event,
                      {.until = if_blocking(blocking, Reached::Complete)});
    });
}

cl_int CL_API_CALL EnqueueWriteBuffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t size, const void* ptr, cl_uint wait_count,
                                      const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked_buffer(buffer, *queue.context);
        require(ptr && is_inside(offset, size, memory), CL_INVALID_VALUE);
        check_host_writes(memory);
        const size_t at = memory.offset + offset;
        const StoredBytes mapped = find_reached(queue, ptr, size);
        const bool is_mapped = mapped.storage && mapped.storage != memory.storage;
        if (size == 0 || is_mapped)
            return queue.enqueue(
                size == 0
                    ? nothing(CL_COMMAND_WRITE_BUFFER)
                    : copy_shared(CL_COMMAND_WRITE_BUFFER, mapped, {memory.storage, at}, size, queue.place),
                wait_count, wait_list, event, {.until = if_blocking(blocking, Reached::Complete)});
        // Once the command is recorded, the bytes have been copied from the program's memory.
        queue.enqueue(write_now(memory, queue.place, at, {static_cast<const std::byte*>(ptr), size}),
                      wait_count, wait_list, event, {.until = queue.until_written(blocking)});
    });
}

cl_int CL_API_CALL EnqueueReadBufferRect(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                         const size_t* buffer_origin, const size_t* host_origin,
                                         const size_t* region, size_t buffer_row_pitch,
                                         size_t buffer_slice_pitch, size_t host_row_pitch,
                                         size_t host_slice_pitch, void* ptr, cl_uint wait_count,
                                         const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        const RectArguments rect =
            checked_rect(queue, buffer, buffer_origin, host_origin, region, buffer_row_pitch,
                         buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr);
        check_host_reads(rect.memory);
        queue.enqueue(read_memory(CL_COMMAND_READ_BUFFER_RECT, queue, rect.memory, rect.device,
                                  static_cast<std::byte*>(ptr), rect.host, rect.region),
                      wait_count, wait_list, event, {.until = if_blocking(blocking, Reached::Complete)});
    });
}

cl_int CL_API_CALL EnqueueWriteBufferRect(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                          const size_t* buffer_origin, const size_t* host_origin,
                                          const size_t* region, size_t buffer_row_pitch,
                                          size_t buffer_slice_pitch, size_t host_row_pitch,
                                          size_t host_slice_pitch, const void* ptr, cl_uint wait_count,
                                          const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        const RectArguments rect =
            checked_rect(queue, buffer, buffer_origin, host_origin, region, buffer_row_pitch,
                         buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr);
        check_host_writes(rect.memory);
        queue.enqueue(write_memory(CL_COMMAND_WRITE_BUFFER_RECT, queue, rect.memory, rect.device,
                                   static_cast<const std::byte*>(ptr), rect.host, rect.region),
                      wait_count, wait_list, event, {.until = queue.until_written(blocking)});
    });
}

// ---- Copying and filling ----

Command copy_buffer(const CommandQueue& queue, cl_mem source, cl_mem target, size_t source_offset,
                    size_t target_offset, size_t size) {
    const Memory& from = checked_buffer(source, *queue.context);
    const Memory& to = checked_buffer(target, *queue.context);
    require(is_inside(source_offset, size, from) && is_inside(target_offset, size, to), CL_INVALID_VALUE);
    check_commands_write(to);
    if (size == 0) return nothing(CL_COMMAND_COPY_BUFFER);  // no error since OpenCL 2.1
    const size_t from_at = from.offset + source_offset, to_at = to.offset + target_offset;
    return copy_region(CL_COMMAND_COPY_BUFFER, from, {.offset = from_at}, to, {.offset = to_at}, {size, 1, 1},
                       queue.place);
}

Command copy_buffer_rect(const CommandQueue& queue, cl_mem source, cl_mem target, const size_t* source_origin,
                         const size_t* target_origin, const size_t* region, size_t source_row_pitch,
                         size_t source_slice_pitch, size_t target_row_pitch, size_t target_slice_pitch) {
    const Memory& from = checked_buffer(source, *queue.context);
    const Memory& to = checked_buffer(target, *queue.context);
    const Size3 size = checked_region(region);
    const Box in = checked_box(source_origin, size, source_row_pitch, source_slice_pitch);
    const Box out = checked_box(target_origin, size, target_row_pitch, target_slice_pitch);
    require(in.end(size) <= from.size && out.end(size) <= to.size, CL_INVALID_VALUE);
    const bool same_pitches = in.row_pitch == out.row_pitch && in.slice_pitch == out.slice_pitch;
    require(source != target || same_pitches, CL_INVALID_VALUE);
    check_commands_write(to);
    return copy_region(CL_COMMAND_COPY_BUFFER_RECT, from, in_storage(in, from), to, in_storage(out, to), size,
                       queue.place);
}

Command fill_buffer(const CommandQueue& queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                    size_t offset, size_t size) {
    const Memory& memory = checked_buffer(buffer, *queue.context);
    require(is_inside(offset, size, memory), CL_INVALID_VALUE);
    std::vector<std::byte> bytes = checked_pattern(pattern, pattern_size, offset, size);
    check_commands_write(memory);
    if (size == 0) return nothing(CL_COMMAND_FILL_BUFFER);
    return transfer_command(
        CL_COMMAND_FILL_BUFFER,
        {.to = memory.storage, .bytes = std::move(bytes), .offset = memory.offset + offset, .size = size},
        queue.place);
}

cl_int CL_API_CALL EnqueueCopyBuffer(cl_command_queue handle, cl_mem source, cl_mem target,
                                     size_t source_offset, size_t target_offset, size_t size,
                                     cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(copy_buffer(queue, source, target, source_offset, target_offset, size), wait_count,
                      wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueCopyBufferRect(cl_command_queue handle, cl_mem source, cl_mem target,
                                         const size_t* source_origin, const size_t* target_origin,
                                         const size_t* region, size_t source_row_pitch,
                                         size_t source_slice_pitch, size_t target_row_pitch,
                                         size_t target_slice_pitch, cl_uint wait_count,
                                         const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(
            copy_buffer_rect(queue, source, target, source_origin, target_origin, region, source_row_pitch,
                             source_slice_pitch, target_row_pitch, target_slice_pitch),
            wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueFillBuffer(cl_command_queue handle, cl_mem buffer, const void* pattern,
                                     size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                                     const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(fill_buffer(queue, buffer, pattern, pattern_size, offset, size), wait_count, wait_list,
                      event);
    });
}

// ---- Mapping ----

void* CL_API_CALL EnqueueMapBuffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                   cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                                   const cl_event* wait_list, cl_event* event, cl_int* code_ret) {
    return make(code_ret, [&]() -> void* {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked_buffer(buffer, *queue.context);
        require(size != 0 && is_inside(offset, size, memory), CL_INVALID_VALUE);
        check_map_flags(memory, flags);
        const Mapping mapping{.flags = flags,
                              .device = {.offset = memory.offset + offset},
                              .host = {.offset = offset},
                              .region = {size, 1, 1}};
        return enqueue_map(queue, CL_COMMAND_MAP_BUFFER, memory, mapping, blocking, wait_count, wait_list,
                           event)
            ->pointer;
    });
}

cl_int CL_API_CALL EnqueueUnmapMemObject(cl_command_queue handle, cl_mem object, void* pointer,
                                         cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked(object);
        require(memory.type != CL_MEM_OBJECT_PIPE, CL_INVALID_MEM_OBJECT);
        require(memory.context == queue.context, CL_INVALID_CONTEXT);
        enqueue_unmap(queue, memory, pointer, wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueMigrateMemObjects(cl_command_queue handle, cl_uint count, const cl_mem* objects,
                                            cl_mem_migration_flags flags, cl_uint wait_count,
                                            const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        require(count != 0 && objects, CL_INVALID_VALUE);
        check_migration_flags(flags);
        std::vector<std::shared_ptr<Storage>> storages;
        for (cl_uint i = 0; i < count; ++i) {
            const Memory& memory = checked(objects[i]);
            require(memory.context == queue.context, CL_INVALID_CONTEXT);
            if (memory.storage) storages.push_back(memory.storage);
        }
        const bool to_device = !(flags & CL_MIGRATE_MEM_OBJECT_HOST);
        queue.enqueue({.type = CL_COMMAND_MIGRATE_MEM_OBJECTS,
                       .record =
                           [=, place = queue.place](runtime::Queue& runtime_queue) {
                               for (const auto& storage : storages)
                                   if (to_device) storage->on(place, {.are_written = false});
                               return record_nothing(runtime_queue);
                           }},
                      wait_count, wait_list, event);
    });
}

}  // namespace caldera::icd
