// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/recast.h"

#include <numeric>

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

/// 0 for what has no bits in memory.
uint32_t whole_bytes(const Builder& builder, Id type) {
    if (!builder.is_int(type) && !builder.is_float(type)) return 0;
    const uint32_t width = builder.width(type);
    return width % 8 == 0 && width <= 64 ? width : 0;
}

Id integer_type(Builder& builder, uint32_t width) {
    if (width == 8) builder.capability(spv::Capability::Int8);
    if (width == 16) builder.capability(spv::Capability::Int16);
    if (width == 64) builder.capability(spv::Capability::Int64);
    return builder.type_int(width);
}

/// Between a float and an integer of its width.
Id as_type(Builder& builder, Id value, Id from, Id to) {
    return from == to ? value : builder.append(Op::OpBitcast, to, {value});
}

std::vector<Id> cut(Builder& builder, std::span<const Id> parts, Id from, Id to) {
    const uint32_t width = builder.width(from), step = builder.width(to);
    std::vector<Id> out;
    for (const Id part : parts)
        for (uint32_t at = 0; at < width; at += step) {
            const Id amount = builder.constant_int(from, at);
            const Id lowered = at == 0 ? part : builder.append(Op::OpShiftRightLogical, from, {part, amount});
            out.push_back(builder.append(Op::OpUConvert, to, {lowered}));
        }
    return out;
}

std::vector<Id> join(Builder& builder, std::span<const Id> parts, Id from, Id to) {
    const uint32_t step = builder.width(from), width = builder.width(to);
    std::vector<Id> out;
    for (size_t i = 0; i < parts.size();) {
        Id sum = builder.append(Op::OpUConvert, to, {parts[i++]});
        for (uint32_t at = step; at < width; at += step) {
            const Id wide = builder.append(Op::OpUConvert, to, {parts[i++]});
            const Id raised =
                builder.append(Op::OpShiftLeftLogical, to, {wide, builder.constant_int(to, at)});
            sum = builder.append(Op::OpBitwiseOr, to, {sum, raised});
        }
        out.push_back(sum);
    }
    return out;
}

/// Between integers. If neither width is a multiple of the other, by way of smaller ones.
std::vector<Id> recast_integers(Builder& builder, std::span<const Id> parts, Id from, Id to) {
    const uint32_t width = builder.width(from), wanted = builder.width(to), common = std::gcd(width, wanted);
    std::vector<Id> pieces(parts.begin(), parts.end());
    if (width == wanted) return pieces;
    const Id piece = common == wanted ? to : common == width ? from : integer_type(builder, common);
    if (common < width) pieces = cut(builder, pieces, from, piece);
    return common < wanted ? join(builder, pieces, piece, to) : pieces;
}

}  // namespace

std::optional<std::vector<Id>> recast(Builder& builder, std::span<const Id> parts, Id from, Id to) {
    const uint32_t width = whole_bytes(builder, from), wanted = whole_bytes(builder, to);
    if (width == 0 || wanted == 0 || parts.empty() || parts.size() * width % wanted != 0) return std::nullopt;
    const Id from_bits = builder.is_float(from) ? integer_type(builder, width) : from,
             to_bits = builder.is_float(to) ? integer_type(builder, wanted) : to;
    if (width == wanted && (from == to_bits || to == from_bits || from == to)) {
        std::vector<Id> out;
        for (const Id part : parts) out.push_back(as_type(builder, part, from, to));
        return out;
    }
    std::vector<Id> bits;
    for (const Id part : parts) bits.push_back(as_type(builder, part, from, from_bits));
    std::vector<Id> out = recast_integers(builder, bits, from_bits, to_bits);
    for (Id& part : out) part = as_type(builder, part, to_bits, to);
    return out;
}

bool is_about_addresses(Op op) {
    using enum Op;
    switch (op) {
        case OpBitcast:
        case OpCopyObject:
        case OpPhi:
        case OpSelect:
        case OpFunctionCall:
        case OpPtrCastToGeneric:
        case OpGenericCastToPtr:
        case OpGenericCastToPtrExplicit:
        case OpGenericPtrMemSemantics:
        case OpConvertPtrToU:
        case OpPtrEqual:
        case OpPtrNotEqual:
        case OpCompositeConstruct:
        case OpCompositeExtract:
        case OpCompositeInsert:
        case OpVectorShuffle:
        case OpVectorExtractDynamic:
        case OpVectorInsertDynamic:
        case OpConstantComposite:
        case OpSpecConstantComposite:
        case OpVariable:
        case OpCopyMemorySized:
        case OpLifetimeStart:
        case OpLifetimeStop: return true;
        default: return false;
    }
}

}  // namespace caldera::vulkan
