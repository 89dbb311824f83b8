// SPDX-License-Identifier: Apache-2.0
// sink_stores: where each case of a switch ends with a store, one store behind the switch does it.
//
// Mesa's llvmpipe makes a loop over the work-items of a vector of each store to a buffer, and LLVM takes time by the square of the
// blocks: a switch with 800 stores took 21 s on a loaded machine, 2.7 s with one. What is stored and where are phis of the merge block.
//
// After: as after clean_up, but pointers to what was stored may be left unused.
#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "vulkan/translate/memory_access.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr size_t kFewStores = 8;

class StoreSinker {
 public:
    explicit StoreSinker(Module& module) : builder_(module), definitions_(module.bound) {}

    void run(Function& function) {
        const auto is_switch = [](const Block& block) { return block.terminator.op == Op::OpSwitch; };
        if (std::ranges::none_of(function.blocks, is_switch)) return;
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) definitions_[inst.result.value] = inst;
        const Cfg cfg = build_cfg(function);
        for (const Block& block : function.blocks) {
            if (!is_switch(block) || block.merge.op != Op::OpSelectionMerge) continue;
            const uint32_t merge = cfg.block(block.merge.id(0));
            std::vector<Block*> ends;
            for (const uint32_t end : cfg.predecessors[merge]) ends.push_back(&function.blocks[end]);
            if (ends.size() >= kFewStores && can_sink(ends)) sink(ends, function.blocks[merge]);
        }
    }

 private:
    /// They end with stores that differ in what is stored and in the last operand of the pointer alone.
    bool can_sink(const std::vector<Block*>& ends) const {
        return std::ranges::all_of(ends, [&](const Block* end) {
            return end->terminator.op == Op::OpBranch && !end->body.empty() &&
                   is_alike(end->body.back(), ends.front()->body.back());
        });
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
            builder_.set_sink(&code);
            builder_.append(pointer);
            builder_.set_sink(nullptr);
        }
        store.operands[1] = value;
        code.push_back(store);
        for (Block* end : ends) end->body.pop_back();
        const auto behind =
            std::ranges::find_if(merge.body, [](const Instruction& inst) { return inst.op != Op::OpPhi; });
        merge.body.insert(behind, code.begin(), code.end());
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
        builder_.set_sink(&code);
        const Id phi = builder_.append(Op::OpPhi, builder_.type_of(first), std::move(ways));
        builder_.set_sink(nullptr);
        return phi;
    }

    Builder builder_;
    std::vector<Instruction> definitions_;  // by id; an id is used in its own function alone
};

}  // namespace

Result<Done> sink_stores(Module& module, PassContext& context) {
    if (!context.options.profile.slow_with_accesses) return Done{};
    StoreSinker sinker(module);
    for (Function& function : module.functions) sinker.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
