// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: a bytes-to-compilation rule under which every test file is a seed.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/compile.h"

namespace caldera::fuzz {

/// A source and the options of its `// OPTIONS: …` line, as the test runner reads it, if the first line is one.
struct Input {
    std::string source = {};
    frontend::CompileOptions options = {};
};

/// Never fails: options that do not parse are left out. #include finds a few small files and the source itself; the
/// file system is out of reach.
Input read_input(const uint8_t* data, size_t size);

/// Says what is wrong on stderr and ends the process, which is how libFuzzer learns of a finding.
[[noreturn]] void finding(const std::string& what);

/// An internal compiler error is a finding too.
void check_log(const Input& input, const frontend::CompileResult& result);

}  // namespace caldera::fuzz
