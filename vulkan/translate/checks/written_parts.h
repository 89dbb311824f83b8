// SPDX-License-Identifier: Apache-2.0
// WrittenParts: which components of vectors a function reads from a variable, and which it writes. Front ends
// load a whole vector to change one component of it.
#pragma once

#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// The function must not change as long as this is used.
class WrittenParts {
 public:
    WrittenParts(const spirv::Builder& builder, const spirv::Function& function);

    /// The components (bits) that are used one by one of a vector that was loaded; none if it is used as a
    /// whole.
    std::optional<uint32_t> read_of(const spirv::Instruction& load) const;
    /// The components (bits) that a stored vector does not have from the place to which it is stored.
    uint32_t written_by(const spirv::Instruction& store) const;

 private:
    std::optional<uint32_t> needed(spirv::Id vector, spirv::Id pointer, uint32_t in_place, int depth) const;
    uint32_t new_parts(spirv::Id vector, spirv::Id pointer, int depth) const;
    uint32_t all(spirv::Id vector) const;

    const spirv::Builder& builder_;
    spirv::IdMap<const spirv::Instruction*> defs_ = {};
    spirv::IdMap<std::vector<const spirv::Instruction*>> users_ = {};
};

}  // namespace caldera::vulkan
