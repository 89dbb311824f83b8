// SPDX-License-Identifier: Apache-2.0
// Types as the source spells them: specifiers, and a declarator turned inside out again.
#include "frontend/ast/dump.h"

namespace caldera::frontend {

namespace {

void add_word(std::string& text, std::string_view word) {
    if (word.empty()) return;
    if (!text.empty()) text += ' ';
    text += word;
}

std::string_view storage_text(StorageClass storage) {
    switch (storage) {
        case StorageClass::None: return "";
        case StorageClass::Typedef: return "typedef";
        case StorageClass::Extern: return "extern";
        case StorageClass::Static: return "static";
        case StorageClass::Auto: return "auto";
        case StorageClass::Register: return "register";
    }
    return "";
}

std::string_view space_text(AddressSpace space) {
    switch (space) {
        case AddressSpace::Private: return "private";
        case AddressSpace::Global: return "global";
        case AddressSpace::Constant: return "constant";
        case AddressSpace::Local: return "local";
        case AddressSpace::Generic: return "generic";
        case AddressSpace::GlobalDevice: return "__attribute__((opencl_global_device))";
        case AddressSpace::GlobalHost: return "__attribute__((opencl_global_host))";
    }
    return "";
}

std::string_view access_text(Access access) {
    switch (access) {
        case Access::None: return "";
        case Access::ReadOnly: return "read_only";
        case Access::WriteOnly: return "write_only";
        case Access::ReadWrite: return "read_write";
    }
    return "";
}

std::string base_text(const Specifiers& s) {
    if (s.builtin) return s.builtin->is_error() ? "<error>" : to_string(s.builtin);
    if (!s.typedef_name.empty()) return std::string(s.typedef_name);
    if (s.record) {
        std::string text = s.record->is_union ? "union" : "struct";
        add_word(text, s.record->name);
        return text;
    }
    if (s.enumeration) {
        std::string text = "enum";
        add_word(text, s.enumeration->name);
        return text;
    }
    if (s.is_auto_type) return "__auto_type";
    if (s.typeof_expr) return "typeof(…)";
    if (s.typeof_type)
        return "typeof(" + written_type(*s.typeof_type->specifiers, s.typeof_type->declarator) + ")";
    return "";
}

std::string pointer_text(const DeclaratorChunk& chunk) {
    std::string text = chunk.kind == ChunkKind::Pointer ? "*" : "^";
    std::string words;
    if (chunk.has_space) add_word(words, space_text(chunk.space));
    if (chunk.is_const) add_word(words, "const");
    if (chunk.is_volatile) add_word(words, "volatile");
    if (chunk.is_restrict) add_word(words, "restrict");
    return text + words;
}

std::string array_text(const DeclaratorChunk& chunk) {
    std::string words;
    if (chunk.is_static) add_word(words, "static");
    if (chunk.is_const) add_word(words, "const");
    if (chunk.is_volatile) add_word(words, "volatile");
    if (chunk.is_restrict) add_word(words, "restrict");
    if (chunk.is_star) add_word(words, "*");
    if (auto* literal = dyn<IntLiteralExpr>(chunk.size))
        add_word(words, std::to_string(literal->value));
    else if (chunk.size)
        add_word(words, "…");
    return "[" + words + "]";
}

std::string function_text(const DeclaratorChunk& chunk) {
    if (chunk.unprototyped) return "()";
    if (chunk.params.empty() && !chunk.variadic) return "(void)";
    std::string text = "(";
    for (const VarDecl* param : chunk.params) {
        if (text.size() > 1) text += ", ";
        text += written_type(*param->specifiers, param->declarator);
    }
    if (chunk.variadic) text += text.size() > 1 ? ", ..." : "...";
    return text + ")";
}

std::string declarator_text(const Declarator& d) {
    std::string text;
    bool last_was_pointer = false;
    for (const DeclaratorChunk& chunk : d.chunks) {
        bool is_pointer = chunk.kind == ChunkKind::Pointer || chunk.kind == ChunkKind::Block;
        if (is_pointer) {
            std::string pointer = pointer_text(chunk);
            bool space = pointer.size() > 1 && !text.empty() && text[0] != '[' && text[0] != '(';
            text = pointer + (space ? " " : "") + text;
        } else {
            if (last_was_pointer) text = "(" + text + ")";
            text += chunk.kind == ChunkKind::Array ? array_text(chunk) : function_text(chunk);
        }
        last_was_pointer = is_pointer;
    }
    return text;
}

}  // namespace

std::string written_type(const Specifiers& s, const Declarator& d) {
    std::string text;
    add_word(text, storage_text(s.storage));
    if (s.is_inline) add_word(text, "inline");
    if (s.is_kernel) add_word(text, "kernel");
    if (s.has_space) add_word(text, space_text(s.space));
    if (s.is_const) add_word(text, "const");
    if (s.is_volatile) add_word(text, "volatile");
    if (s.is_restrict) add_word(text, "restrict");
    add_word(text, access_text(s.access));
    if (s.is_pipe) add_word(text, "pipe");
    add_word(text, base_text(s));
    add_word(text, declarator_text(d));
    return text;
}

}  // namespace caldera::frontend
