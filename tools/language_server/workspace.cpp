// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/workspace.h"

#include <algorithm>

#include "frontend/source.h"
#include "tools/language_server/uri.h"

namespace caldera::language_server {

Document* Workspace::find(std::string_view uri) {
    const auto found = documents_.find(normal_path(path_of(uri)));
    return found == documents_.end() ? nullptr : &found->second;
}

void Workspace::open(Document document) {
    document.path = normal_path(path_of(document.uri));
    const std::string path = document.path;
    documents_[path] = std::move(document);
    project_.forget();
    file_changed(path);
}

void Workspace::close(std::string_view uri) {
    const std::string path = normal_path(path_of(uri));
    documents_.erase(path);
    file_changed(path);
}

bool Workspace::change(Document& document, const Json& changes) {
    if (!changes.is_array()) return false;
    bool changed = false;
    for (const Json& change : changes) {
        const Json& text = member(change, "text");
        if (!text.is_string()) continue;
        if (!member(change, "range").is_object()) {
            document.text = text.get<std::string>();
        } else {
            const Range range = range_from(member(change, "range"));
            const LineTable lines(document.text);
            const size_t begin = lines.offset(range.start), end = std::max(begin, lines.offset(range.end));
            document.text.replace(begin, end - begin, text.get_ref<const std::string&>());
        }
        changed = true;
    }
    if (!changed) return false;
    document.unit.reset();
    document.is_new = true;
    file_changed(document.path);
    return true;
}

void Workspace::file_changed(const std::string& path) {
    for (auto& [own_path, document] : documents_) {
        if (own_path == path || !document.unit) continue;
        if (std::ranges::find(document.unit->files(), path, &Unit::File::path) ==
            document.unit->files().end())
            continue;
        document.unit.reset();
        document.is_new = true;
    }
}

void Workspace::forget_files() {
    project_.forget();
    for (auto& [path, document] : documents_) {
        document.unit.reset();
        document.is_new = true;
    }
}

const Unit& Workspace::unit(Document& document) {
    if (!document.unit) document.unit = unit_of(document.path, document.text);
    return *document.unit;
}

std::unique_ptr<Unit> Workspace::unit_of(const std::string& path, std::string_view text,
                                         const ReadFile& read) {
    frontend::CompileOptions options = project_.options(path);
    options.read_file = read;
    return std::make_unique<Unit>(path, text, options);
}

std::optional<std::string> Workspace::read(const std::string& path) const {
    const auto found = documents_.find(normal_path(path));
    return found == documents_.end() ? frontend::read_text_file(path) : found->second.text;
}

std::string Workspace::uri(const std::string& path) const {
    const auto found = documents_.find(path);
    return found == documents_.end() ? uri_of(path) : found->second.uri;
}

Json to_json(const Position& position) {
    return {{"line", position.line}, {"character", position.character}};
}
Json to_json(const Range& range) { return {{"start", to_json(range.start)}, {"end", to_json(range.end)}}; }
Position position_from(const Json& value) {
    return {number_of(member(value, "line")), number_of(member(value, "character"))};
}
Range range_from(const Json& value) {
    return {position_from(member(value, "start")), position_from(member(value, "end"))};
}

Json location(const Workspace& workspace, const Unit& unit, const Place& place) {
    return {{"uri", workspace.uri(unit.files()[place.file].path)}, {"range", to_json(unit.range(place))}};
}

}  // namespace caldera::language_server
