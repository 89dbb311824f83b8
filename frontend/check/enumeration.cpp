// SPDX-License-Identifier: Apache-2.0
// Enumerations (C99 6.7.2.2), and clang's with a fixed underlying type: `enum e : uchar { … }`.
#include <algorithm>
#include <string>

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
    if (!decl->has_body) {
        if (earlier)
            warn_availability(decl->name_range, earlier->definition ? *earlier->definition : *earlier);
        return decl->enum_type;
    }
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

/// Whether the value is above those of a long.
static bool is_huge(const EnumConstantDecl& constant) {
    return constant.value < 0 && !constant.type->is_signed() && constant.type->size_bytes == 8;
}

/// Whether an integer type of that width has the value.
static bool fits(int64_t value, unsigned width, bool is_signed) {
    if (width == 64) return true;
    const int64_t limit = int64_t{1} << (is_signed ? width - 1 : width);
    return value < limit && value >= (is_signed ? -limit : 0);
}

/// The value and the type that `= …` gives to an enumerator; false if there is none, or it is faulty. The
/// type is int if it has the value, as for clang and gcc.
bool Checker::enumerator_value(EnumConstantDecl& constant) {
    if (!constant.init) return false;
    constant.init = this->value(constant.init);
    const Expr& init = *constant.init;
    if (is_error(&init)) return false;
    if (!init.type->is_integer()) {
        diags_.error(init.range, "integer constant expression must have integer type, not '", init.type, "'");
        return false;
    }
    if (!constant_value(init)) return false;
    const std::optional<uint64_t> bits = evaluate_as_long(init);
    constant.value = static_cast<int64_t>(*bits);
    constant.type = {.type = init.type.type};
    if (!is_huge(constant) && fits(constant.value, 32, true)) constant.type = int_type();
    return true;
}

/// The value and the type of an enumerator that follows another one: the next integer, of the same type or
/// the next larger one that has it.
void Checker::next_enumerator(EnumConstantDecl& constant, const EnumConstantDecl& last) {
    constant.value = static_cast<int64_t>(static_cast<uint64_t>(last.value) + 1);
    constant.type = last.type;
    const bool wraps = last.type->is_signed() ? constant.value < last.value : constant.value == 0;
    const bool fits_last =
        fits(constant.value, 8 * static_cast<unsigned>(last.type->size_bytes), last.type->is_signed());
    const bool is_widest = last.type->size_bytes == 8;
    if (is_widest ? !wraps : fits_last) return;
    diags_.warning(Warning::IntegerOverflow, constant.name_range, "overflow in enumeration value");
    if (!is_widest) constant.type = {.type = types_.int_of_width(64, true)};
}

void Checker::enum_body(EnumDecl& decl) {
    attributes(decl.attributes, kOnEnum);
    int64_t lowest = 0, highest = 0;
    bool has_huge = false;
    const EnumConstantDecl* last = nullptr;
    for (EnumConstantDecl* constant : decl.constants) {
        constant->type = int_type();
        if (!enumerator_value(*constant) && last) next_enumerator(*constant, *last);
        const bool is_large = is_huge(*constant);
        if (!decl.has_fixed_type && (is_large || !fits(constant->value, 32, true)))
            diags_.warning(Warning::Pedantic, constant->name_range,
                           "ISO C restricts enumerator values to range of 'int' (",
                           is_large ? std::to_string(static_cast<uint64_t>(constant->value))
                                    : std::to_string(constant->value),
                           " is too ", constant->value < 0 && !is_large ? "small" : "large", ")");
        constant->parent = &decl;
        if (!is_large) lowest = std::min(lowest, constant->value);
        if (!is_large) highest = std::max(highest, constant->value);
        has_huge |= is_large;
        declare_enumerator(*constant);
        if (decl.has_fixed_type) fixed_enumerator(*constant, *decl.underlying);
        last = constant;
    }
    if (decl.has_fixed_type) return;
    // Chooses the type as clang does: unsigned unless a value is negative, and as wide as necessary, but at
    // least 32 bits unless packed. An enumerator is an int if that has its value (C99 6.7.2.2p3).
    const bool is_signed = lowest < 0;
    unsigned width = has_attribute(decl.attributes, "packed") ? 8 : 32;
    while (has_huge && width < 64) width *= 2;
    while (!fits(lowest, width, is_signed) || !fits(highest, width, is_signed)) width *= 2;
    decl.underlying = types_.int_of_width(width, is_signed);
    complete_enum(decl);
    for (EnumConstantDecl* constant : decl.constants)
        if (is_huge(*constant) || !fits(constant->value, 32, true))
            constant->type = {.type = decl.underlying};
}

/// An enumerator of a fixed underlying type has that type, and must fit.
void Checker::fixed_enumerator(EnumConstantDecl& constant, const Type& underlying) {
    const bool is_large = is_huge(constant);
    constant.type = {.type = &underlying};
    const auto width =
        underlying.kind == TypeKind::Bool ? 1 : static_cast<unsigned>(8 * underlying.size_bytes);
    if (is_large ? width == 64 : fits(constant.value, width, underlying.is_signed())) return;
    diags_.error(
        constant.name_range, "enumerator value ",
        is_large ? std::to_string(static_cast<uint64_t>(constant.value)) : std::to_string(constant.value),
        " is not representable in the underlying type '", &underlying, "'");
}

}  // namespace caldera::frontend
