// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/who_uses.h"

#include <algorithm>

#include "spirv/uses.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using namespace spirv;

std::string who_uses(const Module& module, Id function) {
    CallGraph graph(module);
    for (const Instruction& entry : module.entry_points)
        if (std::ranges::count(graph.functions(entry.id(1)), graph.index_of(function)) != 0)
            return "kernel '" + string_at(entry, 2) + "'";
    const std::string name = quoted_name(module, function);
    return (name.empty() ? "a function" : "function") + name;
}

std::string place_of(const Module& module, Id function, const Line& line) {
    std::string place = who_uses(module, function);
    if (line.file) place += " (" + place_text(module, line) + ")";
    return place + ": ";
}

std::string place_of_user(const Module& module, Id global) {
    IdSet users;
    users.insert(global);
    for (const Instruction& inst : module.globals) {
        if (inst.result != global && !uses_any(inst, users)) continue;
        users.insert(inst.result);
        const std::string name = inst.op == spv::Op::OpVariable ? quoted_name(module, inst.result) : "";
        if (!name.empty()) return "variable" + name + ": ";
    }
    for (const Function& function : module.functions) {
        const Instruction* user = nullptr;
        for_each_instruction(function, [&](const Instruction& inst) {
            if (!user && uses_any(inst, users)) user = &inst;
        });
        if (user) return place_of(module, function.id(), user->line);
    }
    return "";
}

std::string quoted_name(const Module& module, Id variable) {
    const IdMap<std::string> names = names_of(module);
    const auto name = names.find(variable);
    return name == names.end() ? "" : " '" + name->second + "'";
}

bool uses_any(const Instruction& inst, const IdSet& ids) {
    return ids.contains(inst.type) || std::ranges::any_of(inst.operands, [&](const Operand& operand) {
               return operand.is_id && ids.contains(operand.id());
           });
}

}  // namespace caldera::vulkan
