// SPDX-License-Identifier: Apache-2.0
// Expressions (C99 6.5). ast.h says what "checked:" means.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/ast/declarator.h"

namespace caldera::frontend {

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
    bool is_shared = false;            ///< checked: initialises several elements, and is evaluated once
    SourceRange range = {};
};
static_assert(sizeof(Expr) <= 24, "a kernel's expressions are most of its memory");

/// Already reported; its type is the error type, which silences what follows.
struct ErrorExpr : Expr {
    static constexpr auto kKind = ExprKind::Error;
    Expr* partial = nullptr;  ///< parse: what could be read, for its names; or null
};

struct IntLiteralExpr
    : Expr {  ///< also every constant that check/ folds (sizeof, enumerators keep their nodes)
    static constexpr auto kKind = ExprKind::IntLiteral;
    uint64_t value = 0;
    std::string_view text = {};        ///< the token; parse/ sets `type` by C99 6.4.4.1
    bool implicitly_unsigned = false;  ///< as NumberLiteral has it
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
/// Where an integer is added to a pointer and the sum assigned to the integer, computation_type is the
/// pointer's. Without `compound` rhs has lhs's type; records are assigned as wholes (rhs is then an
/// LValueToRValue of record type, a call, …).
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
/// parse: `a.name` and `a->name` of anything, with an empty name where it is missing. checked: a record
/// member only; `p->m` has a Deref below it; a vector's components become a SwizzleExpr. Unnamed records on
/// the way are MemberExprs of their own.
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
    std::string_view field = {};   ///< .field, or
    Expr* index = nullptr;         ///< [index], or
    Expr* index_end = nullptr;     ///< GNU [index ... index_end]
    FieldDecl* member = nullptr;   ///< checked: what `field` leads through
    uint64_t first = 0, last = 0;  ///< checked: the elements, or the field's index
};
struct InitEntry {
    std::span<Designator> designators = {};
    Expr* value = nullptr;
};
/// parse: `entries` as written. checked: `inits`, one per array element, vector component or field (a union
/// has one, for `union_field`); null means zero; elements past the end of `inits` are zero. Sub-aggregates
/// are InitLists too, or one expression of the aggregate's type, or a StringLiteral for a char array.
/// `.in = e, .in.x = 5` makes a list of `.in` whose `base` is e: in it, and in update lists inside it, what
/// is left out stays as e has it.
struct InitListExpr : Expr {
    static constexpr auto kKind = ExprKind::InitList;
    std::span<InitEntry> entries = {};
    std::span<Expr*> inits = {};
    FieldDecl* union_field = nullptr;
    Expr* base = nullptr;    ///< checked: initialises the whole first
    bool is_update = false;  ///< checked: null leaves what a `base`, its own or one further out, has
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
/// GNU `({ … })`: the value is that of value_statement(), children.h.
struct StmtExprExpr : Expr {
    static constexpr auto kKind = ExprKind::StmtExpr;
    CompoundStmt* body = nullptr;
    const StmtExprExpr* outer = nullptr;  ///< checked: the one around it in the function
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

}  // namespace caldera::frontend
