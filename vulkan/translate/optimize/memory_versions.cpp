// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/memory_versions.h"

#include "spirv/debug_info.h"
#include "vulkan/translate/optimize/place_phis.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

// How much work finding places for joins may be, in steps through blocks.
constexpr uint64_t kMinPhiWork = 1'000'000, kPhiWorkPerInstruction = 100;

}  // namespace

MemoryVersions::MemoryVersions(const Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
                               const Pointers& pointers, const Function& function, const Cfg& cfg,
                               const Dominators& tree, const Loops& loops)
    : layout_(layout),
      builder_(builder),
      facts_(facts),
      pointers_(pointers),
      function_(function),
      cfg_(cfg),
      tree_(tree),
      loops_(loops) {
    place_joins();
    number();
}

uint32_t MemoryVersions::of(const Instruction& inst) const {
    const auto found = of_.find(&inst);
    return found == of_.end() ? kNoVersion : found->second;
}

uint32_t MemoryVersions::add(MemoryVersion version) {
    versions_.push_back(std::move(version));
    return static_cast<uint32_t>(versions_.size() - 1);
}

template <class Visit>
void MemoryVersions::for_each_written_area(const Instruction& inst, Effect effect, Visit&& visit) const {
    if (effect == Effect::None || effect == Effect::Load) return;
    const auto is_shared = [&](uint32_t area) {
        return area != Pointers::kUnchanging && !pointers_.is_private(area);
    };
    if (effect == Effect::Everything)
        for (uint32_t area = 0; area < pointers_.areas(); ++area)
            if (is_shared(area)) visit(area);
    // An atomic or volatile access writes private memory, too, if its pointer points there.
    facts_.for_each_written(inst, [&](Id pointer) {
        const uint32_t area = pointers_.area(pointer);
        if (effect != Effect::Everything || !is_shared(area)) visit(area);
    });
}

void MemoryVersions::place_joins() {
    struct Blocks {
        std::vector<uint32_t> written = {}, exposed = {};
    };
    std::vector<Blocks> blocks(pointers_.areas());
    size_t instructions = 0;
    auto note = [](std::vector<uint32_t>& list, uint32_t block) {
        if (list.empty() || list.back() != block) list.push_back(block);
    };
    for (uint32_t b : cfg_.order) {
        instructions += code_size(function_.blocks[b]);
        for (const Instruction& inst : function_.blocks[b].body) {
            const Effect effect = facts_.effect(inst);
            // A store also uses the previous contents, because the bytes around its own stay the same.
            if (effect == Effect::Load || effect == Effect::Store) {
                Blocks& area = blocks[pointers_.area(inst.id(0))];
                if (area.written.empty() || area.written.back() != b) note(area.exposed, b);
            }
            for_each_written_area(inst, effect, [&](uint32_t area) { note(blocks[area].written, b); });
        }
    }
    PhiPlacer placer(cfg_, tree_, kMinPhiWork + kPhiWorkPerInstruction * instructions);
    joins_.resize(cfg_.size());
    given_up_.assign(blocks.size(), false);
    for (uint32_t area = 0; area < blocks.size(); ++area) {
        const auto placed = placer.place(blocks[area].written, blocks[area].exposed);
        given_up_[area] = !placed;
        if (!placed) continue;
        for (uint32_t b : *placed) {
            joins_[b].push_back({area, add({.kind = MemoryVersion::Kind::Join, .block = b})});
        }
    }
}

/// Walks the dominator tree; the versions are undone when a subtree is left.
void MemoryVersions::number() {
    for (uint32_t area = 0; area < pointers_.areas(); ++area) current_.push_back(add({}));
    struct Visit {
        uint32_t block;
        size_t next, undo;
    };
    std::vector<Visit> stack = {{0, 0, 0}};
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.next == 0) {
            top.undo = undo_.size();
            enter(top.block);
        }
        const auto children = tree_.children[top.block];
        if (top.next < children.size()) {
            stack.push_back({children[top.next++], 0, 0});
            continue;
        }
        for (; undo_.size() > top.undo; undo_.pop_back()) current_[undo_.back().area] = undo_.back().version;
        stack.pop_back();
    }
}

void MemoryVersions::set(uint32_t area, uint32_t version) {
    undo_.push_back({area, current_[area]});
    current_[area] = version;
}

void MemoryVersions::enter(uint32_t b) {
    for (const Joined& join : joins_[b]) set(join.area, join.version);
    for (const Instruction& inst : function_.blocks[b].body) {
        const Effect effect = facts_.effect(inst);
        if (effect == Effect::Load || effect == Effect::Store) {
            const uint32_t area = pointers_.area(inst.id(0));
            if (given_up_[area]) continue;
            if (effect == Effect::Store) {
                const auto layout = layout_.find(builder_.type_of(inst.id(1)));
                set(area, add({.kind = MemoryVersion::Kind::Store,
                               .previous = current_[area],
                               .block = b,
                               .place = pointers_.place(inst.id(0)),
                               .bytes = layout ? layout->size_bytes : ~uint64_t{0}}));
            }
            of_[&inst] = current_[area];
        } else {
            for_each_written_area(inst, effect, [&](uint32_t area) {
                set(area, add({.kind = MemoryVersion::Kind::Write, .block = b}));
            });
        }
    }
    for (uint32_t target : cfg_.successors[b])
        for (const Joined& join : joins_[target])
            versions_[join.version].ways.push_back({b, current_[join.area]});
}

// ---- Questions ----

uint32_t MemoryVersions::join(uint32_t block, uint32_t area) const {
    for (const Joined& join : joins_[block])
        if (join.area == area) return join.version;
    return kNoVersion;
}

uint32_t MemoryVersions::origin(MemoryPlace place, uint64_t bytes, uint32_t version, int& steps) const {
    while (steps-- > 0) {
        const MemoryVersion& at = versions_[version];
        uint32_t older = kNoVersion;
        if (at.kind == MemoryVersion::Kind::Store && pointers_.disjoint(at.place, at.bytes, place, bytes))
            older = at.previous;
        if (at.kind == MemoryVersion::Kind::Join) older = before(place, bytes, version, steps);
        if (older == kNoVersion) return version;
        version = older;
    }
    return version;
}

/// For a join, finds the version that all edges to it lead back to. If the join is a loop's header and no
/// iteration changes the bytes, the edges around the loop lead to the join itself. Then the address must not
/// change either.
uint32_t MemoryVersions::before(MemoryPlace place, uint64_t bytes, uint32_t version, int& steps) const {
    const MemoryVersion& join = versions_[version];
    const uint32_t loop = loops_.innermost[join.block];
    const bool around = loop != kNoBlock && loops_.loops[loop].header == join.block;
    if (around && loops_.contains(loop, pointers_.block_of(place.formula))) return kNoVersion;
    uint32_t older = kNoVersion;
    for (const MemoryVersion::Way& way : join.ways) {
        if (steps <= 0) return kNoVersion;
        const uint32_t from = origin(place, bytes, way.version, steps);
        if (from == version && around) continue;
        if (older != kNoVersion && older != from) return kNoVersion;
        older = from;
    }
    return older;
}

uint32_t block_before(const Function& function, const Cfg& cfg, const Loops& loops, uint32_t loop) {
    uint32_t before = kNoBlock;
    for (uint32_t from : cfg.predecessors[loops.loops[loop].header]) {
        if (loops.contains(loop, from)) continue;
        if (before != kNoBlock) return kNoBlock;
        before = from;
    }
    const bool alone = before != kNoBlock && function.blocks[before].terminator.op == spv::Op::OpBranch;
    return alone ? before : kNoBlock;
}

}  // namespace caldera::vulkan
