// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/place_phis.h"

#include <algorithm>

namespace caldera::vulkan {

using namespace spirv;

namespace {
constexpr uint64_t kWorkPerOperand = 16;  // of a phi
}

PhiPlacer::PhiPlacer(const Cfg& cfg, const Dominators& tree, uint64_t work)
    : cfg_(cfg),
      tree_(tree),
      finder_(cfg, tree),
      frontiers_(dominance_frontiers(cfg, tree, kMaxFrontier * cfg.size())),
      work_(work),
      live_(cfg.size(), 0),
      defines_(cfg.size(), 0),
      placed_(cfg.size(), 0) {}

std::optional<std::vector<uint32_t>> PhiPlacer::place(std::span<const uint32_t> defined,
                                                      std::span<const uint32_t> exposed) {
    std::vector<uint32_t> blocks;
    if (defined.empty() || exposed.empty()) return blocks;
    const bool single = defined.size() == 1 && std::ranges::all_of(exposed, [&](uint32_t b) {
                            return b != defined[0] && tree_.dominates(defined[0], b);
                        });
    if (single) return blocks;
    size_t limit = 8 + 4 * defined.size();
    if (!frontiers_.empty() && iterate(defined, limit, blocks)) return blocks;
    if (work_ == 0) return std::nullopt;
    begin_live(defined, exposed);
    bool is_placed = false;
    for (; !is_placed && !find_live(limit); limit *= 2)
        is_placed = !frontiers_.empty() && iterate(defined, 2 * limit, blocks);
    take(is_placed ? limit : touched_.size());
    prunes_ = !is_placed;
    if (prunes_ && frontiers_.empty()) {
        take(cfg_.size());
        blocks = finder_.iterated_frontier(defined, live_);
    } else if (prunes_) {
        iterate(defined, ~size_t{0}, blocks);
    }
    forget_live(defined);
    for (uint32_t b : blocks) take(kWorkPerOperand * cfg_.predecessors[b].size());
    return blocks;
}

/// False: their phis would have more than `limit` operands.
bool PhiPlacer::iterate(std::span<const uint32_t> defined, size_t limit, std::vector<uint32_t>& blocks) {
    ++stamp_;
    blocks.clear();
    size_t operands = 0;
    auto add = [&](uint32_t b) {
        for (uint32_t target : frontiers_[b]) {
            if (placed_[target] == stamp_ || (prunes_ && !live_[target])) continue;
            placed_[target] = stamp_;
            blocks.push_back(target);
            operands += cfg_.predecessors[target].size();
        }
        return operands <= limit;
    };
    for (uint32_t b : defined)
        if (!add(b)) return false;
    for (size_t next = 0; next < blocks.size(); ++next)
        if (!add(blocks[next])) return false;
    std::ranges::sort(blocks);
    return true;
}

void PhiPlacer::begin_live(std::span<const uint32_t> defined, std::span<const uint32_t> exposed) {
    for (uint32_t b : defined) defines_[b] = 1;
    for (uint32_t b : exposed) reach(b);
}

void PhiPlacer::reach(uint32_t block) {
    if (live_[block]) return;
    live_[block] = 1;
    touched_.push_back(block);
}

/// Goes on until `limit` blocks have been walked through. True: these are all.
bool PhiPlacer::find_live(size_t limit) {
    for (; walked_ < touched_.size(); ++walked_) {
        if (walked_ == limit) return false;
        for (uint32_t p : cfg_.predecessors[touched_[walked_]])
            if (cfg_.reachable(p) && !defines_[p]) reach(p);
    }
    return true;
}

void PhiPlacer::forget_live(std::span<const uint32_t> defined) {
    for (uint32_t b : defined) defines_[b] = 0;
    for (uint32_t b : touched_) live_[b] = 0;
    touched_.clear();
    walked_ = 0;
    prunes_ = false;
}

}  // namespace caldera::vulkan
