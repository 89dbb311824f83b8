// SPDX-License-Identifier: Apache-2.0
// kPointerExtent: the object that a pointer is found to point to. Objects that a pointer may be mixed up with
// share a region (PointsTo), so it is the last of those in the region that do not begin behind the pointer.
// One before all of them counts as a pointer to the first. Regions::place_fixed() leaves room between
// objects, so that a pointer to the end of one is none to the next, nor is one before the next a pointer to
// the first.
#include "vulkan/translate/memory/rewrite.h"
#include "vulkan/translate/support/pointer_extent.h"

namespace caldera::vulkan::memory {

Id FunctionRewriter::extent(Id offset, Id size) {
    const Id u64 = builder_.type_int(64);
    return emitter_.op(spv::Op::OpCompositeConstruct, builder_.type_vector(u64, 2), {offset, size});
}

Id FunctionRewriter::pointer_extent(Id pointer) {
    const PointsTo& points_to = emitter_.points_to();
    const Space space = points_to.space_of(pointer);
    const Id unknown = extent(builder_.constant_u64(kMiddleOfUnknown), builder_.constant_u64(kSizeOfUnknown));
    if (space == Space::Global) return unknown;
    const Regions& regions = emitter_.regions();
    const uint32_t pointer_class = points_to.class_of(pointer);
    const Id value = emitter_.pointer_value(pointer);
    if (space != Space::Generic) return extent_in(regions.find(pointer_class, space), value);
    const Id tag = tag_of(value);
    Id result = unknown;
    for (const Space each : {Space::Local, Space::Private}) {
        const Region* const region = regions.find(pointer_class, each);
        if (!region) continue;
        const Id here = extent_in(region, emitter_.from_memory(value, each));
        const Id is_here = is_tag(tag, each == Space::Local ? 1 : 2), boolean = builder_.type_bool();
        const Id both =
            emitter_.op(spv::Op::OpCompositeConstruct, builder_.type_vector(boolean, 2), {is_here, is_here});
        result = emitter_.op(spv::Op::OpSelect, builder_.type_of(here), {both, here, result});
    }
    return result;
}

/// The extent of a pointer with this value, an offset in the region; null if no object is there.
Id FunctionRewriter::extent_in(const Region* region, Id value) {
    const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64), boolean = builder_.type_bool();
    const auto op = [&](spv::Op code, Id type, spirv::Operands operands) {
        return emitter_.op(code, type, std::move(operands));
    };
    const auto number = [&](uint64_t n) { return builder_.constant_u32(static_cast<uint32_t>(n)); };
    Id begin = number(0), size = number(0);
    const std::vector<const Object*> objects =
        region ? emitter_.regions().objects_of(*region, function_) : std::vector<const Object*>{};
    if (region && objects.empty())
        return extent(builder_.constant_u64(kMiddleOfUnknown), builder_.constant_u64(kSizeOfUnknown));
    for (const Object* object : objects) {
        const auto place = [&](uint64_t constant) {
            return object->dynamic_offset
                       ? op(spv::Op::OpIAdd, u32, {object->dynamic_offset, number(constant)})
                       : number(constant);
        };
        const Id own_begin = place(object->offset_bytes),
                 own_size = object->dynamic_size ? object->dynamic_size : number(object->size_bytes);
        if (object == objects.front()) {
            begin = own_begin, size = own_size;
            continue;
        }
        const Id is_it = op(spv::Op::OpUGreaterThanEqual, boolean,
                            {value, place(object->offset_bytes - object->room_bytes)});
        begin = op(spv::Op::OpSelect, u32, {is_it, own_begin, begin});
        size = op(spv::Op::OpSelect, u32, {is_it, own_size, size});
    }
    Id offset = op(spv::Op::OpISub, u32, {value, begin});
    if (region && emitter_.points_to()[emitter_.points_to().class_of(objects.front()->id)].needs_null) {
        const Id is_null = op(spv::Op::OpIEqual, boolean, {value, number(0)});
        offset = op(spv::Op::OpSelect, u32, {is_null, number(0), offset});
        size = op(spv::Op::OpSelect, u32, {is_null, number(0), size});
    }
    return extent(op(spv::Op::OpSConvert, u64, {offset}), op(spv::Op::OpUConvert, u64, {size}));
}

}  // namespace caldera::vulkan::memory
