// SPDX-License-Identifier: Apache-2.0
// Commands that move bytes: the code that buffers and images share.
#pragma once

#include "vulkan/icd/box.h"
#include "vulkan/icd/host_ranges.h"
#include "vulkan/icd/memory.h"
#include "vulkan/icd/queue.h"
#include "vulkan/runtime/launch_sequence.h"

namespace caldera::icd {

/// Records a command without work for the device. It is over when everything before it is, and timed if the
/// queue times commands.
runtime::Event record_nothing(runtime::Queue& queue);
Command nothing(cl_command_type type);

/// A copy or a fill on the device.
struct Transfer {
    std::shared_ptr<Storage> from = {};  ///< null: from `bytes`
    std::shared_ptr<Storage> to = {};
    std::vector<std::byte> bytes = {};              ///< whence regions are copied, or a pattern
    std::vector<runtime::CopyRegion> regions = {};  ///< none: the pattern fills a range
    uint64_t offset = 0, size = 0;                  ///< of that range
};
Command transfer_command(cl_command_type type, Transfer transfer, size_t place);
/// For a runtime::LaunchSequence, while the transfer exists.
runtime::SequenceTransfer sequence_transfer(const Transfer& transfer, size_t place);

/// Copies or fills memory that the program may use without a command: shared memory, or a buffer that it has
/// mapped.
Command copy_shared(cl_command_type type, const StoredBytes& from, const StoredBytes& to, size_t size,
                    size_t place);
Command fill_shared(cl_command_type type, const StoredBytes& to, size_t size, std::vector<std::byte> pattern,
                    size_t place);
/// The bytes of a pattern that fills `size` bytes from `begin` on. Throws CL_INVALID_VALUE unless it has a
/// size that types of OpenCL C have, and both are multiples of that.
std::vector<std::byte> checked_pattern(const void* pattern, size_t pattern_size, uintptr_t begin,
                                       size_t size);

/// Copies a region of a storage to a region of the program's memory, which begins at `host`. Leaves alone
/// bytes that `writes` has between the recording and the end, unless it is null.
Command read_region(cl_command_type type, const std::shared_ptr<Storage>& storage, size_t place,
                    const Box& box, std::byte* host, const Box& host_box, const Size3& region,
                    const std::shared_ptr<MappedWrites>& writes = nullptr);
/// Copies in the other direction. Once it is recorded, the program's memory is no longer read.
Command write_region(cl_command_type type, const std::shared_ptr<Storage>& storage, size_t place,
                     const Box& box, const std::byte* host, const Box& host_box, const Size3& region);
/// Throws CL_MEM_COPY_OVERLAP if the regions are of the same memory and overlap.
Command copy_region(cl_command_type type, const Memory& from, const Box& from_box, const Memory& to,
                    const Box& to_box, const Size3& region, size_t place);
/// Fills a region with the pattern, of which each row has whole repetitions.
Command fill_region(cl_command_type type, const Memory& memory, size_t place, const Box& box,
                    const Size3& region, std::vector<std::byte> pattern);

inline std::optional<Reached> if_blocking(cl_bool blocking, Reached reached) {
    return blocking ? std::optional(reached) : std::nullopt;
}

/// Maps a region, which `mapping` describes with its place and flags. Returns what the program receives.
std::shared_ptr<const Mapping> enqueue_map(CommandQueue& queue, cl_command_type type, Memory& memory,
                                           Mapping mapping, cl_bool blocking, cl_uint wait_count,
                                           const cl_event* wait_list, cl_event* event);
/// Enqueues a command that brings the bytes of a mapping, among these mappings.
void enqueue_map(CommandQueue& queue, const std::shared_ptr<Mappings>& mappings, const Mappings::Item& mapped,
                 Command command, cl_bool blocking, cl_uint wait_count, const cl_event* wait_list,
                 cl_event* event);
/// Enqueues the command of make(), which takes back the bytes of a mapping that was taken from these. It does
/// nothing if they were not brought.
void enqueue_unmap(CommandQueue& queue, const std::shared_ptr<Mappings>& mappings,
                   const Mappings::Item& mapped, const std::function<Command()>& make, cl_uint wait_count,
                   const cl_event* wait_list, cl_event* event);
/// Unmaps the region at the pointer. Throws CL_INVALID_VALUE if there is none.
void enqueue_unmap(CommandQueue& queue, Memory& memory, const void* pointer, cl_uint wait_count,
                   const cl_event* wait_list, cl_event* event);

/// Throws CL_INVALID_OPERATION if the object's flags forbid the host to read or write.
inline void check_host_reads(const Memory& memory) {
    require(!(memory.flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
}
/// Throws CL_INVALID_OPERATION if no command may write to the object (cl_ext_immutable_memory_objects).
inline void check_commands_write(const Memory& memory) {
    require(!is_immutable(memory), CL_INVALID_OPERATION);
}
inline void check_host_writes(const Memory& memory) {
    check_commands_write(memory);
    require(!(memory.flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
}
inline void check_map_flags(cl_map_flags flags) {
    constexpr cl_map_flags kAll = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    require(!(flags & ~kAll), CL_INVALID_VALUE);
    require(!(flags & CL_MAP_WRITE_INVALIDATE_REGION) || !(flags & (CL_MAP_READ | CL_MAP_WRITE)),
            CL_INVALID_VALUE);
}
inline void check_map_flags(const Memory& memory, cl_map_flags flags) {
    check_map_flags(flags);
    if (flags & CL_MAP_READ) check_host_reads(memory);
    if (map_writes(flags)) check_host_writes(memory);
}
inline void check_migration_flags(cl_mem_migration_flags flags) {
    require(!(flags & ~(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)),
            CL_INVALID_VALUE);
}

}  // namespace caldera::icd
