// SPDX-License-Identifier: Apache-2.0
// ArgumentReader: reads values from a kernel's argument block, wherever the block is.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "spirv/builder.h"
#include "vulkan/interface.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// The descriptor of a buffer.
struct DescriptorPlace {
    uint32_t set = 0, binding = 0;
};

/// Emits loads of one kernel's argument block to the builder's sink. The block is read in units of 4 and 8
/// bytes: what is smaller, or not aligned, is cut out of 32-bit words, so neither 8- nor 16-bit push
/// constants are needed. finish() makes the block's variable, with exactly the members that were read.
class ArgumentReader {
 public:
    /// `place` is that of a block with a binding. With `has_int64`, members may be 64-bit integers.
    ArgumentReader(spirv::Builder& builder, const OpenclLayout& layout, ArgumentBlock block,
                   DescriptorPlace place, bool has_int64)
        : builder_(builder),
          layout_(layout),
          block_(block),
          place_(place),
          has_int64_(has_int64),
          variable_(builder.fresh()) {}

    /// Loads a value of `type` at a byte offset. Structs and arrays have OpenCL's layout.
    spirv::Id load(spirv::Id type, uint64_t offset_bytes);
    /// The address of a block that is a Buffer, as 64 bits.
    spirv::Id address();
    /// A pointer to the word at a computed index, in a block of `block_bytes` with a binding.
    spirv::Id word(spirv::Id index, uint32_t block_bytes);
    void finish(std::string_view name);

 private:
    struct Member {
        spirv::Id type = {};
        uint64_t offset_bytes = 0;
    };
    spirv::Id load_scalar(spirv::Id type, uint64_t offset);
    spirv::Id load_vector(spirv::Id type, uint64_t offset);
    spirv::Id load_narrow_vector(spirv::Id type, uint64_t offset);
    spirv::Id load_aggregate(spirv::Id type, uint64_t offset);
    spirv::Id word_at(uint64_t offset);
    bool is_unit(spirv::Id element, uint64_t offset, uint64_t alignment) const {
        const bool is_long = builder_.is_int(element) && builder_.width(element) == 64;
        return offset % alignment == 0 && (has_int64_ || !is_long);
    }
    spirv::Id load_unit(spirv::Id type, uint64_t offset);
    spirv::Id load_member(spirv::Id type, uint64_t offset);
    void make_variable(spirv::Id variable, spirv::Id block, const std::string& name);
    spv::StorageClass storage() const {
        switch (block_) {
            case ArgumentBlock::UniformBuffer: return spv::StorageClass::Uniform;
            case ArgumentBlock::StorageBuffer: return spv::StorageClass::StorageBuffer;
            case ArgumentBlock::PushConstants:
            case ArgumentBlock::Buffer: break;
        }
        return spv::StorageClass::PushConstant;
    }

    spirv::Builder& builder_;
    const OpenclLayout& layout_;
    ArgumentBlock block_;
    DescriptorPlace place_;
    bool has_int64_;
    spirv::Id variable_ = {};
    spirv::Id address_ = {};  // Buffer: the block's address, loaded once
    spirv::Id rows_ = {};     // with a binding: a second variable for it, an array of uint4
    spirv::Id rows_block_ = {};
    std::vector<Member> members_ = {};
    std::map<std::pair<uint64_t, uint32_t>, spirv::Id> units_ = {};  // (offset, type) -> loaded value
};

}  // namespace caldera::vulkan
