// SPDX-License-Identifier: Apache-2.0
// keep_array_loops: keeps loops from being unrolled if they would then access a private array very often.
//
// Mesa's llvmpipe makes a load and a store for each work-item of a vector of an access to an array that is
// indexed at run time somewhere, and LLVM compares all uses of the array with each other when it splits the
// kernel's coroutine: 640 accesses take 10 s. Mesa unrolls loops of up to 32 turns, inner ones first, also
// those around the turns that unroll_partly puts behind one another. A loop that accesses such an array is
// told not to be unrolled when the array would have more than kMaxAccesses, an outer one before those in it.
//
// Arrays become values if all their indices come from constants and counters and their loops are unrolled:
// those loops are left to the driver. Kernels are faster if the other loops are unrolled, too, hence the
// limit.
//
// After: as after promote_variables.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/flow/unrolled_turns.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/pointer_roots.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr uint64_t kMaxAccesses = 256;
constexpr uint32_t kMaxTurns = 32;       // of loops that Mesa unrolls
constexpr uint32_t kMaxIndexSteps = 32;  // from an index to what it comes from

class ArrayLoopKeeper {
 public:
    explicit ArrayLoopKeeper(Module& module) : builder_(module), definitions_(module.bound) {}

    void run(Function& function) {
        function_ = &function;
        cfg_ = build_cfg(function);
        loops_ = find_loops(cfg_, dominators(cfg_));
        if (loops_.loops.empty()) return;
        define();
        turns_.emplace(function, cfg_, loops_, builder_, definitions_, kMaxTurns);
        find_accesses();
        for (uint32_t l = 0; l < loops_.loops.size(); ++l)  // outer ones come first
            if (turns_->of(l) > 1 && turns_->asks_nothing(l) && has_too_many(l) && !has_promising(l))
                turns_->keep(l);
    }

 private:
    struct Array {
        std::map<uint32_t, uint64_t> accesses =
            {};                              ///< how many, by innermost loop; kNoBlock outside of loops
        std::set<uint32_t> indexed_in = {};  ///< loops where it is indexed at run time, those around them too
        bool stays = false;                  ///< some index is none that unrolling makes a constant
    };

    void define();

    // ---- Arrays ----

    void find_accesses();
    void derive(const Instruction& chain, uint32_t loop);
    void access(const Instruction& inst, uint32_t loop);
    bool is_known(Id value, uint32_t steps);
    uint64_t accesses_of(const Array& array) const;
    bool has_too_many(uint32_t loop) const;
    bool has_promising(uint32_t loop) const;

    Builder builder_;
    Function* function_ = nullptr;
    Cfg cfg_ = {};
    Loops loops_ = {};
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
    IdMap<uint32_t> headers_ = {};                 // of loops' phis: the loop
    std::optional<UnrolledTurns> turns_ = {};
    IdMap<bool> known_ = {};
    IdMap<Array> arrays_ = {};
    PointerRoots roots_ = {};
};

void ArrayLoopKeeper::define() {
    headers_.clear();
    known_.clear();
    for (const Block& block : function_->blocks)
        for (const Instruction& inst : block.body) definitions_[inst.result.value] = &inst;
    for (uint32_t l = 0; l < loops_.loops.size(); ++l)
        for (const Instruction& inst : function_->blocks[loops_.loops[l].header].body)
            if (inst.op == Op::OpPhi) headers_[inst.result] = l;
}

// ---- Arrays ----

void ArrayLoopKeeper::find_accesses() {
    arrays_.clear();
    roots_.clear();
    for (const uint32_t b : cfg_.order)
        for (const Instruction& inst : function_->blocks[b].body) {
            const uint32_t loop = loops_.innermost[b];
            roots_.add(inst);
            if (inst.op == Op::OpVariable) {
                arrays_[inst.result] = {};
            } else if (computes_pointer(inst.op)) {
                derive(inst, loop);
            } else {
                access(inst, loop);
            }
        }
}

void ArrayLoopKeeper::derive(const Instruction& chain, uint32_t loop) {
    const Id variable = roots_.of(chain.id(0));
    if (!variable) return;
    Array& array = arrays_[variable];
    for (size_t i = 1; i < chain.operands.size(); ++i) {
        if (builder_.constant_value(chain.id(i))) continue;
        for (uint32_t l = loop; l != kNoBlock; l = loops_.loops[l].parent) array.indexed_in.insert(l);
        array.stays |= !is_known(chain.id(i), 0);
    }
}

void ArrayLoopKeeper::access(const Instruction& inst, uint32_t loop) {
    for (const Operand& operand : inst.operands) {
        const Id variable = operand.is_id ? roots_.of(operand.id()) : Id{};
        if (variable) ++arrays_[variable].accesses[loop];
    }
}

/// Whether an index is a constant where all loops are unrolled that the driver unrolls.
bool ArrayLoopKeeper::is_known(Id value, uint32_t steps) {
    if (builder_.constant_value(value)) return true;
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    const Instruction* inst = definitions_[value.value];
    if (!inst || steps == kMaxIndexSteps) return false;
    known_[value] = true;  // a counter is known if all else is that it comes from
    bool known = true;
    const auto operand_is_known = [&](const Operand& operand) {
        return !operand.is_id || is_known(operand.id(), steps + 1);
    };
    if (inst->op == Op::OpPhi) {
        const auto loop = headers_.find(value);
        known = loop != headers_.end() && turns_->is_unrolled(loop->second);
        for (size_t way = 0; known && way < inst->operands.size(); way += 2)
            known = operand_is_known(inst->operands[way]);
    } else {
        known = inst->op != Op::OpLoad && inst->op != Op::OpFunctionCall && !inst->operands.empty() &&
                std::ranges::all_of(inst->operands, operand_is_known);
    }
    return known_[value] = known;
}

uint64_t ArrayLoopKeeper::accesses_of(const Array& array) const {
    uint64_t sum = 0;
    for (const auto& [loop, count] : array.accesses) sum += count * turns_->with_outer(loop, kMaxAccesses);
    return sum;
}

bool ArrayLoopKeeper::has_too_many(uint32_t loop) const {
    return std::ranges::any_of(arrays_, [&](const auto& entry) {
        const Array& array = entry.second;
        return array.stays && accesses_of(array) > kMaxAccesses &&
               std::ranges::any_of(array.accesses,
                                   [&](const auto& a) { return loops_.encloses(loop, a.first); });
    });
}

/// Whether another array may become values where the loop is unrolled.
bool ArrayLoopKeeper::has_promising(uint32_t loop) const {
    return std::ranges::any_of(arrays_, [&](const auto& entry) {
        return !entry.second.stays && entry.second.indexed_in.contains(loop);
    });
}

}  // namespace

Result<Done> keep_array_loops(Module& module, PassContext& context) {
    if (!context.options.profile.quirks.slow_with_accesses) return Done{};
    ArrayLoopKeeper keeper(module);
    for (Function& function : module.functions)
        if (!function.blocks.empty()) keeper.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
