// SPDX-License-Identifier: Apache-2.0
// The tree. parse/ builds it with names only; check/ resolves names, sets every `type`, makes every
// conversion a CastExpr and every built-in call a resolved row. emit/ reads the checked form and decides
// nothing about types.
//
// A field comment that begins with "checked:" is set by check/.
//
// How deep a tree can be. parse/ refuses nesting beyond its limits (256 brackets, 1024 levels in all), so a
// stage may recurse; but two shapes are unbounded, because programs that write programs make them, and must
// be walked by a loop: the `lhs` spine of BinaryExprs (`a + b + c + …`, comma lists too) and the `otherwise`
// chain of IfStmts (`else if`).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/source.h"
#include "frontend/types/type.h"

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
struct TypeName;
struct CompoundStmt;
struct LabelStmt;

// ---- Attributes: __attribute__((name(args))), kept as written; check/ gives them meaning ----
struct Attribute {
    std::string_view name = {};  ///< without surrounding underscores
    SourceRange range = {};
    std::span<Expr*> args = {};
    TypeName* type_arg = nullptr;     ///< vec_type_hint(float4)
    std::string_view ident_arg = {};  ///< the first argument when it is a bare identifier
};

// ---- Syntax of types ----

enum class StorageClass : uint8_t { None, Typedef, Extern, Static, Auto, Register };

/// Declaration specifiers (C99 6.7): everything before the declarator. Exactly one base is set, or none when
/// the source names no type (implicit int).
struct Specifiers {
    SourceRange range = {};
    SourceRange base_range = {};    ///< of the words that name the type
    const Type* builtin = nullptr;  ///< base: `unsigned long`, `float4`, `image2d_t`
    std::string_view builtin_name =
        {};  ///< with `builtin`: the identifier that names it, `size_t`; empty for keywords
    std::string_view typedef_name = {};  ///< base: a typedef's name, resolved by check/
    RecordDecl* record = nullptr;        ///< base: struct or union, with or without a body
    EnumDecl* enumeration = nullptr;     ///< base
    Expr* typeof_expr = nullptr;         ///< base
    TypeName* typeof_type = nullptr;     ///< base
    bool is_auto_type = false;           ///< GNU's __auto_type; check/ sets `builtin`
    bool is_pipe = false;                ///< `pipe T`: the base is the packet type
    SourceRange pipe_range = {};
    StorageClass storage = StorageClass::None;
    SourceRange storage_range = {};
    bool is_inline = false;
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

// ---- Declarations ----

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
        false;                      ///< checked: file scope, static, extern, or local/constant in a function
    bool is_used = false;           ///< checked: named outside unevaluated operands
    bool is_mentioned = false;      ///< checked: named at all
    uint32_t align_bytes = 0;       ///< checked: aligned(N), or 0
    VarDecl* definition = nullptr;  ///< checked: the one object that redeclarations mean (may be this)
};

struct KernelAttributes {  ///< checked: OpenCL C 6.7.2
    bool has_required_size = false, has_size_hint = false;
    uint32_t required_size[3] = {0, 0, 0};
    uint32_t size_hint[3] = {0, 0, 0};
    const Type* vec_type_hint = nullptr;
    uint32_t required_sub_group_size = 0;
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
    bool is_overloadable = false;        ///< checked: __attribute__((overloadable)): its symbol is mangled
    KernelAttributes kernel = {};        ///< checked:
    FunctionDecl* definition = nullptr;  ///< checked: the declaration with the body, wherever; null when none
    FunctionDecl* canonical = nullptr;   ///< checked: the first declaration
    bool is_used = false;                ///< checked: on the canonical declaration
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
    const Type* underlying = nullptr;        ///< checked: int or uint (long when the values need it)
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

// ---- Expressions ----

// clang-format off
#define EXPR_KINDS(X) \
    X(Error) X(IntLiteral) X(FloatLiteral) X(CharLiteral) X(StringLiteral) X(DeclRef) X(Paren) X(Unary) \
    X(Binary) X(Assign) X(Conditional) X(Cast) X(Call) X(Subscript) X(Member) X(Swizzle) X(VectorLiteral) \
    X(CompoundLiteral) X(InitList) X(SizeofType) X(SizeofExpr) X(StmtExpr) X(Choose) X(Offsetof) \
    X(BlockLiteral) X(AsType) X(TypesCompatible) X(Generic)
// clang-format on
enum class ExprKind : uint8_t {
#define X(name) name,
    EXPR_KINDS(X)
#undef X
};

struct Expr {
    [[no_unique_address]] QualType type = {};  ///< checked: of an rvalue it is unqualified
    ExprKind kind = {};                        ///< in the bytes that QualType leaves free, as is_lvalue
    bool is_lvalue = false;            ///< checked: designates an object; a CastExpr LValueToRValue reads it
    mutable bool is_variable = false;  ///< check/constant.cpp: was found not to be constant
    SourceRange range = {};
};
static_assert(sizeof(Expr) == 24, "a kernel's expressions are most of its memory");

/// Already reported; its type is the error type, which silences what follows.
struct ErrorExpr : Expr {
    static constexpr auto kKind = ExprKind::Error;
};

struct IntLiteralExpr
    : Expr {  ///< also every constant that check/ folds (sizeof, enumerators keep their nodes)
    static constexpr auto kKind = ExprKind::IntLiteral;
    uint64_t value = 0;
    std::string_view text = {};  ///< the token; parse/ sets `type` by C99 6.4.4.1
};
struct FloatLiteralExpr : Expr {
    static constexpr auto kKind = ExprKind::FloatLiteral;
    double value = 0;  ///< rounded to `type` (half, float or double) by parse/
    std::string_view text = {};
};
struct CharLiteralExpr : Expr {
    static constexpr auto kKind = ExprKind::CharLiteral;
    int32_t value = 0;
};
struct StringLiteralExpr : Expr {
    static constexpr auto kKind = ExprKind::StringLiteral;
    std::string_view value = {};       ///< after escapes and concatenation, without the final nul
    std::span<const Tok> tokens = {};  ///< as written; none for __func__
};
struct DeclRefExpr : Expr {
    static constexpr auto kKind = ExprKind::DeclRef;
    std::string_view name = {};
    Decl* decl = nullptr;     ///< checked: VarDecl, FunctionDecl or EnumConstantDecl
    bool is_capture = false;  ///< checked: the const copy that a block has of the variable
};
struct ParenExpr : Expr {
    static constexpr auto kKind = ExprKind::Paren;
    Expr* inner = nullptr;
};

enum class UnaryOp : uint8_t {
    Plus,
    Minus,
    Not,
    LogicalNot,
    Deref,
    AddressOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    Extension,
    Real,
    Imag,
};
/// LogicalNot (of any scalar, or a vector) and comparisons have type int, or the signed vector whose true is
/// -1. AddressOf has an lvalue operand, Deref a pointer rvalue. ++ and -- add 1 to an lvalue of any
/// arithmetic, vector or pointer type and are rvalues. Extension is dropped by check/.
struct UnaryExpr : Expr {
    static constexpr auto kKind = ExprKind::Unary;
    UnaryOp op = {};
    SourceRange op_range = {};
    Expr* operand = nullptr;
};

enum class BinaryOp : uint8_t {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    LogicalAnd,
    LogicalOr,
    Comma,
};
inline bool is_comparison(BinaryOp op) { return op >= BinaryOp::Less && op <= BinaryOp::NotEqual; }

/// checked: both operands have the operation's type; a shift count too, it counts modulo the width (6.3.10).
/// In comparisons both have the type compared, and the result is int or the signed vector. LogicalAnd and
/// LogicalOr have two scalars of any type (short-circuit; each compared with zero) or two vectors of one type
/// (both evaluated). Pointer arithmetic: Add has the pointer on the left, the integer is long or ulong; Sub
/// of two pointers has type ptrdiff_t and counts elements. A pointer to void counts in bytes. Comma: the left
/// value is dropped.
struct BinaryExpr : Expr {
    static constexpr auto kKind = ExprKind::Binary;
    BinaryOp op = {};
    SourceRange op_range = {};
    Expr* lhs = nullptr;
    Expr* rhs = nullptr;
};
/// `=` when !compound. A compound `a op= b` computes in `computation_type`: a is read, converted to it,
/// combined with rhs (already converted to computation_type; for a pointer, to long or ulong), converted back
/// and stored. lhs has the same number of lanes as computation_type. The value is lhs's new value, an rvalue.
/// Without `compound` rhs has lhs's type; records are assigned as wholes (rhs is then an LValueToRValue of
/// record type, a call, …).
struct AssignExpr : Expr {
    static constexpr auto kKind = ExprKind::Assign;
    bool compound = false;
    BinaryOp op = {};
    SourceRange op_range = {};
    Expr* lhs = nullptr;
    Expr* rhs = nullptr;
    const Type* computation_type = nullptr;  ///< checked:
};
/// `?:`. With a vector condition it selects per component by the condition's top bit (OpenCL C 6.3.9); both
/// arms are then vectors of as many elements of the same width. checked: the arms have the type of the whole;
/// in `a ?: b` the condition has it too.
struct ConditionalExpr : Expr {
    static constexpr auto kKind = ExprKind::Conditional;
    Expr* condition = nullptr;
    Expr* if_true = nullptr;  ///< null for GNU `a ?: b`
    Expr* if_false = nullptr;
    SourceRange op_range = {};  ///< of the `?`
};

enum class CastKind : uint8_t {
    LValueToRValue,  ///< reads an object: a scalar, pointer, vector, record or opaque value
    ArrayToPointer,
    FunctionToPointer,
    NoOp,      ///< qualifiers only
    Integral,  ///< integer to integer (vector to vector only when explicit built-ins say so)
    IntToFloat,
    FloatToInt,
    Float,
    ToBool,            ///< any scalar != 0
    Splat,             ///< scalar of the element type to vector
    NullToPointer,     ///< a constant 0 to a pointer, or to event_t and its kin
    PointerToPointer,  ///< the pointee's type changes, the space does not
    AddressSpace,      ///< the pointee's space changes, its type does not
    IntToPointer,      ///< from long or ulong
    PointerToInt,
    BitCast,  ///< same size: as_*() on vectors, vector casts of equal type
    ToVoid,
    IntToSampler,  ///< `sampler_t s = CLK_…`: a uint to a sampler
};
/// Written casts have `written`; the rest are check/'s. Explicit scalar-to-vector casts are a conversion to
/// the element, then a Splat.
struct CastExpr : Expr {
    static constexpr auto kKind = ExprKind::Cast;
    TypeName* written = nullptr;
    Expr* operand = nullptr;
    CastKind cast = {};  ///< checked:
};

struct CallExpr : Expr {
    static constexpr auto kKind = ExprKind::Call;
    Expr* callee = nullptr;
    std::span<Expr*> args = {};  ///< checked: converted to the parameter types
    SourceRange close_paren = {};
    FunctionDecl* function = nullptr;  ///< checked: a user's function, or null
    const builtin::Resolution* builtin =
        nullptr;  ///< checked: a built-in, or null; neither: the callee is a block
};
/// checked: base is a pointer rvalue, or a vector (an lvalue, or an rvalue), and index a long or ulong
/// rvalue.
struct SubscriptExpr : Expr {
    static constexpr auto kKind = ExprKind::Subscript;
    Expr* base = nullptr;
    Expr* index = nullptr;
};
/// parse: `a.name` and `a->name` of anything. checked: a record member only; `p->m` has a Deref below it; a
/// vector's components become a SwizzleExpr. Unnamed records on the way are MemberExprs of their own.
struct MemberExpr : Expr {
    static constexpr auto kKind = ExprKind::Member;
    Expr* base = nullptr;
    bool arrow = false;
    SourceRange op_range = {};
    std::string_view name = {};
    SourceRange name_range = {};
    FieldDecl* field = nullptr;  ///< checked:
};
/// checked form only. One lane: type is the element. An lvalue when the base is; assigned to only when no
/// lane repeats. `.hi` and `.odd` of a vector of three have a lane 3: undefined when read, dropped when
/// written.
struct SwizzleExpr : Expr {
    static constexpr auto kKind = ExprKind::Swizzle;
    Expr* base = nullptr;
    uint8_t lane_count = 0;
    uint8_t lanes[16] = {};
};
/// `(float4)(a, b, …)`. checked: elements are scalars or vectors of the element type that fill it in order,
/// or one scalar that is splatted.
struct VectorLiteralExpr : Expr {
    static constexpr auto kKind = ExprKind::VectorLiteral;
    TypeName* written = nullptr;
    std::span<Expr*> elements = {};
    SourceRange list_range = {};  ///< of the parenthesised list
};
/// `(T){…}`: an lvalue object of the enclosing block (or of global lifetime at file scope).
struct CompoundLiteralExpr : Expr {
    static constexpr auto kKind = ExprKind::CompoundLiteral;
    TypeName* written = nullptr;
    Expr* init = nullptr;
    bool is_file_scope = false;  ///< checked:
};

struct Designator {
    SourceRange range = {};
    std::string_view field = {};  ///< .field, or
    Expr* index = nullptr;        ///< [index], or
    Expr* index_end = nullptr;    ///< GNU [index ... index_end]
    FieldDecl* member = nullptr;  ///< checked: what `field` leads through
};
struct InitEntry {
    std::span<Designator> designators = {};
    Expr* value = nullptr;
};
/// parse: `entries` as written. checked: `inits`, one per array element, vector component or field (a union
/// has one, for `union_field`); null means zero; elements past the end of `inits` are zero. Sub-aggregates
/// are InitLists too, or one expression of the aggregate's type, or a StringLiteral for a char array.
struct InitListExpr : Expr {
    static constexpr auto kKind = ExprKind::InitList;
    std::span<InitEntry> entries = {};
    std::span<Expr*> inits = {};
    FieldDecl* union_field = nullptr;
};
/// sizeof, alignof, vec_step of a type; checked: `value`.
enum class SizeofOp : uint8_t { Sizeof, Alignof, VecStep };
struct SizeofTypeExpr : Expr {
    static constexpr auto kKind = ExprKind::SizeofType;
    SizeofOp op = {};
    TypeName* written = nullptr;
    uint64_t value = 0;
};
struct SizeofExprExpr : Expr {
    static constexpr auto kKind = ExprKind::SizeofExpr;
    SizeofOp op = {};
    Expr* operand = nullptr;  ///< not evaluated
    uint64_t value = 0;
};
/// GNU `({ … })`: the value is the last expression statement's.
struct StmtExprExpr : Expr {
    static constexpr auto kKind = ExprKind::StmtExpr;
    CompoundStmt* body = nullptr;
};
/// __builtin_choose_expr(c, a, b). checked: `chosen`.
struct ChooseExpr : Expr {
    static constexpr auto kKind = ExprKind::Choose;
    Expr* condition = nullptr;
    Expr* if_true = nullptr;
    Expr* if_false = nullptr;
    Expr* chosen = nullptr;
};
/// __builtin_offsetof(type, designators). checked: `value`.
struct OffsetofExpr : Expr {
    static constexpr auto kKind = ExprKind::Offsetof;
    TypeName* written = nullptr;
    std::span<Designator> designators = {};
    uint64_t value = 0;
};
/// `^int (int x) { … }` (OpenCL C 6.12): an rvalue of block type. Blocks are const and initialised, so that
/// every expression of block type leads to a literal, or to a parameter of a function that is called with
/// one.
struct BlockLiteralExpr : Expr {
    static constexpr auto kKind = ExprKind::BlockLiteral;
    TypeName* result = nullptr;      ///< null when not written
    DeclaratorChunk signature = {};  ///< the parameters; a Function
    CompoundStmt* body = nullptr;
    FunctionDecl* invoke = nullptr;  ///< checked: the body as a function
    std::span<VarDecl*> captures =
        {};  ///< checked: what it copies of the enclosing functions, in order of use
};
/// parse form only. __builtin_astype(e, T) keeps the bits; with `convert`, __builtin_convertvector(e, T)
/// keeps the values. check/ makes it a CastExpr.
struct AsTypeExpr : Expr {
    static constexpr auto kKind = ExprKind::AsType;
    Expr* operand = nullptr;
    TypeName* written = nullptr;
    bool convert = false;
};
/// __builtin_types_compatible_p(T, U); checked: `value`.
struct TypesCompatibleExpr : Expr {
    static constexpr auto kKind = ExprKind::TypesCompatible;
    TypeName* first = nullptr;
    TypeName* second = nullptr;
    bool value = false;
};
/// `_Generic(control, type: value, default: value)` (C11 6.5.1.1). parse form only: check/ puts the chosen
/// value in its place, in parentheses.
struct GenericAssociation {
    SourceRange range = {};
    TypeName* type = nullptr;  ///< null for `default`
    Expr* value = nullptr;
};
struct GenericExpr : Expr {
    static constexpr auto kKind = ExprKind::Generic;
    Expr* control = nullptr;
    std::span<GenericAssociation> associations = {};
};

// ---- Statements ----

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
struct CompoundStmt : Stmt {
    static constexpr auto kKind = StmtKind::Compound;
    std::span<Stmt*> body = {};
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
    bool is_used = false;  ///< checked:
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
    LabelStmt* target = nullptr;  ///< checked:
};
struct ContinueStmt : Stmt {
    static constexpr auto kKind = StmtKind::Continue;
};
struct BreakStmt : Stmt {
    static constexpr auto kKind = StmtKind::Break;
};
struct ReturnStmt : Stmt {
    static constexpr auto kKind = StmtKind::Return;
    Expr* value = nullptr;
};

/// checked: `decls` in source order, local declarations excluded.
struct TranslationUnit {
    std::span<Decl*> decls = {};
};

// ---- Casting by kind ----

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
