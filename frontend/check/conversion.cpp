// SPDX-License-Identifier: Apache-2.0
// Conversions as CastExprs (C99 6.3, OpenCL C 6.2).
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

Expr* Checker::cast(Expr* e, CastKind kind, QualType type) {
    auto* node = make_node<CastExpr>(arena_, e->range);
    node->cast = kind;
    node->operand = e;
    node->type = type;
    return node;
}

/// C99 6.3.2.1: reads objects, turns arrays into pointers.
Expr* Checker::rvalue(Expr* e) {
    if (is_error(e)) return e;
    const QualType& type = e->type;
    if (type->is_function()) {  // OpenCL C 6.9a
        diags_.error(e->range, "taking address of function is not allowed");
        return error_expr(*e);
    }
    if (type->is_array())
        return cast(e, CastKind::ArrayToPointer,
                    {.type = types_.pointer(in_space(type->element, type.space))});
    if (!e->is_lvalue || type->is_void()) return e;
    if (!require_complete(type, e->range,
                          "a value is required here, but the expression has incomplete type "))
        return error_expr(*e);
    if (half_operand(e)) {
        diags_.error(e->range, "loading directly from pointer to type '", QualType{.type = type.type},
                     "' requires cl_khr_fp16. Use vector data load builtin functions instead");
        return error_expr(*e);
    }
    if (type->kind == TypeKind::Atomic)
        return cast(e, CastKind::LValueToRValue, {.type = type->element.type});
    return cast(e, CastKind::LValueToRValue, {.type = type.type, .access = type.access});
}

Expr* Checker::to_arithmetic(Expr* e, const Type* type) {
    const Type* from = e->type.type;
    if (from == type) return e;
    QualType to = {.type = type};
    if (type->kind == TypeKind::Bool) return cast(e, CastKind::ToBool, to);
    if (from->is_integer())
        return cast(e, type->is_integer() ? CastKind::Integral : CastKind::IntToFloat, to);
    return cast(e, type->is_integer() ? CastKind::FloatToInt : CastKind::Float, to);
}

/// Converts to the element, then to every lane. A bool becomes -1 for true (OpenCL C 6.2.2).
Expr* Checker::to_vector(Expr* e, const Type* type) {
    const Type* element = type->element.type;
    if (e->type->kind == TypeKind::Bool && element->kind != TypeKind::Bool) {
        Expr* wide = to_arithmetic(e, element->is_integer() ? element : types_.scalar(TypeKind::Int));
        auto* minus = make_node<UnaryExpr>(arena_, e->range);
        minus->op = UnaryOp::Minus;
        minus->op_range = e->range;
        minus->operand = wide;
        minus->type = wide->type;
        e = minus;
    }
    return cast(to_arithmetic(e, element), CastKind::Splat, {.type = type});
}

/// Usual arithmetic conversions: a bool operand of a vector operator counts as 0 or 1, as in clang.
Expr* Checker::to_common(Expr* e, const Type* type) {
    if (e->type.type == type) return e;
    if (!type->is_vector()) return to_arithmetic(e, type);
    return cast(to_arithmetic(e, type->element.type), CastKind::Splat, {.type = type});
}

Expr* Checker::to_bool(Expr* e) { return cast(e, CastKind::ToBool, {.type = types_.scalar(TypeKind::Bool)}); }

Expr* Checker::promoted(Expr* e) {
    if (!e->type->is_integer()) return e;
    return to_arithmetic(e, integer_promotion(types_, e->type.type));
}

/// Each change is a cast of its own: space, then pointee, then qualifiers.
Expr* Checker::to_pointer(Expr* e, const Type* type) {
    if (e->type.type == type) return e;
    const QualType& to = type->element;
    if (e->type->element.space != to.space) {
        QualType moved = in_space(e->type->element, to.space);
        e = cast(e, CastKind::AddressSpace, {.type = types_.pointer(moved)});
        if (e->type.type == type) return e;
    }
    const QualType& from = e->type->element;
    bool same = from.type == to.type || compatible_pointees(from, to);
    return cast(e, same ? CastKind::NoOp : CastKind::PointerToPointer, {.type = type});
}

/// A null pointer constant (C99 6.3.2.3p3): an integer constant 0, or such a constant cast to void *.
bool Checker::is_null_constant(const Expr* e) const {
    e = strip_parens(e);
    const QualType plain_void = {.type = types_.scalar(TypeKind::Void), .space = default_pointee_space()};
    if (e->type->is_pointer() && e->type->element == plain_void) {
        auto* pointer = dyn<CastExpr>(e);
        if (!pointer || !pointer->written ||
            (pointer->cast != CastKind::IntToPointer && pointer->cast != CastKind::NullToPointer))
            return false;
        e = strip_parens(pointer->operand);
    }
    if (!e->type->is_integer()) return false;
    auto bits = evaluate_integer(*e);
    return bits && *bits == 0;
}

bool nested_spaces_differ(const QualType& a, const QualType& b) {
    if (!a->is_pointer() || !b->is_pointer()) return false;
    return a->element.space != b->element.space || nested_spaces_differ(a->element, b->element);
}

namespace {

/// Whether two pointee types are integers of the same size but different sign. In C99, `char` is a third
/// type.
bool differ_in_sign(const Type* a, const Type* b) {
    return a->is_integer_or_vector() && b->is_integer_or_vector() && a->size_bytes == b->size_bytes &&
           a->lanes() == b->lanes();
}

/// "assigning to 'int *' from 'float *'" and similar, in clang's words.
std::string phrase(Action action, const QualType& from, const QualType& to) {
    std::string a = to_string(from), b = to_string(to);
    switch (action) {
        case Action::Assign: return "assigning to '" + b + "' from '" + a + "'";
        case Action::Pass: return "passing '" + a + "' to parameter of type '" + b + "'";
        case Action::Return: return "returning '" + a + "' from a function with result type '" + b + "'";
        case Action::Init: return "initializing '" + b + "' with an expression of type '" + a + "'";
    }
    return {};
}

std::string incompatible(Action action, const QualType& from, const QualType& to) {
    std::string a = to_string(from), b = to_string(to);
    if (from->kind == TypeKind::BlockPointer && to->kind == TypeKind::BlockPointer)
        return "incompatible block pointer types " + phrase(action, from, to);
    switch (action) {
        case Action::Assign: return "assigning to '" + b + "' from incompatible type '" + a + "'";
        case Action::Pass: return "passing '" + a + "' to parameter of incompatible type '" + b + "'";
        case Action::Return:
            return "returning '" + a + "' from a function with incompatible result type '" + b + "'";
        case Action::Init:
            return "initializing '" + b + "' with an expression of incompatible type '" + a + "'";
    }
    return {};
}

std::string changes_space(Action action, const QualType& from, const QualType& to,
                          std::string_view of = "pointer") {
    const std::string a = to_string(from), b = to_string(to), changes = " changes address space of ";
    const std::string text =
        action == Action::Assign ? "assigning '" + a + "' to '" + b + "'" : phrase(action, from, to);
    return text + changes + std::string(of);
}

void note_param(Diagnostics::Handle handle, const VarDecl* param) {
    if (!param) return;
    if (param->name.empty())
        handle.note(param->range, "passing argument to parameter here");
    else
        handle.note(param->name_range, "passing argument to parameter '", param->name, "' here");
}

std::string fault_text(Action action, const QualType& from, const QualType& to) {
    if (to->is_pointer() && from->is_integer())
        return "incompatible integer to pointer conversion " + phrase(action, from, to);
    if (to->is_integer() && from->is_pointer())
        return "incompatible pointer to integer conversion " + phrase(action, from, to);
    return incompatible(action, from, to);
}

}  // namespace

/// A conversion between integers and pointers gives a warning, as in clang 14. In newer versions it is an
/// error unless -Wno-error is given.
Expr* Checker::convert_int_pointer(Expr* e, const QualType& from, const QualType& to, Action action,
                                   SourceRange at, const VarDecl* param) {
    auto handle = diags_.warning(Warning::IntConversion, at, fault_text(action, from, to));
    if (!(at == e->range)) handle.highlight(e->range);
    note_param(handle, param);
    if (diags_.severity_at(Warning::IntConversion, at.begin) >= Severity::Error) return error_expr(*e);
    if (!to->is_pointer()) return cast(e, CastKind::PointerToInt, {.type = to.type});
    e = to_arithmetic(e, types_.int_of_width(64, e->type->is_signed()));
    return cast(e, CastKind::IntToPointer, {.type = to.type});
}

Expr* Checker::convert_fault(const Expr& e, const QualType& from, const QualType& to, Action action,
                             SourceRange at, const VarDecl* param) {
    auto handle = diags_.error(at, fault_text(action, from, to));
    if (!(at == e.range)) handle.highlight(e.range);
    note_param(handle, param);
    return error_expr(e);
}

/// Converts as if by assignment (C99 6.5.16.1, OpenCL C 6.3.15). `at` is the place of an error.
Expr* Checker::convert(Expr* e, QualType to, Action action, SourceRange at, const VarDecl* param) {
    if (is_error(e) || to->is_error()) return is_error(e) ? e : error_expr(*e);
    QualType from = e->type;
    e = rvalue(e);
    if (is_error(e)) return e;
    if (from->is_array()) from = e->type;
    const Type* target = to.type;
    if (target->kind == TypeKind::Atomic) target = target->element.type;
    const Type* source = e->type.type;
    const bool has_access = source->kind == TypeKind::Image || source->kind == TypeKind::Pipe;
    if (source == target && (!has_access || e->type.access == to.access)) return e;
    if (target->is_arithmetic() && source->is_arithmetic()) { return to_arithmetic(e, target); }
    if (target->is_vector() && source->is_arithmetic()) { return to_vector(e, target); }
    if (target->is_pointer() && source->is_pointer()) return convert_pointer(e, from, to, action, at, param);
    if (target->kind == TypeKind::BlockPointer && source->kind == TypeKind::BlockPointer)
        return convert_block(e, to, action, at, param);
    if (target->kind == TypeKind::Bool && source->is_pointer()) return to_bool(e);
    if (target->is_matrix())
        if (Expr* made = to_matrix(e, target)) return made;
    bool null = source->is_integer() && is_null_constant(e);
    switch (target->kind) {
        case TypeKind::Pointer:
        case TypeKind::Event:
        case TypeKind::Queue:
            if (!null) break;
            if (target->is_pointer() && strip_parens(e)->kind != ExprKind::IntLiteral)
                diags_
                    .warning(
                        Warning::NonLiteralNull, e->range,
                        "expression which evaluates to zero treated as a null pointer constant of type '", to,
                        "'")
                    .highlight(e->range);
            return cast(e, CastKind::NullToPointer, {.type = target});
        case TypeKind::Sampler:
            if (source->is_integer() && (action == Action::Init || action == Action::Pass))
                return to_sampler(e, action, at);
            break;
        default: break;
    }
    if ((target->is_pointer() && source->is_integer()) || (target->is_integer() && source->is_pointer())) {
        to.type = target;
        return convert_int_pointer(e, from, to, action, at, param);
    }
    return convert_fault(*e, from, to, action, at, param);
}

Expr* Checker::convert_pointer(Expr* e, const QualType& from, QualType to, Action action, SourceRange at,
                               const VarDecl* param) {
    const QualType& target = to->element;
    const QualType& source = e->type->element;
    auto finish = [&](Diagnostics::Handle handle) {
        if (!(at == e->range)) handle.highlight(e->range);
        note_param(handle, param);
    };
    if (is_null_constant(e)) return cast(e, CastKind::NullToPointer, {.type = to.type});
    if (!space_converts(source.space, target.space)) {
        finish(diags_.error(at, changes_space(action, from, to)));
        return error_expr(*e);
    }
    if (nested_spaces_differ(target, source)) {
        finish(diags_.error(at, changes_space(action, from, to, "nested pointer")));
        return error_expr(*e);
    }
    const bool compatible = target->is_void() || source->is_void() || compatible_pointees(target, source);
    const bool only_signs = !compatible && differ_in_sign(target.type, source.type);
    const bool discards =
        (source.is_const && !target.is_const) || (source.is_volatile && !target.is_volatile);
    if (!compatible && !only_signs)
        finish(diags_.warning(Warning::IncompatiblePointerTypes, at, "incompatible pointer types ",
                              phrase(action, from, to)));
    else if (discards)  // before signs, whose warning programs turn off
        finish(diags_.warning(Warning::DiscardsQualifiers, at, phrase(action, from, to),
                              " discards qualifiers"));
    else if (only_signs)
        finish(diags_.warning(Warning::PointerSign, at, phrase(action, from, to),
                              " converts between pointers to integer types ",
                              target->kind == TypeKind::Char || source->kind == TypeKind::Char
                                  ? "where one is of the unique plain 'char' type and the other is not"
                              : target->lanes() > 1 || target->kind == source->kind ? "of different kinds"
                                                                                    : "with different sign"));
    return to_pointer(e, to.type);
}

// ---- Written casts (C99 6.5.4, OpenCL C 6.2.2) ----

Expr* Checker::written_cast(CastExpr& e) {
    QualType to = type_name(e.written);
    e.operand = expr(e.operand);
    if (to->is_error() || is_error(e.operand)) return error_expr(e);
    e.type = {.type = to.type, .access = to.access};
    if (to->is_void()) {
        e.cast = CastKind::ToVoid;
        if (e.operand->type->is_function()) return rvalue(e.operand);  // reports
        return &e;
    }
    QualType shown = e.operand->type;
    Expr* operand = e.operand = rvalue(e.operand);
    if (is_error(operand)) return error_expr(e);
    const Type* from = operand->type.type;
    if (to->is_array() || to->is_function()) {
        diags_.error(e.range, "cast to incomplete or non-scalar type '", to, "'");
        return error_expr(e);
    }
    if (to->is_integer() && !require_complete(to, e.range, "cast to incomplete type ")) return error_expr(e);
    if (is_storage_only(to.type)) {
        diags_.error(e.range, "casting to type '", to, "' is not allowed");
        return error_expr(e);
    }
    if (from == to.type) {
        e.cast = CastKind::NoOp;
        return &e;
    }
    if (to->kind == TypeKind::Event && from->is_integer()) return cast_event(e, operand);
    if (to->is_vector() || from->is_vector()) return cast_vector(e, to, operand);
    if (to->is_pointer()) return cast_pointer(e, to, operand);
    if (to->is_arithmetic() && from->is_arithmetic()) {
        Expr* converted = to_arithmetic(operand, to.type);
        e.cast = as<CastExpr>(*converted).cast;
        return &e;
    }
    if (to->is_record() && to->record->is_union)
        if (Expr* made = cast_to_union(e, to, operand)) return made;
    if (to->is_integer() && from->is_pointer()) {
        if (to->kind == TypeKind::Bool) {
            e.cast = CastKind::ToBool;
            return &e;
        }
        if (to->size_bytes < from->size_bytes)
            diags_.warning(Warning::PointerToIntCast, e.range, "cast to smaller integer type '", to,
                           "' from '", operand->type, "'");
        e.cast = CastKind::PointerToInt;
        return &e;
    }
    if (from->is_pointer() && to->is_floating()) {
        diags_.error(operand->range, "pointer cannot be cast to type '", to, "'");
    } else if (to->is_record() || !to->is_scalar()) {
        diags_.error(e.range, "used type '", to, "' where arithmetic or pointer type is required");
    } else {
        diags_.error(operand->range, "operand of type '", shown,
                     "' where arithmetic or pointer type is required");
    }
    return error_expr(e);
}

/// The integer 0 is an event for which nothing waits (OpenCL C 6.13.10).
Expr* Checker::cast_event(CastExpr& e, Expr* operand) {
    const auto bits = evaluate_integer(*operand);
    e.cast = CastKind::NullToPointer;
    if (bits && *bits == 0) return &e;
    if (bits)
        diags_.error(e.range, "cannot cast non-zero value '", *bits, "' to 'event_t'");
    else
        diags_.error(e.range, "used type 'event_t' where arithmetic or pointer type is required");
    return error_expr(e);
}

/// GNU: `(union u)x` is a union whose member of x's type holds x. Null when it has no such member.
Expr* Checker::cast_to_union(const CastExpr& e, const QualType& to, Expr* operand) {
    for (FieldDecl* field : to->record->fields) {
        if (!compatible(field->type.unqualified(), operand->type)) continue;
        diags_.warning(Warning::GnuExtension, e.range, "cast to union type is a GNU extension");
        auto* list = make_node<InitListExpr>(arena_, operand->range);
        list->type = {.type = to.type};
        list->inits = arena_.copy(std::span<Expr* const>(&operand, 1));
        list->union_field = field;
        auto* literal = make_node<CompoundLiteralExpr>(arena_, e.range);
        literal->written = e.written;
        literal->type = list->type;
        literal->init = list;
        literal->is_lvalue = true;
        return rvalue(literal);
    }
    return nullptr;
}

Expr* Checker::cast_vector(CastExpr& e, const QualType& to, Expr* operand) {
    const Type* from = operand->type.type;
    if (to->is_vector() && from->is_arithmetic()) {
        auto& splat = as<CastExpr>(*to_vector(operand, to.type));
        e.cast = CastKind::Splat;
        e.operand = splat.operand;
        return &e;
    }
    if (!from->is_arithmetic_or_vector() && !from->is_pointer())
        diags_.error(operand->range, "operand of type '", operand->type,
                     "' where arithmetic or pointer type is required");
    else if (to->is_vector() && from->is_vector())
        diags_.error(e.range, "invalid conversion between ext-vector type '", to, "' and '", operand->type,
                     "'");
    else if (to->is_vector())
        diags_.error(e.range, "invalid conversion between vector type '", to, "' and '", operand->type, "'");
    else
        diags_.error(e.range, "invalid conversion between vector type '", operand->type, "' and ",
                     to->is_arithmetic() ? "scalar " : "", "type '", to, "'");
    return error_expr(e);
}

Expr* Checker::cast_pointer(CastExpr& e, const QualType& to, Expr* operand) {
    const Type* from = operand->type.type;
    if (from->is_pointer()) {
        AddressSpace a = from->element.space, b = to->element.space;
        bool may = space_converts(a, b) || space_converts(b, a);  // OpenCL C 6.5.5
        if (!may && !is_null_constant(operand)) {
            diags_
                .error(e.range, "casting '", operand->type, "' to type '", to,
                       "' changes address space of pointer")
                .highlight(operand->range);
            return error_expr(e);
        }
        if (is_null_constant(operand)) {
            e.cast = CastKind::NullToPointer;
            return &e;
        }
        Expr* converted = to_pointer(operand, to.type);
        e.cast = as<CastExpr>(*converted).cast;
        e.operand = as<CastExpr>(*converted).operand;
        return &e;
    }
    if (from->is_integer()) {
        auto bits = evaluate_integer(*operand);
        if (bits && *bits == 0) {
            e.cast = CastKind::NullToPointer;
            return &e;
        }
        if (from->size_bytes < 8) {
            if (!bits)
                diags_.warning(Warning::IntToPointerCast, e.range, "cast to '", to,
                               "' from smaller integer type '", operand->type, "'");
            e.operand = to_arithmetic(operand, types_.int_of_width(64, from->is_signed()));
        }
        e.cast = CastKind::IntToPointer;
        return &e;
    }
    if (from->is_floating())
        diags_.error(operand->range, "operand of type '", operand->type,
                     "' cannot be cast to a pointer type");
    else
        diags_.error(operand->range, "operand of type '", operand->type,
                     "' where arithmetic or pointer type is required");
    return error_expr(e);
}

}  // namespace caldera::frontend
