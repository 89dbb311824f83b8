// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/same_values.h"

#include <algorithm>
#include <utility>

#include "spirv/op_class.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Block;
using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spv::Op;

namespace {

constexpr uint32_t kMostComponents = 64;  // of an aggregate; a larger one has one number

constexpr uint64_t mixed(uint64_t hash, uint64_t next) {
    hash = (hash ^ next) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 31) * 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 29;
}
/// The number of a value that is like no other.
constexpr uint64_t alone_number(Id value) { return mixed(0x10ad, value.value); }
/// A number to multiply the indices at a depth of a chain by.
constexpr uint64_t step_number(uint64_t depth) { return mixed(0xc4a1, depth) | 1; }

/// Hashes are hardly ever this small: it is the number of a constant.
constexpr bool is_constant(uint64_t number) {
    constexpr uint64_t kMost = uint64_t{1} << 32;
    return number + kMost < 2 * kMost;
}

constexpr uint64_t extended(uint64_t bits, uint32_t width) {
    const uint32_t unused = 64 - width;
    return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
}

bool compares(Op op) {
    return spirv::is_comparison(op) || op == Op::OpLogicalEqual || op == Op::OpLogicalNotEqual;
}

}  // namespace

SameValues::SameValues(const spirv::Builder& builder, const spirv::Function& function,
                       const PassedValues& passed)
    : builder_(builder) {
    enter_parameters(function, passed);
    const spirv::Cfg cfg = spirv::build_cfg(function);
    const spirv::Dominators tree = spirv::dominators(cfg);
    // A block's loads and stores are known in the blocks that it dominates.
    std::vector<std::pair<uint32_t, size_t>> open;  // blocks, and the changes before each
    for (const uint32_t b : tree.preorder) {
        while (!open.empty() && !tree.dominates(open.back().first, b)) {
            for (; changes_.size() > open.back().second; changes_.pop_back()) {
                const Change& change = changes_.back();
                if (change.was_known)
                    contents_[change.place] = change.before;
                else
                    contents_.erase(change.place);
            }
            open.pop_back();
        }
        open.emplace_back(b, changes_.size());
        enter_block(function.blocks[b]);
    }
    contents_.clear();
}

void SameValues::enter_parameters(const spirv::Function& function, const PassedValues& passed) {
    Lanes all;
    for (const Instruction& parameter : function.params) {
        Lanes lanes = alone(parameter.result, components(parameter.type));
        for (uint64_t& lane : lanes) {
            const size_t same =
                all.size() < passed.first_same.size() ? passed.first_same[all.size()] : all.size();
            if (same < all.size()) lane = all[same];
            all.push_back(lane);
        }
        set(parameter.result, std::move(lanes));
    }
}

void SameValues::add_same(const Instruction& call, PassedValues& passed) const {
    Lanes all;
    for (size_t at = 1; at < call.operands.size(); ++at)
        for (uint32_t i = 0; i < components(builder_.type_of(call.id(at))); ++i)
            all.push_back(number(call.id(at), i));
    std::unordered_map<uint64_t, size_t> first;
    const bool is_first_call = passed.first_same.empty();
    for (size_t i = 0; i < all.size(); ++i) {
        const size_t same = first.try_emplace(all[i], i).first->second;
        if (is_first_call)
            passed.first_same.push_back(same);
        else if (same < passed.first_same[i])
            passed.first_same[i] = passed.first_same[same];
    }
}

void SameValues::enter_block(const Block& block) {
    for (const Instruction& inst : block.body) {
        if (inst.op == Op::OpStore) store(inst);
        if (inst.result && inst.type) set(inst.result, computed(inst));
    }
}

// ---- Questions ----

bool SameValues::decides(const Instruction& inst, uint32_t component) const {
    if (!ranges_.contains(inst.result)) return false;
    if (compares(inst.op)) {
        const uint64_t a = number(inst.id(0), component), b = number(inst.id(1), component);
        const bool is_equality = inst.op == Op::OpIEqual || inst.op == Op::OpINotEqual;
        return a == b || (is_equality && is_constant(a - b));
    }
    const bool is_integer = spirv::is_pure(inst) && builder_.is_int(builder_.element(inst.type));
    return is_integer && is_constant(number(inst.result, component));
}

bool SameValues::decides(const Instruction& inst) const {
    const bool is_vector = inst.type && builder_.is_vector(inst.type);
    for (uint32_t i = 0; i < (is_vector ? builder_.count(inst.type) : 1); ++i)
        if (!decides(inst, i)) return false;
    return true;
}

// ---- Numbers ----

void SameValues::set(Id value, Lanes lanes) {
    ranges_[value] = {numbers_.size(), lanes.size()};
    numbers_.insert(numbers_.end(), lanes.begin(), lanes.end());
}

SameValues::Numbers SameValues::numbers(Id value) const {
    const auto found = ranges_.find(value);
    return found == ranges_.end() ? Numbers{}
                                  : Numbers(numbers_).subspan(found->second.first, found->second.count);
}

/// Numbers are not kept for what is defined outside of the function.
uint64_t SameValues::number(Id value, uint32_t component) const {
    const Numbers known = numbers(value);
    if (component < known.size()) return known[component];
    if (const Instruction* global = builder_.find_global(value)) {
        const Lanes lanes = constant(*global);
        if (component < lanes.size()) return lanes[component];
    }
    return mixed(alone_number(value), component);
}

SameValues::Lanes SameValues::alone(Id value, uint32_t count) const {
    Lanes lanes;
    for (uint32_t i = 0; i < count; ++i) lanes.push_back(mixed(alone_number(value), i));
    return lanes;
}

SameValues::Lanes SameValues::constant(const Instruction& global) const {
    const uint32_t count = components(global.type);
    if (global.op == Op::OpConstantNull || global.op == Op::OpConstantFalse) return Lanes(count);
    if (global.op == Op::OpConstantTrue) return {1};
    if (global.op == Op::OpConstantComposite) {
        Lanes lanes;
        for (const Operand& part : global.operands)
            for (uint32_t i = 0; i < components(builder_.type_of(part.id())); ++i)
                lanes.push_back(number(part.id(), i));
        if (lanes.size() == count) return lanes;
    }
    if (global.op == Op::OpConstant) {
        uint64_t bits = global.word(0);
        if (global.operands.size() > 1) bits |= uint64_t{global.word(1)} << 32;
        return {extended(bits, builder_.width(global.type))};
    }
    return alone(global.result, count);
}

/// How many scalars are in a value of the type. One of a type that has other parts, or too many, is whole.
uint32_t SameValues::components(Id type) const {
    uint64_t count = 1;
    switch (builder_.op_of_type(type)) {
        case Op::OpTypeVector: return builder_.count(type);
        case Op::OpTypeArray: count = builder_.array_length(type) * components(builder_.element(type)); break;
        case Op::OpTypeStruct:
            count = 0;
            for (uint32_t i = 0; i < builder_.member_count(type) && count <= kMostComponents; ++i)
                count += components(builder_.member(type, i));
            break;
        default: return 1;
    }
    return count == 0 || count > kMostComponents ? 1 : static_cast<uint32_t>(count);
}

uint32_t SameValues::first_component(Id type, std::span<const Operand> path) const {
    uint32_t first = 0;
    for (const Operand& step : path) {
        if (builder_.op_of_type(type) == Op::OpTypeStruct) {
            for (uint32_t i = 0; i < step.word; ++i) first += components(builder_.member(type, i));
            type = builder_.member(type, step.word);
        } else {
            type = builder_.element(type);
            first += step.word * components(type);
        }
    }
    return first;
}

// ---- Instructions ----

SameValues::Lanes SameValues::computed(const Instruction& inst) {
    const auto all_of = [&](Id value, uint32_t first, uint32_t count) {
        Lanes lanes;
        for (uint32_t i = 0; i < count; ++i) lanes.push_back(number(value, first + i));
        return lanes;
    };
    const uint32_t count = components(inst.type);
    switch (inst.op) {
        case Op::OpLoad: return loaded(inst);
        case Op::OpPhi: return phi(inst);
        case Op::OpAccessChain:
        case Op::OpInBoundsAccessChain:
        case Op::OpPtrAccessChain:
        case Op::OpInBoundsPtrAccessChain: return chain(inst);
        case Op::OpCopyObject:
        case Op::OpCopyLogical:
        case Op::OpUConvert:
        case Op::OpSConvert:
        case Op::OpConvertPtrToU:
        case Op::OpConvertUToPtr: return all_of(inst.id(0), 0, count);
        case Op::OpBitcast:
            return components(builder_.type_of(inst.id(0))) == count ? all_of(inst.id(0), 0, count)
                                                                     : whole(inst);
        case Op::OpCompositeConstruct: return construct(inst);
        case Op::OpVectorShuffle: return shuffle(inst);
        case Op::OpCompositeExtract: {
            const Id from = builder_.type_of(inst.id(0));
            const uint32_t first = first_component(from, std::span(inst.operands).subspan(1));
            return first + count <= components(from) ? all_of(inst.id(0), first, count) : whole(inst);
        }
        case Op::OpCompositeInsert: {
            const uint32_t first = first_component(inst.type, std::span(inst.operands).subspan(2));
            const uint32_t part = components(builder_.type_of(inst.id(0)));
            if (first + part > count) return whole(inst);
            Lanes lanes = all_of(inst.id(1), 0, count);
            for (uint32_t i = 0; i < part; ++i) lanes[first + i] = number(inst.id(0), i);
            return lanes;
        }
        case Op::OpFunctionCall: return whole(inst);
        default: break;
    }
    if (inst.op == Op::OpUndef || (!spirv::is_pure(inst) && inst.op != Op::OpExtInst))
        return alone(inst.result, count);
    return by_component(inst);
}

/// What all ways bring on which a value is known yet.
SameValues::Lanes SameValues::phi(const Instruction& inst) const {
    const uint32_t count = components(inst.type);
    Lanes lanes;
    for (size_t at = 0; at < inst.operands.size(); at += 2) {
        const Id value = inst.id(at);
        if (!builder_.find_global(value) && !ranges_.contains(value)) return alone(inst.result, count);
        for (uint32_t i = 0; i < count; ++i) {
            const uint64_t brought = number(value, i);
            if (at == 0) lanes.push_back(brought);
            if (lanes[i] != brought) lanes[i] = mixed(alone_number(inst.result), i);
        }
    }
    return lanes;
}

SameValues::Lanes SameValues::chain(const Instruction& inst) const {
    uint64_t place = number(inst.id(0), 0);
    for (size_t i = 1; i < inst.operands.size(); ++i) place += step_number(i) * (number(inst.id(i), 0) + 1);
    return {place};
}

/// Where a component is in memory. The vectors behind an address are one scalar behind the other.
uint64_t SameValues::place(Id pointer, Id type, uint32_t component) const {
    const Id element = builder_.element(type);
    const bool is_number = builder_.is_int(element) || builder_.is_float(element);
    const uint64_t bytes = is_number ? builder_.width(element) / 8 : 4;
    return mixed(number(pointer, 0) + component * bytes, bytes);
}

SameValues::Lanes SameValues::loaded(const Instruction& load) {
    Lanes lanes;
    const bool is_volatile = load.operands.size() > 1 &&
                             (load.word(1) & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) != 0;
    for (uint32_t i = 0; i < components(load.type); ++i) {
        const uint64_t from = place(load.id(0), load.type, i);
        const auto known = contents_.find(from);
        lanes.push_back(known == contents_.end() ? mixed(0x10ad, from) : known->second);
    }
    return is_volatile ? alone(load.result, components(load.type)) : lanes;
}

void SameValues::store(const Instruction& inst) {
    const Id type = builder_.type_of(inst.id(1));
    for (uint32_t i = 0; i < components(type); ++i) {
        const uint64_t to = place(inst.id(0), type, i), value = number(inst.id(1), i);
        const auto [known, is_new] = contents_.try_emplace(to, value);
        changes_.push_back({to, known->second, !is_new});
        known->second = value;
    }
}

SameValues::Lanes SameValues::construct(const Instruction& inst) const {
    Lanes lanes;
    for (const Operand& part : inst.operands)
        for (uint32_t i = 0; i < components(builder_.type_of(part.id())); ++i)
            lanes.push_back(number(part.id(), i));
    return lanes.size() == components(inst.type) ? lanes : whole(inst);
}

SameValues::Lanes SameValues::shuffle(const Instruction& inst) const {
    const uint32_t first = builder_.count(builder_.type_of(inst.id(0)));
    Lanes lanes;
    for (size_t i = 2; i < inst.operands.size(); ++i) {
        const uint32_t at = inst.word(i);
        lanes.push_back(at < first ? number(inst.id(0), at) : number(inst.id(1), at - first));
    }
    return lanes;
}

/// An operation whose operands all have as many components as the result is one of each component.
SameValues::Lanes SameValues::by_component(const Instruction& inst) const {
    const uint32_t count = components(inst.type);
    const size_t first = inst.op == Op::OpExtInst ? 2 : 0;
    for (size_t i = first; i < inst.operands.size(); ++i)
        if (!inst.operands[i].is_id || components(builder_.type_of(inst.id(i))) != count) return whole(inst);
    Lanes lanes, operands;
    for (uint32_t c = 0; c < count; ++c) {
        operands.clear();
        for (size_t i = first; i < inst.operands.size(); ++i) operands.push_back(number(inst.id(i), c));
        lanes.push_back(operation(inst, operands));
    }
    return lanes;
}

uint64_t SameValues::operation(const Instruction& inst, std::span<const uint64_t> operands) const {
    const uint64_t a = operands.empty() ? 0 : operands[0], b = operands.size() < 2 ? 0 : operands[1];
    switch (inst.op) {
        case Op::OpIAdd: return a + b;
        case Op::OpISub: return a - b;
        case Op::OpSNegate: return uint64_t{0} - a;
        case Op::OpNot: return ~a;
        case Op::OpIMul:
            if (is_constant(a) || is_constant(b)) return a * b;
            break;
        case Op::OpShiftLeftLogical:
            if (b < 64) return a << b;
            break;
        case Op::OpBitwiseXor:
            if (a == b) return 0;
            break;
        case Op::OpBitwiseAnd:
        case Op::OpBitwiseOr:
            if (a == b) return a;
            if (a == ~b) return inst.op == Op::OpBitwiseAnd ? 0 : ~uint64_t{0};
            break;
        case Op::OpSelect:
            if (b == operands[2]) return b;
            break;
        default: break;
    }
    const bool swaps = spirv::is_commutative(inst.op) && b < a;
    uint64_t hash = mixed(static_cast<uint64_t>(inst.op), inst.op == Op::OpExtInst ? inst.word(1) : 0);
    for (size_t i = 0; i < operands.size(); ++i) hash = mixed(hash, swaps ? operands[i ^ 1] : operands[i]);
    return hash;
}

/// A hash of all operands with all their components.
SameValues::Lanes SameValues::whole(const Instruction& inst) const {
    uint64_t hash = mixed(static_cast<uint64_t>(inst.op), inst.operands.size());
    for (const Operand& operand : inst.operands) {
        if (!operand.is_id) {
            hash = mixed(hash, operand.word);
            continue;
        }
        const Id type = builder_.type_of(operand.id());
        for (uint32_t i = 0; i < (type ? components(type) : 1); ++i)
            hash = mixed(hash, number(operand.id(), i));
    }
    Lanes lanes;
    for (uint32_t i = 0; i < components(inst.type); ++i) lanes.push_back(mixed(hash, i));
    return lanes;
}

}  // namespace caldera::vulkan
