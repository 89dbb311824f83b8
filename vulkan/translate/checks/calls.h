// SPDX-License-Identifier: Apache-2.0
// Which functions get parameters for checks.
#pragma once

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// The functions that something but a call names. All others may get parameters more.
spirv::IdSet named_elsewhere(const spirv::Module& module);

}  // namespace caldera::vulkan
