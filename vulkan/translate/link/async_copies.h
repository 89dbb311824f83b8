// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies (OpenCL C 3.0 6.15.11): the work-group copies at once, and waiting for a copy is a
// barrier.
#pragma once

#include <span>

#include "spirv/builder.h"
#include "spirv/support/result.h"
#include "vulkan/translate/link/library_linker.h"

namespace caldera::vulkan {

/// Replaces OpTypeEvent by a struct of a number, because events carry no data. Must run before any Builder
/// exists.
void lower_event_type(spirv::Module& module);

/// The pointer as one to integers of this width, in bits.
spirv::Id as_words(spirv::Builder& builder, spirv::Id pointer, uint32_t width);

/// Emits a library call for the copy of an OpGroupAsyncCopy; returns the event's value.
Result<spirv::Id> emit_async_copy(spirv::Builder& builder, LibraryLinker& linker,
                                  const spirv::Instruction& inst);
/// Whether a call of the imported function `name` is async_work_group_copy_2D2D or _3D3D
/// (cl_khr_extended_async_copies), with arguments of their types.
bool is_extended_copy(const spirv::Builder& builder, std::string_view name, const spirv::Instruction& call);
/// What such a call copies: planes of lines of elements. Offsets and sizes are 64-bit integers, in elements.
struct ExtendedCopy {
    struct Side {
        spirv::Id pointer = {}, offset = {};
        spirv::Id line = {}, plane = {};  ///< from the begin of one to that of the next
    };
    Side target = {}, source = {};
    spirv::Id element_bytes = {}, length = {}, lines = {}, planes = {};
};
/// `arguments`: those of the call.
ExtendedCopy extended_copy(spirv::Builder& builder, std::span<const spirv::Id> arguments);
/// The same as emit_async_copy for such a call.
Result<spirv::Id> emit_extended_copy(spirv::Builder& builder, LibraryLinker& linker,
                                     const spirv::Instruction& call);
/// Emits the barrier for an OpGroupWaitEvents.
void emit_wait_events(spirv::Builder& builder);

}  // namespace caldera::vulkan
