// SPDX-License-Identifier: Apache-2.0
// Puts definitions in the place of their declarations, within a module that several modules were merged into.
#pragma once
#include <string>
#include <vector>

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::spirv {

/// An import and the export that it becomes, by the names of their linkage decorations. Each of the names
/// occurs once in the module.
struct Binding {
    std::string import = {};
    std::string definition = {};
};

/// Replaces every import by its definition, and drops the imports. The types may differ as those of C's
/// declarations do: pointers are cast. Decorations are the definition's, except that the strictest Alignment
/// of all holds, which loads and stores of the importing modules rely on. Globals are brought into order.
Result<Done> bind_imports(Module& module, const std::vector<Binding>& bindings);

}  // namespace caldera::spirv
