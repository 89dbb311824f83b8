// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/views.h"

namespace caldera::vulkan::memory {

Id BufferViews::block(Id type) {
    Id& block = blocks_[type];
    if (block) return block;
    const Id array = builder_.type(spv::Op::OpTypeRuntimeArray, {type});
    builder_.decorate(array, spv::Decoration::ArrayStride, {builder_.width(type) / 8 * builder_.count(type)});
    block = builder_.type_struct_distinct(std::vector<Id>{array});
    builder_.decorate(block, spv::Decoration::Block);
    builder_.decorate_member(block, 0, spv::Decoration::Offset, {0u});
    return block;
}

Id BufferViews::variable(uint32_t window, Id type) {
    Id& variable = variables_[{window, type}];
    if (variable) return variable;
    uint32_t set = 0, binding = 0;
    switch (window) {
        case kDataWindow: set = kDataSegmentSet, binding = kDataSegmentBinding; break;
        case kPrintfWindow: set = kPrintfBufferSet, binding = kPrintfBufferBinding; break;
        case kDeviceQueueWindow: set = kDeviceQueueSet, binding = kDeviceQueueBinding; break;
        default: binding = window - kFirstBindingWindow; break;
    }
    variable = builder_.variable(spv::StorageClass::StorageBuffer, block(type));
    builder_.decorate(variable, spv::Decoration::DescriptorSet, {set});
    builder_.decorate(variable, spv::Decoration::Binding, {binding});
    builder_.decorate(variable, spv::Decoration::Aliased);
    return variable;
}

Id BufferViews::element(uint32_t window, Id type, Id index) {
    const Id pointer = builder_.type_pointer(spv::StorageClass::StorageBuffer, type);
    return builder_.append(spv::Op::OpAccessChain, pointer,
                           {variable(window, type), builder_.constant_u32(0), index});
}

}  // namespace caldera::vulkan::memory
