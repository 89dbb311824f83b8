// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/replace_types.h"

#include <algorithm>
#include <map>

namespace caldera::vulkan {

using namespace spirv;

Words declare_words(Builder& builder) {
    Words words;
    words.types[1] = builder.type_int(32);
    for (uint32_t n = 2; n <= 4; ++n) words.types[n] = builder.type_vector(words.types[1], n);
    return words;
}

Id FirstTypes::add(spv::Op op, Operands operands) {
    std::vector<Instruction>& globals = module_.globals;
    Instruction type{.op = op, .operands = std::move(operands)};
    const auto same = std::ranges::find_if(globals, [&](const Instruction& inst) {
        return inst.op == op &&
               std::ranges::equal(inst.operands, type.operands, {}, &Operand::word, &Operand::word);
    });
    type.result = same == globals.end() ? module_.fresh() : same->result;
    if (same != globals.end()) globals.erase(same);
    const Id id = type.result;
    globals.insert(globals.begin() + count_++, std::move(type));
    return id;
}

void replace_types(Module& module, IdMap<Id> types) {
    auto resolve = [&](Instruction& inst) {
        if (const auto found = types.find(inst.type); found != types.end()) inst.type = found->second;
        for (Operand& operand : inst.operands)
            if (operand.is_id)
                if (const auto found = types.find(operand.id()); found != types.end())
                    operand = found->second;
    };
    std::erase_if(module.globals, [&](const Instruction& inst) { return types.contains(inst.result); });
    std::map<std::vector<uint32_t>, Id> functions;
    std::erase_if(module.globals, [&](Instruction& inst) {
        resolve(inst);
        if (inst.op != spv::Op::OpTypeFunction) return false;
        std::vector<uint32_t> key;
        for (const Operand& operand : inst.operands) key.push_back(operand.word);
        const auto [first, is_new] = functions.try_emplace(std::move(key), inst.result);
        if (!is_new) types[inst.result] = first->second;
        return !is_new;
    });
    for (Function& function : module.functions) {
        resolve(function.def);
        for (Instruction& param : function.params) resolve(param);
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) resolve(inst);
    }
}

}  // namespace caldera::vulkan
