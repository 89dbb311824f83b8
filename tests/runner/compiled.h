// SPDX-License-Identifier: Apache-2.0
// What the compiler and the translator make of a test's file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/runner/test_file.h"

namespace caldera::runner {

/// What a compiler would print for the file, and the words it would write.
struct Compiled {
    std::vector<uint32_t> opencl = {}, words = {};
    std::string log = {};
    Verdict invalid = {};  ///< a module that does not validate is always wrong
};

/// Functions in assembly that a test's kernels call, NAME.spvasm beside NAME.cl.
fs::path assembly_of(const Test& test);

Compiled compile(const Test& test, const fs::path& root);

}  // namespace caldera::runner
