// SPDX-License-Identifier: Apache-2.0
// Kernels: their attributes (OpenCL C 6.7.2) and what their parameters may be (6.9).
#include "frontend/ast/members.h"
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

void Checker::kernel_attributes(FunctionDecl& function, std::span<Attribute> attributes) {
    KernelAttributes& kernel = function.kernel;
    for (Attribute& attribute : attributes) {
        bool required = attribute.name == "reqd_work_group_size",
             hint = attribute.name == "work_group_size_hint";
        bool sub_group = attribute.name == "intel_reqd_sub_group_size";
        if (!required && !hint && !sub_group && attribute.name != "vec_type_hint") continue;
        if (!function.is_kernel) {
            diags_.error(function.name_range, "attribute '", attribute.name,
                         "' can only be applied to an OpenCL kernel function");
            continue;
        }
        if (required || hint) {
            uint32_t size[3] = {};
            if (!attribute_sizes(attribute, 3, size)) continue;
            bool& has = required ? kernel.has_required_size : kernel.has_size_hint;
            uint32_t(&kept)[3] = required ? kernel.required_size : kernel.size_hint;
            if (has && !std::equal(size, size + 3, kept)) {
                diags_.warning(Warning::IgnoredAttributes, attribute.range, "attribute '", attribute.name,
                               "' is already applied with different arguments");
                continue;
            }
            has = true;
            std::copy(size, size + 3, kept);
        } else if (sub_group) {
            uint32_t size[3] = {};
            if (!attribute_sizes(attribute, 1, size)) continue;
            if (kernel.required_sub_group_size != 0 && kernel.required_sub_group_size != size[0])
                diags_.warning(Warning::IgnoredAttributes, attribute.range, "attribute '", attribute.name,
                               "' is already applied with different arguments");
            else
                kernel.required_sub_group_size = size[0];
        } else {
            vec_type_hint(attribute, kernel);
        }
    }
}

void Checker::vec_type_hint(const Attribute& attribute, KernelAttributes& kernel) {
    if (!attribute.type_arg) {
        if (attribute.args.empty())
            diags_.error(attribute.range, "'vec_type_hint' attribute takes one argument");
        else
            diags_.error(attribute.args[0]->range, "expected a type");
        return;
    }
    QualType type = type_name(attribute.type_arg);
    if (type->is_error()) return;
    if (!type->is_arithmetic_or_vector() || type->kind == TypeKind::Enum ||
        type->scalar()->kind == TypeKind::Bool) {
        diags_.error(attribute.range,
                     "a non-vector or non-vectorizable scalar type is an invalid argument to "
                     "attribute 'vec_type_hint'");
        return;
    }
    if (kernel.vec_type_hint && kernel.vec_type_hint != type.type)
        diags_.warning(Warning::IgnoredAttributes, attribute.range,
                       "attribute 'vec_type_hint' is already applied with different arguments");
    else
        kernel.vec_type_hint = type.type;
}

/// `count` positive integer constants.
bool Checker::attribute_sizes(const Attribute& attribute, size_t count, uint32_t (&size)[3]) {
    if (attribute.args.size() != count) {
        diags_.error(attribute.range, "'", attribute.name, "' attribute requires exactly ", count,
                     count == 1 ? " argument" : " arguments");
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        Expr*& arg = attribute.args[i];
        arg = value(arg);
        if (is_error(arg)) return false;
        auto bits = evaluate_strictly(*arg) ? evaluate_as_long(*arg) : std::nullopt;
        if (!bits) {
            diags_
                .error(attribute.range, "'", attribute.name, "' attribute requires parameter ", i,
                       " to be an integer constant")
                .highlight(arg->range);
            return false;
        }
        if (arg->type->is_signed() && static_cast<int64_t>(*bits) < 0) {
            diags_
                .error(attribute.range, "'", attribute.name,
                       "' attribute requires a non-negative integral compile time constant expression")
                .highlight(arg->range);
            return false;
        }
        if (*bits > UINT32_MAX) {
            diags_.error(arg->range, "integer constant expression evaluates to value ", *bits,
                         " that cannot be represented in a 32-bit unsigned integer type");
            return false;
        }
        size[i] = static_cast<uint32_t>(*bits);
    }
    for (size_t i = 0; i < count; ++i) {
        if (size[i] != 0) continue;
        diags_.error(attribute.range, "'", attribute.name, "' attribute must be greater than 0");
        return false;
    }
    return true;
}

void Checker::kernel_function(FunctionDecl& function) {
    if (!function.type->element->is_void() && !function.type->element->is_error()) {
        diags_.error(function.name_range, "kernel must have void return type")
            .highlight(function.specifiers->base_range);
    }
    for (VarDecl* param : function.params) kernel_param(*param);
}

bool is_address_sized_name(std::string_view name) {
    return name == "size_t" || name == "ptrdiff_t" || name == "intptr_t" || name == "uintptr_t";
}

namespace {

/// Why a type cannot be, or be inside, a kernel parameter (OpenCL C 6.9k); the field it is in, when it is in
/// one. `sized` tells whether specifiers name size_t or its kin.
template <class Sized>
const Type* unfit(const Type* type, bool fp16, const Sized& sized, const FieldDecl*& field, RecordSet& seen) {
    switch (type->kind) {
        case TypeKind::Bool:
        case TypeKind::Event:
        case TypeKind::ClkEvent:
        case TypeKind::ReserveId:
        case TypeKind::NDRange:
        case TypeKind::Matrix:
        case TypeKind::BlockPointer: return type;
        case TypeKind::Half: return fp16 ? nullptr : type;
        case TypeKind::Array: return unfit(type->element.type, fp16, sized, field, seen);
        case TypeKind::Record:
            if (!type->record || !seen.insert(type->record).second) return nullptr;
            for (const FieldDecl* member : type->record->fields) {
                bool plain = member->declarator.chunks.empty() ||
                             member->declarator.chunks.back().kind == ChunkKind::Array;
                if (plain && sized(*member->specifiers)) {
                    field = member;
                    return member->type.type;
                }
                const Type* found = unfit(member->type.type, fp16, sized, field, seen);
                if (found && !field) field = member;
                if (found) return found;
            }
            return nullptr;
        default: return nullptr;
    }
}

/// "const big" of a typedef: the type of a parameter, with the name that declares a struct or a number.
std::string name_as_declared(const VarDecl& param) {
    const Specifiers& spec = *param.specifiers;
    const std::string_view alias = spec.builtin_name.empty() ? spec.typedef_name : spec.builtin_name;
    std::string name = to_string(param.type);
    const bool is_named = !alias.empty() && param.declarator.chunks.empty() &&
                          (param.type->is_record() || param.type->is_arithmetic_or_vector());
    if (!is_named) return name;
    const std::string own_name = to_string(param.type.type);
    if (name.ends_with(own_name)) name.replace(name.size() - own_name.size(), own_name.size(), alias);
    return name;
}

}  // namespace

/// The size of size_t and similar types differs between devices. Their names distinguish them from long and
/// ulong.
bool Checker::is_address_sized(const Specifiers& spec) const {
    if (is_address_sized_name(spec.builtin_name)) return true;
    auto* alias = spec.typedef_name.empty() ? nullptr : dyn<TypedefDecl>(scopes_.find(spec.typedef_name));
    return alias && address_sized_.count(alias);
}

/// From 2.0 on, hosts know addresses (shared virtual memory), and clSetKernelExecInfo() names what such
/// pointers point to.
bool Checker::may_be_passed_in_a_structure(const Type& pointer) const {
    const AddressSpace space = pointer.element.space;
    return at_least(Standard::CL20) && space != AddressSpace::Private && space != AddressSpace::Generic;
}

void Checker::kernel_param(VarDecl& param) {
    const QualType& type = param.type;
    SourceRange at = param.name.empty() ? param.range : param.name_range;
    if (type->is_error()) return;
    if (type->is_pointer()) {
        AddressSpace space = type->element.space;
        const QualType* inner = &type->element;
        while (inner->type->is_pointer() && at_least(Standard::CL20)) {
            inner = &inner->type->element;
            if (inner->space == AddressSpace::Generic || inner->space == AddressSpace::Private)
                space = inner->space;
        }
        if (space == AddressSpace::Private || space == AddressSpace::Generic)
            diags_.error(at,
                         "pointer arguments to kernel functions must reside in '__global', '__constant' or "
                         "'__local' address space");
        else if (type->element->is_pointer() && !at_least(Standard::CL20))
            diags_.error(at, "kernel parameter cannot be declared as a pointer to a pointer");
        return;
    }
    const FieldDecl* field = nullptr;
    RecordSet seen;
    auto is_sized = [&](const Specifiers& spec) { return is_address_sized(spec); };
    const Type* wrong = unfit(type.type, usable(Ext::Fp16), is_sized, field, seen);
    bool sized = param.declarator.chunks.empty() && type->kind != TypeKind::Pipe &&
                 is_address_sized(*param.specifiers);
    if (wrong || sized) {
        auto handle = diags_.error(at, "'", name_as_declared(param),
                                   "' cannot be used as the type of a kernel parameter");
        if (field) handle.note(field->name_range, "field of illegal type '", field->type, "' declared here");
        return;
    }
    seen.clear();
    const FieldDecl* pointer = find_member(type.type, seen, [&](const FieldDecl& member) {
        const Type* element = member.type.type;
        while (element->is_array()) element = element->element.type;
        return element->is_pointer() && !may_be_passed_in_a_structure(*element);
    });
    if (pointer && at_least(Standard::CL20))
        diags_
            .error(at,
                   "pointers in structures that are kernel parameters must reside in '__global', "
                   "'__constant' or '__local' address space")
            .note(pointer->name_range, "field of illegal pointer type '", pointer->type, "' declared here");
    else if (pointer)
        diags_.error(at, "struct kernel parameters may not contain pointers")
            .note(pointer->name_range, "field of illegal pointer type '", pointer->type, "' declared here");
}

}  // namespace caldera::frontend
