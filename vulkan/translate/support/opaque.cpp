// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/opaque.h"

#include "spirv/sink_scope.h"
#include "vulkan/translate/support/built_in.h"

namespace caldera::vulkan {

using namespace spirv;
using spv::Op;

Id no_groups(Builder& builder, std::vector<Instruction>& code, uint32_t variant) {
    const Id u32 = builder.type_int(32), vector = builder.type_vector(u32, 3);
    const Id variable = built_in_variable(builder, spv::BuiltIn::NumWorkgroups, vector, "gl_NumWorkGroups");
    const SinkScope sink(builder, &code);
    const Id groups = builder.append(Op::OpLoad, vector, {variable});
    Id x = builder.append(Op::OpCompositeExtract, u32, {groups, 0u});
    // An odd multiple is zero just when the number is.
    if (variant != 0) x = builder.append(Op::OpIMul, u32, {x, builder.constant_u32(2 * variant + 1)});
    return builder.append(Op::OpIEqual, builder.type_bool(), {x, builder.constant_u32(0)});
}

}  // namespace caldera::vulkan
