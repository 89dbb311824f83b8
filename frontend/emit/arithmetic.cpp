// SPDX-License-Identifier: Apache-2.0
// Operators on values (OpenCL C 6.3), and folding of those on integer constants.
#include <spirv/unified1/OpenCL.std.h>

#include "frontend/ast/operators.h"
#include "frontend/emit/emitter_impl.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

namespace {

/// The core instruction of an arithmetic operator: signed, unsigned, floating.
spv::Op arithmetic_op(BinaryOp op, bool floating, bool is_signed) {
    switch (op) {
        case BinaryOp::Mul: return floating ? spv::Op::OpFMul : spv::Op::OpIMul;
        case BinaryOp::Div: return floating ? spv::Op::OpFDiv : is_signed ? spv::Op::OpSDiv : spv::Op::OpUDiv;
        case BinaryOp::Rem: return floating ? spv::Op::OpFRem : is_signed ? spv::Op::OpSRem : spv::Op::OpUMod;
        case BinaryOp::Add: return floating ? spv::Op::OpFAdd : spv::Op::OpIAdd;
        case BinaryOp::Sub: return floating ? spv::Op::OpFSub : spv::Op::OpISub;
        case BinaryOp::And: return spv::Op::OpBitwiseAnd;
        case BinaryOp::Xor: return spv::Op::OpBitwiseXor;
        case BinaryOp::Or: return spv::Op::OpBitwiseOr;
        default: check(false, "no arithmetic operator"); return spv::Op::OpNop;
    }
}

spv::Op comparison_op(BinaryOp op, bool floating, bool is_signed) {
    using enum spv::Op;
    switch (op) {
        case BinaryOp::Less: return floating ? OpFOrdLessThan : is_signed ? OpSLessThan : OpULessThan;
        case BinaryOp::Greater:
            return floating ? OpFOrdGreaterThan : is_signed ? OpSGreaterThan : OpUGreaterThan;
        case BinaryOp::LessEqual:
            return floating ? OpFOrdLessThanEqual : is_signed ? OpSLessThanEqual : OpULessThanEqual;
        case BinaryOp::GreaterEqual:
            return floating ? OpFOrdGreaterThanEqual : is_signed ? OpSGreaterThanEqual : OpUGreaterThanEqual;
        case BinaryOp::Equal: return floating ? OpFOrdEqual : OpIEqual;
        case BinaryOp::NotEqual: return floating ? OpFUnordNotEqual : OpINotEqual;
        default: check(false, "no comparison"); return OpNop;
    }
}

}  // namespace

/// The constant result of an operator on two scalar integer constants, or none.
Id Emitter::fold(BinaryOp op, const Type* type, Id lhs, Id rhs) {
    if (!type->is_integer() || is_bool(type)) return {};
    const auto a = b_.constant_value(lhs), b = b_.constant_value(rhs);
    if (!a || !b) return {};
    const auto result = integer_result(op, *a, *b, *arithmetic_type(type));
    if (!result) return {};
    return is_comparison(op) ? b_.constant_bool(*result != 0) : b_.constant_int(value_type(type), *result);
}

Id Emitter::fp(spv::Op op, Id type, Operands operands) {
    const Id result = b_.append(op, type, std::move(operands));
    if (fast_math_) b_.decorate(result, spv::Decoration::FPFastMathMode, {fast_math_});
    return result;
}

Id Emitter::arithmetic(BinaryOp op, const Type* type, Id lhs, Id rhs) {
    if (type->is_matrix()) return matrix_arithmetic(op, type, lhs, rhs);
    if (const Id folded = fold(op, type, lhs, rhs)) return folded;
    if (const Type* wide = floats_like(type))  // each result is rounded
        return convert(arithmetic(op, wide, convert(lhs, type, wide), convert(rhs, type, wide)), wide, type);
    if (is_bool(type)) {  // only & ^ | of two bools would come here, and those are promoted
        const Type* wide = types_.scalar(TypeKind::Int);
        return convert(arithmetic(op, wide, convert(lhs, type, wide), convert(rhs, type, wide)), wide, type);
    }
    const bool floating = is_float(type);
    const spv::Op instruction = arithmetic_op(op, floating, is_signed(type));
    if (floating) {
        // SPIR-V can forbid contraction only for a whole kernel. A separate sum must not be contracted with a
        // product of another expression.
        if (options_.fp_contract != FpContract::Fast && op != BinaryOp::Div && op != BinaryOp::Rem)
            current_->no_contraction = true;
        return fp(instruction, value_type(type), {lhs, rhs});
    }
    return b_.append(instruction, value_type(type), {lhs, rhs});
}

Id Emitter::multiply_add(const Type* type, Id a, Id b, Id c) {
    if (floats_like(type))  // whose operations are rounded one by one
        return arithmetic(BinaryOp::Add, type, arithmetic(BinaryOp::Mul, type, a, b), c);
    const Id sum = opencl(OpenCLLIB::Mad, value_type(type), {a, b, c});
    if (fast_math_) b_.decorate(sum, spv::Decoration::FPFastMathMode, {fast_math_});
    return sum;
}

/// The count is taken modulo the width (OpenCL C 6.3.10), whatever type it has.
Id Emitter::shift(BinaryOp op, const Type* type, Id lhs, Id rhs, const Type* count_type) {
    const Id whole = value_type(type);
    const Type* element = element_of(type);
    rhs = convert_integer(rhs, count_type, b_.with_count(value_type(element), count_type->lanes()));
    if (count_type->lanes() != type->lanes()) rhs = splat(rhs, whole);
    if (const Id folded = fold(op, type, lhs, rhs)) return folded;
    const uint64_t mask = element->size_bytes * 8 - 1;
    if (const auto count = b_.constant_value(rhs))
        rhs = b_.constant_int(whole, *count & mask);
    else
        rhs = b_.append(spv::Op::OpBitwiseAnd, whole, {rhs, scalar_constant(type, mask)});
    const spv::Op right =
        element->is_signed() ? spv::Op::OpShiftRightArithmetic : spv::Op::OpShiftRightLogical;
    return b_.append(op == BinaryOp::Shl ? spv::Op::OpShiftLeftLogical : right, whole, {lhs, rhs});
}

/// OpTypeBool, or a vector of it.
Id Emitter::compare(BinaryOp op, const Type* operand, Id lhs, Id rhs) {
    if (operand->is_pointer() || operand->kind == TypeKind::BlockPointer) {
        // SPIR-V 1.0 compares no pointers.
        const Id address = b_.type_int(64);
        lhs = b_.append(spv::Op::OpConvertPtrToU, address, {lhs});
        rhs = b_.append(spv::Op::OpConvertPtrToU, address, {rhs});
        operand = types_.size_type();
    }
    if (operand->kind == TypeKind::Queue || operand->kind == TypeKind::ClkEvent) {
        lhs = handle_bits(lhs, operand);
        rhs = handle_bits(rhs, operand);
        operand = types_.size_type();
    }
    if (const Id folded = fold(op, operand, lhs, rhs)) return folded;
    if (const Type* wide = floats_like(operand))
        return compare(op, wide, convert(lhs, operand, wide), convert(rhs, operand, wide));
    if (is_bool(operand)) {
        const Type* wide = types_.scalar(TypeKind::Int);
        return compare(op, wide, convert(lhs, operand, wide), convert(rhs, operand, wide));
    }
    const Id type = b_.with_count(b_.type_bool(), operand->lanes());
    return b_.append(comparison_op(op, is_float(operand), is_signed(operand)), type, {lhs, rhs});
}

Id Emitter::compare_result(Id boolean, const Type* type) {
    if (is_bool(type)) return boolean;
    if (const auto known = b_.constant_value(boolean)) return scalar_constant(type, *known);
    // A true component has all bits set, a true scalar is 1 (OpenCL C 6.3.4).
    const Id yes = type->is_vector() ? scalar_constant(type, ~uint64_t{0}) : scalar_constant(type, 1);
    const Id result = b_.append(spv::Op::OpSelect, value_type(type), {boolean, yes, zero(type)});
    booleans_[result.value] = boolean;
    return result;
}

Id Emitter::top_bit(Id value, const Type* type) {
    if (type->is_vector())
        if (const auto known = booleans_.find(value.value); known != booleans_.end()) return known->second;
    const auto width = static_cast<uint32_t>(type->scalar()->size_bytes * 8);
    const Type* as_signed = types_.with_element(type, types_.int_of_width(width, true));
    return compare(BinaryOp::Less, as_signed, value, scalar_constant(as_signed, 0));
}

Id Emitter::not_zero(Id value, const Type* type) {
    if (is_bool(type)) return value;
    if (const auto known = booleans_.find(value.value); known != booleans_.end()) return known->second;
    if (type->is_pointer() || type->kind == TypeKind::BlockPointer) {
        value = b_.append(spv::Op::OpConvertPtrToU, b_.type_int(64), {value});
        type = types_.size_type();
    }
    if (const auto number = float_value(value)) return b_.constant_bool(*number != 0);
    return compare(BinaryOp::NotEqual, type, value, scalar_constant(type, 0));
}

Id Emitter::negate(Id value, const Type* type) {
    const Id id = value_type(type);
    if (const auto number = float_value(value)) return constant_float(id, -*number);
    if (const Type* wide = floats_like(type))
        return convert(negate(convert(value, type, wide), wide), wide, type);
    const Type* component = type->is_matrix() ? type->element.type : type;
    if (is_float(component)) return b_.append(spv::Op::OpFNegate, id, {value});
    if (const auto known = b_.constant_value(value)) return b_.constant_int(id, ~*known + 1);
    return b_.append(spv::Op::OpSNegate, id, {value});
}

Id Emitter::splat(Id scalar, Id vector_type) {
    const uint32_t count = b_.count(vector_type);
    if (count == 1) return scalar;
    const spirv::Instruction* known = b_.find_global(scalar);
    if (known && (known->op == spv::Op::OpConstant || known->op == spv::Op::OpConstantNull))
        return b_.constant_splat(vector_type, scalar);
    const Id first = b_.append(spv::Op::OpCompositeInsert, vector_type, {scalar, b_.undef(vector_type), 0u});
    Operands operands(count + 2, Operand(0u));
    operands[0] = operands[1] = first;
    return b_.append(spv::Op::OpVectorShuffle, vector_type, std::move(operands));
}

/// A vector of scalars and vectors in order. Written with insertions and shuffles, as LLVM's translator
/// writes it: its reader (up to LLVM 15 at least) takes OpCompositeConstruct of constants only.
Id Emitter::build_vector(Id type, std::span<const Id> parts) {
    const uint32_t count = b_.count(type);
    if (parts.size() == 1) return b_.is_vector(b_.type_of(parts[0])) ? parts[0] : splat(parts[0], type);
    const bool two_halves = parts.size() == 2 && b_.type_of(parts[0]) == b_.type_of(parts[1]) &&
                            b_.count(b_.type_of(parts[0])) > 1;
    if (two_halves) {
        Operands operands = {parts[0], parts[1]};
        for (uint32_t i = 0; i < count; ++i) operands.push_back(i);
        return b_.append(spv::Op::OpVectorShuffle, type, std::move(operands));
    }
    // Constants first; every other component is inserted over a zero.
    std::vector<Id> scalars;
    bool any_constant = false, all_constant = true;
    for (const Id part : parts) {
        const uint32_t lanes = b_.count(b_.type_of(part));
        const spirv::Instruction* known = b_.find_global(part);
        const bool composite = known && known->op == spv::Op::OpConstantComposite;
        const bool constant = known && (composite || (lanes == 1 && known->op != spv::Op::OpUndef));
        any_constant |= constant;
        all_constant &= constant;
        for (uint32_t i = 0; i < lanes; ++i) {
            const Id scalar = composite ? known->id(i) : part;
            scalars.push_back(constant ? scalar : b_.constant_null(b_.element(type)));
        }
    }
    Id value = any_constant ? b_.constant_composite(type, scalars) : b_.undef(type);
    if (all_constant) return value;
    uint32_t at = 0;
    for (const Id part : parts) {
        const uint32_t lanes = b_.count(b_.type_of(part));
        if (lanes > 1)
            value = insert_vector(value, part, at);
        else if (!b_.find_global(part))
            value = b_.append(spv::Op::OpCompositeInsert, type, {part, value, at});
        at += lanes;
    }
    return value;
}

/// `vector` with the components of `part` from lane `at` on. A shuffle's two operands have one type in LLVM.
Id Emitter::insert_vector(Id vector, Id part, uint32_t at) {
    const Id type = b_.type_of(vector);
    const uint32_t count = b_.count(type), lanes = b_.count(b_.type_of(part));
    Operands widen = {part, part}, blend = {vector, {}};
    for (uint32_t i = 0; i < count; ++i) {
        widen.push_back(i < lanes ? i : ~0u);
        blend.push_back(i >= at && i < at + lanes ? count + i - at : i);
    }
    const Id wide = b_.append(spv::Op::OpVectorShuffle, type, std::move(widen));
    const spirv::Instruction* known = b_.find_global(vector);
    if (at == 0 && known && known->op == spv::Op::OpUndef) return wide;
    blend[1] = wide;
    return b_.append(spv::Op::OpVectorShuffle, type, std::move(blend));
}

/// The chosen components; one is a scalar. Those past the end, like .w of a vector of three, are undefined.
Id Emitter::shuffle(Id vector, const uint8_t* lanes, uint32_t count) {
    const Id type = b_.type_of(vector);
    if (count == 1) return extract(vector, b_.element(type), lanes[0]);
    Operands operands = {vector, vector};
    for (uint32_t i = 0; i < count; ++i)
        operands.push_back(lanes[i] < b_.count(type) ? uint32_t{lanes[i]} : ~0u);
    return b_.append(spv::Op::OpVectorShuffle, b_.with_count(type, count), std::move(operands));
}

Id Emitter::extract(Id composite, Id type, uint32_t index) {
    const Id whole = b_.type_of(composite);
    if (b_.is_vector(whole) && index >= b_.count(whole)) return b_.undef(type);
    const spirv::Instruction* known = b_.find_global(composite);
    if (known && known->op == spv::Op::OpConstantComposite) return known->id(index);
    return b_.append(spv::Op::OpCompositeExtract, type, {composite, index});
}

}  // namespace caldera::frontend
