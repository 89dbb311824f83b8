// SPDX-License-Identifier: Apache-2.0
// The OpenCL C that measures a function.
#pragma once

#include <string>

#include "judge.h"

namespace caldera::accuracy {

/// `kernel void sampled(xs, ys, zs, ns, rs)`: work-item i computes the i-th `width` results.
std::string sampled_source(const Function& function, const Format& format, uint32_t width);

inline constexpr uint32_t kPerItem = 1024;

/// Can the function in double, rounded, judge that in a smaller format? Not where the result depends on the
/// format.
bool has_wide_reference(const Function& function);

/// Source of `kernel void exhaustive(first, worst, where)`. Work-item i takes the kPerItem numbers from first
/// + i * kPerItem on. For a function of two arguments, a number's upper and lower half are the arguments. It
/// computes the function in the format and in double, and keeps the largest quotient of error and bound, with
/// the number that gives it.
std::string exhaustive_source(const Function& function, const Format& format, const Bound& bound,
                              Subnormals subnormals);

}  // namespace caldera::accuracy
