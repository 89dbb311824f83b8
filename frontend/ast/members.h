// SPDX-License-Identifier: Apache-2.0
// Walks over the members of a record and of nested records, for questions about everything that an object
// contains.
#pragma once

#include <unordered_set>

#include "frontend/ast/ast.h"

namespace caldera::frontend {

using RecordSet = std::unordered_set<const RecordDecl*>;

/// Returns the first member for which `f` holds, or null. Skips records in `seen`, because nested types can
/// have exponentially many members.
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
