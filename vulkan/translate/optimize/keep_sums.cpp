// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/keep_sums.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "spirv/phis.h"
#include "vulkan/translate/optimize/promote.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using Kind = MemoryVersion::Kind;

class SumKeeper {
 public:
    SumKeeper(Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
              const MemoryAnalysis& analysis, Function& function)
        : builder_(builder),
          layout_(layout),
          facts_(facts),
          cfg_(analysis.cfg),
          tree_(analysis.tree),
          loops_(analysis.loops),
          pointers_(analysis.pointers),
          versions_(analysis.versions),
          function_(function) {}

    bool run() {
        if (loops_.loops.empty()) return false;
        index();
        for (uint32_t loop = 0; loop < loops_.loops.size(); ++loop)
            if (loops_.loops[loop].depth <= kMaxDepth) visit(loop);
        if (variables_.empty()) return false;
        insert();
        promote_to_values(builder_, function_);
        return true;
    }

 private:
    static constexpr uint32_t kMaxDepth = 8;  // deeper loops are looked at with those around them
    static constexpr size_t kMaxPlaces = 4;   // of one area and loop

    struct Access {
        Instruction* inst = nullptr;
        MemoryPlace place = {};
        Id type = {};
        uint64_t bytes = 0;
    };
    /// The accesses of a loop to an area.
    struct Use {
        bool blocked = false;
        std::vector<Access> accesses = {};
    };
    struct Store {
        const Instruction* inst = nullptr;
        uint32_t block = 0;
    };

    void index();
    void visit(uint32_t loop);
    std::span<const uint32_t> blocks_of(uint32_t loop) const;
    uint32_t exit_of(uint32_t loop) const;
    std::vector<Use> uses(uint32_t loop);
    void note(Instruction& inst, std::vector<Use>& areas);
    const Store* store_before(uint32_t loop, uint32_t before, uint32_t area, const Access& access) const;
    void keep(const Access& sum, std::vector<Access>& accesses, const Store& initial, uint32_t before,
              uint32_t exit);
    void insert();
    bool same(const Access& a, const Access& b) const {
        return a.place.formula == b.place.formula && a.place.offset == b.place.offset && a.type == b.type;
    }

    Builder& builder_;
    const OpenclLayout& layout_;
    const MemoryFacts& facts_;
    const Cfg& cfg_;
    const Dominators& tree_;
    const Loops& loops_;
    const Pointers& pointers_;
    const MemoryVersions& versions_;
    Function& function_;

    std::vector<uint32_t> by_loop_ = {};  // blocks in the order of the loop forest
    std::vector<Store> stores_ = {};      // by version
    IdSet kept_ = {};                     // variables that stand for places
    std::vector<Instruction> variables_ = {};
    std::vector<std::vector<Instruction>> at_start_ = {}, at_end_ = {};  // by block: what to insert
};

void SumKeeper::index() {
    stores_.resize(versions_.size());
    at_start_.resize(cfg_.size());
    at_end_.resize(cfg_.size());
    for (uint32_t b : cfg_.order) {
        if (loops_.innermost[b] != kNoBlock) by_loop_.push_back(b);
        for (const Instruction& inst : function_.blocks[b].body)
            if (inst.op == spv::Op::OpStore)
                if (const uint32_t version = versions_.of(inst); version != kNoVersion)
                    stores_[version] = {&inst, b};
    }
    std::ranges::stable_sort(by_loop_, {},
                             [&](uint32_t b) { return loops_.loops[loops_.innermost[b]].enter; });
}

std::span<const uint32_t> SumKeeper::blocks_of(uint32_t loop) const {
    auto enter = [&](uint32_t b) { return loops_.loops[loops_.innermost[b]].enter; };
    const auto first = std::ranges::lower_bound(by_loop_, loops_.loops[loop].enter, {}, enter);
    auto last = first;
    while (last != by_loop_.end() && loops_.contains(loop, *last)) ++last;
    return {first, last};
}

/// The block where the loop ends: every way out leads there, and nothing else does. Else none.
uint32_t SumKeeper::exit_of(uint32_t loop) const {
    uint32_t exit = kNoBlock;
    for (uint32_t b : blocks_of(loop)) {
        if (cfg_.successors[b].empty()) return kNoBlock;
        for (uint32_t to : cfg_.successors[b]) {
            if (loops_.contains(loop, to)) continue;
            if (exit != kNoBlock && exit != to) return kNoBlock;
            exit = to;
        }
    }
    if (exit == kNoBlock) return kNoBlock;
    const bool alone = std::ranges::all_of(cfg_.predecessors[exit],
                                           [&](uint32_t from) { return loops_.contains(loop, from); });
    return alone ? exit : kNoBlock;
}

// ---- What a loop does ----

std::vector<SumKeeper::Use> SumKeeper::uses(uint32_t loop) {
    std::vector<Use> areas(pointers_.areas());
    areas[Pointers::kUnchanging].blocked = true;
    for (uint32_t area = 0; area < areas.size(); ++area)
        if (pointers_.is_private(area)) areas[area].blocked = true;  // drivers see these themselves
    for (uint32_t b : blocks_of(loop))
        for (Instruction& inst : function_.blocks[b].body) note(inst, areas);
    return areas;
}

void SumKeeper::note(Instruction& inst, std::vector<Use>& areas) {
    const Effect effect = facts_.effect(inst);
    if (effect == Effect::Everything) {
        for (Use& use : areas) use.blocked = true;
    } else if (effect == Effect::Load || effect == Effect::Store) {
        if (kept_.contains(inst.id(0))) return;
        const Id type = builder_.type_of(effect == Effect::Load ? inst.result : inst.id(1));
        const auto layout = layout_.find(type);
        areas[pointers_.area(inst.id(0))].accesses.push_back(
            {&inst, pointers_.place(inst.id(0)), type, layout ? layout->size_bytes : ~uint64_t{0}});
    } else if (effect == Effect::Writes || inst.op == spv::Op::OpExtInst ||
               inst.op == spv::Op::OpFunctionCall) {
        for (const Operand& operand : inst.operands) {
            const Id type = operand.is_id ? builder_.type_of(operand.id()) : Id{};
            if (type && builder_.is_pointer(type)) areas[pointers_.area(operand.id())].blocked = true;
        }
        if (inst.op == spv::Op::OpFunctionCall) areas[Pointers::kAnywhere].blocked = true;  // it may read
    }
}

/// The store whose value the place has when the loop is entered.
const SumKeeper::Store* SumKeeper::store_before(uint32_t loop, uint32_t before, uint32_t area,
                                                const Access& access) const {
    const uint32_t header = loops_.loops[loop].header;
    const uint32_t join = versions_.join(header, area);
    if (join == kNoVersion) return nullptr;
    const auto& ways = versions_[join].ways;
    const auto way = std::ranges::find(ways, before, &MemoryVersion::Way::from);
    if (way == ways.end()) return nullptr;
    int steps = MemoryVersions::kMaxSteps;
    const uint32_t version = versions_.origin(access.place, access.bytes, way->version, steps);
    const MemoryVersion& at = versions_[version];
    const Store& store = stores_[version];
    if (at.kind != Kind::Store || store.inst == nullptr || kept_.contains(store.inst->id(0)) ||
        at.place.formula != access.place.formula || at.place.offset != access.place.offset ||
        builder_.type_of(store.inst->id(1)) != access.type || !tree_.dominates(store.block, before))
        return nullptr;
    return &store;
}

void SumKeeper::visit(uint32_t loop) {
    const uint32_t before = block_before(function_, cfg_, loops_, loop), exit = exit_of(loop);
    if (before == kNoBlock || exit == kNoBlock) return;
    std::vector<Use> areas = uses(loop);
    for (uint32_t area = 0; area < areas.size(); ++area) {
        if (areas[area].blocked) continue;
        std::vector<Access>& accesses = areas[area].accesses;
        std::vector<Access> tried;
        for (size_t i = 0; i < accesses.size() && tried.size() < kMaxPlaces; ++i) {
            const Access sum = accesses[i];
            if (sum.inst->op != spv::Op::OpStore || kept_.contains(sum.inst->id(0)) ||
                loops_.contains(loop, pointers_.block_of(sum.place.formula)) ||
                std::ranges::any_of(tried, [&](const Access& other) { return same(other, sum); }))
                continue;
            tried.push_back(sum);
            const bool alone = std::ranges::all_of(accesses, [&](const Access& other) {
                return same(other, sum) || pointers_.disjoint(other.place, other.bytes, sum.place, sum.bytes);
            });
            const Store* initial = alone ? store_before(loop, before, area, sum) : nullptr;
            if (initial) keep(sum, accesses, *initial, before, exit);
        }
    }
}

// ---- The change ----

void SumKeeper::keep(const Access& sum, std::vector<Access>& accesses, const Store& initial, uint32_t before,
                     uint32_t exit) {
    const Id type = builder_.type_pointer(spv::StorageClass::Function, sum.type);
    builder_.set_sink(&variables_);
    const Id variable = builder_.append(spv::Op::OpVariable, type, {spv::StorageClass::Function});
    kept_.insert(variable);
    builder_.set_sink(&at_end_[before]);
    builder_.append_void(spv::Op::OpStore, {variable, initial.inst->id(1)});
    builder_.set_sink(&at_start_[exit]);
    Instruction last = *initial.inst;
    last.operands[1] = builder_.append(spv::Op::OpLoad, sum.type, {variable});
    builder_.append(std::move(last));
    builder_.set_sink(nullptr);
    for (Access& access : accesses) {
        if (!same(access, sum)) continue;
        Instruction& inst = *access.inst;
        inst.operands[0] = variable;
        inst.operands.erase(inst.operands.begin() + (inst.op == spv::Op::OpStore ? 2 : 1),
                            inst.operands.end());
    }
}

void SumKeeper::insert() {
    auto put = [](std::vector<Instruction>& body, auto at, std::vector<Instruction>& what) {
        body.insert(at, std::make_move_iterator(what.begin()), std::make_move_iterator(what.end()));
    };
    for (uint32_t b : cfg_.order) {
        std::vector<Instruction>& body = function_.blocks[b].body;
        put(body, body.end(), at_end_[b]);
        put(body, body.begin() + std::ssize(spirv::phis_of(body)), at_start_[b]);
    }
    std::vector<Instruction>& entry = function_.blocks[0].body;
    put(entry, entry.begin(), variables_);
}

}  // namespace

bool keep_sums(Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
               const MemoryAnalysis& analysis, Function& function) {
    return SumKeeper(builder, layout, facts, analysis, function).run();
}

}  // namespace caldera::vulkan
