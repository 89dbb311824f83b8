// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/opencl_layout.h"

#include <algorithm>

#include "spirv/cooperative_matrix.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"

namespace caldera::vulkan {

using spirv::Id;

namespace {
constexpr uint64_t kHuge = uint64_t{1} << 62;  // sizes go no further
}

OpenclLayout::OpenclLayout(const spirv::Builder& builder) : builder_(builder) {
    for (const spirv::Instruction& inst : builder.module().annotations)
        if (inst.op == spv::Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::CPacked))
            packed_.insert(inst.id(0));
    for (const spirv::Instruction& inst : builder.module().globals)
        if (inst.result && !inst.type)
            if (const auto layout = compute(inst.result)) known_[inst.result] = *layout;
    if (packed_.empty()) return;
    for (const spirv::Instruction& inst : builder.module().globals) {
        const size_t parts = inst.op == spv::Op::OpTypeStruct  ? inst.operands.size()
                             : inst.op == spv::Op::OpTypeArray ? 1
                                                               : 0;
        bool has = parts != 0 && packed_.contains(inst.result);
        for (size_t i = 0; i < parts; ++i) has |= has_packed_.contains(inst.id(i));
        if (has) has_packed_.insert(inst.result);
    }
}

TypeLayout OpenclLayout::of(Id type) const {
    const std::optional<TypeLayout> layout = find(type);
    check(layout.has_value(), "the layout of a type that has none");
    return *layout;
}

std::optional<TypeLayout> OpenclLayout::find(Id type) const {
    if (const auto found = known_.find(type); found != known_.end()) return found->second;
    const std::optional<TypeLayout> layout = compute(type);
    if (layout) known_[type] = *layout;
    return layout;
}

/// Computes the layout of a type whose parts are known: types are declared after their parts.
std::optional<TypeLayout> OpenclLayout::compute(Id type) const {
    auto part = [&](Id id) -> std::optional<TypeLayout> {
        const auto found = known_.find(id);
        return found != known_.end() ? std::optional(found->second) : compute(id);
    };
    const spv::Op op = builder_.op_of_type(type);
    if (op == spirv::kTypeMatrix) return TypeLayout{8, 8};  // a handle: its numbers are nobody's
    switch (op) {
        case spv::Op::OpTypeBool: return TypeLayout{1, 1};
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat: return TypeLayout{builder_.width(type) / 8, builder_.width(type) / 8};
        case spv::Op::OpTypePointer:
        case spv::Op::OpTypePipe:
        case spv::Op::OpTypeImage:
        case spv::Op::OpTypeQueue:
        case spv::Op::OpTypeDeviceEvent:
        case spv::Op::OpTypeReserveId: return TypeLayout{8, 8};
        case spv::Op::OpTypeEvent:  // lower_event_type()
        case spv::Op::OpTypeSampler: return TypeLayout{4, 4};
        case spv::Op::OpTypeVector: {
            const uint64_t count = builder_.count(type) == 3 ? 4 : builder_.count(type);
            const auto element = part(builder_.element(type));
            if (!element) return std::nullopt;
            return TypeLayout{count * element->size_bytes, count * element->size_bytes};
        }
        case spv::Op::OpTypeArray: {
            const auto element = part(builder_.element(type));
            const auto length = builder_.constant_value(builder_.find_global(type)->id(1));
            if (!element || !length) return std::nullopt;
            const bool huge = element->size_bytes != 0 && *length > kHuge / element->size_bytes;
            return TypeLayout{huge ? kHuge : element->size_bytes * *length, element->alignment_bytes};
        }
        case spv::Op::OpTypeStruct: {
            TypeLayout layout;
            const uint32_t members = builder_.member_count(type);
            for (uint32_t i = 0; i < members; ++i) {
                const auto member = part(builder_.member(type, i));
                if (!member) return std::nullopt;
                const uint64_t alignment = is_packed(type) ? 1 : member->alignment_bytes;
                layout.size_bytes =
                    std::min(align_up(layout.size_bytes, alignment) + member->size_bytes, kHuge);
                layout.alignment_bytes = std::max(layout.alignment_bytes, alignment);
            }
            layout.size_bytes = align_up(layout.size_bytes, layout.alignment_bytes);
            return layout;
        }
        default: return std::nullopt;
    }
}

uint64_t OpenclLayout::member_offset(Id struct_type, uint32_t member) const {
    std::vector<uint64_t>& offsets = offsets_[struct_type];
    if (offsets.empty()) {
        uint64_t end = 0;
        for (uint32_t i = 0; i < builder_.member_count(struct_type); ++i) {
            const std::optional<TypeLayout> layout = find(builder_.member(struct_type, i));
            if (!layout) break;
            offsets.push_back(is_packed(struct_type) ? end : align_up(end, layout->alignment_bytes));
            end = offsets.back() + layout->size_bytes;
        }
    }
    check(member < offsets.size(), "the offset of a member that has no layout");
    return offsets[member];
}

}  // namespace caldera::vulkan
