// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/input_loads.h"

#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

struct Component {
    Id variable = {}, index = {};
};

class InputLoads {
 public:
    explicit InputLoads(spirv::Module& module) : builder_(module), built_ins_(built_ins_of(module)) {}

    /// Whether anything changed.
    bool rewrite(spirv::Function& function) {
        find_chains(function);
        if (chains_.empty()) return false;
        for (spirv::Block& block : function.blocks)
            replace_instructions(builder_, block, [&](const Instruction& inst) { return replace(inst); });
        spirv::IdSet used;
        for_each_use(function, [&](const spirv::Operand& operand) { used.insert(operand.id()); });
        for (spirv::Block& block : function.blocks)
            std::erase_if(block.body, [&](const Instruction& inst) {
                return chains_.contains(inst.result) && !used.contains(inst.result);
            });
        return true;
    }

 private:
    void find_chains(const spirv::Function& function) {
        chains_.clear();
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if ((inst.op == Op::OpAccessChain || inst.op == Op::OpInBoundsAccessChain) &&
                    inst.operands.size() == 2 && is_extraction(inst.id(0), inst.id(1)))
                    chains_.emplace(inst.result, Component{inst.id(0), inst.id(1)});
    }

    bool is_extraction(Id variable, Id index) const {
        const auto built_in = built_ins_.find(variable);
        if (built_in == built_ins_.end() || !builder_.is_vector(vector_type(variable))) return false;
        const std::optional<uint64_t> constant = builder_.constant_value(index);
        return constant ? *constant < builder_.count(vector_type(variable))
                        : is_sub_group_input(built_in->second);
    }

    bool replace(const Instruction& inst) {
        const auto chain = inst.op == Op::OpLoad ? chains_.find(inst.id(0)) : chains_.end();
        if (chain == chains_.end()) return false;
        const auto [variable, index] = chain->second;
        const Id vector = builder_.append(Op::OpLoad, vector_type(variable), {variable});
        if (const std::optional<uint64_t> constant = builder_.constant_value(index))
            builder_.append(Op::OpCompositeExtract, inst.type, {vector, static_cast<uint32_t>(*constant)});
        else
            builder_.append(Op::OpVectorExtractDynamic, inst.type, {vector, index});
        return true;
    }

    Id vector_type(Id variable) const { return builder_.pointee(builder_.type_of(variable)); }

    spirv::Builder builder_;
    spirv::IdMap<spv::BuiltIn> built_ins_;
    spirv::IdMap<Component> chains_ = {};  // of the function at hand
};

}  // namespace

void load_whole_inputs(spirv::Module& module) {
    InputLoads loads(module);
    bool any = false;
    for (spirv::Function& function : module.functions) any |= loads.rewrite(function);
    if (any) spirv::drop_stale_names(module);
}

}  // namespace caldera::vulkan
