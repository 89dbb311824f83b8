// SPDX-License-Identifier: Apache-2.0
// GNU attributes that make another type of the one they stand on: ext_vector_type, vector_size and mode,
// which headers shared with C hosts use, and clang's other names of the address spaces.
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

bool is_lane_count(uint64_t count) {
    return count == 2 || count == 3 || count == 4 || count == 8 || count == 16;
}

/// gcc's machine modes, with the type that an integer or a floating type becomes.
struct MachineMode {
    std::string_view name;
    TypeKind integer, floating;  ///< Void: none
};
constexpr MachineMode kModes[] = {
    {"QI", TypeKind::Char, TypeKind::Void},      {"byte", TypeKind::Char, TypeKind::Void},
    {"HI", TypeKind::Short, TypeKind::Void},     {"SI", TypeKind::Int, TypeKind::Void},
    {"DI", TypeKind::Long, TypeKind::Void},      {"word", TypeKind::Long, TypeKind::Void},
    {"pointer", TypeKind::Long, TypeKind::Void}, {"HF", TypeKind::Void, TypeKind::Half},
    {"SF", TypeKind::Void, TypeKind::Float},     {"DF", TypeKind::Void, TypeKind::Double},
};

struct NamedSpace {
    std::string_view name;
    AddressSpace space;
};
constexpr NamedSpace kSpaces[] = {
    {"opencl_private", AddressSpace::Private},
    {"opencl_local", AddressSpace::Local},
    {"opencl_constant", AddressSpace::Constant},
    {"opencl_generic", AddressSpace::Generic},
    {"opencl_global", AddressSpace::Global},
    {"opencl_global_host", AddressSpace::GlobalHost},
    {"opencl_global_device", AddressSpace::GlobalDevice},
};

TypeKind unsigned_kind(TypeKind kind) {
    switch (kind) {
        case TypeKind::Char: return TypeKind::UChar;
        case TypeKind::Short: return TypeKind::UShort;
        case TypeKind::Int: return TypeKind::UInt;
        default: return TypeKind::ULong;
    }
}

}  // namespace

TypeInProgress Checker::type_attributes(TypeInProgress base, std::span<Attribute> attributes) {
    for (Attribute& attribute : attributes) {
        if (base.type->is_error()) break;
        if (attribute.name == "ext_vector_type" && attribute.args.size() == 1)
            base.type.type = vector_of_lanes(base.type.type, attribute);
        else if (attribute.name == "vector_size")
            base.type.type = vector_of_bytes(base.type.type, attribute);
        else if (attribute.name == "coop_mat")
            base.type.type = matrix_of(base.type.type, attribute);
        else if (attribute.name == "mode")
            base.type.type = of_mode(base.type.type, attribute);
        else if (attribute.name == "address_space")
            diags_.error(attribute.range, "target-specific address spaces are not supported");
        else if (const auto* named = std::ranges::find(kSpaces, attribute.name, &NamedSpace::name);
                 named != std::end(kSpaces))
            base = in_named_space(base, named->space, attribute.range);
    }
    return base;
}

TypeInProgress Checker::in_named_space(TypeInProgress base, AddressSpace space, SourceRange at) {
    if (base.has_space && base.type.space != space)
        diags_.error(at, "multiple address spaces specified for type");
    else if (base.has_space)
        diags_.warning(Warning::DuplicateDeclSpecifier, at,
                       "multiple identical address spaces specified for type");
    base.type = in_space(base.type, space);
    base.has_space = true;
    return base;
}

const Type* Checker::vector_of_lanes(const Type* element, Attribute& attribute) {
    attribute.args[0] = value(attribute.args[0]);
    const auto lanes = evaluate_strictly(*attribute.args[0]);
    if (lanes && element->is_arithmetic() && element->kind != TypeKind::Bool && is_lane_count(*lanes))
        return types_.vector(element, static_cast<uint32_t>(*lanes));
    diags_.error(attribute.range,
                 "invalid vector type; expected 2, 3, 4, 8 or 16 elements of a built-in arithmetic type");
    return element;
}

const Type* Checker::vector_of_bytes(const Type* element, Attribute& attribute) {
    if (attribute.args.size() != 1) {
        if (attribute.args.empty())  // more are reported
            diags_.error(attribute.range, "'vector_size' attribute takes one argument");
        return element;
    }
    Expr*& size = attribute.args[0];
    size = value(size);
    if (is_error(size)) return element;
    const auto bytes = evaluate_strictly(*size);
    if (!bytes)
        diags_.error(size->range, "'vector_size' attribute requires an integer constant");
    else if (!element->is_arithmetic() || element->kind == TypeKind::Bool)
        diags_.error(attribute.range, "invalid vector element type '", element, "'");
    else if (*bytes == 0)
        diags_.error(size->range, "zero vector size");
    else if (*bytes % element->size_bytes)
        diags_.error(size->range, "vector size not an integral multiple of component size");
    else if (!is_lane_count(*bytes / element->size_bytes))
        diags_.error(size->range, "a vector of ", *bytes / element->size_bytes,
                     " elements is not supported; expected 2, 3, 4, 8 or 16");
    else
        return types_.vector(element, static_cast<uint32_t>(*bytes / element->size_bytes));
    return element;
}

/// `int __attribute__((mode(DI)))`: gives the type of that width. In a vector, this applies to each element.
const Type* Checker::of_mode(const Type* type, Attribute& attribute) {
    if (attribute.ident_arg.empty()) {
        diags_.error(attribute.range, "'mode' attribute takes one argument");
        return type;
    }
    std::string_view name = attribute.ident_arg;
    if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
        name = name.substr(2, name.size() - 4);
    const Type* element = type->scalar();
    const bool is_enum = type->kind == TypeKind::Enum;
    const auto* mode = std::ranges::find(kModes, name, &MachineMode::name);
    if (mode == std::end(kModes)) {
        diags_.error(attribute.range, "unknown machine mode '", attribute.ident_arg, "'");
        return type;
    }
    if (!type->is_arithmetic_or_vector()) {
        diags_.error(attribute.range, "mode attribute only supported for integer and floating-point types");
        return type;
    }
    const TypeKind kind = element->is_integer() ? mode->integer : mode->floating;
    if (kind == TypeKind::Void) {
        diags_.error(attribute.range, "type of machine mode does not match type of base type");
        return type;
    }
    const bool is_unsigned = element->is_integer() && (is_enum || !element->is_signed());
    return types_.with_lanes(types_.scalar(is_unsigned ? unsigned_kind(kind) : kind), type->lanes());
}

}  // namespace caldera::frontend
