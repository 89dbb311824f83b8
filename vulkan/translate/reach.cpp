// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/reach.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;

std::vector<size_t> reached_functions(const spirv::Module& module, Id root) {
    spirv::IdMap<size_t> index;
    for (size_t i = 0; i < module.functions.size(); ++i) index.emplace(module.functions[i].id(), i);
    std::vector<size_t> reached;
    spirv::IdSet seen;
    auto reach = [&](Id id) {
        const auto found = index.find(id);
        if (found != index.end() && seen.insert(id)) reached.push_back(found->second);
    };
    reach(root);
    for (size_t next = 0; next < reached.size(); ++next)
        for (const spirv::Block& block : module.functions[reached[next]].blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpFunctionCall) reach(inst.id(0));
    return reached;
}

std::vector<Id> reached_variables(const spirv::Module& module, Id root) {
    spirv::IdSet used;
    for (size_t index : reached_functions(module, root))
        for_each_use(module.functions[index],
                     [&](const spirv::Operand& operand) { used.insert(operand.id()); });
    std::vector<Id> variables;
    for (const Instruction& inst : module.globals)
        if (inst.op == spv::Op::OpVariable && used.contains(inst.result)) variables.push_back(inst.result);
    return variables;
}

void set_entry_point_interfaces(spirv::Module& module, bool all_variables) {
    spirv::IdMap<spv::StorageClass> storage;
    for (const Instruction& inst : module.globals)
        if (inst.op == spv::Op::OpVariable)
            storage.emplace(inst.result, static_cast<spv::StorageClass>(inst.word(0)));
    for (Instruction& entry : module.entry_points) {
        size_t end = 0;
        spirv::string_at(entry, 2, &end);
        entry.operands.resize(end);
        for (Id variable : reached_variables(module, entry.id(1))) {
            const spv::StorageClass where = storage.at(variable);
            if (all_variables || where == spv::StorageClass::Input || where == spv::StorageClass::Output)
                entry.operands.push_back(variable);
        }
    }
}

spirv::IdMap<std::string> names_of(const spirv::Module& module) {
    spirv::IdMap<std::string> names;
    for (const Instruction& inst : module.names)
        if (inst.op == spv::Op::OpName) names.emplace(inst.id(0), spirv::string_at(inst, 1));
    return names;
}

void drop_dangling_annotations(spirv::Module& module) {
    std::vector<bool> defined(module.bound, false);
    auto define = [&](const Instruction& inst) {
        if (inst.result) defined[inst.result.value] = true;
    };
    for (const auto* section :
         {&module.ext_inst_imports, &module.debug_sources, &module.globals, &module.annotations})
        for (const Instruction& inst : *section) define(inst);
    for (const spirv::Function& function : module.functions) {
        define(function.def);
        for (const Instruction& param : function.params) define(param);
        for (const spirv::Block& block : function.blocks) {
            defined[block.label.value] = true;
            for (const Instruction& inst : block.body) define(inst);
        }
    }
    auto gone = [&](const Instruction& inst) {
        return !inst.operands.empty() && inst.operands[0].is_id && !defined[inst.word(0)];
    };
    std::erase_if(module.names, gone);
    std::erase_if(module.annotations, gone);
}

}  // namespace caldera::vulkan
