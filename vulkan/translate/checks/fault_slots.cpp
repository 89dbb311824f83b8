// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/fault_slots.h"

#include <algorithm>
#include <utility>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"

namespace caldera::vulkan {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

Id FaultSlots::variable(Id type) {
    const spirv::SinkScope sink(builder_, &variables_);
    return builder_.append(Op::OpVariable, builder_.type_pointer(spv::StorageClass::Function, type),
                           {static_cast<uint32_t>(spv::StorageClass::Function)});
}

void FaultSlots::add(Id is_fault, Id site, const FaultDetails& details) {
    const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
    const auto is_kept = [&](Id value) { return value && !builder_.constant_value(value); };
    Slot slot{.site = site, .details = details, .count = variable(u32)};
    if (is_kept(details.address)) slot.address = variable(builder_.type_of(details.address));
    if (details.object_varies && is_kept(details.begin)) slot.begin = variable(u64);
    if (details.object_varies && is_kept(details.size)) slot.size = variable(u64);
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
    slots_.push_back(slot);
}

/// Where no fault has been counted, the next one may be the first.
void FaultSlots::keep_first(Id is_first, Id variable, Id value) {
    if (!variable) return;
    const Id type = builder_.type_of(value), old = builder_.append(Op::OpLoad, type, {variable});
    builder_.append_void(Op::OpStore,
                         {variable, builder_.append(Op::OpSelect, type, {is_first, value, old})});
}

void FaultSlots::finish(Function& function, const Record& record) {
    if (slots_.empty()) return;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        spirv::Block& block = function.blocks[b];
        const Op end = block.terminator.op;
        if (end != Op::OpReturn && end != Op::OpReturnValue) continue;
        const spirv::SinkScope sink(builder_, &block.body);
        flush(reaching(function, b), record);
    }
    std::vector<Instruction> zeros;
    {
        const spirv::SinkScope sink(builder_, &zeros);
        for (const Instruction& variable : variables_)
            builder_.append_void(
                Op::OpStore, {variable.result, builder_.constant_int(builder_.pointee(variable.type), 0)});
    }
    function.insert_at_entry(std::move(zeros));
    std::vector<Instruction>& entry = function.blocks.front().body;
    entry.insert(entry.begin(), std::make_move_iterator(variables_.begin()),
                 std::make_move_iterator(variables_.end()));
    slots_.clear();
    variables_.clear();
}

/// The slots that may have a fault at the end of a block.
std::vector<size_t> FaultSlots::reaching(const Function& function, uint32_t block) const {
    const spirv::Cfg cfg = spirv::build_cfg(function);
    std::vector<bool> is_before(function.blocks.size());
    for (const uint32_t b : spirv::reverse_post_order(cfg.predecessors, block)) is_before[b] = true;
    spirv::IdSet stored;
    for (uint32_t b = 0; b < function.blocks.size(); ++b)
        for (const Instruction& inst : function.blocks[b].body)
            if (is_before[b] && inst.op == Op::OpStore) stored.insert(inst.id(0));
    std::vector<size_t> slots;
    for (size_t i = 0; i < slots_.size(); ++i)
        if (stored.contains(slots_[i].count)) slots.push_back(i);
    return slots;
}

void FaultSlots::flush(const std::vector<size_t>& slots, const Record& record) {
    for (size_t first = 0; first < slots.size(); first += kPlaces) {
        const size_t count = std::min(slots.size() - first, kPlaces);
        std::array<std::array<Id, 6>, kPlaces> places;
        for (size_t i = 0; i < kPlaces; ++i)
            if (i < count || count > kFewPlaces)
                places[i] = parts_of(i < count ? slots_[slots[first + i]] : Slot{});
        if (count <= kFewPlaces) {
            for (size_t i = 0; i < count; ++i) record(places[i]);
            continue;
        }
        std::array<Id, 6> vectors;
        for (size_t part = 0; part < vectors.size(); ++part) {
            const Id type = builder_.type_vector(builder_.type_of(places[0][part]), kPlaces);
            spirv::Operands values;
            for (const std::array<Id, 6>& place : places) values.push_back(place[part]);
            vectors[part] = builder_.append(Op::OpCompositeConstruct, type, std::move(values));
        }
        record(vectors);
    }
}

std::array<Id, 6> FaultSlots::parts_of(const Slot& slot) {
    const Id u32 = builder_.type_int(32), none = builder_.constant_u32(0);
    return {slot.site ? slot.site : none,
            slot.count ? builder_.append(Op::OpLoad, u32, {slot.count}) : none,
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
