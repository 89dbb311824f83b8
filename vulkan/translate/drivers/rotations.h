// SPDX-License-Identifier: Apache-2.0
// Rotations of integers by constants, as OpenCL SPIR-V has them: two shifts of one value whose results are
// joined.
#pragma once

#include <cstdint>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/module.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {

/// (value << left) | (value >> (width - left)); neither number is 0.
struct Rotation {
    spirv::Id value = {};
    uint32_t left = 0;
};

/// Replaces the rotations of scalars of one width.
class RotationRewriter {
 public:
    RotationRewriter(spirv::Module& module, spirv::Builder& builder, uint32_t width)
        : module_(module), builder_(builder), width_(width) {}

    /// `replace(rotation, type)` appends instructions, of which the last is the result.
    template <class Replace>
    void rewrite(spirv::Function& function, Replace&& replace) {
        for (spirv::Block& block : function.blocks)
            replace_instructions(builder_, block, [&](const spirv::Instruction& inst) {
                note(inst);
                const Rotation rotation = match(inst);
                if (!rotation.value) return false;
                for (const size_t operand : {0, 1}) spent_.insert(inst.id(operand));
                replace(rotation, inst.type);
                return true;
            });
    }
    /// Removes the shifts that are not used any more.
    void drop_spent();

 private:
    struct Shift {
        spv::Op op = {};
        spirv::Id value = {};
        uint64_t by = 0;
    };
    void note(const spirv::Instruction& inst);
    Rotation match(const spirv::Instruction& inst) const;

    spirv::Module& module_;
    spirv::Builder& builder_;
    uint32_t width_;
    spirv::IdMap<Shift> shifts_ = {};  // by constants
    spirv::IdSet spent_ = {};
};

}  // namespace caldera::vulkan
