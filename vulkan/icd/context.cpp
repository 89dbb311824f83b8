// SPDX-License-Identifier: Apache-2.0
// Contexts (OpenCL API 4.4).
#include "vulkan/icd/context.h"

#include <algorithm>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/newer_names.h"

using namespace caldera;
using namespace caldera::icd;

namespace {

std::vector<Context::Place> open_all(const std::vector<Device*>& list) {
    std::vector<Context::Place> places;
    for (Device* device : list) {
        Context::Place place{.device = device, .opened = device->open()};
        place.transfers = take(runtime::Queue::create(*place.opened));
        places.push_back(std::move(place));
    }
    return places;
}

}  // namespace

_cl_context::_cl_context(const std::vector<Device*>& list)
    : places(open_all(list)), addresses(places.size()) {}

_cl_context::~_cl_context() {
    // Callbacks run in the reverse order of their registration (clSetContextDestructorCallback).
    const CallersFloatEnvironment callers;
    for (auto it = destructor_callbacks.rbegin(); it != destructor_callbacks.rend(); ++it)
        it->function(this, it->user_data);
}

size_t _cl_context::place_of(const Device& device) const {
    const auto it = std::ranges::find(places, &device, [](const Place& place) { return place.device; });
    require(it != places.end(), CL_INVALID_DEVICE);
    return static_cast<size_t>(it - places.begin());
}

void _cl_context::finish(size_t place) {
    const std::lock_guard lock(mutex);
    for (const HostQueue& queue : queues)
        if (queue.place == place) take(queue.runtime->finish());
}

void _cl_context::add_loan(KeptLoan loan) {
    purge_loans.before_addition(kept_loans, [](const KeptLoan& each) { return each.storage.expired(); });
    kept_loans.push_back(std::move(loan));
}

void _cl_context::end_loans_of_others(size_t place) {
    const auto others =
        std::ranges::partition(kept_loans, [&](const KeptLoan& each) { return each.place == place; });
    std::vector<KeptLoan> ending(others.begin(), others.end());
    kept_loans.erase(others.begin(), others.end());
    cl_int failed = CL_SUCCESS;
    for (KeptLoan& each : ending)
        if (const auto storage = each.storage.lock())
            if (const cl_int code = entry(each.end); code != CL_SUCCESS) {
                failed = code;
                kept_loans.push_back(std::move(each));  // the next command of another device tries again
            }
    require(failed == CL_SUCCESS, failed);
}

namespace caldera::icd {

bool any_has(const Context& context, frontend::Ext row) {
    return std::ranges::any_of(
        context.places, [&](const Context::Place& place) { return place.device->extensions.has(row); });
}

bool any_has_addresses(const Context& context) {
    return std::ranges::any_of(context.places,
                               [](const Context::Place& place) { return place.opened->has_addresses(); });
}

namespace {

std::vector<cl_context_properties> checked_properties(const cl_context_properties* list) {
    const std::vector<cl_context_properties> properties = properties_of(list);
    std::vector<cl_context_properties> seen;
    for (size_t i = 0; i + 1 < properties.size(); i += 2) {
        require(std::ranges::find(seen, properties[i]) == seen.end(), CL_INVALID_PROPERTY);
        seen.push_back(properties[i]);
        switch (properties[i]) {
            case CL_CONTEXT_PLATFORM:
                require(properties[i + 1] != 0, CL_INVALID_PLATFORM);
                checked_platform(reinterpret_cast<cl_platform_id>(properties[i + 1]));
                break;
            case CL_CONTEXT_INTEROP_USER_SYNC:
                require(properties[i + 1] == CL_TRUE || properties[i + 1] == CL_FALSE, CL_INVALID_PROPERTY);
                break;
            case CL_CONTEXT_MEMORY_INITIALIZE_KHR: {
                constexpr cl_context_properties kAll =
                    CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
                require(!(properties[i + 1] & ~kAll), CL_INVALID_PROPERTY);
                break;
            }
            case CL_PRINTF_CALLBACK_ARM: break;
            case CL_PRINTF_BUFFERSIZE_ARM: require(properties[i + 1] != 0, CL_INVALID_PROPERTY); break;
            default: throw ApiError(CL_INVALID_PROPERTY);
        }
    }
    return properties;
}

using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

cl_context create(const cl_context_properties* properties, const std::vector<Device*>& devices, Notify notify,
                  void* user_data) {
    std::vector<cl_context_properties> checked = checked_properties(properties);
    cl_bitfield initialized = 0;
    Context::Printing printing{.user_data = user_data};
    for (size_t i = 0; i + 1 < checked.size(); i += 2)
        switch (const auto value = checked[i + 1]; checked[i]) {
            case CL_CONTEXT_MEMORY_INITIALIZE_KHR: initialized = static_cast<cl_bitfield>(value); break;
            case CL_PRINTF_CALLBACK_ARM:
                printing.function = reinterpret_cast<decltype(printing.function)>(value);
                break;
            case CL_PRINTF_BUFFERSIZE_ARM: printing.buffer_bytes = static_cast<size_t>(value); break;
        }
    require(notify || printing.function || !user_data, CL_INVALID_VALUE);
    auto context = std::make_unique<Context>(devices);
    context->properties = std::move(checked);
    context->initialized = initialized;
    context->printing = printing;
    return context.release();
}

}  // namespace

cl_context CL_API_CALL CreateContext(const cl_context_properties* properties, cl_uint num_devices,
                                     const cl_device_id* devices, Notify notify, void* user_data,
                                     cl_int* code_ret) {
    return make(code_ret,
                [&] { return create(properties, checked_devices(num_devices, devices), notify, user_data); });
}

cl_context CL_API_CALL CreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                             Notify notify, void* user_data, cl_int* code_ret) {
    return make(code_ret, [&] {
        cl_uint count = 0;
        const auto ask = [&](cl_uint capacity, cl_device_id* list) {
            const cl_int code = GetDeviceIDs(nullptr, type, capacity, list, &count);
            require(code == CL_SUCCESS, code);
        };
        checked_properties(properties);
        ask(0, nullptr);
        std::vector<cl_device_id> list(count);
        ask(count, list.data());
        return create(properties, checked_devices(count, list.data()), notify, user_data);
    });
}

cl_int CL_API_CALL RetainContext(cl_context context) { return retain(context); }
cl_int CL_API_CALL ReleaseContext(cl_context context) { return release(context); }

cl_int CL_API_CALL GetContextInfo(cl_context handle, cl_context_info name, size_t size, void* value,
                                  size_t* size_ret) {
    return entry([&] {
        const Context& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_CONTEXT_REFERENCE_COUNT: return answer.put(self.references());
            case CL_CONTEXT_NUM_DEVICES: return answer.put(static_cast<cl_uint>(self.places.size()));
            case CL_CONTEXT_DEVICES: {
                std::vector<cl_device_id> devices;
                for (const Context::Place& place : self.places) devices.push_back(place.device);
                return answer.put_all(devices);
            }
            case CL_CONTEXT_PROPERTIES: return answer.put_all(self.properties);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL SetContextDestructorCallback(cl_context handle,
                                                void(CL_CALLBACK* function)(cl_context, void*),
                                                void* user_data) {
    return entry([&] {
        Context& self = checked(handle);
        require(function, CL_INVALID_VALUE);
        const std::lock_guard lock(self.mutex);
        self.destructor_callbacks.push_back({function, user_data});
    });
}

}  // namespace caldera::icd
