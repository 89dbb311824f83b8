// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/unrolled_turns.h"

#include <algorithm>

#include "vulkan/translate/flow/trip_count.h"

namespace caldera::vulkan {

using namespace spirv;
using spv::Op;

UnrolledTurns::UnrolledTurns(Function& function, const Cfg& cfg, const Loops& loops, const Builder& builder,
                             const std::vector<const Instruction*>& definitions, uint32_t most)
    : function_(function), cfg_(cfg), loops_(loops), most_(most) {
    for (uint32_t l = 0; l < loops.loops.size(); ++l) {
        constexpr auto kNever = static_cast<uint32_t>(spv::LoopControlMask::DontUnroll);
        const bool is_kept = merge_of(l).op == Op::OpLoopMerge && merge_of(l).word(2) == kNever;
        turns_.push_back(is_kept ? std::nullopt : count(loops.loops[l], builder, definitions));
    }
    // A loop around one that stays is not unrolled either.
    for (auto l = static_cast<uint32_t>(loops.loops.size()); l-- > 0;)  // inner ones come last
        if (const uint32_t around = loops.loops[l].parent; around != kNoBlock && !is_unrolled(l))
            turns_[around].reset();
}

std::optional<uint32_t> UnrolledTurns::count(const Loop& loop, const Builder& builder,
                                             const std::vector<const Instruction*>& definitions) const {
    const Block& head = function_.blocks[loop.header];
    if (loop.latches.size() != 1 || head.merge.op != Op::OpLoopMerge) return {};
    const uint32_t merge = cfg_.block(head.merge.id(0));
    const TripCounter counter(builder, definitions);
    for (const uint32_t exit : cfg_.predecessors[merge]) {
        const Instruction& branch = function_.blocks[exit].terminator;
        if (branch.op != Op::OpBranchConditional) continue;
        if (const auto turns = counter.count(head, function_.blocks[loop.latches[0]].label, branch, most_))
            return turns;
    }
    return {};
}

uint64_t UnrolledTurns::of(uint32_t loop) const {
    return is_unrolled(loop) ? std::max(*turns_[loop], 1u) : 1;
}

uint64_t UnrolledTurns::with_outer(uint32_t loop, uint64_t limit) const {
    uint64_t product = 1;
    for (uint32_t l = loop; l != kNoBlock && product <= limit; l = loops_.loops[l].parent) product *= of(l);
    return product;
}

bool UnrolledTurns::asks_nothing(uint32_t loop) const {
    return merge_of(loop).op == Op::OpLoopMerge && merge_of(loop).word(2) == 0;
}

void UnrolledTurns::keep(uint32_t loop) {
    merge_of(loop).operands[2] = spv::LoopControlMask::DontUnroll;
    turns_[loop] = 1;
}

}  // namespace caldera::vulkan
