// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/transfer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <optional>
#include <span>

#include "vulkan/icd/image_lock.h"
#include "vulkan/runtime/host_copy.h"

namespace caldera::icd {
namespace {

/// Larger regions of the program's memory are read and written in parts, each of which the thread that
/// records the command waits for.
constexpr size_t kMaxStaged = 256 << 20;
/// Larger ones are mapped into memory that the device does not see, as others are when there is no more of
/// what it sees.
constexpr size_t kMaxShared = size_t{1} << 30;
/// The host repeats a pattern for at most so many bytes, which the device copies to where it is wanted.
constexpr size_t kMaxTile = 1 << 20;

size_t bytes_of(const Size3& region) { return region[0] * region[1] * region[2]; }
UsedBytes used_by(const Box& box, const Size3& region, bool are_written) {
    return {box.offset, box.end(region) - box.offset, are_written};
}
UsedBytes used_by(const std::vector<runtime::CopyRegion>& regions,
                  runtime::CopyRegion::Side runtime::CopyRegion::*side, bool are_written) {
    uint64_t begin = ~uint64_t{0}, end = 0;
    for (const runtime::CopyRegion& region : regions) {
        const uint64_t offset = (region.*side).offset;
        begin = std::min(begin, offset);
        end = std::max(end, offset + region.span_of(region.*side));
    }
    return {begin, end - std::min(begin, end), are_written};
}
/// Whether the whole region is one contiguous range in both.
bool is_stretch(const Box& from, const Box& to, const Size3& region) {
    return stretches(from, to, region).count() == 1;
}

/// For a command that reads: the storage is not locked while it is recorded.
const runtime::Buffer& newest_in_memory(Storage& storage, size_t place, runtime::Queue& queue,
                                        const UsedBytes& used) {
    const ImageLock lock({&storage});
    return storage.newest_on(place, queue, used);
}

/// Copies a region for the host.
std::pair<std::shared_ptr<runtime::Buffer>, runtime::Event> download(runtime::Queue& queue,
                                                                     runtime::Device& device,
                                                                     Storage& storage, size_t place,
                                                                     const Box& box, const Size3& region) {
    auto copy = std::make_shared<runtime::Buffer>(
        take(runtime::Buffer::create(device, bytes_of(region), runtime::MemoryUse::Download)));
    const runtime::CopyRegion regions[] = {stretches(box, packed_box(region), region)};
    const ImageLock lock({&storage});
    const runtime::Event event =
        take(queue.copy(storage.newest_on(place, queue, used_by(box, region, false)), *copy, regions));
    queue.keep(copy, bytes_of(region));
    return {copy, event};
}
void unpack(const std::byte* packed, std::byte* host, const Box& box, const Size3& region,
            const HostRanges& left_alone) {
    for_stretches(packed_box(region), box, region, [&](size_t from, size_t to, size_t size) {
        left_alone.for_others(host + to, size, [&](size_t at, size_t part) {
            runtime::copy_bytes(host + to + at, packed + from + at, part);
        });
    });
}

/// What the program wrote to its own memory by now is newer than what is read from now on.
HostRanges newer_ranges(const MappedWrites* writes, const Box& box, const Size3& region) {
    return writes ? writes->ranges(box, region) : HostRanges{};
}
/// Also leaves alone what the program may have written in the meantime.
void unpack(const std::byte* packed, std::byte* host, const Box& host_box, const MappedWrites* writes,
            const Box& box, const Size3& region, const HostRanges& newer) {
    const auto copy = [&](const HostRanges& left_alone) {
        unpack(packed, host, host_box, region, left_alone);
    };
    if (!writes) return copy(newer);
    writes->copy_around(box, region, newer, copy);
}

/// Copies a large region completely while the command is recorded.
Command read_large(cl_command_type type, const std::shared_ptr<Storage>& storage, size_t place,
                   const Box& box, std::byte* host, const Box& host_box, const Size3& whole,
                   const std::shared_ptr<MappedWrites>& writes) {
    runtime::Device& device = *storage->context().places[place].opened;
    return {.type = type,
            .record =
                [=, &device](runtime::Queue& queue) {
                    if (!writes && is_stretch(box, host_box, whole)) {
                        const runtime::Buffer& from =
                            newest_in_memory(*storage, place, queue, used_by(box, whole, false));
                        take(queue.download(from, box.offset, {host + host_box.offset, bytes_of(whole)}));
                        return queue.last();
                    }
                    for_parts({}, whole, kMaxStaged, [&](const Size3& origin, const Size3& region) {
                        take(queue.check_goes_on());
                        const Box part = box.from(origin);
                        const HostRanges newer = newer_ranges(writes.get(), part, region);
                        const auto [copy, event] = download(queue, device, *storage, place, part, region);
                        take(queue.wait(event));
                        unpack(copy->mapped(), host, host_box.from(origin), writes.get(), part, region,
                               newer);
                    });
                    return queue.so_far();
                },
            .uses_host_memory = true,
            .waits = true};
}

}  // namespace

Command copy_shared(cl_command_type type, const StoredBytes& from, const StoredBytes& to, size_t size,
                    size_t place) {
    Command command = transfer_command(
        type,
        {.from = from.storage,
         .to = to.storage,
         .regions = {{.from = {.offset = from.offset}, .to = {.offset = to.offset}, .size = size}}},
        place);
    command.reads_shared = command.writes_shared = true;
    return command;
}

Command fill_shared(cl_command_type type, const StoredBytes& to, size_t size, std::vector<std::byte> pattern,
                    size_t place) {
    Command command = transfer_command(
        type, {.to = to.storage, .bytes = std::move(pattern), .offset = to.offset, .size = size}, place);
    command.writes_shared = true;
    return command;
}

std::vector<std::byte> checked_pattern(const void* pattern, size_t pattern_size, uintptr_t begin,
                                       size_t size) {
    constexpr size_t kMostBytes = 128;  // of a double16
    require(pattern && std::has_single_bit(pattern_size) && pattern_size <= kMostBytes, CL_INVALID_VALUE);
    require(begin % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
    const auto* bytes = static_cast<const std::byte*>(pattern);
    return {bytes, bytes + pattern_size};
}

runtime::SequenceTransfer sequence_transfer(const Transfer& transfer, size_t place) {
    return {.from = transfer.from ? &transfer.from->on(place) : nullptr,
            .to = &transfer.to->on(place),
            .bytes = transfer.bytes,
            .regions = transfer.regions,
            .offset_bytes = transfer.offset,
            .size_bytes = transfer.size};
}

namespace {

runtime::Event record(const Transfer& transfer, size_t place, runtime::Queue& queue) {
    if (transfer.from) {
        const runtime::Buffer& source = transfer.from->newest_on(
            place, queue, used_by(transfer.regions, &runtime::CopyRegion::from, false));
        const runtime::Buffer& to =
            transfer.to->newest_on(place, queue, used_by(transfer.regions, &runtime::CopyRegion::to, true));
        return take(queue.copy(source, to, transfer.regions));
    }
    const UsedBytes written = transfer.regions.empty()
                                  ? UsedBytes{transfer.offset, transfer.size}
                                  : used_by(transfer.regions, &runtime::CopyRegion::to, true);
    const runtime::Buffer& to = transfer.to->newest_on(place, queue, written);
    if (transfer.regions.empty()) return take(queue.fill(to, transfer.offset, transfer.size, transfer.bytes));
    const auto write = [&](std::byte* out) { std::ranges::copy(transfer.bytes, out); };
    return take(queue.upload(to, transfer.bytes.size(), write, transfer.regions));
}

}  // namespace

Command transfer_command(cl_command_type type, Transfer transfer, size_t place) {
    const auto shared = std::make_shared<const Transfer>(std::move(transfer));
    return {.type = type,
            .record =
                [shared, place](runtime::Queue& queue) {
                    const ImageLock lock({shared->from.get(), shared->to.get()});
                    const runtime::Event event = record(*shared, place, queue);
                    shared->to->end_write(place, queue);
                    queue.keep(shared);
                    return event;
                },
            .reads_shared = shared->from && shared->from->is_shared_with_host(),
            .writes_shared = shared->to->is_shared_with_host(),
            .transfer = shared};
}

runtime::Event record_nothing(runtime::Queue& queue) {
    return queue.times_commands() ? take(queue.marker()) : queue.so_far();
}

Command nothing(cl_command_type type) { return {.type = type, .record = record_nothing}; }

Command read_region(cl_command_type type, const std::shared_ptr<Storage>& storage, size_t place,
                    const Box& box, std::byte* host, const Box& host_box, const Size3& region,
                    const std::shared_ptr<MappedWrites>& writes) {
    if (bytes_of(region) > kMaxStaged)
        return read_large(type, storage, place, box, host, host_box, region, writes);
    runtime::Device& device = *storage->context().places[place].opened;
    struct Recorded {
        std::shared_ptr<runtime::Buffer> copy = {};
        HostRanges newer = {};
    };
    const auto recorded = std::make_shared<Recorded>();
    return {.type = type,
            .record =
                [=, &device](runtime::Queue& queue) {
                    recorded->newer = newer_ranges(writes.get(), box, region);
                    auto [made, event] = download(queue, device, *storage, place, box, region);
                    recorded->copy = std::move(made);
                    queue.keep(storage);
                    return event;
                },
            .afterwards =
                [=] {
                    unpack(recorded->copy->mapped(), host, host_box, writes.get(), box, region,
                           recorded->newer);
                },
            .reads_shared = storage->is_shared_with_host()};
}

Command write_region(cl_command_type type, const std::shared_ptr<Storage>& storage, size_t place,
                     const Box& box, const std::byte* host, const Box& host_box, const Size3& whole) {
    const bool is_large = bytes_of(whole) > kMaxStaged;
    return {.type = type,
            .record =
                [=](runtime::Queue& queue) {
                    std::optional<MemoryClaim> claim;
                    if (is_large)
                        claim.emplace(std::vector{storage}, place, queue, used_by(box, whole, true));
                    if (is_large && is_stretch(host_box, box, whole)) {
                        take(queue.upload(storage->on(place, used_by(box, whole, true)), box.offset,
                                          {host + host_box.offset, bytes_of(whole)}));
                        queue.keep(storage);
                        return queue.last();
                    }
                    runtime::Event event;
                    for_parts({}, whole, kMaxStaged, [&](const Size3& origin, const Size3& region) {
                        const ImageLock lock({is_large ? nullptr : storage.get()});
                        take(queue.check_goes_on());
                        const Box packed = packed_box(region), from = host_box.from(origin);
                        const auto pack = [&](std::byte* out) {
                            for_stretches(from, packed, region, [&](size_t at, size_t to, size_t size) {
                                runtime::copy_bytes(out + to, host + at, size);
                            });
                        };
                        const Box to = box.from(origin);
                        const runtime::CopyRegion regions[] = {stretches(packed, to, region)};
                        const UsedBytes used = used_by(to, region, true);
                        const runtime::Buffer& buffer =
                            is_large ? storage->on(place, used) : storage->newest_on(place, queue, used);
                        event = take(queue.upload(buffer, bytes_of(region), pack, regions));
                        if (is_large)
                            take(queue.wait(event));
                        else
                            storage->end_write(place, queue);
                    });
                    queue.keep(storage);
                    return event;
                },
            .uses_host_memory = true,
            .waits = is_large,
            .writes_shared = storage->is_shared_with_host()};
}

Command copy_region(cl_command_type type, const Memory& from, const Box& from_box, const Memory& to,
                    const Box& to_box, const Size3& region, size_t place) {
    require(from.storage != to.storage || !overlap(from_box, region, to_box, region), CL_MEM_COPY_OVERLAP);
    return transfer_command(
        type, {.from = from.storage, .to = to.storage, .regions = {stretches(from_box, to_box, region)}},
        place);
}

namespace {

/// As many repetitions of a pattern as fit in `most_bytes`.
std::vector<std::byte> repeated(std::span<const std::byte> pattern, size_t most_bytes) {
    std::vector<std::byte> tile(most_bytes / pattern.size() * pattern.size());
    for (size_t at = 0; at < tile.size(); at += pattern.size()) std::ranges::copy(pattern, tile.begin() + at);
    return tile;
}

}  // namespace

Command fill_region(cl_command_type type, const Memory& memory, size_t place, const Box& box,
                    const Size3& region, std::vector<std::byte> pattern) {
    if (is_stretch(box, box, region))
        return transfer_command(type,
                                {.to = memory.storage,
                                 .bytes = std::move(pattern),
                                 .offset = box.offset,
                                 .size = bytes_of(region)},
                                place);
    // All ranges are copies of one tile that the host writes.
    const runtime::CopyRegion rows = stretches(box, box, region);
    std::vector<std::byte> tile = repeated(pattern, std::min(rows.size, kMaxTile));
    std::vector<runtime::CopyRegion> copies;
    for (size_t at = 0; at < rows.size; at += tile.size()) {
        runtime::CopyRegion copy = rows;
        copy.from = {};
        copy.to.offset += at;
        copy.size = std::min(tile.size(), rows.size - at);
        copies.push_back(copy);
    }
    return transfer_command(
        type, {.to = memory.storage, .bytes = std::move(tile), .regions = std::move(copies)}, place);
}

// ---- Mapping ----

namespace {

/// Whether the program maps memory of its own (CL_MEM_USE_HOST_PTR) that is not the bytes themselves.
bool maps_own_memory(const Memory& memory) {
    return memory.host_ptr && !(memory.uses_svm && memory.storage->mapped());
}

/// Copies between a storage and the mapped copy that the device sees.
enum class Way : uint8_t { ToCopy, FromCopy };
Command copy_mapped(cl_command_type type, const std::shared_ptr<Storage>& storage, size_t place,
                    const Mapping& mapping, Way way) {
    const bool is_back = way == Way::FromCopy;
    const runtime::CopyRegion region = is_back ? stretches(mapping.host, mapping.device, mapping.region)
                                               : stretches(mapping.device, mapping.host, mapping.region);
    return {.type = type,
            .record =
                [=, copy = mapping.copy, used = used_by(mapping.device, mapping.region, is_back),
                 regions = std::array{region}](runtime::Queue& queue) {
                    std::optional<ImageLock> lock;
                    if (is_back) lock.emplace(std::initializer_list<Storage*>{storage.get()});
                    const runtime::Buffer& bytes = is_back ? storage->newest_on(place, queue, used)
                                                           : newest_in_memory(*storage, place, queue, used);
                    const runtime::Event event =
                        take(is_back ? queue.copy(*copy, bytes, regions) : queue.copy(bytes, *copy, regions));
                    if (is_back) storage->end_write(place, queue);
                    queue.keep(storage);
                    queue.keep(copy);
                    return event;
                },
            .reads_shared = is_back,
            .writes_shared = !is_back};
}

/// The command keeps the memory of the driver's with which it works for the program, until it is over. What
/// was mapped may be released before.
Command keeping(std::shared_ptr<const void> memory, Command command) {
    command.record = [memory, record = std::move(command.record)](runtime::Queue& queue) {
        return record(queue);
    };
    if (command.afterwards)
        command.afterwards = [memory, afterwards = std::move(command.afterwards)] { afterwards(); };
    return command;
}

/// Also determines the memory that the program receives. The device writes to that until the map is over,
/// where it can.
Command map_region(cl_command_type type, Memory& memory, size_t place, Mapping& mapping) {
    const bool reads = !(mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION);
    const Size3& region = mapping.region;
    std::byte* const bytes = memory.storage->mapped();
    if (maps_own_memory(memory)) {
        mapping.pointer = memory.host_ptr + mapping.host.offset;
        if (!reads) return nothing(type);
        return read_region(type, memory.storage, place, mapping.device, memory.host_ptr, mapping.host, region,
                           memory.storage->mapped_writes());
    }
    if (bytes) {
        mapping.pointer = bytes + mapping.device.offset;
        mapping.host = mapping.device;
        return {.type = type,
                .record =
                    [storage = memory.storage, place](runtime::Queue& queue) {
                        if (!storage->is_shared_with_host())
                            newest_in_memory(*storage, place, queue, {.are_written = false});
                        queue.keep(storage);
                        return record_nothing(queue);
                    },
                .writes_shared = true};
    }
    mapping.host = packed_box(region);
    if (bytes_of(region) <= kMaxShared)
        if (auto made = runtime::Buffer::create(*memory.context->places[place].opened, bytes_of(region),
                                                runtime::MemoryUse::Download))
            mapping.copy = std::make_shared<runtime::Buffer>(made.take());
    if (!mapping.copy) {
        mapping.pages = std::make_shared_for_overwrite<std::byte[]>(bytes_of(region));
        mapping.pointer = mapping.pages.get();
        if (!reads) return nothing(type);
        return keeping(mapping.pages, read_region(type, memory.storage, place, mapping.device,
                                                  mapping.pointer, mapping.host, region));
    }
    mapping.copy_place = place;
    mapping.pointer = mapping.copy->mapped();
    if (!reads) return nothing(type);
    return copy_mapped(type, memory.storage, place, mapping, Way::ToCopy);
}

/// Commands may have the host write to the memory that was mapped, so they end before the device reads it.
Command unmap_region(Memory& memory, size_t place, const Mapping& mapping) {
    constexpr cl_command_type kType = CL_COMMAND_UNMAP_MEM_OBJECT;
    if (!mapping.writes()) return nothing(kType);
    if (maps_own_memory(memory))
        return write_region(kType, memory.storage, place, mapping.device, memory.host_ptr, mapping.host,
                            mapping.region);
    if (!mapping.pages && !mapping.copy)  // the program wrote there itself
        return {.type = kType,
                .record =
                    [storage = memory.storage](runtime::Queue& queue) {
                        const ImageLock lock({storage.get()});
                        storage->note_write();
                        return record_nothing(queue);
                    },
                .reads_shared = true};
    if (mapping.pages || mapping.copy_place != place) {
        std::shared_ptr<const void> kept = mapping.copy;
        if (mapping.pages) kept = mapping.pages;
        return keeping(std::move(kept), write_region(kType, memory.storage, place, mapping.device,
                                                     mapping.pointer, mapping.host, mapping.region));
    }
    return copy_mapped(kType, memory.storage, place, mapping, Way::FromCopy);
}

}  // namespace

void enqueue_map(CommandQueue& queue, const std::shared_ptr<Mappings>& mappings, const Mappings::Item& mapped,
                 Command command, cl_bool blocking, cl_uint wait_count, const cl_event* wait_list,
                 cl_event* event) {
    // An event that the program keeps does not keep the object's mappings. `instead` does, until record() is
    // over.
    const std::weak_ptr<Mappings> weak = mappings;
    const bool arrives_later = bool(command.afterwards);
    command.record = [weak, mapped, arrives_later, record = std::move(command.record)](runtime::Queue& to) {
        const std::shared_ptr<Mappings> own = weak.lock();
        own->begin(mapped);
        const runtime::Event recorded = record(to);
        if (!arrives_later) own->arrive(mapped);
        return recorded;
    };
    if (arrives_later)
        command.afterwards = [weak, mapped, afterwards = std::move(command.afterwards)] {
            const std::shared_ptr<Mappings> own = weak.lock();
            try {
                afterwards();
                if (own) own->arrive(mapped);
            } catch (...) {
                if (own) own->remove(mapped);
                throw;
            }
        };
    const auto undo = [mappings, mapped] { mappings->remove(mapped); };
    command.instead = undo;
    mappings->add(mapped);
    try {
        queue.enqueue(std::move(command), wait_count, wait_list, event,
                      {.until = if_blocking(blocking, Reached::Complete)});
    } catch (...) {
        undo();
        throw;
    }
}

std::shared_ptr<const Mapping> enqueue_map(CommandQueue& queue, cl_command_type type, Memory& memory,
                                           Mapping mapping, cl_bool blocking, cl_uint wait_count,
                                           const cl_event* wait_list, cl_event* event) {
    mapping.queue = &queue;
    Command command = map_region(type, memory, queue.place, mapping);
    const auto mapped = std::make_shared<const Mapping>(std::move(mapping));
    memory.mappings->share_writes(memory.storage->storage_writes(), memory.host_ptr);
    enqueue_map(queue, memory.mappings, mapped, std::move(command), blocking, wait_count, wait_list, event);
    return mapped;
}

void enqueue_unmap(CommandQueue& queue, const std::shared_ptr<Mappings>& mappings,
                   const Mappings::Item& mapped, const std::function<Command()>& make, cl_uint wait_count,
                   const cl_event* wait_list, cl_event* event) {
    const auto undo = [mappings, mapped] { mappings->put_back(mapped); };
    try {
        Command command = make();
        command.record = [weak = std::weak_ptr(mappings), mapped,
                          record = std::move(command.record)](runtime::Queue& to) {
            const std::shared_ptr<Mappings> own = weak.lock();
            // Bytes that a map did not bring are not the program's.
            const runtime::Event recorded = own->has_arrived(mapped) ? record(to) : record_nothing(to);
            own->end(mapped);
            return recorded;
        };
        command.instead = undo;
        queue.enqueue(std::move(command), wait_count, wait_list, event);
    } catch (...) {
        undo();
        throw;
    }
}

void enqueue_unmap(CommandQueue& queue, Memory& memory, const void* pointer, cl_uint wait_count,
                   const cl_event* wait_list, cl_event* event) {
    const bool may_follow = queue.is_in_order() || wait_count != 0;
    const Mappings::Item mapped = pointer ? memory.mappings->take(pointer, &queue, may_follow) : nullptr;
    require(mapped != nullptr, CL_INVALID_VALUE);
    const auto make = [&] { return unmap_region(memory, queue.place, *mapped); };
    enqueue_unmap(queue, memory.mappings, mapped, make, wait_count, wait_list, event);
}

}  // namespace caldera::icd
