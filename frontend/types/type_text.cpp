// SPDX-License-Identifier: Apache-2.0
// Types as text, in clang's spelling: the declarator is built outwards from the missing name, as C
// declarators are.
#include "frontend/types/type_text.h"

#include "frontend/ast/ast.h"
#include "frontend/diag.h"
#include "frontend/types/type.h"

namespace caldera::frontend {

namespace {

std::string print(const QualType& type, std::string declarator, bool is_pointee);

void add_word(std::string& text, std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
}

// A pointee in the private space shows its space, as in clang; an object in it does not.
std::string qualifiers(const QualType& type, bool is_pointee) {
    std::string text;
    if (type.is_const) add_word(text, "const");
    if (type.is_volatile) add_word(text, "volatile");
    if (type.is_restrict) add_word(text, "restrict");
    bool says_private = is_pointee && !type.type->is_function() && !type.type->is_error();
    if (type.space != AddressSpace::Private || says_private) add_word(text, spelling(type.space));
    if (type.access == Access::ReadOnly) add_word(text, "__read_only");
    if (type.access == Access::WriteOnly) add_word(text, "__write_only");
    if (type.access == Access::ReadWrite) add_word(text, "__read_write");
    return text;
}

std::string_view scalar_name(TypeKind kind) {
    switch (kind) {
        case TypeKind::Void: return "void";
        case TypeKind::Bool: return "bool";
        case TypeKind::Char: return "char";
        case TypeKind::UChar: return "uchar";
        case TypeKind::Short: return "short";
        case TypeKind::UShort: return "ushort";
        case TypeKind::Int: return "int";
        case TypeKind::UInt: return "uint";
        case TypeKind::Long: return "long";
        case TypeKind::ULong: return "ulong";
        case TypeKind::Float8E4M3: return "__fp8_e4m3";
        case TypeKind::Float8E5M2: return "__fp8_e5m2";
        case TypeKind::BFloat16: return "__bf16";
        case TypeKind::Half: return "half";
        case TypeKind::Float: return "float";
        case TypeKind::Double: return "double";
        case TypeKind::Sampler: return "sampler_t";
        case TypeKind::Event: return "event_t";
        case TypeKind::Queue: return "queue_t";
        case TypeKind::ClkEvent: return "clk_event_t";
        case TypeKind::ReserveId: return "reserve_id_t";
        case TypeKind::NDRange: return "ndrange_t";
        default: return "<error type>";
    }
}

std::string record_name(const RecordDecl& record) {
    std::string_view word = record.is_union ? "union" : "struct";
    if (!record.name.empty()) return std::string(word) + " " + std::string(record.name);
    return std::string(word) + " (unnamed " + std::string(word) + ")";
}

/// As it is written; 3 is the scope of a sub-group.
std::string matrix_name(const Type& type) {
    if (type.is_open_matrix()) return "cooperative matrix";
    return std::string(scalar_name(type.element->kind)) + " __attribute__((coop_mat(3, " +
           std::to_string(type.count) + ", " + std::to_string(type.columns) + ", " +
           std::to_string(static_cast<int>(type.use)) + ")))";
}

std::string base_name(const Type& type) {
    switch (type.kind) {
        case TypeKind::Matrix: return matrix_name(type);
        case TypeKind::Vector:
            if (type.element->is_encoded_float())  // its vectors have no names
                return std::string(scalar_name(type.element->kind)) + " __attribute__((ext_vector_type(" +
                       std::to_string(type.count) + ")))";
            return base_name(*type.element.type) + std::to_string(type.count);
        case TypeKind::Record: return record_name(*type.record);
        case TypeKind::Enum:
            return type.enum_decl->name.empty() ? "enum (unnamed enum)"
                                                : "enum " + std::string(type.enum_decl->name);
        case TypeKind::Image: return std::string(image_name(type.image));
        case TypeKind::Pipe: return "pipe " + print(type.element, "", false);
        case TypeKind::Atomic: return "_Atomic(" + print(type.element, "", false) + ")";
        default: return std::string(scalar_name(type.kind));
    }
}

std::string parameters(const Type& type) {
    std::string text = "(";
    for (const QualType& param : type.params) {
        if (text.size() > 1) text += ", ";
        text += print(param, "", false);
    }
    if (type.variadic) text += type.params.empty() ? "..." : ", ...";
    if (type.params.empty() && !type.variadic && !type.unprototyped) text += "void";
    return text + ")";
}

std::string print_pointer(const QualType& type, const std::string& declarator, bool is_pointee) {
    const Type& pointee = *type->element.type;
    std::string star = "*" + qualifiers(type, is_pointee);
    if (!declarator.empty() && declarator[0] != '[' && star.size() > 1) star += ' ';
    star += declarator;
    if (pointee.is_array() || pointee.is_function()) star = "(" + star + ")";
    return print(type->element, star, true);
}

std::string print_array(const QualType& type, const std::string& declarator, bool is_pointee) {
    std::string count = type->incomplete_array ? "" : std::to_string(type->count);
    QualType element = type->element;  // qualifiers of an array are those of its elements (C99 6.7.3p8)
    element.is_const |= type.is_const;
    element.is_volatile |= type.is_volatile;
    if (element.space == AddressSpace::Private) element.space = type.space;
    return print(element, declarator + "[" + count + "]", is_pointee);
}

std::string print(const QualType& type, std::string declarator, bool is_pointee) {
    switch (type->kind) {
        case TypeKind::Pointer: return print_pointer(type, declarator, is_pointee);
        case TypeKind::Array: return print_array(type, declarator, is_pointee);
        case TypeKind::Function:
            return print(type->element, declarator + (declarator.empty() ? " " : "") + parameters(*type.type),
                         false);
        case TypeKind::BlockPointer: {
            std::string caret = "^" + qualifiers(type, is_pointee);
            if (!declarator.empty() && declarator[0] != '[' && caret.size() > 1) caret += ' ';
            return print(type->element, "(" + caret + declarator + ")" + parameters(*type.type), false);
        }
        default: break;
    }
    std::string text = qualifiers(type, is_pointee);
    add_word(text, base_name(*type.type));
    if (!declarator.empty() && declarator[0] != '[' && declarator[0] != ' ') text += ' ';
    return text + declarator;
}

}  // namespace

std::string_view spelling(AddressSpace space) {
    switch (space) {
        case AddressSpace::Private: return "__private";
        case AddressSpace::Global: return "__global";
        case AddressSpace::Constant: return "__constant";
        case AddressSpace::Local: return "__local";
        case AddressSpace::Generic: return "__generic";
        case AddressSpace::GlobalDevice: return "__global_device";
        case AddressSpace::GlobalHost: return "__global_host";
    }
    return "";
}

std::string_view spelling(Access access) {
    switch (access) {
        case Access::None: return "";
        case Access::ReadOnly: return "read_only";
        case Access::WriteOnly: return "write_only";
        case Access::ReadWrite: return "read_write";
    }
    return "";
}

std::string_view image_name(ImageKind kind) {
    switch (kind) {
#define IMAGE(kind, spelling, ...) \
    case ImageKind::kind:          \
        return spelling;
#include "frontend/types/images.def"
#undef IMAGE
    }
    return "";
}

std::string declaration_text(const QualType& type, std::string_view name) {
    const std::string space = name.empty() ? "" : " ";
    if (!type) return "<no type>" + space + std::string(name);
    if (type->depth > kMaxTypeDepth) return "<deeply nested type>" + space + std::string(name);
    return print(type, std::string(name), false);
}
std::string to_string(const QualType& type) { return declaration_text(type, ""); }
std::string to_string(const Type* type) { return to_string(QualType{.type = type}); }

std::string to_text(const Type* type) { return to_string(type); }
std::string to_text(const QualType& type) { return to_string(type); }

}  // namespace caldera::frontend
