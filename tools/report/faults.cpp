// SPDX-License-Identifier: Apache-2.0
#include "tools/report/faults.h"

#include <algorithm>

#include "tools/report/report.h"

namespace caldera::tools {

Finding as_finding(const spirv::Fault& fault, const std::string& file) {
    Finding finding{.text = fault.message, .rule = fault.rule, .hint = fault.hint};
    if (finding.rule.empty()) finding.rule = kSpirvRule;
    const TextRange module{.file = file, .offset = fault.offset_bytes, .length = fault.length_bytes};
    finding.place = module;
    if (!fault.file.empty()) {
        const TextPosition at{
            .line = fault.line, .byte = fault.column, .character = fault.column, .cell = fault.column};
        finding.place = {.file = fault.file, .begin = at, .end = at};
        finding.notes.push_back({module, "in this module"});
    }
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) finding.properties.emplace_back(name, value);
    };
    add("instruction", fault.instruction);
    add("number", fault.ordinal != 0 ? std::to_string(fault.ordinal) : "");
    add("function", fault.function);
    return finding;
}

std::string as_text(const Finding& finding) {
    const TextRange& place = finding.place;
    std::string text = place.file;
    if (place.begin.line != 0) text += ":" + std::to_string(place.begin.line);
    if (place.begin.line != 0 && place.begin.byte != 0) text += ":" + std::to_string(place.begin.byte);
    text += (finding.level == Finding::Level::Note ? ": note: " : ": error: ") + finding.text;
    if (finding.rule != kSpirvRule) text += " [" + finding.rule + "]";
    text += "\n";
    std::string where;
    for (const auto& [name, value] : finding.properties) {
        if (name == "instruction") text += "    " + value + "\n";
        if (name == "number") where += "instruction " + value;
        if (name == "function") where += " in function '" + value + "'";
    }
    for (const Finding::Note& note : finding.notes) where += (where.empty() ? "" : ", ") + note.place.file;
    if (!where.empty()) text += "  note: " + where + "\n";
    if (!finding.hint.empty()) text += "  hint: " + finding.hint + "\n";
    // A stranger's module does not command the reader's terminal.
    std::ranges::replace_if(
        text, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F; }, '?');
    return text;
}

}  // namespace caldera::tools
