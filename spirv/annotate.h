// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spirv/support/result.h"

namespace caldera::spirv {

/// The disassembly of the functions, with each line of the source above the instructions that come from it,
/// as far as debug information tells: OpLine, or OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.100.
/// Lines of inlined functions name the calls, and where a variable gets a place or a value, a comment says
/// so.
Result<std::string> annotate(std::span<const uint32_t> words);

}  // namespace caldera::spirv
