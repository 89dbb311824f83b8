// SPDX-License-Identifier: Apache-2.0
// avoid_folding: hides constants from SPIRV-Tools. Afterwards no GLSL.std.450 instruction that SPIRV-Tools
// may fold has only constant operands, and no OpConstantNull is numeric.
//
// Caldera itself folds constants (fold.cpp). A compiler that runs SPIRV-Tools, as SwiftShader's does, finds
// more of them after inlining, and folds some wrong:
// - It folds minimum, maximum and clamp of signed integers as unsigned if the type has no signedness, as
//   Caldera's types do, and those of vectors as their first components.
// - In modules that request special values or a rounding mode, it does not fold floats. Conditional constant
//   propagation then never gets a value for them (ccp_pass.cpp waits for one of the instruction set's id), so
//   it replaces a phi of such a float and a constant by the constant.
// - Any operation, such as OpNot or OpIEqual, on a vector constructed from an OpConstantNull and other
//   constants gives zeros.
#include <vector>

#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class FoldingAvoider {
 public:
    FoldingAvoider(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, options.target) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks)
            replace_instructions(builder_, block, [&](const Instruction& inst) {
                return inst.op == Op::OpExtInst && rewrite(inst);
            });
    }

 private:
    /// Whether SPIRV-Tools would fold the instruction wrong. Then the last appended instruction replaces it.
    bool rewrite(const Instruction& inst) {
        switch (inst.word(1)) {
            // The result for NaN is undefined, so these may replace it. SPIRV-Tools does not fold them.
            case GLSLstd450FMin: return replace(inst, GLSLstd450NMin);
            case GLSLstd450FMax: return replace(inst, GLSLstd450NMax);
            case GLSLstd450FClamp: return replace(inst, GLSLstd450NClamp);
            case GLSLstd450UMin:
            case GLSLstd450UMax:
            case GLSLstd450UClamp:
            case GLSLstd450SMin:
            case GLSLstd450SMax:
            case GLSLstd450SClamp: return compare_integers(inst);
            case GLSLstd450Sin:
            case GLSLstd450Cos:
            case GLSLstd450Tan:
            case GLSLstd450Acos:
            case GLSLstd450Exp:
            case GLSLstd450Exp2:
            case GLSLstd450Log:
            case GLSLstd450Log2:
            case GLSLstd450Sqrt:
            case GLSLstd450Pow: return negate_twice(inst);
            default: return false;
        }
    }

    bool replace(Instruction inst, GLSLstd450 function) {
        inst.operands[1] = static_cast<uint32_t>(function);
        builder_.append(inst.op, inst.type, inst.operands);
        return true;
    }

    bool compare_integers(const Instruction& inst) {
        const uint32_t count = builder_.count(inst.type);
        if (count == 1) return compare_scalars(inst), true;
        std::vector<Id> parts;
        for (uint32_t i = 0; i < count; ++i) {
            Instruction part = inst;
            part.type = builder_.element(inst.type);
            for (size_t arg = 2; arg < part.operands.size(); ++arg)
                part.operands[arg] = code_.extract(inst.id(arg), i);
            parts.push_back(compare_scalars(part));
        }
        code_.construct(inst.type, parts);
        return true;
    }

    Id compare_scalars(const Instruction& inst) {
        const Id x = inst.id(2), y = inst.id(3);
        const auto pick = [&](Op test, Id a, Id b) { return code_.select(code_.compare(test, a, b), a, b); };
        switch (inst.word(1)) {
            case GLSLstd450UMin: return pick(Op::OpULessThan, x, y);
            case GLSLstd450UMax: return pick(Op::OpUGreaterThan, x, y);
            case GLSLstd450UClamp: return pick(Op::OpULessThan, pick(Op::OpUGreaterThan, x, y), inst.id(4));
            case GLSLstd450SMin: return pick(Op::OpSLessThan, x, y);
            case GLSLstd450SMax: return pick(Op::OpSGreaterThan, x, y);
            default: return pick(Op::OpSLessThan, pick(Op::OpSGreaterThan, x, y), inst.id(4));  // SClamp
        }
    }

    /// SPIRV-Tools either folds the first operand together with the function, or treats it as unknown.
    bool negate_twice(Instruction inst) {
        inst.operands[2] = code_.unary(Op::OpFNegate, code_.unary(Op::OpFNegate, inst.id(2)));
        builder_.append(inst.op, inst.type, inst.operands);
        return true;
    }

    Builder& builder_;
    Code code_;
};

/// Writes zeros of numbers and of vectors of them in the same form as other constants. Zeros of arrays and
/// structs are not operands any more.
void write_out_zeros(spirv::Module& module) {
    std::vector<Instruction> globals;
    {
        const Builder builder(module);
        const auto zero = [&](Id type, Id result) {
            if (builder.is_bool(type))
                return Instruction{.op = Op::OpConstantFalse, .type = type, .result = result};
            Instruction constant = {.op = Op::OpConstant, .type = type, .result = result, .operands = {0U}};
            if (builder.width(type) == 64) constant.operands.push_back(0U);
            return constant;
        };
        for (const Instruction& inst : module.globals) {
            const bool is_vector = inst.op == Op::OpConstantNull && builder.is_vector(inst.type);
            const Id type = is_vector ? builder.element(inst.type) : inst.type;
            if (inst.op != Op::OpConstantNull ||
                !(builder.is_int(type) || builder.is_float(type) || builder.is_bool(type))) {
                globals.push_back(inst);
                continue;
            }
            globals.push_back(zero(type, is_vector ? module.fresh() : inst.result));
            if (!is_vector) continue;
            const Id part = globals.back().result;
            globals.push_back({.op = Op::OpConstantComposite, .type = inst.type, .result = inst.result});
            for (uint32_t i = 0; i < builder.count(inst.type); ++i) globals.back().operands.push_back(part);
        }
    }
    module.globals = std::move(globals);
}

}  // namespace

Result<Done> avoid_folding(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.folds_functions_wrong) return Done{};
    write_out_zeros(module);
    Builder builder(module);
    FoldingAvoider avoider(builder, context.options);
    for (spirv::Function& function : module.functions) avoider.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
