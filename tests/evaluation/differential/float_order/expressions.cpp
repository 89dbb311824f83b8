// SPDX-License-Identifier: Apache-2.0
// Expressions that real numbers' arithmetic would make another value of, conversions there and back,
// comparisons.
#include <algorithm>

#include "generator.h"

namespace caldera::float_order {

uint32_t Generator::any_constant(Type type) {
    Node node{.op = Op::Constant, .type = type};
    const bool is_splat = chance(85);
    for (uint32_t lane = 0; lane < kMaxWidth; ++lane)
        node.lanes[lane] = lane == 0 || !is_splat ? some_number(type.kind) : node.lanes[0];
    return keep(node);
}

uint64_t Generator::some_number(Kind kind) {
    const int digits = info(kind).digits;
    double value = 0;
    switch (below(8)) {
        case 0: value = pick({1, 2, 0.5, 3, 10, 0.25, 7}); break;
        case 1: value = pick({0.1, 0.3, 1e-3, 3.1, 5.3, 1.1, 0.9090909, 1.0001, 0.7}); break;
        case 2: value = std::exp2(digits - 1) * pick({1, 1.5, 3, 0.75}); break;
        case 3: value = std::exp2(-digits) * pick({1, 1.5, 3, 0.75}); break;
        case 4: value = pick({1000, 999, 100, 30000, 29999}); break;
        case 5: value = 0; break;
        default: value = 1 + static_cast<double>(below(1u << 30)) * std::exp2(-30) * 3; break;
    }
    const uint64_t bits = nearest(kind, value);
    return chance(30) ? negate(kind, bits) : bits;
}

uint32_t Generator::leaf(Type type) {
    std::vector<uint32_t> same, wider;
    for (uint32_t variable : scope_) {
        const Type of = body_.variables[variable];
        if (of == type) same.push_back(variable);
        if (of.kind == type.kind && of.width > 1 && type.width == 1) wider.push_back(variable);
    }
    if (!same.empty() && chance(85)) return read(same[below(same.size())]);
    if (!wider.empty() && chance(80)) {
        const uint32_t vector = wider[below(wider.size())];
        const uint32_t lane = static_cast<uint32_t>(below(body_.variables[vector].width));
        return keep({.op = Op::Lane, .type = type, .operands = {read(vector), kNone, kNone}, .index = lane});
    }
    if (type.width > 1 && chance(25)) return make(Op::Splat, type, leaf({type.kind, 1}));
    return chance(50) ? any_constant(type) : load(type);
}

/// The same value twice, each time written out: a tree has no shared nodes.
uint32_t Generator::again(uint32_t id) {
    Node node = body_.nodes[id];
    for (uint32_t& operand : node.operands)
        if (operand != kNone) operand = again(operand);
    return keep(node);
}

uint32_t Generator::expression(Type type, uint32_t depth) {
    if (depth == 0) return leaf(type);
    const auto inner = [&] { return expression(type, depth - 1); };
    const uint64_t kind = below(30);
    if (kind < 7) return make(pick({Op::Add, Op::Subtract, Op::Multiply}), inner(), inner());
    if (kind < 13) return identity(type, depth);
    if (kind < 14) return make(pick({Op::Negate, Op::Absolute}), inner());
    if (kind < 16)
        return make(pick({Op::Minimum, Op::Maximum, Op::Minimum, Op::Maximum, Op::CommonMinimum,
                          Op::CommonMaximum, Op::CopySign}),
                    inner(), leaf(type));
    if (kind < 17) return make(pick({Op::Rint, Op::Trunc, Op::Floor, Op::Ceil, Op::Round}), inner());
    if (kind < 18) return make(pick({Op::Fma, Op::Fma, Op::Mad}), inner(), leaf(type), inner());
    if (kind < 22) return there_and_back(type, depth);
    if (kind < 23) return mixed(type, depth);
    if (kind < 26) return choice(type, depth);
    if (kind < 27) return convert(type, condition(type, depth - 1));
    if (kind < 29) return quotient(type, depth);
    return make(pick({Op::Product, Op::Sum}), inner(), leaf(type));
}

/// Expressions that real numbers' arithmetic would make another value of, or the same.
uint32_t Generator::identity(Type type, uint32_t depth) {
    const uint32_t x = expression(type, depth - 1);
    const auto by = [&](Op op, uint32_t a, double c) { return make(op, a, constant(type, c)); };
    switch (below(22)) {
        case 0: return make(Op::Multiply, make(Op::Multiply, x, any_constant(type)), any_constant(type));
        case 1: return make(Op::Add, make(Op::Add, x, any_constant(type)), any_constant(type));
        case 2: return by(Op::Subtract, by(Op::Add, x, big_of(type)), big_of(type));
        case 3: return make(Op::Subtract, make(Op::Add, x, any_constant(type)), any_constant(type));
        case 4: return make(Op::Subtract, x, again(x));
        case 5: return by(Op::Multiply, x, pick({0, 0, -0.0}));
        case 6: return make(Op::Subtract, constant(type, pick({0, 0, -0.0})), x);
        case 7: return by(pick({Op::Add, Op::Subtract}), x, pick({0, -0.0}));
        case 8: return by(Op::Multiply, x, pick({1, -1}));
        case 9: return by(Op::Multiply, by(Op::Multiply, x, 2), 0.5);
        case 10: return make(Op::Subtract, make(Op::Add, x, again(x)), again(x));
        case 11: return make(Op::Add, make(Op::Subtract, x, leaf(type)), leaf(type));
        case 12: return make(Op::Multiply, make(Op::Multiply, x, again(x)), again(x));
        case 13: return make(Op::Add, make(Op::Add, x, again(x)), again(x));
        case 14: {
            const uint32_t c = any_constant(type);
            return make(Op::Subtract, make(Op::Multiply, x, c), make(Op::Multiply, leaf(type), again(c)));
        }
        case 15: return make(Op::Negate, make(Op::Subtract, x, leaf(type)));
        case 16: return make(Op::Subtract, make(Op::Negate, x), leaf(type));
        case 17: {
            const uint32_t y = leaf(type);
            return make(Op::Subtract, make(Op::Add, x, y), again(y));
        }
        case 18: return make(Op::Multiply, make(Op::Negate, x), make(Op::Negate, leaf(type)));
        case 19: return make(Op::Subtract, any_constant(type), make(Op::Add, any_constant(type), x));
        case 20: {
            const uint32_t y = leaf(type);
            return make(Op::Multiply, make(Op::Add, x, y), make(Op::Subtract, again(x), again(y)));
        }
        default:
            return make(Op::Add, make(Op::Multiply, x, leaf(type)), make(Op::Multiply, again(x), leaf(type)));
    }
}

/// Through a narrower or wider kind.
uint32_t Generator::there_and_back(Type type, uint32_t depth) {
    const uint64_t which = below(9);
    if (which < 5) {
        const Kind kind = pick_kind();
        const uint32_t x = expression(type, depth - 1);
        return convert(type, convert({kind, type.width}, x, some_rounding()),
                       chance(20) ? some_rounding() : Rounding::Default);
    }
    constexpr Kind kIntegers[] = {Kind::Char, Kind::UChar, Kind::Short, Kind::UShort, Kind::Int,
                                  Kind::UInt, Kind::Long,  Kind::ULong, Kind::Int,    Kind::Long};
    const Type integer = {kIntegers[below(std::size(kIntegers))], type.width};
    if (which < 7) return convert(type, to_integer(integer, expression(type, depth - 1)), some_rounding());
    // An integer that may have more digits.
    const Type wide = {chance(50) ? Kind::Int : Kind::Long, type.width};
    const uint32_t real = convert(type, load(wide), some_rounding());
    return which == 7 ? real : convert(type, to_integer(wide, real));
}

/// Computed in another kind.
uint32_t Generator::mixed(Type type, uint32_t depth) {
    const Type other = {pick_kind(), type.width};
    const auto operand = [&] { return convert(other, expression(type, depth - 1)); };
    return convert(type, make(pick({Op::Add, Op::Subtract, Op::Multiply}), operand(),
                              chance(50) ? operand() : leaf(other)));
}

uint32_t Generator::quotient(Type type, uint32_t depth) {
    const uint32_t x = expression(type, depth - 1);
    switch (below(6)) {
        case 0: return make(Op::Divide, x, again(x));
        case 1: return make(Op::Divide, make(Op::Multiply, x, constant(type, 2)), constant(type, 2));
        case 2: return make(Op::Divide, constant(type, pick({1, -1})), x);
        case 3: return make(Op::SquareRoot, x);
        case 4: {
            const uint32_t y = leaf(type);
            return make(Op::Multiply, make(Op::Divide, x, y), again(y));
        }
        default: return make(Op::Divide, x, chance(50) ? any_constant(type) : leaf(type));
    }
}

uint32_t Generator::choice(Type type, uint32_t depth) {
    const uint32_t a = expression(type, depth - 1), b = leaf(type);
    if (chance(25)) {  // a minimum or maximum in other words
        const uint32_t test =
            relation(pick({Op::Less, Op::Greater, Op::LessEqual, Op::GreaterEqual}), again(a), again(b));
        return chance(50) ? make(Op::Ternary, type, test, a, b) : make(Op::Ternary, type, test, b, a);
    }
    const uint32_t test = condition(type, depth - 1);
    if (chance(60)) return make(Op::Ternary, type, test, a, b);
    const Type mask = type.mask();
    if (type.width > 1 || info(type.kind).bytes == info(mask.kind).bytes)
        return make(Op::Select, type, a, b, test);
    const Type scalar = {info(type.kind).bytes == 2 ? Kind::Short : Kind::Long, 1};
    return make(Op::Select, type, a, b, convert(scalar, test));
}

uint32_t Generator::condition(Type type, uint32_t depth) {
    depth = std::min(depth, 2u);
    const auto operand = [&] { return depth == 0 ? leaf(type) : expression(type, depth - 1); };
    switch (below(12)) {
        case 0: return relation(Op::Not, condition_mask(type, depth));
        case 1: {
            const uint32_t x = operand();
            return relation(pick({Op::Equal, Op::NotEqual, Op::LessEqual, Op::Less}), x, again(x));
        }
        case 2: {  // (x + y) - x == y
            const uint32_t x = leaf(type), y = leaf(type);
            return relation(Op::Equal, make(Op::Subtract, make(Op::Add, x, y), again(x)), again(y));
        }
        case 3: return relation(pick({Op::IsNan, Op::IsInf, Op::IsFinite}), operand());
        case 4:
            return relation(pick({Op::IsLess, Op::IsGreaterEqual, Op::IsEqual, Op::IsNotEqual,
                                  Op::IsLessGreater, Op::IsUnordered, Op::IsOrdered}),
                            operand(), operand());
        case 5: {
            const uint32_t a = condition_mask(type, depth), b = condition_mask(type, depth);
            return relation(pick({Op::And, Op::Or}), a, b);
        }
        case 6: {  // two comparisons that NaN makes both false
            const uint32_t x = operand(), y = leaf(type);
            const uint32_t less = relation(Op::Less, x, y),
                           more = relation(Op::GreaterEqual, again(x), again(y));
            return relation(Op::And, relation(Op::Not, less), relation(Op::Not, more));
        }
        default:
            return relation(
                pick({Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual}),
                operand(), operand());
    }
}

uint32_t Generator::condition_mask(Type type, uint32_t depth) {
    if (depth > 0) return condition(type, depth - 1);
    const uint32_t a = leaf(type), b = leaf(type);
    return relation(pick({Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual}),
                    a, b);
}

}  // namespace caldera::float_order
