// SPDX-License-Identifier: Apache-2.0
// The program after the rename is analysed as well. Each name must stand where it stood, and two names must
// mean the same exactly if they did: so no scope needs to be looked into, nor a macro.
#include "tools/language_server/rename_check.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace caldera::language_server {
namespace {

using frontend::Severity;

/// Pairs the entities of two units.
class Pairs {
 public:
    /// False if one of them has another partner.
    bool add(const Entity& before, const Entity& after) {
        const Key from = key(before), to = key(after);
        return afterwards_.emplace(from, to).first->second == to &&
               before_.emplace(to, from).first->second == from;
    }

 private:
    using Key = std::tuple<Entity::Kind, const void*, std::string_view, uint32_t>;
    static Key key(const Entity& entity) { return {entity.kind, entity.id, entity.name, entity.definition}; }

    std::map<Key, Key> afterwards_ = {}, before_ = {};
};

bool is_error_diagnostic(const frontend::Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Fatal;
}

/// An error that the unit has more often than it had.
std::string new_error(const Unit& before, const Unit& after) {
    std::multiset<std::string> known;
    for (const frontend::Diagnostic& diagnostic : before.analysis().diagnostics())
        if (is_error_diagnostic(diagnostic)) known.insert(diagnostic.text);
    size_t more = 0;
    std::string first;
    for (const frontend::Diagnostic& diagnostic : after.analysis().diagnostics()) {
        if (!is_error_diagnostic(diagnostic)) continue;
        ++more;
        if (const auto same = known.find(diagnostic.text); same != known.end())
            known.erase(same);
        else if (first.empty())
            first = diagnostic.text;
    }
    const auto old_errors =
        static_cast<size_t>(std::ranges::count_if(before.analysis().diagnostics(), is_error_diagnostic));
    return more > old_errors ? first : std::string();
}

bool is_moved(const Unit& before, const Name& name, const Unit& after, const Name& other,
              const Renaming& renaming) {
    const std::string& path = before.files()[name.place.file].path;
    return path == after.files()[other.place.file].path &&
           renaming.moved(path, name.place.begin) == other.place.begin;
}

}  // namespace

std::string Renaming::renamed(const std::string& path, std::string_view text) const {
    const auto found = files.find(path);
    if (found == files.end()) return std::string(text);
    std::string out;
    size_t at = 0;
    for (const Stretch& stretch : found->second) {
        out += std::string(text.substr(at, stretch.begin - at)) + name;
        at = stretch.end;
    }
    return out + std::string(text.substr(at));
}

size_t Renaming::moved(const std::string& path, size_t offset) const {
    const auto found = files.find(path);
    if (found == files.end()) return offset;
    size_t there = offset;
    for (const Stretch& stretch : found->second)
        if (stretch.begin < offset) there += name.size() - (stretch.end - stretch.begin);
    return there;
}

std::string collision(const Unit& before, const Unit& after, const Renaming& renaming) {
    if (const std::string error = new_error(before, after); !error.empty())
        return "'" + renaming.name + "' is taken: " + error;
    Pairs pairs;
    const std::vector<Name>&names = before.names(), &others = after.names();
    for (size_t i = 0; i < names.size(); ++i) {
        const Name& name = names[i];
        if (i < others.size() && is_moved(before, name, after, others[i], renaming) &&
            pairs.add(name.entity, others[i].entity))
            continue;
        return "'" + renaming.name + "' is taken: '" + std::string(before.text(name.place)) + "' in line " +
               std::to_string(before.range(name.place).start.line + 1) + " would have another meaning";
    }
    return names.size() == others.size() ? std::string() : "'" + renaming.name + "' is taken";
}

}  // namespace caldera::language_server
