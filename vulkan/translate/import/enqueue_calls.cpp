// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/enqueue_calls.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "spirv/op_class.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

/// An instruction and the kinds of its operands: a queue, an event, a 32-bit int, a pointer to Events or
/// NULL, to a Range, to a Size, or to anything in global memory, a block's Kernel and Captures, numbers of an
/// NDRange. A * after the last one means that it may occur any number of times.
struct EnqueueRow {
    Op op = {};
    std::string_view operands = {};
};
constexpr EnqueueRow kEnqueueRows[] = {
    {Op::OpEnqueueMarker, "qiEE"},
    {Op::OpEnqueueKernel, "qiRiEEKCiiS*"},
    {Op::OpGetKernelNDrangeSubGroupCount, "RKCii"},
    {Op::OpGetKernelNDrangeMaxSubGroupSize, "RKCii"},
    {Op::OpGetKernelWorkGroupSize, "KCii"},
    {Op::OpGetKernelPreferredWorkGroupSizeMultiple, "KCii"},
    {Op::OpGetKernelLocalSizeForSubgroupCount, "iKCii"},
    {Op::OpGetKernelMaxNumSubgroups, "KCii"},
    {Op::OpRetainEvent, "e"},
    {Op::OpReleaseEvent, "e"},
    {Op::OpCreateUserEvent, ""},
    {Op::OpIsValidEvent, "e"},
    {Op::OpSetUserEventStatus, "ei"},
    {Op::OpCaptureEventProfilingInfo, "eiG"},
    {Op::OpGetDefaultQueue, ""},
    {Op::OpBuildNDRange, "nnn"},
};

constexpr int kMaxCalls = 4;  // from the kernel to the block's own function

const EnqueueRow* row_of(Op op) {
    const auto row = std::ranges::find(kEnqueueRows, op, &EnqueueRow::op);
    return row == std::end(kEnqueueRows) ? nullptr : row;
}

bool is_int(const Builder& builder, Id type, uint32_t width) {
    return builder.is_int(type) && builder.width(type) == width;
}

/// {uint, size_t[3], size_t[3], size_t[3]}
bool is_range(const Builder& builder, Id type) {
    if (builder.op_of_type(type) != Op::OpTypeStruct || builder.member_count(type) != 4) return false;
    for (uint32_t i = 1; i < 4; ++i) {
        const Id sizes = builder.member(type, i);
        if (builder.op_of_type(sizes) != Op::OpTypeArray || builder.array_length(sizes) != 3 ||
            !is_int(builder, builder.element(sizes), 64))
            return false;
    }
    return is_int(builder, builder.member(type, 0), 32);
}

bool is_of_kind(const Builder& builder, char kind, Id operand) {
    const Id type = builder.type_of(operand);
    const Op op = builder.op_of_type(type);
    switch (kind) {
        case 'q': return op == Op::OpTypeQueue;
        case 'e': return op == Op::OpTypeDeviceEvent;
        case 'i': return is_int(builder, type, 32);
        case 'K': return true;  // a function, which has no type here
        case 'n':
            return is_int(builder, type, 64) ||
                   (op == Op::OpTypeArray && is_int(builder, builder.element(type), 64) &&
                    builder.array_length(type) <= 3);
        default: break;
    }
    if (op != Op::OpTypePointer) return false;
    const Id pointee = builder.pointee(type);
    switch (kind) {
        case 'E': return builder.op_of_type(pointee) == Op::OpTypeDeviceEvent;
        case 'R': return builder.op_of_type(pointee) != Op::OpTypeStruct || is_range(builder, pointee);
        case 'G': return builder.storage(type) == spv::StorageClass::CrossWorkgroup;
        default: return true;
    }
}

}  // namespace

bool is_enqueue(Op op) { return row_of(op) != nullptr; }

bool has_enqueue_operands(const Builder& builder, const Instruction& inst) {
    std::string_view kinds = row_of(inst.op)->operands;
    const bool repeats = kinds.ends_with('*');
    if (repeats) kinds.remove_suffix(1);
    const size_t fixed = kinds.size() - (repeats ? 1 : 0);
    if (repeats ? inst.operands.size() < fixed : inst.operands.size() != fixed) return false;
    for (size_t i = 0; i < inst.operands.size(); ++i)
        if (!is_of_kind(builder, kinds[std::min(i, kinds.size() - 1)], inst.id(i))) return false;
    return inst.op != Op::OpBuildNDRange || is_range(builder, inst.type);
}

std::optional<size_t> block_operands_at(const Instruction& inst) {
    switch (inst.op) {
        case Op::OpEnqueueKernel: return 6;
        case Op::OpGetKernelNDrangeSubGroupCount:
        case Op::OpGetKernelNDrangeMaxSubGroupSize:
        case Op::OpGetKernelLocalSizeForSubgroupCount: return 1;
        case Op::OpGetKernelWorkGroupSize:
        case Op::OpGetKernelPreferredWorkGroupSizeMultiple:
        case Op::OpGetKernelMaxNumSubgroups: return 0;
        default: return std::nullopt;
    }
}

std::optional<BlockOperands> block_operands(const Instruction& inst) {
    const std::optional<size_t> at = block_operands_at(inst);
    if (!at) return std::nullopt;
    return BlockOperands{inst.id(*at), inst.id(*at + 1), inst.id(*at + 2), inst.id(*at + 3)};
}

bool takes_captures(const Builder& builder, const spirv::Function& function) {
    auto points_to = [&](const Instruction& param, spv::StorageClass storage) {
        return builder.is_pointer(param.type) && builder.storage(param.type) == storage;
    };
    return !function.params.empty() && points_to(function.params[0], spv::StorageClass::Generic) &&
           std::all_of(function.params.begin() + 1, function.params.end(), [&](const Instruction& param) {
               return points_to(param, spv::StorageClass::Workgroup);
           });
}

Id captures_type(const Builder& builder, const OpenclLayout& layout,
                 const spirv::IdMap<const spirv::Function*>& functions, Id function, uint64_t size_bytes) {
    const auto fits = [&](Id pointer) {
        if (!builder.is_pointer(pointer)) return false;
        const std::optional<TypeLayout> known = layout.find(builder.pointee(pointer));
        return known && known->size_bytes == size_bytes;
    };
    size_t param = 0;
    for (int call = 0; call < kMaxCalls; ++call) {
        const auto found = functions.find(function);
        if (found == functions.end() || param >= found->second->params.size()) return {};
        const Id captures = found->second->params[param].result, own = found->second->params[param].type;
        if (fits(own) && builder.op_of_type(builder.pointee(own)) == Op::OpTypeStruct)
            return builder.pointee(own);
        function = {};
        for (const spirv::Block& block : found->second->blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op == Op::OpBitcast && inst.id(0) == captures && fits(inst.type))
                    return builder.pointee(inst.type);
                if (inst.op != Op::OpFunctionCall) continue;
                for (size_t i = 1; i < inst.operands.size(); ++i)
                    if (inst.id(i) == captures) function = inst.id(0), param = i - 1;
            }
    }
    return {};
}

namespace {

bool loads_only_numbers(const Builder& builder, const spirv::IdMap<const spirv::Function*>& functions,
                        Id function, int calls) {
    const auto found = functions.find(function);
    if (calls > kMaxCalls || found == functions.end() || found->second->blocks.empty() ||
        found->second->params.empty())
        return false;
    spirv::IdSet pointers;
    pointers.insert(found->second->params[0].result);
    const auto is_number = [&](Id type) {
        const Id part = builder.is_vector(type) ? builder.element(type) : type;
        return builder.is_int(part) || builder.is_float(part);
    };
    bool only_numbers = true;
    spirv::for_each_instruction(*found->second, [&](const Instruction& inst) {
        const bool derives = inst.op == Op::OpBitcast || spirv::is_access_chain(inst.op);
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id || !pointers.contains(inst.id(i))) continue;
            if (derives && i == 0 && builder.is_pointer(inst.type))
                pointers.insert(inst.result);
            else if (inst.op == Op::OpFunctionCall && i == 1)
                only_numbers &= loads_only_numbers(builder, functions, inst.id(0), calls + 1);
            else
                only_numbers &= inst.op == Op::OpLoad && is_number(inst.type);
        }
    });
    return only_numbers;
}

}  // namespace

bool loads_only_numbers(const Builder& builder, const spirv::IdMap<const spirv::Function*>& functions,
                        Id function) {
    return loads_only_numbers(builder, functions, function, 0);
}

}  // namespace caldera::vulkan
