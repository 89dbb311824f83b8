// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/accesses.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <optional>

#include "spirv/op_class.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

/// The alignment that the memory operands from this operand on give; none if they give none.
std::optional<uint64_t> given_alignment(const Instruction& inst, size_t first) {
    if (inst.operands.size() < first + 2) return std::nullopt;
    if ((inst.word(first) & static_cast<uint32_t>(spv::MemoryAccessMask::Aligned)) == 0) return std::nullopt;
    return inst.word(first + 1);
}

}  // namespace

std::vector<Access> AccessFinder::of(const Instruction& inst) const {
    using enum CheckedAccess;
    const auto with_alignment = [&](std::vector<Access> accesses, Id type, size_t first) {
        // Other compilers align events and samplers as pointers, and here they take four bytes.
        const Op kind = builder_.op_of_type(type);
        if (kind == Op::OpTypeEvent || kind == Op::OpTypeSampler) return accesses;
        if (const std::optional<uint64_t> given = given_alignment(inst, first))
            for (Access& access : accesses) access.alignment_bytes = *given;
        return accesses;
    };
    const auto with_alignments = [&](std::vector<Access> accesses) {  // of a copy
        const CopyOperands operands = copy_operands(inst);
        for (Access& access : accesses)
            if (const std::optional<uint64_t> given =
                    given_alignment(inst, (access.operand == 0 ? operands.to : operands.from).first))
                access.alignment_bytes = *given;
        return accesses;
    };
    switch (inst.op) {
        case Op::OpLoad: return with_alignment(of_value({.operand = 0}, inst.type), inst.type, 1);
        case Op::OpStore: {
            const Id type = builder_.type_of(inst.id(1));
            return with_alignment(of_value({.operand = 0, .kind = Store, .writes = true}, type), type, 2);
        }
        case Op::OpCopyMemory: return with_alignments(of_copy(inst));
        case Op::OpCopyMemorySized: {
            const uint64_t bytes = builder_.constant_value(inst.id(2)).value_or(0);
            if (bytes == 0) return {};
            return with_alignments({{.operand = 0, .bytes = bytes, .kind = Store, .writes = true},
                                    {.operand = 1, .bytes = bytes}});
        }
        case Op::OpReadPipe:
            return {{.operand = 1, .bytes = packet_bytes(inst, 2), .kind = Store, .writes = true}};
        case Op::OpWritePipe: return {{.operand = 1, .bytes = packet_bytes(inst, 2)}};
        case Op::OpReservedReadPipe:
            return {{.operand = 3, .bytes = packet_bytes(inst, 4), .kind = Store, .writes = true}};
        case Op::OpReservedWritePipe: return {{.operand = 3, .bytes = packet_bytes(inst, 4)}};
        case Op::OpExtInst: return inst.id(0) == opencl_std_ ? of_library(inst) : std::vector<Access>{};
        default: break;
    }
    if (!spirv::is_atomic(inst.op)) return {};
    const bool writes = inst.op != Op::OpAtomicLoad;
    return of_value({.operand = 0, .kind = Atomic, .writes = writes}, pointee(inst.id(0)));
}

std::vector<Access> AccessFinder::of_value(Access access, Id type) const {
    const std::optional<TypeLayout> layout = layout_.find(type);
    if (!layout || layout->size_bytes == 0) return {};  // an opaque type
    // A vector of 3 takes the place of 4, but only its components are accessed.
    access.bytes = builder_.is_vector(type)
                       ? layout_.of(builder_.element(type)).size_bytes * builder_.count(type)
                       : layout->size_bytes;
    access.alignment_bytes = layout->alignment_bytes;
    return {access};
}

std::vector<Access> AccessFinder::of_copy(const Instruction& inst) const {
    std::vector<Access> both =
        of_value({.operand = 0, .kind = CheckedAccess::Store, .writes = true}, pointee(inst.id(0)));
    for (const Access& access : of_value({.operand = 1}, pointee(inst.id(1)))) both.push_back(access);
    return both;
}

uint64_t AccessFinder::packet_bytes(const Instruction& inst, size_t operand) const {
    return std::max<uint64_t>(builder_.constant_value(inst.id(operand)).value_or(1), 1);
}

std::vector<Access> AccessFinder::of_library(const Instruction& inst) const {
    using enum CheckedAccess;
    const auto vector = [&](size_t index, size_t pointer, uint64_t count, bool writes, bool aligned = false) {
        const Id type = pointee(inst.id(pointer));
        const uint64_t element =
            layout_.of(builder_.is_vector(type) ? builder_.element(type) : type).size_bytes;
        const uint64_t stride = element * (aligned && count == 3 ? 4 : count);
        return std::vector<Access>{{.operand = pointer,
                                    .bytes = element * count,
                                    .alignment_bytes = aligned ? stride : element,
                                    .kind = writes ? Store : Load,
                                    .writes = writes,
                                    .index = inst.id(index),
                                    .stride_bytes = stride}};
    };
    const auto stored = [&] { return builder_.count(builder_.type_of(inst.id(2))); };
    switch (inst.word(1)) {
        case OpenCLLIB::Vloadn:
        case OpenCLLIB::Vload_halfn: return vector(2, 3, inst.word(4), false);
        case OpenCLLIB::Vload_half: return vector(2, 3, 1, false);
        case OpenCLLIB::Vloada_halfn: return vector(2, 3, inst.word(4), false, true);
        case OpenCLLIB::Vstoren:
        case OpenCLLIB::Vstore_half:
        case OpenCLLIB::Vstore_half_r:
        case OpenCLLIB::Vstore_halfn:
        case OpenCLLIB::Vstore_halfn_r: return vector(3, 4, stored(), true);
        case OpenCLLIB::Vstorea_halfn:
        case OpenCLLIB::Vstorea_halfn_r: return vector(3, 4, stored(), true, true);
        case OpenCLLIB::Printf:
        case OpenCLLIB::Prefetch: return {};
        default: break;
    }
    for (size_t i = 2; i < inst.operands.size(); ++i)  // sincos, remquo and their like store a second result
        if (inst.operands[i].is_id && builder_.is_pointer(builder_.type_of(inst.id(i))))
            return of_value({.operand = i, .kind = Store, .writes = true}, pointee(inst.id(i)));
    return {};
}

std::vector<size_t> counted_operands(const Instruction& inst) {
    if (inst.op == Op::OpCopyMemorySized) return {0, 1};
    if (inst.op == Op::OpGroupAsyncCopy) return {1, 2};
    return {};
}

bool needs_value(const Instruction& inst, const Access& access) {
    if (access.kind != CheckedAccess::Atomic) return !access.writes;
    switch (inst.op) {
        case Op::OpAtomicStore:
        case Op::OpAtomicExchange:
        case Op::OpAtomicFlagTestAndSet:
        case Op::OpAtomicFlagClear: return false;
        default: return true;
    }
}

bool only_moves_pointers(spv::Op op) {
    using enum spv::Op;
    switch (op) {
        case OpPhi:
        case OpSelect:
        case OpBitcast:
        case OpAccessChain:
        case OpInBoundsAccessChain:
        case OpPtrAccessChain:
        case OpInBoundsPtrAccessChain:
        case OpCopyObject:
        case OpPtrCastToGeneric:
        case OpGenericCastToPtr:
        case OpGenericCastToPtrExplicit:
        case OpGenericPtrMemSemantics:
        case OpConvertPtrToU:
        case OpPtrEqual:
        case OpPtrNotEqual:
        case OpPtrDiff:
        case OpCompositeConstruct:
        case OpCompositeInsert: return true;
        default: return false;
    }
}

}  // namespace caldera::vulkan
