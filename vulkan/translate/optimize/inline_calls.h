// SPDX-License-Identifier: Apache-2.0
// Putting callees in the place of calls, down the whole call tree in one walk.
#pragma once

#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/clone.h"

namespace caldera::vulkan {

/// What the walk must know of a function.
struct InlineFacts {
    bool inlined = false;       ///< its calls are to vanish
    bool many_blocks = false;   ///< once its own calls are inlined
    bool returns_last = false;  ///< one return, outside all constructs: the caller's merges survive
};

/// Copies each callee once for each place where it ends up, however deep the calls nest, so that time is linear in what comes
/// out. No function may call itself.
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

    /// Inlines what the function calls, and what is called there. `restructure`: its selection merges will be wrong, and are dropped.
    void expand(uint32_t function, bool restructure);
    /// The function whose body takes the call's place, or kNoFunction.
    uint32_t inlined_callee(const spirv::Instruction& inst) const;

 private:
    /// A function of which a part is copied (or moved, for the one at the bottom).
    struct Frame {
        std::vector<spirv::Block>* blocks = nullptr;
        size_t block = 0, next = 0;  // what comes next
        bool inside = false;         // of that block
        spirv::Id name = {};         // by which phis know the block
        spirv::Instruction merge = {};
        spirv::Id latch_label = {};     // a loop of one block: its new continue target
        spirv::Instruction call = {};   // in the caller's new ids; none at the bottom
        spirv::Id entry_name = {};      // what phis call the callee's entry block
        spirv::Id after = {};           // where several returns meet
        spirv::Operands returned = {};  // (value, name of the block) as a phi wants them
    };

    void step();
    void enter_block(Frame& frame, spirv::Block& block);
    void free_loop_header(Frame& frame, spirv::Block& block);
    void leave_block(Frame& frame, spirv::Block& block);
    void enter_call(uint32_t callee, const spirv::Instruction& call);
    void leave_call();
    void take(const Frame& frame, spirv::Instruction& inst);
    void put(spirv::Instruction inst) { put(std::move(inst), current_.body); }
    void put(spirv::Instruction inst, std::vector<spirv::Instruction>& to);
    spirv::Instruction taken(const Frame& frame, spirv::Instruction& inst) const;
    void rename_predecessors();

    spirv::Module& module_;
    spirv::Builder& builder_;
    Cloner cloner_;
    const std::vector<InlineFacts>& facts_;
    const std::vector<uint32_t>& index_of_;

    // Of the function being expanded:
    std::vector<Frame> frames_ = {};
    spirv::Block current_ = {};
    std::vector<spirv::Block> out_ = {};
    std::vector<spirv::Instruction> variables_ = {};
    spirv::Substitution results_ = {};
    spirv::IdMap<spirv::Id> tails_ = {};  // a block's name in phis -> the block that its terminator is in now
};

}  // namespace caldera::vulkan
