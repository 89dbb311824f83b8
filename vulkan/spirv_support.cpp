// SPDX-License-Identifier: Apache-2.0
#include "vulkan/spirv_support.h"

#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/newer_ops.h"
#include "spirv/untyped_pointers.h"

namespace caldera {

SpirvSupport spirv_support(const frontend::ExtSet& device) {
    using enum frontend::Ext;
    constexpr frontend::Ext All = None;
    const auto has = [&](frontend::Ext row) { return row == All || device.has(row); };
    SpirvSupport out;
#define CAPABILITY(name, row) \
    if (has(row)) out.capabilities.push_back(spv::Capability::name);
#define NEWER_CAPABILITY(constant, row) \
    if (has(row)) out.capabilities.push_back(constant);
#define SPV_EXTENSION(name, row) \
    if (has(row)) out.extensions.push_back(#name);
#define INSTRUCTION_SET(name) out.instruction_sets.push_back(name);
#include "vulkan/spirv_support.def"
    return out;
}

}  // namespace caldera
