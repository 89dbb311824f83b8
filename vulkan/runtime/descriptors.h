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

/// The layouts of one kernel: set 0 for its arguments, set 1 for the buffers that the host provides for the
/// program.
class DescriptorLayout {
 public:
    static Result<DescriptorLayout> create(Device& device, const vulkan::ProgramInterface& program,
                                           const vulkan::Kernel& kernel,
                                           const vulkan::SplitBuffers& split = {});

    VkPipelineLayout pipeline_layout() const { return pipeline_.get(); }
    VkDescriptorSetLayout set(uint32_t number) const { return sets_[number].get(); }

 private:
    std::array<DescriptorSetLayoutHandle, 2> sets_ = {};
    PipelineLayoutHandle pipeline_ = {};
};

/// Descriptor sets for commands that have not run yet. They are released all at once.
class DescriptorSets {
 public:
    explicit DescriptorSets(uint32_t sets_per_pool) : sets_per_pool_(sets_per_pool) {}

    Result<VkDescriptorSet> make(Device& device, VkDescriptorSetLayout layout,
                                 std::span<const BufferBinding> buffers);
    void reset(Device& device);

 private:
    Result<Done> add_pool(Device& device);
    uint32_t sets_per_pool_;
    std::vector<DescriptorPoolHandle> pools_ = {};
    size_t current_ = 0;
};

}  // namespace caldera::runtime
