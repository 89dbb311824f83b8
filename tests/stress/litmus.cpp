// SPDX-License-Identifier: Apache-2.0
// litmus [ROUNDS]: small tests of the memory model ("litmus tests"), each run ROUNDS times. The threads of a
// test are work-items of different work-groups or of the same one, and communicate through global or local
// memory. The program counts every outcome and fails when it sees one that OpenCL C 2.0 forbids (6.13.11, C11
// 5.1.2.4).
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;

namespace {

/// A round has two variables that lie apart, a message, and one or two results. The threads of a round are
/// work-items of neighbouring work-groups, or of one work-group with work-group scope. Neighbouring
/// work-groups first wait for each other, as long as they are likely to run at the same time. Those of one
/// work-group share global or local memory.
constexpr const char* kSource = R"(
#define STORE(p, order) atomic_store_explicit(p, 1, memory_order_##order, SCOPE)
#define LOAD(p, order) atomic_load_explicit(p, memory_order_##order, SCOPE)
#define FENCE(order) atomic_work_item_fence(MEMORY, memory_order_##order, SCOPE)
#define KERNEL(name) kernel void name(global atomic_int *variables, global int *data, global int *results, uint rounds)

#define MESSAGE_PASSING(name, write, read)                                                       \
    KERNEL(name) {                                                                               \
        MEET(2);                                                                                 \
        if (thread == 0) {                                                                       \
            *message = 1;                                                                        \
            write;                                                                               \
        } else {                                                                                 \
            int flag;                                                                            \
            read;                                                                                \
            /* without the flag this is a race, whose result counts for nothing */               \
            results[round] = flag ? 2 + *message : 0;                                            \
        }                                                                                        \
    }
#define STORE_BUFFERING(name, fence, order)                                                      \
    KERNEL(name) {                                                                               \
        MEET(2);                                                                                 \
        STORE(thread ? y : x, order);                                                            \
        fence;                                                                                   \
        results[round * 2 + thread] = LOAD(thread ? x : y, order);                               \
    }
#define IRIW(name, order)                                                                        \
    KERNEL(name) {                                                                               \
        MEET(4);                                                                                 \
        if (thread < 2) {                                                                        \
            STORE(thread ? y : x, order);                                                        \
        } else {                                                                                 \
            int first = LOAD(thread == 2 ? x : y, order);                                        \
            int second = LOAD(thread == 2 ? y : x, order);                                       \
            results[round * 2 + thread - 2] = first * 2 + second;                                \
        }                                                                                        \
    }
#define TESTS(place)                                                                             \
    MESSAGE_PASSING(place##message_passing, STORE(y, release), flag = LOAD(y, acquire))          \
    MESSAGE_PASSING(place##message_passing_sc, STORE(y, seq_cst), flag = LOAD(y, seq_cst))       \
    MESSAGE_PASSING(place##message_passing_fences, FENCE(release); STORE(y, relaxed),            \
                    flag = LOAD(y, relaxed); FENCE(acquire))                                     \
    MESSAGE_PASSING(place##message_passing_exchange,                                             \
        atomic_exchange_explicit(y, 1, memory_order_release, SCOPE),                             \
        int none = 0; atomic_compare_exchange_strong_explicit(y, &none, 2, memory_order_acq_rel, \
                                                              memory_order_acquire, SCOPE);      \
        flag = none)                                                                             \
    STORE_BUFFERING(place##store_buffering, , seq_cst)                                           \
    STORE_BUFFERING(place##store_buffering_fences, FENCE(seq_cst), relaxed)                      \
    STORE_BUFFERING(place##store_buffering_relaxed, , relaxed)                                   \
    IRIW(place##iriw, seq_cst)                                                                   \
    IRIW(place##iriw_relaxed, relaxed)

#define IN_GLOBAL_MEMORY                                                                         \
    if (round >= rounds) return;                                                                 \
    global atomic_int *x = &variables[round], *y = &variables[rounds + round];                   \
    global int *message = &data[round]

// Work-group g of T * n is thread g % T of round g / T.
#define SCOPE memory_scope_device
#define MEMORY CLK_GLOBAL_MEM_FENCE
#define MEET(threads)                                                                            \
    uint set = get_group_id(0) / (threads), thread = get_group_id(0) % (threads);                \
    uint round = set * get_local_size(0) + get_local_id(0);                                      \
    IN_GLOBAL_MEMORY;                                                                            \
    global atomic_int *arrived = &variables[2 * rounds + set];                                   \
    if (get_local_id(0) == 0) {                                                                  \
        atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed, memory_scope_device);        \
        for (int i = 0; i < 300; i++)                                                            \
            if (atomic_load_explicit(arrived, memory_order_relaxed, memory_scope_device) == (threads)) break; \
    }                                                                                            \
    work_group_barrier(CLK_LOCAL_MEM_FENCE)
TESTS()

// A work-group has ROUNDS rounds, and its first ROUNDS work-items are all kinds of threads.
#undef SCOPE
#undef MEET
#define SCOPE memory_scope_work_group
#define MEET(threads)                                                                            \
    uint here = get_local_id(0) % ROUNDS, thread = (get_local_id(0) / ROUNDS + here) % (threads);  \
    uint round = get_group_id(0) * ROUNDS + here;                                                \
    work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                     \
    IN_GLOBAL_MEMORY
TESTS(group_)

#undef MEMORY
#undef MEET
#define MEMORY CLK_LOCAL_MEM_FENCE
#define MEET(threads)                                                                            \
    uint here = get_local_id(0) % ROUNDS, thread = (get_local_id(0) / ROUNDS + here) % (threads);  \
    uint round = get_group_id(0) * ROUNDS + here;                                                \
    local atomic_int shared[2 * ROUNDS];                                                         \
    local int messages[ROUNDS];                                                                  \
    local atomic_int *x = &shared[here], *y = &shared[ROUNDS + here];                            \
    local int *message = &messages[here];                                                        \
    if (thread == 0) {                                                                           \
        atomic_init(x, 0);                                                                       \
        atomic_init(y, 0);                                                                       \
        *message = 0;                                                                            \
    }                                                                                            \
    work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                     \
    if (round >= rounds) return
TESTS(local_)
)";

constexpr uint32_t kRounds = 64;  // of a work-group
constexpr uint32_t kMost = 16;

/// The place of a round's threads and variables; kernels' names begin with `prefix`.
struct Place {
    std::string prefix;
    bool is_one_group;
};
const Place kPlaces[] = {{"", false}, {"group_", true}, {"local_", true}};

struct Litmus {
    const char* kernel;
    uint32_t threads, results;  ///< of a round
    uint32_t outcomes;          ///< of one result
    int32_t forbidden;          ///< the outcome, the second result the high digit; -1: all are allowed
    const char* forbidden_text;
};

constexpr Litmus kTests[] = {
    {"message_passing", 2, 1, 4, 2, "the flag without the message"},
    {"message_passing_sc", 2, 1, 4, 2, "the flag without the message"},
    {"message_passing_fences", 2, 1, 4, 2, "the flag without the message"},
    {"message_passing_exchange", 2, 1, 4, 2, "the flag without the message"},
    {"store_buffering", 2, 2, 2, 0, "neither store seen"},
    {"store_buffering_fences", 2, 2, 2, 0, "neither store seen"},
    {"store_buffering_relaxed", 2, 2, 2, -1, ""},
    {"iriw", 4, 2, 4, 2 + 2 * 4, "two orders of the stores seen"},
    {"iriw_relaxed", 4, 2, 4, -1, ""},
};

Result<runtime::Buffer> zeros(runtime::Device& device, runtime::Queue& queue, uint64_t words) {
    Result<runtime::Buffer> buffer = runtime::Buffer::create(device, words * 4);
    if (!buffer) return buffer;
    const std::vector<uint32_t> contents(words);
    if (Result<Done> done = queue.upload(*buffer, 0, std::as_bytes(std::span(contents))); !done)
        return done.error();
    return buffer;
}

Result<Done> run(runtime::Device& device, runtime::Queue& queue, runtime::Program& program,
                 const Litmus& test, const Place& place, uint32_t rounds) {
    const std::string name = place.prefix + test.kernel;
    Result<runtime::Kernel> kernel = runtime::Kernel::create(program, name);
    if (!kernel) return kernel.error();
    const uint32_t sets = (rounds + kRounds - 1) / kRounds;
    const uint64_t words[] = {uint64_t{2} * rounds + sets, rounds, uint64_t{rounds} * test.results};
    std::array<runtime::Buffer, 3> buffers;
    for (uint32_t i = 0; i < 3; ++i) {
        Result<runtime::Buffer> buffer = zeros(device, queue, words[i]);
        if (!buffer) return buffer.error();
        buffers[i] = buffer.take();
        if (Result<Done> done = kernel->set(i, buffers[i]); !done) return done;
    }
    if (Result<Done> done = kernel->set(3, rounds); !done) return done;
    const runtime::NDRange range{.global = {uint64_t{sets} * test.threads * kRounds, 1, 1},
                                 .local = {kRounds * (place.is_one_group ? test.threads : 1), 1, 1}};
    if (Result<runtime::Event> event = queue.dispatch(*kernel, range); !event) return event.error();
    std::vector<uint32_t> results(words[2]);
    if (Result<Done> done = queue.download(buffers[2], 0, std::as_writable_bytes(std::span(results))); !done)
        return done;

    std::array<uint32_t, kMost> counts = {};
    for (uint32_t round = 0; round < rounds; ++round) {
        uint32_t outcome = results[round * test.results];
        if (test.results == 2) outcome += results[round * 2 + 1] * test.outcomes;
        if (outcome >= kMost) return Error{.message = name + ": a result that no thread writes"};
        ++counts[outcome];
    }
    std::printf("%-32s", name.c_str());
    for (uint32_t outcome = 0; outcome < kMost; ++outcome)
        if (counts[outcome]) std::printf("  %u: %u", outcome, counts[outcome]);
    std::printf("\n");
    if (test.forbidden < 0 || counts[static_cast<uint32_t>(test.forbidden)] == 0) return Done{};
    return Error{.message = name + ": " + test.forbidden_text + ", " +
                            std::to_string(counts[static_cast<uint32_t>(test.forbidden)]) + " times of " +
                            std::to_string(rounds)};
}

Result<Done> run_all(uint32_t rounds) {
    Result<std::unique_ptr<runtime::Device>> device = runtime::open_device();
    if (!device) return device.error();
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return queue.error();
    BuildOptions options;
    if (Result<Done> done = frontend::parse_build_options("-cl-std=CL2.0 -DROUNDS=" + std::to_string(kRounds),
                                                          options.compile);
        !done)
        return done;
    BuildResult built = build_program(**device, kSource, "litmus.cl", options);
    if (!built) return Error{.message = built.log};
    std::printf("%s: outcomes of %u rounds\n", (*device)->name().c_str(), rounds);
    std::string failures;
    for (const Place& place : kPlaces)
        for (const Litmus& test : kTests)
            if (Result<Done> done = run(**device, **queue, *built.program, test, place, rounds); !done)
                failures += (failures.empty() ? "" : "\n") + done.error().message;
    if (!failures.empty()) return Error{.message = failures};
    return Done{};
}

}  // namespace

int main(int argc, char** argv) {
    const Result<Done> done =
        run_all(argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 20000);
    if (!done) std::fprintf(stderr, "litmus: %s\n", done.error().message.c_str());
    return done ? 0 : 1;
}
