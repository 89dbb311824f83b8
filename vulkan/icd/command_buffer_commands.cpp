// SPDX-License-Identifier: Apache-2.0
// The calls that record commands into command-buffers (cl_khr_command_buffer).
#include <algorithm>
#include <cstring>
#include <optional>

#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/commands.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image.h"
#include "vulkan/icd/image_format.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/pointer_commands.h"

namespace caldera::icd {
namespace {

/// A command-buffer that records a command, and for which of its queues.
struct Recording {
    CommandBuffer& buffer;
    size_t place = 0;  ///< of the queue in the command-buffer
    CommandQueue& queue() const { return *buffer.queues[place]; }
};

/// Without a queue, the command-buffer must have just one.
size_t checked_place(const CommandBuffer& buffer, cl_command_queue queue) {
    require(queue || buffer.queues.size() == 1, CL_INVALID_COMMAND_QUEUE);
    if (!queue) return 0;
    require(checked(queue).context.get() == &buffer.context(), CL_INVALID_CONTEXT);
    const auto found = std::ranges::find(buffer.queues, queue, &Ref<CommandQueue>::get);
    require(found != buffer.queues.end(), CL_INVALID_COMMAND_QUEUE);
    return static_cast<size_t>(found - buffer.queues.begin());
}

/// Throws the errors that all recording calls have.
Recording checked_recording(cl_command_buffer_khr handle, cl_command_queue queue) {
    CommandBuffer& buffer = checked(handle);
    const size_t place = checked_place(buffer, queue);
    buffer.check_recording();
    return {buffer, place};
}

/// The same for a command that has no properties, and that nothing can change.
Recording checked_recording(cl_command_buffer_khr handle, cl_command_queue queue,
                            const cl_command_properties_khr* properties,
                            const cl_mutable_command_khr* command_ret) {
    const Recording recording = checked_recording(handle, queue);
    require(!properties || properties[0] == 0, CL_INVALID_VALUE);
    require(!command_ret, CL_INVALID_VALUE);
    return recording;
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

/// Three sizes of a call, or null.
class Sizes {
 public:
    explicit Sizes(const size_t* values) {
        if (values) values_ = size3(values);
    }
    const size_t* get() const { return values_ ? values_->data() : nullptr; }

 private:
    std::optional<Size3> values_ = {};
};

/// The origin of a region of an image, or null. With levels it has the level's number behind the coordinates,
/// and so four numbers if there are three of those (cl_khr_mipmap_image).
class Origin {
 public:
    Origin(cl_mem image, const size_t* values) {
        if (values) values_.emplace(values, values + (has_four(image) ? 4 : 3));
    }
    const size_t* get() const { return values_ ? values_->data() : nullptr; }

 private:
    static bool has_four(cl_mem handle) {
        const Memory& memory = checked(handle);
        return memory.image && memory.image->has_levels() && memory.image->has(2);
    }

    std::optional<std::vector<size_t>> values_ = {};
};

/// A pattern of a call, or null. A larger one than any command takes is not kept: its size is an error.
class Pattern {
 public:
    Pattern(const void* values, size_t size) {
        const auto* const bytes = static_cast<const std::byte*>(values);
        if (values) bytes_.emplace(bytes, bytes + (size <= kMostBytes ? size : 0));
    }
    const void* get() const { return bytes_ ? bytes_->data() : nullptr; }

 private:
    static constexpr size_t kMostBytes = 128;
    std::optional<std::vector<std::byte>> bytes_ = {};
};

/// The size of a colour for the image; 0 if it is none, of which fill_image() says so.
size_t bytes_of_color(cl_mem image) {
    const Memory& memory = checked(image);
    return memory.image ? color_bytes(memory.image->format) : 0;
}

/// Keeps an object that the program has passed.
template <class T>
std::shared_ptr<const void> kept(T* object) {
    return std::make_shared<const Ref<T>>(object);
}

/// Records the command that make(queue) makes of objects that the program has passed. It may be called again
/// for another queue.
template <class Make, class... Objects>
void record(const Recording& recording, const SyncPoints& sync, const Make& make, Objects*... objects) {
    MakeWork made_for = [make](const CommandQueue& queue) -> Work {
        return {.command = std::make_shared<const Command>(make(queue))};
    };
    Work work = made_for(recording.queue());  // throws unless the objects are right
    recording.buffer.add(recording.place, std::move(work), std::move(made_for), sync, {kept(objects)...});
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
                    return record_nothing(queue);
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
    if (read.storage && written.storage) return copy_shared(kType, read, written, size, place);
    if (read.storage)
        return by_host_between(kType, [=](runtime::Queue& recorder) {
            take(recorder.download(read.storage->on(place, {read.offset, size, false}), read.offset,
                                   {to, size}));
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
    const std::vector<std::byte> copy =
        checked_pattern(pattern, pattern_size, reinterpret_cast<uintptr_t>(target), size);
    auto* to = static_cast<std::byte*>(target);
    const StoredBytes written = device_bytes(queue, to, size);
    if (size == 0) return nothing(kType);
    if (!written.storage)
        return by_host_between(kType, [=](runtime::Queue&) {
            for (size_t at = 0; at < size; at += copy.size()) std::ranges::copy(copy, to + at);
        });
    return fill_shared(kType, written, size, copy, queue.place);
}

}  // namespace

cl_int CL_API_CALL CommandBarrierWithWaitListKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                                 const cl_command_properties_khr* properties,
                                                 cl_uint sync_point_count,
                                                 const cl_sync_point_khr* sync_points,
                                                 cl_sync_point_khr* sync_point,
                                                 cl_mutable_command_khr* command) {
    return entry([&] {
        const Recording recording = checked_recording(handle, queue, properties, command);
        recording.buffer.add_barrier(recording.place, {sync_point_count, sync_points, sync_point});
    });
}

cl_int CL_API_CALL CommandCopyBufferKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, cl_mem source,
                                        cl_mem target, size_t source_offset, size_t target_offset,
                                        size_t size, cl_uint sync_point_count,
                                        const cl_sync_point_khr* sync_points, cl_sync_point_khr* sync_point,
                                        cl_mutable_command_khr* command) {
    return entry([&] {
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=](const CommandQueue& on) {
                return copy_buffer(on, source, target, source_offset, target_offset, size);
            },
            source, target);
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
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=, from = Sizes(source_origin), to = Sizes(target_origin),
             size = Sizes(region)](const CommandQueue& on) {
                return copy_buffer_rect(on, source, target, from.get(), to.get(), size.get(),
                                        source_row_pitch, source_slice_pitch, target_row_pitch,
                                        target_slice_pitch);
            },
            source, target);
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
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=, to = Origin(target, target_origin), size = Sizes(region)](const CommandQueue& on) {
                return copy_buffer_to_image(on, source, target, source_offset, to.get(), size.get());
            },
            source, target);
    });
}

cl_int CL_API_CALL CommandCopyImageKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, cl_mem source,
                                       cl_mem target, const size_t* source_origin,
                                       const size_t* target_origin, const size_t* region,
                                       cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                       cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=, from = Origin(source, source_origin), to = Origin(target, target_origin),
             size = Sizes(region)](const CommandQueue& on) {
                return copy_image(on, source, target, from.get(), to.get(), size.get());
            },
            source, target);
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
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=, from = Origin(source, source_origin), size = Sizes(region)](const CommandQueue& on) {
                return copy_image_to_buffer(on, source, target, from.get(), size.get(), target_offset);
            },
            source, target);
    });
}

cl_int CL_API_CALL CommandFillBufferKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, cl_mem memory,
                                        const void* pattern, size_t pattern_size, size_t offset, size_t size,
                                        cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                        cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=, kept_pattern = Pattern(pattern, pattern_size)](const CommandQueue& on) {
                return fill_buffer(on, memory, kept_pattern.get(), pattern_size, offset, size);
            },
            memory);
    });
}

cl_int CL_API_CALL CommandFillImageKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                       const cl_command_properties_khr* properties, cl_mem image,
                                       const void* color, const size_t* origin, const size_t* region,
                                       cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                       cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(
            recording, {sync_point_count, sync_points, sync_point},
            [=, kept_color = Pattern(color, bytes_of_color(image)), from = Origin(image, origin),
             size = Sizes(region)](const CommandQueue& on) {
                return fill_image(on, image, kept_color.get(), from.get(), size.get());
            },
            image);
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
        const Recording recording = checked_recording(handle, queue);
        CommandBuffer& buffer = recording.buffer;
        const LaunchProperties wanted = checked_properties(buffer, properties, local_size);
        Kernel& kernel = checked(kernel_handle);
        const SyncPoints sync = {sync_point_count, sync_points, sync_point};
        LaunchSettings settings{.kernel = Ref<Kernel>(&kernel),
                                .range = checked_range(work_dim, global_offset, global_size)};
        if (local_size) std::copy_n(local_size, work_dim, settings.local_size.emplace().begin());
        check_kernel(recording.queue(), kernel, *kernel.arguments);
        if (!wanted.may_lack_arguments) check_launchable(recording.queue(), kernel, *kernel.arguments);
        if (!command && !wanted.may_lack_arguments)
            return buffer.add(recording.place, make_work(recording.queue(), settings),
                              [settings, arguments = kernel.arguments](const CommandQueue& on) {
                                  return make_work(on, settings, arguments);
                              },
                              sync, {});
        settings.kernel = Ref<Kernel>::adopt(new Kernel(kernel, 0));
        const auto made = Ref<MutableCommand>::adopt(new MutableCommand(buffer, kernel));
        made->given_properties = properties_of(properties);
        made->fields = wanted.fields;
        made->queue = recording.place;
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
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(recording, {sync_point_count, sync_points, sync_point},
               [=](const CommandQueue& on) { return svm_copy(on, target, source, size); });
    });
}

cl_int CL_API_CALL CommandSVMMemFillKHR(cl_command_buffer_khr handle, cl_command_queue queue,
                                        const cl_command_properties_khr* properties, void* pointer,
                                        const void* pattern, size_t pattern_size, size_t size,
                                        cl_uint sync_point_count, const cl_sync_point_khr* sync_points,
                                        cl_sync_point_khr* sync_point, cl_mutable_command_khr* command) {
    return entry([&] {
        const Recording recording = checked_recording(handle, queue, properties, command);
        record(recording, {sync_point_count, sync_points, sync_point},
               [=, kept_pattern = Pattern(pattern, pattern_size)](const CommandQueue& on) {
                   return svm_fill(on, pointer, kept_pattern.get(), pattern_size, size);
               });
    });
}

}  // namespace caldera::icd
