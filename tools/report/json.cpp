// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "tools/report/report.h"

namespace caldera::tools {
namespace {

using Json = nlohmann::ordered_json;

Json position(const std::string& file, const TextPosition& at) {
    Json json = Json::object({{"file", file}});
    if (at.line == 0) return json;
    json["line"] = at.line;
    if (at.byte == 0) return json;
    json["column"] = json["display-column"] = at.cell;
    json["byte-column"] = at.byte;
    return json;
}

/// GCC's "finish" is the last character, not the one behind it.
Json location(const TextRange& range) {
    Json json = Json::object({{"caret", position(range.file, range.begin)}});
    TextPosition last = range.end;
    const bool is_stretch = last.line > range.begin.line || last.byte > range.begin.byte + 1;
    if (!is_stretch || last.byte < 2) return json;
    last.byte -= 1;
    last.cell -= 1;
    json["finish"] = position(range.file, last);
    return json;
}

std::string_view kind(Finding::Level level) {
    switch (level) {
        case Finding::Level::Note: return "note";
        case Finding::Level::Warning: return "warning";
        case Finding::Level::Error: return "error";
        case Finding::Level::FatalError: return "fatal error";
    }
    return "error";
}

Json message(Finding::Level level, const TextRange& place, const std::string& text) {
    Json json = Json::object({{"kind", kind(level)}, {"message", text}, {"locations", Json::array()}});
    if (!place.file.empty()) json["locations"].push_back(location(place));
    return json;
}

Json object(const Finding& finding) {
    Json json = message(finding.level, finding.place, finding.text);
    for (const TextRange& range : finding.highlights) json["locations"].push_back(location(range));
    if (!finding.rule.empty())  // -Wgroup or -Werror=group, as GCC has them
        json["option"] = finding.is_promoted ? "-Werror=" + finding.rule.substr(2) : finding.rule;
    json["children"] = Json::array();
    for (const Finding::Note& note : finding.notes)
        json["children"].push_back(message(Finding::Level::Note, note.place, note.text));
    for (const Finding::Edit& edit : finding.edits)
        json["fixits"].push_back(Json::object({{"start", position(edit.replace.file, edit.replace.begin)},
                                               {"next", position(edit.replace.file, edit.replace.end)},
                                               {"string", edit.text}}));
    for (const TextRange& from : finding.included_from)
        json["included-from"].push_back(position(from.file, from.begin));
    if (!finding.hint.empty()) json["hint"] = finding.hint;
    for (const auto& [name, value] : finding.properties) json[name] = value;
    json["column-origin"] = 1;
    json["escape-source"] = false;
    return json;
}

}  // namespace

std::string to_json(std::span<const Finding> findings) {
    Json json = Json::array();
    for (const Finding& finding : findings) json.push_back(object(finding));
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace caldera::tools
