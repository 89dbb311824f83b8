// SPDX-License-Identifier: Apache-2.0
// The options of a compilation, which all rooms of the front end see.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/diag.h"
#include "frontend/features.h"
#include "spirv/spirv.h"
#include "spirv/support/result.h"

namespace caldera::frontend {

/// -D NAME=TEXT, -D NAME (text "1") or, with `undefine`, -U NAME; applied in the order given.
struct MacroOption {
    std::string name = {};
    std::string text = {};
    bool undefine = false;
};

/// Where a product and a sum may be computed as one fma, rounded once (-ffp-contract=).
enum class FpContract : uint8_t {
    Off,   ///< nowhere, but where FP_CONTRACT ON is written
    On,    ///< within an expression, but not where FP_CONTRACT OFF is in force (C99 6.5p8)
    Fast,  ///< across statements and calls too, but not in kernels that reach an FP_CONTRACT OFF
};

/// What debug information says besides the lines.
enum class DebugDetail : uint8_t {
    None,       ///< OpLine and nothing else
    Scopes,     ///< functions and blocks: -gline-tables-only
    Variables,  ///< variables and types too: -g
};
/// What debug information tells about the source: --debug-source=.
enum class DebugSource : uint8_t { Embed, Path, None };

/// The -cl-* build options of clBuildProgram (OpenCL API 5.8.4) and the compiler's own.
struct CompileOptions {
    Standard standard = Standard::CL12;
    spirv::Target target =
        spirv::Target::OpenCL20;  ///< version and capabilities of the output; an OpenCL target
    /// Image instructions say whether integers have a sign, as SPIR-V can from 1.4 on. For a module that is
    /// translated at once: its version does not change.
    bool image_signs = false;
    std::vector<MacroOption> macros = {};
    std::vector<std::string> include_dirs = {};
    std::vector<std::string> quote_dirs = {};   ///< -iquote: before include_dirs, for "names" alone
    std::vector<std::string> system_dirs = {};  ///< -isystem: after include_dirs
    std::vector<std::string> last_dirs = {};    ///< -idirafter: after those
    std::vector<std::string> includes = {};     ///< -include FILE
    std::vector<std::string> macro_files = {};  ///< -imacros FILE: read before those, for their macros alone
    bool no_target_macros = false;              ///< -undef
    bool show_includes = false;                 ///< -H: fills CompileResult::included
    bool missing_headers_are_made = false;      ///< -MG: what is not found is a dependency, and empty
    bool reads_on_without_header = false;       ///< what is not found is an error, but no fatal one
    WarningOptions warnings = {};
    /// Options of other vendors' compilers, as they were given; each gets a warning.
    std::vector<std::string> unused = {};
    /// Names in -cl-ext= that no extension has, but nearly so; each gets a warning. Others are other
    /// devices'.
    std::vector<std::string> misspelt_extensions = {};
    bool findings = false;  ///< fills CompileResult::findings

    ExtSet extensions = ExtSet::all();  ///< what of the optional parts the device has; -cl-ext= changes it

    bool single_precision_constant = false;
    bool denorms_are_zero = false;
    bool correctly_rounded_divide_sqrt = false;
    bool opt_disable = false;
    int optimization = 1;          ///< -O: of what translates; 0, 1 or 2
    bool strict_aliasing = false;  ///< accepted; changes nothing
    FpContract fp_contract = FpContract::On;
    bool mad_enable = false;  ///< implies FpContract::Fast where it is On
    bool no_signed_zeros = false;
    bool unsafe_math = false;  ///< -cl-unsafe-math-optimizations: implies mad_enable and no_signed_zeros
    bool finite_math_only = false;
    bool fast_relaxed_math =
        false;  ///< implies unsafe_math and finite_math_only, defines __FAST_RELAXED_MATH__
    bool uniform_work_group_size = false;
    bool kernel_arg_info = false;
    bool debug_info = false;                        ///< -g: OpSource, OpLine, names of values
    DebugDetail debug_detail = DebugDetail::None;   ///< only with debug_info
    DebugSource debug_source = DebugSource::Embed;  ///< only where debug_detail is not None
    bool keep_comments = false;  ///< -C, -CC: preprocess() prints comments outside directives and macros
    /// Keeps external functions that are no kernels and exports them, overloadable ones by their mangled
    /// names; builtins/ compiles with it. Separate compilation exports variables as well.
    bool export_functions = false, export_variables = false;

    Features features() const { return {.standard = standard, .device = extensions}; }
    bool has(Ext e) const { return features().has(e); }

    /// Reads a file of this path for #include; nullopt when there is none. The default reads the file system.
    std::function<std::optional<std::string>(const std::string& path)> read_file = {};
};

/// Reads the option string of clBuildProgram (OpenCL API 5.8.4) into `options`: the rows of options.def, with
/// "quotes" and backslashes as a shell has them, and apostrophes as C has them in definitions. An option that
/// nobody knows, or a value that it cannot have, is an error.
Result<Done> parse_build_options(std::string_view text, CompileOptions& options);

}  // namespace caldera::frontend
