// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/place_phis.h"

#include <algorithm>

namespace caldera::vulkan {

using namespace spirv;

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
    const size_t few = 8 + 4 * defined.size();
    if (!frontiers_.empty() && iterate(defined, few, blocks)) return blocks;
    if (work_ == 0) return std::nullopt;
    find_live(defined, exposed);
    if (frontiers_.empty()) {
        work_ -= std::min<uint64_t>(work_, cfg_.size());
        blocks = finder_.iterated_frontier(defined, live_);
    } else {
        iterate(defined, ~size_t{0}, blocks);
    }
    forget_live();
    return blocks;
}

/// False: their phis would have more than `limit` operands.
bool PhiPlacer::iterate(std::span<const uint32_t> defined, size_t limit, std::vector<uint32_t>& blocks) {
    ++stamp_;
    blocks.clear();
    size_t operands = 0;
    auto add = [&](uint32_t b) {
        for (uint32_t target : frontiers_[b]) {
            if (placed_[target] == stamp_ || (!touched_.empty() && !live_[target])) continue;
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

void PhiPlacer::find_live(std::span<const uint32_t> defined, std::span<const uint32_t> exposed) {
    for (uint32_t b : defined) defines_[b] = 1;
    auto reach = [&](uint32_t b) {
        if (live_[b]) return;
        live_[b] = 1;
        touched_.push_back(b);
    };
    for (uint32_t b : exposed) reach(b);
    for (size_t next = 0; next < touched_.size(); ++next)
        for (uint32_t p : cfg_.predecessors[touched_[next]])
            if (cfg_.reachable(p) && !defines_[p]) reach(p);
    for (uint32_t b : defined) defines_[b] = 0;
    work_ -= std::min<uint64_t>(work_, touched_.size());
}

void PhiPlacer::forget_live() {
    for (uint32_t b : touched_) live_[b] = 0;
    touched_.clear();
}

}  // namespace caldera::vulkan
