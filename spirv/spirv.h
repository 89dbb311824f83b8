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

/// The environments that a module can be made and checked for.
enum class Target : uint8_t {
    OpenCL12,
    OpenCL20,
    OpenCL21,
    OpenCL22,  // SPIR-V 1.0, 1.0, 1.0 (1.1 from 2.2 on)
    Vulkan11,
    Vulkan12,
    Vulkan13,  // SPIR-V 1.3, 1.5, 1.6
};
constexpr bool is_vulkan(Target target) { return target >= Target::Vulkan11; }
std::string_view name(Target target);  ///< "opencl1.2" ... "vulkan1.3"
bool parse_target(std::string_view text, Target& target);
uint32_t spirv_version(Target target);  ///< as in the module header

/// Reads a binary module of either byte order. Bounded by the size of the input; every malformed word is an
/// error that names its word index. Ids are checked against the bound, not against their uses: see verify().
Result<Module> read(std::span<const uint32_t> words);
std::vector<uint32_t> write(const Module& module);

/// Structural invariants that hold at every stage of translation: ids defined once and before use where
/// dominance is by order, blocks terminated, branch targets in the same function, operand counts by the
/// grammar, types where types are expected, phis that name exactly the predecessors. Returns the first fault.
Result<Done> verify(const Module& module);

/// spirv-val for the target's environment, for OpenCL with any number of parameters. The error is its message and the instruction.
Result<Done> validate(std::span<const uint32_t> words, Target target);
/// The same by SPIR-V's own rules alone, any version, no environment: for modules from elsewhere. (Both: see float_controls2.h.)
Result<Done> validate(std::span<const uint32_t> words);
/// Assembly text, as spirv-dis prints it (friendly names optional).
Result<std::string> disassemble(std::span<const uint32_t> words, bool friendly_names = true);
/// Assembles text; the error's message begins with "LINE:COLUMN: ".
Result<std::vector<uint32_t>> assemble(std::string_view text, Target target);
/// SPIRV-Tools' optimiser, from level 2 on: blocks merged, parts of vectors and inserts that nobody reads dropped.
Result<std::vector<uint32_t>> optimize(std::span<const uint32_t> words, Target target, int level);

}  // namespace caldera::spirv
