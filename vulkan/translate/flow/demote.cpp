// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/demote.h"

#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

/// Function variables to be; one insertion at the end, so that many do not cost a square.
class Variables {
 public:
    Variables(Builder& builder, Function& function) : builder_(builder), function_(function) {}
    Id add(Id type) {
        const SinkScope sink(builder_, &added_);
        return builder_.append(spv::Op::OpVariable, builder_.type_pointer(spv::StorageClass::Function, type),
                               {spv::StorageClass::Function});
    }
    void finish() {
        std::vector<Instruction>& entry = function_.blocks[0].body;
        entry.insert(entry.begin(), std::make_move_iterator(added_.begin()),
                     std::make_move_iterator(added_.end()));
        added_.clear();
    }

 private:
    Builder& builder_;
    Function& function_;
    std::vector<Instruction> added_ = {};
};

}  // namespace

Id add_variable(Builder& builder, Function& function, Id type) {
    Variables variables(builder, function);
    const Id id = variables.add(type);
    variables.finish();
    return id;
}

void demote_phis(Builder& builder, Function& function) {
    IdMap<std::vector<Instruction>> stores;  // by label
    IdMap<std::vector<Id>> pools;            // variables by type
    IdSet taken;
    Variables variables(builder, function);
    for (Block& block : function.blocks) {
        taken.clear();
        for (const Instruction& inst : spirv::phis_of(block.body))
            for (size_t i = 0; i + 1 < inst.operands.size(); i += 2)
                if (const auto known = stores.find(inst.word(i + 1)); known != stores.end())
                    for (const Instruction& store : known->second) taken.insert(store.id(0));
        for (Instruction& inst : spirv::phis_of(block.body)) {
            std::vector<Id>& pool = pools[inst.type];
            auto variable = std::ranges::find_if(pool, [&](Id id) { return !taken.contains(id); });
            if (variable == pool.end()) variable = pool.insert(pool.end(), variables.add(inst.type));
            taken.insert(*variable);
            for (size_t i = 0; i + 1 < inst.operands.size(); i += 2)
                stores[inst.word(i + 1)].push_back(
                    {.op = spv::Op::OpStore, .operands = {*variable, inst.operands[i]}, .line = inst.line});
            inst.op = spv::Op::OpLoad;
            inst.operands = {*variable};
        }
    }
    if (stores.empty()) return;
    for (Block& block : function.blocks)
        if (auto found = stores.find(block.label.value); found != stores.end())
            block.body.insert(block.body.end(), std::make_move_iterator(found->second.begin()),
                              std::make_move_iterator(found->second.end()));
    variables.finish();
}

namespace {

class Repairer {
 public:
    Repairer(Builder& builder, Function& function, const IdMap<uint32_t>& shared)
        : builder_(builder), function_(function), shared_(shared), variables_(builder, function) {}

    void run() {
        cfg_ = build_cfg(function_);
        tree_ = dominators(cfg_);
        for (uint32_t b = 0; b < cfg_.size(); ++b)
            for (const Instruction& inst : function_.blocks[b].body)
                if (inst.result) defined_in_[inst.result.value] = b;
        remember_pointers();
        for (uint32_t b : cfg_.order) rewrite(b);
        if (demoted_.empty()) return;
        for (Block& block : function_.blocks) add_stores(block);
        variables_.finish();
    }

 private:
    bool is_broken(Id id, uint32_t block) const {
        auto found = defined_in_.find(id.value);
        return found != defined_in_.end() && found->second != block && !tree_.dominates(found->second, block);
    }

    void remember_pointers() {
        for (const Block& block : function_.blocks)
            for (const Instruction& inst : block.body)
                if (is_computed_again(builder_, inst)) pointers_[inst.result.value] = inst;
    }

    void rewrite(uint32_t b) {
        IdMap<Id> here;  // broken value -> what stands for it in this block
        std::vector<Instruction> out;
        auto mend = [&](Instruction& inst) {
            for (Operand& operand : inst.operands)
                if (operand.is_id && is_broken(operand.id(), b))
                    operand = value(operand.id(), b, here, out, 0);
        };
        Block& block = function_.blocks[b];
        for (Instruction& inst : block.body) {
            mend(inst);
            out.push_back(std::move(inst));
        }
        mend(block.terminator);
        block.body = std::move(out);
    }

    Id value(Id id, uint32_t b, IdMap<Id>& here, std::vector<Instruction>& out, int depth) {
        if (auto found = here.find(id.value); found != here.end()) return found->second;
        auto pointer = pointers_.find(id.value);
        Id result;
        if (pointer != pointers_.end() && depth < kMostComputedAgain) {
            Instruction copy = pointer->second;
            for (Operand& operand : copy.operands)
                if (operand.is_id && is_broken(operand.id(), b))
                    operand = value(operand.id(), b, here, out, depth + 1);
            builder_.set_sink(&out);
            result = builder_.append(copy.op, copy.type, std::move(copy.operands));
        } else {
            const Id type = builder_.type_of(id);
            const Id variable = variable_of(id, type);
            builder_.set_sink(&out);
            result = builder_.append(spv::Op::OpLoad, type, {variable});
        }
        builder_.set_sink(nullptr);
        return here[id.value] = result;
    }

    Id variable_of(Id value, Id type) {
        Id& own = demoted_[value.value];
        if (own) return own;
        const auto shared = shared_.find(value);
        if (shared == shared_.end()) return own = variables_.add(type);
        Id& variable = variable_of_number_[shared->second];
        if (!variable) variable = variables_.add(type);
        return own = variable;
    }

    void add_stores(Block& block) {
        std::vector<Instruction> out;
        for (Instruction& inst : block.body) {
            const Id result = inst.result;
            out.push_back(std::move(inst));
            if (auto found = demoted_.find(result.value); result && found != demoted_.end())
                out.push_back({.op = spv::Op::OpStore, .operands = {found->second, result}});
        }
        block.body = std::move(out);
    }

    Builder& builder_;
    Function& function_;
    const IdMap<uint32_t>& shared_;
    Variables variables_;
    Cfg cfg_ = {};
    Dominators tree_ = {};
    IdMap<uint32_t> defined_in_ = {};
    IdMap<Instruction> pointers_ = {};
    IdMap<Id> demoted_ = {};  // value -> variable
    IdMap<Id> variable_of_number_ = {};
};

}  // namespace

bool is_computed_again(const Builder& builder, const Instruction& inst) {
    return inst.type && builder.is_pointer(inst.type) && is_pure(inst) && inst.op != spv::Op::OpUndef &&
           inst.op != spv::Op::OpSelect;
}

void repair_dominance(Builder& builder, Function& function, const IdMap<uint32_t>& shared) {
    Repairer(builder, function, shared).run();
}

}  // namespace caldera::vulkan
