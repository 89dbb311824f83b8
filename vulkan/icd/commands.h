// SPDX-License-Identifier: Apache-2.0
// Commands that queues and command-buffers have in common: each function checks the arguments of the call
// with its name, and throws that call's errors. The commands can be recorded any number of times.
#pragma once

#include "vulkan/icd/kernel.h"
#include "vulkan/icd/queue.h"

namespace caldera::icd {

Command copy_buffer(const CommandQueue& queue, cl_mem source, cl_mem target, size_t source_offset,
                    size_t target_offset, size_t size);
Command copy_buffer_rect(const CommandQueue& queue, cl_mem source, cl_mem target, const size_t* source_origin,
                         const size_t* target_origin, const size_t* region, size_t source_row_pitch,
                         size_t source_slice_pitch, size_t target_row_pitch, size_t target_slice_pitch);
Command fill_buffer(const CommandQueue& queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                    size_t offset, size_t size);
Command copy_image(const CommandQueue& queue, cl_mem source, cl_mem target, const size_t* source_origin,
                   const size_t* target_origin, const size_t* region);
Command fill_image(const CommandQueue& queue, cl_mem image, const void* color, const size_t* origin,
                   const size_t* region);
Command copy_image_to_buffer(const CommandQueue& queue, cl_mem source, cl_mem target,
                             const size_t* source_origin, const size_t* region, size_t target_offset);
Command copy_buffer_to_image(const CommandQueue& queue, cl_mem source, cl_mem target, size_t source_offset,
                             const size_t* target_origin, const size_t* region);

/// Throws the errors of clEnqueueNDRangeKernel that concern neither arguments nor sizes.
void check_kernel(const CommandQueue& queue, const Kernel& kernel, const Arguments& arguments);
/// Throws the errors of clEnqueueNDRangeKernel that do not concern sizes.
void check_launchable(const CommandQueue& queue, const Kernel& kernel, const Arguments& arguments);
/// Completes a checked_range() with the local size that the program passes, that the kernel requires, or that
/// the runtime chooses. Throws the errors of clEnqueueNDRangeKernel.
runtime::NDRange completed_range(const CommandQueue& queue, const Arguments& arguments,
                                 const runtime::NDRange& range, const size_t* wanted_local_size);
/// Whether a runtime::LaunchSequence can run the kernel. A buffer of a context with several devices moves,
/// and a texture is made when a command is recorded.
bool is_recordable(const CommandQueue& queue, const Arguments& arguments);
/// Runs the kernel that has these arguments over a completed_range().
Command launch(const CommandQueue& queue, const std::shared_ptr<const Arguments>& arguments,
               cl_command_type type, const runtime::NDRange& whole);

}  // namespace caldera::icd
