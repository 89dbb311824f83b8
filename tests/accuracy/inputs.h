// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "function.h"

namespace caldera::accuracy {

/// The numbers with which a function is tried, one list for each argument, as bits of the format; n is an
/// int.
struct Samples {
    std::vector<uint64_t> x = {}, y = {}, z = {};
    std::vector<int32_t> n = {};
    size_t count() const { return x.size(); }
};

/// About `count` samples, the same each time: corner cases with each other, numbers of all exponents, and the
/// function's focus. A function of one half is tried with all of them.
Samples sample(const Function& function, const Format& format, size_t count);

}  // namespace caldera::accuracy
