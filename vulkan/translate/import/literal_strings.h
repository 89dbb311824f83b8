// SPDX-License-Identifier: Apache-2.0
// LiteralStrings: the texts that pointers to constant memory are known to point to.
#pragma once

#include <optional>
#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Follows a pointer through casts, constant indices and private variables that are stored once to the constant that it
/// points to: what a module calls "known when it is compiled" before anything is optimised. The module may change
/// meanwhile, except in the function entered last and in its globals.
class LiteralStrings {
 public:
    explicit LiteralStrings(const spirv::Builder& builder) : builder_(builder) {}

    /// What find() is asked about next are values of this function.
    void enter(const spirv::Function& function);
    /// The text before the first nul.
    std::optional<std::string> find(spirv::Id pointer) const;

 private:
    struct Place {
        spirv::Id variable = {};
        uint64_t offset_bytes = 0;
    };
    std::optional<Place> place(spirv::Id pointer) const;
    std::optional<uint64_t> offset(const spirv::Instruction& chain, size_t first) const;
    std::optional<uint64_t> size_of(spirv::Id type) const;
    bool read(spirv::Id constant, std::string& bytes) const;

    const spirv::Builder& builder_;
    spirv::IdMap<const spirv::Instruction*> defs_ = {};
    spirv::IdMap<spirv::Id> stored_ = {};  // variable -> its only value; none when there may be others
};

}  // namespace caldera::vulkan
