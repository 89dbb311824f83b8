// SPDX-License-Identifier: Apache-2.0
// SARIF 2.1.0 (OASIS). Comments name its sections.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "caldera/version.h"
#include "spirv/support/paths.h"
#include "tools/report/report.h"

namespace caldera::tools {
namespace {

using Json = nlohmann::ordered_json;

/// A file's name as a URI reference (3.10.1): relative where the name is.
std::string uri_of(std::string_view name) {
    std::string uri = is_rooted(name) ? "file://" : "";
    if (is_rooted(name) && name[0] != '/' && name[0] != '\\') uri += '/';  // "C:\k.cl"
    constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool is_separator = path_separators().find(c) != std::string_view::npos;
        if (is_letter || kPlain.find(c) != std::string_view::npos || (c == ':' && is_separator))
            uri += c;
        else if (is_separator)
            uri += '/';
        else
            uri += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
    return uri;
}

/// 3.30: columns are in code points, and the end is exclusive. A stretch of a file that is no text has bytes.
Json region(const TextRange& range) {
    if (range.begin.line == 0) {
        if (range.length == 0) return {};
        return Json::object({{"byteOffset", range.offset}, {"byteLength", range.length}});
    }
    Json json = Json::object({{"startLine", range.begin.line}});
    if (range.begin.character == 0) return json;
    json["startColumn"] = range.begin.character;
    if (range.end.line == 0) return json;
    if (range.end.line != range.begin.line) json["endLine"] = range.end.line;
    json["endColumn"] = range.end.character;
    return json;
}

/// A message (3.11) or the content of an artifact (3.3): the same form.
Json message(std::string_view text) { return Json::object({{"text", text}}); }

class Log {
 public:
    void add(const Finding& finding);
    Json take(const Tool& tool);

 private:
    /// The index of `name` in a list, to which it is added if it is new.
    static size_t index_of(std::vector<std::string>& list, const std::string& name) {
        const auto index = static_cast<size_t>(std::ranges::find(list, name) - list.begin());
        if (index == list.size()) list.push_back(name);
        return index;
    }
    Json artifact(const std::string& file) {
        const size_t index = index_of(files_, file);
        return Json::object({{"uri", uri_of(file)}, {"index", index}});
    }
    Json location(const TextRange& range) {
        Json physical = Json::object({{"artifactLocation", artifact(range.file)}});
        if (Json where = region(range); !where.is_null()) physical["region"] = std::move(where);
        return Json::object({{"physicalLocation", std::move(physical)}});
    }
    void add_includes(const Finding& finding, Json& primary, Json& related);
    Json fix(const Finding& finding);

    std::vector<std::string> files_ = {}, rules_ = {};
    Json results_ = Json::array();
};

std::string_view level(Finding::Level level) {
    switch (level) {
        case Finding::Level::Note: return "note";
        case Finding::Level::Warning: return "warning";
        case Finding::Level::Error:
        case Finding::Level::FatalError: break;
    }
    return "error";
}

Json relation(size_t target, const char* kind) {
    Json json = Json::object({{"target", target}});
    json["kinds"].push_back(kind);
    return json;
}

/// The chain of includes (3.34): the finding's place is location 0, and each is included by the next.
void Log::add_includes(const Finding& finding, Json& primary, Json& related) {
    if (finding.included_from.empty()) return;
    primary["id"] = 0;
    primary["relationships"].push_back(relation(1, "isIncludedBy"));
    const size_t count = finding.included_from.size();
    for (size_t i = 0; i < count; ++i) {
        Json each = location(finding.included_from[i]);
        each["id"] = i + 1;
        each["message"] = message("included from here");
        each["relationships"].push_back(relation(i, "includes"));
        if (i + 1 < count) each["relationships"].push_back(relation(i + 2, "isIncludedBy"));
        related.push_back(std::move(each));
    }
}

/// 3.55: the replacements of one fix, by file.
Json Log::fix(const Finding& finding) {
    Json changes = Json::array();
    std::vector<std::string> changed;
    for (const Finding::Edit& edit : finding.edits) {
        const size_t at = index_of(changed, edit.replace.file);
        if (at == changes.size())
            changes.emplace_back(Json::object({{"artifactLocation", artifact(edit.replace.file)}}));
        Json replacement = Json::object({{"deletedRegion", region(edit.replace)}});
        if (!edit.text.empty()) replacement["insertedContent"] = message(edit.text);
        changes[at]["replacements"].push_back(std::move(replacement));
    }
    return Json::object({{"artifactChanges", std::move(changes)}});
}

void Log::add(const Finding& finding) {
    const std::string rule = finding.rule.empty() ? std::string(level(finding.level)) : finding.rule;
    std::string text = finding.text;
    if (!finding.hint.empty()) text += "; " + finding.hint;
    Json result = Json::object({{"ruleId", rule},
                                {"ruleIndex", index_of(rules_, rule)},
                                {"level", level(finding.level)},
                                {"message", message(text)}});
    Json related = Json::array();
    if (!finding.place.file.empty()) {
        Json primary = location(finding.place);
        Json annotations = Json::array();  // 3.28.6
        for (const TextRange& range : finding.highlights)
            if (Json each = region(range); std::ranges::find(annotations, each) == annotations.end())
                annotations.push_back(std::move(each));
        if (!annotations.empty()) primary["annotations"] = std::move(annotations);
        add_includes(finding, primary, related);
        result["locations"].push_back(std::move(primary));
    }
    size_t id = related.size();
    for (const Finding::Note& note : finding.notes) {
        Json each = note.place.file.empty() ? Json::object() : location(note.place);
        each["id"] = ++id;
        each["message"] = message(note.text);
        related.push_back(std::move(each));
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    if (!finding.edits.empty()) result["fixes"].push_back(fix(finding));
    for (const auto& [name, value] : finding.properties) result["properties"][name] = value;
    results_.push_back(std::move(result));
}

/// 3.49: what a rule is, for those who show the log.
Json descriptor(const std::string& rule) {
    Json json = Json::object({{"id", rule}});
    std::string about = "what no option controls";
    if (rule.starts_with("-W")) about = "the warning group " + rule;
    if (rule.starts_with("VUID-")) {
        about = "a rule of the Vulkan specification";
        json["helpUri"] = "https://registry.khronos.org/vulkan/specs/1.3-extensions/html/vkspec.html#" + rule;
    }
    if (rule == kSpirvRule) about = "a rule of the SPIR-V specification or of its environment";
    json["shortDescription"] = message(about);
    const bool is_warning = rule == "warning" || rule.starts_with("-W");
    json["defaultConfiguration"]["level"] = rule == "note" ? "note" : is_warning ? "warning" : "error";
    return json;
}

Json Log::take(const Tool& tool) {
    Json driver = Json::object({{"name", tool.name},
                                {"fullName", tool.full_name},
                                {"version", CALDERA_VERSION},
                                {"rules", Json::array()}});
    for (const std::string& rule : rules_) driver["rules"].push_back(descriptor(rule));
    Json artifacts = Json::array();
    for (const std::string& file : files_) artifacts.emplace_back()["location"]["uri"] = uri_of(file);
    Json run;
    run["tool"]["driver"] = std::move(driver);
    run["columnKind"] = "unicodeCodePoints";
    run["invocations"][0]["executionSuccessful"] = tool.succeeded;
    run["artifacts"] = std::move(artifacts);
    run["results"] = std::move(results_);
    Json log =
        Json::object({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}});
    log["runs"].push_back(std::move(run));
    return log;
}

}  // namespace

std::string to_sarif(std::span<const Finding> findings, const Tool& tool) {
    Log log;
    for (const Finding& finding : findings) log.add(finding);
    return log.take(tool).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace caldera::tools
