// SPDX-License-Identifier: Apache-2.0
// Completion and signature help.
#include <algorithm>
#include <set>

#include "frontend/ast/children.h"
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
    void add(const Decl& decl, char rank) { add(decl.name, item_kind(decl), declaration_text(decl), rank); }
    Json take() { return std::move(items_); }

 private:
    std::string_view prefix_;
    std::set<std::string, std::less<>> seen_ = {};
    Json items_ = Json::array();
};

/// The declarations of a function's blocks that are visible at the offset, inner ones last.
class Locals {
 public:
    Locals(const Unit& unit, size_t offset) : unit_(unit), offset_(offset) {}

    void function(const FunctionDecl& function) {
        if (!function.body || !holds(function.body->range)) return;
        for (const VarDecl* param : function.params) found_.push_back(param);
        statement(*function.body);
    }
    const std::vector<const Decl*>& found() const { return found_; }

 private:
    /// A block that the end of the text cuts off holds the space behind it.
    bool holds(SourceRange range) const {
        const std::optional<Place> place = unit_.expanded(range);
        if (!place || place->file != 0 || place->begin > offset_) return false;
        if (offset_ <= place->end) return true;
        const std::string_view text = unit_.main().text;
        const std::string_view between = text.substr(place->end, offset_ - place->end);
        return is_open(text.substr(place->begin, place->end - place->begin)) &&
               between.find_first_not_of(" \t\r\n") == between.npos;
    }
    static bool is_open(std::string_view block) {
        int depth = 0;
        for (const Word& word : tokens_of(block))
            depth += word.kind == Token::LeftBrace ? 1 : word.kind == Token::RightBrace ? -1 : 0;
        return depth > 0;
    }
    bool is_before(const Decl& decl) const {
        const std::optional<Place> place = unit_.expanded(decl.name_range);
        return place && (place->file != 0 || place->end <= offset_);
    }
    void declared(const Stmt& stmt) {
        if (const auto* decls = dyn<DeclStmt>(&stmt))
            for (const Decl* decl : decls->decls)
                if (is_before(*decl)) found_.push_back(decl);
    }
    void statement(const Stmt& stmt) {
        const bool block = stmt.kind == StmtKind::Compound || stmt.kind == StmtKind::For;
        if (block && !holds(stmt.range)) return;
        if (block)
            for_each_part(
                stmt, [](const Expr&) {}, [&](const Stmt& part) { declared(part); });
        const auto* chain = dyn<IfStmt>(&stmt);
        while (chain) {  // `else if` may go on for long
            if (chain->then) statement(*chain->then);
            const auto* next = dyn<IfStmt>(chain->otherwise);
            if (!next && chain->otherwise) statement(*chain->otherwise);
            chain = next;
        }
        if (stmt.kind != StmtKind::If)
            for_each_part(
                stmt, [](const Expr&) {}, [&](const Stmt& part) { statement(part); });
    }

    const Unit& unit_;
    size_t offset_;
    std::vector<const Decl*> found_ = {};
};

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

std::string first_prototype(std::string_view name, const Features& features) {
    const auto prototypes = builtin::prototypes(name, features);
    return prototypes.empty() ? std::string() : prototype_text(name, prototypes[0]);
}

/// convert_int4 and as_float4 are too many to offer before their prefix is written.
void add_conversions(std::string_view prefix, const Features& features, Items& items) {
    for (const char* kind : {"convert_", "as_"}) {
        if (!prefix.starts_with(kind)) continue;
        for (const std::string& type : builtin_type_names(features))
            for (const char* suffix : {"", "_sat", "_rte", "_rtz"})
                if (const std::string name = kind + type + suffix;
                    name.starts_with(prefix) && builtin::is_builtin(name, features))
                    items.add(name, kFunctionItem, "", '3');
    }
}

void add_language(std::string_view prefix, const Features& features, Items& items) {
    for (const std::string& name : builtin::function_names(features))
        if (name.starts_with(prefix) && (!name.starts_with("__") || prefix.starts_with("__")))
            items.add(name, kFunctionItem, first_prototype(name, features), '3');
    add_conversions(prefix, features, items);
    for (const std::string& name : builtin_type_names(features)) items.add(name, kTypeItem, "", '4');
    for (const std::string_view name : builtin::enumerator_names(features))
        items.add(name, kEnumMemberItem, "", '4');
    for (const std::string_view word : keywords(features.standard))
        if (!word.starts_with('_') || prefix.starts_with('_')) items.add(word, kKeywordItem, "", '5');
}

void add_names(const Unit& unit, size_t offset, std::string_view prefix, Items& items) {
    if (const auto* function = dyn<FunctionDecl>(unit.decl_at(offset))) {
        Locals locals(unit, offset);
        locals.function(*function);
        for (size_t i = locals.found().size(); i-- > 0;) items.add(*locals.found()[i], '1');
    }
    for (const Decl* decl : unit.analysis().unit().decls) {
        const std::optional<Place> place = unit.expanded(decl->range);
        if (place && place->file == 0 && place->begin > offset) continue;
        items.add(*decl, '2');
    }
    for (const Mention& mention : unit.analysis().mentions().names)
        if (mention.decl && mention.decl->kind == DeclKind::EnumConstant &&
            mention.range == mention.decl->name_range)
            items.add(*mention.decl, '2');
    for (const MacroMention& macro : unit.analysis().mentions().macros)
        if (macro.range == macro.definition) items.add(macro.name, kConstantItem, "macro", '2');
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
    const CompletionContext context = completion_at(text, offset);
    const std::string_view prefix = text.substr(context.begin, offset - context.begin);
    Items items(prefix);
    switch (context.kind) {
        case CompletionContext::Kind::None: break;
        case CompletionContext::Kind::Name: add_names(query.unit(), context.begin, prefix, items); break;
        case CompletionContext::Kind::Member: add_members(query.unit(), context.op, items); break;
        case CompletionContext::Kind::Directive:
            for (const char* word : {"define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef",
                                     "include", "line", "pragma", "undef", "warning"})
                items.add(word, kKeywordItem, "", '0');
            break;
    }
    return Json{{"isIncomplete", false}, {"items", items.take()}};
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
