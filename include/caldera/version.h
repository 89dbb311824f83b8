// SPDX-License-Identifier: Apache-2.0
/// @file
/// The version of Caldera. The build reads it here, so these three numbers are its only place.
///
/// Versions are semantic (semver.org). While the major version is 0, each minor version may change the
/// interface and the layout of its types, and the name of the shared library changes with it. Patches change
/// neither.
#pragma once

#include "caldera/api.h"

#define CALDERA_VERSION_MAJOR 0  ///< the major version of these headers
#define CALDERA_VERSION_MINOR 1  ///< the minor version
#define CALDERA_VERSION_PATCH 0  ///< the patch version

/// @cond helpers of CALDERA_VERSION
#define CALDERA_VERSION_TEXT(number) #number
#define CALDERA_VERSION_DOTTED(major, minor, patch) \
    CALDERA_VERSION_TEXT(major) "." CALDERA_VERSION_TEXT(minor) "." CALDERA_VERSION_TEXT(patch)
/// @endcond
/// The version of these headers as text, "0.1.0".
#define CALDERA_VERSION \
    CALDERA_VERSION_DOTTED(CALDERA_VERSION_MAJOR, CALDERA_VERSION_MINOR, CALDERA_VERSION_PATCH)

namespace caldera {

/// The version of the library that the program runs with. It differs from CALDERA_VERSION where the program
/// was compiled with the headers of another patch version. The text lives as long as the process.
CALDERA_API const char* version() noexcept;

}  // namespace caldera
