// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/argument_block.h"

#include <algorithm>

#include "spirv/support/align.h"
#include "spirv/support/check.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

Id ArgumentReader::load(Id type, uint64_t offset) {
    switch (builder_.op_of_type(type)) {
        case Op::OpTypeInt:
        case Op::OpTypeFloat: return load_scalar(type, offset);
        case Op::OpTypeVector: return load_vector(type, offset);
        case Op::OpTypeArray:
        case Op::OpTypeStruct: return load_aggregate(type, offset);
        default: check(false, "an argument of a type that has no bytes"); return {};
    }
}

Id ArgumentReader::load_aggregate(Id type, uint64_t offset) {
    spirv::Operands parts;
    if (builder_.op_of_type(type) == Op::OpTypeStruct) {
        for (uint32_t i = 0; i < builder_.member_count(type); ++i)
            parts.push_back(load(builder_.member(type, i), offset + layout_.member_offset(type, i)));
    } else {
        const Id element = builder_.element(type);
        const uint64_t stride = layout_.of(element).size_bytes;
        for (uint64_t i = 0; i < builder_.array_length(type); ++i)
            parts.push_back(load(element, offset + i * stride));
    }
    return builder_.append(Op::OpCompositeConstruct, type, std::move(parts));
}

Id ArgumentReader::load_scalar(Id type, uint64_t offset) {
    const uint32_t width = builder_.width(type), bytes = width / 8;
    const Id u32 = builder_.type_int(32);
    if (bytes >= 4 && is_unit(type, offset, bytes)) return load_unit(type, offset);
    if (bytes == 4) {
        const Id word = word_at(offset);
        return type == u32 ? word : builder_.append(Op::OpBitcast, type, {word});
    }
    if (bytes == 8) {
        const Id low = word_at(offset), high = word_at(offset + 4);
        const Id pair = builder_.append(Op::OpCompositeConstruct, builder_.type_vector(u32, 2), {low, high});
        return builder_.append(Op::OpBitcast, type, {pair});
    }
    const bool straddles = offset % 4 + bytes > 4;
    Id word = word_at(straddles ? offset : offset / 4 * 4);
    if (!straddles && offset % 4 != 0)
        word = builder_.append(Op::OpShiftRightLogical, u32,
                               {word, builder_.constant_u32(static_cast<uint32_t>(offset % 4 * 8))});
    const Id narrow_type = builder_.type_int(width);
    const Id narrow = builder_.append(Op::OpUConvert, narrow_type, {word});
    return type == narrow_type ? narrow : builder_.append(Op::OpBitcast, type, {narrow});
}

Id ArgumentReader::load_vector(Id type, uint64_t offset) {
    const Id element = builder_.element(type);
    const uint32_t count = builder_.count(type), bytes = builder_.width(type) / 8;
    if (bytes >= 4 && count <= 4) {
        if (is_unit(element, offset, bytes * (count == 3 ? 4 : count))) return load_unit(type, offset);
        spirv::Operands parts;
        for (uint32_t i = 0; i < count; ++i) parts.push_back(load_scalar(element, offset + i * bytes));
        return builder_.append(Op::OpCompositeConstruct, type, std::move(parts));
    }
    if (count > 4) {
        spirv::Operands parts;
        for (uint32_t i = 0; i < count; i += 4)
            parts.push_back(load_vector(builder_.type_vector(element, 4), offset + i * bytes));
        return builder_.append(Op::OpCompositeConstruct, type, std::move(parts));
    }
    return load_narrow_vector(type, offset);
}

/// Vectors of 2 to 4 components of 8 or 16 bits: words, bitcast to as many components as they hold.
Id ArgumentReader::load_narrow_vector(Id type, uint64_t offset) {
    const Id element = builder_.element(type);
    const uint32_t count = builder_.count(type), bytes = builder_.width(type) / 8, per_word = 4 / bytes;
    const bool in_one_word = offset % bytes == 0 && offset % 4 + count * bytes <= 4;
    const uint64_t start = in_one_word ? offset / 4 * 4 : offset;
    const uint32_t skipped = static_cast<uint32_t>((offset - start) / bytes);
    const Id part_type = builder_.type_vector(element, per_word);
    std::vector<Id> parts;
    for (uint32_t at = 0; at < (skipped + count) * bytes; at += 4)
        parts.push_back(builder_.append(Op::OpBitcast, part_type, {word_at(start + at)}));
    if (parts.size() == 1 && count == per_word) return parts[0];
    spirv::Operands operands = {parts[0], parts.back()};
    for (uint32_t i = 0; i < count; ++i) operands.push_back(skipped + i);
    return builder_.append(Op::OpVectorShuffle, type, std::move(operands));
}

/// The 4 bytes at any offset as a 32-bit word.
Id ArgumentReader::word_at(uint64_t offset) {
    const Id u32 = builder_.type_int(32);
    const uint32_t shift = static_cast<uint32_t>(offset % 4 * 8);
    const Id low = load_unit(u32, offset / 4 * 4);
    if (shift == 0) return low;
    const Id high = load_unit(u32, offset / 4 * 4 + 4);
    const Id low_part = builder_.append(Op::OpShiftRightLogical, u32, {low, builder_.constant_u32(shift)});
    const Id high_part =
        builder_.append(Op::OpShiftLeftLogical, u32, {high, builder_.constant_u32(32 - shift)});
    return builder_.append(Op::OpBitwiseOr, u32, {low_part, high_part});
}

Id ArgumentReader::address() {
    check(block_ == ArgumentBlock::Buffer, "an argument block that has no address");
    const Id u64 = builder_.type_int(64);
    if (!address_)
        address_ = has_int64_
                       ? load_member(u64, 0)
                       : builder_.append(Op::OpBitcast, u64,
                                         {load_member(builder_.type_vector(builder_.type_int(32), 2), 0)});
    return address_;
}

/// A naturally aligned scalar or vec2-4 of 32- or 64-bit components.
Id ArgumentReader::load_unit(Id type, uint64_t offset) {
    Id& value = units_[{offset, type.value}];
    if (value) return value;
    if (block_ != ArgumentBlock::Buffer) return value = load_member(type, offset);
    const Id u64 = builder_.type_int(64);
    const Id address =
        offset == 0 ? this->address()
                    : builder_.append(Op::OpIAdd, u64, {this->address(), builder_.constant_u64(offset)});
    const Id pointer_type = builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type);
    const Id pointer = builder_.append(Op::OpConvertUToPtr, pointer_type, {address});
    const auto aligned = static_cast<uint32_t>(power_of_two_in(offset, 16));
    return value = builder_.append(Op::OpLoad, type, {pointer, spv::MemoryAccessMask::Aligned, aligned});
}

Id ArgumentReader::load_member(Id type, uint64_t offset) {
    auto member = std::find_if(members_.begin(), members_.end(),
                               [&](const Member& m) { return m.offset_bytes == offset && m.type == type; });
    if (member == members_.end()) member = members_.insert(members_.end(), {type, offset});
    const auto index = static_cast<uint32_t>(member - members_.begin());
    const Id pointer_type = builder_.type_pointer(storage(), type);
    const Id pointer =
        builder_.append(Op::OpAccessChain, pointer_type, {variable_, builder_.constant_u32(index)});
    return builder_.append(Op::OpLoad, type, {pointer});
}

/// Arrays in uniform buffers have a stride of 16 bytes (Vulkan, "Standard Uniform Buffer Layout").
Id ArgumentReader::word(Id index, uint32_t block_bytes) {
    check(has_binding(block_), "an argument block without words");
    const Id u32 = builder_.type_int(32);
    if (!rows_) {
        const Id array =
            builder_.global(Op::OpTypeArray, {},
                            {builder_.type_vector(u32, 4), builder_.constant_u32((block_bytes + 15) / 16)});
        builder_.decorate(array, spv::Decoration::ArrayStride, {16u});
        rows_block_ = builder_.type_struct_distinct(std::vector<Id>{array});
        builder_.decorate(rows_block_, spv::Decoration::Block);
        builder_.decorate_member(rows_block_, 0, spv::Decoration::Offset, {0u});
        rows_ = builder_.fresh();
    }
    const Id row = builder_.append(Op::OpShiftRightLogical, u32, {index, builder_.constant_u32(2)});
    const Id column = builder_.append(Op::OpBitwiseAnd, u32, {index, builder_.constant_u32(3)});
    return builder_.append(Op::OpAccessChain, builder_.type_pointer(storage(), u32),
                           {rows_, builder_.constant_u32(0), row, column});
}

void ArgumentReader::finish(std::string_view name) {
    if (rows_) make_variable(rows_, rows_block_, std::string(name) + ".words");
    if (members_.empty()) return;
    std::vector<Id> types;
    for (const Member& member : members_) types.push_back(member.type);
    const Id block = builder_.type_struct_distinct(types);
    builder_.decorate(block, spv::Decoration::Block);
    for (uint32_t i = 0; i < members_.size(); ++i)
        builder_.decorate_member(block, i, spv::Decoration::Offset,
                                 {static_cast<uint32_t>(members_[i].offset_bytes)});
    make_variable(variable_, block, std::string(name));
}

void ArgumentReader::make_variable(Id variable, Id block, const std::string& name) {
    builder_.name(variable, name);
    if (has_binding(block_)) {
        builder_.decorate(variable, spv::Decoration::DescriptorSet, {place_.set});
        builder_.decorate(variable, spv::Decoration::Binding, {place_.binding});
    }
    if (block_ == ArgumentBlock::StorageBuffer) builder_.decorate(variable, spv::Decoration::NonWritable);
    const Id pointer = builder_.type_pointer(storage(), block);
    builder_.module().globals.push_back(
        {.op = Op::OpVariable, .type = pointer, .result = variable, .operands = {storage()}});
}

}  // namespace caldera::vulkan
