// SPDX-License-Identifier: Apache-2.0
// What a module allows compilers to do with each floating-point instruction, from FPFastMathMode,
// FPFastMathDefault, NoContraction and ContractionOff (SPIR-V 3.15, 3.20, 3.6). A written FPFastMathMode of
// None forbids everything: the options do not relax such an instruction.
//
// Vulkan's compilers may reassociate every instruction without NoContraction: (x + y) - x becomes y. OpenCL's
// may not, unless the program was built with such an option. Until lower_instructions the decorations are
// OpenCL's. Afterwards an instruction's FPFastMathMode says what is allowed, in SPV_KHR_float_controls2's
// terms. At the end, this stays if the device has the extension. Otherwise the instruction is decorated
// NoContraction unless everything is allowed.
#pragma once

#include "spirv/builder.h"
#include "spirv/float_controls2.h"
#include "spirv/id_map.h"
#include "vulkan/translate/options.h"

namespace caldera::vulkan {

/// Whether the instruction computes with float values, not just with their bits. NoContraction applies to
/// such instructions.
bool is_float_arithmetic(const spirv::Builder& builder, const spirv::Instruction& inst);

class FloatFreedom {
 public:
    /// Reads the instructions' current decorations, which say everything after lower_instructions.
    explicit FloatFreedom(const spirv::Module& module);
    /// Also reads OpenCL's execution modes and the options: `options.fast_math` relaxes everything that is
    /// not forbidden.
    FloatFreedom(const spirv::Module& module, const TranslateOptions& options);

    /// Whether no product and sum of the function may be contracted, because a kernel with ContractionOff
    /// reaches it.
    bool forbids_contraction(spirv::Id function) const {
        return contraction_off_ || uncontracted_functions_.contains(function);
    }
    /// The FPFastMathMode bits of the instruction's decoration.
    uint32_t mode(spirv::Id result) const {
        const auto found = modes_.find(result);
        return exact_.contains(result) || found == modes_.end() ? 0 : found->second;
    }
    /// The bits that are allowed in `function`: a sum may also be contracted with a product, unless that is
    /// forbidden.
    uint32_t mode(const spirv::Builder& builder, const spirv::Instruction& inst, spirv::Id function) const;
    /// Whether the instruction may become half of an fma, in a function where contraction is allowed.
    bool may_contract(spirv::Id result) const {
        return !exact_.contains(result) && !strict_.contains(result);
    }

    /// Decorates the instruction with NoContraction.
    void keep_exact(spirv::Module& module, spirv::Id result);
    /// Replaces the instruction's decorations of this kind by this FPFastMathMode.
    static void allow(spirv::Module& module, spirv::Id result, uint32_t mode);

 private:
    /// FPFastMathDefault, by float type.
    using Defaults = spirv::IdMap<uint32_t>;

    void read_execution_modes(const spirv::Module& module);
    void limit_defaults(spirv::Id function, const Defaults& defaults);

    bool contraction_off_ = false;
    bool modes_are_whole_ =
        false;  // in a module of SPV_KHR_float_controls2 a mode without AllowContract forbids it
    uint32_t everywhere_ = 0;
    spirv::IdSet exact_ = {}, uncontracted_functions_ = {};
    spirv::IdSet strict_ = {};  // with a mode of None
    spirv::IdMap<uint32_t> modes_ = {};
    // by function: the modes that all kernels which reach it and have any allow
    spirv::IdMap<Defaults> defaults_ = {};
};

/// Whether compilers may do anything with an instruction: reassociate it, and ignore NaN, infinities and
/// signs of zeros.
bool allows_all(uint32_t mode);
/// Whether they may compute it and its operands in any way that is correct for real numbers.
bool allows_transforms(uint32_t mode);

}  // namespace caldera::vulkan
