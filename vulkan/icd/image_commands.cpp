// SPDX-License-Identifier: Apache-2.0
// Commands on images (OpenCL API 5.3.3 to 5.3.7).
#include "vulkan/icd/commands.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image.h"
#include "vulkan/icd/image_format.h"
#include "vulkan/icd/pointer_commands.h"
#include "vulkan/icd/transfer.h"

namespace caldera::icd {
namespace {

Memory& checked_image(cl_mem handle, const Context& context) {
    Memory& memory = checked(handle);
    require(memory.image != nullptr, CL_INVALID_MEM_OBJECT);
    require(memory.context.get() == &context, CL_INVALID_CONTEXT);
    return memory;
}

/// A region of texels in the program's memory. A pitch of 0 means the minimum.
Box checked_host_box(const Image& image, const Size3& region, size_t row_pitch, size_t slice_pitch) {
    return image.rows_in(
        checked_pitches(image.slices_of(region), row_pitch, slice_pitch, CL_INVALID_VALUE, CL_INVALID_VALUE));
}

/// A region of an image as bytes of a buffer, without gaps between rows.
Box checked_buffer_box(const Memory& buffer, size_t offset, const Size3& region) {
    const size_t bytes = region[0] * region[1] * region[2];
    require(offset <= buffer.size && bytes <= buffer.size - offset, CL_INVALID_VALUE);
    Box box = packed_box(region);
    box.offset = buffer.offset + offset;
    return box;
}

}  // namespace

cl_int CL_API_CALL EnqueueReadImage(cl_command_queue handle, cl_mem image, cl_bool blocking,
                                    const size_t* origin, const size_t* region, size_t row_pitch,
                                    size_t slice_pitch, void* ptr, cl_uint wait_count,
                                    const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        const Memory& memory = checked_image(image, *queue.context);
        require(ptr, CL_INVALID_VALUE);
        const ImageRegion from = memory.image->region(origin, region);
        const Box host = checked_host_box(*memory.image, from.size, row_pitch, slice_pitch);
        check_host_reads(memory);
        queue.enqueue(read_memory(CL_COMMAND_READ_IMAGE, queue, memory, from.place,
                                  static_cast<std::byte*>(ptr), host, from.size),
                      wait_count, wait_list, event, {.until = if_blocking(blocking, Reached::Complete)});
    });
}

cl_int CL_API_CALL EnqueueWriteImage(cl_command_queue handle, cl_mem image, cl_bool blocking,
                                     const size_t* origin, const size_t* region, size_t row_pitch,
                                     size_t slice_pitch, const void* ptr, cl_uint wait_count,
                                     const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        const Memory& memory = checked_image(image, *queue.context);
        require(ptr, CL_INVALID_VALUE);
        const ImageRegion to = memory.image->region(origin, region);
        const Box host = checked_host_box(*memory.image, to.size, row_pitch, slice_pitch);
        check_host_writes(memory);
        queue.enqueue(write_memory(CL_COMMAND_WRITE_IMAGE, queue, memory, to.place,
                                   static_cast<const std::byte*>(ptr), host, to.size),
                      wait_count, wait_list, event, {.until = queue.until_written(blocking)});
    });
}

// ---- Copying and filling ----

Command copy_image(const CommandQueue& queue, cl_mem source, cl_mem target, const size_t* source_origin,
                   const size_t* target_origin, const size_t* region) {
    const Memory& from = checked_image(source, *queue.context);
    const Memory& to = checked_image(target, *queue.context);
    const cl_image_format &a = from.image->format, &b = to.image->format;
    require(a.image_channel_order == b.image_channel_order &&
                a.image_channel_data_type == b.image_channel_data_type,
            CL_IMAGE_FORMAT_MISMATCH);
    const ImageRegion source_region = from.image->region(source_origin, region);
    const Size3& size = source_region.size;
    const Box& from_box = source_region.place;
    const Box to_box = to.image->region(target_origin, region).place;
    check_commands_write(to);
    return copy_region(CL_COMMAND_COPY_IMAGE, from, from_box, to, to_box, size, queue.place);
}

Command fill_image(const CommandQueue& queue, cl_mem image, const void* color, const size_t* origin,
                   const size_t* region) {
    const Memory& memory = checked_image(image, *queue.context);
    require(color, CL_INVALID_VALUE);
    const ImageRegion filled = memory.image->region(origin, region);
    check_commands_write(memory);
    return fill_region(CL_COMMAND_FILL_IMAGE, memory, queue.place, filled.place, filled.size,
                       encode(memory.image->format, color));
}

Command copy_image_to_buffer(const CommandQueue& queue, cl_mem source, cl_mem target,
                             const size_t* source_origin, const size_t* region, size_t target_offset) {
    const Memory& from = checked_image(source, *queue.context);
    const Memory& to = checked_buffer(target, *queue.context);
    const ImageRegion copied = from.image->region(source_origin, region);
    const Box to_box = checked_buffer_box(to, target_offset, copied.size);
    check_commands_write(to);
    return copy_region(CL_COMMAND_COPY_IMAGE_TO_BUFFER, from, copied.place, to, to_box, copied.size,
                       queue.place);
}

Command copy_buffer_to_image(const CommandQueue& queue, cl_mem source, cl_mem target, size_t source_offset,
                             const size_t* target_origin, const size_t* region) {
    const Memory& from = checked_buffer(source, *queue.context);
    const Memory& to = checked_image(target, *queue.context);
    const ImageRegion copied = to.image->region(target_origin, region);
    const Box from_box = checked_buffer_box(from, source_offset, copied.size);
    check_commands_write(to);
    return copy_region(CL_COMMAND_COPY_BUFFER_TO_IMAGE, from, from_box, to, copied.place, copied.size,
                       queue.place);
}

cl_int CL_API_CALL EnqueueCopyImage(cl_command_queue handle, cl_mem source, cl_mem target,
                                    const size_t* source_origin, const size_t* target_origin,
                                    const size_t* region, cl_uint wait_count, const cl_event* wait_list,
                                    cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(copy_image(queue, source, target, source_origin, target_origin, region), wait_count,
                      wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueFillImage(cl_command_queue handle, cl_mem image, const void* color,
                                    const size_t* origin, const size_t* region, cl_uint wait_count,
                                    const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(fill_image(queue, image, color, origin, region), wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueCopyImageToBuffer(cl_command_queue handle, cl_mem source, cl_mem target,
                                            const size_t* source_origin, const size_t* region,
                                            size_t target_offset, cl_uint wait_count,
                                            const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(copy_image_to_buffer(queue, source, target, source_origin, region, target_offset),
                      wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL EnqueueCopyBufferToImage(cl_command_queue handle, cl_mem source, cl_mem target,
                                            size_t source_offset, const size_t* target_origin,
                                            const size_t* region, cl_uint wait_count,
                                            const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        queue.enqueue(copy_buffer_to_image(queue, source, target, source_offset, target_origin, region),
                      wait_count, wait_list, event);
    });
}

// ---- Mapping ----

void* CL_API_CALL EnqueueMapImage(cl_command_queue handle, cl_mem image, cl_bool blocking, cl_map_flags flags,
                                  const size_t* origin, const size_t* region, size_t* row_pitch,
                                  size_t* slice_pitch, cl_uint wait_count, const cl_event* wait_list,
                                  cl_event* event, cl_int* code_ret) {
    return make(code_ret, [&]() -> void* {
        CommandQueue& queue = checked(handle);
        Memory& memory = checked_image(image, *queue.context);
        const Image& self = *memory.image;
        const ImageRegion mapped_region = self.region(origin, region);
        const bool has_slices = self.has(2) || memory.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        check_map_flags(memory, flags);
        require(row_pitch && (slice_pitch || !has_slices), CL_INVALID_VALUE);
        const auto mapped = enqueue_map(queue, CL_COMMAND_MAP_IMAGE, memory,
                                        {.flags = flags,
                                         .device = mapped_region.place,
                                         .host = mapped_region.host,
                                         .region = mapped_region.size},
                                        blocking, wait_count, wait_list, event);
        const Box pitches = self.pitches_of(mapped->host);
        *row_pitch = pitches.row_pitch;
        if (slice_pitch) *slice_pitch = has_slices ? pitches.slice_pitch : 0;
        return mapped->pointer;
    });
}

}  // namespace caldera::icd
