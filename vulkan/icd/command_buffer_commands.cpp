// SPDX-License-Identifier: Apache-2.0
// The calls that record commands into command-buffers (cl_khr_command_buffer).
#include <algorithm>
#include <bit>
#include <cstring>

#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/commands.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/pointer_commands.h"

namespace caldera::icd {
namespace {

/// Throws the errors that all recording calls have.
CommandBuffer& checked_recording(cl_command_buffer_khr handle, cl_command_queue queue) {
    CommandBuffer& buffer = checked(handle);
    require(!queue, CL_INVALID_COMMAND_QUEUE);
    buffer.check_recording();
    return buffer;
}

/// The same for a command that has no properties, and that nothing can change.
CommandBuffer& checked_recording(cl_command_buffer_khr handle, cl_command_queue queue,
                                 const cl_command_properties_khr* properties,
                                 const cl_mutable_command_khr* command_ret) {
    CommandBuffer& buffer = checked_recording(handle, queue);
    require(!properties || properties[0] == 0, CL_INVALID_VALUE);
    require(!command_ret, CL_INVALID_VALUE);
    return buffer;
}

/// What the program asks of a launch.
struct LaunchProperties {
    cl_mutable_dispatch_fields_khr fields = kMutableFields;
    bool may_lack_arguments = false;
};
LaunchProperties checked_properties(const CommandBuffer& buffer, const cl_command_properties_khr* properties,
                                    const size_t* local_size) {
    LaunchProperties wanted;
    cl_mutable_dispatch_asserts_khr asserts = 0;
    const std::vector<cl_command_properties_khr> given = properties_of(properties);
    for (size_t i = 0; i + 1 < given.size(); i += 2) switch (given[i]) {
            case CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR:
                wanted.fields = given[i + 1];
                wanted.may_lack_arguments = buffer.flags & CL_COMMAND_BUFFER_MUTABLE_KHR &&
                                            wanted.fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
                break;
            case CL_MUTABLE_DISPATCH_ASSERTS_KHR: asserts = given[i + 1]; break;
            default: throw ApiError(CL_INVALID_VALUE);
        }
    constexpr cl_bitfield kNoMoreGroups = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    require(!(asserts & ~kNoMoreGroups), CL_INVALID_VALUE);
    require(!(wanted.fields & ~kMutableFields), CL_INVALID_OPERATION);
    require(local_size || !((asserts | buffer.asserts) & kNoMoreGroups), CL_INVALID_VALUE);
    return wanted;
}

Work work(Command command) { return {.command = std::make_shared<const Command>(std::move(command))}; }

/// Keeps an object that the program has passed.
template <class T>
std::shared_ptr<const void> kept(T* object) {
    return std::make_shared<const Ref<T>>(object);
}

// ---- Shared virtual memory ----

/// Work with the program's memory, which is done while the device waits: the commands that come before are
/// complete, and the ones after have not begun.
Command by_host_between(cl_command_type type, std::function<void(runtime::Queue&)> work) {
    return {.type = type,
            .record =
                [work = std::move(work)](runtime::Queue& queue) {
                    take(queue.wait(queue.so_far()));
                    work(queue);
                    return queue.times_commands() ? take(queue.marker()) : queue.so_far();
                },
            .uses_host_memory = true,
            .waits = true};
}

Command svm_copy(const CommandQueue& queue, void* target, const void* source, size_t size) {
    constexpr cl_command_type kType = CL_COMMAND_SVM_MEMCPY;
    require(has_pointers(queue.device()), CL_INVALID_OPERATION);
    require((target && source) || size == 0, CL_INVALID_VALUE);
    auto* to = static_cast<std::byte*>(target);
    const auto* from = static_cast<const std::byte*>(source);
    require(to + size <= from || from + size <= to, CL_MEM_COPY_OVERLAP);
    const StoredBytes read = device_bytes(queue, from, size), written = device_bytes(queue, to, size);
    const size_t place = queue.place;
    if (size == 0) return nothing(kType);
    if (read.storage && written.storage) {
        Command command = copy_stretches(kType, read.storage, written.storage, place,
                                         {{read.offset, written.offset, size}});
        command.reads_shared = command.writes_shared = true;
        return command;
    }
    if (read.storage)
        return by_host_between(kType, [=](runtime::Queue& recorder) {
            take(recorder.download(read.storage->on(place), read.offset, {to, size}));
        });
    if (written.storage)
        return by_host_between(kType, [=](runtime::Queue& recorder) {
            take(recorder.upload(written.storage->on(place), written.offset, {from, size}));
            recorder.keep(written.storage);
        });
    return by_host_between(kType, [=](runtime::Queue&) { std::memcpy(to, from, size); });
}

Command svm_fill(const CommandQueue& queue, void* target, const void* pattern, size_t pattern_size,
                 size_t size) {
    constexpr cl_command_type kType = CL_COMMAND_SVM_MEMFILL;
    require(has_pointers(queue.device()), CL_INVALID_OPERATION);
    require((target || size == 0) && pattern, CL_INVALID_VALUE);
    require(std::has_single_bit(pattern_size) && pattern_size <= 128, CL_INVALID_VALUE);
    require(reinterpret_cast<uintptr_t>(target) % pattern_size == 0 && size % pattern_size == 0,
            CL_INVALID_VALUE);
    auto* to = static_cast<std::byte*>(target);
    const auto* bytes = static_cast<const std::byte*>(pattern);
    const std::vector<std::byte> copy(bytes, bytes + pattern_size);
    const StoredBytes written = device_bytes(queue, to, size);
    if (size == 0) return nothing(kType);
    if (!written.storage)
        return by_host_between(kType, [=](runtime::Queue&) {
            for (size_t at = 0; at < size; at += copy.size()) std::ranges::copy(copy, to + at);
        });
    Command command = transfer_command(
        kType, {.to = written.storage, .bytes = copy, .offset = written.offset, .size = size}, queue.place);
    command.reads_shared = command.writes_shared = true;
    return command;
}

}  // namespace

cl_int CL_API_CALL CommandBarrierWithWaitListKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                                 const cl_command_properties_khr* properties,
                                                 cl_uint sync_point_count,
                                                 const cl_sync_point_khr* sync_points,
                                                 cl_sync_point_khr* sync_point,
                                                 cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add_barrier({sync_point_count, sync_points, sync_point});
    });
}

cl_int CL_API_CALL CommandCopyBufferKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, cl_mem source,
                                        cl_mem target, size_t source_offset, size_t target_offset,
                                        size_t size, cl_uint sync_point_count,
                                        const cl_sync_point_khr* sync_points, cl_sync_point_khr* sync_point,
                                        cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(copy_buffer(*buffer.queue, source, target, source_offset, target_offset, size)),
                   {sync_point_count, sync_points, sync_point}, {kept(source), kept(target)});
    });
}

cl_int CL_API_CALL CommandCopyBufferRectKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                            const cl_command_properties_khr* properties, cl_mem source,
                                            cl_mem target, const size_t* source_origin,
                                            const size_t* target_origin, const size_t* region,
                                            size_t source_row_pitch, size_t source_slice_pitch,
                                            size_t target_row_pitch, size_t target_slice_pitch,
                                            cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                            cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(copy_buffer_rect(*buffer.queue, source, target, source_origin, target_origin, region,
                                         source_row_pitch, source_slice_pitch, target_row_pitch,
                                         target_slice_pitch)),
                   {sync_point_count, sync_points, sync_point}, {kept(source), kept(target)});
    });
}

cl_int CL_API_CALL CommandCopyBufferToImageKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                               const cl_command_properties_khr* properties, cl_mem source,
                                               cl_mem target, size_t source_offset,
                                               const size_t* target_origin, const size_t* region,
                                               cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                               cl_sync_point_khr* sync_point,
                                               cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(
            work(copy_buffer_to_image(*buffer.queue, source, target, source_offset, target_origin, region)),
            {sync_point_count, sync_points, sync_point}, {kept(source), kept(target)});
    });
}

cl_int CL_API_CALL CommandCopyImageKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, cl_mem source,
                                       cl_mem target, const size_t* source_origin,
                                       const size_t* target_origin, const size_t* region,
                                       cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                       cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(copy_image(*buffer.queue, source, target, source_origin, target_origin, region)),
                   {sync_point_count, sync_points, sync_point}, {kept(source), kept(target)});
    });
}

cl_int CL_API_CALL CommandCopyImageToBufferKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                               const cl_command_properties_khr* properties, cl_mem source,
                                               cl_mem target, const size_t* source_origin,
                                               const size_t* region, size_t target_offset,
                                               cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                               cl_sync_point_khr* sync_point,
                                               cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(
            work(copy_image_to_buffer(*buffer.queue, source, target, source_origin, region, target_offset)),
            {sync_point_count, sync_points, sync_point}, {kept(source), kept(target)});
    });
}

cl_int CL_API_CALL CommandFillBufferKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, cl_mem memory,
                                        const void* pattern, size_t pattern_size, size_t offset, size_t size,
                                        cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                        cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(fill_buffer(*buffer.queue, memory, pattern, pattern_size, offset, size)),
                   {sync_point_count, sync_points, sync_point}, {kept(memory)});
    });
}

cl_int CL_API_CALL CommandFillImageKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, cl_mem image,
                                       const void* color, const size_t* origin, const size_t* region,
                                       cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                       cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(fill_image(*buffer.queue, image, color, origin, region)),
                   {sync_point_count, sync_points, sync_point}, {kept(image)});
    });
}

cl_int CL_API_CALL CommandNDRangeKernelKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                           const cl_command_properties_khr* properties,
                                           cl_kernel kernel_handle, cl_uint work_dim,
                                           const size_t* global_offset, const size_t* global_size,
                                           const size_t* local_size, cl_uint sync_point_count,
                                           const cl_sync_point_khr* sync_points,
                                           cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue);
        const LaunchProperties wanted = checked_properties(buffer, properties, local_size);
        Kernel& kernel = checked(kernel_handle);
        const SyncPoints sync = {sync_point_count, sync_points, sync_point};
        LaunchSettings settings{.kernel = Ref<Kernel>(&kernel),
                                .range = checked_range(work_dim, global_offset, global_size)};
        if (local_size) std::copy_n(local_size, work_dim, settings.local_size.emplace().begin());
        check_kernel(*buffer.queue, kernel, *kernel.arguments);
        if (!wanted.may_lack_arguments) check_launchable(*buffer.queue, kernel, *kernel.arguments);
        if (!command && !wanted.may_lack_arguments)
            return buffer.add(make_work(*buffer.queue, settings), sync, {kept(&kernel)});
        settings.kernel = Ref<Kernel>::adopt(new Kernel(kernel, 0));
        const auto made = Ref<MutableCommand>::adopt(new MutableCommand(buffer, kernel));
        made->given_properties = properties_of(properties);
        made->fields = wanted.fields;
        made->settings = std::move(settings);
        buffer.add(made, sync);
        if (command) *command = made.get();
    });
}

cl_int CL_API_CALL CommandSVMMemcpyKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, void* target,
                                       const void* source, size_t size, cl_uint sync_point_count,
                                       const cl_sync_point_khr* sync_points, cl_sync_point_khr* sync_point,
                                       cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(svm_copy(*buffer.queue, target, source, size)),
                   {sync_point_count, sync_points, sync_point}, {});
    });
}

cl_int CL_API_CALL CommandSVMMemFillKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, void* pointer,
                                        const void* pattern, size_t pattern_size, size_t size,
                                        cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                        cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        CommandBuffer& buffer = checked_recording(handle, queue, properties, command);
        buffer.add(work(svm_fill(*buffer.queue, pointer, pattern, pattern_size, size)),
                   {sync_point_count, sync_points, sync_point}, {});
    });
}

}  // namespace caldera::icd
