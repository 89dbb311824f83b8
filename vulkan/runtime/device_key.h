// SPDX-License-Identifier: Apache-2.0
// What of a device and its driver a file of the cache on disk belongs to.
#pragma once

#include "spirv/support/archive.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

void add_device(ArchiveWriter& key, const Device& device);

}  // namespace caldera::runtime
