// SPDX-License-Identifier: Apache-2.0
// `__attribute__((deprecated))` and `__attribute__((unavailable))`: what is said where such a name is used.
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

const Attribute* named_attribute(std::span<Attribute> list, std::string_view name) {
    const auto found = std::ranges::find(list, name, &Attribute::name);
    return found == list.end() ? nullptr : &*found;
}

template <class Declared>
const Attribute* declared_attribute(const Declared& decl, std::string_view name) {
    if (const Attribute* found = named_attribute(decl.declarator.attributes, name)) return found;
    for (const DeclaratorChunk& chunk : decl.declarator.chunks)
        if (const Attribute* found = named_attribute(chunk.attributes, name)) return found;
    return decl.specifiers ? named_attribute(decl.specifiers->attributes, name) : nullptr;
}

}  // namespace

/// The attribute of a declaration, or of an earlier one of the same function.
const Attribute* Checker::attribute_of(const Decl& decl, std::string_view name) const {
    switch (decl.kind) {
        case DeclKind::Var: return declared_attribute(as<VarDecl>(decl), name);
        case DeclKind::Typedef: return declared_attribute(as<TypedefDecl>(decl), name);
        case DeclKind::Field: return declared_attribute(as<FieldDecl>(decl), name);
        case DeclKind::EnumConstant: return named_attribute(as<EnumConstantDecl>(decl).attributes, name);
        case DeclKind::Enum: return named_attribute(as<EnumDecl>(decl).attributes, name);
        case DeclKind::Record: return named_attribute(as<RecordDecl>(decl).attributes, name);
        case DeclKind::Function: {
            const auto& function = as<FunctionDecl>(decl);
            if (const Attribute* found = declared_attribute(function, name)) return found;
            if (!function.canonical) return nullptr;
            if (const Attribute* found = declared_attribute(*function.canonical, name)) return found;
            const auto others = declarations_.find(function.canonical);
            if (others == declarations_.end()) return nullptr;
            for (const FunctionDecl* other : others->second)
                if (const Attribute* found = declared_attribute(*other, name)) return found;
            return nullptr;
        }
        default: return nullptr;
    }
}

void Checker::use(SourceRange range, const Decl& decl) {
    note(range, decl);
    warn_availability(range, decl);
}

/// A use that is noted elsewhere.
void Checker::warn_availability(SourceRange range, const Decl& decl) {
    const Attribute* unavailable = attribute_of(decl, "unavailable");
    const Attribute* attribute = unavailable ? unavailable : attribute_of(decl, "deprecated");
    if (!attribute) return;
    const auto inside = [&](std::string_view name) {
        for (const FunctionContext* context = function_; context; context = context->outer)
            if (context->decl && attribute_of(*context->decl, name)) return true;
        return false;
    };
    if (inside("unavailable") || (!unavailable && inside("deprecated"))) return;
    const auto* reason =
        attribute->args.empty() ? nullptr : dyn<StringLiteralExpr>(strip_parens(attribute->args[0]));
    const std::string why = reason && !reason->value.empty() ? ": " + std::string(reason->value) : "";
    if (unavailable)
        diags_.error(range, "'", decl.name, "' is unavailable", why)
            .note(decl.name_range, "'", decl.name, "' has been explicitly marked unavailable here");
    else
        diags_.warning(Warning::DeprecatedBuiltin, range, "'", decl.name, "' is deprecated", why)
            .note(attribute->range, "'", decl.name, "' has been explicitly marked deprecated here");
}

}  // namespace caldera::frontend
