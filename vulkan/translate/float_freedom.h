// SPDX-License-Identifier: Apache-2.0
// How much freedom a module gives compilers with each floating-point instruction: what FPFastMathMode, NoContraction and
// ContractionOff say (SPIR-V 3.15, 3.20, 3.6).
//
// Vulkan's compilers take every instruction without NoContraction for one that they may reassociate: (x + y) - x becomes y.
// OpenCL's may not, unless the program was built so. Up to lower_instructions the decorations are OpenCL's; from there on an
// instruction is relaxed where it has FPFastMathMode Fast, and is decorated NoContraction at the end where it has not.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/translate.h"

namespace caldera::vulkan {

/// Whether the instruction computes with floats, of their value and not of their bits: what NoContraction is for.
bool is_float_arithmetic(const spirv::Builder& builder, const spirv::Instruction& inst);

class FloatFreedom {
 public:
    /// What the instructions' decorations say, as they are now: all that is left to be known after lower_instructions.
    explicit FloatFreedom(const spirv::Module& module);
    /// And what OpenCL's execution modes and the options say: `options.fast_math` relaxes all that is not forbidden.
    FloatFreedom(const spirv::Module& module, const TranslateOptions& options);

    /// Whether the function is reached by a kernel whose mode is ContractionOff.
    bool forbids_contraction(spirv::Id function) const {
        return contraction_off_ || uncontracted_functions_.contains(function);
    }
    /// Whether the instruction, in a function where that is not forbidden, may be one half of an fma.
    bool may_contract(spirv::Id result) const { return !exact_.contains(result); }
    /// Whether compilers may do with it what they like: reassociate it and forget about NaN, infinities and signs of zeros.
    bool is_relaxed(spirv::Id result) const {
        return !exact_.contains(result) && (all_relaxed_ || relaxed_.contains(result));
    }
    /// It has NoContraction from now on.
    void keep_exact(spirv::Module& module, spirv::Id result);
    /// It has FPFastMathMode Fast, and nothing else of that kind.
    static void relax(spirv::Module& module, spirv::Id result);

 private:
    bool all_relaxed_ = false, contraction_off_ = false;
    spirv::IdSet exact_ = {}, relaxed_ = {}, uncontracted_functions_ = {};
};

}  // namespace caldera::vulkan
