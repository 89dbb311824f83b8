// SPDX-License-Identifier: Apache-2.0
// keep_large_loops: keeps loops from being unrolled if they would then be very large.
//
// Mesa's Turnip unrolls a loop whose counter indexes an array of as many elements as the loop has turns,
// whatever is in the loop, inner ones first. Where two loops of 16 turns go through a table of constants, 256
// copies of 500 instructions took its compiler 40 s and more. A loop is told not to be unrolled when it would
// have more than kMaxUnrolledInstructions, an outer one before those in it.
//
// After: as before.
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "vulkan/translate/flow/unrolled_turns.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint64_t kMaxUnrolledInstructions = 16384;
constexpr uint32_t kMaxCountedTurns = 1024;

class LargeLoopKeeper {
 public:
    explicit LargeLoopKeeper(Module& module) : builder_(module), definitions_(module.bound) {}

    void run(Function& function) {
        const Cfg cfg = build_cfg(function);
        const Loops loops = find_loops(cfg, dominators(cfg));
        if (loops.loops.empty()) return;
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) definitions_[inst.result.value] = &inst;
        UnrolledTurns turns(function, cfg, loops, builder_, definitions_, kMaxCountedTurns);
        for (uint32_t l = 0; l < loops.loops.size(); ++l)  // outer ones come first
            if (turns.of(l) > 1 && turns.asks_nothing(l) &&
                unrolled_size(function, cfg, loops, turns, l) > kMaxUnrolledInstructions)
                turns.keep(l);
    }

 private:
    /// The instructions of the loop and those in it, once unrolled. An outer loop that is unrolled has them
    /// as often as it has turns.
    static uint64_t unrolled_size(const Function& function, const Cfg& cfg, const Loops& loops,
                                  const UnrolledTurns& turns, uint32_t loop) {
        uint64_t sum = 0;
        for (const uint32_t b : cfg.order)
            if (loops.contains(loop, b))
                sum += code_size(function.blocks[b]) *
                       turns.with_outer(loops.innermost[b], kMaxUnrolledInstructions);
        return sum;
    }

    Builder builder_;
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
};

}  // namespace

Result<Done> keep_large_loops(Module& module, PassContext& context) {
    if (!context.options.profile.quirks.unrolls_large_loops) return Done{};
    LargeLoopKeeper keeper(module);
    for (Function& function : module.functions)
        if (!function.blocks.empty()) keeper.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
