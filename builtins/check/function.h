// SPDX-License-Identifier: Apache-2.0
// Functions that the translator calls by their mangled names.
#pragma once

#define FUNCTION __attribute__((overloadable))
