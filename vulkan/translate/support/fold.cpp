// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/fold.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "spirv/op_class.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

namespace {

int64_t sign_extend(uint64_t value, uint32_t width) {
    if (width >= 64) return static_cast<int64_t>(value);
    const uint64_t sign = uint64_t{1} << (width - 1);
    return static_cast<int64_t>(((value & ((sign << 1) - 1)) ^ sign) - sign);
}

/// Zero or normal in the format of so many bits.
bool is_plain(uint32_t width, double value) {
    return value == 0 ||
           (std::isfinite(value) && std::ilogb(value) > -static_cast<int>(exponent_bias(width)));
}

std::optional<uint64_t> arithmetic(spv::Op op, uint64_t a, uint64_t b, uint32_t width) {
    const int64_t sa = sign_extend(a, width), sb = sign_extend(b, width);
    const bool signed_trap = b == 0 || sb == -1;  // -1: the one overflow, INT_MIN / -1
    switch (op) {
        case OpIAdd: return a + b;
        case OpISub: return a - b;
        case OpIMul: return a * b;
        case OpBitwiseAnd: return a & b;
        case OpBitwiseOr: return a | b;
        case OpBitwiseXor: return a ^ b;
        case OpShiftLeftLogical: return b < width ? std::optional(a << b) : std::nullopt;
        case OpShiftRightLogical: return b < width ? std::optional(a >> b) : std::nullopt;
        case OpShiftRightArithmetic:
            return b < width ? std::optional(static_cast<uint64_t>(sa >> b)) : std::nullopt;
        case OpUDiv: return b != 0 ? std::optional(a / b) : std::nullopt;
        case OpUMod: return b != 0 ? std::optional(a % b) : std::nullopt;
        case OpSDiv: return signed_trap ? std::nullopt : std::optional(static_cast<uint64_t>(sa / sb));
        case OpSRem: return signed_trap ? std::nullopt : std::optional(static_cast<uint64_t>(sa % sb));
        default: return std::nullopt;
    }
}

std::optional<bool> relation(spv::Op op, uint64_t a, uint64_t b, uint32_t width) {
    const int64_t sa = sign_extend(a, width), sb = sign_extend(b, width);
    switch (op) {
        case OpIEqual: return a == b;
        case OpINotEqual: return a != b;
        case OpULessThan: return a < b;
        case OpULessThanEqual: return a <= b;
        case OpUGreaterThan: return a > b;
        case OpUGreaterThanEqual: return a >= b;
        case OpSLessThan: return sa < sb;
        case OpSLessThanEqual: return sa <= sb;
        case OpSGreaterThan: return sa > sb;
        case OpSGreaterThanEqual: return sa >= sb;
        default: return std::nullopt;
    }
}

/// The four ways in which two floats can compare; exactly one holds. Unordered: one of them is NaN.
enum Outcome : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8, kAnyOutcome = 15 };

/// The outcomes for which the comparison is true; 0 where `op` compares no floats.
unsigned float_outcomes(spv::Op op) {
    switch (op) {
        case OpFOrdEqual: return kEqual;
        case OpFUnordEqual: return kEqual | kUnordered;
        case OpFOrdNotEqual: return kLess | kGreater;
        case OpFUnordNotEqual: return kLess | kGreater | kUnordered;
        case OpFOrdLessThan: return kLess;
        case OpFUnordLessThan: return kLess | kUnordered;
        case OpFOrdGreaterThan: return kGreater;
        case OpFUnordGreaterThan: return kGreater | kUnordered;
        case OpFOrdLessThanEqual: return kLess | kEqual;
        case OpFUnordLessThanEqual: return kLess | kEqual | kUnordered;
        case OpFOrdGreaterThanEqual: return kGreater | kEqual;
        case OpFUnordGreaterThanEqual: return kGreater | kEqual | kUnordered;
        case OpOrdered: return kLess | kEqual | kGreater;
        case OpUnordered: return kUnordered;
        default: return 0;
    }
}

/// The outcomes of a comparison after its operands change places.
unsigned exchanged(unsigned outcomes) {
    return (outcomes & (kEqual | kUnordered)) | ((outcomes & kLess) != 0 ? kGreater : 0u) |
           ((outcomes & kGreater) != 0 ? kLess : 0u);
}

/// False where there are zeros of both signs: a minimum may be either.
bool has_one_zero(const std::vector<double>& values) {
    const auto zero_of_sign = [&](bool negative) {
        return std::ranges::any_of(values, [&](double v) { return v == 0 && std::signbit(v) == negative; });
    };
    return !zero_of_sign(false) || !zero_of_sign(true);
}

/// Whether folding may take the operation apart into its components. A cast of bits must keep their number.
bool works_by_component(const Builder& builder, const Instruction& inst) {
    switch (inst.op) {
        case OpCopyObject:
        case OpPhi:
        case OpCompositeExtract:
        case OpCompositeConstruct:
        case OpVectorShuffle: return false;
        case OpBitcast: return builder.count(inst.type) == builder.count(builder.type_of(inst.id(0)));
        default: return true;
    }
}

bool is_commutative(spv::Op op) {
    return op == OpIAdd || op == OpIMul || op == OpBitwiseAnd || op == OpBitwiseOr || op == OpBitwiseXor;
}

}  // namespace

void Folder::note(const Instruction& inst) {
    if (inst.result) definitions_.set(inst.result) = &inst;
}

const Instruction* Folder::definition(Id id) const {
    const Instruction* inst = definitions_[id];
    return inst ? inst : builder_.find_global(id);
}

Id Folder::fold(Instruction& inst) {
    if (const Id constant = fold_components(inst)) return constant;
    switch (inst.op) {
        case OpCopyObject: return inst.id(0);
        case OpPhi: return fold_phi(inst);
        case OpCompositeExtract: return fold_extract(inst);
        case OpCompositeConstruct: return fold_construct(inst);
        case OpCompositeInsert: return fold_insert(inst);
        case OpVectorShuffle: return fold_shuffle(inst);
        case OpSelect: return fold_select(inst);
        case OpBitcast:
        case OpUConvert:
        case OpSConvert:
        case OpConvertPtrToU: return fold_conversion(inst);
        case OpConvertUToF:
        case OpConvertSToF: return fold_to_float(inst);
        case OpConvertFToU:
        case OpConvertFToS: return fold_to_int(inst);
        case OpFConvert: return fold_float_width(inst);
        case OpLogicalAnd:
        case OpLogicalOr:
        case OpLogicalNot: return fold_logic(inst);
        case OpIEqual:
        case OpINotEqual:
        case OpULessThan:
        case OpULessThanEqual:
        case OpUGreaterThan:
        case OpUGreaterThanEqual:
        case OpSLessThan:
        case OpSLessThanEqual:
        case OpSGreaterThan:
        case OpSGreaterThanEqual: return fold_compare(inst);
        case OpIAdd:
        case OpISub:
        case OpIMul:
        case OpBitwiseAnd:
        case OpBitwiseOr:
        case OpBitwiseXor:
        case OpShiftLeftLogical:
        case OpShiftRightLogical:
        case OpShiftRightArithmetic:
        case OpUDiv:
        case OpUMod:
        case OpSDiv:
        case OpSRem: return fold_binary(inst);
        case OpBitCount: return fold_bit_count(inst);
        case OpFNegate: return fold_sign(inst, inst.id(0), true);
        case OpFAdd:
        case OpFSub:
        case OpFMul:
        case OpFDiv: return fold_float_binary(inst);
        case OpFOrdEqual:
        case OpFUnordEqual:
        case OpFOrdNotEqual:
        case OpFUnordNotEqual:
        case OpFOrdLessThan:
        case OpFUnordLessThan:
        case OpFOrdGreaterThan:
        case OpFUnordGreaterThan:
        case OpFOrdLessThanEqual:
        case OpFUnordLessThanEqual:
        case OpFOrdGreaterThanEqual:
        case OpFUnordGreaterThanEqual: return fold_float_compare(inst);
        case OpExtInst: return fold_extended(inst);
        default: return {};
    }
}

Id Folder::fold_phi(const Instruction& inst) {
    Id only = {};
    for (size_t i = 0; i < inst.operands.size(); i += 2) {
        const Id value = inst.id(i);
        if (value == inst.result || value == only) continue;
        if (only) return {};
        only = value;
    }
    return only;
}

// ---- Composites ----

/// One step of following an extract into how its composite was made. True: `extract` has changed; `whole` is
/// set when nothing is left to extract.
bool Folder::step_into(const Instruction& composite, Instruction& extract, Id& whole) {
    const uint32_t index = extract.word(1);
    auto follow = [&](Id next, size_t used) {
        extract.operands.erase(extract.operands.begin() + 1,
                               extract.operands.begin() + 1 + static_cast<int>(used));
        extract.operands[0] = next;
        if (extract.operands.size() == 1) whole = next;
        return true;
    };
    switch (composite.op) {
        case OpConstantComposite:
        case OpCompositeConstruct: {
            if (composite.op == OpConstantComposite || !builder_.is_vector(composite.type))
                return index < composite.operands.size() && follow(composite.id(index), 1);
            uint32_t first = 0;  // a vector may be constructed from vectors
            for (const Operand& part : composite.operands) {
                const Id type = builder_.type_of(part.id());
                const uint32_t count = type ? builder_.count(type) : 1;
                if (index < first + count) {
                    if (type && builder_.is_vector(type)) {
                        extract.operands[0] = part;
                        extract.operands[1] = index - first;
                        return true;
                    }
                    return follow(part.id(), 1);
                }
                first += count;
            }
            return false;
        }
        case OpCompositeInsert: {
            const size_t depth = composite.operands.size() - 2, wanted = extract.operands.size() - 1;
            for (size_t i = 0; i < std::min(depth, wanted); ++i)
                if (composite.word(2 + i) != extract.word(1 + i)) {
                    extract.operands[0] = composite.operands[1];
                    return true;
                }
            return depth <= wanted && follow(composite.id(0), depth);
        }
        case OpVectorShuffle: {
            if (2 + index >= composite.operands.size()) return false;
            const uint32_t source = composite.word(2 + index);
            const uint32_t count = builder_.count(builder_.type_of(composite.id(0)));
            if (source == ~0u) return false;
            extract.operands[0] = composite.operands[source < count ? 0 : 1];
            extract.operands[1] = source < count ? source : source - count;
            return true;
        }
        default: return false;
    }
}

Id Folder::fold_extract(Instruction& inst) {
    Id whole = {};
    for (int steps = 0; steps < 64 && !whole; ++steps) {
        const Instruction* composite = definition(inst.id(0));
        if (composite == nullptr) break;
        if (composite->op == OpConstantNull) return builder_.constant_null(inst.type);
        if (composite->op == OpUndef) return builder_.undef(inst.type);
        if (!step_into(*composite, inst, whole)) break;
    }
    return whole;
}

/// The number that is the component of a vector, or {}.
Id Folder::number_in(Id vector, uint32_t at) {
    Instruction extract{.op = OpCompositeExtract, .operands = {vector, at}};
    extract.type = builder_.element(builder_.type_of(vector));
    const Id value = fold_extract(extract);
    return value && is_number(value) ? value : Id{};
}

/// Folds a series of insertions of numbers into a vector.
Id Folder::fold_insert(const Instruction& inst) {
    if (!builder_.is_vector(inst.type) || inst.operands.size() != 3 || !is_number(inst.id(0))) return {};
    std::vector<Id> parts;
    for (uint32_t at = 0; at < builder_.count(inst.type); ++at) {
        const Id part = at == inst.word(2) ? inst.id(0) : number_in(inst.id(1), at);
        if (!part) return {};
        parts.push_back(part);
    }
    return builder_.constant_composite(inst.type, parts);
}

/// { x.0, x.1, ... x.n } is x, and numbers are a constant.
Id Folder::fold_construct(const Instruction& inst) {
    if (builder_.is_vector(inst.type) &&
        std::ranges::all_of(inst.operands, [&](const Operand& part) { return is_number(part.id()); })) {
        std::vector<Id> parts;
        for (const Operand& part : inst.operands) parts.push_back(part.id());
        return builder_.constant_composite(inst.type, parts);
    }
    Id source = {};
    for (uint32_t i = 0; i < inst.operands.size(); ++i) {
        const Instruction* part = definition(inst.id(i));
        if (part == nullptr || part->op != OpCompositeExtract || part->operands.size() != 2 ||
            part->word(1) != i)
            return {};
        if (source && source != part->id(0)) return {};
        source = part->id(0);
    }
    if (!source || builder_.type_of(source) != inst.type) return {};
    const spv::Op op = builder_.op_of_type(inst.type);
    uint64_t members = 0;
    if (op == OpTypeStruct)
        members = builder_.member_count(inst.type);
    else if (op == OpTypeVector)
        members = builder_.count(inst.type);
    else if (auto length = builder_.constant_value(builder_.find_global(inst.type)->id(1)))
        members = *length;
    return members == inst.operands.size() ? source : Id{};
}

Id Folder::fold_shuffle(const Instruction& inst) {
    if (const Id constant = fold_shuffled_numbers(inst)) return constant;
    if (builder_.type_of(inst.id(0)) != inst.type) return {};
    for (uint32_t i = 2; i < inst.operands.size(); ++i)
        if (inst.word(i) != i - 2) return {};
    return inst.id(0);
}

Id Folder::fold_shuffled_numbers(const Instruction& inst) {
    const uint32_t count = builder_.count(builder_.type_of(inst.id(0)));
    std::vector<Id> parts;
    for (uint32_t i = 2; i < inst.operands.size(); ++i) {
        const uint32_t from = inst.word(i);
        if (from == ~0u) return {};
        const Id part = from < count ? number_in(inst.id(0), from) : number_in(inst.id(1), from - count);
        if (!part) return {};
        parts.push_back(part);
    }
    return builder_.constant_composite(inst.type, parts);
}

// ---- Integers ----

Id Folder::fold_binary(Instruction& inst) {
    if (const Id value = fold_with_itself(inst)) return value;
    if (!builder_.is_int(inst.type)) return {};
    const uint32_t width = builder_.width(inst.type);
    std::optional<uint64_t> a = builder_.constant_value(inst.id(0)), b = builder_.constant_value(inst.id(1));
    if (a && b) {
        if (auto value = arithmetic(inst.op, *a, *b, width)) return builder_.constant_int(inst.type, *value);
        return {};
    }
    if (a && is_commutative(inst.op)) {  // constants to the right
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

Id Folder::fold_neutral(const Instruction& inst) {
    const Id left = inst.id(0), right = inst.id(1);
    const std::optional<uint64_t> b = builder_.constant_value(right);
    if (!b) return {};
    const uint32_t width = builder_.width(inst.type);
    const uint64_t ones = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
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
    if (inst.id(0) == inst.id(1)) return truth(inst.type, *relation(inst.op, 0, 0, 32));
    if (!builder_.is_bool(inst.type) || !type || !builder_.is_int(type)) return {};
    const auto a = builder_.constant_value(inst.id(0)), b = builder_.constant_value(inst.id(1));
    if (b && !a) return fold_compare_of_select(inst, *b);
    if (!a || !b) return {};
    return builder_.constant_bool(*relation(inst.op, *a, *b, builder_.width(type)));
}

/// `(c ? 1 : 0) != 0`, as variables of type bool are read, is c.
Id Folder::fold_compare_of_select(Instruction& inst, uint64_t with) {
    const Instruction* select = definition(inst.id(0));
    if (select == nullptr || select->op != OpSelect) return {};
    const auto if_true = builder_.constant_value(select->id(1)),
               if_false = builder_.constant_value(select->id(2));
    if (!if_true || !if_false) return {};
    const uint32_t width = builder_.width(select->type);
    const bool when_true = *relation(inst.op, *if_true, with, width);
    const bool when_false = *relation(inst.op, *if_false, with, width);
    if (when_true == when_false) return builder_.constant_bool(when_true);
    if (when_true) return select->id(0);
    inst.op = OpLogicalNot;
    inst.operands = {select->id(0)};
    return {};
}

/// Minimum, maximum, clamp and the place of a bit, of constants. SPIRV-Tools (and so drivers that use it)
/// takes an unsigned type's for unsigned when it folds the signed ones, and vectors for scalars.
/// driver_quirks.def: folds_minima_itself.
bool Folder::is_glsl(const Instruction& inst) const {
    const Module& module = builder_.module();
    const auto set = std::ranges::find(module.ext_inst_imports, inst.id(0), &Instruction::result);
    return set != module.ext_inst_imports.end() && string_at(*set, 0) == "GLSL.std.450";
}

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

Id Folder::fold_bit_count(const Instruction& inst) {
    const auto value = builder_.constant_value(inst.id(0));
    const Id type = builder_.type_of(inst.id(0));
    if (!value || !type || !builder_.is_int(type) || !builder_.is_int(inst.type)) return {};
    const int count = std::popcount(*value & all_ones(builder_.width(type)));
    return builder_.constant_int(inst.type, static_cast<uint64_t>(count));
}

// ---- Floats ----

/// A constant that is a number and not infinite.
std::optional<double> Folder::finite_float(Id value) const {
    const Instruction* constant = builder_.find_global(value);
    if (constant == nullptr || constant->op != OpConstant || !builder_.is_float(constant->type)) return {};
    const double number = float_value(builder_.width(constant->type), number_at(*constant));
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// One that all devices take for the same: none that may be flushed to zero.
std::optional<double> Folder::plain_float(Id value) const {
    const std::optional<double> number = finite_float(value);
    return number && is_plain(builder_.width(builder_.type_of(value)), *number) ? number : std::nullopt;
}

/// The rounded value, or {} if it is not plain. The translator rounds to nearest (DefaultFloatEnvironment).
Id Folder::plain_constant(Id type, double value) {
    const uint32_t width = builder_.width(type);
    const uint64_t bits = float_bits(width, value);
    const double rounded = float_value(width, bits);
    if (!is_plain(width, rounded) || (rounded == 0) != (value == 0)) return {};
    return builder_.constant_float_bits(type, bits);
}

/// The value if the type has it and it is plain.
Id Folder::exact_constant(Id type, double value) {
    const uint32_t width = builder_.width(type);
    return float_value(width, float_bits(width, value)) == value ? plain_constant(type, value) : Id{};
}

/// Integers that floats of this width have exactly.
Id Folder::fold_to_float(const Instruction& inst) {
    const Id from = builder_.type_of(inst.id(0));
    const auto value = builder_.constant_value(inst.id(0));
    if (!value || !from || !builder_.is_int(from) || !builder_.is_float(inst.type)) return {};
    const uint32_t width = builder_.width(inst.type);
    const bool is_signed = inst.op == OpConvertSToF;
    const int64_t number =
        is_signed ? sign_extend(*value, builder_.width(from)) : static_cast<int64_t>(*value);
    const int64_t most = int64_t{1} << (mantissa_bits(width) + 1);
    if (number > most || number < (is_signed ? -most : 0)) return {};
    return builder_.constant_float_bits(inst.type, float_bits(width, static_cast<double>(number)));
}

/// Whole numbers that the integer has: before lower_instructions a decoration may round others, and saturate.
Id Folder::fold_to_int(const Instruction& inst) {
    const auto number = plain_float(inst.id(0));
    if (!number || !builder_.is_int(inst.type) || std::trunc(*number) != *number) return {};
    const bool is_signed = inst.op == OpConvertFToS;
    const double end = std::ldexp(1.0, static_cast<int>(builder_.width(inst.type)) - (is_signed ? 1 : 0));
    if (*number >= end || *number < (is_signed ? -end : 0)) return {};
    const uint64_t magnitude = static_cast<uint64_t>(std::fabs(*number));
    return builder_.constant_int(inst.type, *number < 0 ? 0 - magnitude : magnitude);
}

/// Folds only if the other width can represent the value exactly, since a decoration may choose the rounding.
Id Folder::fold_float_width(const Instruction& inst) {
    const auto number = plain_float(inst.id(0));
    return number && builder_.is_float(inst.type) ? exact_constant(inst.type, *number) : Id{};
}

/// Negation and magnitude, of any constant.
Id Folder::fold_sign(const Instruction& inst, Id operand, bool negates) {
    const Instruction* constant = builder_.find_global(operand);
    if (constant == nullptr || constant->op != OpConstant || !builder_.is_float(inst.type)) return {};
    const uint64_t sign = sign_bit(builder_.width(inst.type)), bits = number_at(*constant);
    return builder_.constant_float_bits(inst.type, negates ? bits ^ sign : bits & ~sign);
}

/// Computes in double. Rounding twice does not change a narrower result (Figueroa 1995). A result too small
/// for double must not have become zero. Zero times a denormal is zero, whether the denormal is flushed or
/// not.
Id Folder::fold_float_binary(const Instruction& inst) {
    if (inst.op == OpFMul) {
        const auto a = finite_float(inst.id(0)), b = finite_float(inst.id(1));
        if (a && b && (*a == 0 || *b == 0)) return plain_constant(inst.type, *a * *b);
    }
    const auto a = plain_float(inst.id(0)), b = plain_float(inst.id(1));
    if (!a || !b) return {};
    switch (inst.op) {
        case OpFAdd: return plain_constant(inst.type, *a + *b);
        case OpFSub: return plain_constant(inst.type, *a - *b);
        case OpFMul:
            if (*a != 0 && *b != 0 && *a * *b == 0) return {};
            return plain_constant(inst.type, *a * *b);
        case OpFDiv:
            if (*b == 0 || (*a != 0 && *a / *b == 0)) return {};
            return plain_constant(inst.type, *a / *b);
        default: return {};
    }
}

/// A value is neither less nor greater than itself. It is equal to itself unless it is NaN.
Id Folder::fold_self_compare(const Instruction& inst) {
    const unsigned outcomes = float_outcomes(inst.op) & (kEqual | kUnordered);
    if (outcomes == kEqual || outcomes == kUnordered) return {};
    return truth(inst.type, outcomes != 0);
}

/// A comparison with a denormal operand is folded if its result is the same with a zero in its place. Then it
/// holds on all devices.
Id Folder::fold_float_compare(const Instruction& inst) {
    if (inst.id(0) == inst.id(1))
        if (const Id always = fold_self_compare(inst)) return always;
    if (!builder_.is_bool(inst.type)) return {};
    const auto a = finite_float(inst.id(0)), b = finite_float(inst.id(1));
    if (!a || !b) return {};
    const auto holds = [&](double x, double y) {
        switch (inst.op) {
            case OpFOrdEqual:
            case OpFUnordEqual: return x == y;
            case OpFOrdNotEqual:
            case OpFUnordNotEqual: return x != y;
            case OpFOrdLessThan:
            case OpFUnordLessThan: return x < y;
            case OpFOrdGreaterThan:
            case OpFUnordGreaterThan: return x > y;
            case OpFOrdLessThanEqual:
            case OpFUnordLessThanEqual: return x <= y;
            default: return x >= y;
        }
    };
    const uint32_t width = builder_.width(builder_.type_of(inst.id(0)));
    const double a_flushed = is_plain(width, *a) ? *a : 0, b_flushed = is_plain(width, *b) ? *b : 0;
    const bool kept = holds(*a, *b);
    if (holds(a_flushed, b_flushed) != kept) return {};
    return builder_.constant_bool(kept);
}

/// Folds if the product and the sum are exact in double, so that the result is rounded once.
Id Folder::fold_fma(Id type, double a, double b, double c) {
    const double product = a * b, sum = product + c, part = sum - product;
    const bool is_exact = std::fma(a, b, -product) == 0 && (product - (sum - part)) + (c - part) == 0;
    return is_exact && std::isfinite(sum) && (product == 0) == (a == 0 || b == 0) ? plain_constant(type, sum)
                                                                                  : Id{};
}

/// Magnitudes, rounding to whole numbers, exact square roots, steps, minimum, maximum and clamp.
Id Folder::fold_float_extended(const Instruction& inst) {
    if (!inst.operands[2].is_id || !builder_.find_global(inst.id(2)) || !is_glsl(inst)) return {};
    if (inst.word(1) == GLSLstd450FAbs) return fold_sign(inst, inst.id(2), false);
    std::vector<double> values;
    for (size_t i = 2; i < inst.operands.size(); ++i) {
        const auto value = inst.operands[i].is_id ? plain_float(inst.id(i)) : std::nullopt;
        if (!value) return {};
        values.push_back(*value);
    }
    switch (inst.word(1)) {
        case GLSLstd450Ceil: return plain_constant(inst.type, std::ceil(values[0]));
        case GLSLstd450Floor: return plain_constant(inst.type, std::floor(values[0]));
        case GLSLstd450Trunc: return plain_constant(inst.type, std::trunc(values[0]));
        case GLSLstd450RoundEven: return plain_constant(inst.type, round_even(values[0]));
        case GLSLstd450Sqrt: {
            const double root = std::sqrt(values[0]);
            return root * root == values[0] ? exact_constant(inst.type, root) : Id{};
        }
        case GLSLstd450Fma: return fold_fma(inst.type, values[0], values[1], values[2]);
        case GLSLstd450Step: return plain_constant(inst.type, values[1] < values[0] ? 0 : 1);
        case GLSLstd450FMin:
        case GLSLstd450NMin:
            return has_one_zero(values) ? plain_constant(inst.type, std::ranges::min(values)) : Id{};
        case GLSLstd450FMax:
        case GLSLstd450NMax:
            return has_one_zero(values) ? plain_constant(inst.type, std::ranges::max(values)) : Id{};
        case GLSLstd450FClamp:
        case GLSLstd450NClamp:
            if (!has_one_zero(values)) return {};
            return plain_constant(inst.type, std::min(std::max(values[0], values[1]), values[2]));
        default: return {};
    }
}

// ---- Vectors ----

bool Folder::is_number(Id value) const {
    const Instruction* constant = builder_.find_global(value);
    return constant != nullptr && (constant->op == OpConstant || builder_.constant_value(value));
}

/// An operation on constant vectors, component by component.
Id Folder::fold_components(const Instruction& inst) {
    if (!inst.type || !builder_.is_vector(inst.type) || !works_by_component(builder_, inst)) return {};
    const size_t first = inst.op == OpExtInst ? 2 : 0;
    std::vector<Id> parts;
    for (uint32_t at = 0; at < builder_.count(inst.type); ++at) {
        Instruction part = inst;
        part.type = builder_.element(inst.type);
        for (size_t i = first; i < inst.operands.size(); ++i) {
            const Id component = inst.operands[i].is_id ? builder_.constant_component(inst.id(i), at) : Id{};
            if (!component) return {};
            part.operands[i] = component;
        }
        const Id value = fold(part);
        if (!value || !is_number(value)) return {};
        parts.push_back(value);
    }
    return builder_.constant_composite(inst.type, parts);
}

/// The truth that a constant, or every component of a constant vector, is.
std::optional<bool> Folder::truth_of(Id value) const {
    const Id type = builder_.type_of(value);
    Id one = value;
    if (type && builder_.is_vector(type)) {
        one = builder_.constant_component(value, 0);
        for (uint32_t at = 1; at < builder_.count(type); ++at)
            if (builder_.constant_component(value, at) != one) return std::nullopt;
    }
    const auto number = one ? builder_.constant_value(one) : std::nullopt;
    return number ? std::optional(*number != 0) : std::nullopt;
}

/// The truth value in each component of the type.
Id Folder::truth(Id type, bool value) {
    const Id one = builder_.constant_bool(value);
    return builder_.is_vector(type) ? builder_.constant_splat(type, one) : one;
}

Id Folder::fold_logic(const Instruction& inst) {
    const auto a = truth_of(inst.id(0));
    if (inst.op == OpLogicalNot) {
        if (a) return truth(inst.type, !*a);
        const Instruction* inner = definition(inst.id(0));
        return inner != nullptr && inner->op == OpLogicalNot ? inner->id(0) : Id{};
    }
    const auto b = truth_of(inst.id(1));
    const bool decides = inst.op == OpLogicalOr;  // the value of one operand that settles the result
    if (a) return *a == decides ? inst.id(0) : inst.id(1);
    if (b) return *b == decides ? inst.id(1) : inst.id(0);
    return inst.id(0) == inst.id(1) ? inst.id(0) : fold_comparisons(inst);
}

/// Two comparisons of the same floats of which never both hold, or always one.
Id Folder::fold_comparisons(const Instruction& inst) {
    const Instruction *one = definition(inst.id(0)), *other = definition(inst.id(1));
    if (one == nullptr || other == nullptr) return {};
    const unsigned first = float_outcomes(one->op);
    unsigned second = float_outcomes(other->op);
    if (first == 0 || second == 0) return {};
    if (one->id(0) == other->id(1) && one->id(1) == other->id(0))
        second = exchanged(second);
    else if (one->id(0) != other->id(0) || one->id(1) != other->id(1))
        return {};
    const unsigned possible = one->id(0) == one->id(1) ? kEqual | kUnordered : kAnyOutcome;
    if (inst.op == OpLogicalAnd) return (first & second & possible) == 0 ? truth(inst.type, false) : Id{};
    return ((first | second) & possible) == possible ? truth(inst.type, true) : Id{};
}

Id Folder::fold_select(const Instruction& inst) {
    if (inst.id(1) == inst.id(2)) return inst.id(1);
    const auto condition = truth_of(inst.id(0));
    return condition ? inst.id(*condition ? 1 : 2) : Id{};
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

/// A number of one kind that has the bits of one of the other.
Id Folder::fold_bits(const Instruction& inst) {
    const Instruction* constant = builder_.find_global(inst.id(0));
    if (constant == nullptr || constant->op != OpConstant) return {};
    const uint64_t bits = number_at(*constant) & all_ones(builder_.width(constant->type));
    if (builder_.is_int(inst.type)) return builder_.constant_int(inst.type, bits);
    return builder_.is_float(inst.type) ? builder_.constant_float_bits(inst.type, bits) : Id{};
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
