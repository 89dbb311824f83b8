// SPDX-License-Identifier: Apache-2.0
// The members of a record and of the records in it, for questions about all that an object contains.
#pragma once

#include <unordered_set>

#include "frontend/ast/ast.h"

namespace caldera::frontend {

using RecordSet = std::unordered_set<const RecordDecl*>;

/// The first member for which `f` holds; null when there is none. A record in `seen` is not looked into again: types
/// of types have more members than anyone could count.
template <class F>
const FieldDecl* find_member(const Type* type, RecordSet& seen, F f) {
    while (type->is_array()) type = type->element.type;
    if (!type->is_record() || !type->record || !seen.insert(type->record).second) return nullptr;
    for (const FieldDecl* field : type->record->fields) {
        if (f(*field)) return field;
        if (const FieldDecl* inner = find_member(field->type.type, seen, f)) return inner;
    }
    return nullptr;
}

}  // namespace caldera::frontend
