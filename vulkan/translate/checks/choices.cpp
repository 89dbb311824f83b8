// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/choices.h"

#include <algorithm>
#include <cstddef>

#include "spirv/debug_info.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr int kMostUses = 64;  // from a value to what becomes of it

/// Whether an instruction only computes a value of others.
bool only_computes(Op op) {
    using enum Op;
    return (op >= OpConvertFToU && op <= OpBitcast) || (op >= OpSNegate && op <= OpFMod) ||
           (op >= OpVectorExtractDynamic && op <= OpCompositeInsert) ||
           (op >= OpIsNan && op <= OpFUnordGreaterThanEqual) || (op >= OpShiftRightLogical && op <= OpNot);
}

/// Among those, the ones whose result has components elsewhere than their operands.
bool moves_components(Op op) { return op >= Op::OpVectorExtractDynamic && op <= Op::OpCompositeInsert; }

}  // namespace

Choices::Choices(const spirv::Builder& builder, const spirv::Function& function) : builder_(builder) {
    for (size_t block = 0; block < function.blocks.size(); ++block) {
        const spirv::Block& code = function.blocks[block];
        const auto note = [&](const Instruction& inst, size_t index) {
            if (spirv::is_debug(inst)) return;
            for (const spirv::Operand& operand : inst.operands)
                if (operand.is_id) users_[operand.id()].push_back({&inst, block, index});
        };
        for (size_t index = 0; index < code.body.size(); ++index) {
            defs_[code.body[index].result] = {&code.body[index], block, index};
            note(code.body[index], index);
        }
        note(code.terminator, code.body.size());
    }
}

std::vector<Choice> Choices::of(Id value) const {
    std::vector<Choice> choices;
    const auto made = defs_.find(value);
    if (made == defs_.end()) return choices;
    const Place place = made->second;
    bool is_by_component = true;  // components of what follows are of the same components of the value
    const auto choose = [&](Id condition, bool when) {
        condition = of_all(condition);
        const bool fits = builder_.count(builder_.type_of(condition)) == 1 || is_by_component;
        if (fits && is_known(condition, place)) choices.push_back({condition, when});
    };
    for (int step = 0; step < kMostUses; ++step) {
        const auto users = users_.find(value);
        if (users == users_.end()) break;
        const Place& user = users->second.front();
        const bool is_only =
            std::ranges::all_of(users->second, [&](const Place& other) { return other.inst == user.inst; });
        if (!is_only || user.block != place.block || !only_computes(user.inst->op)) break;
        const Instruction& next = *user.inst;
        is_by_component = is_by_component && !moves_components(next.op) &&
                          builder_.count(next.type) == builder_.count(place.inst->type);
        const bool is_operand = users->second.size() == 1;
        if (is_operand && next.op == Op::OpSelect && next.id(0) != value)
            choose(next.id(0), next.id(1) == value);
        if (is_operand && (next.op == Op::OpLogicalAnd || next.op == Op::OpLogicalOr) && next.id(1) == value)
            choose(next.id(0), next.op == Op::OpLogicalAnd);
        value = next.result;
    }
    return choices;
}

/// Whether a condition is computed before the value. The instruction that uses both is behind them, so only
/// one that is made between the value and its use is not.
bool Choices::is_known(Id condition, const Place& place) const {
    const auto found = defs_.find(condition);
    return found == defs_.end() || found->second.block != place.block || found->second.index < place.index;
}

/// The Boolean that all components of a vector are, or the vector.
Id Choices::of_all(Id vector) const {
    const auto found = defs_.find(vector);
    if (found == defs_.end()) return vector;
    const Instruction& inst = *found->second.inst;
    const auto all_are = [&](size_t first, const spirv::Operand& operand) {
        return std::all_of(inst.operands.begin() + static_cast<std::ptrdiff_t>(first), inst.operands.end(),
                           [&](const spirv::Operand& other) { return other == operand; });
    };
    if (inst.op == Op::OpCompositeConstruct && all_are(1, inst.operands[0]) &&
        builder_.count(builder_.type_of(inst.id(0))) == 1)
        return inst.id(0);
    if (inst.op != Op::OpVectorShuffle || !all_are(2, 0u)) return vector;
    const auto source = defs_.find(inst.id(0));
    if (source == defs_.end()) return vector;
    const Instruction& one = *source->second.inst;
    const bool is_first = one.op == Op::OpCompositeInsert && one.operands.size() == 3 && one.word(2) == 0;
    return is_first ? one.id(0) : vector;
}

}  // namespace caldera::vulkan
