// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/command_recording.h"

namespace caldera::runtime {
namespace {

constexpr uint64_t kStagingBytes = 16 << 10;
constexpr uint32_t kSetsOfRecordings = 16;

/// What a queue does around a launch and an application's command buffer cannot.
Result<Done> check_recordable(const vulkan::Kernel& kernel) {
    const auto declined = [&](const char* why) {
        return Error{.message = "kernel '" + kernel.name + "' cannot be recorded: " + why};
    };
    if (kernel.prints) return declined("it calls printf, whose text a queue reads after the dispatch");
    if (kernel.enqueues) return declined("it enqueues kernels, which a DeviceQueue runs");
    if (kernel.is_block) return declined("it is a block that kernels enqueue");
    return Done{};
}

}  // namespace

CommandRecording::CommandRecording(Device& device)
    : device_(device), memory_(kStagingBytes, kSetsOfRecordings), buffers_(device, 0, 0) {}

Result<CommandRecording::Recorded> CommandRecording::record(VkCommandBuffer commands, const Kernel& kernel,
                                                            NDRange range) {
    if (!commands) return Error{.message = "the command buffer is null"};
    if (Result<Done> done = check_recordable(kernel.interface()); !done) return done.error();
    Launch launch{.kernel = &kernel, .range = range};
    if (auto fault = check_launch(kernel, launch.range)) return Error{.message = std::move(fault->message)};
    // Another command buffer, or an earlier submission of this one, may use the private memory before it.
    buffers_.uses_private_memory = true;
    LaunchRecorder recorder(device_, memory_, buffers_);
    recorder.limit_dispatches(kMostDispatches);
    recorder.allow_later_memory();
    const Result<std::vector<Dispatch>> dispatches = recorder.prepare(launch);
    if (!dispatches) return dispatches.error();
    LaunchRecorder::record(commands, *dispatches);
    const bool has_private = kernel.form().interface().private_bytes != 0 && !dispatches->empty();
    Recorded recorded{.dispatches = static_cast<uint32_t>(dispatches->size()),
                      .private_bytes = has_private ? buffers_.private_memory.buffer()->size_bytes() : 0};
    for (const Dispatch& dispatch : *dispatches)
        if (dispatch.block) recorded.blocks.push_back(dispatch.block);
    return recorded;
}

void CommandRecording::reset() { memory_.recycle(device_); }

}  // namespace caldera::runtime
