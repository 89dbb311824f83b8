// SPDX-License-Identifier: Apache-2.0
// WrittenParts: which components of vectors a function reads from a variable, and which it writes. Front ends
// load a whole vector to change one component of it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Which components of a vector a store writes.
struct StoredParts {
    /// A component whose index is computed at run time.
    struct Dynamic {
        spirv::Id index = {};
        std::vector<uint32_t> written = {};  ///< for each value of the index: the components (bits)
    };
    uint32_t fixed = 0;  ///< components (bits)
    std::vector<Dynamic> dynamic = {};

    uint32_t all() const;  ///< those that may be written (bits)
};

/// The function must not change as long as this is used.
class WrittenParts {
 public:
    WrittenParts(const spirv::Builder& builder, const spirv::Function& function);

    /// The components (bits) that are used one by one of a vector that was loaded; none if it is used as a
    /// whole,
    /// or by an atomic operation.
    std::optional<uint32_t> read_of(const spirv::Instruction& load) const;
    /// The components that a stored vector does not have from the place to which it is stored.
    StoredParts written_by(const spirv::Instruction& store) const;

 private:
    std::optional<uint32_t> needed(spirv::Id vector, spirv::Id pointer, uint32_t in_place, int depth) const;
    /// Where the components of a vector are from.
    struct Sources {
        std::array<int, 16> of = {};  ///< the component of what was loaded, or kNew, or kUndefined
        std::vector<StoredParts::Dynamic> dynamic = {};  ///< components that are new, whatever `of` says
    };
    Sources sources_of(spirv::Id vector, spirv::Id pointer, int depth) const;
    uint32_t all(spirv::Id vector) const;

    const spirv::Builder& builder_;
    spirv::IdMap<const spirv::Instruction*> defs_ = {};
    spirv::IdMap<std::vector<const spirv::Instruction*>> users_ = {};
};

}  // namespace caldera::vulkan
