// SPDX-License-Identifier: Apache-2.0
// pipe_stress [PACKETS]: sends that many packets through a pipe by 1,000 work-items, which write and read at the same time, one by
// one and by reservations; fails when one is lost or comes twice. One kernel has both ends of the pipe, which the language
// leaves undefined for users (6.13.16): that is where readers and writers meet most.
#include <cstdio>
#include <cstdlib>

#include "vulkan/build_program.h"

using namespace caldera;

namespace {

constexpr uint32_t kWorkItems = 1000, kRounds = 16, kMaxPackets = 777;

/// Work-item i writes next[i], next[i] + work-items, ... below `count`, as far as there is room; read[i] counts what it got.
constexpr const char* kSource = R"(
kernel void exchange(write_only pipe uint to, read_only pipe uint from, uint count, uint rounds, global uint *next,
                     global uint *got, global uint *seen) {
    uint i = get_global_id(0), step = get_global_size(0), packet;
    for (uint round = 0; round < rounds; round++) {
        if (next[i] < count && write_pipe(to, &next[i]) == 0) next[i] += step;
        if (next[i] + 2 * step < count) {
            reserve_id_t id = reserve_write_pipe(to, 3);
            if (is_valid_reserve_id(id)) {
                for (uint k = 0; k < 3; k++, next[i] += step) write_pipe(to, id, k, &next[i]);
                commit_write_pipe(to, id);
            }
        }
        for (uint k = 0; k < 2; k++)
            if (read_pipe(from, &packet) == 0) {
                atomic_inc(&seen[packet]);
                got[i]++;
            }
        reserve_id_t id = reserve_read_pipe(from, 2);
        if (is_valid_reserve_id(id)) {
            for (uint k = 0; k < 2; k++) {
                read_pipe(from, id, k, &packet);
                atomic_inc(&seen[packet]);
            }
            commit_read_pipe(from, id);
            got[i] += 2;
        }
    }
}
)";

Result<Done> run(uint32_t count) {
    Result<std::unique_ptr<runtime::Device>> device = runtime::Device::open();
    if (!device) return device.error();
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return queue.error();
    BuildOptions options;
    if (Result<Done> done = frontend::parse_build_options("-cl-std=CL2.0", options.compile); !done)
        return done;
    BuildResult built = build_program(**device, kSource, "pipe_stress.cl", options);
    if (!built) return Error{.message = built.log};
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, "exchange");
    if (!kernel) return kernel.error();
    Result<runtime::Pipe> pipe = runtime::Pipe::create(**device, 4, kMaxPackets);
    if (!pipe) return pipe.error();

    std::vector<uint32_t> next(kWorkItems), got(kWorkItems), seen(count);
    for (uint32_t i = 0; i < kWorkItems; ++i) next[i] = i;
    runtime::Buffer buffers[3];
    std::vector<uint32_t>* const contents[] = {&next, &got, &seen};
    for (uint32_t i = 0; i < 3; ++i) {
        Result<runtime::Buffer> buffer = runtime::Buffer::create(**device, contents[i]->size() * 4);
        if (!buffer) return buffer.error();
        buffers[i] = buffer.take();
        if (Result<Done> done = (*queue)->upload(buffers[i], 0, std::as_bytes(std::span(*contents[i])));
            !done)
            return done;
        if (Result<Done> done = kernel->set(4 + i, buffers[i]); !done) return done;
    }
    for (const Result<Done>& done :
         {kernel->set(0, *pipe), kernel->set(1, *pipe), kernel->set(2, count), kernel->set(3, kRounds)})
        if (!done) return done.error();

    const runtime::NDRange range{.global = {kWorkItems, 1, 1}, .local = {100, 1, 1}};
    uint64_t total = 0, dispatches = 0;
    while (total < count) {
        ++dispatches;
        if (Result<runtime::Event> event = (*queue)->dispatch(*kernel, range); !event) return event.error();
        if (Result<Done> done = (*queue)->download(buffers[1], 0, std::as_writable_bytes(std::span(got)));
            !done)
            return done;
        const uint64_t before = total;
        total = 0;
        for (const uint32_t each : got) total += each;
        if (total == before) return Error{.message = "only " + std::to_string(total) + " packets arrived"};
    }
    if (Result<Done> done = (*queue)->download(buffers[2], 0, std::as_writable_bytes(std::span(seen))); !done)
        return done;
    for (uint32_t packet = 0; packet < count; ++packet)
        if (seen[packet] != 1)
            return Error{.message = "packet " + std::to_string(packet) + " came " +
                                    std::to_string(seen[packet]) + " times"};
    std::printf("%s: %u packets, each once, in %llu dispatches\n", (*device)->name().c_str(), count,
                static_cast<unsigned long long>(dispatches));
    return Done{};
}

}  // namespace

int main(int argc, char** argv) {
    const Result<Done> done =
        run(argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 100000);
    if (!done) std::fprintf(stderr, "pipe_stress: %s\n", done.error().message.c_str());
    return done ? 0 : 1;
}
