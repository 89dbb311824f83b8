// SPDX-License-Identifier: Apache-2.0
// limit_nesting: limits the nesting of selections to what every driver accepts. Mesa's llvmpipe can mask
// work-items in 80 nested selections, including those of callees, and runs deeper code for all work-items. It
// turns returns, `continue`s and breaks of switches into selections, too, so a long sequence of those nests
// like a chain of `else if`s.
//
// driver_quirks.def: keeps_selections_shallow.
//
// Functions that are too deep are structured anew with a limit. A chain of calls that is too deep is inlined
// before that. Loops with breaks are not asked to be unrolled.
//
// After: as after promote_variables.
#include <algorithm>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/flow/nesting.h"
#include "vulkan/translate/flow/restructure.h"
#include "vulkan/translate/flow/structure.h"
#include "vulkan/translate/optimize/inline_calls.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint32_t kMaxNested = 40;  // later passes make some, and drivers that unroll loops with breaks
constexpr uint32_t kFlat =
    24;  // what a function that is structured anew may have, its loops in one another together
constexpr size_t kMaxInlined = 1'000'000;

class Limiter {
 public:
    explicit Limiter(Module& module)
        : module_(module),
          builder_(module),
          layout_(builder_),
          calls_(module),
          heights_(module.functions.size(), 0),
          facts_(module.functions.size()),
          index_of_(module.bound, CallInliner::kNoFunction) {}

    void run() {
        for (uint32_t f = 0; f < module_.functions.size(); ++f)
            index_of_[module_.functions[f].id().value] = f;
        for (Function& function : module_.functions) keep_loops(function);
        for (uint32_t f : calls_.order().callees_first) {
            measure(f);
            if (heights_[f] <= kMaxNested) continue;
            flatten(f);
            if (heights_[f] <= kMaxNested || !inline_calls(f)) continue;
            flatten(f);
        }
    }

 private:
    static void keep_loops(Function& function);
    void measure(uint32_t f);
    void flatten(uint32_t f);
    bool inline_calls(uint32_t f);
    uint32_t loops_in_loops(const Function& function) const;

    Module& module_;
    Builder builder_;
    OpenclLayout layout_;
    CallGraph calls_;
    std::vector<uint32_t> heights_;  // by function: the most selections in one another, with those of callees
    std::vector<InlineFacts> facts_;
    std::vector<uint32_t> index_of_;  // by id
};

/// Mesa unrolls a loop with several exits by nesting each iteration in a selection of the one before. It does
/// this for few iterations unless the module requests more.
void Limiter::keep_loops(Function& function) {
    const Cfg cfg = build_cfg(function);
    for (Block& block : function.blocks) {
        if (block.merge.op != spv::Op::OpLoopMerge) continue;
        constexpr auto kUnroll = static_cast<uint32_t>(spv::LoopControlMask::Unroll);
        Operand& control = block.merge.operands[2];
        if (control.word == kUnroll && cfg.predecessors[cfg.block(block.merge.id(0))].size() > 1)
            control = spv::LoopControlMask::MaskNone;
    }
}

void Limiter::measure(uint32_t f) {
    const Function& function = module_.functions[f];
    heights_[f] = 0;
    if (function.blocks.empty()) return;
    const Cfg cfg = build_cfg(function);
    const std::vector<uint32_t> around = nesting(function, cfg, dominators(cfg));
    for (uint32_t block : cfg.order) {
        uint32_t& height = heights_[f];
        height = std::max(height, around[block]);
        for (const Instruction& inst : function.blocks[block].body)
            if (inst.op == spv::Op::OpFunctionCall)
                height = std::max(height, around[block] + heights_[index_of_[inst.word(0)]]);
    }
}

uint32_t Limiter::loops_in_loops(const Function& function) const {
    const Cfg cfg = build_cfg(function);
    uint32_t most = 0;
    for (const Loop& loop : find_loops(cfg, dominators(cfg)).loops) most = std::max(most, loop.depth);
    return most;
}

void Limiter::flatten(uint32_t f) {
    Function& function = module_.functions[f];
    restructure_flat(builder_, function, kFlat / (loops_in_loops(function) + 1));
    promote_function(builder_, layout_, function);
    measure(f);
}

/// Takes in all that the function calls; drivers would do the same. False if that were too much.
bool Limiter::inline_calls(uint32_t f) {
    const std::vector<uint32_t> reached = calls_.functions(module_.functions[f].id());
    const size_t size = FunctionFacts(module_)[module_.functions[f].id()].size;
    if (reached.size() < 2 || size > kMaxInlined) return false;
    for (uint32_t callee : reached) {
        const Function& function = module_.functions[callee];
        facts_[callee] = {.inlined = callee != f && !function.blocks.empty(),
                          .many_blocks = true,
                          .returns_last = returns_at_end(function)};
    }
    CallInliner(builder_, facts_, index_of_).expand(f, true);
    for (uint32_t callee : reached) facts_[callee].inlined = false;
    return true;
}

}  // namespace

Result<Done> limit_nesting(Module& module, PassContext&) {
    Limiter(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
