// SPDX-License-Identifier: Apache-2.0
// Memory in SSA form: each area of a function's memory has a version, and every write makes a new one.
#pragma once

#include <unordered_map>
#include <vector>

#include "vulkan/translate/optimize/pointers.h"

namespace caldera::vulkan {

constexpr uint32_t kNoVersion = ~0u;

struct MemoryVersion {
    enum class Kind : uint8_t {
        Entry,  ///< the contents at the function's entry
        Join,   ///< one of several, depending on the edge to `block`
        Store,  ///< the previous version, with `bytes` at `place` replaced
        Write,  ///< unknown
    };
    struct Way {
        uint32_t from = 0, version = 0;
    };
    Kind kind = Kind::Entry;
    uint32_t previous = kNoVersion;  ///< for a Store
    uint32_t block = 0;
    MemoryPlace place = {};
    uint64_t bytes = 0;
    std::vector<Way> ways = {};  ///< for a Join: one for each reachable predecessor
};

class MemoryVersions {
 public:
    MemoryVersions(const spirv::Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
                   const Pointers& pointers, const spirv::Function& function, const spirv::Cfg& cfg,
                   const spirv::Dominators& tree, const spirv::Loops& loops);

    /// The version that a load reads or a store makes. None for other instructions, for volatile ones, and if
    /// the analysis would take too long.
    uint32_t of(const spirv::Instruction& inst) const;
    const MemoryVersion& operator[](uint32_t version) const { return versions_[version]; }
    uint32_t size() const { return static_cast<uint32_t>(versions_.size()); }
    /// The join of an area's versions at the block, if there is one.
    uint32_t join(uint32_t block, uint32_t area) const;
    /// The oldest version in which these bytes are the same. It is not quite the oldest if the search would
    /// take more `steps`, from which the steps are subtracted.
    uint32_t origin(MemoryPlace place, uint64_t bytes, uint32_t version, int& steps) const;
    static constexpr int kMaxSteps = 64;

 private:
    uint32_t before(MemoryPlace place, uint64_t bytes, uint32_t join, int& steps) const;
    void place_joins();
    void number();
    void enter(uint32_t block);
    void set(uint32_t area, uint32_t version);
    uint32_t add(MemoryVersion version);
    template <class Visit>
    void for_each_written_area(const spirv::Instruction& inst, Effect effect, Visit&& visit) const;

    const OpenclLayout& layout_;
    const spirv::Builder& builder_;
    const MemoryFacts& facts_;
    const Pointers& pointers_;
    const spirv::Function& function_;
    const spirv::Cfg& cfg_;
    const spirv::Dominators& tree_;
    const spirv::Loops& loops_;

    struct Joined {
        uint32_t area, version;
    };
    struct Undo {
        uint32_t area, version;
    };
    std::vector<MemoryVersion> versions_ = {};
    std::vector<bool> given_up_ = {};              // by area
    std::vector<std::vector<Joined>> joins_ = {};  // by block
    std::vector<uint32_t> current_ = {};           // by area
    std::vector<Undo> undo_ = {};
    std::unordered_map<const spirv::Instruction*, uint32_t> of_ = {};
};

/// The analyses of one function for the passes that remove or move accesses. The function must not change.
struct MemoryAnalysis {
    MemoryAnalysis(const spirv::Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
                   const spirv::Function& function)
        : cfg(spirv::build_cfg(function)),
          tree(spirv::dominators(cfg)),
          loops(spirv::find_loops(cfg, tree)),
          pointers(builder, layout, facts, function, cfg, tree),
          versions(builder, layout, facts, pointers, function, cfg, tree, loops) {}
    MemoryAnalysis(const MemoryAnalysis&) = delete;
    MemoryAnalysis& operator=(const MemoryAnalysis&) = delete;

    const spirv::Cfg cfg;
    const spirv::Dominators tree;
    const spirv::Loops loops;
    const Pointers pointers;
    const MemoryVersions versions;
};

/// The only block that leads into the loop, if it leads nowhere else; or kNoBlock.
uint32_t block_before(const spirv::Function& function, const spirv::Cfg& cfg, const spirv::Loops& loops,
                      uint32_t loop);

}  // namespace caldera::vulkan
