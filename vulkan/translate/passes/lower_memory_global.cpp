// SPDX-License-Identifier: Apache-2.0
// Global and constant memory: physical pointers made at the access, with an alignment that is true.
#include <algorithm>

#include "spirv/support/check.h"
#include "vulkan/translate/passes/lower_memory_access.h"

namespace caldera::vulkan::memory {

/// The address itself; constant memory that was known stops being so.
Id Emitter::global_value(Place& place) {
    if (place.address.root) place.pointer = pointer_value(place.pointer);
    place.address = {};
    return place.pointer;
}

Id Emitter::global_pointer(Place& place, Id type, int64_t offset) {
    const Id address = add(global_value(place), offset);
    return op(spv::Op::OpConvertUToPtr, builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type),
              {address});
}

Id Emitter::load_global_bits(Place& place, int64_t offset, uint32_t bits) {
    const uint64_t alignment = alignment_at(place, offset);
    if (alignment * 8 >= bits) {
        const Id type = type_uint(bits);
        const Id pointer = global_pointer(place, type, offset);
        Operands operands = {pointer};
        for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
        return op(spv::Op::OpLoad, type, std::move(operands));
    }
    const Id low = load_global_bits(place, offset, bits / 2);
    return join(low, load_global_bits(place, offset + bits / 16, bits / 2), bits);
}

void Emitter::store_global_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    const uint64_t alignment = alignment_at(place, offset);
    if (alignment * 8 >= bits) {
        const Id pointer = global_pointer(place, type_uint(bits), offset);
        Operands operands = {pointer, value};
        for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
        builder_.append_void(spv::Op::OpStore, std::move(operands));
        return;
    }
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
        const uint32_t chunk = std::min(count - i, 4u);
        const Id chunk_type = builder_.with_count(scalar, chunk);
        Operands operands = {global_pointer(place, chunk_type, at)};
        for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
        parts.push_back(op(spv::Op::OpLoad, chunk_type, std::move(operands)));
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
        const uint32_t chunk = std::min(count - i, 4u);
        const Id part = components(value, type, i, chunk);
        Operands operands = {global_pointer(place, builder_.with_count(scalar, chunk), at), part};
        for (const Operand& operand : access_operands(place, alignment)) operands.push_back(operand);
        builder_.append_void(spv::Op::OpStore, std::move(operands));
        i += chunk;
    }
}

}  // namespace caldera::vulkan::memory
