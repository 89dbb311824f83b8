// SPDX-License-Identifier: Apache-2.0
// Warnings about declarations: what is unused or hidden, and what their attributes and qualifiers do not do.
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

bool has_attribute_in(const Specifiers* spec, const Declarator& declarator, std::string_view name) {
    for (const Attribute& attribute : spec->attributes)
        if (attribute.name == name) return true;
    for (const Attribute& attribute : declarator.attributes)
        if (attribute.name == name) return true;
    return false;
}

}  // namespace

/// Called when the innermost scope is about to end.
void Checker::warn_unused_declarations() {
    if (function_ && function_->is_faulty) return;
    if (!diags_.enabled(Warning::UnusedVariable) && !diags_.enabled(Warning::UnusedTypedef)) return;
    for (const Decl* decl : scopes_.here()) {
        auto* var = dyn<VarDecl>(decl);
        auto* alias = dyn<TypedefDecl>(decl);
        if (alias && !scopes_.at_file_scope() && !alias->is_used && !alias->type->is_error() &&
            !has_attribute_in(alias->specifiers, alias->declarator, "unused"))
            diags_.warning(Warning::UnusedTypedef, alias->name_range, "unused typedef '", alias->name, "'");
        if (!var || var->is_param || var->is_mentioned || !var->type || var->type->is_error()) continue;
        if (var->storage == StorageClass::Extern ||
            has_attribute_in(var->specifiers, var->declarator, "unused"))
            continue;
        diags_.warning(Warning::UnusedVariable, var->name_range, "unused variable '", var->name, "'");
    }
}

void Checker::warn_unused_parameters(const FunctionDecl& function) {
    if (function_->is_faulty) return;
    for (const VarDecl* param : function.params)
        if (!param->name.empty() && !param->is_mentioned && !param->type->is_error() &&
            !has_attribute_in(param->specifiers, param->declarator, "unused"))
            diags_.warning(Warning::UnusedParameter, param->name_range, "unused parameter '", param->name,
                           "'");
}

void Checker::warn_unused_labels(std::span<LabelStmt* const> labels) {
    if (function_->is_faulty) return;
    for (const LabelStmt* label : labels)
        if (!label->is_used && !label->may_be_unused)
            diags_.warning(Warning::UnusedLabel, label->local ? label->local->name_range : label->name_range,
                           "unused label '", label->name, "'");
}

/// Warns about unused declarations with internal linkage, at the end of the translation unit. Headers may
/// declare more than one file needs.
void Checker::warn_unused_at_file_scope() {
    if (diags_.has_errors()) return;  // what was faulty may be the use
    for (const Decl* decl : file_decls_) {
        if (auto* var = dyn<VarDecl>(decl)) {
            if (var->storage == StorageClass::Static && !var->is_mentioned &&
                !(var->definition && var->definition->is_mentioned) && !var->type->is_error() &&
                diags_.in_main_file(var->name_range.begin) &&
                !has_attribute_in(var->specifiers, var->declarator, "unused"))
                diags_.warning(var->type.is_const ? Warning::UnusedConstVariable : Warning::UnusedVariable,
                               var->name_range, "unused variable '", var->name, "'");
            continue;
        }
        auto* function = dyn<FunctionDecl>(decl);
        if (!function || function->storage != StorageClass::Static || function->is_kernel) continue;
        if (function->definition && function->definition != function) continue;  // told of there
        if (function->canonical->is_used ||
            has_attribute_in(function->specifiers, function->declarator, "unused"))
            continue;
        if (function->is_inline && !diags_.in_main_file(function->name_range.begin)) continue;
        diags_.warning(Warning::UnusedFunction, function->name_range, "unused function '", function->name,
                       "'");
    }
}

bool Checker::is_declared_inline(const FunctionDecl& canonical) const {
    const auto later = declarations_.find(&canonical);
    return canonical.is_inline ||
           (later != declarations_.end() &&
            std::ranges::any_of(later->second, [](const FunctionDecl* decl) { return decl->is_inline; }));
}

/// Warns about calls of functions that this program must define and does not, at the end of the translation
/// unit.
void Checker::warn_undefined_functions() {
    if (diags_.has_errors()) return;  // what was faulty may be the definition
    for (const Decl* decl : file_decls_) {
        auto* function = dyn<FunctionDecl>(decl);
        if (!function || function->canonical != function || !function->is_used || function->definition ||
            function->same_builtin)
            continue;
        if (function->storage == StorageClass::Static)
            diags_
                .warning(Warning::UndefinedInternal, function->name_range, "function '", function->name,
                         "' has internal linkage but is not defined")
                .note(function->first_use, "used here");
        else if (is_declared_inline(*function))  // C99 6.7.4p6
            diags_
                .warning(Warning::UndefinedInline, function->name_range, "inline function '", function->name,
                         "' is not defined")
                .note(function->first_use, "used here");
    }
}

/// Warns about a variable or parameter of a function that is about to be declared.
void Checker::warn_shadow(const VarDecl& var) {
    if (!function_ || var.storage == StorageClass::Extern || var.name.empty() || scopes_.find_here(var.name))
        return;
    auto* hidden = dyn<VarDecl>(scopes_.find(var.name));
    if (!hidden) return;
    diags_
        .warning(Warning::Shadow, var.name_range, "declaration shadows a ",
                 hidden->is_file_scope ? "variable in the global scope" : "local variable")
        .note(hidden->name_range, "previous declaration is here");
}

void Checker::warn_no_prototype(const FunctionDecl& function) {
    if (!function.body || function.is_kernel || function.is_inline ||
        function.storage == StorageClass::Static || function.canonical != &function)
        return;
    diags_
        .warning(Warning::MissingPrototypes, function.name_range, "no previous prototype for function '",
                 function.name, "'")
        .note(function.specifiers->range,
              "declare 'static' if the function is not intended to be used outside of this translation unit");
}

/// `const int f(void)`: the result is a value.
void Checker::warn_ignored_qualifiers(const Specifiers& spec, const QualType& result) {
    if (!spec.const_range || !spec.is_const || result->is_pointer() || result->is_void() ||
        result->is_error() || result->is_record())
        return;
    diags_.warning(Warning::IgnoredQualifiers, spec.const_range,
                   "'const' type qualifier on return type has no effect");
}

}  // namespace caldera::frontend
