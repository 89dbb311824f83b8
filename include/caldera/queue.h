// SPDX-License-Identifier: Apache-2.0
/// @file
/// Queue: commands for a device, and Event: one of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>

#include "caldera/api.h"
#include "caldera/buffer.h"
#include "caldera/kernel.h"
#include "caldera/reflection.h"
#include "caldera/result.h"

struct VkSemaphore_T;  // of <vulkan/vulkan.h>; see device.h

namespace caldera {

/// An NDRange (OpenCL API 3.2). Dimensions past `dimensions` count as size 1, offset 0.
struct NDRange {
    uint32_t dimensions = 1;                     ///< 1 to 3
    std::array<uint64_t, 3> global = {1, 1, 1};  ///< work-items; 0 in any dimension runs nothing
    /// Work-items of a work-group. 0 in the first dimension: Caldera chooses. It need not divide `global`.
    std::array<uint64_t, 3> local = {0, 0, 0};
    std::array<uint64_t, 3> offset = {0, 0, 0};  ///< get_global_offset
};

/// When a command ran, in nanoseconds of std::chrono::steady_clock. The difference is the device's own count.
struct Timing {
    uint64_t start_ns = 0;  ///< when it began
    uint64_t end_ns = 0;    ///< when it ended
    /// How long it ran.
    uint64_t duration_ns() const { return end_ns - start_ns; }
};

/// A command in a queue. A handle, which keeps the queue alive. Thread-safe. A default-constructed one is no
/// event and good for assignment only.
class CALDERA_API Event {
 public:
    /// No event.
    Event() = default;
    /// Whether this is an event.
    explicit operator bool() const { return impl_ != nullptr; }
    /// Whether the command has ended. Does not wait. Submits what is gathered if the device is idle, so that
    /// a loop that only asks comes to an end. Fails where the device is lost.
    Result<bool> is_complete() const;
    /// Submits the command if need be, and waits for its end. Fails where the device did not take it or is
    /// lost.
    Result<Done> wait() const;
    /// Waits, then says when the command ran. Fails where the queue does not time commands
    /// (QueueOptions::timestamps).
    Result<Timing> timing() const;

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

/// A piece of what one dispatch printed. The text lives as long as the call.
struct Printed {
    std::string_view text = {};  ///< it does not end at the end of a line
    /// Printf's buffer was too small: what calls printed after this is lost, they returned -1.
    bool is_cut = false;
};

/// How a queue works.
struct QueueOptions {
    /// Each command runs after the one before it. Otherwise a command runs after those that wait_for() and
    /// order() name, and beside all others.
    bool in_order = true;
    bool timestamps = false;  ///< the device times each command: see Event::timing()
    /// The size of the buffer that all printf calls of one dispatch share: 4 bytes to 1 GiB, a multiple of 4.
    uint64_t printf_bytes = kPrintfBufferBytes;
    /// Takes what kernels print, dispatch after dispatch, in the call that finds the dispatch complete. It
    /// must not call the queue. Its exceptions leave that call, whose own command may be missing then. The
    /// rest of that dispatch's text is lost, and no text is given twice. Exceptions while the last handle
    /// goes are dropped. Without a function the text goes to stdout.
    std::function<void(const Printed&)> print = {};
};

/// A command queue. A handle: copies are the same queue. When the last one is gone, it waits for all that was
/// submitted. Thread-safe. Commands begin in the order of the calls. They are gathered and submitted when the
/// device would idle, when 64 are waiting, or at flush(). The queue keeps alive what its commands use. A
/// default-constructed one is no queue and good for assignment only.
///
/// Each call fails where Vulkan does: memory is short, or the device is lost. It also fails for objects of
/// another device, and for handles of none. Offsets and sizes count bytes; a stretch that is not within its
/// buffer is an error.
class CALDERA_API Queue {
 public:
    /// No queue.
    Queue() = default;
    /// A new queue. Fails where `printf_bytes` is not allowed, or where memory is short.
    static Result<Queue> create(const Device& device, QueueOptions options = {});

    /// Whether this is a queue.
    explicit operator bool() const { return impl_ != nullptr; }

    /// Copies from the host. `bytes` may be reused when the call returns. Above 32 MiB it waits for the
    /// device.
    Result<Done> upload(const Buffer& to, uint64_t offset_bytes, std::span<const std::byte> bytes);
    /// Copies to the host, and waits for the data.
    Result<Done> download(const Buffer& from, uint64_t offset_bytes, std::span<std::byte> bytes);
    /// upload() of a vector, span or array to the beginning of a buffer.
    template <std::ranges::contiguous_range Range>
    Result<Done> write(const Buffer& to, const Range& elements) {
        return upload(to, 0, std::as_bytes(std::span(elements)));
    }
    /// download() of the beginning of a buffer to all of a vector, span or array.
    template <std::ranges::contiguous_range Range>
    Result<Done> read(const Buffer& from, Range&& elements) {
        return download(from, 0, std::as_writable_bytes(std::span(elements)));
    }
    /// Copies from one buffer to another. Stretches of one VkBuffer that overlap are an error.
    Result<Event> copy(const Buffer& from, uint64_t from_bytes, const Buffer& to, uint64_t to_bytes,
                       uint64_t size_bytes);
    /// Repeats a pattern. `size_bytes` is a multiple of its size.
    Result<Event> fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                       std::span<const std::byte> pattern);

    /// Runs a kernel with the arguments that it has now. Fails where one is not set, or where the range or
    /// the local memory is more than the device has (OpenCL API 5.10, clEnqueueNDRangeKernel).
    Result<Event> dispatch(const Kernel& kernel, const NDRange& range);

    /// A command that does nothing, for its event: with `in_order` it completes when all before it has.
    Result<Event> marker();
    /// Later commands of this queue run after `event`, a command of this or another queue of the device.
    Result<Done> wait_for(const Event& event);
    /// Later commands of this queue run when a timeline semaphore of the application, of the same VkDevice,
    /// has reached a value. What it is to wait for must not depend on these commands, nor on what is
    /// submitted later to the same VkQueue. The semaphore lives until they have ended. Fails where it is
    /// null, or the device was made without timelineSemaphore.
    Result<Done> wait_for(VkSemaphore_T* timeline, uint64_t value);
    /// Submits what is gathered. When all earlier commands of this queue have ended, a timeline semaphore of
    /// the application gets the value, which is larger than its present one. It fails as wait_for() does.
    Result<Done> signal(VkSemaphore_T* timeline, uint64_t value);
    /// Later commands of this queue run after all earlier ones. With `in_order` they do so anyway.
    void order();
    /// Submits what is gathered.
    Result<Done> flush();
    /// Waits for all that has been recorded when it is called.
    Result<Done> finish();

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
