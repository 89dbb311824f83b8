// SPDX-License-Identifier: Apache-2.0
// OpenCL C 3.0 6.15.2 "Math Functions" for which Vulkan's accuracy suffices, or for which the program does
// not need more. link_builtins has replaced the others by calls of library functions.
#include <cmath>
#include <numbers>

#include "vulkan/translate/lower/lower_opencl_std.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spv::Op;

class Math {
 public:
    Math(Code& code, const OpenclCall& call) : code_(code), call_(call) {}

    std::optional<Id> lower() {
        using enum OpenCLLIB::Entrypoints;
        switch (call_.instruction) {
            case Fabs: return code_.glsl(GLSLstd450FAbs, {x()});
            case Floor: return code_.glsl(GLSLstd450Floor, {x()});
            case Ceil: return code_.glsl(GLSLstd450Ceil, {x()});
            case Trunc: return code_.glsl(GLSLstd450Trunc, {x()});
            case Rint: return code_.glsl(GLSLstd450RoundEven, {x()});
            case Round: return round();
            case Fma: return code_.glsl(GLSLstd450Fma, {x(), y(), z()});
            case Mad: return code_.multiply_add(x(), y(), z());
            case Fmax: return code_.glsl(GLSLstd450NMax, {x(), y()});
            case Fmin: return code_.glsl(GLSLstd450NMin, {x(), y()});
            case Fdim: return fdim();
            case Copysign: return code_.copysign(x(), y());
            case Maxmag: return maxmag();
            case Minmag: return minmag();
            case Nan: return nan();
            case Sqrt: return as_float(GLSLstd450Sqrt);
            case Half_sqrt:
            case Native_sqrt: return code_.glsl(GLSLstd450Sqrt, {x()});
            case Rsqrt: return rsqrt();
            case Half_rsqrt:
            case Native_rsqrt: return rsqrt();
            case Half_recip:
            case Native_recip: return code_.binary(Op::OpFDiv, real(1.0), x());
            case Native_divide: return code_.binary(Op::OpFDiv, x(), y());
            default: return code_.width(x()) == 64 ? std::nullopt : fast();
        }
    }

 private:
    Id x() const { return call_.args[0]; }
    Id y() const { return call_.args[1]; }
    Id z() const { return call_.args[2]; }
    Id real(double value) { return code_.real(call_.type, value); }

    /// GLSL.std.450's transcendental functions, which have no form for double.
    std::optional<Id> fast() {
        using enum OpenCLLIB::Entrypoints;
        constexpr double kPi = std::numbers::pi;
        switch (call_.instruction) {
            case Sin:
            case Half_sin:
            case Native_sin: return code_.glsl(GLSLstd450Sin, {x()});
            case Cos:
            case Half_cos:
            case Native_cos: return code_.glsl(GLSLstd450Cos, {x()});
            case Tan:
            case Half_tan:
            case Native_tan: return code_.glsl(GLSLstd450Tan, {x()});
            case Sinpi: return code_.glsl(GLSLstd450Sin, {code_.mul(in_turn(), real(kPi))});
            case Cospi: return code_.glsl(GLSLstd450Cos, {code_.mul(in_turn(), real(kPi))});
            case Tanpi: return code_.glsl(GLSLstd450Tan, {code_.mul(in_turn(), real(kPi))});
            case Acos: return code_.glsl(GLSLstd450Acos, {x()});
            case Acospi: return code_.mul(code_.glsl(GLSLstd450Acos, {x()}), real(1 / kPi));
            case Cbrt: return fast_cbrt();
            case Exp:
            case Half_exp:
            case Native_exp: return code_.glsl(GLSLstd450Exp, {x()});
            case Exp2:
            case Half_exp2:
            case Native_exp2: return code_.glsl(GLSLstd450Exp2, {x()});
            case Exp10:
            case Half_exp10:
            case Native_exp10: return code_.glsl(GLSLstd450Exp2, {code_.mul(x(), real(std::log2(10.0)))});
            case Expm1: return code_.sub(code_.glsl(GLSLstd450Exp, {x()}), real(1.0));
            case Log: return fast_log();
            case Half_log:
            case Native_log: return code_.glsl(GLSLstd450Log, {x()});
            case Log2:
            case Half_log2: return code_.log2(x());
            case Native_log2: return code_.glsl(GLSLstd450Log2, {x()});
            case Log10:
            case Half_log10: return code_.mul(code_.log2(x()), real(std::log10(2.0)));
            case Native_log10: return code_.mul(code_.glsl(GLSLstd450Log2, {x()}), real(std::log10(2.0)));
            case Log1p: return code_.glsl(GLSLstd450Log, {code_.add(x(), real(1.0))});
            case Powr:
            case Half_powr:
            case Native_powr: return code_.glsl(GLSLstd450Pow, {x(), y()});
            case Pow: return fast_pow();
            default: return std::nullopt;
        }
    }

    /// x less a multiple of 2, from -1 to 1: Vulkan bounds the errors of Sin and Cos for such angles alone,
    /// and the largest floats times pi are no numbers.
    Id in_turn() {
        const Id turns = code_.glsl(GLSLstd450RoundEven, {code_.mul(x(), real(0.5))});
        return code_.multiply_add(turns, real(-2.0), x());
    }

    /// exp2(y * log2(|x|)), negated for a negative x and an odd y (OpenCL C 3.0 7.4, relaxed math).
    Id fast_pow() {
        const Id log = code_.log2(code_.glsl(GLSLstd450FAbs, {x()}));
        const Id power = code_.glsl(GLSLstd450Exp2, {code_.mul(y(), log)});
        const Id half = code_.mul(y(), real(0.5));
        const Id odd = code_.compare(Op::OpFUnordNotEqual, half, code_.glsl(GLSLstd450Floor, {half}));
        const Id below = code_.compare(Op::OpFOrdLessThan, x(), real(0.0));
        const Id negate = code_.binary(Op::OpLogicalAnd, odd, below);
        return code_.select(negate, code_.unary(Op::OpFNegate, power), power);
    }

    /// For x < 1/2, uses Log2 of 2x. Log2 of x may be wrong by 2.5 ulp, and its product with ln 2 then by
    /// more than 3.
    Id fast_log() {
        constexpr double kLn2 = std::numbers::ln2;
        const Id small = code_.compare(Op::OpFOrdLessThan, x(), real(0.5));
        const Id log2 = code_.log2(code_.select(small, code_.add(x(), x()), x()));
        return code_.multiply_add(log2, real(kLn2), code_.select(small, real(-kLn2), real(0.0)));
    }

    Id fast_cbrt() {
        const Id log = code_.log2(code_.glsl(GLSLstd450FAbs, {x()}));
        return code_.copysign(code_.glsl(GLSLstd450Exp2, {code_.mul(log, real(1.0 / 3))}), x());
    }

    /// Rounds halfway cases away from zero, which GLSL.std.450's Round leaves open. Adding the largest number
    /// below one half rounds only these up to the next whole number.
    Id round() {
        const double below_half = 0.5 - std::ldexp(0.25, -static_cast<int>(mantissa_bits(code_.width(x()))));
        const Id sum = code_.add(x(), code_.copysign(real(below_half), x()));
        return code_.glsl(GLSLstd450Trunc, {sum});
    }

    Id fdim() {
        const Id not_above = code_.compare(Op::OpFOrdLessThanEqual, x(), y());
        return code_.select(not_above, real(0.0), code_.sub(x(), y()));
    }

    /// An even number that orders magnitudes, with every NaN below zero's: twice the bits without the sign,
    /// less those of the least NaN.
    Id even_rank(Id number) {
        const uint32_t width = code_.width(number);
        const Id twice = code_.shift_left(code_.bits(number), 1);
        return code_.sub(twice, code_.number(code_.type(twice), 2 * (infinity_bits(width) + 1)));
    }

    /// Compares bits, since a device that flushes denormals compares them as zeros. The result is x if its
    /// magnitude is larger, or if the magnitudes are equal and x is positive. NaN is never chosen. For
    /// doubles, three comparisons are cheaper.
    Id maxmag() {
        if (code_.width(x()) != 64) {
            const Id sign = code_.shift_right(code_.bits(x()), code_.width(x()) - 1);
            const Id larger =
                code_.compare(Op::OpUGreaterThanEqual, even_rank(x()), code_.add(even_rank(y()), sign));
            return code_.select(larger, x(), y());
        }
        const Id ay = code_.glsl(GLSLstd450FAbs, {y()});
        const Id above = code_.compare(Op::OpFOrdGreaterThanEqual, x(), ay);
        const Id below = code_.compare(Op::OpFOrdLessThan, x(), code_.unary(Op::OpFNegate, ay));
        const Id larger = code_.binary(Op::OpLogicalOr, above, below);
        return code_.select(code_.binary(Op::OpLogicalOr, larger, code_.is_nan(y())), x(), y());
    }

    /// By the bits, where NaN is larger than all numbers: x if its magnitude is smaller, or as large and x
    /// negative.
    Id minmag() {
        const Id sign = code_.shift_right(code_.bits(x()), code_.width(x()) - 1);
        const Id limit = code_.add(code_.magnitude_bits(y()), sign);
        return code_.select(code_.compare(Op::OpULessThan, code_.magnitude_bits(x()), limit), x(), y());
    }

    /// A quiet NaN with the argument in its significand.
    Id nan() {
        const uint32_t width = code_.width(x());
        const uint64_t quiet = infinity_bits(width) | uint64_t{1} << (mantissa_bits(width) - 1);
        return code_.floats(code_.bit_or(x(), code_.number(code_.type(x()), quiet)));
    }

    /// Vulkan allows halfs more than cl_khr_fp16: they are computed as float and rounded.
    Id as_float(GLSLstd450 function) {
        if (code_.width(x()) != 16) return code_.glsl(function, {x()});
        return code_.convert_float(code_.glsl(function, {code_.convert_float(x(), 32)}), 16);
    }

    Id rsqrt() {
        if (code_.width(x()) != 64) return as_float(GLSLstd450InverseSqrt);
        return code_.binary(Op::OpFDiv, real(1.0), code_.glsl(GLSLstd450Sqrt, {x()}));
    }

    Code& code_;
    const OpenclCall& call_;
};

}  // namespace

std::optional<Id> lower_math(Code& code, const OpenclCall& call) {
    using enum OpenCLLIB::Entrypoints;
    const bool is_math = call.instruction <= Native_tan && !call.args.empty();
    if (!is_math) return std::nullopt;
    return Math(code, call).lower();
}

// ---- OpenCL C 3.0 6.15.4 "Common Functions" ----

std::optional<Id> lower_common(Code& code, const OpenclCall& call) {
    using enum OpenCLLIB::Entrypoints;
    const std::vector<Id>& args = call.args;
    switch (call.instruction) {
        case FClamp: return code.glsl(GLSLstd450NClamp, {args[0], args[1], args[2]});
        case Degrees: return code.mul(args[0], code.real(call.type, 180.0 / std::numbers::pi));
        case Radians: return code.mul(args[0], code.real(call.type, std::numbers::pi / 180.0));
        case FMax_common: return code.glsl(GLSLstd450FMax, {args[0], args[1]});
        case FMin_common: return code.glsl(GLSLstd450FMin, {args[0], args[1]});
        case Mix: return code.add(args[0], code.mul(code.sub(args[1], args[0]), args[2]));
        case Step: return code.glsl(GLSLstd450Step, {args[0], args[1]});
        case Smoothstep: return code.glsl(GLSLstd450SmoothStep, {args[0], args[1], args[2]});
        case Sign: {
            const Id zero = code.real(call.type, 0.0);
            const Id one = code.copysign(code.real(call.type, 1.0), args[0]);
            const Id nonzero = code.select(code.compare(Op::OpFOrdEqual, args[0], zero), args[0], one);
            return code.select(code.is_nan(args[0]), zero, nonzero);
        }
        default: return std::nullopt;
    }
}

// ---- OpenCL C 3.0 6.15.5 "Geometric Functions" ----

namespace {

class Geometry {
 public:
    explicit Geometry(Code& code) : code_(code) {}

    Id length(Id v) {
        if (code_.count(v) == 1) return code_.glsl(GLSLstd450FAbs, {v});
        if (code_.width(v) == 16) return code_.convert_float(length(code_.convert_float(v, 32)), 16);
        const Scale scale = choose_scale(v);
        const Id scaled = code_.mul(v, code_.splat(scale.factor, code_.count(v)));
        return code_.mul(code_.glsl(GLSLstd450Sqrt, {dot(scaled)}), scale.inverse);
    }

    Id fast_length(Id v) {
        return code_.count(v) == 1 ? code_.glsl(GLSLstd450FAbs, {v}) : code_.glsl(GLSLstd450Sqrt, {dot(v)});
    }

    /// 6.15.5: a zero vector stays; infinite components count as 1 and push the others to 0; NaN spreads.
    Id normalize(Id v) {
        const Id type = code_.type(v);
        if (code_.width(v) == 16) return code_.convert_float(normalize(code_.convert_float(v, 32)), 16);
        const uint32_t n = code_.count(v);
        const Id scalar = code_.builder().element(type);
        const Id infinity = code_.builder().constant_float_bits(scalar, infinity_bits(code_.width(v)));
        const Id infinities = code_.compare(Op::OpFOrdEqual, code_.glsl(GLSLstd450FAbs, {v}),
                                            code_.builder().constant_splat(type, infinity));
        const Id any = n == 1 ? infinities : code_.op(Op::OpAny, code_.builder().type_bool(), {infinities});
        const Id directions = code_.select(infinities, code_.copysign(code_.real(type, 1.0), v),
                                           code_.mul(v, code_.real(type, 0.0)));
        const Scale scale = choose_scale(v);
        const Id finite = code_.mul(v, code_.splat(scale.factor, n));
        const Id square = dot(code_.select(any, directions, finite));
        // A small component beside a large one is rounded once if it is denormal in the end.
        const Id shrink = code_.select(any, code_.real(scalar, 1.0), scale.factor),
                 inverse = inverse_sqrt(square);
        const Id first = code_.select(scale.is_high, inverse, scale.factor);
        const Id second = code_.select(scale.is_high, shrink, inverse);
        const Id unit = code_.mul(code_.mul(code_.select(any, directions, v), code_.splat(first, n)),
                                  code_.splat(second, n));
        const Id is_zero = code_.compare(Op::OpFOrdEqual, square, code_.real(scalar, 0.0));
        return code_.select(is_zero, v, unit);
    }

    Id fast_normalize(Id v) {
        const Id square = dot(v);
        const Id scalar = code_.type(square);
        const Id unit = code_.mul(v, code_.splat(inverse_sqrt(square), code_.count(v)));
        const double smallest = std::ldexp(1.0, 1 - static_cast<int>(exponent_bias(code_.width(v))));
        return code_.select(code_.compare(Op::OpFOrdLessThan, square, code_.real(scalar, smallest)), v, unit);
    }

    Id cross(Id a, Id b) {
        if (code_.count(a) == 3) return code_.glsl(GLSLstd450Cross, {a, b});
        const Id type = code_.type(a);
        const Id scalar = code_.builder().element(type);
        const Id three = code_.builder().type_vector(scalar, 3);
        const Id product =
            code_.glsl(GLSLstd450Cross, {code_.op(Op::OpVectorShuffle, three, {a, a, 0u, 1u, 2u}),
                                         code_.op(Op::OpVectorShuffle, three, {b, b, 0u, 1u, 2u})});
        return code_.construct(type, std::vector<Id>{product, code_.real(scalar, 0.0)});
    }

 private:
    struct Scale {
        Id factor, inverse, is_high;
    };

    /// A power of two that keeps the squares in range, when the components would take them out of it.
    Scale choose_scale(Id v) {
        const Id scalar = code_.builder().element(code_.type(v));
        Id largest = code_.glsl(GLSLstd450FAbs, {code_.extract(v, 0)});
        for (uint32_t i = 1; i < code_.count(v); ++i)
            largest =
                code_.glsl(GLSLstd450NMax, {largest, code_.glsl(GLSLstd450FAbs, {code_.extract(v, i)})});
        const bool wide = code_.width(v) == 64;
        const double high = wide ? 0x1p510 : 0x1p62, shrink = wide ? 0x1p-516 : 0x1p-66;
        const double low = wide ? 0x1p-340 : 0x1p-40, grow = wide ? 0x1p700 : 0x1p86;
        auto real = [&](double value) { return code_.real(scalar, value); };
        const Id is_high = code_.compare(Op::OpFOrdGreaterThanEqual, largest, real(high));
        const Id is_low = code_.compare(Op::OpFOrdLessThan, largest, real(low));
        auto choose = [&](double for_high, double for_low) {
            return code_.select(is_high, real(for_high), code_.select(is_low, real(for_low), real(1.0)));
        };
        return {choose(shrink, grow), choose(1 / shrink, 1 / grow), is_high};
    }

    Id dot(Id v) {
        if (code_.count(v) == 1) return code_.mul(v, v);
        return code_.op(Op::OpDot, code_.builder().element(code_.type(v)), {v, v});
    }
    Id inverse_sqrt(Id square) {
        if (code_.width(square) != 64) return code_.glsl(GLSLstd450InverseSqrt, {square});
        return code_.binary(Op::OpFDiv, code_.real(code_.type(square), 1.0),
                            code_.glsl(GLSLstd450Sqrt, {square}));
    }

    Code& code_;
};

}  // namespace

std::optional<Id> lower_geometric(Code& code, const OpenclCall& call) {
    using enum OpenCLLIB::Entrypoints;
    Geometry geometry(code);
    const std::vector<Id>& args = call.args;
    switch (call.instruction) {
        case Cross: return geometry.cross(args[0], args[1]);
        case Length: return geometry.length(args[0]);
        case Distance: return geometry.length(code.sub(args[0], args[1]));
        case Normalize: return geometry.normalize(args[0]);
        case Fast_length: return geometry.fast_length(args[0]);
        case Fast_distance: return geometry.fast_length(code.sub(args[0], args[1]));
        case Fast_normalize: return geometry.fast_normalize(args[0]);
        default: return std::nullopt;
    }
}

}  // namespace caldera::vulkan
