// SPDX-License-Identifier: Apache-2.0
// The image operands of OpImageSampleExplicitLod, OpImageRead and OpImageWrite (SPIR-V 3.14).
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Bits that change no texel that is read or written, and have no operand.
constexpr uint32_t kHarmlessImageOperands = static_cast<uint32_t>(spv::ImageOperandsMask::SignExtend) |
                                            static_cast<uint32_t>(spv::ImageOperandsMask::ZeroExtend) |
                                            static_cast<uint32_t>(spv::ImageOperandsMask::Nontemporal);

/// The index of the mask, behind which its operands are. An instruction may end before it.
constexpr size_t image_mask_at(spv::Op op) { return op == spv::Op::OpImageWrite ? 3 : 2; }
inline spv::ImageOperandsMask image_mask(const spirv::Instruction& inst) {
    const size_t at = image_mask_at(inst.op);
    return inst.operands.size() <= at
               ? spv::ImageOperandsMask::MaskNone
               : static_cast<spv::ImageOperandsMask>(inst.word(at) & ~kHarmlessImageOperands);
}

/// Whether a value is a constant whose bits are zeros.
inline bool is_zero(const spirv::Builder& builder, spirv::Id id) {
    const spirv::Instruction* constant = builder.find_global(id);
    return constant &&
           (constant->op == spv::Op::OpConstantNull ||
            (constant->op == spv::Op::OpConstant &&
             std::ranges::all_of(constant->operands, [](const auto& word) { return word.word == 0; })));
}

/// The level that an instruction names by its number; none if that is the first one.
inline spirv::Id level_of(const spirv::Builder& builder, const spirv::Instruction& inst) {
    if (image_mask(inst) != spv::ImageOperandsMask::Lod) return {};
    const spirv::Id level = inst.id(image_mask_at(inst.op) + 1);
    return is_zero(builder, level) ? spirv::Id{} : level;
}

/// The gradients in x and y from which an instruction finds levels.
inline std::optional<std::array<spirv::Id, 2>> gradients_of(const spirv::Instruction& inst) {
    if (image_mask(inst) != spv::ImageOperandsMask::Grad) return std::nullopt;
    const size_t at = image_mask_at(inst.op);
    return std::array{inst.id(at + 1), inst.id(at + 2)};
}

}  // namespace caldera::vulkan
