// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/pipe.h"

#include "vulkan/interface.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {

Result<Pipe> Pipe::create(Device& device, uint32_t packet_bytes, uint32_t max_packets) {
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
    Result<Buffer> ring = Buffer::create(device, words * 4);
    if (!ring) return ring.error();
    Pipe pipe;
    pipe.ring_ = ring.take();
    pipe.packet_bytes_ = packet_bytes;
    pipe.max_packets_ = max_packets;
    Result<std::unique_ptr<Queue>> queue = Queue::create(device);
    if (!queue) return queue.error();
    Result<Event> filled = (*queue)->fill(pipe.ring_, 0, 4, max_packets);
    if (filled) filled = (*queue)->fill(pipe.ring_, 4, (states_end - 1) * 4, 0);
    if (!filled) return filled.error();
    if (Result<Done> done = (*queue)->finish(); !done) return done.error();
    return pipe;
}

}  // namespace caldera::runtime
