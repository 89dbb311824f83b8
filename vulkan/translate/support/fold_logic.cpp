// SPDX-License-Identifier: Apache-2.0
// Truths: logical operations, and what a condition selects.
#include <optional>

#include "vulkan/translate/support/fold_impl.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

namespace {

/// The outcomes of a comparison after its operands change places.
unsigned exchanged(unsigned outcomes) {
    return (outcomes & (kEqual | kUnordered)) | ((outcomes & kLess) != 0 ? kGreater : 0u) |
           ((outcomes & kGreater) != 0 ? kLess : 0u);
}

}  // namespace

/// The truth that a constant, or every component of a constant vector, is.
std::optional<bool> Folder::truth_of(Id value) const {
    const Id type = builder_.type_of(value);
    Id one = value;
    if (type && builder_.is_vector(type)) {
        one = builder_.constant_component(value, 0);
        for (uint32_t at = 1; at < builder_.count(type); ++at)
            if (builder_.constant_component(value, at) != one) return std::nullopt;
    }
    const auto number = one ? builder_.constant_value(one) : std::nullopt;
    return number ? std::optional(*number != 0) : std::nullopt;
}

/// The truth value in each component of the type.
Id Folder::truth(Id type, bool value) {
    const Id one = builder_.constant_bool(value);
    return builder_.is_vector(type) ? builder_.constant_splat(type, one) : one;
}

Id Folder::fold_logic(const Instruction& inst) {
    const auto a = truth_of(inst.id(0));
    if (inst.op == OpLogicalNot) {
        if (a) return truth(inst.type, !*a);
        const Instruction* inner = definition(inst.id(0));
        return inner != nullptr && inner->op == OpLogicalNot ? inner->id(0) : Id{};
    }
    const auto b = truth_of(inst.id(1));
    if (inst.op == OpLogicalEqual || inst.op == OpLogicalNotEqual)
        return a && b ? truth(inst.type, (*a == *b) == (inst.op == OpLogicalEqual)) : Id{};
    const bool decides = inst.op == OpLogicalOr;  // the value of one operand that settles the result
    if (a) return *a == decides ? inst.id(0) : inst.id(1);
    if (b) return *b == decides ? inst.id(1) : inst.id(0);
    return inst.id(0) == inst.id(1) ? inst.id(0) : fold_comparisons(inst);
}

/// Two comparisons of the same floats of which never both hold, or always one.
Id Folder::fold_comparisons(const Instruction& inst) {
    const Instruction *one = definition(inst.id(0)), *other = definition(inst.id(1));
    if (one == nullptr || other == nullptr) return {};
    const unsigned first = float_outcomes(one->op);
    unsigned second = float_outcomes(other->op);
    if (first == 0 || second == 0) return {};
    if (one->id(0) == other->id(1) && one->id(1) == other->id(0))
        second = exchanged(second);
    else if (one->id(0) != other->id(0) || one->id(1) != other->id(1))
        return {};
    const unsigned possible = one->id(0) == one->id(1) ? kEqual | kUnordered : kAnyOutcome;
    if (inst.op == OpLogicalAnd) return (first & second & possible) == 0 ? truth(inst.type, false) : Id{};
    return ((first | second) & possible) == possible ? truth(inst.type, true) : Id{};
}

Id Folder::fold_select(const Instruction& inst) {
    if (inst.id(1) == inst.id(2)) return inst.id(1);
    const auto condition = truth_of(inst.id(0));
    return condition ? inst.id(*condition ? 1 : 2) : Id{};
}

}  // namespace caldera::vulkan
