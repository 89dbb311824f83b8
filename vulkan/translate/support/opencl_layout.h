// SPDX-License-Identifier: Apache-2.0
// Sizes and offsets of types in memory, by OpenCL C 6.1.5 "Alignment of Types".
#pragma once

#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

struct TypeLayout {
    uint64_t size_bytes = 0;
    uint64_t alignment_bytes = 1;
};

/// Computes the layout of each type of one module once. Pointers have 8 bytes, a vector of 3 has the size of
/// one of 4, and bool has a byte. A struct decorated CPacked has no padding.
class OpenclLayout {
 public:
    explicit OpenclLayout(const spirv::Builder& builder);
    TypeLayout of(spirv::Id type) const;
    /// nullopt for types without a size: opaque types, and arrays whose length is not constant.
    std::optional<TypeLayout> find(spirv::Id type) const;
    /// The offset of a struct member.
    uint64_t member_offset(spirv::Id struct_type, uint32_t member) const;
    bool is_packed(spirv::Id struct_type) const { return packed_.contains(struct_type); }
    /// Whether the type is or contains a packed struct.
    bool has_packed(spirv::Id type) const { return has_packed_.contains(type); }

 private:
    std::optional<TypeLayout> compute(spirv::Id type) const;

    const spirv::Builder& builder_;
    spirv::IdSet packed_ = {}, has_packed_ = {};
    mutable spirv::IdMap<TypeLayout> known_ = {};
    mutable spirv::IdMap<std::vector<uint64_t>> offsets_ =
        {};  // of the members of structs that were asked about
};

}  // namespace caldera::vulkan
