// SPDX-License-Identifier: Apache-2.0
/// @file
/// CALDERA_API marks what libcaldera exports; the library hides everything else.
#pragma once

/// Marks a class or function that libcaldera exports. On Windows, programs call them by the import library.
#if !defined(_WIN32)
#define CALDERA_API __attribute__((visibility("default")))
#elif defined(CALDERA_BUILDS_LIBRARY)
#define CALDERA_API __declspec(dllexport)
#else
#define CALDERA_API
#endif
