// SPDX-License-Identifier: Apache-2.0
// What the files of this folder share:
//   lint.cpp        the walk over a unit
//   conversion.cpp  implicit conversions that change values
//   comparison.cpp  comparisons known beforehand
//   operation.cpp   operators and operands that look like mistakes
//   sequence.cpp    unsequenced side effects
//   variable.cpp    variables that are set and never read
//   loop.cpp        loops that do not go on
//   flow.cpp        uninitialised variables, falling through
//   range.cpp       how many bits a value needs
//   flow_graph.cpp  the graph that flow.cpp follows
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/ast/children.h"
#include "frontend/check/checker.h"
#include "frontend/diag.h"

namespace caldera::frontend {

/// Limits the depth of searches in expressions that must be fast: generated programs have deep expressions.
constexpr int kMaxLook = 64;

/// The number of bits that an integer's values need, including the sign bit.
struct IntRange {
    unsigned width = 0;
    bool non_negative = false;
    unsigned value_bits() const { return non_negative ? width : width - 1; }
};
IntRange range_of_type(const Type* type);
/// `typical`: assume that sums and products fit where their operands fit.
IntRange range_of(const Expr& e, bool typical);

/// Skips parentheses and implicit casts: the value before any conversion.
const Expr& below_conversions(const Expr& e);
/// Whether the value is 0 or 1 because of the expression's form (comparisons, !, && and ||) or its type.
bool is_boolean_value(const Expr& e, int depth = 0);
/// The variable that an expression names, read or not; null for anything else.
const VarDecl* named_variable(const Expr& e);
/// An integer literal, through parentheses.
const IntLiteralExpr* int_literal(const Expr& e);
std::string_view spelling(BinaryOp op);

class Linter {
 public:
    Linter(Arena& arena, Diagnostics& diags) : arena_(arena), diags_(diags) {}

    void function(const FunctionDecl& function);
    void variable(const VarDecl& var);  ///< its initialiser

 private:
    // ---- lint.cpp ----
    void statements(const Stmt& root);
    void whole(const Expr& e);  ///< a full expression (C99 6.8p4)
    void note_unread(const Expr& e);
    void node(const Expr& e);

    // ---- conversion.cpp: -Wconversion and the groups in it ----
    void conversion(const Expr& e, SourceRange context);
    void converted(const Expr& e, const Type* to, SourceRange context, bool in_conditional);
    void float_to_int(const Expr& e, const Type* to, const Type* whole, SourceRange context);
    void float_to_float(const Expr& e, const Type* to, const Type* whole, SourceRange context);
    void int_to_float(const Expr& e, const Type* to, const Type* whole, SourceRange context);
    void int_to_int(const Expr& e, const Type* to, const Type* whole, SourceRange context,
                    bool in_conditional);
    bool enum_to_enum(const Expr& e, const Type* to, SourceRange context);
    void compound_result(const AssignExpr& e);

    // ---- comparison.cpp ----
    void comparison(const BinaryExpr& e);
    bool constant_comparison(const BinaryExpr& e, bool constant_right, uint64_t constant);
    void mixed_signs(const BinaryExpr& e);
    void self_comparison(const BinaryExpr& e);
    void pointer_null_comparison(const BinaryExpr& e);
    void pointer_as_bool(const Expr& e);  ///< where only its truth is asked
    void masked_comparison(const BinaryExpr& e);
    void overlapping(const BinaryExpr& e);
    void float_comparison(const BinaryExpr& e);
    void enum_comparison(const BinaryExpr& e);

    // ---- operation.cpp ----
    void binary(const BinaryExpr& e);
    void logical(const BinaryExpr& e);
    void assignment(const AssignExpr& e);
    void unary(const UnaryExpr& e);
    void written_cast(const CastExpr& e);
    void subscript(const SubscriptExpr& e);
    void size_of(const SizeofExprExpr& e);
    void array_sizes(const BinaryExpr& e);
    void overflow(const BinaryExpr& e);
    void comma(const BinaryExpr& e);
    void always_true_or(const Expr& condition);
    void returned(const ReturnStmt& stmt);

    // ---- sequence.cpp ----
    void sequence(const Expr& e);

    // ---- variable.cpp ----
    void set_but_not_used(const FunctionDecl& function);

    // ---- loop.cpp ----
    void for_loop(const ForStmt& loop);

    // ---- flow.cpp ----
    void flow(const FunctionDecl& function);

    Arena& arena_;
    Diagnostics& diags_;
    std::unordered_set<const Expr*> for_parts_ = {};  ///< what `for (a; …; b)` begins and steps with
    std::unordered_set<const Expr*> unread_ = {};  ///< dereferences of the full expression that read nothing
    bool in_for_part_ = false;
    bool in_faulty_ = false;  ///< a function with syntax errors
};

}  // namespace caldera::frontend
