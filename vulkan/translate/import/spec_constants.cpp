// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/spec_constants.h"

#include <algorithm>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/global_order.h"
#include "vulkan/translate/support/fold.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr size_t kMaxComputed = 1'000'000;  // instructions in all functions

bool is_spec_constant(const Instruction& inst) {
    return inst.op >= Op::OpSpecConstantTrue && inst.op <= Op::OpSpecConstantOp;
}

/// The instruction that an OpSpecConstantOp or OpSpecConstantComposite performs.
Instruction computation(const Instruction& constant) {
    Instruction out = constant;
    if (constant.op == Op::OpSpecConstantComposite) {
        out.op = Op::OpCompositeConstruct;
        return out;
    }
    out.op = static_cast<Op>(constant.word(0));
    out.operands = {};
    for (size_t i = 1; i < constant.operands.size(); ++i) out.operands.push_back(constant.operands[i]);
    return out;
}

class SpecConstants {
 public:
    explicit SpecConstants(Module& module) : module_(module), builder_(module) {}

    Result<Done> run() {
        fold();
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpTypeArray && computed_.contains(inst.id(1)))
                return Error{.message = "the length of an array is computed in a way that is not supported"};
        for (Function& function : module_.functions)
            if (!computed_.empty() && !function.blocks.empty() && !compute_in(function))
                return Error{.message = "too many functions compute the module's specialisation constants"};
        drop_computed();
        mend_global_order(module_);  // parts of composites that were folded stand behind them
        return Done{};
    }

 private:
    /// Processes constants in module order, in which operands precede their uses. A constant keeps its id and
    /// place; parts of a composite may be new ones at the end.
    void fold() {
        Folder plain(builder_, true), decorated(builder_);
        IdSet conversions;
        for (const Instruction& inst : module_.annotations)
            if (inst.op == Op::OpDecorate &&
                (inst.word(1) == static_cast<uint32_t>(spv::Decoration::FPRoundingMode) ||
                 inst.word(1) == static_cast<uint32_t>(spv::Decoration::SaturatedConversion)))
                conversions.insert(inst.id(0));
        const size_t count = module_.globals.size();  // what folding adds stands behind it
        for (size_t i = 0; i < count; ++i) {
            if (module_.globals[i].op == Op::OpSpecConstantComposite && !has_computed(module_.globals[i]))
                module_.globals[i].op = Op::OpConstantComposite;
            const Instruction constant = module_.globals[i];
            if (constant.op != Op::OpSpecConstantOp && constant.op != Op::OpSpecConstantComposite) continue;
            Folder& folder = conversions.contains(constant.result) ? decorated : plain;
            if (!folds(constant, folder, i)) computed_.insert(constant.result);
        }
    }

    bool has_computed(const Instruction& inst) const {
        return std::ranges::any_of(inst.operands, [&](const Operand& operand) {
            return operand.is_id && computed_.contains(operand.id());
        });
    }

    bool folds(const Instruction& constant, Folder& folder, size_t at) {
        if (has_computed(constant)) return false;
        Instruction inst = computation(constant);
        const Id value = folder.fold(inst);
        const Instruction* known = value ? builder_.find_global(value) : nullptr;
        if (!known || (known->op != Op::OpConstant && known->op != Op::OpConstantTrue &&
                       known->op != Op::OpConstantFalse && known->op != Op::OpConstantNull &&
                       known->op != Op::OpConstantComposite))
            return false;
        Instruction copy = *known;
        copy.result = constant.result;
        module_.globals[at] = std::move(copy);
        return true;
    }

    /// Computes the constants that the function uses at its start.
    bool compute_in(Function& function) {
        code_.clear();
        values_ = {};
        for_each_instruction(function, [&](Instruction& inst) {
            if (left_ == 0) return;
            if (inst.op == Op::OpVariable && has_computed(inst)) {  // initialisers are constants
                const Id value = value_of(inst.id(1));
                inst.operands = {inst.operands[0]};
                code_.push_back({.op = Op::OpStore, .operands = {inst.result, value}});
            }
            for (Operand& operand : inst.operands)
                if (operand.is_id && computed_.contains(operand.id())) operand = value_of(operand.id());
        });
        if (!code_.empty()) function.insert_at_entry(std::move(code_));
        return left_ != 0;
    }

    /// The constants that it is computed of first, without recursion: chains may be long.
    Id value_of(Id wanted) {
        std::vector<Id> pending = {wanted};
        while (!pending.empty() && left_ != 0) {
            const Id constant = pending.back();
            if (!values_.contains(constant)) {
                Instruction inst = computation(*builder_.find_global(constant));
                const size_t before = pending.size();
                for (Operand& operand : inst.operands) {
                    if (!operand.is_id || !computed_.contains(operand.id())) continue;
                    if (const auto known = values_.find(operand.id()); known != values_.end())
                        operand = known->second;
                    else
                        pending.push_back(operand.id());
                }
                if (pending.size() != before) continue;
                inst.result = module_.fresh();
                values_.emplace(constant, inst.result);
                code_.push_back(std::move(inst));
                --left_;
            }
            pending.pop_back();
        }
        return left_ != 0 ? values_.find(wanted)->second : wanted;
    }

    /// Those that no initialiser needs: functions compute them themselves.
    void drop_computed() {
        if (computed_.empty()) return;
        IdSet used;
        const auto use = [&](const Instruction& inst) {
            for (const Operand& operand : inst.operands)
                if (operand.is_id && computed_.contains(operand.id())) used.insert(operand.id());
        };
        for (const Instruction& mode : module_.execution_modes) use(mode);
        for (const Instruction& inst : module_.debug_info) use(inst);
        for (const Instruction& inst : module_.annotations)
            if (inst.op == Op::OpDecorateId) use(inst);
        for (auto inst = module_.globals.rbegin(); inst != module_.globals.rend(); ++inst)
            if (!computed_.contains(inst->result) || used.contains(inst->result)) use(*inst);
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return computed_.contains(inst.result) && !used.contains(inst.result);
        });
        drop_stale_names(module_);
    }

    Module& module_;
    Builder builder_;
    IdSet computed_ = {};                 // not constants yet
    std::vector<Instruction> code_ = {};  // of the function
    IdMap<Id> values_ = {};               // there, by constant
    size_t left_ = kMaxComputed;
};

}  // namespace

Result<Done> fix_spec_constants(Module& module, const SpecValues& values) {
    if (std::ranges::none_of(module.globals, is_spec_constant)) return Done{};  // as in nearly all modules
    if (Result<Done> done = specialize(module, values); !done) return done;
    return SpecConstants(module).run();
}

}  // namespace caldera::vulkan
