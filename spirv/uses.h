// SPDX-License-Identifier: Apache-2.0
// Walking the ids of a module: who uses what, and replacing one value by another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::spirv {

/// Calls visit(Instruction&) for everything in a function that holds ids: OpFunction, parameters, bodies, merges and
/// terminators. `F` is Function or const Function.
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

/// How often each id is used: as a type or an operand, by instructions of functions, globals, entry points and
/// execution modes. Names, decorations and branch labels do not count, nor does an id's own definition.
std::vector<uint32_t> count_uses(const Module& module);

/// "Use b instead of a", followed through chains.
class Substitution {
 public:
    bool empty() const { return empty_; }
    void set(Id from, Id to) {
        to_.set(from) = to;
        empty_ = false;
    }
    Id resolve(Id id) { return to_[id] ? last(id) : id; }
    /// Rewrites the operands (types and results stay) of every instruction of the function.
    void apply(Function& function);
    void apply(Instruction& inst) {
        if (empty_) return;
        for (Operand& operand : inst.operands)
            if (operand.is_id) operand = resolve(operand.id());
    }
    /// What is left to rewrite after a walk that applied this to the reachable blocks, definitions before uses: phis, which
    /// have operands from further on, and blocks that are not reachable. Returns whether a phi changed.
    bool apply_rest(Function& function, const Cfg& cfg);

 private:
    Id last(Id id);

    IdTable<Id> to_ = {};
    bool empty_ = true;
};

/// For messages: the entry point's name, the OpName, the linkage name, or "%12".
std::string function_name(const Module& module, Id function);

/// Numbers the ids anew in the order in which they stand, when the bound is far above their number: what works by arrays
/// over all ids then takes memory in proportion to the module.
void compact_ids(Module& module);

/// Drops names and decorations (of groups too) whose target nothing defines any more.
void drop_stale_names(Module& module);

/// Whether evaluating the instruction twice, or not at all, is the same as once: no memory, no control, no side effects,
/// no dependence on where it stands. Loads are not pure; access chains and OpUndef are.
bool is_pure(const Instruction& inst);

}  // namespace caldera::spirv
