// SPDX-License-Identifier: Apache-2.0
// narrow_integers: 64-bit arithmetic of which only the low 32 bits are used is done in 32 bits. OpenCL's work-item
// functions give size_t, and kernels put them into uint at once: without this each id costs 64-bit additions, and
// llvmpipe keeps vectors of twice the width alive across barriers.
//
// After: an integer operation whose low bits depend on nothing but its operands' low bits, and whose users all drop the
// rest, has 32 bits; so have its operands, as far as the same holds for them.
#include "spirv/builder.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

class Narrower {
 public:
    explicit Narrower(Module& module)
        : builder_(module),
          u32_(builder_.type_int(32)),
          u64_(builder_.type_int(64)),
          uses_(count_uses(module)),
          narrow_uses_(module.bound),
          is_narrowed_(module.bound) {}

    void run(Function& function) {
        if (mark(function)) rewrite(function);
    }

 private:
    /// Where the operands stand whose low bits make the result's low bits; nothing for other instructions.
    std::span<const size_t> low_operands(const Instruction& inst) const {
        static constexpr size_t kFirst[] = {0}, kBoth[] = {0, 1}, kSelected[] = {1, 2};
        switch (inst.op) {
            case Op::OpIAdd:
            case Op::OpISub:
            case Op::OpIMul:
            case Op::OpBitwiseAnd:
            case Op::OpBitwiseOr:
            case Op::OpBitwiseXor: return kBoth;
            case Op::OpNot:
            case Op::OpSNegate: return kFirst;
            case Op::OpShiftLeftLogical:
                return builder_.constant_value(inst.id(1)).value_or(32) < 32 ? kFirst
                                                                             : std::span<const size_t>();
            case Op::OpSelect: return kSelected;
            default: return {};
        }
    }
    static bool is_conversion(const Instruction& inst) {
        return inst.op == Op::OpUConvert || inst.op == Op::OpSConvert;
    }
    /// Drops the upper half of its operand, or more.
    bool truncates(const Instruction& inst) const {
        return is_conversion(inst) && builder_.type_of(inst.id(0)) == u64_ && builder_.is_int(inst.type);
    }
    bool extends(const Instruction& inst) const {
        return is_conversion(inst) && inst.type == u64_ && builder_.is_int(builder_.type_of(inst.id(0)));
    }

    /// Users before what they use: the blocks that a block dominates stand behind it. Whether there is anything to do.
    bool mark(const Function& function) {
        bool any = false;
        auto visit = [&](const Instruction& inst) {
            if (truncates(inst)) ++narrow_uses_[inst.word(0)];
            const uint32_t id = inst.result.value;
            if (inst.type != u64_ || uses_[id] == 0 || narrow_uses_[id] != uses_[id]) return;
            const std::span<const size_t> operands = low_operands(inst);
            if (operands.empty() && !extends(inst)) return;
            any = is_narrowed_[id] = true;
            for (size_t i : operands) ++narrow_uses_[inst.word(i)];
        };
        for (size_t b = function.blocks.size(); b-- > 0;)
            for (size_t i = function.blocks[b].body.size(); i-- > 0;) visit(function.blocks[b].body[i]);
        return any;
    }

    void rewrite(Function& function) {
        Substitution same;
        for (Block& block : function.blocks) {
            std::vector<Instruction> out;
            out.reserve(block.body.size());
            builder_.set_sink(&out);
            for (Instruction& inst : block.body) {
                if (truncates(inst) && is_narrowed_[inst.word(0)] && inst.type == u32_) {
                    same.set(inst.result, inst.id(0));
                    continue;
                }
                if (is_narrowed_[inst.result.value] && !narrow(inst)) {
                    same.set(inst.result, inst.id(0));
                    continue;
                }
                out.push_back(std::move(inst));
            }
            block.body = std::move(out);
        }
        same.apply(function);
    }

    /// False: it is its operand.
    bool narrow(Instruction& inst) {
        inst.type = u32_;
        if (is_conversion(inst)) return builder_.type_of(inst.id(0)) != u32_;
        for (size_t i : low_operands(inst)) inst.operands[i] = low_bits(inst.id(i));
        return true;
    }
    Id low_bits(Id value) {
        if (is_narrowed_[value.value]) return value;
        if (const auto constant = builder_.constant_value(value))
            return builder_.constant_int(u32_, *constant);
        return builder_.append(Op::OpUConvert, u32_, {value});
    }

    Builder builder_;
    Id u32_, u64_;
    std::vector<uint32_t> uses_, narrow_uses_;  // by id; narrow: those that want the low bits only
    std::vector<bool> is_narrowed_;             // by id
};

}  // namespace

Result<Done> narrow_integers(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.int64)
        return Done{};  // lower_int64 takes pairs apart, and their unused halves go
    Narrower narrower(module);
    for (spirv::Function& function : module.functions) narrower.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
