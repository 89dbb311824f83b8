// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/pointers.h"

#include <utility>

#include "spirv/op_class.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

Pointers::Pointers(const Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
                   const Function& function, const Cfg& cfg, const Dominators& tree)
    : builder_(builder), layout_(layout), facts_(facts), tree_(tree) {
    add_set({});  // what may point anywhere
    add_arguments(function);
    add_variables(function);
    for (uint32_t b : cfg.order)
        for (const Instruction& inst : function.blocks[b].body)
            if (inst.result) definitions_[inst.result] = {&inst, b};
    for (uint32_t b : cfg.order) {
        for (const Instruction& inst : function.blocks[b].body) visit(inst, b);
        visit(function.blocks[b].terminator, b);
    }
    for (uint32_t b : cfg.order)
        for (const Instruction& inst : function.blocks[b].body)
            if ((inst.op == OpPhi || inst.op == OpSelect) && is_pointer(inst.result)) join(inst);
    number_areas();
}

// ---- Objects ----

/// Local arguments of a kernel are objects of their own: the host gives sizes, not addresses (OpenCL 3.0,
/// clSetKernelArg).
void Pointers::add_arguments(const Function& function) {
    for (const Instruction& param : function.params) {
        if (!builder_.is_pointer(param.type)) continue;
        const spv::StorageClass storage = builder_.storage(param.type);
        const bool local = storage == spv::StorageClass::Workgroup && facts_.is_kernel(function.id());
        const bool unchanging =
            storage == spv::StorageClass::UniformConstant || facts_.is_unchanging(param.result);
        const bool apart = local || unchanging || facts_.is_restrict(param.result);
        values_[param.result] = {{add_formula(param.result, local, 0)},
                                 apart ? add_set({.is_unchanging = unchanging}) : 0};
    }
}

void Pointers::add_variables(const Function& function) {
    auto add = [&](Id variable, Id type, bool confined) {
        const spv::StorageClass storage = builder_.storage(type);
        const bool constant = storage == spv::StorageClass::UniformConstant;
        const bool own = storage == spv::StorageClass::Function;
        const uint32_t set =
            confined || constant ? add_set({.is_private = own, .is_unchanging = constant}) : 0;
        values_[variable] = {{add_formula(variable, true, 0)}, set};
    };
    if (function.blocks.empty()) return;
    for (const Instruction& inst : function.blocks[0].body)
        if (inst.op == OpVariable) add(inst.result, inst.type, true);
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            for (const Operand& operand : inst.operands) {
                if (!operand.is_id || values_.contains(operand.id())) continue;
                const Instruction* global = builder_.find_global(operand.id());
                if (global && global->op == OpVariable && global->type)
                    add(global->result, global->type, facts_.is_confined(global->result, function.id()));
            }
}

uint32_t Pointers::add_formula(Id object, bool is_object, uint32_t block, uint64_t strides) {
    formulas_.push_back({object, is_object, block, strides});
    return static_cast<uint32_t>(formulas_.size() - 1);
}

bool Pointers::is_pointer(Id id) const {
    const Id type = builder_.type_of(id);
    return type && builder_.is_pointer(type);
}

/// The value of any pointer. One about which nothing is known starts from itself and may point anywhere.
Pointers::Value& Pointers::value(Id pointer) {
    if (const auto found = values_.find(pointer); found != values_.end()) return found->second;
    const auto definition = definitions_.find(pointer);
    const uint32_t block = definition == definitions_.end() ? 0 : definition->second.block;
    const bool constant = builder_.storage(builder_.type_of(pointer)) == spv::StorageClass::UniformConstant;
    const uint32_t formula = add_formula(pointer, false, block);
    const uint32_t set = constant ? add_set({.is_unchanging = true}) : 0;
    return values_[pointer] = {{formula}, set};
}

// ---- Instructions ----

void Pointers::visit(const Instruction& inst, uint32_t block) {
    switch (inst.op) {
        case OpAccessChain:
        case OpInBoundsAccessChain:
        case OpPtrAccessChain:
        case OpInBoundsPtrAccessChain: {
            const Value stepped = step(inst);
            values_[inst.result] = stepped;
            break;
        }
        case OpBitcast:
        case OpCopyObject:
        case OpPtrCastToGeneric:
        case OpGenericCastToPtr:
            if (is_pointer(inst.result) && is_pointer(inst.id(0))) {
                const Value same = value(inst.id(0));
                values_[inst.result] = same;
            } else {
                escape(inst, 0);
            }
            break;
        case OpPhi:
        case OpSelect:  // joined with what it selects from when all is known
            if (is_pointer(inst.result))
                values_[inst.result] = {{add_formula(inst.result, false, block)},
                                        add_set({.is_private = true, .is_unchanging = true})};
            break;
        case OpLoad:
            if (is_pointer(inst.id(0))) value(inst.id(0));
            break;
        case OpPtrEqual:
        case OpPtrNotEqual:
        case OpPtrDiff:
        case OpSizeOf:  // kPointerExtent
        case OpGenericPtrMemSemantics:
        case OpCopyMemory:
        case OpCopyMemorySized:
        case OpGroupAsyncCopy:
        case OpExtInst: break;
        case OpStore: escape(inst, 1); break;
        case OpFunctionCall: escape(inst, 1); break;
        default: escape(inst, is_atomic(inst.op) ? 1 : 0); break;
    }
    if (const Effect effect = facts_.effect(inst); effect != Effect::None && effect != Effect::Load)
        facts_.for_each_written(inst,
                                [&](Id pointer) { sets_[find(value(pointer).set)].is_unchanging = false; });
}

/// The addresses go where they are not followed. Those of constant memory may: it does not change.
void Pointers::escape(const Instruction& inst, size_t first) {
    for (size_t i = first; i < inst.operands.size(); ++i)
        if (inst.operands[i].is_id && is_pointer(inst.id(i)) &&
            builder_.storage(builder_.type_of(inst.id(i))) != spv::StorageClass::UniformConstant)
            unify(value(inst.id(i)).set, 0);
}

/// A phi or a select of pointers.
void Pointers::join(const Instruction& inst) {
    const size_t step = inst.op == OpPhi ? 2 : 1;
    for (size_t i = inst.op == OpPhi ? 0 : 1; i < inst.operands.size(); i += step) {
        const Instruction* constant = builder_.find_global(inst.id(i));
        const bool nowhere = constant && (constant->op == OpConstantNull || constant->op == OpUndef);
        if (!nowhere) unify(value(inst.result).set, value(inst.id(i)).set);
    }
}

std::optional<int64_t> Pointers::constant(Id id) const {
    const auto bits = builder_.constant_value(id);
    if (!bits) return std::nullopt;
    const uint32_t unused = 64 - builder_.width(builder_.type_of(id));
    return static_cast<int64_t>(*bits << unused) >> unused;
}

/// 64-bit sums are exact, as addresses are: a + constant is seen through.
void Pointers::add_index(MemoryPlace& place, Id index, uint64_t stride) {
    auto add = [&](int64_t count) {
        place.offset =
            static_cast<int64_t>(static_cast<uint64_t>(place.offset) + static_cast<uint64_t>(count) * stride);
    };
    if (const auto count = constant(index)) return add(*count);
    uint32_t block = 0;
    if (const auto found = definitions_.find(index); found != definitions_.end()) {
        const Instruction& inst = *found->second.inst;
        block = found->second.block;
        const bool sum = (inst.op == OpIAdd || inst.op == OpISub) && builder_.is_int(inst.type) &&
                         builder_.width(inst.type) == 64;
        if (const auto count = sum ? constant(inst.id(1)) : std::nullopt) {
            add(inst.op == OpIAdd ? *count : -*count);
            index = inst.id(0);
            const auto base = definitions_.find(index);
            block = base == definitions_.end() ? 0 : base->second.block;
        }
    }
    const Formula from = formulas_[place.formula];
    const auto [term, is_new] = terms_.try_emplace({place.formula, index.value, stride}, 0u);
    if (is_new) {
        const bool later = tree_.depth[block] > tree_.depth[from.block];
        term->second =
            add_formula(from.object, from.is_object, later ? block : from.block, from.strides | stride);
    }
    place.formula = term->second;
}

Pointers::Value Pointers::step(const Instruction& inst) {
    const Value base = value(inst.id(0));
    MemoryPlace place = base.place;
    Id type = builder_.pointee(builder_.type_of(inst.id(0)));
    size_t next = 1;
    bool known = true;
    auto index = [&](Id id, Id element) {
        const auto layout = layout_.find(element);
        known &= layout.has_value() && builder_.is_int(builder_.type_of(id));
        if (known) add_index(place, id, layout->size_bytes);
    };
    if (inst.op == OpPtrAccessChain || inst.op == OpInBoundsPtrAccessChain) index(inst.id(next++), type);
    for (; known && next < inst.operands.size(); ++next) {
        if (builder_.op_of_type(type) == OpTypeStruct) {
            const auto member = builder_.constant_value(inst.id(next));
            known &= member.has_value() && layout_.find(type).has_value();
            if (!known) break;
            place.offset += static_cast<int64_t>(layout_.member_offset(type, static_cast<uint32_t>(*member)));
            type = builder_.member(type, static_cast<uint32_t>(*member));
        } else {
            type = builder_.element(type);
            index(inst.id(next), type);
        }
    }
    if (known) return {place, base.set};
    const Formula& from = formulas_[base.place.formula];
    const uint32_t block = definitions_.at(inst.result).block;
    return {{add_formula(from.object, from.is_object, block, from.strides | 1)}, base.set};
}

// ---- Areas ----

uint32_t Pointers::add_set(Set facts) {
    facts.parent = static_cast<uint32_t>(sets_.size());
    sets_.push_back(facts);
    return facts.parent;
}

uint32_t Pointers::find(uint32_t set) const {
    while (sets_[set].parent != set) set = sets_[set].parent = sets_[sets_[set].parent].parent;
    return set;
}

void Pointers::unify(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return;
    if (b < a) std::swap(a, b);  // kAnywhere stays the root of its tree
    sets_[b].parent = a;
    sets_[a].is_private &= sets_[b].is_private;
    sets_[a].is_unchanging &= sets_[b].is_unchanging;
}

void Pointers::number_areas() {
    private_ = {false, false};
    area_of_set_.assign(sets_.size(), kAnywhere);
    for (uint32_t set = 1; set < sets_.size(); ++set) {
        if (find(set) != set) continue;
        if (sets_[set].is_unchanging) {
            area_of_set_[set] = kUnchanging;
        } else if (private_.size() < kMaxAreas) {
            area_of_set_[set] = areas();
            private_.push_back(sets_[set].is_private);
        }
    }
}

uint32_t Pointers::area(Id pointer) const {
    const auto found = values_.find(pointer);
    return found == values_.end() ? kAnywhere : area_of_set_[find(found->second.set)];
}

MemoryPlace Pointers::place(Id pointer) const { return values_.at(pointer).place; }

bool Pointers::disjoint(MemoryPlace a, uint64_t a_bytes, MemoryPlace b, uint64_t b_bytes) const {
    if (a.formula != b.formula) {
        const Formula &from = formulas_[a.formula], &other = formulas_[b.formula];
        return from.is_object && other.is_object && from.object != other.object;
    }
    const uint64_t ahead = static_cast<uint64_t>(b.offset) - static_cast<uint64_t>(a.offset);
    return ahead >= a_bytes && uint64_t{0} - ahead >= b_bytes;
}

}  // namespace caldera::vulkan
