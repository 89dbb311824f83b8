// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/fault_slots.h"

#include <algorithm>
#include <utility>

#include "spirv/sink_scope.h"
#include "vulkan/translate/checks/calls.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::IdMap;
using spirv::Instruction;
using spv::Op;

/// A function has slots if kernels alone that nothing calls lead to it: what else something names may be
/// called where nobody records.
FaultSlots::FaultSlots(spirv::Builder& builder) : builder_(builder) {
    const spirv::Module& module = builder.module();
    CallGraph graph(module);
    for (const Function& function : module.functions)
        for (const uint32_t callee : graph.callees(graph.index_of(function.id())))
            called_.insert(module.functions[callee].id());
    spirv::IdSet kernels;
    for (const Instruction& entry : module.entry_points)
        if (!called_.contains(entry.id(1)) && kernels.insert(entry.id(1)))
            for (const uint32_t reached : graph.functions(entry.id(1)))
                kernels_[module.functions[reached].id()].push_back(entry.id(1));
    const spirv::IdSet named = named_elsewhere(module);
    for (const Function& function : module.functions)
        if (named.contains(function.id()) && !kernels.contains(function.id()))
            for (const uint32_t reached : graph.functions(function.id()))
                kernels_[module.functions[reached].id()].clear();
}

void FaultSlots::begin(const Function& function) { function_ = function.id(); }

bool FaultSlots::has_room() const {
    const auto kernels = kernels_.find(function_);
    return kernels != kernels_.end() && !kernels->second.empty() &&
           std::ranges::all_of(kernels->second, [&](Id kernel) {
               const auto count = counts_.find(kernel);
               return count == counts_.end() || count->second < kMostSlots;
           });
}

Id FaultSlots::variable(Id type) {
    return builder_.variable(spv::StorageClass::Private, type, builder_.constant_int(type, 0));
}

void FaultSlots::add(Id is_fault, Id site, const FaultDetails& details) {
    const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
    const bool object_varies = details.object_varies || called_.contains(function_);
    const auto is_kept = [&](Id value) { return value && !builder_.constant_value(value); };
    Slot slot{.site = site, .details = details, .count = variable(u32)};
    if (is_kept(details.address)) slot.address = variable(builder_.type_of(details.address));
    if (object_varies && is_kept(details.begin)) slot.begin = variable(u64);
    if (object_varies && is_kept(details.size)) slot.size = variable(u64);
    if (is_kept(details.other)) slot.other = variable(u64);

    const Id count = builder_.append(Op::OpLoad, u32, {slot.count}),
             is_first =
                 builder_.append(Op::OpIEqual, builder_.type_bool(), {count, builder_.constant_u32(0)}),
             one = builder_.append(Op::OpSelect, u32,
                                   {is_fault, builder_.constant_u32(1), builder_.constant_u32(0)});
    builder_.append_void(Op::OpStore, {slot.count, builder_.append(Op::OpIAdd, u32, {count, one})});
    keep_first(is_first, slot.address, details.address);
    keep_first(is_first, slot.begin, details.begin);
    keep_first(is_first, slot.size, details.size);
    keep_first(is_first, slot.other, details.other);
    slots_[function_].push_back(slot);
    for (const Id kernel : kernels_[function_]) ++counts_[kernel];
}

/// Where no fault has been counted, the next one may be the first.
void FaultSlots::keep_first(Id is_first, Id variable, Id value) {
    if (!variable) return;
    const Id type = builder_.type_of(value), old = builder_.append(Op::OpLoad, type, {variable});
    builder_.append_void(Op::OpStore,
                         {variable, builder_.append(Op::OpSelect, type, {is_first, value, old})});
}

void FaultSlots::finish(const Record& record) {
    if (slots_.empty()) return;
    spirv::Module& module = builder_.module();
    CallGraph graph(module);
    IdMap<std::vector<Id>> callees;  // functions with slots that a function is, or calls
    for (const Function& function : module.functions)
        for (const uint32_t reached : graph.functions(function.id()))
            if (slots_.contains(module.functions[reached].id()))
                callees[function.id()].push_back(module.functions[reached].id());
    for (Function& function : module.functions)
        if (!function.blocks.empty() && counts_.contains(function.id())) finish(function, callees, record);
}

/// Several returns share the code that records.
void FaultSlots::finish(Function& kernel, const IdMap<std::vector<Id>>& callees, const Record& record) {
    const spirv::Cfg cfg = spirv::build_cfg(kernel);
    std::vector<uint32_t> returns;
    Slots slots;
    for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
        if (kernel.blocks[b].terminator.op != Op::OpReturn) continue;
        const Slots here = reaching(kernel, cfg, b, callees);
        if (here.empty()) continue;
        returns.push_back(b);
        for (const Slot* const slot : here)
            if (std::ranges::find(slots, slot) == slots.end()) slots.push_back(slot);
    }
    if (returns.empty()) return;
    uint32_t last = returns.front();
    if (returns.size() > 1) {
        Block block{.label = builder_.fresh(), .terminator = kernel.blocks[last].terminator};
        for (const uint32_t b : returns)
            kernel.blocks[b].terminator = {
                .op = Op::OpBranch, .operands = {block.label}, .line = kernel.blocks[b].terminator.line};
        last = static_cast<uint32_t>(kernel.blocks.size());
        kernel.blocks.push_back(std::move(block));
    }
    flush(kernel, last, slots, record);
}

/// The slots that may have a fault at the end of a block.
FaultSlots::Slots FaultSlots::reaching(const Function& kernel, const spirv::Cfg& cfg, uint32_t block,
                                       const IdMap<std::vector<Id>>& callees) const {
    spirv::IdSet stored, called;
    for (const uint32_t b : spirv::reverse_post_order(cfg.predecessors, block))
        for (const Instruction& inst : kernel.blocks[b].body) {
            if (inst.op == Op::OpStore) stored.insert(inst.id(0));
            if (inst.op != Op::OpFunctionCall) continue;
            if (const auto found = callees.find(inst.id(0)); found != callees.end())
                for (const Id callee : found->second) called.insert(callee);
        }
    Slots slots;
    for (const Function& function : builder_.module().functions) {
        const auto own = slots_.find(function.id());
        if (own == slots_.end() || (function.id() != kernel.id() && !called.contains(function.id())))
            continue;
        for (const Slot& slot : own->second)
            if (function.id() != kernel.id() || stored.contains(slot.count)) slots.push_back(&slot);
    }
    return slots;
}

/// The block, which returns, goes through the places that have a fault. The first turn already records one:
/// it is the only turn on llvmpipe where the kernel's loops have had their jumps (driver_quirks.def:
/// ends_long_loops).
void FaultSlots::flush(Function& kernel, uint32_t block, const Slots& slots, const Record& record) {
    std::vector<std::array<Id, 6>> places;
    {
        const spirv::SinkScope sink(builder_, &kernel.blocks[block].body);
        for (const Slot* const slot : slots) places.push_back(parts_of(*slot));
        if (slots.size() <= kFewPlaces) {
            for (const std::array<Id, 6>& place : places) record(place);
            return;
        }
    }
    const Id u32 = builder_.type_int(32), boolean = builder_.type_bool(),
             all = builder_.constant_u32(static_cast<uint32_t>(slots.size()));
    Block header{.label = builder_.fresh()}, test{.label = builder_.fresh()},
        inside{.label = builder_.fresh()}, next{.label = builder_.fresh()}, end{.label = builder_.fresh()};
    end.terminator =
        std::exchange(kernel.blocks[block].terminator, {.op = Op::OpBranch, .operands = {header.label}});
    const Id number = builder_.fresh();
    std::vector<Id> has_fault;
    Id first = {}, following = {};
    {
        const spirv::SinkScope sink(builder_, &kernel.blocks[block].body);
        for (const std::array<Id, 6>& place : places)
            has_fault.push_back(
                builder_.append(Op::OpINotEqual, boolean, {place[1], builder_.constant_u32(0)}));
        first = first_of(has_fault);
    }
    {
        const spirv::SinkScope sink(builder_, &next.body);
        std::vector<Id> is_left;
        for (uint32_t i = 0; i < places.size(); ++i) {
            const Id is_behind =
                builder_.append(Op::OpUGreaterThan, boolean, {builder_.constant_u32(i), number});
            is_left.push_back(builder_.append(Op::OpLogicalAnd, boolean, {has_fault[i], is_behind}));
        }
        following = first_of(is_left);
        next.terminator = {.op = Op::OpBranch, .operands = {header.label}};
    }
    header.body.push_back({.op = Op::OpPhi,
                           .type = u32,
                           .result = number,
                           .operands = {first, kernel.blocks[block].label, following, next.label}});
    header.merge = {
        .op = Op::OpLoopMerge,
        .operands = {end.label, next.label, static_cast<uint32_t>(spv::LoopControlMask::DontUnroll)}};
    header.terminator = {.op = Op::OpBranch, .operands = {test.label}};
    {
        const spirv::SinkScope sink(builder_, &test.body);
        const Id is_left = builder_.append(Op::OpULessThan, boolean, {number, all});
        test.terminator = {.op = Op::OpBranchConditional, .operands = {is_left, inside.label, end.label}};
    }
    {
        const spirv::SinkScope sink(builder_, &inside.body);
        std::vector<Id> is_place;
        for (uint32_t i = 0; i < places.size(); ++i)
            is_place.push_back(builder_.append(Op::OpIEqual, boolean, {number, builder_.constant_u32(i)}));
        std::array<Id, 6> place;
        for (size_t part = 0; part < place.size(); ++part)
            place[part] = chosen(places, part, is_place, number);
        record(place);
        inside.terminator = {.op = Op::OpBranch, .operands = {next.label}};
    }
    const auto behind = kernel.blocks.begin() + block + 1;
    std::array<Block, 5> made = {std::move(header), std::move(test), std::move(inside), std::move(next),
                                 std::move(end)};
    kernel.blocks.insert(behind, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

/// The number of the first that is true, or how many there are.
Id FaultSlots::first_of(const std::vector<Id>& conditions) {
    Id first = builder_.constant_u32(static_cast<uint32_t>(conditions.size()));
    for (uint32_t i = static_cast<uint32_t>(conditions.size()); i-- > 0;)
        first = builder_.append(Op::OpSelect, builder_.type_int(32),
                                {conditions[i], builder_.constant_u32(i), first});
    return first;
}

/// A part of the place with that number.
Id FaultSlots::chosen(const std::vector<std::array<Id, 6>>& places, size_t part,
                      const std::vector<Id>& is_place, Id number) {
    const auto value = [&](size_t i) { return builder_.constant_value(places[i][part]); };
    bool are_consecutive = part == 0;
    for (size_t i = 1; i < places.size() && are_consecutive; ++i)
        are_consecutive = value(i) && value(0) && *value(i) == *value(0) + i;
    Id choice = places[0][part];
    const Id type = builder_.type_of(choice);
    if (are_consecutive) return builder_.append(Op::OpIAdd, type, {choice, number});
    for (size_t i = 1; i < places.size(); ++i)
        if (places[i][part] != choice)
            choice = builder_.append(Op::OpSelect, type, {is_place[i], places[i][part], choice});
    return choice;
}

std::array<Id, 6> FaultSlots::parts_of(const Slot& slot) {
    return {slot.site,
            builder_.append(Op::OpLoad, builder_.type_int(32), {slot.count}),
            address_of(slot),
            read(slot.begin, slot.details.begin),
            read(slot.size, slot.details.size),
            read(slot.other, slot.details.other)};
}

/// What a variable of 64 bits has, or the value that needs none.
Id FaultSlots::read(Id variable, Id fixed) {
    if (variable) return builder_.append(Op::OpLoad, builder_.type_int(64), {variable});
    return fixed ? fixed : builder_.constant_u64(0);
}

Id FaultSlots::address_of(const Slot& slot) {
    Id address = slot.details.address;
    if (!address) return builder_.constant_u64(0);
    if (slot.address) address = builder_.append(Op::OpLoad, builder_.type_of(address), {slot.address});
    return extended(builder_, address, slot.details);
}

Id extended(spirv::Builder& builder, Id value, const FaultDetails& details) {
    const Id u64 = builder.type_int(64);
    if (builder.type_of(value) != u64) value = builder.append(Op::OpSConvert, u64, {value});
    if (details.scale != 1)
        value = builder.append(Op::OpIMul, u64, {value, builder.constant_u64(details.scale)});
    if (details.bias != 0)
        value = builder.append(Op::OpIAdd, u64, {value, builder.constant_u64(details.bias)});
    return value;
}

}  // namespace caldera::vulkan
