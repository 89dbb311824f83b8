// SPDX-License-Identifier: Apache-2.0
// What the specification says of conversions by types alone (OpenCL C 6.2, C99 6.3).
#include "frontend/ast/ast.h"
#include "frontend/types/type.h"

namespace caldera::frontend {

namespace {

// Arithmetic on an enumerated type uses its underlying type (C99 6.7.2.2p4).
const Type* arithmetic_type(TypeTable& types, const Type* type) {
    if (type->kind != TypeKind::Enum) return type;
    const Type* underlying = type->enum_decl ? type->enum_decl->underlying : nullptr;
    return underlying ? underlying : types.scalar(TypeKind::Int);
}

// C99 6.3.1.8 for two arithmetic scalars.
const Type* usual_scalar(TypeTable& types, const Type* a, const Type* b) {
    if (a->is_floating() || b->is_floating()) {
        if (!a->is_floating()) return b;
        if (!b->is_floating()) return a;
        const bool are_bytes = a->size_bytes == 1 && b->size_bytes == 1;  // neither of which holds the other
        if (are_bytes && a != b) return types.scalar(TypeKind::Float);
        return conversion_rank(a) >= conversion_rank(b) ? a : b;
    }
    a = integer_promotion(types, a);
    b = integer_promotion(types, b);
    if (a == b) return a;
    int rank_a = conversion_rank(a), rank_b = conversion_rank(b);
    if (rank_a != rank_b) return rank_a > rank_b ? a : b;  // long holds every uint, so rank alone decides
    return a->is_signed() ? b : a;
}

bool compatible_functions(const Type& a, const Type& b) {
    if (!compatible(a.element.unqualified(), b.element.unqualified())) return false;
    if (a.unprototyped || b.unprototyped) return true;
    if (a.variadic != b.variadic || a.params.size() != b.params.size()) return false;
    for (size_t i = 0; i < a.params.size(); ++i)
        if (!compatible(a.params[i], b.params[i])) return false;
    return true;
}

bool same_length(const Type& a, const Type& b) {
    return a.incomplete_array || b.incomplete_array || a.count == b.count;
}

bool enum_matches(const Type& enumeration, const Type& other) {
    return enumeration.kind == TypeKind::Enum && enumeration.enum_decl &&
           enumeration.enum_decl->underlying == &other;
}

}  // namespace

bool Type::is_signed() const {
    switch (scalar()->kind) {
        case TypeKind::Char:
        case TypeKind::Short:
        case TypeKind::Int:
        case TypeKind::Long: return true;
        case TypeKind::Enum:
            return !enum_decl || !enum_decl->underlying || enum_decl->underlying->is_signed();
        default: return false;
    }
}

int conversion_rank(const Type* scalar) {
    switch (scalar->kind) {
        case TypeKind::Bool: return 0;
        case TypeKind::Char:
        case TypeKind::UChar: return 1;
        case TypeKind::Short:
        case TypeKind::UShort: return 2;
        case TypeKind::Int:
        case TypeKind::UInt:
        case TypeKind::Enum: return 3;
        case TypeKind::Long:
        case TypeKind::ULong: return 4;
        case TypeKind::Float8E4M3: return 5;
        case TypeKind::Float8E5M2: return 6;
        case TypeKind::BFloat16: return 7;
        case TypeKind::Half: return 8;
        case TypeKind::Float: return 9;
        case TypeKind::Double: return 10;
        default: return -1;
    }
}

const Type* integer_promotion(TypeTable& types, const Type* type) {
    type = arithmetic_type(types, type);
    if (type->is_integer() && conversion_rank(type) < 3) return types.scalar(TypeKind::Int);
    return type;
}

const Type* usual_arithmetic(TypeTable& types, const Type* a, const Type* b, bool a_is_constant_that_fits,
                             bool b_is_constant_that_fits) {
    if (a->is_error() || b->is_error()) return types.error();
    a = arithmetic_type(types, a);
    b = arithmetic_type(types, b);
    if (!a->is_arithmetic_or_vector() || !b->is_arithmetic_or_vector()) return nullptr;
    if (a->is_vector() && b->is_vector()) return a == b ? a : nullptr;
    if (!a->is_vector() && !b->is_vector()) return usual_scalar(types, a, b);
    // OpenCL C 6.2.6: the scalar is converted to the vector's element type unless its rank is higher.
    const Type* vector = a->is_vector() ? a : b;
    const Type* scalar = a->is_vector() ? b : a;
    bool fits = a->is_vector() ? b_is_constant_that_fits : a_is_constant_that_fits;
    if (fits) return vector;
    const Type* element = vector->scalar();
    int rank = conversion_rank(scalar), room = conversion_rank(element);
    bool unsigned_outranks = rank == room && scalar->is_integer() && scalar->kind != TypeKind::Bool &&
                             !scalar->is_signed() && element->is_signed();  // unlike C99
    return rank <= room && !unsigned_outranks ? vector : nullptr;
}

bool same_qualifiers(const QualType& a, const QualType& b) {
    return a.is_const == b.is_const && a.is_volatile == b.is_volatile && a.is_restrict == b.is_restrict &&
           a.space == b.space;
}

uint64_t extend_sign(uint64_t bits, const Type& type) {
    const auto unused = static_cast<unsigned>(64 - 8 * type.scalar()->size_bytes);
    return type.is_signed() ? static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused)
                            : bits << unused >> unused;
}

double integer_as_float(uint64_t bits, const Type& type, TypeKind kind) {
    bits = extend_sign(bits, type);
    const auto number = static_cast<int64_t>(bits);
    if (kind == TypeKind::Float || kind == TypeKind::BFloat16)
        return type.is_signed() ? static_cast<float>(number) : static_cast<float>(bits);
    return type.is_signed() ? static_cast<double>(number) : static_cast<double>(bits);
}

bool compatible(const QualType& a, const QualType& b) {
    const bool same = a->without_alignments() == b->without_alignments();
    if (same && a->kind == TypeKind::Image) return a.access == b.access;
    if (same || a->is_error() || b->is_error()) return true;
    if (enum_matches(*a.type, *b.type) || enum_matches(*b.type, *a.type)) return true;
    if (a->kind != b->kind) return false;
    switch (a->kind) {
        case TypeKind::Pointer:
            return same_qualifiers(a->element, b->element) && compatible(a->element, b->element);
        case TypeKind::Array:
            return same_qualifiers(a->element, b->element) && compatible(a->element, b->element) &&
                   same_length(*a.type, *b.type);
        case TypeKind::Function:
        case TypeKind::BlockPointer: return compatible_functions(*a.type, *b.type);
        default: return false;
    }
}

bool compatible_pointees(const QualType& a, const QualType& b) {
    if (a->is_array() && b->is_array())
        return same_length(*a.type, *b.type) && compatible_pointees(a->element, b->element);
    return compatible({.type = a.type}, {.type = b.type});
}

bool space_converts(AddressSpace from, AddressSpace to) {
    return from == to || (to == AddressSpace::Generic && from != AddressSpace::Constant) ||
           (to == AddressSpace::Global && is_global(from));
}

}  // namespace caldera::frontend
