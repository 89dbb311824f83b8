// SPDX-License-Identifier: Apache-2.0
// Private memory that is too large for a variable: a part of a buffer of the host (Kernel::private_bytes). A
// pointer to it is an offset, as it is to other private memory, so only the access differs.
//
// Work-items are numbered in their dispatch. kPrivateLanes neighbours share a block, in which the same
// element of each lies side by side: so they access neighbouring addresses where they do the same. Element e
// of a region at offset r has its place at 32 * r + (32 * e + lane) * unit, if 32 work-items share a block.
#include <bit>

#include "vulkan/translate/memory/access.h"

namespace caldera::vulkan::memory {

Operands Emitter::slot_operands(const Place& place, Id type) const {
    if (!place.region || !place.region->in_buffer || windows_.enabled()) return access_operands(place, 0);
    return {place.mask | static_cast<uint32_t>(spv::MemoryAccessMask::Aligned),
            builder_.width(type) / 8 * builder_.count(type)};
}

Id Emitter::private_input(Id& variable, uint32_t bits, std::string_view name) {
    if (!variable) {
        variable = builder_.variable(spv::StorageClass::Input, type_uint(bits));
        builder_.name(variable, name);
    }
    return op(spv::Op::OpLoad, type_uint(bits), {variable});
}

/// The work-item's first element of the region: its address, or its index by descriptors. It is computed once
/// in a function.
Id Emitter::buffer_start(const Region& region) {
    if (const auto found = buffer_starts_.find(&region); found != buffer_starts_.end()) return found->second;
    std::vector<Instruction>* const sink = sink_;
    if (prologue_) set_sink(prologue_);
    const Id u32 = type_uint(32), u64 = type_uint(64);
    const uint32_t unit = region.unit_bytes();
    const Id shift = builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(unit)));
    const Id block = private_input(private_block_, 64, "caldera.PrivateBlock");
    const Id lane = private_input(private_lane_, 32, "caldera.PrivateLane");
    const auto offset = static_cast<int64_t>(region.buffer_bytes * kPrivateLanes);
    Id start;
    if (windows_.enabled()) {
        const Id first = op(spv::Op::OpShiftRightLogical, u32, {low_half(block), shift});
        start = op(spv::Op::OpIAdd, u32, {add(first, offset / unit), lane});
    } else {
        const Id bytes = op(spv::Op::OpShiftLeftLogical, u32, {lane, shift});
        start = op(spv::Op::OpIAdd, u64, {add(block, offset), op(spv::Op::OpUConvert, u64, {bytes})});
    }
    if (!prologue_) return start;  // a helper, whose parts do not dominate each other
    set_sink(sink);
    return buffer_starts_[&region] = start;
}

/// A pointer to an element of the region's array, or to a component of it.
Id Emitter::buffer_slot(const Region& region, Id index, Id component) {
    const Id u32 = type_uint(32), u64 = type_uint(64);
    const Id type = builder_.with_count(region.scalar_type, component ? 1 : region.components);
    const Id start = buffer_start(region);
    const auto lanes = static_cast<uint32_t>(std::countr_zero(kPrivateLanes));
    auto shifted_left = [&](Id value, int by) {
        return by == 0 ? value
                       : op(spv::Op::OpShiftLeftLogical, u32,
                            {value, builder_.constant_u32(static_cast<uint32_t>(by))});
    };
    if (windows_.enabled()) {
        Id element = op(spv::Op::OpIAdd, u32, {start, shifted_left(index, static_cast<int>(lanes))});
        if (component)
            element = op(spv::Op::OpIAdd, u32,
                         {shifted_left(element, std::countr_zero(region.components)), component});
        return views_.element(kPrivateWindow, type, element);
    }
    Id bytes = shifted_left(index, static_cast<int>(lanes) + std::countr_zero(region.unit_bytes()));
    if (component)
        bytes =
            op(spv::Op::OpIAdd, u32, {bytes, shifted_left(component, std::countr_zero(region.scalar_bytes))});
    const Id address = op(spv::Op::OpIAdd, u64, {start, op(spv::Op::OpUConvert, u64, {bytes})});
    return op(spv::Op::OpConvertUToPtr, builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type),
              {address});
}

}  // namespace caldera::vulkan::memory
