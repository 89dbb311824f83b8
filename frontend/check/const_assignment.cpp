// SPDX-License-Identifier: Apache-2.0
// What clang says of assignments to what is const: which variable, field or nested field makes it so.
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

/// `type` of what a name stands for, or of what a pointer by that name leads to.
bool is_const(const QualType& type, bool is_dereferenced) {
    return is_dereferenced && type->is_pointer() ? type->element.is_const : type.is_const;
}

/// The base of a path, without conversions to rvalues and decays of arrays.
const Expr* path_base(const Expr* e) {
    for (;;) {
        e = strip_parens(e);
        auto* cast = dyn<CastExpr>(e);
        if (!cast || cast->written) return e;
        e = cast->operand;
    }
}

struct ConstField {
    const FieldDecl* field = nullptr;
    bool is_nested = false;
};

/// The const fields of a record, those of the records in it last.
std::vector<ConstField> const_fields(const Type* type) {
    std::vector<ConstField> found;
    std::vector<const Type*> records = {type};
    for (size_t i = 0; i < records.size(); ++i) {
        const RecordDecl* record = records[i]->record;
        if (record->definition) record = record->definition;
        for (const FieldDecl* field : record->fields) {
            if (field->type.is_const) found.push_back({field, i > 0});
            const Type* inner = field->type.type;
            const bool is_new = std::ranges::find(records, inner) == records.end();
            if (inner->is_record() && is_new) records.push_back(inner);
        }
    }
    return found;
}

}  // namespace

void Checker::refuse_const(const Expr& whole, SourceRange at) {
    bool said = false, is_dereferenced = false;
    Diagnostics::Handle handle;
    const auto say = [&](auto... parts) {
        if (!said) handle = diags_.error(at, parts...).highlight(whole.range);
        said = true;
    };
    const Expr* e = path_base(&whole);
    for (;;) {
        if (auto* member = dyn<MemberExpr>(e)) {
            const FieldDecl& field = *member->field;
            if (is_const(field.type, is_dereferenced)) {
                say("cannot assign to non-static data member '", field.name, "' with const-qualified type '",
                    field.type, "'");
                handle.note(field.name_range, "non-static data member '", field.name,
                            "' declared const here");
            }
            e = member->base;
            auto* unary = dyn<UnaryExpr>(strip_parens(e));
            is_dereferenced = unary && unary->op == UnaryOp::Deref && e->kind != ExprKind::Paren;
            e = path_base(is_dereferenced ? unary->operand : e);
        } else if (auto* swizzle = dyn<SwizzleExpr>(e)) {
            e = path_base(swizzle->base);
        } else if (auto* subscript = dyn<SubscriptExpr>(e)) {
            e = path_base(subscript->base);
        } else {
            break;
        }
    }
    auto* ref = dyn<DeclRefExpr>(e);
    auto* var = ref ? dyn<VarDecl>(ref->decl) : nullptr;
    const bool is_itself = strip_parens(&whole) == ref;  // constant variables too
    if (var && !ref->is_capture && (is_const(var->type, is_dereferenced) || is_itself)) {
        say("cannot assign to variable '", var->name, "' with const-qualified type '", var->type, "'");
        handle.note(var->name_range, "variable '", var->name, "' declared const here");
    }
    say("read-only variable is not assignable");
}

bool Checker::refuse_const_fields(const Expr& whole, SourceRange at) {
    if (!whole.type->is_record()) return false;
    const std::vector<ConstField> fields = const_fields(whole.type.type);
    if (fields.empty()) return false;
    const Expr* e = strip_parens(&whole);
    std::string what = "lvalue";
    if (auto* member = dyn<MemberExpr>(e))
        what = "non-static data member '" + std::string(member->field->name) + "'";
    else if (auto* ref = dyn<DeclRefExpr>(e))
        what = "variable '" + std::string(ref->decl->name) + "'";
    const auto nested = [](const ConstField& field) { return field.is_nested ? "nested " : ""; };
    auto handle = diags_
                      .error(at, "cannot assign to ", what, " with ", nested(fields[0]),
                             "const-qualified data member '", fields[0].field->name, "'")
                      .highlight(whole.range);
    for (const ConstField& found : fields)
        handle.note(found.field->name_range, nested(found), "data member '", found.field->name,
                    "' declared const here");
    return true;
}

}  // namespace caldera::frontend
