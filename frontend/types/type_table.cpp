// SPDX-License-Identifier: Apache-2.0
// TypeTable: one object per type. Types with parameters are found again by a hash of their parameters.
#include <algorithm>
#include <vector>

#include "frontend/types/type.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

namespace {

struct ScalarLayout {
    TypeKind kind;
    uint32_t size_bytes;
    uint32_t align_bytes = size_bytes;
};

// OpenCL C 6.1.1, 6.1.5 and, for opaque handles, what spir64 uses: a pointer.
constexpr ScalarLayout kScalars[] = {
    {TypeKind::Error, 4},      {TypeKind::Void, 0},       {TypeKind::Bool, 1},
    {TypeKind::Char, 1},       {TypeKind::UChar, 1},      {TypeKind::Short, 2},
    {TypeKind::UShort, 2},     {TypeKind::Int, 4},        {TypeKind::UInt, 4},
    {TypeKind::Long, 8},       {TypeKind::ULong, 8},      {TypeKind::Half, 2},
    {TypeKind::BFloat16, 2},   {TypeKind::Float, 4},      {TypeKind::Double, 8},
    {TypeKind::Sampler, 8},    {TypeKind::Event, 8},      {TypeKind::Queue, 8},
    {TypeKind::ClkEvent, 8},   {TypeKind::ReserveId, 8},  {TypeKind::NDRange, 80, 8},
    {TypeKind::Float8E4M3, 1}, {TypeKind::Float8E5M2, 1},
};

uint64_t mix(uint64_t hash, uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    return hash;
}

uint64_t mix(uint64_t hash, const QualType& q) {
    hash = mix(hash, reinterpret_cast<uintptr_t>(q.type));
    return mix(hash, static_cast<uint64_t>(q.is_const) | static_cast<uint64_t>(q.is_volatile) << 1 |
                         static_cast<uint64_t>(q.is_restrict) << 2 | static_cast<uint64_t>(q.space) << 3 |
                         static_cast<uint64_t>(q.access) << 8 | static_cast<uint64_t>(q.alignment) << 16);
}

uint64_t hash_of(const Type& t) {
    uint64_t hash = static_cast<uint64_t>(t.kind);
    hash = mix(hash, t.element);
    hash = mix(hash, t.count);
    hash = mix(hash, t.columns | static_cast<uint64_t>(t.use) << 32);
    hash = mix(hash, static_cast<uint64_t>(t.incomplete_array) | static_cast<uint64_t>(t.variadic) << 1 |
                         static_cast<uint64_t>(t.unprototyped) << 2 | static_cast<uint64_t>(t.image) << 3);
    for (const QualType& param : t.params) hash = mix(hash, param);
    return hash;
}

bool identical(const QualType& a, const QualType& b) {
    return a.type == b.type && a == b && a.alignment == b.alignment;
}

bool same(const Type& a, const Type& b) {
    return a.kind == b.kind && identical(a.element, b.element) && a.count == b.count &&
           a.columns == b.columns && a.use == b.use && a.incomplete_array == b.incomplete_array &&
           a.variadic == b.variadic && a.unprototyped == b.unprototyped && a.image == b.image &&
           std::ranges::equal(a.params, b.params, identical);
}

}  // namespace

TypeTable::TypeTable(Arena& arena) : arena_(arena) {
    for (const ScalarLayout& row : kScalars) {
        Type type = {.kind = row.kind, .size_bytes = row.size_bytes};
        type.align_bytes = std::max(row.align_bytes, 1u);
        scalars_[static_cast<size_t>(row.kind)] = arena_.make<Type>(type);
    }
}

const Type* TypeTable::error() const { return scalar(TypeKind::Error); }

const Type* TypeTable::scalar(TypeKind kind) const {
    const Type* type = scalars_[static_cast<size_t>(kind)];
    check(type != nullptr, "a type kind with parameters has no single type");
    return type;
}

const Type* TypeTable::unique(const Type& type) {
    uint64_t hash = hash_of(type);
    auto [begin, end] = table_.equal_range(hash);
    for (auto it = begin; it != end; ++it)
        if (same(*it->second, type)) return it->second;
    Type* made = arena_.make<Type>(type);
    made->params = arena_.copy(std::vector<QualType>(type.params.begin(), type.params.end()));
    const bool ends = type.kind == TypeKind::Pointer && type.element->is_record();
    uint32_t below = type.element.type && !ends ? type.element->depth : 0;
    for (const QualType& param : made->params) below = std::max(below, param->depth);
    made->depth = below + 1;
    made->unaligned = without_alignments(*made);
    table_.emplace(hash, made);
    return made;
}

/// Returns null if it is that type itself.
const Type* TypeTable::without_alignments(const Type& type) {
    bool differs = false;
    auto plain = [&](QualType q) {
        differs = differs || q.alignment || (q.type && q->unaligned);
        q.alignment = 0;
        if (q.type) q.type = q->without_alignments();
        return q;
    };
    const QualType element = plain(type.element);
    for (const QualType& param : type.params) plain(param);
    if (!differs) return nullptr;
    Type copy = type;
    std::vector<QualType> params;
    for (const QualType& param : type.params) params.push_back(plain(param));
    copy.element = element;
    copy.params = params;
    if (type.kind == TypeKind::Array) copy.align_bytes = element->align_bytes;
    return unique(copy);
}

const Type* TypeTable::matrix(const Type* component, uint32_t rows, uint32_t columns, MatrixUse use) {
    return unique({.kind = TypeKind::Matrix,
                   .size_bytes = component->size_bytes * rows * columns,
                   .align_bytes = component->align_bytes,
                   .element = {.type = component},
                   .count = rows,
                   .columns = columns,
                   .use = use});
}

const Type* TypeTable::open_matrix() { return matrix(scalar(TypeKind::Float), 1, 0, MatrixUse::Accumulator); }

const Type* TypeTable::vector(const Type* element, uint32_t lanes) {
    if (element->is_error()) return element;
    // OpenCL C 6.1.5: a vector of three has the size and alignment of one of four.
    uint64_t size = element->size_bytes * (lanes == 3 ? 4 : lanes);
    return unique({.kind = TypeKind::Vector,
                   .size_bytes = size,
                   .align_bytes = static_cast<uint32_t>(size),
                   .element = {.type = element},
                   .count = lanes});
}

const Type* TypeTable::pointer(QualType pointee) {
    return unique({.kind = TypeKind::Pointer, .size_bytes = 8, .align_bytes = 8, .element = pointee});
}

const Type* TypeTable::block_pointer(QualType result, std::span<const QualType> params) {
    return unique({.kind = TypeKind::BlockPointer,
                   .size_bytes = 8,
                   .align_bytes = 8,
                   .element = result,
                   .params = params});
}

const Type* TypeTable::array(QualType element, uint64_t count) {
    return unique({.kind = TypeKind::Array,
                   .size_bytes = element->size_bytes * count,
                   .align_bytes = element.align_bytes(),
                   .element = element,
                   .count = count});
}

const Type* TypeTable::incomplete_array(QualType element) {
    return unique({.kind = TypeKind::Array,
                   .align_bytes = element.align_bytes(),
                   .element = element,
                   .incomplete_array = true});
}

const Type* TypeTable::function(QualType result, std::span<const QualType> params, bool variadic,
                                bool unprototyped) {
    return unique({.kind = TypeKind::Function,
                   .element = result,
                   .variadic = variadic,
                   .unprototyped = unprototyped,
                   .params = params});
}

const Type* TypeTable::image(ImageKind kind) {
    return unique({.kind = TypeKind::Image, .size_bytes = 8, .align_bytes = 8, .image = kind});
}

const Type* TypeTable::pipe(QualType packet) {
    return unique({.kind = TypeKind::Pipe, .size_bytes = 8, .align_bytes = 8, .element = packet});
}

const Type* TypeTable::atomic(const Type* value) {
    return unique({.kind = TypeKind::Atomic,
                   .size_bytes = value->size_bytes,
                   .align_bytes = value->align_bytes,
                   .element = {.type = value}});
}

Type* TypeTable::record(const RecordDecl* decl) {
    return arena_.make<Type>(Type{.kind = TypeKind::Record, .record = decl});
}

Type* TypeTable::enumeration(const EnumDecl* decl) {
    // While it is incomplete, its width is the one with which it computes, so that every integer type has a
    // width.
    return arena_.make<Type>(
        Type{.kind = TypeKind::Enum, .size_bytes = 4, .align_bytes = 4, .enum_decl = decl});
}

const Type* TypeTable::with_lanes(const Type* type, uint32_t lanes) {
    return lanes == 1 ? type->scalar() : vector(type->scalar(), lanes);
}

const Type* TypeTable::with_element(const Type* type, const Type* element) {
    return type->is_vector() ? vector(element, type->lanes()) : element;
}

const Type* TypeTable::int_of_width(uint32_t bits, bool is_signed) const {
    switch (bits) {
        case 8: return scalar(is_signed ? TypeKind::Char : TypeKind::UChar);
        case 16: return scalar(is_signed ? TypeKind::Short : TypeKind::UShort);
        case 32: return scalar(is_signed ? TypeKind::Int : TypeKind::UInt);
        case 64: return scalar(is_signed ? TypeKind::Long : TypeKind::ULong);
    }
    check(false, "integers have 8, 16, 32 or 64 bits");
    return nullptr;
}

const Type* TypeTable::comparison_result(const Type* operand) {
    if (!operand->is_vector()) return scalar(TypeKind::Int);
    auto bits = static_cast<uint32_t>(operand->scalar()->size_bytes * 8);
    return vector(int_of_width(bits, true), operand->lanes());
}

}  // namespace caldera::frontend
