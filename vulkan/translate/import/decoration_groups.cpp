// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/decoration_groups.h"

#include "spirv/id_map.h"

namespace caldera::vulkan {

using spirv::Instruction;

static void apply_group(const Instruction& apply, const std::vector<Instruction>& group,
                        std::vector<Instruction>& out) {
    const bool members = apply.op == spv::Op::OpGroupMemberDecorate;
    for (size_t i = 1; i < apply.operands.size(); i += members ? 2 : 1)
        for (Instruction inst : group) {
            inst.operands[0] = apply.operands[i];
            if (members && i + 1 < apply.operands.size()) {
                inst.op = spv::Op::OpMemberDecorate;
                inst.operands.insert(inst.operands.begin() + 1, apply.operands[i + 1]);
            }
            out.push_back(std::move(inst));
        }
}

void expand_decoration_groups(spirv::Module& module) {
    spirv::IdMap<std::vector<Instruction>> groups;
    for (const Instruction& inst : module.annotations)
        if (inst.op == spv::Op::OpDecorationGroup) groups[inst.result.value];
    if (groups.empty()) return;
    std::vector<Instruction> out;
    for (Instruction& inst : module.annotations) {
        if (inst.op == spv::Op::OpDecorationGroup) continue;
        const bool is_group_apply =
            inst.op == spv::Op::OpGroupDecorate || inst.op == spv::Op::OpGroupMemberDecorate;
        const auto group = groups.find(inst.word(0));
        if (!is_group_apply && group != groups.end())
            group->second.push_back(inst);
        else if (!is_group_apply)
            out.push_back(std::move(inst));
        else if (group != groups.end())
            apply_group(inst, group->second, out);
    }
    module.annotations = std::move(out);
}

}  // namespace caldera::vulkan
