// SPDX-License-Identifier: Apache-2.0
// The door of spirv/: words <-> Module, and SPIRV-Tools behind a few functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/builder.h"
#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::spirv {

/// The environments for which a module can be made and validated.
enum class Target : uint8_t {
    OpenCL12,
    OpenCL20,
    OpenCL21,
    OpenCL22,  // SPIR-V 1.0, 1.0, 1.0, 1.1
    OpenCL30,
    OpenCL31,  // SPIR-V 1.2
    Vulkan11,
    Vulkan12,
    Vulkan13,  // SPIR-V 1.3, 1.5, 1.6
};
constexpr bool is_vulkan(Target target) { return target >= Target::Vulkan11; }
std::string_view name(Target target);  ///< "opencl1.2" ... "vulkan1.3"
bool parse_target(std::string_view text, Target& target);
uint32_t spirv_version(Target target);  ///< as in the module header

/// Reads a binary module of either byte order. Takes time and memory in proportion to the input. Each error
/// names the index of a malformed word. Ids are checked against the bound, but not against their uses: see
/// verify().
Result<Module> read(std::span<const uint32_t> words);
std::vector<uint32_t> write(const Module& module);

/// Checks structural invariants that hold at every stage of translation. Ids are defined once, and before use
/// if dominance follows from the order. Blocks are terminated, and branch targets are in the same function.
/// Operand counts match the grammar, types are where the grammar expects them, and phis name exactly the
/// predecessors. Returns the first violation.
Result<Done> verify(const Module& module);

/// Runs spirv-val for the target's environment; for OpenCL it allows any number of parameters. The error has
/// its message and the instruction.
Result<Done> validate(std::span<const uint32_t> words, Target target);
/// The same with only SPIR-V's own rules, for any version and no environment: for modules from other
/// compilers. (For both functions, see float_controls2.h.)
Result<Done> validate(std::span<const uint32_t> words);
/// Assembly text, as spirv-dis prints it (friendly names optional).
Result<std::string> disassemble(std::span<const uint32_t> words, bool friendly_names = true);
/// Assembles text; the error's message begins with "LINE:COLUMN: ".
Result<std::vector<uint32_t>> assemble(std::string_view text, Target target);
/// Runs SPIRV-Tools' optimizer from level 2 on: it merges blocks and removes vector components and insertions
/// that are never read.
Result<std::vector<uint32_t>> optimize(std::span<const uint32_t> words, Target target, int level);

}  // namespace caldera::spirv
