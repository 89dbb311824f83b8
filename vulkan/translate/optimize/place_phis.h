// SPDX-License-Identifier: Apache-2.0
// Finds where a variable that becomes a value needs phis.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spirv/cfg.h"

namespace caldera::vulkan {

/// Finds the blocks where a variable needs phis: those in the iterated dominance frontier of its stores where
/// it is live. Liveness takes a walk through all blocks where the variable is live. The frontier and the walk
/// are tried in turn with growing limits, so the time is that of the shorter one.
class PhiPlacer {
 public:
    /// `work` is the number of steps through blocks that all variables together may take. An operand of a phi
    /// counts as several steps, since all later passes have it.
    PhiPlacer(const spirv::Cfg& cfg, const spirv::Dominators& tree, uint64_t work);

    /// Returns blocks in order. `exposed` are the blocks that load before they store. nullopt if it would
    /// take too much work. There may be more phis than necessary.
    std::optional<std::vector<uint32_t>> place(std::span<const uint32_t> defined,
                                               std::span<const uint32_t> exposed);
    /// The rest of `work`.
    uint64_t work_left() const { return work_; }

 private:
    static constexpr size_t kMaxFrontier = 32;  // entries per block, on average

    bool iterate(std::span<const uint32_t> defined, size_t limit, std::vector<uint32_t>& blocks);
    void begin_live(std::span<const uint32_t> defined, std::span<const uint32_t> exposed);
    void reach(uint32_t block);
    bool find_live(size_t limit);
    void forget_live(std::span<const uint32_t> defined);
    void take(uint64_t steps) { work_ -= steps < work_ ? steps : work_; }

    const spirv::Cfg& cfg_;
    const spirv::Dominators& tree_;
    spirv::FrontierFinder finder_;
    std::vector<std::vector<uint32_t>> frontiers_;  // empty if too large
    uint64_t work_;
    std::vector<uint8_t> live_, defines_;
    std::vector<uint32_t> touched_ = {};  // the blocks in live_
    size_t walked_ = 0;                   // how many of them have been left
    bool prunes_ = false;                 // live_ is complete
    std::vector<uint32_t> placed_;        // stamps
    uint32_t stamp_ = 0;
};

}  // namespace caldera::vulkan
