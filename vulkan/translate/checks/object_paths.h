// SPDX-License-Identifier: Apache-2.0
// ObjectPaths: from which object the pointers of a function come, and where in it they point.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/checks/index_limits.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// A variable, or another value, and a place in it or behind it: constant + sum of index * stride.
struct ObjectPath {
    spirv::Id variable = {};
    int64_t constant = 0;
    std::vector<std::pair<spirv::Id, uint64_t>> terms = {};
};

/// The function must not change as long as it is used. The references must outlive it.
class ObjectPaths {
 public:
    ObjectPaths(const spirv::Builder& builder, const OpenclLayout& layout, const spirv::Function& function);
    /// The instruction of the function that makes the value; null if none does.
    const spirv::Instruction* def(spirv::Id value) const;
    /// None if the pointer is not derived from one variable by chains and casts alone.
    std::optional<ObjectPath> path_of(spirv::Id pointer) const;
    /// The value that chains and casts lead back to, and how far from it they lead.
    ObjectPath place_of(spirv::Id pointer) const;
    /// How far an access chain leads from its base, without the variable. None if nobody knows.
    std::optional<ObjectPath> step_of(const spirv::Instruction& chain) const;
    /// The value that a pointer is derived from; none if there are several.
    std::optional<spirv::Id> root_of(spirv::Id pointer) const;
    /// How many bytes the variable of a path has.
    uint64_t size_bytes(const ObjectPath& path) const;
    /// Whether an access in a block is wholly in its variable, whatever its indices are.
    bool is_inside(const ObjectPath& path, uint64_t bytes, const IndexLimits& limits, uint32_t block) const;

 private:
    bool add_chain(const spirv::Instruction& chain, ObjectPath& path) const;
    std::optional<spirv::Id> root_of(spirv::Id pointer, spirv::IdSet& seen, int steps) const;
    bool is_of_space(spirv::Id root, spirv::Id pointer_type) const;
    spirv::Id pointee(spirv::Id pointer) const { return builder_.pointee(builder_.type_of(pointer)); }

    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
    spirv::IdMap<const spirv::Instruction*> defs_ = {};
};

}  // namespace caldera::vulkan
