// SPDX-License-Identifier: Apache-2.0
// The door of language_server/: the Language Server Protocol 3.17 for OpenCL C.
#pragma once

#include <cstdio>

#include "tools/language_server/project.h"

namespace caldera::language_server {

/// Serves one client until it says `exit` or `in` ends. Returns the exit code that the protocol asks
/// for: 0 after `shutdown` and `exit`, else 1. No input makes it throw.
int serve(std::FILE* in, std::FILE* out, ReadOptions read_options);

}  // namespace caldera::language_server
