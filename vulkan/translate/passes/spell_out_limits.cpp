// SPDX-License-Identifier: Apache-2.0
// spell_out_limits: minimum, maximum and clamp are of scalars, and those of signed integers are comparisons.
//
// SPIRV-Tools folds them as unsigned where the integers' type has no sign, as ours, and vectors as their first components.
// We fold what is constant here (fold.cpp), but a compiler that runs SPIRV-Tools, SwiftShader's, finds more once it has inlined.
#include <vector>

#include "vulkan/translate/pass.h"
#include "vulkan/translate/passes/code.h"
#include "vulkan/translate/passes/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

bool is_limit(const Instruction& inst) {
    if (inst.op != Op::OpExtInst) return false;
    switch (inst.word(1)) {
        case GLSLstd450FMin:
        case GLSLstd450FMax:
        case GLSLstd450FClamp:
        case GLSLstd450NMin:
        case GLSLstd450NMax:
        case GLSLstd450NClamp:
        case GLSLstd450UMin:
        case GLSLstd450UMax:
        case GLSLstd450UClamp:
        case GLSLstd450SMin:
        case GLSLstd450SMax:
        case GLSLstd450SClamp: return true;
        default: return false;
    }
}

class LimitSpeller {
 public:
    LimitSpeller(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, spirv::spirv_version(options.target) >= 0x00010400) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks) {
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                if (is_limit(inst)) {
                    spell_out(inst);
                    out.back().result = inst.result;  // keeps the name and the uses
                } else {
                    out.push_back(std::move(inst));
                }
            });
        }
    }

 private:
    void spell_out(const Instruction& inst) {
        const uint32_t count = builder_.count(inst.type);
        if (count == 1) return spell_out_scalar(inst), void();
        std::vector<Id> parts;
        for (uint32_t i = 0; i < count; ++i) {
            Instruction part = inst;
            part.type = builder_.element(inst.type);
            for (size_t arg = 2; arg < part.operands.size(); ++arg)
                part.operands[arg] = code_.extract(inst.id(arg), i);
            parts.push_back(spell_out_scalar(part));
        }
        code_.construct(inst.type, parts);
    }

    Id spell_out_scalar(const Instruction& inst) {
        const auto pick = [&](Op test, Id a, Id b) { return code_.select(code_.compare(test, a, b), a, b); };
        switch (inst.word(1)) {
            case GLSLstd450SMin: return pick(Op::OpSLessThan, inst.id(2), inst.id(3));
            case GLSLstd450SMax: return pick(Op::OpSGreaterThan, inst.id(2), inst.id(3));
            case GLSLstd450SClamp:
                return pick(Op::OpSLessThan, pick(Op::OpSGreaterThan, inst.id(2), inst.id(3)), inst.id(4));
            default: return builder_.append(inst.op, inst.type, inst.operands);
        }
    }

    Builder& builder_;
    Code code_;
};

}  // namespace

Result<Done> spell_out_limits(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.folds_limits_wrong) return Done{};
    Builder builder(module);
    LimitSpeller speller(builder, context.options);
    for (spirv::Function& function : module.functions) speller.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
