// SPDX-License-Identifier: Apache-2.0
// Binary operators (C99 6.5.5 to 6.5.14 and 6.5.17; OpenCL C 6.3).
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

/// Images, samplers, pipes and blocks cannot be operands of any operator, not even of a comma.
static bool only_for_builtins(const Expr& e) {
    const TypeKind kind = e.type->kind;
    return kind == TypeKind::Image || kind == TypeKind::Sampler || kind == TypeKind::Pipe ||
           kind == TypeKind::BlockPointer;
}

/// The left operand is checked already (see expr()).
Expr* Checker::binary(BinaryExpr& e) {
    if (e.op == BinaryOp::Comma) {
        e.rhs = value(e.rhs);
        if (is_error(e.lhs) || is_error(e.rhs)) return error_expr(e);
        if (only_for_builtins(*e.lhs) || only_for_builtins(*e.rhs)) return invalid_operands(e);
        warn_unused(*e.lhs, true);
        e.type = e.rhs->type;
        return &e;
    }
    e.rhs = expr(e.rhs);
    if (is_error(e.lhs) || is_error(e.rhs)) return error_expr(e);
    if (!is_atomic(e.lhs) && !is_atomic(e.rhs)) warn_precedence(e);
    return operation(e);
}

/// Both operands are checked already. No comma. The functions below get them read; `e` keeps them as the
/// messages show them.
Expr* Checker::operation(BinaryExpr& e) {
    if (is_atomic(e.lhs) || is_atomic(e.rhs)) return invalid_operands(e);
    Expr* lhs = rvalue(e.lhs);
    Expr* rhs = rvalue(e.rhs);
    if (is_error(lhs) || is_error(rhs)) return error_expr(e);
    switch (e.op) {
        case BinaryOp::Mul:
        case BinaryOp::Div:
        case BinaryOp::Rem:
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::And:
        case BinaryOp::Xor:
        case BinaryOp::Or: return arithmetic(e, lhs, rhs);
        case BinaryOp::Shl:
        case BinaryOp::Shr: return shift(e, lhs, rhs);
        case BinaryOp::Less:
        case BinaryOp::Greater:
        case BinaryOp::LessEqual:
        case BinaryOp::GreaterEqual:
        case BinaryOp::Equal:
        case BinaryOp::NotEqual: return comparison(e, lhs, rhs);
        case BinaryOp::LogicalAnd:
        case BinaryOp::LogicalOr: return logical(e, lhs, rhs);
        case BinaryOp::Comma: break;
    }
    return error_expr(e);
}

Expr* Checker::typed(BinaryExpr& e, Expr* lhs, Expr* rhs, const QualType& type) {
    e.lhs = lhs;
    e.rhs = rhs;
    e.type = type;
    return &e;
}

/// The operands with their own types, before they were read.
Expr* Checker::invalid_operands(const BinaryExpr& e) {
    diags_
        .error(e.op_range, "invalid operands to binary expression ('", e.lhs->type, "' and '", e.rhs->type,
               "')")
        .highlight(e.lhs->range)
        .highlight(e.rhs->range);
    return error_expr(e);
}

bool Checker::half_operand(const Expr* e) { return e->is_lvalue && is_storage_only(e->type.type); }

/// Usual arithmetic conversions (OpenCL C 6.2.6) of two rvalues; `e` has the operands as the message shows
/// them.
bool Checker::both_to_common(const BinaryExpr& e, Expr*& lhs, Expr*& rhs) {
    const Type *a = lhs->type.type, *b = rhs->type.type;
    const Type* common = usual_arithmetic(types_, a, b, false, false);
    if (!common) {
        if (a->is_vector() && b->is_vector())
            diags_.error(e.op_range, "implicit conversions between vector types ('", lhs->type, "' and '",
                         rhs->type, "') are not permitted");
        else
            diags_
                .error(e.op_range,
                       "scalar operand type has greater rank than the type of the vector element. ('",
                       lhs->type, "' and '", rhs->type, "')")
                .highlight(e.lhs->range)
                .highlight(e.rhs->range);
        return false;
    }
    lhs = to_common(lhs, common);
    rhs = to_common(rhs, common);
    return true;
}

Expr* Checker::arithmetic(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    const Type *a = lhs->type.type, *b = rhs->type.type;
    if ((e.op == BinaryOp::Add || e.op == BinaryOp::Sub) && (a->is_pointer() || b->is_pointer()))
        return additive_pointer(e, lhs, rhs);
    if (a->is_matrix() || b->is_matrix()) return matrix_arithmetic(e, lhs, rhs);
    bool integers =
        e.op == BinaryOp::Rem || e.op == BinaryOp::And || e.op == BinaryOp::Xor || e.op == BinaryOp::Or;
    bool fits = integers ? a->is_integer_or_vector() && b->is_integer_or_vector()
                         : a->is_arithmetic_or_vector() && b->is_arithmetic_or_vector();
    if (!fits) return invalid_operands(e);
    if (e.op == BinaryOp::Div || e.op == BinaryOp::Rem) warn_division(e, *rhs);
    if (!both_to_common(e, lhs, rhs)) return error_expr(e);
    return typed(e, lhs, rhs, {.type = lhs->type.type});
}

Expr* Checker::additive_pointer(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    if (lhs->type->is_pointer() && rhs->type->is_pointer()) {
        if (e.op == BinaryOp::Add) return invalid_operands(e);
        return pointer_difference(e, lhs, rhs);
    }
    if (!lhs->type->is_pointer() && e.op == BinaryOp::Add) std::swap(lhs, rhs);
    if (!lhs->type->is_pointer() || !rhs->type->is_integer()) return invalid_operands(e);
    const QualType& pointee = lhs->type->element;
    if (!pointee->is_void() &&
        !require_complete(pointee, e.op_range, "arithmetic on a pointer to an incomplete type "))
        return error_expr(e);
    if (pointee->is_void()) warn_void_arithmetic(e.op_range, "a pointer");
    return typed(e, lhs, to_index(rhs), {.type = lhs->type.type});
}

Expr* Checker::pointer_difference(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    const QualType &a = lhs->type->element, &b = rhs->type->element;
    const Type* common = common_pointer(lhs->type.type, rhs->type.type);
    if (!common) {
        diags_
            .error(e.op_range, "arithmetic operation with operands of type  ('", lhs->type, "' and '",
                   rhs->type, "') which are pointers to non-overlapping address spaces")
            .highlight(e.lhs->range)
            .highlight(e.rhs->range);
        return error_expr(e);
    }
    if (!compatible_pointees(a, b)) {
        diags_
            .error(e.op_range, "'", lhs->type, "' and '", rhs->type, "' are not pointers to compatible types")
            .highlight(e.lhs->range)
            .highlight(e.rhs->range);
        return error_expr(e);
    }
    if (a->is_void()) warn_void_arithmetic(e.op_range, "pointers");
    if (!a->is_void() && !require_complete(a, e.op_range, "arithmetic on a pointer to an incomplete type "))
        return error_expr(e);
    return typed(e, to_pointer(lhs, common), to_pointer(rhs, common), {.type = types_.ptrdiff_type()});
}

/// The type both pointers convert to: the enclosing space, void when one points to void, the qualifiers of
/// both. Null when their spaces do not overlap (OpenCL C 6.5.5).
const Type* Checker::common_pointer(const Type* a, const Type* b) {
    if (a == b) return a;
    AddressSpace space = a->element.space;
    if (space_converts(a->element.space, b->element.space))
        space = b->element.space;
    else if (!space_converts(b->element.space, a->element.space))
        return nullptr;
    QualType pointee = b->element->is_void() ? b->element : a->element;
    pointee = in_space(pointee, space);
    pointee = qualified(pointee, a->element.is_const || b->element.is_const,
                        a->element.is_volatile || b->element.is_volatile, false);
    const uint32_t align = std::min(a->element.align_bytes(), b->element.align_bytes());
    if (align < pointee.align_bytes()) pointee = pointee.with_alignment(align);
    return types_.pointer(pointee);
}

/// Converts the count to the type of the promoted left operand. This is correct because the count is taken
/// modulo the width (6.3.10).
Expr* Checker::shift(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    const Type *a = lhs->type.type, *b = rhs->type.type;
    if (!a->is_arithmetic_or_vector() || !b->is_arithmetic_or_vector()) return invalid_operands(e);
    if (!a->is_vector() && b->is_vector()) {
        diags_
            .error(e.op_range, "requested shift is a vector of type '", rhs->type,
                   "' but the first operand is not a vector ('", lhs->type, "')")
            .highlight(e.lhs->range)
            .highlight(e.rhs->range);
        return error_expr(e);
    }
    if (!a->is_integer_or_vector() || !b->is_integer_or_vector()) {
        if (!a->is_vector()) return invalid_operands(e);
        const Expr& wrong = a->is_integer_or_vector() ? *rhs : *lhs;
        diags_.error(e.op_range, "used type '", wrong.type, "' where integer is required")
            .highlight(wrong.range);
        return error_expr(e);
    }
    if (b->is_vector() && a->lanes() != b->lanes()) {
        diags_
            .error(e.op_range, "vector operands do not have the same number of elements ('", lhs->type,
                   "' and '", rhs->type, "')")
            .highlight(e.lhs->range)
            .highlight(e.rhs->range);
        return error_expr(e);
    }
    if (a->is_vector()) {
        if (!b->is_vector())
            rhs = to_common(rhs, a);
        else if (a != b)
            rhs = cast(rhs, CastKind::Integral, {.type = a});
    } else {
        lhs = promoted(lhs);
        rhs = to_arithmetic(promoted(rhs), lhs->type.type);
    }
    return typed(e, lhs, rhs, {.type = lhs->type.type});
}

namespace {
bool is_handle(const Type* type) { return type->kind == TypeKind::Queue || type->kind == TypeKind::ClkEvent; }
}  // namespace

Expr* Checker::comparison(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    const Type *a = lhs->type.type, *b = rhs->type.type;
    if (a->is_pointer() || b->is_pointer()) return pointer_comparison(e, lhs, rhs);
    if (is_handle(a) || is_handle(b)) return handle_comparison(e, lhs, rhs);
    if (!a->is_arithmetic_or_vector() || !b->is_arithmetic_or_vector()) return invalid_operands(e);
    if (!both_to_common(e, lhs, rhs)) return error_expr(e);
    return typed(e, lhs, rhs, {.type = types_.comparison_result(lhs->type.type)});
}

/// Queues and device events can be compared with each other, and queues with CLK_NULL_QUEUE, which is 0.
Expr* Checker::handle_comparison(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    auto null_queue = [&](Expr*& null, const Expr* queue) {
        if (queue->type->kind == TypeKind::Queue && is_null_constant(null))
            null = cast(null, CastKind::NullToPointer, {.type = queue->type.type});
    };
    null_queue(lhs, rhs);
    null_queue(rhs, lhs);
    bool equality = e.op == BinaryOp::Equal || e.op == BinaryOp::NotEqual;
    if (!equality || lhs->type.type != rhs->type.type) return invalid_operands(e);
    return typed(e, lhs, rhs, int_type());
}

Expr* Checker::pointer_comparison(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    auto say = [&](auto handle) { handle.highlight(e.lhs->range).highlight(e.rhs->range); };
    if (lhs->type->is_pointer() && rhs->type->is_pointer()) {
        const Type *a = lhs->type.type, *b = rhs->type.type;
        const Type* common = common_pointer(a, b);
        if (!common && is_null_constant(rhs)) {
            rhs = cast(rhs, CastKind::NullToPointer, lhs->type);
        } else if (!common && is_null_constant(lhs)) {
            lhs = cast(lhs, CastKind::NullToPointer, rhs->type);
        } else if (!common) {
            say(diags_.error(e.op_range, "comparison between  ('", lhs->type, "' and '", rhs->type,
                             "') which are pointers to non-overlapping address spaces"));
            return error_expr(e);
        } else {
            if (!common->element->is_void() && !compatible_pointees(a->element, b->element))
                say(diags_.warning(Warning::CompareDistinctPointerTypes, e.op_range,
                                   "comparison of distinct pointer types ('", lhs->type, "' and '", rhs->type,
                                   "')"));
            lhs = to_pointer(lhs, common);
            rhs = to_pointer(rhs, common);
        }
    } else {
        Expr*& integer = lhs->type->is_pointer() ? rhs : lhs;
        const QualType pointer = lhs->type->is_pointer() ? lhs->type : rhs->type;
        if (!integer->type->is_integer()) return invalid_operands(e);
        if (is_null_constant(integer)) {
            if (strip_parens(integer)->kind == ExprKind::CharLiteral)
                say(diags_.warning(
                    Warning::PointerCompare, e.op_range,
                    "comparing a pointer to a null character constant; did you mean to compare to "
                    "NULL?"));
            integer = cast(integer, CastKind::NullToPointer, pointer);
        } else {
            say(diags_.warning(Warning::PointerIntegerCompare, e.op_range,
                               "comparison between pointer and integer ('", lhs->type, "' and '", rhs->type,
                               "')"));
            integer = cast(to_index(integer), CastKind::IntToPointer, pointer);
        }
    }
    return typed(e, lhs, rhs, int_type());
}

/// Before OpenCL C 1.2, && || and ! do not take floating operands (1.1, 6.3 g and h).
bool Checker::refuses_logical(const Type* type) const {
    return type->is_floating_or_vector() && !at_least(Standard::CL12);
}

Expr* Checker::logical(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    const Type *a = lhs->type.type, *b = rhs->type.type;
    if (refuses_logical(a) || refuses_logical(b)) return invalid_operands(e);
    if (a->is_vector() || b->is_vector()) {
        if (!a->is_arithmetic_or_vector() || !b->is_arithmetic_or_vector()) return invalid_operands(e);
        if (!both_to_common(e, lhs, rhs)) return error_expr(e);
    } else {
        bool block = a->kind == TypeKind::BlockPointer || b->kind == TypeKind::BlockPointer;
        if (!a->is_scalar() || !b->is_scalar() || block) return invalid_operands(e);
    }
    return typed(e, lhs, rhs, {.type = types_.comparison_result(lhs->type.type)});
}

}  // namespace caldera::frontend
