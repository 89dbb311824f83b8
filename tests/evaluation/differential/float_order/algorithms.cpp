// SPDX-License-Identifier: Apache-2.0
// Algorithms that get a rounding's error back, and what contraction would change. What they give is left in
// variables.
#include "generator.h"

namespace caldera::float_order {

void Generator::algorithm() {
    constexpr Algorithm kAll[] = {
        &Generator::two_sum,         &Generator::two_sum,     &Generator::fast_two_sum,
        &Generator::fast_two_sum,    &Generator::split,       &Generator::dekker_product,
        &Generator::fma_product,     &Generator::kahan,       &Generator::kahan,
        &Generator::neumaier,        &Generator::recurrence,  &Generator::recurrence,
        &Generator::apart,           &Generator::apart,       &Generator::horner,
        &Generator::round_by_adding, &Generator::double_word, &Generator::dot};
    (this->*kAll[below(std::size(kAll))])();
}

/// Knuth's error of a sum.
uint32_t Generator::two_sum(uint32_t a, uint32_t b) {
    const uint32_t s = declare(make(Op::Add, read(a), read(b))), part = declare(sub(s, a));
    if (chance(50)) {
        const uint32_t rest = declare(sub(s, part));
        const uint32_t of_a = declare(sub(a, rest)), of_b = declare(sub(b, part));
        return declare(make(Op::Add, read(of_a), read(of_b)));
    }
    return declare(make(Op::Add, make(Op::Subtract, read(a), sub(s, part)), sub(b, part)));
}

void Generator::two_sum() { two_sum(any_variable(type_), declare(load(type_))); }

/// Dekker's, of a larger and a smaller number; less than the error where they are not.
void Generator::fast_two_sum() {
    const uint32_t a = chance(50)
                           ? declare(make(Op::Add, read(any_variable(type_)), constant(type_, big() / 4)))
                           : any_variable(type_);
    const uint32_t b = declare(load(type_)), s = declare(make(Op::Add, read(a), read(b)));
    declare(make(Op::Subtract, read(b), sub(s, a)));
}

/// Veltkamp's high part of a number.
uint32_t Generator::high_part(uint32_t a) {
    const double factor = std::exp2((info(type_.kind).digits + 1) / 2) + 1;
    const uint32_t scaled = declare(make(Op::Multiply, constant(type_, factor), read(a)));
    return declare(make(Op::Subtract, read(scaled), sub(scaled, a)));
}

void Generator::split() {
    const uint32_t a = any_variable(type_), high = high_part(a);
    declare(sub(a, high));
}

void Generator::dekker_product() {
    const uint32_t a = any_variable(type_), b = declare(load(type_));
    const uint32_t p = declare(make(Op::Multiply, read(a), read(b)));
    const uint32_t ah = high_part(a), al = declare(sub(a, ah)), bh = high_part(b), bl = declare(sub(b, bh));
    const auto product = [&](uint32_t x, uint32_t y) {
        // A product that is a variable may not be contracted.
        const uint32_t node = make(Op::Multiply, read(x), read(y));
        return apart_ ? read(declare(node)) : node;
    };
    apart_ = chance(50);
    uint32_t error = make(Op::Subtract, product(ah, bh), read(p));
    error = make(Op::Add, error, product(ah, bl));
    error = make(Op::Add, error, product(al, bh));
    declare(make(Op::Add, error, product(al, bl)));
}

void Generator::fma_product() {
    const uint32_t a = any_variable(type_), b = declare(load(type_));
    const uint32_t p = declare(make(Op::Multiply, read(a), read(b)));
    declare(make(Op::Fma, read(a), read(b), make(Op::Negate, read(p))));
}

void Generator::kahan() {
    const uint32_t sum = declare(chance(50) ? constant(type_, 0) : load(type_)),
                   c = declare(constant(type_, 0));
    loop([&](uint32_t count) {
        const uint32_t y = declare(make(Op::Subtract, load(type_, count), read(c)));
        const uint32_t t = declare(make(Op::Add, read(sum), read(y)));
        assign(c, make(Op::Subtract, sub(t, sum), read(y)));
        assign(sum, read(t));
    });
}

void Generator::neumaier() {
    const uint32_t sum = declare(load(type_)), c = declare(constant(type_, 0));
    loop([&](uint32_t count) {
        const uint32_t x = declare(load(type_, count)), t = declare(make(Op::Add, read(sum), read(x)));
        const auto larger = [&] {
            return relation(Op::GreaterEqual, make(Op::Absolute, read(sum)), make(Op::Absolute, read(x)));
        };
        const auto error = [&](uint32_t a, uint32_t b) { return make(Op::Add, sub(a, t), read(b)); };
        if (type_.width == 1 && chance(50)) {
            Statement branch{.kind = Statement::Kind::If, .value = larger()};
            branch.then = inside([&] { assign(c, make(Op::Add, read(c), error(sum, x))); });
            branch.otherwise = inside([&] { assign(c, make(Op::Add, read(c), error(x, sum))); });
            block_->push_back(std::move(branch));
        } else {
            const uint32_t condition = larger();
            assign(c,
                   make(Op::Add, read(c), make(Op::Ternary, type_, condition, error(sum, x), error(x, sum))));
        }
        assign(sum, read(t));
    });
    if (chance(50)) declare(make(Op::Add, read(sum), read(c)));
}

void Generator::recurrence() {
    const uint32_t x = declare(load(type_));
    const double factor = pick({1.0001, 0.9, 1.5, -1.1, 3.1, 0.5, 0.7});
    loop([&](uint32_t count) {
        const auto step = [&] { return chance(30) ? load(type_, count) : any_constant(type_); };
        switch (below(6)) {
            case 0: assign(x, make(Op::Multiply, read(x), constant(type_, factor))); break;
            case 1: assign(x, make(Op::Add, read(x), step())); break;
            case 2:
                assign(x, make(Op::Add, make(Op::Multiply, read(x), constant(type_, factor)), step()));
                break;
            case 3: {
                const uint32_t p = declare(make(Op::Multiply, read(x), constant(type_, factor)));
                assign(x, make(Op::Add, read(p), step()));
                break;
            }
            case 4:  // the logistic map
                assign(x, make(Op::Multiply, make(Op::Multiply, constant(type_, 3.7), read(x)),
                               make(Op::Subtract, constant(type_, 1), read(x))));
                break;
            default: assign(x, make(Op::Subtract, make(Op::Add, read(x), step()), step())); break;
        }
    });
}

/// Products in statements of their own, or of functions, and sums after them: not to be contracted.
void Generator::apart() {
    const uint32_t a = any_variable(type_), b = declare(load(type_));
    const uint32_t p = declare(make(Op::Multiply, read(a), read(b)));
    const Op sum = pick({Op::Add, Op::Subtract});
    switch (below(5)) {
        case 0: declare(make(sum, read(p), load(type_))); break;
        case 1: declare(make(sum, load(type_), read(p))); break;
        case 2: {
            const uint32_t q = declare(make(Op::Multiply, read(a), any_constant(type_)));
            declare(make(sum, read(p), read(q)));
            break;
        }
        case 3: declare(make(sum, make(Op::Product, read(a), read(b)), read(a))); break;
        default:
            declare(make(Op::Sum, make(Op::Multiply, read(a), read(b)), make(Op::Negate, read(p))));
            break;
    }
}

void Generator::horner() {
    const uint32_t x = any_variable(type_);
    uint32_t r = declare(any_constant(type_));
    for (uint64_t i = 2 + below(3); i > 0; --i) {
        const uint64_t kind = below(3);
        if (kind == 0)
            r = declare(make(Op::Fma, read(r), read(x), any_constant(type_)));
        else if (kind == 1)
            r = declare(make(Op::Add, make(Op::Multiply, read(r), read(x)), any_constant(type_)));
        else
            assign(r, make(Op::Add, make(Op::Product, read(r), read(x)), any_constant(type_)));
    }
}

void Generator::round_by_adding() {
    const uint32_t x = any_variable(type_), m = declare(constant(type_, big()));
    declare(make(Op::Subtract, make(Op::Add, read(x), read(m)), read(m)));
}

/// A sum of unevaluated pairs.
void Generator::double_word() {
    const uint32_t a = any_variable(type_), b = declare(load(type_)), c = declare(load(type_));
    const uint32_t first = two_sum(a, b);
    const uint32_t s = declare(make(Op::Add, read(a), read(b)));
    const uint32_t second = two_sum(s, c);
    declare(make(Op::Add, read(first), read(second)));
}

void Generator::dot() {
    const uint32_t s = declare(constant(type_, 0));
    loop([&](uint32_t count) {
        const uint32_t product = make(Op::Multiply, load(type_, count), load(type_, count));
        if (chance(50))
            assign(s, make(Op::Add, read(s), product));
        else
            assign(s, make(Op::Add, read(s), read(declare(product))));
    });
}

}  // namespace caldera::float_order
