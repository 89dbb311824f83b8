// SPDX-License-Identifier: Apache-2.0
// limit_unrolling: asks drivers to unroll loops only where the result is small.
//
// A hint Unroll in the source binds nobody, but a compiler that obeys it copies the loop's body as often as
// the loop has turns. 10,000 turns, or some hundred in a loop of some hundred, take it minutes and gigabytes.
// A driver also keeps the hint where it does not know the turns, and then makes copies for nothing.
// unroll_loops has unrolled what it could within its own limits. Here, Unroll stays on loops whose number of
// turns is known and whose copies are few, together with those of the loops in them and of the functions that
// they call. Other loops have no hint afterwards, so that the driver decides by its own rules. PartialCount
// asks for as many copies as fit.
//
// After: as before.
#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/flow/trip_count.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint32_t kMaxTurns = 1024;
constexpr uint32_t kMaxGroup = 64;        // of PartialCount
constexpr uint64_t kMaxCopied = 1 << 13;  // instructions of a loop, all copies
// Drivers unroll so much without a hint: Mesa does 32 turns of little code.
constexpr uint32_t kUnaskedTurns = 32;
constexpr uint64_t kUnaskedCopied = 512;
constexpr uint64_t kHuge = uint64_t{1} << 40;  // numbers of instructions grow with depth as powers do

bool has_hint(const Instruction& merge) {
    return merge.op == spv::Op::OpLoopMerge &&
           (merge.word(2) == static_cast<uint32_t>(spv::LoopControlMask::Unroll) ||
            merge.word(2) == static_cast<uint32_t>(spv::LoopControlMask::PartialCount));
}

bool has_hints(const Module& module) {
    for (const Function& function : module.functions)
        for (const Block& block : function.blocks)
            if (has_hint(block.merge)) return true;
    return false;
}

class UnrollLimiter {
 public:
    explicit UnrollLimiter(Module& module)
        : module_(module),
          builder_(module),
          calls_(module),
          definitions_(module.bound),
          sizes_(module.functions.size()) {
        for (const Function& function : module.functions)
            for (const Block& block : function.blocks) budget_ += 4 * code_size(block);
    }

    void run() {
        for (const uint32_t f : calls_.order().callees_first)
            if (!module_.functions[f].blocks.empty()) sizes_[f] = limit(module_.functions[f]);
    }

 private:
    /// Returns the function's instructions, with the copies that drivers make and the functions that it
    /// calls.
    uint64_t limit(Function& function);
    uint64_t copies(Instruction& merge, std::optional<uint32_t> turns, uint64_t size);
    uint64_t partial_copies(Instruction& merge, uint64_t size) const;
    std::optional<uint32_t> turns_of(const Function& function, const Cfg& cfg, const Dominators& tree,
                                     const Loop& loop) const;
    uint64_t size_of(const Block& block) const;

    Module& module_;
    Builder builder_;
    CallGraph calls_;
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
    std::vector<uint64_t> sizes_;                  // by function
    uint64_t budget_ = 1 << 16;                    // instructions that drivers may still be asked to add
};

uint64_t UnrollLimiter::limit(Function& function) {
    uint64_t size = 0;
    if (!has_loop(function)) {
        for (const Block& block : function.blocks) size = std::min(kHuge, size + size_of(block));
        return size;
    }
    const Cfg cfg = build_cfg(function);
    const Dominators tree = dominators(cfg);
    const Loops loops = find_loops(cfg, tree);
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.body) definitions_[inst.result.value] = &inst;
    std::vector<uint64_t> sizes(loops.loops.size());  // of a turn
    const auto size_in = [&](uint32_t loop) -> uint64_t& { return loop == kNoBlock ? size : sizes[loop]; };
    for (const uint32_t b : cfg.order) {
        uint64_t& sum = size_in(loops.innermost[b]);
        sum = std::min(kHuge, sum + size_of(function.blocks[b]));
    }
    for (auto l = static_cast<uint32_t>(loops.loops.size()); l-- > 0;) {  // inner ones come last
        const Loop& loop = loops.loops[l];
        Instruction& merge = function.blocks[loop.header].merge;
        uint64_t& around = size_in(loop.parent);
        const bool is_loop = merge.op == spv::Op::OpLoopMerge;
        const bool may_matter = is_loop && (has_hint(merge) || sizes[l] <= kUnaskedCopied);
        const auto turns = may_matter ? turns_of(function, cfg, tree, loop) : std::nullopt;
        const uint64_t times = is_loop ? copies(merge, turns, sizes[l]) : 1;
        around = std::min(kHuge, around + sizes[l] * times);
    }
    return size;
}

/// Limits the hint of a loop, and returns how often a driver may put a turn behind the other.
uint64_t UnrollLimiter::copies(Instruction& merge, std::optional<uint32_t> turns, uint64_t size) {
    const auto is = [&](spv::LoopControlMask mask) { return merge.word(2) == static_cast<uint32_t>(mask); };
    if (is(spv::LoopControlMask::DontUnroll)) return 1;
    if (is(spv::LoopControlMask::PartialCount)) return partial_copies(merge, size);
    const uint64_t times = std::max(turns.value_or(1), 1u), copied = size * times;
    if (is(spv::LoopControlMask::Unroll)) {
        if (turns && copied <= std::min(kMaxCopied, budget_)) {
            budget_ -= copied;
            return times;
        }
        merge.operands[2] = spv::LoopControlMask::MaskNone;
    }
    return times <= kUnaskedTurns && copied <= kUnaskedCopied ? times : 1;
}

uint64_t UnrollLimiter::partial_copies(Instruction& merge, uint64_t size) const {
    const uint64_t most = std::min<uint64_t>(kMaxGroup, kMaxCopied / std::max<uint64_t>(size, 1));
    const uint64_t group = std::min<uint64_t>(merge.word(3), most);
    if (group == merge.word(3)) return std::max<uint64_t>(group, 1);
    merge.operands.resize(2);
    if (group < 2) {
        merge.operands.push_back(spv::LoopControlMask::MaskNone);
        return 1;
    }
    merge.operands.push_back(spv::LoopControlMask::PartialCount);
    merge.operands.push_back(static_cast<uint32_t>(group));
    return group;
}

/// The most turns that the loop does: those to an exit that each turn reaches.
std::optional<uint32_t> UnrollLimiter::turns_of(const Function& function, const Cfg& cfg,
                                                const Dominators& tree, const Loop& loop) const {
    const Block& head = function.blocks[loop.header];
    if (loop.latches.size() != 1) return {};
    const TripCounter counter(builder_, definitions_);
    for (const uint32_t exit : cfg.predecessors[cfg.block(head.merge.id(0))]) {
        const Instruction& branch = function.blocks[exit].terminator;
        if (branch.op != spv::Op::OpBranchConditional || !tree.dominates(loop.header, exit) ||
            !tree.dominates(exit, loop.latches[0]))
            continue;
        if (const auto turns = counter.count(head, function.blocks[loop.latches[0]].label, branch, kMaxTurns))
            return turns;
    }
    return {};
}

uint64_t UnrollLimiter::size_of(const Block& block) const {
    uint64_t size = code_size(block) + 1;  // the terminator
    for (const Instruction& inst : block.body)
        if (inst.op == spv::Op::OpFunctionCall)
            size = std::min(kHuge, size + sizes_[calls_.index_of(inst.id(0))]);
    return size;
}

}  // namespace

Result<Done> limit_unrolling(Module& module, PassContext&) {
    if (has_hints(module)) UnrollLimiter(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
