// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/layout.h"

#include <algorithm>
#include <bit>

#include "spirv/cooperative_matrix.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"

namespace caldera::vulkan::memory {
namespace {

constexpr uint64_t kMaxLayout = uint64_t{1} << 62;

uint64_t times(uint64_t a, uint64_t b) { return a != 0 && b > kMaxLayout / a ? kMaxLayout : a * b; }

void lay_out_struct(TypeInfo& info, bool packed, const Layout& layout) {
    for (const Operand& operand : info.operands) {
        const TypeInfo& member = layout[operand.id()];
        const uint64_t alignment = packed ? 1 : member.align_bytes;
        info.size_bytes = align_up(info.size_bytes, alignment);
        info.offsets.push_back(info.size_bytes);
        info.size_bytes = std::min(info.size_bytes + member.size_bytes, kMaxLayout);
        info.align_bytes = std::max(info.align_bytes, alignment);
        info.leaves = std::min(info.leaves + member.leaves, kMaxLayout);
        info.depth = std::max(info.depth, member.depth + 1);
        info.has_pointer |= member.has_pointer;
        info.in_memory &= member.in_memory;
    }
    info.size_bytes = align_up(info.size_bytes, info.align_bytes);
}

void lay_out_elements(TypeInfo& info, const TypeInfo& element, uint64_t count) {
    info.size_bytes = times(element.size_bytes, count);
    info.align_bytes = element.align_bytes;
    info.leaves = times(element.leaves, count);
    info.depth = element.depth + 1;
    info.has_pointer = element.has_pointer;
    info.in_memory = element.in_memory;
}

}  // namespace

Layout::Layout(const spirv::Module& module) {
    spirv::IdSet packed;
    for (const Instruction& inst : module.annotations)
        if (inst.op == spv::Op::OpDecorate && inst.operands.size() >= 2 &&
            inst.word(1) == static_cast<uint32_t>(spv::Decoration::CPacked))
            packed.insert(inst.id(0));
    for (const Instruction& inst : module.globals) {
        if (inst.result) add(inst, packed.contains(inst.result));
        if (inst.op == spv::Op::OpTypeForwardPointer)  // members may name it before its pointee is known
            add({.op = spv::Op::OpTypePointer,
                 .result = inst.id(0),
                 .operands = {inst.operands[1], Operand(Id{})}},
                false);
    }
}

void Layout::add(const Instruction& inst, bool packed) {
    if (inst.op == spv::Op::OpConstant || inst.op == spv::Op::OpSpecConstant) {
        constants_.set(inst.result) =
            inst.word(0) | (inst.operands.size() > 1 ? uint64_t{inst.word(1)} << 32 : 0);
        return;
    }
    if (inst.type) return;  // a value
    TypeInfo info{.op = inst.op, .operands = inst.operands, .in_memory = true};
    switch (inst.op) {
        case spv::Op::OpTypeBool: info.size_bytes = info.leaves = 1; break;
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat:
            info.size_bytes = info.align_bytes = inst.word(0) / 8;
            info.leaves = 1;
            break;
        case spv::Op::OpTypePointer:
            info.size_bytes = info.align_bytes = 8;
            info.leaves = 1;
            break;
        case spv::Op::OpTypeVector:
            lay_out_elements(info, (*this)[inst.id(0)], std::bit_ceil(uint64_t{inst.word(1)}));
            info.align_bytes = std::max<uint64_t>(info.size_bytes, 1);
            info.leaves = 1;
            break;
        case spv::Op::OpTypeArray: lay_out_elements(info, (*this)[inst.id(0)], constants_[inst.id(1)]); break;
        case spv::Op::OpTypeStruct: lay_out_struct(info, packed, *this); break;
        default: info.in_memory = false; break;
    }
    types_.set(inst.result) = std::move(info);
    if (is_memory_pointer(inst.result)) types_.set(inst.result).has_pointer = true;
}

bool Layout::is_memory_pointer(Id type) const {
    const TypeInfo& info = (*this)[type];
    if (info.op != spv::Op::OpTypePointer) return false;
    switch (info.storage()) {
        case spv::StorageClass::Function:
            if (has_matrix(info.pointee())) return false;
            [[fallthrough]];
        case spv::StorageClass::Workgroup:
        case spv::StorageClass::CrossWorkgroup:
        case spv::StorageClass::Generic: return true;
        case spv::StorageClass::UniformConstant: {
            // Samplers may live there too. A pointee declared later (OpTypeForwardPointer) is a struct.
            const spv::Op pointee = (*this)[info.pointee()].op;
            return pointee != spv::Op::OpTypeSampler && pointee != spv::Op::OpTypeImage &&
                   pointee != spv::Op::OpTypeSampledImage;
        }
        default: return false;
    }
}

bool Layout::has_matrix(Id type) const {
    while ((*this)[type].op == spv::Op::OpTypeArray) type = (*this)[type].element();
    return (*this)[type].op == spirv::kTypeMatrix;
}

uint32_t Layout::count(Id type) const {
    const TypeInfo& info = (*this)[type];
    return info.op == spv::Op::OpTypeVector ? info.operands[1].word : 1;
}

Id Layout::scalar(Id type) const {
    const TypeInfo& info = (*this)[type];
    return info.op == spv::Op::OpTypeVector ? info.element() : type;
}

uint64_t Layout::array_length(const TypeInfo& array) const { return constants_[array.operands[1].id()]; }

}  // namespace caldera::vulkan::memory
