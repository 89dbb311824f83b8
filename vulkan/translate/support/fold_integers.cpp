// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons of integers.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "spirv/op_class.h"
#include "vulkan/translate/support/fold_impl.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

Id Folder::fold_binary(Instruction& inst) {
    if (const Id value = fold_with_itself(inst)) return value;
    if (const Id value = fold_back(inst)) return value;
    if (!builder_.is_int(inst.type)) return {};
    const uint32_t width = builder_.width(inst.type);
    std::optional<uint64_t> a = builder_.constant_value(inst.id(0)), b = builder_.constant_value(inst.id(1));
    if (a && b) {
        if (auto value = integer_result(inst.op, *a, *b, width))
            return builder_.constant_int(inst.type, *value);
        return {};
    }
    if (a && spirv::is_commutative(inst.op)) {  // constants to the right
        std::swap(inst.operands[0], inst.operands[1]);
        std::swap(a, b);
    }
    if (Id same = fold_neutral(inst)) return same;
    if (!b || inst.op != OpIAdd) return {};
    // (x + c) + d is x + (c + d): what chains of address arithmetic are made of
    const Instruction* inner = definition(inst.id(0));
    if (inner == nullptr || inner->op != OpIAdd || inner->type != inst.type) return {};
    const std::optional<uint64_t> c = builder_.constant_value(inner->id(1));
    if (!c) return {};
    const int64_t sc = sign_extend(*c, width), sb = sign_extend(*b, width);
    int64_t sum = 0;  // where the constants' sum wraps, NoSignedWrap might not hold of the new addition
    if (__builtin_add_overflow(sc, sb, &sum) || sign_extend(static_cast<uint64_t>(sum), width) != sum)
        return {};
    const Id base = inner->id(0);
    inst.operands = {base, builder_.constant_int(inst.type, static_cast<uint64_t>(sum))};
    return fold_neutral(inst);
}

/// Also used for vectors: in the source, the operands may be two loads of one place.
Id Folder::fold_with_itself(const Instruction& inst) {
    if (inst.id(0) != inst.id(1)) return {};
    switch (inst.op) {
        case OpISub:
        case OpBitwiseXor: return builder_.constant_null(inst.type);
        case OpBitwiseAnd:
        case OpBitwiseOr: return inst.id(0);
        default: return {};
    }
}

/// x + (y - x) and (x + y) - x are y, and x - (x - y) is, too, whether or not they wrap: what is left of an
/// address that was moved to another one. Also used for vectors.
Id Folder::fold_back(const Instruction& inst) {
    if (inst.op != OpIAdd && inst.op != OpISub) return {};
    for (const size_t i : {0, 1}) {
        const Instruction* inner = definition(inst.id(i));
        if (inner == nullptr || inner->type != inst.type) continue;
        const Id other = inst.id(1 - i);
        if (inst.op == OpIAdd && inner->op == OpISub && inner->id(1) == other) return inner->id(0);
        if (inst.op == OpISub && inner->op == OpISub && i == 1 && inner->id(0) == other) return inner->id(1);
        if (inst.op == OpISub && inner->op == OpIAdd && i == 0 && inner->id(0) == other) return inner->id(1);
        if (inst.op == OpISub && inner->op == OpIAdd && i == 0 && inner->id(1) == other) return inner->id(0);
    }
    return {};
}

Id Folder::fold_neutral(const Instruction& inst) {
    const Id left = inst.id(0), right = inst.id(1);
    const std::optional<uint64_t> b = builder_.constant_value(right);
    if (!b) return {};
    const uint32_t width = builder_.width(inst.type);
    const uint64_t ones = all_ones(width);
    switch (inst.op) {
        case OpIAdd:
        case OpISub:
        case OpBitwiseXor:
        case OpShiftLeftLogical:
        case OpShiftRightLogical:
        case OpShiftRightArithmetic: return *b == 0 ? left : Id{};
        case OpBitwiseOr: return *b == 0 ? left : *b == ones ? right : Id{};
        case OpBitwiseAnd: return *b == ones ? left : *b == 0 ? right : Id{};
        case OpIMul: return *b == 1 ? left : *b == 0 ? right : Id{};
        case OpUDiv:
        case OpSDiv: return *b == 1 ? left : Id{};
        default: return {};
    }
}

/// The value of the narrower `type` whose extension is `value`: the operand of a conversion, or a constant
/// that fits; else {}.
Id Folder::narrowed(Id value, spv::Op extension, Id type) {
    if (const Instruction* made = definition(value); made != nullptr && made->op == extension)
        return builder_.type_of(made->id(0)) == type ? made->id(0) : Id{};
    const uint32_t from = builder_.width(builder_.type_of(value)), to = builder_.width(type);
    return builder_.changed_constant(type, value, [&](uint64_t number) -> std::optional<uint64_t> {
        const uint64_t low = number & all_ones(to);
        const bool fits =
            extension == OpUConvert ? low == number : sign_extend(low, to) == sign_extend(number, from);
        return fits ? std::optional(low) : std::nullopt;
    });
}

/// Extensions keep the order, so a comparison of extended values compares what was extended. It is cheaper,
/// and Mesa's llvmpipe gets the comparison of an extended int with a constant wrong. driver_quirks.def:
/// compares_what_was_extended.
void Folder::narrow_compare(Instruction& inst) {
    for (const size_t extended : {0, 1}) {
        const Instruction* made = definition(inst.id(extended));
        if (made == nullptr || (made->op != OpSConvert && made->op != OpUConvert)) continue;
        const spv::Op extension = made->op;
        const Id source = made->id(0), type = builder_.type_of(source);
        if (builder_.width(type) >= builder_.width(made->type)) continue;
        const Id other = narrowed(inst.id(1 - extended), extension, type);
        if (!other) continue;
        inst.operands[extended] = source;
        inst.operands[1 - extended] = other;
        if (extension == OpUConvert) inst.op = as_unsigned(inst.op);
        return;
    }
}

Id Folder::fold_compare(Instruction& inst) {
    narrow_compare(inst);
    const Id type = builder_.type_of(inst.id(0));
    if (inst.id(0) == inst.id(1)) return truth(inst.type, *integer_result(inst.op, 0, 0, 32) != 0);
    if (!builder_.is_bool(inst.type) || !type || !builder_.is_int(type)) return {};
    const auto a = builder_.constant_value(inst.id(0)), b = builder_.constant_value(inst.id(1));
    if (b && !a) return fold_compare_of_select(inst, *b);
    if (!a || !b) return {};
    return builder_.constant_bool(*integer_result(inst.op, *a, *b, builder_.width(type)) != 0);
}

/// `(c ? 1 : 0) != 0`, as variables of type bool are read, is c.
Id Folder::fold_compare_of_select(Instruction& inst, uint64_t with) {
    const Instruction* select = definition(inst.id(0));
    if (select == nullptr || select->op != OpSelect) return {};
    const auto if_true = builder_.constant_value(select->id(1)),
               if_false = builder_.constant_value(select->id(2));
    if (!if_true || !if_false) return {};
    const uint32_t width = builder_.width(select->type);
    const bool when_true = *integer_result(inst.op, *if_true, with, width) != 0;
    const bool when_false = *integer_result(inst.op, *if_false, with, width) != 0;
    if (when_true == when_false) return builder_.constant_bool(when_true);
    if (when_true) return select->id(0);
    inst.op = OpLogicalNot;
    inst.operands = {select->id(0)};
    return {};
}

/// Minimum, maximum, clamp and the place of a bit, of constants. SPIRV-Tools (and so drivers that use it)
/// takes an unsigned type's for unsigned when it folds the signed ones, and vectors for scalars.
/// driver_quirks.def: folds_minima_itself.
Id Folder::fold_extended(const Instruction& inst) {
    if (builder_.is_float(inst.type)) return fold_float_extended(inst);
    if (!builder_.is_int(inst.type)) return {};
    std::vector<uint64_t> values;
    for (size_t i = 2; i < inst.operands.size(); ++i) {
        const auto value = inst.operands[i].is_id ? builder_.constant_value(inst.id(i)) : std::nullopt;
        if (!value) return {};
        values.push_back(*value);
    }
    if (!is_glsl(inst)) return {};
    const uint32_t width = builder_.width(inst.type);
    auto less = [&](uint64_t a, uint64_t b) { return sign_extend(a, width) < sign_extend(b, width); };
    auto constant = [&](uint64_t value) { return builder_.constant_int(inst.type, value); };
    switch (inst.word(1)) {
        case GLSLstd450SMin: return constant(std::min(values[0], values[1], less));
        case GLSLstd450SMax: return constant(std::max(values[0], values[1], less));
        case GLSLstd450SClamp:
            return constant(std::min(std::max(values[0], values[1], less), values[2], less));
        case GLSLstd450FindUMsb: {  // all ones where there is none
            const uint64_t bits = values[0] & all_ones(width);
            return constant(bits == 0 ? ~uint64_t{0} : static_cast<uint64_t>(std::bit_width(bits)) - 1);
        }
        case GLSLstd450FindILsb: {
            const uint64_t bits = values[0] & all_ones(width);
            return constant(bits == 0 ? ~uint64_t{0} : static_cast<uint64_t>(std::countr_zero(bits)));
        }
        case GLSLstd450UMin: return constant(std::min(values[0], values[1]));
        case GLSLstd450UMax: return constant(std::max(values[0], values[1]));
        case GLSLstd450UClamp: return constant(std::min(std::max(values[0], values[1]), values[2]));
        default: return {};
    }
}

Id Folder::fold_complement(const Instruction& inst) {
    return builder_.changed_constant(
        inst.type, inst.id(0), [&](uint64_t number) { return inst.op == OpNot ? ~number : 0 - number; });
}

Id Folder::fold_bit_count(const Instruction& inst) {
    const auto value = builder_.constant_value(inst.id(0));
    const Id type = builder_.type_of(inst.id(0));
    if (!value || !type || !builder_.is_int(type) || !builder_.is_int(inst.type)) return {};
    const int count = std::popcount(*value & all_ones(builder_.width(type)));
    return builder_.constant_int(inst.type, static_cast<uint64_t>(count));
}

}  // namespace caldera::vulkan
