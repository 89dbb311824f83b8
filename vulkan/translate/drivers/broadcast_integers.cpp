// SPDX-License-Identifier: Apache-2.0
// broadcast_integers: has the first active work-item broadcast the bits of floats.
//
// llvmpipe takes an element of a vector of floats as an integer there, which its LLVM (15) cannot select
// where the floats were computed: it ends the process. A number about which it knows nothing makes the bits
// integers that were computed.
#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

void broadcast_bits(spirv::Builder& builder, Code& code, bool int64, spirv::Function& function) {
    HiddenNumbers hidden(builder, code, function);
    for (spirv::Block& block : function.blocks)
        replace_instructions(builder, block, [&](const Instruction& inst) {
            if (inst.op != Op::OpGroupNonUniformBroadcastFirst || !builder.is_float(inst.type)) return false;
            const uint32_t width = builder.width(inst.type);
            const bool has_integers = width == 32 || (width == 64 && int64);
            if (!has_integers) return false;
            const Id integer = builder.type_int(width);
            const Id bits = builder.append(Op::OpBitcast, integer, {inst.id(1)});
            const Id computed = code.bit_and(bits, hidden.number(integer, ~uint64_t{0}));
            const Id first = builder.append(inst.op, integer, {inst.id(0), computed});
            builder.append(Op::OpBitcast, inst.type, {first});
            return true;
        });
    hidden.insert();
}

}  // namespace

Result<Done> broadcast_integers(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.broadcasts_no_floats) return Done{};
    spirv::Builder builder(module);
    Code code(builder, context.options.target);
    for (spirv::Function& function : module.functions)
        if (!function.blocks.empty()) broadcast_bits(builder, code, context.options.profile.int64, function);
    return Done{};
}

}  // namespace caldera::vulkan
