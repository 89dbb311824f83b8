// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/known_values.h"

#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

KnownValues::KnownValues(const spirv::Builder& builder, const Function& function, const PassedValues& passed)
    : builder_(builder), same_(builder, function, passed) {
    for (const Instruction& parameter : function.params)
        if (passed.known.contains(parameter.result)) candidates_.insert(parameter.result);
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.body) enter(inst);
    find_loop_ends(function);
    find_private_accesses(function);
    update(function);
}

void KnownValues::update(const Function& function) {
    constexpr int kRounds = 4;  // enough for most functions
    function_ = &function;
    // At first all values count as known. Values that are not known make others unknown, round by round.
    for (int round = 0; round < kRounds; ++round) {
        forgotten_.clear();
        sweep(function);
        if (forgotten_.empty()) return;
    }
    follow(function);
}

/// Makes what uses the values unknown that the last sweep made unknown, one by one.
void KnownValues::follow(const Function& function) {
    spirv::IdMap<std::vector<const Instruction*>> users;
    spirv::IdMap<std::vector<size_t>> left_if;  // condition -> the headers of the loops that it leaves
    std::vector<const Instruction*> loads;      // from private variables
    for (size_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        for (const Instruction& inst : block.body) {
            for (const spirv::Operand& operand : inst.operands)
                if (operand.is_id) users[operand.id()].push_back(&inst);
            if (loads_.contains(inst.result)) loads.push_back(&inst);
        }
        if (block.merge.op != Op::OpLoopMerge) continue;
        for (const uint32_t from : loop_ends_.at(block.merge.id(0)).from)
            left_if[function.blocks[from].terminator.id(0)].push_back(b);
    }
    const auto drain = [&] {
        while (!forgotten_.empty()) {
            const Id value = forgotten_.back();
            forgotten_.pop_back();
            if (const auto found = users.find(value); found != users.end())
                for (const Instruction* inst : found->second) visit(*inst);
            if (const auto found = left_if.find(value); found != left_if.end())
                for (const size_t header : found->second) forget_turns(function, header);
        }
    };
    constexpr int kRounds = 8;  // through memory; what counts as known behind them may be unknown
    for (int round = 0; round < kRounds && !forgotten_.empty(); ++round) {
        drain();
        for (const Instruction* load : loads) visit(*load);
    }
    drain();
}

bool KnownValues::has(Id value) const {
    if (const Instruction* global = builder_.find_global(value)) return global->op != Op::OpVariable;
    return candidates_.contains(value) && !unknown_.contains(value);
}

void KnownValues::enter(const Instruction& inst) {
    roots_.add(inst);
    const bool may_be_known = inst.op == Op::OpVariable || inst.op == Op::OpPhi || inst.op == Op::OpLoad ||
                              inst.op == Op::OpExtInst || spirv::is_pure(inst);
    if (may_be_known) candidates_.insert(inst.result);
}

void KnownValues::sweep(const Function& function) {
    for (size_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        if (block.merge.op == Op::OpLoopMerge) forget_turns(function, b);
        for (const Instruction& inst : block.body) visit(inst);
    }
}

/// What changes from turn to turn is not known in a loop that stays a loop.
void KnownValues::forget_turns(const Function& function, size_t header) {
    if (may_unroll(function, header)) return;
    for (const Instruction& inst : function.blocks[header].body)
        if (inst.op == Op::OpPhi) forget(inst.result);
}

void KnownValues::visit(const Instruction& inst) {
    switch (inst.op) {
        case Op::OpVariable: return;
        case Op::OpStore: forget_variable(inst.id(1)); return;
        case Op::OpPhi:
            if (!is_made_of_known(inst, 0, 2)) forget(inst.result);
            return;
        case Op::OpLoad:
            if (!roots_.of(inst.id(0)) || !has(inst.id(0)) || !may_find(inst)) forget(inst.result);
            return;
        case Op::OpExtInst:
            if (!is_made_of_known(inst, 2)) forget(inst.result);
            break;
        default:
            if (spirv::is_pure(inst)) {
                if (!is_made_of_known(inst, 0) && !same_.decides(inst)) forget(inst.result);
                return;
            }
    }
    // If a variable's address is used elsewhere, other code may write to it.
    for (const spirv::Operand& operand : inst.operands)
        if (operand.is_id) forget_variable(operand.id());
}

bool KnownValues::is_made_of_known(const Instruction& inst, size_t first, size_t step) const {
    for (size_t i = first; i < inst.operands.size(); i += step)
        if (inst.operands[i].is_id && !has(inst.id(i))) return false;
    return true;
}

void KnownValues::find_loop_ends(const Function& function) {
    for (const Block& block : function.blocks)
        if (block.merge.op == Op::OpLoopMerge) loop_ends_[block.merge.id(0)];
    if (loop_ends_.empty()) return;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        if (const auto end = loop_ends_.find(block.label); end != loop_ends_.end()) end->second.block = b;
        spirv::for_each_target(block.terminator, [&](const spirv::Operand& target) {
            if (const auto end = loop_ends_.find(target.id()); end != loop_ends_.end())
                end->second.from.push_back(b);
        });
    }
}

/// The stores of a block to private variables, the latest to each place.
class KnownValues::LatestStores {
 public:
    void store(Id variable, const PrivateAccess& access) {
        Stores& stores = stores_[variable];
        (access.element ? stores.elements[static_cast<uint32_t>(*access.element)] : stores.anywhere) = access;
        stores.latest = access;
    }
    /// What the last store to the place has put there; none if that is not known.
    Id value_at(Id variable, const PrivateAccess& load) const {
        const auto found = stores_.find(variable);
        if (found == stores_.end()) return {};
        const Stores& stores = found->second;
        const PrivateAccess* last = &stores.latest;
        if (load.element) {
            const auto element = stores.elements.find(static_cast<uint32_t>(*load.element));
            if (element == stores.elements.end()) return {};
            last = &element->second;
        }
        return last->pointer == load.pointer && last->at >= stores.anywhere.at ? last->value : Id{};
    }

 private:
    struct Stores {
        PrivateAccess latest = {}, anywhere = {};  // to any place, and by an index that is no constant
        spirv::IdMap<PrivateAccess> elements = {};
    };
    spirv::IdMap<Stores> stores_ = {};
};

void KnownValues::find_private_accesses(const Function& function) {
    spirv::IdMap<const Instruction*> chains;
    std::vector<std::pair<uint32_t, Id>> open;  // the headers of loops, and their merge blocks
    uint32_t at = 0;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        LatestStores latest;
        for (; !open.empty() && open.back().second == block.label; open.pop_back())
            ranges_[open.back().first].end = at + 1;
        if (block.merge.op == Op::OpLoopMerge) {
            open.emplace_back(b, block.merge.id(0));
            ranges_[b] = {at + 1, ~0u};
        }
        for (const Instruction& inst : block.body) {
            ++at;
            if (spirv::computes_pointer(inst.op)) chains[inst.result] = &inst;
            if (inst.op != Op::OpLoad && inst.op != Op::OpStore) continue;
            const Id variable = roots_.of(inst.id(0));
            if (!variable) continue;
            const auto chain = chains.find(inst.id(0));
            PrivateAccess access{.at = at,
                                 .element = element_of(chain == chains.end() ? nullptr : chain->second),
                                 .pointer = inst.id(0)};
            if (inst.op == Op::OpStore) {
                access.value = inst.id(1);
                latest.store(variable, access);
                stores_[variable].push_back(std::move(access));
            } else {
                access.value = latest.value_at(variable, access);
                for (auto loop = open.rbegin(); loop != open.rend(); ++loop)
                    access.loops.push_back(loop->first);
                loads_[inst.result] = std::move(access);
            }
        }
    }
}

/// Which element of an array a chain leads to or into, if that is a constant; none for all of it.
std::optional<uint64_t> KnownValues::element_of(const Instruction* chain) const {
    const bool is_chain = chain &&
                          (chain->op == Op::OpAccessChain || chain->op == Op::OpInBoundsAccessChain) &&
                          chain->operands.size() > 1 && roots_.of(chain->id(0)) == chain->id(0);
    return is_chain ? builder_.constant_value(chain->id(1)) : std::nullopt;
}

/// Whether a driver may find what is loaded from a private variable: if a known value was stored there, and
/// no value that is not known in a loop around the load that stays one. Turns of the outermost loop that is
/// unrolled come before others.
bool KnownValues::may_find(const Instruction& inst) const {
    const PrivateAccess& load = loads_.at(inst.result);
    if (load.value) return has(load.value);
    const auto found = stores_.find(roots_.of(inst.id(0)));
    if (found == stores_.end()) return true;  // has no value, or that of an initializer
    const std::vector<PrivateAccess>& stores = found->second;
    const auto may_be_there = [&](const PrivateAccess& store) {
        return !store.element || !load.element || *store.element == *load.element;
    };
    const auto first_in = [&](uint32_t begin) {
        return std::ranges::lower_bound(stores, begin, {}, &PrivateAccess::at);
    };
    uint32_t begin = 0, end = load.at;
    for (const uint32_t header : load.loops) {
        const LoopRange& loop = ranges_.at(header);
        const auto is_unknown = [&](const PrivateAccess& store) {
            return may_be_there(store) && !is_known(store);
        };
        const auto in_loop = std::ranges::subrange(first_in(loop.begin), first_in(loop.end));
        if (!may_unroll(*function_, header) && std::ranges::any_of(in_loop, is_unknown)) {
            begin = loop.begin;
            break;
        }
        end = loop.end;
    }
    return std::ranges::any_of(first_in(begin), first_in(end), [&](const PrivateAccess& store) {
        return may_be_there(store) && is_known(store);
    });
}

/// An exit without a condition of its own depends on the condition of another exit.
bool KnownValues::may_unroll(const Function& function, size_t header) const {
    const LoopEnd& end = loop_ends_.at(function.blocks[header].merge.id(0));
    return std::ranges::any_of(end.from, [&](uint32_t b) {
        if (b < header || b >= end.block) return false;
        const Instruction& branch = function.blocks[b].terminator;
        return branch.op == Op::OpBranch || has(branch.id(0));
    });
}

void KnownValues::forget(Id value) {
    if (unknown_.insert(value)) forgotten_.push_back(value);
}

void KnownValues::forget_variable(Id pointer) {
    if (const Id variable = roots_.of(pointer)) forget(variable);
}

}  // namespace caldera::vulkan
