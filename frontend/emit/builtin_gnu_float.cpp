// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's __builtin_ functions of floats that OpenCL.std has no instruction for: classes, extremes
// of IEEE 754-2019, and roundings to integers.
#include <spirv/unified1/OpenCL.std.h>

#include "frontend/emit/emitter_impl.h"
#include "frontend/types/float_bits.h"

namespace caldera::frontend {

namespace {

using builtin::GnuOp;

/// Classes, as the bits of a mask (LLVM's FPClassTest). Those after the NaNs come in pairs: the negative and
/// the positive class of one magnitude.
enum FloatClass : uint32_t {
    kSignalingNan = 1,
    kQuietNan = 2,
    kNegativeInfinity = 4,
    kNegativeNormal = 8,
    kNegativeSubnormal = 16,
    kNegativeZero = 32,
    kPositiveZero = 64,
    kPositiveSubnormal = 128,
    kPositiveNormal = 256,
    kPositiveInfinity = 512,
    kNan = kSignalingNan | kQuietNan,
    kInfinity = kNegativeInfinity | kPositiveInfinity,
    kNormal = kNegativeNormal | kPositiveNormal,
    kSubnormal = kNegativeSubnormal | kPositiveSubnormal,
    kZero = kNegativeZero | kPositiveZero,
};

/// The unsigned integers with as many bits and elements.
const Type* bits_of(TypeTable& types, const Type* type) {
    return types.with_element(
        type, types.int_of_width(static_cast<uint32_t>(8 * type->scalar()->size_bytes), false));
}

}  // namespace

/// The value of such a call; nothing for other calls.
std::optional<Id> Emitter::gnu_float(const CallExpr& expr, GnuOp op, const Args& args) {
    const Id result = value_type(expr.type);
    const Type* type = expr.args.back()->type.type;  // of the float, for those that take one
    auto is = [&](uint32_t classes) {
        return compare_result(class_test(args[0], type, classes), expr.type.type);
    };
    auto to_long = [&](OpenCLLIB::Entrypoints rounding) {
        return b_.append(spv::Op::OpConvertFToS, result, {opencl(rounding, value_type(type), {args[0]})});
    };
    switch (op) {
        case GnuOp::Canonicalize: return fp(spv::Op::OpFMul, result, {args[0], scalar_constant(type, 1)});
        case GnuOp::Maximum:
        case GnuOp::Minimum:
        case GnuOp::MaximumNumber:
        case GnuOp::MinimumNumber: return extreme(op, args[0], args[1], type);
        case GnuOp::ToEvenLong: return to_long(OpenCLLIB::Rint);
        case GnuOp::ToNearestLong: return to_long(OpenCLLIB::Round);
        case GnuOp::ScaleByLong: {  // no exponent beyond these changes a result
            const Id wide = b_.type_int(64);
            const Id above = opencl(OpenCLLIB::SMax, wide, {args[1], b_.constant_u64(-uint64_t{0x10000})});
            const Id inside = opencl(OpenCLLIB::SMin, wide, {above, b_.constant_u64(0x10000)});
            return opencl(OpenCLLIB::Ldexp, result,
                          {args[0], b_.append(spv::Op::OpUConvert, b_.type_int(32), {inside})});
        }
        case GnuOp::IsClass: {  // as in clang, 1 in vectors too
            const Type* tested = expr.args[0]->type.type;
            const auto mask = static_cast<uint32_t>(*evaluate_integer(*expr.args[1]));
            return b_.append(spv::Op::OpSelect, result,
                             {class_test(args[0], tested, mask), scalar_constant(expr.type.type, 1),
                              zero(expr.type.type)});
        }
        case GnuOp::IsZero: return is(kZero);
        case GnuOp::IsSubnormal: return is(kSubnormal);
        case GnuOp::IsSignaling: return is(kSignalingNan);
        case GnuOp::InfinitySign: {
            auto when = [&](uint32_t classes, uint64_t value, Id otherwise) {
                return b_.append(
                    spv::Op::OpSelect, result,
                    {class_test(args[0], type, classes), b_.constant_int(result, value), otherwise});
            };
            return when(kPositiveInfinity, 1, when(kNegativeInfinity, ~uint64_t{0}, zero(expr.type.type)));
        }
        case GnuOp::Classify: return classify(args, type);
        default: return std::nullopt;
    }
}

/// -0 is below +0: the bits of equal numbers differ in the sign alone.
Id Emitter::extreme(GnuOp op, Id a, Id b, const Type* type) {
    const bool most = op == GnuOp::Maximum || op == GnuOp::MaximumNumber;
    const Id id = value_type(type), boolean = b_.with_count(b_.type_bool(), type->lanes());
    const Type* ints = bits_of(types_, type);
    auto select = [&](Id condition, Id yes, Id no) {
        return b_.append(spv::Op::OpSelect, id, {condition, yes, no});
    };
    auto test = [&](spv::Op operation, Operands operands) {
        return b_.append(operation, boolean, std::move(operands));
    };
    const Id further = test(most ? spv::Op::OpFOrdGreaterThan : spv::Op::OpFOrdLessThan, {a, b});
    const Id bits = b_.append(most ? spv::Op::OpBitwiseAnd : spv::Op::OpBitwiseOr, value_type(ints),
                              {reinterpret(a, value_type(ints)), reinterpret(b, value_type(ints))});
    const Id number =
        select(test(spv::Op::OpFOrdEqual, {a, b}), reinterpret(bits, id), select(further, a, b));
    if (op == GnuOp::Maximum || op == GnuOp::Minimum)
        return select(test(spv::Op::OpUnordered, {a, b}), fp(spv::Op::OpFAdd, id, {a, b}), number);
    return select(test(spv::Op::OpIsNan, {a}), b, select(test(spv::Op::OpIsNan, {b}), a, number));
}

/// Tests the bits, so that neither flushed denormals nor -cl-finite-math-only change the answer.
Id Emitter::class_test(Id value, const Type* type, uint32_t classes) {
    const Type* ints = bits_of(types_, type);
    const Id id = value_type(ints), boolean = b_.with_count(b_.type_bool(), type->lanes());
    const FloatBits format(type->scalar()->size_bytes);
    auto number = [&](uint64_t bits) { return scalar_constant(ints, bits); };
    auto test = [&](spv::Op op, Id x, Id y) { return b_.append(op, boolean, {x, y}); };
    const Id bits = reinterpret(value, id);
    const Id magnitude = b_.append(spv::Op::OpBitwiseAnd, id, {bits, number(format.sign - 1)});
    auto inside = [&](uint64_t from, uint64_t below) {
        const Id offset = b_.append(spv::Op::OpISub, id, {magnitude, number(from)});
        return test(spv::Op::OpULessThan, offset, number(below - from));
    };
    Id any = {};
    auto add = [&](Id found) { any = any ? b_.append(spv::Op::OpLogicalOr, boolean, {any, found}) : found; };
    auto add_of_sign = [&](uint32_t pair, uint32_t negative, auto found) {
        const uint32_t wanted = classes & pair;
        if (wanted == 0) return;
        if (wanted == pair) return add(found());
        const Id side =
            test(wanted == negative ? spv::Op::OpSLessThan : spv::Op::OpSGreaterThanEqual, bits, number(0));
        add(b_.append(spv::Op::OpLogicalAnd, boolean, {found(), side}));
    };
    if ((classes & kNan) == kNan)
        add(test(spv::Op::OpUGreaterThan, magnitude, number(format.infinity)));
    else if (classes & kQuietNan)
        add(test(spv::Op::OpUGreaterThanEqual, magnitude, number(format.quiet)));
    else if (classes & kSignalingNan)
        add(inside(format.infinity + 1, format.quiet));
    add_of_sign(kInfinity, kNegativeInfinity,
                [&] { return test(spv::Op::OpIEqual, magnitude, number(format.infinity)); });
    add_of_sign(kNormal, kNegativeNormal, [&] { return inside(format.least_normal, format.infinity); });
    add_of_sign(kSubnormal, kNegativeSubnormal, [&] { return inside(1, format.least_normal); });
    add_of_sign(kZero, kNegativeZero, [&] { return test(spv::Op::OpIEqual, magnitude, number(0)); });
    return any ? any : b_.constant_null(boolean);
}

/// __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)
Id Emitter::classify(const Args& args, const Type* type) {
    constexpr uint32_t kClasses[] = {kNan, kInfinity, kNormal, kSubnormal};
    Id chosen = args[4];
    for (size_t i = 0; i < std::size(kClasses); ++i)
        chosen = b_.append(spv::Op::OpSelect, b_.type_of(args[4]),
                           {class_test(args[5], type, kClasses[i]), args[i], chosen});
    return chosen;
}

}  // namespace caldera::frontend
