// SPDX-License-Identifier: Apache-2.0
// pipe_stress [PACKETS [TURNS]]: many work-items use one pipe at the same time.
//
// Exchange: 1,000 work-items send PACKETS packets. They write and read concurrently, one packet at a time and
// by reservations. The test fails when a packet is lost or arrives twice. The kernel has both ends of the
// pipe, which the language leaves undefined for users (6.13.16), but that is where readers and writers
// contend most.
//
// Fill and drain: 65,536 work-items each write a packet into a pipe that has room for all of them, then as
// many work-items each read one. This repeats TURNS times for each kind of reservation. The test fails when a
// call reports the pipe full or empty, which it never is.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;

namespace {

constexpr uint32_t kWorkItems = 1000, kRounds = 16, kMaxPackets = 777;

/// Work-item i writes next[i], next[i] + step, next[i] + 2 step, ... while these are below `count` and the
/// pipe has room. got[i] counts the packets that it read, seen[packet] how often each packet arrived.
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

/// NAME_fill writes a packet per work-item, NAME_drain reads one; both count refusals.
constexpr const char* kFillAndDrain = R"(
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void each_fill(write_only pipe uint to, global uint *refused) {
    uint packet = get_global_id(0);
    if (write_pipe(to, &packet) != 0) atomic_inc(refused);
}
kernel void each_drain(read_only pipe uint from, global uint *refused, global uint *seen) {
    uint packet;
    if (read_pipe(from, &packet) != 0) atomic_inc(refused); else atomic_inc(&seen[packet]);
}
#define RESERVING(NAME, PREFIX, COUNT, INDEX)                                                                \
    kernel void NAME##_fill(write_only pipe uint to, global uint *refused) {                                 \
        uint packet = get_global_id(0);                                                                      \
        reserve_id_t id = PREFIX##reserve_write_pipe(to, COUNT);                                             \
        if (!is_valid_reserve_id(id)) { atomic_inc(refused); return; }                                       \
        write_pipe(to, id, INDEX, &packet);                                                                  \
        PREFIX##commit_write_pipe(to, id);                                                                   \
    }                                                                                                        \
    kernel void NAME##_drain(read_only pipe uint from, global uint *refused, global uint *seen) {            \
        uint packet;                                                                                         \
        reserve_id_t id = PREFIX##reserve_read_pipe(from, COUNT);                                            \
        if (!is_valid_reserve_id(id)) { atomic_inc(refused); return; }                                       \
        read_pipe(from, id, INDEX, &packet);                                                                 \
        PREFIX##commit_read_pipe(from, id);                                                                  \
        atomic_inc(&seen[packet]);                                                                           \
    }
RESERVING(reserved, , 1, 0)
RESERVING(sub_group, sub_group_, get_sub_group_size(), get_sub_group_local_id())
RESERVING(work_group, work_group_, get_local_size(0), get_local_id(0))
)";
constexpr uint32_t kFilling = 65536, kFillingGroup = 64;

struct Stress {
    std::unique_ptr<runtime::Device> device = {};
    std::unique_ptr<runtime::Queue> queue = {};

    Result<BuildResult> build(const char* source) const {
        BuildOptions options;
        if (Result<Done> done = frontend::parse_build_options("-cl-std=CL3.0", options.compile); !done)
            return done.error();
        BuildResult built = build_program(*device, source, "pipe_stress.cl", options);
        if (!built) return Error{.message = built.log};
        return built;
    }
    Result<Done> exchange(uint32_t count) const;
    Result<Done> fill_and_drain(runtime::Program& program, const std::string& name) const;
    Result<Done> fill_and_drain(uint32_t turns) const;
};

/// One turn.
Result<Done> Stress::fill_and_drain(runtime::Program& program, const std::string& name) const {
    Result<runtime::Kernel> fill = runtime::Kernel::create(program, name + "_fill");
    if (!fill) return fill.error();
    Result<runtime::Kernel> drain = runtime::Kernel::create(program, name + "_drain");
    if (!drain) return drain.error();
    Result<runtime::Pipe> pipe = runtime::Pipe::create(*device, 4, kFilling + 3);
    if (!pipe) return pipe.error();
    Result<runtime::Buffer> refused = runtime::Buffer::create(*device, 8);
    if (!refused) return refused.error();
    Result<runtime::Buffer> seen = runtime::Buffer::create(*device, kFilling * 4);
    if (!seen) return seen.error();
    if (Result<runtime::Event> event = queue->fill(*refused, 0, 8, 0); !event) return event.error();
    if (Result<runtime::Event> event = queue->fill(*seen, 0, kFilling * 4, 0); !event) return event.error();
    for (const Result<Done>& done : {fill->set(0, *pipe), fill->set(1, *refused), drain->set(0, *pipe),
                                     drain->set(1, *refused), drain->set(2, *seen)})
        if (!done) return done.error();
    const runtime::NDRange range{.global = {kFilling, 1, 1}, .local = {kFillingGroup, 1, 1}};
    for (const runtime::Kernel* kernel : {&*fill, &*drain})
        if (Result<runtime::Event> event = queue->dispatch(*kernel, range); !event) return event.error();
    uint32_t count = 0;
    std::vector<uint32_t> times(kFilling);
    if (Result<Done> done = queue->download(*refused, 0, std::as_writable_bytes(std::span(&count, 1))); !done)
        return done;
    if (count != 0)
        return Error{.message = name + ": " + std::to_string(count) + " calls found the pipe full or empty"};
    if (Result<Done> done = queue->download(*seen, 0, std::as_writable_bytes(std::span(times))); !done)
        return done;
    if (std::ranges::count(times, 1u) != kFilling)
        return Error{.message = name + ": not each packet came once"};
    return Done{};
}

Result<Done> Stress::fill_and_drain(uint32_t turns) const {
    Result<BuildResult> built = build(kFillAndDrain);
    if (!built) return built.error();
    for (const char* name : {"each", "reserved", "sub_group", "work_group"}) {
        uint32_t bad = 0;
        std::string message;
        for (uint32_t turn = 0; turn < turns; ++turn)
            if (Result<Done> done = fill_and_drain(*built->program, name); !done) {
                ++bad;
                message = done.error().message;
            }
        if (bad != 0)
            return Error{.message = message + " (in " + std::to_string(bad) + " of " + std::to_string(turns) +
                                    " turns)"};
    }
    std::printf("%s: %u packets in and out, each once, in 4 times %u turns\n", device->name().c_str(),
                kFilling, turns);
    return Done{};
}

Result<Done> Stress::exchange(uint32_t count) const {
    Result<BuildResult> built = build(kSource);
    if (!built) return built.error();
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built->program, "exchange");
    if (!kernel) return kernel.error();
    Result<runtime::Pipe> pipe = runtime::Pipe::create(*device, 4, kMaxPackets);
    if (!pipe) return pipe.error();

    std::vector<uint32_t> next(kWorkItems), got(kWorkItems), seen(count);
    for (uint32_t i = 0; i < kWorkItems; ++i) next[i] = i;
    runtime::Buffer buffers[3];
    std::vector<uint32_t>* const contents[] = {&next, &got, &seen};
    for (uint32_t i = 0; i < 3; ++i) {
        Result<runtime::Buffer> buffer = runtime::Buffer::create(*device, contents[i]->size() * 4);
        if (!buffer) return buffer.error();
        buffers[i] = buffer.take();
        if (Result<Done> done = queue->upload(buffers[i], 0, std::as_bytes(std::span(*contents[i]))); !done)
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
        if (Result<runtime::Event> event = queue->dispatch(*kernel, range); !event) return event.error();
        if (Result<Done> done = queue->download(buffers[1], 0, std::as_writable_bytes(std::span(got))); !done)
            return done;
        const uint64_t before = total;
        total = 0;
        for (const uint32_t each : got) total += each;
        if (total == before) return Error{.message = "only " + std::to_string(total) + " packets arrived"};
    }
    if (Result<Done> done = queue->download(buffers[2], 0, std::as_writable_bytes(std::span(seen))); !done)
        return done;
    for (uint32_t packet = 0; packet < count; ++packet)
        if (seen[packet] != 1)
            return Error{.message = "packet " + std::to_string(packet) + " came " +
                                    std::to_string(seen[packet]) + " times"};
    std::printf("%s: %u packets, each once, in %llu dispatches\n", device->name().c_str(), count,
                static_cast<unsigned long long>(dispatches));
    return Done{};
}

Result<Done> run(uint32_t count, uint32_t turns) {
    Result<std::unique_ptr<runtime::Device>> device = runtime::open_device();
    if (!device) return device.error();
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return queue.error();
    const Stress stress{.device = device.take(), .queue = queue.take()};
    if (Result<Done> done = stress.exchange(count); !done) return done;
    return stress.fill_and_drain(turns);
}

uint32_t number(const char* text) { return static_cast<uint32_t>(std::strtoul(text, nullptr, 10)); }

}  // namespace

int main(int argc, char** argv) {
    const Result<Done> done = run(argc > 1 ? number(argv[1]) : 100000, argc > 2 ? number(argv[2]) : 5);
    if (!done) std::fprintf(stderr, "pipe_stress: %s\n", done.error().message.c_str());
    return done ? 0 : 1;
}
