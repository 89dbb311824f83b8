// SPDX-License-Identifier: Apache-2.0
// Enumerations (C99 6.7.2.2), and clang's with a fixed underlying type: `enum e : uchar { … }`.
#include <limits>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

/// `enum e` or `enum e { … }`. A mention finds the declaration that the scopes have, or declares one.
const Type* Checker::enum_mention(EnumDecl* decl, Where where) {
    if (decl->enum_type) return decl->enum_type;
    note(*decl);
    Decl* found = nullptr;
    if (!decl->name.empty())
        found = decl->has_body ? scopes_.find_tag_here(decl->name) : scopes_.find_tag(decl->name);
    auto* earlier = dyn<EnumDecl>(found);
    if (found && !earlier) {
        diags_
            .error(decl->range, "use of '", decl->name,
                   "' with tag type that does not match previous declaration")
            .note(found->name_range, "previous use is here");
        return types_.error();
    }
    if (!earlier) declare_enum(*decl, where);
    if (earlier) {
        decl->enum_type = earlier->enum_type;
        decl->definition = earlier->definition;
        decl->underlying = earlier->underlying;
    }
    if (!decl->has_body) return decl->enum_type;
    if (earlier && earlier->definition) {
        diags_.error(decl->name_range, "redefinition of '", decl->name, "'")
            .note(earlier->definition->name_range, "previous definition is here");
        return decl->enum_type;
    }
    decl->definition = decl;
    if (earlier) earlier->definition = decl;
    decl->enum_type->enum_decl = decl;
    enum_body(*decl);
    return decl->enum_type;
}

/// Makes a new type. It is incomplete until its enumerators are known, unless its underlying type is written.
void Checker::declare_enum(EnumDecl& decl, Where where) {
    if (where == Where::Param && !decl.name.empty())
        diags_.warning(Warning::Visibility, decl.name_range, "declaration of 'enum ", decl.name,
                       "' will not be visible outside of this function");
    decl.enum_type = types_.enumeration(&decl);
    decl.underlying = types_.scalar(TypeKind::UInt);
    if (!decl.name.empty()) scopes_.declare_tag(&decl);
    if (!decl.written_underlying) {
        if (!decl.has_body)
            diags_.warning(Warning::Pedantic, decl.name_range,
                           "ISO C forbids forward references to 'enum' types");
        return;
    }
    diags_.warning(Warning::FixedEnum, decl.written_underlying->range,
                   "enumeration types with a fixed underlying type are a Clang extension");
    QualType type = type_name(decl.written_underlying);
    if (type->is_error()) return;
    if (!type->is_integer() || type->kind == TypeKind::Enum) {
        diags_.error(decl.written_underlying->range, "non-integral type '", type,
                     "' is an invalid underlying type");
        return;
    }
    decl.underlying = type.type;
    decl.has_fixed_type = true;
    complete_enum(decl);
}

void Checker::complete_enum(EnumDecl& decl) {
    decl.enum_type->size_bytes = decl.underlying->size_bytes;
    decl.enum_type->align_bytes = std::max(decl.underlying->align_bytes, aligned_attribute(decl.attributes));
    decl.enum_type->laid_out = true;
}

bool Checker::declare_enumerator(EnumConstantDecl& constant) {
    constant.type = int_type();
    note(constant);
    Decl* earlier = scopes_.find_here(constant.name);
    if (!earlier) {
        scopes_.declare(&constant);
        return true;
    }
    if (earlier->kind == DeclKind::EnumConstant)
        diags_.error(constant.name_range, "redefinition of enumerator '", constant.name, "'")
            .note(earlier->name_range, "previous definition is here");
    else
        diags_.error(constant.name_range, "redefinition of '", constant.name, "' as different kind of symbol")
            .note(earlier->name_range, "previous definition is here");
    return false;
}

/// The value that `= …` gives to an enumerator, or `value` if it is faulty.
void Checker::enumerator_value(EnumConstantDecl& constant, int64_t& value) {
    constant.init = this->value(constant.init);
    const Expr& init = *constant.init;
    if (is_error(&init)) return;
    if (!init.type->is_integer()) {
        diags_.error(init.range, "integer constant expression must have integer type, not '", init.type, "'");
        return;
    }
    auto bits = evaluate_integer(init);
    if (!bits) {
        diags_.error(init.range, "expression is not an integer constant expression");
        return;
    }
    unsigned shift = 64 - 8 * static_cast<unsigned>(init.type->size_bytes);
    value =
        init.type->is_signed() ? static_cast<int64_t>(*bits << shift) >> shift : static_cast<int64_t>(*bits);
}

/// Whether an integer type of that width has the value.
static bool fits(int64_t value, unsigned width, bool is_signed) {
    if (width == 64) return true;
    const int64_t limit = int64_t{1} << (is_signed ? width - 1 : width);
    return value < limit && value >= (is_signed ? -limit : 0);
}

void Checker::enum_body(EnumDecl& decl) {
    attributes(decl.attributes, kOnEnum);
    int64_t next = 0, lowest = 0, highest = 0;
    for (EnumConstantDecl* constant : decl.constants) {
        if (constant->init) enumerator_value(*constant, next);
        if (!decl.has_fixed_type &&
            (next < std::numeric_limits<int32_t>::min() || next > std::numeric_limits<int32_t>::max()))
            diags_.warning(Warning::Pedantic, constant->name_range,
                           "ISO C restricts enumerator values to range of 'int' (", next, " is too ",
                           next < 0 ? "small" : "large", ")");
        constant->value = next;
        constant->parent = &decl;
        lowest = std::min(lowest, next);
        highest = std::max(highest, next);
        declare_enumerator(*constant);
        if (decl.has_fixed_type) fixed_enumerator(*constant, *decl.underlying);
        next = static_cast<int64_t>(static_cast<uint64_t>(next) + 1);
    }
    if (decl.has_fixed_type) return;
    // Chooses the type as clang does: unsigned unless a value is negative, and as wide as necessary, but at
    // least 32 bits unless packed. The enumerators are int (C99 6.7.2.2p3) unless one does not fit.
    const bool is_signed = lowest < 0;
    unsigned width = has_attribute(decl.attributes, "packed") ? 8 : 32;
    while (!fits(lowest, width, is_signed) || !fits(highest, width, is_signed)) width *= 2;
    decl.underlying = types_.int_of_width(width, is_signed);
    complete_enum(decl);
    if (lowest < std::numeric_limits<int32_t>::min() || highest > std::numeric_limits<int32_t>::max())
        for (EnumConstantDecl* constant : decl.constants) constant->type = {.type = decl.underlying};
}

/// An enumerator of a fixed underlying type has that type, and must fit.
void Checker::fixed_enumerator(EnumConstantDecl& constant, const Type& underlying) {
    constant.type = {.type = &underlying};
    const auto width =
        underlying.kind == TypeKind::Bool ? 1 : static_cast<unsigned>(8 * underlying.size_bytes);
    if (fits(constant.value, width, underlying.is_signed())) return;
    diags_.error(constant.name_range, "enumerator value ", constant.value,
                 " is not representable in the underlying type '", &underlying, "'");
}

}  // namespace caldera::frontend
