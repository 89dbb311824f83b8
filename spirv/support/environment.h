// SPDX-License-Identifier: Apache-2.0
// Variables of the environment, for code that lives in other people's processes.
#pragma once

#include <cstdlib>
#include <string_view>

namespace caldera {

/// A variable's value, empty where there is none, and in processes with more rights than their user: they must not write or load
/// what the user names.
inline std::string_view environment(const char* name) {
    const char* value = ::secure_getenv(name);
    return value ? value : "";
}

}  // namespace caldera
