// SPDX-License-Identifier: Apache-2.0
// How a command translates a module, and what it declines.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spirv/specialize.h"
#include "spirv/support/finding.h"
#include "spirv/support/result.h"
#include "tools/clc2spv/command_line.h"
#include "vulkan/translate/options.h"

namespace caldera::tools {

/// The translator's options, without values of specialisation constants and without an observer of passes.
/// `trusted_input`: the module is of Caldera's front end.
vulkan::TranslateOptions translate_options(const Command& command, bool trusted_input);

/// --spec-constant's values as the module's constants have them.
Result<spirv::SpecValues> spec_values(const Command& command, std::span<const uint32_t> words);

/// Names a kernel with more pointers than the device has storage buffers; empty if there is none. A target
/// without a profile allows any number, since common kernels have more pointers than Vulkan's minimum of 4
/// storage buffers.
std::string too_many_buffers(const Command& command, const vulkan::ProgramInterface& interface);

/// The place in "kernel 'k' (k.cl:3:14): ...", as the translator gives it; else the file alone.
TextRange place_in(const std::string& file, const std::string& message);
/// "FILE:3:14", or nothing.
std::optional<TextRange> place_of(std::string_view text);

}  // namespace caldera::tools
