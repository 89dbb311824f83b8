// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/arithmetic_fences.h"

#include <algorithm>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/newer_ops.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

class Fencing {
 public:
    explicit Fencing(Module& module) : module_(module) {}

    void run() {
        if (!find_fences()) return;
        index();
        while (!work_.empty()) {
            const Id value = work_.back();
            work_.pop_back();
            if (!seen_.insert(value)) continue;
            follow(value);
        }
        decorate();
    }

 private:
    bool find_fences() {
        for (const Function& function : module_.functions)
            for_each_instruction(function, [&](const Instruction& inst) {
                if (inst.op == kArithmeticFence) work_.push_back(inst.id(0));
            });
        return !work_.empty();
    }

    void index() {
        for (const Function& function : module_.functions) {
            functions_[function.id()] = &function;
            for (size_t i = 0; i < function.params.size(); ++i)
                parameters_[function.params[i].result] = {function.id(), i};
            for_each_instruction(function, [&](const Instruction& inst) {
                if (inst.result) definitions_[inst.result] = &inst;
                if (inst.op == Op::OpStore) stores_[inst.id(0)].push_back(inst.id(1));
                if (inst.op == Op::OpFunctionCall) calls_[inst.id(0)].push_back(&inst);
            });
        }
    }

    void follow(Id value) {
        if (const auto parameter = parameters_.find(value); parameter != parameters_.end()) {
            const auto [function, at] = parameter->second;
            for (const Instruction* call : calls_[function])
                if (at + 1 < call->operands.size()) work_.push_back(call->id(at + 1));
            return;
        }
        const auto found = definitions_.find(value);
        if (found == definitions_.end()) return;  // a constant
        const Instruction& inst = *found->second;
        const auto follow_operands = [&](size_t first, size_t step, size_t count) {
            for (size_t i = first; i < inst.operands.size() && count > 0; i += step, --count)
                work_.push_back(inst.id(i));
        };
        constexpr size_t kAll = ~size_t{0};
        if (inst.op == kArithmeticFence) return follow_operands(0, 1, 1);
        switch (inst.op) {
            case Op::OpCopyObject:
            case Op::OpCompositeExtract:
            case Op::OpVectorExtractDynamic: return follow_operands(0, 1, 1);
            case Op::OpVectorShuffle:
            case Op::OpCompositeInsert:
            case Op::OpVectorInsertDynamic: return follow_operands(0, 1, 2);
            case Op::OpCompositeConstruct: return follow_operands(0, 1, kAll);
            case Op::OpPhi: return follow_operands(0, 2, kAll);
            case Op::OpSelect: return follow_operands(1, 1, 2);
            case Op::OpLoad:
                for (const Id stored : stores_[inst.id(0)]) work_.push_back(stored);
                return;
            case Op::OpFunctionCall: return follow_results(inst.id(0));
            case Op::OpFNegate: follow_operands(0, 1, 1); break;
            default: break;
        }
        if (is_float_operation(inst.op) || inst.op == Op::OpExtInst) strict_.push_back(value);
    }

    void follow_results(Id function) {
        const auto found = functions_.find(function);
        if (found == functions_.end()) return;
        for (const Block& block : found->second->blocks)
            if (block.terminator.op == Op::OpReturnValue) work_.push_back(block.terminator.id(0));
    }

    void decorate() {
        IdSet strict;
        for (const Id value : strict_) strict.insert(value);
        const auto is_mode = [&](const Instruction& inst) {
            return inst.op == Op::OpDecorate && strict.contains(inst.id(0)) &&
                   inst.word(1) == static_cast<uint32_t>(spv::Decoration::FPFastMathMode);
        };
        std::erase_if(module_.annotations, is_mode);
        for (const Id value : strict_)
            module_.annotations.push_back(
                {.op = Op::OpDecorate, .operands = {value, spv::Decoration::FPFastMathMode, 0u}});
    }

    Module& module_;
    std::vector<Id> work_ = {}, strict_ = {};
    IdSet seen_ = {};
    IdMap<const Function*> functions_ = {};
    IdMap<const Instruction*> definitions_ = {};
    IdMap<std::pair<Id, size_t>> parameters_ = {};
    IdMap<std::vector<Id>> stores_ = {};                 // by the variable
    IdMap<std::vector<const Instruction*>> calls_ = {};  // by the function
};

}  // namespace

void fence_arithmetic(Module& module) { Fencing(module).run(); }

}  // namespace caldera::vulkan
