// SPDX-License-Identifier: Apache-2.0
// The door of web/: what clc2spv does with one source, from JSON to JSON and modules, without files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::web {

/// What a request led to.
struct Answer {
    std::string json = {};                            ///< in UTF-8; it names modules by their place below
    std::vector<std::vector<uint32_t>> modules = {};  ///< SPIR-V of the stages that it asked for
};

/// Does what a request in JSON asks for:
///
///     {"source": TEXT, "name": "kernel.cl", "arguments": ["-O2"], "files": {"a.h": TEXT}, "passes": true}
///
/// `source` is OpenCL C, or assembly if the name ends with ".spvasm". `arguments` are clc2spv's; -o and names
/// of inputs are not among them. `files` are what the source includes and a device's profile, by their paths.
/// With `passes` the answer has the module after each pass.
///
/// The answer in JSON:
///
///     ok           whether there were no errors
///     failed       where the error is: "request", "options", "front end", "translator", "validator"; else ""
///     log          the diagnostics with source lines and carets, as clc2spv prints them
///     diagnostics  the same as data, in the form of `gcc -fdiagnostics-format=json`
///     target       "vulkan1.2"
///     opencl       number of the front end's module; null without one
///     vulkan       number of the translator's module; null without one
///     reflection   how the kernels are called (`clc2spv --emit=reflection-json`); null for OpenCL
///     text         of --emit=c-header, cpp-header and ast, and of -E; else ""
///     passes       [{number, name, need, summary, changed, module}]: those that ran, in order; `module`
///                  is a number, the same as before where the pass changed nothing
///     times        [{stage, ms}]
///
/// Never throws. Nothing in a request makes it fail otherwise than by an answer.
Answer run(std::string_view request);

/// The module as assembly text; what is wrong with it, if it has none. `by_source`: the functions beside the
/// lines of the source, as `clc2spv --annotate` prints them.
std::string disassemble(const std::vector<uint32_t>& words, bool by_source);

/// {"version": TEXT, "help": TEXT, "passes": [{number, name, need, summary}]} in JSON.
std::string about();

}  // namespace caldera::web
