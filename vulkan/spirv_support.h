// SPDX-License-Identifier: Apache-2.0
// What a device takes in the SPIR-V that programs bring (cl_khr_spirv_queries): the rows of
// spirv_support.def.
#pragma once

#include <spirv/unified1/spirv.hpp11>
#include <vector>

#include "frontend/features.h"

namespace caldera {

struct SpirvSupport {
    std::vector<spv::Capability> capabilities = {};
    std::vector<const char*> extensions = {}, instruction_sets = {};
};

/// The texts live as long as the process.
SpirvSupport spirv_support(const frontend::ExtSet& device);

}  // namespace caldera
