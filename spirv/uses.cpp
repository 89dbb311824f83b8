// SPDX-License-Identifier: Apache-2.0
#include "spirv/uses.h"

#include <algorithm>

namespace caldera::spirv {

std::vector<uint32_t> count_uses(const Module& module) {
    std::vector<uint32_t> uses(module.bound, 0);
    auto use = [&](Id id) {
        if (id.value < uses.size()) ++uses[id.value];
    };
    auto count = [&](const Instruction& inst) {
        if (inst.type) use(inst.type);
        for (const Operand& operand : inst.operands)
            if (operand.is_id) use(operand.id());
    };
    for (const auto* section : {&module.entry_points, &module.execution_modes, &module.globals})
        for (const Instruction& inst : *section) count(inst);
    for (const Function& function : module.functions)
        for_each_instruction(function, [&](const Instruction& inst) {
            count(inst);
            if (const Id file = module.file_of(inst.line)) use(file);
        });
    for (const Instruction& inst : module.globals)
        if (const Id file = module.file_of(inst.line)) use(file);
    for (const Instruction& inst : module.debug_info) count(inst);
    return uses;
}

/// The end of the chain, which begins with a replaced value.
Id Substitution::last(Id id) {
    Id end = to_[id];
    while (const Id next = to_[end]) end = next;
    while (id != end) {  // path compression
        Id& slot = to_.set(id);
        id = slot;
        slot = end;
    }
    return end;
}

void Substitution::apply(Function& function) {
    if (empty()) return;
    for_each_instruction(function, [&](Instruction& inst) { apply(inst); });
}

bool Substitution::apply_rest(Function& function, const Cfg& cfg) {
    if (empty()) return false;
    bool changed = false;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        Block& block = function.blocks[b];
        for (Instruction& inst : block.body) {
            if (cfg.reachable(b) && inst.op != spv::Op::OpPhi) break;
            for (Operand& operand : inst.operands) {
                if (!operand.is_id && !operand.is_weak) continue;
                const Id value = resolve(operand.id());
                changed |= value != operand.id();
                operand = operand.with(value);
            }
        }
        if (!cfg.reachable(b)) apply(block.terminator);
    }
    return changed;
}

std::string function_name(const Module& module, Id function) {
    for (const Instruction& inst : module.entry_points)
        if (inst.id(1) == function) return string_at(inst, 2);
    for (const Instruction& inst : module.names)
        if (inst.op == spv::Op::OpName && inst.id(0) == function) return string_at(inst, 1);
    for (const Instruction& inst : module.annotations)
        if (inst.op == spv::Op::OpDecorate && inst.id(0) == function &&
            inst.word(1) == static_cast<uint32_t>(spv::Decoration::LinkageAttributes))
            return string_at(inst, 2);
    return "%" + std::to_string(function.value);
}

void compact_ids(Module& module) {
    constexpr size_t kSpare = 1024;
    size_t count = 0;
    auto for_each_section = [&](auto visit) {
        for (auto* section :
             {&module.ext_inst_imports, &module.entry_points, &module.execution_modes, &module.debug_sources,
              &module.names, &module.annotations, &module.globals, &module.debug_info})
            for (Instruction& inst : *section) visit(inst);
        for (Function& function : module.functions) for_each_instruction(function, visit);
    };
    for_each_section([&](const Instruction& inst) { count += inst.result ? 1 : 0; });
    for (const Function& function : module.functions) count += function.blocks.size();
    if (module.bound <= 4 * count + kSpare) return;
    std::vector<uint32_t> number(module.bound, 0);
    module.bound = 1;
    auto rename = [&](Id id) {
        if (!id) return id;
        uint32_t& known = number[id.value];
        if (known == 0) known = module.fresh().value;
        return Id{known};
    };
    for_each_section([&](Instruction& inst) {
        inst.type = rename(inst.type);
        inst.result = rename(inst.result);
        if (!inst.line.has_scope()) inst.line.file = rename(inst.line.file);
        for (Operand& operand : inst.operands)
            if (operand.is_id || operand.is_weak) operand = operand.with(rename(operand.id()));
    });
    for (Scope& scope : module.scopes)
        scope = {rename(scope.scope), rename(scope.inlined_at), rename(scope.file)};
    for (Function& function : module.functions)
        for (Block& block : function.blocks) block.label = rename(block.label);
}

void drop_stale_names(Module& module) {
    std::vector<bool> defined(module.bound, false);
    auto define = [&](const Instruction& inst) {
        if (inst.result.value < defined.size()) defined[inst.result.value] = true;
    };
    for (const auto* section : {&module.ext_inst_imports, &module.debug_sources, &module.annotations,
                                &module.globals, &module.debug_info})
        for (const Instruction& inst : *section) define(inst);
    for (const Function& function : module.functions) {
        for_each_instruction(function, define);
        for (const Block& block : function.blocks)
            if (block.label.value < defined.size()) defined[block.label.value] = true;
    }
    auto stale = [&](const Instruction& inst) {
        return !inst.operands.empty() && inst.operands[0].is_id &&
               (inst.word(0) >= defined.size() || !defined[inst.word(0)]);
    };
    std::erase_if(module.names, stale);
    std::erase_if(module.annotations, stale);
}

bool is_pure(const Instruction& inst) {
    using enum spv::Op;
    if (!inst.result) return false;
    switch (inst.op) {
        case OpUndef:
        case OpCopyObject:
        case OpAccessChain:
        case OpInBoundsAccessChain:
        case OpPtrAccessChain:
        case OpInBoundsPtrAccessChain:
        case OpPtrEqual:
        case OpPtrNotEqual:
        case OpPtrDiff:
        case OpSizeOf:
        case OpCopyLogical: return true;
        default: break;
    }
    const auto op = static_cast<uint32_t>(inst.op);
    auto between = [&](spv::Op first, spv::Op last) {
        return op >= static_cast<uint32_t>(first) && op <= static_cast<uint32_t>(last);
    };
    return between(OpVectorExtractDynamic, OpTranspose) ||  // composites
           between(OpConvertFToU, OpBitcast) ||             // conversions
           between(OpSNegate, OpSMulExtended) ||            // arithmetic
           between(OpAny, OpFUnordGreaterThanEqual) ||      // logic and relations
           between(OpShiftRightLogical, OpBitCount) ||      // bits
           between(OpSDot, OpSUDotAccSat);                  // integer dot products
}

}  // namespace caldera::spirv
