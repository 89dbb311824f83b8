// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies (OpenCL C 3.0 6.15.11) done at once by the work-group; waiting for one is a barrier.
#pragma once

#include "spirv/builder.h"
#include "spirv/support/result.h"
#include "vulkan/translate/link/library_linker.h"

namespace caldera::vulkan {

/// Makes OpTypeEvent, where the module has it, a struct of a number: events carry nothing. Before any Builder.
void lower_event_type(spirv::Module& module);

/// Emits the copy that an OpGroupAsyncCopy asks for, as a call of the library; returns the event's value.
Result<spirv::Id> emit_async_copy(spirv::Builder& builder, LibraryLinker& linker,
                                  const spirv::Instruction& inst);
/// Emits what OpGroupWaitEvents waits for.
void emit_wait_events(spirv::Builder& builder);

}  // namespace caldera::vulkan
