// SPDX-License-Identifier: Apache-2.0
// Where a name is declared and used: definition, references, highlight, rename, symbols.
#include <algorithm>
#include <map>
#include <set>

#include "frontend/lex/lexer.h"
#include "frontend/source.h"
#include "frontend/utf8.h"
#include "tools/language_server/describe.h"
#include "tools/language_server/features.h"
#include "tools/language_server/rename_check.h"
#include "tools/language_server/uri.h"
#include "tools/language_server/users.h"

namespace caldera::language_server {

using namespace frontend;

namespace {

/// The place and the kind of an entity's declaration: the same in all units that read the file.
struct Key {
    std::string path = {};
    size_t begin = 0;
    Entity::Kind kind = {};
    bool operator==(const Key&) const = default;
};

std::optional<Key> key_of(const Unit& unit, const Name& name) {
    const std::optional<Place> place = unit.declaration(name);
    if (!place) return std::nullopt;
    return Key{unit.files()[place->file].path, place->begin, name.entity.kind};
}

/// A function may be declared in a header and defined in the file at hand: the same entity everywhere.
bool is_shared(const Unit& unit, const Name& name) {
    const auto* decl = name.mention ? name.mention->decl : nullptr;
    if (const std::optional<Place> place = unit.declaration(name); place && place->file != 0) return true;
    return decl && decl->kind == DeclKind::Function && identity(*decl) != decl;
}

/// Whether the name may mean the same in a file that includes the one that declares it.
bool is_of_file(const Name& name) {
    if (name.macro) return true;
    const auto* decl = name.mention ? name.mention->decl : nullptr;
    const auto* variable = dyn<VarDecl>(decl);
    return decl && (!variable || variable->is_file_scope);
}

/// Whether the name is in a macro's replacement list, and not where the macro is used.
bool is_of_macro(const Unit& unit, const Name& name) {
    const std::optional<Place> used = name.mention ? unit.expanded(name.mention->range) : std::nullopt;
    return used &&
           (used->file != name.place.file || name.place.begin < used->begin || name.place.end > used->end);
}

/// The files that a rename changes for other units, too: included ones, and those whose macros have the name.
std::set<std::string> changed_for_others(const Unit& unit, const Name& name) {
    std::set<std::string> paths;
    for (const Name& other : unit.names())
        if (other.entity == name.entity && (other.place.file != 0 || is_of_macro(unit, other)))
            paths.insert(unit.files()[other.place.file].path);
    return paths;
}

struct Found {
    std::string path = {};
    Range range = {};
    bool declares = false;
    auto operator<=>(const Found&) const = default;
};

/// Adds all places of the unit where the entity is named.
void collect(const Unit& unit, const Key& key, std::set<Found>& found) {
    std::optional<Entity> entity;
    for (const Name& name : unit.names())
        if (name.entity.kind == key.kind && key_of(unit, name) == key) {
            entity = name.entity;
            break;
        }
    if (!entity) return;
    for (const Name& name : unit.names())
        if (name.entity == *entity)
            found.insert({unit.files()[name.place.file].path, unit.range(name.place), name.declares});
}

/// Adds the places in kernel files that are not open. Returns the files that each of these reads.
std::map<std::string, std::vector<std::string>> collect_closed(const Query& query, const Key& key,
                                                               const std::vector<std::string>& paths,
                                                               std::set<Found>& found) {
    std::map<std::string, std::vector<std::string>> files;
    for (const std::string& path : paths) {
        const std::optional<std::string> text = query.workspace.read(path);
        if (!text) continue;
        const std::unique_ptr<Unit> unit = query.workspace.unit_of(path, *text);
        collect(*unit, key, found);
        for (const Unit::File& file : unit->files()) files[path].push_back(file.path);
    }
    return files;
}

/// All places of a name, and the files that the kernel files which are not open read.
struct Places {
    std::set<Found> found = {};
    std::map<std::string, std::vector<std::string>> closed = {};
    std::string missing = {};  ///< Users::missing
};

/// The places of the name at the cursor: in its unit, and if others may see it, in all units that may read
/// its file. `new_name`: of a rename, which must find all places, and the units that have this name.
Places places_of(const Query& query, const Name& name, const std::string& new_name = {}) {
    const Unit& unit = query.unit();
    const bool renames = !new_name.empty();
    Places places;
    std::set<Found>& found = places.found;
    const std::optional<Key> key = key_of(unit, name);
    if (!key) {  // a built-in function
        for (const Name& other : unit.names())
            if (other.entity == name.entity)
                found.insert({unit.files()[other.place.file].path, unit.range(other.place), false});
        return places;
    }
    collect(unit, *key, found);
    // Kernels that others include are rare: only a rename looks for them.
    const bool is_visible = is_of_file(name) && (renames || !is_kernel_file(unit.main().path));
    std::set<std::string> shared;
    if (renames) shared = changed_for_others(unit, name);
    if (is_shared(unit, name) || is_visible) shared.insert(key->path);
    if (shared.empty()) return places;
    for (auto& [path, document] : query.workspace.documents())
        if (path != query.document.path) collect(query.workspace.unit(document), *key, found);
    std::vector<std::string> words{std::string(unit.text(name.place))};
    if (renames) words.push_back(new_name);
    const Users users = find_users(query.workspace, shared, words);
    if (!std::ranges::all_of(shared, is_kernel_file)) places.missing = users.missing;
    places.closed = collect_closed(query, *key, users.naming, found);
    if (!renames) return places;
    // A header that nobody has read yet may use a name, or have the new one, for a kernel that has neither.
    const auto is_read = [&](const std::string& header) {
        const auto reads = [&](const auto& files) {
            return std::ranges::find(files.second, header) != files.second.end();
        };
        return std::ranges::any_of(places.closed, reads);
    };
    if (!std::ranges::all_of(users.headers, is_read))
        places.closed.merge(collect_closed(query, *key, users.including, found));
    return places;
}

Json to_json(const Workspace& workspace, const Found& found) {
    return {{"uri", workspace.uri(found.path)}, {"range", to_json(found.range)}};
}

Result<Json> go_to(const Query& query, std::optional<Place> (Unit::*where)(const Name&) const) {
    const Unit& unit = query.unit();
    const size_t offset = query.offset();
    if (const std::optional<size_t> file = unit.included_at(0, offset))
        return location(query.workspace, unit, {.file = *file});
    const Name* name = unit.name_at(0, offset);
    const std::optional<Place> place = name ? (unit.*where)(*name) : std::nullopt;
    return place ? location(query.workspace, unit, *place) : Json(nullptr);
}

/// Whether the text is an identifier, and no keyword.
bool is_identifier(std::string_view text, Standard standard) {
    bool first = true;
    for (size_t at = 0; at < text.size(); first = false) {
        const CodePoint point = decode_utf8(text, at);
        if (point.length == 0) return false;
        const bool plain = point.value == '_' || (point.value >= 'a' && point.value <= 'z') ||
                           (point.value >= 'A' && point.value <= 'Z') ||
                           (!first && point.value >= '0' && point.value <= '9');
        const bool other = point.value >= 0x80 && is_identifier_code_point(point.value) &&
                           (!first || is_identifier_start(point.value));
        if (!plain && !other) return false;
        at += point.length;
    }
    return !text.empty() && keyword(text, standard) == Token::Identifier;
}

constexpr const char* kNoName = "there is no name of the program's here";

/// Whoever includes a header may use its names: without a folder nobody can tell who does. Says so of the
/// header; empty if its users can be found.
std::string unknown_users(Workspace& workspace, const std::string& path) {
    if (is_kernel_file(path)) return {};
    const std::vector<std::string> folders = folders_of_users(workspace, path);
    if (folders.empty())
        return "a header, and the editor has opened no folder with the files that may include it";
    const auto has = [&](const std::string& folder) {
        return path.starts_with(ends_as_folder(folder) ? folder : folder + "/");
    };
    return std::ranges::any_of(folders, has) ? std::string()
                                             : "'" + path + "', which is outside of the editor's folders";
}

/// The name to rename, or why that is not possible.
Result<const Name*> renamed(const Query& query) {
    const Unit& unit = query.unit();
    const Name* name = unit.name_at(0, query.offset());
    const std::optional<Place> place =
        name && name->entity.kind != Entity::Kind::Builtin ? unit.declaration(*name) : std::nullopt;
    if (!place) return Error{.message = kNoName};
    std::set<std::string> shared = changed_for_others(unit, *name);
    const std::string& declaring = unit.files()[place->file].path;
    if (is_of_file(*name)) shared.insert(declaring);
    const std::string text(unit.text(name->place));
    for (const std::string& path : shared)
        if (const std::string why = unknown_users(query.workspace, path); !why.empty())
            return Error{.message =
                             "'" + text + (path == declaring ? "' is declared in " : "' is named in ") + why};
    return name;
}

Renaming renaming_of(const Workspace& workspace, const std::set<Found>& places, const std::string& name) {
    Renaming renaming{.name = name};
    std::map<std::string, std::optional<LineTable>> tables;
    std::map<std::string, std::string> texts;  // which the tables view
    for (const Found& found : places) {
        std::optional<LineTable>& table = tables[found.path];
        if (!table) table.emplace(texts[found.path] = workspace.read(found.path).value_or(""));
        renaming.files[found.path].push_back(
            {table->offset(found.range.start), table->offset(found.range.end)});
    }
    return renaming;
}

/// Why the units that the places are in do not allow the new name; empty if all do.
std::string collision(const Query& query, const Places& places, const Renaming& renaming) {
    Workspace& workspace = query.workspace;
    const ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
        std::optional<std::string> text = workspace.read(path);
        if (text) text = renaming.renamed(normal_path(path), *text);
        return text;
    };
    const auto check = [&](const Unit& unit, std::string_view text) {
        const std::string& path = unit.main().path;
        return collision(unit, *workspace.unit_of(path, renaming.renamed(path, text), read), renaming);
    };
    const auto concerns = [&](const Unit& unit) {
        return std::ranges::any_of(
            unit.files(), [&](const Unit::File& file) { return renaming.files.contains(file.path); });
    };
    for (auto& [path, document] : workspace.documents()) {
        const Unit& unit = workspace.unit(document);
        if (!concerns(unit)) continue;
        if (std::string why = check(unit, document.text); !why.empty()) return why;
    }
    for (const auto& [path, files] : places.closed) {
        if (std::ranges::none_of(files, [&](const auto& file) { return renaming.files.contains(file); }))
            continue;
        const std::optional<std::string> text = workspace.read(path);
        if (!text) continue;
        if (std::string why = check(*workspace.unit_of(path, *text), *text); !why.empty()) return why;
    }
    return {};
}

// ---- Symbols ----

// SymbolKind
constexpr int kClassSymbol = 5, kFieldSymbol = 8, kEnumSymbol = 10, kFunctionSymbol = 12,
              kVariableSymbol = 13, kConstantSymbol = 14, kEnumMemberSymbol = 22, kStructSymbol = 23;

class Symbols {
 public:
    explicit Symbols(const Unit& unit) : unit_(unit) {}

    Json all() {
        for (const Decl* decl : unit_.analysis().unit().decls) {
            tags(*decl);
            if (!decl->name.empty()) add(symbols_, *decl);
        }
        for (const MacroMention& macro : unit_.analysis().mentions().macros) {
            const std::optional<Place> place = unit_.spelled(macro.range);
            if (macro.range == macro.definition && place && place->file == 0)
                symbols_.push_back({{"name", macro.name},
                                    {"kind", kConstantSymbol},
                                    {"detail", "macro"},
                                    {"range", to_json(unit_.range(*place))},
                                    {"selectionRange", to_json(unit_.range(*place))}});
        }
        return std::move(symbols_);
    }

 private:
    static int kind(const Decl& decl) {
        switch (decl.kind) {
            case DeclKind::Function: return kFunctionSymbol;
            case DeclKind::Field: return kFieldSymbol;
            case DeclKind::Record: return kStructSymbol;
            case DeclKind::Enum: return kEnumSymbol;
            case DeclKind::EnumConstant: return kEnumMemberSymbol;
            case DeclKind::Typedef: return kClassSymbol;
            case DeclKind::Var:
            case DeclKind::Empty:
            case DeclKind::StaticAssert: break;
        }
        return kVariableSymbol;
    }

    Json* add(Json& list, const Decl& decl) {
        const SourceRange at = decl.name_range ? decl.name_range : decl.range;
        const std::optional<Place> name = unit_.expanded(at);
        std::optional<Place> whole = unit_.expanded(decl.range);
        if (!name || name->file != 0 || !whole || whole->file != 0) return nullptr;
        whole->begin = std::min(whole->begin, name->begin);
        whole->end = std::max(whole->end, name->end);
        list.push_back({{"name", decl.name.empty() ? std::string("(unnamed)") : std::string(decl.name)},
                        {"kind", kind(decl)},
                        {"detail", declaration_text(decl)},
                        {"range", to_json(unit_.range(*whole))},
                        {"selectionRange", to_json(unit_.range(*name))}});
        return &list.back();
    }

    /// The structures and enumerations that the declaration defines on its way.
    void tags(const Decl& decl) {
        const Specifiers* specifiers = nullptr;
        if (const auto* variable = dyn<VarDecl>(&decl)) specifiers = variable->specifiers;
        if (const auto* alias = dyn<TypedefDecl>(&decl)) specifiers = alias->specifiers;
        if (const auto* empty = dyn<EmptyDecl>(&decl)) specifiers = empty->specifiers;
        if (!specifiers || specifiers == last_) return;
        last_ = specifiers;
        if (const RecordDecl* record = specifiers->record; record && record->has_body) {
            if (Json* symbol = add(symbols_, *record)) {
                Json children = Json::array();
                for (const FieldDecl* field : record->fields)
                    if (!field->name.empty()) add(children, *field);
                (*symbol)["children"] = std::move(children);
            }
        }
        if (const EnumDecl* enumeration = specifiers->enumeration; enumeration && enumeration->has_body) {
            if (Json* symbol = add(symbols_, *enumeration)) {
                Json children = Json::array();
                for (const EnumConstantDecl* constant : enumeration->constants) add(children, *constant);
                (*symbol)["children"] = std::move(children);
            }
        }
    }

    const Unit& unit_;
    const Specifiers* last_ = nullptr;  // `struct s { … } a, b;` has one structure
    Json symbols_ = Json::array();
};

}  // namespace

Result<Json> definition(const Query& query) { return go_to(query, &Unit::definition); }
Result<Json> declaration(const Query& query) { return go_to(query, &Unit::declaration); }

Result<Json> references(const Query& query) {
    const Name* name = query.unit().name_at(0, query.offset());
    Json out = Json::array();
    if (!name) return out;
    const Json& wanted = member(query.params, "context", "includeDeclaration");
    for (const Found& found : places_of(query, *name).found)
        if (!found.declares || !wanted.is_boolean() || wanted.get<bool>())
            out.push_back(to_json(query.workspace, found));
    return out;
}

Result<Json> document_highlight(const Query& query) {
    constexpr int kText = 1, kWrite = 3;
    const Unit& unit = query.unit();
    const Name* name = unit.name_at(0, query.offset());
    Json out = Json::array();
    if (!name) return out;
    for (const Name& other : unit.names())
        if (other.place.file == 0 && other.entity == name->entity)
            out.push_back(
                {{"range", to_json(unit.range(other.place))}, {"kind", other.declares ? kWrite : kText}});
    return out;
}

Result<Json> prepare_rename(const Query& query) {
    const Result<const Name*> name = renamed(query);
    if (!name) return name.error();
    const Unit& unit = query.unit();
    return Json{{"range", to_json(unit.range((*name)->place))}, {"placeholder", unit.text((*name)->place)}};
}

Result<Json> rename(const Query& query) {
    const Result<const Name*> name = renamed(query);
    if (!name) return name.error();
    const std::string text = text_of(member(query.params, "newName"));
    if (!is_identifier(text, query.unit().analysis().options().standard))
        return Error{.message = "'" + text + "' is no identifier"};
    const std::string old(query.unit().text((*name)->place));
    const Places places = places_of(query, **name, text);
    if (!places.missing.empty())
        return Error{.message = "not all files that may use '" + old + "' can be found: " + places.missing};
    if (const std::string why = collision(query, places, renaming_of(query.workspace, places.found, text));
        !why.empty())
        return Error{.message = why};
    Json changes = Json::object();
    for (const Found& found : places.found)
        changes[query.workspace.uri(found.path)].push_back(
            {{"range", to_json(found.range)}, {"newText", text}});
    return Json{{"changes", std::move(changes)}};
}

Result<Json> document_symbol(const Query& query) { return Symbols(query.unit()).all(); }

}  // namespace caldera::language_server
