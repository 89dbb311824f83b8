// SPDX-License-Identifier: Apache-2.0
// Completion and signature help.
#include <algorithm>
#include <set>

#include "frontend/types/type_names.h"
#include "tools/language_server/context.h"
#include "tools/language_server/describe.h"
#include "tools/language_server/features.h"

namespace caldera::language_server {

using namespace frontend;

namespace {

// CompletionItemKind
constexpr int kFunctionItem = 3, kFieldItem = 5, kVariableItem = 6, kKeywordItem = 14, kEnumMemberItem = 20,
              kConstantItem = 21, kStructItem = 22, kTypeItem = 25;

int item_kind(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: return kFunctionItem;
        case DeclKind::Field: return kFieldItem;
        case DeclKind::EnumConstant: return kEnumMemberItem;
        case DeclKind::Typedef: return kTypeItem;
        case DeclKind::Record:
        case DeclKind::Enum: return kStructItem;
        case DeclKind::Var:
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return kVariableItem;
}

class Items {
 public:
    explicit Items(std::string_view prefix) : prefix_(prefix) {}

    /// What is nearer to the cursor is added first, and sorts first.
    void add(std::string_view label, int kind, std::string detail, char rank) {
        if (label.empty() || !label.starts_with(prefix_) || !seen_.emplace(label).second) return;
        Json item = {{"label", label}, {"kind", kind}, {"sortText", rank + std::string(label)}};
        if (!detail.empty()) item["detail"] = std::move(detail);
        items_.push_back(std::move(item));
    }
    /// A name that is offered only when more of it is written: the client has to ask again.
    void leave_out(std::string_view label) { is_incomplete_ |= label.starts_with(prefix_); }
    bool is_incomplete() const { return is_incomplete_; }
    void add(const Decl& decl, char rank) { add(decl.name, item_kind(decl), declaration_text(decl), rank); }
    Json take() { return std::move(items_); }

 private:
    std::string_view prefix_;
    std::set<std::string, std::less<>> seen_ = {};
    Json items_ = Json::array();
    bool is_incomplete_ = false;
};

/// Where something stands in the main file; what comes from the command line stands before it.
Place place_in_main(const Unit& unit, const std::optional<Place>& place, SourceLoc loc) {
    return place ? unit.in_main(*place, loc) : Place();
}

/// Whether the declaration is one of a function's body or parameters.
bool is_local(const Decl& decl) {
    const auto* variable = dyn<VarDecl>(&decl);
    return (variable && !variable->is_file_scope) || decl.kind == DeclKind::Typedef ||
           decl.kind == DeclKind::EnumConstant || decl.kind == DeclKind::Function;
}

/// Where the declaration begins. An enumerator's scope ends where that of the enumeration does.
SourceRange range_of(const Decl& decl) {
    const auto* constant = dyn<EnumConstantDecl>(&decl);
    return constant && constant->parent ? constant->parent->range : decl.range;
}

/// The declarations inside the function that are visible at the offset, inner ones last. They come from the
/// mentions, because a fault makes expressions, and with them blocks, drop out of the tree.
std::vector<const Decl*> locals_at(const Unit& unit, const Decl& function, size_t offset) {
    Scopes scopes(unit.main().text, offset);
    const std::optional<Place> whole = unit.expanded(function.range);
    std::vector<std::pair<size_t, const Decl*>> found;
    for (const Mention& mention : unit.analysis().mentions().names) {
        const Decl* decl = mention.decl;
        if (!decl || mention.range != decl->name_range || !is_local(*decl)) continue;
        const Place name = place_in_main(unit, unit.expanded(mention.range), mention.range.begin);
        if (!whole || name.begin <= whole->begin || name.end > offset) continue;
        const SourceRange range = range_of(*decl);
        const Place place = place_in_main(unit, unit.expanded(range), range.begin);
        // The function's own name begins with it.
        if (place.begin <= whole->begin || !scopes.has(place.begin)) continue;
        found.emplace_back(name.begin, decl);
    }
    std::ranges::stable_sort(found, {}, &std::pair<size_t, const Decl*>::first);
    std::vector<const Decl*> decls;
    for (const auto& [begin, decl] : found) decls.push_back(decl);
    return decls;
}

/// The enumerators outside of functions.
void add_enumerators(const Unit& unit, size_t offset, Items& items) {
    std::vector<Place> functions;  // from their parameters on
    for (const Decl* decl : unit.analysis().unit().decls) {
        if (decl->kind != DeclKind::Function) continue;
        const std::optional<Place> whole = unit.expanded(decl->range), name = unit.expanded(decl->name_range);
        if (whole && name && name->file == whole->file)
            functions.push_back({whole->file, name->end, whole->end});
    }
    for (const Mention& mention : unit.analysis().mentions().names) {
        if (!mention.decl || mention.decl->kind != DeclKind::EnumConstant ||
            mention.range != mention.decl->name_range)
            continue;
        const std::optional<Place> place = unit.expanded(mention.range);
        const auto has_place = [&](const Place& function) {
            return function.file == place->file && function.begin < place->begin &&
                   place->end <= function.end;
        };
        if (place && (std::ranges::any_of(functions, has_place) ||
                      place_in_main(unit, place, mention.range.begin).end > offset))
            continue;
        items.add(*mention.decl, '2');
    }
}

/// Whether a macro's name stands in `#undef`.
bool undefines(const Unit& unit, const Place& name) {
    std::string_view before = unit.files()[name.file].text.substr(0, name.begin);
    for (const std::string_view word : {"undef", "#"}) {
        before = before.substr(0, before.find_last_not_of(" \t") + 1);  // npos + 1 is 0
        if (!before.ends_with(word)) return false;
        before.remove_suffix(word.size());
    }
    return true;
}

void add_macros(const Unit& unit, size_t offset, Items& items) {
    std::vector<std::string_view> defined;
    for (const MacroMention& macro : unit.analysis().mentions().macros) {
        const std::optional<Place> place = unit.spelled(macro.range);
        const bool is_gone = place && undefines(unit, *place);
        if (macro.range != macro.definition && !is_gone) continue;
        if (place_in_main(unit, place, macro.range.begin).begin > offset) continue;
        if (is_gone)
            std::erase(defined, macro.name);
        else
            defined.push_back(macro.name);
    }
    for (const std::string_view name : defined) items.add(name, kConstantItem, "macro", '2');
}

void add_members(const RecordDecl& record, Items& items) {
    for (const FieldDecl* field : record.fields)
        if (!field->name.empty())
            items.add(*field, '0');
        else if (field->type && field->type->is_record() && field->type->record)
            add_members(*field->type->record, items);
}

void add_components(const Type& vector, const Features& features, Items& items) {
    const QualType one = vector.element;
    const auto lanes = static_cast<uint32_t>(vector.count);
    for (uint32_t i = 0; i < lanes && i < 4; ++i)
        items.add(std::string_view("xyzw").substr(i, 1), kFieldItem, type_text(one), '0');
    for (uint32_t i = 0; i < lanes; ++i)
        items.add(std::string("s") + "0123456789abcdef"[i], kFieldItem, type_text(one), '1');
    const std::string half = type_text(one) + (lanes <= 2 ? "" : std::to_string((lanes + 1) / 2));
    for (const char* name : {"lo", "hi", "even", "odd"}) items.add(name, kFieldItem, half, '2');
    if (features.at_least(Standard::CL30))
        for (uint32_t i = 0; i < lanes && i < 4; ++i)
            items.add(std::string_view("rgba").substr(i, 1), kFieldItem, type_text(one), '3');
}

void add_members(const Unit& unit, size_t op, Items& items) {
    for (const MemberMention& member : unit.analysis().mentions().members) {
        const std::optional<Place> place = unit.spelled(member.op_range);
        if (!place || place->file != 0 || place->begin != op) continue;
        if (member.base->is_vector())
            return add_components(*member.base, unit.analysis().options().features(), items);
        const Type* base = member.base->is_pointer() ? member.base->element.type : member.base;
        if (base->is_record() && base->record) return add_members(*base->record, items);
    }
}

/// The labels of the function at the offset.
void add_labels(const Unit& unit, size_t offset, Items& items) {
    const Decl* function = unit.decl_at(offset);
    const std::optional<Place> whole = function ? unit.expanded(function->range) : std::nullopt;
    if (!whole) return;
    for (const Mention& mention : unit.analysis().mentions().names) {
        if (!mention.label || mention.range != mention.label->name_range) continue;
        const std::optional<Place> place = unit.expanded(mention.range);
        if (place && place->file == whole->file && place->begin >= whole->begin && place->end <= whole->end)
            items.add(mention.label->name, kConstantItem, "label", '0');
    }
}

/// The names of structures, unions or enumerations, as the keyword wants.
void add_tags(const Unit& unit, std::string_view keyword, size_t offset, Items& items) {
    for (const Mention& mention : unit.analysis().mentions().names) {
        if (!mention.decl || mention.range != mention.decl->name_range) continue;
        const auto* record = dyn<RecordDecl>(mention.decl);
        const bool fits = record ? keyword == (record->is_union ? "union" : "struct")
                                 : mention.decl->kind == DeclKind::Enum && keyword == "enum";
        if (!fits) continue;
        if (place_in_main(unit, unit.expanded(mention.range), mention.range.begin).end < offset)
            items.add(*mention.decl, '0');
    }
}

std::string first_prototype(std::string_view name, const Features& features) {
    const auto prototypes = builtin::prototypes(name, features);
    return prototypes.empty() ? std::string() : prototype_text(name, prototypes[0]);
}

/// convert_int4 and as_float4 are too many to offer before their prefix is written.
void add_conversions(std::string_view prefix, const Features& features, Items& items) {
    for (const char* kind : {"convert_", "as_"}) {
        if (!prefix.starts_with(kind)) {
            items.leave_out(kind);
            continue;
        }
        for (const std::string& type : builtin_type_names(features))
            for (const char* suffix :
                 {"", "_sat", "_rte", "_rtz", "_rtp", "_rtn", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"})
                if (const std::string name = kind + type + suffix;
                    name.starts_with(prefix) && builtin::is_builtin(name, features))
                    items.add(name, kFunctionItem, "", '3');
    }
}

void add_language(std::string_view prefix, const Features& features, Items& items) {
    for (const std::string& name : builtin::function_names(features))
        if (name.starts_with("__") && !prefix.starts_with("__"))
            items.leave_out(name);
        else if (name.starts_with(prefix))
            items.add(name, kFunctionItem, first_prototype(name, features), '3');
    add_conversions(prefix, features, items);
    for (const std::string& name : builtin_type_names(features)) items.add(name, kTypeItem, "", '4');
    for (const std::string_view name : builtin::enumerator_names(features))
        items.add(name, kEnumMemberItem, "", '4');
    for (const std::string_view word : keywords(features.standard))
        if (word.starts_with('_') && !prefix.starts_with('_'))
            items.leave_out(word);
        else
            items.add(word, kKeywordItem, "", '5');
}

void add_names(const Unit& unit, size_t offset, std::string_view prefix, Items& items) {
    if (const Decl* decl = unit.decl_at(offset)) {
        const std::vector<const Decl*> locals = locals_at(unit, *decl, offset);
        for (size_t i = locals.size(); i-- > 0;) items.add(*locals[i], '1');
    }
    for (const Decl* decl : unit.analysis().unit().decls) {
        const std::optional<Place> place = unit.expanded(decl->range);
        if (place && place->file == 0 && place->begin > offset) continue;
        items.add(*decl, '2');
    }
    add_enumerators(unit, offset, items);
    add_macros(unit, offset, items);
    add_language(prefix, unit.analysis().options().features(), items);
}

/// A function as SignatureInformation: its text, and where each parameter stands in it.
Json signature(const std::string& label, const std::vector<std::string>& params, std::string_view what) {
    Json parameters = Json::array();
    size_t at = label.find('(');
    for (const std::string& param : params) {
        at = label.find(param, at);
        if (at == std::string::npos) break;
        parameters.push_back({{"label",
                               {utf16_length(std::string_view(label).substr(0, at)),
                                utf16_length(std::string_view(label).substr(0, at + param.size()))}}});
        at += param.size();
    }
    Json out = {{"label", label}, {"parameters", std::move(parameters)}};
    if (!what.empty()) out["documentation"] = what;
    return out;
}

Json signature(const FunctionDecl& function) {
    std::vector<std::string> params;
    for (size_t i = 0; i < function.type->params.size(); ++i)
        params.push_back(i < function.params.size()
                             ? parameter_text(*function.params[i], function.type->params[i])
                             : declared(function.type->params[i], ""));
    return signature(declaration_text(function), params, "");
}

}  // namespace

Result<Json> completion(const Query& query) {
    const size_t offset = query.offset();
    const std::string_view text = query.document.text;
    CompletionContext context = completion_at(text, offset);
    // Nobody who writes `a >` asks for names.
    constexpr uint32_t kTriggerCharacter = 2;
    if (number_of(member(query.params, "context", "triggerKind")) == kTriggerCharacter &&
        context.kind == CompletionContext::Kind::Name)
        context.kind = CompletionContext::Kind::None;
    const std::string_view prefix = text.substr(context.begin, offset - context.begin);
    Items items(prefix);
    switch (context.kind) {
        case CompletionContext::Kind::None: break;
        case CompletionContext::Kind::Name: add_names(query.unit(), context.begin, prefix, items); break;
        case CompletionContext::Kind::Member: add_members(query.unit(), context.op, items); break;
        case CompletionContext::Kind::Label: add_labels(query.unit(), context.begin, items); break;
        case CompletionContext::Kind::Tag:
            // The last word before the name.
            add_tags(query.unit(),
                     text.substr(context.op, text.find_first_of(" \t\r\n/\\", context.op) - context.op),
                     context.begin, items);
            break;
        case CompletionContext::Kind::Macro:
            add_macros(query.unit(), context.begin, items);
            items.add("defined", kKeywordItem, "", '5');
            break;
        case CompletionContext::Kind::Directive:
            for (const char* word : {"define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef",
                                     "include", "line", "pragma", "undef", "warning"})
                items.add(word, kKeywordItem, "", '0');
            break;
    }
    const bool is_incomplete = items.is_incomplete();
    return Json{{"isIncomplete", is_incomplete}, {"items", items.take()}};
}

Result<Json> signature_help(const Query& query) {
    const std::optional<CallContext> call = call_at(query.document.text, query.offset());
    if (!call) return Json(nullptr);
    const Unit& unit = query.unit();
    Json signatures = Json::array();
    std::set<const void*> seen;
    for (const Decl* decl : unit.analysis().unit().decls)
        if (const auto* function = dyn<FunctionDecl>(decl); function && function->name == call->name &&
                                                            function->type && function->type->is_function() &&
                                                            seen.insert(identity(*function)).second)
            signatures.push_back(signature(*function));
    if (signatures.empty())
        for (const auto& prototype : builtin::prototypes(call->name, unit.analysis().options().features())) {
            std::vector<std::string> params = prototype.params;
            if (prototype.variadic) params.push_back("...");
            const std::string types = prototype.types.empty() ? "" : "\n" + prototype.types;
            signatures.push_back(signature(prototype_text(call->name, prototype), params,
                                           std::string(sentence(call->name)) + types));
        }
    if (signatures.empty()) return Json(nullptr);
    size_t active = 0;  // the first that has such a parameter
    while (active + 1 < signatures.size() && signatures[active]["parameters"].size() <= call->argument)
        ++active;
    size_t argument = call->argument;
    if (const auto& params = signatures[active]["parameters"];
        argument >= params.size() && std::string(signatures[active]["label"]).ends_with("...)"))
        argument = params.size() - 1;
    return Json{
        {"signatures", std::move(signatures)}, {"activeSignature", active}, {"activeParameter", argument}};
}

}  // namespace caldera::language_server
