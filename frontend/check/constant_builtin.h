// SPDX-License-Identifier: Apache-2.0
// The __builtin_ functions whose calls are constant expressions where their arguments are, as in clang.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "frontend/builtin/builtin.h"

namespace caldera::frontend {

/// Of integers of `width` bits, zero-extended; nullopt where the function has no value, or is no such function.
std::optional<uint64_t> fold_integers(const builtin::Row& row, std::span<const uint64_t> args,
                                      unsigned width);

/// Of floating numbers: a number of their type, or a truth value.
struct FoldedFloat {
    double number = 0;
    bool is_truth = false;
};
std::optional<FoldedFloat> fold_floats(const builtin::Row& row, std::span<const double> args,
                                       double least_normal);

}  // namespace caldera::frontend
