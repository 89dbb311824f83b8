// SPDX-License-Identifier: Apache-2.0
// _Generic (C11 6.5.1.1), which clang takes in OpenCL C too.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {
namespace {

/// Types with different qualifiers are not compatible (C99 6.7.3p9).
bool same_in_association(const QualType& a, const QualType& b) {
    return same_qualifiers(a, b) && compatible(a, b);
}

}  // namespace

/// Reads the type of an association; false when it is faulty or means the same as an earlier one.
bool Checker::generic_association(GenericExpr& e, size_t index) {
    const GenericAssociation& association = e.associations[index];
    const bool is_default = !association.type;
    QualType type = is_default ? QualType{} : type_name(association.type);
    if (!is_default && type->is_error()) return false;
    if (!is_default && (!type->is_complete() || type->incomplete_array)) {
        note_incomplete(
            diags_.error(association.type->range, "type '", type, "' in generic association incomplete"),
            type.type);
        return false;
    }
    for (const GenericAssociation& earlier : e.associations.first(index)) {
        if (is_default != !earlier.type) continue;
        if (is_default) {
            diags_.error(association.range, "duplicate default generic association")
                .note(earlier.range, "previous default generic association is here");
            return false;
        }
        if (!same_in_association(type, earlier.type->type)) continue;
        diags_
            .error(association.type->range, "type '", type,
                   "' in generic association compatible with previously specified type '", earlier.type->type,
                   "'")
            .note(earlier.type->range, "compatible type '", earlier.type->type, "' specified here");
        return false;
    }
    return true;
}

Expr* Checker::generic_selection(GenericExpr& e) {
    ++unevaluated_;
    e.control = value(e.control);
    --unevaluated_;
    if (is_error(e.control)) return error_expr(e);
    warn_unevaluated(*e.control);
    // A value has no qualifiers (C11 DR 481), but an image has its access.
    const QualType control = {.type = e.control->type.type, .access = e.control->type.access};
    const GenericAssociation* chosen = nullptr;
    const GenericAssociation* otherwise = nullptr;
    for (size_t i = 0; i < e.associations.size(); ++i) {
        if (!generic_association(e, i)) return error_expr(e);
        const GenericAssociation& association = e.associations[i];
        if (!association.type)
            otherwise = &association;
        else if (same_in_association(association.type->type, control))
            chosen = &association;
    }
    if (!chosen) chosen = otherwise;
    for (GenericAssociation& association : e.associations) {
        unevaluated_ += &association != chosen;
        association.value = expr(association.value);
        unevaluated_ -= &association != chosen;
    }
    if (!chosen) {
        diags_.error(e.control->range, "controlling expression type '", e.control->type,
                     "' not compatible with any generic association type");
        return error_expr(e);
    }
    auto* result = make_node<ParenExpr>(arena_, e.range);
    result->inner = chosen->value;
    return paren(*result);
}

}  // namespace caldera::frontend
