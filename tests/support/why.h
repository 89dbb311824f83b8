// SPDX-License-Identifier: Apache-2.0
// The message beside a check of a Result: `REQUIRE_MESSAGE(words, why(words))`. With -s doctest prints the
// messages of checks that pass too, and a success has no error to ask.
#pragma once

#include <string>

#include "caldera/result.h"

namespace caldera {

/// Why there is no value; empty where there is one.
template <class T>
std::string why(const Result<T>& result) {
    return result ? std::string() : result.error().message;
}

}  // namespace caldera
