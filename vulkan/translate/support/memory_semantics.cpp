// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/memory_semantics.h"

#include "spirv/op_class.h"

namespace caldera::vulkan {

void fix_semantics(spirv::Builder& builder, spirv::Instruction& inst) {
    using enum spv::MemorySemanticsMask;
    const auto fix = [&](size_t operand, uint32_t strongest) {
        if (!builder.constant_value(inst.id(operand)))
            inst.operands[operand] = builder.constant_u32(strongest);
    };
    const auto fix_scope = [&](size_t operand, spv::Scope scope) {
        fix(operand, static_cast<uint32_t>(scope));
    };
    const auto fix_order = [&](size_t operand) {
        fix(operand, static_cast<uint32_t>(SequentiallyConsistent | WorkgroupMemory | CrossWorkgroupMemory |
                                           ImageMemory));
    };
    switch (inst.op) {
        case spv::Op::OpControlBarrier:
            fix_scope(0, spv::Scope::Workgroup);
            fix_scope(1, spv::Scope::Device);
            fix_order(2);
            break;
        case spv::Op::OpMemoryBarrier:
            fix_scope(0, spv::Scope::Device);
            fix_order(1);
            break;
        default:
            if (!spirv::is_atomic(inst.op)) break;
            fix_scope(1, spv::Scope::Device);
            fix_order(2);
            if (inst.op == spv::Op::OpAtomicCompareExchange ||
                inst.op == spv::Op::OpAtomicCompareExchangeWeak)
                fix_order(3);
            break;
    }
}

}  // namespace caldera::vulkan
