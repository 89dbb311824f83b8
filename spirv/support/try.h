// SPDX-License-Identifier: Apache-2.0
// TRY, for functions that give a Result. For source files: no header includes this one.
#pragma once

#include "spirv/support/result.h"

/// Ends the function with the error of a Result that has one. Its value is not wanted.
#define TRY(...)                                                                \
    do {                                                                        \
        if (const auto& tried_ = (__VA_ARGS__); !tried_) return tried_.error(); \
    } while (false)
