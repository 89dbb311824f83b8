// SPDX-License-Identifier: Apache-2.0
// Queue: dispatches kernels with their arguments, and handles their output.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "spirv/support/try.h"
#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {
namespace {

constexpr uint32_t kMaxLaunches = 4096;  // launches of one command in a batch

}  // namespace

/// The kernel's arguments with this region's hidden arguments.
std::vector<std::byte> Queue::argument_block(const Launch& launch, const Region& region) const {
    const Kernel& kernel = *launch.kernel;
    const NDRange& range = launch.range;
    std::vector<std::byte> block = kernel.block_;
    auto put = [&block](uint32_t at, const auto& value) {
        std::memcpy(block.data() + at, &value, sizeof value);
    };
    for (const vulkan::HiddenArgument& hidden : kernel.interface().hidden) {
        const uint32_t at = hidden.offset_bytes;
        Size3 wide = {};
        std::array<uint32_t, 3> narrow = {};
        switch (hidden.kind) {
            case vulkan::HiddenKind::GlobalOffset: put(at, range.offset); break;
            case vulkan::HiddenKind::GlobalSize: put(at, range.global); break;
            case vulkan::HiddenKind::NumGroups:
                for (size_t d = 0; d < 3; ++d)
                    narrow[d] = static_cast<uint32_t>(range.global[d] / range.local[d] +
                                                      (range.global[d] % range.local[d] != 0));
                put(at, narrow);
                break;
            case vulkan::HiddenKind::EnqueuedLocalSize:
                for (size_t d = 0; d < 3; ++d) narrow[d] = static_cast<uint32_t>(range.local[d]);
                put(at, narrow);
                break;
            case vulkan::HiddenKind::GroupBase: put(at, region.group_base); break;
            case vulkan::HiddenKind::GlobalIdBase:
                for (size_t d = 0; d < 3; ++d) wide[d] = range.offset[d] + region.id_base[d];
                put(at, wide);
                break;
            case vulkan::HiddenKind::WorkDim: put(at, range.dimensions); break;
            case vulkan::HiddenKind::DataSegment: put(at, kernel.program().data_segment_address()); break;
            case vulkan::HiddenKind::PrintfBuffer: put(at, printf_buffer_.address()); break;
            case vulkan::HiddenKind::DeviceQueue: put(at, launch.device_queue->address()); break;
            case vulkan::HiddenKind::Command: put(at, launch.command); break;
            case vulkan::HiddenKind::RegionSize: put(at, region.size); break;
            case vulkan::HiddenKind::PrivateMemory: put(at, private_memory_.buffer()->address()); break;
        }
    }
    return block;
}

Result<Done> Queue::bind_arguments(Batch& batch, const Launch& launch, std::span<const std::byte> block) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    const VkPipelineLayout layout = kernel.program().pipeline_layout(interface);
    auto push = [&](const void* data, size_t size_bytes) {
        vkCmdPushConstants(batch.commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<uint32_t>(size_bytes), data);
    };
    Result<Slice> slice = Slice{};
    if (interface.block == vulkan::ArgumentBlock::PushConstants) {
        if (!block.empty()) push(block.data(), block.size());
    } else {
        slice = stage(block.size());
        if (!slice) return slice.error();
        std::memcpy(slice->data, block.data(), block.size());
    }
    if (interface.block == vulkan::ArgumentBlock::Buffer) {
        const uint64_t address = slice->address();
        push(&address, sizeof address);
    }
    if (!kernel.program().descriptor_layout(interface)) return Done{};
    return bind_descriptors(batch, launch, slice->buffer ? &*slice : nullptr, block.size());
}

/// `block` is the place of the argument block if it is a uniform buffer.
Result<Done> Queue::bind_descriptors(Batch& batch, const Launch& launch, const Slice* block,
                                     uint64_t block_bytes) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    const DescriptorLayout& layout = *kernel.program().descriptor_layout(interface);
    std::vector<BufferBinding> buffers;
    for (size_t i = 0; i < interface.arguments.size(); ++i) {
        if (interface.arguments[i].binding == vulkan::kNoBinding) continue;
        buffers.push_back(kernel.buffers_[i]);
        if (buffers.back().info.buffer) continue;
        TRY(make_zeros());  // NULL
        buffers.back().info = {.buffer = zeros_.vk(), .range = VK_WHOLE_SIZE};
    }
    if (block)
        buffers.push_back(
            {.binding = interface.block_binding,
             .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
             .info = {.buffer = block->buffer->vk(), .offset = block->offset, .range = block_bytes}});
    auto bind = [&](uint32_t number, VkDescriptorSetLayout set_layout,
                    std::span<const BufferBinding> bindings) -> Result<Done> {
        Result<VkDescriptorSet> set = batch.descriptors.make(device_, set_layout, bindings);
        if (!set) return set.error();
        vkCmdBindDescriptorSets(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.pipeline_layout(),
                                number, 1, &*set, 0, nullptr);
        return Done{};
    };
    TRY(bind(0, layout.arguments(), buffers));
    std::vector<BufferBinding> program;
    const Buffer& data = kernel.program().data_segment();
    if (data.size_bytes() != 0)
        program.push_back(
            {.binding = vulkan::kDataSegmentBinding, .info = {.buffer = data.vk(), .range = VK_WHOLE_SIZE}});
    if (interface.prints)
        program.push_back({.binding = vulkan::kPrintfBufferBinding,
                           .info = {.buffer = printf_buffer_.vk(), .range = VK_WHOLE_SIZE}});
    if (interface.enqueues)
        program.push_back({.binding = vulkan::kDeviceQueueBinding,
                           .info = {.buffer = launch.device_queue->vk(), .range = VK_WHOLE_SIZE}});
    if (const std::vector<vulkan::ImageDescriptor> table = kernel.argument_table(); !table.empty()) {
        const auto bytes = std::as_bytes(std::span(table));
        Result<Slice> slice = stage(bytes.size());
        if (!slice) return slice.error();
        std::memcpy(slice->data, bytes.data(), bytes.size());
        program.push_back(
            {.binding = vulkan::kArgumentTableBinding,
             .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
             .info = {.buffer = slice->buffer->vk(), .offset = slice->offset, .range = bytes.size()}});
    }
    if (interface.private_bytes != 0) {
        const Buffer& memory = *private_memory_.buffer();
        const uint64_t range =
            std::min<uint64_t>(memory.size_bytes(), device_.limits().maxStorageBufferRange);
        program.push_back(
            {.binding = vulkan::kPrivateMemoryBinding, .info = {.buffer = memory.vk(), .range = range}});
    }
    return program.empty() ? Done{} : bind(vulkan::kDataSegmentSet, layout.program(), program);
}

Result<Done> Queue::record_region(Batch& batch, const Launch& launch, const Region& region) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    if (interface.private_bytes != 0) {
        if (uses_private_memory_) full_barrier(batch.commands, kStages, kDeviceAccess);
        uses_private_memory_ = true;
    }
    const bool has_base = region.group_base != std::array<uint32_t, 3>{} || region.id_base != Size3{} ||
                          launch.range.offset != Size3{};
    const uint64_t work_items = uint64_t{region.size[0]} * region.size[1] * region.size[2];
    Result<VkPipeline> pipeline = kernel.program().pipeline(
        interface, {.local_size = region.local_size,
                    .has_base = has_base,
                    .has_full_groups = region.has_full_groups() && work_items > kFewWorkItems,
                    .printf_words = static_cast<uint32_t>(options_.printf_bytes / 4),
                    .constants = kernel.constants_,
                    .work_items = work_items});
    if (!pipeline) return pipeline.error();
    vkCmdBindPipeline(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE, *pipeline);
    TRY(bind_arguments(batch, launch, argument_block(launch, region)));
    vkCmdDispatch(batch.commands, region.group_count[0], region.group_count[1], region.group_count[2]);
    return Done{};
}

Result<Event> Queue::dispatch(const Kernel& kernel, const NDRange& range) {
    Launch launch{.kernel = &kernel, .range = range};
    if (auto fault = check_launch(kernel, launch.range)) return Error{.message = std::move(fault->message)};
    return dispatch(launch);
}

Result<Event> Queue::dispatch(const Launch& launch) {
    Result<std::vector<Event>> events = dispatch_all({&launch, 1});
    if (!events) return events.error();
    return events->front();
}

Result<std::vector<Event>> Queue::dispatch_all(std::span<const Launch> launches) {
    Recording recording(*this);
    std::vector<Event> events;
    for (std::span<const Launch> rest = launches; !rest.empty();) {
        Result<Batch*> batch = open_batch();
        if (!batch) return batch.error();
        const uint32_t room = (*batch)->queries ? kMaxCommands - (*batch)->command_count : kMaxLaunches;
        const std::span<const Launch> now = rest.first(std::min<size_t>(rest.size(), room));
        TRY(record(now, events));
        rest = rest.subspan(now.size());
    }
    return recording.end(Result<std::vector<Event>>(std::move(events)));
}

/// Records the launches as one command of the open batch.
Result<Done> Queue::record(std::span<const Launch> launches, std::vector<Event>& events) {
    Batch& batch = *open_;
    const auto prints = std::ranges::find_if(
        launches, [](const Launch& launch) { return launch.kernel->interface().prints; });
    const bool has_printing = prints != launches.end();
    wants_barrier_ |= has_printing;  // they use the same printf buffer, one after another
    begin_command(batch);
    Result<Done> done = has_printing ? begin_printing(batch) : Done{};
    for (const Launch& launch : launches) {
        if (&launch != &launches.front()) {
            events.push_back(end_timing(batch));
            begin_timing(batch, options_.in_order);
        }
        if (done) done = record(batch, launch);
    }
    if (done && has_printing) done = end_printing(batch, *prints->kernel);
    wants_barrier_ |= has_printing;
    Result<Event> event = end_command(batch);
    if (!event) return event.error();
    events.push_back(event.take());
    return done;
}

/// Regions of one NDRange are work-groups of one launch, so there is no barrier between them, unless they use
/// the same private memory.
Result<Done> Queue::record(Batch& batch, const Launch& launch) {
    Launch complete = launch;
    complete.kernel = &launch.kernel->form();
    if (launch.kernel->interface().enqueues && !launch.device_queue) {
        TRY(make_zeros());
        complete.device_queue = &zeros_;
    }
    std::optional<Kernel> in_parts;
    if (complete.kernel->needs_split()) {
        Result<Kernel> kernel = complete.kernel->split();
        if (!kernel) return kernel.error();
        complete.kernel = &in_parts.emplace(kernel.take());
    }
    const Result<std::vector<Region>> regions = regions_of(batch, complete);
    if (!regions) return regions.error();
    for (const Region& region : *regions) TRY(record_region(batch, complete, region));
    return Done{};
}

Result<std::vector<Region>> Queue::regions_of(Batch& batch, const Launch& launch) {
    const vulkan::Kernel& interface = launch.kernel->interface();
    const auto& most = device_.limits().maxComputeWorkGroupCount;
    const std::array<uint32_t, 3> limit = {most[0], most[1], most[2]};
    if (interface.private_bytes == 0)
        return interface.ignores_groups ? cover(launch.range, limit) : split(launch.range, limit);
    Result<std::vector<Region>> regions =
        private_memory_.cut(interface, launch.kernel->program().interface().abi, launch.range, limit);
    if (regions) batch.kept.push_back(private_memory_.buffer());
    return regions;
}

/// Makes the buffer of zeros that tells a kernel that there is no device queue, and that no kernel accesses
/// as an argument that is NULL.
Result<Done> Queue::make_zeros() {
    if (zeros_.vk()) return Done{};
    const std::vector<std::byte> zeros(4 * vulkan::kQueueRecords);
    Result<Buffer> buffer = Buffer::create(device_, zeros.size(), MemoryUse::Upload);
    if (!buffer) return buffer.error();
    zeros_ = buffer.take();
    std::ranges::copy(zeros, zeros_.mapped());
    return Done{};
}

// ---- Printing ----

/// Clears printf's buffer, which all dispatches use one after another.
Result<Done> Queue::begin_printing(Batch& batch) {
    if (!printf_buffer_.vk()) {
        Result<Buffer> buffer = Buffer::create(device_, options_.printf_bytes);
        if (!buffer) return buffer.error();
        printf_buffer_ = buffer.take();
    }
    vkCmdFillBuffer(batch.commands, printf_buffer_.vk(), 0, 4, 0);
    full_barrier(batch.commands, kStages, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    return Done{};
}

Result<Done> Queue::end_printing(Batch& batch, const Kernel& kernel) {
    Printing printing{.table = kernel.program().printf_table()};
    if (printf_downloads_.empty()) {
        Result<Buffer> buffer = Buffer::create(device_, options_.printf_bytes, MemoryUse::Download);
        if (!buffer) return buffer.error();
        printing.words = buffer.take();
    } else {
        printing.words = std::move(printf_downloads_.back());
        printf_downloads_.pop_back();
    }
    full_barrier(batch.commands, kStages, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy copy{.size = options_.printf_bytes};
    vkCmdCopyBuffer(batch.commands, printf_buffer_.vk(), printing.words.vk(), 1, &copy);
    batch.printing.push_back(std::move(printing));
    return Done{};
}

void Queue::print(Batch& batch) {
    for (Printing& printing : batch.printing) {
        const auto* words = reinterpret_cast<const uint32_t*>(printing.words.mapped());
        print_records({words, options_.printf_bytes / 4}, *printing.table, options_.print);
        printf_downloads_.push_back(std::move(printing.words));
    }
    batch.printing.clear();
}

}  // namespace caldera::runtime
