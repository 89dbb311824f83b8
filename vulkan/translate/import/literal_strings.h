// SPDX-License-Identifier: Apache-2.0
// LiteralStrings: the strings that pointers to constant memory are known to point to.
#pragma once

#include <optional>
#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Follows a pointer to the constant that it points to, through casts, constant indices, and private
/// variables that are stored once. This defines which strings are "known at compile time" before any
/// optimization. Meanwhile the module may change, except for its globals and the function that was entered
/// last.
class LiteralStrings {
 public:
    explicit LiteralStrings(const spirv::Builder& builder) : builder_(builder) {}

    /// Selects the function whose values the next calls of find() are about.
    void enter(const spirv::Function& function);
    /// The text up to the first nul.
    std::optional<std::string> find(spirv::Id pointer) const;

 private:
    struct Place {
        spirv::Id variable = {};
        uint64_t offset_bytes = 0;
    };
    std::optional<Place> place(spirv::Id pointer) const;
    std::optional<uint64_t> offset(const spirv::Instruction& chain, size_t first) const;
    std::optional<uint64_t> size_of(spirv::Id type) const;
    spirv::Id uncast(spirv::Id pointer) const;
    bool read(spirv::Id constant, std::string& bytes) const;

    const spirv::Builder& builder_;
    spirv::IdMap<const spirv::Instruction*> defs_ = {};
    spirv::IdMap<spirv::Id> stored_ = {};  // variable -> its only value; none if there may be others
    spirv::IdMap<spirv::Id> cast_ = {};    // cast pointer -> the pointer
};

}  // namespace caldera::vulkan
