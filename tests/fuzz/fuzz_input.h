// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: a bytes-to-compilation rule under which every test file is a seed, and a finding a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/compile.h"

namespace caldera::fuzz {

/// Sources and the options of their `// OPTIONS: …` lines, as the test runner reads them, and in them what clc2spv
/// calls -c, --create-library, --allow-partial-linkage, --emit=ast and -fcolor-diagnostics.
struct Input {
    std::vector<std::string> sources = {};  ///< one; more where a line says `// NEXT FILE`
    frontend::CompileOptions options = {};
    bool link = false;  ///< -c: every source is compiled apart, and then all are linked
    bool create_library = false;
    bool allow_partial_linkage = false;
    bool print_tree = false;
    bool colour = false;
};

/// Never fails: options that do not parse are left out. #include finds a few small files and the source itself; the
/// file system is out of reach.
Input read_input(const uint8_t* data, size_t size);

/// Says what is wrong on stderr and ends the process, which is how libFuzzer learns of a finding.
[[noreturn]] void finding(const std::string& what);

/// What must hold of every compilation: errors are in the log, exactly as many as counted, and none is ours.
void check_result(const std::string& source, const frontend::CompileResult& result);

}  // namespace caldera::fuzz
