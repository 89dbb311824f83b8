// SPDX-License-Identifier: Apache-2.0
// The numbers of __bf16, __fp8_e4m3 and __fp8_e5m2.
#pragma once

#include "frontend/types/type.h"
#include "spirv/support/floats.h"

namespace caldera::frontend {

/// The bits of the number that is nearest to `number`: to the nearest float first for __bf16. `kind` is that
/// of an encoded float.
inline uint16_t encoded_bits(TypeKind kind, double number) {
    if (kind == TypeKind::BFloat16) return bfloat_bits(number);
    return float8_bits(kind == TypeKind::Float8E4M3 ? kE4M3Format : kE5M2Format, number);
}
/// The number that the bits stand for.
inline double encoded_value(TypeKind kind, uint16_t bits) {
    if (kind == TypeKind::BFloat16) return bfloat_value(bits);
    return float8_value(kind == TypeKind::Float8E4M3 ? kE4M3Format : kE5M2Format, static_cast<uint8_t>(bits));
}

}  // namespace caldera::frontend
