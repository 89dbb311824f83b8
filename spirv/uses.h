// SPDX-License-Identifier: Apache-2.0
// Walks over the ids of a module: counts uses, and replaces one value by another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::spirv {

/// Calls visit(Instruction&) for everything in a function that holds ids: OpFunction, parameters, bodies,
/// merges and terminators. `F` is Function or const Function.
template <class F, class Visit>
void for_each_instruction(F& function, Visit&& visit) {
    visit(function.def);
    for (auto& inst : function.params) visit(inst);
    for (auto& block : function.blocks) {
        for (auto& inst : block.body) visit(inst);
        if (block.merge.op != spv::Op::OpNop) visit(block.merge);
        visit(block.terminator);
    }
}

/// How often each id is used as a type or an operand by instructions in functions, globals, entry points and
/// execution modes. Names, decorations and branch labels do not count, nor does the id's own definition.
std::vector<uint32_t> count_uses(const Module& module);

/// Records replacements of one id by another, and follows chains of them.
class Substitution {
 public:
    bool empty() const { return empty_; }
    void set(Id from, Id to) {
        to_.set(from) = to;
        empty_ = false;
    }
    Id resolve(Id id) { return to_[id] ? last(id) : id; }
    /// Rewrites the operands, but not types and results, of every instruction in the function.
    void apply(Function& function);
    void apply(Instruction& inst) {
        if (empty_) return;
        for (Operand& operand : inst.operands)
            if (operand.is_id || operand.is_weak) operand = operand.with(resolve(operand.id()));
    }
    /// Rewrites the rest after a walk that applied this to the reachable blocks, definitions before uses. The
    /// rest is phis, whose operands may be defined later, and unreachable blocks. Returns whether a phi
    /// changed.
    bool apply_rest(Function& function, const Cfg& cfg);

 private:
    Id last(Id id);

    IdTable<Id> to_ = {};
    bool empty_ = true;
};

/// A name for messages: the entry point's name, the OpName, the linkage name, or "%12".
std::string function_name(const Module& module, Id function);

/// Renumbers the ids in the order of their definitions if the bound is far larger than their number. Arrays
/// over all ids then need memory in proportion to the module.
void compact_ids(Module& module);

/// Removes names and decorations, also of groups, whose target is no longer defined.
void drop_stale_names(Module& module);

/// Whether evaluating the instruction twice, or not at all, is the same as evaluating it once. Such an
/// instruction does not access memory, has no side effects, and does not depend on its position. Loads are
/// not pure; access chains and OpUndef are.
bool is_pure(const Instruction& inst);

}  // namespace caldera::spirv
