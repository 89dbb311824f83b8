// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/launch_recorder.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "spirv/support/try.h"
#include "vulkan/check_search.h"
#include "vulkan/runtime/command_buffer.h"

namespace caldera::runtime {

// ---- Memory ----

/// Makes a buffer that is not made yet, of so many bytes, all 0.
static Result<Done> make_zeroed(Buffer& buffer, Device& device, uint64_t size_bytes) {
    if (buffer.vk()) return Done{};
    Result<Buffer> made = Buffer::create(device, size_bytes, MemoryUse::Upload);
    if (!made) return made.error();
    buffer = made.take();
    std::memset(buffer.mapped(), 0, size_bytes);
    return Done{};
}

Result<StagedSlice> CommandMemory::stage(Device& device, uint64_t size_bytes) {
    constexpr uint64_t kAlignment = 256;  // the largest minUniformBufferOffsetAlignment
    const uint64_t at = (staging_used + kAlignment - 1) / kAlignment * kAlignment;
    const bool fits_last =
        !staging.empty() && staging.back().size_bytes() == chunk_bytes && at + size_bytes <= chunk_bytes;
    if (!fits_last) {
        const uint64_t bytes = std::max(size_bytes, chunk_bytes);
        Result<Buffer> buffer = Buffer::create(device, bytes, use);
        // The window to a card's memory may be small.
        if (!buffer && use != MemoryUse::Upload) buffer = Buffer::create(device, bytes, MemoryUse::Upload);
        if (!buffer) return buffer.error();
        staging.push_back(buffer.take());
    }
    const uint64_t offset = fits_last ? at : 0;
    staging_used = offset + size_bytes;
    return StagedSlice{.buffer = &staging.back(), .offset = offset, .data = staging.back().mapped() + offset};
}

void CommandMemory::recycle(Device& device) {
    kept.clear();
    staging_used = region_bytes = 0;
    descriptors.reset(device);
    std::erase_if(staging, [this](const Buffer& buffer) { return buffer.size_bytes() != chunk_bytes; });
    if (staging.size() > 1) staging.resize(1);
}

uint64_t CommandMemory::bytes() const {
    uint64_t bytes = region_bytes;
    for (const Buffer& buffer : staging) bytes += buffer.size_bytes();
    return bytes;
}

// ---- Arguments ----

/// The kernel's arguments with this region's hidden arguments.
std::vector<std::byte> LaunchRecorder::argument_block(const Launch& launch, const Region& region) const {
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
            case vulkan::HiddenKind::PrintfBuffer: put(at, buffers_.printf.address()); break;
            case vulkan::HiddenKind::DeviceQueue: put(at, launch.device_queue->address()); break;
            case vulkan::HiddenKind::Command: put(at, launch.command); break;
            case vulkan::HiddenKind::RegionSize: put(at, region.size); break;
            case vulkan::HiddenKind::PrivateMemory:
                put(at, buffers_.private_memory.buffer()->address());
                break;
            case vulkan::HiddenKind::CheckState: put(at, check_state_); break;
            case vulkan::HiddenKind::ChannelOrder:
            case vulkan::HiddenKind::ChannelDataType:
            case vulkan::HiddenKind::SamplerMask: break;  // the argument has set it
        }
    }
    return block;
}

Result<BufferBinding> LaunchRecorder::stage_bytes(uint32_t binding, VkDescriptorType type,
                                                  std::span<const std::byte> bytes) {
    Result<StagedSlice> slice = memory_.stage(device_, bytes.size());
    if (!slice) return slice.error();
    std::memcpy(slice->data, bytes.data(), bytes.size());
    return BufferBinding{
        .binding = binding,
        .type = type,
        .info = {.buffer = slice->buffer->vk(), .offset = slice->offset, .range = bytes.size()}};
}

/// What the host provides for the program.
Result<std::vector<BufferBinding>> LaunchRecorder::program_buffers(const Launch& launch) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    std::vector<BufferBinding> buffers;
    const auto add = [&](uint32_t binding, const Buffer& buffer, VkDeviceSize range = VK_WHOLE_SIZE) {
        buffers.push_back({.binding = binding, .info = {.buffer = buffer.vk(), .range = range}});
    };
    const Buffer& data = kernel.program().data_segment();
    if (data.size_bytes() != 0) add(vulkan::kDataSegmentBinding, data);
    if (interface.prints) add(vulkan::kPrintfBufferBinding, buffers_.printf);
    if (interface.enqueues) add(vulkan::kDeviceQueueBinding, *launch.device_queue);
    if (const std::vector<vulkan::ImageDescriptor> table = kernel.argument_table(); !table.empty()) {
        Result<BufferBinding> uniform =
            stage_bytes(vulkan::kArgumentTableBinding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                        std::as_bytes(std::span(table)));
        if (!uniform) return uniform.error();
        buffers.push_back(*uniform);
    }
    if (interface.private_bytes != 0) {
        const Buffer& memory = *buffers_.private_memory.buffer();
        add(vulkan::kPrivateMemoryBinding, memory,
            std::min<uint64_t>(memory.size_bytes(), device_.limits().maxStorageBufferRange));
    }
    return buffers;
}

Result<VkDescriptorSet> LaunchRecorder::make_set(const SetLayout& layout,
                                                 std::span<const BufferBinding> buffers,
                                                 std::span<const ImageBinding> images) {
    return images.empty() ? memory_.descriptors.make(device_, layout, buffers)
                          : memory_.descriptors.make(device_, layout, buffers, images);
}

Result<LaunchRecorder::Bindings> LaunchRecorder::bind(const Launch& launch) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    Bindings bindings;
    const DescriptorLayout* layout = kernel.program().descriptor_layout(interface);
    if (layout == nullptr) return bindings;
    for (size_t i = 0; i < interface.arguments.size(); ++i) {
        if (interface.arguments[i].binding == vulkan::kNoBinding) continue;
        if (vulkan::is_vulkan_image(interface.arguments[i].kind)) {
            bindings.images.push_back(kernel.vulkan_images_[i]);
            continue;
        }
        bindings.arguments.push_back(kernel.buffers_[i]);
        if (bindings.arguments.back().info.range != 0) continue;
        TRY(make_zeros());  // NULL, or a pointer to a buffer's end, where a descriptor cannot be
        bindings.arguments.back().info = {.buffer = buffers_.zeros.vk(), .range = VK_WHOLE_SIZE};
    }
    const uint32_t argument_set = kernel.program().interface().argument_set;
    if (argument_set != 0) {
        const Result<VkDescriptorSet> set = memory_.descriptors.make(device_, layout->set(0), {}, {});
        if (!set) return set.error();
        bindings.literal_set = *set;
    }
    if (!has_binding(interface.block)) {
        const Result<VkDescriptorSet> set =
            make_set(layout->set(argument_set), bindings.arguments, bindings.images);
        if (!set) return set.error();
        bindings.argument_set = *set;
    }
    if (kernel.program().interface().abi != vulkan::Abi::Descriptors) return bindings;
    const Result<std::vector<BufferBinding>> program = program_buffers(launch);
    if (!program) return program.error();
    if (!program->empty()) {
        const Result<VkDescriptorSet> set =
            memory_.descriptors.make(device_, layout->set(argument_set + vulkan::kDataSegmentSet), *program);
        if (!set) return set.error();
        bindings.program_set = *set;
    }
    return bindings;
}

/// The block of arguments tells the dispatches of a launch apart.
Result<Done> LaunchRecorder::add_arguments(Dispatch& dispatch, const Launch& launch,
                                           std::vector<std::byte> block, const Bindings& bindings) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    VkDescriptorSet arguments = bindings.argument_set;
    switch (interface.block) {
        case vulkan::ArgumentBlock::PushConstants: dispatch.push_constants = std::move(block); break;
        case vulkan::ArgumentBlock::Buffer: {
            Result<StagedSlice> slice = memory_.stage(device_, block.size());
            if (!slice) return slice.error();
            std::memcpy(slice->data, block.data(), block.size());
            dispatch.block = slice->data;
            const uint64_t address = slice->address();
            const auto bytes = std::as_bytes(std::span(&address, 1));
            dispatch.push_constants.assign(bytes.begin(), bytes.end());
            break;
        }
        case vulkan::ArgumentBlock::UniformBuffer:
        case vulkan::ArgumentBlock::StorageBuffer: {
            Result<BufferBinding> staged =
                stage_bytes(interface.block_binding, descriptor_type(interface.block), block);
            if (!staged) return staged.error();
            std::vector<BufferBinding> buffers = bindings.arguments;
            buffers.push_back(*staged);
            const Program& program = kernel.program();
            const Result<VkDescriptorSet> set =
                make_set(program.descriptor_layout(interface)->set(program.interface().argument_set), buffers,
                         bindings.images);
            if (!set) return set.error();
            arguments = *set;
            break;
        }
    }
    for (const VkDescriptorSet set : {bindings.literal_set, arguments, bindings.program_set})
        if (set != VK_NULL_HANDLE) dispatch.sets[dispatch.set_count++] = set;
    return Done{};
}

// ---- Dispatches ----

Result<Dispatch> LaunchRecorder::dispatch_of(const Launch& launch, const Region& region,
                                             const Bindings& bindings) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    Dispatch dispatch{.layout = kernel.program().pipeline_layout(interface),
                      .group_count = region.group_count};
    if (interface.private_bytes != 0)
        dispatch.waits_for_private_memory = std::exchange(buffers_.uses_private_memory, true);
    const bool has_base = region.group_base != std::array<uint32_t, 3>{} || region.id_base != Size3{} ||
                          launch.range.offset != Size3{};
    const uint64_t work_items = uint64_t{region.size[0]} * region.size[1] * region.size[2];
    Result<SharedPipeline> pipeline = kernel.program().pipeline(
        interface, {.local_size = region.local_size,
                    .dimensions = launch.range.dimensions,
                    .has_base = has_base,
                    .has_full_groups = region.has_full_groups() && work_items > kFewWorkItems,
                    .printf_words = static_cast<uint32_t>(buffers_.printf_bytes / 4),
                    .search_limit = search_limit_,
                    .constants = kernel.constants_,
                    .work_items = work_items});
    if (!pipeline) return pipeline.error();
    dispatch.pipeline = (*pipeline)->get();
    memory_.keep(pipeline.take());
    TRY(add_arguments(dispatch, launch, argument_block(launch, region), bindings));
    return dispatch;
}

Result<std::vector<Dispatch>> LaunchRecorder::prepare(const Launch& launch) {
    Launch complete = launch;
    complete.kernel = &launch.kernel->form();
    if (launch.kernel->interface().enqueues && !launch.device_queue) {
        TRY(make_zeros());
        complete.device_queue = &buffers_.zeros;
    }
    std::optional<Kernel> in_parts;
    if (complete.kernel->needs_split()) {
        Result<Kernel> kernel = complete.kernel->split();
        if (!kernel) return kernel.error();
        complete.kernel = &in_parts.emplace(kernel.take());
    }
    const Result<std::vector<Region>> regions = regions_of(complete);
    if (!regions) return regions.error();
    std::vector<Dispatch> dispatches;
    if (regions->empty()) return dispatches;
    const Result<Bindings> bindings = bind(complete);
    if (!bindings) return bindings.error();
    TRY(stage_check_state(complete));
    dispatches.reserve(regions->size());
    for (const Region& region : *regions) {
        Result<Dispatch> dispatch = dispatch_of(complete, region, *bindings);
        if (!dispatch) return dispatch.error();
        dispatches.push_back(dispatch.take());
    }
    if (shadows_.buffer) {
        dispatches.front().cleared = shadows_.buffer->vk();
        dispatches.front().cleared_bytes = shadows_.used_bytes;
    }
    return dispatches;
}

Result<std::vector<Region>> LaunchRecorder::regions_of(const Launch& launch) {
    const vulkan::Kernel& interface = launch.kernel->interface();
    const auto& most = device_.limits().maxComputeWorkGroupCount;
    const std::array<uint32_t, 3> limit = {most[0], most[1], most[2]};
    const vulkan::ProgramInterface& program = launch.kernel->program().interface();
    const uint64_t most_here = program.simple_ndrange ? 1 : most_dispatches_;
    if (region_count(launch.range, limit, interface.ignores_groups) > most_here)
        return Error{.message = "kernel '" + interface.name + "': " + too_many_dispatches(most_here)};
    if (interface.private_bytes == 0)
        return interface.ignores_groups ? cover(launch.range, limit) : split(launch.range, limit);
    Result<std::vector<Region>> regions =
        buffers_.private_memory.cut(interface, program.abi, launch.range, limit, most_here);
    if (regions) memory_.keep(buffers_.private_memory.buffer());
    return regions;
}

void LaunchRecorder::record(VkCommandBuffer commands, std::span<const Dispatch> dispatches) {
    for (const Dispatch& dispatch : dispatches) {
        if (dispatch.waits_for_private_memory) full_barrier(commands, kStages, kDeviceAccess);
        if (dispatch.cleared) {
            full_barrier(commands, kStages, kDeviceAccess);
            vkCmdFillBuffer(commands, dispatch.cleared, 0, dispatch.cleared_bytes, 0);
            full_barrier(commands, kStages, kDeviceAccess);
        }
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.pipeline);
        if (!dispatch.push_constants.empty())
            vkCmdPushConstants(commands, dispatch.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               static_cast<uint32_t>(dispatch.push_constants.size()),
                               dispatch.push_constants.data());
        if (dispatch.set_count != 0)
            vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.layout, 0,
                                    dispatch.set_count, dispatch.sets.data(), 0, nullptr);
        vkCmdDispatch(commands, dispatch.group_count[0], dispatch.group_count[1], dispatch.group_count[2]);
    }
}

// ---- Checks of accesses ----

namespace {

/// The pointers to the kernel's arguments, and those that it finds in memory.
std::vector<GivenPointer> pointers_of(const Launch& launch) {
    std::vector<GivenPointer> pointers = launch.kernel->pointers();
    pointers.insert(pointers.end(), launch.pointers.begin(), launch.pointers.end());
    return pointers;
}

constexpr uint64_t kUserBytes = uint64_t{1} << 62;

/// What the kernel may access: all memory that programs have, or where faults are not reported, what it was
/// given.
std::vector<vulkan::CheckObject> objects_of(const Launch& launch, const AllocationTable& allocations,
                                            bool reports) {
    if (launch.reaches_all_memory) return {{.begin = 1, .size_bytes = kUserBytes - 1}};
    if (reports) return allocations.all();
    std::vector<vulkan::CheckObject> objects;
    for (const GivenPointer& pointer : pointers_of(launch)) {
        if (pointer.stretch.begin != 0)
            objects.push_back(pointer.stretch);
        else if (const auto found = allocations.find(pointer.address))
            objects.push_back(*found);
    }
    const Program& program = launch.kernel->program();
    if (!program.interface().data_segment.empty())
        objects.push_back({program.data_segment_address(), program.interface().data_segment.size()});
    return joined(std::move(objects));
}

/// Adds the objects to which the arguments point: the very stretches that they were given. Where only an
/// address is known, several stretches may have it. A fault is then no access to any of them, but guards let
/// the kernel reach the smallest alone.
void add_arguments_objects(std::vector<vulkan::CheckObject>& objects, const Launch& launch,
                           const AllocationTable& allocations, bool reports) {
    const size_t count = objects.size();
    for (const GivenPointer& pointer : launch.kernel->pointers()) {
        if (pointer.stretch.begin != 0 && !launch.reaches_all_memory) {
            objects.push_back(pointer.stretch);
            continue;
        }
        const uint64_t address = pointer.address;
        vulkan::CheckObject object{.begin = address};
        if (reports || launch.reaches_all_memory) {
            const auto first = objects.begin(), last = first + static_cast<ptrdiff_t>(count);
            const auto next = std::ranges::upper_bound(first, last, address, {}, &vulkan::CheckObject::begin);
            if (next != first && address - (next - 1)->begin < (next - 1)->size_bytes) object = *(next - 1);
        } else if (const auto found = allocations.find(address)) {
            object = *found;
        }
        objects.push_back(object);
    }
}

/// Lets the kernel reach memory that will be made later, which may be anywhere but at NULL. The first `count`
/// objects are not the arguments'; returns how many these are then. With `stay_apart`, each is one of its own
/// still, which may have a shadow.
size_t add_later_memory(std::vector<vulkan::CheckObject>& objects, size_t count, bool stay_apart) {
    std::vector<vulkan::CheckObject> all;
    uint64_t end = kNullPageBytes;
    for (const vulkan::CheckObject& object : std::span(objects).first(stay_apart ? count : 0)) {
        if (object.begin > end) all.push_back({end, object.begin - end});
        all.push_back(object);
        end = object.begin + object.size_bytes;
    }
    all.push_back({end, kUserBytes - end});
    const size_t distinct = all.size();
    for (const vulkan::CheckObject& argument : std::span(objects).subspan(count)) {
        const bool may_come = argument.size_bytes == 0 && argument.begin >= kNullPageBytes;
        all.push_back(may_come ? vulkan::CheckObject{kNullPageBytes, kUserBytes - kNullPageBytes} : argument);
    }
    objects = std::move(all);
    return distinct;
}

/// Shadows of what the launch was given.
LaunchShadows shadows_of(const Launch& launch, std::span<const vulkan::CheckObject> objects, size_t distinct,
                         RaceShadows& shadows) {
    const Program& program = launch.kernel->program();
    std::vector<uint64_t> given;
    if (has(program.device().checks(), vulkan::MemoryChecks::Races)) {
        for (const GivenPointer& pointer : pointers_of(launch)) given.push_back(pointer.address);
        if (!program.interface().data_segment.empty()) given.push_back(program.data_segment_address());
    }
    uint64_t groups = 1, items = 1;
    for (size_t d = 0; d < 3; ++d) {
        groups *= (launch.range.global[d] + launch.range.local[d] - 1) / launch.range.local[d];
        items *= launch.range.local[d];
    }
    const uint64_t local_bytes =
        launch.kernel->local_bytes() + launch.kernel->interface().local_bytes_per_work_item * items;
    return shadows.prepare(objects, distinct, given, local_bytes, groups);
}

}  // namespace

/// Makes the state that the launch's kernel is given, if it has one.
Result<Done> LaunchRecorder::stage_check_state(const Launch& launch) {
    shadows_ = {};
    search_limit_ = 0;
    const vulkan::Kernel& interface = launch.kernel->interface();
    if (std::ranges::find(interface.hidden, vulkan::HiddenKind::CheckState, &vulkan::HiddenArgument::kind) ==
        interface.hidden.end())
        return Done{};
    if (!device_.allocations())
        return Error{.message = "kernel '" + interface.name +
                                "' checks its accesses, and the device was not opened for that"};
    TRY(make_zeroed(buffers_.check_areas, device_, 2 * uint64_t{vulkan::kCheckAreaBytes}));
    const Program& program = launch.kernel->program();
    std::vector<vulkan::CheckObject> objects =
        objects_of(launch, *device_.allocations(), reports(device_.checks()));
    using enum vulkan::MemoryChecks;
    size_t count = objects.size();
    add_arguments_objects(objects, launch, *device_.allocations(), reports(device_.checks()));
    if (has_later_memory_ && reports(device_.checks()) && has(device_.checks(), Bounds | Guard))
        count = add_later_memory(objects, count, has(device_.checks(), Races));
    if (count >= vulkan::kMostSearched)
        return Error{.message = "accesses cannot be checked with " + std::to_string(count) + " buffers"};
    search_limit_ = vulkan::search_limit(count);
    if (has(device_.checks(), Races | Uninitialised)) {
        shadows_ = shadows_of(launch, objects, count, buffers_.race_shadows);
        if (shadows_.buffer) memory_.keep(shadows_.buffer);
    }
    const auto all = std::span(objects);
    const auto bytes = std::as_bytes(all.first(count)), of_arguments = std::as_bytes(all.subspan(count)),
               shadow_bytes = std::as_bytes(std::span(shadows_.of_objects));
    const size_t objects_at = sizeof(vulkan::CheckState) + of_arguments.size(),
                 shadows_at = objects_at + bytes.size();
    Result<StagedSlice> slice = memory_.stage(device_, shadows_at + shadow_bytes.size());
    if (!slice) return slice.error();
    check_state_ = slice->address();
    const vulkan::CheckState state{.zeros = buffers_.check_areas.address(),
                                   .sink = buffers_.check_areas.address() + vulkan::kCheckAreaBytes,
                                   .objects = check_state_ + objects_at,
                                   .records = program.check_log() ? program.check_log()->address() : 0,
                                   .object_count = static_cast<uint32_t>(count),
                                   .launched = static_cast<uint32_t>(program.index_of(interface)),
                                   .shadows = check_state_ + shadows_at,
                                   .local_shadow = shadows_.local,
                                   .local_shadows = shadows_.local_count,
                                   .local_bytes = shadows_.local_bytes};
    std::memcpy(slice->data, &state, sizeof state);
    std::ranges::copy(of_arguments, slice->data + sizeof state);
    std::ranges::copy(bytes, slice->data + objects_at);
    std::ranges::copy(shadow_bytes, slice->data + shadows_at);
    return Done{};
}

/// Makes the buffer of zeros that tells a kernel that there is no device queue, and that no kernel accesses
/// as an argument that is NULL.
Result<Done> LaunchRecorder::make_zeros() {
    return make_zeroed(buffers_.zeros, device_, 4 * uint64_t{vulkan::kQueueRecords});
}

}  // namespace caldera::runtime
