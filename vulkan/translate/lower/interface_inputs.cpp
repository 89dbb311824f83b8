// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/interface_inputs.h"

#include <algorithm>

#include "spirv/cooperative_matrix.h"
#include "spirv/op_class.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/memory_semantics.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::BuiltIn;
using spv::Op;

namespace {

/// Whether a work-item's value of this input does not depend on the division into work-groups.
bool ignores_groups(BuiltIn input) {
    switch (input) {
        case BuiltIn::GlobalInvocationId:
        case BuiltIn::GlobalLinearId:
        case BuiltIn::GlobalOffset:
        case BuiltIn::GlobalSize:
        case BuiltIn::WorkDim: return true;
        default: return false;
    }
}

bool is_input(const Builder& builder, Id id) {
    const Instruction* inst = builder.find_global(id);
    return inst && inst->op == Op::OpVariable &&
           inst->word(0) == static_cast<uint32_t>(spv::StorageClass::Input);
}

/// Whether the instruction is a barrier, a fence, or an atomic operation that orders memory. llvmpipe takes a
/// fence for a barrier of the work-group (fences_are_barriers), which work-items that have returned do not
/// reach.
bool waits_or_orders(const Builder& builder, const Instruction& inst) {
    if (inst.op == Op::OpControlBarrier || inst.op == Op::OpMemoryBarrier) return true;
    if (!spirv::is_atomic(inst.op)) return false;
    const std::optional<uint64_t> semantics = builder.constant_value(inst.id(2));
    return !semantics || (*semantics & kOrders) != 0;
}

}  // namespace

HiddenShape shape_of(HiddenKind kind) {
    switch (kind) {
        case HiddenKind::GlobalOffset:
        case HiddenKind::GlobalSize:
        case HiddenKind::GlobalIdBase: return {8, 3};
        case HiddenKind::NumGroups:
        case HiddenKind::EnqueuedLocalSize:
        case HiddenKind::GroupBase:
        case HiddenKind::RegionSize: return {4, 3};
        case HiddenKind::WorkDim: return {4, 1};
        case HiddenKind::Command:
        case HiddenKind::ChannelOrder:
        case HiddenKind::ChannelDataType:
        case HiddenKind::SamplerMask: return {4, 1};
        case HiddenKind::DataSegment:
        case HiddenKind::PrintfBuffer:
        case HiddenKind::DeviceQueue: return {8, 1};
        case HiddenKind::PrivateMemory:
        case HiddenKind::CheckState: return {8, 1};
    }
    return {};
}

std::vector<HiddenKind> hidden_of(InputVariable input, bool simple_ndrange, bool has_subgroups) {
    if (input.is_block || input.is_words || input.is_private_lane) return {};
    if (input.is_private_block) return {HiddenKind::PrivateMemory};
    if (!input.builtin) return {input.hidden};
    if (simple_ndrange) return {};
    switch (*input.builtin) {
        case BuiltIn::SubgroupMaxSize:
            return has_subgroups ? std::vector<HiddenKind>{} : std::vector{HiddenKind::EnqueuedLocalSize};
        case BuiltIn::NumEnqueuedSubgroups:
            return has_subgroups ? std::vector{HiddenKind::EnqueuedLocalSize} : std::vector<HiddenKind>{};
        case BuiltIn::GlobalInvocationId: return {HiddenKind::GlobalIdBase};
        case BuiltIn::GlobalSize: return {HiddenKind::GlobalSize};
        case BuiltIn::GlobalOffset: return {HiddenKind::GlobalOffset};
        case BuiltIn::WorkgroupId: return {HiddenKind::GroupBase};
        case BuiltIn::NumWorkgroups: return {HiddenKind::NumGroups};
        case BuiltIn::EnqueuedWorkgroupSize: return {HiddenKind::EnqueuedLocalSize};
        case BuiltIn::WorkDim: return {HiddenKind::WorkDim};
        case BuiltIn::GlobalLinearId:
            return {HiddenKind::GlobalOffset, HiddenKind::GlobalSize, HiddenKind::GlobalIdBase};
        default: return {};
    }
}

spirv::IdMap<InputVariable> find_inputs(const Builder& builder, const PassVariables& made) {
    spirv::IdMap<InputVariable> inputs;
    for (const auto& [id, built_in] : built_ins_of(builder.module()))
        if (is_input(builder, id)) inputs.emplace(id, InputVariable{.builtin = built_in});
    for (const auto& [id, kind] : made.hidden) inputs.emplace(id, InputVariable{.hidden = kind});
    for (const ImageFact& fact : made.image_facts)
        inputs.emplace(fact.variable, InputVariable{.hidden = fact.kind, .argument = fact.argument});
    if (made.arguments) inputs.emplace(made.arguments, InputVariable{.is_block = true});
    if (made.private_block) inputs.emplace(made.private_block, InputVariable{.is_private_block = true});
    if (made.private_lane) inputs.emplace(made.private_lane, InputVariable{.is_private_lane = true});
    if (made.argument_words) inputs.emplace(made.argument_words, InputVariable{.is_words = true});
    return inputs;
}

spirv::IdSet find_sub_group_functions(const Builder& builder, const spirv::IdMap<InputVariable>& inputs) {
    spirv::IdSet found;
    const auto asks = [&](const Instruction& inst) {
        if (inst.op == Op::OpControlBarrier)
            return builder.constant_value(inst.id(0)) == static_cast<uint64_t>(spv::Scope::Subgroup);
        if (inst.op == Op::OpLoad) {
            const auto input = inputs.find(inst.id(0));
            return input != inputs.end() && input->second.builtin &&
                   is_sub_group_input(*input->second.builtin);
        }
        if (inst.op >= spirv::kMatrixLoad && inst.op <= spirv::kMatrixLength) return true;
        return inst.op >= Op::OpGroupNonUniformElect && inst.op <= Op::OpGroupNonUniformQuadSwap;
    };
    for (const Function& function : builder.module().functions)
        for (const spirv::Block& block : function.blocks)
            if (std::ranges::any_of(block.body, asks)) found.insert(function.id());
    return found;
}

spirv::IdSet find_group_functions(const Builder& builder, const spirv::IdMap<InputVariable>& inputs,
                                  const spirv::IdSet& sub_group_functions) {
    spirv::IdSet found, local;
    for (const Instruction& inst : builder.module().globals)
        if (inst.op == Op::OpVariable && inst.word(0) == static_cast<uint32_t>(spv::StorageClass::Workgroup))
            local.insert(inst.result);
    for (const Function& function : builder.module().functions) {
        bool tells = sub_group_functions.contains(function.id());
        for_each_use(function, [&](const spirv::Operand& operand) {
            const auto input = inputs.find(operand.id());
            tells |= local.contains(operand.id()) || (input != inputs.end() && input->second.builtin &&
                                                      !ignores_groups(*input->second.builtin));
        });
        for (const spirv::Block& block : function.blocks)
            tells |= std::ranges::any_of(
                block.body, [&](const Instruction& inst) { return waits_or_orders(builder, inst); });
        if (tells) found.insert(function.id());
    }
    return found;
}

}  // namespace caldera::vulkan
