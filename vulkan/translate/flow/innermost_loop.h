// SPDX-License-Identifier: Apache-2.0
// Innermost loops, as the passes that unroll need them, and copies of their iterations.
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

/// What a piece of code has, with the functions that it calls, which drivers inline.
struct CodeFacts {
    size_t size = 0;  ///< number of instructions
    bool has_barrier = false;
    bool has_group_operations = false;  ///< spirv::is_group_operation()
    void add(const CodeFacts& called);
};

/// The facts of each function.
class FunctionFacts {
 public:
    explicit FunctionFacts(const spirv::Module& module);
    CodeFacts operator[](spirv::Id function) const;

 private:
    spirv::IdMap<CodeFacts> facts_ = {};
};

/// A loop whose exits all lead to the merge block, with one back edge to the header. Blocks are indices into
/// the function.
struct InnermostLoop {
    uint32_t header = 0, latch = 0, merge = 0;
    std::vector<uint32_t> blocks = {};  ///< in the order of the function
    CodeFacts own = {};                 ///< without those of called functions
    std::vector<spirv::Id> calls = {};  ///< the called functions, once for each call

    CodeFacts inlined(const FunctionFacts& functions) const;

    bool contains(uint32_t block) const;
};

/// The innermost loop with this header in a structured function. None if there is no such loop, or if it has
/// more instructions.
std::optional<InnermostLoop> innermost_loop(const spirv::Function& function, const spirv::Cfg& cfg,
                                            const spirv::Dominators& tree, uint32_t header, size_t most);

/// The block with the only branch out of the loop, a conditional one that every iteration executes. None if
/// there is no such block, if the loop has several entries, or if a `continue` ends a selection.
std::optional<uint32_t> only_exit(const spirv::Function& function, const spirv::Cfg& cfg,
                                  const spirv::Dominators& tree, const InnermostLoop& loop);

/// Whether the block is executed in the last iteration, which ends at the exit.
inline bool is_in_last_turn(const spirv::Dominators& tree, uint32_t exit, uint32_t block) {
    return block == exit || !tree.dominates(exit, block);
}

/// Whether a loop of the function has this header inside it.
bool is_in_a_loop(const spirv::Function& function, const spirv::Cfg& cfg, const spirv::Dominators& tree,
                  uint32_t header);
/// Whether the function has an OpLoopMerge.
bool has_loop(const spirv::Function& function);

/// A `break` in `if (enough) break;` is a separate block that only leaves the loop. Lets the branch to it
/// leave the loop directly.
void shorten_exits(spirv::Function& function);

/// Copies iterations of a loop, one after the other, without the branches that leave it.
class TurnCopier {
 public:
    /// `exit` is the result of only_exit(). The function's blocks must not change while this exists.
    TurnCopier(spirv::Module& module, const spirv::Function& function, const spirv::Dominators& tree,
               const InnermostLoop& loop, uint32_t exit, Cloner& cloner);

    /// Copies an iteration with new ids. Its first block is `label`, and its end leads to `next`.
    void copy_turn(spirv::Id label, spirv::Id next, std::vector<spirv::Block>& out) {
        copy(label, next, false, out);
    }
    /// Copies so many iterations, and the part of one more that is executed until the loop is left. Adds to
    /// `results` the values that the loop's values have after it.
    void copy_to_end(spirv::Id label, uint64_t turns, spirv::Block& merge, spirv::Substitution& results,
                     std::vector<spirv::Block>& out);
    /// Makes later copies start from the loop's own ids again.
    void forget();

    /// The header's phis and their values in the next iteration; initially, the values with which the loop is
    /// entered.
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
