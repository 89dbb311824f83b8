// SPDX-License-Identifier: Apache-2.0
// Fault: a rule that a module breaks at one place.
#pragma once

#include <cstdint>
#include <string>

namespace caldera::spirv {

/// A fault, and where it is. Names of values are those of OpName, or of SPIRV-Tools' where there is none.
struct Fault {
    std::string message = {};      ///< a sentence without a full stop
    std::string rule = {};         ///< the id of a rule of Vulkan's ("VUID-..."), or empty
    std::string hint = {};         ///< a sentence that says what to do, or empty
    std::string instruction = {};  ///< as assembly; empty if the fault is of no single instruction
    std::string function = {};     ///< the function that has the instruction, or empty
    std::string file = {};         ///< the source, from OpLine or DebugLine; empty where there is none
    uint32_t line = 0, column = 0;
    size_t ordinal = 0;  ///< the instruction's number in the module, from 1; 0: none
    /// Its bytes in the module, unless SPIRV-Tools saw another one (spirv/validator.h): then 0.
    uint64_t offset_bytes = 0, length_bytes = 0;
};

}  // namespace caldera::spirv
