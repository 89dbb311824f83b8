// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/trial_values.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "spirv/op_class.h"
#include "spirv/phis.h"
#include "spirv/uses.h"
#include "vulkan/translate/drivers/trial_arithmetic.h"
#include "vulkan/translate/support/integers.h"

namespace caldera::vulkan {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using enum spv::Op;

namespace {

/// How many turns of a loop there are trials of.
constexpr uint32_t kTurns = 3;

bool is_same(std::span<const uint64_t> trials) {
    return std::ranges::all_of(trials, [&](uint64_t bits) { return bits == trials[0]; });
}

}  // namespace

TrialValues::TrialValues(const spirv::Builder& builder, const Function& function, const spirv::IdSet& zeros,
                         FirstOperand first_operand, IsHidden is_hidden)
    : builder_(builder),
      function_(function),
      zeros_(zeros),
      first_operand_(std::move(first_operand)),
      is_hidden_(std::move(is_hidden)),
      cfg_(spirv::build_cfg(function)),
      tree_(spirv::dominators(cfg_)) {
    if (!find_wanted()) return;
    find_edges();
    const bool has_loops = std::ranges::any_of(
        function.blocks, [](const Block& block) { return block.merge.op == OpLoopMerge; });
    for (sweep_ = 0; sweep_ < (has_loops ? kTurns : 1); ++sweep_) sweep();
}

/// Finds what the operands that are asked for, and conditions, are computed of. Whether any are asked for.
bool TrialValues::find_wanted() {
    std::vector<Id> open;
    const auto want = [&](const Instruction& inst, size_t first) {
        for (size_t at = first; at < inst.operands.size(); ++at)
            if (inst.operands[at].is_id) open.push_back(inst.id(at));
    };
    for (const Block& block : function_.blocks)
        for (const Instruction& inst : block.body) {
            if (inst.result) definitions_[inst.result] = &inst;
            if (const auto first = first_operand_(inst)) want(inst, *first);
        }
    for (const Block& block : function_.blocks)
        if (block.terminator.op == OpReturnValue) open.push_back(block.terminator.id(0));
    if (open.empty()) return false;
    for (const Block& block : function_.blocks)
        if (block.terminator.op == OpBranchConditional || block.terminator.op == OpSwitch)
            open.push_back(block.terminator.id(0));
    while (!open.empty()) {
        const Id value = open.back();
        open.pop_back();
        const Instruction* inst = definition(value);
        if (inst == nullptr || !is_number(inst->type) || !wanted_.insert(value)) continue;
        if (inst->op != OpLoad && inst->op != OpFunctionCall) want(*inst, 0);
    }
    return true;
}

// ---- The numbers ----

/// A number of up to 64 bits, a truth value, or a vector of those.
bool TrialValues::is_number(Id type) const {
    if (!type) return false;
    const Id element = builder_.is_vector(type) ? builder_.element(type) : type;
    if (builder_.is_bool(element)) return true;
    if (!builder_.is_int(element) && !builder_.is_float(element)) return false;
    const bool is_encoded = builder_.is_float(element) && builder_.find_global(element)->operands.size() > 1;
    return builder_.width(element) <= 64 && !is_encoded;
}
uint32_t TrialValues::width(Id type) const {
    return builder_.is_bool(builder_.element(type)) ? 1 : builder_.width(type);
}

TrialValues::Trials TrialValues::leaf(Id value, uint32_t lane, uint32_t width) const {
    Trials trials;
    for (uint32_t i = 0; i < kTrials; ++i) {
        const uint64_t any = mixed_trial(mixed_trial(value.value, lane), i);
        constexpr uint64_t kSmall = 15;
        trials[i] = (i < 3 ? i : i == 3 ? ~uint64_t{0} : i < 8 ? any & kSmall : any) & all_ones(width);
    }
    return trials;
}

std::optional<uint64_t> TrialValues::global_bits(const Instruction& global) const {
    switch (global.op) {
        case OpConstantTrue:
        case OpSpecConstantTrue: return 1;
        case OpConstantFalse:
        case OpSpecConstantFalse:
        case OpConstantNull: return 0;
        case OpConstant:
        case OpSpecConstant: return spirv::number_at(global) & all_ones(width(global.type));
        default: return std::nullopt;
    }
}

void TrialValues::enter_global(const Instruction& global, Lanes lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
        const bool is_composite = global.op == OpConstantComposite || global.op == OpSpecConstantComposite;
        const Instruction* part = is_composite ? builder_.find_global(global.id(i)) : &global;
        const std::optional<uint64_t> bits = part ? global_bits(*part) : std::nullopt;
        if (bits) numbers_[lanes.first + i].fill(*bits);
    }
}

/// Where the value's components are in numbers_. At first they are any numbers.
TrialValues::Lanes TrialValues::lanes_of(Id value) {
    const auto [entry, is_new] = lanes_.try_emplace(value);
    if (!is_new) return entry->second;
    const Id type = builder_.type_of(value);
    Lanes lanes{.first = static_cast<uint32_t>(numbers_.size())};
    if (is_number(type)) lanes.count = builder_.count(type);
    entry->second = lanes;
    for (uint32_t i = 0; i < lanes.count; ++i) numbers_.push_back(leaf(value, i, width(type)));
    if (const Instruction* global = builder_.find_global(value)) enter_global(*global, lanes);
    return lanes;
}

const Instruction* TrialValues::definition(Id value) const {
    const auto found = definitions_.find(value);
    return found == definitions_.end() ? nullptr : found->second;
}

/// A component of a value. Where branches have said more since it was computed, Mesa may compute it once
/// more: what a condition chose, and what its patterns of integer instructions reach.
TrialValues::Trials TrialValues::read(Id value, uint32_t lane, int depth) {
    const Lanes lanes = lanes_of(value);
    if (lanes.facts < undo_.size() && is_changed(value, depth))
        return computed(*definition(value), lane, width(builder_.type_of(value)), depth - 1);
    return numbers_[lanes.first + (lanes.count == 1 ? 0 : lane)];
}

/// Whether facts in force are about what the value was computed of, and not about the value.
bool TrialValues::is_changed(Id value, int depth) const {
    const Instruction* inst = depth == 0 || has_fact(value) ? nullptr : definition(value);
    if (inst == nullptr || !spirv::is_pure(*inst) || inst->op == OpPhi || !is_number(inst->type))
        return false;
    const bool is_move = inst->op == OpSelect || inst->op == OpBitcast || inst->op == OpCopyObject ||
                         (inst->op >= OpVectorShuffle && inst->op <= OpCompositeInsert);
    if (!is_move && builder_.is_float(builder_.element(inst->type))) return false;
    return std::ranges::any_of(inst->operands, [&](const spirv::Operand& operand) {
        return operand.is_id && (has_fact(operand.id()) || is_changed(operand.id(), depth - 1));
    });
}
bool TrialValues::has_fact(Id value) const {
    const auto found = facts_.find(value);
    return found != facts_.end() && found->second != 0;
}

// ---- The blocks ----

void TrialValues::find_edges() {
    to_phis_.resize(cfg_.size());
    entry_.resize(cfg_.size());
    for (uint32_t b = 0; b < cfg_.size(); ++b) {
        if (!cfg_.reachable(b)) continue;
        const Block& block = function_.blocks[b];
        if (block.terminator.op == OpSwitch) find_cases(block.terminator, b);
        if (cfg_.predecessors[b].size() == 1)
            if (const auto fact = fact_of(cfg_.predecessors[b][0], b)) entry_[b] = fact;
        for (const Instruction& phi : spirv::phis_of(block.body))
            if (wanted_.contains(phi.result)) enter_phi(phi, b);
    }
}

/// What a switch says of the targets that one number alone leads to.
void TrialValues::find_cases(const Instruction& branch, uint32_t b) {
    const Id type = builder_.type_of(branch.id(0));
    if (!is_number(type)) return;
    const size_t words = width(type) > 32 ? 2 : 1;
    spirv::IdMap<uint32_t> cases;
    ++cases[branch.id(1)];
    for (size_t at = 2; at + words < branch.operands.size(); at += words + 1) ++cases[branch.id(at + words)];
    for (size_t at = 2; at + words < branch.operands.size(); at += words + 1) {
        const Id label = branch.id(at + words);
        const uint32_t target = cfg_.block(label);
        if (label == branch.id(1) || cases.at(label) != 1 || target == spirv::kNoBlock) continue;
        const auto from = cfg_.predecessors[target];
        if (from.size() != 1 || from[0] != b) continue;
        const uint64_t high = words == 2 ? uint64_t{branch.word(at + 1)} << 32 : 0;
        const uint64_t bits = (branch.word(at) | high) & all_ones(width(type));
        entry_[target] = Fact{.value = branch.id(0), .bits = bits};
    }
}

void TrialValues::enter_phi(const Instruction& phi, uint32_t b) {
    const uint32_t lanes = builder_.count(phi.type);
    Phi& entry = phis_[phi.result];
    entry.block = b;
    for (size_t i = 0; i < phi.operands.size(); i += 2) {
        const uint32_t source = cfg_.block(phi.id(i + 1));
        if (source == spirv::kNoBlock || !cfg_.reachable(source)) continue;
        const auto first = static_cast<uint32_t>(numbers_.size());
        numbers_.resize(numbers_.size() + lanes);
        entry.from.push_back({.value = phi.id(i), .source = source, .first = first});
        to_phis_[source].push_back({.value = phi.id(i), .target = b, .first = first, .lanes = lanes});
    }
}

/// What a conditional branch says.
std::optional<TrialValues::Fact> TrialValues::fact_of(uint32_t from, uint32_t to) const {
    const Instruction& branch = function_.blocks[from].terminator;
    if (branch.op != OpBranchConditional || branch.id(1) == branch.id(2)) return std::nullopt;
    const bool is_true = branch.id(1) == function_.blocks[to].label;
    return Fact{.value = branch.id(0), .bits = is_true ? 1u : 0u};
}

void TrialValues::sweep() {
    struct Scope {
        uint32_t block = 0;
        size_t undo = 0;
    };
    std::vector<Scope> scopes;
    zeros_found_.clear();
    zeros_returned_.clear();
    state_.assign(cfg_.size(), {});
    for (const uint32_t b : tree_.preorder) {
        for (; !scopes.empty() && !tree_.dominates(scopes.back().block, b); scopes.pop_back())
            undo(scopes.back().undo);
        scopes.push_back({b, undo_.size()});
        enter(b);
        for (const Instruction& inst : function_.blocks[b].body)
            if (const bool is_hidden = hides(inst); wanted_.contains(inst.result)) compute(inst, is_hidden);
        find_returned(b);
        leave(b);
    }
    undo(0);
}

void TrialValues::enter(uint32_t b) {
    bool is_reached = b == tree_.root, is_known = is_reached;
    for (const uint32_t source : cfg_.predecessors[b]) {
        is_known |= state_[source].is_visited;
        is_reached |= is_taken(source, b);
    }
    state_[b].is_reached = is_reached || !is_known;
    if (entry_[b]) assume(*entry_[b]);
}

void TrialValues::find_returned(uint32_t b) {
    const Block& block = function_.blocks[b];
    if (block.terminator.op != OpReturnValue) return;
    const Id value = block.terminator.id(0);
    if (builder_.find_global(value)) return;
    for (uint32_t lane = 0; lane < lanes_of(value).count; ++lane) {
        const std::optional<uint64_t> bits = fixed(value, lane);
        if (bits && is_zero(*bits, builder_.type_of(value))) zeros_returned_.insert(block.label);
    }
}

/// Whether some trial goes from one block to the other, as far as the blocks were visited.
bool TrialValues::is_taken(uint32_t from, uint32_t to) const {
    const State& state = state_[from];
    return state.is_visited && state.is_reached && state.not_taken != to;
}

/// Gives phis what they take from the block.
void TrialValues::leave(uint32_t b) {
    const Instruction& branch = function_.blocks[b].terminator;
    state_[b].is_visited = true;
    if (branch.op != OpBranchConditional || branch.id(1) == branch.id(2))
        return copy_to_phis(b, spirv::kNoBlock);
    const std::optional<uint64_t> condition = fixed(branch.id(0), 0);
    if (condition) state_[b].not_taken = cfg_.block(branch.id(*condition != 0 ? 2 : 1));
    if (to_phis_[b].empty()) return;
    for (const size_t at : {1, 2}) {
        const uint32_t target = cfg_.block(branch.id(at));
        if (target == spirv::kNoBlock) continue;
        const size_t size = undo_.size();
        if (!entry_[target]) assume(*fact_of(b, target));
        copy_to_phis(b, target);
        undo(size);
    }
}

void TrialValues::copy_to_phis(uint32_t b, uint32_t target) {
    for (const Outgoing& outgoing : to_phis_[b]) {
        if (target != spirv::kNoBlock && outgoing.target != target) continue;
        for (uint32_t lane = 0; lane < outgoing.lanes; ++lane) {
            const Trials trials = read(outgoing.value, lane);
            numbers_[outgoing.first + lane] = trials;
        }
    }
}

// ---- The instructions ----

void TrialValues::compute(const Instruction& inst, bool is_hidden) {
    Lanes lanes = lanes_of(inst.result);
    lanes.facts = undo_.size();
    lanes_[inst.result] = lanes;
    const uint32_t bits = width(inst.type);
    for (uint32_t lane = 0; lane < lanes.count; ++lane) {
        const bool is_any = (is_hidden && inst.op != OpFunctionCall) || is_hidden_(inst, lane);
        const Trials trials = is_any             ? leaf(inst.result, lane, bits)
                              : inst.op == OpPhi ? joined(inst, lane)
                                                 : computed(inst, lane, bits, kDepth);
        numbers_[lanes.first + lane] = trials;
    }
}

/// Notes the operands that are asked for and in which a compiler may find zeros, unless the others are
/// constants. Then it computes the result as it must where it finds them. Whether the caller hides an
/// operand.
bool TrialValues::hides(const Instruction& inst) {
    const std::optional<size_t> first = first_operand_(inst);
    if (!first) return false;
    uint64_t zeros = 0;
    bool are_known = inst.op != OpFunctionCall;
    for (size_t at = *first; at < inst.operands.size() && at < 64; ++at) {
        const Id value = inst.id(at);
        if (builder_.find_global(value)) continue;
        const Lanes lanes = lanes_of(value);
        for (uint32_t lane = 0; lane < lanes.count; ++lane) {
            const std::optional<uint64_t> bits = fixed(value, lane);
            const bool may_be_zero = bits && is_zero(*bits, builder_.type_of(value));
            if (may_be_zero) zeros |= uint64_t{1} << at;
            are_known &= may_be_zero;
        }
    }
    if (zeros == 0 || (are_known && std::has_single_bit(zeros))) return false;
    zeros_found_[inst.result] = zeros;
    return true;
}
bool TrialValues::is_zero(uint64_t bits, Id type) const {
    const uint64_t sign = builder_.is_float(builder_.element(type)) ? sign_bit(width(type)) : 0;
    return (bits & ~sign) == 0;
}

TrialValues::Trials TrialValues::joined(const Instruction& phi, uint32_t lane) {
    const Phi& entry = phis_.at(phi.result);
    std::vector<uint32_t> first, later;
    for (const Phi::From& from : entry.from) {
        if (is_taken(from.source, entry.block)) first.push_back(from.first + lane);
        if (!state_[from.source].is_visited) later.push_back(from.first + lane);
    }
    Trials trials = numbers_[lanes_of(phi.result).first + lane];
    for (uint32_t i = 0; i < kTrials; ++i) {
        const uint32_t turn = later.empty() ? 0 : i % kTurns;
        const bool is_first = turn == 0 || sweep_ == 0;
        if (!is_first && turn < sweep_) continue;  // it is in its last turn
        const std::vector<uint32_t>& from = is_first ? first : later;
        if (!from.empty()) trials[i] = numbers_[from[mixed_trial(entry.block, i) % from.size()]][i];
    }
    return trials;
}

TrialValues::Trials TrialValues::computed(const Instruction& inst, uint32_t lane, uint32_t bits, int depth) {
    switch (inst.op) {
        case OpCompositeConstruct:
        case OpCompositeExtract:
        case OpCompositeInsert:
        case OpVectorShuffle: return moved(inst, lane, bits, depth);
        case OpLoad: return loaded(inst, lane, bits);
        case OpFunctionCall: return returned(inst, lane, bits);
        default: break;
    }
    if (spirv::is_sub_group_operation(inst.op)) return exchanged(inst, lane, bits);
    const bool is_computed = inst.op == OpExtInst || (spirv::is_pure(inst) && inst.op != OpUndef);
    if (!is_computed) return leaf(inst.result, lane, bits);
    const uint32_t count = builder_.count(inst.type);
    bool is_by_component = true;
    for (size_t at = inst.op == OpExtInst ? 2 : 0; at < inst.operands.size(); ++at) {
        if (!inst.operands[at].is_id) continue;
        const Id type = builder_.type_of(inst.id(at));
        if (!is_number(type)) return leaf(inst.result, lane, bits);
        const uint32_t from = builder_.count(type);
        is_by_component &= from == count || (from == 1 && inst.op == OpSelect);
    }
    return is_by_component ? by_component(inst, lane, bits, depth) : by_all(inst, lane, bits, depth);
}

/// The input that tells a work-item from the others of its group, or any number.
TrialValues::Trials TrialValues::loaded(const Instruction& load, uint32_t lane, uint32_t bits) const {
    const Instruction* chain = definition(load.id(0));
    const Id variable = chain != nullptr && spirv::is_access_chain(chain->op) ? chain->id(0) : load.id(0);
    return zeros_.contains(variable) ? Trials{} : leaf(load.result, lane, bits);
}

/// Drivers inline all functions, so what a call gives may be zero where an integer that it passes is. Floats
/// that may be zero are hidden from the function. Those that give vectors read images.
TrialValues::Trials TrialValues::returned(const Instruction& call, uint32_t lane, uint32_t bits) {
    const bool is_scalar = !builder_.is_vector(call.type);
    for (size_t at = 1; is_scalar && at < call.operands.size(); ++at) {
        const Id argument = call.id(at);
        if (builder_.find_global(argument)) continue;
        const uint32_t count = lanes_of(argument).count;
        for (uint32_t i = 0; i < count; ++i)
            if (fixed(argument, i) == 0) return {};
    }
    return leaf(call.result, lane, bits);
}

/// What work-items exchange is zero where all have a zero.
TrialValues::Trials TrialValues::exchanged(const Instruction& inst, uint32_t lane, uint32_t bits) {
    for (const spirv::Operand& operand : inst.operands)
        if (operand.is_id && builder_.type_of(operand.id()) == inst.type &&
            !builder_.find_global(operand.id()))
            return fixed(operand.id(), lane) == 0 ? Trials{} : leaf(inst.result, lane, bits);
    return leaf(inst.result, lane, bits);
}

TrialValues::Trials TrialValues::moved(const Instruction& inst, uint32_t lane, uint32_t bits, int depth) {
    switch (inst.op) {
        case OpCompositeConstruct: {
            uint32_t at = lane;
            for (const spirv::Operand& part : inst.operands) {
                const uint32_t count = lanes_of(part.id()).count;
                if (at < count) return read(part.id(), at, depth);
                at -= count;
            }
            break;
        }
        case OpCompositeExtract:
            if (inst.operands.size() == 2 && inst.word(1) < lanes_of(inst.id(0)).count)
                return read(inst.id(0), inst.word(1), depth);
            break;
        case OpCompositeInsert:
            if (inst.operands.size() == 3)
                return inst.word(2) == lane ? read(inst.id(0), 0, depth) : read(inst.id(1), lane, depth);
            break;
        default: {
            const uint32_t count = lanes_of(inst.id(0)).count, at = inst.word(2 + lane);
            if (at < count) return read(inst.id(0), at, depth);
            if (at - count < lanes_of(inst.id(1)).count) return read(inst.id(1), at - count, depth);
        }
    }
    return leaf(inst.result, lane, bits);
}

TrialNumber TrialValues::number(Id type) const {
    return {.width = width(type), .is_float = builder_.is_float(builder_.element(type))};
}

/// What an operation gives for a component of each operand.
TrialValues::Trials TrialValues::by_component(const Instruction& inst, uint32_t lane, uint32_t bits,
                                              int depth) {
    std::vector<Trials> trials;
    std::vector<TrialNumber> from;
    for (size_t at = inst.op == OpExtInst ? 2 : 0; at < inst.operands.size(); ++at) {
        if (!inst.operands[at].is_id) continue;
        from.push_back(number(builder_.type_of(inst.id(at))));
        trials.push_back(read(inst.id(at), lane, depth));
    }
    TrialNumber result = number(inst.type);
    result.width = bits;
    Trials results;
    for (uint32_t i = 0; i < kTrials; ++i) {
        for (size_t at = 0; at < from.size(); ++at) from[at].bits = trials[at][i];
        const std::optional<uint64_t> known = trial_result(inst, result, from);
        if (!known) return perhaps_zero(inst, lane, bits, trials);
        results[i] = *known;
    }
    return results;
}

/// What depends on all components: any, all, casts of bits, and other numbers that the operands decide.
TrialValues::Trials TrialValues::by_all(const Instruction& inst, uint32_t lane, uint32_t bits, int depth) {
    std::vector<Trials> from;
    for (const spirv::Operand& operand : inst.operands) {
        const uint32_t count = operand.is_id ? lanes_of(operand.id()).count : 0;
        for (uint32_t at = 0; at < count; ++at) from.push_back(read(operand.id(), at, depth));
    }
    Trials results = {};
    switch (inst.op) {
        case OpAny:
            for (const Trials& trials : from)
                for (uint32_t i = 0; i < kTrials; ++i) results[i] |= trials[i];
            return results;
        case OpAll:
            results.fill(1);
            for (const Trials& trials : from)
                for (uint32_t i = 0; i < kTrials; ++i) results[i] &= trials[i];
            return results;
        case OpBitcast: {  // the first component has the lowest bits
            const uint32_t width_before = width(builder_.type_of(inst.id(0)));
            for (uint32_t done = 0; done < bits; done += std::min(bits, width_before)) {
                const uint32_t at = lane * bits + done;
                for (uint32_t i = 0; i < kTrials; ++i)
                    results[i] |= from[at / width_before][i] >> (at % width_before) << done;
            }
            for (uint64_t& result : results) result &= all_ones(bits);
            return results;
        }
        default: return perhaps_zero(inst, lane, bits, from);
    }
}

/// A number that this does not compute: any, or 0 where a compiler knows all that it depends on.
TrialValues::Trials TrialValues::perhaps_zero(const Instruction& inst, uint32_t lane, uint32_t bits,
                                              std::span<const Trials> from) const {
    const bool is_known = std::ranges::all_of(from, [](const Trials& trials) { return is_same(trials); });
    return is_known ? Trials{} : leaf(inst.result, lane, bits);
}

// ---- What branches say ----

/// The component's bits, if all trials have the same.
std::optional<uint64_t> TrialValues::fixed(Id value, uint32_t lane) {
    const Trials trials = read(value, lane);
    return is_same(trials) ? std::optional(trials[0]) : std::nullopt;
}

/// Has the fact hold until undo(), and what follows from it for the values that it was computed of.
void TrialValues::assume(const Fact& first) {
    constexpr int kMost = 32;
    std::vector<Fact> open = {first};
    for (int i = 0; i < kMost && !open.empty(); ++i) {
        const Fact fact = open.back();
        open.pop_back();
        const Lanes lanes = lanes_of(fact.value);
        if (fact.lane >= lanes.count || builder_.find_global(fact.value)) continue;
        const uint32_t place = lanes.first + fact.lane;
        undo_.push_back({.value = fact.value, .place = place, .before = numbers_[place]});
        numbers_[place].fill(fact.bits);
        ++facts_[fact.value];
        if (const Instruction* inst = definition(fact.value)) find_causes(fact, *inst, open);
    }
}
void TrialValues::undo(size_t size) {
    for (; undo_.size() > size; undo_.pop_back()) {
        numbers_[undo_.back().place] = undo_.back().before;
        --facts_[undo_.back().value];
    }
}

/// What must be so for the instruction to have this result.
void TrialValues::find_causes(const Fact& fact, const Instruction& inst, std::vector<Fact>& open) {
    const uint32_t bits = width(inst.type);
    const uint32_t lane = fact.lane;
    switch (inst.op) {
        case OpCopyObject: open.push_back({inst.id(0), lane, fact.bits}); return;
        case OpNot:
        case OpLogicalNot: open.push_back({inst.id(0), lane, ~fact.bits & all_ones(bits)}); return;
        case OpSNegate: open.push_back({inst.id(0), lane, (0 - fact.bits) & all_ones(bits)}); return;
        case OpBitcast:
            if (builder_.count(builder_.type_of(inst.id(0))) == builder_.count(inst.type))
                open.push_back({inst.id(0), lane, fact.bits});
            return;
        case OpUConvert:
        case OpSConvert:
            if (const uint32_t from = width(builder_.type_of(inst.id(0))); from < bits)
                open.push_back({inst.id(0), lane, fact.bits & all_ones(from)});
            return;
        case OpCompositeExtract:
            if (inst.operands.size() == 2) open.push_back({inst.id(0), inst.word(1), fact.bits});
            return;
        case OpSelect: return find_choice(fact, inst, open);
        case OpPhi: return find_path(fact, inst, open);
        default:
            if (inst.operands.size() == 2 && inst.operands[1].is_id) find_operands(fact, inst, open);
    }
}

void TrialValues::find_operands(const Fact& fact, const Instruction& inst, std::vector<Fact>& open) {
    const Id a = inst.id(0), b = inst.id(1), type = builder_.type_of(a);
    if (!is_number(type) || fact.lane >= lanes_of(a).count || fact.lane >= lanes_of(b).count) return;
    const uint64_t ones = all_ones(width(type));
    const auto both = [&] {
        for (const Id operand : {a, b}) open.push_back({operand, fact.lane, fact.bits});
    };
    const auto known_a = fixed(a, fact.lane), known_b = fixed(b, fact.lane);
    const auto set = [&](Id value, uint64_t bits) { open.push_back({value, fact.lane, bits & ones}); };
    const bool is_true = fact.bits != 0;
    switch (inst.op) {
        case OpLogicalAnd:
            if (is_true) both();
            return;
        case OpBitwiseAnd:
            if (fact.bits == ones) both();
            return;
        case OpLogicalOr:
        case OpBitwiseOr:
            if (!is_true) both();
            return;
        case OpLogicalEqual:
        case OpLogicalNotEqual:
        case OpIEqual:
        case OpINotEqual: {
            const bool is_equal = (inst.op == OpLogicalEqual || inst.op == OpIEqual) == is_true;
            if (!is_equal && ones != 1) return;
            if (known_b) set(a, is_equal ? *known_b : ~*known_b);
            if (known_a) set(b, is_equal ? *known_a : ~*known_a);
            return;
        }
        case OpIAdd:
            if (known_b) set(a, fact.bits - *known_b);
            if (known_a) set(b, fact.bits - *known_a);
            return;
        case OpISub:
            if (known_b) set(a, fact.bits + *known_b);
            if (known_a) set(b, *known_a - fact.bits);
            return;
        case OpBitwiseXor:
            if (known_b) set(a, fact.bits ^ *known_b);
            if (known_a) set(b, fact.bits ^ *known_a);
            return;
        default: break;
    }
    if (!spirv::is_integer_comparison(inst.op)) return;
    // Below 1, and not above 0.
    const spv::Op op = is_true ? inst.op : spirv::negated(inst.op), other = spirv::mirrored(op);
    const auto is_below = [](spv::Op less, std::optional<uint64_t> bound) {
        return bound && ((less == OpULessThan && *bound == 1) || (less == OpULessThanEqual && *bound == 0));
    };
    if (is_below(op, known_b)) set(a, 0);
    if (is_below(other, known_a)) set(b, 0);
}

/// An operand of a choice that has another value, was not chosen.
void TrialValues::find_choice(const Fact& fact, const Instruction& inst, std::vector<Fact>& open) {
    const uint32_t lane = lanes_of(inst.id(0)).count == 1 ? 0 : fact.lane;
    for (const size_t at : {1, 2}) {
        const std::optional<uint64_t> other = fixed(inst.id(at), fact.lane);
        if (!other || *other == fact.bits) continue;
        open.push_back({inst.id(0), lane, at == 1 ? 0u : 1u});
        open.push_back({inst.id(3 - at), fact.lane, fact.bits});
        return;
    }
}

/// The same of phis: && and || are such.
void TrialValues::find_path(const Fact& fact, const Instruction& phi, std::vector<Fact>& open) {
    constexpr size_t kMost = 16;
    const Phi& entry = phis_.at(phi.result);
    if (entry.from.size() > kMost) return;
    const Phi::From* only = nullptr;
    for (const Phi::From& from : entry.from) {
        if (!state_[from.source].is_visited) return;
        const Trials& trials = numbers_[from.first + fact.lane];
        if (is_same(trials) && trials[0] != fact.bits) continue;
        if (only != nullptr) return;
        only = &from;
    }
    if (only == nullptr) return;
    open.push_back({only->value, fact.lane, fact.bits});
    if (entry_[only->source]) open.push_back(*entry_[only->source]);
    if (const auto branch = fact_of(only->source, entry.block)) open.push_back(*branch);
}

}  // namespace caldera::vulkan
