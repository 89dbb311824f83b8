// SPDX-License-Identifier: Apache-2.0
// Loads and stores of cooperative matrices: their pointers are to elements of an array, of any type, and
// their strides count such elements.
#include <algorithm>
#include <bit>

#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/grammar.h"
#include "vulkan/translate/memory/rewrite.h"

namespace caldera::vulkan::memory {

/// An integer type, or a vector of such, of this many bytes.
Id Emitter::type_of_bytes(uint32_t bytes) {
    return bytes <= 4 ? type_uint(bytes * 8) : builder_.type_vector(type_uint(32), bytes / 4);
}

Emitter::MatrixPointer Emitter::matrix_pointer(Place& place, Id component, uint32_t align_bytes) {
    settle(place);
    // Its memory may have numbers of any type, and integers need no feature of encoded floats.
    if (spirv::is_encoded_float(*builder_.find_global(component)))
        component = type_uint(builder_.width(component));
    const uint32_t bytes = builder_.width(component) / 8;
    if (place.region && place.region->block)
        return {global_pointer(place, type_of_bytes(align_bytes), 0), align_bytes};
    if (place.space == Space::Local)
        return place.region ? MatrixPointer{unit_slot(place, 0), place.region->unit_bytes()}
                            : MatrixPointer{};
    if (place.window)
        return {views_.element(place.window, type_of_bytes(align_bytes), unit_index(place, 0, align_bytes)),
                align_bytes};
    const auto storage = spv::StorageClass::PhysicalStorageBuffer;
    const Id array = op(spv::Op::OpConvertUToPtr, builder_.type_pointer(storage, views_.block(component)),
                        {place.pointer});
    const Id zero = builder_.constant_u32(0);
    return {op(spv::Op::OpAccessChain, builder_.type_pointer(storage, component), {array, zero, zero}),
            bytes};
}

/// The stride counts the source's pointees; the result counts units. None if it is no multiple of one.
Id FunctionRewriter::matrix_stride(const Instruction& inst, Id stride, uint64_t pointee_bytes,
                                   uint32_t unit_bytes) {
    if (const auto known = source_.constant(stride)) {
        const uint64_t bytes = static_cast<uint64_t>(*known) * pointee_bytes;
        if (bytes % unit_bytes != 0) {
            decline(inst, "the stride is " + std::to_string(bytes) + " bytes, which is no multiple of " +
                              std::to_string(unit_bytes));
            return builder_.constant_u32(0);
        }
        return builder_.constant_u32(static_cast<uint32_t>(bytes / unit_bytes));
    }
    const Id u32 = builder_.type_int(32);
    const Id elements = emitter_.index32(stride);
    if (pointee_bytes == unit_bytes) return elements;
    const Id bytes = emitter_.op(spv::Op::OpIMul, u32,
                                 {elements, builder_.constant_u32(static_cast<uint32_t>(pointee_bytes))});
    return emitter_.op(spv::Op::OpShiftRightLogical, u32,
                       {bytes, builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(unit_bytes)))});
}

void FunctionRewriter::matrix_access(const Instruction& inst) {
    const bool stores = inst.op == spirv::kMatrixStore;
    const size_t layout_at = stores ? 2 : 1;
    const AccessInfo access = source_.accesses(inst)[0];
    const Instruction& type = *source_.def(stores ? source_.type_of(inst.id(1)) : inst.type);
    Place place = emitter_.place(inst.id(0), access.align_bytes,
                                 access_mask(memory_operands(inst, layout_at + 2), inst.id(0)));
    if (emitter_.is_unresolved(place) || place.space == Space::Private)
        return decline(inst, "a cooperative matrix must be in global or local memory that is known");
    const auto [pointer, unit_bytes] = emitter_.matrix_pointer(place, type.id(0), access.align_bytes);
    if (!pointer) {  // to nothing
        if (!stores) replace(inst.result, builder_.undef(inst.type));
        return;
    }
    if (unit_bytes > access.align_bytes)
        return decline(inst, "the matrix's rows are smaller than the elements of the local memory");
    const uint64_t pointee_bytes = source_.layout()[source_.pointee(inst.id(0))].size_bytes;
    Operands operands = {pointer};
    if (stores) operands.push_back(emitter_.value(inst.id(1)));
    operands.push_back(inst.operands[layout_at]);
    operands.push_back(matrix_stride(inst, inst.id(layout_at + 1), pointee_bytes, unit_bytes));
    for (const Operand& operand : emitter_.access_operands(place, access.align_bytes))
        operands.push_back(operand);
    keep({.op = inst.op, .type = inst.type, .result = inst.result, .operands = std::move(operands)});
}

}  // namespace caldera::vulkan::memory
