// SPDX-License-Identifier: Apache-2.0
// Queues, events and device queues.
#include "caldera/queue.h"

#include <string>

#include "caldera/device_queue.h"
#include "library/adopted_image.h"
#include "library/objects.h"
#include "spirv/support/try.h"
#include "vulkan/runtime/fault_reporter.h"

namespace caldera {

using detail::Access;
using detail::check_exists;
using detail::check_usable;
using runtime::FaultDelivery;  // first in each call that may find that commands have ended

// ---- Event ----

Result<bool> Event::is_complete() const {
    FaultDelivery delivery;
    TRY(check_exists(*this, "event"));
    return Access::of(impl_->queue)->queue->is_complete(impl_->event);
}

Result<Done> Event::wait() const {
    FaultDelivery delivery;
    TRY(check_exists(*this, "event"));
    return Access::of(impl_->queue)->queue->wait(impl_->event);
}

Result<Timing> Event::timing() const {
    FaultDelivery delivery;
    TRY(check_exists(*this, "event"));
    if (!impl_->event.timing()) return Error{.message = "the queue does not time commands"};
    const Result<runtime::Timing> timing = Access::of(impl_->queue)->queue->timing(impl_->event);
    if (!timing) return timing.error();
    return Timing{.start_ns = timing->start_ns, .end_ns = timing->end_ns};
}

// ---- Queue ----

Result<Queue> Queue::create(const Device& device, QueueOptions options) {
    TRY(check_exists(device, "device"));
    runtime::QueueOptions plain{.in_order = options.in_order,
                                .timestamps = options.timestamps && device.has_timestamps(),
                                .printf_bytes = options.printf_bytes};
    if (options.print)
        plain.print = [print = std::move(options.print)](const runtime::Printed& printed) {
            print({.text = printed.text, .is_cut = printed.is_cut});
        };
    Result<std::unique_ptr<runtime::Queue>> queue =
        runtime::Queue::create(detail::opened(device), std::move(plain));
    if (!queue) return queue.error();
    return Access::make<Queue>(device, queue.take());
}

Result<Done> Queue::upload(const Buffer& to, uint64_t offset_bytes, std::span<const std::byte> bytes) {
    FaultDelivery delivery;
    TRY(check_usable(*this, to, "buffer"));
    Result<Done> done = impl_->queue->upload(Access::of(to)->buffer, offset_bytes, bytes);
    impl_->queue->keep(Access::of(to));
    return done;
}

Result<Done> Queue::download(const Buffer& from, uint64_t offset_bytes, std::span<std::byte> bytes) {
    FaultDelivery delivery;
    TRY(check_usable(*this, from, "buffer"));
    return impl_->queue->download(Access::of(from)->buffer, offset_bytes, bytes);
}

namespace {

/// Keeps alive what a command uses, also if only a part of it was recorded.
template <class... Kept>
Result<Event> event_of(const Queue& queue, const Result<runtime::Event>& recorded, const Kept&... kept) {
    (Access::of(queue)->queue->keep(kept), ...);
    if (!recorded) return recorded.error();
    return Access::make<Event>(queue, *recorded);
}

/// Adopted buffers may be parts of one VkBuffer (Vulkan 1.3, VUID-vkCmdCopyBuffer-pRegions-00117).
bool overlap(const runtime::Buffer& from, uint64_t from_bytes, const runtime::Buffer& to, uint64_t to_bytes,
             uint64_t size_bytes) {
    if (from.vk() != to.vk()) return false;
    const uint64_t a = from.vk_offset_bytes() + from_bytes, b = to.vk_offset_bytes() + to_bytes;
    return size_bytes != 0 && (a > b ? a - b : b - a) < size_bytes;
}

}  // namespace

Result<Event> Queue::copy(const Buffer& from, uint64_t from_bytes, const Buffer& to, uint64_t to_bytes,
                          uint64_t size_bytes) {
    FaultDelivery delivery;
    TRY(check_usable(*this, from, "buffer"));
    TRY(check_usable(*this, to, "buffer"));
    const runtime::Buffer &source = Access::of(from)->buffer, &target = Access::of(to)->buffer;
    if (overlap(source, from_bytes, target, to_bytes, size_bytes))
        return Error{.message = "the " + std::to_string(size_bytes) + " bytes at " +
                                std::to_string(from_bytes) + " overlap those at " + std::to_string(to_bytes) +
                                " of the same buffer, to which they would be copied"};
    return event_of(*this, impl_->queue->copy(source, from_bytes, target, to_bytes, size_bytes),
                    Access::of(from), Access::of(to));
}

Result<Event> Queue::fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                          std::span<const std::byte> pattern) {
    FaultDelivery delivery;
    TRY(check_usable(*this, to, "buffer"));
    return event_of(*this, impl_->queue->fill(Access::of(to)->buffer, offset_bytes, size_bytes, pattern),
                    Access::of(to));
}

Result<Event> Queue::dispatch(const Kernel& kernel, const NDRange& range) {
    FaultDelivery delivery;
    TRY(check_usable(*this, kernel, "kernel"));
    auto& used = *Access::of(kernel);
    TRY(detail::check_samplings(used.kernel.interface(), used.arguments, used.samplers));
    return event_of(*this, impl_->queue->dispatch(used.kernel, detail::plain(range)), used.used());
}

Result<Event> Queue::marker() {
    FaultDelivery delivery;
    TRY(check_exists(*this, "queue"));
    return event_of(*this, impl_->queue->marker());
}

Result<Done> Queue::wait_for(const Event& event) {
    FaultDelivery delivery;
    TRY(check_usable(*this, event, "event"));
    const auto& awaited = *Access::of(event);
    return impl_->queue->wait_for(*Access::of(awaited.queue)->queue, awaited.event);
}

Result<Done> Queue::wait_for(VkSemaphore_T* timeline, uint64_t value) {
    FaultDelivery delivery;
    TRY(check_exists(*this, "queue"));
    return impl_->queue->wait_for(runtime::SemaphoreValue{timeline, value});
}

Result<Done> Queue::signal(VkSemaphore_T* timeline, uint64_t value) {
    FaultDelivery delivery;
    TRY(check_exists(*this, "queue"));
    return impl_->queue->signal({timeline, value});
}

void Queue::order() {
    if (impl_) impl_->queue->order();
}

Result<Done> Queue::flush() {
    FaultDelivery delivery;
    TRY(check_exists(*this, "queue"));
    return impl_->queue->flush();
}

Result<Done> Queue::finish() {
    FaultDelivery delivery;
    TRY(check_exists(*this, "queue"));
    return impl_->queue->finish();
}

// ---- DeviceQueue ----

Result<DeviceQueue> DeviceQueue::create(const Device& device, DeviceQueueOptions options) {
    TRY(check_exists(device, "device"));
    Result<std::unique_ptr<runtime::DeviceQueue>> queue =
        runtime::DeviceQueue::create(detail::opened(device), {.size_bytes = options.size_bytes,
                                                              .max_events = options.max_events,
                                                              .is_default = options.is_default});
    if (!queue) return queue.error();
    return Access::make<DeviceQueue>(device, queue.take());
}

Result<DeviceQueue::Outcome> DeviceQueue::run(const Queue& queue, const Kernel& kernel,
                                              const NDRange& range) {
    FaultDelivery delivery;
    TRY(check_usable(*this, queue, "queue"));
    TRY(check_usable(*this, kernel, "kernel"));
    const Result<runtime::DeviceQueue::Outcome> outcome =
        impl_->queue->run(*Access::of(queue)->queue, Access::of(kernel)->kernel, detail::plain(range));
    if (!outcome) return outcome.error();
    return Outcome{.status = outcome->status, .commands = outcome->commands};
}

}  // namespace caldera
