// SPDX-License-Identifier: Apache-2.0
// LargeTypes: structs and arrays that are better copied in memory than loaded as values.
#pragma once

#include <algorithm>
#include <cstdint>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// the most scalars and vectors of an aggregate that is accessed one by one
constexpr uint64_t kFewLeaves = 64;

class LargeTypes {
 public:
    explicit LargeTypes(const spirv::Builder& builder) : builder_(builder) {}
    /// Whether the type contains more than kFewLeaves scalars and vectors.
    bool operator()(spirv::Id type) { return leaves(type, 0) > kFewLeaves; }

 private:
    static constexpr uint64_t kMost = uint64_t{1} << 31;
    static constexpr uint32_t kMaxTypeDepth = 64;

    uint64_t leaves(spirv::Id type, uint32_t depth) {
        const spirv::Instruction* inst = builder_.find_global(type);
        const bool is_struct = inst && inst->op == spv::Op::OpTypeStruct;
        if (!is_struct && (!inst || inst->op != spv::Op::OpTypeArray)) return 1;
        if (const auto found = known_.find(type); found != known_.end()) return found->second;
        uint64_t sum = 0;
        if (depth < kMaxTypeDepth && is_struct)
            for (uint32_t i = 0; i < builder_.member_count(type); ++i)
                sum = std::min(sum + leaves(builder_.member(type, i), depth + 1), kMost);
        if (depth < kMaxTypeDepth && !is_struct)
            sum = std::min(builder_.constant_value(inst->id(1)).value_or(0), kMost) *
                  leaves(builder_.element(type), depth + 1);
        return known_[type] = std::min(sum, kMost);
    }

    const spirv::Builder& builder_;
    spirv::IdMap<uint64_t> known_ = {};
};

}  // namespace caldera::vulkan
