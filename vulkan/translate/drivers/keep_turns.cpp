// SPDX-License-Identifier: Apache-2.0
// keep_turns: keeps loops from being unrolled whose turns Mesa counts wrong.
//
// Mesa unrolls a loop whose counter has a constant start, step and bound, and drops its test. To count the
// turns it divides the way from the start to the bound by the step (nir_loop_analyze.c). It tries the test
// at that number and at its neighbours only, so it misses an earlier end:
// - A counter runs away from its bound, and the loop ends where it wraps. `for (uint i = -4; i > 6; i++)` has
//   4 turns, and Mesa does 9.
// - A counter has a fraction. The loop rounds each sum, but Mesa takes the product of step and turns.
// Start and bound may become constants later, because Mesa unrolls a loop around. So this pass does not look
// at them. A test that it cannot take apart, but whose operands are constants in the end, may become one of
// those (Mesa makes i >= 16 of (i >> 4) != 0). Mesa multiplies and shifts a counter turn by turn.
//
// After: for a device with miscounts_turns, such loops are marked DontUnroll.
#include <algorithm>
#include <cmath>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/op_class.h"
#include "spirv/phis.h"
#include "spirv/support/floats.h"
#include "vulkan/translate/drivers/known_values.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr int kMaxConditionDepth = 8;  // of an exit's condition

class TurnKeeper {
 public:
    explicit TurnKeeper(Module& module) : builder_(module), definitions_(module.bound) {}

    void run(Function& function) {
        const Cfg cfg = build_cfg(function);
        const Loops loops = find_loops(cfg, dominators(cfg));
        if (loops.loops.empty()) return;
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (inst.result) definitions_[inst.result.value] = &inst;
        known_.emplace(builder_, function);
        for (const uint32_t b : cfg.order)
            for (uint32_t l = loops.innermost[b]; l != kNoBlock; l = loops.loops[l].parent) {
                const auto stays = [&](uint32_t to) { return loops.contains(l, to); };
                const auto& next = cfg.successors[b];
                if (std::ranges::all_of(next, stays)) break;  // in the loops around, too
                if (std::ranges::none_of(next, stays)) continue;
                const Instruction& branch = function.blocks[b].terminator;
                header_ = &function.blocks[loops.loops[l].header];
                if (branch.op == Op::OpSwitch
                        ? known_->has(branch.id(0))
                        : is_miscounted(branch.id(0), !stays(cfg.block(branch.id(1))), 0))
                    keep(function.blocks[loops.loops[l].header].merge);
            }
    }

 private:
    static void keep(Instruction& merge) {
        if (merge.op != Op::OpLoopMerge) return;
        merge.operands.resize(3);
        merge.operands[2] = spv::LoopControlMask::DontUnroll;
    }

    /// A value that each turn changes by `step`: `phi` in this turn, or `next` in the next one.
    struct Counter {
        const Instruction* phi = nullptr;
        const Instruction* next = nullptr;
        Id step = {};
        bool is_sum() const {
            return next->op == Op::OpIAdd || next->op == Op::OpISub || next->op == Op::OpFAdd ||
                   next->op == Op::OpFSub;
        }
    };

    bool is_miscounted(Id condition, bool leaves_if, int depth) const;
    bool is_miscounted(const Counter& counter, Op exit) const;
    bool falls(const Counter& counter) const;
    bool has_fraction(const Counter& counter) const;
    bool is_whole(Id number) const;
    Counter counter(Id value) const;
    const Instruction* definition(Id id) const { return definitions_[id.value]; }

    Builder builder_;
    std::optional<KnownValues> known_ = {};
    const Block* header_ = nullptr;                // of the loop in question
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
};

/// Whether Mesa may count the turns wrong of a loop that is left where `condition` is `leaves_if`.
bool TurnKeeper::is_miscounted(Id condition, bool leaves_if, int depth) const {
    const Instruction* inst = definition(condition);
    if (!inst || depth == kMaxConditionDepth) return known_->has(condition);
    if (inst->op == Op::OpLogicalNot) return is_miscounted(inst->id(0), !leaves_if, depth + 1);
    if (inst->op == Op::OpLogicalAnd || inst->op == Op::OpLogicalOr)
        return is_miscounted(inst->id(0), leaves_if, depth + 1) ||
               is_miscounted(inst->id(1), leaves_if, depth + 1);
    if (!is_comparison(inst->op)) return known_->has(condition);
    const Op exit = leaves_if || !is_integer_comparison(inst->op) ? inst->op : negated(inst->op);
    const Counter first = counter(inst->id(0)), second = counter(inst->id(1));
    if (!first.next && !second.next) return known_->has(condition);
    return is_miscounted(first, exit) || is_miscounted(second, mirrored(exit));
}

/// Whether this counter's turns are, where the loop ends by the comparison `exit` of it with a bound.
bool TurnKeeper::is_miscounted(const Counter& counter, Op exit) const {
    if (!counter.next || !counter.is_sum()) return false;
    if (!builder_.is_int(counter.phi->type)) return has_fraction(counter);
    switch (as_unsigned(exit)) {
        case Op::OpULessThan:
        case Op::OpULessThanEqual: return !falls(counter);
        case Op::OpUGreaterThan:
        case Op::OpUGreaterThanEqual: return falls(counter);
        default: return false;
    }
}

/// A step that is no constant counts as positive.
bool TurnKeeper::falls(const Counter& counter) const {
    const uint64_t step = builder_.constant_value(counter.step).value_or(0);
    const bool is_negative = (step & sign_bit(builder_.width(counter.phi->type))) != 0;
    return is_negative != (counter.next->op == Op::OpISub);
}

bool TurnKeeper::has_fraction(const Counter& counter) const {
    if (!is_whole(counter.step)) return true;
    for (size_t i = 0; i + 1 < counter.phi->operands.size(); i += 2)
        if (counter.phi->id(i) != counter.next->result && !is_whole(counter.phi->id(i))) return true;
    return false;
}

/// Whether the number is a constant whose multiples are exact in all turns that a driver may unroll.
bool TurnKeeper::is_whole(Id number) const {
    const Instruction* constant = builder_.find_global(number);
    if (!constant) return false;
    if (constant->op == Op::OpConstantNull) return true;
    if (constant->op != Op::OpConstant) return false;
    constexpr double kMost = 16;  // 128 turns of it are exact as a half
    const double value = float_value(builder_.width(constant->type), number_at(*constant));
    return std::abs(value) <= kMost && std::trunc(value) == value;
}

TurnKeeper::Counter TurnKeeper::counter(Id value) const {
    const Instruction* inst = definition(value);
    while (inst && (inst->op == Op::OpUConvert || inst->op == Op::OpSConvert || inst->op == Op::OpFConvert))
        inst = definition(inst->id(0));
    if (!inst) return {};
    for (const Instruction& phi : spirv::phis_of(header_->body)) {
        for (size_t i = 0; i + 1 < phi.operands.size(); i += 2) {
            const Instruction* next = definition(phi.id(i));
            if (!next || (inst != &phi && inst != next)) continue;
            switch (next->op) {
                case Op::OpIAdd:
                case Op::OpFAdd:
                case Op::OpIMul:
                case Op::OpFMul:
                    if (next->id(1) == phi.result) return {&phi, next, next->id(0)};
                    [[fallthrough]];
                case Op::OpISub:
                case Op::OpFSub:
                case Op::OpUDiv:
                case Op::OpSDiv:
                case Op::OpShiftLeftLogical:
                case Op::OpShiftRightLogical:
                case Op::OpShiftRightArithmetic:
                    if (next->id(0) == phi.result) return {&phi, next, next->id(1)};
                    break;
                default: break;
            }
        }
    }
    return {};
}

}  // namespace

Result<Done> keep_turns(Module& module, PassContext& context) {
    if (!context.options.profile.quirks.miscounts_turns) return Done{};
    TurnKeeper keeper(module);
    for (Function& function : module.functions)
        if (!function.blocks.empty()) keeper.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
