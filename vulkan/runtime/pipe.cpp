// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/pipe.h"

#include "spirv/support/try.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {

Result<uint64_t> pipe_ring_bytes(uint32_t packet_bytes, uint32_t max_packets) {
    if (packet_bytes == 0 || max_packets == 0)
        return Error{.message = "a pipe needs at least one packet of at least one byte"};
    // A position in the ring has 32 bits, and the ring needs at least two rounds of positions.
    if (max_packets > 1u << 30)
        return Error{.message =
                         "a pipe of " + std::to_string(max_packets) + " packets exceeds the limit of 2^30"};
    const uint64_t packet_words = (uint64_t{packet_bytes} + 3) / 4;
    const uint64_t states_end = vulkan::kPipeHeaderWords + uint64_t{max_packets};
    const uint64_t words = states_end + max_packets * packet_words;
    if (words > 0xffffffff)
        return Error{.message = "a pipe of " + std::to_string(words) + " words is too large"};
    return words * 4;
}

Result<Done> empty_pipe_ring(Queue& queue, const Buffer& ring, uint32_t max_packets) {
    Result<Event> filled = queue.fill(ring, 0, 4, max_packets);
    const uint64_t states_end = vulkan::kPipeHeaderWords + uint64_t{max_packets};
    if (filled) filled = queue.fill(ring, 4, (states_end - 1) * 4, 0);
    if (!filled) return filled.error();
    return Done{};
}

Result<Pipe> Pipe::create(Device& device, uint32_t packet_bytes, uint32_t max_packets) {
    Result<uint64_t> size_bytes = pipe_ring_bytes(packet_bytes, max_packets);
    if (!size_bytes) return size_bytes.error();
    Result<Buffer> ring = Buffer::create(device, *size_bytes);
    if (!ring) return ring.error();
    Pipe pipe;
    pipe.ring_ = ring.take();
    pipe.packet_bytes_ = packet_bytes;
    pipe.max_packets_ = max_packets;
    Result<std::unique_ptr<Queue>> queue = Queue::create(device);
    if (!queue) return queue.error();
    TRY(empty_pipe_ring(**queue, pipe.ring_, max_packets));
    TRY((*queue)->finish());
    return pipe;
}

}  // namespace caldera::runtime
