// SPDX-License-Identifier: Apache-2.0
// The door of check/: names, types, conversions, overloads, constant expressions, kernel rules.
#pragma once

#include <memory>
#include <optional>

#include "frontend/ast/ast.h"
#include "frontend/builtin/builtin.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/mention.h"

namespace caldera::frontend {

class Checker;

/// Checks a translation unit in place, one external declaration at a time. A declaration that was passed to
/// declaration() then has the checked form that ast.h describes, unless an error was reported.
class UnitChecker {
 public:
    UnitChecker(const CompileOptions& options, TypeTable& types, Arena& arena, Diagnostics& diags);
    ~UnitChecker();

    /// From now on, appends each mention of a name.
    void note_names(NameIndex& mentions);
    void declaration(Decl& decl);
    void finish();  ///< what only the whole unit shows

 private:
    std::unique_ptr<Checker> checker_;
};

/// Checks the whole unit at once.
void check_translation_unit(TranslationUnit& unit, const CompileOptions& options, TypeTable& types,
                            Arena& arena, Diagnostics& diags);

/// The answers of __has_builtin, __has_attribute and __has_feature.
bool knows_gnu_builtin(std::string_view name, const Features& features);
bool knows_attribute(std::string_view name);
bool knows_feature(std::string_view name, const Features& features);

/// The value of a constant expression: an integer, a floating value, an address plus offset, or an aggregate
/// of them.
struct ConstantValue {
    enum class Kind : uint8_t { Int, Float, Address, Aggregate } kind = Kind::Int;
    uint64_t bits = 0;              ///< Int: two's complement at the type's width, zero-extended above it
    double number = 0;              ///< Float
    const VarDecl* base = nullptr;  ///< Address: of this object, or of
    const StringLiteralExpr* string = nullptr;  ///< this string, or of
    const CompoundLiteralExpr* literal =
        nullptr;               ///< this file-scope literal; all null: an absolute address in `bits`
    int64_t offset_bytes = 0;  ///< Address
    std::span<const ConstantValue> parts =
        {};                    ///< Aggregate: components, elements or fields; missing ones are zero
    uint32_t union_field = 0;  ///< Aggregate of a union: which member parts[0] is
};

/// The address space of the object whose address this is.
AddressSpace object_space(const ConstantValue& address);

/// Evaluates a checked expression (C99 6.6, and what clang folds in addition); nullopt if it is not constant.
/// `gave_up` says whether that is because it is nested too deeply.
std::optional<ConstantValue> evaluate(const Expr& expr, Arena& arena, bool* gave_up = nullptr);
std::optional<uint64_t> evaluate_integer(const Expr& expr);
/// The same, but nullopt unless it is an integer constant expression (C99 6.6p6), in which clang has const
/// integers too: for sizes of arrays and static assertions.
std::optional<uint64_t> evaluate_strictly(const Expr& expr);
/// The same, but nullopt if clang does not fold it: elements of arrays, fields and vectors' components that
/// are read, and reinterpreted bits.
std::optional<uint64_t> evaluate_by_extension(const Expr& expr);
/// A parameter and the value of its argument.
struct KnownParam {
    const VarDecl* param = nullptr;
    ConstantValue value = {};
};
/// Whether a condition is true where these parameters have these values; nullopt if that is not constant.
std::optional<bool> evaluate_condition(const Expr& expr, std::span<const KnownParam> params, Arena& arena);
/// As evaluate(), but addresses of variables of automatic lifetime have a value too.
std::optional<ConstantValue> evaluate_argument(const Expr& expr, Arena& arena);
/// As evaluate_integer(), with its sign extended to 64 bits if the expression's type has one.
std::optional<uint64_t> evaluate_as_long(const Expr& expr);

/// The literal that a checked expression of block type means, or the reference to the parameter that it comes
/// from. Null if neither is known.
const Expr* block_source(const Expr* e);

/// Where clang's caret for an expression points: to the operator or the member's name, else to the first
/// byte.
SourceRange expr_place(const Expr& e);

/// Removes parentheses.
const Expr* strip_parens(const Expr* e);
Expr* strip_parens(Expr* e);

}  // namespace caldera::frontend
