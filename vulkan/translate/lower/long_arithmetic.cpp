// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/long_arithmetic.h"

#include "spirv/support/check.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spv::Op;

Halves LongArithmetic::number(Halves like, uint64_t value) {
    const Id type = code_.type(like.low);
    return {code_.number(type, value & 0xffffffff), code_.number(type, value >> 32)};
}

// ---- Addition, multiplication ----

/// The two members of the result of OpIAddCarry and similar instructions.
std::pair<Id, Id> LongArithmetic::extended(Op op, Id a, Id b) {
    const Id type = code_.type(a);
    const Id pair = code_.op(op, code_.builder().type_struct(std::vector<Id>{type, type}), {a, b});
    return {code_.op(Op::OpCompositeExtract, type, {pair, 0u}),
            code_.op(Op::OpCompositeExtract, type, {pair, 1u})};
}

Halves LongArithmetic::add(Halves a, Halves b) {
    const auto [low, carry] = extended(Op::OpIAddCarry, a.low, b.low);
    return {low, code_.add(code_.add(a.high, b.high), carry)};
}
Halves LongArithmetic::sub(Halves a, Halves b) {
    const auto [low, borrow] = extended(Op::OpISubBorrow, a.low, b.low);
    return {low, code_.sub(code_.sub(a.high, b.high), borrow)};
}
Halves LongArithmetic::mul(Halves a, Halves b) {
    const auto [low, high] = extended(Op::OpUMulExtended, a.low, b.low);
    return {low, code_.add(high, code_.add(code_.mul(a.low, b.high), code_.mul(a.high, b.low)))};
}

/// Schoolbook multiplication by 32-bit digits.
Halves LongArithmetic::mul_high(Halves a, Halves b, bool is_signed) {
    const Id zero = code_.number(code_.type(a.low), 0);
    const Id lowest = extended(Op::OpUMulExtended, a.low, b.low).second;
    const auto [cross1_low, cross1_high] = extended(Op::OpUMulExtended, a.low, b.high);
    const auto [cross2_low, cross2_high] = extended(Op::OpUMulExtended, a.high, b.low);
    const auto [low, high] = extended(Op::OpUMulExtended, a.high, b.high);
    const Halves middle = add(add({lowest, zero}, {cross1_low, zero}), {cross2_low, zero});
    Halves result = add({low, high}, {middle.high, zero});
    result = add(add(result, {cross1_high, zero}), {cross2_high, zero});
    if (!is_signed) return result;
    const Halves none = number(a, 0);
    result = sub(result, select(is_negative(a), b, none));
    return sub(result, select(is_negative(b), a, none));
}

// ---- Bits ----

Halves LongArithmetic::shift_by_constant(Op op, Halves a, uint32_t by) {
    by &= 63;
    if (by == 0) return a;
    const Id zero = code_.number(code_.type(a.low), 0);
    if (op == Op::OpShiftLeftLogical) {
        if (by >= 32) return {zero, by == 32 ? a.low : code_.shift_left(a.low, by - 32)};
        return {code_.shift_left(a.low, by),
                code_.bit_or(code_.shift_left(a.high, by), code_.shift_right(a.low, 32 - by))};
    }
    const bool arithmetic = op == Op::OpShiftRightArithmetic;
    auto high_shifted = [&](uint32_t n) {
        return arithmetic ? code_.shift_right_signed(a.high, n) : code_.shift_right(a.high, n);
    };
    const Id filler = arithmetic && by >= 32 ? high_shifted(31) : zero;
    if (by >= 32) return {by == 32 ? a.high : high_shifted(by - 32), filler};
    return {code_.bit_or(code_.shift_right(a.low, by), code_.shift_left(a.high, 32 - by)), high_shifted(by)};
}

Halves LongArithmetic::shift(Op op, Halves a, Id by) {
    if (const auto constant = code_.builder().constant_value(by); constant && code_.count(by) == 1)
        return shift_by_constant(op, a, static_cast<uint32_t>(*constant));
    const Id type = code_.type(a.low);
    const Id zero = code_.number(type, 0), thirty_one = code_.number(type, 31);
    const Id inside = code_.bit_and(by, thirty_one), rest = code_.sub(thirty_one, inside);
    const Id crosses = code_.compare(Op::OpINotEqual, code_.bit_and(by, code_.number(type, 32)), zero);
    // Bits that move to the other half are shifted in two steps, because a shift by 32 would be undefined.
    if (op == Op::OpShiftLeftLogical) {
        const Id low = code_.binary(op, a.low, inside);
        const Id over = code_.binary(Op::OpShiftRightLogical, code_.shift_right(a.low, 1), rest);
        const Id high = code_.bit_or(code_.binary(op, a.high, inside), over);
        return select(crosses, {zero, low}, {low, high});
    }
    const Id high = code_.binary(op, a.high, inside);
    const Id over = code_.binary(Op::OpShiftLeftLogical, code_.shift_left(a.high, 1), rest);
    const Id low = code_.bit_or(code_.binary(Op::OpShiftRightLogical, a.low, inside), over);
    const Id filler = op == Op::OpShiftRightArithmetic ? code_.shift_right_signed(a.high, 31) : zero;
    return select(crosses, {high, filler}, {low, high});
}

Halves LongArithmetic::bitwise(Op op, Halves a, Halves b) {
    return {code_.binary(op, a.low, b.low), code_.binary(op, a.high, b.high)};
}
Halves LongArithmetic::bit_reverse(Halves a) {
    return {code_.unary(Op::OpBitReverse, a.high), code_.unary(Op::OpBitReverse, a.low)};
}
Halves LongArithmetic::select(Id condition, Halves a, Halves b) {
    return {code_.select(condition, a.low, b.low), code_.select(condition, a.high, b.high)};
}

Id LongArithmetic::compare(Op op, Halves a, Halves b) {
    auto both = [&](Op combine, Id x, Id y) { return code_.binary(combine, x, y); };
    auto less = [&](Op high_less, Halves x, Halves y) {
        const Id same = code_.compare(Op::OpIEqual, x.high, y.high);
        const Id low = both(Op::OpLogicalAnd, same, code_.compare(Op::OpULessThan, x.low, y.low));
        return both(Op::OpLogicalOr, code_.compare(high_less, x.high, y.high), low);
    };
    switch (op) {
        case Op::OpIEqual:
            return both(Op::OpLogicalAnd, code_.compare(op, a.low, b.low), code_.compare(op, a.high, b.high));
        case Op::OpINotEqual:
            return both(Op::OpLogicalOr, code_.compare(op, a.low, b.low), code_.compare(op, a.high, b.high));
        case Op::OpULessThan:
        case Op::OpSLessThan: return less(op, a, b);
        case Op::OpUGreaterThan: return less(Op::OpULessThan, b, a);
        case Op::OpSGreaterThan: return less(Op::OpSLessThan, b, a);
        case Op::OpULessThanEqual: return code_.unary(Op::OpLogicalNot, less(Op::OpULessThan, b, a));
        case Op::OpSLessThanEqual: return code_.unary(Op::OpLogicalNot, less(Op::OpSLessThan, b, a));
        case Op::OpUGreaterThanEqual: return code_.unary(Op::OpLogicalNot, less(Op::OpULessThan, a, b));
        case Op::OpSGreaterThanEqual: return code_.unary(Op::OpLogicalNot, less(Op::OpSLessThan, a, b));
        default: check(false, "no comparison of integers"); return {};
    }
}

Halves LongArithmetic::magnitude(Halves a) { return select(is_negative(a), negate(a), a); }

// ---- Conversions ----

Halves LongArithmetic::from_narrow(Id value, bool is_signed) {
    const Id low = is_signed ? code_.convert_signed(value, 32) : code_.convert_unsigned(value, 32);
    return {low, is_signed ? code_.shift_right_signed(low, 31) : code_.number(code_.type(low), 0)};
}

Halves LongArithmetic::from_float(Id value, bool is_signed) {
    if (code_.width(value) == 16) value = code_.convert_float(value, 32);
    const Id type = code_.type(value);
    const Id size = is_signed ? code_.glsl(GLSLstd450FAbs, {value}) : value;
    const auto [low, high] = code_.float_halves(size);
    const Halves whole = {low, high};
    if (!is_signed) return whole;
    return select(code_.compare(Op::OpFOrdLessThan, value, code_.real(type, 0)), negate(whole), whole);
}

/// The 31 highest bits decide, the last of them standing for all below it: 24 are kept, so rounding sees what
/// it must. (Not 32: SwiftShader converts those in two steps, which round twice. driver_quirks.def:
/// converts_longs_itself.)
Id LongArithmetic::unsigned_to_float32(Halves a) {
    const Id u32_type = code_.type(a.low), f32 = code_.float_type(a.low, 32);
    const Id zero = code_.number(u32_type, 0), one = code_.number(u32_type, 1);
    const Id low_only = code_.compare(Op::OpIEqual, a.high, zero);
    const Id in_high = code_.add(code_.glsl(GLSLstd450FindUMsb, {a.high}), code_.number(u32_type, 2));
    const Id excess = code_.select(low_only, code_.shift_right(a.low, 31), in_high);
    const Halves top = shift(Op::OpShiftRightLogical, a, excess);
    const Halves back = shift(Op::OpShiftLeftLogical, top, excess);
    // Where 33 bits go, the lowest of the upper half is one of them.
    const Id sticky = code_.select(compare(Op::OpINotEqual, back, a), one, zero);
    const Id rounded = code_.op(Op::OpConvertUToF, f32, {code_.bit_or(top.low, sticky)});
    const Id scale = code_.shift_left(code_.add(excess, code_.number(u32_type, 127)), 23);
    return code_.mul(rounded, code_.op(Op::OpBitcast, f32, {scale}));
}

Id LongArithmetic::to_float(Halves a, uint32_t width, bool is_signed) {
    const Halves size = is_signed ? magnitude(a) : a;
    const Id type = code_.float_type(a.low, width);
    Id result;
    if (width == 32) {
        result = unsigned_to_float32(size);
    } else if (width == 64) {
        const Id high = code_.op(Op::OpConvertUToF, type, {size.high});
        const Id low = code_.op(Op::OpConvertUToF, type, {size.low});
        result = code_.add(code_.mul(high, code_.real(type, 0x1p32)), low);  // the product is exact
    } else {
        const Id low = code_.op(Op::OpConvertUToF, type, {size.low});
        const Id infinite = code_.compare(Op::OpINotEqual, size.high, code_.number(code_.type(size.high), 0));
        const Id infinity = code_.construct(
            type,
            std::vector<Id>(code_.count(a.low), code_.builder().constant_float_bits(
                                                    code_.builder().type_float(16), infinity_bits(16))));
        result = code_.select(infinite, infinity, low);
    }
    return is_signed ? code_.select(is_negative(a), code_.unary(Op::OpFNegate, result), result) : result;
}

// ---- Division ----

Id LongArithmetic::divide_type() {
    return code_.builder().type_struct(std::vector<Id>(4, code_.builder().type_int(32)));
}

/// Quotient and remainder, component by component.
std::pair<Halves, Halves> LongArithmetic::divide_unsigned(Halves a, Halves b) {
    if (!divide_) divide_ = code_.builder().fresh();
    const Id u32_type = code_.builder().type_int(32);
    std::vector<Id> parts[4];
    for (uint32_t i = 0; i < code_.count(a.low); ++i) {
        const Id all = code_.op(Op::OpFunctionCall, divide_type(),
                                {divide_, code_.extract(a.low, i), code_.extract(a.high, i),
                                 code_.extract(b.low, i), code_.extract(b.high, i)});
        for (uint32_t p = 0; p < 4; ++p)
            parts[p].push_back(code_.op(Op::OpCompositeExtract, u32_type, {all, p}));
    }
    const Id type = code_.type(a.low);
    return {{code_.construct(type, parts[0]), code_.construct(type, parts[1])},
            {code_.construct(type, parts[2]), code_.construct(type, parts[3])}};
}

Halves LongArithmetic::divide(Op op, Halves a, Halves b) {
    if (op == Op::OpUDiv) return divide_unsigned(a, b).first;
    if (op == Op::OpUMod) return divide_unsigned(a, b).second;
    const auto [quotient, remainder] = divide_unsigned(magnitude(a), magnitude(b));
    const Id a_negative = is_negative(a), b_negative = is_negative(b);
    const Id differ = code_.binary(Op::OpLogicalNotEqual, a_negative, b_negative);
    if (op == Op::OpSDiv) return select(differ, negate(quotient), quotient);
    const Halves rest = select(a_negative, negate(remainder), remainder);  // the dividend's sign
    if (op == Op::OpSRem) return rest;
    const Id inexact = compare(Op::OpINotEqual, rest, number(rest, 0));
    return select(code_.binary(Op::OpLogicalAnd, differ, inexact), add(rest, b), rest);
}

/// Long division bit by bit. When the dividend is below 2^32, half of the steps are enough.
void LongArithmetic::build() {
    if (!divide_) return;
    Builder& b = code_.builder();
    b.set_sink(nullptr);
    b.set_line({});
    const Id u32_type = b.type_int(32), boolean = b.type_bool(), zero = u32(0), one = u32(1);
    b.begin_function(divide_type(), b.type_function(divide_type(), std::vector<Id>(4, u32_type)), {},
                     divide_);
    b.name(divide_, "caldera.divide64");
    const Id low = b.param(u32_type), high = b.param(u32_type);
    const Halves divisor = {b.param(u32_type), b.param(u32_type)};
    const Id entry = b.fresh(), header = b.fresh(), test = b.fresh(), step = b.fresh(), next = b.fresh(),
             done = b.fresh();
    b.begin_block(entry);
    const Id small = code_.compare(Op::OpIEqual, high, zero);
    const Id steps = code_.select(small, u32(32), u32(64));
    const Halves start = select(small, {zero, low}, {low, high});
    b.branch(header);

    b.begin_block(header);
    const Id left_after = b.fresh();
    Halves q_after = {b.fresh(), b.fresh()}, r_after = {b.fresh(), b.fresh()};
    auto phi = [&](Id first, Id again) { return b.append(Op::OpPhi, u32_type, {first, entry, again, next}); };
    const Id left = phi(steps, left_after);
    const Halves q = {phi(start.low, q_after.low), phi(start.high, q_after.high)};
    const Halves r = {phi(zero, r_after.low), phi(zero, r_after.high)};
    b.loop_merge(done, next);
    b.branch(test);
    b.begin_block(test);
    b.branch_if(code_.compare(Op::OpINotEqual, left, zero), step, done);

    b.begin_block(step);
    // The dividend's next bit goes from the top of q to the bottom of r; the quotient's comes in at the
    // bottom of q.
    const Halves shifted = shift_by_constant(Op::OpShiftLeftLogical, r, 1);
    const Halves brought = {code_.bit_or(shifted.low, code_.shift_right(q.high, 31)), shifted.high};
    const Id overflows = code_.is_negative(r.high);
    const Id fits =
        b.append(Op::OpLogicalOr, boolean, {overflows, compare(Op::OpUGreaterThanEqual, brought, divisor)});
    const Halves reduced = select(fits, sub(brought, divisor), brought);
    const Halves moved = shift_by_constant(Op::OpShiftLeftLogical, q, 1);
    const Id bit = code_.select(fits, one, zero);
    auto define = [&](Id result, Op op, Id x, Id y) {
        b.append({.op = op, .type = u32_type, .result = result, .operands = {x, y}});
    };
    define(q_after.low, Op::OpBitwiseOr, moved.low, bit);
    define(q_after.high, Op::OpBitwiseOr, moved.high, zero);
    define(r_after.low, Op::OpBitwiseOr, reduced.low, zero);
    define(r_after.high, Op::OpBitwiseOr, reduced.high, zero);
    define(left_after, Op::OpISub, left, one);
    b.branch(next);
    b.begin_block(next);
    b.branch(header);
    b.begin_block(done);
    b.return_value(b.append(Op::OpCompositeConstruct, divide_type(), {q.low, q.high, r.low, r.high}));
    b.end_function();
}

}  // namespace caldera::vulkan
