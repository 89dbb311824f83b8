// SPDX-License-Identifier: Apache-2.0
// How OpenCL C numbers what SPIR-V says of images and samplers.
#pragma once

#include "spirv/module.h"
#include "vulkan/interface.h"
#include "vulkan/translate/options.h"

namespace caldera::vulkan {

// SPIR-V 3.12 and 3.13 count from 0; the API counts from these values.
constexpr uint32_t kFirstOrder = 0x10b0, kFirstDataType = 0x10d0;

/// An image is represented by its descriptor's address and, from here on, the number of its format
/// (builtins/image/image.h).
constexpr uint64_t kImageFormatShift = 57;

/// The qualifier is an OpTypeImage's last operand. In import_module, the types of all images get one.
constexpr size_t kImageQualifier = 7;
inline bool has_qualifier(const spirv::Instruction& image_type) {
    return image_type.operands.size() > kImageQualifier;
}
inline spv::AccessQualifier image_access(const spirv::Instruction& image_type) {
    return has_qualifier(image_type) ? static_cast<spv::AccessQualifier>(image_type.word(kImageQualifier))
                                     : spv::AccessQualifier::ReadOnly;
}

inline ImageShape image_shape_of(const spirv::Instruction& image_type) {
    constexpr size_t kDim = 1, kArrayed = 3, kMultisampled = 4;
    const bool is_array = image_type.word(kArrayed) != 0;
    if (image_type.word(kMultisampled) != 0)
        return is_array ? ImageShape::Image2DArrayMultisampled : ImageShape::Image2DMultisampled;
    switch (static_cast<spv::Dim>(image_type.word(kDim))) {
        case spv::Dim::Dim2D: return is_array ? ImageShape::Image2DArray : ImageShape::Image2D;
        case spv::Dim::Dim3D: return ImageShape::Image3D;
        default: return is_array ? ImageShape::Image1DArray : ImageShape::Image1D;
    }
}

/// Whether images of an OpTypeImage become Vulkan's.
inline bool becomes_hardware(const spirv::Instruction& image_type, const TranslateOptions& options) {
    constexpr size_t kDim = 1;
    if (options.images == Images::Memory) return false;
    const spv::AccessQualifier access = image_access(image_type);
    const bool is_buffer = static_cast<spv::Dim>(image_type.word(kDim)) == spv::Dim::Buffer;
    if (options.exact_nearest && (is_buffer || access == spv::AccessQualifier::ReadWrite)) return false;
    return !options.written_images_in_memory || access == spv::AccessQualifier::ReadOnly;
}

/// OpConstantSampler's operands are the addressing mode, whether coordinates are normalised, and the filter
/// (SPIR-V 3.10 and 3.11). SPIR-V's addressing modes have the same order as OpenCL C's.
inline uint32_t sampler_bits(const spirv::Instruction& constant) {
    uint32_t bits = constant.word(0) << 1;
    bits |= constant.word(2) != 0 ? kSamplerLinear : kSamplerNearest;
    if (constant.word(1) != 0) bits |= kSamplerNormalized;
    return bits;
}

/// Constant samplers become integers: their bits, and `more`. Their type is still to be replaced.
inline void number_constant_samplers(spirv::Module& module, uint32_t more = 0) {
    for (spirv::Instruction& inst : module.globals) {
        if (inst.op != spv::Op::OpConstantSampler) continue;
        inst.operands = {more | sampler_bits(inst)};
        inst.op = spv::Op::OpConstant;
    }
}

}  // namespace caldera::vulkan
