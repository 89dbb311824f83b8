// SPDX-License-Identifier: Apache-2.0
// Calls of write_imagef(), write_imagei() and write_imageui() with a level of detail
// (cl_khr_mipmap_image_writes), which our front end and clang leave as calls.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Such a call becomes OpImageWrite with the image operand Lod, which SPIRV-Tools' validators decline. Calls
/// with other arguments stay as they are.
void take_level_writes(spirv::Module& module);

}  // namespace caldera::vulkan
