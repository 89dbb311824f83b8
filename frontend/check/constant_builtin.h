// SPDX-License-Identifier: Apache-2.0
// The __builtin_ functions whose calls are constant expressions if their arguments are, as in clang.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "frontend/builtin/builtin.h"

namespace caldera::frontend {

/// Folds a function of integers of `width` bits, zero-extended. nullopt if the result is undefined, or if the
/// function is not such a function.
std::optional<uint64_t> fold_integers(const builtin::Row& row, std::span<const uint64_t> args,
                                      unsigned width);

/// The result of a function of floating-point numbers: a number of their type, or a truth value.
struct FoldedFloat {
    double number = 0;
    bool is_truth = false;
};
std::optional<FoldedFloat> fold_floats(const builtin::Row& row, std::span<const double> args,
                                       double least_normal);

}  // namespace caldera::frontend
