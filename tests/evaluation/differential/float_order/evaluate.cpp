// SPDX-License-Identifier: Apache-2.0
#include "evaluate.h"

#include <algorithm>

namespace caldera::float_order {
namespace {

class Evaluator {
 public:
    Evaluator(const Body& body, uint32_t item, std::span<const uint8_t> ways, const Denormals& denormals)
        : body_(body), item_(item), ways_(ways), denormals_(denormals), variables_(body.variables.size()) {}

    Value run() {
        run(body_.statements);
        Value result = variables_[body_.result];
        if (is_lost_) result.unknown = ~0u;
        return result;
    }

 private:
    void run(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) run(statement);
    }

    void run(const Statement& statement) {
        if (statement.kind == Statement::Kind::Assign) {
            variables_[statement.variable] = node(statement.value);
        } else if (statement.kind == Statement::Kind::For) {
            const int turns = statement.turns == 0 ? kTurns : statement.turns;
            for (int turn = 0; turn < turns; ++turn) {
                variables_[statement.variable].lanes[0] = static_cast<uint64_t>(turn);
                run(statement.then);
            }
        } else {
            const Value condition = node(statement.value);
            is_lost_ |= condition.is_unknown(0);
            run(condition.lanes[0] != 0 ? statement.then : statement.otherwise);
        }
    }

    Value node(uint32_t id) {
        const Node& node = body_.nodes[id];
        switch (node.op) {
            case Op::Constant: return checked(node, {.lanes = node.lanes});
            case Op::Variable: return variables_[node.variable];
            case Op::Load: return load(node);
            case Op::Splat: return splat(node);
            case Op::Lane: return lane(node);
            case Op::Ternary: return ternary(node);
            case Op::Add:
            case Op::Subtract:
                if (node.place != kNone && ways_[node.place] != 0) return contracted(node);
                break;
            default: break;
        }
        Value operands[3];
        for (uint32_t i = 0; i < 3; ++i)
            if (node.operands[i] != kNone) operands[i] = this->node(node.operands[i]);
        return by_lane(node, operands);
    }

    /// Lane by lane; what is unknown of an operand is unknown of the result.
    Value by_lane(const Node& node, const Value (&operands)[3]) {
        Value result{.unknown = operands[0].unknown | operands[1].unknown | operands[2].unknown};
        for (uint32_t lane = 0; lane < node.type.width; ++lane) {
            const std::optional<uint64_t> bits =
                scalar(node, operands[0].lanes[lane], operands[1].lanes[lane], operands[2].lanes[lane]);
            if (bits)
                result.lanes[lane] = *bits;
            else
                result.unknown |= 1u << lane;
        }
        return checked(node, result);
    }

    /// Denormals that the device may flush are unknown.
    Value checked(const Node& node, Value value) const {
        if (!node.type.is_real() || denormals_.kept(node.type.kind)) return value;
        for (uint32_t lane = 0; lane < node.type.width; ++lane)
            if (info(node.type.kind).may_be_flushed(value.lanes[lane])) value.unknown |= 1u << lane;
        return value;
    }

    Value load(const Node& node) const {
        const uint64_t turn = node.variable == kNone ? 0 : variables_[node.variable].lanes[0];
        Value value;
        for (uint32_t lane = 0; lane < node.type.width; ++lane)
            value.lanes[lane] =
                tables().at(node.type.kind)[node.index + (item_ + turn) * node.type.width + lane];
        return checked(node, value);
    }

    Value splat(const Node& node) {
        const Value scalar = this->node(node.operands[0]);
        Value value{.unknown = scalar.is_unknown(0) ? ~0u : 0};
        value.lanes.fill(scalar.lanes[0]);
        return value;
    }

    Value lane(const Node& node) {
        const Value vector = this->node(node.operands[0]);
        Value value{.unknown = vector.is_unknown(node.index) ? ~0u : 0};
        value.lanes[0] = vector.lanes[node.index];
        return value;
    }

    Value ternary(const Node& node) {
        const Value condition = this->node(node.operands[0]), yes = this->node(node.operands[1]),
                    no = this->node(node.operands[2]);
        const bool is_scalar = body_.nodes[node.operands[0]].type.width == 1;
        Value value;
        for (uint32_t lane = 0; lane < node.type.width; ++lane) {
            const uint32_t from = is_scalar ? 0 : lane;
            const Value& chosen = condition.lanes[from] != 0 ? yes : no;
            value.lanes[lane] = chosen.lanes[lane];
            if (condition.is_unknown(from) || chosen.is_unknown(lane)) value.unknown |= 1u << lane;
        }
        return value;
    }

    /// A sum with one product, of the two operands' that are, which is not rounded.
    Value contracted(const Node& node) {
        bool is_negated = false;
        uint32_t product = product_of(body_, node.operands[0], is_negated);
        uint32_t other = node.operands[1];
        const bool is_left = ways_[node.place] == 1 && product != kNone, subtracts = node.op == Op::Subtract;
        bool negates_other = is_left && subtracts;
        if (!is_left) {
            product = product_of(body_, node.operands[1], is_negated);
            other = node.operands[0];
            is_negated ^= subtracts;
        }
        const Value a = this->node(body_.nodes[product].operands[0]),
                    b = this->node(body_.nodes[product].operands[1]), c = this->node(other);
        const Kind kind = node.type.kind;
        Value value{.unknown = a.unknown | b.unknown | c.unknown};
        for (uint32_t lane = 0; lane < node.type.width; ++lane)
            value.lanes[lane] =
                fused(kind, is_negated ? negate(kind, a.lanes[lane]) : a.lanes[lane], b.lanes[lane],
                      negates_other ? negate(kind, c.lanes[lane]) : c.lanes[lane]);
        return checked(node, value);
    }

    // ---- a lane ----

    std::optional<uint64_t> scalar(const Node& node, uint64_t a, uint64_t b, uint64_t c) const {
        const Kind kind = body_.nodes[node.operands[0]].type.kind;
        const KindInfo& of = info(kind);
        switch (node.op) {
            case Op::Add:
            case Op::Sum: return add(kind, a, b);
            case Op::Subtract: return subtract(kind, a, b);
            case Op::Multiply:
            case Op::Product: return multiply(kind, a, b);
            case Op::Divide:
                if (is_exact(kind) || of.is_zero(b) || !of.is_finite(b) || of.is_zero(a) || !of.is_finite(a))
                    return divide(kind, a, b);
                return {};
            case Op::SquareRoot:
                if (is_exact(kind) || of.is_zero(a) || !of.is_finite(a) || (a & of.sign()))
                    return square_root(kind, a);
                return {};
            case Op::Negate: return negate(kind, a);
            case Op::Absolute: return absolute(kind, a);
            case Op::Minimum:
            case Op::Maximum: return extreme(kind, a, b, node.op == Op::Maximum);
            case Op::CommonMinimum:
            case Op::CommonMaximum:  // undefined for infinities and NaN (OpenCL C 3.0 6.15.4)
                if (!of.is_finite(a) || !of.is_finite(b)) return {};
                return extreme(kind, a, b, node.op == Op::CommonMaximum);
            case Op::CopySign:
                if (of.is_nan(b)) return {};
                return of.is_nan(a) ? of.nan() : of.magnitude(a) | (b & of.sign());
            case Op::Rint: return to_integral(kind, Integral::Rint, a);
            case Op::Trunc: return to_integral(kind, Integral::Trunc, a);
            case Op::Floor: return to_integral(kind, Integral::Floor, a);
            case Op::Ceil: return to_integral(kind, Integral::Ceil, a);
            case Op::Round: return to_integral(kind, Integral::Round, a);
            case Op::Fma: return fused(kind, a, b, c);
            case Op::Mad: {
                if (ways_[node.place] != 0) return fused(kind, a, b, c);
                const uint64_t product = multiply(kind, a, b);
                if (!denormals_.kept(kind) && of.may_be_flushed(product)) return {};
                return add(kind, product, c);
            }
            case Op::Not: return truth(node, a == 0);
            case Op::And: return truth(node, a != 0 && b != 0);
            case Op::Or: return truth(node, a != 0 || b != 0);
            case Op::Select: {
                const Type& mask = body_.nodes[node.operands[2]].type;
                return (mask.width == 1 ? c != 0 : (c & info(mask.kind).sign()) != 0) ? b : a;
            }
            case Op::Convert: return convert(kind, a, node.type.kind, node.rounding, node.saturated);
            default: return truth(node, compare(node.op, kind, a, b));
        }
    }

    bool is_exact(Kind kind) const { return kind != Kind::Float || body_.divides_exactly; }

    /// If both are zeros, either is accepted: C99 F.9.9.2 leaves it open for fmin and fmax, and
    /// implementations of min and max differ.
    static std::optional<uint64_t> extreme(Kind kind, uint64_t a, uint64_t b, bool largest) {
        const KindInfo& of = info(kind);
        if (of.is_nan(a)) return b;
        if (of.is_nan(b)) return a;
        if (of.is_zero(a) && of.is_zero(b) && a != b) return {};
        return (real(kind, a) < real(kind, b)) == largest ? b : a;
    }

    /// What OpenCL C's relations give: 1, or -1 of vectors.
    static uint64_t truth(const Node& node, bool is_true) {
        if (!is_true) return 0;
        return node.type.width == 1 ? 1 : info(node.type.kind).mask();
    }

    static bool compare(Op op, Kind kind, uint64_t a, uint64_t b) {
        const double x = real(kind, a), y = real(kind, b);
        const KindInfo& of = info(kind);
        switch (op) {
            case Op::Less:
            case Op::IsLess: return x < y;
            case Op::LessEqual: return x <= y;
            case Op::Greater: return x > y;
            case Op::GreaterEqual:
            case Op::IsGreaterEqual: return x >= y;
            case Op::Equal:
            case Op::IsEqual: return x == y;
            case Op::NotEqual:
            case Op::IsNotEqual: return x != y;
            case Op::IsLessGreater: return x < y || x > y;
            case Op::IsUnordered: return of.is_nan(a) || of.is_nan(b);
            case Op::IsOrdered: return !of.is_nan(a) && !of.is_nan(b);
            case Op::IsNan: return of.is_nan(a);
            case Op::IsInf: return of.magnitude(a) == of.infinity();
            case Op::IsFinite: return of.is_finite(a);
            default: return false;
        }
    }

    const Body& body_;
    uint32_t item_ = 0;
    std::span<const uint8_t> ways_;
    const Denormals& denormals_;
    std::vector<Value> variables_;
    bool is_lost_ = false;  // which way an `if` goes is unknown
};

bool same(Kind kind, uint64_t a, uint64_t b) {
    return a == b || (info(kind).is_nan(a) && info(kind).is_nan(b));
}

}  // namespace

Value evaluate(const Body& body, uint32_t item, std::span<const uint8_t> ways, const Denormals& denormals) {
    return Evaluator(body, item, ways, denormals).run();
}

bool next(const Body& body, std::vector<uint8_t>& ways) {
    for (size_t i = 0; i < ways.size(); ++i) {
        if (++ways[i] < body.ways[i]) return true;
        ways[i] = 0;
    }
    return false;
}

Verdict judge(const Body& body, std::span<const uint64_t> results, const Denormals& denormals, uint32_t items,
              uint32_t first_item) {
    Verdict verdict;
    const Type type = body.result_type();
    std::vector<uint8_t> ways(body.ways.size());
    for (uint32_t item = 0; item < items; ++item) {
        // A lane that is unknown in one combination may be anything.
        const std::span<const uint64_t> got = results.subspan(item * type.width, type.width);
        uint32_t unknown = 0, right = 0;
        const uint32_t all = (1u << type.width) - 1;
        do {
            const Value value = evaluate(body, first_item + item, ways, denormals);
            unknown |= value.unknown & all;
            for (uint32_t lane = 0; lane < type.width; ++lane)
                if (same(type.kind, got[lane], value.lanes[lane])) right |= 1u << lane;
        } while ((unknown | right) != all && next(body, ways));
        std::ranges::fill(ways, uint8_t{0});
        for (uint32_t lane = 0; lane < type.width; ++lane) {
            ++verdict.lanes;
            if (unknown >> lane & 1) continue;
            ++verdict.judged;
            if (right >> lane & 1) continue;
            ++verdict.differ;
            if (verdict.difference) continue;
            Difference difference{.item = first_item + item, .lane = lane, .got = got[lane]};
            do {
                const uint64_t bits = evaluate(body, first_item + item, ways, denormals).lanes[lane];
                if (std::ranges::find(difference.allowed, bits) == difference.allowed.end())
                    difference.allowed.push_back(bits);
            } while (next(body, ways));
            verdict.difference = difference;
        }
    }
    return verdict;
}

}  // namespace caldera::float_order
