// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/built_in.h"

namespace caldera::vulkan {
namespace {

bool is_built_in(const spirv::Instruction& inst) {
    return inst.op == spv::Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::BuiltIn);
}

}  // namespace

spirv::Id built_in_variable(spirv::Builder& builder, spv::BuiltIn built_in, spirv::Id type,
                            std::string_view name) {
    for (const spirv::Instruction& inst : builder.module().annotations)
        if (is_built_in(inst) && inst.word(2) == static_cast<uint32_t>(built_in)) return inst.id(0);
    return new_built_in_variable(builder, built_in, type, name);
}

spirv::Id new_built_in_variable(spirv::Builder& builder, spv::BuiltIn built_in, spirv::Id type,
                                std::string_view name) {
    const spirv::Id variable = builder.variable(spv::StorageClass::Input, type);
    builder.decorate(variable, spv::Decoration::BuiltIn, {built_in});
    if (!name.empty()) builder.name(variable, name);
    return variable;
}

spirv::IdMap<spv::BuiltIn> built_ins_of(const spirv::Module& module) {
    spirv::IdMap<spv::BuiltIn> found;
    for (const spirv::Instruction& inst : module.annotations)
        if (is_built_in(inst)) found.emplace(inst.id(0), static_cast<spv::BuiltIn>(inst.word(2)));
    return found;
}

bool is_sub_group_input(spv::BuiltIn input) {
    using spv::BuiltIn;
    switch (input) {
        case BuiltIn::SubgroupSize:
        case BuiltIn::SubgroupMaxSize:
        case BuiltIn::NumSubgroups:
        case BuiltIn::NumEnqueuedSubgroups:
        case BuiltIn::SubgroupId:
        case BuiltIn::SubgroupLocalInvocationId: return true;
        default: return is_sub_group_mask(input);
    }
}

bool is_sub_group_mask(spv::BuiltIn input) {
    using spv::BuiltIn;
    switch (input) {
        case BuiltIn::SubgroupEqMask:
        case BuiltIn::SubgroupGeMask:
        case BuiltIn::SubgroupGtMask:
        case BuiltIn::SubgroupLeMask:
        case BuiltIn::SubgroupLtMask: return true;
        default: return false;
    }
}

bool is_kernel_input(spv::BuiltIn input) {
    using spv::BuiltIn;
    switch (input) {
        case BuiltIn::NumWorkgroups:
        case BuiltIn::WorkgroupSize:
        case BuiltIn::WorkgroupId:
        case BuiltIn::LocalInvocationId:
        case BuiltIn::GlobalInvocationId:
        case BuiltIn::LocalInvocationIndex:
        case BuiltIn::WorkDim:
        case BuiltIn::GlobalSize:
        case BuiltIn::EnqueuedWorkgroupSize:
        case BuiltIn::GlobalOffset:
        case BuiltIn::GlobalLinearId: return true;
        default: return is_sub_group_input(input);
    }
}

}  // namespace caldera::vulkan
