// SPDX-License-Identifier: Apache-2.0
// The dispatch over expressions, and primary expressions (C99 6.5.1, 6.5.2.1, 6.5.2.5, 6.5.3.4).
#include <algorithm>
#include <utility>

#include "frontend/ast/children.h"
#include "frontend/check/checker_impl.h"
#include "frontend/lex/literal.h"
#include "frontend/required_extensions.h"
#include "frontend/types/type_names.h"

namespace caldera::frontend {

const Expr* strip_parens(const Expr* e) {
    while (auto* paren = dyn<ParenExpr>(e)) e = paren->inner;
    return e;
}
Expr* strip_parens(Expr* e) { return const_cast<Expr*>(strip_parens(static_cast<const Expr*>(e))); }

SourceRange expr_place(const Expr& e) {
    const Expr* part = &e;
    while (auto* cast = dyn<CastExpr>(part)) {
        if (cast->written) break;
        part = cast->operand;
    }
    if (auto* binary = dyn<BinaryExpr>(part)) return binary->op_range;
    if (auto* assign = dyn<AssignExpr>(part)) return assign->op_range;
    if (auto* unary = dyn<UnaryExpr>(part)) return unary->op_range ? unary->op_range : unary->range;
    if (auto* member = dyn<MemberExpr>(part)) return member->name_range;
    if (auto* subscript = dyn<SubscriptExpr>(part)) return expr_place(*subscript->base);
    return part->range;
}

Expr* Checker::error_expr(SourceRange range) {
    Expr* e = make_node<ErrorExpr>(arena_, range);
    e->type = error_type();
    return e;
}

Expr* Checker::int_constant(uint64_t value, const Type* type, SourceRange range) {
    auto* e = make_node<IntLiteralExpr>(arena_, range);
    e->value = value;
    e->type = {.type = type};
    return e;
}

Expr* Checker::value(Expr* e) { return rvalue(expr(e)); }

/// Chains of binary operators lean left and may be long: they are walked by a loop, innermost first.
Expr* Checker::expr(Expr* e) {
    if (e->kind != ExprKind::Binary) return leaf(e);
    std::vector<BinaryExpr*> chain;
    for (auto* node = dyn<BinaryExpr>(e); node && !node->type; node = dyn<BinaryExpr>(node->lhs))
        chain.push_back(node);
    if (chain.empty()) return e;
    Expr* result = leaf(chain.back()->lhs);
    for (size_t i = chain.size(); i-- > 0;) {
        chain[i]->lhs = result;
        result = binary(*chain[i]);
    }
    return result;
}

Expr* Checker::leaf(Expr* e) {
    bool literal = e->kind == ExprKind::IntLiteral || e->kind == ExprKind::FloatLiteral;
    if (e->kind == ExprKind::Error) return faulty(as<ErrorExpr>(*e));
    if (e->type && !literal) return e;  // was checked already
    switch (e->kind) {
        case ExprKind::Error: return e;
        case ExprKind::IntLiteral: return int_literal(as<IntLiteralExpr>(*e));
        case ExprKind::FloatLiteral: return float_literal(as<FloatLiteralExpr>(*e));
        case ExprKind::CharLiteral: e->type = int_type(); return e;
        case ExprKind::StringLiteral: return string_literal(as<StringLiteralExpr>(*e));
        case ExprKind::DeclRef: return decl_ref(as<DeclRefExpr>(*e));
        case ExprKind::Paren: return paren(as<ParenExpr>(*e));
        case ExprKind::Unary: return unary(as<UnaryExpr>(*e));
        case ExprKind::Binary: return expr(e);
        case ExprKind::Assign: return assign(as<AssignExpr>(*e));
        case ExprKind::Conditional: return conditional(as<ConditionalExpr>(*e));
        case ExprKind::Cast: return written_cast(as<CastExpr>(*e));
        case ExprKind::Call: return call(as<CallExpr>(*e));
        case ExprKind::Subscript: return subscript(as<SubscriptExpr>(*e));
        case ExprKind::Member: return member(as<MemberExpr>(*e));
        case ExprKind::Swizzle: return e;
        case ExprKind::VectorLiteral: return vector_literal(as<VectorLiteralExpr>(*e));
        case ExprKind::CompoundLiteral: return compound_literal(as<CompoundLiteralExpr>(*e));
        case ExprKind::InitList: diags_.error(e->range, "expected expression"); return error_expr(*e);
        case ExprKind::SizeofType: return sizeof_type(as<SizeofTypeExpr>(*e));
        case ExprKind::SizeofExpr: return sizeof_expr(as<SizeofExprExpr>(*e));
        case ExprKind::StmtExpr: return stmt_expr(as<StmtExprExpr>(*e));
        case ExprKind::Choose: return choose(as<ChooseExpr>(*e));
        case ExprKind::Offsetof: return offset_of(as<OffsetofExpr>(*e));
        case ExprKind::BlockLiteral: return block_literal(as<BlockLiteralExpr>(*e));
        case ExprKind::AsType: return as_type(as<AsTypeExpr>(*e));
        case ExprKind::Generic: return generic_selection(as<GenericExpr>(*e));
        case ExprKind::TypesCompatible: return types_compatible(as<TypesCompatibleExpr>(*e));
    }
    return e;
}

/// The parser has reported the error. If anybody wants names, the part that it could read is checked for
/// them.
Expr* Checker::faulty(ErrorExpr& e) {
    e.type = error_type();
    if (!mentions_ || !e.partial) return &e;
    const Diagnostics::Silence silence(diags_);
    expr(std::exchange(e.partial, nullptr));
    return &e;
}

Expr* Checker::int_literal(IntLiteralExpr& e) {
    if (!e.type) e.type = int_type();
    if (std::exchange(e.implicitly_unsigned, false)) warn_implicitly_unsigned(e.range, diags_);
    return &e;
}

Expr* Checker::float_literal(FloatLiteralExpr& e) {
    if (!e.type) e.type = {.type = types_.scalar(TypeKind::Double)};
    if (e.type->kind == TypeKind::Double && !features_.has(Ext::Fp64)) {
        e.type.type = types_.scalar(TypeKind::Float);
        e.value = static_cast<float>(e.value);
    }
    return &e;
}

/// An array of char in the constant space (OpenCL C 6.5.3).
Expr* Checker::string_literal(StringLiteralExpr& e) {
    QualType element = {.type = types_.scalar(TypeKind::Char), .space = AddressSpace::Constant};
    e.type = {.type = types_.array(element, e.value.size() + 1), .space = AddressSpace::Constant};
    e.is_lvalue = true;
    return &e;
}

/// C99 6.4.2.2: `static const char __func__[]`.
Expr* Checker::constant_text(StringLiteralExpr& e) {
    string_literal(e);
    e.type = qualified(e.type, true, false, false);
    return &e;
}

Expr* Checker::decl_ref(DeclRefExpr& e) {
    size_t depth = 0;
    Decl* decl = scopes_.find(e.name, depth);
    if (!decl) return undeclared(e);
    e.decl = decl;
    use(e.range, *decl);
    switch (decl->kind) {
        case DeclKind::Var: {
            auto& var = as<VarDecl>(*decl);
            var.is_mentioned = (var.definition ? var.definition : &var)->is_mentioned = true;
            if (unevaluated_ == 0) var.is_used = (var.definition ? var.definition : &var)->is_used = true;
            if (!var.type || var.type->is_error()) return error_expr(e);
            if (is_captured(var, depth)) return captured(e, var, depth);
            e.type = var.type;
            e.is_lvalue = true;
            return &e;
        }
        case DeclKind::Function: e.type = decl->type; return e.type->is_error() ? error_expr(e) : &e;
        case DeclKind::EnumConstant: e.type = decl->type; return &e;
        default:
            diags_.error(e.range, "unexpected type name '", e.name, "': expected expression");
            return error_expr(e);
    }
}

Expr* Checker::undeclared(DeclRefExpr& e) {
    if (const builtin::Enumerator* enumerator = builtin::enumerator(e.name, features_)) {
        note_builtin(e.range);
        return int_constant(enumerator->value, types_.scalar(enumerator->type), e.range);
    }
    if ((e.name == "__func__" || e.name == "__FUNCTION__") && function_) {
        auto* name = make_node<StringLiteralExpr>(arena_, e.range);
        name->value = function_->decl->name;
        return constant_text(*name);
    }
    if (e.name == "__PRETTY_FUNCTION__" && function_) {
        const FunctionDecl& function = *function_->decl;
        std::string text = to_string(function.type->element) + " " + std::string(function.name) + "(";
        for (size_t i = 0; i < function.type->params.size(); ++i)
            text += (i ? ", " : "") + to_string(function.type->params[i]);
        auto* signature = make_node<StringLiteralExpr>(arena_, e.range);
        signature->value = arena_.copy(std::string_view(text += ")"));
        return constant_text(*signature);
    }
    if (e.name == "true" ||
        e.name == "false")  // of type bool in clang, so that `char4 + true` has no wider operand
        return int_constant(e.name == "true", types_.scalar(TypeKind::Bool), e.range);
    if (builtin::is_builtin(e.name, features_)) {
        diags_.error(e.range, "taking address of function is not allowed");
        return error_expr(e);
    }
    if (const std::vector<Ext> missing = missing_for_type(e.name, features_); !missing.empty()) {
        diags_.error(e.range, "use of type '", e.name, "' ", requires_support(missing));
        return error_expr(e);
    }
    Decl* meant = nullptr;
    if (diags_.seeks_meaning(Diagnostics::Misspelt::Value, e.name)) {
        meant = scopes_.nearest(e.name, [](const Decl& decl) {
            return decl.kind == DeclKind::Var || decl.kind == DeclKind::EnumConstant;
        });
        if (!meant) diags_.found_no_meaning(Diagnostics::Misspelt::Value, e.name);
    }
    if (!meant) {
        diags_.error(e.range, "use of undeclared identifier '", e.name, "'");
        return error_expr(e);
    }
    diags_.error(e.range, "use of undeclared identifier '", e.name, "'; did you mean '", meant->name, "'?")
        .fixit(e.range, std::string(meant->name))
        .note(meant->name_range, "'", meant->name, "' declared here");
    e.name = meant->name;
    return decl_ref(e);
}

Expr* Checker::paren(ParenExpr& e) {
    e.inner = expr(e.inner);
    e.type = e.inner->type;
    e.is_lvalue = e.inner->is_lvalue;
    return is_error(e.inner) ? error_expr(e) : &e;
}

Expr* Checker::subscript(SubscriptExpr& e) {
    const Addressed addressed = addressed_.part == &e ? addressed_ : Addressed{};
    if (addressed.part) addressed_ = {strip_parens(e.base), false};
    e.base = expr(e.base);
    e.index = value(e.index);
    if (is_error(e.base) || is_error(e.index)) return error_expr(e);
    if (e.base->type->is_integer() && e.index->type->is_pointer()) {  // 1[p]
        std::swap(e.base, e.index);
        e.index = rvalue(e.index);
    }
    bool vector = e.base->type->is_vector();
    uint64_t count = e.base->type->is_array() || vector ? e.base->type->count : 0;
    QualType element = e.base->type->element;
    if (!vector) {
        if (!e.base->type->is_array() && !e.base->type->is_pointer()) {
            diags_
                .error({e.base->range.end, e.range.end},
                       "subscripted value is not an array, pointer, or vector")
                .highlight(e.base->range);
            return error_expr(e);
        }
        e.base = rvalue(e.base);
        if (is_error(e.base)) return error_expr(e);
        element = e.base->type->element;
    } else {
        element = {.type = element.type,
                   .is_const = e.base->type.is_const,
                   .is_volatile = e.base->type.is_volatile,
                   .space = e.base->type.space};
    }
    if (!e.index->type->is_integer()) {
        diags_.error({e.base->range.end, e.range.end}, "array subscript is not an integer");
        return error_expr(e);
    }
    if (element->is_void()) {
        diags_.warning(Warning::GnuExtension, e.base->range,
                       "subscript of a pointer to void is a GNU extension");
    } else if (!element->is_complete()) {
        note_incomplete(
            diags_.error(e.base->range, "subscript of pointer to incomplete type '", element, "'"),
            element.type);
        return error_expr(e);
    }
    if (count && unevaluated_ == 0) {
        const std::optional<uint64_t> index = evaluate_as_long(*e.index);
        // An address reads nothing: it may be that of the array's end (C99 6.5.3.2p3).
        const bool may_be_end =
            addressed.part && (addressed.is_whole || element->is_array() || element->is_record());
        if (index && *index >= count &&
            vector)  // undefined, and fine where nothing leads: any component will do
            e.index = int_constant(count - 1, int_type().type, e.index->range);
        else if (index && *index >= count && (*index > count || !may_be_end))
            diags_
                .warning(Warning::ArrayBounds, e.base->range, "array index ", static_cast<int64_t>(*index),
                         static_cast<int64_t>(*index) < 0 ? " is before the beginning of the array"
                                                          : " is past the end of the array",
                         static_cast<int64_t>(*index) < 0 ? std::string()
                                                          : " (which contains " + std::to_string(count) +
                                                                " element" + (count == 1 ? ")" : "s)"))
                .highlight(e.index->range);
    }
    e.index = to_index(e.index);
    e.type = element;
    e.is_lvalue = !vector || e.base->is_lvalue;
    if (!e.is_lvalue) e.type = element.unqualified();
    return &e;
}

Expr* Checker::to_index(Expr* e) {
    return to_arithmetic(e, types_.int_of_width(64, integer_promotion(types_, e->type.type)->is_signed()));
}

// ---- sizeof and its kin (OpenCL C 6.3.11) ----

bool Checker::size_of(SizeofOp op, const QualType& type, SourceRange op_range, SourceRange arg,
                      uint64_t& value) {
    const char* name = op == SizeofOp::Sizeof ? "sizeof" : op == SizeofOp::Alignof ? "__alignof" : "vec_step";
    if (type->is_error()) return false;
    if (op == SizeofOp::VecStep) {
        if (!type->is_arithmetic() && !type->is_vector() && !type->is_void()) {
            diags_.error(op_range, "'vec_step' requires built-in scalar or vector type, '", type,
                         "' invalid");
            return false;
        }
        value = type->lanes() == 3 ? 4 : type->lanes();
        return true;
    }
    if (type->is_function() || type->is_void() || type->kind == TypeKind::BlockPointer) {
        diags_
            .error(op_range, "invalid application of '", name, "' to a ",
                   type->is_function() ? "function"
                   : type->is_void()   ? "void"
                                       : "block",
                   " type")
            .highlight(arg);
        return false;
    }
    const Type* element = type.type;
    while (element->is_array() && !element->incomplete_array) element = element->element.type;
    if (element->is_matrix()) {
        diags_.error(op_range, "invalid application of '", name, "' to a cooperative matrix").highlight(arg);
        return false;
    }
    if (!element->is_complete()) {
        note_incomplete(
            diags_.error(op_range, "invalid application of '", name, "' to an incomplete type '", type, "'")
                .highlight(arg),
            element);
        return false;
    }
    value = op == SizeofOp::Sizeof ? type->size_bytes : type.align_bytes();
    return true;
}

Expr* Checker::sizeof_type(SizeofTypeExpr& e) {
    QualType type = type_name(e.written);
    if (!size_of(e.op, type, e.range, e.written->range, e.value)) return error_expr(e);
    e.type = {.type = e.op == SizeofOp::VecStep ? types_.scalar(TypeKind::Int) : types_.size_type()};
    return &e;
}

/// The alignment of what an expression names: attributes of a variable or a field count.
static uint64_t named_alignment(const Expr& named) {
    const Expr& e = *strip_parens(&named);
    const uint32_t of_type = e.type.align_bytes();
    if (auto* ref = dyn<DeclRefExpr>(&e)) {
        auto* var = dyn<VarDecl>(ref->decl);
        return var && var->align_bytes ? var->align_bytes : of_type;
    }
    auto* member = dyn<MemberExpr>(&e);
    if (!member) return of_type;
    const FieldDecl& field = *member->field;
    const bool packed = field.is_packed || field.parent->is_packed;
    const uint64_t align = std::max(field.align_bytes, packed ? 1 : of_type);
    uint64_t place = field.parent->record_type->align_bytes;
    if (field.offset_bytes) place = std::min(place, field.offset_bytes & (~field.offset_bytes + 1));
    return std::min(align, place);
}

Expr* Checker::sizeof_expr(SizeofExprExpr& e) {
    ++unevaluated_;
    e.operand = expr(e.operand);
    --unevaluated_;
    if (is_error(e.operand)) return error_expr(e);
    if (e.operand->type->is_function()) e.operand = rvalue(strip_parens(e.operand));  // reports
    SourceRange operand = strip_parens(e.operand)->range;
    if (!size_of(e.op, e.operand->type, e.op == SizeofOp::VecStep ? operand : e.range, operand, e.value))
        return error_expr(e);
    if (e.op == SizeofOp::Alignof) e.value = named_alignment(*e.operand);
    warn_unevaluated(*e.operand);
    e.type = {.type = e.op == SizeofOp::VecStep ? types_.scalar(TypeKind::Int) : types_.size_type()};
    return &e;
}

Expr* Checker::offset_of(OffsetofExpr& e) {
    QualType type = type_name(e.written);
    if (type->is_error()) return error_expr(e);
    uint64_t offset = 0;
    for (Designator& step : e.designators) {
        if (step.index) {
            step.index = value(step.index);
            if (is_error(step.index)) return error_expr(e);
            auto index = evaluate_integer(*step.index);
            if (!type->is_array() || !index) {
                diags_.error(step.range, type->is_array() ? "offsetof requires a constant array index"
                                                          : "offsetof requires array type, '" +
                                                                to_string(type) + "' invalid");
                return error_expr(e);
            }
            type = type->element;
            offset += *index * type->size_bytes;
            continue;
        }
        if (!type->is_record()) {
            diags_.error(step.range, "offsetof requires struct, union, or class type, '", type, "' invalid");
            return error_expr(e);
        }
        if (!require_complete(type, step.range, "offsetof of incomplete type ")) return error_expr(e);
        std::vector<FieldDecl*> path;
        if (!find_field(*type->record, step.field, path)) {
            diags_.error(step.range, "no member named '", step.field, "' in '", type, "'");
            return error_expr(e);
        }
        note_designator(step, *path.back());
        for (const FieldDecl* field : path) offset += field->offset_bytes;
        type = path.back()->type;
        if (type->is_error()) return error_expr(e);
    }
    e.value = offset;
    e.type = {.type = types_.size_type()};
    return &e;
}

// ---- GNU ----

Expr* Checker::stmt_expr(StmtExprExpr& e) {
    if (!function_) {
        diags_.error(e.range, "statement expression not allowed at file scope");
        return error_expr(e);
    }
    e.type = {.type = types_.scalar(TypeKind::Void)};
    ExprStmt* last = value_statement(*e.body);
    const ExprStmt* outer = stmt_expr_value_;
    stmt_expr_value_ = last;
    e.outer = std::exchange(function_->inside, &e);
    compound(*e.body, true);
    function_->inside = e.outer;
    stmt_expr_value_ = outer;
    if (!last) return &e;
    if (is_error(last->expr)) return error_expr(e);
    e.type = last->expr->type;
    return &e;
}

Expr* Checker::choose(ChooseExpr& e) {
    e.condition = value(e.condition);
    if (is_error(e.condition)) return error_expr(e);
    auto chosen = evaluate_strictly(*e.condition);
    if (!chosen) {
        diags_.error(e.condition->range, "'__builtin_choose_expr' requires a constant expression");
        return error_expr(e);
    }
    Expr*& taken = *chosen ? e.if_true : e.if_false;
    Expr*& other = *chosen ? e.if_false : e.if_true;
    taken = expr(taken);
    ++unevaluated_;
    other = expr(other);
    --unevaluated_;
    e.chosen = taken;
    e.type = taken->type;
    e.is_lvalue = taken->is_lvalue;
    return is_error(taken) ? error_expr(e) : &e;
}

Expr* Checker::types_compatible(TypesCompatibleExpr& e) {
    QualType a = type_name(e.first), b = type_name(e.second);
    e.value = compatible({.type = a.type}, {.type = b.type});
    e.type = int_type();
    return &e;
}

/// __builtin_astype and __builtin_convertvector.
Expr* Checker::as_type(AsTypeExpr& e) {
    Expr* operand = value(e.operand);
    QualType to = type_name(e.written);
    if (is_error(operand) || to->is_error()) return error_expr(e);
    const Type* from = operand->type.type;
    QualType result = {.type = to.type};
    if (e.convert) {
        if (!from->is_vector() || !to->is_vector() || from->lanes() != to->lanes()) {
            diags_.error(e.range,
                         "the argument and the type of '__builtin_convertvector' must be vectors with the "
                         "same number of elements");
            return error_expr(e);
        }
        const Type *a = from->scalar(), *b = to->scalar();
        if (a == b) return operand;
        CastKind kind = a->is_integer() ? (b->is_integer() ? CastKind::Integral : CastKind::IntToFloat)
                                        : (b->is_integer() ? CastKind::FloatToInt : CastKind::Float);
        return cast(operand, kind, result);
    }
    if (from == to.type) return operand;
    bool handle = to->kind == TypeKind::ClkEvent || to->kind == TypeKind::ReserveId;
    if (handle && evaluate_integer(*operand))  // CLK_NULL_EVENT, CLK_NULL_RESERVE_ID
        return cast(operand, CastKind::NullToPointer, result);
    if (from->kind == TypeKind::Bool || to->kind == TypeKind::Bool) {  // its bits are not specified
        diags_.error(e.range, "invalid reinterpretation: '", operand->type, "' as '", to,
                     "', because 'bool' has no specified bits");
        return error_expr(e);
    }
    bool plain = (from->is_arithmetic_or_vector() || from->is_pointer()) &&
                 (to->is_arithmetic_or_vector() || to->is_pointer());
    if (!plain || from->size_bytes != to->size_bytes) {
        diags_.error(e.range, "invalid reinterpretation: sizes of '", to, "' and '", operand->type,
                     "' must match");
        return error_expr(e);
    }
    if (from->is_pointer() && to->is_pointer()) {
        const AddressSpace a = from->element.space, b = to->element.space;
        const bool constant = a == AddressSpace::Constant || b == AddressSpace::Constant;
        const bool generic = a == AddressSpace::Generic || b == AddressSpace::Generic;
        if (a == b) return cast(operand, CastKind::PointerToPointer, result);
        if (generic && !constant) return to_pointer(operand, to.type);
        // Others keep their bits, as in clang.
        Expr* bits = cast(operand, CastKind::PointerToInt, {.type = types_.scalar(TypeKind::ULong)});
        return cast(bits, CastKind::IntToPointer, result);
    }
    return cast(operand, CastKind::BitCast, result);
}

// ---- Literals of aggregates ----

Expr* Checker::compound_literal(CompoundLiteralExpr& e) {
    QualType type = type_name(e.written);
    if (type->is_error()) return error_expr(e);
    e.is_file_scope = function_ == nullptr;
    if (e.is_file_scope && type.space == AddressSpace::Private)
        type = in_space(
            type, features_.has(Ext::ProgramScopeVariables) ? AddressSpace::Global : AddressSpace::Constant);
    if (!e.is_file_scope && type.space != AddressSpace::Private) {
        diags_.error(e.range,
                     "compound literal in function scope may not be qualified with an address space");
        return error_expr(e);
    }
    if (type->is_function() || type->is_void()) {
        diags_.error(e.range, "compound literal has incomplete or function type '", type, "'");
        return error_expr(e);
    }
    e.init = initialize(e.init, type, e.init->range, e.is_file_scope);
    if (is_error(e.init) || !require_complete(type, e.range, "variable has incomplete type "))
        return error_expr(e);
    e.type = type;
    e.is_lvalue = true;
    return &e;
}

/// `(float4)(a, b, …)` (OpenCL C 6.1.6). Scalars are converted to the element type; vectors must already have
/// it.
Expr* Checker::vector_literal(VectorLiteralExpr& e) {
    QualType type = type_name(e.written);
    if (type->is_error()) return error_expr(e);
    if (!type->is_vector()) {
        diags_.error(e.range, "a list of ", e.elements.size(), " values cannot be cast to type '", type, "'");
        return error_expr(e);
    }
    if (is_storage_only(type.type)) {
        diags_.error(e.range, "casting to type '", type, "' is not allowed");
        return error_expr(e);
    }
    const Type* element = type->element.type;
    SourceRange list = e.list_range ? e.list_range : e.range;
    uint64_t lanes = 0;
    bool bad = false, vectors = false;
    const Expr* excess = nullptr;
    for (Expr*& item : e.elements) {
        item = value(item);
        if (is_error(item)) {
            bad = true;
            continue;
        }
        if (lanes == type->lanes() && !excess) excess = item;
        lanes += item->type->lanes();
        if (item->type->is_vector()) {
            vectors = true;
            if (e.elements.size() > 1 && item->type->element.type != element) {
                convert_fault(*item, item->type, {.type = element}, Action::Init, item->range, nullptr);
                bad = true;
            }
        } else if (e.elements.size() > 1) {
            item = convert(item, {.type = element}, Action::Init, item->range);
            bad |= is_error(item);
        }
    }
    if (bad) return error_expr(e);
    e.type = {.type = type.type};
    if (e.elements.size() == 1 && !vectors) {  // one scalar fills every lane: a cast
        auto* splat = make_node<CastExpr>(arena_, e.range);
        splat->written = e.written;
        splat->operand = e.elements[0];
        return cast_vector_of(*splat, type);
    }
    bool same_elements = e.elements.size() > 1 || e.elements[0]->type->element.type == element;
    if (lanes == type->lanes() && same_elements) return &e;
    if (e.elements.size() == 1) {
        diags_.error(e.range, "invalid conversion between ext-vector type '", type, "' and '",
                     e.elements[0]->type, "'");
        return error_expr(e);
    }
    if (lanes < type->lanes())
        diags_.error(list, "too few elements in vector initialization (expected ", type->lanes(),
                     " elements, have ", lanes, ")");
    else if (!vectors)
        diags_.error(excess->range, "excess elements in vector initializer");
    else
        diags_.error(list, "too many elements in vector initialization (expected ", type->lanes(),
                     " elements, have ", lanes, ")");
    return error_expr(e);
}

Expr* Checker::cast_vector_of(CastExpr& e, const QualType& type) {
    e.type = {.type = type.type};
    if (!e.operand->type->is_arithmetic()) {
        diags_.error(e.range, "invalid conversion between vector type '", type, "' and '", e.operand->type,
                     "'");
        return error_expr(e);
    }
    return cast_vector(e, type, e.operand);
}

}  // namespace caldera::frontend
