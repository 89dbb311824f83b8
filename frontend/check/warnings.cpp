// SPDX-License-Identifier: Apache-2.0
// Warnings that cost one look: what is unused, empty or falls off the end.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "frontend/ast/children.h"
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

/// SPV_INTEL_subgroups: a shuffle also gives its value to other work-items. All other operations of
/// sub-groups have lowerings of their own.
bool is_shuffle(spv::Op op) {
    return op >= spv::Op::OpSubgroupShuffleINTEL && op <= spv::Op::OpSubgroupShuffleXorINTEL;
}

}  // namespace

/// Whether each result of such a struct, union or enum is to be used: the tag has the attribute.
static bool must_be_used(const Type& type) {
    const RecordDecl* record = type.record;
    if (record && record->definition) record = record->definition;
    const EnumDecl* enumeration = type.enum_decl;
    if (enumeration && enumeration->definition) enumeration = enumeration->definition;
    const std::span<Attribute> attributes = record        ? record->attributes
                                            : enumeration ? enumeration->attributes
                                                          : std::span<Attribute>();
    return has_attribute(attributes, "warn_unused_result");
}

/// The attribute of a called function, or of what it returns, that makes an unused result worth a warning:
/// const, pure, or warn_unused_result; null if there is none.
static const char* drops_result(const CallExpr& call) {
    if (call.builtin) {
        using builtin::Lowering;
        const builtin::Row& row = *call.builtin->row;
        if (row.lowering == Lowering::VectorLoad) return "pure";
        if (row.lowering == Lowering::Image)  // writes return nothing
            return row.name.starts_with("read_") ? "pure" : "const";
        for (const QualType& param : call.builtin->params)
            if (!param->is_arithmetic_or_vector()) return nullptr;
        switch (row.lowering) {
            case Lowering::Op:  // operations on device-side events and queues are others
                if (is_shuffle(static_cast<spv::Op>(row.a))) return nullptr;
                return call.type->is_arithmetic_or_vector() && !call.args.empty() ? "const" : nullptr;
            case Lowering::Dot:
            case Lowering::ExtInst:
            case Lowering::WorkItem:
            case Lowering::LinearId:
            case Lowering::Convert:
            case Lowering::Relational:
            case Lowering::Any:
            case Lowering::All:
            case Lowering::Select:
            case Lowering::Shuffle: return "const";
            default: return nullptr;
        }
    }
    if (must_be_used(*call.type.type)) return "warn_unused_result";
    for (const FunctionDecl* decl : {call.function, call.function ? call.function->definition : nullptr}) {
        if (!decl) continue;
        for (std::span<Attribute> list : {decl->specifiers->attributes, decl->declarator.attributes})
            for (const Attribute& attribute : list) {
                if (attribute.name == "warn_unused_result") return "warn_unused_result";
                if (attribute.name == "const") return "const";
                if (attribute.name == "pure") return "pure";
            }
    }
    return nullptr;
}

/// Whether an unused value of `e` deserves a warning, and where (like clang's isUnusedResultAWarning).
static const Expr* useless_part(const Expr& e) {
    const Expr* inner = strip_parens(&e);
    if (inner->type->is_void()) return nullptr;
    if (inner->is_lvalue && inner->type.is_volatile) return nullptr;
    switch (inner->kind) {
        case ExprKind::Error:
        case ExprKind::Assign:
        case ExprKind::StmtExpr:
        case ExprKind::Choose: return nullptr;
        case ExprKind::Call: return drops_result(as<CallExpr>(*inner)) ? inner : nullptr;
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

/// The first part of `e` that would set a variable, were it evaluated; calls may have no effect.
static const Expr* setting_part(const Expr& e) {
    std::vector<const Expr*> work = {&e};
    while (!work.empty()) {
        const Expr* part = work.back();
        work.pop_back();
        if (part->kind == ExprKind::Assign) return part;
        auto* unary = dyn<UnaryExpr>(part);
        if (unary && unary->op >= UnaryOp::PreInc && unary->op <= UnaryOp::PostDec) return part;
        const size_t below = work.size();
        for_each_operand(*part, [&](const Expr& operand) { work.push_back(&operand); });
        std::reverse(work.begin() + static_cast<ptrdiff_t>(below), work.end());
    }
    return nullptr;
}

void Checker::warn_unevaluated(const Expr& e) {
    if (const Expr* part = setting_part(e))
        diags_.warning(Warning::UnevaluatedExpression, expr_place(*part),
                       "expression with side effects has no effect in an unevaluated context");
}

/// An expression statement, or the left side of a comma, whose value is unused.
void Checker::warn_unused(const Expr& e, bool left_of_comma) {
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
    if (auto* call = dyn<CallExpr>(part)) {
        std::string_view why = drops_result(*call);
        bool asked = why == "warn_unused_result";
        diags_
            .warning(asked ? Warning::UnusedResult : Warning::UnusedValue, call->range,
                     "ignoring return value of function declared with ", asked ? "'" : "", why,
                     asked ? "'" : "", " attribute")
            .highlight(call->callee->range);
        return;
    }
    SourceRange at = expr_place(*part);
    if (part->kind == ExprKind::Subscript)
        at = {{part->range.end.offset - 1}, part->range.end};  // the bracket
    diags_.warning(
        Warning::UnusedValue, at,
        left_of_comma ? "left operand of comma operator has no effect" : "expression result unused");
}

void Checker::warn_void_arithmetic(SourceRange at, std::string_view what) {
    diags_.warning(Warning::PointerArith, at, "arithmetic on ", what, " to void is a GNU extension");
}

void Checker::warn_division(const BinaryExpr& e, const Expr& rhs) {
    if (unevaluated_ || !rhs.type->is_integer() || !e.lhs->type->is_integer()) return;
    auto bits = evaluate_integer(rhs);
    if (bits && *bits == 0)
        diags_
            .warning(Warning::DivisionByZero, e.op_range, e.op == BinaryOp::Div ? "division" : "remainder",
                     " by zero is undefined")
            .highlight(rhs.range);
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

/// Whether control cannot reach the end of `stmt`. Returns true when unsure, so that no warning is wrong.
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
    if (diags_.has_faults()) return;  // what is missing may be what was faulty
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
