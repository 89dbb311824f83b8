// SPDX-License-Identifier: Apache-2.0
// Global and constant memory: physical pointers made at the access, with an alignment that is always true.
// With descriptors: elements of a storage buffer, viewed as an array of the accessed type. Blocks of local
// memory are viewed as such arrays too.
#include <algorithm>
#include <bit>

#include "spirv/support/check.h"
#include "vulkan/translate/memory/access.h"

namespace caldera::vulkan::memory {

/// Constant memory whose value is unknown is accessed like any other memory.
void Emitter::settle(Place& place) {
    if (!place.variable) return;
    if (place.region) {
        place.variable_bytes = 0;
    } else if (place.window) {
        place.address.add(static_cast<int64_t>(data_.place(place.variable)));
    } else {
        place.pointer = pointer_value(place.pointer);
        place.address = {};
    }
    place.variable = {};
}

Id Emitter::global_pointer(Place& place, Id type, int64_t offset) {
    settle(place);
    if (place.is_offset()) {
        const uint32_t bytes = builder_.width(type) / 8 * builder_.count(type);
        const Id index = unit_index(place, offset, bytes);
        return place.region ? block_slot(*place.region, type, index)
                            : views_.element(place.window, type, index);
    }
    if (place.base && place.address.constant + offset >= 0)
        if (const Id pointer = offset_pointer(place, type, offset)) return pointer;
    return op(spv::Op::OpConvertUToPtr, builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type),
              {add(place.pointer, offset)});
}

/// By an offset of 32 bits, for compilers to which the sum is slow (driver_quirks.def). None if the access is
/// not to an element of an array of the type.
Id Emitter::offset_pointer(Place& place, Id type, int64_t offset) {
    const Id pointer = builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type);
    if (!profile_.quirks.slow_without_chains) {
        const Id start = add(place.base, place.address.constant + offset), u64 = type_uint(64);
        const Id bytes = byte_offset(place, -place.address.constant);
        const Id address = op(spv::Op::OpIAdd, u64, {start, op(spv::Op::OpUConvert, u64, {bytes})});
        return op(spv::Op::OpConvertUToPtr, pointer, {address});
    }
    const uint32_t bytes = builder_.width(type) / 8 * builder_.count(type);
    if (!std::has_single_bit(bytes) || alignment_at(place, offset) < bytes) return {};
    const Id index = unit_index(place, offset, bytes);
    const Id block = builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, views_.block(type));
    const Id start = op(spv::Op::OpConvertUToPtr, block, {place.base});
    return op(spv::Op::OpAccessChain, pointer, {start, builder_.constant_u32(0), index});
}

// ---- One access ----

/// How many of the next components one access takes: elements of buffers are as aligned as they are large.
uint32_t Emitter::global_chunk(const Place& place, uint32_t count, uint32_t bytes, uint64_t alignment) const {
    if (bytes == 8 && !profile_.int64) return 1;
    if (!place.is_offset()) return std::min(count, 4u);
    if (place.window == kTableWindow || (place.region && profile_.quirks.crashes_at_local_vectors)) return 1;
    if (count >= 4 && alignment >= uint64_t{4} * bytes) return 4;
    return count >= 2 && alignment >= uint64_t{2} * bytes ? 2 : 1;
}

/// The type of the value in memory: buffers and blocks are arrays of integers, emulated doubles are integers,
/// and 64-bit integers may not exist.
Id Emitter::stored_type(const Place& place, Id type) {
    const uint32_t width = builder_.width(type);
    const bool is_integer = builder_.is_int(scalar_of(type)) || (width == 64 && profile_.emulated_float64);
    if (!place.is_offset() && !is_integer) return type;
    if (width == 64 && !profile_.int64) return builder_.type_vector(type_uint(32), 2);
    return builder_.with_element(type, type_uint(width));
}

/// A scalar or vector that is aligned to its components.
Id Emitter::load_global_unit(Place& place, Id type, int64_t offset) {
    const uint64_t alignment = alignment_at(place, offset);
    const Id stored = stored_type(place, type);
    Operands operands = {global_pointer(place, stored, offset)};
    for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
    const Id slot = operands[0].id();
    return bitcast(type, zero_outside(slot, op(spv::Op::OpLoad, stored, std::move(operands))));
}

void Emitter::store_global_unit(Place& place, Id type, Id value, int64_t offset) {
    const uint64_t alignment = alignment_at(place, offset);
    const Id stored = stored_type(place, type);
    Operands operands = {global_pointer(place, stored, offset), bitcast(stored, value)};
    for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
    builder_.append_void(spv::Op::OpStore, std::move(operands));
}

// ---- Parts of words, for atomic operations and on devices without 8- or 16-bit storage ----

/// Whether memory can be accessed in integers (and halves) of this width.
bool Emitter::has_global_width(const Place& place, uint32_t bits) const {
    if (bits >= 32 || place.region) return true;
    return profile_.int8 && profile_.int16 && (bits == 8 ? profile_.storage_8bit : profile_.storage_16bit);
}

Emitter::Word Emitter::global_word(Place& place, int64_t offset) {
    settle(place);
    const Id u32 = type_uint(32);
    const int64_t inside = offset & 3;
    if (alignment_at(place, offset - inside) >= 4)
        return {global_pointer(place, u32, offset - inside),
                builder_.constant_u32(static_cast<uint32_t>(inside) * 8)};
    const Id address = place.is_offset() ? byte_offset(place, offset) : add(place.pointer, offset);
    const Id low = place.is_offset() ? address : low_half(address);
    const Id bytes = op(spv::Op::OpBitwiseAnd, u32, {low, builder_.constant_u32(3)});
    const Id shift = op(spv::Op::OpShiftLeftLogical, u32, {bytes, builder_.constant_u32(3)});
    if (place.is_offset()) {
        const Id index = op(spv::Op::OpShiftRightLogical, u32, {address, builder_.constant_u32(2)});
        return {
            place.region ? block_slot(*place.region, u32, index) : views_.element(place.window, u32, index),
            shift};
    }
    const Id u64 = type_uint(64);
    const Id aligned = op(spv::Op::OpBitwiseAnd, u64, {address, builder_.constant_u64(~uint64_t{3})});
    const Id type = builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, u32);
    return {op(spv::Op::OpConvertUToPtr, type, {aligned}), shift};
}

Id Emitter::load_global_part(Place& place, int64_t offset, uint32_t bits) {
    const Word word = global_word(place, offset);
    Operands operands = {word.slot};
    for (const Operand& operand : access_operands(place, 4)) operands.push_back(operand);
    const Id value = op(spv::Op::OpLoad, type_uint(32), std::move(operands));
    return op(spv::Op::OpUConvert, type_uint(bits),
              {op(spv::Op::OpShiftRightLogical, type_uint(32), {value, word.shift})});
}

void Emitter::store_global_part(Place& place, int64_t offset, uint32_t bits, Id value) {
    const Id u32 = type_uint(32);
    const Word word = global_word(place, offset);
    auto moved = [&](Id part) { return op(spv::Op::OpShiftLeftLogical, u32, {part, word.shift}); };
    replace_bits(u32, word.slot, spv::Scope::Device, moved(builder_.constant_u32((uint32_t{1} << bits) - 1)),
                 moved(op(spv::Op::OpUConvert, u32, {value})));
}

// ---- Any alignment, any number of components ----

Id Emitter::load_global_bits(Place& place, int64_t offset, uint32_t bits) {
    if (alignment_at(place, offset) * 8 >= bits)
        return has_global_width(place, bits) ? load_global_unit(place, type_uint(bits), offset)
                                             : load_global_part(place, offset, bits);
    const Id low = load_global_bits(place, offset, bits / 2);
    return join(low, load_global_bits(place, offset + bits / 16, bits / 2), bits);
}

void Emitter::store_global_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    if (alignment_at(place, offset) * 8 >= bits)
        return has_global_width(place, bits) ? store_global_unit(place, type_uint(bits), value, offset)
                                             : store_global_part(place, offset, bits, value);
    const auto [low, high] = split(value, bits);
    store_global_bits(place, offset, bits / 2, low);
    store_global_bits(place, offset + bits / 16, bits / 2, high);
}

/// Vectors are accessed by at most four components, and scalars that are less aligned than their size by
/// parts. Values narrower than memory allows are accessed by whole words if they fill them.
Id Emitter::load_global(Place& place, Id type, int64_t offset) {
    const Id scalar = memory_scalar(type);
    const uint32_t bits = builder_.width(scalar), count = count_of(type);
    std::vector<Id> parts;
    for (uint32_t i = 0; i < count;) {
        const int64_t at = offset + int64_t{i} * (bits / 8);
        const uint64_t alignment = alignment_at(place, at);
        const uint32_t per_word = 32 / std::min(bits, 32u);
        if (!has_global_width(place, bits) && alignment >= 4 && count - i >= per_word) {
            parts.push_back(bitcast(builder_.with_count(scalar, per_word), load_global_bits(place, at, 32)));
            i += per_word;
            continue;
        }
        if (alignment * 8 < bits || !has_global_width(place, bits)) {
            parts.push_back(bitcast(scalar, load_global_bits(place, at, bits)));
            ++i;
            continue;
        }
        const uint32_t chunk = global_chunk(place, count - i, bits / 8, alignment);
        parts.push_back(load_global_unit(place, builder_.with_count(scalar, chunk), at));
        i += chunk;
    }
    return parts.size() == 1 ? parts[0] : compose(type, parts);
}

void Emitter::store_global(Place& place, Id type, Id value, int64_t offset) {
    const Id scalar = memory_scalar(type);
    const uint32_t bits = builder_.width(scalar), count = count_of(type);
    for (uint32_t i = 0; i < count;) {
        const int64_t at = offset + int64_t{i} * (bits / 8);
        const uint64_t alignment = alignment_at(place, at);
        const uint32_t per_word = 32 / std::min(bits, 32u);
        if (!has_global_width(place, bits) && alignment >= 4 && count - i >= per_word) {
            const Id part = components(value, type, i, per_word);
            store_global_bits(place, at, 32, bitcast(type_uint(32), part));
            i += per_word;
            continue;
        }
        if (alignment * 8 < bits || !has_global_width(place, bits)) {
            store_global_bits(place, at, bits, bitcast(type_uint(bits), component(value, type, i)));
            ++i;
            continue;
        }
        const uint32_t chunk = global_chunk(place, count - i, bits / 8, alignment);
        store_global_unit(place, builder_.with_count(scalar, chunk), components(value, type, i, chunk), at);
        i += chunk;
    }
}

}  // namespace caldera::vulkan::memory
