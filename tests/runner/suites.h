// SPDX-License-Identifier: Apache-2.0
// The suites that need no device; executor.h has the other.
#pragma once

#include "tests/runner/test_file.h"

namespace caldera::runner {

Verdict golden(const Test& test, const fs::path& root);
Verdict diagnostics(const Test& test, const fs::path& root, bool update);

}  // namespace caldera::runner
