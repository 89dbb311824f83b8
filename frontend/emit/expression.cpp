// SPDX-License-Identifier: Apache-2.0
// Rvalues: the table of contents, unary and binary operators, assignment, ?:, calls.
#include "frontend/ast/children.h"
#include "frontend/emit/emitter_impl.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

Id Emitter::rvalue(const Expr& parenthesised) {
    const Expr& expr = strip_parens(parenthesised);
    at(expr.range);
    ensure_block();
    switch (expr.kind) {
        case ExprKind::Error: check(false, "the tree has errors"); return {};
        case ExprKind::IntLiteral:
        case ExprKind::FloatLiteral:
        case ExprKind::CharLiteral:
        case ExprKind::SizeofType:
        case ExprKind::SizeofExpr:
        case ExprKind::Offsetof:
        case ExprKind::TypesCompatible: return literal(expr);
        case ExprKind::DeclRef:
            if (const auto* constant =
                    dyn<EnumConstantDecl>(static_cast<const Decl*>(as<DeclRefExpr>(expr).decl)))
                return b_.constant_int(value_type(expr.type), static_cast<uint64_t>(constant->value));
            return load(lvalue(expr));
        case ExprKind::Paren: return rvalue(*as<ParenExpr>(expr).inner);
        case ExprKind::Unary: return unary(as<UnaryExpr>(expr));
        case ExprKind::Binary: {
            const Operated value = binary(as<BinaryExpr>(expr));
            return value.boolean ? compare_result(value.id, expr.type.type) : value.id;
        }
        case ExprKind::Assign: return assign(as<AssignExpr>(expr), true);
        case ExprKind::Conditional: return conditional(as<ConditionalExpr>(expr));
        case ExprKind::Cast: return cast(as<CastExpr>(expr));
        case ExprKind::Call: {
            const auto& called = as<CallExpr>(expr);
            if (called.builtin) return builtin_call(called);
            if (called.function && !called.function->definition && called.function->same_builtin) {
                CallExpr same = called;
                same.builtin = called.function->same_builtin;
                return builtin_call(same);
            }
            return called.function ? call(called) : block_call(called);
        }
        case ExprKind::Subscript: {
            const auto& element = as<SubscriptExpr>(expr);
            if (!element.base->type->is_vector() || element.base->is_lvalue) return load(lvalue(expr));
            const Id vector = rvalue(*element.base);
            return b_.append(spv::Op::OpVectorExtractDynamic, value_type(expr.type),
                             {vector, rvalue(*element.index)});
        }
        case ExprKind::StringLiteral:
        case ExprKind::Member:
        case ExprKind::CompoundLiteral: return load(lvalue(expr));
        case ExprKind::Swizzle: return swizzle_value(as<SwizzleExpr>(expr));
        case ExprKind::VectorLiteral: return vector_literal(as<VectorLiteralExpr>(expr));
        case ExprKind::InitList: {
            if (is_aggregate(expr.type.type)) return load(spill(expr));
            const auto& list = as<InitListExpr>(expr);
            if (!expr.type->is_vector())
                return list.inits.empty() || !list.inits[0] ? zero(expr.type.type) : rvalue(*list.inits[0]);
            std::vector<Id> parts;
            for (const Expr* init : list.inits)
                parts.push_back(init ? rvalue(*init) : zero(expr.type->element.type));
            while (parts.size() < expr.type->count) parts.push_back(zero(expr.type->element.type));
            return build_vector(value_type(expr.type), parts);
        }
        case ExprKind::StmtExpr: return statement_expression(as<StmtExprExpr>(expr), true);
        case ExprKind::Choose: return rvalue(*as<ChooseExpr>(expr).chosen);
        case ExprKind::Generic: check(false, "_Generic was not resolved"); return {};
        case ExprKind::AsType: check(false, "__builtin_astype was not made a cast"); return {};
        case ExprKind::BlockLiteral: return block_literal(as<BlockLiteralExpr>(expr));
    }
    return {};
}

Id Emitter::literal(const Expr& expr) {
    const Id type = value_type(expr.type);
    uint64_t value = 0;
    switch (expr.kind) {
        case ExprKind::FloatLiteral: return constant_float(type, as<FloatLiteralExpr>(expr).value);
        case ExprKind::IntLiteral: value = as<IntLiteralExpr>(expr).value; break;
        case ExprKind::CharLiteral:
            value = static_cast<uint64_t>(int64_t{as<CharLiteralExpr>(expr).value});
            break;
        case ExprKind::SizeofType: value = as<SizeofTypeExpr>(expr).value; break;
        case ExprKind::SizeofExpr: value = as<SizeofExprExpr>(expr).value; break;
        case ExprKind::Offsetof: value = as<OffsetofExpr>(expr).value; break;
        case ExprKind::TypesCompatible: value = as<TypesCompatibleExpr>(expr).value; break;
        default: check(false, "no literal"); break;
    }
    if (is_bool(expr.type.type)) return b_.constant_bool(value != 0);
    if (is_float(expr.type.type)) return constant_float(type, static_cast<double>(value));
    return b_.constant_int(type, value);
}

/// Evaluates for the effects.
void Emitter::discard(const Expr& parenthesised) {
    const Expr& expr = strip_parens(parenthesised);
    at(expr.range);
    ensure_block();
    if (const auto* assignment = dyn<AssignExpr>(&expr)) {
        assign(*assignment, false);
        return;
    }
    if (const auto* operation = dyn<UnaryExpr>(&expr);
        operation && operation->op >= UnaryOp::PreInc && operation->op <= UnaryOp::PostDec) {
        increment(*operation, false);
        return;
    }
    if (const auto* block = dyn<StmtExprExpr>(&expr)) {
        statement_expression(*block, false);
        return;
    }
    if (is_aggregate(expr.type.type) && expr.kind != ExprKind::Call) {
        if (expr.kind != ExprKind::Cast) spill(expr);
        return;
    }
    rvalue(expr);
}

Id Emitter::condition(const Expr& parenthesised) {
    const Expr& expr = strip_parens(parenthesised);
    if (const auto* operation = dyn<BinaryExpr>(&expr)) {
        const Operated value = binary(*operation);
        return value.boolean ? value.id : not_zero(value.id, expr.type.type);
    }
    if (const auto* operation = dyn<UnaryExpr>(&expr); operation && operation->op == UnaryOp::LogicalNot) {
        const Id inner = condition(*operation->operand);
        if (const auto known = b_.constant_value(inner)) return b_.constant_bool(*known == 0);
        return b_.append(spv::Op::OpLogicalNot, b_.type_of(inner), {inner});
    }
    if (const auto* conversion = dyn<CastExpr>(&expr); conversion && conversion->cast == CastKind::Integral &&
                                                       !expr.type->is_vector() &&
                                                       is_bool(conversion->operand->type.type))
        return rvalue(*conversion->operand);
    return not_zero(rvalue(expr), expr.type.type);
}

// ---- Unary operators ----

Id Emitter::unary(const UnaryExpr& expr) {
    const Type* type = expr.type.type;
    switch (expr.op) {
        case UnaryOp::Plus:
        case UnaryOp::Extension: return rvalue(*expr.operand);
        case UnaryOp::Minus: return negate(rvalue(*expr.operand), type);
        case UnaryOp::Not: {
            const Id value = rvalue(*expr.operand);
            if (const auto known = b_.constant_value(value))
                return b_.constant_int(value_type(type), ~*known);
            return b_.append(spv::Op::OpNot, value_type(type), {value});
        }
        case UnaryOp::LogicalNot: return compare_result(condition(expr), type);
        case UnaryOp::Deref: return load(lvalue(expr));
        case UnaryOp::AddressOf: {
            const Place place = lvalue(*expr.operand);
            check(!place.vector, "the address of a vector's component");
            return convert_pointer(place.pointer, value_type(expr.type));
        }
        case UnaryOp::PreInc:
        case UnaryOp::PreDec:
        case UnaryOp::PostInc:
        case UnaryOp::PostDec: return increment(expr, true);
        case UnaryOp::Real:
        case UnaryOp::Imag: return decline(expr.range, "a complex number", type);
    }
    return {};
}

Id Emitter::increment(const UnaryExpr& expr, bool want_value) {
    const bool up = expr.op == UnaryOp::PreInc || expr.op == UnaryOp::PostInc;
    const bool prefix = expr.op == UnaryOp::PreInc || expr.op == UnaryOp::PreDec;
    const BinaryOp op = up ? BinaryOp::Add : BinaryOp::Sub;
    const Place place = lvalue(*expr.operand);
    const Type* type = place.type.type;
    const Id old = load(place);
    Id value = {};
    if (type->is_pointer())
        value = pointer_offset(op, old, b_.constant_u64(1), types_.ptrdiff_type());
    else if (is_bool(type))
        value = up ? b_.constant_bool(true) : b_.append(spv::Op::OpLogicalNot, b_.type_bool(), {old});
    else
        value = arithmetic(op, type, old, scalar_constant(type, 1));
    store(place, value);
    return want_value ? (prefix ? value : old) : Id{};
}

// ---- Binary operators ----

/// A long `a + b + c + …` leans to the left: the spine is walked by a loop.
Emitter::Operated Emitter::binary(const BinaryExpr& expr) {
    std::vector<const BinaryExpr*> spine = {&expr};
    while (const auto* inner = dyn<BinaryExpr>(&strip_parens(*spine.back()->lhs))) spine.push_back(inner);
    const BinaryExpr& first = *spine.back();
    Operated value;
    if (first.op == BinaryOp::Comma)
        discard(*first.lhs);
    else if (first.op == BinaryOp::LogicalAnd || first.op == BinaryOp::LogicalOr)
        value = {condition(*first.lhs), true};
    else
        value = {rvalue(*first.lhs), false};
    for (auto step = spine.rbegin(); step != spine.rend(); ++step) {
        const auto sum = std::next(step);
        const bool keeps_product =
            sum != spine.rend() && contracted((*sum)->op, (*sum)->type.type, *(*sum)->lhs);
        value = binary_step(**step, value, keeps_product);
    }
    return value;
}

/// `keeps_product`: the next step takes the product's factors.
Emitter::Operated Emitter::binary_step(const BinaryExpr& expr, Operated left, bool keeps_product) {
    const Type* lhs_type = expr.lhs->type.type;
    const Type* rhs_type = expr.rhs->type.type;
    const Type* type = expr.type.type;
    switch (expr.op) {
        case BinaryOp::Comma: return {rvalue(*expr.rhs), false};
        case BinaryOp::LogicalAnd:
        case BinaryOp::LogicalOr:
            return {short_circuit(expr, left.boolean ? left.id : not_zero(left.id, lhs_type)), true};
        default: break;
    }
    const Id lhs = left.boolean ? compare_result(left.id, lhs_type) : left.id;
    const BinaryExpr* product = left.factor ? nullptr : contracted(expr.op, type, *expr.rhs);
    if (left.factor || product)
        return {contracted_sum(expr, product, {.id = lhs, .factor = left.factor}), false};
    const Id rhs = rvalue(*expr.rhs);
    if (keeps_product) return {.id = lhs, .factor = rhs};
    at(expr.op_range);
    switch (expr.op) {
        case BinaryOp::Less:
        case BinaryOp::Greater:
        case BinaryOp::LessEqual:
        case BinaryOp::GreaterEqual:
        case BinaryOp::Equal:
        case BinaryOp::NotEqual: return {compare(expr.op, lhs_type, lhs, rhs), true};
        case BinaryOp::Shl:
        case BinaryOp::Shr: return {shift(expr.op, type, lhs, rhs, rhs_type), false};
        case BinaryOp::Add:
        case BinaryOp::Sub:
            if (lhs_type->is_pointer() && rhs_type->is_pointer())
                return {pointer_difference(expr, lhs, rhs), false};
            if (lhs_type->is_pointer()) return {pointer_offset(expr.op, lhs, rhs, rhs_type), false};
            if (rhs_type->is_pointer()) return {pointer_offset(expr.op, rhs, lhs, lhs_type), false};
            [[fallthrough]];
        default: return {arithmetic(expr.op, type, lhs, rhs), false};
    }
}

const BinaryExpr* Emitter::contracted(BinaryOp op, const Type* type, const Expr& operand) const {
    if (!contracts_ || (op != BinaryOp::Add && op != BinaryOp::Sub)) return nullptr;
    if (!type->is_arithmetic_or_vector() || !is_float(type)) return nullptr;
    const auto* product = dyn<BinaryExpr>(&strip_parens(operand));
    return product && product->op == BinaryOp::Mul && product->type.type == type ? product : nullptr;
}

/// Emits a * b + c and similar expressions as OpenCL.std's mad, which is an fma or rounds the product, as
/// clang's fmuladd. If there are two products, the left one is contracted, as in clang. `lhs` is the left
/// product's factors, or the value to which `product` is added.
Id Emitter::contracted_sum(const BinaryExpr& expr, const BinaryExpr* product, Operated lhs) {
    const Type* type = expr.type.type;
    if (lhs.factor) {
        const Id added = rvalue(*expr.rhs);
        at(expr.op_range);
        return multiply_add(type, lhs.id, lhs.factor, expr.op == BinaryOp::Sub ? negate(added, type) : added);
    }
    const Id a = rvalue(*product->lhs), b = rvalue(*product->rhs);
    at(expr.op_range);
    return multiply_add(type, expr.op == BinaryOp::Sub ? negate(a, type) : a, b, lhs.id);
}

Id Emitter::pointer_offset(BinaryOp op, Id pointer, Id index, const Type* index_type) {
    const Id wide = b_.type_int(64);
    index = convert_integer(index, index_type, wide);
    if (op == BinaryOp::Sub) index = negate(index, types_.ptrdiff_type());
    return element_pointer(pointer, index);
}

Id Emitter::pointer_difference(const BinaryExpr& expr, Id lhs, Id rhs) {
    const Id wide = b_.type_int(64);
    const Id a = b_.append(spv::Op::OpConvertPtrToU, wide, {lhs});
    const Id b = b_.append(spv::Op::OpConvertPtrToU, wide, {rhs});
    const Id bytes = b_.append(spv::Op::OpISub, wide, {a, b});
    const uint64_t size = expr.lhs->type->element->size_bytes;
    if (size <= 1) return bytes;
    return b_.append(spv::Op::OpSDiv, wide, {bytes, b_.constant_u64(size)});
}

/// `&&` and `||`: the right side is evaluated only when it decides (C99 6.5.13), in vectors always.
Id Emitter::short_circuit(const BinaryExpr& expr, Id lhs) {
    const bool is_and = expr.op == BinaryOp::LogicalAnd;
    const spv::Op op = is_and ? spv::Op::OpLogicalAnd : spv::Op::OpLogicalOr;
    if (const auto known = b_.constant_value(lhs)) {
        const bool decided = is_and ? *known == 0 : *known != 0;
        return decided ? lhs : condition(*expr.rhs);
    }
    if (expr.lhs->type->is_vector() || is_cheap(*expr.rhs)) {
        const Id rhs = condition(*expr.rhs);
        at(expr.op_range);
        return b_.append(op, b_.type_of(lhs), {lhs, rhs});
    }
    const Id from = b_.current_label(), more = b_.fresh(), merge = b_.fresh();
    selection_merge(merge);
    b_.branch_if(lhs, is_and ? more : merge, is_and ? merge : more);
    b_.begin_block(more);
    const Id rhs = condition(*expr.rhs);
    ensure_block();
    const Id rhs_end = b_.current_label();
    b_.branch(merge);
    b_.begin_block(merge);
    return b_.append(spv::Op::OpPhi, b_.type_bool(), {b_.constant_bool(!is_and), from, rhs, rhs_end});
}

// ---- Assignment ----

Id Emitter::assign(const AssignExpr& expr, bool want_value) {
    if (!expr.compound) {
        if (is_aggregate(expr.lhs->type.type)) {
            const Place place = lvalue(*expr.lhs);
            emit_into(*expr.rhs, place);
            return want_value ? load(place) : Id{};
        }
        const Id value = rvalue(*expr.rhs);
        store(lvalue(*expr.lhs), value);
        return value;
    }
    const Type* wide = expr.computation_type ? expr.computation_type : expr.lhs->type.type;
    const BinaryExpr* product = contracted(expr.op, wide, *expr.rhs);
    Id rhs = rvalue(product ? *product->lhs : *expr.rhs);
    const Id factor = product ? rvalue(*product->rhs) : Id{};
    const Place place = lvalue(*expr.lhs);
    const Type* type = place.type.type;
    const Type* rhs_type = expr.rhs->type.type;
    const Id old = load(place);
    at(expr.op_range);
    if (type->is_pointer()) {
        const Id moved = pointer_offset(expr.op, old, rhs, rhs_type);
        store(place, moved);
        return moved;
    }
    if (wide->is_pointer()) {  // i += p
        const Id moved = pointer_offset(expr.op, rhs, old, type);
        const Id bits = b_.append(spv::Op::OpConvertPtrToU, b_.type_int(64), {moved});
        const Id value = convert(bits, types_.size_type(), type);
        store(place, value);
        return value;
    }
    const Id lhs = convert(old, type, wide);
    Id value = {};
    if (product) {
        value = multiply_add(wide, expr.op == BinaryOp::Sub ? negate(rhs, wide) : rhs, factor, lhs);
    } else if (expr.op == BinaryOp::Shl || expr.op == BinaryOp::Shr) {
        value = shift(expr.op, wide, lhs, rhs, rhs_type);
    } else {
        if (rhs_type->lanes() != wide->lanes()) rhs = splat(rhs, value_type(wide));
        value = arithmetic(expr.op, wide, lhs, rhs);
    }
    value = convert(value, wide, type);
    store(place, value);
    return value;
}

// ---- ?: ----

/// The condition as OpSelect wants it for this type: SPIR-V 1.0 has one bool for each component.
Id Emitter::condition_vector(Id condition, const Type* type) {
    if (!type->is_vector() || b_.is_vector(b_.type_of(condition))) return condition;
    return splat(condition, b_.type_vector(b_.type_bool(), type->lanes()));
}

Id Emitter::conditional(const ConditionalExpr& expr) {
    const Type* type = expr.type.type;
    const Type* condition_type = expr.condition->type.type;
    if (is_aggregate(type)) return load(spill(expr));
    if (condition_type->is_vector()) {
        const Id mask = rvalue(*expr.condition);
        const Id test = top_bit(mask, condition_type);
        const Id yes = expr.if_true ? rvalue(*expr.if_true) : mask;
        const Id no = rvalue(*expr.if_false);
        return b_.append(spv::Op::OpSelect, value_type(expr.type), {test, yes, no});
    }
    Id true_value = {}, test = {};
    if (expr.if_true) {
        test = condition(*expr.condition);
    } else {
        true_value = rvalue(*expr.condition);
        test = not_zero(true_value, condition_type);
        true_value = type->is_pointer() ? convert_pointer(true_value, value_type(expr.type))
                                        : convert(true_value, condition_type, type);
    }
    if (const auto known = b_.constant_value(test)) {
        if (*known) return expr.if_true ? rvalue(*expr.if_true) : true_value;
        return rvalue(*expr.if_false);
    }
    const bool selects = type->is_arithmetic_or_vector() || type->is_pointer();
    if (selects && (!expr.if_true || is_cheap(*expr.if_true)) && is_cheap(*expr.if_false)) {
        const Id yes = expr.if_true ? rvalue(*expr.if_true) : true_value;
        const Id no = rvalue(*expr.if_false);
        return b_.append(spv::Op::OpSelect, value_type(expr.type), {condition_vector(test, type), yes, no});
    }
    return conditional_by_branch(expr, test, true_value);
}

Id Emitter::conditional_by_branch(const ConditionalExpr& expr, Id test, Id true_value) {
    Id yes = {}, no = {};
    const auto [then_end, else_end] = either(
        test, [&] { yes = expr.if_true ? rvalue(*expr.if_true) : true_value; },
        [&] { no = rvalue(*expr.if_false); });
    if (expr.type->is_void()) return {};
    return b_.append(spv::Op::OpPhi, value_type(expr.type), {yes, then_end, no, else_end});
}

// ---- Vectors ----

Id Emitter::swizzle_value(const SwizzleExpr& expr) {
    if (expr.base->is_lvalue) return load(lvalue(expr));
    return shuffle(rvalue(*expr.base), expr.lanes, expr.lane_count);
}

Id Emitter::vector_literal(const VectorLiteralExpr& expr) {
    const Id type = value_type(expr.type);
    if (expr.elements.size() == 1) {
        const Id only = rvalue(*expr.elements[0]);
        return expr.elements[0]->type->is_vector() ? only : splat(only, type);
    }
    std::vector<Id> parts;
    for (const Expr* element : expr.elements) parts.push_back(rvalue(*element));
    return build_vector(value_type(expr.type), parts);
}

// ---- Calls and statement expressions ----

Id Emitter::call(const CallExpr& expr) {
    check(expr.function != nullptr, "a call of nothing known");
    const FunctionDecl& function = instance(*expr.function, expr.args);
    Operands operands = {function_id(function)};
    const Place result = result_by_reference(function) ? temporary(expr.type) : Place{};
    if (result.pointer) operands.push_back(result.pointer);
    for (const Expr* arg : expr.args)
        operands.push_back(by_reference(function, arg->type) ? spill(*arg).pointer : rvalue(*arg));
    at(expr.range);  // not its last argument's line
    const Id value = b_.append(spv::Op::OpFunctionCall, result_type(function), std::move(operands));
    return result.pointer ? load(result) : value;
}

Id Emitter::statement_expression(const StmtExprExpr& expr, bool want_value) {
    const ExprStmt* last = want_value ? value_statement(*expr.body) : nullptr;
    for (const Stmt* stmt : expr.body->body) {
        const Stmt* inner = stmt;
        while (const auto* label = dyn<LabelStmt>(inner)) inner = label->body;
        if (!last || inner != last) {
            statement(*stmt);
            continue;
        }
        for (; stmt != last; stmt = as<LabelStmt>(*stmt).body)
            if (!structured_) label_block(label_of(as<LabelStmt>(*stmt)));
        const Id value = rvalue(*last->expr);
        ensure_block();
        return value;
    }
    ensure_block();
    return {};
}

}  // namespace caldera::frontend
