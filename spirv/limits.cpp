// SPDX-License-Identifier: Apache-2.0
#include "spirv/limits.h"

#include <algorithm>
#include <unordered_map>

#include "spirv/uses.h"

namespace caldera::spirv {
namespace {

class Limits {
 public:
    explicit Limits(const Module& module) : module_(module) {}

    Result<Done> run() {
        count("ids", module_.bound - 1, kMaxIds);
        for (const auto* section : {&module_.entry_points, &module_.execution_modes, &module_.debug_sources,
                                    &module_.names, &module_.annotations})
            for (const Instruction& inst : *section) instruction(inst);
        globals();
        for (const Function& function : module_.functions) {
            uint32_t variables = 0;
            for (const Block& block : function.blocks) {
                for (const Instruction& inst : block.body) {
                    instruction(inst);
                    variables += inst.op == spv::Op::OpVariable;
                }
                terminator(block.terminator);
            }
            count("variables per function", variables, kMaxLocalVariables);
        }
        if (fault_.empty()) return Done{};
        return Error{.message = fault_};
    }

 private:
    void count(const char* what, size_t number, size_t limit) {
        if (number <= limit || !fault_.empty()) return;
        fault_ = "SPIR-V allows " + std::to_string(limit) + " " + what + ", but the module has " +
                 std::to_string(number);
    }

    void instruction(const Instruction& inst) {
        count("words per instruction", 1 + (inst.type ? 1 : 0) + (inst.result ? 1 : 0) + inst.operands.size(),
              kMaxInstructionWords);
    }

    void globals() {
        uint32_t variables = 0;
        for (const Instruction& inst : module_.globals) {
            instruction(inst);
            if (inst.op == spv::Op::OpVariable) ++variables;
            if (inst.op != spv::Op::OpTypeStruct) continue;
            count("members per struct", inst.operands.size(), kMaxMembers);
            uint32_t depth = 0;
            for (const Operand& member : inst.operands)
                if (const auto found = depths_.find(member.word); found != depths_.end())
                    depth = std::max(depth, found->second);
            depths_[inst.result.value] = depth + 1;
            count("levels of nested structs", depth + 1, kMaxNestedStructs);
        }
        count("program-scope variables", variables, kMaxGlobalVariables);
    }

    void terminator(const Instruction& inst) {
        instruction(inst);
        if (inst.op != spv::Op::OpSwitch) return;
        const auto labels =
            std::count_if(inst.operands.begin(), inst.operands.end(), [](Operand o) { return o.is_id; });
        count("cases per switch", static_cast<size_t>(labels) - 2,
              kMaxCases);  // beside the selector and the default
    }

    const Module& module_;
    std::unordered_map<uint32_t, uint32_t> depths_ = {};  // of structs, by id
    std::string fault_ = {};
};

}  // namespace

Result<Done> check_limits(const Module& module) { return Limits(module).run(); }

Result<Done> check_parameters(const Module& module) {
    for (const Function& function : module.functions)
        if (function.params.size() > kMaxParameters)
            return Error{.message = "function '" + function_name(module, function.id()) + "' has " +
                                    std::to_string(function.params.size()) +
                                    " parameters, but SPIR-V allows at most " +
                                    std::to_string(kMaxParameters)};
    return Done{};
}

}  // namespace caldera::spirv
