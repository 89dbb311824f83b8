// SPDX-License-Identifier: Apache-2.0
/// @file
/// compile(): OpenCL C to OpenCL SPIR-V. It needs no device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caldera/api.h"
#include "caldera/diagnostic.h"
#include "caldera/profile.h"
#include "caldera/result.h"

namespace caldera {

/// A macro that is defined before the source begins.
struct Macro {
    std::string name = {};   ///< an identifier, or with parameters "NAME(x)"
    std::string text = "1";  ///< what it stands for
};

/// How a source is compiled.
struct CompileOptions {
    /// Options as clBuildProgram takes them (OpenCL API 5.8.4), for example `-cl-std=CL2.0 -Werror -I
    /// kernels`. Quotes and backslashes work as in a shell. `clc2spv --help` lists all options. If compile()
    /// finds an option wrong, its log says so as an error.
    std::string options = {};
    /// Definitions besides those of `options`, which come first. Their text needs no quoting.
    std::vector<Macro> macros = {};
    /// Folders for include directives besides those of `options`, which come first.
    std::vector<std::string> include_dirs = {};
    /// Reads the file of this path for an include directive; nullopt if there is none. The default reads the
    /// file system. The thread that compiles calls it. What it throws becomes an error in the log.
    std::function<std::optional<std::string>(const std::string& path)> read_file = {};
    /// The device decides which extensions and optional features OpenCL C has. Without one it has all that
    /// Caldera knows. Program::build() takes its own device's.
    std::optional<DeviceProfile> profile = {};
    /// Separate compilation: functions and variables that are external in C are exported, and what is
    /// declared alone is imported, for link().
    bool makes_object = false;
    bool colour = false;  ///< the log has the escape sequences of terminals
};

/// A module, or why there is none.
struct CompileResult {
    std::vector<uint32_t> words = {};  ///< OpenCL SPIR-V; empty exactly when there were errors
    std::string log = {};              ///< the diagnostics in clang's form, with source lines and carets
    std::vector<Diagnostic> diagnostics = {};    ///< the same as data, in the order of the log
    std::vector<std::string> dependencies = {};  ///< paths of the files that were read, the main one first
    bool out_of_memory = false;                  ///< the source is not to blame
    /// Whether there is a module.
    explicit operator bool() const { return !words.empty(); }
};

/// Compiles one source. `file_name` is for messages and relative includes. Thread-safe. Nothing is thrown: a
/// fault of Caldera itself becomes an error in the log that says so. The result depends on nothing but the
/// arguments and the files that are read, neither on the thread's floating-point environment nor on a locale.
CALDERA_API CompileResult compile(std::string_view source, const std::string& file_name,
                                  const CompileOptions& options = {});

/// A module of several, for link().
struct LinkInput {
    std::string name = {};  ///< for messages
    /// OpenCL SPIR-V with linkage, of compile() or of another compiler.
    std::span<const uint32_t> words = {};
};

/// One module of several: imports find exports of the same name and type (SPIR-V 2.16.1). With `keep_exports`
/// the result is a library for another link(). The error has a line for each symbol that is undefined,
/// defined twice, or imported with another type than it is exported with. Thread-safe.
CALDERA_API Result<std::vector<uint32_t>> link(std::span<const LinkInput> inputs, bool keep_exports = false);

}  // namespace caldera
