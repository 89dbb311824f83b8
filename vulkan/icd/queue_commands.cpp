// SPDX-License-Identifier: Apache-2.0
// Command-queues as objects, and commands that only order others (OpenCL API 5.1, 5.13, 5.15).
#include <algorithm>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/transfer.h"

namespace caldera::icd {
namespace {

constexpr cl_command_queue_properties kHostProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceProperties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// A device has one default queue in a context. Requests for another one return it
/// (clCreateCommandQueueWithProperties).
cl_command_queue create_on_device(Context& context, size_t place, cl_command_queue_properties properties,
                                  cl_queue_properties size_bytes,
                                  const std::vector<cl_queue_properties>& given) {
    require(context.places[place].device->extensions.has(frontend::Ext::DeviceEnqueue),
            CL_INVALID_QUEUE_PROPERTIES);
    require(size_bytes <= kMaxDeviceQueueBytes, CL_INVALID_QUEUE_PROPERTIES);
    cl_command_queue& default_queue = context.places[place].default_device_queue;
    const bool is_default = properties & CL_QUEUE_ON_DEVICE_DEFAULT;
    if (is_default) {
        const std::lock_guard lock(context.mutex);
        if (default_queue) return default_queue->retain(), default_queue;
    }
    // A queue's destructor locks the context, so a queue is made, and dropped, while the lock is free.
    auto queue = std::make_unique<CommandQueue>(context, place, properties, static_cast<cl_uint>(size_bytes));
    queue->given_properties = given;
    if (!is_default) return queue.release();
    const std::lock_guard lock(context.mutex);
    if (default_queue) return default_queue->retain(), default_queue;  // another thread was faster
    return default_queue = queue.release();
}

/// Priorities and throttles are high, medium or low, each a bit (cl_khr_priority_hints,
/// cl_khr_throttle_hints). They have no effect: Vulkan fixes the priorities of queues when a device is made.
bool is_hint(cl_queue_properties value) {
    return value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
           value == CL_QUEUE_PRIORITY_LOW_KHR;
}
static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == CL_QUEUE_THROTTLE_HIGH_KHR &&
              CL_QUEUE_PRIORITY_MED_KHR == CL_QUEUE_THROTTLE_MED_KHR &&
              CL_QUEUE_PRIORITY_LOW_KHR == CL_QUEUE_THROTTLE_LOW_KHR);

cl_command_queue create(cl_context handle, cl_device_id device, const cl_queue_properties* list) {
    Context& context = checked(handle);
    const size_t place = context.place_of(checked(device));
    const std::vector<cl_queue_properties> given = properties_of(list);
    cl_command_queue_properties properties = 0;
    std::optional<cl_queue_properties> size_bytes;
    bool has_hints = false;
    for (size_t i = 0; i + 1 < given.size(); i += 2) switch (given[i]) {
            case CL_QUEUE_PROPERTIES: properties = given[i + 1]; break;
            case CL_QUEUE_SIZE: size_bytes = given[i + 1]; break;
            case CL_QUEUE_PRIORITY_KHR:
            case CL_QUEUE_THROTTLE_KHR:
                require(is_hint(given[i + 1]), CL_INVALID_VALUE);
                has_hints = true;
                break;
            default: throw ApiError(CL_INVALID_VALUE);
        }
    require(!(properties & ~(kHostProperties | kDeviceProperties)), CL_INVALID_VALUE);
    const bool is_on_device = properties & CL_QUEUE_ON_DEVICE;
    require(is_on_device || (!size_bytes && !(properties & CL_QUEUE_ON_DEVICE_DEFAULT)), CL_INVALID_VALUE);
    require(!is_on_device || properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_INVALID_VALUE);
    require(!is_on_device || !has_hints, CL_INVALID_QUEUE_PROPERTIES);
    if (is_on_device)
        return create_on_device(context, place, properties, size_bytes.value_or(kDeviceQueueBytes), given);
    auto queue = std::make_unique<CommandQueue>(context, place, properties);
    queue->given_properties = given;
    return queue.release();
}

/// Everything after it waits for everything before it.
Command barrier() {
    return {.type = CL_COMMAND_BARRIER, .record = [](runtime::Queue& queue) {
                queue.order();
                return record_nothing(queue);
            }};
}

}  // namespace

cl_command_queue CL_API_CALL CreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                              const cl_queue_properties* properties,
                                                              cl_int* code_ret) {
    return make(code_ret, [&] { return create(context, device, properties); });
}

cl_command_queue CL_API_CALL CreateCommandQueue(cl_context context, cl_device_id device,
                                                cl_command_queue_properties properties, cl_int* code_ret) {
    return make(code_ret, [&] {
        require(!(properties & ~kHostProperties), CL_INVALID_VALUE);
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
        cl_command_queue queue = create(context, device, list);
        queue->given_properties.clear();
        return queue;
    });
}

cl_int CL_API_CALL RetainCommandQueue(cl_command_queue queue) { return retain(queue); }
cl_int CL_API_CALL ReleaseCommandQueue(cl_command_queue queue) { return release(queue); }

/// CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES has no CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT.
cl_int CL_API_CALL SetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue) {
    return entry([&] {
        checked(context).place_of(checked(device));
        throw ApiError(CL_INVALID_OPERATION);
    });
}

/// From OpenCL 1.0: a queue with commands must not be changed, so this changes no queue at all.
cl_int CL_API_CALL SetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                           cl_command_queue_properties*) {
    return entry([&] {
        checked(queue);
        throw ApiError(CL_INVALID_OPERATION);
    });
}

cl_int CL_API_CALL GetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size,
                                       void* value, size_t* size_ret) {
    return entry([&] {
        const CommandQueue& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_QUEUE_CONTEXT: return answer.put<cl_context>(self.context.get());
            case CL_QUEUE_DEVICE: return answer.put<cl_device_id>(&self.device());
            case CL_QUEUE_REFERENCE_COUNT: return answer.put(self.references());
            case CL_QUEUE_PROPERTIES: return answer.put(self.properties);
            case CL_QUEUE_PROPERTIES_ARRAY: return answer.put_all(self.given_properties);
            case CL_QUEUE_DEVICE_DEFAULT: {
                const std::lock_guard lock(self.context->mutex);
                return answer.put(self.context->places[self.place].default_device_queue);
            }
            case CL_QUEUE_SIZE:
                require(self.device_queue != nullptr, CL_INVALID_COMMAND_QUEUE);
                return answer.put(self.size_bytes);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL EnqueueMarkerWithWaitList(cl_command_queue handle, cl_uint wait_count,
                                             const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        checked(handle).enqueue(nothing(CL_COMMAND_MARKER), wait_count, wait_list, event,
                                {.after_all = wait_count == 0});
    });
}

cl_int CL_API_CALL EnqueueBarrierWithWaitList(cl_command_queue handle, cl_uint wait_count,
                                              const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        checked(handle).enqueue(barrier(), wait_count, wait_list, event,
                                {.after_all = wait_count == 0, .before_all = true});
    });
}

cl_int CL_API_CALL EnqueueMarker(cl_command_queue queue, cl_event* event) {
    return entry([&] {
        CommandQueue& self = checked(queue);
        require(event, CL_INVALID_VALUE);
        self.enqueue(nothing(CL_COMMAND_MARKER), 0, nullptr, event, {.after_all = true});
    });
}

cl_int CL_API_CALL EnqueueBarrier(cl_command_queue queue) {
    return EnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr);
}

cl_int CL_API_CALL EnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event* list) {
    return entry([&] {
        CommandQueue& self = checked(queue);
        require(count != 0 && list, CL_INVALID_VALUE);
        for (cl_uint i = 0; i < count; ++i) checked(list[i]);
        self.enqueue(barrier(), count, list, nullptr, {.before_all = true});
    });
}

cl_int CL_API_CALL Flush(cl_command_queue queue) {
    return entry([&] { checked(queue).flush(); });
}

cl_int CL_API_CALL Finish(cl_command_queue queue) {
    return entry([&] { checked(queue).finish(); });
}

}  // namespace caldera::icd
