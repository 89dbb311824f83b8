// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/index_limits.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <bit>

#include "vulkan/translate/support/built_in.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr int kMostSteps = 8;      // from an index to what limits it
constexpr int kMostVisits = 200;   // of values, for one question
constexpr size_t kMostFacts = 16;  // about one value

constexpr size_t kDimensions = 3;

template <class Fact>
void add(std::vector<Fact>& facts, const Fact& fact) {
    if (facts.size() < kMostFacts) facts.push_back(fact);
}

}  // namespace

LocalIdLimits local_id_limits(const spirv::Module& module) {
    LocalIdLimits limits{.inputs = built_ins_of(module)};
    std::array<uint64_t, kDimensions> largest = {};
    size_t required = 0;
    for (const Instruction& mode : module.execution_modes) {
        if (mode.op != Op::OpExecutionMode ||
            mode.word(1) != static_cast<uint32_t>(spv::ExecutionMode::LocalSize))
            continue;
        ++required;
        for (size_t d = 0; d < kDimensions; ++d)
            largest[d] = std::max(largest[d], uint64_t{std::max(mode.word(2 + d), 1u)} - 1);
    }
    if (required != 0 && required == module.entry_points.size()) limits.largest = largest;
    return limits;
}

IndexLimits::IndexLimits(const spirv::Builder& builder, const spirv::Function& function,
                         const spirv::Cfg& cfg, const spirv::Dominators& tree, const LocalIdLimits& local_ids,
                         Id opencl_std)
    : builder_(builder), cfg_(cfg), tree_(tree), local_ids_(local_ids), opencl_std_(opencl_std) {
    for (uint32_t b = 0; b < function.blocks.size(); ++b)
        for (const Instruction& inst : function.blocks[b].body)
            if (inst.result) defs_[inst.result] = {&inst, b};
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const Instruction& branch = function.blocks[b].terminator;
        if (branch.op != Op::OpBranchConditional) continue;
        const uint32_t yes = cfg.block(branch.id(1)), no = cfg.block(branch.id(2));
        if (yes == no) continue;
        for (const bool holds : {true, false}) {
            const uint32_t to = holds ? yes : no;
            if (to != spirv::kNoBlock && cfg.predecessors[to].size() == 1)
                note_condition(branch.id(0), holds, to, 0);
        }
    }
}

IndexLimits::Definition IndexLimits::def(Id value) const {
    const auto found = defs_.find(value);
    return found == defs_.end() ? Definition{} : found->second;
}

uint64_t IndexLimits::all_bits(Id value) const {
    return ~uint64_t{0} >> (64 - builder_.width(builder_.type_of(value)));
}

uint64_t IndexLimits::top_bit(Id value) const {
    return uint64_t{1} << (builder_.width(builder_.type_of(value)) - 1);
}

std::optional<uint64_t> IndexLimits::constant(Id value) const {
    const std::optional<uint64_t> number = builder_.constant_value(value);
    return number ? std::optional(*number & all_bits(value)) : std::nullopt;
}

// ---- Comparisons ----

void IndexLimits::note_condition(Id condition, bool holds, uint32_t block, int steps) {
    const Instruction* const inst = def(condition).inst;
    if (!inst || steps == kMostSteps) return;
    switch (inst->op) {
        case Op::OpLogicalNot: return note_condition(inst->id(0), !holds, block, steps + 1);
        case Op::OpLogicalAnd:
        case Op::OpLogicalOr:
            if (holds != (inst->op == Op::OpLogicalAnd)) return;
            note_condition(inst->id(0), holds, block, steps + 1);
            return note_condition(inst->id(1), holds, block, steps + 1);
        default: return note_comparison(*inst, holds, block);
    }
}

void IndexLimits::note_comparison(const Instruction& inst, bool holds, uint32_t block) {
    bool is_signed = false, is_less = false, is_swapped = false;
    switch (inst.op) {
        case Op::OpULessThan: is_less = true; break;
        case Op::OpULessThanEqual: break;
        case Op::OpUGreaterThan: is_less = is_swapped = true; break;
        case Op::OpUGreaterThanEqual: is_swapped = true; break;
        case Op::OpSLessThan: is_signed = is_less = true; break;
        case Op::OpSLessThanEqual: is_signed = true; break;
        case Op::OpSGreaterThan: is_signed = is_less = is_swapped = true; break;
        case Op::OpSGreaterThanEqual: is_signed = is_swapped = true; break;
        case Op::OpIEqual:
        case Op::OpINotEqual:
            if (holds == (inst.op == Op::OpIEqual)) break;
            if (constant(inst.id(1)) == uint64_t{0}) add(at_least_[inst.id(0)], AtLeast{block, 1});
            return;
        default: return;
    }
    Id smaller = inst.id(0), larger = inst.id(1);
    if (!builder_.is_int(builder_.type_of(smaller))) return;
    const bool is_equal = inst.op == Op::OpIEqual || inst.op == Op::OpINotEqual;
    if (is_swapped) std::swap(smaller, larger);
    if (!holds && !is_equal) {
        std::swap(smaller, larger);
        is_less = !is_less;
    }
    add(facts_[smaller], Fact{block, larger, is_less, is_signed});
    if (is_equal) add(facts_[larger], Fact{block, smaller});
    const std::optional<uint64_t> least = constant(smaller);
    if (!least) return;
    // c <= x or c < x
    if (!is_signed && *least < all_bits(smaller))
        add(at_least_[larger], AtLeast{block, *least + (is_less ? 1 : 0)});
    if (is_signed && (*least < top_bit(smaller) || (is_less && *least == all_bits(smaller))))
        add(not_negative_[larger], block);
}

/// Whether a difference is that of a number and one that is not larger, in the block.
bool IndexLimits::has_room(const Instruction& difference, uint32_t block) const {
    const Id from = difference.id(0), taken = difference.id(1);
    if (const std::optional<uint64_t> number = constant(taken)) {
        const auto found = at_least_.find(from);
        return found != at_least_.end() && std::ranges::any_of(found->second, [&](const AtLeast& fact) {
                   return fact.number >= *number && tree_.dominates(fact.block, block);
               });
    }
    const auto found = facts_.find(taken);
    return found != facts_.end() && std::ranges::any_of(found->second, [&](const Fact& fact) {
               return fact.other == from && !fact.is_signed && tree_.dominates(fact.block, block);
           });
}

// ---- Values ----

uint64_t IndexLimits::largest(Id value, uint32_t block) const {
    visits_ = 0;
    return largest(value, block, 0);
}

uint64_t IndexLimits::largest(Id value, uint32_t block, int steps) const {
    if (const auto number = constant(value)) return *number;
    const uint64_t all = all_bits(value);
    if (steps == kMostSteps || ++visits_ > kMostVisits) return all;
    const Definition made = def(value);
    if (made.inst && made.inst->op == Op::OpUndef) return all;  // each use may see another number
    uint64_t best = made.inst ? std::min(largest_result(made, block, steps), all) : all;
    if (made.inst && made.inst->op == Op::OpPhi && best == all && is_found_not_negative(value, block))
        best = most_counted_down(made, steps).value_or(all);
    const auto found = facts_.find(value);
    if (found == facts_.end()) return best;
    for (const Fact& fact : found->second) {
        if (!tree_.dominates(fact.block, block)) continue;
        uint64_t most = largest(fact.other, fact.block, steps + 1);
        if (fact.is_less) {
            if (most == 0) continue;  // nothing comes here
            --most;
        }
        if (most >= best) continue;
        if (fact.is_signed && (most >= top_bit(value) || !is_negative_nowhere(value, block, steps + 1)))
            continue;
        best = most;
    }
    return best;
}

uint64_t IndexLimits::largest_result(const Definition& made, uint32_t block, int steps) const {
    const Instruction& inst = *made.inst;
    const Id value = inst.result;
    const uint64_t all = all_bits(value);
    const auto of = [&](size_t operand) { return largest(inst.id(operand), block, steps + 1); };
    switch (inst.op) {
        case Op::OpCopyObject: return of(0);
        case Op::OpUConvert: return of(0);
        case Op::OpSConvert: return of(0) >= top_bit(inst.id(0)) ? all : of(0);
        case Op::OpBitwiseAnd: return std::min(of(0), of(1));
        case Op::OpBitwiseOr:
        case Op::OpBitwiseXor: return ~uint64_t{0} >> std::min(std::countl_zero(of(0) | of(1)), 63);
        case Op::OpIAdd: {
            const uint64_t a = of(0), b = of(1);
            return a <= all - b ? a + b : all;
        }
        case Op::OpISub: {
            if (!has_room(inst, block)) return all;
            const uint64_t a = of(0), taken = constant(inst.id(1)).value_or(0);
            return a >= taken ? a - taken : a;
        }
        case Op::OpIMul: {
            const uint64_t a = of(0), b = of(1);
            return b == 0 || a <= all / b ? a * b : all;
        }
        case Op::OpUDiv: {
            const auto divisor = constant(inst.id(1));
            return divisor && *divisor != 0 ? of(0) / *divisor : all;
        }
        case Op::OpUMod: {
            const auto divisor = constant(inst.id(1));
            return divisor && *divisor != 0 ? std::min(of(0), *divisor - 1) : all;
        }
        case Op::OpSDiv:
        case Op::OpSRem:
        case Op::OpSMod: {
            const auto divisor = constant(inst.id(1));
            const uint64_t a = of(0);
            if (!divisor || *divisor == 0 || *divisor >= top_bit(value) || a >= top_bit(value)) return all;
            return inst.op == Op::OpSDiv ? a / *divisor : std::min(a, *divisor - 1);
        }
        case Op::OpShiftRightLogical:
        case Op::OpShiftRightArithmetic: {
            const auto distance = constant(inst.id(1));
            const uint64_t a = of(0);
            const bool keeps_sign = inst.op == Op::OpShiftRightArithmetic && a >= top_bit(value);
            return distance && *distance < 64 && *distance < builder_.width(inst.type) && !keeps_sign
                       ? a >> *distance
                       : all;
        }
        case Op::OpShiftLeftLogical: {
            const auto distance = constant(inst.id(1));
            const uint64_t a = of(0);
            return distance && *distance < builder_.width(inst.type) && a <= all >> *distance ? a << *distance
                                                                                              : all;
        }
        case Op::OpSelect: return std::max(of(1), of(2));
        case Op::OpPhi: return largest_of_phi(made, steps);
        case Op::OpExtInst: return largest_of_extended(inst, block, steps);
        case Op::OpLoad: return largest_input(inst.id(0), std::nullopt);
        case Op::OpCompositeExtract: {
            const Instruction* const whole = def(inst.id(0)).inst;
            const bool is_input = whole && whole->op == Op::OpLoad && inst.operands.size() == 2;
            return is_input ? largest_input(whole->id(0), inst.word(1)) : all;
        }
        default: return all;
    }
}

/// The same of what a function of OpenCL gives.
uint64_t IndexLimits::largest_of_extended(const Instruction& inst, uint32_t block, int steps) const {
    const uint64_t all = all_bits(inst.result), top = top_bit(inst.result);
    if (inst.id(0) != opencl_std_) return all;
    const auto of = [&](size_t argument) { return largest(inst.id(2 + argument), block, steps + 1); };
    switch (inst.word(1)) {
        case OpenCLLIB::UMin: return std::min(of(0), of(1));
        case OpenCLLIB::UClamp: return of(2);
        case OpenCLLIB::SMin: return of(0) < top && of(1) < top ? std::min(of(0), of(1)) : all;
        case OpenCLLIB::SClamp: return of(1) < top && of(2) < top ? of(2) : all;
        case OpenCLLIB::UMax:
        case OpenCLLIB::SMax: return of(0) < top && of(1) < top ? std::max(of(0), of(1)) : all;
        default: return all;
    }
}

/// The same of a variable that tells about work-items, or of its component.
uint64_t IndexLimits::largest_input(Id variable, std::optional<uint64_t> component) const {
    const auto input = local_ids_.inputs.find(variable);
    if (input == local_ids_.inputs.end() || !local_ids_.largest) return ~uint64_t{0};
    const auto& [x, y, z] = *local_ids_.largest;
    if (input->second == spv::BuiltIn::LocalInvocationIndex && !component)
        return (x + 1) * (y + 1) * (z + 1) - 1;
    const bool is_id =
        input->second == spv::BuiltIn::LocalInvocationId && component && *component < kDimensions;
    return is_id ? (*local_ids_.largest)[*component] : ~uint64_t{0};
}

/// The largest of what comes in. In a loop, what comes from the phi itself through an operation that makes
/// nothing larger counts for nothing.
uint64_t IndexLimits::largest_of_phi(const Definition& phi, int steps) const {
    using enum Op;
    const Id result = phi.inst->result;
    uint64_t most = 0;
    bool divides_signed = false;
    for (size_t i = 0; i + 1 < phi.inst->operands.size(); i += 2) {
        const Id value = phi.inst->id(i);
        const uint32_t from = cfg_.block(phi.inst->id(i + 1));
        if (from == spirv::kNoBlock) return all_bits(result);
        const Instruction* const made = tree_.dominates(phi.block, from) ? def(value).inst : nullptr;
        if (made && !made->operands.empty() && made->id(0) == result) {
            if (made->op == OpShiftRightLogical || made->op == OpUDiv || made->op == OpUMod ||
                made->op == OpBitwiseAnd)
                continue;
            if (made->op == OpISub && has_room(*made, from)) continue;
            if (made->op == OpShiftRightArithmetic || made->op == OpSDiv) {
                const std::optional<uint64_t> by = constant(made->id(1));
                if (!by || *by == 0 || *by >= top_bit(result)) return all_bits(result);
                divides_signed = true;
                continue;
            }
        }
        if (value != result) most = std::max(most, largest(value, from, steps + 1));
    }
    return divides_signed && most >= top_bit(result) ? all_bits(result) : most;
}

/// The largest number that a signed counter begins at, if each turn of its loop takes something from it, and
/// only where it has been found not negative: so it never becomes larger.
std::optional<uint64_t> IndexLimits::most_counted_down(const Definition& phi, int steps) const {
    const Id counter = phi.inst->result;
    uint64_t most = 0;
    for (size_t i = 0; i + 1 < phi.inst->operands.size(); i += 2) {
        const Id value = phi.inst->id(i);
        const uint32_t from = cfg_.block(phi.inst->id(i + 1));
        if (from == spirv::kNoBlock) return std::nullopt;
        if (!tree_.dominates(phi.block, from)) {
            most = std::max(most, largest(value, from, steps + 1));
            continue;
        }
        const Instruction* const next = def(value).inst;
        if (!next || (next->op != Op::OpIAdd && next->op != Op::OpISub) || next->id(0) != counter)
            return std::nullopt;
        const std::optional<uint64_t> step = constant(next->id(1));
        if (!step || (*step >= top_bit(counter)) != (next->op == Op::OpIAdd)) return std::nullopt;
        if (!is_found_not_negative(counter, from)) return std::nullopt;
    }
    return most < top_bit(counter) ? std::optional(most) : std::nullopt;
}

bool IndexLimits::is_found_not_negative(Id value, uint32_t block) const {
    const auto found = not_negative_.find(value);
    return found != not_negative_.end() &&
           std::ranges::any_of(found->second, [&](uint32_t from) { return tree_.dominates(from, block); });
}

/// Whether the value, taken for a signed one, is at least 0 in the block.
bool IndexLimits::is_negative_nowhere(Id value, uint32_t block, int steps) const {
    if (steps >= kMostSteps || ++visits_ > kMostVisits) return false;
    if (is_found_not_negative(value, block)) return true;
    const Definition made = def(value);
    if (!made.inst) return false;
    if (made.inst->op == Op::OpPhi && counts_up(made, steps)) return true;
    return largest_result(made, block, steps) < top_bit(value);
}

/// Whether the phi is a counter of a loop that begins at a number that is not negative, and from which only
/// small ones are added to it where a comparison has found it small, too: it becomes no negative number.
bool IndexLimits::counts_up(const Definition& phi, int steps) const {
    const Id counter = phi.inst->result;
    for (size_t i = 0; i + 1 < phi.inst->operands.size(); i += 2) {
        const Id value = phi.inst->id(i);
        const uint32_t from = cfg_.block(phi.inst->id(i + 1));
        if (from == spirv::kNoBlock) return false;
        if (!tree_.dominates(phi.block, from)) {
            if (largest(value, from, steps + 1) >= top_bit(counter)) return false;
            continue;
        }
        const Instruction* const next = def(value).inst;
        if (!next || next->op != Op::OpIAdd) return false;
        const bool is_first = next->id(0) == counter;
        if (!is_first && next->id(1) != counter) return false;
        const std::optional<uint64_t> step = constant(next->id(is_first ? 1 : 0));
        if (!step || *step >= top_bit(counter)) return false;
        const auto found = facts_.find(counter);
        if (found == facts_.end()) return false;
        const bool is_small = std::ranges::any_of(found->second, [&](const Fact& fact) {
            if (!tree_.dominates(fact.block, from)) return false;
            // Below the largest signed number, of whatever other value.
            if (fact.is_signed && fact.is_less && *step == 1) return true;
            const uint64_t most = largest(fact.other, fact.block, steps + 1);
            return most < top_bit(counter) && most - (fact.is_less ? 1 : 0) < top_bit(counter) - *step;
        });
        if (!is_small) return false;
    }
    return true;
}

}  // namespace caldera::vulkan
