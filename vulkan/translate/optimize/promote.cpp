// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/promote.h"

#include <algorithm>
#include <optional>

#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"
#include "vulkan/translate/optimize/place_phis.h"
#include "vulkan/translate/optimize/split_aggregates.h"
#include "vulkan/translate/support/memory_access.h"
#include "vulkan/translate/support/simplify.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint64_t kMaxArray = 16;  // a longer array is no value, even if it is copied whole

// The limit of the work for placing phis, in steps through blocks, of all rounds together. Variables that
// remain then are not promoted.
constexpr uint64_t kMinWork = 10'000'000, kWorkPerInstruction = 100;

struct Slot {
    Id id = {};
    Id type = {};
    Id initial = {};  ///< the initialiser; {} is undefined
    bool promoted = true;
};

class Promoter {
 public:
    Promoter(Builder& builder, Function& function, uint64_t& work_done,
             const std::function<bool(Id)>& is_wanted = {})
        : builder_(builder), function_(function), work_done_(work_done), is_wanted_(is_wanted) {}

    bool run() {
        collect();
        disqualify();
        std::erase_if(slots_, [](const Slot& slot) { return !slot.promoted; });
        slot_of_.clear();
        for (uint32_t i = 0; i < slots_.size(); ++i) slot_of_[slots_[i].id.value] = i;
        if (slots_.empty()) return drop_copies();
        cfg_ = build_cfg(function_);
        tree_ = dominators(cfg_);
        place_phis();
        find_declarations();
        rename();
        results_.apply_rest(function_, cfg_);
        return true;
    }

 private:
    void collect();
    void disqualify();
    bool drop_copies();
    void place_phis();
    void rename();
    void drop_dead_phis();
    void rewrite(uint32_t block);
    void feed_successors(uint32_t block);
    void find_declarations();
    void tell_values(uint32_t block);
    bool is_number_of_truth(const Instruction& inst) const;
    bool is_value_type(Id type) const;

    uint32_t slot(Id pointer) const {
        auto found = slot_of_.find(pointer.value);
        return found == slot_of_.end() ? kNoBlock : found->second;
    }
    Id current(uint32_t slot) {
        Id& value = values_[slot];
        return value ? value : builder_.undef(slots_[slot].type);
    }
    void set(uint32_t slot, Id value) {
        undo_.push_back({slot, values_[slot]});
        values_[slot] = value;
    }

    struct NewPhi {
        uint32_t slot = 0;
        Instruction inst = {};
    };
    struct Undo {
        uint32_t slot;
        Id value;
    };

    Builder& builder_;
    Function& function_;
    uint64_t& work_done_;
    const std::function<bool(Id)> is_wanted_;  // by a variable's type; empty: all are
    std::vector<Slot> slots_ = {};
    IdMap<uint32_t> slot_of_ = {};
    Cfg cfg_ = {};
    Dominators tree_ = {};
    std::vector<std::vector<NewPhi>> phis_ = {};  // by block
    uint32_t first_phi_ = 0;                      // their ids begin here
    std::vector<Id> values_ = {};                 // by slot, at the current place
    std::vector<Undo> undo_ = {};
    IdMap<std::vector<Instruction>> declarations_ = {};  // kDebugDeclare, by slot
    std::optional<IdSet> booleans_ = {};                 // variables of the source, once it is asked for
    Substitution results_ = {};
};

bool Promoter::is_value_type(Id type) const {
    if (builder_.op_of_type(type) != spv::Op::OpTypeArray) return true;
    const auto length = builder_.constant_value(builder_.find_global(type)->id(1));
    return length && *length <= kMaxArray;
}

void Promoter::collect() {
    if (function_.blocks.empty()) return;
    for (const Instruction& inst : function_.blocks[0].body) {
        if (inst.op != spv::Op::OpVariable ||
            inst.word(0) != static_cast<uint32_t>(spv::StorageClass::Function))
            continue;
        const Id type = builder_.pointee(inst.type);
        if (!is_value_type(type) || (is_wanted_ && !is_wanted_(type))) continue;
        slot_of_[inst.result.value] = static_cast<uint32_t>(slots_.size());
        slots_.push_back({inst.result, type, inst.operands.size() > 1 ? inst.id(1) : Id{}});
    }
}

void Promoter::disqualify() {
    for_each_instruction(function_, [&](const Instruction& inst) {
        const bool load = inst.op == spv::Op::OpLoad, store = inst.op == spv::Op::OpStore;
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) continue;
            const uint32_t s = slot(inst.id(i));
            if (s == kNoBlock) continue;
            const bool whole = i == 0 && ((load && inst.type == slots_[s].type) ||
                                          (store && builder_.type_of(inst.id(1)) == slots_[s].type));
            if (!whole || access_at(inst, load ? 1 : 2).is_volatile) slots_[s].promoted = false;
        }
    });
}

bool Promoter::drop_copies() {
    for (Block& block : function_.blocks)
        std::erase_if(block.body, [&](const Instruction& inst) {
            if (inst.op != spv::Op::OpCopyObject) return false;
            results_.set(inst.result, inst.id(0));
            return true;
        });
    const bool any = !results_.empty();
    results_.apply(function_);
    return any;
}

void Promoter::place_phis() {
    // Per slot: blocks that store, and blocks that load before they store.
    std::vector<std::vector<uint32_t>> defined(slots_.size()), exposed(slots_.size());
    size_t instructions = 0;
    for (uint32_t b : cfg_.order) {
        instructions += code_size(function_.blocks[b]);
        for (const Instruction& inst : function_.blocks[b].body) {
            const bool load = inst.op == spv::Op::OpLoad;
            if (!load && inst.op != spv::Op::OpStore) continue;
            const uint32_t s = slot(inst.id(0));
            if (s == kNoBlock) continue;
            const bool stored = !defined[s].empty() && defined[s].back() == b;
            if (!load && !stored) defined[s].push_back(b);
            const bool seen = !exposed[s].empty() && exposed[s].back() == b;
            if (load && !stored && !seen) exposed[s].push_back(b);
        }
    }
    phis_.resize(cfg_.size());
    first_phi_ = builder_.module().bound;
    const uint64_t allowed = kMinWork + kWorkPerInstruction * instructions;
    const uint64_t work = allowed - std::min(allowed, work_done_);
    PhiPlacer placer(cfg_, tree_, work);
    for (uint32_t s = 0; s < slots_.size(); ++s) {
        const auto blocks = placer.place(defined[s], exposed[s]);
        slots_[s].promoted = blocks.has_value();
        if (!blocks) continue;
        for (uint32_t b : *blocks)
            phis_[b].push_back(
                {s, {.op = spv::Op::OpPhi, .type = slots_[s].type, .result = builder_.fresh()}});
    }
    work_done_ += work - placer.work_left();
    for (const Slot& slot : slots_)
        if (!slot.promoted) slot_of_[slot.id] = kNoBlock;
}

/// Walks the dominator tree; the values of the slots are undone when a subtree is left.
void Promoter::rename() {
    values_.resize(slots_.size());
    for (uint32_t s = 0; s < slots_.size(); ++s) values_[s] = slots_[s].initial;
    struct Visit {
        uint32_t block;
        size_t next;
        size_t undo;
    };
    std::vector<Visit> stack = {{0, 0, 0}};
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.next == 0) {
            top.undo = undo_.size();
            rewrite(top.block);
            feed_successors(top.block);
        }
        auto children = tree_.children[top.block];
        if (top.next < children.size()) {
            stack.push_back({children[top.next++], 0, 0});
            continue;
        }
        for (; undo_.size() > top.undo; undo_.pop_back()) values_[undo_.back().slot] = undo_.back().value;
        stack.pop_back();
    }
    drop_dead_phis();
    for (uint32_t b : cfg_.order) {
        for (NewPhi& phi : phis_[b])
            for (uint32_t p : cfg_.predecessors[b])
                if (!cfg_.reachable(p))
                    phi.inst.operands.insert(phi.inst.operands.end(),
                                             {builder_.undef(phi.inst.type), function_.blocks[p].label});
        std::vector<Instruction>& body = function_.blocks[b].body;
        std::vector<Instruction> phis;
        const SinkScope sink(builder_, &phis);
        for (NewPhi& phi : phis_[b]) builder_.append(std::move(phi.inst));
        body.insert(body.begin(), std::make_move_iterator(phis.begin()), std::make_move_iterator(phis.end()));
    }
}

/// Not every phi was placed because its variable is live there. A phi for a pointer that nobody reads would
/// still join what the pointers point to.
void Promoter::drop_dead_phis() {
    const uint32_t end_phi = builder_.module().bound;
    std::vector<const Instruction*> phi_of(end_phi - first_phi_, nullptr);
    for (uint32_t b : cfg_.order)
        for (const NewPhi& phi : phis_[b]) phi_of[phi.inst.result.value - first_phi_] = &phi.inst;
    std::vector<bool> live(phi_of.size(), false);
    std::vector<uint32_t> work;
    auto use = [&](const Instruction& inst) {
        for (const Operand& operand : inst.operands) {
            if (!operand.is_id) continue;
            const uint32_t id = results_.resolve(operand.id()).value;
            if (id < first_phi_ || id >= end_phi || phi_of[id - first_phi_] == nullptr ||
                live[id - first_phi_])
                continue;
            live[id - first_phi_] = true;
            work.push_back(id - first_phi_);
        }
    };
    for (uint32_t b : cfg_.order) {
        for (const Instruction& inst : function_.blocks[b].body) use(inst);
        use(function_.blocks[b].terminator);
    }
    while (!work.empty()) {
        const uint32_t phi = work.back();
        work.pop_back();
        use(*phi_of[phi]);
    }
    for (uint32_t b : cfg_.order)
        std::erase_if(phis_[b], [&](const NewPhi& phi) { return !live[phi.inst.result.value - first_phi_]; });
}

void Promoter::find_declarations() {
    for (const Block& block : function_.blocks)
        for (const Instruction& inst : block.body)
            if (inst.op == kDebugDeclare)
                if (const uint32_t s = slot(inst.id(1)); s != kNoBlock) declarations_[s].push_back(inst);
}

/// Whether the instruction makes 1 of true and 0 of false.
bool Promoter::is_number_of_truth(const Instruction& inst) const {
    return inst.op == spv::Op::OpSelect && builder_.constant_value(inst.id(1)) == 1 &&
           builder_.constant_value(inst.id(2)) == 0;
}

/// Puts what variables of the source are from now on where their memory was, or changed. The byte of a bool
/// may be computed for nobody else, so that its truth value is told.
void Promoter::tell_values(uint32_t b) {
    std::vector<Instruction> out, body = std::move(function_.blocks[b].body);
    IdMap<Id> truth_of;
    auto tell = [&](uint32_t s, Id value, const Line& line) {
        const auto found = declarations_.find(s);
        if (found == declarations_.end()) return;
        const auto truth = truth_of.find(value);
        if (truth != truth_of.end() && !booleans_) booleans_ = boolean_variables(builder_.module());
        for (Instruction inst : found->second) {
            const bool is_bool = truth != truth_of.end() && booleans_->contains(inst.id(0));
            inst.op = kDebugValue;
            inst.operands[1] = Operand::weak(is_bool ? truth->second : value);
            inst.line.line = line.line;
            inst.line.column = line.column;
            out.push_back(std::move(inst));
        }
    };
    size_t i = 0;
    for (; i < body.size() && (body[i].op == spv::Op::OpPhi || body[i].op == spv::Op::OpVariable); ++i)
        out.push_back(std::move(body[i]));
    for (const NewPhi& phi : phis_[b]) tell(phi.slot, phi.inst.result, {});
    for (; i < body.size(); ++i) {
        Instruction& inst = body[i];
        const bool store = inst.op == spv::Op::OpStore, declaration = inst.op == kDebugDeclare;
        const uint32_t s = store ? slot(inst.id(0)) : declaration ? slot(inst.id(1)) : kNoBlock;
        if (store && s != kNoBlock) tell(s, inst.id(1), inst.line);
        if (is_number_of_truth(inst)) truth_of.emplace(inst.result, inst.id(0));
        if (declaration && s != kNoBlock)
            tell(s, slots_[s].initial, inst.line);
        else
            out.push_back(std::move(inst));
    }
    function_.blocks[b].body = std::move(out);
}

void Promoter::rewrite(uint32_t b) {
    if (!declarations_.empty()) tell_values(b);
    for (const NewPhi& phi : phis_[b]) set(phi.slot, phi.inst.result);
    std::erase_if(function_.blocks[b].body, [&](Instruction& inst) {
        results_.apply(inst);
        switch (inst.op) {
            case spv::Op::OpVariable: return slot(inst.result) != kNoBlock;
            case spv::Op::OpLoad: {
                const uint32_t s = slot(inst.id(0));
                if (s != kNoBlock) results_.set(inst.result, current(s));
                return s != kNoBlock;
            }
            case spv::Op::OpStore: {
                const uint32_t s = slot(inst.id(0));
                if (s != kNoBlock) set(s, inst.id(1));
                return s != kNoBlock;
            }
            case spv::Op::OpCopyObject: results_.set(inst.result, inst.id(0)); return true;
            default: return false;
        }
    });
    results_.apply(function_.blocks[b].terminator);
}

void Promoter::feed_successors(uint32_t b) {
    for (uint32_t target : cfg_.successors[b])
        for (NewPhi& phi : phis_[target])
            phi.inst.operands.insert(phi.inst.operands.end(), {current(phi.slot), function_.blocks[b].label});
}

}  // namespace

bool promote_to_values(Builder& builder, Function& function, const std::function<bool(Id)>& is_wanted) {
    uint64_t work_done = 0;
    return Promoter(builder, function, work_done, is_wanted).run();
}

void promote_function(Builder& builder, const OpenclLayout& layout, Function& function,
                      const IdMap<Leaving>& leaving) {
    constexpr int kMaxRounds = 8;  // of pointers to pointers to variables
    uint64_t work_done = 0;
    for (int round = 0; round < kMaxRounds; ++round) {
        const bool split = split_aggregates(builder, layout, function, leaving);
        const bool promoted = Promoter(builder, function, work_done).run();
        if (round > 0 && !split && !promoted) break;
        fold_function(builder, function);
    }
}

void LeavingFunctions::add(const Function& function) {
    if (function.blocks.empty() || function.params.empty()) return;
    SplitAnalysis analysis(builder_, layout_, function, found_);
    analysis.run(build_cfg(function));
    if (analysis.leaving().any()) found_[function.id()] = analysis.leaving();
}

}  // namespace caldera::vulkan
