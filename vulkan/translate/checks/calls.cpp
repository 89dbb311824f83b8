// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/calls.h"

namespace caldera::vulkan {

using spirv::Function;
using spirv::Instruction;
using spv::Op;

spirv::IdSet named_elsewhere(const spirv::Module& module) {
    spirv::IdSet functions, named;
    for (const Function& function : module.functions) functions.insert(function.id());
    for (const Instruction& entry : module.entry_points) named.insert(entry.id(1));
    for (const Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                for (size_t i = inst.op == Op::OpFunctionCall ? 1 : 0; i < inst.operands.size(); ++i)
                    if (inst.operands[i].is_id && functions.contains(inst.id(i))) named.insert(inst.id(i));
    return named;
}

}  // namespace caldera::vulkan
