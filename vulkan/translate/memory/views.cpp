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
        case kPrivateWindow: set = kPrivateMemorySet, binding = kPrivateMemoryBinding; break;
        default: binding = window - kFirstBindingWindow; break;
    }
    variable = builder_.variable(spv::StorageClass::StorageBuffer, block(type));
    builder_.decorate(variable, spv::Decoration::DescriptorSet, {argument_set_ + set});
    builder_.decorate(variable, spv::Decoration::Binding, {binding});
    builder_.decorate(variable, spv::Decoration::Aliased);
    return variable;
}

/// Arrays in uniform buffers have a stride of 16 bytes (Vulkan, "Standard Uniform Buffer Layout").
Id BufferViews::table_word(Id index) {
    const Id u32 = builder_.type_int(32), zero = builder_.constant_u32(0);
    if (!table_) {
        const Id rows = builder_.constant_u32(table_rows_ * kTableRowWords / 4);
        const Id array = builder_.global(spv::Op::OpTypeArray, {}, {builder_.type_vector(u32, 4), rows});
        builder_.decorate(array, spv::Decoration::ArrayStride, {16u});
        const Id block = builder_.type_struct_distinct(std::vector<Id>{array});
        builder_.decorate(block, spv::Decoration::Block);
        builder_.decorate_member(block, 0, spv::Decoration::Offset, {0u});
        table_ = builder_.variable(spv::StorageClass::Uniform, block);
        builder_.name(table_, "caldera.arguments");
        builder_.decorate(table_, spv::Decoration::DescriptorSet, {argument_set_ + kArgumentTableSet});
        builder_.decorate(table_, spv::Decoration::Binding, {kArgumentTableBinding});
    }
    const Id row = builder_.append(spv::Op::OpShiftRightLogical, u32, {index, builder_.constant_u32(2)});
    const Id column = builder_.append(spv::Op::OpBitwiseAnd, u32, {index, builder_.constant_u32(3)});
    return builder_.append(spv::Op::OpAccessChain, builder_.type_pointer(spv::StorageClass::Uniform, u32),
                           {table_, zero, row, column});
}

Id BufferViews::element(uint32_t window, Id type, Id index) {
    if (window == kTableWindow) return table_word(index);
    const Id pointer = builder_.type_pointer(spv::StorageClass::StorageBuffer, type);
    return builder_.append(spv::Op::OpAccessChain, pointer,
                           {variable(window, type), builder_.constant_u32(0), index});
}

}  // namespace caldera::vulkan::memory
