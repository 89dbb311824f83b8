// SPDX-License-Identifier: Apache-2.0
// structure_control_flow: functions whose merges are all there and obey SPIR-V 2.11 are left alone; goto and
// foreign modules get new ones, from nothing but their branches. So do functions that are to be inlined and
// return early: what takes the place of a call must end in one place. And so do functions that call such ones
// in a continue target: not every driver runs loops in a continue construct (lavapipe does not), and the new
// continue constructs are empty. driver_quirks.def: keeps_loops_out_of_continue.
#include "spirv/id_map.h"
#include "vulkan/translate/flow/restructure.h"
#include "vulkan/translate/flow/structure.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/must_inline.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

bool calls_in_continue_target(const Function& function, const IdSet& callees) {
    const IdSet targets = continue_targets(function);
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            if (inst.op == spv::Op::OpFunctionCall && callees.contains(inst.id(0)) &&
                targets.contains(block.label))
                return true;
    return false;
}

}  // namespace

Result<Done> structure_control_flow(Module& module, PassContext&) {
    Builder builder(module);
    MustInline must_inline(builder);
    IdSet inlined;
    for (const Function& function : module.functions)
        if (must_inline(function)) inlined.insert(function.id());
    for (Function& function : module.functions) {
        if (function.blocks.empty()) continue;
        ensure_structure(builder, function);
        if (inlined.contains(function.id()) && !returns_at_end(function))
            restructure_with_one_return(builder, function);
        else if (calls_in_continue_target(function, inlined))
            restructure(builder, function);
    }
    return Done{};
}

}  // namespace caldera::vulkan
