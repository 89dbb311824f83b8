// SPDX-License-Identifier: Apache-2.0
// --driver=: whose faults the module is made for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spirv/support/result.h"
#include "vulkan/known_drivers.h"

namespace caldera::tools {

struct DriverChoice {
    std::string text = {};  ///< as it was given
    vulkan::Driver driver = vulkan::Driver::Unknown;
    std::optional<vulkan::DriverVersion> version =
        {};  ///< without it the driver has what any of its versions has
};

/// NAME or NAME:VERSION. Numbers that the version lacks are 0, which is the oldest such version. The error's
/// sentence says what is wrong with the text.
Result<DriverChoice> parse_driver(std::string_view text);
/// What --driver=help prints: each driver with its quirks, and the versions that have them.
std::string drivers_help();

}  // namespace caldera::tools
