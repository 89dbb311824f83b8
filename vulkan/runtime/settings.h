// SPDX-License-Identifier: Apache-2.0
// Environment variables that have other defaults in some programs.
#pragma once

#include <string_view>

namespace caldera::runtime {

/// The value that `variable` has by default in a program, or empty (program_settings.def).
std::string_view program_setting(std::string_view program, std::string_view variable);

/// The value of an environment variable, else what it is by default in the program that runs.
std::string_view setting(const char* variable);

}  // namespace caldera::runtime
