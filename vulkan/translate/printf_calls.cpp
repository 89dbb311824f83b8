// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/printf_calls.h"

#include <spirv/unified1/OpenCL.std.h>

#include "spirv/id_map.h"
#include "vulkan/translate/reach.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

Id opencl_std_of(const spirv::Module& module) {
    for (const Instruction& inst : module.ext_inst_imports)
        if (spirv::string_at(inst, 0) == "OpenCL.std") return inst.result;
    return {};
}

bool is_printf(const Instruction& inst, Id opencl_std) {
    return inst.op == Op::OpExtInst && opencl_std && inst.operands.size() > kPrintfFormat &&
           inst.id(0) == opencl_std && inst.word(1) == OpenCLLIB::Printf;
}

std::string printf_fault(const Builder& builder, const LiteralStrings& strings, const Instruction& call) {
    if (!strings.find(call.id(kPrintfFormat)))
        return "the format of printf is not known when the kernel is compiled";
    for (size_t i = kPrintfArguments; i < call.operands.size(); ++i) {
        const Id type = builder.type_of(call.id(i));
        const Id scalar = builder.is_vector(type) ? builder.element(type) : type;
        if (!builder.is_int(scalar) && !builder.is_float(scalar) && !builder.is_bool(scalar) &&
            !builder.is_pointer(scalar))
            return "printf cannot print argument " + std::to_string(i - kPrintfFormat) +
                   ", which is neither a number, a vector nor a pointer";
    }
    return {};
}

void take_printed_floats(spirv::Module& module) {
    const Id opencl_std = opencl_std_of(module);
    if (!opencl_std) return;
    spirv::IdSet float_types;
    for (const Instruction& inst : module.globals)
        if (inst.op == Op::OpTypeFloat && inst.word(0) == 64) float_types.insert(inst.result);
    for (spirv::Function& function : module.functions) {
        spirv::IdMap<Id> promoted;  // double -> what it was
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op == Op::OpFConvert && float_types.contains(inst.type))
                    promoted.emplace(inst.result, inst.id(0));
                if (!is_printf(inst, opencl_std)) continue;
                for (size_t i = kPrintfArguments; i < inst.operands.size(); ++i)
                    if (const auto found = promoted.find(inst.id(i)); found != promoted.end())
                        inst.operands[i] = found->second;
            }
        if (promoted.empty()) continue;
        spirv::IdSet used;
        for_each_use(function, [&](const spirv::Operand& operand) { used.insert(operand.id()); });
        for (spirv::Block& block : function.blocks)
            std::erase_if(block.body, [&](const Instruction& inst) {
                return promoted.contains(inst.result) && !used.contains(inst.result);
            });
    }
}

}  // namespace caldera::vulkan
