// SPDX-License-Identifier: Apache-2.0
// -E: prints preprocessed tokens as text that has the same meaning when it is compiled.
#pragma once

#include <string>

#include "frontend/preprocess/preprocessor.h"
#include "frontend/source.h"

namespace caldera::frontend {

/// Reads `tokens` to the end. With `markers`, lines `# line "file" flags` in clang's form tell where the text
/// comes from: flag 1 enters a file, 2 returns to one.
std::string print_tokens(Preprocessor& tokens, const SourceManager& sources, bool markers = true);

}  // namespace caldera::frontend
