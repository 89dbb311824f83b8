// SPDX-License-Identifier: Apache-2.0
// From a range in the text of macros to places in files, for all who show diagnostics.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/diag.h"
#include "frontend/source.h"

namespace caldera::frontend {

/// A macro between a place in a file and the text that it put in.
struct MacroUse {
    SourceRange in_definition = {};  ///< the part of the macro's definition
    std::string_view name = {};
};
/// The macros that a range comes from, the one that the file names first.
std::vector<MacroUse> macro_uses(SourceRange range, const SourceManager& sources);

/// The range in the file: for text that a macro inserted, the use of the macro.
SourceRange range_in_file(SourceRange range, const SourceManager& sources);

/// Whether a program can apply the fix-its: none is in the text of a macro.
bool can_edit(const std::vector<FixIt>& fixits, const SourceManager& sources);

}  // namespace caldera::frontend
