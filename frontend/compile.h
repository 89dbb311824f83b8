// SPDX-License-Identifier: Apache-2.0
// The door of frontend/: OpenCL C text in, OpenCL SPIR-V out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caldera/diagnostic.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/features.h"
#include "spirv/spirv.h"
#include "spirv/support/result.h"

namespace caldera::frontend {

/// `words` is empty exactly when there were errors; `log` is the rendered diagnostics.
struct CompileResult {
    std::vector<uint32_t> words = {};
    std::string log = {};
    std::vector<caldera::Diagnostic> diagnostics = {};  ///< the same as data, in its order
    /// With CompileOptions::findings: the same with ranges, macros, includes and fix-its.
    std::vector<Finding> findings = {};
    uint32_t errors = 0, warnings = 0;
    bool out_of_memory = false;  ///< one of the errors is that memory ran out, so the source may be correct
    std::vector<std::string> dependencies = {};  ///< files that were read, the main one first, for -M
    /// -H: ".. path" for each included file; this one was included from an included file
    std::vector<std::string> included = {};
    explicit operator bool() const { return errors == 0; }
};

/// Compiles one source. Never throws: a bug of ours becomes an error in the log that says so. The result
/// depends on nothing but the arguments and the files that are read: not on the thread's floating-point
/// environment, nor on a locale.
CompileResult compile(std::string_view source, const std::string& file_name, const CompileOptions& options,
                      bool colour = false);

/// What -E prints of the preprocessed text.
struct Printed {
    bool markers = true;       ///< # line markers; -P leaves them out
    bool definitions = false;  ///< -dD: #define and #undef lines too
    bool only_macros = false;  ///< -dM: only the macro definitions at the end of the source
};

/// -E: the preprocessed text in `text`.
CompileResult preprocess(std::string_view source, const std::string& file_name, const CompileOptions& options,
                         std::string& text, bool colour = false, Printed printed = {});

/// --emit=ast: the checked tree as indented text in `text`.
CompileResult dump_ast(std::string_view source, const std::string& file_name, const CompileOptions& options,
                       std::string& text, bool colour = false);

}  // namespace caldera::frontend
