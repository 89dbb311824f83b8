// SPDX-License-Identifier: Apache-2.0
// Descriptor sets for kernels that access memory through descriptors (vulkan::Abi::Descriptors).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vulkan/interface.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// A range of a buffer, and the binding for it.
struct BufferBinding {
    uint32_t binding = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    VkDescriptorBufferInfo info = {};
    uint32_t parts = 1;       ///< the binding's descriptors; those behind the buffer's end have its last part
    uint32_t part_bits = 31;  ///< vulkan::SplitBuffers
};

/// An image, a texel buffer or a sampler, and the binding for it.
struct ImageBinding {
    uint32_t binding = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    VkDescriptorImageInfo image = {};      ///< of an image or a sampler
    VkBufferView texels = VK_NULL_HANDLE;  ///< of a texel buffer
};

/// The type of an argument's descriptor (vulkan::is_vulkan_image).
VkDescriptorType image_descriptor_type(vulkan::ArgumentKind kind);

/// Declines a kernel with more images or samplers than a device binds at once. Vulkan promises 16 images that
/// are read, 4 that are written, and 16 samplers.
Result<Done> check_images(const VkPhysicalDeviceLimits& limits, const vulkan::ProgramInterface& program,
                          const vulkan::Kernel& kernel);

/// The descriptor of a block of arguments that has a binding.
inline VkDescriptorType descriptor_type(vulkan::ArgumentBlock block) {
    return block == vulkan::ArgumentBlock::StorageBuffer ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                                         : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

/// The layout of a set, and how many descriptors of each type it has.
struct SetLayout {
    DescriptorSetLayoutHandle handle = {};
    std::vector<VkDescriptorPoolSize> sizes = {};
};

/// The layouts of one kernel: a set for its arguments (ProgramInterface::argument_set), and one after it for
/// the buffers that the host provides for the program. Set 0 is for the samplers of the source, if there are
/// some: the layout has them.
class DescriptorLayout {
 public:
    static Result<DescriptorLayout> create(Device& device, const vulkan::ProgramInterface& program,
                                           const vulkan::Kernel& kernel,
                                           const vulkan::SplitBuffers& split = {});

    VkPipelineLayout pipeline_layout() const { return pipeline_.get(); }
    /// By their numbers in the module.
    std::span<const SetLayout> sets() const { return {sets_.data(), set_count_}; }
    const SetLayout& set(uint32_t number) const { return sets_[number]; }

 private:
    static constexpr uint32_t kMaxSets = 3;
    std::array<SetLayout, kMaxSets> sets_ = {};
    uint32_t set_count_ = 0;
    PipelineLayoutHandle pipeline_ = {};
};

/// Descriptor sets for commands that have not run yet. They are released all at once.
class DescriptorSets {
 public:
    explicit DescriptorSets(uint32_t sets_per_pool) : sets_per_pool_(sets_per_pool) {}

    Result<VkDescriptorSet> make(Device& device, const SetLayout& layout,
                                 std::span<const BufferBinding> buffers);
    /// A set of a layout that has images or samplers.
    Result<VkDescriptorSet> make(Device& device, const SetLayout& layout,
                                 std::span<const BufferBinding> buffers,
                                 std::span<const ImageBinding> images);
    void reset(Device& device);

 private:
    struct Pools {
        std::vector<DescriptorPoolHandle> pools = {};
        size_t current = 0;
    };
    Result<VkDescriptorSet> make(Device& device, const SetLayout& layout,
                                 std::span<const BufferBinding> buffers, std::span<const ImageBinding> images,
                                 Pools& from);
    Result<VkDescriptorSet> allocate(Device& device, const SetLayout& layout, Pools& from);
    Result<Done> add_pool(Device& device, const SetLayout& layout, Pools& to) const;
    uint32_t sets_per_pool_;
    Pools plain_ = {}, with_images_ = {};
};

}  // namespace caldera::runtime
