// SPDX-License-Identifier: Apache-2.0
// How much freedom a module gives compilers with each floating-point instruction: what FPFastMathMode, FPFastMathDefault,
// NoContraction and ContractionOff say (SPIR-V 3.15, 3.20, 3.6).
//
// Vulkan's compilers take every instruction without NoContraction for one that they may reassociate: (x + y) - x becomes y.
// OpenCL's may not, unless the program was built so. Up to lower_instructions the decorations are OpenCL's; from there on an
// instruction has as FPFastMathMode what is allowed of it, in SPV_KHR_float_controls2's terms. At the end, where the device has that
// extension, it keeps that; else it is decorated NoContraction unless everything is allowed of it.
#pragma once

#include "spirv/builder.h"
#include "spirv/float_controls2.h"
#include "spirv/id_map.h"
#include "vulkan/translate/options.h"

namespace caldera::vulkan {

/// Whether the instruction computes with floats, of their value and not of their bits: what NoContraction is for.
bool is_float_arithmetic(const spirv::Builder& builder, const spirv::Instruction& inst);

class FloatFreedom {
 public:
    /// What the instructions' decorations say, as they are now: all that is left to be known after lower_instructions.
    explicit FloatFreedom(const spirv::Module& module);
    /// And what OpenCL's execution modes and the options say: `options.fast_math` relaxes all that is not forbidden.
    FloatFreedom(const spirv::Module& module, const TranslateOptions& options);

    /// Whether all products and sums of the function, which is reached by a kernel whose mode is ContractionOff, stand apart.
    bool forbids_contraction(spirv::Id function) const {
        return contraction_off_ || uncontracted_functions_.contains(function);
    }
    /// Bits of FPFastMathMode that the instruction's decoration has.
    uint32_t mode(spirv::Id result) const {
        const auto found = modes_.find(result);
        return exact_.contains(result) || found == modes_.end() ? 0 : found->second;
    }
    /// And what is allowed of it in `function` besides: a sum may take a product in, unless that is forbidden.
    uint32_t mode(const spirv::Builder& builder, const spirv::Instruction& inst, spirv::Id function) const;
    /// Whether the instruction, in a function where that is not forbidden, may be one half of an fma.
    bool may_contract(spirv::Id result) const { return !exact_.contains(result); }

    /// It has NoContraction from now on.
    void keep_exact(spirv::Module& module, spirv::Id result);
    /// It has this FPFastMathMode, and nothing else of that kind.
    static void allow(spirv::Module& module, spirv::Id result, uint32_t mode);

 private:
    /// By float type, what FPFastMathDefault says.
    using Defaults = spirv::IdMap<uint32_t>;

    void read_execution_modes(const spirv::Module& module);
    void limit_defaults(spirv::Id function, const Defaults& defaults);

    bool contraction_off_ = false;
    bool modes_are_whole_ =
        false;  // in a module of SPV_KHR_float_controls2 a mode without AllowContract forbids it
    uint32_t everywhere_ = 0;
    spirv::IdSet exact_ = {}, uncontracted_functions_ = {};
    spirv::IdMap<uint32_t> modes_ = {};
    spirv::IdMap<Defaults> defaults_ = {};  // by function: what all kernels that reach it and have any allow
};

/// Whether compilers may do with an instruction what they like: reassociate it and forget about NaN, infinities and signs of zeros.
bool allows_all(uint32_t mode);
/// Whether they may compute it and its operands in any way that is right for real numbers.
bool allows_transforms(uint32_t mode);

}  // namespace caldera::vulkan
