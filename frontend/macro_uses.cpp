// SPDX-License-Identifier: Apache-2.0
#include "frontend/macro_uses.h"

#include <algorithm>

namespace caldera::frontend {

std::vector<MacroUse> macro_uses(SourceRange range, const SourceManager& sources) {
    std::vector<SourceLoc> begins, ends;  // innermost first
    for (SourceLoc loc = range.begin; sources.is_macro(loc); loc = sources.immediate_expansion(loc))
        begins.push_back(loc);
    for (SourceLoc loc = range.end; sources.is_macro(loc); loc = sources.immediate_expansion_end(loc))
        ends.push_back(loc);
    std::vector<MacroUse> uses;
    for (size_t level = 0; level < begins.size(); ++level) {
        const SourceLoc loc = begins[begins.size() - 1 - level];
        SourceRange in_definition{.begin = sources.spelling(loc), .end = {}};
        if (level < ends.size()) in_definition.end = sources.spelling(ends[ends.size() - 1 - level]);
        uses.push_back({in_definition, sources.macro_name(loc)});
    }
    return uses;
}

SourceRange range_in_file(SourceRange range, const SourceManager& sources) {
    return {sources.expansion(range.begin), sources.expansion_end(range.end)};
}

bool can_edit(const std::vector<FixIt>& fixits, const SourceManager& sources) {
    return std::ranges::none_of(fixits, [&](const FixIt& fix) {
        return sources.is_macro(fix.replace.begin) || sources.is_macro(fix.replace.end);
    });
}

}  // namespace caldera::frontend
