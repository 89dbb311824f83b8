// SPDX-License-Identifier: Apache-2.0
// Statements (C99 6.8). ast.h says what "checked:" means.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/ast/node.h"

namespace caldera::frontend {

// clang-format off
#define STMT_KINDS(X) \
    X(Error) X(Compound) X(Decl) X(Expr) X(Null) X(If) X(Switch) X(Case) X(Default) X(Label) X(While) \
    X(Do) X(For) X(Goto) X(Continue) X(Break) X(Return)
// clang-format on
enum class StmtKind : uint8_t {
#define X(name) name,
    STMT_KINDS(X)
#undef X
};

struct Stmt {
    StmtKind kind = {};
    SourceRange range = {};
    bool starts_line = false;              ///< nothing but space stands before it on its line
    std::span<Attribute> attributes = {};  ///< opencl_unroll_hint and kin
};
struct ErrorStmt : Stmt {
    static constexpr auto kKind = StmtKind::Error;
};
/// GNU: a label that `__label__` gives to one block.
struct LocalLabel {
    std::string_view name = {};
    SourceRange name_range = {};
    LabelStmt* label = nullptr;  ///< checked:
};
struct CompoundStmt : Stmt {
    static constexpr auto kKind = StmtKind::Compound;
    std::span<LocalLabel> local_labels = {};
    std::span<Stmt*> body = {};
    bool is_faulty = false;       ///< it has syntax errors: what they hide may use what seems to be unused
    bool no_contraction = false;  ///< FP_CONTRACT OFF is in force (OpenCL C 6.9), or -ffp-contract=off
};
struct DeclStmt : Stmt {
    static constexpr auto kKind = StmtKind::Decl;
    std::span<Decl*> decls = {};
};
struct ExprStmt : Stmt {
    static constexpr auto kKind = StmtKind::Expr;
    Expr* expr = nullptr;
};
struct NullStmt : Stmt {
    static constexpr auto kKind = StmtKind::Null;
};
struct IfStmt : Stmt {
    static constexpr auto kKind = StmtKind::If;
    Expr* condition = nullptr;  ///< checked: a scalar rvalue; emit compares with zero
    Stmt* then = nullptr;
    Stmt* otherwise = nullptr;
    SourceRange else_range = {};  ///< the keyword
};
struct SwitchStmt : Stmt {
    static constexpr auto kKind = StmtKind::Switch;
    Expr* condition = nullptr;  ///< checked: promoted integer
    Stmt* body = nullptr;
    bool has_default = false;  ///< checked:
};
/// checked: values converted to the switch's type. GNU ranges have `last`.
struct CaseStmt : Stmt {
    static constexpr auto kKind = StmtKind::Case;
    Expr* first_expr = nullptr;
    Expr* last_expr = nullptr;
    uint64_t first = 0, last = 0;  ///< checked: bits at the switch type's width
    bool is_empty = false;         ///< checked: a range whose `last` is below its `first`
    Stmt* body = nullptr;
};
struct DefaultStmt : Stmt {
    static constexpr auto kKind = StmtKind::Default;
    Stmt* body = nullptr;
};
struct LabelStmt : Stmt {
    static constexpr auto kKind = StmtKind::Label;
    std::string_view name = {};
    SourceRange name_range = {};
    Stmt* body = nullptr;
    bool may_be_unused = false;            ///< it has the attribute `unused`
    bool is_used = false;                  ///< checked:
    const LocalLabel* local = nullptr;     ///< checked: which of them it is, if any
    const StmtExprExpr* inside = nullptr;  ///< checked: the innermost statement expression around it
};
struct WhileStmt : Stmt {
    static constexpr auto kKind = StmtKind::While;
    Expr* condition = nullptr;
    Stmt* body = nullptr;
};
struct DoStmt : Stmt {
    static constexpr auto kKind = StmtKind::Do;
    Stmt* body = nullptr;
    Expr* condition = nullptr;
};
struct ForStmt : Stmt {
    static constexpr auto kKind = StmtKind::For;
    Stmt* init = nullptr;  ///< DeclStmt, ExprStmt or null
    Expr* condition = nullptr;
    Expr* step = nullptr;
    Stmt* body = nullptr;
};
struct GotoStmt : Stmt {
    static constexpr auto kKind = StmtKind::Goto;
    std::string_view name = {};
    SourceRange name_range = {};
    LabelStmt* target = nullptr;           ///< checked:
    const StmtExprExpr* inside = nullptr;  ///< checked: the innermost statement expression around it
};
struct ContinueStmt : Stmt {
    static constexpr auto kKind = StmtKind::Continue;
    bool in_step =
        false;  ///< checked: in the step of a `for` or the condition of a `do`, of that loop itself
};
struct BreakStmt : Stmt {
    static constexpr auto kKind = StmtKind::Break;
    bool in_step = false;  ///< checked: likewise
};
struct ReturnStmt : Stmt {
    static constexpr auto kKind = StmtKind::Return;
    Expr* value = nullptr;
};

}  // namespace caldera::frontend
