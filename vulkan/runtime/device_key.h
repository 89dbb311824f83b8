// SPDX-License-Identifier: Apache-2.0
// The properties of a device and its driver that key a file in the cache on disk.
#pragma once

#include "spirv/support/archive.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

void add_device(ArchiveWriter& key, const Device& device);

}  // namespace caldera::runtime
