// SPDX-License-Identifier: Apache-2.0
// Global and constant memory: physical pointers made at the access, with an alignment that is true; or elements of a
// storage buffer, seen as an array of what is accessed.
#include <algorithm>

#include "spirv/support/check.h"
#include "vulkan/translate/passes/lower_memory_access.h"

namespace caldera::vulkan::memory {

/// Constant memory whose value is not known after all is memory like any other.
void Emitter::settle(Place& place) {
    if (!place.variable) return;
    if (place.window) {
        place.address.add(static_cast<int64_t>(data_.place(place.variable)));
    } else {
        place.pointer = pointer_value(place.pointer);
        place.address = {};
    }
    place.variable = {};
}

/// The address itself.
Id Emitter::global_value(Place& place) {
    settle(place);
    return place.pointer;
}

Id Emitter::global_pointer(Place& place, Id type, int64_t offset) {
    settle(place);
    if (place.window) {
        const uint32_t bytes = builder_.width(type) / 8 * builder_.count(type);
        return views_.element(place.window, type, unit_index(place, offset, bytes));
    }
    return op(spv::Op::OpConvertUToPtr, builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type),
              {add(place.pointer, offset)});
}

// ---- One access ----

/// How many of the next components one access takes: elements of buffers are as aligned as they are large.
uint32_t Emitter::global_chunk(const Place& place, uint32_t count, uint32_t bytes, uint64_t alignment) const {
    if (bytes == 8 && !has_int64_) return 1;
    if (!place.window) return std::min(count, 4u);
    if (count >= 4 && alignment >= uint64_t{4} * bytes) return 4;
    return count >= 2 && alignment >= uint64_t{2} * bytes ? 2 : 1;
}

/// As what memory holds the value: buffers are arrays of integers, and those of 64 bits may not exist.
Id Emitter::stored_type(const Place& place, Id type) {
    if (!place.window && !builder_.is_int(scalar_of(type))) return type;
    const uint32_t width = builder_.width(type);
    if (width == 64 && !has_int64_) return builder_.type_vector(type_uint(32), 2);
    return builder_.with_element(type, type_uint(width));
}

/// A scalar or vector that is aligned to its components.
Id Emitter::load_global_unit(Place& place, Id type, int64_t offset) {
    const uint64_t alignment = alignment_at(place, offset);
    const Id stored = stored_type(place, type);
    Operands operands = {global_pointer(place, stored, offset)};
    for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
    return bitcast(type, op(spv::Op::OpLoad, stored, std::move(operands)));
}

void Emitter::store_global_unit(Place& place, Id type, Id value, int64_t offset) {
    const uint64_t alignment = alignment_at(place, offset);
    const Id stored = stored_type(place, type);
    Operands operands = {global_pointer(place, stored, offset), bitcast(stored, value)};
    for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
    builder_.append_void(spv::Op::OpStore, std::move(operands));
}

// ---- Any alignment, any number of components ----

Id Emitter::load_global_bits(Place& place, int64_t offset, uint32_t bits) {
    if (alignment_at(place, offset) * 8 >= bits) return load_global_unit(place, type_uint(bits), offset);
    const Id low = load_global_bits(place, offset, bits / 2);
    return join(low, load_global_bits(place, offset + bits / 16, bits / 2), bits);
}

void Emitter::store_global_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    if (alignment_at(place, offset) * 8 >= bits)
        return store_global_unit(place, type_uint(bits), value, offset);
    const auto [low, high] = split(value, bits);
    store_global_bits(place, offset, bits / 2, low);
    store_global_bits(place, offset + bits / 16, bits / 2, high);
}

/// Vectors go by at most four components; scalars that are less aligned than their size go by their parts.
Id Emitter::load_global(Place& place, Id type, int64_t offset) {
    const Id scalar = memory_scalar(type);
    const uint32_t bits = builder_.width(scalar), count = count_of(type);
    std::vector<Id> parts;
    for (uint32_t i = 0; i < count;) {
        const int64_t at = offset + int64_t{i} * (bits / 8);
        const uint64_t alignment = alignment_at(place, at);
        if (alignment * 8 < bits) {
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
        if (alignment * 8 < bits) {
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
