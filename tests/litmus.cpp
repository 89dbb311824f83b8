// SPDX-License-Identifier: Apache-2.0
// litmus [ROUNDS]: small tests of the memory model, each so many times, between work-items of other work-groups. Counts every
// outcome, and fails when one comes that OpenCL C 2.0 forbids (6.13.11, C11 5.1.2.4).
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "vulkan/build_program.h"

using namespace caldera;

namespace {

/// A round has two variables, which lie apart, and one or two results. Its threads are work-items of neighbouring work-groups,
/// which first wait for each other, so long as it is likely that they all run.
constexpr const char* kSource = R"(
#define STORE(p, order) atomic_store_explicit(p, 1, memory_order_##order, memory_scope_device)
#define LOAD(p, order) atomic_load_explicit(p, memory_order_##order, memory_scope_device)
#define X(round) (&variables[(round)])
#define Y(round) (&variables[rounds + (round)])
// The work-items of work-group g, of T * n such, are thread g % T of the rounds of g / T.
#define ROUND(threads) (get_group_id(0) / (threads) * get_local_size(0) + get_local_id(0))
#define THREAD(threads) (get_group_id(0) % (threads))
#define KERNEL(name) kernel void name(global atomic_int *variables, global int *data, global int *results, uint rounds)
#define MEET(threads)                                                                            \
    uint round = ROUND(threads), thread = THREAD(threads);                                       \
    if (round >= rounds) return;                                                                 \
    global atomic_int *arrived = &variables[2 * rounds + get_group_id(0) / (threads)];           \
    if (get_local_id(0) == 0) {                                                                  \
        atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed, memory_scope_device);        \
        for (int i = 0; i < 300; i++)                                                            \
            if (atomic_load_explicit(arrived, memory_order_relaxed, memory_scope_device) == (threads)) break; \
    }                                                                                            \
    work_group_barrier(CLK_LOCAL_MEM_FENCE)

#define MESSAGE_PASSING(name, write, read)                                                       \
    KERNEL(name) {                                                                               \
        MEET(2);                                                                                 \
        if (thread == 0) {                                                                       \
            data[round] = 1;                                                                     \
            write;                                                                               \
        } else {                                                                                 \
            int flag;                                                                            \
            read;                                                                                \
            /* without the flag this is a race, whose result counts for nothing */               \
            results[round] = flag ? 2 + data[round] : 0;                                         \
        }                                                                                        \
    }
MESSAGE_PASSING(message_passing, STORE(Y(round), release), flag = LOAD(Y(round), acquire))
MESSAGE_PASSING(message_passing_sc, STORE(Y(round), seq_cst), flag = LOAD(Y(round), seq_cst))
MESSAGE_PASSING(message_passing_fences,
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device); STORE(Y(round), relaxed),
    flag = LOAD(Y(round), relaxed); atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device))
MESSAGE_PASSING(message_passing_exchange, atomic_exchange_explicit(Y(round), 1, memory_order_release),
    int none = 0; atomic_compare_exchange_strong_explicit(Y(round), &none, 2, memory_order_acq_rel, memory_order_acquire);
    flag = none)

#define STORE_BUFFERING(name, fence, order)                                                      \
    KERNEL(name) {                                                                               \
        MEET(2);                                                                                 \
        STORE(thread ? Y(round) : X(round), order);                                              \
        fence;                                                                                   \
        results[round * 2 + thread] = LOAD(thread ? X(round) : Y(round), order);                 \
    }
STORE_BUFFERING(store_buffering, , seq_cst)
STORE_BUFFERING(store_buffering_fences,
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device), relaxed)
STORE_BUFFERING(store_buffering_relaxed, , relaxed)

#define IRIW(name, order)                                                                        \
    KERNEL(name) {                                                                               \
        MEET(4);                                                                                 \
        if (thread < 2) {                                                                        \
            STORE(thread ? Y(round) : X(round), order);                                          \
        } else {                                                                                 \
            int first = LOAD(thread == 2 ? X(round) : Y(round), order);                          \
            int second = LOAD(thread == 2 ? Y(round) : X(round), order);                         \
            results[round * 2 + thread - 2] = first * 2 + second;                                \
        }                                                                                        \
    }
IRIW(iriw, seq_cst)
IRIW(iriw_relaxed, relaxed)
)";

constexpr uint32_t kLocal = 64, kMost = 16;

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
                 const Litmus& test, uint32_t rounds) {
    Result<runtime::Kernel> kernel = runtime::Kernel::create(program, test.kernel);
    if (!kernel) return kernel.error();
    const uint32_t groups = (rounds + kLocal - 1) / kLocal;
    const uint64_t words[] = {uint64_t{2} * rounds + groups, rounds, uint64_t{rounds} * test.results};
    std::array<runtime::Buffer, 3> buffers;
    for (uint32_t i = 0; i < 3; ++i) {
        Result<runtime::Buffer> buffer = zeros(device, queue, words[i]);
        if (!buffer) return buffer.error();
        buffers[i] = buffer.take();
        if (Result<Done> done = kernel->set(i, buffers[i]); !done) return done;
    }
    if (Result<Done> done = kernel->set(3, rounds); !done) return done;
    const runtime::NDRange range{.global = {uint64_t{groups} * test.threads * kLocal, 1, 1},
                                 .local = {kLocal, 1, 1}};
    if (Result<runtime::Event> event = queue.dispatch(*kernel, range); !event) return event.error();
    std::vector<uint32_t> results(words[2]);
    if (Result<Done> done = queue.download(buffers[2], 0, std::as_writable_bytes(std::span(results))); !done)
        return done;

    std::array<uint32_t, kMost> counts = {};
    for (uint32_t round = 0; round < rounds; ++round) {
        uint32_t outcome = results[round * test.results];
        if (test.results == 2) outcome += results[round * 2 + 1] * test.outcomes;
        if (outcome >= kMost)
            return Error{.message = std::string(test.kernel) + ": a result that no thread writes"};
        ++counts[outcome];
    }
    std::printf("%-26s", test.kernel);
    for (uint32_t outcome = 0; outcome < kMost; ++outcome)
        if (counts[outcome]) std::printf("  %u: %u", outcome, counts[outcome]);
    std::printf("\n");
    if (test.forbidden < 0 || counts[static_cast<uint32_t>(test.forbidden)] == 0) return Done{};
    return Error{.message = std::string(test.kernel) + ": " + test.forbidden_text + ", " +
                            std::to_string(counts[static_cast<uint32_t>(test.forbidden)]) + " times of " +
                            std::to_string(rounds)};
}

Result<Done> run_all(uint32_t rounds) {
    Result<std::unique_ptr<runtime::Device>> device = runtime::Device::open();
    if (!device) return device.error();
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return queue.error();
    BuildOptions options;
    if (Result<Done> done = frontend::parse_build_options("-cl-std=CL2.0", options.compile); !done)
        return done;
    BuildResult built = build_program(**device, kSource, "litmus.cl", options);
    if (!built) return Error{.message = built.log};
    std::printf("%s: outcomes of %u rounds\n", (*device)->name().c_str(), rounds);
    std::string failures;
    for (const Litmus& test : kTests)
        if (Result<Done> done = run(**device, **queue, *built.program, test, rounds); !done)
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
