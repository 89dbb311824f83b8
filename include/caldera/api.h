// SPDX-License-Identifier: Apache-2.0
/// @file
/// CALDERA_API marks what libcaldera exports; the library hides everything else.
#pragma once

/// Marks a class or function that libcaldera exports.
#define CALDERA_API __attribute__((visibility("default")))
