// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/caller.h"

#include <algorithm>
#include <cstring>

namespace caldera::random_calls {

void Caller::write() {
    const Buffer& buffer = any(buffers_);
    const auto [at, size] = part_of(buffer.size);
    const cl_bool blocking = once_in(4);
    say("write " + std::to_string(size));
    const Host& from = hold(random_bytes(size));
    command(
        any(queues_), {{buffer.bytes, true}},
        [&](const Queue& queue, auto... wait) {
            return clEnqueueWriteBuffer(queue.handle, buffer.handle, blocking, at, size, from.data(),
                                        wait...);
        },
        blocking);
    std::copy(from.begin(), from.end(), buffer.data() + at);
}

void Caller::read() {
    const Buffer& buffer = any(buffers_);
    const auto [at, size] = part_of(buffer.size);
    const cl_bool blocking = once_in(4);
    say("read " + std::to_string(size));
    Host& out = hold(Host(size));
    command(
        any(queues_), {{buffer.bytes}},
        [&](const Queue& queue, auto... wait) {
            return clEnqueueReadBuffer(queue.handle, buffer.handle, blocking, at, size, out.data(), wait...);
        },
        blocking);
    const Host expected(buffer.data() + at, buffer.data() + at + size);
    if (blocking)
        require_same(out, expected, "a read");
    else
        expected_.push_back({&out, expected, doing_});
}

void Caller::fill() {
    const Buffer& buffer = any(buffers_);
    const size_t pattern = size_t{1} << below(8);
    if (buffer.size < pattern) return;
    auto [at, count] = part_of(buffer.size / pattern);
    say("fill with " + std::to_string(pattern));
    const Host bytes = random_bytes(pattern);
    command(any(queues_), {{buffer.bytes, true}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueFillBuffer(queue.handle, buffer.handle, bytes.data(), pattern, at * pattern,
                                   count * pattern, wait...);
    });
    for (size_t i = 0; i < count; ++i) std::ranges::copy(bytes, buffer.data() + (at + i) * pattern);
}

void Caller::copy_buffer() {
    const Buffer &from = any(buffers_), &to = any(buffers_);
    const size_t size = 1 + below(std::min(from.size, to.size));
    const size_t from_at = below(from.size - size + 1), to_at = below(to.size - size + 1);
    const size_t a = from.begin + from_at, b = to.begin + to_at;
    const bool overlaps = from.bytes == to.bytes && a < b + size && b < a + size;
    say("copy " + std::to_string(size));
    if (overlaps) {
        const cl_int code = clEnqueueCopyBuffer(any(queues_).handle, from.handle, to.handle, from_at, to_at,
                                                size, 0, nullptr, nullptr);
        return require(code == CL_MEM_COPY_OVERLAP, "an overlap is " + std::to_string(code));
    }
    command(any(queues_), {{from.bytes}, {to.bytes, true}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueCopyBuffer(queue.handle, from.handle, to.handle, from_at, to_at, size, wait...);
    });
    std::memcpy(to.data() + to_at, from.data() + from_at, size);
}

void Caller::rectangles() {
    const Size3 region = {1 + below(30), 1 + below(6), 1 + below(4)};
    struct Place {
        Size3 origin;
        size_t row, slice, bytes;
    };
    const auto place = [&] {
        Place out{.origin = {below(9), below(3), below(3)}};
        out.row = out.origin[0] + region[0] + below(5);
        out.slice = out.row * (out.origin[1] + region[1] + below(3));
        out.bytes = (out.origin[2] + region[2]) * out.slice;
        return out;
    };
    const auto box = [](uint8_t* data, const Place& at) {
        return Box{data + at.origin[2] * at.slice + at.origin[1] * at.row + at.origin[0], at.row, at.slice};
    };
    const Place a = place(), b = place();
    const Buffer &first = any(buffers_), &second = any(buffers_);
    if (a.bytes > first.size) return;
    const cl_bool blocking = once_in(4);
    switch (below(3)) {
        case 0: {
            say("read a box");
            Host& out = hold(Host(b.bytes));
            Host expected = out;
            copy(box(expected.data(), b), box(first.data(), a), region);
            command(
                any(queues_), {{first.bytes}},
                [&](const Queue& queue, auto... wait) {
                    return clEnqueueReadBufferRect(queue.handle, first.handle, blocking, a.origin.data(),
                                                   b.origin.data(), region.data(), a.row, a.slice, b.row,
                                                   b.slice, out.data(), wait...);
                },
                blocking);
            expected_.push_back({&out, expected, doing_});
            break;
        }
        case 1: {
            say("write a box");
            Host& from = hold(random_bytes(b.bytes));
            command(
                any(queues_), {{first.bytes, true}},
                [&](const Queue& queue, auto... wait) {
                    return clEnqueueWriteBufferRect(queue.handle, first.handle, blocking, a.origin.data(),
                                                    b.origin.data(), region.data(), a.row, a.slice, b.row,
                                                    b.slice, from.data(), wait...);
                },
                blocking);
            copy(box(first.data(), a), box(from.data(), b), region);
            break;
        }
        default:
            if (first.bytes == second.bytes || b.bytes > second.size) return;
            say("copy a box");
            command(any(queues_), {{first.bytes}, {second.bytes, true}},
                    [&](const Queue& queue, auto... wait) {
                        return clEnqueueCopyBufferRect(queue.handle, first.handle, second.handle,
                                                       a.origin.data(), b.origin.data(), region.data(), a.row,
                                                       a.slice, b.row, b.slice, wait...);
                    });
            copy(box(second.data(), b), box(first.data(), a), region);
    }
}

void Caller::map_buffer() {
    const Buffer& buffer = any(buffers_);
    const auto [at, size] = part_of(buffer.size);
    const cl_map_flags flags = any_map();
    say("map " + std::to_string(size) + " by " + std::to_string(flags));
    map_and_unmap(buffer.handle, buffer.bytes, flags, {buffer.data() + at}, {size, 1, 1},
                  [&, at = at, size = size](const Queue& queue, cl_bool blocking, auto... rest) {
                      return Box{static_cast<uint8_t*>(clEnqueueMapBuffer(
                          queue.handle, buffer.handle, blocking, flags, at, size, rest...))};
                  });
}

}  // namespace caldera::random_calls
