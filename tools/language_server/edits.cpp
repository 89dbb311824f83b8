// SPDX-License-Identifier: Apache-2.0
// What changes the text: fix-its as code actions, and clang-format.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "spirv/support/files.h"
#include "tools/language_server/features.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace caldera::language_server {
namespace {

bool overlaps(const Range& a, const Range& b) { return a.start <= b.end && b.start <= a.end; }

/// "insert ';'", "replace with 'x'", "remove".
std::string title(const Json& edits) {
    const Json& edit = edits[0];
    const std::string text = text_of(member(edit, "newText"));
    const bool inserts = member(edit, "range", "start") == member(edit, "range", "end");
    if (text.empty()) return "remove";
    return (inserts ? "insert '" : "replace with '") + text + "'";
}

#if !defined(_WIN32)
/// The output of clang-format, as the nearest .clang-format of the file wants it. The text goes by a file,
/// because a pipe in each direction can block both ends.
Result<std::string> formatted(const std::string& path, const std::string& text) {
    std::string name = utf8_text(std::filesystem::temp_directory_path()) + "/clc2spv-XXXXXX";
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) return Error{.message = "there is no room for a temporary file"};
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(descriptor);
    const auto quoted = [](const std::string& word) {
        std::string out = "'";
        for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
        return out + "'";
    };
    // The name ends in .c: clang-format knows no .cl, and formats it as C.
    const std::string command =
        "clang-format --assume-filename=" + quoted(path + ".c") + " <" + quoted(name) + " 2>/dev/null";
    FILE* pipe = written ? popen(command.c_str(), "r") : nullptr;
    std::string out;
    char buffer[4096];
    for (size_t got; pipe && (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, got);
    const int status = pipe ? pclose(pipe) : -1;
    std::remove(name.c_str());
    if (status != 0) return Error{.message = "clang-format is not installed, or refuses the text"};
    return out;
}
#else
Result<std::string> formatted(const std::string&, const std::string&) {
    return Error{.message = "formatting by clang-format is not supported on Windows"};
}
#endif

}  // namespace

Result<Json> code_actions(const Query& query) {
    // Kinds are names with dots, and one stands for all below it.
    if (const Json& only = member(query.params, "context", "only");
        only.is_array() && std::ranges::none_of(only, [](const Json& kind) {
            return text_of(kind).empty() || text_of(kind) == "quickfix";
        }))
        return Json::array();
    const Range range = range_from(member(query.params, "range"));
    Json out = Json::array();
    for (const Json& diagnostic : diagnostics(query.workspace, query.unit())) {
        const Json& edits = member(diagnostic, "data", "edits");
        if (edits.empty() || !overlaps(range_from(member(diagnostic, "range")), range)) continue;
        out.push_back({{"title", title(edits)},
                       {"kind", "quickfix"},
                       {"isPreferred", true},
                       {"diagnostics", {diagnostic}},
                       {"edit", {{"changes", {{query.document.uri, edits}}}}}});
    }
    return out;
}

/// One edit for the lines that change.
Result<Json> formatting(const Query& query) {
    const std::string& before = query.document.text;
    const Result<std::string> after = formatted(query.document.path, before);
    if (!after) return after.error();
    Json out = Json::array();
    if (*after == before) return out;
    const LineTable old_lines(before), new_lines(*after);
    size_t first = 0;
    while (first + 1 < old_lines.line_count() && first + 1 < new_lines.line_count() &&
           old_lines.line(first) == new_lines.line(first))
        ++first;
    const Range range = {{static_cast<uint32_t>(first), 0}, old_lines.position(before.size())};
    out.push_back({{"range", to_json(range)}, {"newText", after->substr(new_lines.line_start(first))}});
    return out;
}

}  // namespace caldera::language_server
