// SPDX-License-Identifier: Apache-2.0
// Vulkan has no file descriptors on Windows: no device imports or exports any.
#include "vulkan/runtime/file_descriptor.h"

namespace caldera::runtime {

bool may_be_handle(int) { return false; }

void close_descriptor(int) {}

bool was_signalled(int) { return false; }

uint64_t size_of_descriptor(int) { return 0; }

LentDescriptor::LentDescriptor(int original) : original_(original) {}

LentDescriptor::~LentDescriptor() = default;

}  // namespace caldera::runtime
