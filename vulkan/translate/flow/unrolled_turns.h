// SPDX-License-Identifier: Apache-2.0
// UnrolledTurns: how many turns of a function's loops a driver's compiler puts behind one another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/module.h"

namespace caldera::vulkan {

class UnrolledTurns {
 public:
    /// For a driver that unrolls loops of up to `most` turns, inner ones first. `definitions` are the
    /// function's instructions by result id. All arguments must outlive this object.
    UnrolledTurns(spirv::Function& function, const spirv::Cfg& cfg, const spirv::Loops& loops,
                  const spirv::Builder& builder, const std::vector<const spirv::Instruction*>& definitions,
                  uint32_t most);

    /// Whether the driver unrolls the loop: it has few turns, and so have those in it.
    bool is_unrolled(uint32_t loop) const { return turns_[loop] && *turns_[loop] <= most_; }
    /// 1 where the driver leaves the loop as it is.
    uint64_t of(uint32_t loop) const;
    /// The product for a loop and those around it, cut at a number above `limit`; 1 for kNoBlock.
    uint64_t with_outer(uint32_t loop, uint64_t limit) const;

    /// Whether the loop has no hint.
    bool asks_nothing(uint32_t loop) const;
    /// Tells the driver not to unroll the loop.
    void keep(uint32_t loop);

 private:
    spirv::Instruction& merge_of(uint32_t loop) const {
        return function_.blocks[loops_.loops[loop].header].merge;
    }
    std::optional<uint32_t> count(const spirv::Loop& loop, const spirv::Builder& builder,
                                  const std::vector<const spirv::Instruction*>& definitions) const;

    spirv::Function& function_;
    const spirv::Cfg& cfg_;
    const spirv::Loops& loops_;
    uint32_t most_;
    std::vector<std::optional<uint32_t>> turns_ = {};
};

}  // namespace caldera::vulkan
