// SPDX-License-Identifier: Apache-2.0
// Composites that are taken apart where they were put together.
#include <algorithm>
#include <vector>

#include "vulkan/translate/support/fold.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

/// One step of following an extract into how its composite was made. True: `extract` has changed; `whole` is
/// set when nothing is left to extract.
bool Folder::step_into(const Instruction& composite, Instruction& extract, Id& whole) {
    const uint32_t index = extract.word(1);
    auto follow = [&](Id next, size_t used) {
        extract.operands.erase(extract.operands.begin() + 1,
                               extract.operands.begin() + 1 + static_cast<int>(used));
        extract.operands[0] = next;
        if (extract.operands.size() == 1) whole = next;
        return true;
    };
    switch (composite.op) {
        case OpConstantComposite:
        case OpCompositeConstruct: {
            if (composite.op == OpConstantComposite || !builder_.is_vector(composite.type))
                return index < composite.operands.size() && follow(composite.id(index), 1);
            uint32_t first = 0;  // a vector may be constructed from vectors
            for (const Operand& part : composite.operands) {
                const Id type = builder_.type_of(part.id());
                const uint32_t count = type ? builder_.count(type) : 1;
                if (index < first + count) {
                    if (type && builder_.is_vector(type)) {
                        extract.operands[0] = part;
                        extract.operands[1] = index - first;
                        return true;
                    }
                    return follow(part.id(), 1);
                }
                first += count;
            }
            return false;
        }
        case OpCompositeInsert: {
            const size_t depth = composite.operands.size() - 2, wanted = extract.operands.size() - 1;
            for (size_t i = 0; i < std::min(depth, wanted); ++i)
                if (composite.word(2 + i) != extract.word(1 + i)) {
                    extract.operands[0] = composite.operands[1];
                    return true;
                }
            return depth <= wanted && follow(composite.id(0), depth);
        }
        case OpVectorShuffle: {
            if (2 + index >= composite.operands.size()) return false;
            const uint32_t source = composite.word(2 + index);
            const uint32_t count = builder_.count(builder_.type_of(composite.id(0)));
            if (source == ~0u) return false;
            extract.operands[0] = composite.operands[source < count ? 0 : 1];
            extract.operands[1] = source < count ? source : source - count;
            return true;
        }
        default: return false;
    }
}

Id Folder::fold_extract(Instruction& inst) {
    Id whole = {};
    for (int steps = 0; steps < 64 && !whole; ++steps) {
        const Instruction* composite = definition(inst.id(0));
        if (composite == nullptr) break;
        if (composite->op == OpConstantNull) return builder_.constant_null(inst.type);
        if (composite->op == OpUndef) return builder_.undef(inst.type);
        if (!step_into(*composite, inst, whole)) break;
    }
    return whole;
}

/// The number that is the component of a vector, or {}.
Id Folder::number_in(Id vector, uint32_t at) {
    Instruction extract{.op = OpCompositeExtract, .operands = {vector, at}};
    extract.type = builder_.element(builder_.type_of(vector));
    const Id value = fold_extract(extract);
    return value && is_number(value) ? value : Id{};
}

/// Folds a series of insertions of numbers into a vector.
Id Folder::fold_insert(const Instruction& inst) {
    if (!builder_.is_vector(inst.type) || inst.operands.size() != 3 || !is_number(inst.id(0))) return {};
    std::vector<Id> parts;
    for (uint32_t at = 0; at < builder_.count(inst.type); ++at) {
        const Id part = at == inst.word(2) ? inst.id(0) : number_in(inst.id(1), at);
        if (!part) return {};
        parts.push_back(part);
    }
    return builder_.constant_composite(inst.type, parts);
}

/// { x.0, x.1, ... x.n } is x, and numbers are a constant.
Id Folder::fold_construct(const Instruction& inst) {
    if (builder_.is_vector(inst.type) &&
        std::ranges::all_of(inst.operands, [&](const Operand& part) { return is_number(part.id()); })) {
        std::vector<Id> parts;
        for (const Operand& part : inst.operands) parts.push_back(part.id());
        return builder_.constant_composite(inst.type, parts);
    }
    Id source = {};
    for (uint32_t i = 0; i < inst.operands.size(); ++i) {
        const Instruction* part = definition(inst.id(i));
        if (part == nullptr || part->op != OpCompositeExtract || part->operands.size() != 2 ||
            part->word(1) != i)
            return {};
        if (source && source != part->id(0)) return {};
        source = part->id(0);
    }
    if (!source || builder_.type_of(source) != inst.type) return {};
    const spv::Op op = builder_.op_of_type(inst.type);
    uint64_t members = 0;
    if (op == OpTypeStruct)
        members = builder_.member_count(inst.type);
    else if (op == OpTypeVector)
        members = builder_.count(inst.type);
    else if (auto length = builder_.constant_value(builder_.find_global(inst.type)->id(1)))
        members = *length;
    return members == inst.operands.size() ? source : Id{};
}

Id Folder::fold_shuffle(const Instruction& inst) {
    if (const Id constant = fold_shuffled_numbers(inst)) return constant;
    if (builder_.type_of(inst.id(0)) != inst.type) return {};
    for (uint32_t i = 2; i < inst.operands.size(); ++i)
        if (inst.word(i) != i - 2) return {};
    return inst.id(0);
}

Id Folder::fold_shuffled_numbers(const Instruction& inst) {
    const uint32_t count = builder_.count(builder_.type_of(inst.id(0)));
    std::vector<Id> parts;
    for (uint32_t i = 2; i < inst.operands.size(); ++i) {
        const uint32_t from = inst.word(i);
        if (from == ~0u) return {};
        const Id part = from < count ? number_in(inst.id(0), from) : number_in(inst.id(1), from - count);
        if (!part) return {};
        parts.push_back(part);
    }
    return builder_.constant_composite(inst.type, parts);
}

}  // namespace caldera::vulkan
