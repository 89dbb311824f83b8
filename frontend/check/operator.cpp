// SPDX-License-Identifier: Apache-2.0
// Unary operators, assignment and `?:` (C99 6.5.3, 6.5.15, 6.5.16; OpenCL C 6.3).
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

/// -9223372036854775808. Only a signed type of 128 bits, which clang has for it, holds the constant below the
/// minus. As ulong it would be above every long.
bool is_least_long(const UnaryExpr& e) {
    if (e.op != UnaryOp::Minus) return false;
    auto* literal = dyn<IntLiteralExpr>(strip_parens(e.operand));
    return literal && literal->implicitly_unsigned && literal->value == uint64_t{1} << 63;
}

}  // namespace

Expr* Checker::unary(UnaryExpr& e) {
    switch (e.op) {
        case UnaryOp::AddressOf: return address_of(e);
        case UnaryOp::Deref: return dereference(e);
        case UnaryOp::PreInc:
        case UnaryOp::PreDec:
        case UnaryOp::PostInc:
        case UnaryOp::PostDec: return increment(e);
        case UnaryOp::Extension: return expr(e.operand);
        case UnaryOp::LogicalNot: return logical_not(e);
        default: break;
    }
    if (is_least_long(e)) return int_constant(uint64_t{1} << 63, types_.scalar(TypeKind::Long), e.range);
    e.operand = expr(e.operand);
    if (is_atomic(e.operand)) return unary_operand_error(e);
    e.operand = rvalue(e.operand);
    if (is_error(e.operand)) return error_expr(e);
    const Type* type = e.operand->type.type;
    switch (e.op) {
        case UnaryOp::Plus:
        case UnaryOp::Minus:
            if (!type->is_arithmetic_or_vector() && (!type->is_matrix() || type->is_open_matrix()))
                return unary_operand_error(e);
            break;
        case UnaryOp::Not:
            if (!type->is_integer_or_vector()) return unary_operand_error(e);
            break;
        default: return unary_operand_error(e);
    }
    e.operand = promoted(e.operand);
    e.type = e.operand->type;
    return &e;
}

Expr* Checker::unary_operand_error(UnaryExpr& e) {
    diags_.error(e.range, "invalid argument type '", e.operand->type, "' to unary expression");
    return error_expr(e);
}

Expr* Checker::logical_not(UnaryExpr& e) {
    e.operand = expr(e.operand);
    if (is_atomic(e.operand)) return unary_operand_error(e);
    e.operand = rvalue(e.operand);
    if (is_error(e.operand)) return error_expr(e);
    const Type* type = e.operand->type.type;
    if ((!type->is_scalar() && !type->is_vector()) || type->kind == TypeKind::BlockPointer ||
        refuses_logical(type))
        return unary_operand_error(e);
    e.type = {.type = types_.comparison_result(type)};
    return &e;
}

Expr* Checker::address_of(UnaryExpr& e) {
    addressed_ = {strip_parens(e.operand), true};
    Expr* operand = e.operand = expr(e.operand);
    addressed_ = {};
    if (is_error(operand)) return error_expr(e);
    const Expr* object = strip_parens(operand);
    if (auto* ref = dyn<DeclRefExpr>(object); ref && ref->is_capture) {
        diags_.error(operand->range, "taking address of a capture is not allowed");
        return error_expr(e);
    }
    if (operand->type->is_function()) {
        diags_.error(operand->range, "taking address of function is not allowed");
        return error_expr(e);
    }
    auto* element = dyn<SubscriptExpr>(object);
    if (object->kind == ExprKind::Swizzle || (element && element->base->type->is_vector())) {
        diags_.error(e.range, "address of vector element requested").highlight(operand->range);
        return error_expr(e);
    }
    if (!operand->is_lvalue) {
        diags_.error(e.range, "cannot take the address of an rvalue of type '", operand->type, "'")
            .highlight(operand->range);
        return error_expr(e);
    }
    TypeKind kind = operand->type->kind;
    if (kind == TypeKind::Image || kind == TypeKind::Sampler || kind == TypeKind::BlockPointer ||
        kind == TypeKind::Pipe) {
        diags_.error(e.range, "invalid argument type '", operand->type, "' to unary expression");
        return error_expr(e);
    }
    e.type = {.type = types_.pointer(operand->type)};
    return &e;
}

Expr* Checker::dereference(UnaryExpr& e) {
    e.operand = value(e.operand);
    if (is_error(e.operand)) return error_expr(e);
    if (!e.operand->type->is_pointer()) {
        diags_.error(e.range, "indirection requires pointer operand ('", e.operand->type, "' invalid)")
            .highlight(e.operand->range);
        return error_expr(e);
    }
    e.type = e.operand->type->element;
    if (e.type->is_void())
        diags_
            .warning(Warning::VoidPointerDereference, e.range,
                     "ISO C does not allow indirection on operand of type '", e.operand->type, "'")
            .highlight(e.operand->range);
    e.is_lvalue = true;
    return &e;
}

Expr* Checker::increment(UnaryExpr& e) {
    e.operand = expr(e.operand);
    if (is_error(e.operand)) return error_expr(e);
    if (is_atomic(e.operand)) return unary_operand_error(e);
    const Type* type = e.operand->type.type;
    bool up = e.op == UnaryOp::PreInc || e.op == UnaryOp::PostInc;
    SourceRange at = e.op_range ? e.op_range : e.range;
    bool fits =
        type->is_arithmetic() || type->is_pointer() || (type->is_vector() && type->element->is_integer());
    if (!fits) {  // OpenCL C 6.3.3: no vectors of floating type; scalars are taken as clang takes them
        diags_.error(at, "cannot ", up ? "increment" : "decrement", " value of type '", e.operand->type, "'")
            .highlight(e.operand->range);
        return error_expr(e);
    }
    if (type->is_pointer() && !require_complete(type->element->is_void() ? int_type() : type->element, at,
                                                "arithmetic on a pointer to an incomplete type "))
        return error_expr(e);
    if (!require_modifiable(e.operand, at)) return error_expr(e);
    if (type->is_pointer() && type->element->is_void()) warn_void_arithmetic(at, "a pointer");
    if (half_operand(e.operand)) {
        diags_.error(at, "half arithmetic requires cl_khr_fp16");
        return error_expr(e);
    }
    e.type = {.type = type};
    return &e;
}

// ---- Assignment ----

namespace {
/// The variable at the root of an access path that stays inside it; null if the path follows a pointer.
const VarDecl* root_variable(const Expr* e) {
    for (;;) {
        e = strip_parens(e);
        if (auto* member = dyn<MemberExpr>(e))
            e = member->base;
        else if (auto* swizzle = dyn<SwizzleExpr>(e))
            e = swizzle->base;
        else
            break;
    }
    auto* ref = dyn<DeclRefExpr>(e);
    return ref ? dyn<VarDecl>(ref->decl) : nullptr;
}

bool has_repeated_lane(const Expr* e) {
    e = strip_parens(e);
    if (auto* component = dyn<SubscriptExpr>(e); component && component->base->type->is_vector())
        e = strip_parens(component->base);
    for (; auto* swizzle = dyn<SwizzleExpr>(e); e = strip_parens(swizzle->base)) {
        uint32_t seen = 0;
        for (int i = 0; i < swizzle->lane_count; ++i) {
            if (seen & (1u << swizzle->lanes[i])) return true;
            seen |= 1u << swizzle->lanes[i];
        }
    }
    return false;
}
}  // namespace

/// A modifiable lvalue (C99 6.3.2.1p1). Objects in the constant space are read-only too (OpenCL C 6.5.3).
bool Checker::require_modifiable(Expr* e, SourceRange at) {
    const QualType& type = e->type;
    if (type->is_function()) {
        rvalue(e);  // reports
    } else if (!e->is_lvalue) {
        auto* cast = dyn<CastExpr>(strip_parens(e));
        const Expr* inner = cast && cast->written ? strip_parens(cast->operand) : nullptr;
        if (auto* read = dyn<CastExpr>(inner); read && read->cast == CastKind::LValueToRValue)
            inner = read->operand;
        if (inner && inner->is_lvalue)
            diags_.error(cast->range, "assignment to cast is illegal, lvalue casts are not supported");
        else
            diags_.error(at, "expression is not assignable").highlight(e->range);
    } else if (has_repeated_lane(e)) {
        diags_.error(at, "vector is not assignable (contains duplicate components)").highlight(e->range);
    } else if (type->is_array()) {
        diags_.error(at, "array type '", type, "' is not assignable").highlight(e->range);
    } else if (type.is_const || type.space == AddressSpace::Constant) {
        const VarDecl* var = root_variable(e);
        auto* ref = dyn<DeclRefExpr>(strip_parens(e));
        if (ref && ref->is_capture && !var->type.is_const)
            diags_
                .error(at, "cannot assign to variable '", var->name,
                       "' inside a block, which captures a const copy of it")
                .highlight(e->range)
                .note(var->name_range, "variable '", var->name, "' declared here");
        else
            refuse_const(*e, at);
    } else if (refuse_const_fields(*e, at)) {
        return false;
    } else if (type->kind == TypeKind::Image || type->kind == TypeKind::Sampler ||
               type->kind == TypeKind::Pipe || type->kind == TypeKind::BlockPointer) {
        diags_.error(at, "invalid operands: a value of type '", type, "' cannot be modified")
            .highlight(e->range);
    } else if (half_operand(e)) {
        diags_.error(at, "assigning directly to pointer to type '", QualType{.type = type.type},
                     "' requires cl_khr_fp16. Use vector data store builtin functions instead");
    } else if (type->is_complete()) {
        return true;
    } else {
        diags_.error(at, "incomplete type '", type, "' is not assignable").highlight(e->range);
    }
    return false;
}

Expr* Checker::assign(AssignExpr& e) {
    if (e.compound) return compound_assign(e);
    warn_reversed_compound(e);
    e.lhs = expr(e.lhs);
    e.rhs = expr(e.rhs);
    if (is_error(e.lhs) || is_error(e.rhs)) return error_expr(e);
    if (!require_modifiable(e.lhs, e.op_range)) return error_expr(e);
    if (is_atomic(e.lhs) || is_atomic(e.rhs)) {  // OpenCL C 6.13.11.1
        diags_.error(
            e.op_range,
            "an atomic object cannot be an operand of '='; use atomic_store, atomic_load or atomic_init");
        return error_expr(e);
    }
    QualType shown = e.lhs->type;
    e.rhs = convert(e.rhs, shown, Action::Assign, e.op_range);
    if (is_error(e.rhs)) return error_expr(e);
    e.type = {.type = shown.type};
    return &e;
}

Expr* Checker::compound_assign(AssignExpr& e) {
    e.lhs = expr(e.lhs);
    e.rhs = expr(e.rhs);
    if (is_error(e.lhs) || is_error(e.rhs)) return error_expr(e);
    // Checks `lhs op rhs` as for the plain operator; the copy of lhs is used only for its type.
    auto* probe = make_node<BinaryExpr>(arena_, e.range);
    probe->op = e.op;
    probe->op_range = e.op_range;
    probe->lhs = e.lhs;
    probe->rhs = e.rhs;
    Expr* result = operation(*probe);  // its operator binds as it looks: none is of lower precedence
    if (is_error(result)) return error_expr(e);
    if (!require_modifiable(e.lhs, e.op_range)) return error_expr(e);
    const Type* target = e.lhs->type.type;
    if (target->is_arithmetic() && target->is_integer() && target->kind != TypeKind::Bool &&
        result->type->is_pointer()) {  // i += p
        if (is_error(
                convert_int_pointer(result, result->type, e.lhs->type, Action::Assign, e.op_range, nullptr)))
            return error_expr(e);
    } else if (target->lanes() != result->type->lanes() ||
               target->is_pointer() != result->type->is_pointer()) {
        diags_
            .error(e.op_range, "assigning to '", e.lhs->type, "' from incompatible type '", result->type, "'")
            .highlight(e.rhs->range);
        return error_expr(e);
    }
    // Sums have the pointer on the left.
    const bool adds_to_pointer = result->type->is_pointer() && !target->is_pointer();
    e.rhs = adds_to_pointer ? probe->lhs : probe->rhs;
    e.computation_type = result->type.type;
    e.type = {.type = target};
    return &e;
}

// ---- ?: ----

namespace {
/// Whether ?: may choose between values of the type. Images, samplers and pipes must be known when a kernel
/// is compiled.
bool may_be_chosen(const Type& type) {
    switch (type.kind) {
        case TypeKind::NDRange:
        case TypeKind::Event:
        case TypeKind::ClkEvent:
        case TypeKind::Queue:
        case TypeKind::ReserveId: return true;
        default:
            return type.is_arithmetic_or_vector() || type.is_pointer() || type.is_record() || type.is_void();
    }
}
}  // namespace

Expr* Checker::conditional(ConditionalExpr& e) {
    SourceRange at = e.op_range ? e.op_range : e.range;
    auto* unparenthesised = dyn<BinaryExpr>(e.condition);
    e.condition = value(e.condition);
    if (unparenthesised && !is_error(e.condition)) warn_conditional_precedence(*unparenthesised, at);
    if (e.if_true) e.if_true = value(e.if_true);
    e.if_false = value(e.if_false);
    if (is_error(e.condition) || (e.if_true && is_error(e.if_true)) || is_error(e.if_false))
        return error_expr(e);
    const QualType condition = e.condition->type;
    if (condition->is_vector()) return vector_conditional(e);
    if (!condition->is_scalar()) {
        diags_.error(at, "used type '", condition, "' where arithmetic or pointer type is required")
            .highlight(e.condition->range);
        return error_expr(e);
    }
    if (condition->is_floating()) {  // OpenCL C 6.3.9
        diags_.error(at, "used type '", condition, "' where floating point type is not allowed")
            .highlight(e.condition->range);
        return error_expr(e);
    }
    Expr*& a = e.if_true ? e.if_true : e.condition;
    Expr*& b = e.if_false;
    const Type *ta = a->type.type, *tb = b->type.type;
    if (ta->kind == TypeKind::BlockPointer || tb->kind == TypeKind::BlockPointer) {  // OpenCL C 6.12.5
        const Expr& block = ta->kind == TypeKind::BlockPointer ? *a : *b;
        diags_.error(block.range, "block type cannot be used as expression in ternary expression in OpenCL");
        return error_expr(e);
    }
    if (ta == tb && may_be_chosen(*ta)) {
        if (ta->is_arithmetic() && ta->is_integer()) a = promoted(a), b = promoted(b);
        e.type = {.type = a->type.type, .access = a->type.access};
        return &e;
    }
    if (ta->is_arithmetic_or_vector() && tb->is_arithmetic_or_vector()) {
        BinaryExpr shown = {};
        shown.op_range = at;
        shown.lhs = a;
        shown.rhs = b;
        if (!both_to_common(shown, a, b)) return error_expr(e);
        e.type = {.type = a->type.type};
        return &e;
    }
    if (ta->is_void() || tb->is_void()) {
        if (!ta->is_void()) a = cast(a, CastKind::ToVoid, {.type = tb});
        if (!tb->is_void()) b = cast(b, CastKind::ToVoid, {.type = ta});
        e.type = {.type = types_.scalar(TypeKind::Void)};
        return &e;
    }
    if (ta->is_pointer() || tb->is_pointer()) return conditional_pointers(e);
    diags_.error(at, "incompatible operand types ('", a->type, "' and '", b->type, "')")
        .highlight(a->range)
        .highlight(b->range);
    return error_expr(e);
}

Expr* Checker::conditional_pointers(ConditionalExpr& e) {
    SourceRange at = e.op_range ? e.op_range : e.range;
    Expr*& a = e.if_true ? e.if_true : e.condition;
    Expr*& b = e.if_false;
    if (a->type->is_pointer() && is_null_constant(b)) {
        b = cast(b, CastKind::NullToPointer, a->type);
    } else if (b->type->is_pointer() && is_null_constant(a)) {
        a = cast(a, CastKind::NullToPointer, b->type);
    } else if (a->type->is_pointer() && b->type->is_pointer()) {
        const Type* common = common_pointer(a->type.type, b->type.type);
        if (!common) {
            diags_
                .error(at, "conditional operator with the second and third operands of type ('", a->type,
                       "' and '", b->type, "') which are pointers to non-overlapping address spaces")
                .highlight(a->range)
                .highlight(b->range);
            return error_expr(e);
        }
        if (!common->element->is_void() && !compatible_pointees(a->type->element, b->type->element)) {
            diags_
                .warning(Warning::PointerTypeMismatch, at, "pointer type mismatch ('", a->type, "' and '",
                         b->type, "')")
                .highlight(a->range)
                .highlight(b->range);
            QualType any = common->element;
            any.type = types_.scalar(TypeKind::Void);
            common = types_.pointer(any);
        }
        a = to_pointer(a, common);
        b = to_pointer(b, common);
    } else if (a->type->is_integer() || b->type->is_integer()) {
        diags_
            .warning(Warning::ConditionalTypeMismatch, at,
                     "pointer/integer type mismatch in conditional expression ('", a->type, "' and '",
                     b->type, "')")
            .highlight(a->range)
            .highlight(b->range);
        Expr*& integer = a->type->is_integer() ? a : b;
        integer = cast(to_index(integer), CastKind::IntToPointer, a->type->is_integer() ? b->type : a->type);
    } else {
        diags_.error(at, "incompatible operand types ('", a->type, "' and '", b->type, "')")
            .highlight(a->range)
            .highlight(b->range);
        return error_expr(e);
    }
    e.type = {.type = a->type.type};
    return &e;
}

Expr* Checker::vector_conditional(ConditionalExpr& e) {
    SourceRange at = e.op_range ? e.op_range : e.range;
    const QualType condition = e.condition->type;
    if (!condition->is_integer_or_vector()) {
        diags_.error(at, "used type '", condition, "' where floating point type is not allowed")
            .highlight(e.condition->range);
        return error_expr(e);
    }
    Expr*& a = e.if_true ? e.if_true : e.condition;
    Expr*& b = e.if_false;
    if (!a->type->is_arithmetic_or_vector() || !b->type->is_arithmetic_or_vector()) {
        diags_.error(at, "incompatible operand types ('", a->type, "' and '", b->type, "')")
            .highlight(a->range)
            .highlight(b->range);
        return error_expr(e);
    }
    BinaryExpr shown = {};
    shown.op_range = at;
    shown.lhs = a;
    shown.rhs = b;
    // Two scalars of one type are not promoted: (char4)cond ? c1 : c2 chooses among chars.
    if (a->type.type != b->type.type && !both_to_common(shown, a, b)) return error_expr(e);
    if (!a->type->is_vector()) {  // two scalars: each fills a vector as long as the condition
        const Type* wide = types_.vector(a->type.type, condition->lanes());
        a = to_vector(a, wide);
        b = to_vector(b, wide);
    }
    const QualType result = a->type;
    if (result->lanes() != condition->lanes()) {
        diags_.error(at, "vector condition type '", condition, "' and result type '", result,
                     "' do not have the same number of elements");
        return error_expr(e);
    }
    if (result->scalar()->size_bytes != condition->scalar()->size_bytes) {
        diags_.error(at, "vector condition type '", condition, "' and result type '", result,
                     "' do not have elements of the same size");
        return error_expr(e);
    }
    e.type = {.type = result.type};
    return &e;
}

}  // namespace caldera::frontend
