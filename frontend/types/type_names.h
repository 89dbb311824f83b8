// SPDX-License-Identifier: Apache-2.0
// What names of built-in types need of a device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/features.h"

namespace caldera::frontend {

/// The extensions and features without which the language has no type of this name, though the standard has
/// one: those of atomic_long, where the device has no 64-bit atomics. Empty for all other names.
std::vector<Ext> missing_for_type(std::string_view name, const Features& features);

/// The names of all built-in types that the language has, those of vectors too. Keywords are not among them.
std::vector<std::string> builtin_type_names(const Features& features);

}  // namespace caldera::frontend
