// SPDX-License-Identifier: Apache-2.0
// Syntax of types: specifiers and declarators (C99 6.7). ast.h says what "checked:" means.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/ast/node.h"
#include "frontend/types/type.h"

namespace caldera::frontend {

enum class StorageClass : uint8_t { None, Typedef, Extern, Static, Auto, Register };

/// Declaration specifiers (C99 6.7): everything before the declarator. Exactly one base is set, or none when
/// the source names no type (implicit int).
struct Specifiers {
    SourceRange range = {};
    SourceRange base_range = {};    ///< of the words that name the type
    const Type* builtin = nullptr;  ///< base: `unsigned long`, `float4`, `image2d_t`
    std::string_view builtin_name =
        {};  ///< with `builtin`: the identifier that names it, `size_t`, or nothing; empty for keywords
    std::string_view typedef_name = {};    ///< base: a typedef's name, resolved by check/
    RecordDecl* record = nullptr;          ///< base: struct or union, with or without a body
    EnumDecl* enumeration = nullptr;       ///< base
    Expr* typeof_expr = nullptr;           ///< base
    TypeName* typeof_type = nullptr;       ///< base
    bool is_auto_type = false;             ///< GNU's __auto_type; check/ sets `builtin`
    const VarDecl* deduced_for = nullptr;  ///< checked: the variable whose initialiser gave `builtin`
    bool is_pipe = false;                  ///< `pipe T`: the base is the packet type
    SourceRange pipe_range = {};
    StorageClass storage = StorageClass::None;
    SourceRange storage_range = {};
    bool is_inline = false;
    bool is_noreturn = false;
    bool is_kernel = false;
    bool is_const = false, is_volatile = false, is_restrict = false;
    SourceRange const_range = {};
    bool has_space = false;
    AddressSpace space = AddressSpace::Private;
    SourceRange space_range = {};
    Access access = Access::None;
    SourceRange access_range = {};
    std::span<Attribute> attributes = {};
};

enum class ChunkKind : uint8_t { Pointer, Block, Array, Function };

/// One derivation of a declarator (C99 6.7.5). `chunks` of `int *a[3]` are Array then Pointer: from the name
/// outwards.
struct DeclaratorChunk {
    ChunkKind kind = {};
    SourceRange range = {};
    bool is_const = false, is_volatile = false, is_restrict = false;  ///< Pointer, Block
    bool has_space = false;                                           ///< Pointer: `int * global p`
    AddressSpace space = AddressSpace::Private;
    Expr* size = nullptr;             ///< Array; null for []
    bool is_star = false;             ///< Array: `[*]`
    bool is_static = false;           ///< Array: `[static n]`
    std::span<VarDecl*> params = {};  ///< Function
    bool variadic = false;
    bool unprototyped = false;        ///< `()`
    bool is_identifier_list = false;  ///< Function: `(a, b)`, the types follow before the body (C99 6.9.1)
    std::span<Attribute> attributes = {};
};
struct Declarator {
    std::string_view name = {};  ///< empty for an abstract declarator
    SourceRange name_range = {};
    SourceRange range = {};
    std::span<DeclaratorChunk> chunks = {};
    std::span<Attribute> attributes = {};
};

/// A type-name (C99 6.7.6): casts, sizeof, vector literals.
struct TypeName {
    SourceRange range = {};
    Specifiers* specifiers = nullptr;
    Declarator declarator = {};
    QualType type = {};  ///< checked:
};

}  // namespace caldera::frontend
