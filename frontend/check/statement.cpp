// SPDX-License-Identifier: Apache-2.0
// Statements (C99 6.8).
#include <algorithm>

#include "frontend/ast/operators.h"
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

void Checker::statement(Stmt*& stmt) {
    if (!stmt || diags_.stopped()) return;
    attributes(stmt->attributes, kOnStatement);
    for (Attribute& attribute : stmt->attributes)
        if (attribute.name == "opencl_unroll_hint")
            unroll_hint(*stmt, attribute);
        else if (attribute.name == "unroll")
            unroll_pragma(attribute);
        else if (attribute.name == "fallthrough" && stmt->kind != StmtKind::Null)
            diags_.error(attribute.range, "'fallthrough' attribute only applies to empty statements");
        else if (attribute.name == "fallthrough" && !switch_)
            diags_.error(attribute.range, "fallthrough annotation is outside switch statement");
    switch (stmt->kind) {
        case StmtKind::Error: return;
        case StmtKind::Compound: return compound(as<CompoundStmt>(*stmt), true);
        case StmtKind::Decl:
            for (Decl* decl : as<DeclStmt>(*stmt).decls) declaration(decl);
            return;
        case StmtKind::Expr: return expression_statement(as<ExprStmt>(*stmt));
        case StmtKind::Null: return;
        case StmtKind::If: return if_statement(&as<IfStmt>(*stmt));
        case StmtKind::Switch: return switch_statement(as<SwitchStmt>(*stmt));
        case StmtKind::Case:
        case StmtKind::Default:
        case StmtKind::Label: return labelled(stmt);
        case StmtKind::While: return while_statement(as<WhileStmt>(*stmt));
        case StmtKind::Do: return do_statement(as<DoStmt>(*stmt));
        case StmtKind::For: return for_statement(as<ForStmt>(*stmt));
        case StmtKind::Goto:
            as<GotoStmt>(*stmt).inside = function_->inside;
            function_->gotos.push_back({&as<GotoStmt>(*stmt), local_label(as<GotoStmt>(*stmt).name)});
            return;
        case StmtKind::Continue:
            as<ContinueStmt>(*stmt).in_step = function_->continues_in_step;
            if (!function_->loop_depth)
                diags_.error(stmt->range, "'continue' statement not in loop statement");
            return;
        case StmtKind::Break:
            as<BreakStmt>(*stmt).in_step = function_->breaks_in_step;
            if (!function_->break_depth)
                diags_.error(stmt->range, "'break' statement not in loop or switch statement");
            return;
        case StmtKind::Return: return return_statement(as<ReturnStmt>(*stmt));
    }
}

void Checker::compound(CompoundStmt& stmt, bool new_scope) {
    if (new_scope) scopes_.push();
    declare_labels(stmt);
    for (size_t i = 0; i < stmt.body.size(); ++i) {
        statement(stmt.body[i]);
        const Stmt* next = i + 1 < stmt.body.size() ? stmt.body[i + 1] : nullptr;
        warn_empty_loop(*stmt.body[i], next);
        warn_indentation(*stmt.body[i], next);
    }
    forget_labels(stmt);
    if (new_scope) leave_scope();
}

void Checker::leave_scope() {
    warn_unused_declarations();
    scopes_.pop();
}

void Checker::expression_statement(ExprStmt& stmt) {
    stmt.expr = expr(stmt.expr);
    if (&stmt == stmt_expr_value_) {
        stmt.expr = rvalue(stmt.expr);
        return;
    }
    if (is_error(stmt.expr)) return;
    if (stmt.expr->type->is_function()) {
        stmt.expr = rvalue(stmt.expr);  // reports
        return;
    }
    // An unused read still counts where a read must happen (volatile) or is not allowed.
    if (stmt.expr->is_lvalue &&
        (stmt.expr->type.is_volatile || half_operand(stmt.expr) || !stmt.expr->type->is_complete()))
        stmt.expr = rvalue(stmt.expr);
    if (is_error(stmt.expr)) return;
    warn_unused(*stmt.expr);
}

/// A scalar rvalue, which if, while, do and for require.
Expr* Checker::condition(Expr* e, SourceRange keyword) {
    e = value(e);
    if (is_error(e)) return e;
    if (!e->type->is_scalar()) {
        diags_.error(keyword, "statement requires expression of scalar type ('", e->type, "' invalid)")
            .highlight(e->range);
        return error_expr(*e);
    }
    warn_condition(*e);
    warn_extra_parentheses(*e);
    return e;
}

/// The source range of a statement's keyword.
static SourceRange keyword_of(const Stmt& stmt) { return stmt.range; }

/// `else if` chains may be long: they are walked by a loop.
void Checker::if_statement(IfStmt* stmt) {
    for (;;) {
        // Without its parentheses, a condition may take what was meant to be the body.
        const auto* faulty = dyn<ErrorExpr>(stmt->condition);
        const bool has_parentheses = !faulty || faulty->partial;
        stmt->condition = condition(stmt->condition, keyword_of(*stmt));
        if (has_parentheses && !stmt->otherwise) warn_empty_body(stmt->then);
        scopes_.push();
        statement(stmt->then);
        leave_scope();
        auto* next = dyn<IfStmt>(stmt->otherwise);
        if (!next || !next->attributes.empty()) break;
        stmt = next;
    }
    if (!stmt->otherwise) return;
    scopes_.push();
    statement(stmt->otherwise);
    leave_scope();
}

/// Checks a part of a loop. As in clang, `break` and `continue` mean the loop also in statement expressions
/// of its condition and its step; in gcc they mean the loop around it.
template <class Check>
void Checker::in_loop(bool in_step, Check check) {
    FunctionContext& function = *function_;
    const bool breaks = std::exchange(function.breaks_in_step, in_step);
    const bool continues = std::exchange(function.continues_in_step, in_step);
    ++function.loop_depth;
    ++function.break_depth;
    check();
    --function.loop_depth;
    --function.break_depth;
    function.breaks_in_step = breaks;
    function.continues_in_step = continues;
}

void Checker::loop_body(Stmt*& body) {
    in_loop(false, [&] {
        scopes_.push();
        statement(body);
        leave_scope();
    });
}

void Checker::while_statement(WhileStmt& stmt) {
    in_loop(false, [&] { stmt.condition = condition(stmt.condition, keyword_of(stmt)); });
    loop_body(stmt.body);
}

void Checker::do_statement(DoStmt& stmt) {
    loop_body(stmt.body);
    in_loop(true, [&] { stmt.condition = condition(stmt.condition, keyword_of(stmt)); });
}

/// C99 6.8.5p3: only objects with storage class auto.
void Checker::for_declaration(const DeclStmt& stmt) {
    for (Decl* decl : stmt.decls) {
        auto* var = dyn<VarDecl>(decl);
        if (var && var->has_global_lifetime)
            diags_.error(var->name_range, "declaration of non-local variable in 'for' loop");
        else if (!var && decl->kind != DeclKind::Empty)
            diags_.error(decl->name_range, "non-variable declaration in 'for' loop");
    }
}

void Checker::for_statement(ForStmt& stmt) {
    scopes_.push();
    if (stmt.init) {
        statement(stmt.init);
        if (auto* declared = dyn<DeclStmt>(stmt.init)) for_declaration(*declared);
    }
    if (stmt.condition) in_loop(false, [&] { stmt.condition = condition(stmt.condition, keyword_of(stmt)); });
    if (stmt.step) {
        in_loop(true, [&] { stmt.step = expr(stmt.step); });
        if (!is_error(stmt.step)) warn_unused(*stmt.step);
    }
    loop_body(stmt.body);
    leave_scope();
}

void Checker::return_statement(ReturnStmt& stmt) {
    if (stmt.value) stmt.value = expr(stmt.value);
    if (function_->infer_result) return infer_result(stmt);
    const QualType& result = function_->result;
    std::string_view name = function_->decl->name;
    if (result->is_error() || (stmt.value && is_error(stmt.value))) return;
    if (!stmt.value) {
        if (!result->is_void())
            diags_.error(stmt.range, "non-void function '", name, "' should return a value");
        return;
    }
    if (result->is_void()) {
        if (stmt.value->type->is_void()) {
            diags_
                .warning(Warning::Pedantic, stmt.range, "void function '", name,
                         "' should not return void expression")
                .highlight(stmt.value->range);
            return;
        }
        diags_
            .warning(Warning::ReturnValue, stmt.range, "void function '", name, "' should not return a value")
            .highlight(stmt.value->range);
        stmt.value = cast(stmt.value, CastKind::ToVoid, {.type = types_.scalar(TypeKind::Void)});
        return;
    }
    stmt.value = convert(stmt.value, result, Action::Return, expr_place(*stmt.value));
}

// ---- switch (C99 6.8.4.2) ----

void Checker::switch_statement(SwitchStmt& stmt) {
    stmt.condition = value(stmt.condition);
    SwitchContext context;
    context.stmt = &stmt;
    context.inside = function_->inside;
    const EnumDecl* enumeration = nullptr;
    if (!is_error(stmt.condition)) {
        if (!stmt.condition->type->is_integer()) {
            diags_
                .error(keyword_of(stmt), "statement requires expression of integer type ('",
                       stmt.condition->type, "' invalid)")
                .highlight(stmt.condition->range);
            stmt.condition = error_expr(*stmt.condition);
        } else {
            enumeration = stmt.condition->type->enum_decl;
            context.written_type = stmt.condition->type.type;
            stmt.condition = promoted(stmt.condition);
            context.type = stmt.condition->type.type;
        }
    }
    SwitchContext* outer = switch_;
    switch_ = &context;
    ++function_->break_depth;
    const bool breaks_in_step = std::exchange(function_->breaks_in_step, false);
    scopes_.push();
    statement(stmt.body);
    leave_scope();
    function_->breaks_in_step = breaks_in_step;
    --function_->break_depth;
    case_duplicates();
    stmt.has_default = context.default_stmt != nullptr;
    if (enumeration && !stmt.has_default) warn_missing_enumerators(stmt, *enumeration);
    warn_switch(stmt, enumeration);
    switch_ = outer;
}

/// Labels stack up (`case 1: case 2: …`): they are walked by a loop, down to the statement that they label.
void Checker::labelled(Stmt* stmt) {
    for (;;) {
        Stmt** body = nullptr;
        if (auto* label = dyn<CaseStmt>(stmt)) {
            case_label(*label);
            body = &label->body;
        } else if (auto* other = dyn<DefaultStmt>(stmt)) {
            default_label(*other);
            body = &other->body;
        } else if (auto* named = dyn<LabelStmt>(stmt)) {
            define_label(*named);
            body = &named->body;
        } else {
            statement(stmt);
            return;
        }
        if (!*body) return;
        stmt = *body;
        if (!stmt->attributes.empty()) {
            statement(*body);
            return;
        }
    }
}

/// Whether a label has a switch, which may not jump into a statement expression (as in gcc).
bool Checker::belongs_to_switch(const Stmt& label, std::string_view keyword) {
    if (!switch_) {
        diags_.error(label.range, "'", keyword, "' statement not in switch statement");
    } else if (function_->inside != switch_->inside) {
        diags_.error(label.range, "switch jumps into statement expression")
            .note(keyword_of(*switch_->stmt), "switch starts here");
    } else {
        return true;
    }
    return false;
}

void Checker::default_label(DefaultStmt& stmt) {
    if (!belongs_to_switch(stmt, "default")) return;
    if (switch_->default_stmt)
        diags_.error(switch_->default_stmt->range, "multiple default labels in one switch")
            .note(stmt.range, "previous case defined here");
    switch_->default_stmt = &stmt;
}

bool Checker::case_value(Expr*& e, uint64_t& bits) {
    e = value(e);
    if (is_error(e)) return false;
    if (!e->type->is_integer()) {
        diags_.error(e->range, "integer constant expression must have integer type, not '", e->type, "'");
        return false;
    }
    const Type* type = switch_->type;
    if (!constant_value(*e) || !type) return false;
    warn_case_overflow(*e);
    e = to_arithmetic(e, type);
    bits = *evaluate_integer(*e);
    return true;
}

void Checker::case_label(CaseStmt& stmt) {
    if (!belongs_to_switch(stmt, "case")) return;
    bool first = case_value(stmt.first_expr, stmt.first);
    stmt.last = stmt.first;
    bool last = !stmt.last_expr || case_value(stmt.last_expr, stmt.last);
    if (!first || !last || !switch_->type) return;
    const Type& type = *switch_->type;
    const SwitchContext::Label label = {order_key(stmt.first, type), order_key(stmt.last, type), &stmt};
    stmt.is_empty = label.last < label.first;
    if (stmt.is_empty) {
        diags_.warning(Warning::EmptyCaseRange, stmt.first_expr->range, "empty case range specified")
            .highlight(stmt.last_expr->range);
        return;
    }
    switch_->labels.push_back(label);
}

/// The name of an enumerator or a variable that a label is written as; empty for other expressions.
static std::string_view name_of_value(const Expr& e) {
    const Expr* inner = strip_parens(&e);
    while (auto* cast = dyn<CastExpr>(inner)) inner = strip_parens(cast->operand);
    auto* ref = dyn<DeclRefExpr>(inner);
    return ref ? ref->name : std::string_view();
}

void Checker::duplicate_case(const CaseStmt& stmt, const CaseStmt& earlier, std::string_view value) {
    diags_.error(stmt.first_expr->range, "duplicate case value '", value, "'")
        .note(earlier.first_expr->range, "previous case defined here");
}

/// Labels that overlap: single values first, then each range, once, with the last of the values in it or with
/// the range that begins before it, as clang reports them.
void Checker::case_duplicates() {
    std::ranges::stable_sort(switch_->labels, {}, &SwitchContext::Label::first);
    std::vector<SwitchContext::Label> values, ranges;
    for (const auto& label : switch_->labels) (label.stmt->last_expr ? ranges : values).push_back(label);
    for (size_t i = 1; i < values.size(); ++i) {
        if (values[i].first != values[i - 1].first) continue;
        const CaseStmt &stmt = *values[i].stmt, &earlier = *values[i - 1].stmt;
        const std::string value = decimal(stmt.first, *switch_->type);
        const std::string_view name = name_of_value(*stmt.first_expr),
                               other = name_of_value(*earlier.first_expr);
        if (name == other)
            duplicate_case(stmt, earlier, name.empty() ? value : name);
        else
            diags_
                .error(stmt.first_expr->range, "duplicate case value: '", other.empty() ? value : other,
                       "' and '", name.empty() ? value : name, "' both equal '", value, "'")
                .note(earlier.first_expr->range, "previous case defined here");
    }
    for (size_t i = 0; i < ranges.size(); ++i) {
        const auto& range = ranges[i];
        const auto beyond = std::ranges::upper_bound(values, range.last, {}, &SwitchContext::Label::first);
        const bool has_value = beyond != values.begin() && beyond[-1].first >= range.first;
        if (i > 0 && range.first <= ranges[i - 1].last)
            duplicate_case(*range.stmt, *ranges[i - 1].stmt,
                           decimal(ranges[i - 1].stmt->last, *switch_->type));
        else if (has_value)
            duplicate_case(*range.stmt, *beyond[-1].stmt, decimal(beyond[-1].stmt->first, *switch_->type));
    }
}

/// The most that a loop can be asked to be unrolled by, as for clang.
static constexpr uint64_t kMostTurns = INT32_MAX;

/// `#pragma unroll N`; 0 and 1 forbid unrolling.
void Checker::unroll_pragma(Attribute& attribute) {
    if (attribute.args.empty()) return;
    Expr*& factor = attribute.args[0];
    factor = value(factor);
    if (is_error(factor)) return;
    const auto bits = factor->type->is_integer() ? evaluate_as_long(*factor) : std::nullopt;
    if (!bits)
        diags_.error(factor->range, "expression is not an integer constant expression");
    else if (factor->type->is_signed() && static_cast<int64_t>(*bits) < 0)
        diags_.error(factor->range, "invalid value '", static_cast<int64_t>(*bits),
                     "'; must not be negative");
    else if (*bits > kMostTurns)
        diags_.error(factor->range, "value '", *bits, "' is too large");
}

/// OpenCL C 6.11.5.
void Checker::unroll_hint(Stmt& stmt, Attribute& attribute) {
    if (stmt.kind != StmtKind::For && stmt.kind != StmtKind::While && stmt.kind != StmtKind::Do) {
        diags_.error(attribute.range,
                     "'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' "
                     "statements");
        return;
    }
    if (attribute.args.empty()) return;
    if (attribute.args.size() > 1) return;  // reported
    Expr*& factor = attribute.args[0];
    factor = value(factor);
    if (is_error(factor)) return;
    const auto bits = factor->type->is_integer() ? evaluate_as_long(*factor) : std::nullopt;
    if (!bits)
        diags_.error(attribute.range, "'opencl_unroll_hint' attribute requires an integer constant")
            .highlight(factor->range);
    else if (*bits == 0 || *bits > kMostTurns)  // those below 0 among them
        diags_.error(attribute.range,
                     "'opencl_unroll_hint' attribute requires a positive integral compile time "
                     "constant expression");
}

}  // namespace caldera::frontend
