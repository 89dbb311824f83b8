// SPDX-License-Identifier: Apache-2.0
// The commands of cl_khr_external_memory.
#include <algorithm>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image_lock.h"
#include "vulkan/icd/memory.h"
#include "vulkan/icd/queue.h"
#include "vulkan/icd/shared_image.h"
#include "vulkan/icd/transfer.h"

namespace caldera::icd {
namespace {

void enqueue_change(cl_command_queue handle, cl_command_type type, cl_uint count, const cl_mem* list,
                    cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    CommandQueue& queue = checked(handle);
    require((count == 0) == (list == nullptr), CL_INVALID_VALUE);
    std::vector<std::shared_ptr<Storage>> storages;
    for (cl_uint i = 0; i < count; ++i) {
        Memory& memory = checked(list[i]);
        require(!memory.imported_places.empty(), CL_INVALID_MEM_OBJECT);
        const auto has_device = [&](const Context::Place& place) { return place.device == &queue.device(); };
        require(std::ranges::any_of(memory.context->places, has_device), CL_INVALID_COMMAND_QUEUE);
        require(memory.context == queue.context, CL_INVALID_CONTEXT);
        require(std::ranges::count(memory.imported_places, queue.place) != 0, CL_INVALID_COMMAND_QUEUE);
        storages.push_back(memory.storage);
    }
    checked_good_events(*queue.context, wait_count, wait_list);
    if (storages.empty()) return queue.enqueue(nothing(type), wait_count, wait_list, event);
    const bool acquires = type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
    const auto record = [=, place = queue.place](runtime::Queue& on) {
        std::vector<Storage*> images;
        for (const std::shared_ptr<Storage>& storage : storages) images.push_back(storage.get());
        const ImageLock lock(images);
        std::vector<const runtime::Buffer*> buffers;
        std::vector<runtime::SharedTexels> textures;
        // Others may have written.
        for (const std::shared_ptr<Storage>& storage : storages) {
            if (SharedImage* image = storage->shared_image())
                textures.push_back(acquires ? image->acquired(*storage, place, on)
                                            : image->released(*storage, place, on));
            else
                buffers.push_back(acquires ? &storage->newest_on(place, on) : &storage->on(place));
        }
        const runtime::Event recorded =
            take(acquires ? on.acquire(buffers, textures) : on.release(buffers, textures));
        for (const std::shared_ptr<Storage>& storage : storages) {
            if (acquires) storage->end_write(place, on);
            on.keep(storage);
        }
        return recorded;
    };
    queue.enqueue({.type = type, .record = record}, wait_count, wait_list, event);
}

}  // namespace

cl_int CL_API_CALL EnqueueAcquireExternalMemObjectsKHR(cl_command_queue queue, cl_uint count,
                                                       const cl_mem* list, cl_uint wait_count,
                                                       const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        enqueue_change(queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, count, list, wait_count, wait_list,
                       event);
    });
}

cl_int CL_API_CALL EnqueueReleaseExternalMemObjectsKHR(cl_command_queue queue, cl_uint count,
                                                       const cl_mem* list, cl_uint wait_count,
                                                       const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        enqueue_change(queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, count, list, wait_count, wait_list,
                       event);
    });
}

}  // namespace caldera::icd
