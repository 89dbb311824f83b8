// SPDX-License-Identifier: Apache-2.0
// IndexLimits: how large the integers of a function may be, so that accesses which cannot leave their object
// need no check.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// The largest ids of work-items in their work-groups that all kernels of a module allow, by dimension.
struct LocalIdLimits {
    spirv::IdMap<spv::BuiltIn> inputs = {};               ///< variables that tell about work-items
    std::optional<std::array<uint64_t, 3>> largest = {};  ///< none if some kernel requires no size
};
LocalIdLimits local_id_limits(const spirv::Module& module);

/// The function must not change as long as it is used. The references must outlive it.
///
/// It knows constants, masks, remainders, shifts, sums and the like of what is limited, the ids of work-items
/// where sizes of work-groups are required, comparisons that every way to a block has passed, and counters of
/// loops. Integers are taken for unsigned ones; one that may be negative has no useful limit.
class IndexLimits {
 public:
    IndexLimits(const spirv::Builder& builder, const spirv::Function& function, const spirv::Cfg& cfg,
                const spirv::Dominators& tree, const LocalIdLimits& local_ids, spirv::Id opencl_std);
    /// The largest value, as an unsigned number of its width, that an integer may have in a block.
    uint64_t largest(spirv::Id value, uint32_t block) const;

 private:
    /// What a comparison says of a value in all blocks that this one dominates.
    struct Fact {
        uint32_t block = 0;
        spirv::Id other = {};  ///< the value is at most this one
        bool is_less = false;  ///< and not equal
        bool is_signed = false;
    };
    /// A number that a value is at least, as unsigned ones, in all blocks that this one dominates.
    struct AtLeast {
        uint32_t block = 0;
        uint64_t number = 0;
    };
    struct Definition {
        const spirv::Instruction* inst = nullptr;
        uint32_t block = 0;
    };

    void note_condition(spirv::Id condition, bool holds, uint32_t block, int steps);
    void note_comparison(const spirv::Instruction& inst, bool holds, uint32_t block);
    Definition def(spirv::Id value) const;
    uint64_t all_bits(spirv::Id value) const;
    uint64_t top_bit(spirv::Id value) const;
    std::optional<uint64_t> constant(spirv::Id value) const;
    uint64_t largest(spirv::Id value, uint32_t block, int steps) const;
    uint64_t largest_result(const Definition& made, uint32_t block, int steps) const;
    uint64_t largest_of_phi(const Definition& phi, int steps) const;
    uint64_t largest_of_extended(const spirv::Instruction& inst, uint32_t block, int steps) const;
    std::optional<uint64_t> most_counted_down(const Definition& phi, int steps) const;
    bool is_negative_nowhere(spirv::Id value, uint32_t block, int steps) const;
    bool is_found_not_negative(spirv::Id value, uint32_t block) const;
    bool counts_up(const Definition& phi, int steps) const;
    bool has_room(const spirv::Instruction& difference, uint32_t block) const;
    uint64_t largest_input(spirv::Id variable, std::optional<uint64_t> component) const;

    const spirv::Builder& builder_;
    const spirv::Cfg& cfg_;
    const spirv::Dominators& tree_;
    const LocalIdLimits& local_ids_;
    const spirv::Id opencl_std_;
    spirv::IdMap<Definition> defs_ = {};
    spirv::IdMap<std::vector<Fact>> facts_ = {};
    spirv::IdMap<std::vector<AtLeast>> at_least_ = {};
    spirv::IdMap<std::vector<uint32_t>> not_negative_ = {};  // blocks that comparisons say so of
    mutable int visits_ = 0;
};

}  // namespace caldera::vulkan
