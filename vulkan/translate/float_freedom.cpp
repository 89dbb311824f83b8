// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/float_freedom.h"

#include "vulkan/translate/reach.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

/// `Fast` is everything; so are its parts together, which SPV_INTEL_fp_fast_math_mode and SPV_KHR_float_controls2 have.
bool allows_all(uint32_t flags) {
    constexpr uint32_t kFast = 0x10, kContract = 0x10000, kReassociate = 0x20000;
    constexpr uint32_t kSpecial = 0x7;  // NotNaN, NotInf, NSZ
    constexpr uint32_t kAll = kContract | kReassociate | kSpecial;
    return (flags & kFast) || (flags & kAll) == kAll;
}

}  // namespace

bool is_float_arithmetic(const spirv::Builder& builder, const Instruction& inst) {
    switch (inst.op) {
        case Op::OpFNegate:
        case Op::OpFAdd:
        case Op::OpFSub:
        case Op::OpFMul:
        case Op::OpFDiv:
        case Op::OpFRem:
        case Op::OpFMod:
        case Op::OpVectorTimesScalar:
        case Op::OpDot:
        case Op::OpQuantizeToF16:
        case Op::OpFConvert:
        case Op::OpConvertFToS:
        case Op::OpConvertFToU:
        case Op::OpConvertSToF:
        case Op::OpConvertUToF:
        case Op::OpFOrdEqual:
        case Op::OpFUnordEqual:
        case Op::OpFOrdNotEqual:
        case Op::OpFUnordNotEqual:
        case Op::OpFOrdLessThan:
        case Op::OpFUnordLessThan:
        case Op::OpFOrdGreaterThan:
        case Op::OpFUnordGreaterThan:
        case Op::OpFOrdLessThanEqual:
        case Op::OpFUnordLessThanEqual:
        case Op::OpFOrdGreaterThanEqual:
        case Op::OpFUnordGreaterThanEqual: return true;
        case Op::OpExtInst: return builder.is_float(builder.element(inst.type));
        default: return false;
    }
}

FloatFreedom::FloatFreedom(const spirv::Module& module) {
    for (const Instruction& inst : module.annotations) {
        if (inst.op != Op::OpDecorate) continue;
        const auto decoration = static_cast<spv::Decoration>(inst.word(1));
        if (decoration == spv::Decoration::NoContraction) exact_.insert(inst.id(0));
        if (decoration == spv::Decoration::FPFastMathMode && allows_all(inst.word(2)))
            relaxed_.insert(inst.id(0));
    }
}

FloatFreedom::FloatFreedom(const spirv::Module& module, const TranslateOptions& options)
    : FloatFreedom(module) {
    all_relaxed_ = options.fast_math;
    contraction_off_ = !options.contraction;
    CallGraph graph(module);
    for (const Instruction& mode : module.execution_modes)
        if (static_cast<spv::ExecutionMode>(mode.word(1)) == spv::ExecutionMode::ContractionOff)
            for (const uint32_t index : graph.more_functions(mode.id(0)))
                uncontracted_functions_.insert(module.functions[index].id());
}

void FloatFreedom::keep_exact(spirv::Module& module, Id result) {
    if (exact_.insert(result))
        module.annotations.push_back(
            {.op = Op::OpDecorate, .operands = {result, spv::Decoration::NoContraction}});
}

void FloatFreedom::relax(spirv::Module& module, Id result) {
    module.annotations.push_back(
        {.op = Op::OpDecorate,
         .operands = {result, spv::Decoration::FPFastMathMode, spv::FPFastMathModeMask::Fast}});
}

}  // namespace caldera::vulkan
