// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: a rule that turns bytes into a compilation. Under this rule every test file is
// a seed, and every finding can become a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/compile.h"

namespace caldera::fuzz {

/// The sources and the options of their `// OPTIONS: …` lines, which have the same meaning as for the test
/// runner. The lines may also contain clc2spv's -c, --create-library, --allow-partial-linkage, --emit=ast and
/// -fcolor-diagnostics.
struct Input {
    std::vector<std::string> sources = {};  ///< one; more where a line says `// NEXT FILE`
    frontend::CompileOptions options = {};
    bool link = false;  ///< -c: every source is compiled apart, and then all are linked
    bool create_library = false;
    bool allow_partial_linkage = false;
    bool print_tree = false;
    bool colour = false;
};

/// Never fails: it ignores options that do not parse. #include finds a few small files and the source itself,
/// but no file of the file system.
Input read_input(const uint8_t* data, size_t size);

/// Prints what is wrong on stderr and aborts the process, which is how libFuzzer learns of a finding.
[[noreturn]] void finding(const std::string& what);

/// Checks what must hold for every compilation: the log contains exactly as many errors as were counted, and
/// none of them is an internal error.
void check_result(const std::string& source, const frontend::CompileResult& result);

}  // namespace caldera::fuzz
