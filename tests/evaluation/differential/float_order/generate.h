// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "body.h"

namespace caldera::float_order {

struct Wanted {
    bool half = true, wide = true;  ///< other kinds than float
    bool vectors = true;
    /// Whether FP_CONTRACT is ON in all bodies or in none; neither: the seed says.
    bool always_contracts = false, never_contracts = false;
    uint64_t combinations = 64;  ///< a body has no more (Body::combinations)
};

/// The same seed and wants give the same body.
Body generate(uint64_t seed, const Wanted& wanted);

}  // namespace caldera::float_order
