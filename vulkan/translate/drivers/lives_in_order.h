// SPDX-License-Identifier: Apache-2.0
// LivesInOrder: how much lives at each place of a function, for a compiler that runs all blocks in order.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// The components that are computed before a place and used behind it, in the order of the blocks: branches
/// are masked, so that a value lives from where it stands to its last use, on whatever path. A value that is
/// made before a loop and used in it lives until the loop's end. A phi is a variable that its blocks store
/// to, and lives from the first of these stores. It takes time in proportion to the function's operands,
/// times the depth of its loops.
class LivesInOrder {
 public:
    LivesInOrder(const spirv::Builder& builder, const spirv::Function& function);

    /// Before instruction `at` of a block's body; body.size() is before its terminator.
    uint64_t before(uint32_t block, uint32_t at) const { return live_[first_[block] + at]; }

 private:
    struct Life {
        uint32_t block = 0;  // where it is made
        uint64_t begin = 0, end = 0;
        uint64_t components = 0;
    };
    void find_values(const spirv::Function& function);
    void find_uses(const spirv::Function& function);
    void use(spirv::Id value, uint32_t block, uint64_t place);
    void use_at_end(const spirv::Instruction& phi);
    void find_loop_ends(const spirv::Function& function);

    const spirv::Builder& builder_;
    const spirv::Cfg cfg_;
    spirv::Loops loops_ = {};
    std::vector<uint64_t> first_ = {};     // block -> the place of its first instruction
    std::vector<uint64_t> last_ = {};      // block -> the place of its terminator
    std::vector<uint64_t> loop_end_ = {};  // loop -> its last place
    spirv::IdMap<Life> lives_ = {};
    std::vector<uint64_t> live_ = {};  // place -> components
};

}  // namespace caldera::vulkan
