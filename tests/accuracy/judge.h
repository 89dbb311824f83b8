// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "function.h"

namespace caldera::accuracy {

/// How the device treats subnormal numbers in arguments and results (OpenCL C 3.0 7.5.3).
enum class Subnormals { Kept, MayFlush };

struct Verdict {
    double error =
        0;  ///< in ulps, or in 2^exponent where the bound is absolute; infinite for a wrong kind of number
    double allowed = 0;  ///< in the same unit; infinite without a bound
    Number exact = {};
    /// The references are rounded too, far below this slack.
    bool is_bad() const { return !(error <= allowed + 1e-9); }
};

/// How far `got` is from the exact result.
Verdict judge(const Function& function, const Inputs& inputs, uint64_t got, const Bound& bound,
              Subnormals subnormals);

}  // namespace caldera::accuracy
