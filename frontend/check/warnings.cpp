// SPDX-License-Identifier: Apache-2.0
// Warnings that cost one look: what is unused, empty or falls off the end.
#include <algorithm>
#include <unordered_set>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

std::string_view spelling_of(BinaryOp op) {
    switch (op) {
        case BinaryOp::Equal: return "equality";
        case BinaryOp::NotEqual: return "inequality";
        default: return "relational";
    }
}

bool is_comparison(BinaryOp op) { return op >= BinaryOp::Less && op <= BinaryOp::NotEqual; }

bool has_attribute_in(const Specifiers* spec, const Declarator& declarator, std::string_view name) {
    for (const Attribute& attribute : spec->attributes)
        if (attribute.name == name) return true;
    for (const Attribute& attribute : declarator.attributes)
        if (attribute.name == name) return true;
    return false;
}

}  // namespace

/// Whether nobody taking the value of `e` is worth a warning, and where (as clang's isUnusedResultAWarning).
static const Expr* useless_part(const Expr& e) {
    const Expr* inner = strip_parens(&e);
    if (inner->type->is_void()) return nullptr;
    if (inner->is_lvalue && inner->type.is_volatile) return nullptr;
    switch (inner->kind) {
        case ExprKind::Error:
        case ExprKind::Assign:
        case ExprKind::Call:
        case ExprKind::StmtExpr:
        case ExprKind::Choose: return nullptr;
        case ExprKind::Conditional: {  // with one arm of use it stands for an if
            auto& either = as<ConditionalExpr>(*inner);
            bool both = either.if_true && useless_part(*either.if_true) && useless_part(*either.if_false);
            return both ? useless_part(*either.if_false) : nullptr;
        }
        case ExprKind::Cast: {
            auto& cast = as<CastExpr>(*inner);
            if (cast.cast == CastKind::ToVoid) return nullptr;
            if (cast.written) return inner;
            if (cast.cast == CastKind::LValueToRValue && cast.operand->type.is_volatile) return nullptr;
            return useless_part(*cast.operand);
        }
        case ExprKind::Unary: {
            UnaryOp op = as<UnaryExpr>(*inner).op;
            return op >= UnaryOp::PreInc && op <= UnaryOp::PostDec ? nullptr : inner;
        }
        case ExprKind::Binary: {
            auto& binary = as<BinaryExpr>(*inner);
            if (binary.op == BinaryOp::Comma) return useless_part(*binary.rhs);
            bool logical = binary.op == BinaryOp::LogicalAnd || binary.op == BinaryOp::LogicalOr;
            return !logical || useless_part(*binary.rhs) ? inner : nullptr;
        }
        default: return inner;
    }
}

/// An expression statement (or the left of a comma) whose value nobody takes.
void Checker::warn_unused(const Expr& e) {
    if (unevaluated_ || is_error(&e)) return;
    const Expr* part = useless_part(e);
    if (!part) return;
    auto* binary = dyn<BinaryExpr>(part);
    if (binary && is_comparison(binary->op)) {
        diags_
            .warning(Warning::UnusedComparison, binary->op_range, spelling_of(binary->op),
                     " comparison result unused")
            .highlight(binary->lhs->range)
            .highlight(binary->rhs->range);
        return;
    }
    SourceRange at = expr_place(*part);
    if (part->kind == ExprKind::Subscript)
        at = {{part->range.end.offset - 1}, part->range.end};  // the bracket
    diags_.warning(Warning::UnusedValue, at, "expression result unused");
}

void Checker::warn_condition(const Expr& e) {
    auto* assign = dyn<AssignExpr>(&e);
    if (!assign || assign->compound) return;
    diags_
        .warning(Warning::Parentheses, assign->op_range,
                 "using the result of an assignment as a condition without parentheses")
        .highlight(e.range)
        .note(assign->op_range, "place parentheses around the assignment to silence this warning")
        .note(assign->op_range, "use '==' to turn this assignment into an equality comparison");
}

void Checker::warn_division(const BinaryExpr& e, const Expr& rhs) {
    if (unevaluated_ || !rhs.type->is_integer()) return;
    auto bits = evaluate_integer(rhs);
    if (bits && *bits == 0)
        diags_
            .warning(Warning::DivisionByZero, e.op_range, e.op == BinaryOp::Div ? "division" : "remainder",
                     " by zero is undefined")
            .highlight(rhs.range);
}

void Checker::warn_empty_body(const Stmt* body) {
    if (!body || body->kind != StmtKind::Null || body->starts_line) return;
    diags_.warning(Warning::EmptyBody, body->range, "if statement has empty body")
        .note(body->range, "put the semicolon on a separate line to silence this warning");
}

/// A loop whose body is a semicolon on its line, where what follows looks like the body that was meant: a block, or
/// a statement on the same line.
void Checker::warn_empty_loop(const Stmt& stmt, const Stmt* next) {
    if (!next || (next->kind != StmtKind::Compound && next->starts_line)) return;
    auto* while_loop = dyn<WhileStmt>(&stmt);
    auto* for_loop = dyn<ForStmt>(&stmt);
    const Stmt* body = while_loop ? while_loop->body : for_loop ? for_loop->body : nullptr;
    if (!body || body->kind != StmtKind::Null || body->starts_line) return;
    diags_.warning(Warning::EmptyBody, body->range, while_loop ? "while" : "for", " loop has empty body")
        .note(body->range, "put the semicolon on a separate line to silence this warning");
}

/// clang's -Wswitch: a switch over an enumeration without default. Labels are ordered and their sign bits moved.
void Checker::warn_missing_enumerators(const SwitchStmt& stmt, const EnumDecl& enumeration) {
    const Type* type = stmt.condition->type.type;
    uint64_t mask = type->size_bytes == 8 ? ~uint64_t{0} : 0xffffffff;
    uint64_t flip = type->is_signed() ? uint64_t{1} << (8 * type->size_bytes - 1) : 0;
    std::vector<const EnumConstantDecl*> missing;
    std::unordered_set<int64_t> missing_values;
    for (const EnumConstantDecl* constant : enumeration.constants) {
        uint64_t value = (static_cast<uint64_t>(constant->value) & mask) ^ flip;
        auto after = std::upper_bound(switch_->labels.begin(), switch_->labels.end(), value,
                                      [](uint64_t v, const auto& label) { return v < label.first; });
        bool handled = after != switch_->labels.begin() && value <= std::prev(after)->last;
        if (!handled && missing_values.insert(constant->value).second) missing.push_back(constant);
    }
    if (missing.empty()) return;
    auto quoted = [&](size_t i) { return "'" + std::string(missing[i]->name) + "'"; };
    std::string text =
        missing.size() == 1 ? "enumeration value " + quoted(0) : "enumeration values " + quoted(0);
    if (missing.size() == 2) text += " and " + quoted(1);
    if (missing.size() == 3) text += ", " + quoted(1) + ", and " + quoted(2);
    if (missing.size() > 3)
        text = std::to_string(missing.size()) + " enumeration values not handled in switch: " + quoted(0) +
               ", " + quoted(1) + ", " + quoted(2) + "...";
    else
        text += " not handled in switch";
    diags_.warning(Warning::SwitchEnum, expr_place(*stmt.condition), text);
}

/// A case label that the switch's value, before its promotion, can never have.
void Checker::warn_case_overflow(const Expr& label) {
    const Type *from = label.type.type, *to = switch_->written_type;
    if (!to || to->kind == TypeKind::Bool || to->size_bytes >= switch_->type->size_bytes) return;
    auto number = [](uint64_t bits, const Type* type) {
        unsigned shift = 64 - 8 * static_cast<unsigned>(type->size_bytes);
        return type->is_signed() ? static_cast<int64_t>(bits << shift) >> shift
                                 : static_cast<int64_t>(bits << shift >> shift);
    };
    uint64_t bits = *evaluate_integer(label);
    int64_t before = number(bits, from), after = number(bits, to);
    if (before != after)
        diags_.warning(Warning::SwitchEnum, expr_place(label),
                       "overflow converting case value to switch condition type (", before, " to ", after,
                       ")");
}

/// `x == x` of integers and pointers.
void Checker::warn_self_comparison(const BinaryExpr& e) {
    auto variable = [](const Expr* side) -> const Decl* {
        while (auto* cast = dyn<CastExpr>(strip_parens(side))) side = cast->operand;
        auto* ref = dyn<DeclRefExpr>(strip_parens(side));
        return ref && ref->decl && ref->decl->kind == DeclKind::Var && !ref->type.is_volatile ? ref->decl
                                                                                              : nullptr;
    };
    const Decl* same = variable(e.lhs);
    if (!same || same != variable(e.rhs) || unevaluated_ || same->type->is_floating_or_vector()) return;
    bool holds = e.op == BinaryOp::Equal || e.op == BinaryOp::LessEqual || e.op == BinaryOp::GreaterEqual;
    diags_.warning(Warning::TautologicalCompare, e.op_range, "self-comparison always evaluates to ",
                   holds ? "true" : "false");
}

/// The innermost scope is about to end.
void Checker::warn_unused_declarations() {
    if (!diags_.enabled(Warning::UnusedVariable) && !diags_.enabled(Warning::UnusedTypedef)) return;
    for (const Decl* decl : scopes_.here()) {
        auto* var = dyn<VarDecl>(decl);
        if (!var || var->is_param || var->is_used || !var->type || var->type->is_error()) continue;
        if (var->storage == StorageClass::Extern ||
            has_attribute_in(var->specifiers, var->declarator, "unused"))
            continue;
        diags_.warning(Warning::UnusedVariable, var->name_range, "unused variable '", var->name, "'");
    }
}

void Checker::warn_unused_parameters(const FunctionDecl& function) {
    for (const VarDecl* param : function.params)
        if (!param->name.empty() && !param->is_used && !param->type->is_error() &&
            !has_attribute_in(param->specifiers, param->declarator, "unused"))
            diags_.warning(Warning::UnusedParameter, param->name_range, "unused parameter '", param->name,
                           "'");
}

void Checker::warn_unused_labels() {
    std::sort(unused_labels_.begin(), unused_labels_.end(), [](const LabelStmt* a, const LabelStmt* b) {
        return a->range.begin.offset < b->range.begin.offset;
    });
    for (const LabelStmt* label : unused_labels_)
        if (!label->is_used)
            diags_.warning(Warning::UnusedLabel, label->name_range, "unused label '", label->name, "'");
    unused_labels_.clear();
}

/// static functions that nobody calls; at the end of the translation unit.
void Checker::warn_unused_functions() {
    for (const Decl* decl : file_decls_) {
        auto* function = dyn<FunctionDecl>(decl);
        if (!function || !function->body || function->storage != StorageClass::Static || function->is_kernel)
            continue;
        if (!function->canonical->is_used && !function->is_inline &&
            !has_attribute_in(function->specifiers, function->declarator, "unused"))
            diags_.warning(Warning::UnusedFunction, function->name_range, "unused function '", function->name,
                           "'");
    }
}

/// Attributes that something here or in emit/ gives a meaning, or that are harmless hints.
void Checker::warn_unknown_attributes(std::span<Attribute> attributes) {
    static constexpr std::string_view kKnown[] = {
        "aligned",
        "blocks",
        "packed",
        "overloadable",
        "reqd_work_group_size",
        "work_group_size_hint",
        "vec_type_hint",
        "ext_vector_type",
        "unused",
        "used",
        "always_inline",
        "noinline",
        "const",
        "pure",
        "nosvm",
        "endian",
        "intel_reqd_sub_group_size",
        "opencl_unroll_hint",
        "kernel",
        "may_alias",
        "nothrow",
        "deprecated",
        "weak",
        "convergent",
        "flatten",
        "cold",
        "hot",
        "noreturn",
        "visibility",
        "address_space",
        "kernel_exec",
    };
    for (const Attribute& attribute : attributes)
        if (std::find(std::begin(kKnown), std::end(kKnown), attribute.name) == std::end(kKnown))
            diags_.warning(Warning::UnknownAttributes, attribute.range, "unknown attribute '", attribute.name,
                           "' ignored");
}

namespace {
bool breaks_out(const Stmt* stmt) {
    if (!stmt) return false;
    switch (stmt->kind) {
        case StmtKind::Break:
        case StmtKind::Goto: return true;
        case StmtKind::Compound:
            return std::any_of(as<CompoundStmt>(*stmt).body.begin(), as<CompoundStmt>(*stmt).body.end(),
                               breaks_out);
        case StmtKind::If: {
            for (auto* branch = &as<IfStmt>(*stmt);;) {
                if (breaks_out(branch->then)) return true;
                auto* next = dyn<IfStmt>(branch->otherwise);
                if (!next) return breaks_out(branch->otherwise);
                branch = next;
            }
        }
        case StmtKind::Case: return breaks_out(as<CaseStmt>(*stmt).body);
        case StmtKind::Default: return breaks_out(as<DefaultStmt>(*stmt).body);
        case StmtKind::Label: return true;
        default: return false;
    }
}

bool is_true(const Expr* condition) {
    if (!condition) return true;
    auto bits = evaluate_integer(*condition);
    return bits && *bits != 0;
}
}  // namespace

/// Whether control cannot reach the end of `stmt`. When unsure it says yes, so that no warning is false.
bool Checker::never_falls_through(const Stmt* stmt) const {
    if (!stmt) return false;
    switch (stmt->kind) {
        case StmtKind::Return:
        case StmtKind::Goto:
        case StmtKind::Error: return true;
        case StmtKind::Compound: {
            auto body = as<CompoundStmt>(*stmt).body;
            return std::any_of(body.begin(), body.end(),
                               [&](const Stmt* s) { return never_falls_through(s); });
        }
        case StmtKind::If: {
            for (auto* branch = &as<IfStmt>(*stmt);;) {
                if (!never_falls_through(branch->then)) return false;
                auto* next = dyn<IfStmt>(branch->otherwise);
                if (!next) return never_falls_through(branch->otherwise);
                branch = next;
            }
        }
        case StmtKind::While:
            return is_true(as<WhileStmt>(*stmt).condition) && !breaks_out(as<WhileStmt>(*stmt).body);
        case StmtKind::Do:
            return never_falls_through(as<DoStmt>(*stmt).body) ||
                   (is_true(as<DoStmt>(*stmt).condition) && !breaks_out(as<DoStmt>(*stmt).body));
        case StmtKind::For:
            return is_true(as<ForStmt>(*stmt).condition) && !breaks_out(as<ForStmt>(*stmt).body);
        case StmtKind::Switch:
            return as<SwitchStmt>(*stmt).has_default && !breaks_out(as<SwitchStmt>(*stmt).body) &&
                   never_falls_through(as<SwitchStmt>(*stmt).body);
        case StmtKind::Case: return never_falls_through(as<CaseStmt>(*stmt).body);
        case StmtKind::Default: return never_falls_through(as<DefaultStmt>(*stmt).body);
        case StmtKind::Label: return never_falls_through(as<LabelStmt>(*stmt).body);
        case StmtKind::Expr: {
            const Expr* value = as<ExprStmt>(*stmt).expr;
            const auto* call = value ? dyn<CallExpr>(strip_parens(value)) : nullptr;
            if (!call || !call->builtin || !call->builtin->row) return false;
            const builtin::Row& row = *call->builtin->row;
            return row.lowering == builtin::Lowering::Gnu &&
                   row.a == static_cast<uint32_t>(builtin::GnuOp::Unreachable);
        }
        default: return false;
    }
}

void Checker::warn_missing_return(const FunctionDecl& function) {
    if (diags_.has_errors()) return;  // what is missing may be what was faulty
    if (function_->result->is_void() || function_->result->is_error()) return;
    if (never_falls_through(function.body)) return;
    SourceRange end = {.begin = {function.body->range.end.offset - 1}, .end = function.body->range.end};
    bool returns = contains_return(function.body);
    if (function.block) {  // as in clang an error
        diags_.error(end, "non-void block does not return a value", returns ? " in all control paths" : "");
        return;
    }
    diags_.warning(Warning::ReturnType, end,
                   returns ? "non-void function does not return a value in all control paths"
                           : "non-void function does not return a value");
}

/// A quick look for any return statement outside nested expressions.
bool Checker::contains_return(const Stmt* root) const {
    std::vector<const Stmt*> work = {root};
    while (!work.empty()) {
        const Stmt* stmt = work.back();
        work.pop_back();
        if (!stmt) continue;
        switch (stmt->kind) {
            case StmtKind::Return: return true;
            case StmtKind::Compound:
                work.insert(work.end(), as<CompoundStmt>(*stmt).body.begin(),
                            as<CompoundStmt>(*stmt).body.end());
                break;
            case StmtKind::If:
                work.push_back(as<IfStmt>(*stmt).then);
                work.push_back(as<IfStmt>(*stmt).otherwise);
                break;
            case StmtKind::While: work.push_back(as<WhileStmt>(*stmt).body); break;
            case StmtKind::Do: work.push_back(as<DoStmt>(*stmt).body); break;
            case StmtKind::For: work.push_back(as<ForStmt>(*stmt).body); break;
            case StmtKind::Switch: work.push_back(as<SwitchStmt>(*stmt).body); break;
            case StmtKind::Case: work.push_back(as<CaseStmt>(*stmt).body); break;
            case StmtKind::Default: work.push_back(as<DefaultStmt>(*stmt).body); break;
            case StmtKind::Label: work.push_back(as<LabelStmt>(*stmt).body); break;
            default: break;
        }
    }
    return false;
}

}  // namespace caldera::frontend
