// SPDX-License-Identifier: Apache-2.0
// Conversions between integers and floats, between widths, and of bits.
#include <cmath>
#include <optional>
#include <vector>

#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/fold_impl.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

/// Integers that floats of this width have exactly. Others are rounded once if nothing says how.
Id Folder::fold_to_float(const Instruction& inst) {
    const Id from = builder_.type_of(inst.id(0));
    const auto value = builder_.constant_value(inst.id(0));
    if (!value || !from || !builder_.is_int(from) || !builder_.is_float(inst.type)) return {};
    const uint32_t width = builder_.width(inst.type);
    const bool is_signed = inst.op == OpConvertSToF;
    const int64_t number =
        is_signed ? sign_extend(*value, builder_.width(from)) : static_cast<int64_t>(*value);
    const int64_t most = int64_t{1} << (mantissa_bits(width) + 1);
    if (!is_signed && number < 0) return {};
    if (number > most || number < -most) {
        constexpr int64_t kMost = int64_t{1} << 53;  // which double has
        if (!plain_conversions_ || (width != 64 && (number > kMost || number < -kMost))) return {};
        return plain_constant(inst.type, static_cast<double>(number));
    }
    return builder_.constant_float_bits(inst.type, float_bits(width, static_cast<double>(number)));
}

/// Numbers that the integer has: before lower_instructions a decoration may round others than whole ones, and
/// saturate.
Id Folder::fold_to_int(const Instruction& inst) {
    const auto number = plain_float(inst.id(0));
    if (!number || !builder_.is_int(inst.type)) return {};
    const double whole = std::trunc(*number);
    if (whole != *number && !plain_conversions_) return {};
    const bool is_signed = inst.op == OpConvertFToS;
    const double end = std::ldexp(1.0, static_cast<int>(builder_.width(inst.type)) - (is_signed ? 1 : 0));
    if (whole >= end || whole < (is_signed ? -end : 0)) return {};
    const uint64_t magnitude = static_cast<uint64_t>(std::fabs(whole));
    return builder_.constant_int(inst.type, whole < 0 ? 0 - magnitude : magnitude);
}

/// Folds only if the other width can represent the value exactly where a decoration may choose the rounding.
Id Folder::fold_float_width(const Instruction& inst) {
    const auto number = plain_float(inst.id(0));
    if (!number || !builder_.is_float(inst.type)) return {};
    return plain_conversions_ ? plain_constant(inst.type, *number) : exact_constant(inst.type, *number);
}

/// A change of width after a widening starts from the narrow value: ids are 32 bits wide that OpenCL C sees
/// as size_t.
Id Folder::fold_widths(Instruction& inst) {
    const Instruction* inner = definition(inst.id(0));
    if (inner == nullptr || (inner->op != OpUConvert && inner->op != OpSConvert)) return {};
    const Id source = inner->id(0), type = builder_.type_of(source);
    if (!type || builder_.width(type) >= builder_.width(inner->type)) return {};
    const uint32_t from = builder_.width(type), to = builder_.width(inst.type);
    if (to == from) return type == inst.type ? source : Id{};
    // Narrower than the source: only low bits count. Wider: a zero-extension is positive, so any extension
    // continues it.
    if (to > from && inner->op == OpSConvert && inst.op == OpUConvert) return {};
    if (to > from) inst.op = inner->op;
    inst.operands[0] = source;
    return {};
}

/// A number, or a vector of numbers, that has the bits of another. The first component has the lowest bits.
Id Folder::fold_bits(const Instruction& inst) {
    const Id from = builder_.type_of(inst.id(0));
    const auto is_numbers = [&](Id type) {
        const Id part = type && builder_.is_vector(type) ? builder_.element(type) : type;
        return part && (builder_.is_int(part) || builder_.is_float(part)) && builder_.width(part) >= 8 &&
               builder_.width(part) <= 64;
    };
    if (!is_numbers(from) || !is_numbers(inst.type)) return {};
    const uint32_t from_bytes = builder_.width(from) / 8, to_bytes = builder_.width(inst.type) / 8;
    std::vector<uint8_t> bytes;
    for (uint32_t i = 0; i < builder_.count(from); ++i) {
        const Id part = builder_.is_vector(from) ? builder_.constant_component(inst.id(0), i) : inst.id(0);
        const Instruction* constant = part ? builder_.find_global(part) : nullptr;
        if (!constant || (constant->op != OpConstant && constant->op != OpConstantNull)) return {};
        const uint64_t bits = constant->op == OpConstant ? number_at(*constant) : 0;
        for (uint32_t b = 0; b < from_bytes; ++b) bytes.push_back(static_cast<uint8_t>(bits >> (8 * b)));
    }
    const uint32_t count = builder_.count(inst.type);
    if (bytes.size() != size_t{count} * to_bytes) return {};
    std::vector<Id> parts;
    const Id type = builder_.is_vector(inst.type) ? builder_.element(inst.type) : inst.type;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t bits = 0;
        for (uint32_t b = 0; b < to_bytes; ++b) bits |= uint64_t{bytes[size_t{i} * to_bytes + b]} << (8 * b);
        parts.push_back(builder_.is_int(type) ? builder_.constant_int(type, bits)
                                              : builder_.constant_float_bits(type, bits));
    }
    return count == 1 ? parts[0] : builder_.constant_composite(inst.type, parts);
}

Id Folder::fold_conversion(Instruction& inst) {
    const Id type = builder_.type_of(inst.id(0));
    if (inst.op == OpUConvert || inst.op == OpSConvert) {
        if (Id same = fold_widths(inst)) return same;
        const auto value = builder_.constant_value(inst.id(0));
        if (!value || !type || !builder_.is_int(type) || !builder_.is_int(inst.type)) return {};
        return builder_.constant_int(inst.type, inst.op == OpUConvert ? *value
                                                                      : static_cast<uint64_t>(sign_extend(
                                                                            *value, builder_.width(type))));
    }
    if (inst.op == OpBitcast && type == inst.type) return inst.id(0);
    if (inst.op == OpBitcast)
        if (const Id constant = fold_bits(inst)) return constant;
    const Instruction* inner = definition(inst.id(0));
    if (inner == nullptr) return {};
    const bool round_trip = (inst.op == OpBitcast && inner->op == OpBitcast) ||
                            (inst.op == OpConvertPtrToU && inner->op == OpConvertUToPtr);
    if (!round_trip) return {};
    if (builder_.type_of(inner->id(0)) == inst.type) return inner->id(0);
    if (inst.op == OpBitcast) inst.operands[0] = inner->operands[0];
    return {};
}

}  // namespace caldera::vulkan
