// SPDX-License-Identifier: Apache-2.0
// What a kernel reaches: functions by calls, module-scope variables by use.
#pragma once

#include <string>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Indices into module.functions of what `root` calls, directly or not, itself first. Empty when there is no `root`.
std::vector<size_t> reached_functions(const spirv::Module& module, spirv::Id root);

/// Module-scope OpVariables that the functions reached from `root` name, in the module's order.
std::vector<spirv::Id> reached_variables(const spirv::Module& module, spirv::Id root);

/// Rewrites the interface lists of the module's entry points: every variable from SPIR-V 1.4 on, before that only Input
/// and Output (SPIR-V 3.32.2 OpEntryPoint).
void set_entry_point_interfaces(spirv::Module& module, bool all_variables);

/// OpName of each id that has one.
spirv::IdMap<std::string> names_of(const spirv::Module& module);

/// Drops names and decorations of ids that nothing defines.
void drop_dangling_annotations(spirv::Module& module);

/// Calls `use` with every operand of the function that is an <id>, result types and definitions apart.
template <class Body, class Use>
void for_each_use(Body& function, Use use) {
    auto visit = [&](auto& inst) {
        for (auto& operand : inst.operands)
            if (operand.is_id) use(operand);
    };
    for (auto& block : function.blocks) {
        for (auto& inst : block.body) visit(inst);
        visit(block.merge);
        visit(block.terminator);
    }
}

}  // namespace caldera::vulkan
