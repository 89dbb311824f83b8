// SPDX-License-Identifier: Apache-2.0
// The parts of a format of IEEE 754, as the bits of its numbers show them.
#pragma once

#include <cstdint>

namespace caldera::frontend {

/// The format of a half, float or double.
struct FloatBits {
    uint64_t sign;          ///< the sign bit
    uint64_t least_normal;  ///< the pattern of the smallest normal number: one above the fraction's bits
    uint64_t infinity;      ///< the pattern of infinity: all bits of the exponent
    uint64_t quiet;         ///< the pattern of a quiet NaN without a payload

    explicit constexpr FloatBits(uint64_t bytes)
        : sign(uint64_t{1} << (8 * bytes - 1)),
          least_normal(uint64_t{1} << (bytes == 8   ? 52
                                       : bytes == 4 ? 23
                                                    : 10)),
          infinity(sign - least_normal),
          quiet(infinity | least_normal >> 1) {}
};

}  // namespace caldera::frontend
