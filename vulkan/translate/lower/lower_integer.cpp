// SPDX-License-Identifier: Apache-2.0
// OpenCL C 3.0 6.15.3 "Integer Functions" for every width, and the vector functions that only move
// components.
#include "spirv/support/check.h"
#include "vulkan/translate/lower/lower_opencl_std.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spv::Op;

class Integer {
 public:
    explicit Integer(Code& code) : code_(code) {}

    Id abs(Id x) { return code_.glsl(GLSLstd450SMax, {x, code_.unary(Op::OpSNegate, x)}); }

    Id abs_diff(Id x, Id y, bool is_signed) {
        const Id larger = code_.glsl(is_signed ? GLSLstd450SMax : GLSLstd450UMax, {x, y});
        const Id smaller = code_.glsl(is_signed ? GLSLstd450SMin : GLSLstd450UMin, {x, y});
        return code_.sub(larger, smaller);
    }

    Id add_sat(Id x, Id y, bool is_signed) {
        const Id sum = code_.add(x, y);
        if (!is_signed) return code_.select(code_.compare(Op::OpULessThan, sum, x), max_unsigned(x), sum);
        const Id overflow = code_.is_negative(code_.bit_and(code_.bit_xor(x, sum), code_.bit_xor(y, sum)));
        return code_.select(overflow, limit_toward(x), sum);
    }

    Id sub_sat(Id x, Id y, bool is_signed) {
        if (!is_signed) return code_.sub(x, code_.glsl(GLSLstd450UMin, {x, y}));
        const Id difference = code_.sub(x, y);
        const Id overflow =
            code_.is_negative(code_.bit_and(code_.bit_xor(x, y), code_.bit_xor(x, difference)));
        return code_.select(overflow, limit_toward(x), difference);
    }

    /// (x + y) >> 1 and (x + y + 1) >> 1 without overflow.
    Id half_sum(Id x, Id y, bool is_signed, bool round_up) {
        const Id differing = shift_right(code_.bit_xor(x, y), 1, is_signed);
        return round_up ? code_.sub(code_.bit_or(x, y), differing)
                        : code_.add(code_.bit_and(x, y), differing);
    }

    Id clz(Id x) {
        const uint32_t width = code_.width(x);
        if (width == 64) {
            const auto [high, low] = halves(x);
            const Id i32 = code_.type(high);
            const Id in_low = code_.add(clz(low), code_.number(i32, 32));
            const Id is_zero = code_.compare(Op::OpIEqual, high, code_.number(i32, 0));
            return code_.convert_unsigned(code_.select(is_zero, in_low, clz(high)), 64);
        }
        const Id leading = code_.glsl(GLSLstd450FindUMsb, {code_.convert_unsigned(x, 32)});  // ~0 for 0
        const Id zeros = code_.sub(code_.number(code_.type(leading), width - 1), leading);
        return code_.convert_unsigned(zeros, width);
    }

    Id ctz(Id x) {
        const uint32_t width = code_.width(x);
        if (width == 64) {
            const auto [high, low] = halves(x);
            const Id i32 = code_.type(high);
            const Id in_high = code_.add(ctz(high), code_.number(i32, 32));
            const Id is_zero = code_.compare(Op::OpIEqual, low, code_.number(i32, 0));
            return code_.convert_unsigned(code_.select(is_zero, in_high, ctz(low)), 64);
        }
        const Id lowest = code_.glsl(GLSLstd450FindILsb, {code_.convert_unsigned(x, 32)});  // ~0 for 0
        const Id zeros = code_.glsl(GLSLstd450UMin, {lowest, code_.number(code_.type(lowest), width)});
        return code_.convert_unsigned(zeros, width);
    }

    Id popcount(Id x) {
        const uint32_t width = code_.width(x);
        if (width != 64) return code_.convert_unsigned(bit_count(code_.convert_unsigned(x, 32)), width);
        const auto [high, low] = halves(x);
        return code_.convert_unsigned(code_.add(bit_count(high), bit_count(low)), 64);
    }

    Id reverse(Id x) {
        const uint32_t width = code_.width(x);
        if (width == 32) return code_.unary(Op::OpBitReverse, x);
        if (width < 32) {
            const Id reversed = code_.unary(Op::OpBitReverse, code_.convert_unsigned(x, 32));
            return code_.convert_unsigned(code_.shift_right(reversed, 32 - width), width);
        }
        const auto [high, low] = halves(x);
        const Id new_high = code_.convert_unsigned(code_.unary(Op::OpBitReverse, low), 64);
        const Id new_low = code_.convert_unsigned(code_.unary(Op::OpBitReverse, high), 64);
        return code_.bit_or(code_.shift_left(new_high, 32), new_low);
    }

    Id mul_hi(Id x, Id y, bool is_signed) {
        const uint32_t width = code_.width(x);
        if (width == 64) return mul_hi_64(x, y, is_signed);
        if (width < 32) {
            const Id product = code_.mul(widen(x, 32, is_signed), widen(y, 32, is_signed));
            return code_.convert_unsigned(code_.shift_right(product, width), width);
        }
        const Id pair = code_.builder().type_struct(std::vector<Id>{code_.type(x), code_.type(x)});
        const Id product = code_.op(is_signed ? Op::OpSMulExtended : Op::OpUMulExtended, pair, {x, y});
        return code_.op(Op::OpCompositeExtract, code_.type(x), {product, 1u});
    }

    Id mad_sat(Id x, Id y, Id z, bool is_signed) {
        const uint32_t width = code_.width(x);
        if (width >= 32) return mad_sat_by_halves(x, y, z, is_signed);
        const Id exact =
            code_.add(code_.mul(widen(x, 32, is_signed), widen(y, 32, is_signed)), widen(z, 32, is_signed));
        const Id type = code_.type(exact);
        if (!is_signed)
            return code_.convert_unsigned(
                code_.glsl(GLSLstd450UMin, {exact, code_.number(type, all_ones(width))}), width);
        const uint64_t max = sign_bit(width) - 1;
        const Id clamped =
            code_.glsl(GLSLstd450SClamp, {exact, code_.number(type, ~max), code_.number(type, max)});
        return code_.convert_unsigned(clamped, width);
    }

    Id rotate(Id x, Id by) {
        const uint32_t width = code_.width(x);
        const Id mask = code_.number(code_.type(x), width - 1);
        const Id left = code_.bit_and(by, mask);
        const Id right =
            code_.bit_and(code_.binary(Op::OpISub, code_.number(code_.type(by), width), by), mask);
        return code_.bit_or(code_.binary(Op::OpShiftLeftLogical, x, left),
                            code_.binary(Op::OpShiftRightLogical, x, right));
    }

    Id upsample(Id high, Id low) {
        const uint32_t width = code_.width(high);
        return code_.bit_or(code_.shift_left(code_.convert_unsigned(high, 2 * width), width),
                            code_.convert_unsigned(low, 2 * width));
    }

 private:
    Id shift_right(Id x, uint32_t by, bool is_signed) {
        return is_signed ? code_.shift_right_signed(x, by) : code_.shift_right(x, by);
    }
    Id widen(Id x, uint32_t width, bool is_signed) {
        return is_signed ? code_.convert_signed(x, width) : code_.convert_unsigned(x, width);
    }
    Id max_unsigned(Id like) { return code_.number(code_.type(like), all_ones(code_.width(like))); }
    /// The largest number, or the smallest for a negative x.
    Id limit_toward(Id x) {
        const uint32_t width = code_.width(x);
        return code_.bit_xor(code_.shift_right_signed(x, width - 1),
                             code_.number(code_.type(x), sign_bit(width) - 1));
    }
    std::pair<Id, Id> halves(Id x) {
        const Id high = code_.convert_unsigned(code_.shift_right(x, 32), 32);
        return {high, code_.convert_unsigned(x, 32)};
    }
    Id bit_count(Id x) { return code_.unary(Op::OpBitCount, x); }

    /// Schoolbook product of 32-bit halves; no sum has more than 64 bits.
    Id mul_hi_64(Id x, Id y, bool is_signed) {
        const Id mask = code_.number(code_.type(x), 0xffffffff);
        const Id xl = code_.bit_and(x, mask), xh = code_.shift_right(x, 32);
        const Id yl = code_.bit_and(y, mask), yh = code_.shift_right(y, 32);
        const Id middle = code_.add(code_.mul(xh, yl), code_.shift_right(code_.mul(xl, yl), 32));
        const Id other = code_.add(code_.mul(xl, yh), code_.bit_and(middle, mask));
        Id high = code_.add(code_.mul(xh, yh), code_.shift_right(middle, 32));
        high = code_.add(high, code_.shift_right(other, 32));
        if (!is_signed) return high;
        high = code_.sub(high, code_.bit_and(code_.shift_right_signed(x, 63), y));
        return code_.sub(high, code_.bit_and(code_.shift_right_signed(y, 63), x));
    }

    /// Without a wider type: 32 bits in 64 are no faster, and NVIDIA's compiler of 2025 gets x * INT_MAX + x
    /// wrong there. driver_quirks.def: mad_sat_by_halves.
    Id mad_sat_by_halves(Id x, Id y, Id z, bool is_signed) {
        const Id high = mul_hi(x, y, is_signed), low = code_.mul(x, y);
        const Id zero = code_.number(code_.type(x), 0);
        if (!is_signed) {
            const Id fits = code_.compare(Op::OpIEqual, high, zero);
            return code_.select(fits, add_sat(low, z, false), max_unsigned(x));
        }
        const Id sum = code_.add(low, z);
        const Id carry =
            code_.select(code_.compare(Op::OpULessThan, sum, low), code_.number(code_.type(x), 1), zero);
        const uint32_t sign = code_.width(x) - 1;
        const Id sum_high = code_.add(code_.add(high, code_.shift_right_signed(z, sign)), carry);
        const Id fits = code_.compare(Op::OpIEqual, sum_high, code_.shift_right_signed(sum, sign));
        return code_.select(fits, sum, limit_toward(sum_high));
    }

    Code& code_;
};

/// Fields of 32-bit integers use Vulkan's instructions, those of narrower ones are computed in 32 bits, those
/// of 64-bit ones with shifts. Offset and count are scalars. They and their sum are at most the width, so an
/// empty field may be after the last bit.
class BitField {
 public:
    BitField(Code& code, Id base, Id offset, Id count)
        : code_(code),
          base_(base),
          offset_(code.convert_unsigned(offset, 32)),
          count_(code.convert_unsigned(count, 32)) {}

    Id insert(Id insert) {
        const uint32_t width = code_.width(base_);
        if (width == 64) return insert_long(insert);
        const Id value = code_.op(
            Op::OpBitFieldInsert, code_.int_type(base_, 32),
            {code_.convert_unsigned(base_, 32), code_.convert_unsigned(insert, 32), offset_, count_});
        return code_.convert_unsigned(value, width);
    }

    Id extract(bool is_signed) {
        const uint32_t width = code_.width(base_);
        if (width == 64) return extract_long(is_signed);
        const Id value =
            code_.op(is_signed ? Op::OpBitFieldSExtract : Op::OpBitFieldUExtract, code_.int_type(base_, 32),
                     {code_.convert_unsigned(base_, 32), offset_, count_});
        return code_.convert_unsigned(value, width);
    }

 private:
    Id insert_long(Id insert) {
        const Id ones = code_.number(code_.type(base_), ~uint64_t{0}), by = amount(offset_);
        const Id low = code_.binary(Op::OpShiftRightLogical, ones, amount(rest()));
        const Id field = unless_empty(code_.binary(Op::OpShiftLeftLogical, low, by));
        const Id moved = code_.binary(Op::OpShiftLeftLogical, insert, by);
        return code_.bit_or(code_.bit_and(base_, code_.unary(Op::OpNot, field)), code_.bit_and(moved, field));
    }
    Id extract_long(bool is_signed) {
        const Id at_top = code_.binary(Op::OpShiftLeftLogical, base_, amount(code_.sub(rest(), offset_)));
        return unless_empty(code_.binary(is_signed ? Op::OpShiftRightArithmetic : Op::OpShiftRightLogical,
                                         at_top, amount(rest())));
    }
    /// How many bits are not the field's.
    Id rest() { return code_.sub(code_.number(code_.type(count_), 64), count_); }
    /// The number of bits to shift the base by. 64, which only an empty field has, becomes 0.
    Id amount(Id n) {
        const Id within = code_.bit_and(n, code_.number(code_.type(n), 63));
        return code_.splat(code_.convert_unsigned(within, 64), code_.count(base_));
    }
    Id unless_empty(Id value) {
        const Id is_empty = code_.compare(Op::OpIEqual, count_, code_.number(code_.type(count_), 0));
        return code_.select(is_empty, code_.number(code_.type(value), 0), value);
    }

    Code& code_;
    const Id base_, offset_, count_;
};

}  // namespace

Id multiply_high(Code& code, Id a, Id b, bool is_signed) { return Integer(code).mul_hi(a, b, is_signed); }
Id add_saturated(Code& code, Id a, Id b, bool is_signed) { return Integer(code).add_sat(a, b, is_signed); }
Id count_bits(Code& code, Id a) { return Integer(code).popcount(a); }
Id reverse_bits(Code& code, Id a) { return Integer(code).reverse(a); }

Id insert_bits(Code& code, Id base, Id insert, Id offset, Id count) {
    return BitField(code, base, offset, count).insert(insert);
}
Id extract_bits(Code& code, Id base, Id offset, Id count, bool is_signed) {
    return BitField(code, base, offset, count).extract(is_signed);
}

std::optional<Id> lower_integer(Code& code, const OpenclCall& call) {
    using enum OpenCLLIB::Entrypoints;
    Integer integer(code);
    const std::vector<Id>& a = call.args;
    switch (call.instruction) {
        case SAbs: return integer.abs(a[0]);
        case UAbs: return a[0];
        case SAbs_diff: return integer.abs_diff(a[0], a[1], true);
        case UAbs_diff: return integer.abs_diff(a[0], a[1], false);
        case SAdd_sat: return integer.add_sat(a[0], a[1], true);
        case UAdd_sat: return integer.add_sat(a[0], a[1], false);
        case SSub_sat: return integer.sub_sat(a[0], a[1], true);
        case USub_sat: return integer.sub_sat(a[0], a[1], false);
        case SHadd: return integer.half_sum(a[0], a[1], true, false);
        case UHadd: return integer.half_sum(a[0], a[1], false, false);
        case SRhadd: return integer.half_sum(a[0], a[1], true, true);
        case URhadd: return integer.half_sum(a[0], a[1], false, true);
        case SClamp: return code.glsl(GLSLstd450SClamp, {a[0], a[1], a[2]});
        case UClamp: return code.glsl(GLSLstd450UClamp, {a[0], a[1], a[2]});
        case SMax: return code.glsl(GLSLstd450SMax, {a[0], a[1]});
        case UMax: return code.glsl(GLSLstd450UMax, {a[0], a[1]});
        case SMin: return code.glsl(GLSLstd450SMin, {a[0], a[1]});
        case UMin: return code.glsl(GLSLstd450UMin, {a[0], a[1]});
        case Clz: return integer.clz(a[0]);
        case Ctz: return integer.ctz(a[0]);
        case Popcount: return integer.popcount(a[0]);
        case Rotate: return integer.rotate(a[0], a[1]);
        case U_Upsample:
        case S_Upsample: return integer.upsample(a[0], a[1]);
        case SMul_hi: return integer.mul_hi(a[0], a[1], true);
        case UMul_hi: return integer.mul_hi(a[0], a[1], false);
        case SMad_hi: return code.add(integer.mul_hi(a[0], a[1], true), a[2]);
        case UMad_hi: return code.add(integer.mul_hi(a[0], a[1], false), a[2]);
        case SMad_sat: return integer.mad_sat(a[0], a[1], a[2], true);
        case UMad_sat: return integer.mad_sat(a[0], a[1], a[2], false);
        case SMul24:
        case UMul24: return code.mul(a[0], a[1]);  // only 24-bit operands have a defined result
        case SMad24:
        case UMad24: return code.add(code.mul(a[0], a[1]), a[2]);
        default: return std::nullopt;
    }
}

// ---- bitselect, select (6.15.6) and shuffle, shuffle2 (6.15.14) ----

namespace {

Id bitselect(Code& code, Id a, Id b, Id mask) {
    const bool floats = code.is_float(a);
    a = code.bits(a), b = code.bits(b), mask = code.bits(mask);
    const Id kept = code.bit_and(a, code.unary(Op::OpNot, mask));
    const Id result = code.bit_or(kept, code.bit_and(b, mask));
    return floats ? code.floats(result) : result;
}

/// A scalar condition counts as true when it is not 0, a component when its most significant bit is set.
Id select(Code& code, Id a, Id b, Id condition) {
    const Id zero = code.number(code.type(condition), 0);
    const Op test = code.count(condition) == 1 ? Op::OpINotEqual : Op::OpSLessThan;
    return code.select(code.compare(test, condition, zero), b, a);
}

/// Components of `x` (and of `y` behind them) by the low bits of the mask's components.
Id shuffle(Code& code, Id type, Id x, Id y, Id mask) {
    const uint32_t n = code.count(x), total = y ? 2 * n : n, results = code.count(mask);
    const spirv::Instruction* constant = code.builder().find_global(mask);
    if (constant && (constant->op == Op::OpConstantComposite || constant->op == Op::OpConstantNull)) {
        spirv::Operands operands = {x, y ? y : x};
        for (uint32_t i = 0; i < results; ++i) {
            const bool null = constant->op == Op::OpConstantNull;
            const uint64_t index = null ? 0 : code.builder().constant_value(constant->id(i)).value_or(0);
            operands.push_back(static_cast<uint32_t>(index % total));
        }
        return code.op(Op::OpVectorShuffle, type, std::move(operands));
    }
    const Id scalar = code.builder().element(type);
    std::vector<Id> parts;
    for (uint32_t i = 0; i < results; ++i) {
        const Id index = code.convert_unsigned(code.extract(mask, i), 32);
        const Id u32 = code.type(index);
        const Id within = code.bit_and(index, code.number(u32, n - 1));
        Id part = code.op(Op::OpVectorExtractDynamic, scalar, {x, within});
        if (y) {
            const Id second = code.bit_and(index, code.number(u32, n));
            const Id in_x = code.compare(Op::OpIEqual, second, code.number(u32, 0));
            part = code.select(in_x, part, code.op(Op::OpVectorExtractDynamic, scalar, {y, within}));
        }
        parts.push_back(part);
    }
    return code.construct(type, parts);
}

}  // namespace

std::optional<Id> lower_vector(Code& code, const OpenclCall& call) {
    using enum OpenCLLIB::Entrypoints;
    const std::vector<Id>& args = call.args;
    switch (call.instruction) {
        case Bitselect: return bitselect(code, args[0], args[1], args[2]);
        case Select: return select(code, args[0], args[1], args[2]);
        case Shuffle: return shuffle(code, call.type, args[0], {}, args[1]);
        case Shuffle2: return shuffle(code, call.type, args[0], args[1], args[2]);
        default: return std::nullopt;
    }
}

}  // namespace caldera::vulkan
