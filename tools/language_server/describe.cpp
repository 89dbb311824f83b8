// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/describe.h"

#include <algorithm>
#include <iterator>

namespace caldera::language_server {

using namespace frontend;

namespace {

/// Diagnostics write "__global" as clang does.
std::string without_underscores(std::string text) {
    for (const char* space : {"__global", "__local", "__constant", "__private", "__generic", "__read_only",
                              "__write_only", "__read_write"})
        for (size_t at = text.find(space); at != std::string::npos; at = text.find(space, at))
            text.erase(at, 2);
    return text;
}

/// The type's name that the program writes: `particle` for its unnamed structure, size_t for ulong.
std::string as_written(std::string text, const Specifiers* specifiers) {
    if (!specifiers) return text;
    const auto replace = [&](const std::string& from, std::string_view to) {
        if (const size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
    };
    for (const std::string keyword : {"struct", "union", "enum"}) {
        if (!specifiers->typedef_name.empty())
            replace(keyword + " (unnamed " + keyword + ")", specifiers->typedef_name);
        replace("(unnamed " + keyword + ")", "{...}");
    }
    if (specifiers->builtin && !specifiers->builtin_name.empty())
        replace(to_string(specifiers->builtin), specifiers->builtin_name);
    return text;
}

std::string params_text(std::span<VarDecl* const> params, const Type& function) {
    std::string out = "(";
    for (size_t i = 0; i < function.params.size(); ++i) {
        out += i ? ", " : "";
        out += i < params.size() ? parameter_text(*params[i], function.params[i])
                                 : declared(function.params[i], "");
    }
    if (function.variadic) out += function.params.empty() ? "..." : ", ...";
    if (function.params.empty() && !function.variadic) out += "void";
    return out + ")";
}

std::string function_text(const FunctionDecl& function) {
    std::string out = function.is_kernel ? "kernel " : "";
    if (function.storage == StorageClass::Static) out += "static ";
    if (function.is_inline) out += "inline ";
    if (!function.type || !function.type->is_function()) return out + std::string(function.name) + "()";
    return out + as_written(declared(function.type->element, function.name), function.specifiers) +
           params_text(function.params, *function.type.type);
}

std::string tag_text(std::string_view keyword, const Decl& decl) {
    return std::string(keyword) + (decl.name.empty() ? "" : " " + std::string(decl.name));
}

/// A sentence for a name, or for all names that begin so.
struct Row {
    std::string_view name;
    std::string_view sentence;
    bool is_prefix = false;
};
constexpr Row kRows[] = {
#define SENTENCE(name, text) {name, text},
#define PREFIX(name, text) {name, text, true},
#include "tools/language_server/sentences.def"
#undef SENTENCE
#undef PREFIX
};

}  // namespace

std::string type_text(const QualType& type) {
    return type ? without_underscores(to_string(type)) : "<unknown>";
}

std::string declared(const QualType& type, std::string_view name) {
    if (!type) return std::string(name);
    std::string bounds;
    QualType element = type;
    while (element->is_array()) {
        bounds += element->incomplete_array ? "[]" : "[" + std::to_string(element->count) + "]";
        element = element->element;
    }
    std::string out = type_text(element);
    if (!name.empty()) out += (out.ends_with('*') ? "" : " ") + std::string(name);
    return out + bounds;
}

std::string parameter_text(const VarDecl& variable, const QualType& type) {
    return as_written(declared(type, variable.name), variable.specifiers);
}

std::string declaration_text(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: return function_text(as<FunctionDecl>(decl));
        case DeclKind::Typedef:
            return "typedef " + as_written(declared(decl.type, decl.name), as<TypedefDecl>(decl).specifiers);
        case DeclKind::Record: return tag_text(as<RecordDecl>(decl).is_union ? "union" : "struct", decl);
        case DeclKind::Enum: return tag_text("enum", decl);
        case DeclKind::EnumConstant:
            return std::string(decl.name) + " = " + std::to_string(as<EnumConstantDecl>(decl).value);
        case DeclKind::Var: return parameter_text(as<VarDecl>(decl), decl.type);
        case DeclKind::Field:
            return as_written(declared(decl.type, decl.name), as<FieldDecl>(decl).specifiers);
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return std::string(decl.name);
}

std::string size_text(const QualType& type) {
    if (!type || !type->is_complete() || type->is_function() || type->size_bytes == 0) return {};
    return std::to_string(type->size_bytes) + (type->size_bytes == 1 ? " byte" : " bytes") + ", aligned to " +
           std::to_string(type.align_bytes());
}

std::string kind_text(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: return as<FunctionDecl>(decl).is_kernel ? "kernel" : "function";
        case DeclKind::Typedef: return "type";
        case DeclKind::Record: return as<RecordDecl>(decl).is_union ? "union" : "structure";
        case DeclKind::Enum: return "enumeration";
        case DeclKind::EnumConstant: return "enumerator";
        case DeclKind::Field: return "member, at byte " + std::to_string(as<FieldDecl>(decl).offset_bytes);
        case DeclKind::Var:
            if (as<VarDecl>(decl).is_param) return "parameter";
            return "variable in " + std::string(spelling(decl.type.space).substr(2)) + " memory";
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return {};
}

std::string prototype_text(std::string_view name, const builtin::Prototype& prototype) {
    std::string out = prototype.result + " " + std::string(name) + "(";
    for (size_t i = 0; i < prototype.params.size(); ++i) out += (i ? ", " : "") + prototype.params[i];
    if (prototype.variadic) out += prototype.params.empty() ? "..." : ", ...";
    return out + ")";
}

std::string resolution_text(const builtin::Resolution& resolution) {
    std::string out = type_text(resolution.result) + " " + std::string(resolution.name) + "(";
    for (size_t i = 0; i < resolution.params.size(); ++i)
        out += (i ? ", " : "") + type_text(resolution.params[i]);
    return out + ")";
}

std::string_view sentence(std::string_view name) {
    const Row* best = nullptr;
    for (const Row& row : kRows) {
        if (!row.is_prefix && row.name == name) return row.sentence;
        if (row.is_prefix && name.starts_with(row.name) && (!best || row.name.size() > best->name.size()))
            best = &row;
    }
    return best ? best->sentence : std::string_view();
}

}  // namespace caldera::language_server
