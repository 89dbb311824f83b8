// SPDX-License-Identifier: Apache-2.0
// What the emitter asks about types.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include "frontend/ast/ast.h"

namespace caldera::frontend {

/// The kind of arithmetic that a type has: an enumeration's is that of its underlying type.
const Type* arithmetic_type(const Type* type);
const RecordDecl& record_definition(
    const Type* type);  ///< of a record type, the declaration if there is no other
spv::StorageClass storage_class(AddressSpace space);

}  // namespace caldera::frontend
