// SPDX-License-Identifier: Apache-2.0
// Inlines calls, down the whole call tree in one walk.
#pragma once

#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/inlined_lines.h"

namespace caldera::vulkan {

/// What the walk needs to know about a function.
struct InlineFacts {
    bool inlined = false;      ///< its calls are to be inlined
    bool many_blocks = false;  ///< it has many blocks once its own calls are inlined
    /// it has one return, outside all constructs, so the caller's merge instructions stay valid
    bool returns_last = false;
};

/// Copies each callee only once for each place where it ends up, however deep the calls nest, so that the
/// time is linear in the output. No function may be recursive.
class CallInliner {
 public:
    /// `index_of`: by id, the index of a function or kNoFunction. Both lists must outlive the inliner.
    CallInliner(spirv::Builder& builder, const std::vector<InlineFacts>& facts,
                const std::vector<uint32_t>& index_of)
        : module_(builder.module()),
          builder_(builder),
          cloner_(module_),
          facts_(facts),
          index_of_(index_of) {}

    static constexpr uint32_t kNoFunction = ~0u;

    /// Inlines the calls in a function, and the calls in the inlined code. With `restructure`, the function's
    /// selection merges will become invalid and are removed.
    void expand(uint32_t function, bool restructure);
    /// The function that is inlined in place of the call, or kNoFunction.
    uint32_t inlined_callee(const spirv::Instruction& inst) const;

 private:
    /// A function that is being copied, or moved if it is at the bottom of the stack.
    struct Frame {
        std::vector<spirv::Block>* blocks = nullptr;
        size_t block = 0, next = 0;  // the next block and instruction
        bool inside = false;         // whether that block has been started
        spirv::Id name = {};         // the block's id in phis
        spirv::Instruction merge = {};
        spirv::Id latch_label = {};     // the new continue target of a loop of one block
        spirv::Instruction call = {};   // with the caller's new ids; none at the bottom
        spirv::Id entry_name = {};      // the id of the callee's entry block in phis
        spirv::Id after = {};           // the block where several returns meet
        spirv::Operands returned = {};  // pairs of a value and a block's id, the operands of a phi
        InlinedLines lines = {};
    };

    void step();
    void enter_block(Frame& frame, spirv::Block& block);
    void free_loop_header(Frame& frame, spirv::Block& block);
    void leave_block(Frame& frame, spirv::Block& block);
    void enter_call(uint32_t callee, const spirv::Instruction& call);
    void leave_call();
    void take(Frame& frame, spirv::Instruction& inst);
    void put(spirv::Instruction inst) { put(std::move(inst), current_.body); }
    void put(spirv::Instruction inst, std::vector<spirv::Instruction>& to);
    spirv::Instruction taken(Frame& frame, spirv::Instruction& inst);
    void rename_predecessors();

    spirv::Module& module_;
    spirv::Builder& builder_;
    Cloner cloner_;
    const std::vector<InlineFacts>& facts_;
    const std::vector<uint32_t>& index_of_;

    // State for the function that is being expanded:
    std::vector<Frame> frames_ = {};
    spirv::Block current_ = {};
    std::vector<spirv::Block> out_ = {};
    std::vector<spirv::Instruction> variables_ = {};
    spirv::Substitution results_ = {};
    spirv::IdMap<spirv::Id> tails_ = {};  // a block's id in phis -> the block that now has its terminator
};

}  // namespace caldera::vulkan
