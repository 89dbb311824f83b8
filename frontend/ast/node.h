// SPDX-License-Identifier: Apache-2.0
// What all nodes of the tree have in common: their names, their attributes, and how a node of one kind is
// made and recognised.
#pragma once

#include <span>
#include <string_view>

#include "frontend/arena.h"
#include "frontend/source.h"

namespace caldera::frontend {

namespace builtin {
struct Resolution;
}

struct Tok;  // lex/token.h

struct Expr;
struct Stmt;
struct Decl;
struct VarDecl;
struct FunctionDecl;
struct TypedefDecl;
struct RecordDecl;
struct FieldDecl;
struct EnumDecl;
struct EnumConstantDecl;
struct BlockLiteralExpr;
struct StmtExprExpr;
struct TypeName;
struct CompoundStmt;
struct LabelStmt;
struct ConstantValue;  // check/checker.h

// ---- Attributes: __attribute__((name(args))), kept as written; check/ gives them meaning ----
struct Attribute {
    std::string_view name = {};  ///< without surrounding underscores
    SourceRange range = {};
    std::span<Expr*> args = {};
    TypeName* type_arg = nullptr;     ///< vec_type_hint(float4)
    std::string_view ident_arg = {};  ///< the first argument when it is a bare identifier
    bool is_alignas = false;          ///< written as _Alignas(…)
    bool is_checked = false;          ///< checked: its condition, which several declarators may share
};

/// The node as a T; a bug when it is another kind.
template <class T, class Base>
T& as(Base& node) {
    return static_cast<T&>(node);
}
template <class T, class Base>
const T& as(const Base& node) {
    return static_cast<const T&>(node);
}
/// The node as a T, or null when it is another kind (or null).
template <class T, class Base>
T* dyn(Base* node) {
    return node && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}
template <class T, class Base>
const T* dyn(const Base* node) {
    return node && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

/// A new node of T with its kind set.
template <class T>
T* make_node(Arena& arena, SourceRange range) {
    T* node = arena.make<T>();
    node->kind = T::kKind;
    node->range = range;
    return node;
}

}  // namespace caldera::frontend
