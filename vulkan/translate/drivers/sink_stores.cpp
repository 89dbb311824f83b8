// SPDX-License-Identifier: Apache-2.0
// sink_stores: replaces stores at the ends of a switch's cases by one store after the switch.
//
// Mesa's llvmpipe compiles each store to a buffer to a loop over the work-items of a vector, and LLVM's
// compile time grows with the square of the number of blocks. A switch with 800 stores took 21 s on a loaded
// machine, and 2.7 s with one. The value and the address become phis of the merge block. If other cases leave
// the switch without such a store, or if there is no default, one more phi says whether to store.
//
// After: as after clean_up, but pointers to what was stored may be unused.
#include <algorithm>
#include <iterator>
#include <utility>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/phis.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr size_t kFewStores = 8;
constexpr size_t kMaxGuards = 64;  // of a function: the graph is made anew after each

class StoreSinker {
 public:
    explicit StoreSinker(Module& module) : builder_(module) {}

    void run(Function& function) {
        const auto is_switch = [](const Block& block) { return block.terminator.op == Op::OpSwitch; };
        if (std::ranges::none_of(function.blocks, is_switch)) return;
        for (size_t guards = 0; guards < kMaxGuards && sink_in(function); ++guards) {}
    }

 private:
    /// Handles all switches up to the first one whose merge block is split in three. Returns whether there is
    /// one.
    bool sink_in(Function& function) {
        const Cfg cfg = build_cfg(function);
        definitions_.assign(builder_.module().bound, {});
        blocks_.assign(builder_.module().bound, kNoBlock);
        for (uint32_t b = 0; b < function.blocks.size(); ++b)
            for (const Instruction& inst : function.blocks[b].body) {
                definitions_[inst.result.value] = inst;
                blocks_[inst.result.value] = b;
            }
        for (const Block& block : function.blocks) {
            if (block.terminator.op != Op::OpSwitch || block.merge.op != Op::OpSelectionMerge) continue;
            const uint32_t merge = cfg.block(block.merge.id(0));
            std::vector<Block*> ends, others;
            for (const uint32_t b : cfg.predecessors[merge]) {
                Block* const before = &function.blocks[b];
                end_with_store(*before);
                (ends_alike(*before, ends) ? ends : others).push_back(before);
            }
            if (ends.size() < kFewStores) continue;
            if (others.empty()) {
                sink(ends, function.blocks[merge]);
            } else if (can_guard(function, *ends.front(), merge, cfg)) {
                sink_guarded(ends, others, function, merge);
                return true;
            }
        }
        return false;
    }

    /// Moves a store behind what is told of variables after it. Nothing there names a store.
    static void end_with_store(Block& block) {
        const auto behind = std::find_if_not(block.body.rbegin(), block.body.rend(), is_debug).base();
        if (behind != block.body.begin() && std::prev(behind)->op == Op::OpStore)
            std::rotate(std::prev(behind), behind, block.body.end());
    }

    /// Whether the block ends with a store like the others: it may differ only in the stored value and in the
    /// last operand of the pointer.
    bool ends_alike(const Block& end, const std::vector<Block*>& others) const {
        if (end.terminator.op != Op::OpBranch || end.body.empty()) return false;
        const Instruction& store = end.body.back();
        const bool is_known = store.op == Op::OpStore && store.word(0) < definitions_.size();
        return is_known && is_alike(store, others.empty() ? store : others.front()->body.back());
    }
    bool is_alike(const Instruction& store, const Instruction& first) const {
        if (store.op != Op::OpStore || first.op != Op::OpStore || access_at(store, 2).is_volatile)
            return false;
        if (operands_of(store, {2, store.operands.size()}) !=
                operands_of(first, {2, first.operands.size()}) ||
            builder_.type_of(store.id(1)) != builder_.type_of(first.id(1)))
            return false;
        if (store.id(0) == first.id(0)) return true;
        const Instruction &pointer = definitions_[store.word(0)], &other = definitions_[first.word(0)];
        return (pointer.op == Op::OpConvertUToPtr || is_index(pointer)) && pointer.op == other.op &&
               pointer.type == other.type && pointer.operands.size() == other.operands.size() &&
               builder_.type_of(last(pointer)) == builder_.type_of(last(other)) &&
               std::equal(pointer.operands.begin(), pointer.operands.end() - 1, other.operands.begin());
    }
    /// Whether the last operand of a chain may be a phi: it is no member of a struct.
    bool is_index(const Instruction& chain) const {
        if (chain.op != Op::OpAccessChain || chain.operands.size() < 2) return false;
        Id type = builder_.pointee(builder_.type_of(chain.id(0)));
        for (size_t i = 1; i + 1 < chain.operands.size(); ++i)
            type = builder_.op_of_type(type) == Op::OpTypeStruct
                       ? builder_.member(
                             type, static_cast<uint32_t>(builder_.constant_value(chain.id(i)).value_or(0)))
                       : builder_.element(type);
        return builder_.op_of_type(type) != Op::OpTypeStruct;
    }
    static Id last(const Instruction& pointer) { return pointer.id(pointer.operands.size() - 1); }

    void sink(const std::vector<Block*>& ends, Block& merge) {
        Instruction store = ends.front()->body.back();
        const bool same = std::ranges::all_of(
            ends, [&](const Block* end) { return end->body.back().id(0) == store.id(0); });
        std::vector<Instruction> code;
        const Id value = joined(ends, code, [](const Block& end) { return end.body.back().id(1); });
        if (!same) {
            Instruction pointer = definitions_[store.word(0)];
            pointer.operands.back() = joined(
                ends, code, [&](const Block& end) { return last(definitions_[end.body.back().word(0)]); });
            store.operands[0] = pointer.result = builder_.fresh();
            const SinkScope sink(builder_, &code);
            builder_.append(pointer);
        }
        store.operands[1] = value;
        code.push_back(store);
        for (Block* end : ends) end->body.pop_back();
        const auto behind = merge.body.begin() + std::ssize(spirv::phis_of(merge.body));
        merge.body.insert(behind, code.begin(), code.end());
    }

    /// Whether the merge block can be split, and the operands that the stores have in common are available
    /// there.
    bool can_guard(const Function& function, const Block& end, uint32_t merge, const Cfg& cfg) const {
        const Block& block = function.blocks[merge];
        const bool is_continue_target = std::ranges::any_of(function.blocks, [&](const Block& one) {
            return one.merge.op == Op::OpLoopMerge && one.merge.id(1) == block.label;
        });
        if (block.merge.op == Op::OpLoopMerge || is_continue_target) return false;
        const Instruction& pointer = definitions_[end.body.back().word(0)];
        if (pointer.op != Op::OpConvertUToPtr && !is_index(pointer)) return false;
        const Dominators tree = dominators(cfg);
        for (size_t i = 0; i + 1 < pointer.operands.size(); ++i)
            if (const uint32_t from = blocks_[pointer.word(i)];
                from != kNoBlock && !tree.dominates(from, merge))
                return false;
        return true;
    }
    /// Splits the merge block: the phis stay, the store goes to a second block, and the rest to a third.
    void sink_guarded(const std::vector<Block*>& ends, const std::vector<Block*>& others, Function& function,
                      uint32_t merge) {
        Block& before = function.blocks[merge];
        Instruction store = ends.front()->body.back(), pointer = definitions_[store.word(0)];
        std::vector<Instruction> phis;
        builder_.set_sink(&phis);
        const auto phi = [&](Id type, Id otherwise, auto&& value_of) {
            Operands ways;
            const auto add = [&](Id value, const Block& from) {
                ways.push_back(value);
                ways.push_back(from.label);
            };
            for (const Block* end : ends) add(value_of(*end), *end);
            for (const Block* other : others) add(otherwise, *other);
            return builder_.append(Op::OpPhi, type, std::move(ways));
        };
        const Id stores = phi(builder_.type_bool(), builder_.constant_bool(false),
                              [&](const Block&) { return builder_.constant_bool(true); });
        const Id value_type = builder_.type_of(store.id(1)), place_type = builder_.type_of(last(pointer));
        store.operands[1] = phi(value_type, builder_.undef(value_type),
                                [](const Block& end) { return end.body.back().id(1); });
        pointer.operands.back() = phi(place_type, builder_.undef(place_type), [&](const Block& end) {
            return last(definitions_[end.body.back().word(0)]);
        });
        Block guarded{.label = builder_.fresh()}, after{.label = builder_.fresh()};
        store.operands[0] = pointer.result = builder_.fresh();
        builder_.set_sink(&guarded.body);
        builder_.append(pointer);
        builder_.append(store);
        builder_.set_sink(nullptr);
        guarded.terminator = {.op = Op::OpBranch, .operands = {after.label}};
        for (Block* end : ends) end->body.pop_back();

        const auto behind = before.body.begin() + std::ssize(spirv::phis_of(before.body));
        after.body.assign(std::make_move_iterator(behind), std::make_move_iterator(before.body.end()));
        before.body.erase(behind, before.body.end());
        std::ranges::move(phis, std::back_inserter(before.body));
        after.merge = std::exchange(
            before.merge, Instruction{.op = Op::OpSelectionMerge,
                                      .operands = {after.label, spv::SelectionControlMask::MaskNone}});
        after.terminator = std::exchange(
            before.terminator,
            Instruction{.op = Op::OpBranchConditional, .operands = {stores, guarded.label, after.label}});
        const std::vector<Id> targets = branch_targets(after.terminator);
        for (Block& block : function.blocks)
            if (std::ranges::find(targets, block.label) != targets.end())
                rename_predecessor(block, before.label, after.label);
        const auto place = function.blocks.begin() + merge + 1;
        Block cut[] = {std::move(guarded), std::move(after)};
        function.blocks.insert(place, std::make_move_iterator(std::begin(cut)),
                               std::make_move_iterator(std::end(cut)));
    }
    /// The value itself if the blocks have it in common, else a phi.
    template <class ValueOf>
    Id joined(const std::vector<Block*>& ends, std::vector<Instruction>& code, ValueOf&& value_of) {
        const Id first = value_of(*ends.front());
        if (std::ranges::all_of(ends, [&](const Block* end) { return value_of(*end) == first; }))
            return first;
        Operands ways;
        for (const Block* end : ends) {
            ways.push_back(value_of(*end));
            ways.push_back(end->label);
        }
        const SinkScope sink(builder_, &code);
        return builder_.append(Op::OpPhi, builder_.type_of(first), std::move(ways));
    }

    Builder builder_;
    std::vector<Instruction> definitions_ = {};  // by id; of the function at work
    std::vector<uint32_t> blocks_ = {};          // by id: where it is defined
};

}  // namespace

Result<Done> sink_stores(Module& module, PassContext& context) {
    if (!context.options.profile.quirks.slow_with_accesses) return Done{};
    StoreSinker sinker(module);
    for (Function& function : module.functions) sinker.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
