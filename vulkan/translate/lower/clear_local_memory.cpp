// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/clear_local_memory.h"

#include <iterator>
#include <utility>
#include <vector>

#include "spirv/sink_scope.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Builder;
using spirv::Id;
using spv::Op;

/// The blocks of a loop over an array's elements: for (i = index; i < length; i += work_items) array[i] = 0.
/// `before` branches to the loop, which branches to `after`.
void append_loop(Builder& builder, Id array, Id index, Id work_items, Id before, Id header_label, Id after,
                 std::vector<Block>& out) {
    const Id u32 = builder.type_int(32), whole = builder.pointee(builder.type_of(array));
    const bool is_block = local_block_width(builder, array) != 0;
    const Id type = is_block ? builder.find_global(whole)->id(0) : whole;
    const Id element = builder.element(type);
    const Id pointer = builder.type_pointer(spv::StorageClass::Workgroup, element);
    const Id length = builder.find_global(type)->id(1), zero = builder.constant_null(element);
    Block header{.label = header_label}, body{.label = builder.fresh()}, turn{.label = builder.fresh()};
    const Id next = builder.fresh();
    {
        const spirv::SinkScope sink(builder, &header.body);
        const Id i = builder.append(Op::OpPhi, u32, {index, before, next, turn.label});
        const Id is_inside = builder.append(Op::OpULessThan, builder.type_bool(), {i, length});
        header.merge = {.op = Op::OpLoopMerge, .operands = {after, turn.label, 0u}};
        header.terminator = {.op = Op::OpBranchConditional, .operands = {is_inside, body.label, after}};
        builder.set_sink(&body.body);
        spirv::Operands place = {array, i};
        if (is_block) place = {array, builder.constant_u32(0), i};
        builder.append_void(Op::OpStore,
                            {builder.append(Op::OpAccessChain, pointer, std::move(place)), zero});
        body.terminator = {.op = Op::OpBranch, .operands = {turn.label}};
        builder.set_sink(&turn.body);
        builder.append({.op = Op::OpIAdd, .type = u32, .result = next, .operands = {i, work_items}});
        turn.terminator = {.op = Op::OpBranch, .operands = {header.label}};
    }
    for (Block* block : {&header, &body, &turn}) out.push_back(std::move(*block));
}

}  // namespace

uint32_t local_block_width(const Builder& builder, Id variable) {
    const spirv::Instruction* block = builder.find_global(builder.pointee(builder.type_of(variable)));
    if (block->op != Op::OpTypeStruct) return 0;
    const Id element = builder.element(block->id(0));
    return builder.width(element) * builder.count(element);
}

void clear_local_memory(Builder& builder, spirv::Function& kernel, size_t instructions,
                        std::span<const Id> arrays, Id index, Id work_items) {
    Block& rest = kernel.blocks.front();
    Block entry{.label = builder.fresh()};
    const auto end = rest.after_variables() + static_cast<std::ptrdiff_t>(instructions);
    entry.body.assign(std::make_move_iterator(rest.body.begin()), std::make_move_iterator(end));
    rest.body.erase(rest.body.begin(), end);

    // Each loop ends in the header of the next one, and the last in a block that waits.
    std::vector<Id> labels;
    for (size_t i = 0; i <= arrays.size(); ++i) labels.push_back(builder.fresh());
    entry.terminator = {.op = Op::OpBranch, .operands = {labels[0]}};
    std::vector<Block> blocks;
    Id before = entry.label;
    blocks.push_back(std::move(entry));
    for (size_t i = 0; i < arrays.size(); ++i) {
        append_loop(builder, arrays[i], index, work_items, before, labels[i], labels[i + 1], blocks);
        before = labels[i];
    }
    Block wait{.label = labels.back()};
    {
        const spirv::SinkScope sink(builder, &wait.body);
        const Id group = builder.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
        const Id semantics = builder.constant_u32(static_cast<uint32_t>(
            spv::MemorySemanticsMask::AcquireRelease | spv::MemorySemanticsMask::WorkgroupMemory));
        builder.append_void(Op::OpControlBarrier, {group, group, semantics});
    }
    wait.terminator = {.op = Op::OpBranch, .operands = {rest.label}};
    blocks.push_back(std::move(wait));
    kernel.blocks.insert(kernel.blocks.begin(), std::make_move_iterator(blocks.begin()),
                         std::make_move_iterator(blocks.end()));
}

}  // namespace caldera::vulkan
