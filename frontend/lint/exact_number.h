// SPDX-License-Identifier: Apache-2.0
// Whether a floating-point literal is exactly the number that its text says.
#pragma once

#include <string_view>

namespace caldera::frontend {

/// Compares digits, and computes no floating-point number: long double has the precision of double on some
/// machines. `text` is a floating-point literal of OpenCL C (C99 6.4.4.2), with or without a suffix.
bool is_exactly(std::string_view text, double value);

}  // namespace caldera::frontend
