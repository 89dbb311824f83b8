// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/steady_arguments.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

/// Operations of addresses that can be computed earlier, whatever their operands are.
bool can_move(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpPtrCastToGeneric:
        case OpSConvert:
        case OpUConvert:
        case OpIAdd:
        case OpISub:
        case OpIMul:
        case OpSNegate: return true;
        default: return computes_pointer(op);
    }
}

class SteadyArguments {
 public:
    SteadyArguments(Builder& builder, Function& function) : builder_(builder), function_(function) {}

    void run() {
        find_definitions();
        find_contents();
        for (Block& block : function_.blocks)
            for (Instruction& inst : block.body)
                if (inst.op == spv::Op::OpFunctionCall) rename(inst);
        place_computed();
    }

 private:
    static constexpr int kMaxDepth = 16;  // of values computed from values

    void find_definitions() {
        for (const Block& block : function_.blocks)
            for (const Instruction& inst : block.body)
                if (inst.result) definitions_[inst.result] = &inst;
    }

    /// Finds the variables that are stored once, and otherwise only loaded.
    void find_contents() {
        IdSet others;
        for (const Block& block : function_.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op == kDebugDeclare) continue;
                const bool load = inst.op == spv::Op::OpLoad, store = inst.op == spv::Op::OpStore;
                for (size_t i = 0; i < inst.operands.size(); ++i) {
                    if (!inst.operands[i].is_id || !is_variable(inst.id(i))) continue;
                    const bool plain =
                        i == 0 && (load || store) && !access_at(inst, load ? 1 : 2).is_volatile;
                    const bool again = store && i == 0 && !contents_.emplace(inst.id(0), inst.id(1)).second;
                    if (!plain || again) others.insert(inst.id(i));
                }
            }
        for (auto& [variable, value] : contents_)
            if (others.contains(variable) || has_initialiser(variable)) value = {};
    }

    bool is_variable(Id id) const {
        const auto found = definitions_.find(id);
        return found != definitions_.end() && found->second->op == spv::Op::OpVariable;
    }

    bool has_initialiser(Id variable) const { return definitions_.at(variable)->operands.size() > 1; }

    void rename(Instruction& call) {
        for (size_t i = 1; i < call.operands.size(); ++i) {
            const Id type = builder_.type_of(call.id(i));
            may_compute_ =
                builder_.is_pointer(type) &&
                builder_.find_global(type)->word(0) != static_cast<uint32_t>(spv::StorageClass::Function);
            if (const Id value = steady(call.id(i), 0); value && builder_.type_of(value) == type)
                call.operands[i] = value;
        }
    }

    /// The name of a value that does not change while the function runs; none of others.
    Id steady(Id id, int depth) {
        const auto found = definitions_.find(id);
        if (found == definitions_.end() || found->second->op == spv::Op::OpVariable) return id;
        if (depth == kMaxDepth) return {};
        const Instruction& inst = *found->second;
        if (inst.op == spv::Op::OpLoad) {
            const auto content = contents_.find(inst.id(0));
            return content != contents_.end() && content->second ? steady(content->second, depth + 1) : Id{};
        }
        if (!may_compute_ || !can_move(inst.op)) return {};
        if (const auto known = moved_to_.find(id); known != moved_to_.end()) return known->second;
        const Id value = computed(inst, depth);
        return moved_to_[id] = value;
    }

    /// The value in the entry block, where all its operands are steady.
    Id computed(const Instruction& inst, int depth) {
        Instruction copy = inst;
        std::string key =
            std::to_string(static_cast<uint32_t>(inst.op)) + ' ' + std::to_string(inst.type.value);
        for (Operand& operand : copy.operands) {
            if (operand.is_id) {
                const Id value = steady(operand.id(), depth + 1);
                if (!value) return {};
                operand = value;
            }
            key += ' ' + std::to_string(operand.word);
        }
        const auto [place, is_new] = computed_.emplace(std::move(key), Id{});
        if (is_new) {
            copy.result = place->second = builder_.fresh();
            const SinkScope sink(builder_, &moved_);
            builder_.append(std::move(copy));
        }
        return place->second;
    }

    void place_computed() {
        std::vector<Instruction>& entry = function_.blocks[0].body;
        const auto behind_variables = std::ranges::find_if_not(
            entry, [](const Instruction& inst) { return inst.op == spv::Op::OpVariable; });
        entry.insert(behind_variables, std::make_move_iterator(moved_.begin()),
                     std::make_move_iterator(moved_.end()));
    }

    Builder& builder_;
    Function& function_;
    IdMap<const Instruction*> definitions_ = {};
    IdMap<Id> contents_ = {};  // by variable: the one value that it gets; none where more may be in it
    bool may_compute_ = false;
    IdMap<Id> moved_to_ = {};  // by computed value: that in the entry block, or none
    std::unordered_map<std::string, Id> computed_ = {};
    std::vector<Instruction> moved_ = {};
};

}  // namespace

void name_steady_arguments(Builder& builder, Function& function) {
    if (!function.blocks.empty()) SteadyArguments(builder, function).run();
}

}  // namespace caldera::vulkan
