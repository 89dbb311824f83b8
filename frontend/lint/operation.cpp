// SPDX-License-Identifier: Apache-2.0
// Operators whose operands look like a mistake.
#include "frontend/ast/operators.h"
#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

/// The variable of automatic storage whose address an expression is, through casts.
const VarDecl* local_address(const Expr& e) {
    const Expr* inner = &e;
    for (auto* cast = dyn<CastExpr>(strip_parens(inner)); cast; cast = dyn<CastExpr>(strip_parens(inner))) {
        if (cast->cast == CastKind::LValueToRValue) return nullptr;
        inner = cast->operand;
    }
    inner = strip_parens(inner);
    if (auto* address = dyn<UnaryExpr>(inner)) {
        if (address->op != UnaryOp::AddressOf) return nullptr;
        inner = strip_parens(address->operand);
    } else if (!inner->type->is_array()) {
        return nullptr;
    }
    for (;;) {
        if (auto* member = dyn<MemberExpr>(inner))
            inner = strip_parens(member->base);
        else if (auto* element = dyn<SubscriptExpr>(inner);
                 element && below_conversions(*element->base).type->is_array())
            inner = &below_conversions(*element->base);
        else
            break;
    }
    auto* ref = dyn<DeclRefExpr>(inner);
    auto* var = ref ? dyn<VarDecl>(ref->decl) : nullptr;
    return var && !var->has_global_lifetime ? var : nullptr;
}

}  // namespace

/// Two expressions are intentional in the clauses of `for`; elsewhere the left one should be cast to void.
void Linter::comma(const BinaryExpr& e) {
    if (in_for_part_ || (diags_.sources() && diags_.sources()->is_macro(e.op_range.begin))) return;
    const Expr* left = e.lhs;
    for (auto* before = dyn<BinaryExpr>(left); before && before->op == BinaryOp::Comma;
         before = dyn<BinaryExpr>(left))
        left = before->rhs;
    auto* cast = dyn<CastExpr>(strip_parens(left));
    if (cast && cast->cast == CastKind::ToVoid) return;
    diags_.warning(Warning::Comma, e.op_range, "possible misuse of comma operator here")
        .note(left->range, "cast expression to void to silence warning");
}

void Linter::binary(const BinaryExpr& e) {
    if (is_comparison(e.op)) return comparison(e);
    if (e.op == BinaryOp::LogicalAnd || e.op == BinaryOp::LogicalOr) return logical(e);
    if (e.op == BinaryOp::Comma) comma(e);
    if (e.op == BinaryOp::Div) array_sizes(e);
    overflow(e);
    bool adds = e.op == BinaryOp::Add || e.op == BinaryOp::Sub;
    if (adds && e.lhs->type->is_pointer() && e.rhs->type->is_integer()) {
        auto* null = dyn<CastExpr>(&below_conversions(*e.lhs));
        if (null && null->cast == CastKind::NullToPointer)
            diags_
                .warning(Warning::NullPointerArithmetic, e.op_range,
                         "performing pointer arithmetic on a null pointer has undefined behavior")
                .highlight(e.lhs->range)
                .highlight(e.rhs->range);
        auto* string = dyn<StringLiteralExpr>(&below_conversions(*e.lhs));
        auto index = evaluate_integer(*e.rhs);
        if (string && e.op == BinaryOp::Add && !(index && *index <= string->value.size() && *index == 0))
            diags_
                .warning(Warning::StringPlusInt, e.op_range, "adding '", below_conversions(*e.rhs).type.type,
                         "' to a string does not append to the string")
                .highlight(e.range)
                .note(e.op_range, "use array indexing to silence this warning");
    }
    if (e.op != BinaryOp::Xor) return;
    const IntLiteralExpr *base = int_literal(*strip_parens(e.lhs)),
                         *power = int_literal(*strip_parens(e.rhs));
    if (!base || !power || strip_parens(e.lhs) != e.lhs || strip_parens(e.rhs) != e.rhs) return;
    auto is_decimal = [](const IntLiteralExpr* literal) {
        return literal->text.find_first_not_of("0123456789") == std::string_view::npos &&
               (literal->text.size() < 2 || literal->text[0] != '0');
    };
    if (!is_decimal(base) || !is_decimal(power)) return;
    uint64_t result = base->value ^ power->value;
    std::string shown = "'" + std::string(base->text) + " ^ " + std::string(power->text) + "'";
    if (base->value == 2 && power->value < 63 && power->value > 0) {
        std::string shift = (power->value < 31 ? "1 << " : "1L << ") + std::string(power->text);
        std::string silence =
            "replace expression with '0x2 ^ " + std::string(power->text) + "' to silence this warning";
        diags_
            .warning(Warning::XorUsedAsPow, e.op_range, "result of ", shown, " is ", result,
                     "; did you mean '", shift, "' (", uint64_t{1} << power->value, ")?")
            .highlight(e.range)
            .fixit(e.range, shift)
            .note(e.op_range, silence);
    } else if (base->value == 10) {
        std::string power_text = "1e" + std::string(power->text);
        diags_
            .warning(Warning::XorUsedAsPow, e.op_range, "result of ", shown, " is ", result,
                     "; did you mean '", power_text, "'?")
            .highlight(e.range)
            .fixit(e.range, power_text)
            .note(e.op_range,
                  "replace expression with '0xA ^ " + std::string(power->text) + "' to silence this warning");
    }
}

/// Constants whose sum, difference or product the type cannot hold.
void Linter::overflow(const BinaryExpr& e) {
    const Type* type = e.type.type;
    if (e.op != BinaryOp::Add && e.op != BinaryOp::Sub && e.op != BinaryOp::Mul) return;
    if (!type->is_integer() || !type->is_signed() || !diags_.enabled(Warning::IntegerOverflow)) return;
    int depth = 0;
    for (const Expr* left = &e; left->kind == ExprKind::Binary; left = as<BinaryExpr>(*left).lhs)
        if (++depth > kMaxLook) return;
    auto right = evaluate_integer(*e.rhs), left = right ? evaluate_integer(*e.lhs) : std::nullopt;
    if (!left || !right) return;
    auto a = static_cast<int64_t>(extend_sign(*left, *type)),
         b = static_cast<int64_t>(extend_sign(*right, *type));
    int64_t result = 0;
    bool wraps = e.op == BinaryOp::Add   ? __builtin_add_overflow(a, b, &result)
                 : e.op == BinaryOp::Sub ? __builtin_sub_overflow(a, b, &result)
                                         : __builtin_mul_overflow(a, b, &result);
    auto bits = static_cast<uint64_t>(result);
    if (!wraps && extend_sign(bits, *type) == bits) return;
    diags_
        .warning(Warning::IntegerOverflow, e.op_range, "overflow in expression; result is ",
                 decimal(bits, *type), " with type '", type, "'")
        .highlight(e.lhs->range)
        .highlight(e.rhs->range);
}

void Linter::logical(const BinaryExpr& e) {
    overlapping(e);
    pointer_as_bool(*e.lhs);
    pointer_as_bool(*e.rhs);
    // `x && 4` may be a mistake for `x & 4`; 0 and 1 of macros are intentional.
    const Expr& right = below_conversions(*e.rhs);
    if (!e.lhs->type->is_integer() || !right.type->is_integer() || right.type->kind == TypeKind::Bool) return;
    if (is_boolean_value(below_conversions(*e.lhs)) && below_conversions(*e.lhs).type->kind == TypeKind::Bool)
        return;
    auto bits = evaluate_integer(right);
    auto left = evaluate_integer(*e.lhs);
    const bool is_macro = diags_.sources() && diags_.sources()->is_macro(e.rhs->range.begin);
    if (!bits || left || (is_macro && *bits <= 1)) return;
    bool is_and = e.op == BinaryOp::LogicalAnd;
    std::string_view bitwise = is_and ? "&" : "|";
    auto handle = diags_.warning(Warning::ConstantLogicalOperand, e.op_range, "use of logical '",
                                 spelling(e.op), "' with constant operand");
    handle.highlight(e.rhs->range);
    handle.note(e.op_range, "use '", bitwise, "' for a bitwise operation");
    if (is_and) handle.note(e.op_range, "remove constant to silence this warning");
}

void Linter::assignment(const AssignExpr& e) {
    if (e.compound) {
        compound_result(e);
        if (e.op != BinaryOp::And && e.op != BinaryOp::Or) return;
    }
    // Only for plain names: `a[i] = a[i]` may be intentional.
    auto* left = dyn<DeclRefExpr>(strip_parens(e.lhs));
    auto* read = dyn<CastExpr>(strip_parens(e.rhs));
    if (!left || !read || read->cast != CastKind::LValueToRValue) return;
    auto* right = dyn<DeclRefExpr>(strip_parens(read->operand));
    if (!right || left->decl != right->decl || left->type.is_volatile) return;
    diags_
        .warning(Warning::SelfAssign, e.op_range, "explicitly assigning value of variable of type '",
                 QualType{.type = left->type.type, .is_const = left->type.is_const}, "' to itself")
        .highlight(e.lhs->range)
        .highlight(e.rhs->range);
}

void Linter::unary(const UnaryExpr& e) {
    if (e.op == UnaryOp::LogicalNot) return pointer_as_bool(*e.operand);
    if (e.op == UnaryOp::Not && is_boolean_value(below_conversions(*e.operand))) {
        diags_
            .warning(Warning::BoolOperation, e.op_range ? e.op_range : e.range,
                     "bitwise negation of a boolean expression; did you mean logical negation?")
            .highlight(e.operand->range)
            .fixit({e.range.begin, {e.range.begin.offset + 1}}, "!");
    } else if (e.op == UnaryOp::Deref && !unread_.contains(&e)) {
        auto* null = dyn<CastExpr>(strip_parens(e.operand));
        if (!null || null->cast != CastKind::NullToPointer || e.type.is_volatile) return;
        diags_
            .warning(Warning::NullDereference, e.op_range ? e.op_range : e.range,
                     "indirection of non-volatile null pointer will be deleted, not trap")
            .highlight(e.operand->range)
            .note(e.op_range ? e.op_range : e.range,
                  "consider using __builtin_trap() or qualifying pointer with 'volatile'");
    }
}

void Linter::written_cast(const CastExpr& e) {
    const Expr& operand = below_conversions(*e.operand);
    if (!e.type->is_pointer() || !operand.type->is_pointer()) return;
    const QualType &to = e.type->element, &from = operand.type->element;
    if (from.is_const && !to.is_const)
        diags_
            .warning(Warning::CastQual, expr_place(operand), "cast from '", operand.type.type, "' to '",
                     e.type.type, "' drops const qualifier")
            .highlight(operand.range);
    else if (from.is_volatile && !to.is_volatile)
        diags_
            .warning(Warning::CastQual, expr_place(operand), "cast from '", operand.type.type, "' to '",
                     e.type.type, "' drops volatile qualifier")
            .highlight(operand.range);
    if (from->is_void() || to->is_void() || !from->is_complete() || !to->is_complete()) return;
    if (to.align_bytes() > from.align_bytes() && e.cast != CastKind::NullToPointer)
        diags_
            .warning(Warning::CastAlign, e.range, "cast from '", operand.type.type, "' to '", e.type.type,
                     "' increases required alignment from ", from.align_bytes(), " to ", to.align_bytes())
            .highlight(operand.range);
}

void Linter::subscript(const SubscriptExpr& e) {
    const Expr& index = below_conversions(*e.index);
    if (index.type->kind == TypeKind::Char && index.kind != ExprKind::CharLiteral)
        diags_
            .warning(Warning::CharSubscripts, {e.base->range.end, e.range.end},
                     "array subscript is of type 'char'")
            .highlight(index.range);
}

namespace {

/// The parameter that was declared as an array but is a pointer.
const VarDecl* array_parameter(const Expr& e) {
    auto* ref = dyn<DeclRefExpr>(strip_parens(&e));
    auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
    bool written = var && var->is_param && !var->declarator.chunks.empty() &&
                   var->declarator.chunks[0].kind == ChunkKind::Array;
    return written && var->type->is_pointer() ? var : nullptr;
}

}  // namespace

void Linter::size_of(const SizeofExprExpr& e) {
    if (e.op != SizeofOp::Sizeof) return;
    if (const VarDecl* var = array_parameter(*e.operand)) {
        const Expr* size = var->declarator.chunks[0].size;
        auto count = size && size->type ? evaluate_integer(*size) : std::nullopt;
        diags_
            .warning(Warning::SizeofArrayArgument, e.operand->range,
                     "sizeof on array function parameter will return size of '", var->type.type,
                     "' instead of '", QualType{.type = var->type->element.type}, "[",
                     count ? std::to_string(*count) : "", "]'")
            .highlight(e.operand->range)
            .note(var->name_range, "declared here");
        return;
    }
    auto* operation = dyn<BinaryExpr>(strip_parens(e.operand));
    if (!operation || !operation->type->is_pointer()) return;
    const Type* array = below_conversions(*operation->lhs).type.type;
    if (array->is_array())
        diags_
            .warning(Warning::SizeofArrayDecay, operation->op_range,
                     "sizeof on pointer operation will return size of '", operation->type.type,
                     "' instead of '", array, "'")
            .highlight(operation->lhs->range);
}

/// `sizeof(p) / sizeof(p[0])` of a pointer.
void Linter::array_sizes(const BinaryExpr& e) {
    auto* whole = dyn<SizeofExprExpr>(&below_conversions(*e.lhs));
    auto* part = dyn<SizeofExprExpr>(&below_conversions(*e.rhs));
    if (!whole || !part || whole->op != SizeofOp::Sizeof || part->op != SizeofOp::Sizeof) return;
    const Expr* pointer = strip_parens(whole->operand);
    if (!pointer->type->is_pointer() || pointer->type->element.type != part->operand->type.type) return;
    diags_
        .warning(
            Warning::SizeofPointerDiv, e.op_range, "'sizeof (",
            pointer->kind == ExprKind::DeclRef ? as<DeclRefExpr>(*pointer).name : std::string_view("..."),
            ")' will return the size of the pointer, not the array itself")
        .highlight(e.range);
}

/// A condition `x | 4`.
void Linter::always_true_or(const Expr& condition) {
    auto* either = dyn<BinaryExpr>(&below_conversions(condition));
    if (!either || either->op != BinaryOp::Or) return;
    const IntLiteralExpr* literal = int_literal(below_conversions(*either->rhs));
    if (!literal) literal = int_literal(below_conversions(*either->lhs));
    if (literal && literal->value)
        diags_
            .warning(Warning::TautologicalBitwise, either->op_range,
                     "bitwise or with non-zero value always evaluates to true")
            .highlight(either->range);
}

void Linter::returned(const ReturnStmt& stmt) {
    if (!stmt.value || !stmt.value->type || !stmt.value->type->is_pointer()) return;
    const VarDecl* var = local_address(*stmt.value);
    if (!var) return;
    const Expr& shown = below_conversions(*stmt.value);
    auto* address = dyn<UnaryExpr>(&shown);
    SourceRange at = address ? address->operand->range : shown.range;
    diags_.warning(Warning::ReturnStackAddress, at, "address of stack memory associated with ",
                   var->is_param ? "parameter" : "local variable", " '", var->name, "' returned");
}

}  // namespace caldera::frontend
