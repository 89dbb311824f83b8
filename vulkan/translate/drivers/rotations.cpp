// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/rotations.h"

#include <vector>

#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Instruction;
using spv::Op;

void RotationRewriter::note(const Instruction& inst) {
    if (inst.op != Op::OpShiftLeftLogical && inst.op != Op::OpShiftRightLogical) return;
    if (!builder_.is_int(inst.type) || builder_.width(inst.type) != width_) return;
    if (const auto by = builder_.constant_value(inst.id(1)))
        shifts_[inst.result] = {inst.op, inst.id(0), *by};
}

Rotation RotationRewriter::match(const Instruction& inst) const {
    if (inst.op != Op::OpBitwiseOr && inst.op != Op::OpBitwiseXor && inst.op != Op::OpIAdd) return {};
    const auto first = shifts_.find(inst.id(0)), second = shifts_.find(inst.id(1));
    if (first == shifts_.end() || second == shifts_.end()) return {};
    const Shift &a = first->second, &b = second->second;
    if (a.op == b.op || a.value != b.value || a.by + b.by != width_ || a.by == 0 || b.by == 0) return {};
    return {a.value, static_cast<uint32_t>(a.op == Op::OpShiftLeftLogical ? a.by : b.by)};
}

void RotationRewriter::drop_spent() {
    if (spent_.empty()) return;
    const std::vector<uint32_t> uses = spirv::count_uses(module_);
    for (spirv::Function& function : module_.functions)
        for (spirv::Block& block : function.blocks)
            std::erase_if(block.body, [&](const Instruction& inst) {
                return spent_.contains(inst.result) && uses[inst.result.value] == 0;
            });
    spirv::drop_stale_names(module_);
}

}  // namespace caldera::vulkan
