// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/opencl_layout.h"

#include <algorithm>

#include "spirv/support/align.h"
#include "spirv/support/check.h"

namespace caldera::vulkan {

using spirv::Id;

OpenclLayout::OpenclLayout(const spirv::Builder& builder) : builder_(builder) {
    for (const spirv::Instruction& inst : builder.module().annotations)
        if (inst.op == spv::Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::CPacked))
            packed_.insert(inst.id(0));
}

TypeLayout OpenclLayout::of(Id type) const {
    switch (builder_.op_of_type(type)) {
        case spv::Op::OpTypeBool: return {1, 1};
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat: return {builder_.width(type) / 8, builder_.width(type) / 8};
        case spv::Op::OpTypePointer: return {8, 8};
        case spv::Op::OpTypeVector: {
            const uint64_t count = builder_.count(type) == 3 ? 4 : builder_.count(type);
            const uint64_t bytes = count * of(builder_.element(type)).size_bytes;
            return {bytes, bytes};
        }
        case spv::Op::OpTypeArray: {
            const TypeLayout element = of(builder_.element(type));
            return {element.size_bytes * builder_.array_length(type), element.alignment_bytes};
        }
        case spv::Op::OpTypeStruct: {
            TypeLayout layout;
            const uint32_t members = builder_.member_count(type);
            for (uint32_t i = 0; i < members; ++i) {
                const TypeLayout member = of(builder_.member(type, i));
                const uint64_t alignment = is_packed(type) ? 1 : member.alignment_bytes;
                layout.size_bytes = align_up(layout.size_bytes, alignment) + member.size_bytes;
                layout.alignment_bytes = std::max(layout.alignment_bytes, alignment);
            }
            layout.size_bytes = align_up(layout.size_bytes, layout.alignment_bytes);
            return layout;
        }
        default: check(false, "the layout of a type that has none"); return {};
    }
}

uint64_t OpenclLayout::member_offset(Id struct_type, uint32_t member) const {
    uint64_t offset = 0;
    for (uint32_t i = 0;; ++i) {
        const TypeLayout layout = of(builder_.member(struct_type, i));
        if (!is_packed(struct_type)) offset = align_up(offset, layout.alignment_bytes);
        if (i == member) return offset;
        offset += layout.size_bytes;
    }
}

}  // namespace caldera::vulkan
