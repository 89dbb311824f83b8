// SPDX-License-Identifier: Apache-2.0
// The loop of passes that put other instructions into the places of some.
#pragma once

#include <utility>
#include <vector>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Makes the block's body anew: `rewrite(inst, out)` is called for each instruction, in order, while the builder appends to `out`
/// with the instruction's line. What it neither moves nor appends to `out` is gone. It must not move the block.
template <class Rewrite>
void rewrite_block(spirv::Builder& builder, spirv::Block& block, Rewrite&& rewrite) {
    std::vector<spirv::Instruction> out;
    out.reserve(block.body.size());
    builder.set_sink(&out);
    for (spirv::Instruction& inst : block.body) {
        builder.set_line(inst.line);
        rewrite(inst, out);
    }
    builder.set_sink(nullptr);
    builder.set_line({});
    block.body = std::move(out);
}

}  // namespace caldera::vulkan
