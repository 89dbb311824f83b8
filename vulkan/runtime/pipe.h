// SPDX-License-Identifier: Apache-2.0
// Pipe: a pipe object that kernels write packets to and read them from.
#pragma once

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

class Queue;

/// The size of a pipe's ring of words (PipeWord). It needs at least one packet of at least one byte.
Result<uint64_t> pipe_ring_bytes(uint32_t packet_bytes, uint32_t max_packets);
/// Makes the ring that of an empty pipe, in the queue.
Result<Done> empty_pipe_ring(Queue& queue, const Buffer& ring, uint32_t max_packets);

/// Movable; must stay alive while kernels use it. A kernel's pipe argument must have this packet size. One
/// kernel at a time may write and another may read (OpenCL C 6.13.16).
class Pipe {
 public:
    /// Creates an empty pipe with room for `max_packets` packets, at least one.
    static Result<Pipe> create(Device& device, uint32_t packet_bytes, uint32_t max_packets);

    uint32_t packet_bytes() const { return packet_bytes_; }
    uint32_t max_packets() const { return max_packets_; }
    /// The ring buffer (vulkan/interface.h, ArgumentKind::Pipe).
    const Buffer& ring() const { return ring_; }

 private:
    Buffer ring_ = {};
    uint32_t packet_bytes_ = 0, max_packets_ = 0;
};

}  // namespace caldera::runtime
