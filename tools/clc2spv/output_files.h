// SPDX-License-Identifier: Apache-2.0
// The files that a command writes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "spirv/support/result.h"
#include "tools/clc2spv/command_line.h"

namespace caldera::tools {

std::string stem(const std::string& path);  ///< "dir/saxpy.cl" -> "saxpy"
std::string_view extension(Emit emit);      ///< of a file's name by default, with its dot

/// Where what is made from an input goes; "-" is standard output.
std::string output_name(const Command& command, const std::string& input);
/// Where an input's rule for make goes, of -M or -MD.
std::string rule_name(const Command& command, const std::string& input);

/// Refuses a command that would overwrite what it reads, or one output with another.
Result<Done> check_outputs(const Command& command);
/// Refuses to overwrite what the compiler has read for any of the inputs: their headers.
Result<Done> check_outputs_beside(const Command& command, std::span<const std::string> read);

}  // namespace caldera::tools
