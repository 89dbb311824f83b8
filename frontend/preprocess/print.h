// SPDX-License-Identifier: Apache-2.0
// -E: preprocessed tokens as text that means the same when it is read again.
#pragma once

#include <string>

#include "frontend/preprocess/preprocessor.h"
#include "frontend/source.h"

namespace caldera::frontend {

/// Reads `tokens` to the end. With `markers`, `# line "file" flags` tells where lines come from, as clang writes it:
/// flag 1 enters a file, 2 returns to one.
std::string print_tokens(Preprocessor& tokens, const SourceManager& sources, bool markers = true);

}  // namespace caldera::frontend
