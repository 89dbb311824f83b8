// SPDX-License-Identifier: Apache-2.0
// What clGetKernelArgInfo answers (OpenCL API 5.9.2), as clang spells it.
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

namespace {

/// The type before a declarator, with the name that the source uses for it.
std::string base_name(const Specifiers& spec, const QualType& type) {
    if (!spec.typedef_name.empty()) return std::string(spec.typedef_name);
    if (!spec.builtin_name.empty()) return std::string(spec.builtin_name);
    return to_string(type.type);
}

/// "float*", "uint4*", "real", "struct point": without qualifiers, but a pointer to a pointer loses only the
/// outermost ones.
std::string type_name(const VarDecl& param) {
    const QualType& type = param.type;
    const size_t levels = param.declarator.chunks.size();
    if (type->kind == TypeKind::Pipe) return base_name(*param.specifiers, type->element);
    if (!type->is_pointer()) return base_name(*param.specifiers, type);
    const QualType& pointee = type->element;
    if (levels == 1) return base_name(*param.specifiers, pointee) + "*";
    return to_string(pointee.unqualified()) + "*";
}

/// The same without typedefs, but for those of records without a name.
std::string base_type_name(const VarDecl& param) {
    const Type* type = param.type.type;
    const Type* whole = type->is_pointer() || type->kind == TypeKind::Pipe ? type->element.type : type;
    if (whole->is_record() && whole->record->name.empty()) return type_name(param);
    if (type->kind == TypeKind::Pipe) return to_string(type->element.type);
    return type->is_pointer() ? to_string(type->element.unqualified()) + "*" : to_string(type);
}

std::string qualifiers(const QualType& type) {
    if (type->kind == TypeKind::Pipe) return "pipe";
    if (!type->is_pointer()) return "";
    std::string out;
    auto add = [&](bool present, std::string_view word) {
        if (!present) return;
        if (!out.empty()) out += ' ';
        out += word;
    };
    add(type.is_restrict, "restrict");
    add(type->element.is_const || type->element.space == AddressSpace::Constant, "const");
    add(type->element.is_volatile, "volatile");
    return out;
}

}  // namespace

/// Has the form of llvm-spirv: "kernel_arg_type.NAME.float*,int,". The names of the arguments are their
/// OpNames. llvm-spirv leaves out clang's kernel_arg_base_type, which is here if there are typedefs.
void Emitter::argument_info(const FunctionDecl& decl) {
    std::string types = "kernel_arg_type." + std::string(decl.name) + ".";
    std::string type_qualifiers = "kernel_arg_type_qual." + std::string(decl.name) + ".";
    std::string base_types = "kernel_arg_base_type." + std::string(decl.name) + ".";
    bool has_typedefs = false;
    for (const VarDecl* param : decl.params) {
        const std::string type = type_name(*param), base = base_type_name(*param);
        types += type + ",";
        base_types += base + ",";
        has_typedefs |= type != base;
        type_qualifiers += qualifiers(param->type) + ",";
    }
    b_.string(types);
    if (has_typedefs) b_.string(base_types);
    b_.string(type_qualifiers);
}

}  // namespace caldera::frontend
