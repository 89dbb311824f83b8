// SPDX-License-Identifier: Apache-2.0
// Private and local memory: accesses elements of a region's array, or parts of its words.
#include <algorithm>
#include <bit>

#include "spirv/support/check.h"
#include "vulkan/translate/memory/access.h"

namespace caldera::vulkan::memory {

/// The index, or that of the spare element if it is outside. `is_inside` stays empty if no test is needed.
Id Emitter::guarded_index(const Region& region, Id index, Id& is_inside) {
    if (!regions_.guards(region)) return index;
    const std::optional<uint64_t> known = builder_.constant_value(index),
                                  length = builder_.constant_value(region.length);
    if (known && length && *known < *length) return index;
    is_inside = op(spv::Op::OpULessThan, builder_.type_bool(), {index, region.length});
    return op(spv::Op::OpSelect, type_uint(32),
              {is_inside, index, region.has_spare ? region.length : builder_.constant_u32(0)});
}

/// Keeps under which condition the slot is the wanted element.
void Emitter::guard_slot(const Region& region, Id slot, Id is_inside) {
    guards_[slot] = is_inside;
    if (!region.has_spare) unspared_[slot] = is_inside;
}

/// What was loaded from a slot, or zeros if its index was outside.
Id Emitter::zero_outside(Id slot, Id value) {
    const auto found = guards_.find(slot);
    if (found == guards_.end()) return value;
    const Id type = builder_.type_of(value);
    Id is_inside = found->second;
    if (const uint32_t count = builder_.count(type); count > 1) {
        Operands parts;
        for (uint32_t i = 0; i < count; ++i) parts.push_back(is_inside);
        is_inside =
            op(spv::Op::OpCompositeConstruct, builder_.type_vector(builder_.type_bool(), count), parts);
    }
    return op(spv::Op::OpSelect, type, {is_inside, value, builder_.constant_null(type)});
}

/// An element of the region's block. Beside guards, one outside of the region is the spare one.
Id Emitter::block_slot(const Region& region, Id type, Id index) {
    const LocalBlock& block = *region.block;
    if (!regions_.guards(region)) return local_views_.element(block, type, index);
    const uint32_t bytes = builder_.width(type) / 8 * builder_.count(type);
    const Id begin = quotient(region.begin, bytes, builder_);
    // Rounded up: a vector whose first components are inside is. Blocks have room for the others.
    const Id length = quotient(
        rounded_up(product(region.length, region.unit_bytes(), builder_), bytes, builder_), bytes, builder_);
    const auto known = builder_.constant_value(index), first = builder_.constant_value(begin),
               count = builder_.constant_value(length);
    if (known && first && count && *known >= *first && *known - *first < *count)
        return local_views_.element(block, type, index);
    const Id u32 = type_uint(32);
    const Id inner = first == 0 ? index : op(spv::Op::OpISub, u32, {index, begin});
    const Id is_inside = op(spv::Op::OpULessThan, builder_.type_bool(), {inner, length});
    const Id spare = region.has_spare ? local_views_.length(block, type) : builder_.constant_u32(0);
    const Id slot = local_views_.element(block, type, op(spv::Op::OpSelect, u32, {is_inside, index, spare}));
    guard_slot(region, slot, is_inside);
    return slot;
}

Id Emitter::region_slot(const Region& region, Id index, Id component) {
    Id is_inside;
    index = guarded_index(region, index, is_inside);
    const Id slot =
        region.in_buffer ? buffer_slot(region, index, component) : array_slot(region, index, component);
    if (is_inside) guard_slot(region, slot, is_inside);
    return slot;
}

Id Emitter::array_slot(const Region& region, Id index, Id component) {
    const bool whole = !component;
    const Id type = builder_.with_count(region.scalar_type, whole ? region.components : 1);
    Operands operands = {region.variable, index};
    if (!whole) operands.push_back(component);
    return op(spv::Op::OpAccessChain, builder_.type_pointer(region.storage(), type), std::move(operands));
}

/// The whole unit at `offset`.
Id Emitter::unit_slot(Place& place, int64_t offset) {
    return region_slot(*place.region, unit_index(place, offset, place.region->unit_bytes()), {});
}

/// One scalar of a typed region.
Id Emitter::scalar_slot(Place& place, int64_t offset) {
    const Region& region = *place.region;
    if (region.components == 1) return unit_slot(place, offset);
    const uint32_t unit = region.unit_bytes();
    const int64_t constant = place.address.constant + offset;
    if (place.root_is_aligned && divisible(place, unit)) {
        const int64_t inside = constant & int64_t{unit - 1};
        const Id component = builder_.constant_u32(static_cast<uint32_t>(inside) / region.scalar_bytes);
        return region_slot(region, unit_index(place, offset - inside, unit), component);
    }
    const Id scalar = unit_index(place, offset, region.scalar_bytes);
    const Id u32 = type_uint(32);
    const Id shift = builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(region.components)));
    const Id index = op(spv::Op::OpShiftRightLogical, u32, {scalar, shift});
    return region_slot(
        region, index,
        op(spv::Op::OpBitwiseAnd, u32, {scalar, builder_.constant_u32(region.components - 1)}));
}

Id Emitter::plain_load(const Place& place, Id type, Id slot) {
    Operands operands = {slot};
    for (const Operand& operand : slot_operands(place, type)) operands.push_back(operand);
    return zero_outside(slot, op(spv::Op::OpLoad, type, std::move(operands)));
}

void Emitter::plain_store(const Place& place, Id slot, Id value) {
    Operands operands = {slot, value};
    for (const Operand& operand : slot_operands(place, builder_.type_of(value))) operands.push_back(operand);
    builder_.append_void(spv::Op::OpStore, std::move(operands));
}

// ---- Typed arrays ----

Id Emitter::load_region(Place& place, Id type, int64_t offset) {
    const Region& region = *place.region;
    if (region.block) return load_global(place, type, offset);
    const Id scalar = memory_scalar(type);
    const uint32_t bits = builder_.width(scalar), count = count_of(type);
    std::vector<Id> parts;
    if (!region.words && region.components > 1 && count > 1) {
        const Id unit_type = builder_.with_count(region.scalar_type, region.components);
        for (uint32_t i = 0; i < count; i += region.components) {
            const Id unit = plain_load(place, unit_type, unit_slot(place, offset + int64_t{i} * (bits / 8)));
            const Id typed = bitcast(builder_.with_count(scalar, region.components), unit);
            if (count == region.components) return typed;
            if (count < region.components) {
                Operands operands = {typed, typed};
                for (uint32_t j = 0; j < count; ++j) operands.push_back(j);
                return op(spv::Op::OpVectorShuffle, type, std::move(operands));
            }
            parts.push_back(typed);
        }
        return compose(type, parts);
    }
    for (uint32_t i = 0; i < count; ++i)
        parts.push_back(bitcast(scalar, load_region_scalar(place, offset + int64_t{i} * (bits / 8), bits)));
    return compose(type, parts);
}

void Emitter::store_region(Place& place, Id type, Id value, int64_t offset) {
    const Region& region = *place.region;
    if (region.block) return store_global(place, type, value, offset);
    const Id scalar = memory_scalar(type);
    const uint32_t bits = builder_.width(scalar), count = count_of(type);
    if (!region.words && region.components > 1 && count % region.components == 0) {
        const Id unit_type = builder_.with_count(region.scalar_type, region.components);
        for (uint32_t i = 0; i < count; i += region.components) {
            const Id part = components(value, type, i, region.components);
            plain_store(place, unit_slot(place, offset + int64_t{i} * (bits / 8)), bitcast(unit_type, part));
        }
        return;
    }
    // Three components: the fourth may be another work-item's.
    for (uint32_t i = 0; i < count; ++i)
        store_region_scalar(place, offset + int64_t{i} * (bits / 8), bits, component(value, type, i));
}

/// A scalar, as the array's type when it is typed and as an integer when it is words.
Id Emitter::load_region_scalar(Place& place, int64_t offset, uint32_t bits) {
    const Region& region = *place.region;
    if (region.words) return load_word_bits(place, offset, bits);
    check(bits == region.scalar_bytes * 8, "an access does not fit its typed region");
    return plain_load(place, region.scalar_type, scalar_slot(place, offset));
}

void Emitter::store_region_scalar(Place& place, int64_t offset, uint32_t bits, Id value) {
    const Region& region = *place.region;
    if (region.words) return store_word_bits(place, offset, bits, bitcast(type_uint(bits), value));
    check(bits == region.scalar_bytes * 8, "an access does not fit its typed region");
    const Id slot = scalar_slot(place, offset);
    plain_store(place, slot, bitcast(region.scalar_type, value));
}

Id Emitter::load_region_bits(Place& place, int64_t offset, uint32_t bits) {
    if (place.region->block) return load_global_bits(place, offset, bits);
    const uint32_t unit = place.region->words ? bits : place.region->scalar_bytes * 8;
    if (bits <= unit) return bitcast(type_uint(bits), load_region_scalar(place, offset, bits));
    const Id low = load_region_bits(place, offset, bits / 2);
    return join(low, load_region_bits(place, offset + bits / 16, bits / 2), bits);
}

void Emitter::store_region_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    if (place.region->block) return store_global_bits(place, offset, bits, value);
    const uint32_t unit = place.region->words ? bits : place.region->scalar_bytes * 8;
    if (bits <= unit) return store_region_scalar(place, offset, bits, value);
    const auto [low, high] = split(value, bits);
    store_region_bits(place, offset, bits / 2, low);
    store_region_bits(place, offset + bits / 16, bits / 2, high);
}

// ---- Words ----

Emitter::Word Emitter::word_at(Place& place, int64_t offset) {
    const Region& region = *place.region;
    const uint32_t unit = region.unit_bytes();
    const Id u32 = type_uint(32);
    const int64_t constant = place.address.constant + offset;
    if (place.root_is_aligned && divisible(place, unit)) {
        const int64_t inside = constant & int64_t{unit - 1};
        return {region_slot(region, unit_index(place, offset - inside, unit), {}),
                builder_.constant_u32(static_cast<uint32_t>(inside) * 8)};
    }
    const Id bytes = byte_offset(place, offset);
    const Id shift = builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(unit)));
    const Id index = op(spv::Op::OpShiftRightLogical, u32, {bytes, shift});
    const Id inside = op(spv::Op::OpBitwiseAnd, u32, {bytes, builder_.constant_u32(unit - 1)});
    return {region_slot(region, index, {}),
            op(spv::Op::OpShiftLeftLogical, u32, {inside, builder_.constant_u32(3)})};
}

/// Words are u32, or u64 where 64-bit atomics need them.
Id Emitter::load_word_bits(Place& place, int64_t offset, uint32_t bits) {
    const uint32_t word_bits = place.region->scalar_bytes * 8;
    if (bits > 8 && (bits > word_bits || alignment_at(place, offset) * 8 < bits)) {
        const Id low = load_word_bits(place, offset, bits / 2);
        return join(low, load_word_bits(place, offset + bits / 16, bits / 2), bits);
    }
    const Id word_type = place.region->scalar_type;
    if (bits == word_bits) return plain_load(place, word_type, unit_slot(place, offset));
    const Word word = word_at(place, offset);
    const Id value = shared_word(place, word.slot);
    const Id shifted = op(spv::Op::OpShiftRightLogical, word_type, {value, word.shift});
    return op(spv::Op::OpUConvert, type_uint(bits), {shifted});
}

void Emitter::store_word_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    const uint32_t word_bits = place.region->scalar_bytes * 8;
    if (bits > 8 && (bits > word_bits || alignment_at(place, offset) * 8 < bits)) {
        const auto [low, high] = split(value, bits);
        store_word_bits(place, offset, bits / 2, low);
        store_word_bits(place, offset + bits / 16, bits / 2, high);
        return;
    }
    if (bits == word_bits)
        plain_store(place, unit_slot(place, offset), value);
    else
        insert_bits(place, offset, bits, value);
}

/// A word of which other work-items may change other parts at the same time.
Id Emitter::shared_word(const Place& place, Id slot) {
    if (place.space == Space::Private) return plain_load(place, place.region->scalar_type, slot);
    const Id scope = builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
    return zero_outside(
        slot, op(spv::Op::OpAtomicLoad, place.region->scalar_type, {slot, scope, builder_.constant_u32(0)}));
}

/// Writes the bits of `mask` in a word while other work-items may write its other bits. Work-items that write
/// the same values to the same bits, as kernels do with flags, do not disturb each other, although this is a
/// race. A reader sees the old or the new value.
void Emitter::replace_bits(Id type, Id slot, spv::Scope scope, Id mask, Id bits) {
    const Id scope_id = builder_.constant_u32(static_cast<uint32_t>(scope)),
             relaxed = builder_.constant_u32(0);
    const Id kept = op(spv::Op::OpBitwiseOr, type, {op(spv::Op::OpNot, type, {mask}), bits});
    op(spv::Op::OpAtomicAnd, type, {slot, scope_id, relaxed, kept});
    op(spv::Op::OpAtomicOr, type, {slot, scope_id, relaxed, bits});
}

/// Writes part of a word.
void Emitter::insert_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    const Id type = place.region->scalar_type;
    const Word word = word_at(place, offset);
    const Id wide =
        op(spv::Op::OpShiftLeftLogical, type, {op(spv::Op::OpUConvert, type, {value}), word.shift});
    const Id ones = builder_.constant_int(type, (uint64_t{1} << bits) - 1);
    const Id mask = op(spv::Op::OpShiftLeftLogical, type, {ones, word.shift});
    if (place.space != Space::Private)
        return replace_bits(type, word.slot, spv::Scope::Workgroup, mask, wide);
    const Id old = plain_load(place, type, word.slot);
    const Id rest = op(spv::Op::OpBitwiseAnd, type, {old, op(spv::Op::OpNot, type, {mask})});
    plain_store(place, word.slot, op(spv::Op::OpBitwiseOr, type, {rest, wide}));
}

}  // namespace caldera::vulkan::memory
