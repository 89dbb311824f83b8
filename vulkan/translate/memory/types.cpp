// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/types.h"

#include <algorithm>

#include "spirv/support/check.h"

namespace caldera::vulkan::memory {
namespace {

class TypeReplacer {
 public:
    TypeReplacer(spirv::Module& module, const Source& source, const PointsTo& points_to)
        : module_(module), source_(source), points_to_(points_to), gone_(module.bound) {
        for (const Instruction& inst : module.globals)
            if (inst.op == spv::Op::OpTypeInt && inst.word(0) == 32)
                u32_ = inst.result;
            else if (inst.op == spv::Op::OpTypeInt && inst.word(0) == 64)
                u64_ = inst.result;
    }

    void run() {
        std::vector<Instruction> kept;
        for (Instruction& inst : module_.globals)
            if (keep(inst)) kept.push_back(std::move(inst));
        module_.globals = std::move(kept);
        for (spirv::Function& function : module_.functions) {
            retype(function.def);
            for (Instruction& param : function.params) retype(param);
            for (spirv::Block& block : function.blocks)
                for (Instruction& inst : block.body) retype(inst);
        }
        std::erase_if(module_.names, [&](const Instruction& inst) { return gone_.at(inst.word(0)); });
        std::erase_if(module_.annotations, [&](const Instruction& inst) { return drops(inst); });
        for (Instruction& entry : module_.entry_points) trim_interface(entry);
    }

 private:
    bool keep(Instruction& inst) {
        const bool keeps = rewrite(inst);
        if (!keeps && inst.result) gone_.at(inst.result.value) = true;
        return keeps;
    }

    /// False when the instruction goes.
    bool rewrite(Instruction& inst) {
        const Layout& layout = source_.layout();
        switch (inst.op) {
            case spv::Op::OpTypePointer: return !layout.is_memory_pointer(inst.result);
            case spv::Op::OpTypeForwardPointer: return !layout.is_memory_pointer(inst.id(0));
            case spv::Op::OpTypeFunction: return false;
            case spv::Op::OpTypeArray: replace_member(inst.operands[0]); return true;
            case spv::Op::OpTypeStruct:
                for (Operand& operand : inst.operands) replace_member(operand);
                return true;
            default: break;
        }
        if (source_.is_expanded(inst.result)) return false;
        if (!inst.type || !source_.carries_pointer(inst.result)) return true;
        if (inst.op != spv::Op::OpConstantNull && inst.op != spv::Op::OpUndef) return false;
        retype(inst);
        return true;
    }

    void replace_member(Operand& type) const {
        if (source_.layout().is_memory_pointer(type.id())) type = u64_;
    }

    void retype(Instruction& inst) const {
        if (!inst.type || !source_.layout().is_memory_pointer(inst.type)) return;
        const Space space = points_to_.space_of(inst.result);
        inst.type = space == Space::Local || space == Space::Private ? u32_ : u64_;
    }

    bool drops(const Instruction& inst) const {
        const bool decorates = inst.op == spv::Op::OpDecorate || inst.op == spv::Op::OpDecorateId;
        if (!inst.operands[0].is_id) return false;
        if (gone_.at(inst.word(0))) return true;
        return decorates && source_.is_memory_pointer(inst.id(0));
    }

    void trim_interface(Instruction& entry) const {
        size_t next = 0;
        spirv::string_at(entry, 2, &next);
        const auto first = entry.operands.begin() + static_cast<ptrdiff_t>(next);
        entry.operands.erase(std::remove_if(first, entry.operands.end(),
                                            [&](const Operand& operand) { return gone_.at(operand.word); }),
                             entry.operands.end());
    }

    spirv::Module& module_;
    const Source& source_;
    const PointsTo& points_to_;
    std::vector<bool> gone_;
    Id u32_ = {}, u64_ = {};
};

}  // namespace

void declare_integers(spirv::Module& module) {
    std::vector<Instruction> integers;
    for (const uint32_t width : {8u, 16u, 32u, 64u}) {
        const auto found =
            std::find_if(module.globals.begin(), module.globals.end(), [&](const Instruction& inst) {
                return inst.op == spv::Op::OpTypeInt && inst.word(0) == width && inst.word(1) == 0;
            });
        if (found == module.globals.end()) {
            integers.push_back({.op = spv::Op::OpTypeInt, .result = module.fresh(), .operands = {width, 0u}});
        } else {
            integers.push_back(std::move(*found));
            module.globals.erase(found);
        }
    }
    module.globals.insert(module.globals.begin(), integers.begin(), integers.end());
}

void replace_types(spirv::Module& module, const Source& source, const PointsTo& points_to) {
    TypeReplacer(module, source, points_to).run();
}

}  // namespace caldera::vulkan::memory
