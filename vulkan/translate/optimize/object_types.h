// SPDX-License-Identifier: Apache-2.0
// ObjectTypes: what the objects inside a variable are made of, for split_aggregates.
#pragma once

#include "spirv/builder.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// An aggregate is a struct or an array. Its parts are the objects in it that are no aggregates.
class ObjectTypes {
 public:
    /// Variables that one becomes; also the parts of a copied object.
    static constexpr uint32_t kMaxParts = 64;
    /// Aggregates in one another.
    static constexpr uint32_t kMaxDepth = 32;

    ObjectTypes(const spirv::Builder& builder, const OpenclLayout& layout)
        : builder_(builder), layout_(layout) {}

    spirv::Id member_type(spirv::Id type, uint32_t index) const {
        return builder_.op_of_type(type) == spv::Op::OpTypeStruct ? builder_.member(type, index)
                                                                  : builder_.element(type);
    }
    uint32_t member_count(spirv::Id type) const {
        if (builder_.op_of_type(type) == spv::Op::OpTypeStruct) return builder_.member_count(type);
        return static_cast<uint32_t>(builder_.array_length(type));
    }
    /// The offset of a member or an element in bytes.
    uint64_t offset_in(spirv::Id type, uint32_t index) const {
        if (builder_.op_of_type(type) == spv::Op::OpTypeStruct) return layout_.member_offset(type, index);
        return index * layout_.of(builder_.element(type)).size_bytes;
    }
    bool is_aggregate(spirv::Id type) const {
        const spv::Op op = builder_.op_of_type(type);
        return op == spv::Op::OpTypeStruct || op == spv::Op::OpTypeArray;
    }
    /// An array whose length is an ordinary constant, or a struct.
    bool is_countable(spirv::Id type) const {
        if (builder_.op_of_type(type) == spv::Op::OpTypeStruct) return true;
        if (builder_.op_of_type(type) != spv::Op::OpTypeArray) return false;
        return builder_.constant_value(builder_.find_global(type)->id(1)).has_value();
    }
    /// 0 if the type has no layout.
    uint64_t size_of(spirv::Id type) const;
    /// More than kMaxParts for types with too many, or too deep.
    uint64_t part_count(spirv::Id type, uint32_t depth = 0) const;
    /// Whether OpBitcast can make one of the other.
    bool same_bits(spirv::Id a, spirv::Id b) const;
    /// Whether `type` is a vector of 4 and the object one of 3: clang loads and stores vectors of 3 as
    /// vectors of 4.
    bool is_padded(spirv::Id object, spirv::Id type) const;

 private:
    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
};

}  // namespace caldera::vulkan
