// SPDX-License-Identifier: Apache-2.0
// Types. TypeTable returns `const Type*`: the same type has the same address. QualType adds qualifiers to a
// type.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "frontend/arena.h"
#include "frontend/features.h"

namespace caldera::frontend {

struct RecordDecl;
struct EnumDecl;

/// Arithmetic scalars first and in order of conversion rank within integers (OpenCL C 6.2.6, C99 6.3.1.1).
enum class TypeKind : uint8_t {
    Error,  ///< of a construct that was already reported: converts to and from everything silently
    Void,
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Float8E4M3,  ///< __fp8_e4m3, a float of 8 bits
    Float8E5M2,  ///< __fp8_e5m2, the upper half of a half
    BFloat16,    ///< __bf16, the upper half of a float
    Half,
    Float,
    Double,
    Vector,
    Pointer,
    Array,
    Record,
    Enum,
    Function,
    Image,
    Sampler,
    Event,
    Queue,
    ClkEvent,
    ReserveId,
    NDRange,
    Pipe,
    Atomic,
    Matrix,  ///< a cooperative matrix (cl_ext_kernel_cooperative_matrix)
    BlockPointer,
};

/// Address spaces (OpenCL C 6.5). A QualType's space is that of the object it denotes.
/// The last two are clang's parts of the global space, into which only attributes point.
enum class AddressSpace : uint8_t { Private, Global, Constant, Local, Generic, GlobalDevice, GlobalHost };
/// Whether it is the global space, or a part of it.
inline bool is_global(AddressSpace space) {
    return space == AddressSpace::Global || space == AddressSpace::GlobalDevice ||
           space == AddressSpace::GlobalHost;
}
std::string_view spelling(AddressSpace space);  ///< "private", "global", ... with "__" as clang prints it

enum class Access : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };
std::string_view spelling(Access access);  ///< "read_only", ...

/// The image types of OpenCL C 6.1.3, a row of images.def each.
enum class ImageKind : uint8_t {
#define IMAGE(kind, ...) kind,
#include "frontend/types/images.def"
#undef IMAGE
};

/// What a cooperative matrix is for, with SPIR-V's numbers (CooperativeMatrixUse).
enum class MatrixUse : uint8_t { A, B, Accumulator };

struct Type;

/// A type with its qualifiers. Two are the same type when == says so, whatever alignment typedefs gave them.
struct QualType {
    const Type* type = nullptr;
    bool is_const : 1 = false;
    bool is_volatile : 1 = false;
    bool is_restrict : 1 = false;
    AddressSpace space = AddressSpace::Private;
    Access access = Access::None;  ///< images and pipes
    uint8_t alignment = 0;         ///< a typedef's aligned(N), as 1 + log2(N); 0: the type's own

    explicit operator bool() const { return type != nullptr; }
    const Type* operator->() const { return type; }
    inline bool operator==(const QualType& other) const;
    /// The alignment of an object of this type, unless the object specifies its own.
    inline uint32_t align_bytes() const;
    QualType unqualified() const { return {.type = type}; }
    QualType with_const(bool value = true) const {
        QualType q = *this;
        q.is_const = value;
        return q;
    }
    QualType with_space(AddressSpace value) const {
        QualType q = *this;
        q.space = value;
        return q;
    }
    QualType with_alignment(uint32_t bytes) const {  ///< a power of two
        QualType q = *this;
        q.alignment = static_cast<uint8_t>(1 + std::countr_zero(bytes));
        return q;
    }
};

/// Recursive walks over a type are safe up to this depth; check/ rejects deeper types.
constexpr uint32_t kMaxTypeDepth = 1024;
/// Sums of offsets are safe up to this size; check/ rejects larger objects.
constexpr uint64_t kMaxTypeBytes = uint64_t{1} << 40;

/// `kind` determines which fields are used; the comments say for which kinds.
struct Type {
    TypeKind kind = TypeKind::Error;
    uint64_t size_bytes = 0;  ///< of records, once complete; 0 for incomplete types and functions
    uint32_t align_bytes = 1;
    QualType element = {};  ///< Vector, Matrix, Array, Pointer (pointee), Atomic, Pipe (packet), Function and
                            ///< BlockPointer (result)
    uint64_t count = 0;     ///< Vector: components; Array: elements; Matrix: rows
    uint32_t columns = 0;   ///< Matrix; 0: see is_open_matrix()
    MatrixUse use = {};     ///< Matrix
    bool incomplete_array = false;          ///< Array: `T a[]`
    bool variadic = false;                  ///< Function
    bool unprototyped = false;              ///< Function: `f()`
    std::span<const QualType> params = {};  ///< Function, BlockPointer
    const RecordDecl* record = nullptr;     ///< Record
    const EnumDecl* enum_decl = nullptr;    ///< Enum; its arithmetic is that of int or uint
    const Type* unaligned = nullptr;  ///< the same without the alignments of typedefs in it; null: itself
    ImageKind image = {};             ///< Image
    bool laid_out = false;            ///< Record: lay_out() has run; Enum: its size is known
    uint32_t depth = 0;  ///< levels of derivation (pointers, arrays, members, ...) down to pointers to
                         ///< records; see kMaxTypeDepth

    bool is_error() const { return kind == TypeKind::Error; }
    bool is_void() const { return kind == TypeKind::Void; }
    bool is_integer() const {
        return (kind >= TypeKind::Bool && kind <= TypeKind::ULong) || kind == TypeKind::Enum;
    }
    bool is_floating() const { return kind >= TypeKind::Float8E4M3 && kind <= TypeKind::Double; }
    /// Whether it is computed with in float, and each result is rounded to it.
    bool is_encoded_float() const { return kind >= TypeKind::Float8E4M3 && kind <= TypeKind::BFloat16; }
    bool is_arithmetic() const { return is_integer() || is_floating(); }
    bool is_vector() const { return kind == TypeKind::Vector; }
    bool is_pointer() const { return kind == TypeKind::Pointer; }
    bool is_array() const { return kind == TypeKind::Array; }
    bool is_record() const { return kind == TypeKind::Record; }
    bool is_function() const { return kind == TypeKind::Function; }
    bool is_matrix() const { return kind == TypeKind::Matrix; }
    /// The type of a loaded or filled matrix before a conversion tells which one it is to be.
    bool is_open_matrix() const { return is_matrix() && columns == 0; }
    bool is_scalar() const { return is_arithmetic() || is_pointer() || kind == TypeKind::BlockPointer; }
    bool is_signed() const;  ///< of a scalar integer or a vector's element; char is signed
    const Type* without_alignments() const { return unaligned ? unaligned : this; }
    const Type* scalar() const { return kind == TypeKind::Vector ? element.type : this; }
    uint32_t lanes() const { return kind == TypeKind::Vector ? static_cast<uint32_t>(count) : 1; }
    bool is_integer_or_vector() const { return scalar()->is_integer(); }
    bool is_floating_or_vector() const { return scalar()->is_floating(); }
    bool is_arithmetic_or_vector() const { return scalar()->is_arithmetic(); }
    bool is_complete() const {
        return kind != TypeKind::Void && !incomplete_array &&
               (laid_out || (kind != TypeKind::Record && kind != TypeKind::Enum));
    }
};

bool QualType::operator==(const QualType& other) const {
    if (!type || !other.type) return type == other.type;
    return type->without_alignments() == other.type->without_alignments() && is_const == other.is_const &&
           is_volatile == other.is_volatile && is_restrict == other.is_restrict && space == other.space &&
           access == other.access;
}
uint32_t QualType::align_bytes() const {
    return alignment ? uint32_t{1} << (alignment - 1) : type->align_bytes;
}

/// Owns the types of a translation unit. `builtin_name` is the type named by a built-in word: "float4",
/// "size_t", "image2d_t"; null when it is none. size_t, ptrdiff_t, intptr_t, uintptr_t are the 64-bit types:
/// kernels compile for spir64.
class TypeTable {
 public:
    explicit TypeTable(Arena& arena);
    Arena& arena() const { return arena_; }  ///< for what lives as long as the types

    const Type* error() const;
    const Type* scalar(TypeKind kind) const;  ///< any kind without parameters, opaque ones included
    const Type* vector(const Type* element, uint32_t lanes);
    const Type* pointer(QualType pointee);
    const Type* block_pointer(QualType result, std::span<const QualType> params);
    const Type* array(QualType element, uint64_t count);
    const Type* incomplete_array(QualType element);
    const Type* function(QualType result, std::span<const QualType> params, bool variadic,
                         bool unprototyped = false);
    const Type* image(ImageKind kind);
    const Type* pipe(QualType packet);
    const Type* atomic(const Type* value);
    const Type* matrix(const Type* component, uint32_t rows, uint32_t columns, MatrixUse use);
    const Type* open_matrix();  ///< see Type::is_open_matrix()
    /// A new type for each declaration; layout.cpp sets size and alignment when the definition is complete.
    Type* record(const RecordDecl* decl);
    Type* enumeration(const EnumDecl* decl);

    const Type* with_lanes(const Type* type, uint32_t lanes);         ///< 1: the element
    const Type* with_element(const Type* type, const Type* element);  ///< same lanes, other element
    const Type* int_of_width(uint32_t bits, bool is_signed) const;
    const Type* comparison_result(
        const Type* operand);  ///< int, or the signed vector of the same width (6.3.4)
    const Type* size_type() const { return scalar(TypeKind::ULong); }
    const Type* ptrdiff_type() const { return scalar(TypeKind::Long); }
    /// See above; only names that the language has. Whether half and double may be used is the checker's.
    const Type* builtin_name(std::string_view name, const Features& features);

 private:
    const Type* unique(const Type& type);
    const Type* without_alignments(const Type& type);

    Arena& arena_;
    std::unordered_multimap<uint64_t, const Type*> table_ = {};
    const Type* scalars_[static_cast<size_t>(TypeKind::BlockPointer) + 1] = {};
};

/// Names that OpenCL C 6.1.4 keeps for types to come: booln, quadn, floatnxm, vectors of other lengths.
bool is_reserved_type_name(std::string_view name);

/// clang's spelling: "float4", "const __global int *", "struct point". clang quotes with single quotes; the
/// caller of Diagnostics writes them. Unsigned types have OpenCL's short names, as in kernel argument
/// information.
std::string_view image_name(ImageKind kind);  ///< "image2d_t"
std::string to_string(const Type* type);
std::string to_string(const QualType& type);

/// Lays out a record's fields: offsets, size, alignment; `packed` and `aligned` attributes (OpenCL C 6.11.1).
/// Sets FieldDecl::offset_bytes and the Type's size and alignment.
void lay_out(RecordDecl& record);

// ---- Conversions (conversion.cpp): what the specification says of types alone ----

/// C99 6.3.1.1: types below int become int. Vectors are not promoted.
const Type* integer_promotion(TypeTable& types, const Type* type);
/// OpenCL C 6.2.6 for two arithmetic operands, scalars or vectors; null when the operands have no common type
/// (two different vector types, or a scalar of higher rank than the vector's element).
const Type* usual_arithmetic(TypeTable& types, const Type* a, const Type* b, bool a_is_constant_that_fits,
                             bool b_is_constant_that_fits);
/// Rank of a scalar for 6.2.6's rule that a scalar must not outrank the vector's element.
int conversion_rank(const Type* scalar);
/// Same qualifiers and address space at the top level.
bool same_qualifiers(const QualType& a, const QualType& b);
/// Same type apart from top-level qualifiers; follows C99 6.2.7 through pointers, arrays and functions.
bool compatible(const QualType& a, const QualType& b);
/// The bits of an integer of the type, or of an element of the vector type, as 64 bits of the same value.
uint64_t extend_sign(uint64_t bits, const Type& type);
/// An integer of the type before it is rounded to a floating type of the kind. For float and bfloat16 it is a
/// float already: rounded to a double before, it could be rounded twice.
double integer_as_float(uint64_t bits, const Type& type, TypeKind kind);
/// Whether pointers to `a` and to `b` point to the same type, apart from the qualifiers and the address space
/// of what they point to. Those of an array are its innermost element's (C99 6.7.3p8).
bool compatible_pointees(const QualType& a, const QualType& b);
/// Whether a pointer into `from` may become one into `to` without a cast (OpenCL C 6.5.5).
bool space_converts(AddressSpace from, AddressSpace to);

}  // namespace caldera::frontend
