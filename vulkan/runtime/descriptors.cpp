// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/descriptors.h"
#include "spirv/support/try.h"

#include <algorithm>

namespace caldera::runtime {
namespace {

constexpr uint32_t kBuffersPerSet = 8;  // in a pool, on the average

Result<DescriptorSetLayoutHandle> make_set_layout(Device& device,
                                                  std::span<const VkDescriptorSetLayoutBinding> bindings) {
    const VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = static_cast<uint32_t>(bindings.size()),
                                               .pBindings = bindings.data()};
    DescriptorSetLayoutHandle layout;
    if (const VkResult result = layout.make(device.vk(), vkCreateDescriptorSetLayout, info);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateDescriptorSetLayout", result);
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

/// Each pointer argument and image is a storage buffer, or several if its buffer is large, and so is each of
/// the program's.
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

Result<DescriptorLayout> DescriptorLayout::create(Device& device, const vulkan::ProgramInterface& program,
                                                  const vulkan::Kernel& kernel,
                                                  const vulkan::SplitBuffers& split) {
    DescriptorLayout layout;
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    size_t of_arguments = 0;
    for (const vulkan::KernelArgument& argument : kernel.arguments)
        if (argument.binding != vulkan::kNoBinding) {
            const uint32_t parts = split.parts_of(argument.binding);
            bindings.push_back(binding(argument.binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, parts));
            of_arguments += parts;
        }
    const std::vector<VkDescriptorSetLayoutBinding> shared = program_bindings(program, kernel);
    const auto of_program = std::ranges::count(shared, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               &VkDescriptorSetLayoutBinding::descriptorType);
    TRY(check_buffers(device, kernel, bindings.size(), of_arguments + static_cast<size_t>(of_program)));
    if (kernel.block == vulkan::ArgumentBlock::UniformBuffer)
        bindings.push_back(binding(kernel.block_binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER));
    Result<DescriptorSetLayoutHandle> arguments = make_set_layout(device, bindings);
    if (!arguments) return arguments.error();
    Result<DescriptorSetLayoutHandle> of_host = make_set_layout(device, shared);
    if (!of_host) return of_host.error();
    layout.sets_[0] = arguments.take();
    layout.sets_[1] = of_host.take();
    static_assert(vulkan::kDataSegmentSet == 1 && vulkan::kPrintfBufferSet == 1 &&
                  vulkan::kDeviceQueueSet == 1 && vulkan::kArgumentTableSet == 1);

    const VkDescriptorSetLayout sets[] = {layout.set(0), layout.set(1)};
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                    .size = device.limits().maxPushConstantsSize};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = 2,
                                          .pSetLayouts = sets,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
    if (const VkResult result = layout.pipeline_.make(device.vk(), vkCreatePipelineLayout, info);
        result != VK_SUCCESS)
        return vulkan_error("vkCreatePipelineLayout", result);
    return layout;
}

Result<Done> DescriptorSets::add_pool(Device& device) {
    const VkDescriptorPoolSize sizes[] = {
        {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = kBuffersPerSet * sets_per_pool_},
        {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .descriptorCount = sets_per_pool_}};
    const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .maxSets = sets_per_pool_,
                                          .poolSizeCount = 2,
                                          .pPoolSizes = sizes};
    DescriptorPoolHandle pool;
    if (const VkResult result = pool.make(device.vk(), vkCreateDescriptorPool, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateDescriptorPool", result);
    pools_.push_back(std::move(pool));
    return Done{};
}

Result<VkDescriptorSet> DescriptorSets::make(Device& device, VkDescriptorSetLayout layout,
                                             std::span<const BufferBinding> buffers) {
    VkDescriptorSet set = VK_NULL_HANDLE;
    for (;; ++current_) {
        const bool fresh = current_ == pools_.size();
        if (fresh) TRY(add_pool(device));
        const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               .descriptorPool = pools_[current_].get(),
                                               .descriptorSetCount = 1,
                                               .pSetLayouts = &layout};
        const VkResult result = vkAllocateDescriptorSets(device.vk(), &info, &set);
        if (result == VK_SUCCESS) break;
        const bool full = result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL;
        if (!full || fresh) return vulkan_error("vkAllocateDescriptorSets", result);
    }
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
    vkUpdateDescriptorSets(device.vk(), static_cast<uint32_t>(writes.size()), writes.data(), 0, nullptr);
    return set;
}

void DescriptorSets::reset(Device& device) {
    for (const DescriptorPoolHandle& pool : pools_) vkResetDescriptorPool(device.vk(), pool.get(), 0);
    current_ = 0;
}

}  // namespace caldera::runtime
