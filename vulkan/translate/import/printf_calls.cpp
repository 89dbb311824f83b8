// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/printf_calls.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "spirv/id_map.h"
#include "vulkan/translate/support/reach.h"

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

bool prints(const spirv::Function& function, Id opencl_std) {
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            if (is_printf(inst, opencl_std)) return true;
    return false;
}

void take_printf_imports(spirv::Module& module) {
    spirv::IdSet named;
    for (const Instruction& inst : module.annotations) {
        const std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst);
        if (linkage && linkage->type == spv::LinkageType::Import && linkage->name == "printf")
            named.insert(linkage->target);
    }
    if (named.empty()) return;
    Builder builder(module);
    const auto is_number = [&](Id type) { return builder.is_int(type) && builder.width(type) == 32; };
    for (spirv::Function& function : module.functions)
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                const bool calls = inst.op == Op::OpFunctionCall && named.contains(inst.id(0));
                if (!calls || inst.operands.size() < 2 || !is_number(inst.type)) continue;
                spirv::Operands operands = {builder.ext_inst_import("OpenCL.std"),
                                            static_cast<uint32_t>(OpenCLLIB::Printf)};
                operands.insert(operands.end(), inst.operands.begin() + 1, inst.operands.end());
                inst.op = Op::OpExtInst;
                inst.operands = std::move(operands);
            }
}

std::string printf_fault(const Builder& builder, const LiteralStrings& strings, const Instruction& call) {
    if (!strings.find(call.id(kPrintfFormat)))
        return "the format string of printf is not known at compile time";
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

void drop_unused_pointers(spirv::Function& function, spirv::IdSet& pointers) {
    constexpr int kMaxSteps = 8;  // from the variable to what printf is given
    for (int step = 0; step < kMaxSteps; ++step) {
        spirv::IdSet used;
        for_each_use(function, [&](const spirv::Operand& operand) { used.insert(operand.id()); });
        size_t dropped = 0;
        for (spirv::Block& block : function.blocks)
            dropped += std::erase_if(block.body, [&](const Instruction& inst) {
                if (!pointers.contains(inst.result) || used.contains(inst.result)) return false;
                if (!inst.operands.empty() && inst.operands[0].is_id) pointers.insert(inst.id(0));
                return inst.op != Op::OpVariable;
            });
        if (dropped == 0) return;
    }
}

void drop_format_casts(spirv::Module& module) {
    const Id opencl_std = opencl_std_of(module);
    const Builder builder(module);
    const auto storage = [&](Id type) {
        return builder.is_pointer(type) ? builder.storage(type) : spv::StorageClass::Max;
    };
    for (spirv::Function& function : module.functions) {
        if (!prints(function, opencl_std)) continue;
        spirv::IdMap<Id> sources;  // cast -> what it is of
        spirv::IdSet casts;
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op == Op::OpBitcast && storage(inst.type) == spv::StorageClass::UniformConstant)
                    sources.emplace(inst.result, inst.id(0));
                if (!is_printf(inst, opencl_std)) continue;
                const auto source = sources.find(inst.id(kPrintfFormat));
                if (source == sources.end() ||
                    storage(builder.type_of(source->second)) == spv::StorageClass::UniformConstant)
                    continue;
                casts.insert(source->first);
                inst.operands[kPrintfFormat] = source->second;
            }
        if (!casts.empty()) drop_unused_pointers(function, casts);
    }
}

/// The float that a constant double has been, perhaps.
static Id promoted_constant(Builder& builder, Id value) {
    const Id type = builder.type_of(value);
    const Instruction* inst = builder.find_global(value);
    if (!inst || inst->op != Op::OpConstant || !builder.is_float(type) || builder.width(type) != 64)
        return {};
    const auto wide = std::bit_cast<double>(number_at(*inst));
    const bool is_float = std::fabs(wide) <= std::numeric_limits<float>::max() &&
                          static_cast<double>(static_cast<float>(wide)) == wide;
    return is_float ? builder.constant_f32(static_cast<float>(wide)) : Id{};
}

void take_printed_floats(spirv::Module& module) {
    const Id opencl_std = opencl_std_of(module);
    if (std::ranges::none_of(module.functions,
                             [&](const spirv::Function& f) { return prints(f, opencl_std); }))
        return;
    Builder builder(module);
    const auto is_double = [&](Id type) { return builder.is_float(type) && builder.width(type) == 64; };
    for (spirv::Function& function : module.functions) {
        spirv::IdMap<Id> promoted;  // double -> what it was
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op == Op::OpFConvert && is_double(inst.type))
                    promoted.emplace(inst.result, inst.id(0));
                if (!is_printf(inst, opencl_std)) continue;
                for (size_t i = kPrintfArguments; i < inst.operands.size(); ++i)
                    if (const auto found = promoted.find(inst.id(i)); found != promoted.end())
                        inst.operands[i] = found->second;
                    else if (const Id constant = promoted_constant(builder, inst.id(i)))
                        inst.operands[i] = constant;
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
