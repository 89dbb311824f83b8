// SPDX-License-Identifier: Apache-2.0
// Commands on buffers (OpenCL API 5.2.2 to 5.2.4, 5.5.2 to 5.5.4).
#include <algorithm>
#include <array>
#include <cstring>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/memory.h"
#include "vulkan/icd/queue.h"

namespace caldera::icd {
namespace {

bool is_inside(size_t offset, size_t size, const Memory& memory) {
    return offset <= memory.size && size <= memory.size - offset;
}

constexpr cl_mem_flags kNoHostReads = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kNoHostWrites = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

std::optional<Reached> if_blocking(cl_bool blocking, Reached reached) {
    return blocking ? std::optional(reached) : std::nullopt;
}

/// A copy of stretches of the device's memory for the host, which takes it when the device has made it.
Command download(cl_command_type type, Memory& memory, size_t place, std::vector<VkBufferCopy> regions,
                 uint64_t copied_bytes, std::function<void(const std::byte*)> take_copy) {
    auto copy = std::make_shared<runtime::Buffer>();
    const std::shared_ptr<Storage> storage = memory.storage;
    runtime::Device& device = *memory.context->places[place].opened;
    return {.type = type,
            .record =
                [=, &device, regions = std::move(regions)](runtime::Queue& queue) {
                    *copy = take(runtime::Buffer::create(device, copied_bytes, runtime::MemoryUse::Download));
                    const runtime::Event event = take(queue.copy(storage->on(place), *copy, regions));
                    queue.keep(storage);
                    queue.keep(copy);
                    return event;
                },
            .afterwards = [copy, take_copy = std::move(take_copy)] { take_copy(copy->mapped()); },
            .uses_host_memory = true};
}

/// A stretch, all of it, to or from the program's memory in the call that records the command.
Command read_now(Memory& memory, size_t place, size_t offset, std::span<std::byte> out) {
    return {.type = CL_COMMAND_READ_BUFFER,
            .record =
                [=, storage = memory.storage](runtime::Queue& queue) {
                    take(queue.download(storage->on(place), offset, out));
                    return queue.last();
                },
            .uses_host_memory = true};
}
Command write_now(cl_command_type type, Memory& memory, size_t place, size_t offset,
                  std::span<const std::byte> in) {
    return {.type = type,
            .record =
                [=, storage = memory.storage](runtime::Queue& queue) {
                    take(queue.upload(storage->on(place), offset, in));
                    queue.keep(storage);
                    return queue.last();
                },
            .uses_host_memory = true};
}

/// The program's memory is a mapped buffer's: the device copies to or from there.
Command copy_mapped(cl_command_type type, const std::shared_ptr<Storage>& from, uint64_t from_at,
                    const std::shared_ptr<Storage>& to, uint64_t to_at, size_t size, size_t place) {
    return {.type = type,
            .record =
                [=](runtime::Queue& queue) {
                    const runtime::Event event =
                        take(queue.copy(from->on(place), from_at, to->on(place), to_at, size));
                    queue.keep(from);
                    queue.keep(to);
                    return event;
                },
            .uses_host_memory = true};
}

/// Nothing for the device: over when what is before it is.
Command nothing(cl_command_type type) {
    return {.type = type, .record = [](runtime::Queue& queue) { return queue.so_far(); }};
}

// ---- Rectangles ----

using Size3 = std::array<size_t, 3>;

Size3 size3(const size_t* values) { return {values[0], values[1], values[2]}; }

/// A box of bytes in linear memory (OpenCL API 5.2.2): where it begins, and from row to row and slice to slice.
struct Box {
    size_t offset = 0, row_pitch = 0, slice_pitch = 0;
    size_t end = 0;  ///< of its last byte
    size_t at(size_t y, size_t z) const { return offset + z * slice_pitch + y * row_pitch; }
};

/// Throws CL_INVALID_VALUE for pitches that are too small, and for what no memory holds.
Box checked_box(const size_t* origin, const Size3& region, size_t row_pitch, size_t slice_pitch) {
    require(origin, CL_INVALID_VALUE);
    require(row_pitch == 0 || row_pitch >= region[0], CL_INVALID_VALUE);
    if (row_pitch == 0) row_pitch = region[0];
    size_t slice_bytes = 0, overflow = 0;
    require(!__builtin_mul_overflow(region[1], row_pitch, &slice_bytes), CL_INVALID_VALUE);
    require(slice_pitch == 0 || (slice_pitch >= slice_bytes && slice_pitch % row_pitch == 0),
            CL_INVALID_VALUE);
    if (slice_pitch == 0) slice_pitch = slice_bytes;
    // No product of what fits in 2^42 bytes overflows below.
    constexpr size_t kMost = size_t{1} << 42;
    require(!__builtin_mul_overflow(origin[2] + region[2], slice_pitch, &overflow) && overflow <= kMost &&
                !__builtin_mul_overflow(origin[1] + region[1], row_pitch, &overflow) && overflow <= kMost &&
                origin[0] <= kMost && region[0] <= kMost,
            CL_INVALID_VALUE);
    Box box{.offset = origin[2] * slice_pitch + origin[1] * row_pitch + origin[0],
            .row_pitch = row_pitch,
            .slice_pitch = slice_pitch};
    box.end = box.at(region[1] - 1, region[2] - 1) + region[0];
    return box;
}

Size3 checked_region(const size_t* region) {
    require(region && region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE);
    return size3(region);
}

template <class F>
void for_rows(const Size3& region, const F& row) {
    size_t index = 0;
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y) row(y, z, index++ * region[0]);
}

/// Rows of the box one after the other: the copy that the host takes or makes has them so.
std::vector<VkBufferCopy> packed_rows(const Memory& memory, const Box& box, const Size3& region) {
    std::vector<VkBufferCopy> rows;
    for_rows(region, [&](size_t y, size_t z, size_t packed) {
        rows.push_back({.srcOffset = packed, .dstOffset = memory.offset + box.at(y, z), .size = region[0]});
    });
    return rows;
}

struct RectArguments {
    Memory& memory;
    Size3 region;
    Box buffer, host;
};
RectArguments checked_rect(CommandQueue& queue, cl_mem handle, const size_t* buffer_origin,
                           const size_t* host_origin, const size_t* region, size_t buffer_row_pitch,
                           size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch,
                           const void* ptr) {
    Memory& memory = checked_buffer(handle, *queue.context);
    require(ptr, CL_INVALID_VALUE);
    const Size3 size = checked_region(region);
    RectArguments out{memory, size, checked_box(buffer_origin, size, buffer_row_pitch, buffer_slice_pitch),
                      checked_box(host_origin, size, host_row_pitch, host_slice_pitch)};
    require(out.buffer.end <= memory.size, CL_INVALID_VALUE);
    return out;
}

/// OpenCL API, appendix D: do boxes of the same pitches overlap?
bool overlap(const Box& a, const Box& b, const Size3& region) {
    if (a.end <= b.offset || b.end <= a.offset) return false;
    const auto coordinates = [](const Box& box) {
        const size_t rest = box.offset % box.slice_pitch;
        return Size3{rest % box.row_pitch, rest / box.row_pitch, box.offset / box.slice_pitch};
    };
    const Size3 p = coordinates(a), q = coordinates(b);
    // Boxes whose rows run over into the next row or slice are told apart by their ends alone.
    if (p[0] + region[0] > a.row_pitch || q[0] + region[0] > b.row_pitch) return true;
    for (size_t d = 0; d < 3; ++d)
        if (p[d] + region[d] <= q[d] || q[d] + region[d] <= p[d]) return false;
    return true;
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
        require(!(memory.flags & kNoHostReads), CL_INVALID_OPERATION);
        auto* out = static_cast<std::byte*>(ptr);
        const size_t at = memory.offset + offset;
        const MappedBytes mapped = find_mapped(*queue.context, ptr, size);
        Command command = mapped.storage && mapped.storage != memory.storage
                              ? copy_mapped(CL_COMMAND_READ_BUFFER, memory.storage, at, mapped.storage,
                                            mapped.offset, size, queue.place)
                          : blocking ? read_now(memory, queue.place, at, {out, size})
                                     : download(CL_COMMAND_READ_BUFFER, memory, queue.place,
                                                {{.srcOffset = at, .size = size}}, size,
                                                [=](const std::byte* copy) { std::memcpy(out, copy, size); });
        queue.enqueue(std::move(command), wait_count, wait_list, event,
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
        require(!(memory.flags & kNoHostWrites), CL_INVALID_OPERATION);
        if (const MappedBytes mapped = find_mapped(*queue.context, ptr, size);
            mapped.storage && mapped.storage != memory.storage)
            return queue.enqueue(copy_mapped(CL_COMMAND_WRITE_BUFFER, mapped.storage, mapped.offset,
                                             memory.storage, memory.offset + offset, size, queue.place),
                                 wait_count, wait_list, event,
                                 {.until = if_blocking(blocking, Reached::Complete)});
        // What is recorded has been copied out of the program's memory.
        queue.enqueue(write_now(CL_COMMAND_WRITE_BUFFER, memory, queue.place, memory.offset + offset,
                                {static_cast<const std::byte*>(ptr), size}),
                      wait_count, wait_list, event, {.until = if_blocking(blocking, Reached::Recorded)});
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
        require(!(rect.memory.flags & kNoHostReads), CL_INVALID_OPERATION);
        std::vector<VkBufferCopy> rows = packed_rows(rect.memory, rect.buffer, rect.region);
        for (VkBufferCopy& row : rows) std::swap(row.srcOffset, row.dstOffset);
        const size_t packed_bytes = rows.size() * rect.region[0];
        auto* out = static_cast<std::byte*>(ptr);
        const auto unpack = [out, host = rect.host, size = rect.region](const std::byte* copy) {
            for_rows(size, [&](size_t y, size_t z, size_t packed) {
                std::memcpy(out + host.at(y, z), copy + packed, size[0]);
            });
        };
        queue.enqueue(download(CL_COMMAND_READ_BUFFER_RECT, rect.memory, queue.place, std::move(rows),
                               packed_bytes, unpack),
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
        require(!(rect.memory.flags & kNoHostWrites), CL_INVALID_OPERATION);
        const auto* in = static_cast<const std::byte*>(ptr);
        const auto pack = [in, host = rect.host, size = rect.region](std::byte* out) {
            for_rows(size, [&](size_t y, size_t z, size_t packed) {
                std::memcpy(out + packed, in + host.at(y, z), size[0]);
            });
        };
        Command command{
            .type = CL_COMMAND_WRITE_BUFFER_RECT,
            .record =
                [=, storage = rect.memory.storage, place = queue.place,
                 rows = packed_rows(rect.memory, rect.buffer, rect.region)](runtime::Queue& runtime_queue) {
                    const runtime::Event recorded = take(
                        runtime_queue.upload(storage->on(place), rows.size() * rows[0].size, pack, rows));
                    runtime_queue.keep(storage);
                    return recorded;
                },
            .uses_host_memory = true};
        queue.enqueue(std::move(command), wait_count, wait_list, event,
                      {.until = if_blocking(blocking, Reached::Recorded)});
    });
}

// ---- Copying and filling ----

namespace {

void enqueue_copy(CommandQueue& queue, cl_command_type type, Memory& from, Memory& to,
                  std::vector<VkBufferCopy> regions, cl_uint wait_count, const cl_event* wait_list,
                  cl_event* event) {
    queue.enqueue({.type = type,
                   .record =
                       [regions = std::move(regions), source = from.storage, target = to.storage,
                        place = queue.place](runtime::Queue& runtime_queue) {
                           const runtime::Buffer& source_buffer = source->on(place);
                           const runtime::Event recorded =
                               take(runtime_queue.copy(source_buffer, target->on(place), regions));
                           runtime_queue.keep(source);
                           runtime_queue.keep(target);
                           return recorded;
                       }},
                  wait_count, wait_list, event);
}

}  // namespace

cl_int CL_API_CALL EnqueueCopyBuffer(cl_command_queue handle, cl_mem source, cl_mem target,
                                     size_t source_offset, size_t target_offset, size_t size,
                                     cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        Memory& from = checked_buffer(source, *queue.context);
        Memory& to = checked_buffer(target, *queue.context);
        require(size != 0 && is_inside(source_offset, size, from) && is_inside(target_offset, size, to),
                CL_INVALID_VALUE);
        const size_t from_at = from.offset + source_offset, to_at = to.offset + target_offset;
        require(from.storage != to.storage || from_at + size <= to_at || to_at + size <= from_at,
                CL_MEM_COPY_OVERLAP);
        enqueue_copy(queue, CL_COMMAND_COPY_BUFFER, from, to, {{from_at, to_at, size}}, wait_count, wait_list,
                     event);
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
        Memory& from = checked_buffer(source, *queue.context);
        Memory& to = checked_buffer(target, *queue.context);
        const Size3 size = checked_region(region);
        Box in = checked_box(source_origin, size, source_row_pitch, source_slice_pitch);
        Box out = checked_box(target_origin, size, target_row_pitch, target_slice_pitch);
        require(in.end <= from.size && out.end <= to.size, CL_INVALID_VALUE);
        const bool same_pitches = in.row_pitch == out.row_pitch && in.slice_pitch == out.slice_pitch;
        require(source != target || same_pitches, CL_INVALID_VALUE);
        if (from.storage == to.storage) {
            Box a = in, b = out;
            a.offset += from.offset, a.end += from.offset, b.offset += to.offset, b.end += to.offset;
            require(!overlap(a, b, size), CL_MEM_COPY_OVERLAP);
        }
        std::vector<VkBufferCopy> rows;
        for_rows(size, [&](size_t y, size_t z, size_t) {
            rows.push_back({from.offset + in.at(y, z), to.offset + out.at(y, z), size[0]});
        });
        enqueue_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, from, to, std::move(rows), wait_count, wait_list,
                     event);
    });
}

cl_int CL_API_CALL EnqueueFillBuffer(cl_command_queue handle, cl_mem buffer, const void* pattern,
                                     size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                                     const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked_buffer(buffer, *queue.context);
        require(is_inside(offset, size, memory), CL_INVALID_VALUE);
        require(
            pattern && pattern_size != 0 && pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0,
            CL_INVALID_VALUE);
        require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
        const auto* bytes = static_cast<const std::byte*>(pattern);
        queue.enqueue(
            {.type = CL_COMMAND_FILL_BUFFER,
             .record =
                 [storage = memory.storage, place = queue.place, at = memory.offset + offset, size,
                  copy = std::vector<std::byte>(bytes, bytes + pattern_size)](runtime::Queue& runtime_queue) {
                     const runtime::Event recorded =
                         take(runtime_queue.fill(storage->on(place), at, size, copy));
                     runtime_queue.keep(storage);
                     return recorded;
                 }},
            wait_count, wait_list, event);
    });
}

// ---- Mapping ----

namespace {

/// What a map gives the program, and the command that has it filled.
Command map_command(Memory& memory, size_t place, Memory::Mapping& mapping) {
    const bool reads = !(mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION);
    const size_t at = memory.offset + mapping.offset, size = mapping.size;
    if (memory.host_ptr) {
        mapping.pointer = memory.host_ptr + mapping.offset;
        if (!reads) return nothing(CL_COMMAND_MAP_BUFFER);
        return download(CL_COMMAND_MAP_BUFFER, memory, place, {{.srcOffset = at, .size = size}}, size,
                        [=, to = mapping.pointer](const std::byte* copy) { std::memcpy(to, copy, size); });
    }
    if (std::byte* bytes = memory.storage->mapped()) {
        mapping.pointer = bytes + at;
        return nothing(CL_COMMAND_MAP_BUFFER);
    }
    mapping.copy = std::make_shared<runtime::Buffer>(take(
        runtime::Buffer::create(*memory.context->places[place].opened, size, runtime::MemoryUse::Download)));
    mapping.pointer = mapping.copy->mapped();
    if (!reads) return nothing(CL_COMMAND_MAP_BUFFER);
    return {.type = CL_COMMAND_MAP_BUFFER,
            .record = [=, storage = memory.storage, copy = mapping.copy](runtime::Queue& queue) {
                const runtime::Event recorded = take(queue.copy(storage->on(place), at, *copy, 0, size));
                queue.keep(storage);
                queue.keep(copy);
                return recorded;
            }};
}

Command unmap_command(Memory& memory, size_t place, const Memory::Mapping& mapping) {
    const bool writes = mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    const size_t at = memory.offset + mapping.offset, size = mapping.size;
    if (!writes) return nothing(CL_COMMAND_UNMAP_MEM_OBJECT);
    if (memory.host_ptr)
        return write_now(CL_COMMAND_UNMAP_MEM_OBJECT, memory, place, at, {mapping.pointer, size});
    if (!mapping.copy) return nothing(CL_COMMAND_UNMAP_MEM_OBJECT);
    return {.type = CL_COMMAND_UNMAP_MEM_OBJECT,
            .record = [=, storage = memory.storage, copy = mapping.copy](runtime::Queue& queue) {
                const runtime::Event recorded = take(queue.copy(*copy, 0, storage->on(place), at, size));
                queue.keep(storage);
                queue.keep(copy);
                return recorded;
            }};
}

}  // namespace

void* CL_API_CALL EnqueueMapBuffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                   cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                                   const cl_event* wait_list, cl_event* event, cl_int* code_ret) {
    return make(code_ret, [&]() -> void* {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked_buffer(buffer, *queue.context);
        constexpr cl_map_flags kAll = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
        require(size != 0 && is_inside(offset, size, memory) && !(flags & ~kAll), CL_INVALID_VALUE);
        require(!(flags & CL_MAP_WRITE_INVALIDATE_REGION) || !(flags & (CL_MAP_READ | CL_MAP_WRITE)),
                CL_INVALID_VALUE);
        require(!(flags & CL_MAP_READ) || !(memory.flags & kNoHostReads), CL_INVALID_OPERATION);
        require(flags == CL_MAP_READ || flags == 0 || !(memory.flags & kNoHostWrites), CL_INVALID_OPERATION);
        Memory::Mapping mapping{.offset = offset, .size = size, .flags = flags};
        Command command = map_command(memory, queue.place, mapping);
        queue.enqueue(std::move(command), wait_count, wait_list, event,
                      {.until = if_blocking(blocking, Reached::Complete)});
        const std::lock_guard lock(memory.mutex);
        memory.mappings.push_back(mapping);
        return mapping.pointer;
    });
}

cl_int CL_API_CALL EnqueueUnmapMemObject(cl_command_queue handle, cl_mem object, void* pointer,
                                         cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked(object);
        require(memory.context == queue.context, CL_INVALID_CONTEXT);
        Memory::Mapping mapping;
        {
            const std::lock_guard lock(memory.mutex);
            const auto it = std::ranges::find(memory.mappings, pointer, &Memory::Mapping::pointer);
            require(pointer && it != memory.mappings.end(), CL_INVALID_VALUE);
            mapping = *it;
            memory.mappings.erase(it);
        }
        queue.enqueue(unmap_command(memory, queue.place, mapping), wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueMigrateMemObjects(cl_command_queue handle, cl_uint count, const cl_mem* objects,
                                            cl_mem_migration_flags flags, cl_uint wait_count,
                                            const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        require(count != 0 && objects, CL_INVALID_VALUE);
        constexpr cl_mem_migration_flags kAll =
            CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        require(!(flags & ~kAll), CL_INVALID_VALUE);
        std::vector<std::shared_ptr<Storage>> storages;
        for (cl_uint i = 0; i < count; ++i) {
            Memory& memory = checked(objects[i]);
            require(memory.context == queue.context, CL_INVALID_CONTEXT);
            if (memory.storage) storages.push_back(memory.storage);
        }
        const bool to_device = !(flags & CL_MIGRATE_MEM_OBJECT_HOST);
        queue.enqueue({.type = CL_COMMAND_MIGRATE_MEM_OBJECTS,
                       .record =
                           [=, place = queue.place](runtime::Queue& runtime_queue) {
                               for (const auto& storage : storages)
                                   if (to_device) storage->on(place);
                               return runtime_queue.so_far();
                           }},
                      wait_count, wait_list, event);
    });
}

}  // namespace caldera::icd
