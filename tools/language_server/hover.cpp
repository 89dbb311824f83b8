// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/describe.h"
#include "tools/language_server/features.h"

namespace caldera::language_server {

using frontend::as;
using frontend::dyn;

namespace {

std::string code(const std::string& text) { return "```opencl\n" + text + "\n```"; }

std::string about(const frontend::Decl& decl) {
    std::string text = code(declaration_text(decl)) + "\n" + kind_text(decl);
    frontend::QualType type = decl.type;
    if (const auto* record = dyn<frontend::RecordDecl>(&decl)) type = {.type = record->record_type};
    if (const auto* enumeration = dyn<frontend::EnumDecl>(&decl)) type = {.type = enumeration->enum_type};
    if (const std::string size = size_text(type);
        !size.empty() && decl.kind != frontend::DeclKind::EnumConstant)
        text += "; " + size;
    if (type && type->is_pointer())
        text += "; points to " + std::string(spelling(type->element.space).substr(2)) + " memory";
    return text;
}

std::string about_builtin(std::string_view name, const frontend::Mention& mention,
                          const frontend::Features& features) {
    std::string prototypes, types;
    if (mention.builtin) prototypes = resolution_text(*mention.builtin) + "\n";
    for (const auto& prototype : frontend::builtin::prototypes(name, features)) {
        const std::string line = prototype_text(name, prototype) + "\n";
        if (prototypes.find("\n" + line) == std::string::npos && !prototypes.starts_with(line))
            prototypes += line;
        if (!prototype.types.empty() && types.find(prototype.types) == std::string::npos)
            types += "\n\n" + prototype.types;
    }
    if (const auto* row = frontend::builtin::enumerator(name, features))
        prototypes = std::string(name) + " = " + std::to_string(static_cast<int64_t>(row->value)) + "\n";
    if (!prototypes.empty()) prototypes.pop_back();
    const std::string_view what = sentence(name);
    return code(prototypes) + (what.empty() ? "" : "\n" + std::string(what)) + types;
}

/// The lines of a #define, with those that a backslash continues it on; blanks may follow the backslash.
std::string definition(const Unit& unit, const frontend::MacroMention& macro) {
    const std::string_view text = unit.analysis().sources().file_text(macro.definition.begin);
    const frontend::PresumedLoc place = unit.analysis().sources().presumed(macro.definition.begin);
    if (text.empty() || place.line_text.empty()) return "#define " + std::string(macro.name);
    const LineTable lines(text);
    const auto begin = static_cast<size_t>(place.line_text.data() - text.data());
    std::string out;
    for (size_t number = lines.position(begin).line; number < lines.line_count(); ++number) {
        const std::string_view line = lines.line(number);
        out += (out.empty() ? "" : "\n") + std::string(line);
        const size_t last = line.find_last_not_of(" \t");
        if (last == std::string_view::npos || line[last] != '\\') break;
    }
    return out;
}

}  // namespace

Result<Json> hover(const Query& query) {
    const Unit& unit = query.unit();
    const Name* name = unit.name_at(0, query.offset());
    if (!name) return Json(nullptr);
    std::string text;
    if (name->macro)
        text = code(definition(unit, *name->macro)) + "\nmacro";
    else if (name->mention->decl)
        text = about(*name->mention->decl);
    else if (name->mention->label)
        text = code(std::string(name->mention->label->name) + ":") + "\nlabel";
    else
        text = about_builtin(name->entity.name, *name->mention, unit.analysis().options().features());
    return Json{{"contents", {{"kind", "markdown"}, {"value", text}}},
                {"range", to_json(unit.range(name->place))}};
}

}  // namespace caldera::language_server
