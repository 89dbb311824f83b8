// SPDX-License-Identifier: Apache-2.0
/// @file
/// CALDERA_API marks what libcaldera exports; the library hides everything else.
#pragma once

#define CALDERA_API __attribute__((visibility("default")))
