// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/describe.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "frontend/types/type_text.h"

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

bool is_error_type(const QualType& type) { return type && type->is_error(); }

/// Whether the type is the error type, or is made of it, so that its size says nothing.
bool has_error(const QualType& type) {
    if (!type || type->is_error()) return true;
    if (type->is_array()) return has_error(type->element);
    return type->is_record() && type->record &&
           std::ranges::any_of(type->record->fields,
                               [](const FieldDecl* field) { return has_error(field->type); });
}

/// The words that name a type, also one that is nowhere declared.
std::string base_as_written(const Specifiers& specifiers) {
    std::string out;
    if (specifiers.has_space) out += std::string(spelling(specifiers.space).substr(2)) + " ";
    if (specifiers.is_const) out += "const ";
    if (specifiers.record)
        return out + (specifiers.record->is_union ? "union " : "struct ") +
               std::string(specifiers.record->name);
    if (specifiers.enumeration) return out + "enum " + std::string(specifiers.enumeration->name);
    if (!specifiers.typedef_name.empty()) return out + std::string(specifiers.typedef_name);
    if (specifiers.is_auto_type) return out + "__auto_type";
    if (!specifiers.builtin_name.empty()) return out + std::string(specifiers.builtin_name);
    return specifiers.builtin && !is_error_type({.type = specifiers.builtin})
               ? out + to_string(specifiers.builtin)
               : "";
}

/// A declaration whose type has errors, as far as it is written: "undeclared *p[]". The first `chunks` of the
/// declarator are not part of the type.
std::string with_error(const Specifiers* specifiers, const Declarator& declarator, std::string_view name,
                       size_t chunks = 0) {
    const std::string base = specifiers ? base_as_written(*specifiers) : std::string();
    if (base.empty()) return std::string(name);
    std::string out(name);
    bool is_pointer = false;
    for (const DeclaratorChunk& chunk :
         declarator.chunks.subspan(std::min(chunks, declarator.chunks.size()))) {
        const bool was_pointer = std::exchange(is_pointer, false);
        switch (chunk.kind) {
            case ChunkKind::Pointer:
            case ChunkKind::Block:
                out = (chunk.kind == ChunkKind::Pointer ? "*" : "^") + out;
                is_pointer = true;
                break;
            case ChunkKind::Array:
            case ChunkKind::Function:
                out = (was_pointer ? "(" + out + ")" : out) + (chunk.kind == ChunkKind::Array ? "[]" : "()");
                break;
        }
    }
    return out.empty() ? base : base + " " + out;
}

/// Stands for a name where a text is changed that may have the same words as the name.
constexpr std::string_view kNameMark = "\x01";

std::string with_name(std::string text, std::string_view name) {
    if (const size_t at = text.find(kNameMark); at != std::string::npos)
        text.replace(at, kNameMark.size(), name);
    return text;
}

/// The name belongs inside: "int (*name)[4]".
std::string declared_as(const QualType& type, std::string_view name) {
    constexpr std::string_view kError = "<error type>", kUnknown = "unknown";
    std::string text = without_underscores(frontend::declaration_text(type, name));
    for (size_t at = text.find(kError); at != std::string::npos; at = text.find(kError, at))
        text.replace(at, kError.size(), kUnknown);
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
    const std::string rest = std::string(function.name) + params_text(function.params, *function.type.type);
    if (is_error_type(function.type->element))
        return out + with_error(function.specifiers, function.declarator, rest, 1);
    return out +
           with_name(as_written(declared(function.type->element, kNameMark), function.specifiers), rest);
}

template <class Declared>
std::string declarator_text(const Declared& decl) {
    if (is_error_type(decl.type)) return with_error(decl.specifiers, decl.declarator, decl.name);
    return as_written(declared(decl.type, decl.name), decl.specifiers);
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

std::string type_text(const QualType& type) { return type ? declared_as(type, "") : "unknown"; }

std::string declared(const QualType& type, std::string_view name) {
    if (!type || is_error_type(type)) return std::string(name);
    QualType shown = type;
    if (type->kind == TypeKind::BlockPointer) shown.is_const = false;  // each block's variable is
    return with_name(declared_as(shown, name.empty() ? "" : kNameMark), name);
}

std::string parameter_text(const VarDecl& variable, const QualType& type) {
    if (is_error_type(type)) return with_error(variable.specifiers, variable.declarator, variable.name);
    return as_written(declared(type, variable.name), variable.specifiers);
}

std::string declaration_text(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: return function_text(as<FunctionDecl>(decl));
        case DeclKind::Typedef: return "typedef " + declarator_text(as<TypedefDecl>(decl));
        case DeclKind::Record: return tag_text(as<RecordDecl>(decl).is_union ? "union" : "struct", decl);
        case DeclKind::Enum: return tag_text("enum", decl);
        case DeclKind::EnumConstant:
            return std::string(decl.name) + " = " + std::to_string(as<EnumConstantDecl>(decl).value);
        case DeclKind::Var: return parameter_text(as<VarDecl>(decl), decl.type);
        case DeclKind::Field: return declarator_text(as<FieldDecl>(decl));
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return std::string(decl.name);
}

std::string size_text(const QualType& type) {
    if (has_error(type) || !type->is_complete() || type->is_function() || type->size_bytes == 0) return {};
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
        case DeclKind::Field:
            if (is_error_type(decl.type)) return "member";
            return "member, at byte " + std::to_string(as<FieldDecl>(decl).offset_bytes);
        case DeclKind::Var:
            if (as<VarDecl>(decl).is_param) return "parameter";
            if (!decl.type || is_error_type(decl.type)) return "variable";
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
