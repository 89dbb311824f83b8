// SPDX-License-Identifier: Apache-2.0
// The instructions of device-side enqueue (SPIR-V 3.42.23), and the blocks in their operands.
#pragma once

#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Whether an instruction needs a device queue or queries a block.
bool is_enqueue(spv::Op op);

/// Whether the operands of an instruction have valid types. Validators do not check all of them.
bool has_enqueue_operands(const spirv::Builder& builder, const spirv::Instruction& inst);

/// The operands for a block: its kernel's function, a pointer to the captures, and their constant size and
/// alignment.
struct BlockOperands {
    spirv::Id kernel = {}, captures = {}, size = {}, alignment = {};
};
/// The index of an instruction's first BlockOperands; nullopt if it has none.
std::optional<size_t> block_operands_at(const spirv::Instruction& inst);
std::optional<BlockOperands> block_operands(const spirv::Instruction& inst);

/// Whether a function has the parameters of a block (OpenCL C 6.13.17): a generic pointer to its captures,
/// then pointers to local memory.
bool takes_captures(const spirv::Builder& builder, const spirv::Function& function);

/// The type of `size_bytes` as which a function accesses the captures that its first parameter points to, or
/// none.
spirv::Id captures_type(const spirv::Builder& builder, const OpenclLayout& layout,
                        const spirv::IdMap<const spirv::Function*>& functions, spirv::Id function,
                        uint64_t size_bytes);

/// Whether all that a function does with its captures is to load numbers and vectors of them, at any offset:
/// LLVM's optimiser leaves no type of the captures.
bool loads_only_numbers(const spirv::Builder& builder, const spirv::IdMap<const spirv::Function*>& functions,
                        spirv::Id function);

/// In memory, a block's size, its alignment and an unused pointer precede its captures (as in clang's block
/// literals).
constexpr uint32_t kBlockHeaderMembers = 3;
constexpr uint64_t kBlockHeaderBytes = 16;

}  // namespace caldera::vulkan
