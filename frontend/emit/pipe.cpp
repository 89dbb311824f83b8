// SPDX-License-Identifier: Apache-2.0
// The pipe functions (OpenCL C 6.13.16). Every instruction ends with the size and the alignment of a packet.
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

Id Emitter::pipe_builtin(const CallExpr& expr, const Args& args) {
    const builtin::Resolution& builtin = *expr.builtin;
    Operands operands(args.begin(), args.end());
    if (builtin.name.starts_with("work_group_"))
        operands.insert(operands.begin(), u32(static_cast<uint32_t>(spv::Scope::Workgroup)));
    if (builtin.name.starts_with("sub_group_"))
        operands.insert(operands.begin(), u32(static_cast<uint32_t>(spv::Scope::Subgroup)));
    const Type* packet = expr.args[0]->type->element.type;
    operands.push_back(u32(static_cast<uint32_t>(packet->size_bytes)));
    operands.push_back(u32(packet->align_bytes));
    const auto op = static_cast<spv::Op>(args.size() == 4 ? builtin.row->b : builtin.row->a);
    if (builtin.result->is_void()) {
        b_.append_void(op, std::move(operands));
        return {};
    }
    return b_.append(op, value_type(builtin.result), std::move(operands));
}

}  // namespace caldera::frontend
