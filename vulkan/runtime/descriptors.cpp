// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/descriptors.h"

#include <algorithm>

#include "spirv/support/try.h"
#include "vulkan/runtime/samplers.h"

namespace caldera::runtime {
namespace {

constexpr uint32_t kBuffersPerSet = 8;  // in a pool, on the average
constexpr uint32_t kImagesPerSet = 2;   // of each kind
constexpr VkDescriptorType kImageTypes[] = {
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_SAMPLER};

/// The size of a pool for descriptors of the type, among others.
uint32_t& count_of(std::vector<VkDescriptorPoolSize>& sizes, VkDescriptorType type) {
    const auto known = std::ranges::find(sizes, type, &VkDescriptorPoolSize::type);
    return known != sizes.end() ? known->descriptorCount : sizes.emplace_back(type).descriptorCount;
}

Result<SetLayout> make_set_layout(Device& device, std::span<const VkDescriptorSetLayoutBinding> bindings) {
    const VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = static_cast<uint32_t>(bindings.size()),
                                               .pBindings = bindings.data()};
    SetLayout layout;
    if (const VkResult result = layout.handle.make(device.vk(), vkCreateDescriptorSetLayout, info);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateDescriptorSetLayout", result);
    for (const VkDescriptorSetLayoutBinding& each : bindings)
        count_of(layout.sizes, each.descriptorType) += each.descriptorCount;
    return layout;
}

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count = 1) {
    return {.binding = number,
            .descriptorType = type,
            .descriptorCount = count,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
}

/// The buffers that the host provides, of which a kernel has those that it needs.
std::vector<VkDescriptorSetLayoutBinding> program_bindings(const vulkan::ProgramInterface& program,
                                                           const vulkan::Kernel& kernel) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    if (program.abi != vulkan::Abi::Descriptors) return bindings;  // kernels have their addresses
    const auto add_if = [&](bool needed, uint32_t number) {
        if (needed) bindings.push_back(binding(number, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
    };
    add_if(!program.data_segment.empty(), vulkan::kDataSegmentBinding);
    add_if(kernel.prints, vulkan::kPrintfBufferBinding);
    add_if(kernel.enqueues, vulkan::kDeviceQueueBinding);
    if (program.argument_table_rows != 0)
        bindings.push_back(binding(vulkan::kArgumentTableBinding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER));
    add_if(kernel.private_bytes != 0, vulkan::kPrivateMemoryBinding);
    return bindings;
}

/// Each pointer argument and image is a storage buffer, or several if its buffer is large. So is each of the
/// program's, and a block of arguments may be one.
Result<Done> check_buffers(const Device& device, const vulkan::Kernel& kernel, size_t arguments,
                           size_t buffers) {
    const uint32_t most = device.profile().max_storage_buffers;
    if (buffers <= most) return Done{};
    return Error{.message = "kernel '" + kernel.name + "': its " + std::to_string(arguments) +
                            " pointers and images need " + std::to_string(buffers) +
                            " storage buffers with descriptors, but the device's "
                            "maxPerStageDescriptorStorageBuffers is " +
                            std::to_string(most)};
}

/// The samplers of the source, which are part of the layout.
Result<SetLayout> literal_samplers(Device& device, const vulkan::ProgramInterface& program) {
    std::vector<VkSampler> samplers;
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    samplers.reserve(program.literal_samplers.size());  // the bindings point to them
    for (const vulkan::LiteralSampler& literal : program.literal_samplers) {
        const Result<VkSampler> sampler = device.samplers().get(literal.bits);
        if (!sampler) return sampler.error();
        samplers.push_back(*sampler);
        bindings.push_back(binding(literal.binding, VK_DESCRIPTOR_TYPE_SAMPLER));
        bindings.back().pImmutableSamplers = &samplers.back();
    }
    return make_set_layout(device, bindings);
}

VkDescriptorBufferInfo part(const BufferBinding& buffer, uint32_t number) {
    VkDescriptorBufferInfo info = buffer.info;
    if (buffer.parts == 1) return info;
    const uint64_t last = (info.range - 1) >> buffer.part_bits;
    const uint64_t at = std::min<uint64_t>(number, last) << buffer.part_bits;
    info.offset += at;
    info.range = std::min(info.range - at, uint64_t{1} << buffer.part_bits);
    return info;
}

}  // namespace

Result<Done> check_images(const VkPhysicalDeviceLimits& limits, const vulkan::ProgramInterface& program,
                          const vulkan::Kernel& kernel) {
    uint64_t sampled = 0, stored = 0, samplers = program.literal_samplers.size();
    for (const vulkan::KernelArgument& argument : kernel.arguments) {
        using enum vulkan::ArgumentKind;
        sampled += argument.kind == SampledImage || argument.kind == UniformTexelBuffer;
        stored += argument.kind == StorageImage || argument.kind == StorageTexelBuffer;
        samplers += argument.kind == SamplerObject;
    }
    const auto within = [&](uint64_t count, const char* which, const char* limit,
                            uint32_t most) -> Result<Done> {
        if (count <= most) return Done{};
        return Error{.message = "kernel '" + kernel.name + "' has " + std::to_string(count) + which +
                                ", but the device's " + limit + " is " + std::to_string(most)};
    };
    TRY(within(sampled, " images that it reads", "maxPerStageDescriptorSampledImages",
               limits.maxPerStageDescriptorSampledImages));
    TRY(within(stored, " images that it writes", "maxPerStageDescriptorStorageImages",
               limits.maxPerStageDescriptorStorageImages));
    TRY(within(samplers, " samplers, with those of its program's source", "maxPerStageDescriptorSamplers",
               limits.maxPerStageDescriptorSamplers));
    return within(sampled + stored, " images", "maxPerStageResources", limits.maxPerStageResources);
}

VkDescriptorType image_descriptor_type(vulkan::ArgumentKind kind) {
    using enum vulkan::ArgumentKind;
    switch (kind) {
        case StorageImage: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        case UniformTexelBuffer: return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
        case StorageTexelBuffer: return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
        case SamplerObject: return VK_DESCRIPTOR_TYPE_SAMPLER;
        default: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    }
}

Result<DescriptorLayout> DescriptorLayout::create(Device& device, const vulkan::ProgramInterface& program,
                                                  const vulkan::Kernel& kernel,
                                                  const vulkan::SplitBuffers& split) {
    DescriptorLayout layout;
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    size_t pointers = 0, of_arguments = 0;
    for (const vulkan::KernelArgument& argument : kernel.arguments) {
        if (argument.binding == vulkan::kNoBinding) continue;
        if (vulkan::is_vulkan_image(argument.kind)) {
            bindings.push_back(binding(argument.binding, image_descriptor_type(argument.kind)));
            continue;
        }
        const uint32_t parts = split.parts_of(argument.binding);
        bindings.push_back(binding(argument.binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, parts));
        ++pointers;
        of_arguments += parts;
    }
    TRY(check_images(device.limits(), program, kernel));
    const std::vector<VkDescriptorSetLayoutBinding> shared = program_bindings(program, kernel);
    const auto of_program = std::ranges::count(shared, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               &VkDescriptorSetLayoutBinding::descriptorType);
    const size_t of_block = kernel.block == vulkan::ArgumentBlock::StorageBuffer ? 1 : 0;
    TRY(check_buffers(device, kernel, pointers, of_arguments + static_cast<size_t>(of_program) + of_block));
    if (has_binding(kernel.block))
        bindings.push_back(binding(kernel.block_binding, descriptor_type(kernel.block)));
    Result<SetLayout> arguments = make_set_layout(device, bindings);
    if (!arguments) return arguments.error();
    Result<SetLayout> of_host = make_set_layout(device, shared);
    if (!of_host) return of_host.error();
    if (program.argument_set != 0) {
        Result<SetLayout> literals = literal_samplers(device, program);
        if (!literals) return literals.error();
        layout.sets_[layout.set_count_++] = literals.take();
    }
    layout.sets_[layout.set_count_++] = arguments.take();
    layout.sets_[layout.set_count_++] = of_host.take();
    static_assert(vulkan::kDataSegmentSet == 1 && vulkan::kPrintfBufferSet == 1 &&
                  vulkan::kDeviceQueueSet == 1 && vulkan::kArgumentTableSet == 1);

    std::array<VkDescriptorSetLayout, kMaxSets> sets = {};
    std::ranges::transform(layout.sets(), sets.begin(),
                           [](const SetLayout& each) { return each.handle.get(); });
    Result<PipelineLayoutHandle> pipeline =
        device.make_pipeline_layout(std::span(sets).first(layout.set_count_));
    if (!pipeline) return pipeline.error();
    layout.pipeline_ = pipeline.take();
    return layout;
}

/// The pool has enough for one set of this layout at least.
Result<Done> DescriptorSets::add_pool(Device& device, const SetLayout& layout, Pools& to) const {
    std::vector<VkDescriptorPoolSize> sizes = {
        {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = kBuffersPerSet * sets_per_pool_},
        {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .descriptorCount = sets_per_pool_}};
    if (&to == &with_images_)
        for (const VkDescriptorType type : kImageTypes)
            sizes.push_back({.type = type, .descriptorCount = kImagesPerSet * sets_per_pool_});
    for (const VkDescriptorPoolSize& needed : layout.sizes) {
        uint32_t& count = count_of(sizes, needed.type);
        count = std::max(count, needed.descriptorCount);
    }
    const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .maxSets = sets_per_pool_,
                                          .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                          .pPoolSizes = sizes.data()};
    DescriptorPoolHandle pool;
    if (const VkResult result = pool.make(device.vk(), vkCreateDescriptorPool, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateDescriptorPool", result);
    to.pools.push_back(std::move(pool));
    return Done{};
}

Result<VkDescriptorSet> DescriptorSets::allocate(Device& device, const SetLayout& layout, Pools& from) {
    const VkDescriptorSetLayout handle = layout.handle.get();
    VkDescriptorSet set = VK_NULL_HANDLE;
    for (;; ++from.current) {
        const bool fresh = from.current == from.pools.size();
        if (fresh) TRY(add_pool(device, layout, from));
        const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               .descriptorPool = from.pools[from.current].get(),
                                               .descriptorSetCount = 1,
                                               .pSetLayouts = &handle};
        const VkResult result = vkAllocateDescriptorSets(device.vk(), &info, &set);
        if (result == VK_SUCCESS) return set;
        const bool full = result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL;
        if (!full || fresh) return vulkan_error("vkAllocateDescriptorSets", result);
    }
}

Result<VkDescriptorSet> DescriptorSets::make(Device& device, const SetLayout& layout,
                                             std::span<const BufferBinding> buffers) {
    return make(device, layout, buffers, {}, plain_);
}
Result<VkDescriptorSet> DescriptorSets::make(Device& device, const SetLayout& layout,
                                             std::span<const BufferBinding> buffers,
                                             std::span<const ImageBinding> images) {
    return make(device, layout, buffers, images, with_images_);
}

Result<VkDescriptorSet> DescriptorSets::make(Device& device, const SetLayout& layout,
                                             std::span<const BufferBinding> buffers,
                                             std::span<const ImageBinding> images, Pools& from) {
    const Result<VkDescriptorSet> made = allocate(device, layout, from);
    if (!made) return made;
    const VkDescriptorSet set = *made;
    size_t descriptors = 0;
    for (const BufferBinding& buffer : buffers) descriptors += buffer.parts;
    std::vector<VkDescriptorBufferInfo> infos;
    infos.reserve(descriptors);  // the writes point to them
    std::vector<VkWriteDescriptorSet> writes;
    for (const BufferBinding& buffer : buffers) {
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .dstSet = set,
                          .dstBinding = buffer.binding,
                          .descriptorCount = buffer.parts,
                          .descriptorType = buffer.type,
                          .pBufferInfo = infos.data() + infos.size()});
        for (uint32_t k = 0; k < buffer.parts; ++k) infos.push_back(part(buffer, k));
    }
    for (const ImageBinding& image : images)
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .dstSet = set,
                          .dstBinding = image.binding,
                          .descriptorCount = 1,
                          .descriptorType = image.type,
                          .pImageInfo = &image.image,
                          .pTexelBufferView = &image.texels});
    vkUpdateDescriptorSets(device.vk(), static_cast<uint32_t>(writes.size()), writes.data(), 0, nullptr);
    return set;
}

void DescriptorSets::reset(Device& device) {
    for (Pools* pools : {&plain_, &with_images_}) {
        for (const DescriptorPoolHandle& pool : pools->pools)
            vkResetDescriptorPool(device.vk(), pool.get(), 0);
        pools->current = 0;
    }
}

}  // namespace caldera::runtime
