// SPDX-License-Identifier: Apache-2.0
// Ours and the GLSL twin: they share a device and the problem's buffers.
#pragma once

#include "tests/evaluation/bench/clocks.h"
#include "tests/evaluation/bench/contestant.h"
#include "vulkan/build_program.h"

namespace caldera::bench {

/// A problem's buffers on a Vulkan device.
struct VulkanData {
    const Problem& problem;
    runtime::Device& device;
    runtime::Queue& queue;
    std::vector<runtime::Buffer> buffers = {};      // by argument; empty ones where it is no buffer
    std::vector<runtime::Buffer> twin_tables = {};  // as in the problem

    Result<Done> create();
    Result<Done> write_inputs();
    Result<Done> read(uint32_t argument, std::span<std::byte> bytes);
};

/// By the device's UUID.
Clocks clocks_of(const runtime::Device& device);
/// Must end before the queue.
Result<Burst> burst_on(runtime::Device& device, runtime::Queue& queue);

/// `data` must outlive what is made. `words` receives the translated module.
Result<std::unique_ptr<Contestant>> prepare_ours(const KernelSource& source, VulkanData& data,
                                                 const BuildOptions& options, std::vector<uint32_t>& words);
Result<std::unique_ptr<Contestant>> prepare_twin(const KernelSource& source, VulkanData& data);

}  // namespace caldera::bench
