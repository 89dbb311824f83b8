// SPDX-License-Identifier: Apache-2.0
// Findings for other programs: JSON as GCC writes it, and SARIF 2.1.0.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "spirv/support/finding.h"

namespace caldera::tools {

enum class Format : uint8_t { Text, Json, Sarif };

/// The rule of a finding about SPIR-V whose rule has no id of its own.
inline constexpr std::string_view kSpirvRule = "spirv";

/// The program that found something.
struct Tool {
    std::string_view name = {};       ///< "clc2spv"
    std::string_view full_name = {};  ///< one line
    bool succeeded = true;            ///< it did what it was called for
};

/// An array with an object for each finding, in the form of `gcc -fdiagnostics-format=json`; with a newline.
/// Where it has no word for what we know: "hint", "included-from", and the finding's properties.
std::string to_json(std::span<const Finding> findings);

/// A log of SARIF 2.1.0 with one run. Names of files are relative where they were given so. A rule is a
/// warning group, a rule of Vulkan's or, without a name, "error" or "warning".
std::string to_sarif(std::span<const Finding> findings, const Tool& tool);

}  // namespace caldera::tools
