// SPDX-License-Identifier: Apache-2.0
// Variables and typedefs (C99 6.7, OpenCL C 6.5, 6.8 and 6.9).
#include <algorithm>

#include "frontend/check/checker_impl.h"
#include "frontend/parse/parser.h"

namespace caldera::frontend {

void Checker::declaration(Decl* decl) {
    if (diags_.stopped()) return;
    switch (decl->kind) {
        case DeclKind::Var: return variable(as<VarDecl>(*decl));
        case DeclKind::Function: return function(as<FunctionDecl>(*decl));
        case DeclKind::Typedef: return typedef_decl(as<TypedefDecl>(*decl));
        case DeclKind::Empty: return empty_decl(as<EmptyDecl>(*decl));
        case DeclKind::StaticAssert: return static_assertion(as<StaticAssertDecl>(*decl));
        case DeclKind::Record: record_mention(&as<RecordDecl>(*decl), Where::Local, true); return;
        case DeclKind::Enum: enum_mention(&as<EnumDecl>(*decl), Where::Local); return;
        case DeclKind::Field:
        case DeclKind::EnumConstant: return;
    }
}

/// OpenCL C 6.8: no auto and no register; before 1.2 no static and no extern. Shared specifiers are reported
/// once.
bool Checker::refuse_storage(const Specifiers& spec) {
    std::string_view name;
    switch (spec.storage) {
        case StorageClass::None:
        case StorageClass::Typedef: return false;
        case StorageClass::Extern: name = "extern"; break;
        case StorageClass::Static: name = "static"; break;
        case StorageClass::Auto: name = "auto"; break;
        case StorageClass::Register: name = "register"; break;
    }
    bool of_12 = spec.storage == StorageClass::Extern || spec.storage == StorageClass::Static;
    if ((of_12 && at_least(Standard::CL12)) || usable(Ext::StorageClasses)) return false;
    if (&spec != last_refused_)
        diags_.error(spec.storage_range, "OpenCL C version ", version_name(options_.standard),
                     " does not support the '", name, "' storage class specifier");
    last_refused_ = &spec;
    return true;
}

void Checker::empty_decl(EmptyDecl& decl) {
    if (!decl.pragma.empty()) enabled_ = decl.enabled;
    Specifiers* spec = decl.specifiers;
    if (!spec) return;
    refuse_storage(*spec);
    attributes_of_no_type(*spec);
    if (spec->record) {
        record_mention(spec->record, Where::Local, true);
        return;
    }
    if (spec->enumeration) {
        enum_mention(spec->enumeration, Where::Local);
        return;
    }
}

void Checker::static_assertion(StaticAssertDecl& decl) {
    decl.condition = value(decl.condition);
    if (is_error(decl.condition)) return;
    auto holds = evaluate_strictly(*decl.condition);
    if (!holds)
        diags_.error(decl.condition->range,
                     "static assertion expression is not an integral constant expression");
    else if (!*holds)
        diags_
            .error({decl.range.begin, decl.range.begin}, "static assertion failed",
                   decl.message.empty() ? "" : ": ", decl.message)
            .highlight(decl.condition->range);
}

/// The names of built-in types are declared at file scope (OpenCL C 6.1.9); those of images are keywords.
bool Checker::hides_builtin_type(const Decl& decl) {
    const Type* builtin = types_.builtin_name(decl.name, features_);
    if (!builtin) return false;
    if (function_ && builtin->kind != TypeKind::Image) return false;
    if (decl.kind != DeclKind::Typedef)
        diags_.error(decl.name_range, "redefinition of '", decl.name, "' as different kind of symbol");
    else if (decl.type->is_error() || decl.type == QualType{.type = builtin})
        return false;
    else
        diags_.error(decl.name_range, "typedef redefinition with different types ('", decl.type, "' vs '",
                     builtin, "')");
    return true;
}

/// Built-in functions are declared at file scope (OpenCL C 6.13).
bool Checker::redeclares_builtin(const Decl& decl) {
    if (function_ || scopes_.find_here(decl.name) || !builtin::is_builtin(decl.name, features_)) return false;
    diags_.error(decl.name_range, "redefinition of '", decl.name,
                 "', a built-in function, as different kind of symbol");
    return true;
}

void Checker::typedef_decl(TypedefDecl& decl) {
    note(decl);
    TypeInProgress base = specifier_type(*decl.specifiers, Where::Typedef);
    TypeInProgress type = declarator_type(base, decl.declarator);
    decl.type = type.type;
    attributes(*decl.specifiers, decl.declarator, kOnTypedef);
    refuse_alignas(decl.specifiers->attributes, "only applies to variables and fields");
    ignored_packed(decl.specifiers->attributes);
    ignored_packed(decl.declarator.attributes);
    // A typedef may also reduce the alignment (OpenCL C 6.11.3).
    if (uint32_t align = std::max(aligned_attribute(decl.declarator.attributes),
                                  aligned_attribute(decl.specifiers->attributes)))
        decl.type = decl.type.with_alignment(align);
    if (type.has_space) typedefs_with_space_.insert(&decl);
    if (decl.declarator.chunks.empty() &&
        (is_address_sized(*decl.specifiers) || is_address_sized_name(decl.name)))
        address_sized_.insert(&decl);
    if (decl.name.empty() || hides_builtin_type(decl) || redeclares_builtin(decl)) return;
    if (is_reserved_type_name(decl.name) && types_.builtin_name(decl.name, features_) != decl.type.type)
        diags_.warning(Warning::ReservedTypeName, decl.name_range, "'", decl.name,
                       "' is reserved as a type name in OpenCL C");
    if (Decl* earlier = scopes_.find_here(decl.name)) {
        auto* same = dyn<TypedefDecl>(earlier);
        if (!same) {
            diags_.error(decl.name_range, "redefinition of '", decl.name, "' as different kind of symbol")
                .note(earlier->name_range, "previous definition is here");
            return;
        }
        if (!same->type->is_error() && !decl.type->is_error() && !(same->type == decl.type)) {
            diags_
                .error(decl.name_range, "typedef redefinition with different types ('", decl.type, "' vs '",
                       same->type, "')")
                .note(earlier->name_range, "previous definition is here");
            return;
        }
        diags_
            .warning(Warning::TypedefRedefinition, decl.name_range, "redefinition of typedef '", decl.name,
                     "' is a C11 feature")
            .note(earlier->name_range, "previous definition is here");
    }
    scopes_.declare(&decl);
}

void Checker::variable(VarDecl& var) {
    note(var);
    var.is_file_scope = function_ == nullptr;
    refuse_storage(*var.specifiers);
    if (var.specifiers->is_auto_type) deduce_type(var);
    TypeInProgress base = specifier_type(*var.specifiers, function_ ? Where::Local : Where::File);
    TypeInProgress type = declarator_type(base, var.declarator);
    var.type = type.type;
    var.definition = &var;
    var.align_bytes =
        std::max(aligned_attribute(var.declarator.attributes), aligned_attribute(var.specifiers->attributes));
    attributes(*var.specifiers, var.declarator, kOnVariable);
    ignored_packed(var.specifiers->attributes);
    ignored_packed(var.declarator.attributes);
    for (const Attribute& attribute : var.specifiers->attributes)
        if (attribute.name == "blocks")  // what __block stands for (OpenCL C 6.12.5)
            diags_.error(var.name_range, "the __block storage type is not permitted");
    if (!var.type->is_error() && !variable_type(var)) var.type = error_type();
    if (!var.type->is_error()) variable_space(var, type.has_space);
    if (!tentative_.empty() && tentative_.back() == &var &&
        var.storage == StorageClass::Static)  // C99 6.9.2p3
        note_incomplete(diags_.warning(Warning::TentativeIncomplete, var.name_range,
                                       "tentative definition of variable with internal linkage has "
                                       "incomplete non-array type '",
                                       var.type, "'"),
                        var.type.type);
    require_alignment(var.type, var.align_bytes, {var.declarator.attributes, var.specifiers->attributes});
    merge_variable(var);
    if (var.is_file_scope && var.init && var.specifiers->storage == StorageClass::Extern)
        diags_.warning(Warning::ExternInitializer, var.name_range, "'extern' variable has an initializer");
    variable_init(var);
    keep_value(var);
}

/// The values of fixed objects are kept, so that others made of them are evaluated at once: chains of
/// constants may be long. Large objects are read element by element.
void Checker::keep_value(VarDecl& var) {
    constexpr uint64_t kLargest = 1024;
    const QualType& type = var.type;
    const bool is_fixed = type.is_const || type.space == AddressSpace::Constant;
    if (!is_fixed || type.is_volatile || var.is_param || !var.init || is_error(var.init)) return;
    if (type->is_error() || type->size_bytes > kLargest || type->kind == TypeKind::Sampler) return;
    if (std::optional<ConstantValue> value = evaluate(*var.init, arena_))
        var.value = arena_.make<ConstantValue>(*value);
    var.is_integer_constant = var.value && type->is_integer() && evaluate_strictly(*var.init);
}

/// An event_t in a function is private; clk_event_t and reserve_id_t may be local too (OpenCL C 6.9, 16 and
/// 17).
bool Checker::event_variable(const VarDecl& var, const Type& type) {
    const AddressSpace space = var.type.space;
    const bool may_be_local = type.kind != TypeKind::Event;
    const bool fits = space == AddressSpace::Private || (space == AddressSpace::Local && may_be_local);
    if (fits && var.storage != StorageClass::Static) return true;
    diags_.error(var.specifiers->range, "the ", QualType{.type = var.type.type},
                 " type can only be used with __private ", may_be_local ? "or __local " : "",
                 "address space qualifier");
    return false;
}

/// Checks whether a variable of this type may be declared.
bool Checker::variable_type(VarDecl& var) {
    const QualType& type = var.type;
    SourceRange at = var.name_range;
    if (type->is_function()) {
        diags_.error(at, "declaring a function through a typedef of a function type is not supported");
        return false;
    }
    const Type* element = type.type;
    while (element->is_array()) element = element->element.type;
    if (is_storage_only(element)) {
        diags_.error(at, "declaring variable of type '", type, "' is not allowed");
        return false;
    }
    switch (element->kind) {
        case TypeKind::Image:
        case TypeKind::Pipe:
            diags_.error(at, "type '", type, "' can only be used as a function parameter in OpenCL");
            return false;
        case TypeKind::Event:
        case TypeKind::ReserveId:
        case TypeKind::ClkEvent:
            if (!function_) {
                QualType shown = type.space == AddressSpace::Private && at_least(Standard::CL20)
                                     ? type.with_space(AddressSpace::Global)
                                     : type;
                diags_.error(at, "the '", shown, "' type cannot be used to declare a program scope variable");
                return false;
            }
            return event_variable(var, *element);
        case TypeKind::Sampler: return sampler_variable(var);
        case TypeKind::Matrix: return matrix_variable(var, *element);
        default: break;
    }
    if (type->incomplete_array) return true;  // its initialiser or another declaration may complete it
    if (var.storage == StorageClass::Extern && !var.init && !type->is_void())
        return true;  // C99 6.7p7: only what has no linkage needs a complete type where it is declared
    if (!function_ && !var.init && (type->is_record() || type->kind == TypeKind::Enum) &&
        !type->is_complete()) {
        tentative_.push_back(&var);
        return true;
    }
    return require_complete(type, at, "variable has incomplete type ");
}

void Checker::variable_space(VarDecl& var, bool has_space) {
    var.has_global_lifetime =
        var.is_file_scope || var.storage == StorageClass::Static || var.storage == StorageClass::Extern;
    if (var.type->kind == TypeKind::Sampler) {  // a constant wherever it stands
        if (!var.is_file_scope && (has_space || var.storage == StorageClass::Static))
            local_variable_space(var, has_space);
        var.type.is_const = true;
        if (var.is_file_scope) var.type.space = AddressSpace::Constant;
        return;
    }
    if (var.is_file_scope)
        file_variable_space(var, has_space);
    else
        local_variable_space(var, has_space);
    if (!var.is_file_scope && var.type.space != AddressSpace::Private) var.has_global_lifetime = true;
}

/// OpenCL C 6.5 and 6.5.1.
void Checker::file_variable_space(VarDecl& var, bool has_space) {
    bool has_globals = features_.has(Ext::ProgramScopeVariables);
    if (has_globals && !has_space) {
        var.type = in_space(var.type, AddressSpace::Global);
        return;
    }
    AddressSpace space = var.type.space;
    if (space == AddressSpace::Constant || (space == AddressSpace::Global && has_globals)) return;
    std::string_view what = var.storage == StorageClass::Extern ? "extern" : "program scope";
    diags_.error(var.name_range, what, " variable must reside in ",
                 has_globals ? "global or constant" : "constant", " address space");
    var.type = error_type();
}

/// The function around the blocks.
const FunctionDecl& Checker::enclosing_function() const {
    const FunctionContext* context = function_;
    while (context->outer) context = context->outer;
    return *context->decl;
}

/// OpenCL C 6.5.2, 6.5.3 and 6.8.
void Checker::local_variable_space(VarDecl& var, bool has_space) {
    SourceRange at = var.name_range;
    AddressSpace space = var.type.space;
    auto refuse = [&](auto... parts) {
        diags_.error(at, parts...);
        var.type = error_type();
    };
    if (var.storage == StorageClass::Static && !at_least(Standard::CL20)) {
        if (var.specifiers != last_refused_)
            diags_.error(at, "variables in function scope cannot be declared static");
        var.type = error_type();
        return;
    }
    if (var.storage == StorageClass::Static || var.storage == StorageClass::Extern) {
        std::string_view what = var.storage == StorageClass::Extern ? "extern" : "static local";
        bool has_globals = features_.has(Ext::ProgramScopeVariables);
        if (!has_space && has_globals)
            var.type = in_space(var.type, AddressSpace::Global);
        else if (space != AddressSpace::Constant && !(space == AddressSpace::Global && has_globals))
            refuse(what, " variable must reside in ", has_globals ? "global or constant" : "constant",
                   " address space");
        return;
    }
    if (space == AddressSpace::Private) return;
    if (is_global(space) && space != AddressSpace::Global)
        return refuse("automatic variable qualified with an invalid address space");
    if (space == AddressSpace::Global || space == AddressSpace::Generic)
        return refuse("function scope variable cannot be declared in ",
                      space == AddressSpace::Global ? "global" : "generic", " address space");
    std::string_view name = space == AddressSpace::Local ? "local" : "constant";
    if (!enclosing_function().is_kernel)
        return refuse("non-kernel function variable cannot be declared in ", name, " address space");
    if (scopes_.depth() != function_->outer_depth)
        return refuse("variables in the ", name,
                      " address space can only be declared in the outermost scope of a kernel function");
}

/// Reports a declaration whose linkage is not that of the earlier ones (C99 6.2.2p3 to p7).
bool Checker::conflicts_in_linkage(const VarDecl& var) {
    if (!var.is_file_scope && var.storage != StorageClass::Extern) return false;
    const auto found = objects_.find(var.name);
    if (found == objects_.end()) return false;
    const bool is_static = var.storage == StorageClass::Static;
    const bool was_static = found->second.front()->storage == StorageClass::Static;
    if (is_static == was_static || var.storage == StorageClass::Extern) return false;
    const VarDecl& last = *found->second.back();
    const bool defines = last.storage != StorageClass::Extern || last.init;
    diags_
        .error(var.name_range, is_static ? "static" : "non-static", " declaration of '", var.name,
               "' follows ", is_static ? "non-static" : "static", " declaration")
        .note(last.name_range, defines ? "previous definition is here" : "previous declaration is here");
    return true;
}

/// Declares the variable in its scope, or joins it with earlier declarations (C99 6.2.7, 6.9.2).
void Checker::merge_variable(VarDecl& var) {
    if (var.name.empty() || hides_builtin_type(var) || redeclares_builtin(var)) return;
    Decl* earlier = scopes_.find_here(var.name);
    if (!earlier && !var.is_file_scope && var.storage == StorageClass::Extern)
        earlier = scopes_.find(var.name);
    auto* same = dyn<VarDecl>(earlier);
    bool linked =
        same && ((same->is_file_scope && (var.is_file_scope || var.storage == StorageClass::Extern)) ||
                 (same->storage == StorageClass::Extern && var.storage == StorageClass::Extern));
    if (earlier && scopes_.find_here(var.name) && !linked) {
        if (!same)
            diags_.error(var.name_range, "redefinition of '", var.name, "' as different kind of symbol")
                .note(earlier->name_range, "previous definition is here");
        else if (!var.type->is_error() && !same->type->is_error() &&
                 var.type->without_alignments() != same->type->without_alignments())
            diags_
                .error(var.name_range, "redefinition of '", var.name, "' with a different type: '", var.type,
                       "' vs '", same->type, "'")
                .note(earlier->name_range, "previous definition is here");
        else
            diags_.error(var.name_range, "redefinition of '", var.name, "'")
                .note(earlier->name_range, "previous definition is here");
        return;
    }
    const bool differs =
        linked && !var.type->is_error() && !same->type->is_error() && !compatible(var.type, same->type);
    if (!differs && conflicts_in_linkage(var)) return;
    if (linked) {
        if (differs) {
            diags_
                .error(var.name_range, "redefinition of '", var.name, "' with a different type: '", var.type,
                       "' vs '", same->type, "'")
                .note(same->name_range, "previous definition is here");
        } else if (var.init && same->definition && same->definition->init) {
            diags_.error(var.name_range, "redefinition of '", var.name, "'")
                .note(same->definition->name_range, "previous definition is here");
        } else if (var.type->incomplete_array && !var.init) {
            var.type = same->type;
        }
        if (same->is_used) var.is_used = true;
    }
    warn_shadow(var);
    if (var.is_file_scope && var.storage == StorageClass::None && !earlier && !var.type->is_error())
        diags_
            .warning(Warning::MissingVariableDeclarations, var.name_range,
                     "no previous extern declaration for non-static variable '", var.name, "'")
            .note(var.specifiers->range,
                  "declare 'static' if the variable is not intended to be used outside of this translation "
                  "unit");
    if (var.is_file_scope || var.storage == StorageClass::Extern) objects_[var.name].push_back(&var);
    scopes_.declare(&var);
    if (function_ && var.has_global_lifetime && var.storage != StorageClass::Extern)
        function_->statics.push_back(&var);
}

void Checker::variable_init(VarDecl& var) {
    if (var.type->kind == TypeKind::BlockPointer) return block_variable(var);
    AddressSpace space = var.type.space;
    bool constant_only = var.has_global_lifetime;
    if (var.init && space == AddressSpace::Local && !var.type->is_error()) {
        diags_.error(var.name_range, "'__local' variable cannot have an initializer");
        var.init = nullptr;
        return;
    }
    if (var.init && var.specifiers->is_auto_type) {  // its type comes from the initialiser, which is checked
        if (is_error(var.init) || (constant_only && !require_constant(*var.init))) var.init = nullptr;
        return;
    }
    if (var.init) {
        if (!var.is_file_scope && var.storage == StorageClass::Extern) {
            diags_.error(var.name_range,
                         "declaration of block scope identifier with linkage cannot have an "
                         "initializer");
            var.init = nullptr;
            return;
        }
        Expr* unchecked = var.init;
        QualType type = var.type;
        if (type->kind == TypeKind::Atomic) type = type->element;
        bool atomic = var.type->kind == TypeKind::Atomic;
        bool fixed_sampler = type->kind == TypeKind::Sampler && constant_only;
        if (atomic && var.type.space != AddressSpace::Global) {  // OpenCL C 6.13.11.1
            diags_.error(unchecked->range,
                         "only an atomic variable in global memory can have an initializer; use atomic_init");
            var.init = nullptr;
            return;
        }
        var.init = initialize(unchecked, type, var.name_range, constant_only);
        if (!atomic && !var.type->is_error()) var.type.type = type.type;
        if (fixed_sampler && !is_error(var.init) && as<CastExpr>(*var.init).cast != CastKind::IntToSampler) {
            diags_.error(expr_place(*var.init), "initializer element is not a compile-time constant");
            var.init = error_expr(*var.init);
        }
        if (is_error(var.init)) {
            var.init = nullptr;
            if (var.type->incomplete_array) var.type = error_type();
        }
        return;
    }
    if (var.type->is_error()) return;
    if (space == AddressSpace::Constant && var.storage != StorageClass::Extern) {
        diags_.error(var.name_range, "variable in constant address space must be initialized");
        if (var.type->incomplete_array) var.type = error_type();
    } else if (var.type->kind == TypeKind::Sampler && function_ && var.storage != StorageClass::Extern) {
        // Each sampler is a constant, so what was never set is the one without any bits.
        diags_.warning(Warning::Uninitialized, var.name_range, "variable '", var.name,
                       "' of type 'sampler_t' is not initialized");
        var.init = cast(int_constant(0, types_.scalar(TypeKind::UInt), var.name_range),
                        CastKind::IntToSampler, {.type = var.type.type});
    } else if (var.type->kind == TypeKind::Sampler && var.storage != StorageClass::Extern) {
        diags_.error(var.name_range, "variable of type 'sampler_t' must be initialized");
    } else if (var.type->incomplete_array && var.storage != StorageClass::Extern && !var.is_file_scope) {
        diags_.error(var.name_range,
                     "definition of variable with array type needs an explicit size or an "
                     "initializer");
        var.type = error_type();
    }
}

/// C99 6.9.2p2: the type of a tentative definition is complete at the end of the unit.
void Checker::complete_tentative() {
    for (VarDecl* var : tentative_) {
        if (var->type->is_error() || var->type->is_complete()) continue;
        note_incomplete(diags_.error(var->name_range, "tentative definition has type '", var->type,
                                     "' that is never completed"),
                        var->type.type);
        var->type = error_type();
    }
}

/// Every declaration of a program-scope object leads to the one that defines it. An array whose size no
/// declaration gives has one element (C99 6.9.2p2 and p5).
void Checker::link_objects() {
    for (auto& [name, decls] : objects_) {
        VarDecl* definition = nullptr;
        for (VarDecl* decl : decls)
            if (decl->storage != StorageClass::Extern && (!definition || definition->type->incomplete_array))
                definition = decl;
        for (VarDecl* decl : decls)
            if (decl->init) definition = decl;
        if (!definition) definition = decls[0];
        if (definition->type->incomplete_array && definition->storage != StorageClass::Extern) {
            diags_.warning(Warning::TentativeArray, definition->name_range,
                           "tentative array definition assumed to have one element");
            definition->type.type = types_.array(definition->type->element, 1);
        }
        for (VarDecl* decl : decls) {
            decl->definition = definition;
            definition->is_used |= decl->is_used;
        }
    }
}

}  // namespace caldera::frontend
