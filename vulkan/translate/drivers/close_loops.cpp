// SPDX-License-Identifier: Apache-2.0
// close_loops: passes values that are used after their loop through phis (loop-closed SSA), for the devices
// that need it.
//
// Mesa's llvmpipe runs several invocations in one vector and masks the effects of inactive ones, but only at
// phis. Other results are recomputed even for invocations that have left the loop, and the values with which
// they left are lost. Compilers simplify a phi with one value. So such a loop gets a second exit, which is
// never taken and yields zeros. Its condition is that the dispatch has no work-groups, which no compiler can
// know to be false. The condition is a different expression for each loop: if Mesa knows it to be false
// because an outer loop has not been left, it would fold the same condition in an inner loop.
//
// Even phis of a merge block are not safe: Mesa combines several `break`s into one, and then selects between
// their values inside the loop. Variables become values there, and so do arrays once their indices are
// constants. So a loop that stores to a variable which is loaded after it gets the exit as well, and with it
// a phi where Mesa turns the memory into values.
//
// After: for a device with loop_results_need_phis, a value that is used after its loop is a phi of the loop's
// header or merge block.
#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "spirv/uses.h"
#include "vulkan/translate/flow/loop_results.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/opaque.h"
#include "vulkan/translate/support/pointer_roots.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

class LoopCloser {
 public:
    /// `variants` is the number of different no_groups() conditions so far in the whole module, because the
    /// driver inlines all functions.
    LoopCloser(Builder& builder, Function& function, uint32_t& variants)
        : builder_(builder), function_(function), variants_(variants) {}

    void run() {
        if (function_.blocks.empty()) return;
        cfg_ = build_cfg(function_);
        tree_ = dominators(cfg_);
        find_loops();
        if (loops_.empty()) return;
        recompute_pointers();
        find_results();
        for_each_use(function_, cfg_, [&](Operand& use, uint32_t block) { mark(use.id(), block); });
        mark_phis();
        mark_memory();
        if (std::ranges::none_of(loops_, &StructuredLoop::closes)) return;
        for_each_use(function_, cfg_, [&](Operand& use, uint32_t block) { use = closed(use.id(), block); });
        add_exits();
    }

 private:
    struct StructuredLoop {
        uint32_t header = 0, merge = 0;
        uint32_t parent = kNoBlock;    ///< index of the loop around it
        bool closes = false;           ///< the loop gets the second exit
        IdMap<Instruction> phis = {};  ///< for its merge block, by the result in the loop
    };
    struct Value {
        uint32_t block = kNoBlock;
        bool is_phi = false, is_invariant = false;
    };
    /// An object that only one invocation sees, or all objects that functions share.
    struct Memory {
        std::vector<uint32_t> stores = {};  ///< innermost loops with one
        std::vector<uint32_t> loads = {};   ///< places in the preorder of tree_
    };

    void find_loops();
    void recompute_pointers();
    void find_results();
    bool can_split(const StructuredLoop& loop) const;
    bool leaves(uint32_t loop, uint32_t user) const { return tree_.dominates(loops_[loop].merge, user); }
    void mark(Id value, uint32_t user);
    void mark_phis();
    IdMap<Memory> find_memory() const;
    void mark_memory();
    Id closed(Id value, uint32_t user);
    void add_exits();

    Builder& builder_;
    Function& function_;
    uint32_t& variants_;
    Cfg cfg_ = {};
    Dominators tree_ = {};
    std::vector<StructuredLoop> loops_ = {};  // outer before inner
    std::vector<uint32_t> innermost_ = {};    // block -> loop
    IdMap<Value> results_ = {};               // of instructions in loops
};

/// A loop consists of the blocks that its header dominates and its merge block does not. This is more than
/// the natural loop, and matches SPIR-V's structure.
void LoopCloser::find_loops() {
    innermost_.assign(cfg_.size(), kNoBlock);
    for (uint32_t b : tree_.preorder) {
        uint32_t loop = b == tree_.root ? kNoBlock : innermost_[tree_.parent[b]];
        while (loop != kNoBlock && loops_[loop].merge == b) loop = loops_[loop].parent;
        if (const Instruction& merge = function_.blocks[b].merge; merge.op == Op::OpLoopMerge) {
            loops_.push_back({.header = b, .merge = cfg_.block(merge.id(0)), .parent = loop});
            loop = static_cast<uint32_t>(loops_.size()) - 1;
        }
        innermost_[b] = loop;
    }
}

/// Pointers cannot be phis, so a pointer that is used after a loop is computed there again.
void LoopCloser::recompute_pointers() {
    IdMap<std::pair<uint32_t, Instruction>> pointers;
    for (uint32_t b : cfg_.order) {
        std::vector<Instruction> body;
        IdMap<Id> again;
        // Returns the pointer to use in block b, after recomputing its operands.
        auto here = [&](auto& self, Id pointer) -> Id {
            const auto made = pointers.find(pointer);
            if (made == pointers.end()) return pointer;
            const auto& [block, pointer_inst] = made->second;
            bool outside = false;
            for (uint32_t loop = innermost_[block]; loop != kNoBlock && !outside; loop = loops_[loop].parent)
                outside = leaves(loop, b);
            if (!outside) return pointer;
            if (const auto known = again.find(pointer); known != again.end()) return known->second;
            Instruction copy = pointer_inst;
            for (Operand& operand : copy.operands)
                if (operand.is_id) operand = self(self, operand.id());
            copy.result = builder_.fresh();
            body.push_back(copy);
            again[pointer] = copy.result;
            return copy.result;
        };
        for (Instruction& inst : function_.blocks[b].body) {
            if (inst.op != Op::OpPhi)
                for (Operand& operand : inst.operands)
                    if (operand.is_id) operand = here(here, operand.id());
            if (inst.type && builder_.is_pointer(inst.type) && innermost_[b] != kNoBlock && is_pure(inst))
                pointers[inst.result] = {b, inst};
            body.push_back(std::move(inst));
        }
        function_.blocks[b].body = std::move(body);
    }
}

void LoopCloser::find_results() {
    for (uint32_t b : cfg_.order) {
        if (innermost_[b] == kNoBlock) continue;
        for (const Instruction& inst : function_.blocks[b].body) {
            if (!inst.result) continue;
            bool invariant = inst.op != Op::OpPhi && is_pure(inst);
            for (const Operand& operand : inst.operands)
                if (operand.is_id)
                    if (const auto made = results_.find(operand.id()); made != results_.end())
                        invariant = invariant && made->second.is_invariant;
            results_[inst.result] = {b, inst.op == Op::OpPhi, invariant};
        }
    }
}

/// Whether the header can be split before its terminator: the second half must not need its own merge
/// instruction.
bool LoopCloser::can_split(const StructuredLoop& loop) const {
    const Block& header = function_.blocks[loop.header];
    if (loop.merge == kNoBlock || !cfg_.reachable(loop.merge)) return false;
    if (header.terminator.op == Op::OpBranch) return true;
    if (header.terminator.op != Op::OpBranchConditional) return false;
    const Id merge = header.merge.id(0), next = header.merge.id(1);
    return std::ranges::any_of(branch_targets(header.terminator),
                               [&](Id target) { return target == merge || target == next; });
}

void LoopCloser::mark(Id value, uint32_t user) {
    const auto found = results_.find(value);
    if (found == results_.end() || found->second.is_invariant) return;
    const Value& made = found->second;
    for (uint32_t l = innermost_[made.block]; l != kNoBlock && leaves(l, user); l = loops_[l].parent)
        if (!(made.is_phi && made.block == loops_[l].header)) loops_[l].closes = can_split(loops_[l]);
}

void LoopCloser::mark_phis() {
    for (StructuredLoop& loop : loops_) {
        if (!can_split(loop)) continue;
        for (const Instruction& phi : spirv::phis_of(function_.blocks[loop.merge].body)) {
            Id first = {};
            for (size_t i = 0; i + 1 < phi.operands.size(); i += 2) {
                // The merge block may itself head a loop.
                if (tree_.dominates(loop.merge, cfg_.block(phi.id(i + 1)))) continue;
                if (!first) first = phi.id(i);
                loop.closes = loop.closes || phi.id(i) != first;
            }
        }
    }
}

/// The loads and stores of each object, by its variable. All module-scope objects are one, kShared, which
/// callees and callers access as well.
IdMap<LoopCloser::Memory> LoopCloser::find_memory() const {
    constexpr Id kShared = {};
    IdMap<Memory> objects;
    PointerRoots roots;
    auto object = [&](Id pointer) -> std::optional<Id> {
        if (const Id variable = roots.of(pointer)) return variable;
        const Id type = builder_.type_of(pointer);
        if (builder_.is_pointer(type) && builder_.storage(type) == spv::StorageClass::Private) return kShared;
        return std::nullopt;
    };
    for (uint32_t b : cfg_.order) {
        auto load = [&](Id of) { objects[of].loads.push_back(tree_.enter[b]); };
        auto store = [&](Id of) {
            if (innermost_[b] != kNoBlock) objects[of].stores.push_back(innermost_[b]);
        };
        for (const Instruction& inst : function_.blocks[b].body) {
            roots.add(inst);
            if (inst.op == Op::OpFunctionCall) {
                load(kShared);
                store(kShared);
            } else if (inst.op == Op::OpLoad || inst.op == Op::OpStore) {
                if (const auto of = object(inst.id(0))) inst.op == Op::OpLoad ? load(*of) : store(*of);
            }
        }
        if (branch_targets(function_.blocks[b].terminator).empty()) load(kShared);
    }
    return objects;
}

void LoopCloser::mark_memory() {
    for (auto& [variable, memory] : find_memory()) {
        std::ranges::sort(memory.loads);
        IdSet done;
        for (uint32_t l : memory.stores)
            for (; l != kNoBlock && done.insert(l); l = loops_[l].parent) {
                if (!can_split(loops_[l])) continue;
                const uint32_t merge = loops_[l].merge;
                const auto behind = std::ranges::lower_bound(memory.loads, tree_.enter[merge]);
                if (behind != memory.loads.end() && *behind < tree_.leave[merge]) loops_[l].closes = true;
            }
    }
}

Id LoopCloser::closed(Id value, uint32_t user) {
    const auto found = results_.find(value);
    if (found == results_.end()) return value;
    const Value& made = found->second;
    const Id type = builder_.type_of(value);
    for (uint32_t l = innermost_[made.block]; l != kNoBlock && leaves(l, user); l = loops_[l].parent) {
        StructuredLoop& loop = loops_[l];
        if (!loop.closes || (made.is_phi && made.block == loop.header)) continue;
        const auto [phi, is_new] = loop.phis.try_emplace(value);
        if (is_new)
            phi->second = phi_behind(function_, cfg_, tree_, loop.merge, value, type, builder_.fresh());
        value = phi->second.result;
    }
    return value;
}

/// Splits the header of each closing loop after its phis: the first half keeps label and merge instruction.
void LoopCloser::add_exits() {
    std::vector<Instruction> conditions;
    std::vector<Block> rest(cfg_.size());
    for (StructuredLoop& loop : loops_) {
        if (!loop.closes) continue;
        Block& header = function_.blocks[loop.header];
        Block& second = rest[loop.header];
        second.label = builder_.fresh();
        const auto after_phis = header.body.begin() + std::ssize(spirv::phis_of(header.body));
        second.body.assign(std::make_move_iterator(after_phis), std::make_move_iterator(header.body.end()));
        header.body.erase(after_phis, header.body.end());
        second.terminator = std::move(header.terminator);
        for (uint32_t successor : cfg_.successors[loop.header])
            rename_predecessor(function_.blocks[successor], header.label, second.label);
        for (StructuredLoop& other : loops_)
            for (auto& [result, phi] : other.phis)
                for (size_t i = 1; i < phi.operands.size(); i += 2)
                    if (phi.id(i) == header.label) phi.operands[i] = second.label;
        if (header.merge.id(1) == header.label) header.merge.operands[1] = second.label;
        header.terminator = {
            .op = Op::OpBranchConditional,
            .operands = {no_groups(builder_, conditions, variants_++), header.merge.id(0), second.label}};
    }
    function_.insert_at_entry(std::move(conditions));
    for (StructuredLoop& loop : loops_) {
        if (!loop.closes) continue;
        std::vector<Instruction>& body = function_.blocks[loop.merge].body;
        std::vector<Instruction> phis;
        for (auto& [result, phi] : loop.phis) phis.push_back(std::move(phi));
        body.insert(body.begin(), std::make_move_iterator(phis.begin()), std::make_move_iterator(phis.end()));
        for (Instruction& phi : spirv::phis_of(body)) {
            phi.operands.push_back(builder_.constant_null(phi.type));
            phi.operands.push_back(function_.blocks[loop.header].label);
        }
    }
    std::vector<Block> blocks;
    for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
        blocks.push_back(std::move(function_.blocks[b]));
        if (rest[b].label) blocks.push_back(std::move(rest[b]));
    }
    function_.blocks = std::move(blocks);
}

}  // namespace

Result<Done> close_loops(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.loop_results_need_phis) return Done{};
    spirv::Builder builder(module);
    // the first variant hides other passes' values, which must not reveal where a loop continues
    uint32_t variants = 1;
    for (spirv::Function& function : module.functions) LoopCloser(builder, function, variants).run();
    return Done{};
}

}  // namespace caldera::vulkan
