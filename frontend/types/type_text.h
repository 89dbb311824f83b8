// SPDX-License-Identifier: Apache-2.0
// Types as text, in clang's spelling.
#pragma once

#include <string>
#include <string_view>

#include "frontend/types/type.h"

namespace caldera::frontend {

/// The declaration of a name, "int (*name)[4]"; an empty name leaves the type.
std::string declaration_text(const QualType& type, std::string_view name);

}  // namespace caldera::frontend
