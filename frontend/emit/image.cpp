// SPDX-License-Identifier: Apache-2.0
// Images and samplers (OpenCL C 6.13.14), as the OpenCL SPIR-V environment maps them.
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

namespace {

struct ImageShape {
    spv::Dim dim;
    uint32_t depth, arrayed, multisampled;
    /// How many numbers say its size, layers among them.
    uint32_t extents() const {
        const uint32_t texel = dim == spv::Dim::Dim3D ? 3 : dim == spv::Dim::Dim2D ? 2 : 1;
        return texel + arrayed;
    }
    bool has_levels() const { return dim != spv::Dim::Buffer && multisampled == 0; }
};

constexpr ImageShape kShapes[] = {
#define IMAGE(kind, spelling, dim, depth, arrayed, multisampled) \
    {spv::Dim::dim, depth, arrayed, multisampled},
#include "frontend/types/images.def"
#undef IMAGE
};

const ImageShape& shape_of(const Type* image) { return kShapes[static_cast<size_t>(image->image)]; }

spv::AccessQualifier access_of(const QualType& type) {
    switch (type.access) {
        case Access::WriteOnly: return spv::AccessQualifier::WriteOnly;
        case Access::ReadWrite: return spv::AccessQualifier::ReadWrite;
        default: return spv::AccessQualifier::ReadOnly;
    }
}

}  // namespace

Id Emitter::image_type(const QualType& type) {
    const ImageShape& shape = shape_of(type.type);
    return b_.type(spv::Op::OpTypeImage,
                   {b_.type_void(), shape.dim, shape.depth, shape.arrayed, shape.multisampled, 0u,
                    spv::ImageFormat::Unknown, access_of(type)});
}

/// CLK_ADDRESS_* is twice the SPIR-V enumerant, CLK_FILTER_NEAREST and _LINEAR are 0x10 and 0x20.
Id Emitter::sampler_constant(uint64_t bits) {
    auto addressing = static_cast<uint32_t>(bits >> 1 & 7);
    if (addressing > static_cast<uint32_t>(spv::SamplerAddressingMode::RepeatMirrored)) addressing = 0;
    const auto normalized = static_cast<uint32_t>(bits & 1);
    const uint32_t filter = (bits & 0x20) ? 1 : 0;
    Id& sampler = samplers_[addressing << 2 | normalized << 1 | filter];
    if (!sampler)
        sampler = b_.global(spv::Op::OpConstantSampler, b_.type(spv::Op::OpTypeSampler),
                            {addressing, normalized, filter});
    return sampler;
}

/// The image operand for what is read or written, or 0.
uint32_t Emitter::texel_sign(const Type* texel) const {
    if (!options_.image_signs || texel->is_floating_or_vector()) return 0;
    return static_cast<uint32_t>(texel->is_signed() ? spv::ImageOperandsMask::SignExtend
                                                    : spv::ImageOperandsMask::ZeroExtend);
}

Id Emitter::image_builtin(const builtin::Resolution& builtin, const Args& args) {
    const builtin::Row& row = *builtin.row;
    const auto op = static_cast<spv::Op>(row.a);
    const Id result = value_type(builtin.result);
    Operands operands = {args.begin(), args.end()};
    switch (op) {
        case spv::Op::OpImageSampleExplicitLod: return sample_image(builtin, args);
        case spv::Op::OpImageRead:
            if (const uint32_t mask = row.b | texel_sign(builtin.result.type); mask != 0)  // Sample
                operands.insert(operands.begin() + 2, mask);
            return b_.append(op, result, std::move(operands));
        case spv::Op::OpImageWrite:
            if (const uint32_t mask = texel_sign(builtin.params[2].type); mask != 0) operands.push_back(mask);
            b_.append_void(op, std::move(operands));
            return {};
        case spv::Op::OpImageQuerySize: return image_size(builtin, args[0]);
        case spv::Op::OpImageQueryFormat:
        case spv::Op::OpImageQueryOrder:  // SPIR-V counts from 0, OpenCL from the first CLK_ constant
            return b_.append(spv::Op::OpIAdd, result, {b_.append(op, result, {args[0]}), u32(row.b)});
        default: return b_.append(op, result, std::move(operands));
    }
}

/// read_image*(image, sampler, coordinates[, lod | gradient x, gradient y]): without a level, the first one.
Id Emitter::sample_image(const builtin::Resolution& builtin, const Args& args) {
    const Id result = value_type(builtin.result);
    const Id texel = b_.with_count(result, 4);
    const Id sampled =
        b_.append(spv::Op::OpSampledImage, b_.type(spv::Op::OpTypeSampledImage, {b_.type_of(args[0])}),
                  {args[0], args[1]});
    Operands operands = {sampled, args[2], builtin.row->b | texel_sign(builtin.result.type)};
    constexpr uint8_t kXyz[] = {0, 1, 2};
    for (const Id arg : std::span(args).subspan(3))  // the w of a gradient means nothing
        operands.push_back(b_.count(b_.type_of(arg)) == 4 ? shuffle(arg, kXyz, 3) : arg);
    if (args.size() == 3) operands.push_back(b_.constant_f32(0));
    const Id value = b_.append(spv::Op::OpImageSampleExplicitLod, texel, std::move(operands));
    return texel == result ? value : extract(value, result, 0);  // of a depth image
}

/// get_image_width, _height, _depth, _dim, _array_size: some of the numbers that the query gives.
Id Emitter::image_size(const builtin::Resolution& builtin, Id image) {
    const ImageShape& shape = shape_of(builtin.params[0].type);
    const Id result = value_type(builtin.result);
    const Id type = b_.with_count(result, shape.extents());
    const Id size = shape.has_levels() ? b_.append(spv::Op::OpImageQuerySizeLod, type, {image, u32(0)})
                                       : b_.append(spv::Op::OpImageQuerySize, type, {image});
    if (type == result) return size;
    if (builtin.result->is_vector()) {
        constexpr uint8_t kPlane[] = {0, 1};
        if (shape.dim != spv::Dim::Dim3D) return shuffle(size, kPlane, 2);
        return b_.append(spv::Op::OpVectorShuffle, result, {size, b_.constant_null(type), 0u, 1u, 2u, 3u});
    }
    const bool layers = builtin.row->b == builtin::kLayers;
    return extract(size, result, layers ? shape.extents() - 1 : builtin.row->b);
}

}  // namespace caldera::frontend
