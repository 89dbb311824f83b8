// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/written_parts.h"

#include <algorithm>
#include <numeric>

#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr int kMaxChanges = 32;  // of one vector, one after another
constexpr int kNew = -1, kUndefined = -2;

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
    if (load.op != Op::OpLoad && load.op != Op::OpAtomicLoad) return std::nullopt;
    return needed(load.result, load.id(0), all(load.result), 0);
}

/// A component that goes back to where it is from is not read. Which one is read of a vector that has got one
/// at an index of run time is not known, and that one is written: such a vector counts as not read.
/// `in_place`: those of the vector that are at their place in what was loaded.
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
        } else if (user->op == Op::OpVectorInsertDynamic && user->id(0) == vector) {
            continue;
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

uint32_t StoredParts::all() const {
    uint32_t parts = fixed;
    for (const Dynamic& one : dynamic)
        for (const uint32_t written : one.written) parts |= written;
    return parts;
}

StoredParts WrittenParts::written_by(const Instruction& store) const {
    Sources sources = sources_of(store.id(1), store.id(0), 0);
    StoredParts parts{.dynamic = std::move(sources.dynamic)};
    const int count = static_cast<int>(builder_.count(builder_.type_of(store.id(1))));
    for (int i = 0; i < count; ++i)
        if (sources.of[i] != i && sources.of[i] != kUndefined) parts.fixed |= 1u << i;
    return parts;
}

WrittenParts::Sources WrittenParts::sources_of(Id vector, Id pointer, int depth) const {
    Sources sources;
    sources.of.fill(kNew);
    const auto found = defs_.find(vector);
    if (found == defs_.end() || depth > kMaxChanges) return sources;
    const Instruction& inst = *found->second;
    switch (inst.op) {
        case Op::OpLoad:
            if (inst.id(0) == pointer) std::iota(sources.of.begin(), sources.of.end(), 0);
            break;
        case Op::OpCompositeInsert:
            if (inst.operands.size() != 3) break;
            sources = sources_of(inst.id(1), pointer, depth + 1);
            sources.of[inst.word(2)] = kNew;
            break;
        case Op::OpVectorInsertDynamic: {
            sources = sources_of(inst.id(0), pointer, depth + 1);
            StoredParts::Dynamic& changed = sources.dynamic.emplace_back();
            changed.index = inst.id(2);
            for (uint32_t i = 0; i < builder_.count(inst.type); ++i) changed.written.push_back(1u << i);
            break;
        }
        case Op::OpVectorShuffle: {
            const uint32_t first = builder_.count(builder_.type_of(inst.id(0)));
            for (const bool is_second : {false, true}) {
                const Sources old = sources_of(inst.id(is_second), pointer, depth + 1);
                std::vector<StoredParts::Dynamic> moved = old.dynamic;
                for (StoredParts::Dynamic& one : moved) std::ranges::fill(one.written, 0u);
                for (size_t i = 2; i < inst.operands.size(); ++i) {
                    const uint32_t from = inst.word(i), to = static_cast<uint32_t>(i - 2);
                    if (from == ~0u) sources.of[to] = kUndefined;
                    if (from == ~0u || (from >= first) != is_second) continue;
                    const uint32_t component = is_second ? from - first : from;
                    sources.of[to] = old.of[component];
                    for (size_t d = 0; d < moved.size(); ++d)
                        for (size_t value = 0; value < moved[d].written.size(); ++value)
                            moved[d].written[value] |= (old.dynamic[d].written[value] >> component & 1) << to;
                }
                sources.dynamic.insert(sources.dynamic.end(), moved.begin(), moved.end());
            }
            break;
        }
        default: break;
    }
    return sources;
}

}  // namespace caldera::vulkan
