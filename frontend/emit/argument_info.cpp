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
/// OpNames.
void Emitter::argument_info(const FunctionDecl& decl) {
    std::string types = "kernel_arg_type." + std::string(decl.name) + ".";
    std::string type_qualifiers = "kernel_arg_type_qual." + std::string(decl.name) + ".";
    for (const VarDecl* param : decl.params) {
        types += type_name(*param) + ",";
        type_qualifiers += qualifiers(param->type) + ",";
    }
    b_.string(types);
    b_.string(type_qualifiers);
}

}  // namespace caldera::frontend
