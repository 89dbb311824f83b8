// SPDX-License-Identifier: Apache-2.0
// Loads and stores of any type, down to its scalars and vectors. global.cpp and
// array.cpp access those.
#include "vulkan/translate/memory/access.h"

#include <algorithm>
#include <bit>

#include "spirv/support/check.h"

namespace caldera::vulkan::memory {

// ---- Values ----

uint32_t Emitter::count_of(Id type) const { return builder_.count(type); }
Id Emitter::scalar_of(Id type) const { return builder_.is_vector(type) ? builder_.element(type) : type; }

Id Emitter::memory_scalar(Id type) {
    if (builder_.is_bool(scalar_of(type))) return type_uint(8);
    if (layout()[type].op == spv::Op::OpTypePointer) return type_uint(64);
    return scalar_of(type);
}

Id Emitter::value_type(Id type) { return layout()[type].op == spv::Op::OpTypePointer ? type_uint(64) : type; }

Id Emitter::from_memory(Id value, Id type) {
    if (!builder_.is_bool(scalar_of(type))) return value;
    const Id bytes = builder_.with_count(type_uint(8), count_of(type));
    return op(spv::Op::OpINotEqual, type, {value, builder_.constant_null(bytes)});
}

Id Emitter::to_memory(Id value, Id type) {
    if (!builder_.is_bool(scalar_of(type))) return value;
    const Id bytes = builder_.with_count(type_uint(8), count_of(type));
    const Id one = builder_.constant_splat(bytes, builder_.constant_int(type_uint(8), 1));
    return op(spv::Op::OpSelect, bytes, {value, one, builder_.constant_null(bytes)});
}

Id Emitter::compose(Id type, const std::vector<Id>& parts) {
    if (parts.size() == 1 && count_of(type) == 1) return parts[0];
    if (builder_.is_bool(scalar_of(type))) type = builder_.with_count(type_uint(8), count_of(type));
    return op(spv::Op::OpCompositeConstruct, type, {parts.begin(), parts.end()});
}

Id Emitter::component(Id value, Id type, uint32_t index) {
    if (count_of(type) == 1) return value;
    return op(spv::Op::OpCompositeExtract, builder_.element(builder_.type_of(value)), {value, index});
}

/// `count` components of a vector of `type`, or what to_memory() has made of one, from `first` on; the vector
/// itself when that is all of it.
Id Emitter::components(Id value, Id type, uint32_t first, uint32_t count) {
    if (count == count_of(type)) return value;
    if (count == 1) return component(value, type, first);
    Operands operands = {value, value};
    for (uint32_t i = 0; i < count; ++i) operands.push_back(first + i);
    return op(spv::Op::OpVectorShuffle, builder_.with_count(builder_.type_of(value), count),
              std::move(operands));
}

Id Emitter::join(Id low, Id high, uint32_t bits) {
    const Id half = type_uint(bits / 2);
    const Id both = op(spv::Op::OpCompositeConstruct, builder_.with_count(half, 2), {low, high});
    return op(spv::Op::OpBitcast, type_uint(bits), {both});
}

std::pair<Id, Id> Emitter::split(Id value, uint32_t bits) {
    const Id half = type_uint(bits / 2);
    const Id both = op(spv::Op::OpBitcast, builder_.with_count(half, 2), {value});
    return {op(spv::Op::OpCompositeExtract, half, {both, 0u}),
            op(spv::Op::OpCompositeExtract, half, {both, 1u})};
}

Operands Emitter::access_operands(const Place& place, uint64_t align_bytes) const {
    uint32_t mask = place.mask;
    if (place.is_offset()) return mask ? Operands{mask} : Operands{};
    mask |= static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
    return {mask, static_cast<uint32_t>(align_bytes)};
}

/// Vectors that this pass makes are unknown to the source's layout.
bool Emitter::is_leaf(Id type) const {
    return layout()[type].op == spv::Op::OpNop || layout()[type].is_leaf();
}

// ---- Aggregates ----

Id Emitter::load(Place& place, Id type, int64_t offset) {
    if (is_unresolved(place)) return out_of_line_->load(shifted(place, offset), type);
    const TypeInfo& info = layout()[type];
    if (is_leaf(type)) return load_leaf(place, type, offset);
    check(info.in_memory, "load of a type without a layout");
    Operands parts;
    if (info.op == spv::Op::OpTypeStruct) {
        for (size_t i = 0; i < info.offsets.size(); ++i)
            parts.push_back(
                load(place, info.operands[i].id(), offset + static_cast<int64_t>(info.offsets[i])));
    } else {
        const uint64_t stride = layout()[info.element()].size_bytes;
        for (uint64_t i = 0; i < layout().array_length(info); ++i)
            parts.push_back(load(place, info.element(), offset + static_cast<int64_t>(i * stride)));
    }
    return op(spv::Op::OpCompositeConstruct, type, std::move(parts));
}

void Emitter::store(Place& place, Id type, Id value, int64_t offset) {
    if (is_unresolved(place)) return out_of_line_->store(shifted(place, offset), type, value);
    const TypeInfo& info = layout()[type];
    if (is_leaf(type)) return store_leaf(place, type, value, offset);
    check(info.in_memory, "store of a type without a layout");
    auto part = [&](Id member, uint32_t index, uint64_t inside) {
        const Id extracted = op(spv::Op::OpCompositeExtract, value_type(member), {value, index});
        store(place, member, extracted, offset + static_cast<int64_t>(inside));
    };
    if (info.op == spv::Op::OpTypeStruct) {
        for (uint32_t i = 0; i < info.offsets.size(); ++i) part(info.operands[i].id(), i, info.offsets[i]);
    } else {
        const uint64_t stride = layout()[info.element()].size_bytes;
        for (uint32_t i = 0; i < layout().array_length(info); ++i) part(info.element(), i, i * stride);
    }
}

// ---- Leaves ----

/// The value of constant memory at a constant offset, if the initializer defines it.
Id Emitter::fold(const Place& place, Id type, int64_t offset) {
    if (!place.variable) return {};
    if (place.mask & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) return {};
    const Id scalar = memory_scalar(type);
    const auto bytes = builder_.width(scalar) / 8;
    std::vector<Id> parts;
    for (uint32_t i = 0; i < count_of(type); ++i) {
        const std::optional<uint64_t> bits =
            data_.read(place.variable,
                       place.address.constant - place.variable_bytes + offset + int64_t{i} * bytes, bytes);
        if (!bits) return {};
        parts.push_back(builder_.is_bool(scalar_of(type)) ? builder_.constant_bool(*bits != 0)
                        : builder_.is_float(scalar)       ? builder_.constant_float_bits(scalar, *bits)
                                                          : builder_.constant_int(scalar, *bits));
    }
    return parts.size() == 1 ? parts[0] : builder_.constant_composite(type, parts);
}

Id Emitter::load_leaf(Place& place, Id type, int64_t offset) {
    if (const Id constant = fold(place, type, offset)) return constant;
    const Id value = place.space == Space::Global ? load_global(place, type, offset)
                     : place.region               ? load_region(place, type, offset)
                                                  : builder_.undef(value_type(type));
    return place.space == Space::Global || place.region ? from_memory(value, type) : value;
}

void Emitter::store_leaf(Place& place, Id type, Id value, int64_t offset) {
    value = to_memory(value, type);
    if (place.space == Space::Global)
        store_global(place, type, value, offset);
    else if (place.region)
        store_region(place, type, value, offset);
}

Id Emitter::load_bits(Place& place, int64_t offset, uint32_t bits) {
    if (place.variable && !(place.mask & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)))
        if (const auto value =
                data_.read(place.variable, place.address.constant - place.variable_bytes + offset, bits / 8))
            return builder_.constant_int(type_uint(bits), *value);
    if (place.space == Space::Global) return load_global_bits(place, offset, bits);
    return place.region ? load_region_bits(place, offset, bits) : builder_.undef(type_uint(bits));
}

void Emitter::store_bits(Place& place, int64_t offset, uint32_t bits, Id value) {
    if (place.space == Space::Global)
        store_global_bits(place, offset, bits, value);
    else if (place.region)
        store_region_bits(place, offset, bits, value);
}

// ---- Copies ----

uint32_t Emitter::copy_bits(const Place& to, const Place& from, uint64_t bytes) const {
    uint64_t chunk = std::min(alignment_at(to, 0), alignment_at(from, 0));
    chunk = std::min<uint64_t>(chunk, power_of_two_in(bytes));
    chunk = std::min<uint64_t>(chunk, 4);
    // A typed array is accessed by its scalars; the other side puts them together when it is less aligned.
    for (const Place* place : {&to, &from})
        if (place->region && !place->region->words)
            chunk = std::max<uint64_t>(chunk, place->region->scalar_bytes);
    return static_cast<uint32_t>(chunk * 8);
}

void Emitter::copy(Place& to, Place& from, uint64_t bytes, Id backwards) {
    const uint32_t bits = copy_bits(to, from, bytes);
    const uint64_t count = bytes * 8 / bits;
    auto in_function = [](const Place& place) {
        return place.region && !place.region->in_buffer &&
               place.region->storage() == spv::StorageClass::Function;
    };
    const bool unresolved = is_unresolved(to) || is_unresolved(from);
    // Regions sees to it that memory of a function is not copied by more than a few times kUnrolledCopies.
    if (unresolved || (count > kUnrolledCopies && !in_function(to) && !in_function(from))) {
        out_of_line_->copy(to, from, builder_.constant_u32(static_cast<uint32_t>(count)), bits, backwards);
        return;
    }
    const auto offset = [&](uint64_t i) { return static_cast<int64_t>(i * (bits / 8)); };
    if (!backwards) {
        for (uint64_t i = 0; i < count; ++i)
            store_bits(to, offset(i), bits, load_bits(from, offset(i), bits));
        return;
    }
    std::vector<Id> values;
    for (uint64_t i = 0; i < count; ++i) values.push_back(load_bits(from, offset(i), bits));
    for (uint64_t i = 0; i < count; ++i) store_bits(to, offset(i), bits, values[i]);
}

/// Copies as many bytes as the value says: in chunks of up to four, then the rest. Regions keeps such memory
/// out of functions.
void Emitter::copy(Place& to, Place& from, Id bytes) {
    const Id u32 = type_uint(32);
    if (builder_.width(builder_.type_of(bytes)) != 32) bytes = op(spv::Op::OpUConvert, u32, {bytes});
    const uint32_t chunk = copy_bits(to, from, 4) / 8;
    Id done = builder_.constant_u32(0);
    if (chunk > 1) {
        const auto shift = static_cast<uint32_t>(std::countr_zero(chunk));
        done = op(spv::Op::OpShiftRightLogical, u32, {bytes, builder_.constant_u32(shift)});
        out_of_line_->copy(to, from, done, chunk * 8, {});
        bytes = op(spv::Op::OpBitwiseAnd, u32, {bytes, builder_.constant_u32(chunk - 1)});
    }
    Place to_rest = shifted(to, done, chunk), from_rest = shifted(from, done, chunk);
    out_of_line_->copy(to_rest, from_rest, bytes, 8, {});
}

}  // namespace caldera::vulkan::memory
