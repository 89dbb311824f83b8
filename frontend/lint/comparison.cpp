// SPDX-License-Identifier: Apache-2.0
// Comparisons whose result is known beforehand, or is not what mathematics says (-Wtautological-*,
// -Wsign-compare).
#include <algorithm>
#include <string_view>

#include "frontend/ast/operators.h"
#include "frontend/lint/exact_number.h"
#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

bool is_equality(BinaryOp op) { return op == BinaryOp::Equal || op == BinaryOp::NotEqual; }
std::string_view truth(bool value) { return value ? "true" : "false"; }

/// The comparison with its sides exchanged.
BinaryOp mirrored(BinaryOp op) {
    switch (op) {
        case BinaryOp::Less: return BinaryOp::Greater;
        case BinaryOp::Greater: return BinaryOp::Less;
        case BinaryOp::LessEqual: return BinaryOp::GreaterEqual;
        case BinaryOp::GreaterEqual: return BinaryOp::LessEqual;
        default: return op;
    }
}

/// The values that an operand of `range` can have after its conversion to the type compared, as keys. When a
/// signed range goes to an unsigned type they are two stretches: [0, hole_begin) and (hole_end, most].
struct Values {
    uint64_t least = 0, most = 0;
    bool has_hole = false;

    Values(IntRange range, const Type* type) {
        unsigned bits = static_cast<unsigned>(type->size_bytes) * 8;
        if (range.width == 0) {
            least = most = order_key(0, *type);
            return;
        }
        if (range.width > bits) range.width = bits;
        bool is_signed = type->is_signed();
        uint64_t top = range.width - (range.non_negative ? 0 : 1);
        uint64_t high = top >= 64 ? ~uint64_t{0} : (uint64_t{1} << top) - 1;
        if (is_signed && range.non_negative && range.width >= bits) {  // became narrower: anything
            least = order_key(uint64_t{1} << (bits - 1), *type);
            most = order_key((uint64_t{1} << (bits - 1)) - 1, *type);
            return;
        }
        most = order_key(high, *type);
        least = range.non_negative ? order_key(0, *type) : order_key(~high, *type);
        has_hole = least > most;
    }

    /// The position of `value` relative to a range: whether comparing it with every number in the range gives
    /// the same order, and which.
    bool always(BinaryOp op, uint64_t value, bool& result) const {
        if (has_hole) {
            if (is_equality(op) && value > most && value < least) {
                result = op == BinaryOp::NotEqual;
                return true;
            }
            return edge(op, value, 0, ~uint64_t{0}, result);
        }
        if (value < least || value > most) {
            result = compare(op, value < least ? 1 : -1, 0);
            return true;
        }
        if (least == most) {
            result = compare(op, 0, 0);
            return true;
        }
        return edge(op, value, least, most, result);
    }

 private:
    /// `x >= least` and `x <= most` are always true, their opposites always false.
    static bool edge(BinaryOp op, uint64_t value, uint64_t least, uint64_t most, bool& result) {
        if (value == least && (op == BinaryOp::GreaterEqual || op == BinaryOp::Less)) {
            result = op == BinaryOp::GreaterEqual;
            return true;
        }
        if (value == most && (op == BinaryOp::LessEqual || op == BinaryOp::Greater)) {
            result = op == BinaryOp::LessEqual;
            return true;
        }
        return false;
    }
};

bool is_enumerator(const Expr& e) {
    auto* ref = dyn<DeclRefExpr>(&e);
    return ref && ref->decl && ref->decl->kind == DeclKind::EnumConstant;
}

/// A comparison `x op constant` of one variable, for two of them joined by && or ||.
struct Bound {
    const VarDecl* var = nullptr;
    BinaryOp op = {};
    uint64_t bits = 0;
    const Type* type = nullptr;
};

bool is_plain_constant(const Expr& e) {
    const Expr& inner = below_conversions(e);
    if (auto* minus = dyn<UnaryExpr>(&inner))
        return minus->op == UnaryOp::Minus && int_literal(*minus->operand);
    return int_literal(inner) || is_enumerator(inner) || inner.kind == ExprKind::CharLiteral;
}

std::optional<Bound> bound_of(const Expr& e) {
    auto* comparison = dyn<BinaryExpr>(&below_conversions(e));
    if (!comparison || !is_comparison(comparison->op) || !comparison->lhs->type->is_integer())
        return std::nullopt;
    bool right = is_plain_constant(*comparison->rhs);
    const Expr& constant = right ? *comparison->rhs : *comparison->lhs;
    const VarDecl* var = named_variable(right ? *comparison->lhs : *comparison->rhs);
    auto bits = evaluate_integer(constant);
    if (!var || !is_plain_constant(constant) || !bits || var->type.is_volatile) return std::nullopt;
    return Bound{var, right ? comparison->op : mirrored(comparison->op), *bits, comparison->lhs->type.type};
}

}  // namespace

void Linter::comparison(const BinaryExpr& e) {
    if (!e.lhs->type || !e.rhs->type) return;
    self_comparison(e);
    if (e.lhs->type->is_pointer()) return pointer_null_comparison(e);
    if (e.lhs->type->is_floating()) return float_comparison(e);
    if (!e.lhs->type->is_integer() || !e.rhs->type->is_integer()) return;
    enum_comparison(e);
    masked_comparison(e);
    auto left = evaluate_integer(*e.lhs), right = evaluate_integer(*e.rhs);
    if (left && right) return;
    if ((left || right) && constant_comparison(e, right.has_value(), right ? *right : *left)) return;
    mixed_signs(e);
}

/// One side is a constant outside the other side's range, or at its end.
bool Linter::constant_comparison(const BinaryExpr& e, bool constant_right, uint64_t constant) {
    const Expr& known = below_conversions(constant_right ? *e.rhs : *e.lhs);
    const Expr& other = below_conversions(constant_right ? *e.lhs : *e.rhs);
    const Type *type = e.lhs->type.type, *other_type = other.type.type;
    if (!other_type->is_integer()) return false;
    if (is_enumerator(known) && other_type->kind == TypeKind::Enum) return false;
    bool boolean = is_boolean_value(other);
    IntRange by_value = boolean ? IntRange{1, true} : range_of(other, false);
    IntRange by_type = boolean ? IntRange{1, true} : range_of_type(other_type);
    BinaryOp op = constant_right ? e.op : mirrored(e.op);
    uint64_t value = order_key(constant, *type);
    bool result = false;
    if (!Values(by_value, type).always(op, value, result)) return false;
    bool type_result = false;
    if (!Values(by_type, type).always(op, value, type_result)) return false;  // clang: only by the type
    result = type_result;
    Values values(by_type, type);
    bool in_range = values.has_hole ? value <= values.most || value >= values.least
                                    : value >= values.least && value <= values.most;
    if (in_range && is_enumerator(known)) return false;
    std::string number = decimal(constant, *type);
    auto finish = [&](Diagnostics::Handle handle) { handle.highlight(e.lhs->range).highlight(e.rhs->range); };
    if (!in_range || boolean) {
        std::string what = boolean && other_type->kind != TypeKind::Bool
                               ? "boolean expression"
                               : "expression of type '" + to_string(other_type) + "'";
        finish(diags_.warning(in_range ? Warning::TautologicalConstant : Warning::TautologicalOutOfRange,
                              e.op_range, "result of comparison of constant ", number, " with ", what,
                              " is always ", truth(result)));
        return true;
    }
    bool zero = constant == 0 && !other_type->is_signed();
    bool is_enum = other_type->kind == TypeKind::Enum;
    std::string subject = zero ? (is_enum ? "unsigned enum expression" : "unsigned expression")
                               : "'" + to_string(other_type) + "'";
    std::string left = constant_right ? subject : number, right = constant_right ? number : subject;
    Warning group = !zero     ? Warning::TautologicalTypeLimit
                    : is_enum ? Warning::TautologicalEnumZero
                              : Warning::TautologicalUnsignedZero;
    finish(diags_.warning(group, e.op_range, "result of comparison ", zero ? "of " : "", left, " ",
                          spelling(e.op), " ", right, " is always ", truth(result)));
    return true;
}

/// A negative number becomes a large one when it is compared with an unsigned one.
void Linter::mixed_signs(const BinaryExpr& e) {
    if (e.lhs->type->is_signed()) return;
    const Expr &left = below_conversions(*e.lhs), &right = below_conversions(*e.rhs);
    if (!left.type->is_integer() || !right.type->is_integer()) return;
    bool left_signed = left.type->is_signed() && left.type->kind != TypeKind::Bool;
    bool right_signed = right.type->is_signed() && right.type->kind != TypeKind::Bool;
    if (!left_signed && !right_signed) return;
    const Expr &negative = left_signed ? left : right, &positive = left_signed ? right : left;
    if (range_of(negative, true).non_negative) return;
    if (is_equality(e.op) && range_of(positive, true).width < e.lhs->type->size_bytes * 8) return;
    diags_
        .warning(Warning::SignCompare, e.op_range, "comparison of integers of different signs: '",
                 left.type.type, "' and '", right.type.type, "'")
        .highlight(left.range)
        .highlight(right.range);
}

/// `x == x`, of integers, pointers, vectors of integers, and elements of arrays at constant places.
void Linter::self_comparison(const BinaryExpr& e) {
    const Type* type = below_conversions(*e.lhs).type.type;
    if (type->is_floating_or_vector()) return;
    auto same = [](auto& self, const Expr& a, const Expr& b) -> bool {
        const Expr &left = below_conversions(a), &right = below_conversions(b);
        if (const VarDecl* var = named_variable(left))
            return var == named_variable(right) && !var->type.is_volatile;
        auto *x = dyn<SubscriptExpr>(&left), *y = dyn<SubscriptExpr>(&right);
        auto *m = dyn<MemberExpr>(&left), *n = dyn<MemberExpr>(&right);
        if (m && n) return m->field == n->field && self(self, *m->base, *n->base);
        if (!x || !y || left.type.is_volatile || right.type.is_volatile) return false;
        auto i = evaluate_integer(*x->index), j = evaluate_integer(*y->index);
        return i && j && *i == *j && self(self, *x->base, *y->base);
    };
    if (!same(same, *e.lhs, *e.rhs)) return;
    diags_.warning(Warning::TautologicalCompare, e.op_range, "self-comparison always evaluates to ",
                   truth(compare(e.op, 0, 0)));
}

void Linter::enum_comparison(const BinaryExpr& e) {
    const Type *left = below_conversions(*e.lhs).type.type, *right = below_conversions(*e.rhs).type.type;
    if (left == right || left->kind != TypeKind::Enum || right->kind != TypeKind::Enum) return;
    if (!left->enum_decl || left->enum_decl->name.empty() || !right->enum_decl ||
        right->enum_decl->name.empty())
        return;
    diags_
        .warning(Warning::EnumCompare, e.op_range, "comparison of different enumeration types ('", left,
                 "' and '", right, "')")
        .highlight(e.lhs->range)
        .highlight(e.rhs->range);
}

/// An expression that is the address of a variable, which is never null.
struct VariableAddress {
    const VarDecl* var = nullptr;
    SourceRange place = {};  ///< its name
    bool is_array = false;   ///< it decayed; there is no `&`
};

static std::optional<VariableAddress> address_of_variable(const Expr& e) {
    const Expr* object = e.type->is_array() ? &e : nullptr;
    if (auto* unary = dyn<UnaryExpr>(&e); unary && unary->op == UnaryOp::AddressOf) object = unary->operand;
    const VarDecl* var = object ? named_variable(*object) : nullptr;
    if (!var) return {};
    return VariableAddress{.var = var, .place = object->range, .is_array = object == &e};
}

void Linter::pointer_null_comparison(const BinaryExpr& e) {
    for (const Expr* side : {e.lhs, e.rhs}) {
        if (below_conversions(*side).kind != ExprKind::StringLiteral) continue;
        diags_
            .warning(Warning::StringCompare, e.op_range,
                     "result of comparison against a string literal is unspecified (use an explicit string "
                     "comparison function instead)")
            .highlight(side->range);
        return;
    }
    if (!is_equality(e.op)) return;
    auto is_null = [](const Expr& side) {
        const Expr* inner = strip_parens(&side);
        for (auto* cast = dyn<CastExpr>(inner); cast; cast = dyn<CastExpr>(inner)) {
            if (cast->cast == CastKind::NullToPointer) return true;
            inner = strip_parens(cast->operand);
        }
        return false;
    };
    if (!is_null(*e.rhs) && !is_null(*e.lhs)) return;
    const Expr& other = below_conversions(is_null(*e.rhs) ? *e.lhs : *e.rhs);
    auto address = address_of_variable(other);
    if (!address) return;
    diags_
        .warning(Warning::TautologicalPointer, address->place, "comparison of ",
                 address->is_array ? "array '" : "address of '", address->var->name, "' ",
                 e.op == BinaryOp::Equal ? "equal" : "not equal", " to a null pointer is always ",
                 truth(e.op == BinaryOp::NotEqual))
        .highlight(other.range);
}

void Linter::pointer_as_bool(const Expr& e) {
    const Expr& pointer = below_conversions(e);
    if (auto address = address_of_variable(pointer))
        diags_
            .warning(Warning::PointerBoolConversion, address->place,
                     address->is_array ? "address of array '" : "address of '", address->var->name,
                     "' will always evaluate to 'true'")
            .highlight(pointer.range);
}

/// `(x & 8) == 4`, `(x | 4) == 3`: the mask decides the result.
void Linter::masked_comparison(const BinaryExpr& e) {
    if (!is_equality(e.op)) return;
    bool right = int_literal(below_conversions(*e.rhs)) != nullptr;
    const IntLiteralExpr* literal = int_literal(below_conversions(right ? *e.rhs : *e.lhs));
    auto* masked = dyn<BinaryExpr>(&below_conversions(right ? *e.lhs : *e.rhs));
    if (!literal || !masked || (masked->op != BinaryOp::And && masked->op != BinaryOp::Or)) return;
    const IntLiteralExpr* mask = int_literal(below_conversions(*masked->rhs));
    if (!mask) mask = int_literal(below_conversions(*masked->lhs));
    if (!mask) return;
    uint64_t reach =
        masked->op == BinaryOp::And ? mask->value & literal->value : mask->value | literal->value;
    if (reach == literal->value) return;
    diags_
        .warning(Warning::TautologicalBitwise, e.op_range, "bitwise comparison always evaluates to ",
                 truth(e.op == BinaryOp::NotEqual))
        .highlight(e.range);
}

/// `x > 2 && x < 1`: tried with every value that could make a difference.
void Linter::overlapping(const BinaryExpr& e) {
    auto left = bound_of(*e.lhs), right = bound_of(*e.rhs);
    if (!left || !right || left->var != right->var || left->type != right->type) return;
    const Type* type = left->type;
    uint64_t a = order_key(left->bits, *type), b = order_key(right->bits, *type);
    unsigned bits = static_cast<unsigned>(type->size_bytes) * 8;
    uint64_t sign = uint64_t{1} << (bits - 1);
    uint64_t least = type->is_signed() ? order_key(sign, *type) : 0;
    uint64_t most = order_key(type->is_signed() ? sign - 1 : ~uint64_t{0}, *type);
    bool always = true, never = true;
    for (uint64_t value : {least, a, std::min(a, b) + 1, b, most}) {
        bool first = compare(left->op, value, a), second = compare(right->op, value, b);
        bool result = e.op == BinaryOp::LogicalAnd ? first && second : first || second;
        always &= result;
        never &= !result;
    }
    if (!always && !never) return;
    diags_
        .warning(Warning::TautologicalOverlap, e.op_range, "overlapping comparisons always evaluate to ",
                 truth(always))
        .highlight(e.range);
}

void Linter::float_comparison(const BinaryExpr& e) {
    if (!is_equality(e.op)) return;
    const Expr &left = below_conversions(*e.lhs), &right = below_conversions(*e.rhs);
    if (named_variable(left) && named_variable(left) == named_variable(right)) return;  // a test for NaN
    // A constant that the other side's type cannot hold: `f == 0.1` with a float.
    for (auto [constant, other] : {std::pair(&right, &left), std::pair(&left, &right)}) {
        auto* literal = dyn<FloatLiteralExpr>(constant);
        if (!literal || other->type->kind != TypeKind::Float || literal->type->kind != TypeKind::Double)
            continue;
        if (static_cast<double>(static_cast<float>(literal->value)) == literal->value) continue;
        diags_
            .warning(Warning::LiteralRange, e.op_range, "floating-point comparison is always ",
                     truth(e.op == BinaryOp::NotEqual),
                     "; constant cannot be represented exactly in type 'float'")
            .highlight(e.lhs->range)
            .highlight(e.rhs->range);
        return;
    }
    // Comparisons with constants that are exact are intentional.
    auto is_exact = [](const Expr& side) {
        auto* literal = dyn<FloatLiteralExpr>(&side);
        return literal && is_exactly(literal->text, literal->value);
    };
    if (is_exact(left) || is_exact(right)) return;
    diags_.warning(Warning::FloatEqual, e.op_range, "comparing floating point with == or != is unsafe")
        .highlight(e.lhs->range)
        .highlight(e.rhs->range);
}

}  // namespace caldera::frontend
