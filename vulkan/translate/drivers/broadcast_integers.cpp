// SPDX-License-Identifier: Apache-2.0
// broadcast_integers: has the first active work-item broadcast the bits of floats.
//
// llvmpipe takes an element of a vector of floats as an integer there, which its LLVM (15) cannot select
// where the floats were computed: it ends the process. A number about which it knows nothing makes the bits
// integers that were computed.
#include <vector>

#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

class BitBroadcaster {
 public:
    BitBroadcaster(spirv::Builder& builder, Code& code, const DeviceProfile& profile,
                   spirv::Function& function)
        : builder_(builder), code_(code), profile_(profile), hidden_(builder, code, function) {}

    /// Appends the value that the first active work-item has of a number or vector of numbers.
    Id first(Id scope, Id value) {
        const Id type = code_.type(value);
        if (builder_.is_vector(type)) {
            std::vector<Id> components;
            for (uint32_t i = 0; i < builder_.count(type); i++)
                components.push_back(first(scope, code_.extract(value, i)));
            return code_.construct(type, components);
        }
        if (builder_.is_int(type)) {
            const Id computed = code_.bit_and(value, hidden_.number(type, ~uint64_t{0}));
            return builder_.append(Op::OpGroupNonUniformBroadcastFirst, type, {scope, computed});
        }
        const uint32_t width = builder_.width(type);
        if (width == 16 && !profile_.int16)
            return code_.convert_float(first(scope, code_.convert_float(value, 32)), 16);
        const bool has_integers = width != 64 || profile_.int64;
        const Id word = builder_.type_int(has_integers ? width : 32);
        const Id bits = has_integers ? word : builder_.with_count(word, 2);
        return builder_.append(Op::OpBitcast, type,
                               {first(scope, builder_.append(Op::OpBitcast, bits, {value}))});
    }
    void insert() { hidden_.insert(); }

 private:
    spirv::Builder& builder_;
    Code& code_;
    const DeviceProfile& profile_;
    HiddenNumbers hidden_;
};

}  // namespace

Result<Done> broadcast_integers(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.broadcasts_no_floats) return Done{};
    spirv::Builder builder(module);
    Code code(builder, context.options.target);
    for (spirv::Function& function : module.functions)
        if (!function.blocks.empty()) {
            BitBroadcaster bits(builder, code, context.options.profile, function);
            for (spirv::Block& block : function.blocks)
                replace_instructions(builder, block, [&](const Instruction& inst) {
                    if (inst.op != Op::OpGroupNonUniformBroadcastFirst ||
                        !builder.is_float(builder.element(inst.type)))
                        return false;
                    bits.first(inst.id(0), inst.id(1));
                    return true;
                });
            bits.insert();
        }
    return Done{};
}

}  // namespace caldera::vulkan
