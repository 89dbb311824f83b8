// SPDX-License-Identifier: Apache-2.0
// Finds the constants of program scope that can be variables of the module, with initializers, so that no
// host has to give a buffer for them. These are constants without pointers. No pointer to one of them is ever
// stored or converted, and none may also point into an argument.
#pragma once

#include "spirv/id_map.h"
#include "vulkan/translate/memory/source.h"

namespace caldera::vulkan::memory {

/// The bytes of a program's constants that are in its module. Drivers may have a copy for each work-item.
constexpr uint64_t kMaxModuleConstantBytes = uint64_t{1} << 14;
/// The largest constant to which a selection costs less than a load (copies_constant_arrays). On Honeykrisp,
/// two accesses to 4 words are 15 instructions, to 8 words 23, and to a buffer 13.
constexpr uint64_t kMaxCopiedConstantBytes = 16;

class ModuleConstants {
 public:
    /// There are none.
    ModuleConstants() = default;
    /// As many as kMaxModuleConstantBytes has room for: the largest ones are left out, and those of more than
    /// `largest_bytes`.
    ModuleConstants(const spirv::Module& module, const Source& source, uint64_t largest_bytes);

    /// Whether the value is a pointer into one of them, or the function returns one.
    bool contains(Id pointer) const { return pointers_.contains(pointer); }

 private:
    spirv::IdSet pointers_ = {};
};

}  // namespace caldera::vulkan::memory
