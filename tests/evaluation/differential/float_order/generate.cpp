// SPDX-License-Identifier: Apache-2.0
// Bodies that depend on the order of floats' operations and on each rounding: algorithms that get a rounding's error back, sums and
// products with constants, identities that hold for real numbers only, conversions there and back, comparisons that NaN upsets.
#include "generate.h"

#include <random>

namespace caldera::float_order {
namespace {

class Generator {
 public:
    Generator(uint64_t seed, uint64_t attempt, const Wanted& wanted)
        : random_(seed * 1000 + attempt), wanted_(wanted) {
        body_.seed = seed;
        const bool is_off = below(3) == 0;
        body_.contracts = wanted.always_contracts || (!is_off && !wanted.never_contracts);
        body_.divides_exactly = below(4) == 0;
        type_ = {pick_kind(), pick_width()};
    }

    Body make() {
        block_ = &body_.statements;
        for (uint64_t i = 1 + below(3); i > 0; --i) declare(load(type_));
        if (chance(30)) {
            other_ = {pick_kind(), type_.width};
            declare(load(other_));
        }
        for (uint64_t i = below(3); i > 0; --i) algorithm();
        for (uint64_t i = below(3); i > 0; --i) statement(0);
        finish();
        body_.find_places();
        return std::move(body_);
    }

 private:
    // ---- chances ----

    uint64_t below(uint64_t limit) { return random_() % limit; }
    bool chance(uint64_t percent) { return below(100) < percent; }
    template <size_t Size>
    double pick(const double (&of)[Size]) {
        return of[below(Size)];
    }
    template <size_t Size>
    Op pick(const Op (&of)[Size]) {
        return of[below(Size)];
    }

    Kind pick_kind() {
        const uint64_t which = below(8);
        if (which < 2 && wanted_.wide) return Kind::Double;
        if (which < 4 && wanted_.half) return Kind::Half;
        return Kind::Float;
    }

    uint32_t pick_width() {
        constexpr uint32_t kWidths[] = {1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4, 8, 16};
        return wanted_.vectors ? kWidths[below(std::size(kWidths))] : 1;
    }

    // ---- nodes ----

    uint32_t keep(Node node) {
        body_.nodes.push_back(node);
        return static_cast<uint32_t>(body_.nodes.size() - 1);
    }
    Type type_of(uint32_t id) const { return body_.nodes[id].type; }

    uint32_t make(Op op, Type type, uint32_t a, uint32_t b = kNone, uint32_t c = kNone) {
        return keep({.op = op, .type = type, .operands = {a, b, c}});
    }
    /// Makes an operation whose result has the operands' type.
    uint32_t make(Op op, uint32_t a, uint32_t b = kNone, uint32_t c = kNone) {
        return make(op, type_of(a), a, b, c);
    }
    uint32_t relation(Op op, uint32_t a, uint32_t b = kNone) { return make(op, type_of(a).mask(), a, b); }

    uint32_t load(Type type, uint32_t count = kNone) {
        const uint32_t most = 256 * 10 - (kItems + kMaxTurns) * type.width;
        const uint32_t stretch = static_cast<uint32_t>(below(10)) * 256;
        return keep({.op = Op::Load,
                     .type = type,
                     .variable = count,
                     .index = std::min(stretch + static_cast<uint32_t>(below(64)), most)});
    }

    uint32_t read(uint32_t variable) {
        return keep({.op = Op::Variable, .type = body_.variables[variable], .variable = variable});
    }

    uint32_t constant(Type type, double value) {
        Node node{.op = Op::Constant, .type = type};
        node.lanes.fill(nearest(type.kind, value));
        return keep(node);
    }

    uint32_t convert(Type type, uint32_t from, Rounding rounding = Rounding::Default,
                     bool saturated = false) {
        return keep(
            {.op = Op::Convert,
             .type = type,
             .operands = {from, kNone, kNone},
             .rounding = rounding,
             .saturated = saturated,
             .is_cast = type.width == 1 && rounding == Rounding::Default && !saturated && chance(70)});
    }

    // ---- variables and statements ----

    uint32_t declare(uint32_t value) {
        const auto variable = static_cast<uint32_t>(body_.variables.size());
        body_.variables.push_back(type_of(value));
        block_->push_back({.variable = variable, .value = value, .declares = true});
        scope_.push_back(variable);
        return variable;
    }

    void assign(uint32_t variable, uint32_t value) {
        const Node& node = body_.nodes[value];
        const bool is_update = (node.op == Op::Add || node.op == Op::Subtract || node.op == Op::Multiply) &&
                               body_.nodes[node.operands[0]].op == Op::Variable &&
                               body_.nodes[node.operands[0]].variable == variable;
        block_->push_back({.variable = variable, .value = value, .compound = is_update && chance(60)});
    }

    /// Calls `write`, whose statements go into the returned list; what they declare goes out of scope.
    template <typename Write>
    std::vector<Statement> inside(Write write) {
        std::vector<Statement> list, *outer = block_;
        const size_t scope = scope_.size();
        block_ = &list;
        write();
        block_ = outer;
        scope_.resize(scope);
        return list;
    }

    /// A loop, of which `write` gets the variable that counts.
    template <typename Write>
    void loop(Write write) {
        const auto count = static_cast<uint32_t>(body_.variables.size());
        body_.variables.push_back({Kind::Int, 1});
        Statement statement{.kind = Statement::Kind::For,
                            .variable = count,
                            .turns = chance(40) ? 0 : static_cast<int>(2 + below(kMaxTurns - 1))};
        statement.then = inside([&] { write(count); });
        block_->push_back(std::move(statement));
    }

    uint32_t any_variable(Type type) {
        std::vector<uint32_t> found;
        for (uint32_t variable : scope_)
            if (body_.variables[variable] == type) found.push_back(variable);
        return found.empty() ? declare(load(type)) : found[below(found.size())];
    }

    void statement(uint32_t depth) {
        const uint64_t kind = below(depth < 2 ? 6 : 4);
        if (kind < 2) {
            declare(expression(type_, 3));
        } else if (kind < 4) {
            const uint32_t target = any_variable(type_);
            const Op op = pick({Op::Add, Op::Subtract, Op::Multiply});
            assign(target, chance(50) ? make(op, read(target), expression(type_, 2)) : expression(type_, 3));
        } else if (kind == 4) {
            any_variable(type_);
            loop([&](uint32_t) {
                for (uint64_t i = 1 + below(2); i > 0; --i) statement(depth + 1);
            });
        } else {
            any_variable(type_);
            Statement branch{.kind = Statement::Kind::If, .value = condition({type_.kind, 1}, 2)};
            branch.then = inside([&] { statement(depth + 1); });
            if (chance(60)) branch.otherwise = inside([&] { statement(depth + 1); });
            block_->push_back(std::move(branch));
        }
    }

    void finish() {
        std::vector<uint32_t> mine;
        for (uint32_t variable : scope_)
            if (body_.variables[variable].is_real()) mine.push_back(variable);
        const uint64_t kind = below(10);
        if (kind < 4) {
            body_.result = mine[mine.size() - 1 - below(std::min<size_t>(mine.size(), 3))];
        } else if (kind < 9) {
            body_.result = declare(expression(type_, 3));
        } else {  // an integer
            const Type type = {chance(60) ? Kind::Int : Kind::Long, type_.width};
            if (type_.mask() == type && chance(50))
                body_.result = declare(condition(type_, 2));
            else
                body_.result = declare(to_integer(type, expression(type_, 2)));
        }
    }

    // ---- algorithms: what they give is left in variables ----

    using Algorithm = void (Generator::*)();

    void algorithm() {
        constexpr Algorithm kAll[] = {
            &Generator::two_sum,         &Generator::two_sum,     &Generator::fast_two_sum,
            &Generator::fast_two_sum,    &Generator::split,       &Generator::dekker_product,
            &Generator::fma_product,     &Generator::kahan,       &Generator::kahan,
            &Generator::neumaier,        &Generator::recurrence,  &Generator::recurrence,
            &Generator::apart,           &Generator::apart,       &Generator::horner,
            &Generator::round_by_adding, &Generator::double_word, &Generator::dot};
        (this->*kAll[below(std::size(kAll))])();
    }

    uint32_t sub(uint32_t a, uint32_t b) { return make(Op::Subtract, read(a), read(b)); }

    /// Knuth's error of a sum.
    uint32_t two_sum(uint32_t a, uint32_t b) {
        const uint32_t s = declare(make(Op::Add, read(a), read(b))), part = declare(sub(s, a));
        if (chance(50)) {
            const uint32_t rest = declare(sub(s, part));
            const uint32_t of_a = declare(sub(a, rest)), of_b = declare(sub(b, part));
            return declare(make(Op::Add, read(of_a), read(of_b)));
        }
        return declare(make(Op::Add, make(Op::Subtract, read(a), sub(s, part)), sub(b, part)));
    }
    void two_sum() { two_sum(any_variable(type_), declare(load(type_))); }

    /// Dekker's, of a larger and a smaller number; less than the error where they are not.
    void fast_two_sum() {
        const uint32_t a = chance(50)
                               ? declare(make(Op::Add, read(any_variable(type_)), constant(type_, big() / 4)))
                               : any_variable(type_);
        const uint32_t b = declare(load(type_)), s = declare(make(Op::Add, read(a), read(b)));
        declare(make(Op::Subtract, read(b), sub(s, a)));
    }

    /// Veltkamp's high part of a number.
    uint32_t high_part(uint32_t a) {
        const double factor = std::exp2((info(type_.kind).digits + 1) / 2) + 1;
        const uint32_t scaled = declare(make(Op::Multiply, constant(type_, factor), read(a)));
        return declare(make(Op::Subtract, read(scaled), sub(scaled, a)));
    }
    void split() {
        const uint32_t a = any_variable(type_), high = high_part(a);
        declare(sub(a, high));
    }

    void dekker_product() {
        const uint32_t a = any_variable(type_), b = declare(load(type_));
        const uint32_t p = declare(make(Op::Multiply, read(a), read(b)));
        const uint32_t ah = high_part(a), al = declare(sub(a, ah)), bh = high_part(b),
                       bl = declare(sub(b, bh));
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

    void fma_product() {
        const uint32_t a = any_variable(type_), b = declare(load(type_));
        const uint32_t p = declare(make(Op::Multiply, read(a), read(b)));
        declare(make(Op::Fma, read(a), read(b), make(Op::Negate, read(p))));
    }

    void kahan() {
        const uint32_t sum = declare(chance(50) ? constant(type_, 0) : load(type_)),
                       c = declare(constant(type_, 0));
        loop([&](uint32_t count) {
            const uint32_t y = declare(make(Op::Subtract, load(type_, count), read(c)));
            const uint32_t t = declare(make(Op::Add, read(sum), read(y)));
            assign(c, make(Op::Subtract, sub(t, sum), read(y)));
            assign(sum, read(t));
        });
    }

    void neumaier() {
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
                assign(c, make(Op::Add, read(c),
                               make(Op::Ternary, type_, condition, error(sum, x), error(x, sum))));
            }
            assign(sum, read(t));
        });
        if (chance(50)) declare(make(Op::Add, read(sum), read(c)));
    }

    void recurrence() {
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
    void apart() {
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

    void horner() {
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

    void round_by_adding() {
        const uint32_t x = any_variable(type_), m = declare(constant(type_, big()));
        declare(make(Op::Subtract, make(Op::Add, read(x), read(m)), read(m)));
    }

    /// A sum of unevaluated pairs.
    void double_word() {
        const uint32_t a = any_variable(type_), b = declare(load(type_)), c = declare(load(type_));
        const uint32_t first = two_sum(a, b);
        const uint32_t s = declare(make(Op::Add, read(a), read(b)));
        const uint32_t second = two_sum(s, c);
        declare(make(Op::Add, read(first), read(second)));
    }

    void dot() {
        const uint32_t s = declare(constant(type_, 0));
        loop([&](uint32_t count) {
            const uint32_t product = make(Op::Multiply, load(type_, count), load(type_, count));
            if (chance(50))
                assign(s, make(Op::Add, read(s), product));
            else
                assign(s, make(Op::Add, read(s), read(declare(product))));
        });
    }

    // ---- expressions ----

    /// Adding and subtracting this number rounds a smaller number to an integer.
    double big() const { return 1.5 * std::exp2(info(type_.kind).digits - 1); }

    uint32_t any_constant(Type type) {
        Node node{.op = Op::Constant, .type = type};
        const bool is_splat = chance(85);
        for (uint32_t lane = 0; lane < kMaxWidth; ++lane)
            node.lanes[lane] = lane == 0 || !is_splat ? some_number(type.kind) : node.lanes[0];
        return keep(node);
    }

    uint64_t some_number(Kind kind) {
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

    uint32_t leaf(Type type) {
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
            return keep(
                {.op = Op::Lane, .type = type, .operands = {read(vector), kNone, kNone}, .index = lane});
        }
        if (type.width > 1 && chance(25)) return make(Op::Splat, type, leaf({type.kind, 1}));
        return chance(50) ? any_constant(type) : load(type);
    }

    /// The same value twice, each time written out: a tree has no shared nodes.
    uint32_t again(uint32_t id) {
        Node node = body_.nodes[id];
        for (uint32_t& operand : node.operands)
            if (operand != kNone) operand = again(operand);
        return keep(node);
    }

    uint32_t expression(Type type, uint32_t depth) {
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
    uint32_t identity(Type type, uint32_t depth) {
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
                return make(Op::Add, make(Op::Multiply, x, leaf(type)),
                            make(Op::Multiply, again(x), leaf(type)));
        }
    }
    static double big_of(Type type) { return 1.5 * std::exp2(info(type.kind).digits - 1); }

    Rounding some_rounding() { return chance(50) ? Rounding::Default : static_cast<Rounding>(1 + below(4)); }

    uint32_t to_integer(Type type, uint32_t from) { return convert(type, from, some_rounding(), chance(60)); }

    /// Through a narrower or wider kind.
    uint32_t there_and_back(Type type, uint32_t depth) {
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
        if (which < 7)
            return convert(type, to_integer(integer, expression(type, depth - 1)), some_rounding());
        // An integer that may have more digits.
        const Type wide = {chance(50) ? Kind::Int : Kind::Long, type.width};
        const uint32_t real = convert(type, load(wide), some_rounding());
        return which == 7 ? real : convert(type, to_integer(wide, real));
    }

    /// Computed in another kind.
    uint32_t mixed(Type type, uint32_t depth) {
        const Type other = {pick_kind(), type.width};
        const auto operand = [&] { return convert(other, expression(type, depth - 1)); };
        return convert(type, make(pick({Op::Add, Op::Subtract, Op::Multiply}), operand(),
                                  chance(50) ? operand() : leaf(other)));
    }

    uint32_t quotient(Type type, uint32_t depth) {
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

    uint32_t choice(Type type, uint32_t depth) {
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

    uint32_t condition(Type type, uint32_t depth) {
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
    uint32_t condition_mask(Type type, uint32_t depth) {
        if (depth > 0) return condition(type, depth - 1);
        const uint32_t a = leaf(type), b = leaf(type);
        return relation(
            pick({Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual}), a, b);
    }

    std::mt19937_64 random_;
    const Wanted& wanted_;
    Body body_ = {};
    Type type_ = {}, other_ = {};
    std::vector<Statement>* block_ = nullptr;  // that is being written
    std::vector<uint32_t> scope_ = {};         // variables that may be read
    bool apart_ = false;
};

}  // namespace

Body generate(uint64_t seed, const Wanted& wanted) {
    for (uint64_t attempt = 0;; ++attempt) {
        Body body = Generator(seed, attempt, wanted).make();
        if (body.combinations() <= wanted.combinations) return body;
    }
}

}  // namespace caldera::float_order
