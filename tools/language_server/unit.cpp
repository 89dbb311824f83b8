// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/unit.h"

#include <algorithm>

#include "tools/language_server/uri.h"

namespace caldera::language_server {

using namespace frontend;

const void* identity(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: {
            const auto& function = as<FunctionDecl>(decl);
            return function.canonical ? function.canonical : &function;
        }
        case DeclKind::Var: {
            const auto& variable = as<VarDecl>(decl);
            return variable.definition ? variable.definition : &variable;
        }
        case DeclKind::Record: {
            const auto& record = as<RecordDecl>(decl);
            return record.record_type ? static_cast<const void*>(record.record_type) : &record;
        }
        case DeclKind::Enum: {
            const auto& enumeration = as<EnumDecl>(decl);
            return enumeration.enum_type ? static_cast<const void*>(enumeration.enum_type) : &enumeration;
        }
        case DeclKind::Typedef:
        case DeclKind::Field:
        case DeclKind::EnumConstant:
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return &decl;
}

Unit::Unit(const std::string& path, std::string_view text, const CompileOptions& options)
    : analysis_(text, path, options) {
    find_files();
    find_names();
}

void Unit::find_files() {
    const SourceManager& sources = analysis_.sources();
    for (const SourceLoc start : analysis_.files()) {
        const std::string_view text = sources.file_text(start);
        std::string path = normal_path(sources.file_name(start));
        auto known = std::ranges::find(files_, path, &File::path);
        if (known == files_.end())
            known = files_.insert(known, {.path = std::move(path), .text = text, .lines = LineTable(text)});
        entered_.push_back({.start = start.offset,
                            .size = static_cast<uint32_t>(text.size()),
                            .file = static_cast<size_t>(known - files_.begin()),
                            .included_from = sources.presumed(start).included_from});
    }
    if (files_.empty()) files_.push_back({.lines = LineTable({})});  // a main file that is too large
    std::ranges::sort(entered_, {}, &Entered::start);
}

std::optional<Place> Unit::place(SourceLoc begin, SourceLoc end) const {
    auto after = std::upper_bound(entered_.begin(), entered_.end(), begin.offset,
                                  [](uint32_t offset, const Entered& e) { return offset < e.start; });
    if (after == entered_.begin()) return std::nullopt;
    const Entered& entered = *--after;
    const size_t first = begin.offset - entered.start;
    if (first > entered.size) return std::nullopt;
    const size_t last = std::clamp<size_t>(end.offset - entered.start, first, entered.size);
    return Place{entered.file, first, end.offset < begin.offset ? first : last};
}

std::optional<Place> Unit::spelled(SourceRange range) const {
    if (!range) return std::nullopt;
    const SourceManager& sources = analysis_.sources();
    const uint32_t length = range.end.offset - range.begin.offset;
    const SourceLoc begin = sources.spelling(range.begin);
    return place(begin, {begin.offset + length});
}

std::optional<Place> Unit::expanded(SourceRange range) const {
    if (!range) return std::nullopt;
    const SourceManager& sources = analysis_.sources();
    return place(sources.expansion(range.begin), sources.expansion_end(range.end));
}

Place Unit::in_main(Place place, SourceLoc loc) const {
    const SourceManager& sources = analysis_.sources();
    for (loc = sources.expansion(loc); place.file != 0;) {
        loc = sources.expansion(sources.presumed(loc).included_from);
        const std::optional<Place> outer = this->place(loc, loc);
        if (!outer) return {};
        place = *outer;
        if (place.file != 0) continue;
        const size_t line = main().lines.position(place.begin).line;
        place.end = main().lines.line_start(line) + main().lines.line(line).size();
    }
    return place;
}

void Unit::find_names() {
    const NameIndex& index = analysis_.mentions();
    const auto add = [&](Name name, std::string_view spelling, SourceRange range) {
        const std::optional<Place> place = spelled(range);
        if (!place) return;
        name.place = *place;
        if (spelling.empty() || text(*place) == spelling) names_.push_back(name);
    };
    for (const Mention& mention : index.names) {
        Name name = {.mention = &mention};
        std::string_view spelling;
        if (mention.decl) {
            name.entity = {.kind = Entity::Kind::Decl, .id = identity(*mention.decl)};
            name.declares = mention.range == mention.decl->name_range;
            spelling = mention.decl->name;
        } else if (mention.label) {
            name.entity = {.kind = Entity::Kind::Label, .id = mention.label};
            name.declares = mention.range == mention.label->name_range;
            spelling = mention.label->name;
        } else {
            name.entity = {.kind = Entity::Kind::Builtin};
        }
        add(name, spelling, mention.range);
        if (name.entity.kind == Entity::Kind::Builtin && !names_.empty() && names_.back().mention == &mention)
            names_.back().entity.name = text(names_.back().place);
    }
    for (const MacroMention& macro : index.macros)
        add({.entity = {.kind = Entity::Kind::Macro, .definition = macro.definition.begin.offset},
             .macro = &macro,
             .declares = macro.range == macro.definition},
            macro.name, macro.range);
    const auto key = [](const Name& name) { return std::pair(name.place.file, name.place.begin); };
    std::ranges::stable_sort(names_, {}, key);
    // The last of several mentions at one place knows most; a header that is read twice has all of them
    // twice.
    size_t kept = 0;
    for (size_t i = 0; i < names_.size(); ++i) {
        const bool again = kept != 0 && key(names_[kept - 1]) == key(names_[i]);
        const bool declares = again && names_[kept - 1].declares && !names_[i].declares;
        if (declares) continue;
        names_[again ? kept - 1 : kept++] = names_[i];
    }
    names_.resize(kept);
}

const Name* Unit::name_at(size_t file, size_t offset) const {
    auto after = std::ranges::upper_bound(names_, std::pair(file, offset), {}, [](const Name& name) {
        return std::pair(name.place.file, name.place.begin);
    });
    if (after == names_.begin()) return nullptr;
    const Name& name = *--after;
    return name.place.file == file && offset <= name.place.end ? &name : nullptr;
}

const Decl* Unit::decl_at(size_t offset) const {
    const Decl* found = nullptr;
    for (const Decl* decl : analysis_.unit().decls) {
        const std::optional<Place> place = expanded(decl->range);
        if (!place || place->file != 0 || place->begin > offset) continue;
        found = decl;
    }
    return found;
}

namespace {

/// Null where there is no definition.
const Decl* definition_of(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: return as<FunctionDecl>(decl).definition;
        case DeclKind::Var: return as<VarDecl>(decl).definition;
        case DeclKind::Record: {
            const Type* type = as<RecordDecl>(decl).record_type;
            return type ? type->record : nullptr;
        }
        case DeclKind::Enum: {
            const Type* type = as<EnumDecl>(decl).enum_type;
            return type ? type->enum_decl : nullptr;
        }
        case DeclKind::Typedef:
        case DeclKind::Field:
        case DeclKind::EnumConstant:
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return &decl;
}

}  // namespace

std::optional<Place> Unit::definition(const Name& name) const {
    if (name.macro) return spelled(name.macro->definition);
    if (name.mention->label) return spelled(name.mention->label->name_range);
    if (!name.mention->decl) return std::nullopt;
    const Decl* decl = definition_of(*name.mention->decl);
    return spelled((decl ? decl : name.mention->decl)->name_range);
}

std::optional<Place> Unit::declaration(const Name& name) const {
    const auto* function = name.mention ? dyn<FunctionDecl>(name.mention->decl) : nullptr;
    return function && function->canonical ? spelled(function->canonical->name_range) : definition(name);
}

std::optional<size_t> Unit::included_at(size_t file, size_t offset) const {
    for (const Entered& entered : entered_) {
        const std::optional<Place> from = place(entered.included_from, entered.included_from);
        if (!entered.included_from || !from || from->file != file) continue;
        const LineTable& lines = files_[file].lines;
        if (lines.position(from->begin).line == lines.position(offset).line) return entered.file;
    }
    return std::nullopt;
}

}  // namespace caldera::language_server
