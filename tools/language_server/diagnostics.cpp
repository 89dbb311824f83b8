// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/features.h"

namespace caldera::language_server {

using frontend::Diagnostic, frontend::FixIt, frontend::Note, frontend::Severity, frontend::SourceManager;

namespace {

constexpr int kError = 1, kWarning = 2;

/// A range of several lines ends with the first of them: editors underline all of it.
Range narrow(const Unit& unit, const Place& place) {
    Range range = unit.range(place);
    if (range.end.line == range.start.line) return range;
    const Unit::File& file = unit.files()[place.file];
    range.end = file.lines.position(file.lines.line_start(range.start.line) +
                                    file.lines.line(range.start.line).size());
    return range;
}

/// The fix-its as one edit each; an empty array where one of them stands in a macro or in another file.
Json edits(const Unit& unit, const Diagnostic& diagnostic) {
    Json out = Json::array();
    const SourceManager& sources = unit.analysis().sources();
    for (const FixIt& fix : diagnostic.fixits) {
        const std::optional<Place> place = unit.spelled(fix.replace);
        if (!place || place->file != 0 || sources.is_macro(fix.replace.begin) ||
            sources.is_macro(fix.replace.end))
            return Json::array();
        out.push_back({{"range", to_json(unit.range(*place))}, {"newText", fix.text}});
    }
    return out;
}

Json related(const Workspace& workspace, const Unit& unit, const Place& place, const std::string& text) {
    return {
        {"location",
         {{"uri", workspace.uri(unit.files()[place.file].path)}, {"range", to_json(narrow(unit, place))}}},
        {"message", text}};
}

Json to_json(const Workspace& workspace, const Unit& unit, const Diagnostic& diagnostic) {
    const Place place = unit.expanded(diagnostic.range).value_or(Place{});
    const Place shown = unit.in_main(place, diagnostic.range.begin);
    Json out = {{"range", to_json(narrow(unit, shown))},
                {"severity", diagnostic.severity >= Severity::Error ? kError : kWarning},
                {"source", "clc2spv"},
                {"message", diagnostic.text}};
    if (!diagnostic.flag.empty()) out["code"] = diagnostic.flag.substr(diagnostic.flag.find_last_of(',') + 1);
    Json notes = Json::array();
    if (place.file != 0) {
        out["message"] = "in included file: " + diagnostic.text;
        notes.push_back(related(workspace, unit, place, diagnostic.text));
    }
    for (const Note& note : diagnostic.notes)
        if (const std::optional<Place> at = unit.expanded(note.range))
            notes.push_back(related(workspace, unit, *at, note.text));
    if (!notes.empty()) out["relatedInformation"] = std::move(notes);
    if (diagnostic.flag.find("-Wunused") != std::string_view::npos) out["tags"] = {1};  // Unnecessary
    if (Json fixes = edits(unit, diagnostic); !fixes.empty()) out["data"] = {{"edits", std::move(fixes)}};
    return out;
}

}  // namespace

Json diagnostics(const Workspace& workspace, const Unit& unit) {
    Json out = Json::array();
    for (const Diagnostic& diagnostic : unit.analysis().diagnostics())
        out.push_back(to_json(workspace, unit, diagnostic));
    return out;
}

}  // namespace caldera::language_server
