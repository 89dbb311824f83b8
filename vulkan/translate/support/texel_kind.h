// SPDX-License-Identifier: Apache-2.0
// What kind of numbers an image instruction reads or writes.
#pragma once

#include "spirv/builder.h"
#include "vulkan/storage_formats.h"

namespace caldera::vulkan {

/// What a texel of this type is to the instruction that reads or writes it, whose image operands are at this
/// place. Before SPIR-V 1.4, a module does not say whether an integer has a sign. It is taken for one
/// without.
inline TexelKind texel_kind(const spirv::Builder& builder, spirv::Id type, const spirv::Instruction& inst,
                            size_t mask_at) {
    if (builder.is_float(builder.element(type))) return TexelKind::Float;
    const bool has_sign =
        inst.operands.size() > mask_at &&
        (inst.word(mask_at) & static_cast<uint32_t>(spv::ImageOperandsMask::SignExtend)) != 0;
    return has_sign ? TexelKind::Signed : TexelKind::Unsigned;
}

/// Whether the instruction reads or writes integers, and the module does not say whether these have a sign.
inline bool has_open_sign(const spirv::Builder& builder, spirv::Id type, const spirv::Instruction& inst,
                          size_t mask_at) {
    constexpr uint32_t kSigns = static_cast<uint32_t>(spv::ImageOperandsMask::SignExtend) |
                                static_cast<uint32_t>(spv::ImageOperandsMask::ZeroExtend);
    return !builder.is_float(builder.element(type)) &&
           (inst.operands.size() <= mask_at || (inst.word(mask_at) & kSigns) == 0);
}

}  // namespace caldera::vulkan
