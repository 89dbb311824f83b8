// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/caller.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace caldera::random_calls {

Caller::Caller(cl_context context, std::vector<cl_device_id> devices, cl_program program, uint64_t seed,
               const Options& options)
    : context_(context), devices_(std::move(devices)), program_(program), random_(seed), options_(options) {
    for (const Step& step : all_steps())
        if (takes(step.name)) steps_.insert(steps_.end(), step.weight, &step);
    for (cl_device_id device : devices_) {
        cl_bool images = CL_FALSE;
        cl_uint bits = 0;
        require_success(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr),
                        "clGetDeviceInfo");
        require_success(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, nullptr),
                        "clGetDeviceInfo");
        has_images_ &= images == CL_TRUE;
        alignment_ = std::max<size_t>(alignment_, bits / 8);
    }
    std::vector<const char*> names = {"add", "combine"};
    if (has_images_) names.insert(names.end(), {"put", "get"});
    cl_int code = 1;
    for (const char* name : names) {
        kernels_.push_back(clCreateKernel(program_, name, &code));
        require_success(code, "clCreateKernel");
    }
    if (has_images_) {
        sampler_ = clCreateSampler(context_, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
        require_success(code, "clCreateSampler");
    }
    for (unsigned i = 0; i < options_.queues; ++i) make_queue();
    for (int i = 0; i < 3; ++i) make_buffer();
}

std::vector<std::string> Caller::step_names() {
    std::vector<std::string> names;
    for (const Step& step : all_steps()) names.emplace_back(step.name);
    return names;
}

void Caller::run() {
    for (unsigned step = 0; step < options_.steps; ++step) {
        try {
            this->step();
        } catch (const std::exception& error) {
            throw std::runtime_error("step " + std::to_string(step) + ", " + doing_ + ": " + error.what());
        }
    }
    say("settle");
    settle();
    for (const Buffer& buffer : buffers_) require_success(clReleaseMemObject(buffer.handle), "release");
    for (const Image& image : images_) require_success(clReleaseMemObject(image.handle), "release");
    for (const Queue& queue : queues_) require_success(clReleaseCommandQueue(queue.handle), "release");
    for (cl_kernel kernel : kernels_) require_success(clReleaseKernel(kernel), "release");
    if (sampler_) require_success(clReleaseSampler(sampler_), "release");
}

// ---- Chance ----

Host Caller::random_bytes(size_t size) {
    Host out(size);
    for (uint8_t& byte : out) byte = static_cast<uint8_t>(random_());
    return out;
}

std::pair<size_t, size_t> Caller::part_of(size_t size) {
    const size_t begin = below(size);
    return {begin, 1 + below(size - begin)};
}

void Caller::say(const std::string& what) {
    doing_ = what;
    if (options_.trace) std::fprintf(stderr, "%s\n", what.c_str());
}

// ---- Steps ----

std::span<const Caller::Step> Caller::all_steps() {
    static constexpr Step kSteps[] = {{"make_buffer", &Caller::make_buffer},
                                      {"make_part", &Caller::make_part},
                                      {"make_image", &Caller::make_image},
                                      {"release", &Caller::release_memory},
                                      {"queue", &Caller::change_queue},
                                      {"write", &Caller::write, 2},
                                      {"read", &Caller::read, 2},
                                      {"fill", &Caller::fill},
                                      {"copy", &Caller::copy_buffer},
                                      {"box", &Caller::rectangles},
                                      {"map", &Caller::map_buffer},
                                      {"migrate", &Caller::migrate},
                                      {"add", &Caller::add, 3},
                                      {"mix", &Caller::mix, 2},
                                      {"image", &Caller::transfer_image},
                                      {"fill_image", &Caller::fill_image},
                                      {"copy_image", &Caller::copy_image},
                                      {"map_image", &Caller::map_image},
                                      {"put", &Caller::put},
                                      {"get", &Caller::get},
                                      {"order", &Caller::order},
                                      {"gate", &Caller::open_gate},
                                      {"error", &Caller::err, 2}};
    return kSteps;
}

bool Caller::takes(std::string_view step) const {
    const auto has = [&](const std::vector<std::string>& list) {
        return std::ranges::find(list, step) != list.end();
    };
    return (options_.only.empty() || has(options_.only)) && !has(options_.without);
}

void Caller::step() {
    if (once_in(40)) {
        say("settle");
        return settle();
    }
    (this->*any(steps_)->take)();
}

// ---- Order ----

void Caller::make_queue() {
    const bool in_order = once_in(2) ? !options_.out_of_order : options_.in_order;
    Queue queue{.in_order = in_order, .number = ++queues_so_far_};
    cl_queue_properties properties = queue.in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if (once_in(3) && !options_.no_profiling) properties |= CL_QUEUE_PROFILING_ENABLE;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code = 1;
    queue.handle = clCreateCommandQueueWithProperties(context_, any(devices_), list, &code);
    require_success(code, "clCreateCommandQueueWithProperties");
    queues_.push_back(queue);
}

void Caller::change_queue() {
    if (!once_in(4)) return;
    say("another queue");
    std::swap(any(queues_), queues_.back());
    require_success(clReleaseCommandQueue(queues_.back().handle), "clReleaseCommandQueue");
    queues_.pop_back();
    make_queue();
}

void Caller::command(const Queue& queue, std::vector<Use> uses, const Call& call, bool is_blocking) {
    if (is_blocking) open_gates();
    std::vector<cl_event> waits;
    const auto wait_for = [&](const Event& event) {
        const bool is_ordered = queue.in_order && event.queue == queue.number;
        if (event.handle && !(is_ordered && once_in(2))) waits.push_back(event.handle);
    };
    for (const Use& use : uses) {
        wait_for(use.bytes->written);
        if (use.writes) std::ranges::for_each(use.bytes->read, wait_for);
    }
    if (!is_blocking && once_in(5) && takes("gate")) waits.push_back(gate());
    if (!events_.empty() && once_in(5)) waits.push_back(any(events_));
    const auto count = static_cast<cl_uint>(waits.size());
    const cl_event* list = waits.empty() ? nullptr : waits.data();
    Event event{.queue = queue.number};
    // If the command itself has no event, a marker or barrier after it has one.
    const bool has_event = !once_in(3);
    require_success(call(queue, count, list, has_event ? &event.handle : nullptr), "the call");
    if (!has_event)
        require_success((once_in(2) ? clEnqueueMarkerWithWaitList : clEnqueueBarrierWithWaitList)(
                            queue.handle, 0, nullptr, &event.handle),
                        "a marker");
    events_.push_back(event.handle);
    if (once_in(6)) count_completion(event.handle);
    for (const Use& use : uses) {
        if (use.writes) {
            use.bytes->written = event;
            use.bytes->read.clear();
        } else {
            use.bytes->read.push_back(event);
        }
    }
    touched_.insert(touched_.end(), uses.begin(), uses.end());
}

void Caller::count_completion(cl_event event) {
    ++wanted_calls_;
    require_success(
        clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<unsigned>*>(to); }, &calls_),
        "clSetEventCallback");
}

void Caller::order() {
    const Queue& queue = any(queues_);
    say("flush or a barrier");
    if (once_in(2)) return require_success(clFlush(queue.handle), "clFlush");
    require_success(clEnqueueBarrierWithWaitList(queue.handle, 0, nullptr, nullptr), "a barrier");
}

cl_event Caller::gate() {
    if (!gates_.empty() && once_in(2)) return any(gates_);
    cl_int code = 1;
    gates_.push_back(clCreateUserEvent(context_, &code));
    require_success(code, "clCreateUserEvent");
    events_.push_back(gates_.back());
    return gates_.back();
}

void Caller::open_gate() {
    if (gates_.empty()) return;
    say("set a user event");
    std::swap(any(gates_), gates_.back());
    open_last_gate();
}

void Caller::open_last_gate() {
    require_success(clSetUserEventStatus(gates_.back(), CL_COMPLETE), "clSetUserEventStatus");
    gates_.pop_back();
}

void Caller::open_gates() {
    while (!gates_.empty()) open_last_gate();
}

void Caller::settle() {
    open_gates();
    if (once_in(2))
        for (const Queue& queue : queues_) require_success(clFinish(queue.handle), "clFinish");
    if (!events_.empty())
        require_success(clWaitForEvents(static_cast<cl_uint>(events_.size()), events_.data()),
                        "clWaitForEvents");
    for (const Expected& each : expected_) require_same(*each.out, each.bytes, each.what);
    for (const Use& use : touched_) use.bytes->written = {}, use.bytes->read.clear();
    for (cl_event event : events_) require_success(clReleaseEvent(event), "clReleaseEvent");
    events_.clear();
    touched_.clear();
    expected_.clear();
    held_.clear();
    while (calls_ != wanted_calls_) std::this_thread::yield();
}

Host& Caller::hold(Host bytes) {
    held_.push_back(std::make_unique<Host>(std::move(bytes)));
    return *held_.back();
}

}  // namespace caldera::random_calls
