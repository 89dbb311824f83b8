// SPDX-License-Identifier: Apache-2.0
// Image types without an access qualifier, which SPIR-V leaves optional (3.32.6 OpTypeImage).
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Gives an image that has such a type the qualifier for what is done with it: ReadOnly where nothing writes
/// it, else WriteOnly or ReadWrite. Images that may be the same one have one type: an argument and a
/// parameter that it is passed for, a phi and its values. Those in memory have one type, too.
void qualify_images(spirv::Module& module);

}  // namespace caldera::vulkan
