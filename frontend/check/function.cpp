// SPDX-License-Identifier: Apache-2.0
// Functions (C99 6.7.5.3 and 6.9.1) and parameters.
#include <algorithm>
#include <functional>
#include <utility>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

void Checker::function(FunctionDecl& function) {
    note(function);
    refuse_storage(*function.specifiers);
    function.canonical = &function;
    function.definition = function.body ? &function : nullptr;
    function_type(function);
    if (function.name == "main")  // OpenCL C 6.9
        diags_.error(function.name_range, "function cannot be called 'main'");
    if (function.is_kernel && function.storage == StorageClass::Static)
        diags_.error(function.name_range, "kernel functions cannot be declared static");
    if (function_ && function.storage == StorageClass::Static)
        diags_.error(function.name_range,
                     "function declared in block scope cannot have 'static' storage class");
    function_attributes(function);
    if (redeclares_printf(function)) return;
    if (!function.body && function.type->is_function()) function.same_builtin = same_builtin(function);
    merge_function(function);
    function.canonical->is_external_definition |=
        !function.is_inline || function.storage == StorageClass::Extern;
    if (function.type->is_error()) return;
    if (function.is_kernel) kernel_function(function);
    warn_no_prototype(function);
    warn_ignored_qualifiers(*function.specifiers, function.type->element);
    if (!function.body) return;
    FunctionContext context;
    context.decl = &function;
    context.result = function.type->element;
    Arena::Body inside(arena_);
    function_body(context);
    last_specifiers_ = last_refused_ = nullptr;  // their place may be another's when the body is dropped
}

/// Programs that are also C may declare it, but it remains the built-in function.
bool Checker::redeclares_printf(const FunctionDecl& function) const {
    return function.name == "printf" && !function.body && !function.type->is_error() &&
           function.type->variadic && builtin::is_builtin(function.name, features_);
}

/// The built-in function that a prototype redeclares, or null.
const builtin::Resolution* Checker::same_builtin(const FunctionDecl& function) {
    const builtin::Resolution* found = exact_builtin(function.name, function.type->params);
    return found && found->result.type == function.type->element.type ? found : nullptr;
}

void Checker::function_type(FunctionDecl& function) {
    TypeInProgress base = specifier_type(*function.specifiers, Where::File);
    TypeInProgress type = declarator_type(base, function.declarator);
    function.type = type.type;
    if (!function.declarator.chunks.empty() && function.declarator.chunks[0].kind == ChunkKind::Function)
        function.params = function.declarator.chunks[0].params;
    if (!function.type->is_function()) function.type = error_type();
}

void Checker::parameter(VarDecl& param) {
    param.is_param = true;
    note(param);
    param.definition = &param;
    refuse_storage(*param.specifiers);
    TypeInProgress base = specifier_type(*param.specifiers, Where::Param);
    TypeInProgress type = declarator_type(base, param.declarator);
    SourceRange at = param.name.empty() ? param.range : param.name_range;
    QualType& result = type.type;
    attributes(*param.specifiers, param.declarator, kOnParameter);
    refuse_alignas(param.specifiers->attributes, "cannot be applied to a function parameter");
    param.align_bytes = std::max(aligned_attribute(param.declarator.attributes),
                                 aligned_attribute(param.specifiers->attributes));
    if (param.specifiers->storage != StorageClass::None && !refuse_storage(*param.specifiers))
        diags_.error(param.specifiers->storage_range,
                     "invalid storage class specifier in function declarator");
    if (result->is_array()) {  // C99 6.7.5.3p7
        QualType element = result->element;
        if (!type.has_space) element = in_space(element, AddressSpace::Private);  // as an array would be
        result = {.type = types_.pointer(element)};
        type.has_space = false;
        if (!param.declarator.chunks.empty()) {  // `int a[const 3]` is `int *const a`
            const DeclaratorChunk& chunk = param.declarator.chunks[0];
            result = qualified(result, chunk.is_const, chunk.is_volatile, chunk.is_restrict);
        }
    } else if (result->is_function()) {
        diags_.error(at, "pointers to functions are not allowed");
        result = error_type();
    }
    if (!result->is_error()) {
        if (type.has_space && result.space != AddressSpace::Private) {
            diags_.error(at, "parameter may not be qualified with an address space");
            result = error_type();
        } else if (is_storage_only(result.type)) {
            diags_.error(at, "declaring function parameter of type '", result,
                         "' is not allowed; did you forget * ?");
            result = error_type();
        }
    }
    param.type = result;
    if (param.name.empty()) return;
    if (Decl* earlier = scopes_.find_here(param.name))
        diags_.error(at, "redefinition of parameter '", param.name, "'")
            .note(earlier->name_range, "previous declaration is here");
    else
        scopes_.declare(&param);
}

/// A hash of a function's name and its parameters' types, without qualifiers.
static size_t params_hash(const FunctionDecl& function) {
    size_t hash = std::hash<std::string_view>{}(function.name);
    for (const QualType& param : function.type->params)
        hash = hash * 31 + std::hash<const Type*>{}(param ? param->without_alignments() : nullptr);
    return hash;
}

/// The overloadable function of the same name and parameters that was declared first.
FunctionDecl* Checker::find_overload(const FunctionDecl& function) const {
    const auto [begin, end] = overloads_by_params_.equal_range(params_hash(function));
    for (auto candidate = begin; candidate != end; ++candidate)
        if (candidate->second->name == function.name &&
            candidate->second->enable_key == function.enable_key &&
            std::ranges::equal(candidate->second->type->params, function.type->params))
            return candidate->second;
    return nullptr;
}

/// Merges the declaration with earlier ones of the name. Overloadable functions are distinguished by their
/// parameters.
void Checker::merge_function(FunctionDecl& function) {
    if (hides_builtin_type(function)) return;
    Decl* found = scopes_.find(function.name);
    if (found && found->kind != DeclKind::Function && !scopes_.find_here(function.name)) found = nullptr;
    if (!found) {
        if (function.is_overloadable) {
            overloads_[function.name].push_back(&function);
            overloads_by_params_.emplace(params_hash(function), &function);
        }
        scopes_.declare_at_file_scope(&function);
        if (function_) scopes_.declare(&function);
        return;
    }
    auto* earlier = dyn<FunctionDecl>(found);
    if (!earlier) {
        diags_.error(function.name_range, "redefinition of '", function.name, "' as different kind of symbol")
            .note(found->name_range, "previous definition is here");
        return;
    }
    if (function.type->is_error() || earlier->type->is_error()) return;
    auto overloads = overloads_.find(function.name);
    if (overloads != overloads_.end() || function.is_overloadable) {
        if (overloads == overloads_.end()) {
            overloads = overloads_.emplace(function.name, std::vector{earlier}).first;
            overloads_by_params_.emplace(params_hash(*earlier), earlier);
        }
        function.is_overloadable = true;
        earlier = find_overload(function);
        if (!earlier) {
            overloads->second.push_back(&function);
            overloads_by_params_.emplace(params_hash(function), &function);
            return;
        }
    }
    FunctionDecl* first = earlier->canonical;
    if (function.storage == StorageClass::Static && first->storage != StorageClass::Static) {  // C99 6.2.2p7
        const auto later = declarations_.find(first);
        const FunctionDecl& last = later == declarations_.end() ? *first : *later->second.back();
        diags_
            .error(function.name_range, "static declaration of '", function.name,
                   "' follows non-static declaration")
            .note(last.name_range, first->definition == &last ? "previous definition is here"
                                                              : "previous declaration is here");
        return;
    }
    if (!compatible({.type = first->type.type}, {.type = function.type.type})) {
        diags_.error(function.name_range, "conflicting types for '", function.name, "'")
            .note(first->name_range, first->definition == first ? "previous definition is here"
                                                                : "previous declaration is here");
        return;
    }
    if (function.body && first->definition) {
        diags_.error(function.name_range, "redefinition of '", function.name, "'")
            .note(first->definition->name_range, "previous definition is here");
        return;
    }
    function.canonical = first;
    merge_call_attributes(*first, function);
    if (first->is_kernel || function.is_kernel) first->is_kernel = function.is_kernel = true;
    if (first->storage == StorageClass::Static) function.storage = StorageClass::Static;
    if (function.body) {
        first->definition = &function;
        for (FunctionDecl* decl : declarations_[first]) decl->definition = &function;
    }
    function.definition = first->definition;
    declarations_[first].push_back(&function);
}

void Checker::function_attributes(FunctionDecl& function) {
    function.is_kernel |= function.specifiers->is_kernel;
    function.is_inline |= function.specifiers->is_inline;
    std::vector<std::span<Attribute>> lists = {function.specifiers->attributes,
                                               function.declarator.attributes};
    for (const DeclaratorChunk& chunk : function.declarator.chunks) lists.push_back(chunk.attributes);
    nonnull_params(function);
    for (std::span<Attribute> list : lists) {
        if (has_attribute(list, "overloadable")) function.is_overloadable = true;
        call_attributes(function, list, list.data() != function.specifiers->attributes.data());
        kernel_attributes(function, list);
        attributes(list, kOnFunction);
        refuse_alignas(list, "only applies to variables and fields");
        aligned_attribute(list);  // for its faults
    }
}

void Checker::function_body(FunctionContext& context) {
    FunctionDecl& function = *context.decl;
    context.is_faulty = function.body->is_faulty;
    FunctionContext* outer = std::exchange(function_, &context);
    SwitchContext* outer_switch = std::exchange(switch_, nullptr);
    const ExprStmt* outer_value = std::exchange(stmt_expr_value_, nullptr);
    scopes_.push();
    context.outer_depth = scopes_.depth();
    if (!context.result->is_void())
        require_complete(context.result, function.name_range, "incomplete result type ");
    for (VarDecl* param : function.params) {
        if (EnumDecl* listed = param->specifiers->enumeration; listed && listed->has_body)  // C99 6.2.1p4
            for (EnumConstantDecl* constant : listed->constants) scopes_.declare(constant);
        if (!param->type->is_error() &&
            !require_complete(param->type, param->name.empty() ? param->range : param->name_range,
                              "variable has incomplete type "))
            param->type = error_type();  // one fault, one error
        if (param->name.empty()) {
            SourceRange after = {param->range.end, param->range.end};
            diags_.warning(Warning::C2xExtensions, after,
                           "omitting the parameter name in a function definition is a C2x extension");
            continue;
        }
        warn_shadow(*param);
        scopes_.declare(param);
    }
    compound(*function.body, false);
    warn_unused_parameters(function);
    leave_scope();
    resolve_gotos();
    warn_missing_return(function);
    function.statics = arena_.copy(context.statics);
    function_ = outer;
    switch_ = outer_switch;
    stmt_expr_value_ = outer_value;
}

/// Only a jump from within may lead into a statement expression, as in gcc: what the expression around it has
/// computed would be missing.
static bool leads_inside(const GotoStmt& jump, const LabelStmt& label) {
    const StmtExprExpr* around = jump.inside;
    while (around && around != label.inside) around = around->outer;
    return around != label.inside;
}

void Checker::declare_labels(CompoundStmt& stmt) {
    for (size_t i = 0; i < stmt.local_labels.size(); ++i) {
        LocalLabel& local = stmt.local_labels[i];
        std::vector<LocalLabel*>& outer = function_->local_labels[local.name];
        const LocalLabel* first = stmt.local_labels.data();
        if (!outer.empty() && std::less_equal<>()(first, outer.back()) && std::less<>()(outer.back(), &local))
            diags_.error(local.name_range, "redefinition of label '", local.name, "'")
                .note(outer.back()->name_range, "previous definition is here");
        outer.push_back(&local);
    }
}

/// At the end of the block.
void Checker::forget_labels(const CompoundStmt& stmt) {
    for (const LocalLabel& local : stmt.local_labels) {
        function_->local_labels[local.name].pop_back();
        if (local.label)
            note(local.name_range, *local.label);
        else
            diags_.error(local.name_range, "use of undeclared label '", local.name, "'");
    }
}

/// The innermost label of this name that `__label__` declares. Null if there is none.
LocalLabel* Checker::local_label(std::string_view name) const {
    const auto found = function_->local_labels.find(name);
    return found == function_->local_labels.end() || found->second.empty() ? nullptr : found->second.back();
}

void Checker::define_label(LabelStmt& label) {
    LocalLabel* local = local_label(label.name);
    LabelStmt*& defined = local ? local->label : function_->labels[label.name];
    label.inside = function_->inside;
    if (defined) {
        diags_.error(label.name_range, "redefinition of label '", label.name, "'")
            .note(defined->name_range, "previous definition is here");
        return;
    }
    defined = &label;
    label.local = local;
    note(label.name_range, label);
    function_->defined_labels.push_back(&label);
}

void Checker::resolve_gotos() {
    for (const auto& [jump, local] : function_->gotos) {
        const auto found = function_->labels.find(jump->name);
        LabelStmt* target = local ? local->label : found == function_->labels.end() ? nullptr : found->second;
        if (!target) {
            if (!local)  // else reported where it is declared
                diags_.error(jump->name_range ? jump->name_range : jump->range, "use of undeclared label '",
                             jump->name, "'");
            continue;
        }
        if (leads_inside(*jump, *target))
            diags_.error(jump->range, "jump into statement expression")
                .note(target->name_range, "label '", jump->name, "' defined here");
        jump->target = target;
        note(jump->name_range, *target);
        target->is_used = true;
    }
    warn_unused_labels(function_->defined_labels);
}

}  // namespace caldera::frontend
