// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/written_parts.h"

#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr int kMaxChanges = 32;  // of one vector, one after another

}  // namespace

WrittenParts::WrittenParts(const spirv::Builder& builder, const spirv::Function& function)
    : builder_(builder) {
    const auto note = [&](const Instruction& inst) {
        for (const spirv::Operand& operand : inst.operands)
            if (operand.is_id) users_[operand.id()].push_back(&inst);
    };
    for (const spirv::Block& block : function.blocks) {
        for (const Instruction& inst : block.body) {
            defs_[inst.result] = &inst;
            note(inst);
        }
        note(block.terminator);
    }
}

uint32_t WrittenParts::all(Id vector) const { return (1u << builder_.count(builder_.type_of(vector))) - 1; }

std::optional<uint32_t> WrittenParts::read_of(const Instruction& load) const {
    return needed(load.result, load.id(0), all(load.result), 0);
}

/// A component that goes back to where it is from is not read. `in_place`: those of the vector that are at
/// their place in what was loaded.
std::optional<uint32_t> WrittenParts::needed(Id vector, Id pointer, uint32_t in_place, int depth) const {
    if (depth > kMaxChanges) return std::nullopt;
    uint32_t parts = 0;
    const auto users = users_.find(vector);
    if (users == users_.end()) return 0;
    for (const Instruction* user : users->second) {
        if (user->op == Op::OpCompositeExtract && user->operands.size() == 2) {
            parts |= 1u << user->word(1);
        } else if (user->op == Op::OpStore && user->id(0) == pointer && user->id(1) == vector) {
            parts |= all(vector) & ~in_place;
        } else if (user->op == Op::OpCompositeInsert && user->id(1) == vector && user->id(0) != vector &&
                   user->operands.size() == 3) {
            const std::optional<uint32_t> later = needed(user->result, pointer, in_place, depth + 1);
            if (!later) return std::nullopt;
            parts |= *later & ~(1u << user->word(2));
        } else if (user->op == Op::OpVectorShuffle) {
            const uint32_t first = builder_.count(builder_.type_of(user->id(0)));
            uint32_t kept = 0;
            for (size_t i = 2; i < user->operands.size(); ++i) {
                const uint32_t from = user->word(i), to = static_cast<uint32_t>(i - 2);
                const bool keeps =
                    (from == to && user->id(0) == vector) || (from == first + to && user->id(1) == vector);
                if (keeps) kept |= in_place & 1u << to;
            }
            const std::optional<uint32_t> later = needed(user->result, pointer, kept, depth + 1);
            for (size_t i = 2; i < user->operands.size(); ++i) {
                // Where the result is used as a whole, what it takes of this vector is read.
                if (later && (*later >> (i - 2) & 1) == 0) continue;
                const uint32_t from = user->word(i);
                if (from < first && user->id(0) == vector) parts |= 1u << from;
                if (from >= first && from != ~0u && user->id(1) == vector) parts |= 1u << (from - first);
            }
        } else {
            return std::nullopt;
        }
    }
    return parts;
}

uint32_t WrittenParts::written_by(const Instruction& store) const {
    return new_parts(store.id(1), store.id(0), 0);
}

uint32_t WrittenParts::new_parts(Id vector, Id pointer, int depth) const {
    const auto found = defs_.find(vector);
    if (found == defs_.end() || depth > kMaxChanges) return all(vector);
    const Instruction& inst = *found->second;
    switch (inst.op) {
        case Op::OpLoad: return inst.id(0) == pointer ? 0 : all(vector);
        case Op::OpCompositeInsert:
            if (inst.operands.size() != 3) return all(vector);
            return new_parts(inst.id(1), pointer, depth + 1) | 1u << inst.word(2);
        case Op::OpVectorShuffle: {
            const uint32_t parts[2] = {new_parts(inst.id(0), pointer, depth + 1),
                                       new_parts(inst.id(1), pointer, depth + 1)};
            const uint32_t first = builder_.count(builder_.type_of(inst.id(0)));
            uint32_t result = 0;
            for (size_t i = 2; i < inst.operands.size(); ++i) {
                const uint32_t from = inst.word(i);
                if (from == ~0u) continue;
                const bool is_second = from >= first;
                const uint32_t component = is_second ? from - first : from, to = static_cast<uint32_t>(i - 2);
                // One that comes from another place of the vector is new where it goes to.
                const bool is_new = component != to || (parts[is_second] >> component & 1) != 0;
                result |= uint32_t{is_new} << to;
            }
            return result;
        }
        default: return all(vector);
    }
}

}  // namespace caldera::vulkan
