// SPDX-License-Identifier: Apache-2.0
// Loops for passes that replace instructions by others.
#pragma once

#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/sink_scope.h"

namespace caldera::vulkan {

/// Builds a new body for the block. `rewrite(inst, out)` is called for each instruction in order, while the
/// builder appends to `out` with the instruction's line. Instructions that it neither moves nor appends to
/// `out` are removed. It must not move the block.
template <class Rewrite>
void rewrite_block(spirv::Builder& builder, spirv::Block& block, Rewrite&& rewrite) {
    std::vector<spirv::Instruction> out;
    out.reserve(block.body.size());
    const spirv::SinkScope sink(builder, &out);
    for (spirv::Instruction& inst : block.body) {
        builder.set_line(inst.line);
        rewrite(inst, out);
    }
    builder.set_line({});
    block.body = std::move(out);
}

/// `replace(inst)` may append other instructions for an instruction, and returns whether it did. The last of
/// them takes over the result with its name, decorations and uses.
template <class Replace>
void replace_instructions(spirv::Builder& builder, spirv::Block& block, Replace&& replace) {
    rewrite_block(builder, block, [&](spirv::Instruction& inst, std::vector<spirv::Instruction>& out) {
        if (replace(inst))
            out.back().result = inst.result;
        else
            out.push_back(std::move(inst));
    });
}

}  // namespace caldera::vulkan
