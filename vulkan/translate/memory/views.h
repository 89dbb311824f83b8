// SPDX-License-Identifier: Apache-2.0
// Storage buffers as arrays: one variable for each element type with which a buffer is accessed.
#pragma once

#include <map>

#include "spirv/builder.h"
#include "vulkan/translate/memory/windows.h"

namespace caldera::vulkan::memory {

/// All views of a buffer, and all buffers of a program, may share memory, so they are decorated Aliased.
class BufferViews {
 public:
    explicit BufferViews(spirv::Builder& builder) : builder_(builder) {}

    /// A pointer to the element with this index (u32) in the window's buffer. `type` is a scalar, or a vector
    /// of 2 or 4.
    Id element(uint32_t window, Id type, Id index);
    /// struct { type[]; }
    Id block(Id type);

 private:
    Id variable(uint32_t window, Id type);

    spirv::Builder& builder_;
    std::map<std::pair<uint32_t, Id>, Id> variables_ = {};  // by window and element type
    std::map<Id, Id> blocks_ = {};                          // by element type
};

}  // namespace caldera::vulkan::memory
