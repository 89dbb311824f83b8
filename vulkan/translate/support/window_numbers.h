// SPDX-License-Identifier: Apache-2.0
// The numbers of windows: the high halves of pointers with Abi::Descriptors (memory/windows.h). The window of
// binding b is described by row b of the argument table.
#pragma once

#include <cstdint>

#include "vulkan/interface.h"

namespace caldera::vulkan {

constexpr uint32_t kNoWindow = 0, kDataWindow = 1, kFirstBindingWindow = 2;
constexpr uint32_t kTableRowWords = sizeof(ImageDescriptor) / 4;

}  // namespace caldera::vulkan
