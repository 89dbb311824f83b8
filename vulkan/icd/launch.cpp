// SPDX-License-Identifier: Apache-2.0
// Running kernels (OpenCL API 5.10).
#include <algorithm>

#include "vulkan/icd/commands.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image.h"
#include "vulkan/icd/image_lock.h"
#include "vulkan/icd/kernel.h"
#include "vulkan/icd/launch_images.h"
#include "vulkan/icd/queue.h"
#include "vulkan/icd/transfer.h"
#include "vulkan/runtime/launch_sequence.h"

namespace caldera::icd {

runtime::NDRange checked_range(cl_uint work_dim, const size_t* global_offset, const size_t* global_size) {
    require(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION);
    runtime::NDRange range{.dimensions = work_dim};
    for (size_t d = 0; d < work_dim; ++d) {
        range.global[d] = global_size ? global_size[d] : 0;
        range.offset[d] = global_offset ? global_offset[d] : 0;
    }
    return range;
}

namespace {

bool is_empty(const runtime::NDRange& range) {
    return std::ranges::find(range.global, uint64_t{0}) != range.global.end();
}

cl_int code_of(runtime::LaunchFault::Kind kind) {
    using enum runtime::LaunchFault::Kind;
    switch (kind) {
        case Arguments: return CL_INVALID_KERNEL_ARGS;
        case Dimensions: return CL_INVALID_WORK_DIMENSION;
        case Offset: return CL_INVALID_GLOBAL_OFFSET;
        case GlobalSize: return CL_INVALID_GLOBAL_WORK_SIZE;
        case ItemSize: return CL_INVALID_WORK_ITEM_SIZE;
        case GroupSize: return CL_INVALID_WORK_GROUP_SIZE;
        case LocalMemory:
        case Buffers:
        case Regions: return CL_OUT_OF_RESOURCES;
    }
    return CL_INVALID_VALUE;
}

void require_no_fault(const std::optional<runtime::LaunchFault>& fault) {
    if (!fault) return;
    log({.message = fault->message});
    throw ApiError(code_of(fault->kind));
}

/// In a context with several devices: the arguments with this device's buffers.
runtime::Kernel on_place(const Context& context, const Arguments& arguments, size_t place) {
    runtime::Kernel kernel = arguments.kernels[place];
    for (size_t i = 0; i < arguments.buffers.size(); ++i) {
        const auto index = static_cast<uint32_t>(i);
        if (arguments.images[i])
            take(kernel.set_image(index, image_argument(context, arguments, i, place)));
        else if (arguments.buffers[i].storage)
            set_bytes(kernel, arguments, index, place);
    }
    return kernel;
}

/// Without addresses, a sub-buffer of a context with several devices may be misaligned for one of them.
void require_aligned_buffers(const Arguments& arguments, const Device& device) {
    if (device.info.profile.buffer_device_address) return;
    const cl_uint alignment = base_alignment(device);
    for (const Arguments::BufferArgument& buffer : arguments.buffers)
        require(buffer.offset % alignment == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
}

/// A device without addresses cannot have those that are the kernel's arguments.
void require_addresses(const Arguments& arguments, const Device& device) {
    if (device.info.profile.buffer_device_address) return;
    require(std::ranges::count(arguments.addresses, uint64_t{0}) ==
                static_cast<ptrdiff_t>(arguments.addresses.size()),
            CL_INVALID_KERNEL_ARGS);
}

using Storages = std::vector<std::shared_ptr<Storage>>;

/// The buffers to which the kernel's device pointers point; null if there are none. They are no arguments of
/// their own, but the command keeps them, and a device must have their newest bytes.
std::shared_ptr<const Storages> storages_by_address(const Context& context, const Arguments& arguments,
                                                    size_t place) {
    if (context.addresses.is_empty()) return nullptr;
    Storages found;
    for (const std::vector<uint64_t>* list : {&arguments.addresses, &arguments.more_addresses})
        for (const uint64_t address : *list)
            if (address != 0)
                if (std::shared_ptr<Storage> storage = context.addresses.find(place, address))
                    found.push_back(std::move(storage));
    return found.empty() ? nullptr : std::make_shared<const Storages>(std::move(found));
}

/// The devices of a context have queues of their own, in which kernels on other devices cannot enqueue.
void require_own_queues(const Arguments& arguments, const runtime::Device& device) {
    const auto is_usable = [&](const std::shared_ptr<runtime::DeviceQueue>& one) {
        return !one || &one->device() == &device;
    };
    require(std::ranges::all_of(arguments.device_queues, is_usable), CL_INVALID_KERNEL_ARGS);
}

/// The queue that was set as the kernel's argument, else the context's default. Null if there is neither.
std::shared_ptr<runtime::DeviceQueue> device_queue_for(const CommandQueue& queue,
                                                       const Arguments& arguments) {
    for (const std::shared_ptr<runtime::DeviceQueue>& given : arguments.device_queues)
        if (given) return given;
    const std::lock_guard lock(queue.context->mutex);
    const cl_command_queue found = queue.context->places[queue.place].default_device_queue;
    return found ? found->device_queue : nullptr;
}

/// The pointers that the kernel finds in memory, as far as the program told, for a device that checks
/// accesses.
std::vector<runtime::GivenPointer> pointers_in_memory(const Arguments& arguments,
                                                      const runtime::Device& device) {
    std::vector<runtime::GivenPointer> all;
    if (device.checks() == vulkan::MemoryChecks::None) return all;
    for (const std::vector<uint64_t>* list :
         {&arguments.more_addresses, &arguments.svm_pointers.addresses, &arguments.usm_pointers.addresses})
        for (const uint64_t address : *list) all.push_back({.address = address});
    return all;
}

/// For a kernel that enqueues others, and so has all images in memory.
MemoryClaim claim_images(const Arguments& arguments, size_t place, runtime::Queue& queue) {
    const vulkan::Kernel& interface = arguments.kernels[place].interface();
    std::vector<std::shared_ptr<Storage>> written;
    for (size_t i = 0; i < arguments.images.size(); ++i) {
        if (!arguments.images[i]) continue;
        const std::shared_ptr<Storage>& storage = arguments.buffers[i].storage;
        if (interface.arguments[i].access != vulkan::ArgumentAccess::ReadOnly) {
            written.push_back(storage);
        } else {
            const ImageLock lock({storage.get()});
            storage->newest_on(place, queue, {.are_written = false});
        }
    }
    return {std::move(written), place, queue};
}

/// Runs the kernel and everything that it enqueues, and waits for all of it.
runtime::Event run_tree(runtime::DeviceQueue& device_queue, runtime::Queue& queue,
                        const runtime::Launch& launch) {
    const runtime::DeviceQueue::Outcome outcome = take(device_queue.run(queue, launch));
    require(outcome.status >= 0, outcome.status);
    return queue.so_far();
}

}  // namespace

void check_kernel(const CommandQueue& queue, const Kernel& kernel, const Arguments& arguments) {
    require(kernel.program->context == queue.context, CL_INVALID_CONTEXT);
    require(arguments.programs[queue.place] != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
}

void check_launchable(const CommandQueue& queue, const Kernel& kernel, const Arguments& arguments) {
    check_kernel(queue, kernel, arguments);
    require(!arguments.kernels[queue.place].unset_argument(), CL_INVALID_KERNEL_ARGS);
    require_aligned_buffers(arguments, queue.device());
    require_addresses(arguments, queue.device());
    require_own_queues(arguments, queue.opened());
}

runtime::NDRange completed_range(const CommandQueue& queue, const Arguments& arguments,
                                 const runtime::NDRange& range, const size_t* wanted_local_size) {
    if (is_empty(range)) return range;
    runtime::NDRange whole = range;
    if (wanted_local_size) {
        const std::span wanted(wanted_local_size, range.dimensions);
        require(std::ranges::find(wanted, size_t{0}) == wanted.end(), CL_INVALID_WORK_GROUP_SIZE);
        std::ranges::copy(wanted, whole.local.begin());
    }
    require_no_fault(
        runtime::check_launch(arguments.kernels[queue.place], whole, arguments.groups[queue.place]));
    return whole;
}

bool is_recordable(const CommandQueue& queue, const Arguments& arguments) {
    const bool has_addresses =
        std::ranges::any_of(arguments.addresses, [](uint64_t address) { return address != 0; }) ||
        !arguments.more_addresses.empty();
    return arguments.kernels.size() == 1 && !has_addresses &&
           !may_have_textures(queue.opened(), arguments, arguments.kernels[queue.place].interface()) &&
           runtime::LaunchSequence::can_have(arguments.kernels[queue.place]);
}

Command launch(const CommandQueue& queue, const std::shared_ptr<const Arguments>& arguments,
               cl_command_type type, const runtime::NDRange& whole) {
    const size_t place = queue.place;
    const bool runs = !is_empty(whole);
    const bool shares_memory = queue.context->shares_memory() || arguments->uses_system_memory();
    // Devices may have different builds.
    const vulkan::Kernel& interface = arguments->kernels[place].interface();
    const std::shared_ptr<runtime::DeviceQueue> device_queue =
        interface.enqueues ? device_queue_for(queue, *arguments) : nullptr;
    // A kernel enqueues blocks of its own program.
    const bool prints =
        interface.prints || (interface.enqueues && arguments->kernels[place].program().printf_table());
    const std::shared_ptr<const Storages> pointed_to = storages_by_address(*queue.context, *arguments, place);
    return {.type = type,
            .record =
                [=, context = queue.context.get()](runtime::Queue& runtime_queue) {
                    if (!runs) return record_nothing(runtime_queue);
                    if (pointed_to)
                        for (const std::shared_ptr<Storage>& storage : *pointed_to)
                            if (!storage->has_only_address_on(place)) storage->on(place);
                    const std::vector<runtime::GivenPointer> found =
                        pointers_in_memory(*arguments, *context->places[place].opened);
                    runtime::Launch launch_now{.range = whole,
                                               .pointers = found,
                                               .reaches_all_memory = arguments->uses_system_memory() ||
                                                                     arguments->reaches_all_shared != 0};
                    if (device_queue) {
                        const MemoryClaim claim = claim_images(*arguments, place, runtime_queue);
                        const runtime::Kernel first = on_place(*context, *arguments, place);
                        launch_now.kernel = &first;
                        return run_tree(*device_queue, runtime_queue, launch_now);
                    }
                    const auto dispatch = [&](const runtime::Kernel& complete) {
                        const ImageLock lock(image_storages(*arguments));
                        const auto textured =
                            with_textures(*context, *arguments, complete, place, runtime_queue);
                        const runtime::Kernel& launched = textured ? textured->kernel : complete;
                        begin_uses(*arguments, launched.interface(), place, runtime_queue);
                        launch_now.kernel = &launched;
                        const runtime::Event event = take(runtime_queue.dispatch(launch_now));
                        end_uses(*arguments, launched.interface(), place, runtime_queue);
                        if (textured)
                            for (const auto& texture : textured->textures) runtime_queue.keep(texture);
                        return event;
                    };
                    const runtime::Event recorded = arguments->kernels.size() == 1
                                                        ? dispatch(arguments->kernels[0])
                                                        : dispatch(on_place(*context, *arguments, place));
                    runtime_queue.keep(arguments);
                    if (pointed_to) runtime_queue.keep(pointed_to);
                    return recorded;
                },
            .waits = device_queue != nullptr,
            .reads_shared = shares_memory,
            .writes_shared = shares_memory,
            .prints = prints};
}

namespace {

void enqueue(CommandQueue& queue, const Kernel& kernel, cl_command_type type, const runtime::NDRange& range,
             const size_t* wanted_local_size, cl_uint wait_count, const cl_event* wait_list,
             cl_event* event) {
    check_launchable(queue, kernel, *kernel.arguments);
    const runtime::NDRange whole = completed_range(queue, *kernel.arguments, range, wanted_local_size);
    queue.enqueue(launch(queue, kernel.arguments, type, whole), wait_count, wait_list, event);
}

}  // namespace

cl_int CL_API_CALL EnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                        const size_t* global_offset, const size_t* global_size,
                                        const size_t* local_size, cl_uint wait_count,
                                        const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandQueue& checked_queue = checked(queue);
        Kernel& checked_kernel = checked(kernel);
        enqueue(checked_queue, checked_kernel, CL_COMMAND_NDRANGE_KERNEL,
                checked_range(work_dim, global_offset, global_size), local_size, wait_count, wait_list,
                event);
    });
}

cl_int CL_API_CALL EnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                               const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        const size_t one = 1;
        CommandQueue& checked_queue = checked(queue);
        Kernel& checked_kernel = checked(kernel);
        enqueue(checked_queue, checked_kernel, CL_COMMAND_TASK, checked_range(1, nullptr, &one), &one,
                wait_count, wait_list, event);
    });
}

/// CL_DEVICE_EXECUTION_CAPABILITIES has no CL_EXEC_NATIVE_KERNEL.
cl_int CL_API_CALL EnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK*)(void*), void*, size_t,
                                       cl_uint, const cl_mem*, const void**, cl_uint, const cl_event*,
                                       cl_event*) {
    return entry([&] {
        require(!checked(queue).device_queue, CL_INVALID_COMMAND_QUEUE);
        throw ApiError(CL_INVALID_OPERATION);
    });
}

cl_int CL_API_CALL GetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                      cl_uint work_dim, const size_t* global_offset,
                                                      const size_t* global_size, size_t* suggested) {
    return entry([&] {
        const CommandQueue& checked_queue = checked(queue);
        require(!checked_queue.device_queue, CL_INVALID_COMMAND_QUEUE);
        const Kernel& checked_kernel = checked(kernel);
        check_launchable(checked_queue, checked_kernel, *checked_kernel.arguments);
        const size_t place = checked_queue.place;
        runtime::NDRange range = checked_range(work_dim, global_offset, global_size);
        require(global_size && !is_empty(range), CL_INVALID_GLOBAL_WORK_SIZE);
        require(suggested, CL_INVALID_VALUE);
        const runtime::Kernel& launched = checked_kernel.arguments->kernels[place];
        const runtime::WorkGroups groups = checked_kernel.arguments->groups[place];
        range.local = suggested_local_size(launched, range, groups);
        require_no_fault(check_launch(launched, range, groups));
        std::copy_n(range.local.begin(), work_dim, suggested);
    });
}

}  // namespace caldera::icd
