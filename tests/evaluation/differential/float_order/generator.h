// SPDX-License-Identifier: Apache-2.0
// Generator: writes bodies that depend on the order of floats' operations and on each rounding: algorithms
// that get a rounding's error back, sums and products with constants, identities that hold for real numbers
// only, conversions there and back, comparisons that NaN upsets.
#pragma once

#include <cmath>
#include <random>

#include "generate.h"

namespace caldera::float_order {

class Generator {
 public:
    Generator(uint64_t seed, uint64_t attempt, const Wanted& wanted);

    Body make();

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

    uint32_t any_variable(Type type);
    void statement(uint32_t depth);
    void finish();

    // ---- algorithms: what they give is left in variables ----

    using Algorithm = void (Generator::*)();

    void algorithm();

    uint32_t sub(uint32_t a, uint32_t b) { return make(Op::Subtract, read(a), read(b)); }

    uint32_t two_sum(uint32_t a, uint32_t b);
    void two_sum();
    void fast_two_sum();
    uint32_t high_part(uint32_t a);
    void split();
    void dekker_product();
    void fma_product();
    void kahan();
    void neumaier();
    void recurrence();
    void apart();
    void horner();
    void round_by_adding();
    void double_word();
    void dot();

    // ---- expressions ----

    /// Adding and subtracting this number rounds a smaller number to an integer.
    double big() const { return 1.5 * std::exp2(info(type_.kind).digits - 1); }

    uint32_t any_constant(Type type);
    uint64_t some_number(Kind kind);
    uint32_t leaf(Type type);
    uint32_t again(uint32_t id);
    uint32_t expression(Type type, uint32_t depth);
    uint32_t identity(Type type, uint32_t depth);
    static double big_of(Type type) { return 1.5 * std::exp2(info(type.kind).digits - 1); }

    Rounding some_rounding() { return chance(50) ? Rounding::Default : static_cast<Rounding>(1 + below(4)); }

    uint32_t to_integer(Type type, uint32_t from) { return convert(type, from, some_rounding(), chance(60)); }

    uint32_t there_and_back(Type type, uint32_t depth);
    uint32_t mixed(Type type, uint32_t depth);
    uint32_t quotient(Type type, uint32_t depth);
    uint32_t choice(Type type, uint32_t depth);
    uint32_t condition(Type type, uint32_t depth);
    uint32_t condition_mask(Type type, uint32_t depth);

    std::mt19937_64 random_;
    const Wanted& wanted_;
    Body body_ = {};
    Type type_ = {}, other_ = {};
    std::vector<Statement>* block_ = nullptr;  // that is being written
    std::vector<uint32_t> scope_ = {};         // variables that may be read
    bool apart_ = false;
};

}  // namespace caldera::float_order
