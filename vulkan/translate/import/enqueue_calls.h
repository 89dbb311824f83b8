// SPDX-License-Identifier: Apache-2.0
// Instructions of device-side enqueue (SPIR-V 3.42.23) and the blocks that they name.
#pragma once

#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// True for an instruction that needs a device queue, or asks about blocks.
bool is_enqueue(spv::Op op);

/// Whether an instruction has operands of the types that it takes: validators do not look at all of them.
bool has_enqueue_operands(const spirv::Builder& builder, const spirv::Instruction& inst);

/// What stands for a block: its kernel's function, a pointer to the captures, their size and alignment, both constant.
struct BlockOperands {
    spirv::Id kernel = {}, captures = {}, size = {}, alignment = {};
};
/// Where an instruction's BlockOperands begin; nothing where it has none.
std::optional<size_t> block_operands_at(const spirv::Instruction& inst);
std::optional<BlockOperands> block_operands(const spirv::Instruction& inst);

/// Whether a function can be a block's (OpenCL C 6.13.17): a generic pointer to its captures, then pointers to local memory.
bool takes_captures(const spirv::Builder& builder, const spirv::Function& function);

/// What a function whose first parameter points to a block's captures takes them for: a type of `size_bytes`, or none.
spirv::Id captures_type(const spirv::Builder& builder, const OpenclLayout& layout,
                        const spirv::IdMap<const spirv::Function*>& functions, spirv::Id function,
                        uint64_t size_bytes);

/// Before the captures a block has its size, its alignment and a pointer that means nothing (clang's block literals).
constexpr uint32_t kBlockHeaderMembers = 3;
constexpr uint64_t kBlockHeaderBytes = 16;

}  // namespace caldera::vulkan
