// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/clone.h"

namespace caldera::vulkan {

using namespace spirv;

void Cloner::find_names() {
    has_names_ = true;
    for (uint32_t i = 0; i < module_.names.size(); ++i)
        if (module_.names[i].op == spv::Op::OpName) names_[module_.names[i].word(0)].push_back(i);
    for (uint32_t i = 0; i < module_.annotations.size(); ++i) {
        const Instruction& inst = module_.annotations[i];
        const bool plain = inst.op == spv::Op::OpDecorate || inst.op == spv::Op::OpDecorateId ||
                           inst.op == spv::Op::OpDecorateString;
        if (plain && inst.word(1) != static_cast<uint32_t>(spv::Decoration::LinkageAttributes))
            annotations_[inst.word(0)].push_back(i);
    }
}

Id Cloner::rename(Id from) {
    if (!has_names_) find_names();
    const Id to = module_.fresh();
    map(from, to);
    auto copy_section = [&](auto& index, std::vector<Instruction>& section) {
        auto found = index.find(from.value);
        if (found == index.end()) return;
        const std::vector<uint32_t> rows = found->second;
        std::vector<uint32_t>& copies = index[to];
        for (uint32_t row : rows) {
            Instruction inst = section[row];
            inst.operands[0] = to;
            copies.push_back(static_cast<uint32_t>(section.size()));
            section.push_back(std::move(inst));
        }
    };
    copy_section(names_, module_.names);
    copy_section(annotations_, module_.annotations);
    return to;
}

void Cloner::rename_body(const Function& function, bool with_params) {
    if (with_params)
        for (const Instruction& param : function.params) rename(param.result);
    for (const Block& block : function.blocks) {
        rename(block.label);
        for (const Instruction& inst : block.body)
            if (inst.result) rename(inst.result);
    }
}

Instruction Cloner::copy(const Instruction& inst) const {
    Instruction result = inst;
    result.result = (*this)(inst.result);
    for (Operand& operand : result.operands)
        if (operand.is_id || operand.is_weak) operand = operand.with((*this)(operand.id()));
    return result;
}

Function Cloner::copy(const Function& function, Id as) {
    map(function.id(), as);
    rename_body(function, true);
    Function result;
    result.def = copy(function.def);
    for (const Instruction& param : function.params) result.params.push_back(copy(param));
    for (const Block& block : function.blocks) {
        Block& out = result.blocks.emplace_back();
        out.label = (*this)(block.label);
        for (const Instruction& inst : block.body) out.body.push_back(copy(inst));
        out.merge = copy(block.merge);
        out.terminator = copy(block.terminator);
    }
    map(function.id(), {});
    return result;
}

}  // namespace caldera::vulkan
