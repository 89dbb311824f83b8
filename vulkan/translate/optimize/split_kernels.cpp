// SPDX-License-Identifier: Apache-2.0
// split_kernels: separates entry points, which must not be called (SPIR-V 2.16.1), from kernels that other
// kernels call, which OpenCL C allows. After: a kernel that was called is an entry point and a separate
// function. Functions that no entry point reaches are gone, with their names and decorations, except for
// those that emulate_doubles may call. With descriptors, no two kernels share a function that handles global
// pointers.

#include "spirv/id_map.h"
#include "vulkan/translate/optimize/separate_kernels.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

void split_called_kernels(Module& module) {
    IdMap<Id> callee_of;  // entry point -> its copy, {} until someone calls it
    for (const Instruction& entry : module.entry_points) callee_of[entry.word(1)];
    Cloner cloner(module);
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpFunctionCall) continue;
                auto found = callee_of.find(inst.word(0));
                if (found == callee_of.end()) continue;
                if (!found->second) found->second = module.fresh();
                inst.operands[0] = found->second;
            }

    const size_t count = module.functions.size();
    for (size_t i = 0; i < count; ++i) {
        auto found = callee_of.find(module.functions[i].id().value);
        if (found == callee_of.end() || !found->second) continue;
        module.functions.push_back(cloner.copy(module.functions[i], found->second));
    }
}

}  // namespace

Result<Done> split_kernels(spirv::Module& module, PassContext& context) {
    split_called_kernels(module);
    if (context.options.abi == Abi::Descriptors) separate_kernels(module);
    drop_unreached_functions(module, context.variables.double_functions);
    return Done{};
}

}  // namespace caldera::vulkan
