// SPDX-License-Identifier: Apache-2.0
// The door of emit/: a checked tree in, an OpenCL SPIR-V module out.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "spirv/module.h"

namespace caldera::frontend {

/// Emits the kernels and all functions and variables that they reach. Other functions are omitted, unless
/// they are external and `options.export_functions` is set. The tree must be checked and without errors. If
/// the emitter declines something, it reports this to `diags`, and the module must not be used.
spirv::Module emit(const TranslationUnit& unit, const CompileOptions& options, TypeTable& types, Arena& arena,
                   const SourceManager& sources, Diagnostics& diags);

}  // namespace caldera::frontend
