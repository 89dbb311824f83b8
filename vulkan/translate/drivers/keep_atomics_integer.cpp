// SPDX-License-Identifier: Apache-2.0
// keep_atomics_integer: makes the operand of a 64-bit atomic operation the result of integer arithmetic.
//
// llvmpipe's gallivm gives an atomic's result the LLVM type of its operand, which is the type in which the
// operand was computed: the bits of a double have type double. For inactive lanes it then stores an integer
// zero in that vector, and LLVM (15, on processors without AVX-512) aborts: "Cannot select: store (s64),
// trunc to f64". If the operand is put together from its halves, it is an integer. This costs nothing,
// because LLVM simplifies it.
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class IntegerKeeper {
 public:
    IntegerKeeper(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, options.target) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks)
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                for (size_t at = first_value(inst.op); at < inst.operands.size(); ++at)
                    if (builder_.width(inst.type) == 64 && !builder_.constant_value(inst.id(at)))
                        inst.operands[at] = put_together(inst.id(at));
                out.push_back(std::move(inst));
            });
    }

 private:
    /// The index of the first value operand, after pointer, scope and semantics. If the instruction has no
    /// value, this is past all operands.
    static size_t first_value(Op op) {
        switch (op) {
            case Op::OpAtomicExchange:
            case Op::OpAtomicIAdd:
            case Op::OpAtomicISub:
            case Op::OpAtomicSMin:
            case Op::OpAtomicUMin:
            case Op::OpAtomicSMax:
            case Op::OpAtomicUMax:
            case Op::OpAtomicAnd:
            case Op::OpAtomicOr:
            case Op::OpAtomicXor: return 3;
            case Op::OpAtomicCompareExchange: return 4;
            default: return ~size_t{0};
        }
    }

    Id put_together(Id value) {
        const Id low = code_.convert_unsigned(value, 32);
        const Id high = code_.convert_unsigned(code_.shift_right(value, 32), 32);
        return code_.bit_or(code_.shift_left(code_.convert_unsigned(high, 64), 32),
                            code_.convert_unsigned(low, 64));
    }

    Builder& builder_;
    Code code_;
};

}  // namespace

Result<Done> keep_atomics_integer(spirv::Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    if (!profile.quirks.takes_atomics_for_doubles || !profile.float64 || !profile.int64) return Done{};
    Builder builder(module);
    IntegerKeeper keeper(builder, context.options);
    for (spirv::Function& function : module.functions) keeper.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
