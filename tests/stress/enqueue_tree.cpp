// SPDX-License-Identifier: Apache-2.0
// enqueue_tree [COMMANDS]: kernels enqueue kernels until COMMANDS of them have run. The test fails when a
// kernel does not run or runs twice. There are three shapes:
//
//   tree      each kernel enqueues four more
//   at_once   a thousand work-items enqueue all of them at the same time
//   chain     a hundredth as many kernels, each of which waits for the event of the one before
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "vulkan/build_program.h"
#include "vulkan/runtime/device_queue.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;

namespace {

constexpr const char* kSource = R"(
void tree_node(global uint *seen, queue_t q, uint node, uint count) {
    atomic_inc(&seen[node]);
    for (uint child = 4 * node + 1; child <= 4 * node + 4 && child < count; child++)
        if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ tree_node(seen, q, child, count); }) != 0)
            seen[child] = 1000;
}
kernel void tree(global uint *seen, uint count, queue_t q) {
    if (get_global_id(0) == 0) tree_node(seen, q, 0, count);
}

kernel void at_once(global uint *seen, uint count, queue_t q) {
    for (uint node = get_global_id(0); node < count; node += get_global_size(0))
        if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_inc(&seen[node]); }) != 0)
            seen[node] = 1000;
}

void chain_node(global uint *seen, queue_t q, uint node, uint count) {
    seen[node] += node == 0 || seen[node - 1] == 1 ? 1 : 1000;
    if (node + 1 == count) return;
    clk_event_t event;
    if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{}) != 0) seen[node] = 2000;
    if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, NULL,
                       ^{ chain_node(seen, q, node + 1, count); }) != 0)
        seen[node] = 3000;
    release_event(event);
}
kernel void chain(global uint *seen, uint count, queue_t q) {
    if (get_global_id(0) == 0) chain_node(seen, q, 0, count);
}
)";

struct Setup {
    runtime::Device& device;
    runtime::Program& program;
    runtime::Queue& queue;
    runtime::DeviceQueue& device_queue;
};

Result<Done> run(const Setup& setup, const char* name, uint32_t count) {
    Result<runtime::Kernel> kernel = runtime::Kernel::create(setup.program, name);
    if (!kernel) return kernel.error();
    std::vector<uint32_t> seen(count);
    const auto bytes = std::as_writable_bytes(std::span(seen));
    Result<runtime::Buffer> buffer = runtime::Buffer::create(setup.device, bytes.size());
    if (!buffer) return buffer.error();
    if (Result<Done> done = setup.queue.upload(*buffer, 0, bytes); !done) return done;
    for (const Result<Done>& done :
         {kernel->set(0, *buffer), kernel->set(1, count), kernel->set_queue(2, setup.device_queue.handle())})
        if (!done) return done;
    const auto begin = std::chrono::steady_clock::now();
    Result<runtime::DeviceQueue::Outcome> outcome =
        setup.device_queue.run(setup.queue, *kernel, {.global = {1000, 1, 1}, .local = {100, 1, 1}});
    if (!outcome) return outcome.error();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (Result<Done> done = setup.queue.download(*buffer, 0, bytes); !done) return done;
    if (outcome->status != 0)
        return Error{.message = std::string(name) + " ends with status " + std::to_string(outcome->status)};
    for (uint32_t node = 0; node < count; ++node)
        if (seen[node] != 1)
            return Error{.message = std::string(name) + ": command " + std::to_string(node) + " was seen " +
                                    std::to_string(seen[node]) + " times"};
    std::printf("%s: %s, %llu commands, each once, in %.2f s\n", setup.device.name().c_str(), name,
                static_cast<unsigned long long>(outcome->commands), seconds.count());
    return Done{};
}

Result<Done> run(uint32_t count) {
    Result<std::unique_ptr<runtime::Device>> device = runtime::open_device();
    if (!device) return device.error();
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return queue.error();
    Result<std::unique_ptr<runtime::DeviceQueue>> device_queue =
        runtime::DeviceQueue::create(**device, {.size_bytes = 256ull * count + 65536, .max_events = 64});
    if (!device_queue) return device_queue.error();
    BuildOptions options;
    if (Result<Done> done = frontend::parse_build_options("-cl-std=CL2.0", options.compile); !done)
        return done;
    BuildResult built = build_program(**device, kSource, "enqueue_tree.cl", options);
    if (!built) return Error{.message = built.log};
    const Setup setup{**device, *built.program, **queue, **device_queue};
    for (const auto& [name, commands] :
         {std::pair{"tree", count}, std::pair{"at_once", count}, std::pair{"chain", count / 100 + 1}})
        if (Result<Done> done = run(setup, name, commands); !done) return done;
    return Done{};
}

}  // namespace

int main(int argc, char** argv) {
    const Result<Done> done =
        run(argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 100000);
    if (!done) std::fprintf(stderr, "enqueue_tree: %s\n", done.error().message.c_str());
    return done ? 0 : 1;
}
