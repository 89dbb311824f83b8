// SPDX-License-Identifier: Apache-2.0
// The door of emit/: a checked tree in, an OpenCL SPIR-V module out.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "spirv/module.h"

namespace caldera::frontend {

/// Emits the kernels and every function and variable that they reach (non-kernel functions that nothing reaches are
/// dropped unless they are external and `options.export_functions`). The tree is checked and without errors. What
/// the emitter declines is reported to `diags`, and the module is then not to be used.
spirv::Module emit(const TranslationUnit& unit, const CompileOptions& options, TypeTable& types, Arena& arena,
                   const SourceManager& sources, Diagnostics& diags);

}  // namespace caldera::frontend
