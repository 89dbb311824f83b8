// SPDX-License-Identifier: Apache-2.0
// Commands on memory that programs name by pointers: shared virtual memory, unified shared memory, and the
// program's own.
#pragma once

#include "vulkan/icd/transfer.h"

namespace caldera::icd {

/// The device memory that a command of the queue uses for the program's pointer: a shared allocation, or a
/// buffer that the program has mapped. If there is none, the host does the work. Throws CL_INVALID_VALUE if
/// an allocation ends too early, and CL_INVALID_OPERATION if it is another device's alone.
StoredBytes device_bytes(const CommandQueue& queue, const void* pointer, size_t size);

/// Memory that the host cannot access, where a command takes the program's memory: the device does the work.
/// Empty for all other memory. Throws as device_bytes() does.
StoredBytes bytes_without_host(const CommandQueue& queue, const void* pointer, size_t size);
/// Copies a region of an object to a region of the program's memory, which begins at `host`, or back. Throws
/// as device_bytes() does.
Command read_memory(cl_command_type type, const CommandQueue& queue, const Memory& memory, const Box& box,
                    std::byte* host, const Box& host_box, const Size3& region);
Command write_memory(cl_command_type type, const CommandQueue& queue, const Memory& memory, const Box& box,
                     const std::byte* host, const Box& host_box, const Size3& region);

/// Throws CL_MEM_COPY_OVERLAP, CL_INVALID_VALUE if an allocation ends too early, or CL_INVALID_OPERATION if
/// only another device can access it.
Command copy_bytes(cl_command_type type, const CommandQueue& queue, void* target, const void* source,
                   size_t size);
/// Throws CL_INVALID_VALUE for a pattern or a size that the specification forbids, and otherwise as
/// copy_bytes().
Command fill_bytes(cl_command_type type, const CommandQueue& queue, void* target, const void* pattern,
                   size_t pattern_size, size_t size);

}  // namespace caldera::icd
