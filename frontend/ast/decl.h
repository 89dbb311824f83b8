// SPDX-License-Identifier: Apache-2.0
// Declarations (C99 6.7, 6.9). ast.h says what "checked:" means.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/ast/declarator.h"

namespace caldera::frontend {

// clang-format off
#define DECL_KINDS(X) \
    X(Var) X(Function) X(Typedef) X(Record) X(Field) X(Enum) X(EnumConstant) X(Empty) X(StaticAssert)
// clang-format on
enum class DeclKind : uint8_t {
#define X(name) name,
    DECL_KINDS(X)
#undef X
};

struct Decl {
    DeclKind kind = {};
    SourceRange range = {};
    std::string_view name = {};
    SourceRange name_range = {};
    QualType type = {};  ///< checked: of the declared thing
};

/// A variable or a parameter.
struct VarDecl : Decl {
    static constexpr auto kKind = DeclKind::Var;
    Specifiers* specifiers = nullptr;
    Declarator declarator = {};
    Expr* init = nullptr;  ///< checked: converted to `type`
    bool is_param = false;
    StorageClass storage = StorageClass::None;
    bool is_file_scope = false;  ///< checked:
    bool has_global_lifetime =
        false;                  ///< checked: file scope, static, extern, or local/constant in a function
    bool is_used = false;       ///< checked: named outside unevaluated operands
    bool is_mentioned = false;  ///< checked: named at all
    bool is_integer_constant =
        false;                      ///< checked: a fixed integer, whose initialiser is a constant expression
    uint32_t align_bytes = 0;       ///< checked: aligned(N), or 0
    VarDecl* definition = nullptr;  ///< checked: the one object that redeclarations mean (may be this)
    const ConstantValue* value = nullptr;  ///< checked: of a fixed object that is small, when it is known
};

struct KernelAttributes {  ///< checked: OpenCL C 6.7.2
    bool has_required_size = false, has_size_hint = false;
    uint32_t required_size[3] = {0, 0, 0};
    uint32_t size_hint[3] = {0, 0, 0};
    const Type* vec_type_hint = nullptr;
    uint32_t required_sub_group_size = 0;
};

/// checked: enable_if or diagnose_if of a function.
struct CallCondition {
    CallCondition* next = nullptr;  ///< of the same function, in the order of the source
    const Attribute* attribute = nullptr;
    const Expr* condition = nullptr;
    std::string_view message = {};
    std::span<VarDecl* const> params = {};  ///< of the declaration with the attribute
    bool enables = false;                   ///< enable_if
    bool is_error = false;                  ///< diagnose_if: of the kind "error"
    bool names_params = false;
};

/// Its declarator begins with a Function chunk, or has none and the specifiers name a typedef of a function
/// type (`typedef int F(int); F f;`), in which case `params` is empty.
struct FunctionDecl : Decl {
    static constexpr auto kKind = DeclKind::Function;
    Specifiers* specifiers = nullptr;
    Declarator declarator = {};
    std::span<VarDecl*> params = {};  ///< of this declaration
    CompoundStmt* body = nullptr;     ///< null for a prototype, and once it is dropped
    bool body_outlives = false;       ///< something in it is known outside: an object, a type, a function
    bool body_is_dropped = false;     ///< checked, and then forgotten: no kernel reaches it
    bool is_kernel = false;
    bool is_inline = false;
    StorageClass storage = StorageClass::None;
    bool is_overloadable = false;  ///< checked: __attribute__((overloadable)): its symbol is mangled
    KernelAttributes kernel = {};  ///< checked:
    CallCondition* first_condition = nullptr;  ///< checked: on the canonical declaration, those of all
    CallCondition* last_condition = nullptr;   ///< checked: likewise
    std::string_view enable_key = {};          ///< checked: the conditions of enable_if, as they are mangled
    const Attribute* call_message = nullptr;   ///< checked: `error` or `warning`
    uint64_t nonnull_params = 0;         ///< checked: on the canonical declaration: a bit for each parameter
    bool calls_marked = false;           ///< checked: calls a function that has one
    FunctionDecl* definition = nullptr;  ///< checked: the declaration with the body, wherever; null when none
    FunctionDecl* canonical = nullptr;   ///< checked: the first declaration
    bool is_used = false;                ///< checked: on the canonical declaration
    SourceRange first_use = {};          ///< likewise
    bool is_external_definition = false;      ///< likewise: not inline in every declaration (C99 6.7.4p6)
    std::span<VarDecl*> statics = {};         ///< checked: variables of global lifetime declared inside
    const BlockLiteralExpr* block = nullptr;  ///< checked: the literal whose body this is
    const builtin::Resolution* same_builtin = nullptr;  ///< checked: what a prototype declares once more
};

struct TypedefDecl : Decl {
    static constexpr auto kKind = DeclKind::Typedef;
    Specifiers* specifiers = nullptr;
    Declarator declarator = {};
    bool is_used = false;  ///< checked: something is declared by it
};

struct FieldDecl : Decl {
    static constexpr auto kKind = DeclKind::Field;
    Specifiers* specifiers = nullptr;
    Declarator declarator = {};
    Expr* bit_width = nullptr;  ///< refused by check/ (OpenCL C 6.9)
    RecordDecl* parent = nullptr;
    uint32_t index = 0;         ///< among the record's fields
    uint64_t offset_bytes = 0;  ///< checked: by lay_out()
    uint32_t align_bytes = 0;   ///< checked: aligned(N), or 0
    bool is_packed = false;     ///< checked:
};

/// struct or union. Each mention is a node; `definition` leads to the one with the fields.
struct RecordDecl : Decl {
    static constexpr auto kKind = DeclKind::Record;
    bool is_union = false;
    bool has_body = false;
    std::span<FieldDecl*> fields = {};   ///< unnamed members of record type included
    std::span<Decl*> member_decls = {};  ///< records and enums declared inside
    std::span<Attribute> attributes = {};
    uint32_t pack_bytes = 0;           ///< #pragma pack(N): no field is aligned to more; 0: no limit
    RecordDecl* definition = nullptr;  ///< checked:
    Type* record_type = nullptr;       ///< checked: on the definition (or the first mention)
    bool is_packed = false;            ///< checked:
    uint32_t align_bytes = 0;          ///< checked: aligned(N), or 0
};

struct EnumConstantDecl : Decl {
    static constexpr auto kKind = DeclKind::EnumConstant;
    Expr* init = nullptr;
    std::span<Attribute> attributes = {};
    const EnumDecl* parent = nullptr;  ///< checked:
    int64_t value = 0;                 ///< checked:
};
struct EnumDecl : Decl {
    static constexpr auto kKind = DeclKind::Enum;
    bool has_body = false;
    std::span<EnumConstantDecl*> constants = {};
    std::span<Attribute> attributes = {};
    TypeName* written_underlying = nullptr;  ///< clang: `enum e : uchar`
    EnumDecl* definition = nullptr;          ///< checked:
    Type* enum_type = nullptr;               ///< checked:
    const Type* underlying = nullptr;        ///< checked: int or uint, long or ulong where values need it
    bool has_fixed_type = false;             ///< checked: `underlying` is the written one
};
/// A declaration that declares no name: `struct s { … };`, `;`, or a pragma kept for check/.
struct EmptyDecl : Decl {
    static constexpr auto kKind = DeclKind::Empty;
    Specifiers* specifiers = nullptr;
    std::string_view pragma = {};  ///< the tokens after `#pragma`: "OPENCL EXTENSION cl_khr_fp16 : enable"
    ExtSet enabled = {};           ///< with `pragma`: what this and the pragmas before it enable
};
/// `_Static_assert(condition, "message");`
struct StaticAssertDecl : Decl {
    static constexpr auto kKind = DeclKind::StaticAssert;
    Expr* condition = nullptr;
    std::string_view message = {};
};

}  // namespace caldera::frontend
