// SPDX-License-Identifier: Apache-2.0
// expand_blocks: has each work-item load and store its own elements of the blocks of memory that a sub-group
// reads and writes (cl_intel_subgroups). Component c of a work-item is element c * (sub-group size) + (its id
// in the sub-group).
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

class BlockExpansion {
 public:
    explicit BlockExpansion(spirv::Builder& builder) : builder_(builder) {}

    /// Appends the loads or stores, and returns whether the instruction was a block read or write.
    bool expand(const Instruction& inst) {
        if (inst.op == Op::OpSubgroupBlockReadINTEL)
            read(inst);
        else if (inst.op == Op::OpSubgroupBlockWriteINTEL)
            write(inst);
        else
            return false;
        return true;
    }

 private:
    Id input(spv::BuiltIn built_in, Id& variable) {
        const Id u32 = builder_.type_int(32);
        if (!variable) variable = new_built_in_variable(builder_, built_in, u32);
        return builder_.append(Op::OpLoad, u32, {variable});
    }

    /// The work-item's element of the block's row `component`.
    Id pointer_to(Id block, Id element, uint32_t component) {
        const Id type = builder_.type_pointer(builder_.storage(builder_.type_of(block)), element);
        const Id base =
            builder_.type_of(block) == type ? block : builder_.append(Op::OpBitcast, type, {block});
        const Id u32 = builder_.type_int(32);
        const Id size = input(spv::BuiltIn::SubgroupMaxSize, size_);
        const Id row = builder_.append(Op::OpIMul, u32, {size, builder_.constant_u32(component)});
        const Id lane = input(spv::BuiltIn::SubgroupLocalInvocationId, lane_);
        const Id index = builder_.append(Op::OpIAdd, u32, {row, lane});
        return builder_.append(Op::OpInBoundsPtrAccessChain, type, {base, index});
    }

    void read(const Instruction& inst) {
        const Id element = builder_.element(inst.type);
        const uint32_t count = builder_.count(inst.type), bytes = builder_.width(element) / 8;
        spirv::Operands parts;
        for (uint32_t c = 0; c < count; ++c)
            parts.push_back(
                builder_.append(Op::OpLoad, element,
                                {pointer_to(inst.id(0), element, c), spv::MemoryAccessMask::Aligned, bytes}));
        if (count > 1) builder_.append(Op::OpCompositeConstruct, inst.type, std::move(parts));
    }

    void write(const Instruction& inst) {
        const Id type = builder_.type_of(inst.id(1)), element = builder_.element(type);
        const uint32_t count = builder_.count(type), bytes = builder_.width(element) / 8;
        for (uint32_t c = 0; c < count; ++c) {
            const Id part =
                count == 1 ? inst.id(1) : builder_.append(Op::OpCompositeExtract, element, {inst.id(1), c});
            builder_.append_void(Op::OpStore, {pointer_to(inst.id(0), element, c), part,
                                               spv::MemoryAccessMask::Aligned, bytes});
        }
    }

    spirv::Builder& builder_;
    Id size_ = {}, lane_ = {};
};

}  // namespace

Result<Done> expand_blocks(spirv::Module& module, PassContext&) {
    spirv::Builder builder(module);
    BlockExpansion expansion(builder);
    for (spirv::Function& function : module.functions)
        for (spirv::Block& block : function.blocks)
            replace_instructions(builder, block,
                                 [&](const Instruction& inst) { return expansion.expand(inst); });
    return Done{};
}

}  // namespace caldera::vulkan
