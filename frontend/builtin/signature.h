// SPDX-License-Identifier: Apache-2.0
// Parses the signatures of builtins.def when a call needs them. Internal to builtin/.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "frontend/builtin/builtin.h"
#include "frontend/types/type.h"

namespace caldera::frontend::builtin {

/// A scalar or vector type by its components, so that candidates can be compared without making types.
struct Shape {
    TypeKind kind = TypeKind::Error;
    uint8_t lanes = 1;
    bool operator==(const Shape&) const = default;
};

/// A set of element types and a set of lane counts. Names and members: builtins.def, head comment.
struct Family {
    std::string_view name;
    std::span<const TypeKind> elements;
    std::span<const uint8_t> lanes;
};

enum class Base : uint8_t { Fixed, Family, Image, Pointee, NamedResult };
enum class Derive : uint8_t { None, Unsigned, Int, UInt, Float, SignedBits, UnsignedBits, Wider, Truth };
enum class Lanes : uint8_t { Own, Scalar, Name, Second };
enum SpaceBit : uint8_t {
    kPrivate = 1,
    kGlobal = 2,
    kConstant = 4,
    kLocal = 8,
    kPlain = 16,
    kGeneric = 32,
    kObject = 64,
    kMemory = 128
};

/// One type of a signature, as written.
struct TypeSpec {
    Base base = Base::Fixed;
    Shape fixed = {};  ///< Fixed: every kind without parameters
    ImageKind image = {};
    Derive derive = Derive::None;
    Lanes lanes = Lanes::Own;
    bool is_atomic = false;
    bool is_pointer = false, is_const = false, is_volatile = false;
    uint8_t spaces = 0;  ///< Pointer: SpaceBits written; 0: whatever the qualifiers allow
    uint8_t access = 0;  ///< Image: bits 1 << Access
};

constexpr size_t kMaxParams = 13;

struct Signature {
    TypeSpec result = {};
    std::array<TypeSpec, kMaxParams> params = {};
    size_t count = 0;
    bool variadic = false;
    const Family* family = nullptr;  ///< the one that the row binds, or null
    bool second_lanes = false;       ///< .n occurs
};

Signature parse_signature(std::string_view text);

/// What the variables of a signature are bound to in one candidate.
struct Binding {
    TypeKind element = TypeKind::Error;  ///< of the family
    uint8_t lanes = 1;                   ///< of the family
    uint8_t second_lanes = 1;            ///< .n
    uint8_t name_lanes = 1;              ///< .#
    Shape named_result = {};             ///< R
    QualType pointee = {};               ///< T
};

/// The scalar or vector that `spec` denotes under `binding`; for pointers, of the pointee.
Shape shape(const TypeSpec& spec, const Binding& binding);
Shape shape(const Type* type);

/// The address spaces that a pointer parameter may have, in order.
uint8_t allowed_spaces(const TypeSpec& spec, const Features& features);  ///< bits 1 << AddressSpace

/// The type itself; `space` is that of a pointer's pointee.
QualType make_type(const TypeSpec& spec, const Binding& binding, AddressSpace space, Access access,
                   TypeTable& types);

}  // namespace caldera::frontend::builtin
