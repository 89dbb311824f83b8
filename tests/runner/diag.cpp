// SPDX-License-Identifier: Apache-2.0
// The diagnostics are those of the .err file.
#include <fstream>

#include "tests/runner/compiled.h"
#include "tests/runner/suites.h"

namespace caldera::runner {

Verdict diagnostics(const Test& test, const fs::path& root, bool update) {
    const Compiled compiled = compile(test, root);
    if (!compiled.invalid.empty()) return compiled.invalid;
    fs::path expected_path = test.path;
    expected_path.replace_extension(".err");
    if (update) {
        std::ofstream(expected_path, std::ios::binary) << compiled.log;
        return {};
    }
    if (!fs::exists(expected_path)) return "has no .err file; --update writes it";
    const std::string expected = read_file(expected_path);
    if (compiled.log == expected) return {};
    return "expected:\n" + expected + "got:\n" + compiled.log;
}

}  // namespace caldera::runner
