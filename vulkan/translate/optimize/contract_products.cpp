// SPDX-License-Identifier: Apache-2.0
// contract_products: fuses a product and a sum into one mad, which rounds once, if the module allows them to
// be contracted.
//
// Vulkan's compilers would contract them, too. But for most, the permission to contract also allows
// reassociation, and some then still do not contract; so Caldera does it. On devices without a fast Fma, a
// mad is a rounded product and a sum, and this pass changes nothing. Relaxed code is left to the device's
// compiler.
#include <spirv/unified1/OpenCL.std.h>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/float_freedom.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class Contraction {
 public:
    Contraction(spirv::Module& module, const TranslateOptions& options)
        : module_(module),
          builder_(module),
          has_modes_(options.profile.float_controls2),
          freedom_(module, options),
          uses_(spirv::count_uses(module)) {}

    void run() {
        for (spirv::Function& function : module_.functions)
            if (!freedom_.forbids_contraction(function.id())) run(function);
    }

 private:
    void run(spirv::Function& function) {
        products_.clear();
        const auto is_free = [&](const Instruction& inst) {
            return freedom_.may_contract(inst.result) &&
                   !is_left(freedom_.mode(builder_, inst, function.id()));
        };
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == Op::OpFMul && builder_.op_of_type(inst.type) != spirv::kTypeMatrix &&
                    is_free(inst))
                    products_.emplace(inst.result, inst.operands);
        if (products_.empty()) return;
        for (spirv::Block& block : function.blocks)
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                const bool is_sum = inst.op == Op::OpFAdd || inst.op == Op::OpFSub;
                if (is_sum && is_free(inst) && takes_products(inst, function.id())) contract(inst);
                out.push_back(std::move(inst));
            });
    }

    /// The device's compiler contracts relaxed instructions itself.
    bool is_left(uint32_t mode) const { return allows_all(mode) || (has_modes_ && allows_transforms(mode)); }
    bool takes_products(const Instruction& sum, Id function) const {
        return freedom_.mode(builder_, sum, function) & spirv::fast_math::kAllowContract;
    }

    /// A product with other uses would be computed twice.
    const spirv::Operands* product(Id value) const {
        const auto found = products_.find(value);
        const bool is_only_use = value.value < uses_.size() && uses_[value.value] == 1;
        return found != products_.end() && is_only_use ? &found->second : nullptr;
    }

    void contract(Instruction& sum) {
        const bool subtracts = sum.op == Op::OpFSub;
        Id a = {}, b = {}, c = {};
        if (const spirv::Operands* left = product(sum.id(0))) {
            a = (*left)[0].id();
            b = (*left)[1].id();
            c = subtracts ? negated(sum.id(1)) : sum.id(1);
        } else if (const spirv::Operands* right = product(sum.id(1))) {
            a = subtracts ? negated((*right)[0].id()) : (*right)[0].id();
            b = (*right)[1].id();
            c = sum.id(0);
        } else {
            return;
        }
        sum.op = Op::OpExtInst;
        sum.operands = {builder_.ext_inst_import("OpenCL.std"), OpenCLLIB::Mad, a, b, c};
    }
    Id negated(Id value) { return builder_.append(Op::OpFNegate, builder_.type_of(value), {value}); }

    spirv::Module& module_;
    Builder builder_;
    bool has_modes_;  // the device distinguishes the permissions
    FloatFreedom freedom_;
    std::vector<uint32_t> uses_;
    spirv::IdMap<spirv::Operands> products_ = {};
};

}  // namespace

Result<Done> contract_products(spirv::Module& module, PassContext& context) {
    const TranslateOptions& options = context.options;
    if (!options.profile.quirks.slow_fma && options.contraction) Contraction(module, options).run();
    return Done{};
}

}  // namespace caldera::vulkan
