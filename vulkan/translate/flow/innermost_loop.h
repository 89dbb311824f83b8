// SPDX-License-Identifier: Apache-2.0
// Loops without a loop in them, as the passes that unroll want them, and copies of their turns.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/module.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/clone.h"

namespace caldera::vulkan {

/// How many instructions functions are once their calls are inlined, as drivers do.
class InlinedSizes {
 public:
    explicit InlinedSizes(const spirv::Module& module);
    size_t operator[](spirv::Id function) const;

 private:
    spirv::IdMap<size_t> sizes_ = {};
};

/// All ways out lead to the merge block, and one way back to the header. Blocks are indices into the function.
struct InnermostLoop {
    uint32_t header = 0, latch = 0, merge = 0;
    std::vector<uint32_t> blocks = {};  ///< in the function's order
    size_t size = 0;                    ///< instructions
    bool has_barrier = false;
    bool has_group_functions = false;
    std::vector<spirv::Id> calls = {};  ///< the functions, once for each call

    size_t inlined_size(const InlinedSizes& sizes) const;  ///< instructions with those of calls

    bool contains(uint32_t block) const;
};

/// The loop of that header in a structured function; none if there is no such, or it has more instructions.
std::optional<InnermostLoop> innermost_loop(const spirv::Function& function, const spirv::Cfg& cfg,
                                            const spirv::Dominators& tree, uint32_t header, size_t most);

/// The block that ends in the only branch out of the loop, a conditional one that every way back passes. None if there is no
/// such, if there are several ways into the loop, or a `continue` ends a selection.
std::optional<uint32_t> only_exit(const spirv::Function& function, const spirv::Cfg& cfg,
                                  const spirv::Dominators& tree, const InnermostLoop& loop);

/// Whether a last turn, which ends at the exit, has the block.
inline bool is_in_last_turn(const spirv::Dominators& tree, uint32_t exit, uint32_t block) {
    return block == exit || !tree.dominates(exit, block);
}

/// Whether SPIR-V's structure names a loop in the function.
bool has_loop(const spirv::Function& function);
/// What the block's phis have from block `from` they have from block `to`.
void rename_predecessor(spirv::Block& block, spirv::Id from, spirv::Id to);

/// `if (enough) break;` is a block of its own that only leaves the loop; the branch to it becomes the way out.
void shorten_exits(spirv::Function& function);

/// Copies a loop's turns, one behind the other, without the branches by which it is left.
class TurnCopier {
 public:
    /// `exit`: of only_exit(). The function's blocks stay as they are while this lives.
    TurnCopier(spirv::Module& module, const spirv::Function& function, const spirv::Dominators& tree,
               const InnermostLoop& loop, uint32_t exit, Cloner& cloner);

    /// A turn under fresh ids, whose first block is `label` and whose end leads to `next`.
    void copy_turn(spirv::Id label, spirv::Id next, std::vector<spirv::Block>& out) {
        copy(label, next, false, out);
    }
    /// So many turns, and what of one more is done until the loop is left. Adds to `results` what its values are behind it.
    void copy_to_end(spirv::Id label, uint64_t turns, spirv::Block& merge, spirv::Substitution& results,
                     std::vector<spirv::Block>& out);
    /// The ids of the loop are its own again, for what is copied later.
    void forget();

    /// The header's phis and what they are in the turn to come; at first, what they are when the loop is entered.
    std::vector<std::pair<spirv::Id, spirv::Id>> carried = {};

 private:
    void copy(spirv::Id label, spirv::Id next, bool last, std::vector<spirv::Block>& out);
    spirv::Block copied(uint32_t block, spirv::Id next, bool last) const;

    spirv::Module& module_;
    const spirv::Function& function_;
    const spirv::Dominators& tree_;
    const InnermostLoop& loop_;
    const uint32_t exit_;
    Cloner& cloner_;
};

}  // namespace caldera::vulkan
