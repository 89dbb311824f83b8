// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/enqueue_calls.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

bool is_enqueue(Op op) {
    switch (op) {
        case Op::OpEnqueueMarker:
        case Op::OpEnqueueKernel:
        case Op::OpGetKernelNDrangeSubGroupCount:
        case Op::OpGetKernelNDrangeMaxSubGroupSize:
        case Op::OpGetKernelWorkGroupSize:
        case Op::OpGetKernelPreferredWorkGroupSizeMultiple:
        case Op::OpRetainEvent:
        case Op::OpReleaseEvent:
        case Op::OpCreateUserEvent:
        case Op::OpIsValidEvent:
        case Op::OpSetUserEventStatus:
        case Op::OpCaptureEventProfilingInfo:
        case Op::OpGetDefaultQueue:
        case Op::OpBuildNDRange: return true;
        default: return false;
    }
}

std::optional<size_t> block_operands_at(const Instruction& inst) {
    switch (inst.op) {
        case Op::OpEnqueueKernel: return 6;
        case Op::OpGetKernelNDrangeSubGroupCount:
        case Op::OpGetKernelNDrangeMaxSubGroupSize: return 1;
        case Op::OpGetKernelWorkGroupSize:
        case Op::OpGetKernelPreferredWorkGroupSizeMultiple: return 0;
        default: return std::nullopt;
    }
}

std::optional<BlockOperands> block_operands(const Instruction& inst) {
    const std::optional<size_t> at = block_operands_at(inst);
    if (!at) return std::nullopt;
    return BlockOperands{inst.id(*at), inst.id(*at + 1), inst.id(*at + 2), inst.id(*at + 3)};
}

Id captures_type(const Builder& builder, const OpenclLayout& layout,
                 const spirv::IdMap<const spirv::Function*>& functions, Id function, uint64_t size_bytes) {
    constexpr int kMostCalls = 4;  // from the kernel to the block's own function
    size_t param = 0;
    for (int call = 0; call < kMostCalls; ++call) {
        const auto found = functions.find(function);
        if (found == functions.end() || param >= found->second->params.size()) return {};
        const Id captures = found->second->params[param].result;
        function = {};
        for (const spirv::Block& block : found->second->blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op == Op::OpBitcast && inst.id(0) == captures && builder.is_pointer(inst.type)) {
                    const Id type = builder.pointee(inst.type);
                    const std::optional<TypeLayout> known = layout.find(type);
                    if (known && known->size_bytes == size_bytes) return type;
                }
                if (inst.op != Op::OpFunctionCall) continue;
                for (size_t i = 1; i < inst.operands.size(); ++i)
                    if (inst.id(i) == captures) function = inst.id(0), param = i - 1;
            }
    }
    return {};
}

}  // namespace caldera::vulkan
