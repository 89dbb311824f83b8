// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/opaque.h"

#include <algorithm>
#include <iterator>

namespace caldera::vulkan {

using namespace spirv;
using spv::Op;

namespace {

Id num_workgroups(Builder& builder, Id type) {
    for (const Instruction& inst : builder.module().annotations)
        if (inst.op == Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::BuiltIn) &&
            inst.word(2) == static_cast<uint32_t>(spv::BuiltIn::NumWorkgroups))
            return inst.id(0);
    const Id variable = builder.variable(spv::StorageClass::Input, type);
    builder.decorate(variable, spv::Decoration::BuiltIn, {spv::BuiltIn::NumWorkgroups});
    builder.name(variable, "gl_NumWorkGroups");
    return variable;
}

}  // namespace

Id no_groups(Builder& builder, std::vector<Instruction>& code, uint32_t variant) {
    const Id u32 = builder.type_int(32), vector = builder.type_vector(u32, 3);
    const Id variable = num_workgroups(builder, vector);
    builder.set_sink(&code);
    const Id groups = builder.append(Op::OpLoad, vector, {variable});
    Id x = builder.append(Op::OpCompositeExtract, u32, {groups, 0u});
    // An odd multiple is zero just when the number is.
    if (variant != 0) x = builder.append(Op::OpIMul, u32, {x, builder.constant_u32(2 * variant + 1)});
    return builder.append(Op::OpIEqual, builder.type_bool(), {x, builder.constant_u32(0)});
}

}  // namespace caldera::vulkan
